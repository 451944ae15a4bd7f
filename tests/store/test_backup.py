"""Backups: exact copies of any store in one file, made while others record, and restored into any store."""

import json
import threading
from pathlib import Path
from typing import Any, NoReturn

import apsw
import pytest

from tallystick import Journal
from tallystick.core.errors import StorageUnavailable, WrongState
from tallystick.core.state import TABLES
from tallystick.interfaces import cli
from tallystick.interfaces.cli import Result
from tallystick.store.interface import Select, View
from tallystick.store.memory import MemoryStore
from tests.postgres_server import Server
from tests.store.drafts import note, start
from tests.store.sample_journal import append, record
from tests.stores import AnyStore, Clock, Home

JOURNAL = "j"


def _run(url: str, *words: str) -> Result:
    return cli.run(["--url", url, *words], env={})


def _all(store: AnyStore, journal: str = JOURNAL) -> Any:
    def read(view: View) -> Any:
        return [view.find(table, Select(limit=10**6)) for table in TABLES], view.credentials(), view.head()

    return (*store.read(journal, read), store.stored_entries(journal, after=0, limit=10**6), store.secret(journal))


def _work(url: str, journal: str = "shop", count: int = 3) -> None:
    with Journal.open(url, journal=journal, actor="ada") as opened:
        opened.record_execution_start(title="Ship it")
        for number in range(count):
            opened.record_action(phase="begin", tool="pay", arguments={"n": number}, again="once more")
        opened.add_credential(name="boss")


def test_a_loaded_journal_is_an_exact_copy(home: Home, clock: Clock) -> None:
    source = MemoryStore(clock)
    record(source, clock=clock, seed=3, works=60)
    append(source, start(), note('"body"'))
    target = home.open(clock=clock)
    if target is source:
        return
    assert target.load(JOURNAL, source) == source.read(JOURNAL, lambda view: view.head().seq)
    assert _all(target) == _all(source)
    append(target, note('"after"'))
    with pytest.raises(WrongState, match="exists in this store"):
        target.load(JOURNAL, source)


def test_a_journal_is_loaded_as_a_whole_or_not_at_all(shared_home: Home, clock: Clock) -> None:
    source = MemoryStore(clock)
    record(source, clock=clock, seed=3, works=20)

    def fail(point: str) -> None:
        if point == "before_commit":
            raise StorageUnavailable("The disk is gone.", hint="")

    with pytest.raises(StorageUnavailable):
        shared_home.open(clock=clock, fault=fail).load(JOURNAL, source)
    target = shared_home.open(clock=clock)
    assert target.read(JOURNAL, lambda view: view.head().seq) == 0
    target.load(JOURNAL, source)
    assert _all(target) == _all(source)


def test_a_backup_has_everything_and_is_a_store_itself(shared_home: Home, tmp_path: Path) -> None:
    _work(shared_home.url)
    _work(shared_home.url, "home", 1)
    done = _run(shared_home.url, "backup", str(tmp_path / "copy.db"), "--json")
    assert done.exit_code == 0
    assert [each["name"] for each in json.loads(done.stdout)["journals"]] == ["home", "shop"]
    assert [each.name for each in tmp_path.iterdir() if "copy" in each.name] == ["copy.db"]
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
    copy = Home("sqlite", f"sqlite://{tmp_path / 'copy.db'}").open()
    assert _all(copy, "shop") == _all(shared_home.open(), "shop")
    copy.close()


def test_a_backup_made_while_others_record_has_all_that_was_acknowledged_before(
    shared_home: Home, tmp_path: Path
) -> None:
    stop = threading.Event()
    with Journal.open(shared_home.url, journal="shop", actor="ada") as journal:
        journal.record_execution_start(title="Ship it")
        count = 0

        def go_on() -> None:
            nonlocal count
            while not stop.is_set():
                journal.record_context(key=f"key {count}", value=count)
                count += 1

        writer = threading.Thread(target=go_on)
        writer.start()
        try:
            while count < 20:
                pass
            acknowledged = count
            assert _run(shared_home.url, "backup", str(tmp_path / "copy.db")).exit_code == 0
        finally:
            stop.set()
            writer.join()
    with Journal.open(f"sqlite://{tmp_path / 'copy.db'}", journal="shop") as copy:
        assert copy.get_context(key=f"key {acknowledged - 1}").values[0].value == acknowledged - 1
        assert copy.verify().ok


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_backup_is_restored_into_an_empty_store_of_either_kind(kind: str, tmp_path: Path, postgres: Server) -> None:
    source, backup = f"sqlite://{tmp_path / 'a.db'}", str(tmp_path / "copy.db")
    _work(source)
    assert _run(source, "backup", backup).exit_code == 0
    with postgres.database() as database:
        url = database if kind == "postgres" else f"sqlite://{tmp_path / 'b.db'}"
        assert _run(url, "restore", backup).exit_code == 0
        with Journal.open(url, journal="shop") as restored, Journal.open(source, journal="shop") as original:
            assert restored.verify() == original.verify()
            assert [each.action_id for each in restored.list_in_doubt().in_doubt] == [
                each.action_id for each in original.list_in_doubt().in_doubt
            ]
        if kind == "postgres":
            again = _run(url, "restore", backup)
            assert (again.exit_code, "exists in this store" in again.stderr) == (5, True)


