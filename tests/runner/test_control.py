"""What others record while a run is under way, or before it comes to a step: replans, early answers, other actors."""

from typing import Any

import pytest

from tallystick import Actor, Journal, operations, tool
from tallystick.interfaces.cli.run_progress import RunProgress, StepEvent
from tallystick.sdk.local import local_caller
from tests.runner.test_unwinding import World, person, step

__all__ = ["person"]


def test_a_new_revision_is_taken_up_while_a_call_is_under_way(journal: Journal) -> None:
    log: list[str] = []

    def replan() -> None:
        execution = journal.list_executions().executions[0]
        steps: Any = [{"title": each["id"], **each} for each in (step("a", after=[]), step("c", after=["a"]))]
        journal.record_plan(plan_id=execution.plan_id, title="t", steps=steps, reason="b is not needed")
        journal.record_decision(execution_id=execution.id, decision="replan", why="b is not needed")

    @tool
    def make(name: str) -> dict[str, str]:
        log.append(name)
        if name == "a":
            replan()
        return {"made": name}

    plan = {"title": "t", "steps": [step("a", after=[]), step("b", after=["a"])]}
    run = journal.run(plan, tools=[make, World().tools()[1]])
    assert (run.status, log) == ("completed", ["a", "c"])


def test_a_step_that_an_agent_records_early_does_not_pass_over_the_approval_before_it(
    journal: Journal, person: Journal
) -> None:
    world = World()
    plan = {
        "title": "t",
        "steps": [step("gate", needs_approval=True), step("early", by="agent"), step("last")],
    }
    run = journal.run(plan, tools=world.tools(), key="k")
    journal.record_action(phase="done", execution_id=run.id, step="early", outcome="ok")
    run = journal.run(plan, tools=world.tools(), key="k")
    assert (world.log, list(run.waiting)) == ([], ["gate"])
    (question,) = journal.list_approvals(status="pending").approvals
    person.decide_approval(approval_id=question.id, verdict="approve")
    assert journal.run(plan, tools=world.tools(), key="k").status == "completed"
    assert world.log == ["gate", "last"]


def test_the_progress_names_the_credential_that_answered_and_decided(journal: Journal, person: Journal) -> None:
    asks = {"title": "t", "steps": [step("a", needs_approval=True)]}
    run = journal.run(asks, tools=World().tools(), key="k")
    (question,) = journal.list_approvals(status="pending").approvals
    person.decide_approval(approval_id=question.id, verdict="approve")
    person.record_decision(execution_id=run.id, decision="stop", why="enough")
    events: list[StepEvent] = []
    progress = RunProgress(events.append)
    for entry in journal.read_entries(execution_id=run.id).entries:
        progress.take(entry)
    said = [event.note for event in events if event.state in ("answered", "decided")]
    assert said == [f"{question.id}: approve by ann", "stop by ann: enough"]


@pytest.mark.parametrize("verdict", ["reject", "respond"])
def test_a_rejected_step_is_asked_about_again_after_the_decision_to_retry_it(
    journal: Journal, person: Journal, verdict: Any
) -> None:
    world = World()
    plan = {"title": "t", "steps": [step("a", needs_approval=True, failure_policy="manual_decision")]}
    run = journal.run(plan, tools=world.tools(), key="k")
    for _ in range(2):
        (question,) = journal.list_approvals(status="pending").approvals
        answer: dict[str, Any] = {"answer": "not yet"} if verdict == "respond" else {}
        person.decide_approval(approval_id=question.id, verdict=verdict, **answer)
        run = journal.run(plan, tools=world.tools(), key="k")
        assert (list(run.failed), list(run.waiting), run.status) == (["a"], [], "running")
        person.record_decision(execution_id=run.id, decision="retry", step="a", why="it is agreed now")
        run = journal.run(plan, tools=world.tools(), key="k")
        assert (list(run.failed), list(run.waiting), world.log) == ([], ["a"], [])
    (question,) = journal.list_approvals(status="pending").approvals
    person.decide_approval(approval_id=question.id, verdict="approve")
    assert journal.run(plan, tools=world.tools(), key="k").status == "completed"
    assert world.log == ["a"]


