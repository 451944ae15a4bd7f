"""Pages of the journal: bounded by their number and by their length."""

from tallystick.operations.views.entries import EntryView
from tests.matrix import Cell
from tests.promises import promise


@promise("a-page-of-entries-is-bounded-by-its-length-too")
def test_large_bodies_make_short_pages_and_none_is_passed_over(cell: Cell) -> None:
    large = "a fact " * 60_000
    for number in range(12):
        cell.journal.record_context(key=f"k{number}", value=f"{number} {large}")
    for newest_first in (False, True):
        read: list[EntryView] = []
        cursor, pages, more = 0, 0, True
        while more:
            page = cell.journal.read_entries(after=cursor, limit=1000, newest_first=newest_first)
            assert sum(len(str(entry.body)) for entry in page.entries) < 5_000_000
            read += page.entries
            cursor, pages, more = page.last_seq, pages + 1, page.more
        seqs = [entry.seq for entry in read]
        assert pages > 1
        assert seqs == sorted(set(seqs), reverse=newest_first)
        assert [entry.facts["key"] for entry in read if entry.kind == "context_recorded"][
            :: -1 if newest_first else 1
        ] == [f"k{number}" for number in range(12)]
