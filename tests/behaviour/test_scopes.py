"""Scopes, the decorator, and the current execution."""

import contextvars
import signal
import subprocess
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tallystick import AlreadyDone, InDoubtOpen, Journal, UnknownHandle, WrongState
from tallystick.sdk.scopes import ExecutionScope
from tests.behaviour.scenarios import do, entries, kinds, plan, start, status, step, steps_of, undo, undo_list
from tests.matrix import Cell
from tests.promises import promise

DYING = """
import sys
from tallystick import Journal
with Journal.open(sys.argv[1], journal=sys.argv[2]) as journal:
    with journal.execution("until the end") as execution:
        with execution.action("a first thing", tool="touch") as first:
            pass
        with execution.action("a second thing", tool="touch", arguments={"n": 2}) as second:
            print(execution.id, first.id, second.id, flush=True)
            sys.stdin.read()
"""


class Found(Struct):
    """A value as users have them: structured, and not JSON by itself."""

    path: Path
    sizes: tuple[int, ...]


class Broken(Exception):
    """The user's own."""


@promise("a-scope-begins-and-ends-what-it-holds")
def test_scopes_record_the_begin_and_the_end(journal: Journal) -> None:
    made = plan(journal, "one", "two")
    with journal.execution("Move the site", plan_id=made.id, task_id="T-1") as execution:
        assert status(journal, execution.id) == "running"
        with execution.step("one", "copy the files", tool="cp", arguments={"to": "b"}) as copy:
            assert steps_of(journal, execution.id)["one"].actual == "running"
            copy.result = {"files": 3}
            copy.after = {"b": "full"}
        with journal.step("two") as second:
            second.result = [1, 2]
        with execution.action("look around", tool="ls", effect="read"):
            pass
        execution.remember("target", "b")
    view = journal.get_status(execution_id=execution.id)
    assert (view.execution.status, view.execution.title, view.execution.task_id) == (
        "completed",
        "Move the site",
        "T-1",
    )
    assert {each.id: each.actual for each in view.steps} == {"one": "done", "two": "done"}
    begun, ended = entries(journal, id=copy.id)
    assert (begun.body["summary"], begun.facts["tool"]) == ("copy the files", "cp")
    assert (ended.facts["outcome"], ended.body) == ("ok", {"result": {"files": 3}, "after": {"b": "full"}})
    assert journal.get_context(key="target", scope="execution", execution_id=execution.id).values[0].value == "b"


@promise("a-scope-begins-and-ends-what-it-holds")
def test_a_scope_can_say_how_it_ended(journal: Journal) -> None:
    with journal.execution() as execution:
        with execution.action("try", tool="a") as failing:
            failing.failed("no luck")
        with execution.action("perhaps", tool="b") as skipping:
            skipping.skipped("not needed")
        with execution.action("who knows", tool="c") as doubtful:
            doubtful.unknown("the line broke")
        execution.decide("continue", "that is how it is")
        journal.record_action(phase="end", action_id=doubtful.id, outcome="ok", evidence="it answered late")
    ends = {entry.id: entry for entry in entries(journal, kind="action_ended")}
    assert (ends[failing.id].facts["outcome"], ends[failing.id].body["error"]) == ("failed", "no luck")
    assert (ends[skipping.id].facts["outcome"], ends[skipping.id].body["summary"]) == ("skipped", "not needed")
    assert entries(journal, id=doubtful.id)[1].body["error"] == "the line broke"
    assert status(journal, execution.id) == "completed"


@promise("an-agent-that-recovered-ends-its-execution")
def test_an_execution_with_something_unsettled_ends_and_shows_it(journal: Journal) -> None:
    made = plan(journal, "one")
    with journal.execution(plan_id=made.id) as execution:
        with execution.action("a first try", tool="a") as first:
            first.failed("no luck")
        with execution.action("a second try", tool="b") as second:
            second.unknown("the line broke")
    view = journal.get_status(execution_id=execution.id).execution
    assert (view.status, view.unfinished) == ("completed", {"in_doubt": 1, "undecided": 1, "steps_not_done": 1})
    assert [item.action_id for item in journal.list_in_doubt().in_doubt] == [second.id]


