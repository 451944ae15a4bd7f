"""The PostgreSQL store: journals in a database that many processes and machines share.

- Durable: `synchronous_commit` is on; what was committed is on the server's disk.
- In order: a writer locks its journal first, so commit order is sequence order.
- Isolated: the server itself shows a transaction one journal only (see migrations/0005).
- Retried: if the server goes away, the work runs again. If it went away during a commit, the store first checks whether
  the entries are there. Nothing is appended twice.
- Time is the server's.
"""

import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Literal, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tallystick.core.entries import Entry
from tallystick.core.errors import InvalidArgument, StorageUnavailable, journal_closed_error
from tallystick.core.state import Session
from tallystick.store.forks import process_id
from tallystick.store.interface import Credential, Ledger, Snapshot, StoredEntry, View, WouldWait
from tallystick.store.liveness import Heartbeat, open_presence
from tallystick.store.notifications import ChangeNotifier
from tallystick.store.postgres import roles
from tallystick.store.postgres.connection import CHANNEL, JournalChanged, PostgresConnection
from tallystick.store.postgres.errors import CommitUnknown, ConnectionLost, Unreachable, check_server, translated_errors
from tallystick.store.postgres.pipeline import PipelineConnection
from tallystick.store.sql import migrations, queries
from tallystick.store.sql.connection import SqlConnection
from tallystick.store.sql.store import SqlStore

T = TypeVar("T")

MAX_READERS = 8
"""The most connections that read at once; further readers wait for one."""
RETRY_SECONDS = 10.0
"""How long a call retries while the server is away: a restart takes less."""
AWAY_SECONDS = 5.0
"""After a connection that was not answered in time, others fail at once for this long, and need not wait as well."""
SLOW_CONNECTION_SECONDS = 1.0
SCRUB_SECONDS = 1.0
WATCH_POLL_SECONDS = 0.1
_MIGRATION_LOCK = 7_312_985_643
_SETTINGS = (
    # remote_apply is more than on, and stays.
    """select set_config(name, 'on', false) from pg_settings
    where name = 'synchronous_commit' and setting <> 'remote_apply'""",
    # Deadlines, unless the user or the address sets others.
    """select set_config(name, case name when 'lock_timeout' then '10s' else '12s' end, false) from pg_settings
    where name in ('lock_timeout', 'statement_timeout') and setting = '0'""",
    "set default_transaction_isolation = 'read committed'",
    "set bytea_output = hex",
)
_WRITER_SETTINGS = (
    # A process that was stopped inside a transaction must not block the others until their lock_timeout; it retries
    # when it continues.
    "set idle_in_transaction_session_timeout = '8s'",
    # A writer looks up by key, so the plan is the same for every value.
    "set plan_cache_mode = force_generic_plan",
)
_STATEMENT_TIMEOUT = "select setting::int from pg_settings where name = 'statement_timeout'"
_CONNECTION_DEFAULTS: dict[str, str | int] = {
    "application_name": "tallystick",
    "connect_timeout": 10,
    "tcp_user_timeout": 15_000,
    "keepalives_idle": 15,
}
_OLDER_TRANSACTIONS = """select count(*) from (
    select unnest(array[backend_xid, backend_xmin]) from pg_stat_activity
    where pid <> pg_backend_pid() and backend_type <> 'autovacuum worker'
        and (datname = current_database() or datname is null or backend_type = 'walsender')
    union all select xmin from pg_replication_slots
    union all select transaction from pg_prepared_xacts where database = current_database()
) as held (number) where age(held.number) > age(%s::xid)"""
_abandoned: list[object] = []
"""Connections of a parent process: garbage collection in a forked child would close the parent's."""


