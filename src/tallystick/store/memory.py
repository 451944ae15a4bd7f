"""The reference store: entries and rows in this process's memory. The other stores are tested against it.

It is useful in tests of programs that use Tallystick. It is not durable.
"""

import secrets
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from os import urandom
from threading import Condition
from typing import Any, Literal, TypeVar, cast

from msgspec import json

from tallystick.core import chain, fold
from tallystick.core.chain import Head, genesis, is_committed
from tallystick.core.entries import Entry
from tallystick.core.errors import journal_closed_error, journal_in_use_error
from tallystick.core.formats.search import Query, search_words
from tallystick.core.state import UNSETTLED, Action, Row, Session
from tallystick.store import liveness, uncommitted_changes
from tallystick.store.group_commit import GroupCommit, PendingWrite, run_each
from tallystick.store.interface import (
    CLOCK_STEPS,
    Credential,
    Found,
    Lease,
    Ledger,
    Outcome,
    Select,
    Snapshot,
    Store,
    StoredDocument,
    StoredEntry,
    StoredRow,
    View,
    WhereValue,
    fold_credential,
    is_proved,
)
from tallystick.store.uncommitted_changes import Batch, found_up_to

R = TypeVar("R", bound=Row)
T = TypeVar("T")


def system_clock() -> int:
    return time.time_ns() // 1000


class MemoryJournal:
    """One journal in memory. It is its own `View`: the store's lock prevents changes while it is read."""

    def __init__(self, journal: str, store: "MemoryStore") -> None:
        self.journal = journal
        self.secret = secrets.token_bytes(32)
        self.stored: list[StoredEntry] = []
        self.log: list[Entry] = []
        self.rows: dict[type[Row], dict[str, Row]] = {}
        self.leases: dict[str, Lease] = {}
        self.known_documents: dict[tuple[str, str], str] = {}
        self.known_credentials: dict[str, Credential] = {}
        self._effects: set[tuple[str, str]] = set()
        self._unsettled: dict[str, str] = {}
        self._store = store

    def now(self) -> int:
        return self._store.clock()

    def head(self) -> Head:
        last = self.log[-1] if self.log else None
        return Head(last.seq, last.hash, last.at) if last else genesis(self.journal)

    def get(self, table: type[R], id: str) -> R | None:
        return cast("R | None", self.rows.get(table, {}).get(id))

    def put(self, row: Row) -> None:
        self.rows.setdefault(type(row), {})[row.id] = row
        if isinstance(row, Action):
            self._effects.add((row.execution, row.effect_key))
            self._unsettled.pop(row.id, None)
            if row.state in UNSETTLED:
                self._unsettled[row.id] = row.effect_key

    def find(self, table: type[R], select: Select) -> list[R]:
        return cast("list[R]", uncommitted_changes.select_rows(self.rows.get(table, {}).values(), select))

    def count(self, table: type[Row], where: Mapping[str, WhereValue], limit: int) -> int:
        return len(self.find(table, Select(where=where, limit=limit)))

    def values(self, table: type[Row], column: str, where: Mapping[str, WhereValue]) -> set[str]:
        every = self.find(table, Select(where=where, limit=len(self.log)))
        return {str(getattr(row, column)) for row in every}

    def effect_is_new(self, execution: str, effect_key: str) -> bool:
        return (execution, effect_key) not in self._effects

    def may_be_unsettled(self, effect_key: str | None) -> bool:
        return bool(self._unsettled) if effect_key is None else effect_key in self._unsettled.values()

    def entries(self, *, after: int = 0, limit: int, execution: str = "", newest_first: bool = False) -> list[Entry]:
        if newest_first:
            ordered = reversed(self.log[: after - 1] if after else self.log)
        else:
            ordered = iter(self.log[after:])
        matching = (entry for entry in ordered if not execution or entry.execution == execution)
        return list(islice(matching, limit))

    def entry(self, seq: int) -> Entry | None:
        return self.log[seq - 1] if 0 < seq <= len(self.log) else None

    def clock_steps(self, limit: int) -> list[Entry]:
        return list(islice((entry for entry in reversed(self.log) if entry.behind), limit))

    def bodies(self, seqs: Iterable[int]) -> dict[int, str]:
        bodies = {stored.seq: stored.body for stored in self._with_bodies(seqs) if self._is_committed(stored)}
        return {seq: body for seq, body in bodies.items() if body is not None}

    def altered_bodies(self, seqs: Iterable[int]) -> set[int]:
        return {stored.seq for stored in self._with_bodies(seqs) if not self._is_committed(stored)}

    def _with_bodies(self, seqs: Iterable[int]) -> Iterator[StoredEntry]:
        found = (self.stored[seq - 1] for seq in seqs if 0 < seq <= len(self.stored))
        return (stored for stored in found if stored.body is not None)

    def _is_committed(self, stored: StoredEntry) -> bool:
        return is_committed(self.log[stored.seq - 1].commitment, stored.body, stored.salt)

    def search(self, query: Query, *, after: int = 0, before: int = 0, limit: int) -> Found:
        matching = (
            stored.seq
            for stored in reversed(self.stored[after:])
            if (not before or stored.seq < before)
            and query.matches(search_words(self.log[stored.seq - 1], stored.body))
        )
        return found_up_to(limit, list(islice(matching, limit)))

    def lease(self, session: str) -> Lease | None:
        return self.leases.get(session)

    def is_over(self, session: Session) -> bool:
        if session.session_kind == "process":
            return session.status != "open"  # the store itself dies with the process
        return liveness.is_over(session, self.lease, self.now(), None)

    def silent_since(self, session: Session, seen: int = 0) -> int:
        lease = self.lease(session.id)
        is_open = session.session_kind == "process" and session.status == "open"
        if not is_open or lease is None or self.now() < lease.expires:
            return 0
        return max(lease.expires - int(lease.seconds * 1_000_000), seen)

    def document(self, kind: str, id: str) -> str:
        return self.known_documents.get((kind, id), "")

    def documents(self, kind: str, *, after: str = "", limit: int) -> list[StoredDocument]:
        found = sorted(id for of_kind, id in self.known_documents if of_kind == kind and id > after)
        return [StoredDocument(kind, id, self.known_documents[kind, id]) for id in found[:limit]]

    def credentials(self) -> list[Credential]:
        known = (self.known_credentials[name] for name in sorted(self.known_credentials))
        return [each for each in known if is_proved(each, self.entry(each.seq))]