@promise("an-agent-that-recovered-ends-its-execution")
def test_a_strict_execution_with_something_unsettled_raises_when_its_scope_ends(journal: Journal) -> None:
    made = plan(journal, "one")
    with (
        pytest.raises(WrongState, match="1 steps not done"),
        journal.execution(plan_id=made.id, strict=True) as execution,
    ):
        pass
    assert status(journal, execution.id) == "running"


@promise("an-agent-that-recovered-ends-its-execution")
def test_an_execution_that_waits_for_a_person_stays_open_when_its_scope_ends(journal: Journal) -> None:
    with journal.execution("work") as execution:
        journal.request_approval(question="May I?", tool="rm", arguments={"path": "/"})
    assert status(journal, execution.id) == "running"


@promise("the-same-key-resumes")
def test_a_block_that_was_left_by_an_exception_is_resumed_and_what_is_done_says_so(journal: Journal) -> None:
    def run(*, breaks: bool) -> None:
        with journal.execution("work", key="k") as execution:
            with execution.action("write", tool="dd", arguments={"n": 1}) as action:
                action.result = {"bytes": 3}
            if breaks:
                raise Broken("later")

    with pytest.raises(Broken):
        run(breaks=True)
    assert status(journal, journal.list_executions().executions[0].id) == "paused"
    with pytest.raises(AlreadyDone) as caught:
        run(breaks=False)
    assert caught.value.result == {"bytes": 3}


@promise("the-same-key-resumes")
def test_an_execution_that_somebody_paused_is_not_resumed_by_a_rerun(cell: Cell) -> None:
    with pytest.raises(Broken), cell.journal.execution("work", key="k") as execution:
        raise Broken("later")
    other = cell.another("ada")
    other.record_decision(decision="resume", why="it was nothing", execution_id=execution.id)
    other.record_decision(decision="pause", why="wait for me", execution_id=execution.id)
    with pytest.raises(WrongState, match="is paused"), cell.journal.execution("work", key="k") as again:
        again.action("write", tool="dd").__enter__()
    assert (again.id, status(cell.journal, again.id)) == (execution.id, "paused")


def _write_and_break(execution: Any) -> None:
    with execution.action("write", tool="dd", arguments={"n": 2}):
        pass
    raise Broken("in the middle of its own work")


@promise("the-same-key-resumes")
def test_a_second_start_does_not_pause_the_program_that_is_at_work(cell: Cell) -> None:
    other = cell.another()
    with cell.journal.execution("work", key="k") as execution:
        with execution.action("write", tool="dd", arguments={"n": 1}):
            with pytest.raises(WrongState, match="under way"), other.execution("work", key="k") as second:
                second.action("write", tool="dd", arguments={"n": 1}).__enter__()
            assert status(cell.journal, execution.id) == "running"
        with pytest.raises(AlreadyDone), other.execution("work", key="k") as second:  # between two actions of the first
            second.action("write", tool="dd", arguments={"n": 1}).__enter__()
        assert status(cell.journal, execution.id) == "running"
        with pytest.raises(Broken), other.execution("work", key="k") as second:
            _write_and_break(second)
        assert status(cell.journal, execution.id) == "paused"


@promise("the-same-key-resumes")
def test_a_decorated_function_returns_the_recorded_result_of_what_is_done(journal: Journal) -> None:
    called: list[int] = []

    @journal.recorded
    def double(number: int) -> int:
        called.append(number)
        if number == 3 and called.count(3) == 1:
            raise Broken("not yet")
        return 2 * number

    def run() -> list[int]:
        with journal.execution("work", key="k"):
            return [double(2), double(3)]

    with pytest.raises(Broken):
        run()
    assert run() == [4, 6]
    assert run() == [4, 6]  # the execution has ended
    assert called == [2, 3, 3]
    with journal.execution("other", key="other"):
        double(5)
        with pytest.raises(AlreadyDone) as caught:
            double(5)
    assert caught.value.result == 10


