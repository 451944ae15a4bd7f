"""Following the journal: new entries as they land, from any process."""

import subprocess
import sys
from threading import Thread
from typing import Any

import pytest

from tallystick import Journal
from tests.behaviour.scenarios import do, entries, start
from tests.matrix import Cell
from tests.promises import promise

WRITING = """
import sys
from tallystick import Journal
with Journal.open(sys.argv[1], journal=sys.argv[2], actor="another process") as journal:
    for number in range(3):
        journal.record_context(key="word", value=number)
"""


@promise("follow-sees-what-others-write")
def test_following_yields_each_new_entry_once_and_in_order(cell: Cell) -> None:
    start(cell.journal)
    before = cell.journal.get_stats().entries
    other = cell.another("writer")

    def write() -> None:
        for number in range(5):
            other.record_context(key="word", value=number)

    following = cell.journal.follow()
    cell.journal.record_context(key="mark", value="following begins behind what was there before")
    first = next(following)
    writer = Thread(target=write)
    writer.start()
    seen = [first, *(next(following) for _ in range(6))]
    writer.join()
    assert [entry.seq for entry in seen] == list(range(first.seq, first.seq + 7))
    assert first.seq >= before
    assert [entry.body["value"] for entry in seen if entry.body and entry.actor == "writer"] == [0, 1, 2, 3, 4]


@promise("follow-sees-what-others-write")
def test_following_can_start_anywhere(journal: Journal) -> None:
    start(journal)
    do(journal, "touch")
    everything = entries(journal)
    following = journal.follow(after=2)
    assert [next(following).seq for _ in range(len(everything) - 2)] == [entry.seq for entry in everything[2:]]


@promise("another-process-is-followed")
def test_following_sees_another_process(cell: Cell) -> None:
    start(cell.journal)
    following = cell.journal.follow(after=cell.journal.get_stats().entries, kind="context_recorded")
    command = [sys.executable, "-c", WRITING, cell.settings.url, cell.settings.journal]
    with subprocess.Popen(command) as writer:
        seen = [next(following) for _ in range(3)]
    assert writer.returncode == 0
    assert [(entry.actor, entry.body["value"]) for entry in seen] == [("another process", n) for n in range(3)]


@promise("follow-takes-filters")
def test_following_takes_filters(journal: Journal) -> None:
    first, second = start(journal), start(journal)
    journal.record_action(phase="note", summary="an old beaver", execution_id=second)
    by_kind, by_execution, by_words = (
        journal.follow(after=journal.get_stats().entries, **filters)
        for filters in ({"kind": "action_ended"}, {"execution_id": second}, {"text": "beaver"})
    )
    action = do(journal, "touch", execution_id=first)
    seqs = [
        journal.record_action(phase="note", summary=f"beaver {number}", execution_id=second).seq for number in range(3)
    ]
    assert next(by_kind).id == action
    assert [next(by_execution).seq for _ in range(3)] == seqs
    assert [next(by_words).seq for _ in range(3)] == seqs


@promise("waiting-ends-when-something-comes")
def test_waiting_ends_when_something_comes(cell: Cell) -> None:
    start(cell.journal)
    length = cell.journal.get_stats().entries
    other = cell.another("writer")
    other.list_plans()
    writer = Thread(target=lambda: other.record_context(key="word", value=1))
    writer.start()
    page = cell.journal.read_entries(after=length, wait_seconds=60)
    writer.join()
    assert page.entries
    assert page.last_seq > length


@promise("follow-takes-filters")
@pytest.mark.parametrize("filters", [{"kind": "plan_recorded"}, {"tool": "paint"}, {"text": "beaver"}])
def test_entries_that_do_not_fit_are_not_scanned_again(journal: Journal, filters: dict[str, Any]) -> None:
    first = start(journal)
    do(journal, "touch", execution_id=start(journal))
    head = journal.get_stats().entries
    assert journal.read_entries(after=1, **filters).last_seq == head
    assert journal.read_entries(after=1, execution_id=first).last_seq == head


@promise("waiting-ends-when-something-comes")
def test_waiting_for_nothing_ends_empty(journal: Journal) -> None:
    start(journal)
    length = journal.get_stats().entries
    page = journal.read_entries(after=length, wait_seconds=0.01)
    assert (page.entries, page.last_seq, page.more) == ((), length, False)