def _row_id(row: Row) -> str:
    return row.id


class MemorySnapshot:
    """The `Snapshot` of a journal in memory: a copy, so that others can write while it is verified."""

    def __init__(self, journal: MemoryJournal) -> None:
        self._head = journal.head()
        self._entries = list(journal.stored)
        self._rows = {table: sorted(rows.values(), key=_row_id) for table, rows in journal.rows.items()}
        executions = [(entry.execution, entry.seq) for entry in journal.log if entry.execution]
        self._credentials = [journal.known_credentials[name] for name in sorted(journal.known_credentials)]
        self._leased = sorted(journal.leases)
        self._index = sorted([*executions, *((CLOCK_STEPS, entry.seq) for entry in journal.log if entry.behind)])

    def head(self) -> Head:
        return self._head

    def flushed(self) -> int:
        return self._head.seq

    def indexed(self) -> int:
        return 0

    def stored_entries(self, *, after: int, limit: int) -> Sequence[StoredEntry]:
        start = bisect_right(self._entries, after, key=lambda stored: stored.seq)
        return self._entries[start : start + limit]

    def stored_rows(self, table: type[Row], *, after: str, limit: int) -> Sequence[StoredRow]:
        rows = self._rows.get(table, [])
        start = bisect_right(rows, after, key=_row_id)
        return [
            StoredRow(row.id, tuple(getattr(row, name) for name in table.COLUMNS), json.encode(row).decode())
            for row in rows[start : start + limit]
        ]

    def execution_index(self, *, after: tuple[str, int], limit: int) -> Sequence[tuple[str, int]]:
        start = bisect_right(self._index, after)
        return self._index[start : start + limit]

    def credentials(self) -> list[Credential]:
        return self._credentials

    def leased_sessions(self) -> list[str]:
        return self._leased

    def body_after(self, seq: int) -> int:
        return 0


