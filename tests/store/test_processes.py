"""The promises of stores to several processes, for SQLite and PostgreSQL alike."""

import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread
from zlib import crc32

import apsw
import psycopg
import pytest

from tallystick.core.errors import Unsupported
from tallystick.core.state import ROW_FORMAT, TABLES, Execution, Session
from tallystick.store.interface import Credential, Select, View
from tallystick.store.sql.migrations import newest
from tests.store.drafts import credential, note, open_session
from tests.store.old_schemas import take_back
from tests.store.other_process import another, answer
from tests.store.sample_journal import append, record
from tests.store.test_conformance import verified
from tests.stores import Clock, Home, open_store

JOURNAL = "j"
# From Python 3.12 on: forking beside threads is what some tests are about.
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


class Bare:
    """The database behind a store, by its bare driver."""

    def __init__(self, home: Home) -> None:
        self.error: type[Exception] = apsw.Error if home.kind == "sqlite" else psycopg.Error
        self._sqlite = apsw.Connection(str(home.path)) if home.kind == "sqlite" else None
        self._postgres = psycopg.connect(home.url, autocommit=True) if home.kind == "postgres" else None

    def run(self, sql: str) -> list[tuple[object, ...]]:
        if self._sqlite:
            return self._sqlite.execute(sql).fetchall()
        assert self._postgres
        cursor = self._postgres.execute(sql.encode())
        return cursor.fetchall() if cursor.description else []

    def indexes(self) -> list[tuple[object, ...]]:
        if self._sqlite:
            return self.run("select name from sqlite_master where type = 'index' order by name")
        return self.run("select indexname from pg_indexes where schemaname = current_schema() order by indexname")

    def close(self) -> None:
        if self._sqlite:
            self._sqlite.close()
        if self._postgres:
            self._postgres.close()


@contextmanager
def bare(home: Home) -> Iterator[Bare]:
    database = Bare(home)
    try:
        yield database
    finally:
        database.close()


@pytest.mark.parametrize(
    "attack",
    [
        "update entries set line = 'forged'",
        "update entries set hash = hash",
        "delete from entries",
        "update bodies set body = 'forged'",
        "insert into entries select * from entries",
    ],
)
def test_the_database_itself_refuses_to_change_an_entry(shared_home: Home, attack: str) -> None:
    store = shared_home.open()
    before = append(store, note('"a"'), note('"b"'))
    with bare(shared_home) as database, pytest.raises(database.error):
        database.run(attack)
    assert verified(store) == before


def test_a_rebuild_restores_every_row_to_the_letter(shared_home: Home, clock: Clock) -> None:
    store = shared_home.open(clock=clock)
    record(store, clock=clock, seed=8, works=60)
    with bare(shared_home) as database:

        def rows() -> list[list[tuple[object, ...]]]:
            return [database.run(f"select * from {table.TABLE} order by journal, id") for table in TABLES]

        before = rows()
        assert sum(map(len, before)) > 60
        for table in TABLES:
            database.run(f"update {table.TABLE} set doc = '{{}}'")
        store.rebuild(JOURNAL)
        assert rows() == before
        for table in TABLES:
            database.run(f"delete from {table.TABLE}")
        store.rebuild(JOURNAL)
        assert rows() == before


def test_a_rebuild_and_a_write_take_turns(shared_home: Home) -> None:
    armed, in_the_middle, go_on = Event(), Event(), Event()

    def fault(point: str) -> None:
        if point == "before_commit" and armed.is_set():
            armed.clear()
            in_the_middle.set()
            assert go_on.wait(20)

    store = shared_home.open(fault=fault)
    append(store, note())
    armed.set()
    with ThreadPoolExecutor(2) as pool:
        rebuilding = pool.submit(store.rebuild, JOURNAL)
        assert in_the_middle.wait(20)
        writing = pool.submit(append, store, note())
        assert not wait([writing], timeout=0.3).done
        go_on.set()
        assert rebuilding.result(20) in (1, 2)  # the write may come before the length is looked at
        assert writing.result(20)[0].seq == 2
    verified(store)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("insert into schema_versions values (99, '0099_later', 'd')", "knows schemas up to"),
        ("update schema_versions set digest = 'other'", "different SQL"),
    ],
)
def test_a_store_of_another_schema_is_refused_and_left_alone(shared_home: Home, change: str, expected: str) -> None:
    before = append(shared_home.open(), note())
    with bare(shared_home) as database:
        database.run(change)
        with pytest.raises(Unsupported, match=expected):
            shared_home.open()
        database.run("delete from schema_versions where version = 99")
        assert database.run("select count(*) from entries") == [(len(before),)]


