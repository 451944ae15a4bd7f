"""A store that lost records which it had acknowledged: older files copied over it, or entries deleted from its end."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import apsw
import psycopg
import pytest

from tallystick.core.errors import StorageUnavailable
from tallystick.store.sqlite.backup import copy_backup, finish, part_file
from tallystick.store.sqlite.store import SqliteStore
from tests.store.drafts import note
from tests.store.other_process import another, answer
from tests.store.sample_journal import append
from tests.stores import AnyStore, Home

JOURNAL = "j"
SIDES = ("", "-wal", "-shm")
LOST = "acknowledged records may be missing|was acknowledged to this program"


def _length(store: AnyStore) -> int:
    return store.read(JOURNAL, lambda view: view.head().seq)


def _refuses(store: AnyStore) -> None:
    """The store refuses every way to record and to read, and says what to do."""
    calls: tuple[Callable[[], object], ...] = (
        lambda: append(store, note()),
        lambda: _length(store),
        lambda: store.inspect(JOURNAL, lambda snapshot: snapshot.head()),
        lambda: store.stored_entries(JOURNAL, after=0, limit=1),
        lambda: store.wait(JOURNAL, after=10_000, seconds=60),
        lambda: append(store, note()),
    )
    for call in calls:
        with pytest.raises(StorageUnavailable, match=LOST) as refused:
            call()
        assert "tallystick doctor" in refused.value.hint
        assert "start this program again" in refused.value.hint


def _copy_over(source: Path, target: Path) -> None:
    """As `cp` does: the file keeps its inode."""
    shutil.copyfile(source, target)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store" / "j.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(path)) as opened:
        yield opened


def _write(store: SqliteStore, *, is_checkpointed: bool) -> None:
    for _ in range(10):
        append(store, *(note(f'"{number}"') for number in range(30)))
    if is_checkpointed:
        with closing(apsw.Connection(store.path)) as other:
            other.execute("pragma wal_checkpoint(restart)").fetchall()
        append(store, note())


@pytest.mark.parametrize(
    ("copied", "is_checkpointed"),
    [
        (("",), True),
        (("", "-wal"), False),
        (("", "-wal"), True),
        (SIDES, False),
        (SIDES, True),
    ],
)
def test_a_program_notices_older_files_that_were_copied_over_its_journal(
    path: Path, store: SqliteStore, tmp_path: Path, copied: tuple[str, ...], is_checkpointed: bool
) -> None:
    _write(store, is_checkpointed=is_checkpointed)
    for side in SIDES:
        shutil.copy(f"{path}{side}", tmp_path / f"old{side}")
    _write(store, is_checkpointed=is_checkpointed)
    for side in copied:
        _copy_over(tmp_path / f"old{side}", Path(f"{path}{side}"))
    _refuses(store)


@pytest.mark.parametrize("removed", [(), ("-wal",), ("-wal", "-shm")])
def test_a_program_notices_a_backup_that_was_copied_over_its_journal(
    path: Path, store: SqliteStore, tmp_path: Path, removed: tuple[str, ...]
) -> None:
    append(store, note())
    backup = tmp_path / "backup.db"
    with part_file(backup) as part:
        copy_backup(path, part)
        finish(part, backup)
    append(store, note())
    _copy_over(backup, path)
    for side in removed:
        Path(f"{path}{side}").unlink()
    _refuses(store)
    store.close()
    if removed:  # else the newer WAL belongs to the journal
        with closing(SqliteStore(path)) as newer:
            assert _length(newer) == 1


def test_a_program_notices_a_backup_that_was_written_into_its_journal(path: Path, store: SqliteStore) -> None:
    append(store, note())
    with closing(apsw.Connection(":memory:")) as backup, closing(apsw.Connection(str(path))) as file:
        with backup.backup("main", file, "main") as pages:
            pages.step(-1)
        append(store, note())
        with file.backup("main", backup, "main") as pages:
            pages.step(-1)
    _refuses(store)
    with closing(SqliteStore(path)) as newer:
        assert append(newer, note())[0].seq == 2
    _refuses(store)


def _delete_last(home: Home) -> None:
    last = "delete from entries where place = (select max(place) from entries)"
    if home.kind == "sqlite":
        with closing(apsw.Connection(str(home.path))) as file:
            file.execute(f"drop trigger entries_are_not_deleted; {last}")
    else:
        with psycopg.connect(home.url, autocommit=True) as server:
            server.execute("alter table entries disable trigger all")
            server.execute(last.encode())


def test_deleted_entries_are_noticed_by_the_programs_that_knew_them(shared_home: Home) -> None:
    home = shared_home
    store, other = home.open(), home.open()
    for _ in range(5):
        append(store, note())
    assert _length(other) == 5
    _delete_last(home)
    for each in (other, store):
        with pytest.raises(StorageUnavailable, match=r"entry 5 .* ends at entry 4"):
            _length(each)
        _refuses(each)
    assert append(home.open(), note())[0].seq == 5
    for each in (other, store):
        _refuses(each)


def test_a_program_goes_on_when_the_newer_files_are_back(path: Path, store: SqliteStore, tmp_path: Path) -> None:
    _write(store, is_checkpointed=True)
    for side in SIDES:
        shutil.copy(f"{path}{side}", tmp_path / f"old{side}")
    _write(store, is_checkpointed=True)
    length = _length(store)
    for side in SIDES:
        shutil.copy(f"{path}{side}", tmp_path / f"new{side}")
    for age in ("old", "new"):
        for side in SIDES:
            _copy_over(tmp_path / f"{age}{side}", Path(f"{path}{side}"))
        if age == "old":
            _refuses(store)
    assert append(store, note())[0].seq == length + 1


def test_every_process_notices(path: Path, store: SqliteStore, tmp_path: Path) -> None:
    _write(store, is_checkpointed=True)
    for side in SIDES:
        shutil.copy(f"{path}{side}", tmp_path / f"old{side}")
    with another(f"sqlite://{path}", "append") as other:
        answer(other)
        append(store, note())
        for side in SIDES:
            _copy_over(tmp_path / f"old{side}", Path(f"{path}{side}"))
        _refuses(store)
        assert answer(other) == "refused"
