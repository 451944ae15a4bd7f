"""Runs, as the journal shows them: which are open at an engine, and which wait for a worker."""

import os
import sys
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from tallystick import Actor, InvalidArgument, Journal, Step, TooLarge, Unsupported, WrongState
from tallystick.core.formats.canonical_json import Limits
from tallystick.operations.actions import record_action
from tallystick.operations.runs import WorkerOffer, record_offer
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.session_lifecycle import PROCESS_LEASE_SECONDS
from tallystick.operations.views.plan_steps import MIN_STEPS_REMEMBERED
from tallystick.sdk.local import Local, keep_session, local_caller
from tests.behaviour.scenarios import plan
from tests.matrix import Cell
from tests.promises import promise


def owner(cell: Cell, session: str = "", **settings: Any) -> Journal:
    """The journal of somebody with the scope to run plans."""
    return Journal(Local(OperationContext(cell.store, replace(cell.settings, **settings), Principal(session=session))))


def run(cell: Cell, engine: str, session: str = "") -> str:
    journal = owner(cell, session)
    return journal.run_plan(plan_id=plan(journal, "a", "b").id, engine=engine).id  # type: ignore[arg-type]


@promise("open-runs-are-listed-by-engine")
def test_the_open_runs_of_an_engine_are_listed_in_pages_the_oldest_first(cell: Cell) -> None:
    journal = cell.operator()
    runs = [run(cell, "temporal") for _ in range(3)]
    other, ended = run(cell, "caller"), run(cell, "temporal")
    journal.record_decision(decision="stop", execution_id=ended, why="not wanted")
    journal.record_decision(decision="pause", execution_id=runs[2], why="it is late")
    begun = journal.record_action(phase="begin", execution_id=runs[1], step="a")
    found = journal.list_runs(engine="temporal").runs
    assert [(each.execution_id, each.status, each.unsettled) for each in found] == [
        (runs[0], "running", False),
        (runs[1], "running", True),
        (runs[2], "paused", False),
    ]
    assert found[1].last_seq == begun.seq
    page = journal.list_runs(engine="temporal", limit=2)
    assert [each.execution_id for each in page.runs] == runs[:2]
    assert journal.list_runs(engine="temporal", limit=2, cursor=page.next_cursor).runs == found[2:]
    assert [each.execution_id for each in journal.list_runs(engine="local").runs] == [other]
    journal.record_execution_start(title="an agent's own")
    assert [each.execution_id for each in journal.list_runs().runs] == [*runs, other]
    page = journal.list_runs(limit=2)
    assert [each.execution_id for each in journal.list_runs(cursor=page.next_cursor).runs] == [runs[2], other]
    with pytest.raises(InvalidArgument, match="is not a cursor of this list"):
        journal.list_runs(cursor="ex_none")


@promise("the-same-run-is-not-started-twice-at-once")
def test_a_run_is_refused_if_one_of_the_same_title_was_started_since_the_caller_looked(cell: Cell) -> None:
    journal = owner(cell)
    start = partial(journal.run_plan, plan_id=plan(journal, "a").id, engine="caller")
    seen = journal.read_entries(limit=1, newest_first=True).entries[0].seq
    others = [journal.record_execution_start(title=f"ad hoc {number}").id for number in range(25)]
    first = start(seen_seq=seen, key="first")
    with pytest.raises(WrongState, match=f"{first.id} of the same title and task was started meanwhile") as refused:
        start(seen_seq=seen)
    assert refused.value.next_call == ("get_run", {"execution_id": first.id})
    assert start(seen_seq=seen, key="first").repeated
    found = [each.id for each in journal.list_executions(limit=100).executions]
    assert found == [first.id, *reversed(others)]
    assert start(seen_seq=seen, title="another").id != first.id
    assert start(seen_seq=first.seq).id != first.id
    with pytest.raises(WrongState, match="started meanwhile"):
        start(seen_seq=0)


