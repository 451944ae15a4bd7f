"""SQLite files that are not journals, or that another program writes."""

import fcntl
import os
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from tallystick.core.errors import StorageUnavailable, Unsupported
from tallystick.store.interface import WouldWait
from tallystick.store.sqlite import file as sqlite_file
from tallystick.store.sqlite.store import SqliteStore
from tests.store.drafts import note


def test_a_database_of_another_program_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    other = apsw.Connection(str(path))
    other.execute("create table foo (a)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(Unsupported, match="another program"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_device_is_refused_and_keeps_its_rights(tmp_path: Path) -> None:
    path = tmp_path / "device"
    os.mkfifo(path, 0o622)
    path.chmod(0o622)
    with pytest.raises(Unsupported, match="not a regular file"):
        sqlite_file.ensure_usable(str(path))
    with pytest.raises(Unsupported, match="not a regular file"):
        SqliteStore(path)
    assert (path.stat().st_mode & 0o777, [each.name for each in tmp_path.iterdir()]) == (0o622, ["device"])


def test_an_entry_is_not_replaced_by_a_second_insert(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    store = SqliteStore(path)
    store.write("j", lambda ledger: ledger.append(note()))
    store.close()
    hand = apsw.Connection(str(path))
    with pytest.raises(apsw.ConstraintError, match="never replaced"):
        hand.execute("insert or replace into entries select place, journal, 'forged', hash from entries")
    hand.close()


def test_after_a_timeout_the_next_wait_for_another_program_is_shorter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "BUSY_MILLISECONDS", 20)
    monkeypatch.setattr(sqlite_file, "STILL_BUSY_MILLISECONDS", 10)
    path = tmp_path / "journal.db"
    with closing(SqliteStore(path)) as store:
        store.write("test", lambda ledger: ledger.append(note()))
        other = apsw.Connection(str(path))
        for _ in range(2):
            other.execute("begin immediate")
            with pytest.raises(StorageUnavailable, match="Another program holds"):
                store.write("test", lambda ledger: ledger.append(note()))
            assert _patience(store) == 10
            other.execute("rollback")
            store.write("test", lambda ledger: ledger.append(note()))
            assert _patience(store) == 20
        assert store.read("test", lambda view: view.head().seq) == 3


def _patience(store: SqliteStore) -> int:
    assert store._writer is not None
    return int(store._writer.rows("pragma busy_timeout")[0][0])


def test_a_write_that_does_not_wait_is_made_at_once_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"

    def write(store: SqliteStore) -> list[type]:
        works = [lambda ledger: ledger.append(note())] * 3
        return [type(error) for _, error in store.write_all("j", works, waits=False)]

    with closing(SqliteStore(path)) as store:
        assert write(store) == [type(None)] * 3
        patience = _patience(store)
        with closing(apsw.Connection(str(path))) as other:
            other.execute("begin immediate")
            assert write(store) == [WouldWait] * 3
            other.execute("rollback")
        with open(f"{path}-lock", "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            assert write(store) == [WouldWait] * 3
        assert write(store) == [type(None)] * 3
        assert _patience(store) == patience
        store.write("j", lambda ledger: ledger.append(note()))
        assert store.read("j", lambda view: view.head().seq) == 7


def test_a_store_is_free_while_nothing_is_written_and_the_check_does_not_wait(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with closing(SqliteStore(path)) as store:
        store.write("j", lambda ledger: ledger.append(note()))
        assert store.is_free()
        with closing(apsw.Connection(str(path))) as other:
            other.execute("begin immediate")
            assert not store.is_free()
            other.execute("rollback")
        with open(f"{path}-lock", "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            assert not store.is_free()
        assert store.is_free()
        store.write("j", lambda ledger: ledger.append(note()))
