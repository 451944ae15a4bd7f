"""Library methods refuse an object of the wrong kind with what to give."""

import asyncio
from asyncio import Future
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import pytest

from tallystick import InvalidArgument, Journal, Step, Undo, UnknownHandle
from tests.behaviour.scenarios import do, plan, start, step, undo_list
from tests.promises import promise


@promise("a-wrong-object-is-refused-before-anything-is-recorded")
def test_library_methods_refuse_an_object_of_the_wrong_kind_before_they_record_anything(journal: Journal) -> None:
    receipt, length = plan(journal, "one"), journal.get_stats().entries
    for wrong in ([Step(id="a", title="a", undo="x")], None, 42, {"title": "x"}, b"pl_1", object()):
        wrongly: Any = wrong
        with pytest.raises(InvalidArgument, match="Give the receipt or the id of a plan"):
            journal.carry_out(wrongly, print)
        with pytest.raises(InvalidArgument, match="Give the receipt or the id of an execution"):
            journal.unwind(wrongly, {})
        with pytest.raises(InvalidArgument, match="Give a function that takes a step"):
            journal.carry_out(receipt, wrongly)
        with pytest.raises(InvalidArgument, match="Give a function without arguments"):
            journal.before_close(wrongly)
        if wrong is not None:
            with pytest.raises(InvalidArgument, match="Decorate a function"):
                journal.recorded(wrongly)
            with pytest.raises(InvalidArgument, match="Give a function that takes an item"):
                journal.unwind("ex_1", {}, by_hand=wrongly)
    assert journal.get_stats().entries == length
    execution = journal.record_execution_start(title="x")
    with pytest.raises(UnknownHandle, match="There is no plan"):
        journal.carry_out(execution, print)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match=f"{execution.id} is not a plan"):
        journal.run(execution)  # type: ignore[arg-type]


@promise("a-wrong-object-is-refused-before-anything-is-recorded")
@pytest.mark.parametrize("phase", ["begin", "end", "done", "note"])
def test_a_value_that_is_not_json_is_refused_with_a_key_too(phase: Any) -> None:
    with Journal.open("memory://") as journal, journal.execution("x"):
        action = journal.record_action(phase="begin", tool="t").id
        given: dict[str, Any] = {"action_id": action, "outcome": "ok"} if phase == "end" else {"tool": "u"}
        for wrong in (object, {"a": {1, 2, object}}, [print]):
            value = {"result": wrong} if phase == "end" else {"arguments": {"a": wrong}}
            with pytest.raises(InvalidArgument, match="which is not JSON"):
                journal.record_action(phase=phase, key="k", **given, **value)
        journal.record_action(phase="end", action_id=action, outcome="ok")


@promise("a-wrong-object-is-refused-before-anything-is-recorded")
def test_a_wrong_reason_of_a_scope_leaves_no_action_open(journal: Journal) -> None:
    with journal.execution("x") as execution:
        for number, name in enumerate(("failed", "skipped", "unknown")):
            scope = execution.action("x", tool="t", arguments={"n": number})
            with pytest.raises(InvalidArgument, match="is of type int"), scope as action:
                getattr(action, name)(42)
            assert journal.get_action(action_id=scope.id).state == "failed"
        with execution.action("x", tool="u") as last:
            last.failed(ValueError("no room"))
        assert journal.get_action(action_id=last.id).end_body["error"] == "ValueError: no room"


async def _awaits(*_: Any) -> str:
    return "made"


async def _yields(*_: Any) -> AsyncIterator[str]:
    yield "made"


class _Awaits:
    async def __call__(self, *_: Any) -> str:
        return "made"


@promise("a-call-that-was-not-awaited-is-not-ok")
def test_a_function_that_must_be_awaited_is_refused_where_nothing_awaits_it(journal: Journal) -> None:
    made = plan(journal, "one")
    execution = start(journal)
    done = do(journal, "mk", undo=Undo(tool="rm"))
    length = journal.get_stats().entries
    for wrong in (_awaits, _yields, _Awaits(), partial(_awaits, 1)):
        wrongly: Any = wrong
        with pytest.raises(InvalidArgument, match=r"executor is a coroutine function\. Use AsyncJournal"):
            journal.carry_out(made, wrongly)
        with pytest.raises(InvalidArgument, match=r'tools\["rm"\] is a coroutine function\. Use AsyncJournal'):
            journal.unwind(execution, {"rm": wrongly})
        with pytest.raises(InvalidArgument, match=r"by_hand is a coroutine function\. Use AsyncJournal"):
            journal.unwind(execution, {}, by_hand=wrongly)
        with pytest.raises(InvalidArgument, match=r"executor is a coroutine function\. Use AsyncJournal"):
            journal.execute_plan("t", "p", [{"step": 1, "action": "a"}], wrongly)
        with pytest.raises(InvalidArgument, match="closer is a coroutine function"):
            journal.before_close(wrongly)
    assert journal.get_stats().entries == length
    assert [item.action_id for item in undo_list(journal, execution)] == [done]


@promise("a-call-that-was-not-awaited-is-not-ok")
def test_a_function_that_returns_a_coroutine_fails_where_nothing_awaits_it(journal: Journal) -> None:
    made = plan(journal, step("one", undo=Undo(tool="rm")))
    with pytest.raises(TypeError, match="of type coroutine, and nothing awaits it: use AsyncJournal"):
        journal.carry_out(made, lambda each: _awaits(each))
    assert [action.state for action in journal.list_actions().actions] == ["failed"]
    execution = start(journal)
    do(journal, "mk", undo=Undo(tool="rm"), execution_id=execution)
    with pytest.raises(TypeError, match="of type async_generator, and nothing awaits it"):
        journal.unwind(execution, {"rm": lambda: _yields()})
    assert [item.state for item in undo_list(journal, execution)] == ["failed"]


@promise("a-call-that-was-not-awaited-is-not-ok")
def test_a_decorated_function_that_returns_a_coroutine_fails_where_nothing_awaits_it(journal: Journal) -> None:
    @journal.recorded
    def make(name: str) -> Any:
        return _awaits(name)

    with journal.execution("work"), pytest.raises(TypeError, match=r"of type coroutine, .* AsyncJournal"):
        make("x")
    assert [action.state for action in journal.list_actions().actions] == ["failed"]


@promise("a-call-that-was-not-awaited-is-not-ok")
def test_a_call_whose_future_nobody_awaits_is_in_doubt(journal: Journal) -> None:
    pending: Future[str] = Future(loop=asyncio.new_event_loop())
    made = plan(journal, "one")
    with pytest.raises(TypeError, match="of type Future, and nothing awaits it"):
        journal.carry_out(made, lambda each: pending)
    assert [item.step for item in journal.list_in_doubt().in_doubt] == ["one"]
    pending.get_loop().close()