@promise("a-silent-process-is-named-with-its-step")
def test_a_step_in_a_process_that_gives_no_sign_of_life_is_named_with_it(cell: Cell) -> None:
    execution = run(cell, "caller")
    recorder = local_caller(owner(cell).caller)
    runner = recorder.as_observer(Actor(kind="runner", name="runner"), "runner", executes_calls=True)
    for step in ("a", "b"):
        begun = runner.call(record_action, {"phase": "begin", "execution_id": execution, "step": step})
        if step == "a":
            runner.call(record_action, {"phase": "end", "action_id": begun.id, "outcome": "ok"})
    journal = cell.operator()

    def silent() -> dict[str, str]:
        return {each.id: each.silent for each in journal.get_status(execution_id=execution).steps if each.silent}

    assert silent() == {}
    cell.clock.advance(PROCESS_LEASE_SECONDS + 1)
    assert set(silent()) == {"b"}
    assert f"(process {os.getpid()}), which has given no sign of life since 20" in silent()["b"]
    (row,) = journal.get_run(execution_id=execution, steps=("b",)).steps
    assert (row.state, row.silent) == ("running", silent()["b"])
    told = f"no sign of life from runner (process {os.getpid()}) for 61s; nothing repeats it"
    assert told in journal.get_brief(execution_id=execution).text
    assert [each.id for each in journal.list_sessions().sessions if each.silent_since] == [runner.context.own.id]
    keep_session(runner)
    assert silent() == {}