@promise("the-same-key-resumes")
@pytest.mark.parametrize("effect", ["read", "idempotent"])
def test_a_rerun_gives_each_result_of_what_may_be_repeated_once(journal: Journal, effect: Any) -> None:
    """A loop that waits for something goes on where it was: it does not get the old answer for ever."""
    called: list[str] = []

    @journal.recorded(effect=effect)
    def look(path: str) -> int:
        called.append(path)
        return len(called)

    def run(*paths: str, breaks: bool = False) -> list[int]:
        with journal.execution("work", key="k"):
            found = [look(path) for path in paths]
            if breaks:
                raise Broken("later")
            return found

    with pytest.raises(Broken):
        run("a", "a", "b", breaks=True)
    assert (run("b", "a", "a", "a"), called) == ([3, 1, 2, 4], ["a", "a", "b", "a"])
    assert (run("a", "b", "a", "a"), len(called)) == ([1, 3, 2, 4], 4)  # the execution has ended


@promise("the-same-key-resumes")
def test_blocks_and_steps_that_may_be_repeated_say_in_a_rerun_what_is_done(journal: Journal) -> None:
    made = plan(journal, step("one", effect="read"), step("two", effect="idempotent", tool="set"))

    def run(*, breaks: bool) -> list[Any]:
        found: list[Any] = []
        with journal.execution(plan_id=made.id, key="k") as execution:
            blocks = [
                execution.step("one"),
                execution.step("two", arguments={"n": 1}),
                execution.action("look around", effect="read"),
                execution.action("look", tool="ls", arguments={"path": "/"}, effect="read"),
            ]
            for number, block in enumerate(blocks):
                try:
                    with block as action:
                        if breaks and number == 3:
                            raise Broken("here")
                        action.result = number
                except AlreadyDone as before:
                    found.append(before.result)
        return found

    with pytest.raises(Broken):
        run(breaks=True)
    assert run(breaks=False) == [0, 1, 2]  # what failed is done again
    assert run(breaks=False) == [0, 1, 2, 3]


@promise("the-same-key-resumes")
def test_a_rerun_repeats_what_is_in_doubt_or_undone_and_what_is_to_be_repeated(cell: Cell) -> None:
    def run(error: type[BaseException], **more: Any) -> None:
        given: dict[str, Any] = {"tool": "set", "arguments": {"n": 1}, "effect": "idempotent", "undo": "unset"}
        with cell.journal.execution("work", key="k") as execution:
            with execution.action("set it", **given, **more) as done:
                if error is KeyboardInterrupt:
                    raise error
            raise error(done.id)

    with pytest.raises(KeyboardInterrupt):
        run(KeyboardInterrupt)
    with pytest.raises(Broken) as first:
        run(Broken)
    with pytest.raises(AlreadyDone):
        run(Broken)
    with pytest.raises(Broken) as second:
        run(Broken, again="it was changed by hand")
    assert first.value.args != second.value.args
    execution = cell.journal.list_executions().executions[0].id
    cell.journal.record_decision(decision="resume", why="go on", execution_id=execution)
    for done in (first, second):
        undo(cell.journal, done.value.args[0], execution_id=execution)
    with pytest.raises(Broken):
        run(Broken)


@promise("the-same-key-resumes")
def test_what_is_in_doubt_stops_a_rerun_with_the_call_that_settles_it(journal: Journal) -> None:
    @journal.recorded
    def pay(invoice: int) -> None:
        raise KeyboardInterrupt

    for expected in (KeyboardInterrupt, InDoubtOpen):
        with pytest.raises(expected) as caught, journal.execution("work", key="k"):
            pay(17)
    (doubt,) = journal.list_in_doubt().in_doubt
    assert doubt.action_id in caught.value.__notes__[0]


@promise("a-refusal-is-short")
def test_a_refusal_reaches_the_users_frame_in_one_step_with_the_next_call(journal: Journal) -> None:
    def end_it() -> None:
        journal.record_action(phase="end", action_id="ac_unknown", outcome="ok")

    def begin_it() -> None:
        with journal.action("nothing is open", tool="a"):
            pass

    def carry_it_out() -> None:
        journal.carry_out("pl_unknown", lambda each: None)

    def call_it() -> None:
        journal.recorded(len)("abc")

    for call in (end_it, begin_it, carry_it_out, call_it):
        with pytest.raises(UnknownHandle) as caught:
            call()
        frames = [entry.name for entry in caught.traceback]
        assert call.__name__ in frames[-3:-1]
        lines = "".join(traceback.format_exception(caught.value)).splitlines()
        assert len(lines) <= 15
    assert lines[-2].startswith("tallystick.core.errors.UnknownHandle: ")


