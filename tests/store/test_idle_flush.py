"""The rows of a journal are written once nobody records any more, and when a store is closed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tallystick.store.interface import Snapshot
from tallystick.store.sql import idle_flush
from tallystick.store.sql.store import SqlStore
from tallystick.store.sqlite.store import SqliteStore
from tests.conftest import new_home
from tests.crash.acknowledged import rows
from tests.crash.jobs import JOURNAL, journal_at
from tests.store.drafts import note, start
from tests.store.sample_journal import append
from tests.stores import AnyStore, Home, open_store

ROOT = Path(__file__).parents[2]
WAIT_SECONDS = 30
"""How long a test waits for what should happen within a second."""


@pytest.fixture(params=["sqlite", "postgres"], name="home")
def _home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    """A home with the number of entries after which production writes rows."""
    yield from new_home(request.param, request, tmp_path)


@pytest.fixture(name="soon_idle")
def _soon_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle_flush, "IDLE_SECONDS", 0.05)


@pytest.fixture(name="never_idle")
def _never_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread waits for so long that only the test flushes."""
    monkeypatch.setattr(idle_flush, "IDLE_SECONDS", 3600)


def _unwritten(store: AnyStore, journal: str = "j") -> int:
    def count(snapshot: Snapshot) -> int:
        return snapshot.head().seq - snapshot.flushed()

    return store.inspect(journal, count)


def _wait_for(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not what() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert what()


def _has_thread(store: AnyStore) -> bool:
    assert isinstance(store, SqlStore)
    thread = store._idle_flusher._thread
    return thread is not None and thread.is_alive()


def test_rows_are_written_once_nobody_records_and_the_thread_ends(home: Home) -> None:
    store = home.open()
    for _ in range(2):
        append(store, start(), note())
        assert _unwritten(store) > 0
        assert _has_thread(store)
        _wait_for(lambda: _unwritten(store) == 0)
        _wait_for(lambda: not _has_thread(store))


def test_closing_writes_the_rows_of_what_was_recorded(home: Home) -> None:
    first, second = home.open(), home.open()
    append(first, start(), note())
    assert _unwritten(second) == 2
    first.close()
    assert _unwritten(second) == 0
    assert not _has_thread(first)


@pytest.mark.usefixtures("never_idle")
def test_closing_a_store_that_only_read_writes_nothing(home: Home) -> None:
    first, second = home.open(), home.open()
    append(first, note())
    second.read("j", lambda view: view.head())
    second.close()
    assert _unwritten(first) == 1


@pytest.mark.usefixtures("never_idle")
def test_a_tail_is_left_alone_while_another_process_records(home: Home) -> None:
    first, second = home.open(), home.open()
    assert isinstance(first, SqlStore)
    append(first, note())
    for _ in range(3):
        append(second, note())
        assert first._flush_if_idle("j")
    assert _unwritten(first) == 4
    assert not first._flush_if_idle("j")
    assert _unwritten(first) == 0


@pytest.mark.usefixtures("soon_idle")
def test_a_process_that_reads_writes_the_rows_that_a_killed_one_left(home: Home) -> None:
    subprocess.run([sys.executable, "-m", __spec__.name, home.url, "leave"], cwd=ROOT, check=True)
    reader = home.open()
    assert _unwritten(reader) == 3
    assert reader.read("j", lambda view: view.head().seq) == 3
    _wait_for(lambda: _unwritten(reader) == 0)


@pytest.mark.usefixtures("never_idle")
def test_a_store_that_may_not_write_leaves_the_tail(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    store = SqliteStore(path)
    append(store, note())
    reader = SqliteStore(path, readonly=True)
    assert reader.read("j", lambda view: view.head().seq) == 1
    assert reader._idle_flusher._noted == {}
    reader.close()
    store.close()


@pytest.mark.usefixtures("never_idle")
def test_flush_says_how_many_entries_were_left_and_makes_no_journal(home: Home) -> None:
    store = home.open()
    append(store, note(), note(), note())
    assert (store.flush("j"), store.flush("j")) == (3, 0)
    assert (store.flush("there is none"), store.journals()) == (0, ["j"])


@pytest.mark.usefixtures("soon_idle")
def test_parent_and_child_of_a_fork_go_on(home: Home) -> None:
    store = home.open()
    append(store, note())
    assert _has_thread(store)
    child = os.fork()
    if not child:
        with suppress(BaseException):
            append(store, note('"of the child"'))
            _wait_for(lambda: _unwritten(store) == 0)
            os._exit(0)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    append(store, note())
    _wait_for(lambda: _unwritten(store) == 0)


@pytest.mark.usefixtures("never_idle")
def test_the_thread_is_stopped_before_a_fork_and_goes_on_after_it(home: Home) -> None:
    store = home.open()
    append(store, note())
    assert isinstance(store, SqlStore)
    store._idle_flusher.before_fork()
    assert not _has_thread(store)
    store._idle_flusher.after_fork_in_parent()
    assert _has_thread(store)


@pytest.mark.parametrize("point", ["rows_flushed", "before_commit", "after_commit"])
def test_a_process_that_is_killed_while_it_writes_rows_leaves_a_sound_journal(home: Home, point: str) -> None:
    done = subprocess.run([sys.executable, "-m", __spec__.name, home.url, point], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    store = home.open()
    assert (_unwritten(store, JOURNAL) == 0) == (point == "after_commit")
    before = rows(store)
    assert journal_at(store).verify().ok
    store.flush(JOURNAL)
    assert rows(store) == before
    store.rebuild(JOURNAL)
    assert rows(store) == before


def test_a_program_that_does_not_close_its_store_ends(home: Home) -> None:
    done = subprocess.run([sys.executable, "-m", __spec__.name, home.url, "end"], cwd=ROOT, check=False, timeout=60)
    assert done.returncode == 0


def main(url: str, command: str) -> None:
    """Another process: it leaves a tail and is killed, ends without closing, or is killed while it writes rows."""

    are_flushed = False

    def fault(point: str) -> None:
        nonlocal are_flushed
        are_flushed = are_flushed or point == "rows_flushed"  # maybe in the thread of a record that leads the group
        if point == command and are_flushed:
            os.kill(os.getpid(), signal.SIGKILL)

    idle_flush.IDLE_SECONDS = 0.01
    store = open_store(url, fault=fault)
    if command in ("leave", "end"):
        idle_flush.IDLE_SECONDS = 3600
        append(store, note(), note(), note())
        if command == "leave":
            os._exit(0)
        return
    journal = journal_at(store)
    journal.record_execution_start(title="work")
    journal.record_action(phase="begin", tool="copy")
    signal.pause()


if __name__ == "__main__":
    main(*sys.argv[1:])
