"""A person with `approve` records that something was undone, and no other action."""

from collections.abc import Iterator
from typing import Any

import pytest

from tallystick import NotPermitted, UnknownHandle
from tests.server.web_server import RunningServer, running_server


@pytest.fixture
def server() -> Iterator[RunningServer]:
    with running_server() as served:
        yield served


def test_a_person_who_may_approve_some_tasks_says_so_of_these_alone(server: RunningServer) -> None:
    with (
        server.remote(server.token("agent")) as agent,
        server.remote(server.token("approve", tasks=("T-1",))) as person,
    ):
        made = {}
        for task in ("T-1", "T-2"):
            execution = agent.record_execution_start(title="Move", task_id=task).id
            made[task] = agent.record_action(
                phase="done", execution_id=execution, outcome="ok", tool="mkdir", summary=task, undo="remove it"
            ).id
        person.record_action(phase="done", kind="undo", undoes=made["T-1"], outcome="ok", summary="removed")
        with pytest.raises((UnknownHandle, NotPermitted)):
            person.record_action(phase="done", kind="undo", undoes=made["T-2"], outcome="ok", summary="removed")
        assert not agent.get_action(action_id=made["T-2"]).undone_by


REFUSED: dict[str, dict[str, Any]] = {
    "a call that is no undo": {"phase": "done", "outcome": "ok"},
    "an undo that begins": {"phase": "begin", "kind": "undo", "undoes": "ac_none"},
    "an end": {"phase": "end", "action_id": "ac_none", "outcome": "ok"},
    "a note": {"phase": "note", "kind": "undo"},
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_person_who_may_approve_records_no_other_action(server: RunningServer, what: str) -> None:
    with (
        server.remote(server.token("approve")) as person,
        pytest.raises(NotPermitted, match="phase=done and kind=undo"),
    ):
        person.record_action(summary="x", **REFUSED[what])