def test_a_backup_without_the_newest_entries_replaces_nothing_unless_told(tmp_path: Path) -> None:
    url, backup = f"sqlite://{tmp_path / 'a.db'}", str(tmp_path / "copy.db")
    _work(url)
    _run(url, "backup", backup)
    with Journal.open(url, journal="shop") as journal:
        journal.record_context(key="newer", value=1)
    refused = _run(url, "restore", backup)
    assert (refused.exit_code, 'The journal "shop" of the store has entries' in refused.stderr) == (5, True)
    with Journal.open(url, journal="shop") as open_meanwhile:
        open_meanwhile.get_context(key="newer")
        told = _run(url, "restore", backup, "--replace", "--json")
        assert told.exit_code == 0
        with pytest.raises(StorageUnavailable, match="moved or replaced"):
            open_meanwhile.record_context(key="lost", value=2)
    with Journal.open(url, journal="shop") as restored:
        assert not restored.list_context().values
    with Journal.open(f"sqlite://{json.loads(told.stdout)['renamed']}", journal="shop") as renamed:
        assert renamed.get_context(key="newer").values[0].value == 1


def test_a_head_that_was_stored_outside_must_be_in_the_backup(tmp_path: Path) -> None:
    url, backup = f"sqlite://{tmp_path / 'a.db'}", str(tmp_path / "copy.db")
    _work(url)
    done = _run(url, "backup", backup, "--json")
    [journal] = json.loads(done.stdout)["journals"]
    with Journal.open(url, journal="shop") as opened:
        newer = opened.record_context(key="newer", value=1).hash
    elsewhere = f"sqlite://{tmp_path / 'b.db'}"
    refused = _run(elsewhere, "restore", backup, "--head", newer)
    assert (refused.exit_code, "does not have the entry" in refused.stderr) == (5, True)
    assert not (tmp_path / "b.db").exists()
    assert _run(elsewhere, "restore", backup, "--head", journal["head"]).exit_code == 0


def test_a_backup_that_was_altered_is_not_restored(tmp_path: Path) -> None:
    url, backup = f"sqlite://{tmp_path / 'a.db'}", tmp_path / "copy.db"
    _work(url)
    _run(url, "backup", str(backup))
    copy = apsw.Connection(str(backup))
    copy.execute("drop trigger bodies_are_not_changed")
    copy.execute("update bodies set body = replace(body, 'Ship it', 'Ship no')")
    copy.close()
    refused = _run(f"sqlite://{tmp_path / 'b.db'}", "restore", str(backup))
    assert (refused.exit_code, "does not verify" in refused.stderr) == (5, True)


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "is not a file"), (b"", "is not a backup"), (b"no database", "another kind of file")],
)
def test_another_file_is_refused_by_its_name(content: bytes | None, message: str, tmp_path: Path) -> None:
    file = tmp_path / "other"
    if content is not None:
        file.write_bytes(content)
    refused = _run(f"sqlite://{tmp_path / 'b.db'}", "restore", str(file))
    assert refused.exit_code in (2, 4)
    assert f"{file} " in refused.stderr
    assert message in refused.stderr
    assert not [
        each for each in tmp_path.iterdir() if each.name.startswith(("b.db", ".b.db")) and "lock" not in each.name
    ]


def test_a_backup_that_was_opened_to_look_into_it_is_restored_with_what_its_wal_holds(tmp_path: Path) -> None:
    url, backup = f"sqlite://{tmp_path / 'a.db'}", tmp_path / "copy.db"
    _work(url)
    _run(url, "backup", str(backup))
    with Journal.open(f"sqlite://{backup}", journal="shop") as looked_into:
        looked_into.record_context(key="in the wal", value=1)
        while_open = _run(f"sqlite://{tmp_path / 'b.db'}", "restore", str(backup))
    after = _run(f"sqlite://{tmp_path / 'c.db'}", "restore", str(backup))
    assert (while_open.exit_code, after.exit_code) == (0, 0)
    for name in ("b.db", "c.db"):
        with Journal.open(f"sqlite://{tmp_path / name}", journal="shop") as restored:
            assert restored.get_context(key="in the wal").values[0].value == 1


@pytest.mark.parametrize(("first", "length"), [(0, 100), (4096, 60_000)], ids=["header", "pages"])
def test_a_damaged_store_is_replaced_when_told_and_kept(first: int, length: int, tmp_path: Path) -> None:
    url, backup, damaged = f"sqlite://{tmp_path / 'a.db'}", tmp_path / "copy.db", tmp_path / "damaged.db"
    _work(url)
    _run(url, "backup", str(backup))
    content = bytearray(backup.read_bytes())
    content[first : first + length] = b"\xaa" * length
    damaged.write_bytes(content)
    refused = _run(f"sqlite://{damaged}", "restore", str(backup))
    assert (refused.exit_code, "Restore with --replace" in refused.stderr) == (5, True)
    told = _run(f"sqlite://{damaged}", "restore", str(backup), "--replace", "--json")
    assert told.exit_code == 0
    with Journal.open(f"sqlite://{damaged}", journal="shop") as restored:
        assert restored.verify().ok
    assert Path(json.loads(told.stdout)["renamed"]).read_bytes()[100:] == content[100:]


def test_a_restore_that_is_killed_leaves_the_old_store_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def kill(part: Path, target: Path) -> NoReturn:
        raise Killed

    url, backup = f"sqlite://{tmp_path / 'a.db'}", str(tmp_path / "copy.db")
    _work(url)
    _run(url, "backup", backup)
    with Journal.open(url, journal="shop") as journal:
        journal.record_context(key="newer", value=1)
    monkeypatch.setattr(Path, "replace", kill)
    with pytest.raises(Killed):
        _run(url, "restore", backup, "--replace")
    with Journal.open(url, journal="shop") as journal:
        assert journal.get_context(key="newer").values[0].value == 1


def test_a_backup_overwrites_no_file(tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path / 'a.db'}"
    _work(url)
    (tmp_path / "copy.db").write_text("something else")
    assert _run(url, "backup", str(tmp_path / "copy.db")).exit_code == 2
    assert (tmp_path / "copy.db").read_text() == "something else"
