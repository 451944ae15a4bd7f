"""A run in another thread reacts to what is recorded through any interface."""

from collections.abc import Callable
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

import pytest

from tallystick import Actor, InvalidArgument, Journal, ToolError, WrongState, tool
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.local import Local
from tests.matrix import Cell
from tests.promises import promise

TIMEOUT_SECONDS = 30


class RunInThread:
    """A run that goes on in a thread until its execution has ended. Its steps may be held until they are released."""

    def __init__(self, cell: Cell, steps: list[dict[str, Any]], **options: Any) -> None:
        self.log: list[str] = []
        self.errors: dict[str, list[str]] = {}
        self.released: dict[str, Event] = {}
        context = OperationContext(cell.store, cell.settings, Principal(actor=Actor(name="starter")))
        self._journal = Journal(Local(context))
        self.id = ""
        self.run: Any = None
        self._error: BaseException | None = None
        self._options = {"wait": True, "key": "run", "on_entry": self._on_entry, **options}
        self._plan = {"title": "controlled", "steps": steps}
        self._thread = Thread(target=self._work, name="controlled-run")

    def _on_entry(self, entry: Any) -> None:
        self.id = entry.execution_id

    def _work(self) -> None:
        try:
            self.run = self._journal.run(self._plan, tools=self._tools(), **self._options)
        except BaseException as error:
            self._error = error

    def _tools(self) -> list[Any]:
        @tool
        def act(name: str) -> dict[str, str]:
            self.log.append(name)
            released = self.released.get(name)
            if released is not None:
                released.wait(TIMEOUT_SECONDS)
            if self.errors.get(name):
                raise ToolError("on purpose", self.errors[name].pop(0))  # type: ignore[arg-type]
            return {"name": name}

        return [act]

    def start(self, *, held: tuple[str, ...] = (), **errors: list[str]) -> None:
        self.released = {name: Event() for name in held}
        self.errors = errors
        self._thread.start()
        self.wait(lambda: bool(self.id))

    def release(self, name: str) -> None:
        self.released[name].set()

    def wait(self, is_so: Callable[[], Any]) -> None:
        ends = monotonic() + TIMEOUT_SECONDS
        while not is_so():
            assert self._error is None, self._error
            assert monotonic() < ends, (self.log, self.run)
            sleep(0.01)

    def end(self) -> Any:
        self._thread.join(TIMEOUT_SECONDS)
        assert not self._thread.is_alive(), self.log
        assert self._error is None, self._error
        return self.run


def step(id: str, after: tuple[str, ...] = (), **fields: Any) -> dict[str, Any]:
    undo = {"tool": "act", "arguments": {"name": f"-{id}"}}
    return {"id": id, "tool": "act", "arguments": {"name": id}, "after": list(after), "undo": undo, **fields}


def revise(journal: Journal, plan: str, *steps: dict[str, Any]) -> None:
    titled: Any = [{"title": each["id"], **each} for each in steps]
    journal.record_plan(plan_id=plan, title="controlled", steps=titled, reason="more is needed")


def decide(journal: Journal, run: RunInThread, decision: Any, **more: Any) -> None:
    journal.record_decision(execution_id=run.id, decision=decision, why="test", **more)


def actual(journal: Journal, run: RunInThread, name: str) -> str:
    return next(each.actual for each in journal.get_status(execution_id=run.id).steps if each.id == name)


@promise("a-run-is-controlled-from-everywhere")
def test_a_run_is_paused_replanned_and_resumed_while_a_call_is_under_way(cell: Cell) -> None:
    journal = cell.operator()
    run = RunInThread(cell, [step("a"), step("b", ("a",))])
    run.start(held=("a",))
    run.wait(lambda: run.log == ["a"])
    decide(journal, run, "pause")
    plan = journal.list_plans().plans[0]
    revise(journal, plan.id, step("a"), step("b", ("a",)), step("c", ("b",)))
    decide(journal, run, "replan")
    run.release("a")
    run.wait(lambda: actual(journal, run, "a") == "done")
    assert run.log == ["a"]
    decide(journal, run, "resume")
    assert (run.end().status, run.log) == ("completed", ["a", "b", "c"])


@promise("a-run-is-controlled-from-everywhere")
def test_a_stopped_run_begins_nothing_more_and_gives_up_calls_under_way(cell: Cell) -> None:
    run = RunInThread(cell, [step("a"), step("b", ("a",)), step("c")], grace=0.05, at_once=1)
    run.start(held=("a",))
    run.wait(lambda: run.log == ["a"])
    decide(cell.journal, run, "stop")
    assert (run.end().status, run.log) == ("cancelled", ["a"])
    assert [each.step for each in cell.journal.list_in_doubt(execution_id=run.id).in_doubt] == ["a"]


@promise("a-run-is-controlled-from-everywhere")
def test_a_failed_step_is_retried_or_skipped_and_a_held_one_settled_by_a_decision(cell: Cell) -> None:
    journal = cell.operator()
    run = RunInThread(cell, [step("a"), step("b", ("a",)), step("c", ("b",)), step("d", ("c",))])
    run.start(a=["not_done"], b=["not_done"], c=["lost"])
    run.wait(lambda: actual(journal, run, "a") == "failed")
    decide(journal, run, "retry", step="a")
    run.wait(lambda: actual(journal, run, "b") == "failed")
    decide(journal, run, "skip", step="b")
    run.wait(lambda: actual(journal, run, "c") == "in_doubt")
    doubt = journal.list_in_doubt(execution_id=run.id).in_doubt[0]
    journal.record_decision(decision="settle", action_id=doubt.action_id, outcome="ok", evidence="looked")
    assert (run.end().status, run.log) == ("completed", ["a", "a", "b", "c", "d"])


