"""The decorator, on every kind of function that there is."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tallystick import AsyncJournal, InvalidArgument, Journal
from tests.behaviour.acts import entries
from tests.promises import promise


def _outcomes(journal: Journal) -> list[tuple[str, Any]]:
    ended = entries(journal, kind="action_ended")
    return [(entry.facts["outcome"], (entry.body or {}).get("result")) for entry in ended]


@promise("a-decorated-function-is-an-action")
def test_the_decorator_stands_bare_as_well(journal: Journal) -> None:
    @journal.recorded
    def double(number: int) -> int:
        return 2 * number

    with journal.execution("work"):
        assert double(4) == 8
    assert entries(journal, kind="action_begun")[0].body["arguments"] == {"number": 4}
    assert _outcomes(journal) == [("ok", 8)]


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