class MemoryStore:
    """Journals in memory, for as long as this object lives."""

    is_on_this_machine = True

    def __init__(self, clock: Callable[[], int] = system_clock) -> None:
        self.clock = clock
        self._journals: dict[str, MemoryJournal] = {}
        self._changed = Condition()
        self._groups = GroupCommit(self._commit)
        self._closed = False

    def write(self, journal: str, work: Callable[[Ledger], T]) -> T:
        return self._groups.run(journal, work)

    def is_free(self) -> bool:
        return True

    def write_all(self, journal: str, works: Sequence[Callable[[Ledger], Any]], *, waits: bool = True) -> list[Outcome]:
        return self._groups.run_all(journal, works, waits=waits)

    def read(self, journal: str, work: Callable[[View], T]) -> T:
        with self._changed:
            return work(self._journal(journal))

    def _commit(self, journal: str, group: Sequence[PendingWrite]) -> None:
        with self._changed:
            state = self._journal(journal)
            batch = Batch(state, urandom)
            run_each(group, batch)
            for each in batch.appended:
                entry = each.entry
                salt = each.salt if each.body is not None else None
                state.stored.append(StoredEntry(entry.seq, each.line, entry.hash, each.body, salt))
                state.log.append(entry)
            for rows in batch.rows.tables.values():
                for row in rows.values():
                    state.put(row)
            state.leases.update(batch.leases)
            documents = {**state.known_documents, **batch.documents}
            state.known_documents = {key: content for key, content in documents.items() if content}
            state.known_credentials.update(batch.credentials)
            for seq in batch.erased:
                if 0 < seq <= len(state.stored):
                    stored = state.stored[seq - 1]
                    state.stored[seq - 1] = StoredEntry(seq, stored.line, stored.hash, None, None)
            self._changed.notify_all()

    def wait(self, journal: str, *, after: int, seconds: float) -> int:
        with self._changed:
            state = self._journal(journal)
            self._changed.wait_for(lambda: len(state.log) > after or self._closed, timeout=seconds)
            return len(state.log)

    def stored_entries(self, journal: str, *, after: int, limit: int) -> Sequence[StoredEntry]:
        with self._changed:
            return self._journal(journal).stored[after : after + limit]

    def inspect(self, journal: str, work: Callable[[Snapshot], T]) -> T:
        with self._changed:
            snapshot = MemorySnapshot(self._journal(journal))
        return work(snapshot)

    def scrub(self, journal: str) -> Literal["done", "pending"]:
        self._check_open()
        return "done"

    def secret(self, journal: str) -> bytes:
        with self._changed:
            return self._journal(journal).secret

    def journals(self) -> list[str]:
        with self._changed:
            self._check_open()
            return sorted(self._journals)

    def orphans(self) -> list[int]:
        return []

    def credential(self, hash: str) -> tuple[str, Credential] | None:
        with self._changed:
            self._check_open()
            for name, state in self._journals.items():
                for credential in state.credentials():
                    if hash and credential.hash == hash:
                        return name, credential
            return None

    def rebuild(self, journal: str) -> int:
        with self._changed:
            state = self._journal(journal)
            state.rows.clear()
            known: dict[str, Credential] = {}
            for entry in state.log:
                fold.evolve(state, entry)
                fold_credential(known, entry)
            state.known_credentials = known
            return len(state.log)

    def flush(self, journal: str) -> int:
        return 0

    def load(self, journal: str, source: Store) -> int:
        with self._changed:
            state = self._journal(journal)
            if state.log:
                raise journal_in_use_error(journal)
            end = source.read(journal, lambda view: view.head().seq)
            state.secret = source.secret(journal)
            state.stored = list(source.stored_entries(journal, after=0, limit=end))
            state.log = [chain.read_entry(each.seq, each.line, each.hash) for each in state.stored]
            credentials = source.read(journal, lambda view: view.credentials())
            state.known_credentials = {each.name: each for each in credentials}
        return self.rebuild(journal)

    def claim_process_lock(self) -> tuple[str, int]:
        return "memory", secrets.randbits(46)

    def heartbeat(self, journal: str, session: str, lock: int, seconds: float) -> None:
        """No other process can see this store, so no lease is needed."""

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _check_open(self) -> None:
        if self._closed:
            raise journal_closed_error()

    def _journal(self, journal: str) -> MemoryJournal:
        self._check_open()
        return self._journals.setdefault(journal, MemoryJournal(journal, self))
