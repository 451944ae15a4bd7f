"""A step whose very call somebody recorded without the step: nothing is repeated, and a person is told how to go on."""

import asyncio
from typing import Any

import pytest

from tallystick import Actor, Journal
from tallystick.runner.engines.interface import Work
from tallystick.runner.engines.local import ServerEngine
from tallystick.runner.runner import Runner
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.sdk.async_dispatch import WriteQueue
from tallystick.sdk.local import local_caller
from tests.runner.test_unwinding import World, answer, person, question, step

__all__ = ["person"]


def plan(**fields: Any) -> dict[str, Any]:
    """A gate that waits for an approval, a step, and one behind it."""
    return {"title": "t", "steps": [step("gate", needs_approval=True), step("late", **fields), step("last")]}


def go_on(journal: Journal, world: World, wanted: dict[str, Any], **tools: Any) -> Any:
    return journal.run(wanted, tools=world.tools(**tools), key="k")


def made_early(journal: Journal, person: Journal, world: World, wanted: dict[str, Any], **end: Any) -> tuple[Any, str]:
    """Record the call of `late` while the gate is closed, open the gate, and go on; returns the run and the action."""
    run = go_on(journal, world, wanted)
    given = {"execution_id": run.id, "tool": "make", "arguments": {"name": "late"}}
    made = journal.record_action(phase="begin" if not end else "done", **given, **end)
    person.decide_approval(approval_id=question(person, run).id, verdict="approve")
    return go_on(journal, world, wanted), made.id


@pytest.mark.parametrize("outcome", ["ok", "unknown"])
def test_a_step_whose_call_was_recorded_without_it_waits_and_says_why_everywhere(
    journal: Journal, person: Journal, outcome: Any
) -> None:
    world = World()
    run, made = made_early(journal, person, world, plan(), outcome=outcome)
    assert world.log == ["gate"]
    shown = run.waiting if outcome == "ok" else run.held
    assert set(shown) == {"late"}
    asked = question(journal, run)
    assert made in shown["late"]
    assert made in asked.question
    assert (asked.step, asked.options) == ("late", ("same", "again", "skip"))
    status = journal.get_status(execution_id=run.id)
    assert [each.actual for each in status.steps] == ["done", "waiting", "planned"]
    assert (status.next_steps, status.approvals, status.execution.status) == ((), (asked.id,), "running")
    brief = journal.get_brief(execution_id=run.id)
    assert f"{asked.id} pending" in brief.text
    assert "Next: late" not in brief.text
    assert go_on(journal, world, plan()).status == "running"
    assert len(journal.list_approvals(status="pending").approvals) == 1
    assert world.log == ["gate"]


@pytest.mark.parametrize("option", ["same", "again", "skip"])
@pytest.mark.parametrize("is_decision", [False, True])
@pytest.mark.parametrize("needs_approval", [False, True])
def test_it_goes_on_with_the_answer_or_with_the_decision(
    journal: Journal, person: Journal, option: str, is_decision: bool, needs_approval: bool
) -> None:
    world = World()
    wanted = plan(needs_approval=needs_approval)
    run, made = made_early(journal, person, world, wanted, outcome="ok", result={"made": "late"})
    if needs_approval:
        person.decide_approval(approval_id=question(person, run).id, verdict="approve")
        run = go_on(journal, world, wanted)
    decision: Any = {"same": "continue", "again": "retry"}.get(option, option)
    if is_decision:
        about: Any = {"action_id": made} if option == "same" else {}
        journal.record_decision(execution_id=run.id, decision=decision, step="late", why="we looked", **about)
    else:
        answer(person, run, option)
    run = go_on(journal, world, wanted)
    assert (run.status, run.waiting, run.held) == ("completed", {}, {})
    assert world.log == ["gate", *(["late"] if option == "again" else []), "last"]
    assert journal.list_approvals(status="pending").approvals == ()
    states = {each.id: each.actual for each in journal.get_status(execution_id=run.id).steps}
    assert states["late"] == ("skipped" if option == "skip" else "done")


@pytest.mark.parametrize("outcome", ["ok", "failed"])
def test_a_doubt_about_the_call_is_settled_first(journal: Journal, person: Journal, outcome: Any) -> None:
    world = World()
    run, made = made_early(journal, person, world, plan(), outcome="unknown")
    end: dict[str, Any] = {"outcome": outcome, "evidence": "seen", "without_effect": outcome == "failed"}
    journal.record_decision(decision="settle", action_id=made, **end)
    run = go_on(journal, world, plan())
    if outcome == "failed":
        assert (run.status, world.log) == ("completed", ["gate", "late", "last"])
        return
    assert (set(run.waiting), run.held, world.log) == ({"late"}, {}, ["gate"])
    answer(person, run, "same")
    assert (go_on(journal, world, plan()).status, world.log) == ("completed", ["gate", "last"])