@promise("a-failed-scope-records-and-lets-pass")
def test_an_exception_is_recorded_and_passes_unchanged(journal: Journal) -> None:
    error = Broken("no room left")
    with (
        pytest.raises(Broken) as caught,
        journal.execution("work") as execution,
        execution.action("write", tool="dd") as action,
    ):
        raise error
    assert caught.value is error
    assert not getattr(error, "__notes__", [])
    ended = entries(journal, id=action.id)[-1]
    assert (ended.facts["outcome"], ended.body) == ("failed", {"error": "Broken: no room left"})
    view = journal.get_status(execution_id=execution.id)
    assert view.execution.status == "paused"
    assert "no room left" in view.last_decision["why"]


@promise("an-unused-execution-is-cancelled")
@pytest.mark.parametrize("error", [InDoubtOpen, Broken], ids=["refused", "broken"])
def test_a_restart_that_comes_to_nothing_leaves_no_open_execution_behind(cell: Cell, error: type[Exception]) -> None:
    mortal = cell.mortal()
    start(mortal, "work")
    mortal.record_action(phase="begin", tool="dd", arguments={"n": 1})
    cell.kill(mortal)

    def run(execution: ExecutionScope) -> None:
        if error is Broken:
            raise Broken("too early")
        execution.action("write", tool="dd", arguments={"n": 1}).__enter__()

    with pytest.raises(error), cell.journal.execution("work") as again:
        run(again)
    shown = cell.journal.get_status(execution_id=again.id)
    assert shown.execution.status == "cancelled"
    assert shown.last_decision["why"].startswith(f"left by {error.__name__}: ")


@promise("an-unused-execution-is-cancelled")
def test_an_unused_execution_with_a_key_a_question_or_a_decision_stays_as_it_is(journal: Journal) -> None:
    def run(execution: ExecutionScope, decision: str) -> None:
        if decision == "ask":
            journal.request_approval(question="May I?", tool="rm", arguments={"path": "/"})
        elif decision:
            execution.decide(decision, "so it is")
        raise Broken("later")

    for decision, key, left in [("", "k", "paused"), ("ask", None, "paused"), ("continue", None, "paused")]:
        with pytest.raises(Broken), journal.execution("work", key=key) as execution:
            run(execution, decision)
        assert status(journal, execution.id) == left
    with journal.execution("work", key="k") as again:
        do(journal, "touch")
    assert status(journal, again.id) == "completed"


@promise("an-interrupted-scope-is-in-doubt")
@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)], ids=["interrupt", "exit"])
def test_an_interrupted_action_is_in_doubt(journal: Journal, error: BaseException) -> None:
    with (
        pytest.raises(type(error)),
        journal.execution("work") as execution,
        execution.action("write", tool="dd") as action,
    ):
        raise error
    assert [item.action_id for item in journal.list_in_doubt().in_doubt] == [action.id]
    assert status(journal, execution.id) == "paused"


@promise("a-scope-stays-open-when-the-process-dies")
def test_a_scope_stays_open_when_its_process_is_killed(cell: Cell) -> None:
    command = [sys.executable, "-c", DYING, cell.settings.url, cell.settings.journal]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as agent:
        assert agent.stdout is not None
        execution, first, second = agent.stdout.readline().split()
        agent.send_signal(signal.SIGKILL)
        agent.wait()
    assert kinds(cell.journal, id=second) == ["action_begun"]
    assert kinds(cell.journal, id=first) == ["action_begun", "action_ended"]
    assert [item.action_id for item in cell.journal.list_in_doubt().in_doubt] == [second]
    assert {item.action_id for item in undo_list(cell.journal, execution)} == {first, second}
    assert status(cell.journal, execution) == "running"


@promise("a-scope-never-hides-the-users-error")
def test_an_error_of_ours_becomes_a_note_on_the_users(journal: Journal) -> None:
    error = Broken("the user's own")

    def fails(action_id: str) -> None:
        journal.record_action(phase="end", action_id=action_id, outcome="ok")
        raise error

    with (
        pytest.raises(Broken) as caught,
        journal.execution("work") as execution,
        execution.action("write", tool="dd") as action,
    ):
        fails(action.id)
    assert caught.value is error
    assert "has ended" in error.__notes__[0]


