"""Tests of SQLite alone: erased bytes, query plans, first starts, and failing disks."""

import fcntl
import os
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import apsw
import pytest

from tallystick.core.entries import BodyErased
from tallystick.core.errors import StorageUnavailable, Unsupported
from tallystick.core.formats.search import parse_query
from tallystick.core.state import Action, Approval, Execution, Row, Session
from tallystick.core.types import OUTSTANDING
from tallystick.store.interface import PRESENT, Ledger, Select, View, WhereValue
from tallystick.store.sql import queries
from tallystick.store.sqlite.store import SqliteStore
from tests.store.drafts import draft, note, start
from tests.store.many_processes import open_at_once
from tests.store.sample_journal import append
from tests.store.test_conformance import verified

JOURNAL = "j"
# From Python 3.12 on: forking beside threads is what some tests are about.
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(path)
    yield opened
    opened.close()


def _bytes(path: Path) -> bytes:
    """All that the files of a store hold."""
    return b"".join(each.read_bytes() for each in sorted(path.parent.glob(f"{path.name}*")))


def _plant(store: SqliteStore, chance: random.Random, *, works: int) -> dict[str, tuple[str, int]]:
    """Bodies of many sizes in several journals, so that pages split and cells move. Where each canary is."""
    planted: dict[str, tuple[str, int]] = {}
    for _ in range(works):
        journal = f"j{chance.randint(0, 4)}"
        canaries = [os.urandom(20).hex() for _ in range(chance.randint(1, 6))]
        sizes = [chance.choice((0, 50, 300, 900, 1500, 3000, 5000, 20_000)) for _ in canaries]
        bodies = [f'"{"pad " * (size // 4)}{canary} tail"' for canary, size in zip(canaries, sizes, strict=True)]
        entries = append(store, *map(note, bodies), journal=journal)
        planted |= {canary: (journal, entry.seq) for canary, entry in zip(canaries, entries, strict=True)}
        if chance.random() < 0.2:
            store.index(journal)
        if chance.random() < 0.2:
            _erase(store, [planted.pop(chance.choice(sorted(planted)))])
    return planted


def _erase(store: SqliteStore, entries: list[tuple[str, int]]) -> None:
    for journal, seq in entries:

        def work(ledger: Ledger, seq: int = seq) -> None:
            ledger.erase([seq])
            ledger.append(draft(BodyErased(seqs=(seq,))))

        store.write(journal, work)


