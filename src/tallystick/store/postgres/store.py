"""Journals in a PostgreSQL database, shared by many processes and machines.

- Durable: `synchronous_commit` is on; what was committed is on the server's disk.
- In order: a writer locks its journal first, so commit order is sequence order.
- Apart: the server itself shows a transaction one journal only (see migrations/0005).
- Persistent: when the server goes away the work is done again; when it went away while committing, the journal itself
  tells whether the entries are there. Nothing is appended twice.
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
from tallystick.store.interface import Credential, Ledger, StoredEntry, View
from tallystick.store.liveness import Heartbeat, presence
from tallystick.store.notifications import News
from tallystick.store.postgres import roles
from tallystick.store.postgres.connection import CHANNEL, Outdated, PostgresConnection
from tallystick.store.postgres.errors import Lost, Undecided, Unreachable, check_server, explained
from tallystick.store.postgres.pipeline import Wire
from tallystick.store.sql import migrations, queries
from tallystick.store.sql.connection import SqlConnection
from tallystick.store.sql.store import SqlStore

T = TypeVar("T")

READERS = 8
"""The most connections that read at once; more callers wait for each other."""
PATIENCE_SECONDS = 10.0
"""How long a server may be away before a call fails: a restart takes less."""
SCRUB_SECONDS = 1.0
WATCH_SECONDS = 0.1
_MIGRATION_LOCK = 7_312_985_643
_SETTINGS = (
    # remote_apply is more than on, and stays.
    """select set_config(name, 'on', false) from pg_settings
    where name = 'synchronous_commit' and setting <> 'remote_apply'""",
    "set default_transaction_isolation = 'read committed'",
    "set bytea_output = hex",
)
_WRITER_SETTINGS = (
    # A process that was stopped in the middle must not hold up the others; it begins again when it goes on.
    "set idle_in_transaction_session_timeout = '60s'",
    # What a writer asks is found by keys: a plan for each value would be the same plan.
    "set plan_cache_mode = force_generic_plan",
)
_ADDRESS: dict[str, str | int] = {
    "application_name": "tallystick",
    "connect_timeout": 10,
    "tcp_user_timeout": 15_000,
    "keepalives_idle": 15,
}
_OLDER = """select count(*) from (
    select unnest(array[backend_xid, backend_xmin]) from pg_stat_activity
    where pid <> pg_backend_pid() and backend_type <> 'autovacuum worker'
        and (datname = current_database() or datname is null or backend_type = 'walsender')
    union all select xmin from pg_replication_slots
    union all select transaction from pg_prepared_xacts where database = current_database()
) as held (number) where age(held.number) > age(%s::xid)"""
_abandoned: list[object] = []
"""Connections of a parent process: closing them in a forked child would end the parent's."""


