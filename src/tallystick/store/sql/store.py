"""The base of the SQL stores: loading a journal's tail, committing groups of callers, flushing rows, erasing.

A dialect implements how to connect, begin and commit, how to wait, and how to query its search index. Everything else,
above all the order of steps, is here once.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from os import urandom
from sys import maxsize
from time import monotonic, sleep
from typing import Any, Literal, TypeVar

from msgspec import json
from msgspec.structs import replace

from tallystick.core import chain, fold
from tallystick.core.chain import Head
from tallystick.core.entries import UNKNOWN_VERSION, Entry, Unreadable
from tallystick.core.errors import (
    TallystickError,
    journal_in_use_error,
    lost_records_error,
    lost_secret_error,
    missing_row_error,
    newer_version_error,
)
from tallystick.core.formats.search import search_text
from tallystick.core.state import ROW_FORMAT, TABLES
from tallystick.store.forks import current_process
from tallystick.store.group_commit import GroupCommit, PendingWrite, run_each
from tallystick.store.interface import (
    Credential,
    Ledger,
    Outcome,
    Snapshot,
    Store,
    StoredEntry,
    View,
    WouldWait,
    fold_credential,
    is_proved,
)
from tallystick.store.liveness import Presence
from tallystick.store.sql import queries
from tallystick.store.sql import tail as sql_tail
from tallystick.store.sql.connection import SEQ_BITS, SEQ_MASK, SqlConnection, as_bytes, entry_key, entry_key_range
from tallystick.store.sql.idle_flush import IdleFlusher
from tallystick.store.sql.tail import Tail, WrittenGroup
from tallystick.store.sql.view import (
    FoldedRows,
    SqlSnapshot,
    SqlView,
    line_bytes,
    read_credential,
    read_flush_state,
    read_head,
)
from tallystick.store.uncommitted_changes import Batch, RandomBytes

T = TypeVar("T")

ENTRIES_PER_REBUILD_BATCH = 1000
SECRET_BYTES = 32
CLOSE_WAIT_SECONDS = 0.2
"""How long closing waits for another writer before it leaves the tail as it is."""


class SqlStore(ABC):
    """The `Store` over SQL. `fault` is called at named points; tests make it kill the process there."""

    readonly = False
    is_on_this_machine = True
    _closed: bool
    _process_id: int

    def __init__(self, fault: Callable[[str], None] | None = None) -> None:
        self._fault = fault
        self._presence: Presence | None = None
        self._reset()

    def _reset(self) -> None:
        """Forget everything: at first, and in a forked child, where threads that no longer exist may hold locks."""
        self._groups = GroupCommit(self._commit)
        self._numbers: dict[str, tuple[int, object]] = {}
        self._names: dict[int, str] = {}
        self._written_tails: dict[str, Tail] = {}
        self._read_tails: dict[str, Tail] = {}
        self._acknowledged: dict[str, Head] = {}
        self._last_looks: dict[str, str] = {}
        self._asked_to_flush: set[str] = set()
        self._idle_flusher = IdleFlusher(self._flush_if_idle)
        self._rebuilds = 0
        self._random = RandomBytes()

    @property
    @abstractmethod
    def place(self) -> str:
        """What an error calls the store: its file or database."""

    @abstractmethod
    def _check_open(self) -> None:
        """Raise if the store is closed; reopen it in a forked child."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[SqlConnection]:
        """A connection inside a transaction that sees one state of the database."""

    @abstractmethod
    def _transact(self, number: int, work: Callable[[SqlConnection], Sequence[Entry]], *, waits: bool = True) -> None:
        """Run `work` as the journal's only writer and commit it durably. `work` returns the entries it added.

        Raises WouldWait if it is not to wait for another writer, and there is one.
        """

    def is_free(self) -> bool:
        return True

    @abstractmethod
    def _add_journal(self, journal: str, secret: bytes) -> None: ...
    @abstractmethod
    def scrub(self, journal: str) -> Literal["done", "pending"]: ...

    def write(self, journal: str, work: Callable[[Ledger], T]) -> T:
        if self._closed or self._process_id != current_process.id:
            self._check_open()
        return self._groups.run(journal, work)

    def write_all(self, journal: str, works: Sequence[Callable[[Ledger], Any]], *, waits: bool = True) -> list[Outcome]:
        self._check_open()
        return self._groups.run_all(journal, works, waits=waits)

    def read(self, journal: str, work: Callable[[View], T]) -> T:
        if journal not in self._numbers:
            self._load_journal_number(journal)
        # Chosen before the snapshot is taken, so that the tail is never ahead of it.
        written, read = self._written_tails.get(journal), self._read_tails.get(journal)
        if written is not None:
            written.is_shared = True
            if self._written_tails.get(journal) is not written:  # its writer has taken it, and may not have seen that
                written = None
        newest = max(written, read, key=lambda tail: tail.head.seq if tail else -1)
        acknowledged = self._acknowledged.get(journal)
        with self._reading() as connection:
            number = self._enter_journal(connection, journal)
            tail = self._load_tail(connection, journal, number, newest, acknowledged)
            self._read_tails[journal] = tail
            self._acknowledge(journal, tail.head)
            view = SqlView(connection, journal, number, self._presence, tail)
            result = work(view)
        if tail.entries and not self.readonly:
            self._idle_flusher.note_tail(journal)
        if view.scanned > queries.MAX_ENTRIES_SCANNED and self.is_free():  # a reader must not wait for a writer
            with suppress(TallystickError):  # the search itself has succeeded
                self.index(journal, queries.MAX_UNINDEXED_ENTRIES)
        return result

    def index(self, journal: str, limit: int = maxsize) -> None:
        """Bring the search index up to date, or extend it by about `limit` entries."""
        number, _ = self._ensure_journal(journal)
        done = queries.ENTRIES_PER_INDEX_BATCH

        def work(connection: SqlConnection) -> Sequence[Entry]:
            nonlocal done
            done = queries.index_entries(connection, number, queries.ENTRIES_PER_INDEX_BATCH)
            return ()

        while done == queries.ENTRIES_PER_INDEX_BATCH and limit > 0:
            self._transact(number, work)
            limit -= done

    def stored_entries(self, journal: str, *, after: int, limit: int) -> Sequence[StoredEntry]:
        return self.inspect(journal, lambda snapshot: snapshot.stored_entries(after=after, limit=limit))

    def inspect(self, journal: str, work: Callable[[Snapshot], T]) -> T:
        if journal not in self._numbers:
            self._load_journal_number(journal, may_be_orphan=True)
        acknowledged = self._acknowledged.get(journal)
        with self._reading() as connection:
            number = self._enter_journal(connection, journal) or self._enter_orphan(connection, journal)
            snapshot = SqlSnapshot(connection, journal, number)
            self._check_acknowledged(connection, journal, snapshot.number, snapshot.head(), acknowledged)
            return work(snapshot)

    def secret(self, journal: str) -> bytes:
        """Effect keys and digests are made with it: with another one, an effect that happened would look new."""
        secret = as_bytes(self._ensure_journal(journal)[1])
        if len(secret) != SECRET_BYTES:
            raise lost_secret_error(journal)
        return secret

    def journals(self) -> list[str]:
        with self._reading() as connection:
            return connection.journal_names()

    def orphans(self) -> list[int]:
        with self._reading() as connection:
            return connection.orphans()

    def credential(self, hash: str) -> tuple[str, Credential] | None:
        found = self._find_credential(hash)
        if found is None or found[0] in self._numbers:
            return found
        self._load_journal_number(found[0])  # what an older program wrote is folded again first
        return self._find_credential(hash)

    def _find_credential(self, hash: str) -> tuple[str, Credential] | None:
        with self._reading() as connection:
            connection.set_lookup(f"hash:{hash}")
            found = connection.rows(queries.CREDENTIAL, (hash,))
            if not found or not hash:
                return None
            number, *row = found[0]
            credential = read_credential(*row)
            connection.enter_journal(number)
            if number not in self._names:
                self._names[number] = connection.rows(queries.JOURNAL_NAME, (number,))[0][0]
            journal = self._names[number]
            made = connection.rows(queries.ENTRY, (entry_key(number, credential.seq),))
            entry = chain.read_entry(credential.seq, made[0][1], made[0][2]) if made else None
            is_loaded = journal in self._numbers
            return (journal, credential) if is_proved(credential, entry) or not is_loaded else None

    def rebuild(self, journal: str) -> int:
        found = 0 if journal in self._numbers else self._load_journal_number(journal, may_be_orphan=True)
        is_orphan = found and journal not in self._numbers
        number, secret = (found, b"") if is_orphan else self._ensure_journal(journal)  # a lost key stays lost
        has_index = True

        def work(connection: SqlConnection) -> Sequence[Entry]:
            nonlocal has_index
            connection.allow_slow_statements()
            head = read_head(connection, number)
            end = head.seq if head else 0
            has_row = bool(connection.rows(queries.FLUSH_STATE, (number,)))
            if not has_row:
                connection.restore_journal(number, journal, as_bytes(secret), end)
            flushed, _, shape = connection.rows(queries.FLUSH_STATE, (number,))[0]
            if isinstance(shape, int) and shape > ROW_FORMAT:
                raise newer_version_error(UNKNOWN_VERSION)
            flushed = min(flushed, end) if isinstance(flushed, int) else end
            for table in TABLES:
                connection.rows(queries.clear(table), (number,))
            connection.rows(queries.CLEAR_EXECUTION_INDEX, (number,))
            self._fold_rows(connection, journal, number, flushed)
            self._fold_credentials(connection, number)
            has_index = has_row and queries.has_valid_index(connection, number, end)
            if not has_index:
                connection.clear_words(number)
            return ()

        count = self._replace_rows(journal, number, work)
        for each in () if has_index else self.journals():  # journals of one file share a search index
            self.index(each)
        return count

    def _fold_credentials(self, connection: SqlConnection, number: int) -> None:
        """Write the credentials of all entries. A hash that an old entry does not hold is taken from the old row."""
        found = connection.rows(queries.CREDENTIALS, (number,))
        hashes = {name: hash for name, hash, *_ in found if isinstance(name, str) and isinstance(hash, str)}
        known: dict[str, Credential] = {}
        after, end = entry_key_range(number)
        while found := connection.rows(queries.CREDENTIAL_LINES, (after, end, ENTRIES_PER_REBUILD_BATCH)):
            for key, line, hash in found:
                fold_credential(known, chain.read_entry(key & SEQ_MASK, line, hash))
                after = key
        rows = [replace(each, hash=each.hash or hashes.get(each.name, "")) for each in known.values()]
        connection.rows(queries.CLEAR_CREDENTIALS, (number,))
        if rows:
            connection.many(queries.PUT_CREDENTIAL, [_credential_values(number, each) for each in rows])

    def load(self, journal: str, source: Store) -> int:
        if self.read(journal, lambda view: view.head().seq):
            raise journal_in_use_error(journal)
        secret = source.secret(journal)
        self._add_journal(journal, secret)
        if self.secret(journal) != secret:
            raise journal_in_use_error(journal)
        number, _ = self._ensure_journal(journal)

        def work(connection: SqlConnection) -> Sequence[Entry]:
            seq = 0
            while stored := source.stored_entries(journal, after=seq, limit=ENTRIES_PER_REBUILD_BATCH):
                _copy_entries(connection, number, stored)
                seq = stored[-1].seq
            credentials = source.read(journal, lambda view: view.credentials())
            connection.many(queries.PUT_CREDENTIAL, [_credential_values(number, each) for each in credentials])
            self._fold_rows(connection, journal, number, seq)
            return ()

        return self._replace_rows(journal, number, work)

    def _fold_rows(self, connection: SqlConnection, journal: str, number: int, flushed: int) -> None:
        """Write the rows of the entries up to `flushed`; there are none before."""
        folded = 0
        while folded < flushed:
            span = (entry_key(number, folded), entry_key(number, flushed + 1), ENTRIES_PER_REBUILD_BATCH)
            entries = queries.read_entries(connection, queries.ENTRIES, span)
            if not entries:
                break  # they were deleted: `verify` reports it
            tail = self._fold(connection, journal, number, Tail(Head(folded, ""), folded), entries)
            sql_tail.write_rows(connection, number, tail.tables, tail.cached)
            sql_tail.write_execution_index(connection, number, entries)
            folded = tail.head.seq
        connection.many(queries.SET_REBUILT, [(flushed, number)])

    def _replace_rows(self, journal: str, number: int, work: Callable[[SqlConnection], Sequence[Entry]]) -> int:
        """Run a transaction that replaces a journal's rows; returns the number of entries."""
        self._transact(number, work)
        self._rebuilds += 1
        self._written_tails.clear()
        self._read_tails.clear()
        return self.read(journal, lambda view: view.head().seq)

    def _commit(self, journal: str, group: Sequence[PendingWrite]) -> None:
        number, _ = self._numbers.get(journal) or self._ensure_journal(journal)
        # Removed first, so that after an interrupt there is none and the next commit reads the journal itself.
        known = self._written_tails.pop(journal, None)
        rebuilds = self._rebuilds
        written = WrittenGroup()
        try:
            self._transact(
                number,
                lambda connection: self._write_group(connection, journal, group, known, written),
                waits=any(each.waits for each in group),
            )
            tail: Tail | None = written.extended_tail()
            if written.head is not None:
                self._acknowledge(journal, written.head)
            if tail is not None and tail.entries:
                self._idle_flusher.note_record(journal)
        except BaseException as error:
            # A refusal before the commit changed nothing. Else the next commit reads the journal itself.
            tail = known if isinstance(error, (TallystickError, WouldWait)) and written.head is None else None
            raise
        finally:
            if tail is not None and rebuilds == self._rebuilds:
                self._written_tails[journal] = tail

    def _write_group(
        self,
        connection: SqlConnection,
        journal: str,
        group: Sequence[PendingWrite],
        known: Tail | None,
        written: WrittenGroup,
    ) -> Sequence[Entry]:
        """Run the work of a group in a transaction and write what it appended; returns the entries."""
        number = self._numbers[journal][0]
        before, is_unchanged = known, connection.is_unchanged(number)
        if before is None or not is_unchanged:
            before = self._load_tail(connection, journal, number, before, self._acknowledged.get(journal))
        if before.needs:
            raise newer_version_error(before.needs)
        batch = Batch(SqlView(connection, journal, number, self._presence, before), self._random.take)
        run_each(group, batch)
        if self._fault:
            self._fault("decided")
        appended = self._write_batch(connection, number, batch)
        before.effects.add(batch.rows.effects)
        written.before, written.batch, written.appended, written.head = before, batch, appended, batch.head
        if batch.head.seq - before.flushed >= sql_tail.ENTRIES_PER_FLUSH or journal in self._asked_to_flush:
            tail = before.extended(batch.head, appended, batch.rows.tables)
            written.before = self._flush_rows(connection, journal, number, tail) if tail.entries else tail
            written.batch = None
        if self._fault:
            self._fault("written")
        return appended

    def flush(self, journal: str) -> int:
        if journal not in self._numbers:
            self._load_journal_number(journal)
        _, count = self._unflushed(journal)
        if count:
            self._asked_to_flush.add(journal)
            try:
                self.write(journal, lambda ledger: None)
            finally:
                self._asked_to_flush.discard(journal)
        return count

    def _unflushed(self, journal: str) -> tuple[str, int]:
        """The hash of a journal's last entry, and the number of entries whose rows are not written."""
        with self._reading() as connection:
            number = self._enter_journal(connection, journal)
            head = read_head(connection, number)
            return (head.hash, max(head.seq - read_flush_state(connection, journal, number)[0], 0)) if head else ("", 0)

    def _flush_if_idle(self, journal: str) -> bool:
        """Flush the tail of a journal if nobody has recorded since this process did, or since the last look. Returns
        whether to look again: another process records, and may be killed before it flushes."""
        last, count = self._unflushed(journal)
        own = self._written_tails.get(journal)
        last_look, self._last_looks[journal] = self._last_looks.get(journal), last
        if count and last in (own.head.hash if own else "", last_look) and self.is_free():
            self.flush(journal)
            return False
        return bool(count)

    def _flush_written(self) -> None:
        """Before closing: write the rows of what this process recorded, if the journal is free soon."""
        self._idle_flusher.stop()
        deadline = monotonic() + CLOSE_WAIT_SECONDS
        for journal in [journal for journal, tail in self._written_tails.items() if tail.entries]:
            with suppress(TallystickError):
                while not self.is_free() and monotonic() < deadline:
                    sleep(0.005)
                if self.is_free():
                    self.flush(journal)

    def _flush_rows(self, connection: SqlConnection, journal: str, number: int, tail: Tail) -> Tail | None:
        """Write a tail's rows; returns the empty tail. A tail from before a rebuild is dropped and not written."""
        if read_flush_state(connection, journal, number)[1] != tail.rebuilds:
            return None
        sql_tail.flush(connection, number, tail)
        queries.index_on_flush(connection, number, tail.head.seq, flushed=len(tail.entries))
        if self._fault:
            self._fault("rows_flushed")
        return tail.after_flush()

    def _load_tail(
        self, connection: SqlConnection, journal: str, number: int, known: Tail | None, acknowledged: Head | None
    ) -> Tail:
        """The tail of a journal as the connection sees it, starting from an earlier tail if it is still valid."""
        end = read_head(connection, number)
        self._check_acknowledged(connection, journal, number, end or chain.genesis(journal), acknowledged)
        if end is None:
            return Tail(chain.genesis(journal), 0)
        flushed, rebuilds, shape = read_flush_state(connection, journal, number)
        flushed = min(flushed, end.seq)  # it can be larger if somebody deleted entries from the end
        if known is not None and (known.flushed, known.rebuilds) != (flushed, rebuilds):
            known = None
        if known is not None and known.head.hash == end.hash:
            return known
        if known is None:
            needs = UNKNOWN_VERSION if shape > ROW_FORMAT else ""
            known = Tail(end if flushed == end.seq else Head(flushed, ""), flushed, rebuilds, needs=needs)
        span = (entry_key(number, known.head.seq), entry_key_range(number)[1], SEQ_MASK)
        newer = queries.read_entries(connection, queries.ENTRIES, span)
        tail = self._fold(connection, journal, number, known, newer) if newer else known
        tail.head = end  # a damaged line does not say where the journal ends
        return tail

    def _acknowledge(self, journal: str, head: Head) -> None:
        """Remember the newest entry that a caller was told of."""
        known = self._acknowledged.get(journal)
        if known is None or head.seq > known.seq:
            self._acknowledged[journal] = head

    def _check_acknowledged(
        self, connection: SqlConnection, journal: str, number: int, end: Head, acknowledged: Head | None
    ) -> None:
        """Raise if the journal does not have this entry any more, or another one in its place.

        If it has it, it also continues every tail that this process knows: each hash covers the entries before.
        """
        if acknowledged is None or acknowledged.hash == end.hash or not acknowledged.seq:
            return
        found = connection.rows(queries.ENTRY, (entry_key(number, acknowledged.seq),))
        if [chain.read_head(key & SEQ_MASK, line, hash).hash for key, line, hash in found] != [acknowledged.hash]:
            self._written_tails.pop(journal, None)  # the next writer looks as well
            raise lost_records_error(self.place, journal, (acknowledged.seq, acknowledged.hash), end.seq)

    def _fold(self, connection: SqlConnection, journal: str, number: int, tail: Tail, entries: Sequence[Entry]) -> Tail:
        rows = FoldedRows(SqlView(connection, journal, number, None, tail))
        for entry in entries:
            fold.evolve(rows, entry)
        last = entries[-1]
        tail.effects.add(rows.changed.effects)
        longer = tail.extended(Head(last.seq, last.hash, last.at), entries, rows.changed.tables)
        longer.needs = _needed_version(connection, journal, number, entries) or tail.needs
        return longer

    def _write_batch(self, connection: SqlConnection, number: int, batch: Batch) -> list[Entry]:
        """Write what a batch appended and changed; returns the entries."""
        appended: list[Entry] = []
        lines: list[Sequence[Any]] = []
        bodies: list[Sequence[Any]] = []
        for entry, line, body, salt in batch.appended:
            key = number << SEQ_BITS | entry.seq
            appended.append(entry)
            lines.append((key, number, line.decode(), entry.hash))
            if body is not None:
                bodies.append((key, number, salt, body))
        for sql, values in ((queries.ADD_ENTRY, lines), (queries.ADD_BODY, bodies)):
            if values:
                connection.many(sql, values)
                if self._fault:
                    self._fault("writing")
        if batch.leases or batch.credentials or batch.documents or batch.erased:
            self._write_more(connection, number, batch)
        return appended

    def _put(self, connection: SqlConnection, sql: str, values: Sequence[Sequence[Any]]) -> None:
        if values:
            connection.many(sql, values)
            if self._fault:
                self._fault("writing")

    def _write_more(self, connection: SqlConnection, number: int, batch: Batch) -> None:
        """Write what few batches have: leases, credentials, documents and erasures."""
        leases = [(number, each.session, each.expires, each.seconds) for each in batch.leases.values()]
        self._put(connection, queries.PUT_LEASE, leases)
        credentials = [_credential_values(number, each) for each in batch.credentials.values()]
        self._put(connection, queries.PUT_CREDENTIAL, credentials)
        for (kind, id), content in batch.documents.items():
            if content:
                connection.many(queries.PUT_DOCUMENT, [(number, kind, id, content)])
            else:
                connection.rows(queries.DROP_DOCUMENT, (number, kind, id))
        if batch.erased:
            self._erase(connection, number, batch)

    def _erase(self, connection: SqlConnection, number: int, batch: Batch) -> None:
        """Delete bodies, and their words in the search index, in the transaction that records the erasure."""
        indexed = queries.indexed_seq(connection, number)
        for seq in sorted(batch.erased):
            entry = batch.base.entry(seq)
            if entry is None:
                continue
            body = batch.base.bodies([seq]).get(seq)  # an altered one was not indexed
            if seq <= indexed and body is not None:
                connection.drop_words(number, [(seq, search_text(entry, body))])
                connection.add_words(number, [(seq, search_text(entry, None))])
            connection.rows(queries.DROP_BODY, (entry_key(number, seq),))

    def _ensure_journal(self, journal: str) -> tuple[int, object]:
        """The number and stored secret of a journal, which is created when it is first written."""
        if journal not in self._numbers and not self._load_journal_number(journal):
            self._add_journal(journal, urandom(SECRET_BYTES))
            self._load_journal_number(journal)
        return self._numbers[journal]

    def _load_journal_number(self, journal: str, *, may_be_orphan: bool = False) -> int:
        """The number of a journal, or 0. Rows that an older program wrote in another shape are rebuilt first.

        Raises StorageUnavailable if its entries are there without its row, or returns their number if it may be so.
        """
        with self._reading() as connection:
            number = self._enter_journal(connection, journal)
            shape = connection.rows(queries.JOURNAL, (journal,))[0][2] if number else ROW_FORMAT
            orphan = 0 if number else self._enter_orphan(connection, journal)
        if orphan and not may_be_orphan:
            raise missing_row_error(journal)
        if isinstance(shape, int) and shape < ROW_FORMAT:
            self.rebuild(journal)
        return number or orphan

    def _enter_orphan(self, connection: SqlConnection, journal: str) -> int:
        """The number of a journal that has lost its row, or 0. The hash of its first entry covers its name."""
        for number in connection.orphans():
            connection.enter_journal(number)
            for key, line, hash in connection.rows(queries.ENTRIES, (*entry_key_range(number), 1)):
                if key & SEQ_MASK == 1 and chain.follows(chain.genesis(journal), line_bytes(line), hash):
                    return number
        return 0

    def _enter_journal(self, connection: SqlConnection, journal: str) -> int:
        """Limit the transaction to a journal; returns its number, or 0 if it does not exist. Creates none."""
        if journal not in self._numbers:
            connection.set_lookup(f"name:{journal}")
            found = connection.rows(queries.JOURNAL, (journal,))
            if not found:
                return 0
            self._numbers[journal] = found[0][0], found[0][1]
        number, _ = self._numbers[journal]
        connection.enter_journal(number)
        return number