@promise("a-scope-never-hides-the-users-error")
def test_without_an_error_of_the_users_ours_is_raised(journal: Journal) -> None:
    with (
        journal.execution("work") as execution,
        pytest.raises(WrongState, match="has ended"),
        execution.action("write", tool="dd") as action,
    ):
        journal.record_action(phase="end", action_id=action.id, outcome="ok")
    assert status(journal, execution.id) == "completed"


@promise("a-scope-that-was-decided-ends-quietly")
@pytest.mark.parametrize(
    ("decision", "left"), [("stop", "cancelled"), ("fail", "failed"), ("pause", "paused"), ("done", "completed")]
)
@pytest.mark.parametrize("through", ["scope", "journal"])
def test_leaving_an_execution_that_was_decided_adds_nothing(
    journal: Journal, decision: Any, left: str, through: str
) -> None:
    with journal.execution("work") as execution:
        if through == "scope" or decision == "pause":
            execution.decide(decision, "so it is")
        else:
            journal.record_decision(decision=decision, why="so it is", execution_id=execution.id)
        length = journal.get_stats().entries
    assert (journal.get_stats().entries, status(journal, execution.id)) == (length, left)


@promise("a-scope-that-was-decided-ends-quietly")
def test_an_error_after_the_end_passes_without_a_note(journal: Journal) -> None:
    error = Broken("afterwards")

    def fails(scope: ExecutionScope) -> None:
        scope.decide("stop", "so it is")
        raise error

    with pytest.raises(Broken), journal.execution("work") as execution:
        fails(execution)
    assert not getattr(error, "__notes__", [])
    assert status(journal, execution.id) == "cancelled"


@promise("a-scope-that-was-decided-ends-quietly")
def test_a_resumed_execution_is_done_when_its_scope_ends(journal: Journal) -> None:
    with journal.execution("work") as execution:
        execution.decide("pause", "lunch")
        execution.decide("resume", "back again")
    assert status(journal, execution.id) == "completed"


@promise("what-is-no-json-is-kept-as-its-text")
@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (Found(Path("a/b"), (1, 2)), {"path": "PosixPath('a/b')", "sizes": [1, 2]}),
        ({1: "one", 2: "two"}, {"1": "one", "2": "two"}),
        ({3, 1}, [1, 3]),
        (float("nan"), "nan"),
        ("a\x00b", r"'a\x00b'"),
        ("\ud800", r"'\ud800'"),
    ],
    ids=["struct", "number_names", "set", "nan", "nul", "surrogate"],
)
def test_a_result_that_is_not_json_is_kept_as_well_as_can_be(journal: Journal, result: Any, expected: Any) -> None:
    with journal.execution() as execution, execution.action("find", tool="find", effect="read") as action:
        action.result = result
    ended = entries(journal, id=action.id)[-1]
    assert (ended.facts["outcome"], ended.body["result"]) == ("ok", expected)


@promise("what-is-no-json-is-kept-as-its-text")
def test_a_result_that_is_too_large_or_too_deep_is_cut_and_its_action_ends(journal: Journal) -> None:
    deep: list[Any] = []
    for _ in range(200):
        deep = [deep]
    with journal.execution() as execution:
        for number, result in enumerate(("x" * 2_000_000, deep)):
            with execution.action("find", tool=f"find {number}", effect="read") as action:
                action.result = result
            ended = entries(journal, id=action.id)[-1]
            assert ended.facts["outcome"] == "ok"
            assert 100 < len(str(ended.body["result"])) <= 2200


@promise("what-is-no-json-is-kept-as-its-text")
def test_an_error_with_text_that_no_store_can_hold_is_recorded(journal: Journal) -> None:
    error = Broken("no file \udcff\x00 here")
    with pytest.raises(Broken), journal.execution() as execution, execution.action("open", tool="open") as action:
        raise error
    assert not getattr(error, "__notes__", [])
    ended = entries(journal, id=action.id)[-1]
    assert ended.body["error"] == r"Broken: no file \udcff\x00 here"


