"""The decorator, on every kind of function that there is."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tallystick import AlreadyDone, AsyncJournal, InvalidArgument, Journal, UnknownHandle
from tests.behaviour.scenarios import entries
from tests.promises import promise


def _outcomes(journal: Journal) -> list[tuple[str, Any]]:
    ended = entries(journal, kind="action_ended")
    return [(entry.facts["outcome"], (entry.body or {}).get("result")) for entry in ended]


@promise("a-decorated-function-is-an-action")
def test_the_decorator_works_without_arguments(journal: Journal) -> None:
    @journal.recorded
    def double(number: int) -> int:
        return 2 * number

    with journal.execution("work"):
        assert double(4) == 8
    assert entries(journal, kind="action_begun")[0].body["arguments"] == {"number": 4}
    assert _outcomes(journal) == [("ok", 8)]


@promise("a-decorated-function-is-an-action")
def test_a_function_is_not_called_where_no_execution_is_open(journal: Journal) -> None:
    called: list[int] = []
    with pytest.raises(UnknownHandle, match="no open execution"):
        journal.recorded(called.append)(1)
    assert called == []


@promise("a-decorated-function-is-an-action")
def test_a_coroutine_function_is_recorded_by_a_journal_that_waits(journal: Journal) -> None:
    @journal.recorded(tool="double")
    async def double(number: int) -> int:
        await asyncio.sleep(0)
        return 2 * number

    with journal.execution("work"):
        assert asyncio.run(double(4)) == 8
    assert _outcomes(journal) == [("ok", 8)]


@promise("a-decorated-function-is-an-action")
def test_a_function_that_cannot_await_is_refused_by_a_journal_that_awaits(journal: Journal) -> None:
    decorate = AsyncJournal(journal.caller).recorded()  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="cannot await"):
        decorate(len)


@promise("a-decorated-function-is-an-action")
@pytest.mark.parametrize(
    ("wrong", "fix"), [({"effect": "reads"}, "Use one of: idempotent, probeable, read"), ({"efect": "read"}, "effect")]
)
def test_a_wrong_argument_is_refused_where_the_function_is_decorated(
    journal: Journal, wrong: dict[str, Any], fix: str
) -> None:
    with pytest.raises(InvalidArgument, match=fix):
        journal.recorded(**wrong)
    with pytest.raises(InvalidArgument, match=fix):
        AsyncJournal(journal.caller).recorded(**wrong)  # type: ignore[arg-type]


@promise("a-decorated-generator-lasts-as-long-as-it-runs")
def test_a_generator_is_under_way_until_its_last_item(journal: Journal) -> None:
    @journal.recorded(tool="count")
    def count(to: int) -> Iterator[int]:
        yield from range(to)
        return "all"  # type: ignore[return-value]

    with journal.execution("work"):
        items = count(2)
        assert not entries(journal, kind="action_begun")
        assert next(items) == 0
        assert len(entries(journal, kind="action_begun")) == 1
        assert _outcomes(journal) == []
        assert list(items) == [1]
    assert _outcomes(journal) == [("ok", "all")]


@promise("a-decorated-generator-lasts-as-long-as-it-runs")
def test_an_asynchronous_generator_is_under_way_until_its_last_item(journal: Journal) -> None:
    @journal.recorded(tool="count")
    async def count(to: int) -> AsyncIterator[int]:
        for number in range(to):
            yield number

    async def run() -> list[int]:
        return [number async for number in count(3)]

    with journal.execution("work"):
        assert asyncio.run(run()) == [0, 1, 2]
    assert _outcomes(journal) == [("ok", None)]


@promise("a-decorated-generator-lasts-as-long-as-it-runs")
def test_a_generator_that_is_closed_before_its_end_is_in_doubt(journal: Journal) -> None:
    closed = []

    @journal.recorded(tool="count")
    def count() -> Iterator[int]:
        try:
            yield 1
            yield 2
        finally:
            closed.append(True)

    with journal.execution("work") as execution:
        items = count()
        next(items)
        items.close()  # type: ignore[attr-defined]
        execution.decide("pause", "to be looked at")
    assert (closed, _outcomes(journal)) == ([True], [("unknown", None)])
    assert [item.tool for item in journal.list_in_doubt().in_doubt] == ["count"]


@promise("a-decorated-function-is-an-action")
def test_calls_that_differ_only_where_their_arguments_are_cut_are_two_calls(journal: Journal) -> None:
    @journal.recorded
    def send(text: str) -> int:
        return len(text)

    with journal.execution("work"):
        assert send("y" * 1_100_000 + "A") == send("y" * 1_100_000 + "B") == 1_100_001
        with pytest.raises(AlreadyDone):
            send("y" * 1_100_000 + "B")
    stored = [entry.body["arguments"]["text"] for entry in entries(journal, kind="action_begun")]
    assert len(set(stored)) == 2
    assert all(len(text) < 2100 for text in stored)


@promise("a-decorated-function-is-an-action")
@pytest.mark.parametrize(
    "bad",
    [float("nan"), "z" * 2_000_000, list(range(500_000)), {"deep": "\udc80"}, 10**5000],
    ids=("nan", "text", "list", "surrogate", "digits"),
)
def test_one_member_that_cannot_be_kept_does_not_take_the_others_with_it(journal: Journal, bad: Any) -> None:
    with journal.execution("work") as execution:
        way = {"tool": "rm", "arguments": {"path": "${result.path}"}}
        with execution.action("make", tool="mk", undo=way, cancellable="reversible") as action:
            action.result = {"path": "/a", "list": [1, {"bad": bad, "good": 2}], "bad": bad}
    stored = entries(journal, kind="action_ended")[0].body["result"]
    assert (stored["path"], stored["list"][0], stored["list"][1]["good"]) == ("/a", 1, 2)
    assert len(str(stored)) < 10_000
    (due,) = journal.get_undo_list(execution_id=execution.id).items
    assert due.undo is not None
    assert due.undo.arguments == {"path": "/a"}


@promise("a-decorated-function-is-an-action")
def test_a_member_of_very_many_parts_costs_no_other(journal: Journal) -> None:
    with journal.execution("work") as execution, execution.action("make", tool="mk") as action:
        action.result = {"path": "/a", "rows": [{"n": each} for each in range(400_000)]}
    stored = entries(journal, kind="action_ended")[0].body["result"]
    assert stored["path"] == "/a"
    assert "digest" in stored["rows"]


@promise("a-decorated-function-is-an-action")
def test_a_value_of_many_large_members_is_kept_in_part_or_as_text(journal: Journal) -> None:
    with journal.execution("work") as execution:
        with execution.action("make", tool="mk") as action:
            action.result = {"path": "/a", **{f"log{each}": "z" * 350_000 for each in range(4)}}
        with execution.action("make", tool="mk2") as action:
            action.result = [list(range(200_000))] * 6
    first, second = (entry.body["result"] for entry in entries(journal, kind="action_ended"))
    assert first["path"] == "/a"
    assert len(second) == 6
    assert all("digest" in text for text in second)


@promise("a-decorated-function-is-an-action")
def test_a_refused_call_of_a_decorated_function_says_where_its_arguments_can_be_given(journal: Journal) -> None:
    @journal.recorded
    def double(number: int) -> int:
        return 2 * number

    with journal.execution("work") as execution:
        double(4)
        with pytest.raises(AlreadyDone, match=r"with journal\.action\(\.\.\.\)"):
            double(4)
        call = {"tool": double.__qualname__, "arguments": {"number": 4}}
        with execution.action("once more", again="a test", **call) as action:
            action.result = double.__wrapped__(4)  # type: ignore[attr-defined]  # functools.wraps sets it
    assert _outcomes(journal) == [("ok", 8), ("ok", 8)]