@promise("a-run-that-nobody-can-carry-out-is-refused")
def test_a_run_that_no_worker_could_carry_out_is_refused_and_not_recorded(
    cell: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = cell.operator()
    recorded = plan(journal, "a").id
    if not cell.settings.url.startswith("postgresql:"):
        with pytest.raises(InvalidArgument, match=r"needs a journal in PostgreSQL.*engine=local") as refused:
            journal.run_plan(plan_id=recorded, engine="queue", key="k")
        assert refused.value.field == "engine"
    with pytest.raises(
        InvalidArgument, match=r"(?i)(this process|server) carries out no plans.*tallystick run"
    ) as refused:
        journal.run_plan(plan_id=recorded, key="k")
    assert refused.value.field == "engine"
    monkeypatch.setitem(sys.modules, "temporalio", None)
    with pytest.raises(Unsupported, match=r"Install tallystick\[temporal\]"):
        journal.run_plan(plan_id=recorded, engine="temporal", key="k")
    assert journal.list_executions().executions == ()
    there = owner(cell, url="postgresql://host/database")
    receipt = there.run_plan(plan_id=recorded, engine="queue", key="k")
    assert "No worker is at work on this journal: tallystick worker --tools tools.py" in receipt.notes
    worker = journal.open_session(name="w", client="tallystick worker")
    assert not there.run_plan(plan_id=recorded, engine="queue").notes[1:]
    journal.end_session(session_id=worker.id)


@promise("the-next-steps-of-a-run-are-those-that-its-runner-begins")
@pytest.mark.parametrize("size", [4, MIN_STEPS_REMEMBERED])
def test_a_step_behind_one_that_was_done_early_is_not_next_in_a_run(cell: Cell, size: int) -> None:
    journal = cell.operator()
    chain = [("gate", ()), ("early", ("gate",)), ("last", ("early",))]
    named = [*chain, *((f"s{number}", ("last",)) for number in range(size - 3))]
    steps = [Step(id=id, title=id, by="agent", after=after, cancellable="irreversible") for id, after in named]
    recorded = journal.record_plan(title="t", steps=steps).id
    executions = {
        ("gate",): owner(cell).run_plan(plan_id=recorded, engine="caller").id,
        ("gate", "last"): journal.record_execution_start(plan_id=recorded).id,
    }
    agent = cell.another("agent", witness="observed")  # it is recorded, whatever the order
    for expected, execution in executions.items():
        assert journal.get_status(execution_id=execution).next_steps == ("gate",)
        agent.record_action(phase="done", execution_id=execution, step="early", outcome="ok")
        assert journal.get_status(execution_id=execution).next_steps == expected
        assert journal.get_brief(execution_id=execution).next_steps == expected
        receipt = journal.record_decision(execution_id=execution, decision="continue", why="a note")
        assert receipt.next_steps == expected
        agent.record_action(phase="done", execution_id=execution, step="gate", outcome="ok")
        assert journal.get_status(execution_id=execution).next_steps == ("last",)


@promise("interrupted-is-seen-at-once")
def test_a_run_of_a_shared_engine_waits_for_a_worker_and_is_not_interrupted(cell: Cell) -> None:
    agent = cell.mortal("worker")
    runs = {engine: run(cell, engine, cell.session_of(agent)) for engine in ("caller", "temporal")}
    cell.kill(agent)
    found = cell.journal.list_executions(only="interrupted").executions
    assert [each.id for each in found] == [runs["caller"]]


@promise("the-items-of-a-list-become-steps-of-one-execution")
def test_items_become_steps_before_the_one_that_gathers_them_and_the_plan_stays_as_it_is(cell: Cell) -> None:
    journal, runner = cell.operator(), owner(cell)
    recorded = journal.record_plan(
        title="Import",
        steps=[
            Step(id="load", title="Load", tool="load", for_each="${parameters.files}", undo="delete it", after=()),
            Step(id="report", title="Report", tool="report", cancellable="irreversible", after=("load",)),
        ],
    )
    execution = runner.run_plan(plan_id=recorded.id, parameters={"files": ["a", "b"]}, engine="caller").id
    receipt = runner.record_items(execution_id=execution, items={"load": ["a", "b"]}, key="items")
    assert (receipt.plan_id, receipt.revision, receipt.steps) == (recorded.id, 2, 4)
    assert runner.record_items(execution_id=execution, items={"load": ["a", "b"]}, key="items").repeated
    shown = journal.get_status(execution_id=execution)
    assert [(each.id, each.title, each.after) for each in shown.steps] == [
        ("load.1", "Load (1 of 2)", ()),
        ("load.2", "Load (2 of 2)", ()),
        ("load", "Load", ("load.1", "load.2")),
        ("report", "Report", ("load",)),
    ]
    assert (shown.next_steps, shown.execution.total_steps) == (("load.1", "load.2"), 4)
    begun = journal.record_action(phase="begin", execution_id=execution, step="load.1")
    journal.record_action(phase="end", action_id=begun.id, outcome="ok")
    assert [each.step for each in journal.get_undo_list(execution_id=execution).items] == ["load.1"]
    assert [each.revision for each in journal.get_plan(plan_id=recorded.id).revisions] == [1]
    (made,) = journal.get_plan(plan_id=recorded.id, revision=2).revisions
    assert (made.execution_id, [each.get("for_each") for each in made.steps[:2]]) == (execution, [["a"], ["b"]])
    other = journal.record_execution_start(plan_id=recorded.id)
    assert other.next_steps == ("load",)


@promise("the-items-of-a-list-become-steps-of-one-execution")
def test_a_plan_that_is_revised_after_a_list_was_expanded_can_be_followed(cell: Cell) -> None:
    journal, runner = cell.operator(), owner(cell)
    steps = [Step(id="load", title="Load", tool="load", for_each=("a",), undo="delete it")]
    recorded = journal.record_plan(title="Import", steps=steps)
    execution = runner.run_plan(plan_id=recorded.id, engine="caller").id
    runner.record_items(execution_id=execution, items={"load": ["a"]})
    with pytest.raises(WrongState, match="no revision after 2"):
        journal.record_decision(decision="replan", execution_id=execution, why="to see")
    assert journal.record_plan(title="Import", plan_id=recorded.id, reason="better", steps=steps).revision == 3
    journal.record_decision(decision="replan", execution_id=execution, why="it is better")
    assert [each.id for each in journal.get_status(execution_id=execution).steps] == ["load"]
    assert runner.record_items(execution_id=execution, items={"load": ["b"]}).revision == 4


@promise("the-items-of-a-list-become-steps-of-one-execution")
def test_items_that_cannot_become_steps_are_refused(cell: Cell) -> None:
    journal = runner = owner(cell, limits=Limits(steps=3))
    steps = [
        Step(id="load", title="Load", tool="load", for_each=("a",), undo="delete it", after=()),
        Step(id="other.1", title="Other", undo="no", after=()),
        Step(id="other", title="Other", for_each=("a",), undo="no", after=()),
    ]
    execution = runner.run_plan(plan_id=journal.record_plan(title="Import", steps=steps).id, engine="caller").id
    with pytest.raises(TooLarge, match="limit is 3"):
        runner.record_items(execution_id=execution, items={"load": ["a"]})
    with pytest.raises(InvalidArgument, match="no step"):
        runner.record_items(execution_id=execution, items={"nope": []})
    with pytest.raises(InvalidArgument, match=r"cannot be named other\.1"):
        runner.record_items(execution_id=execution, items={"other": ["a"]})
    assert runner.record_items(execution_id=execution, items={"load": []}).steps == 3
    journal.record_decision(decision="stop", execution_id=execution, why="enough")
    with pytest.raises(WrongState, match="cancelled"):
        runner.record_items(execution_id=execution, items={"load": []})


@promise("the-brief-says-who-carries-out-a-run")
def test_the_brief_of_a_run_says_who_carries_it_out(cell: Cell) -> None:
    agent = cell.mortal("worker")
    here, queued = (run(cell, engine, cell.session_of(agent)) for engine in ("caller", "temporal"))
    reader = cell.another("heir")
    reader.open_session(name="claude-code:two")
    assert "A runner carries it out." in reader.get_brief(execution_id=here).text
    assert "No worker is at work on this journal: tallystick worker" in reader.get_brief(execution_id=queued).text
    asked = run(cell, "caller", reader.open_session(name="a shell", client="tallystick cli").id)
    assert f"To go on: tallystick run --resume {asked}" in reader.get_brief(execution_id=asked).text
    worker = reader.open_session(name="w", client="tallystick worker")
    assert "Workers carry it out." in reader.get_brief(execution_id=queued).text
    cell.kill(agent)
    text = reader.get_brief(execution_id=here).text
    assert f"No runner is at work on it. To go on: tallystick run --resume {here}" in text
    assert "Take it up" not in text
    assert "Workers carry it out." in reader.get_brief(execution_id=queued).text
    reader.end_session(session_id=worker.id)
    assert "No worker is at work on this journal: tallystick worker" in reader.get_brief(execution_id=queued).text


@promise("a-step-that-no-worker-can-carry-out-says-why")
def test_a_step_of_which_no_living_worker_has_the_tool_or_the_queue_says_so_everywhere(cell: Cell) -> None:
    journal = owner(cell)
    steps = [Step(id=name, title=name, tool=f"use_{name}", resource="card", undo="x", after=()) for name in "ab"]
    made = journal.record_plan(title="t", steps=steps)
    execution = journal.run_plan(plan_id=made.id, engine="temporal").id
    session = journal.open_session(name="w", client="tallystick worker").id
    context = local_caller(journal.caller).context

    def shown() -> list[str]:
        first = [each.unserved for each in cell.journal.get_status(execution_id=execution).steps]
        assert first == [each.unserved for each in cell.journal.list_work(execution_id=execution).rows]
        text = cell.journal.get_brief(execution_id=execution).text
        assert all(f"{name} waits: {reason}." in text for name, reason in zip("ab", first, strict=True) if reason)
        return first

    assert shown() == ["", ""]  # nobody knows what it can carry out
    offer = WorkerOffer(engine="temporal", queues=("default",), tools={"use_a": ""})
    record_offer(context, "w", offer)
    assert shown() == ["", "no living worker has use_b"]
    (worker,) = [each for each in cell.journal.list_sessions().sessions if each.id == session]
    assert (worker.queues, worker.tools) == (("default",), ("use_a",))
    record_offer(context, "w", replace(offer, tools={"use_a": "", "use_b": ""}, resource_queues={"card": "gpu"}))
    assert shown() == [f"no living worker with use_{name} serves the queue gpu" for name in "ab"]
    journal.open_session(name="v", client="tallystick worker")
    record_offer(context, "v", replace(offer, queues=("gpu",), tools={"use_a": "", "use_b": ""}))
    assert shown() == ["", ""]
