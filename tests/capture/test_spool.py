"""The spool returns what was appended, once and in order: torn at any byte, full, shared, and with killed writers."""

import errno
import fcntl
import os
import signal
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tallystick.capture.setup import hook_bundle
from tallystick.capture.spool import file as spool_file
from tests.memory_folders import quick_folder

APPENDING = Path(__file__).parent / "spool_writer.py"
PROCESSES = 16


@pytest.fixture
def path() -> Iterator[str]:
    with quick_folder() as folder:
        yield spool_file.path(folder / "spool", "project-1")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of the package: a process with nothing else starts quickly."""
    folder = tmp_path_factory.mktemp("hook")
    hook_bundle.write(folder, ["/nowhere/tallystick"])
    return next(folder.glob("hook-*"))


def test_records_are_read_in_order_and_gone_after_clearing(path: str) -> None:
    records = [{"number": number, "text": 'a "text" é\n\ud800\x00'} for number in range(5)]
    for record in records:
        spool_file.append(path, record)
    found = spool_file.read(path)
    assert found.records == records
    assert found.torn == []
    assert spool_file.waiting_bytes(path) == os.path.getsize(path) > 0
    assert spool_file.clear(path, found.mark)
    assert spool_file.waiting_bytes(path) == 0
    assert spool_file.read(path).records == []


def test_a_spool_that_was_never_written_is_empty(path: str) -> None:
    found = spool_file.read(path)
    assert (found.records, found.torn, spool_file.waiting_bytes(path)) == ([], [], 0)
    assert spool_file.clear(path, found.mark)
    assert not os.path.exists(path)


def test_the_folder_and_the_file_are_for_this_user_only(path: str) -> None:
    spool_file.append(path, {})
    spool_file.replace_file(spool_file.sibling(path, "key"), b"ab")
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(spool_file.sibling(path, "key")).st_mode) == 0o600
    assert sorted(os.listdir(os.path.dirname(path))) == ["project-1.key", "project-1.spool"]


def test_records_appended_after_a_read_are_not_cleared_and_are_read_after_the_mark(path: str) -> None:
    spool_file.append(path, {"number": 1})
    first = spool_file.read(path)
    spool_file.append(path, {"number": 2})
    assert not spool_file.clear(path, first.mark)
    second = spool_file.read(path, after=first.mark)
    assert second.records == [{"number": 2}]
    assert spool_file.clear(path, second.mark)


def test_a_mark_from_before_another_clear_clears_nothing(path: str) -> None:
    spool_file.append(path, {"id": "a"})
    mine, other = spool_file.read(path), spool_file.read(path)
    assert spool_file.clear(path, other.mark)
    spool_file.append(path, {"id": "b"})  # as long as the first one
    assert not spool_file.clear(path, mine.mark)
    assert spool_file.read(path, after=mine.mark).records == [{"id": "b"}]


def test_a_long_spool_is_read_in_portions(path: str) -> None:
    for number in range(20):
        spool_file.append(path, {"number": number, "text": "x" * 100 * number})
    portion = spool_file.read(path, max_bytes=1000)
    found = portion.records
    while portion.records:
        assert not spool_file.clear(path, portion.mark) or spool_file.waiting_bytes(path) == 0
        portion = spool_file.read(path, portion.mark, max_bytes=1000)
        found += portion.records
    assert [record["number"] for record in found] == list(range(20))


def test_a_record_torn_at_any_byte_spoils_only_itself(path: str) -> None:
    spool_file.append(path, {"number": 1})
    before = Path(path).read_bytes()
    spool_file.append(path, {"number": 2, "text": "cut é short"})
    whole = Path(path).read_bytes()
    for length in range(len(before), len(whole) + 1):
        Path(path).write_bytes(whole[:length])
        spool_file.append(path, {"number": 3})
        found = spool_file.read(path)
        left = whole[len(before) : length]
        complete = length >= len(whole) - 1  # the line end alone may be missing
        assert [record["number"] for record in found.records] == ([1, 2, 3] if complete else [1, 3])
        assert found.torn == ([] if complete or not left else [left])
        assert spool_file.clear(path, found.mark)
        assert not left or complete or left in Path(spool_file.sibling(path, "torn")).read_bytes().split(b"\n")


@pytest.mark.parametrize("damage", [b"\0", b"x", b"9"])
def test_a_record_with_a_changed_byte_is_no_record(path: str, damage: bytes) -> None:
    spool_file.append(path, {"number": 1})
    whole = Path(path).read_bytes()
    for index in range(len(whole) - 1):
        changed = whole[:index] + damage + whole[index + 1 :]
        Path(path).write_bytes(changed)
        found = spool_file.read(path)
        assert (found.records == []) == (changed != whole)
        assert found.torn == ([] if changed == whole else [changed[:-1]])


def test_torn_lines_are_kept_once_though_the_clearing_was_interrupted(path: str) -> None:
    torn = spool_file.sibling(path, "torn")
    spool_file.append(path, {"number": 1})
    whole = Path(path).read_bytes()
    Path(path).write_bytes(whole[:-9])
    assert spool_file.clear(path, spool_file.read(path).mark)
    Path(path).write_bytes(whole[:-9])  # as after a kill before the clear
    assert spool_file.clear(path, spool_file.read(path).mark)
    assert Path(torn).read_bytes() == whole[:-9] + b"\n"


def test_a_record_that_does_not_fit_the_disk_leaves_nothing(path: str) -> None:
    spool_file.append(path, {"number": 1})
    before = os.path.getsize(path)
    script = (
        "import resource, sys\n"
        "from tallystick.capture.spool import file as spool_file\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({before + 200}, {before + 200}))\n"
        "try:\n"
        "    spool_file.append(sys.argv[1], {'text': 'x' * 4000})\n"
        "except OSError as error:\n"
        "    print(error.errno)\n"
        "spool_file.append(sys.argv[1], {'number': 2})\n"
    )
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=True)
    assert int(done.stdout) == errno.EFBIG
    assert [record["number"] for record in spool_file.read(path).records] == [1, 2]
    assert spool_file.read(path).torn == []


def test_a_full_file_system_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tallystick", tmp_path], check=False).returncode:
        pytest.skip("the system lets us mount nothing here; the limit on the file is tested above")
    try:
        path = spool_file.path(tmp_path, "project")
        written = _filled(path)
        assert written > 10
        assert [record["number"] for record in spool_file.read(path).records] == list(range(written))
        assert spool_file.read(path).torn == []
        assert spool_file.clear(path, spool_file.read(path).mark)
        spool_file.append(path, {"number": 0})
        assert spool_file.read(path).records == [{"number": 0}]
    finally:
        subprocess.run(["umount", "-l", tmp_path], check=True)


def test_many_processes_append_while_another_reads_and_clears(path: str, bundle: Path) -> None:
    count = 60
    children = [_appender(bundle, path, f"p{number}", count) for number in range(PROCESSES)]
    found: list[dict[str, Any]] = []
    mark: spool_file.ReadMark | None = None
    while any(child.poll() is None for child in children) or spool_file.waiting_bytes(path):
        portion = spool_file.read(path, mark)
        found += portion.records
        assert portion.torn == []
        mark = None if spool_file.clear(path, portion.mark) else portion.mark
    assert [child.wait() for child in children] == [0] * PROCESSES
    for child in children:
        assert child.stdout is not None
        child.stdout.close()
    by_process = {name: [r["number"] for r in found if r["from"] == name] for name in {r["from"] for r in found}}
    assert by_process == {f"p{number}": list(range(count)) for number in range(PROCESSES)}


def test_killed_writers_lose_no_acknowledged_record(path: str, bundle: Path) -> None:
    acknowledged: Counter[str] = Counter()
    for number in range(24):
        child = _appender(bundle, path, f"p{number}", 10_000)
        assert child.stdout is not None
        for _ in range(1 + number % 5):
            child.stdout.readline()
        child.send_signal(signal.SIGKILL)
        child.wait()
        acknowledged[f"p{number}"] = 1 + number % 5 + len(child.stdout.read().splitlines())
        child.stdout.close()
    found = spool_file.read(path)
    for name, count in acknowledged.items():
        numbers = [record["number"] for record in found.records if record["from"] == name]
        assert numbers == list(range(len(numbers)))
        assert count <= len(numbers) <= count + 1  # one may be on the disk, not acknowledged


def test_waiting_for_the_lock_has_a_timeout(path: str) -> None:
    spool_file.append(path, {"number": 1})
    with open(path, "rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(TimeoutError):
            spool_file.append(path, {"number": 2}, timeout=0.01)
    spool_file.append(path, {"number": 3})
    assert [record["number"] for record in spool_file.read(path).records] == [1, 3]


def test_a_spool_deleted_while_waiting_for_its_lock_is_created_again(path: str) -> None:
    spool_file.append(path, {"number": 1})
    os.unlink(path)
    spool_file.append(path, {"number": 2})
    assert spool_file.read(path).records == [{"number": 2}]


@pytest.mark.parametrize("name", ["", ".", "..", "../up", "a/b", "a\0b", "É", "x" * 300, ".hidden", "a b", "\ud800"])
def test_any_name_of_a_journal_makes_a_file_in_the_folder(tmp_path: Path, name: str) -> None:
    path = Path(spool_file.path(tmp_path, name))
    assert path.parent == tmp_path
    spool_file.append(path, {"number": 1})
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_no_two_journals_share_a_file(tmp_path: Path) -> None:
    names = ["a", "A", "a b", "ab", "a/b", "é", "e", "x" * 200, "x" * 201, ".a", "a~"]
    assert len({spool_file.path(tmp_path, name) for name in names}) == len(names)


def test_the_folder_is_the_one_that_the_environment_names() -> None:
    assert spool_file.folder({"TALLYSTICK_SPOOL": "/there", "XDG_DATA_HOME": "/data"}) == "/there"
    assert spool_file.folder({"XDG_DATA_HOME": "/data"}) == "/data/tallystick/spool"


def test_a_store_has_one_folder_for_all_links_and_spellings(tmp_path: Path) -> None:
    env = {"XDG_DATA_HOME": str(tmp_path)}
    (tmp_path / "link.db").symlink_to(tmp_path / "tallystick" / "journal.db")
    (tmp_path / "other.db").symlink_to(tmp_path / "real.db")

    def of(url: str) -> str:
        return spool_file.folder({**env, "TALLYSTICK_URL": url})

    assert of(f"sqlite://{tmp_path}/link.db") == of("") == of("http://there:1") == str(tmp_path / "tallystick/spool")
    assert of(f"sqlite:{tmp_path}/other.db") == of(f"sqlite:////{tmp_path}/x/../real%2Edb") != of("")


def test_a_file_beside_the_spool_is_replaced_whole(path: str) -> None:
    key = spool_file.sibling(path, "key")
    assert spool_file.read_file(key) == b""
    spool_file.replace_file(key, b"first")
    spool_file.replace_file(key, b"second")
    assert spool_file.read_file(key) == b"second"
    assert os.listdir(os.path.dirname(path)) == ["project-1.key"]


def _filled(path: str) -> int:
    """How many records fitted before the disk was full."""
    written = 0
    try:
        while True:
            spool_file.append(path, {"number": written, "text": "x" * 1500})
            written += 1
    except OSError as error:
        assert error.errno == errno.ENOSPC  # noqa: PT017
    return written


def _appender(bundle: Path, path: str, name: str, count: int) -> subprocess.Popen[bytes]:
    command = [hook_bundle.base_python(), "-I", "-S", str(APPENDING), str(bundle), path, name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)