@pytest.mark.parametrize("version", range(1, newest("sqlite")))
def test_a_store_of_an_earlier_schema_is_brought_to_the_newest_with_nothing_lost(
    shared_home: Home, clock: Clock, version: int
) -> None:
    store = shared_home.open(clock=clock)
    record(store, clock=clock, seed=3, works=60)
    seq = append(store, credential("ann", "h1", "approve", "admin"))[0].seq
    ann = Credential("ann", "h1", ("approve", "admin"), seq=seq)
    before, bodies = verified(store), store.read(JOURNAL, lambda view: view.bodies(range(200)))
    with bare(shared_home) as database:
        indexes = database.indexes()
    take_back(shared_home, version)
    store = shared_home.open(clock=clock)
    assert verified(store) == before
    assert store.read(JOURNAL, lambda view: view.bodies(range(200))) == bodies
    assert store.credential("h1") == (JOURNAL, ann)
    assert append(store, note())[0].seq == len(before) + 1
    with bare(shared_home) as database:
        assert database.indexes() == indexes
        assert database.run("select max(version) from schema_versions") == [(newest("sqlite"),)]


def test_rows_of_another_shape_are_folded_again_before_anybody_reads_them(shared_home: Home, clock: Clock) -> None:
    store = shared_home.open(clock=clock)
    record(store, clock=clock, seed=8, works=200)
    executions = store.read(JOURNAL, lambda view: view.find(Execution, Select(limit=100)))
    store.close()
    with bare(shared_home) as database:
        (filed,) = database.run("select filed from journals")
        assert filed != (0,)
        database.run("update journals set shape = 0")
        database.run("update executions set doc = '{}'")
    store = shared_home.open(clock=clock)
    assert store.read(JOURNAL, lambda view: view.find(Execution, Select(limit=100))) == executions
    with bare(shared_home) as database:
        assert database.run("select shape, rebuilt from journals") == [(ROW_FORMAT, 1)]
    shared_home.open(clock=clock).read(JOURNAL, lambda view: view.head())
    with bare(shared_home) as database:
        assert database.run("select shape, rebuilt from journals") == [(ROW_FORMAT, 1)]


def test_the_shape_of_rows_is_counted_up_when_they_say_something_else() -> None:
    expected = [(table.TABLE, table.COLUMNS, table.__struct_fields__) for table in TABLES]
    assert (ROW_FORMAT, f"{crc32(repr(expected).encode()):08x}") == (23, "94d5d8dc")


def test_waiting_ends_with_news_from_another_process(shared_home: Home) -> None:
    store = shared_home.open()
    append(store, note())
    with another(shared_home.url, "append") as process, ThreadPoolExecutor(1) as pool:
        for after in (1, 2):
            waiting = pool.submit(store.wait, JOURNAL, after=after, seconds=60)
            assert answer(process) == str(after + 1)
            assert waiting.result(30) == after + 1
    verified(store)


def test_a_process_session_is_over_as_soon_as_its_process_is_killed(shared_home: Home) -> None:
    store = shared_home.open()

    with another(shared_home.url, "claim") as process:
        session = answer(process)
        assert not store.read(JOURNAL, lambda view: _over(view, session))
        process.kill()
        process.wait()
        assert store.read(JOURNAL, lambda view: _over(view, session))


