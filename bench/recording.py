"""Records with Tallystick: a pair of begin and end through both facades, and pairs in a batch."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bench.payload import Half, begin_half, end_half
from tallystick import AsyncJournal, Journal, Record


def url_of(path: Path) -> str:
    return f"sqlite:///{path}"


def begin(journal: Journal, execution: str, half: Half) -> str:
    return journal.record_action(
        phase="begin",
        execution_id=execution,
        tool=half["tool"],
        arguments=half["arguments"],
        summary=half["summary"],
    ).id


def end(journal: Journal, action: str, half: Half) -> None:
    journal.record_action(
        phase="end", action_id=action, outcome=half["outcome"], result=half["result"], summary=half["summary"]
    )


def pair(journal: Journal, execution: str, number: int) -> None:
    end(journal, begin(journal, execution, begin_half(number)), end_half(number))


async def pair_async(journal: AsyncJournal, execution: str, number: int) -> None:
    begin_fields, answered = begin_half(number), end_half(number)
    begun = await journal.record_action(
        phase="begin",
        execution_id=execution,
        tool=begin_fields["tool"],
        arguments=begin_fields["arguments"],
        summary=begin_fields["summary"],
    )
    await journal.record_action(
        phase="end",
        action_id=begun.id,
        outcome=answered["outcome"],
        result=answered["result"],
        summary=answered["summary"],
    )


def batch_of(execution: str, pairs: Iterable[tuple[Half, Half]]) -> tuple[Record, ...]:
    """Return records for `record_batch`: two entries for each pair."""
    records: list[Record] = []
    for begin_fields, answered in pairs:
        action = f"@{len(records)}"
        records.append(Record("record_action", {"phase": "begin", "execution_id": execution, **begin_fields}))
        records.append(Record("record_action", {"phase": "end", "action_id": action, **answered}))
    return tuple(records)