@promise("a-decorated-function-is-an-action")
def test_each_call_of_a_decorated_function_is_an_action(journal: Journal) -> None:
    @journal.recorded(effect="idempotent", undo="remove it")
    def make(path: str, *, mode: int = 0o755) -> dict[str, Any]:
        """Make a folder."""
        return {"path": path, "mode": mode}

    with journal.execution("work") as execution:
        assert make("out") == {"path": "out", "mode": 0o755}
        assert make("in", mode=1) == {"path": "in", "mode": 1}
    begun = entries(journal, kind="action_begun")
    assert [entry.body["arguments"] for entry in begun] == [{"path": "out", "mode": 493}, {"path": "in", "mode": 1}]
    assert {entry.facts["tool"].rpartition(".")[2] for entry in begun} == {"make"}
    assert {entry.execution_id for entry in begun} == {execution.id}
    assert [entry.body["result"]["path"] for entry in entries(journal, kind="action_ended")] == ["out", "in"]
    assert (make.__name__, make.__doc__) == ("make", "Make a folder.")
    assert len(undo_list(journal, execution.id)) == 2


@promise("a-decorated-function-is-an-action")
def test_a_decorated_function_that_raises_is_a_failed_action(journal: Journal) -> None:
    @journal.recorded(tool="breaker")
    def fails() -> None:
        raise Broken("no")

    with journal.execution("work") as execution:
        with pytest.raises(Broken):
            fails()
        execution.decide("continue", "it was to be expected")
    begun = entries(journal, kind="action_begun")[0]
    assert begun.facts["tool"] == "breaker"
    assert entries(journal, kind="action_ended")[0].facts["outcome"] == "failed"


@promise("the-current-execution-travels-by-context")
def test_scopes_inside_scopes_belong_to_the_innermost(journal: Journal) -> None:
    with journal.execution("outer") as outer:
        with journal.execution("inner") as inner, journal.action("in", tool="a") as first:
            pass
        with journal.action("out", tool="b") as second:
            pass
    assert entries(journal, id=first.id)[0].execution_id == inner.id
    assert entries(journal, id=second.id)[0].execution_id == outer.id
    with pytest.raises(UnknownHandle), journal.action("nowhere", tool="c"):
        pass


@promise("the-current-execution-travels-by-context")
def test_each_context_has_its_own_execution(journal: Journal) -> None:
    def act(name: str) -> str:
        with journal.action(name, tool=name) as action:
            return action.id

    with ThreadPoolExecutor(2) as threads:
        ids = {}
        for name in ("one", "two"):
            with journal.execution(name) as execution:
                there = contextvars.copy_context()
                action = threads.submit(there.run, act, name).result()
                ids[execution.id] = entries(journal, id=action)[0].execution_id
    assert len(ids) == 2
    assert all(execution == found for execution, found in ids.items())


@promise("the-current-execution-travels-by-context")
def test_a_plain_verb_in_a_scope_means_its_execution(cell: Cell) -> None:
    journal, side = cell.journal, start(cell.journal, "beside it")
    with journal.execution("Current") as execution:
        assert journal.record_decision(decision="continue", why="so").execution_id == execution.id
        journal.record_context(key="k", value=1, scope="execution")
        assert journal.get_context(key="k", scope="execution").values[0].scope_id == execution.id
        begun = journal.record_action(phase="begin", tool="touch")
        assert begun.execution_id == execution.id
        approval = journal.request_approval(question="May I?")
        assert cell.person().decide_approval(approval_id=approval.id, verdict="approve").execution_id == execution.id
        assert journal.get_status().execution.id == execution.id
        other = journal.record_action(phase="begin", tool="touch", execution_id=side)
        ended = [journal.record_action(phase="end", action_id=each.id, outcome="ok") for each in (begun, other)]
        assert [each.execution_id for each in ended] == [execution.id, side]
        assert {each.execution_id for each in journal.list_actions().actions} == {execution.id, side}


@promise("the-current-execution-travels-by-context")
def test_a_scope_of_one_journal_does_not_apply_to_another(cell: Cell) -> None:
    other = cell.another()
    theirs = start(other)
    with cell.journal.execution("Ours"):
        assert other.record_decision(decision="continue", why="so").execution_id == theirs