def test_the_death_of_a_process_is_seen_in_a_store_that_was_deleted_and_made_again(tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path / 'store' / 'journal.db'}"
    for _ in range(2):
        with closing(open_store(url)) as store, another(url, "claim") as process:
            session = answer(process)
            process.kill()
            process.wait()
            assert store.read(JOURNAL, lambda view, id=session: _over(view, id))  # type: ignore[misc]
        shutil.rmtree(tmp_path / "store")


def test_processes_that_append_at_once_make_one_dense_chain(shared_home: Home) -> None:
    store = shared_home.open()
    append(store, note())
    rounds = 20
    with (
        another(shared_home.url, "append") as first,
        another(shared_home.url, "append") as second,
        ThreadPoolExecutor(3) as pool,
    ):

        def loop(step: Callable[[], object]) -> list[object]:
            return [step() for _ in range(rounds)]

        list(pool.map(loop, [lambda: answer(first), lambda: answer(second), lambda: append(store, note())]))
    assert len(verified(store)) == 3 * rounds + 1


def _in_child(work: Callable[[], object]) -> None:
    """Run `work` in a forked child; its failure is ours."""
    child = os.fork()
    if not child:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_a_store_that_was_opened_before_a_fork_works_on_both_sides(shared_home: Home) -> None:
    store = shared_home.open()
    append(store, note())

    def child() -> None:
        append(store, note('"of the child"'))
        assert len(verified(store)) == 2
        assert store.wait(JOURNAL, after=1, seconds=60) == 2
        store.close()

    _in_child(child)
    append(store, note('"of the parent"'))
    assert [entry.seq for entry in verified(store)] == [1, 2, 3]


def test_a_child_s_entries_stay_if_its_parent_closes_first(shared_home: Home) -> None:
    store = shared_home.open()
    append(store, note())
    parent_closed, tell_child = os.pipe()
    child_written, tell_parent = os.pipe()

    def child() -> None:
        append(store, note())
        os.write(tell_parent, b"!")
        assert os.read(parent_closed, 1)
        append(store, note())
        store.close()

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(_in_child, child)
        assert os.read(child_written, 1)
        store.close()
        with another(shared_home.url, "append") as process:
            assert answer(process) == "3"
            os.write(tell_child, b"!")
            waiting.result()
            assert answer(process) == "5"
    for end in (parent_closed, tell_child, child_written, tell_parent):
        os.close(end)
    assert len(verified(shared_home.open())) == 5


def test_a_child_goes_on_though_its_parent_was_forked_in_the_middle_of_writing(shared_home: Home) -> None:
    started, stop = Event(), Event()
    in_the_middle: Callable[[str], None] = lambda point: started.set()  # noqa: E731
    store = shared_home.open(fault=in_the_middle)

    def write() -> None:
        while not stop.is_set():
            append(store, note())

    writers = [Thread(target=write) for _ in range(4)]
    for writer in writers:
        writer.start()
    try:
        for _ in range(5):
            started.clear()
            assert started.wait(20)
            _in_child(lambda: append(store, note('"of the child"')))
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    children = [stored for stored in store.stored_entries(JOURNAL, after=0, limit=10**6) if stored.body]
    assert len(children) == 5
    verified(store)


def test_a_claim_is_not_inherited_by_a_forked_child(shared_home: Home) -> None:
    store = shared_home.open()
    read, write = os.pipe()

    def child() -> None:
        host, lock = store.claim_process_lock()
        session = append(store, open_session("process", host=host, lock=lock))[0].id
        assert not store.read(JOURNAL, lambda view: _over(view, session))
        os.write(write, session.encode())

    _in_child(child)
    session = os.read(read, 100).decode()
    os.close(read)
    os.close(write)
    assert store.read(JOURNAL, lambda view: _over(view, session))


def _over(view: View, id: str) -> bool:
    session = view.get(Session, id)
    assert session
    return view.is_over(session)