@promise("a-run-is-controlled-from-everywhere")
def test_approvals_are_granted_edited_and_rejected_while_it_runs(cell: Cell) -> None:
    person = cell.person()
    asked = [step(name, needs_approval=True, failure_policy="continue_others") for name in ("a", "b", "c")]
    run = RunInThread(cell, asked)
    run.start()
    run.wait(lambda: len(person.list_approvals(execution_id=run.id).approvals) == 3)
    questions = {each.step: each.id for each in person.list_approvals(execution_id=run.id).approvals}
    assert run.log == []
    person.decide_approval(approval_id=questions["a"], verdict="approve")
    person.decide_approval(approval_id=questions["b"], verdict="edit", arguments={"name": "edited"})
    person.decide_approval(approval_id=questions["c"], verdict="reject", reason="no")
    assert (run.end().status, sorted(run.log)) == ("failed", ["a", "edited"])


@promise("an-answer-names-no-secret")
def test_an_edit_names_no_secret_and_refers_to_nothing_that_the_plan_does_not_name(cell: Cell) -> None:
    person = cell.person()
    run = RunInThread(cell, [step("a", needs_approval=True)])
    run.start()
    run.wait(lambda: person.list_approvals(execution_id=run.id).approvals)
    edit: Any = {"approval_id": person.list_approvals(execution_id=run.id).approvals[0].id, "verdict": "edit"}
    for arguments in ({"name": "secret://HOME"}, {"name": "a", "x": ["secret://HOME"]}, {"name": "${context.where}"}):
        with pytest.raises(InvalidArgument, match="which the plan does not name") as refused:
            person.decide_approval(**edit, arguments=arguments)
        assert refused.value.field == "arguments"
        assert "Leave it out" in refused.value.hint
    person.decide_approval(**edit, arguments={"name": "${HOME} of secret://HOME"})
    assert (run.end().status, run.log) == ("completed", ["${HOME} of secret://HOME"])


@promise("a-run-is-controlled-from-everywhere")
def test_an_unwinding_run_asks_about_what_is_left_and_does_what_is_answered(cell: Cell) -> None:
    person = cell.person()
    run = RunInThread(cell, [step("a"), step("b", ("a",), undo="by hand"), step("c", ("b",), by="agent")])
    run.start()
    run.wait(lambda: actual(cell.journal, run, "b") == "done")
    decide(cell.operator(person), run, "unwind")
    run.wait(lambda: person.list_approvals(execution_id=run.id).approvals)
    question = person.list_approvals(execution_id=run.id).approvals[0]
    person.decide_approval(approval_id=question.id, verdict="respond", answer="keep")
    assert (run.end().status, run.log) == ("cancelled", ["a", "b", "-a"])


@promise("a-call-that-was-recorded-without-its-step-is-asked-about")
@pytest.mark.parametrize("option", ["same", "again", "skip"])
def test_a_call_that_an_agent_made_before_its_step_is_asked_about_and_not_repeated(cell: Cell, option: str) -> None:
    journal, person = cell.journal, cell.person()
    run = RunInThread(cell, [step("a"), step("b", ("a",)), step("c", ("b",))])
    run.start(held=("a",))
    run.wait(lambda: run.log == ["a"])
    call: Any = {"tool": "act", "arguments": {"name": "b"}}
    made = journal.record_action(phase="done", execution_id=run.id, outcome="ok", **call)
    run.release("a")
    run.wait(lambda: actual(journal, run, "b") == "waiting")
    (question,) = person.list_approvals(execution_id=run.id).approvals
    assert (question.step, question.options, made.id in question.question) == ("b", ("same", "again", "skip"), True)
    brief = journal.get_brief(execution_id=run.id)
    assert (brief.next_steps, brief.approvals, question.id in brief.text) == ((), (question.id,), True)
    assert run.log == ["a"]
    person.decide_approval(approval_id=question.id, verdict="respond", answer=option)
    assert (run.end().status, run.log) == ("completed", ["a", "b", "c"] if option == "again" else ["a", "c"])
    assert actual(journal, run, "b") == ("skipped" if option == "skip" else "done")


@promise("a-begin-may-name-its-revision")
def test_a_begin_that_names_another_revision_than_the_execution_follows_is_refused(journal: Journal) -> None:
    titled: Any = [{"title": "a", **step("a")}]
    plan = journal.record_plan(title="controlled", steps=titled)
    execution = journal.record_execution_start(plan_id=plan.id)
    revise(journal, plan.id, step("a"), step("b"))
    begin: Any = {"phase": "begin", "execution_id": execution.id, "step": "a"}
    with pytest.raises(WrongState, match="follows revision 1 of its plan by now, not 2"):
        journal.record_action(**begin, revision=2)
    journal.record_decision(execution_id=execution.id, decision="replan", why="more is needed")
    with pytest.raises(WrongState, match="follows revision 2 of its plan by now, not 1"):
        journal.record_action(**begin, revision=1)
    assert journal.record_action(**begin, revision=2).state == "open"