@pytest.mark.parametrize("value", ["fixed", "${steps.a.result.made}"])
def test_an_approval_that_was_given_before_the_run_asks_is_used_if_it_is_for_the_same_call(
    journal: Journal, person: Journal, value: str
) -> None:
    world = World()
    plan = {
        "title": "t",
        "steps": [
            step("a", after=[], by="agent"),
            step("b", after=["a"], needs_approval=True, arguments={"name": value}),
        ],
    }
    run = journal.run(plan, tools=world.tools(), key="k")
    early = journal.request_approval(execution_id=run.id, step="b", question="May b be made?")
    person.decide_approval(approval_id=early.id, verdict="approve")
    begun = journal.record_action(phase="begin", execution_id=run.id, step="a")
    journal.record_action(phase="end", action_id=begun.id, outcome="ok", result={"made": "a"})
    run = journal.run(plan, tools=world.tools(), key="k")
    if value == "fixed":
        assert (run.status, world.log) == ("completed", ["fixed"])
        return
    (question,) = journal.list_approvals(status="pending").approvals
    assert (world.log, question.arguments, set(run.waiting)) == ([], {"name": "a"}, {"b"})
    person.decide_approval(approval_id=question.id, verdict="approve")
    assert journal.run(plan, tools=world.tools(), key="k").status == "completed"
    assert world.log == ["a"]


@pytest.mark.parametrize("happened", [True, False, None])
def test_a_step_in_doubt_is_probed_before_a_person_is_asked_about_it_again(
    journal: Journal, person: Journal, happened: bool | None
) -> None:
    calls: list[str] = []

    def find(name: str) -> bool:
        if happened is None:
            raise LookupError("nobody knows")
        return happened

    @tool(effect="probeable", probe=find)
    def make(name: str) -> str:
        calls.append(name)
        return name

    plan = {"title": "t", "steps": [{"id": "a", "tool": "make", "arguments": {"name": "a"}, "needs_approval": True}]}
    run = journal.run(plan, tools=[make], key="k")
    (asked,) = journal.list_approvals(status="pending").approvals
    person.decide_approval(approval_id=asked.id, verdict="approve")
    killed = local_caller(journal.caller).as_observer(Actor(kind="runner", name="runner"), "runner")
    begin = {"phase": "begin", "execution_id": run.id, "step": "a", "approval_id": asked.id, "effect": "probeable"}
    killed.call(operations.actions.record_action, {**begin, "tool": "make", "arguments": {"name": "a"}})
    killed.call(operations.sessions.end_session, {"session_id": killed.context.own.id})
    run = journal.run(plan, tools=[make], key="k")
    questions = journal.list_approvals(status="pending").approvals
    if happened is False:
        assert (set(run.waiting), len(questions)) == ({"a"}, 1)
        person.decide_approval(approval_id=questions[0].id, verdict="approve")
        assert journal.run(plan, tools=[make], key="k").status == "completed"
        assert calls == ["a"]
    else:
        assert (run.status, set(run.held)) == (("completed", set()) if happened else ("running", {"a"}))
        assert (calls, questions) == ([], ())


def test_a_step_that_an_agent_has_begun_is_left_to_it(journal: Journal) -> None:
    world = World()
    plan = {"title": "t", "steps": [step("a", after=[], by="agent"), step("b", after=["a"])]}
    run = journal.run(plan, tools=world.tools(), key="k")
    begun = journal.record_action(phase="begin", execution_id=run.id, step="a")
    journal.record_action(phase="end", action_id=begun.id, outcome="ok")
    taken = journal.record_action(phase="begin", execution_id=run.id, step="b")
    run = journal.run(plan, tools=world.tools(), key="k")
    assert (run.status, world.log) == ("running", [])
    journal.record_action(phase="end", action_id=taken.id, outcome="ok")
    assert journal.run(plan, tools=world.tools(), key="k").status == "completed"
    assert world.log == []
