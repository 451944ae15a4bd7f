"""A disk that is full, read-only or broken: a clear error, and acknowledged entries stay."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tallystick import Journal, StorageUnavailable
from tests.crash import campaigns
from tests.crash.acknowledged import Account
from tests.crash.fork_server import Child, ForkServer
from tests.memory_folders import quick_folder

SMALL = "3m"
MORE = "24m"
PAGES = 300
EVERY = 12
"""A sample of the uses of a disk, another one in each test. `make torture` goes through all of them."""


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as made:
        yield made


class SmallDisk:
    """A file system of its own, a few megabytes small, where the system lets us mount one; else a limit on the file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mounted = _ran("mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tallystick", str(folder))

    @property
    def pages(self) -> int:
        """The most pages that the file may have, where the file system sets no limit."""
        return 0 if self.mounted else PAGES

    def make_room(self) -> None:
        if self.mounted:
            assert _ran("mount", "-o", f"remount,size={MORE}", str(self.folder))

    def close(self) -> None:
        if self.mounted:
            _ran("umount", "-l", str(self.folder))


@pytest.fixture
def disk(folder: Path) -> Iterator[SmallDisk]:
    mount = folder / "small"
    mount.mkdir()
    made = SmallDisk(mount)
    yield made
    made.close()


def test_a_full_disk_is_reported_keeps_acknowledged_entries_and_continues_with_room(
    fork_server: ForkServer, disk: SmallDisk
) -> None:
    url = f"sqlite://{disk.folder / 'journal.db'}"
    account = Account(url)
    child = fork_server.start("fill", url=url, pages=disk.pages)
    refusal = _until_refused(child, account)
    assert refusal["code"] == "storage_unavailable"
    assert "is full" in refusal["message"]
    assert "Free some space" in refusal["message"]
    written = len(account.acknowledged)
    assert written > 50
    disk.make_room()
    child.resume()
    assert account.add_from(child) == 1
    child.close()
    account.check()
    account.check_rows()
    assert {entry.seq for entry in account.entries if entry.kind != "session_opened"} == set(account.acknowledged)
    print(f"{written} entries fitted; mounted: {disk.mounted}")


def test_a_process_killed_on_a_full_disk_keeps_acknowledged_entries(fork_server: ForkServer, disk: SmallDisk) -> None:
    url = f"sqlite://{disk.folder / 'journal.db'}"
    account = Account(url)
    child = fork_server.start("fill", url=url, pages=disk.pages)
    _until_refused(child, account)
    child.kill()
    child.close()
    disk.make_room()
    account.check()
    account.check_rows()


@pytest.mark.parametrize(("kind", "first"), [("full", 1), ("readonly", 5), ("broken", 9)])
@pytest.mark.parametrize(("lasting", "dies"), [(False, False), (True, True)])
def test_a_disk_that_fails_at_any_use_of_it_loses_nothing(
    fork_server: ForkServer, folder: Path, kind: str, first: int, lasting: bool, dies: bool
) -> None:
    urls = campaigns.new_files(folder)
    met = campaigns.fail_everywhere(
        fork_server, urls, kind, first=first + 2 * lasting, every=EVERY, lasting=lasting, dies=dies
    )
    print(dict(met))
    assert met["failed"] > 20
    assert met["refused"] >= met["failed"]
    assert met["acknowledged"] > 30


def test_a_store_that_may_not_be_written_is_named_and_left_as_it_is(fork_server: ForkServer, folder: Path) -> None:
    mount = folder / "store"
    mount.mkdir()
    url = f"sqlite://{mount / 'journal.db'}"
    account = Account(url)
    child = fork_server.start("write", url=url, seed="r")
    account.add([child.receive() for _ in range(20)])
    child.kill()
    account.add_from(child)
    child.close()
    for locked, mode in ((folder, 0o755), *((file, 0o444) for file in mount.iterdir()), (mount, 0o555)):
        locked.chmod(mode)
    child = fork_server.start("open_as_nobody", url=url)
    refusal = child.receive()
    child.close()
    assert refusal["code"] == "storage_unavailable"
    assert str(mount) in refusal["message"]
    assert "rights" in refusal["message"] or "may be written" in refusal["message"]
    account.check()


def _until_refused(child: Child, account: Account) -> dict[str, str]:
    while isinstance(message := child.receive(), list):
        account.add([(message[0], message[1], message[2])])
    assert isinstance(message, dict)
    return message


def _ran(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def test_a_file_that_is_deleted_or_replaced_is_not_written_on(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(f"sqlite:///{path}") as journal:
        seq = journal.record_context(key="where", value="eu").seq
        path.rename(tmp_path / "elsewhere.db")
        with pytest.raises(StorageUnavailable, match="was not recorded"):
            journal.record_context(key="where", value="us")
        (tmp_path / "elsewhere.db").rename(path)
        assert journal.record_context(key="where", value="us").seq == seq + 1
        path.rename(tmp_path / "elsewhere.db")
        path.write_bytes(b"")
        with pytest.raises(StorageUnavailable, match="moved or replaced"):
            journal.record_context(key="where", value="asia")
        path.unlink()
        (tmp_path / "elsewhere.db").rename(path)