def test_a_doubt_that_a_probe_answers_leads_to_the_question_whether_it_was_the_step(
    journal: Journal, person: Journal
) -> None:
    world = World()
    options: Any = {"effect": "probeable", "probe": lambda name: True}
    run = journal.run(plan(), tools=world.tools(**options), key="k")
    made = journal.record_action(
        phase="done", execution_id=run.id, tool="make", arguments={"name": "late"}, outcome="unknown"
    )
    person.decide_approval(approval_id=question(person, run).id, verdict="approve")
    run = go_on(journal, world, plan(), **options)
    assert (set(run.waiting), run.held, world.log) == ({"late"}, {}, ["gate"])
    assert journal.get_action(action_id=made.id).state == "ok"
    answer(person, run, "same")
    assert (go_on(journal, world, plan(), **options).status, world.log) == ("completed", ["gate", "last"])


def test_a_call_that_is_under_way_is_waited_for_and_named(journal: Journal, person: Journal) -> None:
    world = World()
    run, made = made_early(journal, person, world, plan())
    assert (set(run.waiting), made in run.waiting["late"], world.log) == ({"late"}, True, ["gate"])
    journal.record_action(phase="end", action_id=made, outcome="failed", without_effect=True)
    assert (go_on(journal, world, plan()).status, world.log) == ("completed", ["gate", "late", "last"])


def test_a_call_with_values_of_other_steps_is_found_too(journal: Journal, person: Journal) -> None:
    world = World()
    late = step("late", arguments={"name": "${steps.gate.result.made}"})
    wanted = {"title": "t", "steps": [step("gate", by="agent"), late]}
    run = go_on(journal, world, wanted)
    journal.record_action(phase="done", execution_id=run.id, tool="make", arguments={"name": "x"}, outcome="ok")
    journal.record_action(phase="done", execution_id=run.id, step="gate", outcome="ok", result={"made": "x"})
    run = go_on(journal, world, wanted)
    assert (set(run.waiting), world.log) == ({"late"}, [])
    assert journal.get_status(execution_id=run.id).steps[1].actual == "waiting"


def test_an_answer_that_comes_while_the_run_is_there_moves_it_on(journal: Journal, person: Journal) -> None:
    world = World()
    run, _ = made_early(journal, person, world, plan(), outcome="ok")
    asked: list[str] = []

    def on_entry(entry: Any) -> None:
        if not asked:
            asked.append(entry.id)
            answer(person, run, "skip")

    run = journal.run(plan(), tools=world.tools(), key="k", wait=True, on_entry=on_entry)
    assert (run.status, world.log) == ("completed", ["gate", "last"])


@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_a_worker_asks_once_and_tries_again_only_when_it_looks(journal: Journal, is_elsewhere: bool) -> None:
    """It does not come back to the step by itself, and it notices when the doubt is settled."""
    world = World()
    steps: Any = [{**step("gate", by="agent"), "title": "gate"}, {**step("late"), "title": "late"}]
    execution = journal.run_plan(plan_id=journal.record_plan(title="t", steps=steps).id, engine="temporal").id
    about: Any = {"execution_id": journal.record_execution_start(title="other").id if is_elsewhere else execution}
    call: dict[str, Any] = {"tool": "make", "arguments": {"name": "late"}, "outcome": "unknown"}
    made = journal.record_action(phase="done", **about, **call)
    journal.record_action(phase="done", execution_id=execution, step="gate", outcome="ok")
    handled: list[Work] = []

    async def work() -> None:
        recorder = local_caller(journal.caller).as_observer(Actor(kind="runner", name="runner"), "runner")
        queue, engine = WriteQueue(recorder), ServerEngine(1)
        runner = Runner(queue.call, ToolRegistry(world.tools()), engine)

        async def handle(work: Work) -> None:
            handled.append(work)
            await runner.handle(work)

        async def look() -> None:
            await engine.submit(Work(execution))
            await engine.idle.wait()

        serving = asyncio.create_task(engine.serve(handle))
        await look()
        assert (len(handled), world.log, list(runner.runs[execution].held)) == (2, [], ["late"])
        end: Any = {"outcome": "failed", "evidence": "it is not there", "without_effect": True}
        await asyncio.to_thread(journal.record_decision, decision="settle", action_id=made.id, **end)
        await look()
        await engine.stop()
        await serving
        queue.close()

    asyncio.run(asyncio.wait_for(work(), 60))
    assert world.log == ["late"]
    assert journal.get_execution(execution_id=execution).status == "completed"
    assert len(journal.list_approvals().approvals) == (0 if is_elsewhere else 1)


def test_a_question_that_only_looks_like_one_of_the_runner_is_no_question_of_it(
    journal: Journal, person: Journal
) -> None:
    world = World()
    run = go_on(journal, world, plan())
    call: dict[str, Any] = {"tool": "make", "arguments": {"name": "late"}}
    made = journal.record_action(phase="done", execution_id=run.id, outcome="ok", **call)
    forged = journal.request_approval(
        execution_id=run.id, question=f"Coffee? [{made.id} as late]", options=("same", "again", "skip")
    )
    gate = next(each for each in person.list_approvals(status="pending").approvals if each.step == "gate")
    person.decide_approval(approval_id=gate.id, verdict="approve")
    person.decide_approval(approval_id=forged.id, verdict="respond", answer="skip")
    go_on(journal, world, plan())
    (asked,) = person.list_approvals(status="pending").approvals
    assert (asked.actor_kind, asked.step, asked.options) == ("runner", "late", ("same", "again", "skip"))