class PostgresStore(SqlStore):
    """All journals in one database."""

    is_on_this_machine = False

    def __init__(
        self,
        url: str,
        *,
        clock: Callable[[], int] | None = None,
        fault: Callable[[str], None] | None = None,
        presence_path: Path | None = None,
    ) -> None:
        super().__init__(fault)
        self._address = _connection_string(url)
        self.database = _display_name(self._address)
        self._clock = clock
        self._presence_path = presence_path or _presence_path()
        self._closed = False
        self._opening = Lock()
        self._open()

    @property
    def place(self) -> str:
        return self.database

    def _open(self) -> None:
        self._reset()
        self._process_id = process_id()
        self.has_role = False
        self._has_timed_out = False
        self._away_until = 0.0
        self._write_lock = Lock()
        self._readers = BoundedSemaphore(MAX_READERS)
        self._idle_readers: list[PostgresConnection] = []
        self._changes = ChangeNotifier(self._watch)
        self._heartbeat = Heartbeat(self._beat)
        with suppress(OSError):  # without a lock file, leases are used
            self._presence_path.parent.mkdir(parents=True, exist_ok=True)
            self._presence = open_presence(self._presence_path)
        # A wrong address fails at once; a server that starts, has too many clients or went away is retried.
        self._writer: PostgresConnection | None = self._retry(
            self._first_connection, lambda error: error.is_temporary or not isinstance(error, Unreachable)
        )

    def _first_connection(self) -> PostgresConnection:
        writer = self._connect_writer()
        try:
            check_server(self.database, *writer.pipeline.server_info())
            self._migrate(writer.pipeline)
            self.has_role = roles.establish(writer.pipeline)
            if self.has_role:
                writer.pipeline.send([(roles.TAKE_ROLE, ())])
        except BaseException:
            writer.pipeline.close()
            raise
        return writer

    def _connect_writer(self) -> PostgresConnection:
        return self._connect(_WRITER_SETTINGS)

    def is_free(self) -> bool:
        """False while the server is away: a write would wait until it is back, or for its deadline."""
        return not self._has_timed_out

    def _connect(self, more_settings: Sequence[str] = ()) -> PostgresConnection:
        started = time.monotonic()
        if started < self._away_until:
            raise Unreachable(self.database, "the server does not answer")
        try:
            pipeline = PipelineConnection(self._address, self.database)
        except Unreachable:
            if time.monotonic() - started > SLOW_CONNECTION_SECONDS:
                self._away_until = time.monotonic() + AWAY_SECONDS
            raise
        role = (roles.TAKE_ROLE,) if self.has_role else ()
        *_, [[milliseconds]] = pipeline.send(
            [(sql, ()) for sql in (*_SETTINGS, *more_settings, *role, _STATEMENT_TIMEOUT)]
        )
        pipeline.statement_seconds = milliseconds / 1000 or None
        self._has_timed_out = False
        return PostgresConnection(pipeline, self._clock)

    def _migrate(self, pipeline: PipelineConnection) -> None:
        known = len(migrations.migrations("postgres"))
        if pipeline.send([("select to_regclass('schema_versions') is not null", ())])[0][0][0]:
            found = pipeline.send([("select version, digest from schema_versions order by version", ())])[0]
            if len(found) >= known:
                migrations.migrate("postgres", [(version, digest) for version, digest in found], str, str)
                return
        connection = pipeline.connection
        with translated_errors(self.database), connection.transaction():
            connection.execute("set local lock_timeout = 0; set local statement_timeout = 0")
            connection.execute("select pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
            connection.execute(migrations.CREATE_VERSIONS_TABLE)
            applied = connection.execute("select version, digest from schema_versions order by version").fetchall()
            migrations.migrate(
                "postgres",
                applied,
                lambda sql: connection.execute(sql.encode()),
                lambda each: connection.execute(
                    "insert into schema_versions values (%s, %s, %s)", (each.version, each.name, each.digest)
                ),
            )

    def _transact(self, number: int, work: Callable[[SqlConnection], Sequence[Entry]], *, waits: bool = True) -> None:
        self._check_open()
        if not (waits or self.is_free()):
            raise WouldWait
        with self._write_lock:
            self._check_open()
            self._commit_with_retries(number, work)
        if self._changes.waiting:
            self._changes.notify()

    def _commit_with_retries(self, number: int, work: Callable[[SqlConnection], Sequence[Entry]]) -> None:
        backoff = Backoff()
        optimistic = True
        unconfirmed: Sequence[Entry] = ()  # sent with a commit that was not answered
        while True:
            try:
                writer = self._writer = self._writer or self._connect_writer()
                writer.begin_writing(number, optimistic=optimistic)
                if unconfirmed and writer.holds(unconfirmed[-1]):
                    writer.rollback()
                    return
                unconfirmed = ()
                added = work(writer)
                writer.check()
                if self._fault:
                    self._fault("before_commit")
                unconfirmed = added
                writer.commit(added)
                if self._fault:
                    self._fault("after_commit")
                return
            except JournalChanged:
                optimistic = False
                unconfirmed = ()
                self._rollback()
            except ConnectionLost as error:
                self._writer = None
                lost = CommitUnknown(self.database, str(error.__cause__ or "no answer")) if unconfirmed else error
                self._pause(backoff, lost)
            except Exception:
                is_current = self._writer is None or self._writer.saw_current_state()
                self._rollback()
                if is_current:
                    raise
                optimistic = False  # run again: the work may have raised because of an outdated state
            except BaseException:
                self._rollback()
                raise

    def _rollback(self) -> None:
        if self._writer is not None:
            with suppress(StorageUnavailable):
                self._writer.rollback()
            if self._writer.pipeline.lost:
                self._writer = None

    @contextmanager
    def _reading(self) -> Iterator[SqlConnection]:
        self._check_open()
        with self._readers:
            reader = self._reader()
            reader.begin_reading()
            try:
                yield reader
            finally:
                with suppress(StorageUnavailable):
                    reader.rollback()
                if self._closed:
                    reader.pipeline.close()
                elif not reader.pipeline.lost:
                    self._idle_readers.append(reader)
                else:  # so are the others, and each would be waited for
                    while self._idle_readers:
                        with suppress(IndexError):
                            self._idle_readers.pop().pipeline.close()

    def _reader(self) -> PostgresConnection:
        while self._idle_readers:
            with suppress(IndexError):
                reader = self._idle_readers.pop()
                if not reader.pipeline.is_stale():
                    return reader
                reader.pipeline.close()
        return self._connect()

    def _retry(self, work: Callable[[], T], may_retry: Callable[[ConnectionLost], bool] = lambda error: True) -> T:
        """Run `work`, again whenever it lost its connection; returns its result."""
        backoff = Backoff()
        while True:
            try:
                return work()
            except ConnectionLost as error:
                if error.gave_up or not may_retry(error):
                    raise
                self._pause(backoff, error)

    def _pause(self, backoff: "Backoff", error: ConnectionLost) -> None:
        """Wait a moment for a server that is away, or raise `error`.

        After a wait that timed out, calls fail at once until the server is back or says that it starts. Otherwise each
        call would be delayed for as long as the server stays away.
        """
        does_not_answer = time.monotonic() < self._away_until
        if does_not_answer or (self._has_timed_out and isinstance(error, Unreachable) and not error.is_temporary):
            self._has_timed_out = error.gave_up = True
            raise error
        try:
            backoff.pause(error)
        except ConnectionLost:
            self._has_timed_out = True
            raise

    def read(self, journal: str, work: Callable[[View], T]) -> T:
        return self._retry(lambda: super(PostgresStore, self).read(journal, work))

    def stored_entries(self, journal: str, *, after: int, limit: int) -> Sequence[StoredEntry]:
        return self._retry(lambda: super(PostgresStore, self).stored_entries(journal, after=after, limit=limit))

    def inspect(self, journal: str, work: Callable[[Snapshot], T]) -> T:
        return self._retry(lambda: super(PostgresStore, self).inspect(journal, work))

    def journals(self) -> list[str]:
        return self._retry(super().journals)

    def credential(self, hash: str) -> tuple[str, Credential] | None:
        return self._retry(lambda: super(PostgresStore, self).credential(hash))

    def _ensure_journal(self, journal: str) -> tuple[int, object]:
        return self._retry(lambda: super(PostgresStore, self)._ensure_journal(journal))

    def _add_journal(self, journal: str, secret: bytes) -> None:
        def work(connection: SqlConnection) -> Sequence[Entry]:
            connection.set_lookup(f"name:{journal}")
            connection.many(queries.ADD_JOURNAL, [(journal, secret)])
            return ()

        self._transact(0, work)

    def claim_process_lock(self) -> tuple[str, int]:
        self._check_open()
        return (self._presence.name, self._presence.claim()) if self._presence else ("", secrets.randbits(46))

    def heartbeat(self, journal: str, session: str, lock: int, seconds: float) -> None:
        self._check_open()
        self._heartbeat.keep(journal, session, lock, seconds)

    def _beat(self, journal: str, session: str, lock: int, seconds: float) -> bool:
        def work(ledger: Ledger) -> bool:
            row = ledger.get(Session, session)
            if row is None or row.status != "open" or row.lock != lock:
                return False
            ledger.renew(session, seconds)
            return True

        return self.write(journal, work)

    def wait(self, journal: str, *, after: int, seconds: float) -> int:
        return self._changes.wait(lambda: self.read(journal, lambda view: view.head().seq), after, seconds)

    def _watch(self, stop: Callable[[], bool]) -> None:
        """Listen for commits of other processes. A new connection notifies too: a lost one may have missed some."""
        try:
            with psycopg.connect(self._address, autocommit=True) as connection:
                connection.execute(f"listen {CHANNEL}")
                self._changes.notify()
                while not stop():
                    for _ in connection.notifies(timeout=WATCH_POLL_SECONDS, stop_after=1):
                        self._changes.notify()
        except psycopg.Error:
            time.sleep(WATCH_POLL_SECONDS)  # a caller that still waits starts the watcher again

    def scrub(self, journal: str) -> Literal["done", "pending"]:
        """Vacuum erased rows away; a transaction that may still see them blocks that."""
        self._check_open()
        deadline = time.monotonic() + SCRUB_SECONDS
        skipped: list[object] = []  # the server sends a notice, and does nothing, if the user does not own the tables
        with translated_errors(self.database), psycopg.connect(self._address, autocommit=True) as connection:
            connection.add_notice_handler(skipped.append)
            now = connection.execute("select pg_snapshot_xmax(pg_current_snapshot())::xid::text").fetchone()
            while held := connection.execute(_OLDER_TRANSACTIONS, now).fetchone() != (0,):
                if time.monotonic() > deadline:
                    break
                time.sleep(0.01)
            connection.execute("vacuum bodies")
            connection.execute("vacuum words")
        return "pending" if held or skipped else "done"

    def close(self) -> None:
        if self._closed:
            return
        if self._process_id == process_id():
            self._flush_written()
        self._closed = True
        if self._process_id != process_id():
            return
        self._changes.close()
        self._heartbeat.close()
        with self._write_lock:
            for connection in [*self._idle_readers, *([self._writer] if self._writer else [])]:
                connection.pipeline.close()

    def _check_open(self) -> None:
        if self._closed:
            raise journal_closed_error()
        if self._process_id != process_id():
            with self._opening:
                if self._process_id != process_id():
                    _abandoned.append((self._writer, self._idle_readers))
                    self._open()


class Backoff:
    """Pauses of growing length, for RETRY_SECONDS in total."""

    def __init__(self) -> None:
        self._deadline: float | None = None
        self._seconds = 0.01

    def pause(self, error: ConnectionLost) -> None:
        """Wait a moment; raises `error` once RETRY_SECONDS have passed since the first pause."""
        now = time.monotonic()
        self._deadline = self._deadline or now + RETRY_SECONDS
        if now >= self._deadline:
            error.gave_up = True
            raise error
        time.sleep(self._seconds)
        self._seconds = min(self._seconds * 1.5, 0.5)


def _connection_string(url: str) -> str:
    try:
        parameters = conninfo_to_dict(url)
        defaults = {name: value for name, value in _CONNECTION_DEFAULTS.items() if name not in parameters}
        return make_conninfo(url, client_encoding="UTF8", **defaults)
    except psycopg.ProgrammingError:
        raise InvalidArgument(
            "The address of the PostgreSQL database cannot be read.",
            hint="Write it as postgresql://user@host/database.",
            field="url",
        ) from None


def _display_name(address: str) -> str:
    """The name of the database in error messages."""
    parameters = conninfo_to_dict(address)
    host = parameters.get("host")
    return f"The database {parameters.get('dbname') or 'of this user'}{f' at {host}' if host else ''}"


def _presence_path() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "tallystick" / "presence"