@pytest.mark.parametrize(("seed", "entries_per_flush"), [(0, 1000), (1, 1), (2, 5)])
def test_no_byte_of_an_erased_body_is_left_in_any_file(
    path: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch, seed: int, entries_per_flush: int
) -> None:
    monkeypatch.setattr("tallystick.store.sql.tail.ENTRIES_PER_FLUSH", entries_per_flush)
    chance = random.Random(seed)
    planted = _plant(store, chance, works=100)
    erased = chance.sample(sorted(planted), len(planted) // 3)
    stored = {
        canary: store.stored_entries(journal, after=seq - 1, limit=1)[0] for canary, (journal, seq) in planted.items()
    }
    _erase(store, [planted[canary] for canary in erased])
    assert store.scrub("j0") == "done"
    found = _bytes(path)
    for canary in erased:
        assert canary[:14].encode() not in found
        assert canary[14:].encode() not in found
        assert (stored[canary].salt or b"?") not in found
    assert all(canary.encode() in found for canary in planted if canary not in erased)
    for journal in store.journals():
        verified(store, journal)


def _free_space_of_the_last_page_of_bodies(path: Path) -> int:
    """Where in the file there is room between the pointers and the cells."""
    connection = apsw.Connection(str(path))
    page: int = connection.execute("select pageno from dbstat where name = 'bodies' order by path desc limit 1").get
    connection.close()
    at = (page - 1) * 4096
    header = path.read_bytes()[at : at + 8]
    assert header[0] == 13
    return at + 8 + 2 * int.from_bytes(header[3:5], "big") + 100


def test_copies_that_deleting_does_not_reach_are_cleaned_and_do_not_come_back(path: Path) -> None:
    store = SqliteStore(path)
    append(store, *(note(f'"{"x" * 500} {number}"') for number in range(46)))
    assert store.scrub(JOURNAL) == "done"
    store.close()
    canary = os.urandom(20).hex().encode()
    with path.open("r+b") as file:  # as SQLite leaves an old copy of a cell when it rebuilds a page
        file.seek(_free_space_of_the_last_page_of_bodies(path))
        file.write(canary)
    store, other = SqliteStore(path), SqliteStore(path)
    for each in (store, other):  # both know the page by now
        assert len(each.write(JOURNAL, lambda ledger: ledger.bodies(range(99)))) == 46
    assert canary in _bytes(path)
    assert store.scrub(JOURNAL) == "done"
    for each in (other, store):
        assert canary not in _bytes(path)
        append(each, note('"y"'))
    assert canary not in _bytes(path)
    assert len(verified(other)) == 48
    store.close()
    other.close()


def test_scrubbing_is_pending_while_somebody_reads_an_older_state(path: Path, store: SqliteStore) -> None:
    canary = os.urandom(20).hex()
    append(store, note(f'"{canary}"'))
    reader = SqliteStore(path, readonly=True)

    def look(view: View) -> str:
        assert view.bodies([1])
        _erase(store, [(JOURNAL, 1)])
        return store.scrub(JOURNAL)

    assert reader.read(JOURNAL, look) == "pending"
    assert store.read(JOURNAL, lambda view: view.bodies([1])) == {}
    assert canary.encode() in _bytes(path)
    assert store.scrub(JOURNAL) == "done"
    assert canary.encode() not in _bytes(path)
    assert reader.scrub(JOURNAL) == "pending"  # it may not write
    reader.close()


UNSETTLED = ("open", "doubted", "unknown")
OPEN = ("running", "paused", "blocked", "unwinding")


@pytest.mark.parametrize(
    ("table", "where", "index"),
    [
        (Action, {"state": UNSETTLED}, "actions_unsettled_in_order"),
        (Action, {"state": UNSETTLED, "session": "se_1"}, "actions_unsettled"),
        (Action, {"state": UNSETTLED, "execution": "ex_1"}, "actions_unsettled_of_execution"),
        (Action, {"execution": "ex_1", "undo_state": OUTSTANDING, "step": PRESENT}, "actions_not_undone_of_steps"),
        (Approval, {"execution": "ex_1", "status": ("pending",)}, "approvals_pending"),
        (Action, {"state": UNSETTLED, "effect_key": "e1:x"}, "actions_unsettled_by_effect"),
        (Action, {"session": "se_1"}, "actions_of_session"),
        (Action, {"execution": "ex_1", "undo_state": OUTSTANDING}, "actions_not_undone"),
        (Action, {"execution": "ex_1", "undo_state": ("not_undone", "undoing")}, "actions_not_undone"),
        (Action, {"execution": "ex_1", "undo_state": "not_undone"}, "actions_not_undone"),
        (Action, {"execution": "ex_1", "undo_state": ("undone",)}, "actions_undone"),
        (Action, {"execution": "ex_1", "undo_state": ("kept",)}, "actions_kept"),
        (Action, {"execution": "ex_1", "to_put_back": ("yes",)}, "actions_to_put_back"),
        (Action, {"execution": "ex_1", "to_put_back": ("yes",), "step": PRESENT}, "actions_to_put_back"),
        (Action, {"execution": "ex_1", "effect_key": "e1:x"}, "actions_by_effect"),
        (Action, {"execution": "ex_1"}, "actions_of_execution"),
        (Action, {"execution": "ex_1", "step": "s"}, "actions_of_execution"),
        (Execution, {"status": OPEN}, "executions_open"),
        (Execution, {"actor": "agent"}, "executions_by_actor"),
        (Execution, {"client": "codex"}, "executions_by_client"),
        (Execution, {"owing": ("yes",)}, "executions_owing"),
        (Execution, {"unsettled": ("yes",)}, "executions_unsettled"),
        (Execution, {"unsettled": ("yes",), "plan_id": "pl_1"}, "executions_unsettled_of_plan"),
        (Execution, {"unsettled": ("yes",), "title_key": "x"}, "executions_unsettled_of_title"),
        (Execution, {"status": OPEN, "plan_id": "pl_1"}, "executions_open_of_plan"),
        (Execution, {"status": OPEN, "title_key": "x"}, "executions_open_of_title"),
        (Execution, {"status": OPEN, "engine": "queue"}, "executions_open_of_engine"),
        (Execution, {"asking": ("yes",)}, "executions_asking"),
        (Execution, {"status": "running"}, "executions_by_status"),
        (Execution, {"session": "se_1"}, "executions_of_session"),
        (Session, {"status": "open"}, "sessions_by_status"),
        (Session, {"witness": ("observed",), "status": "open"}, "sessions_by_status"),
        (Session, {"witness": ("observed",), "name": "claude-code:1"}, "sessions_by_name"),
        (Session, {"witness": ("observed",)}, "sessions_watching"),
        (Session, {"witness": ("observed",), "client": "codex"}, "sessions_watching_client"),
    ],
)
def test_rows_are_found_by_the_index_that_is_meant_for_them(
    store: SqliteStore, table: type[Row], where: dict[str, WhereValue], index: str
) -> None:
    for newest_first in (True, False):
        sql, values = queries.find(table, Select(where=where, newest_first=newest_first))
        assert f"USING INDEX {index} (journal=?" in _plan(store, sql, [1, *values])


def test_entries_are_found_by_the_index_that_is_meant_for_them(store: SqliteStore) -> None:
    for sql in (queries.EXECUTION_ENTRIES, queries.EXECUTION_ENTRIES_BACK):
        plan = _plan(store, sql, (1, "ex_1", 0, 9, 10))
        assert "USING PRIMARY KEY (journal=? AND execution=? AND place>? AND place<?)" in plan
        assert "TEMP B-TREE" not in plan
    for sql in (queries.ENTRIES, queries.ENTRIES_BACK, queries.STORED_ENTRIES):
        plan = _plan(store, sql, (0, 9, 10))
        assert "USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)" in plan
        assert "TEMP B-TREE" not in plan


def test_a_credential_is_found_by_its_hash_without_looking_at_the_others(store: SqliteStore) -> None:
    assert "SEARCH credentials USING INDEX credentials_by_hash (hash=?)" in _plan(store, queries.CREDENTIAL, ("h",))


def _plan(store: SqliteStore, sql: str, values: Any) -> str:
    with store._reading() as connection:
        return "\n".join(row[3] for row in connection.rows(f"explain query plan {sql}", values))


def test_a_search_does_not_wait_for_a_writer(path: Path, store: SqliteStore) -> None:
    append(store, *(note('"needle"') for _ in range(600)))
    lock = os.open(f"{path}-lock", os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)  # another process is writing, or was stopped while it did
    found: list[list[int]] = []

    def search() -> None:
        found.append(store.read(JOURNAL, lambda view: view.search(parse_query("needle"), limit=9).seqs))

    searching = Thread(target=search)
    searching.start()
    searching.join(20)
    waits = searching.is_alive()
    os.close(lock)
    searching.join(20)
    assert not waits
    search()
    assert found == [[*range(600, 591, -1)]] * 2
    with store._reading() as connection:
        assert queries.indexed_seq(connection, store._enter_journal(connection, JOURNAL)) == 600


def test_sixty_four_processes_open_one_new_file_at_once(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.db" for number in range(10)]
    assert open_at_once([f"sqlite://{path}" for path in paths], 64) == ""
    for path in paths:
        store = SqliteStore(path)
        assert len(verified(store)) == 64
        store.close()


def test_a_forked_child_holds_locks_of_its_own(path: Path, store: SqliteStore) -> None:
    append(store, note())
    store.read(JOURNAL, lambda view: view.head())
    child = os.fork()
    if not child:
        code = 1
        try:
            append(store, note())
            code = 0 if _locks_of(os.getpid(), Path(f"{path}-shm")) else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    append(store, note())
    assert _locks_of(os.getpid(), Path(f"{path}-shm"))
    assert len(verified(store)) == 3


def _locks_of(process: int, path: Path) -> list[str]:
    """The locks that a process holds on a file, as the system lists them."""
    lines = Path("/proc/locks").read_text().splitlines()
    return [line for line in lines if f" {process} " in line and f":{path.stat().st_ino} " in line]


class Disk(apsw.VFS):
    """A file system that fails on command: after so many writes or syncs, with the error that SQLite gives for it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.left: int | None = None
        self.error: type[apsw.Error] = apsw.FullError
        self.base = apsw.vfs_names()[0]
        super().__init__(name, self.base)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        return DiskFile(self, name, flags)

    def fail(self) -> None:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise self.error("injected")


class DiskFile(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        super().__init__(disk.base, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.fail()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        self._disk.fail()
        super().xSync(flags)


@contextmanager
def _disk() -> Iterator[Disk]:
    """A disk of our own for all that SQLite opens meanwhile."""
    disk = Disk("tests")
    apsw.set_default_vfs(disk.name)
    try:
        yield disk
    finally:
        disk.left = None
        apsw.set_default_vfs(disk.base)
        disk.unregister()


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (apsw.FullError, r"is full.*This call was not recorded"),
        (apsw.ReadOnlyError, r"may not be written.*This call was not recorded"),
        (apsw.IOError, r"failed.*It is unknown whether this call was recorded"),
    ],
)
def test_a_disk_that_fails_anywhere_in_a_write_loses_nothing_that_was_acknowledged(
    path: Path, error: type[apsw.Error], expected: str
) -> None:
    with _disk() as disk:
        disk.error = error
        store = SqliteStore(path)
        acknowledged = append(store, start())
        failures: list[str] = []
        for point in range(60):
            disk.left = point
            try:
                acknowledged += append(store, *(note(f'"{"x" * 2000} {number}"') for number in range(2)))
            except StorageUnavailable as raised:
                failures.append(raised.message)
            disk.left = None
            assert store.read(JOURNAL, lambda view: view.head().seq) == len(acknowledged)
        assert len(failures) > 10
        assert all(re.search(expected, message) for message in failures)
        assert len(acknowledged) > 10
        assert verified(store) == acknowledged
        store.close()
    again = SqliteStore(path)
    assert verified(again) == acknowledged
    again.close()


def test_a_full_disk_is_reported_and_writing_continues_when_there_is_room(store: SqliteStore) -> None:
    append(store, note())
    assert store._writer
    pages = store._writer.rows("pragma page_count")[0][0]
    store._writer.rows(f"pragma max_page_count = {pages}")
    with pytest.raises(StorageUnavailable, match=r"is full.*not recorded.*Free some space"):
        append(store, note('"' + "x" * 100_000 + '"'))
    store._writer.rows("pragma max_page_count = 1000000")
    append(store, note('"' + "x" * 100_000 + '"'))
    assert len(verified(store)) == 2


def test_a_store_that_is_open_for_reading_only_refuses_to_write(path: Path, store: SqliteStore) -> None:
    append(store, note('"findable"'))
    reader = SqliteStore(path, readonly=True)
    assert len(verified(reader)) == 1
    assert reader.read(JOURNAL, lambda view: view.search(parse_query("find*"), limit=1).seqs) == [1]
    calls: list[Callable[[], object]] = [
        lambda: append(reader, note()),
        lambda: append(reader, note(), journal="new"),
        reader.claim_process_lock,
        lambda: reader.rebuild(JOURNAL),
    ]
    for call in calls:
        with pytest.raises(StorageUnavailable, match="for reading only"):
            call()
    append(store, note())
    assert reader.wait(JOURNAL, after=1, seconds=60) == 2
    reader.close()


def test_an_older_schema_is_not_brought_up_to_date_by_a_reader(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("create table schema_versions (version, name, digest)")
    connection.close()
    with pytest.raises(Unsupported, match="older schema"):
        SqliteStore(path, readonly=True)


@pytest.mark.parametrize("readonly", [True, False])
def test_another_kind_of_file_is_refused_and_not_touched(path: Path, *, readonly: bool) -> None:
    content = b"Dear diary, this is not a database. " * 300
    path.write_bytes(content)
    with pytest.raises(Unsupported, match="not a journal"):
        SqliteStore(path, readonly=readonly)
    assert path.read_bytes() == content


def test_a_damaged_file_is_reported_as_damaged(path: Path) -> None:
    store = SqliteStore(path)
    append(store, *(note(f'"{"x" * 2000}"') for _ in range(50)))
    store.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + os.urandom(len(whole) - 8192))
    Path(f"{path}-wal").unlink(missing_ok=True)
    calls: list[Callable[[SqliteStore], object]] = [
        verified,
        lambda store: append(store, note()),
        lambda store: store.write(JOURNAL, lambda ledger: ledger.bodies(range(50))),
    ]
    for call in calls:
        with pytest.raises(StorageUnavailable, match="damaged"):
            _opened_and(path, call)


def _opened_and(path: Path, call: Callable[[SqliteStore], object]) -> None:
    store = SqliteStore(path)
    try:
        call(store)
    finally:
        store.close()


def test_a_path_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageUnavailable, match="file"):
        SqliteStore(tmp_path / "file" / "journal.db")
    with pytest.raises(StorageUnavailable, match="cannot be opened"):
        SqliteStore(tmp_path / "missing.db", readonly=True)


def test_a_new_file_is_its_owner_s_alone(path: Path, store: SqliteStore) -> None:
    append(store, note())
    assert {each.stat().st_mode & 0o077 for each in path.parent.glob(f"{path.name}*")} == {0}


@pytest.mark.parametrize(("version", "fine"), [("3.51.3", True), ("3.51.2", False), ("3.40.1", False), ("4.0.0", True)])
def test_a_version_of_sqlite_that_can_corrupt_files_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch, version: str, *, fine: bool
) -> None:
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: version)
    if fine:
        SqliteStore(path).close()
    else:
        with pytest.raises(Unsupported, match=r"can corrupt.*Install apsw 3\.51\.3"):
            SqliteStore(path)
