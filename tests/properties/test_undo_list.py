"""Undo list and owed are exact at every crash point: on every prefix of random plans, against an independent model."""

from collections import Counter
from random import Random

import pytest

from tallystick import Actor, Journal, Undo
from tallystick.core.types import OUTSTANDING
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.settings import Settings
from tallystick.store.memory import MemoryStore
from tests.drivers import Local
from tests.properties.random_executions import Life

PLANS = 3_000
CHUNKS = 3
"""A sample. `make torture` goes through as many as there is time for."""
SEED = 2026


def live(seed: str) -> Counter[str]:
    """One random plan and its life, compared at each point of it; returns how often each thing was met."""
    chance = Random(seed)
    life = Life(chance)
    happened = []
    for _ in range(chance.randint(4, 24)):
        happened.append(life.happen())
        different = life.differs()
        assert not different, f"seed {seed}: after {', '.join(happened)}\n{different}"
    assert not life.miscounted(), f"seed {seed}: {life.miscounted()}"
    life.seen["prefixes"] = len(happened)
    return life.seen


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_undo_list_and_what_is_owed_are_exact_on_every_prefix_of_random_plans_with_random_crashes(
    chunk: int,
) -> None:
    met: Counter[str] = Counter()
    plans = range(chunk * PLANS // CHUNKS, (chunk + 1) * PLANS // CHUNKS)
    for plan in plans:
        met += live(f"{SEED}/{plan}")
    print(f"seed {SEED}: {len(plans)} plans, {met['prefixes']} prefixes, {dict(met)}")
    assert met["prefixes"] > 10 * len(plans)
    assert all(met[state] > len(plans) // 20 for state in OUTSTANDING), met
    events = ("crash", "notice", "replan", "contradicted", "keep", "unwind", "say_step", "say_undo", "may_be_undo")
    assert all(met[event] > len(plans) // 20 for event in events), met
    debts = ("owed", "owed though interrupted", "owed for its undo")
    assert all(met[debt] > len(plans) // 20 for debt in debts), met


def test_a_recorded_result_fills_the_undo_after_any_later_record() -> None:
    context = OperationContext(
        MemoryStore(), Settings(url="", journal="law", actor="ada"), Principal(actor=Actor(name="ada"))
    )
    hook = Principal(actor=Actor(kind="hook", name="hook"), witness="observed")
    claims, observes = Journal(Local(context)), Journal(Local(context.for_principal(hook)))
    claims.record_execution_start(title="book a room")
    undo = Undo(tool="cancel", arguments={"id": "${result.id}"})
    booked = claims.record_action(phase="begin", tool="book", cancellable="reversible", undo=undo)
    claims.record_action(phase="end", action_id=booked.id, outcome="ok", result={"id": 7})
    observes.record_action(phase="end", action_id=booked.id, outcome="ok")
    observes.record_action(phase="end", action_id=booked.id, outcome="failed")
    owed = claims.get_undo_list().items[0]
    assert owed.undo is not None
    assert owed.undo.arguments == {"id": 7}
    assert not owed.certain
