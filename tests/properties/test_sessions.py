"""Sessions stay apart after any refusal: ids are short, and the id of a refused session may be used again."""

import pytest

from tallystick import Actor, Journal
from tallystick.core.errors import TallystickError
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.settings import Settings
from tallystick.store.interface import Store
from tests.drivers import Local
from tests.stores import Clock, Home


def agent(store: Store, name: str) -> Journal:
    settings = Settings(url="", journal="law", actor=name)
    return Journal(Local(OperationContext(store, settings, Principal(actor=Actor(name=name)))))


def test_a_refused_first_record_does_not_join_another_session(home: Home, clock: Clock) -> None:
    first, second = agent(home.open(clock=clock), "ada"), agent(home.open(clock=clock), "bob")
    with pytest.raises(TallystickError):
        first.record_action(phase="begin", tool="act")
    second.record_execution_start(title="bob's")
    begun = second.record_action(phase="begin", tool="act")
    first.record_execution_start(title="ada's")
    sessions = {session.actor: session for session in second.list_sessions().sessions}
    assert sessions["ada"].id != sessions["bob"].id
    first.close()
    assert begun.id not in [item.action_id for item in second.list_in_doubt().in_doubt]


def test_a_notice_of_a_refused_record_is_given_again(home: Home, clock: Clock) -> None:
    keeper = agent(home.open(clock=clock), "ada")
    lost = keeper.open_session(name="lost", lease_seconds=60).id
    keeper.record_context(key="k", value=1)
    clock.advance(61)
    with pytest.raises(TallystickError):
        keeper.record_action(phase="begin", tool="act")
    keeper.record_context(key="k", value=2)
    kinds = [entry.kind for entry in keeper.read_entries(id=lost).entries]
    assert kinds == ["session_opened", "session_ended"]
