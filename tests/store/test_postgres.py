"""Tests of PostgreSQL alone: servers that go away, other machines, lease renewal, rights and settings."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Condition, Event

import psycopg
import pytest

from tallystick.core.entries import Entry
from tallystick.core.errors import StorageUnavailable
from tallystick.core.formats.search import parse_query
from tallystick.core.state import Action, Execution, Row, Session
from tallystick.core.types import OUTSTANDING
from tallystick.store.interface import Ledger, Select, View, WhereValue
from tallystick.store.postgres.connection import PostgresConnection
from tallystick.store.postgres.errors import ConnectionLost
from tallystick.store.postgres.roles import ROLE
from tallystick.store.postgres.store import PostgresStore
from tallystick.store.sql import queries
from tests.postgres_server import Server, own_server
from tests.store.drafts import end_session, note, open_session, start
from tests.store.many_processes import open_at_once
from tests.store.sample_journal import append
from tests.store.test_conformance import verified
from tests.stores import Clock

JOURNAL = "j"


@pytest.fixture
def url(postgres: Server) -> Iterator[str]:
    with postgres.database() as address:
        yield address


@pytest.fixture
def opened(url: str) -> Iterator[Callable[..., PostgresStore]]:
    """Opens stores in one fresh database, and closes them at the end."""
    stores: list[PostgresStore] = []

    def open_one(**options: object) -> PostgresStore:
        stores.append(PostgresStore(url, **options))  # type: ignore[arg-type]
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


def _ask(url: str, sql: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(sql.encode())
        return cursor.fetchall() if cursor.description else []


def _name(url: str) -> str:
    """The name of the database."""
    return url.split("?")[0].rpartition("/")[2]


class Tally:
    """Counts acknowledged entries; a test can wait for the count."""

    def __init__(self) -> None:
        self.acknowledged: dict[str, int] = {}
        self._changed = Condition()

    def add(self, body: str, seq: int) -> None:
        with self._changed:
            self.acknowledged[body] = seq
            self._changed.notify_all()

    def wait_for(self, many: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.acknowledged) >= many, timeout=60)


@pytest.fixture(scope="module")
def own() -> Iterator[Server]:
    """A server that may be restarted at will."""
    with own_server() as server:
        yield server


@pytest.mark.xdist_group("own server")
@pytest.mark.parametrize("rights", ["superuser", "createrole"])
def test_databases_of_one_server_that_are_opened_at_once_make_one_role(own: Server, rights: str) -> None:
    own.execute(f"alter role {ROLE} rename to role_before_{rights}")
    own.execute(f"create role opener_{rights} login {rights}")
    with ExitStack() as stack, ThreadPoolExecutor(8) as pool:
        urls = [stack.enter_context(own.database("template0")) for _ in range(4)]
        for url in urls:
            own.execute(f"alter database {_name(url)} owner to opener_{rights}")
        opened = list(pool.map(lambda url: PostgresStore(url.replace("postgres:", f"opener_{rights}:")), urls * 2))
        assert [store.has_role for store in opened] == [True] * 8
        assert [append(store, note())[0].seq for store in opened] == [1] * 4 + [2] * 4
        for store in opened:
            store.close()


@pytest.mark.xdist_group("own server")
def test_a_server_that_crashes_under_eight_writers_loses_and_doubles_nothing(
    own: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallystick.store.postgres.store.RETRY_SECONDS", 60)  # a crowded machine restarts it slowly
    writers, restarts, between = 8, 20, 25
    tally, stop = Tally(), Event()

    def write(number: int, store: PostgresStore) -> None:
        for turn in range(10**9):
            if stop.is_set():
                break
            body = f'"writer {number} turn {turn}"'
            tally.add(body, append(store, note(body), journal=f"j{number % 2}")[0].seq)
        store.close()

    with own.database() as url, ThreadPoolExecutor(writers) as pool:
        stores = [PostgresStore(url) for _ in range(writers)]
        writing = [pool.submit(write, number, store) for number, store in enumerate(stores)]
        try:
            for _ in range(restarts):
                tally.wait_for(len(tally.acknowledged) + between)
                own.restart_at_once()
            tally.wait_for(len(tally.acknowledged) + between)
        finally:
            stop.set()
        for each in writing:
            each.result()
        store = PostgresStore(url)
        stored = [each for journal in ("j0", "j1") for each in store.stored_entries(journal, after=0, limit=10**6)]
        assert len(tally.acknowledged) > restarts * between
        assert {each.body: each.seq for each in stored} == tally.acknowledged
        assert len(stored) == len(tally.acknowledged)
        for journal in ("j0", "j1"):
            verified(store, journal)
        store.close()


@pytest.mark.parametrize("point", ["decided", "writing", "written", "before_commit", "after_commit"])
def test_a_connection_that_ends_at_any_point_is_taken_up_again(
    url: str, opened: Callable[..., PostgresStore], point: str
) -> None:
    armed = False

    def fault(name: str) -> None:
        nonlocal armed
        if armed and name == point:
            armed = False
            _ask(
                url,
                """select pg_terminate_backend(pid, 5000) from pg_stat_activity
                where application_name = 'tallystick' and datname = current_database()""",
            )

    store = opened(fault=fault)
    for ends in (True, False, True, True):  # the third is sent in hope, all in one
        armed = ends
        append(store, note())
        assert not armed
    assert [entry.seq for entry in verified(store)] == [1, 2, 3, 4]


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize("reached", [False, True])
def test_a_commit_without_an_answer_is_looked_up_before_it_is_done_again(
    opened: Callable[..., PostgresStore], monkeypatch: pytest.MonkeyPatch, *, reached: bool, answered: bool
) -> None:
    store, other = opened(), opened()
    append(store, note())
    real, losses, runs = PostgresConnection.commit, [1], []

    def commit(self: PostgresConnection, added: Sequence[Entry]) -> None:
        if reached or not losses:
            real(self, added)
        if losses:
            losses.pop()
            self.pipeline.close()
            if answered:
                append(other, note('"of another writer"'))  # in between
            raise ConnectionLost("the database", "the cable was cut")

    monkeypatch.setattr(PostgresConnection, "commit", commit)

    def work(ledger: Ledger) -> Entry:
        runs.append(1)
        return ledger.append(note('"once"'))

    entry = store.write(JOURNAL, work)
    assert len(runs) == (1 if reached else 2)
    bodies = [stored.body for stored in store.stored_entries(JOURNAL, after=0, limit=99)]
    assert bodies.count('"once"') == 1
    assert bodies[entry.seq - 1] == '"once"'
    assert verified(store)[entry.seq - 1] == entry


@pytest.mark.xdist_group("own server")
def test_a_server_that_stays_away_is_reported_and_so_is_an_unknown_commit(
    own: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallystick.store.postgres.store.RETRY_SECONDS", 0.2)
    with own.database() as url:
        store = PostgresStore(url)
        append(store, note())
        real = PostgresConnection.commit

        def commit(self: PostgresConnection, added: Sequence[Entry]) -> None:
            own.stop_server()
            real(self, added)

        monkeypatch.setattr(PostgresConnection, "commit", commit)
        with pytest.raises(StorageUnavailable, match="it is unknown whether this call was recorded"):
            append(store, note('"lost"'))
        monkeypatch.setattr(PostgresConnection, "commit", real)
        for call in (lambda: append(store, note()), lambda: verified(store), store.journals):
            with pytest.raises(StorageUnavailable, match="cannot be reached"):
                call()
        own.start_server()
        assert append(store, note())[0].seq == len(verified(store)) == 2
        store.close()


def test_waiting_survives_the_loss_of_the_watcher_s_connection(url: str, opened: Callable[..., PostgresStore]) -> None:
    waiter, writer = opened(), opened()
    append(writer, note())
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(waiter.wait, JOURNAL, after=1, seconds=60)
        listening = "from pg_stat_activity where query like 'listen%' and datname = current_database()"
        while not _ask(url, f"select pg_terminate_backend(pid, 5000) {listening}"):
            assert not waiting.done()
        append(writer, note())
        assert waiting.result(30) == 2


def test_a_session_of_another_machine_is_judged_by_its_lease(
    opened: Callable[..., PostgresStore], clock: Clock
) -> None:
    store = opened(clock=clock)
    _, lock = store.claim_process_lock()
    session = append(store, open_session("process", host="another machine", lock=lock))[0].id
    store.write(JOURNAL, lambda ledger: ledger.renew(session, 60))
    assert not store.read(JOURNAL, lambda view: view.is_over(_session(view, session)))
    clock.advance(61)
    assert store.read(JOURNAL, lambda view: view.is_over(_session(view, session)))


def _session(view: View, session: str) -> Session:
    found = view.get(Session, session)
    assert found
    return found


def test_a_heartbeat_renews_a_lease_until_the_session_ends(opened: Callable[..., PostgresStore], clock: Clock) -> None:
    beat = Event()
    store = opened(clock=clock, fault=lambda point: beat.set() if point == "after_commit" else None)
    session = append(store, open_session("process", host="h", lock=1))[0].id
    first = store.write(JOURNAL, lambda ledger: ledger.renew(session, 0.03))
    clock.advance(100)
    beat.clear()
    store.heartbeat(JOURNAL, session, 1, 0.03)
    for _ in range(3):
        assert beat.wait(20)
        lease = store.read(JOURNAL, lambda view: view.lease(session))
        assert lease
        assert lease.expires == clock.now + 30_000 > first.expires
        beat.clear()
    append(store, end_session(session))
    thread = store._heartbeat._thread
    if thread is not None:
        thread.join(20)
    assert store._heartbeat._thread is None


def test_a_heartbeat_does_not_renew_the_lease_of_another(opened: Callable[..., PostgresStore], clock: Clock) -> None:
    store = opened(clock=clock)
    session = append(store, open_session("process", host="h", lock=1))[0].id
    lease = store.write(JOURNAL, lambda ledger: ledger.renew(session, 60))
    clock.advance(10)
    assert store._beat(JOURNAL, session, 2, 60) is False
    assert store.read(JOURNAL, lambda view: view.lease(session)) == lease
    assert store._beat(JOURNAL, session, 1, 60) is True
    assert store.read(JOURNAL, lambda view: view.lease(session)) != lease


def test_without_room_for_a_lock_leases_are_used(
    opened: Callable[..., PostgresStore], clock: Clock, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    store = opened(clock=clock, presence_path=tmp_path / "file" / "presence")
    assert store.claim_process_lock()[0] == ""
    session = append(store, open_session("process"))[0].id
    store.write(JOURNAL, lambda ledger: ledger.renew(session, 60))
    assert not store.read(JOURNAL, lambda view: view.is_over(_session(view, session)))


def test_the_lock_is_in_the_user_s_data_folder(
    opened: Callable[..., PostgresStore], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    host, _ = opened().claim_process_lock()
    assert (tmp_path / "tallystick" / "presence").read_text() == host
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert opened().claim_process_lock()[0] == (tmp_path / "home/.local/share/tallystick/presence").read_text() != host


def test_an_entry_with_more_words_than_an_index_takes_is_found_all_the_same(
    opened: Callable[..., PostgresStore],
) -> None:
    store = opened()
    words = [f"{number:032x}" for number in range(60_000)]
    append(store, note(f'"{" ".join(words)} needle"'), note('"needle in the hay"'))
    store.index(JOURNAL)

    def found(text: str) -> list[int]:
        return store.read(JOURNAL, lambda view: view.search(parse_query(text), limit=9).seqs)

    assert found("needle") == [2, 1]
    assert found(f"{words[0]} {words[-1]} need*") == [1]
    assert found(f"{words[30_000][:31]}* needle") == [1]
    assert found(f"{words[0]} hay") == []
    store.write(JOURNAL, lambda ledger: ledger.erase([1]))
    assert (found("needle"), found(words[0]), found("noted")) == ([2], [], [2, 1])


def test_scrubbing_is_pending_while_somebody_reads_an_older_state(
    opened: Callable[..., PostgresStore], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallystick.store.postgres.store.SCRUB_SECONDS", 0.0)
    store, reader = opened(), opened()
    append(store, note('"gone"'), note('"kept"'))

    def look(view: View) -> str:
        assert len(view.bodies([1, 2])) == 2
        store.write(JOURNAL, lambda ledger: ledger.erase([1]))
        return store.scrub(JOURNAL)

    assert reader.read(JOURNAL, look) == "pending"
    assert store.scrub(JOURNAL) == "done"
    # Only a row in the space of a dead one, which vacuum has freed, gets the number of the first.
    append(store, note('"new"'))
    assert _ask(url, "select count(*) from bodies where ctid = '(0,1)'") == [(1,)]


def test_entries_cannot_be_truncated(url: str, opened: Callable[..., PostgresStore]) -> None:
    store = opened()
    append(store, note())
    with pytest.raises(psycopg.Error, match="entries are final"):
        _ask(url, "truncate entries cascade")
    assert len(verified(store)) == 1


def test_sixty_four_processes_open_one_new_database_at_once(postgres: Server) -> None:
    with postgres.database("template0") as first, postgres.database("template0") as second:
        assert open_at_once([first, second], 64) == ""
        for url in (first, second):
            store = PostgresStore(url)
            assert len(verified(store)) == 64
            store.close()


@pytest.mark.parametrize(
    ("setting", "used"), [("off", "on"), ("local", "on"), ("on", "on"), ("remote_apply", "remote_apply")]
)
def test_commits_are_durable_with_any_default_of_the_server(
    url: str, opened: Callable[..., PostgresStore], setting: str, used: str
) -> None:
    _ask(url, f"alter database {_name(url)} set synchronous_commit = '{setting}'")
    store = opened()
    append(store, note())
    assert store._writer
    assert store._writer.pipeline.send([("show synchronous_commit", ())]) == [[(used,)]]


def test_time_is_the_server_s(url: str, opened: Callable[..., PostgresStore]) -> None:
    now = "select (extract(epoch from clock_timestamp()) * 1000000)::bigint"
    store = opened()
    before = _ask(url, now)
    times = [append(store, note())[0].at for _ in range(10)]
    after = _ask(url, now)
    assert [before[0][0], *times, after[0][0]] == sorted([before[0][0], *times, after[0][0]])  # type: ignore[type-var]
    assert len(set(times)) == 10


UNSETTLED = ("open", "doubted", "unknown")
OPEN = ("running", "paused", "blocked", "unwinding")


def test_rows_are_found_by_the_index_that_is_meant_for_them(url: str, opened: Callable[..., PostgresStore]) -> None:
    store = opened()
    _ask(
        url,
        """insert into actions select 1, 'ac_' || n, 'ex_' || n % 40, 'se_' || n % 9,
            case when n % 2000 = 0 then 'open' else 'ok' end, case when n % 100 = 0 then 'not_undone' else '' end,
            's', 'pay', 'e1:' || n, 'tester', n, '', '{}' from generate_series(1, 20000) as n;
        insert into executions select 1, 'ex_' || n, case when n % 2000 = 0 then 'running' else 'completed' end,
            't', 'pl', 'tester', 'se', n, '{}' from generate_series(1, 20000) as n;
        analyze""",
    )
    cases: list[tuple[type[Row], dict[str, WhereValue], str]] = [
        (Action, {"state": UNSETTLED}, "actions_unsettled_in_order"),
        (Action, {"state": UNSETTLED, "session": "se_1"}, "actions_unsettled"),
        (Action, {"session": "se_none"}, "actions_of_session"),
        (Action, {"execution": "ex_1", "undo_state": OUTSTANDING}, "actions_not_undone"),
        (Action, {"execution": "ex_1", "effect_key": "e1:1"}, "actions_by_effect"),
        (Execution, {"status": OPEN}, "executions_open"),
    ]
    for table, where, index in cases:
        sql, values = queries.find(table, Select(where=where))
        with store._reading() as connection:
            plan = "\n".join(line for (line,) in connection.rows(f"explain {sql}", [1, *values]))
        assert index in plan


def test_a_read_only_database_refuses_writes_and_can_be_read(url: str, opened: Callable[..., PostgresStore]) -> None:
    append(opened(), start(), note())
    _ask(url, f"alter database {_name(url)} set default_transaction_read_only = on")
    store = opened()
    with pytest.raises(StorageUnavailable, match=r"may not be written.*not recorded"):
        append(store, note())
    assert len(verified(store)) == 2