class PostgresStore(SqlStore):
    """All journals in one database."""

    def __init__(
        self,
        url: str,
        *,
        clock: Callable[[], int] | None = None,
        fault: Callable[[str], None] | None = None,
        presence_path: Path | None = None,
    ) -> None:
        super().__init__(fault)
        self._address = _address(url)
        self.database = _database(self._address)
        self._clock = clock
        self._presence_path = presence_path or _presence_path()
        self._closed = False
        self._opening = Lock()
        self._open()

    def _open(self) -> None:
        self._forget()
        self._process = process_id()
        self.has_role = False
        self._in_vain = False
        self._alone = Lock()
        self._readers = BoundedSemaphore(READERS)
        self._idle: list[PostgresConnection] = []
        self._news = News(self._watch)
        self._heartbeat = Heartbeat(self._beat)
        with suppress(OSError):  # with no place for a lock, leases have to do
            self._presence_path.parent.mkdir(parents=True, exist_ok=True)
            self._presence = presence(self._presence_path)
        # A wrong address is told at once; a server that starts, or is crowded, or went away again, is waited for.
        self._writer: PostgresConnection | None = self._again(
            self._first_connection, lambda error: error.passing or not isinstance(error, Unreachable)
        )

    def _first_connection(self) -> PostgresConnection:
        writer = self._connect_writer()
        try:
            check_server(self.database, *writer.wire.server())
            self._migrate(writer.wire)
            self.has_role = roles.establish(writer.wire)
            if self.has_role:
                writer.wire.send([(roles.TAKE_ROLE, ())])
        except BaseException:
            writer.wire.close()
            raise
        return writer

    def _connect_writer(self) -> PostgresConnection:
        return self._connect(_WRITER_SETTINGS)

    def _connect(self, more: Sequence[str] = ()) -> PostgresConnection:
        wire = Wire(self._address, self.database)
        role = (roles.TAKE_ROLE,) if self.has_role else ()
        wire.send([(sql, ()) for sql in (*_SETTINGS, *more, *role)])
        self._in_vain = False
        return PostgresConnection(wire, self._clock)

    def _migrate(self, wire: Wire) -> None:
        known = len(migrations.migrations("postgres"))
        if wire.send([("select to_regclass('schema_versions') is not null", ())])[0][0][0]:
            found = wire.send([("select version, digest from schema_versions order by version", ())])[0]
            if len(found) >= known:
                migrations.migrate("postgres", [(version, digest) for version, digest in found], str, str)
                return
        connection = wire.connection
        with explained(self.database), connection.transaction():
            connection.execute("select pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
            connection.execute(migrations.LEDGER)
            applied = connection.execute("select version, digest from schema_versions order by version").fetchall()
            migrations.migrate(
                "postgres",
                applied,
                lambda sql: connection.execute(sql.encode()),
                lambda each: connection.execute(
                    "insert into schema_versions values (%s, %s, %s)", (each.version, each.name, each.digest)
                ),
            )

    def _transact(self, number: int, work: Callable[[SqlConnection], Sequence[Entry]]) -> None:
        self._check_open()
        with self._alone:
            self._check_open()
            self._commit_surely(number, work)
        self._news.told()

    def _commit_surely(self, number: int, work: Callable[[SqlConnection], Sequence[Entry]]) -> None:
        patience = Backoff()
        hopeful = True
        sent: Sequence[Entry] = ()  # with a commit that nobody has answered
        while True:
            try:
                writer = self._writer = self._writer or self._connect_writer()
                writer.begin_writing(number, hopeful=hopeful)
                if sent and writer.holds(sent[-1]):
                    writer.rollback()
                    return
                sent = ()
                added = work(writer)
                writer.check()
                self._fault("before_commit")
                sent = added
                writer.commit(added)
                self._fault("after_commit")
                return
            except Outdated:
                hopeful = False
                sent = ()
                self._give_up()
            except Lost as error:
                self._writer = None
                lost = Undecided(self.database, str(error.__cause__ or "no answer")) if sent else error
                self._pause(patience, lost)
            except Exception:
                certain = self._writer is None or self._writer.certain()
                self._give_up()
                if certain:
                    raise
                hopeful = False  # a work that refuses is heard when it saw the journal as it is
            except BaseException:
                self._give_up()
                raise

    def _give_up(self) -> None:
        if self._writer is not None:
            with suppress(StorageUnavailable):
                self._writer.rollback()
            if self._writer.wire.lost:
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
                    reader.wire.close()
                elif not reader.wire.lost:
                    self._idle.append(reader)

    def _reader(self) -> PostgresConnection:
        while self._idle:
            with suppress(IndexError):
                reader = self._idle.pop()
                if not reader.wire.stale():
                    return reader
                reader.wire.close()
        return self._connect()

    def _again(self, work: Callable[[], T], hopeful: Callable[[Lost], bool] = lambda error: True) -> T:
        """What `work` returns; it is done anew when the connection was lost in it."""
        patience = Backoff()
        while True:
            try:
                return work()
            except Lost as error:
                if error.given_up or not hopeful(error):
                    raise
                self._pause(patience, error)

    def _pause(self, patience: "Backoff", error: Lost) -> None:
        """Wait a moment for a server that is away. One that was waited for in vain is waited for no more until it is
        back, or says that it starts: else each call would be held up anew, however long it stays away."""
        if self._in_vain and isinstance(error, Unreachable) and not error.passing:
            error.given_up = True
            raise error
        try:
            patience.pause(error)
        except Lost:
            self._in_vain = True
            raise

    def read(self, journal: str, work: Callable[[View], T]) -> T:
        return self._again(lambda: super(PostgresStore, self).read(journal, work))

    def stored_entries(self, journal: str, *, after: int, limit: int) -> Sequence[StoredEntry]:
        return self._again(lambda: super(PostgresStore, self).stored_entries(journal, after=after, limit=limit))

    def journals(self) -> list[str]:
        return self._again(super().journals)

    def credential(self, hash: str) -> tuple[str, Credential] | None:
        return self._again(lambda: super(PostgresStore, self).credential(hash))

    def _journal(self, journal: str) -> tuple[int, bytes]:
        return self._again(lambda: super(PostgresStore, self)._journal(journal))

    def _add_journal(self, journal: str, secret: bytes) -> None:
        def work(connection: SqlConnection) -> Sequence[Entry]:
            connection.seek(f"name:{journal}")
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
            found = ledger.get(Session, session)
            if found is None or found.status != "open" or found.lock != lock:
                return False
            ledger.renew(session, seconds)
            return True

        return self.write(journal, work)

    def wait(self, journal: str, *, after: int, seconds: float) -> int:
        return self._news.wait(lambda: self.read(journal, lambda view: view.head().seq), after, seconds)

    def _watch(self, idle: Callable[[], bool]) -> None:
        """Hear what is committed elsewhere. A connection that was lost may have had news: that is news too."""
        try:
            with psycopg.connect(self._address, autocommit=True) as connection:
                connection.execute(f"listen {CHANNEL}")
                self._news.told()
                while not idle():
                    for _ in connection.notifies(timeout=WATCH_SECONDS, stop_after=1):
                        self._news.told()
        except psycopg.Error:
            time.sleep(WATCH_SECONDS)  # whoever still waits starts the watch again

    def scrub(self, journal: str) -> Literal["done", "pending"]:
        """Vacuum away what was erased; a transaction that may still see it holds that up."""
        self._check_open()
        until = time.monotonic() + SCRUB_SECONDS
        skipped: list[object] = []  # who does not own the tables is told so, and nothing is done
        with explained(self.database), psycopg.connect(self._address, autocommit=True) as connection:
            connection.add_notice_handler(skipped.append)
            now = connection.execute("select pg_snapshot_xmax(pg_current_snapshot())::xid::text").fetchone()
            while held := connection.execute(_OLDER, now).fetchone() != (0,):
                if time.monotonic() > until:
                    break
                time.sleep(0.01)
            connection.execute("vacuum bodies")
            connection.execute("vacuum words")
        return "pending" if held or skipped else "done"

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._process != process_id():
            return
        self._news.close()
        self._heartbeat.close()
        with self._alone:
            for connection in [*self._idle, *([self._writer] if self._writer else [])]:
                connection.wire.close()

    def _check_open(self) -> None:
        if self._closed:
            raise journal_closed_error()
        if self._process != process_id():
            with self._opening:
                if self._process != process_id():
                    _abandoned.append((self._writer, self._idle))
                    self._open()


class Backoff:
    """Pauses that grow, until it runs out."""

    def __init__(self) -> None:
        self._until: float | None = None
        self._pause = 0.01

    def pause(self, error: Lost) -> None:
        """Wait a moment; raise `error` when it has been long enough since the first."""
        now = time.monotonic()
        self._until = self._until or now + PATIENCE_SECONDS
        if now >= self._until:
            error.given_up = True
            raise error
        time.sleep(self._pause)
        self._pause = min(self._pause * 1.5, 0.5)


def _address(url: str) -> str:
    try:
        given = conninfo_to_dict(url)
        return make_conninfo(url, client_encoding="UTF8", **{k: v for k, v in _ADDRESS.items() if k not in given})
    except psycopg.ProgrammingError:
        raise InvalidArgument(
            "The address of the PostgreSQL database cannot be read.",
            hint="Write it as postgresql://user@host/database.",
            field="url",
        ) from None


def _database(address: str) -> str:
    """How errors name the database."""
    given = conninfo_to_dict(address)
    host = given.get("host")
    return f"The database {given.get('dbname') or 'of this user'}{f' at {host}' if host else ''}"


def _presence_path() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "tallystick" / "presence"