def _needed_version(connection: SqlConnection, journal: str, number: int, entries: Sequence[Entry]) -> str:
    """The newer version that wrote one of these entries. A damaged line may look like one: its hash tells."""
    for entry in entries:
        if isinstance(entry.facts, Unreadable) and entry.facts.needs:
            keys = (entry_key(number, entry.seq - 1), entry_key(number, entry.seq))
            before, at = (connection.rows(queries.ENTRY, (key,)) for key in keys)
            head = Head(entry.seq - 1, str(before[0][2])) if before else chain.genesis(journal)
            if chain.follows(head, line_bytes(at[0][1]), entry.hash):
                return entry.facts.needs
    return ""


def _copy_entries(connection: SqlConnection, number: int, stored: Sequence[StoredEntry]) -> None:
    keyed = [(entry_key(number, each.seq), each) for each in stored]
    connection.many(queries.ADD_ENTRY, [(key, number, each.line.decode(), each.hash) for key, each in keyed])
    bodies = [(key, number, each.salt, each.body) for key, each in keyed if each.body is not None]
    connection.many(queries.ADD_BODY, bodies)


def _credential_values(number: int, each: Credential) -> tuple[Any, ...]:
    scopes, tasks = " ".join(each.scopes), json.encode(each.tasks).decode()
    return number, each.name, each.hash, scopes, int(each.revoked), each.expires, tasks, int(each.observes), each.seq
