"""Compares what is left after a kill with what was acknowledged before it."""

from collections import Counter
from collections.abc import Iterable

from tallystick import Journal
from tallystick.core import chain
from tallystick.core.chain import Head
from tallystick.core.entries import ContextRecorded, DecisionRecorded, Entry
from tallystick.core.state import TABLES, Row
from tallystick.core.types import FINAL_STATUSES
from tallystick.store.interface import Select, Store
from tests.crash.fork_server import Child
from tests.crash.jobs import ENTRIES_PER_BATCH, JOURNAL, journal_at
from tests.stores import open_store

ALL = 1_000_000


class Account:
    """One journal and its acknowledged entries. Its writers have been killed whenever it is checked."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.head = chain.genesis(JOURNAL)
        self.acknowledged: dict[int, str] = {}
        self.hashes: dict[int, str] = {}
        self.entries: list[Entry] = []
        self.unsettled: set[str] = set()
        self.doubted: Counter[str] = Counter()

    def add_from(self, child: Child) -> int:
        """Add all receipts that a killed process had reported; returns their number."""
        return self.add(child.receive_all())

    def add(self, receipts: Iterable[tuple[int, str, str]]) -> int:
        received = 0
        for seq, _, hash in receipts:
            assert self.acknowledged.setdefault(seq, hash) == hash, f"entry {seq} was acknowledged twice"
            received += 1
        return received

    def check(self) -> None:
        """Open the store again: nothing acknowledged is lost, nothing is torn, the chain holds, and open actions are in
        doubt."""
        store = open_store(self.url)
        try:
            self._read_on(store)
            lost = {seq for seq, hash in self.acknowledged.items() if self.hashes.get(seq) != hash}
            assert not lost, f"acknowledged and lost: {sorted(lost)}"
            self._check_whole()
            assert sorted(in_doubt(journal_at(store))) == sorted(self.unsettled)
            assert not [action for action, times in self.doubted.items() if times > 1]
        finally:
            store.close()

    def check_rows(self) -> None:
        """The rows that killed processes wrote are the same as after a rebuild."""
        store = open_store(self.url)
        try:
            before = rows(store)
            store.rebuild(JOURNAL)
            assert rows(store) == before
            assert journal_at(store).verify().ok
        finally:
            store.close()

    def _read_on(self, store: Store) -> None:
        for stored in store.stored_entries(JOURNAL, after=self.head.seq, limit=ALL):
            entry = chain.check(self.head, stored.line, stored.hash)
            if entry.commitment:
                assert chain.check_body(entry, stored.body, stored.salt), f"entry {entry.seq} has lost its body"
            self.head = Head(entry.seq, entry.hash, entry.at)
            self.hashes[entry.seq] = entry.hash
            self.entries.append(entry)
            if entry.kind == "action_begun":
                self.unsettled.add(entry.id)
            elif entry.kind == "action_ended":
                self.unsettled.discard(entry.id)
            elif entry.kind == "action_doubted":
                self.doubted[entry.id] += 1

    def _check_whole(self) -> None:
        """Batches, and decisions with their end of an execution, are stored completely."""
        batches: Counter[str] = Counter()
        for index, entry in enumerate(self.entries):
            facts = entry.facts
            if isinstance(facts, ContextRecorded) and facts.key.startswith("batch/"):
                batches[facts.key.rpartition("/")[0]] += 1
            if isinstance(facts, DecisionRecorded) and facts.status in FINAL_STATUSES:
                after = self.entries[index + 1] if index + 1 < len(self.entries) else None
                assert after is not None, f"the end of {entry.execution} is torn off"
                assert (after.kind, after.id) == ("execution_ended", entry.execution)
        torn = [tag for tag, count in batches.items() if count != ENTRIES_PER_BATCH]
        assert not torn, f"half there: {torn}"


def in_doubt(journal: Journal) -> list[str]:
    """All actions in doubt, by asking as a user would, page by page."""
    found: list[str] = []
    cursor: str | None = None
    while True:
        page = journal.list_in_doubt(limit=100, cursor=cursor)
        found += [item.action_id for item in page.in_doubt]
        if not page.next_cursor:
            return found
        cursor = page.next_cursor


def rows(store: Store) -> dict[str, list[Row]]:
    def work_on(table: type[Row]) -> list[Row]:
        return store.read(JOURNAL, lambda view: view.find(table, Select(limit=ALL)))

    return {table.TABLE: work_on(table) for table in TABLES}
