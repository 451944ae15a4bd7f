"""SQLite files that are deleted, replaced or truncated under the programs that use them."""

import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import apsw
import pytest

from tallystick.core.errors import StorageUnavailable
from tallystick.store.sqlite import file as sqlite_file
from tallystick.store.sqlite.file import OpenFiles
from tallystick.store.sqlite.store import SqliteStore
from tests.store.drafts import note
from tests.store.other_process import another, answer
from tests.store.sample_journal import append

JOURNAL = "j"


def _length(store: SqliteStore) -> int:
    return store.read(JOURNAL, lambda view: view.head().seq)


def _until_folder_is_trusted(store: SqliteStore) -> None:
    """Read until the folder has not changed for so long that only its time and the sizes are checked."""
    while not store._files._folder_state[1]:
        _length(store)


def _stored(path: Path) -> int:
    store = SqliteStore(path)
    try:
        return len(store.stored_entries(JOURNAL, after=0, limit=1000))
    finally:
        store.close()


@pytest.mark.parametrize("names", [("wal",), ("wal", "shm")])
def test_a_new_program_does_not_hide_what_another_one_has_in_a_deleted_wal(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    path = tmp_path / "j.db"
    with another(f"sqlite://{path}", "append") as older:
        assert [answer(older) for _ in range(3)] == ["1", "2", "3"]
        for name in names:
            Path(f"{path}-{name}").unlink()
        for _ in range(2):
            with pytest.raises(StorageUnavailable, match="another program has the journal open"):
                SqliteStore(path)
        assert answer(older) == "4"
        with closing(SqliteStore(path)) as newer:
            append(newer, note("a"))
            assert answer(older) == "6"
            assert _length(newer) == 6


@pytest.mark.parametrize("name", ["wal", "shm"])
@pytest.mark.parametrize("is_replaced", [False, True])
def test_files_that_change_before_they_are_remembered_are_opened_again(
    tmp_path: Path, name: str, is_replaced: bool
) -> None:
    path = tmp_path / "j.db"
    with closing(SqliteStore(path)) as store:
        append(store, note("a"))
        files = OpenFiles(str(path))
        if is_replaced:
            shutil.copy(f"{path}-{name}", tmp_path / "other")
            (tmp_path / "other").rename(f"{path}-{name}")
        else:
            Path(f"{path}-{name}").unlink()
        files.remember()
        assert not files.are_in_place()
        files.forget()


def test_a_deleted_wal_that_no_program_has_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with closing(SqliteStore(path)) as store:
        append(store, note("a"))
    for name in ("wal", "shm"):
        Path(f"{path}-{name}").unlink()
    with closing(SqliteStore(path)) as store:
        append(store, note("a"))
        assert _length(store) >= 1


@pytest.mark.parametrize("names", [("wal",), ("shm",), ("wal", "shm")])
@pytest.mark.parametrize("moment", ["before a record", "before a read", "during a commit"])
@pytest.mark.parametrize("is_trusted", [False, True])
def test_what_was_acknowledged_outlives_deleted_files_beside_the_journal(
    tmp_path: Path, names: tuple[str, ...], moment: str, is_trusted: bool
) -> None:
    path = tmp_path / "j.db"
    delete = [False]

    def fault(point: str) -> None:
        if point == "before_commit" and delete[0]:
            delete[0] = False
            for name in names:
                Path(f"{path}-{name}").unlink()

    store = SqliteStore(path, fault=fault)
    for _ in range(20):
        append(store, note("a"))
    assert _length(store) == 20
    if is_trusted:
        _until_folder_is_trusted(store)
    delete[0] = True
    if moment != "during a commit":
        fault("before_commit")
    if moment == "before a read":
        assert _length(store) == 20
    with another(f"sqlite://{path}", "append") as other:
        assert append(store, note("b"))[0].seq == 21
        assert answer(other) == "22"
        assert append(store, note("c"))[0].seq == _length(store) == 23
    assert _stored(path) == 23
    store.close()
    assert _stored(path) == 23


def test_every_process_leaves_the_deleted_files(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    store = SqliteStore(path)
    append(store, note())
    with another(f"sqlite://{path}", "append") as first, another(f"sqlite://{path}", "append") as second:
        assert [answer(first), answer(second)] == ["2", "3"]
        for name in ("wal", "shm"):
            Path(f"{path}-{name}").unlink()
        assert [answer(second), answer(first), answer(second)] == ["4", "5", "6"]
        assert (append(store, note())[0].seq, answer(first), _length(store)) == (7, "8", 8)
    assert _stored(path) == 8
    store.close()


def _delete(path: Path) -> None:
    path.unlink()


def _replace(path: Path) -> None:
    other = SqliteStore(path.with_name("other.db"))
    append(other, note())
    other.close()
    path.with_name("other.db").replace(path)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _remove_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


def _move_folder_above(path: Path) -> None:
    path.parent.parent.rename(path.parent.parent.with_name("elsewhere"))


@pytest.mark.parametrize("damage", [_delete, _replace, _empty, _remove_folder, _move_folder_above])
@pytest.mark.parametrize("is_trusted", [False, True])
def test_a_journal_that_is_gone_is_neither_written_nor_read(
    tmp_path: Path, damage: Callable[[Path], None], is_trusted: bool
) -> None:
    path = tmp_path / "above" / "folder" / "j.db"
    store = SqliteStore(path)
    append(store, note())
    assert _length(store) == 1
    if is_trusted:
        _until_folder_is_trusted(store)
    damage(path)
    with pytest.raises(StorageUnavailable, match=r"moved or replaced while it was open\. This call was not recorded"):
        append(store, note())
    with pytest.raises(StorageUnavailable, match="moved or replaced"):
        _length(store)
    with pytest.raises(StorageUnavailable, match="moved or replaced"):
        store.wait(JOURNAL, after=1, seconds=60)
    store.close()


def test_nothing_is_added_to_a_wal_that_another_program_has_truncated(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    store = SqliteStore(path)
    append(store, note())
    append(store, note())
    _until_folder_is_trusted(store)
    Path(f"{path}-wal").write_bytes(b"")
    with pytest.raises(StorageUnavailable, match=r"entry 2 .* was acknowledged to this program") as refused:
        append(store, note())
    assert "safe" not in str(refused.value)
    store.close()


def test_a_truncated_wal_that_was_written_back_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with closing(SqliteStore(path)) as store:
        append(store, note())
        with closing(apsw.Connection(str(path))) as other:
            other.execute("pragma wal_checkpoint").fetchall()
        Path(f"{path}-wal").write_bytes(b"")
        assert append(store, note())[0].seq == 2


def test_a_truncated_wal_that_several_programs_have_open_is_named(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with closing(SqliteStore(path)) as store, another(f"sqlite://{path}", "append") as other:
        assert answer(other) == "1"
        assert _length(store) == 1
        Path(f"{path}-wal").write_bytes(b"")
        with pytest.raises(StorageUnavailable, match="was truncated; acknowledged records may be missing"):
            append(store, note())
        assert answer(other) == "refused"


def test_a_wal_that_was_overwritten_with_zeros_is_neither_written_nor_read(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with closing(SqliteStore(path)) as store:
        append(store, note())
        size = os.path.getsize(f"{path}-wal")
        Path(f"{path}-wal").write_bytes(bytes(size))
        for call in (lambda: append(store, note()), lambda: _length(store)):
            with pytest.raises(StorageUnavailable, match="was truncated or overwritten"):
                call()


def test_an_older_wal_that_was_copied_over_the_present_one_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with closing(SqliteStore(path)) as store:
        append(store, *(note(f'"{number}"') for number in range(100)))
        shutil.copy(f"{path}-wal", tmp_path / "old")
        with closing(apsw.Connection(str(path))) as other:
            other.execute("pragma wal_checkpoint(restart)").fetchall()
        append(store, note())
        assert _length(store) == 101
        shutil.copyfile(tmp_path / "old", f"{path}-wal")
        for call in (lambda: append(store, note()), lambda: _length(store)):
            with pytest.raises(StorageUnavailable, match="was truncated or overwritten"):
                call()


def test_a_truncated_database_is_neither_written_nor_read(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with closing(SqliteStore(path)) as store:
        append(store, *(note(f'"{number}"') for number in range(100)))
        with closing(apsw.Connection(str(path))) as other:
            other.execute("pragma wal_checkpoint(restart)").fetchall()
        append(store, note())
        os.truncate(path, 8192)
        for call in (lambda: append(store, note()), lambda: _length(store)):
            with pytest.raises(StorageUnavailable, match="was truncated or overwritten"):
                call()


def test_a_vacuum_by_another_program_does_not_look_like_a_loss(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with closing(SqliteStore(path)) as store:
        append(store, *(note(f'"{"x" * 10_000}"') for _ in range(50)))
        with closing(apsw.Connection(str(path))) as other:
            other.execute("pragma wal_checkpoint").fetchall()
            assert _length(store) == 50
            before = path.stat().st_size
            other.execute("delete from bodies; vacuum; pragma wal_checkpoint").fetchall()
        assert path.stat().st_size < before
        assert append(store, note())[0].seq == _length(store) == 51


@pytest.mark.parametrize("is_trusted", [False, True])
@pytest.mark.parametrize("folder", ["", "elsewhere"])
def test_a_journal_with_two_hard_links_is_refused_until_one_is_gone(
    tmp_path: Path, folder: str, is_trusted: bool
) -> None:
    path = tmp_path / "j.db"
    other = tmp_path / folder / "other.db"
    other.parent.mkdir(exist_ok=True)
    with closing(SqliteStore(path)) as store:
        append(store, note())
        if is_trusted:
            _until_folder_is_trusted(store)
        other.hardlink_to(path)
        for call in (lambda: append(store, note()), lambda: _length(store), lambda: SqliteStore(other)):
            with pytest.raises(StorageUnavailable, match=r"has 2 names \(hard links\)") as refused:
                call()
            assert "-samefile" in refused.value.hint
        other.unlink()
        assert append(store, note())[0].seq == _length(store) == 2


def test_the_second_name_that_a_killed_restore_left_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with closing(SqliteStore(path)) as store:
        append(store, note())
    left = tmp_path / "j.db.before-restore-20261118T041851-1985"
    left.hardlink_to(path)
    with closing(SqliteStore(path)) as store:
        assert append(store, note())[0].seq == 2
    assert not left.exists()


def _open_files(folder: Path) -> list[str]:
    """The files of a folder that this process has open; an earlier folder may have had the same name."""
    opened = []
    for each in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # the descriptor of the listing itself
            opened.append(os.readlink(f"/proc/self/fd/{each}"))
    names = (Path(each).name for each in opened if each.startswith(f"{folder}/"))
    return sorted(name for name in names if not name.endswith("(deleted)"))


@pytest.mark.parametrize("readonly", [False, True])
def test_a_closed_store_leaves_no_file_open_but_its_process_lock(tmp_path: Path, *, readonly: bool) -> None:
    path = tmp_path / "journal.db"
    with closing(SqliteStore(path)) as store:
        append(store, note())
    with closing(SqliteStore(path, readonly=readonly)) as store:
        assert _length(store) == 1
        assert "journal.db-wal" in _open_files(tmp_path)
    assert _open_files(tmp_path) == ["journal.db-presence"]


def test_opening_a_store_is_as_much_work_in_a_process_with_a_thousand_open_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = [0]

    def counting(look: Callable[..., Any]) -> Callable[..., Any]:
        def count_and_look(*arguments: Any, **named: Any) -> Any:
            looks[0] += 1
            return look(*arguments, **named)

        return count_and_look

    with ExitStack() as stack:
        for _ in range(1000):
            stack.enter_context(open(os.devnull, "rb"))
        for name in ("stat", "fstat"):
            monkeypatch.setattr(f"tallystick.store.sqlite.file.os.{name}", counting(getattr(os, name)))
        stack.enter_context(closing(SqliteStore(tmp_path / "journal.db")))
    assert 0 < looks[0] < 50


@pytest.mark.parametrize("end", ["close", "fork"])
def test_a_program_whose_index_of_the_wal_was_deleted_does_not_overwrite_what_others_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr(sqlite_file, "CHECKPOINT_PAGES", 20)
    path = tmp_path / "j.db"
    store = SqliteStore(path)
    append(store, note("a"))
    _length(store)
    Path(f"{path}-shm").unlink()
    with closing(SqliteStore(path)) as other:
        for _ in range(60):
            append(other, note("b" * 200))
        assert _length(other) == 61
    if end == "fork":
        store._close_connections()
    store.close()
    assert _stored(path) == 61


def test_a_deleted_wal_keeps_what_others_added_after_its_index_was_deleted(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with closing(SqliteStore(path)) as store:
        append(store, note("a"))
        Path(f"{path}-shm").unlink()
        other = SqliteStore(path)
        append(other, note("b"))
        other._files.forget()  # it is killed: nothing is written back
        Path(f"{path}-wal").unlink()
        append(store, note("c"))
        assert _length(store) == 3


def test_a_wal_with_random_salts_is_not_taken_for_an_older_one() -> None:
    def header(sequence: int, salt: int) -> bytes:
        return bytes.fromhex("377f0682002de21800001000") + sequence.to_bytes(4) + salt.to_bytes(4) + bytes(12)

    assert sqlite_file._is_older_wal(header(3, 7), header(4, 8))
    assert not sqlite_file._is_older_wal(header(0, 7), header(4, 8))
