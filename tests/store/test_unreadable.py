"""Entries that cannot be read: an old fault, a damaged line, a newer version. The rest of the journal goes on."""

import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import psycopg
import pytest

from tallystick import Conflict, Journal, Step, verifier
from tallystick.core import chain
from tallystick.core.errors import StorageUnavailable, Unsupported
from tallystick.interfaces import cli
from tallystick.operations.audit import verify
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.views.entries import read_entries
from tallystick.settings import Settings
from tallystick.store import archive
from tests.store.drafts import note, plan, start
from tests.store.sample_journal import append
from tests.stores import AnyStore, Home

BRICKED = {"cancellable": (8, 10), "effect": (8, 10), "failure-policy": (8,), "needs-approval": (8,)}
"""The journals of `bricked.db`, each with a typo in a step, and the entries that cannot be read for it."""


@pytest.fixture
def bricked(tmp_path: Path) -> Path:
    """A file in which a version without checks recorded `Step(cancellable="yes")` and three more such typos."""
    path = tmp_path / "bricked.db"
    path.write_bytes(gzip.decompress((Path(__file__).parent / "bricked.db.gz").read_bytes()))
    return path


@pytest.mark.parametrize("name", BRICKED)
def test_a_journal_with_a_typo_in_a_step_is_read_and_written(bricked: Path, name: str) -> None:
    with Journal.open(f"sqlite://{bricked}", journal=name) as journal:
        shown = journal.read_entries(kind="unreadable").entries
        assert tuple(entry.seq for entry in shown) == BRICKED[name]
        assert (shown[0].id[:3], shown[0].actor, shown[0].facts["stored_kind"]) == ("pl_", "ada", "plan_recorded")
        assert shown[0].body["title"] == "Broken by a typo"
        assert [view.title for view in journal.list_plans().plans] == ["Sound"]
        for execution in journal.list_executions().executions:
            assert journal.get_status(execution_id=execution.id).execution.status == execution.status
            assert journal.get_brief(execution_id=execution.id).text
        listed = [journal.get_undo_list(execution_id=each.id) for each in journal.list_executions().executions]
        assert any(page.items for page in listed)
        assert journal.read_entries(text="typo").entries
        with pytest.raises(Conflict, match="entry 8"):
            journal.record_plan(title="x", steps=[Step(title="One", cancellable="reversible")], key="typo")
        journal.record_context(key="new", value=1, scope="project")
        found = journal.verify()
        assert (found.ok, found.unreadable) == (True, BRICKED[name])
        lines = list(journal.export().lines)
    assert verifier.Verifier("").run(iter(lines))["ok"]
    assert archive.read_export(lines).verified
    for command in ("doctor", "verify", "tail", "rebuild", "owed", "status"):
        assert _exit_code(command, bricked, name) == 0, command
    with Journal.open(f"sqlite://{bricked}", journal=name) as journal:
        assert journal.list_context().values[0].value == 1


def _is_not_json(line: str) -> str:
    return line[:-1]


def _is_another_entry(line: str) -> str:
    return line.replace('"seq":2', '"seq":7')


def _is_of_another_kind(line: str) -> str:
    return line.replace("execution_started", "execution_startle")


@pytest.mark.parametrize("damage", [_is_not_json, _is_another_entry, _is_of_another_kind])
def test_a_damaged_entry_stops_neither_reading_nor_writing(shared_home: Home, damage: Callable[[str], str]) -> None:
    _damaged(shared_home, 2, damage)
    store = shared_home.open()
    shown = store.read("j", lambda view: view.entries(limit=10))
    assert [entry.kind for entry in shown] == ["action_noted", "unreadable", "plan_recorded"]
    assert [entry.seq for entry in shown] == [1, 2, 3]
    assert append(store, note())[0].seq == 4
    assert store.rebuild("j") == 4
    found = verify(_context(store), {})
    assert (found.ok, found.problem.partition(" ")[0]) == (False, "entry")
    assert [entry.kind for entry in read_entries(_context(store), {}).entries].count("unreadable") == 1


def test_a_damaged_last_entry_and_hash_are_followed_by_new_ones(shared_home: Home) -> None:
    _damaged(shared_home, 3, _is_not_json)
    with _by_hand(shared_home) as execute:
        execute("update entries set hash = 'torn' where line like '%plan_recorded%'")
    store = shared_home.open()
    assert append(store, note())[0].seq == 4
    assert not verify(_context(store), {}).ok


def _needs(version: str) -> Callable[[str], str]:
    return lambda line: json.dumps({**json.loads(line), "kind": "plan_dreamt", "needs": version}, separators=(",", ":"))


@pytest.mark.parametrize(("change", "advice"), [(_needs("0.9"), "tallystick 0.9 or newer"), (_needs(""), "newest")])
def test_an_entry_of_a_newer_version_stops_writing_and_names_the_version(
    shared_home: Home, change: Callable[[str], str], advice: str
) -> None:
    _damaged(shared_home, 3, change, rehash=True)
    with _by_hand(shared_home) as execute:
        execute("update journals set filed = 0")  # a newer version that filed it also raised the format of the rows
    store = shared_home.open()
    with pytest.raises(Unsupported, match=advice):
        append(store, note())
    shown = store.read("j", lambda view: view.entries(limit=10))
    assert [entry.kind for entry in shown] == ["action_noted", "execution_started", "unreadable"]
    found = verify(_context(store), {"chain": True})  # the row of the entry that it was is still there
    assert (found.ok, found.unreadable) == (True, (3,))


def test_rows_of_a_newer_version_are_read_but_not_written(shared_home: Home) -> None:
    append(shared_home.open(), note(), start())
    shared_home.close()
    with _by_hand(shared_home) as execute:
        execute("update journals set shape = 9999")
    store = shared_home.open()
    assert store.read("j", lambda view: view.head().seq) == 2
    for write in (lambda: append(store, note()), lambda: [store.rebuild("j")]):
        with pytest.raises(Unsupported, match="newest version"):
            write()


def test_a_damaged_row_names_the_command_that_repairs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tallystick.store.sql.tail.ENTRIES_PER_FLUSH", 1)
    path = tmp_path / "journal.db"
    with Journal.open(f"sqlite://{path}", journal="j") as journal:
        execution = journal.record_execution_start(title="x").id
    file = apsw.Connection(str(path))
    file.execute("update executions set doc = '{'").fetchall()
    file.close()
    with (
        Journal.open(f"sqlite://{path}", journal="j") as journal,
        pytest.raises(StorageUnavailable, match="tallystick rebuild"),
    ):
        journal.list_executions()
    assert _exit_code("rebuild", path, "j") == 0
    with Journal.open(f"sqlite://{path}", journal="j") as journal:
        assert [each.id for each in journal.list_executions().executions] == [execution]


def _damaged(home: Home, seq: int, change: Callable[[str], str], *, rehash: bool = False) -> None:
    """Three entries, one of them changed by hand."""
    store = home.open()
    append(store, note(), start(), plan("one"))
    stored = store.stored_entries("j", after=0, limit=3)
    home.close()
    line = change(stored[seq - 1].line.decode())
    hash = chain.hash_line(stored[seq - 2].hash, line.encode()) if rehash else stored[seq - 1].hash
    with _by_hand(home) as execute:
        execute(f"update entries set line = '{line}', hash = '{hash}' where hash = '{stored[seq - 1].hash}'")


@contextmanager
def _by_hand(home: Home) -> Iterator[Callable[[str], object]]:
    if home.kind == "sqlite":
        file = apsw.Connection(str(home.path))
        for (trigger,) in file.execute(
            "select name from sqlite_master where type = 'trigger' and tbl_name = 'entries'"
        ):
            file.execute(f"drop trigger {trigger}")
        yield lambda sql: file.execute(sql).fetchall()
        file.close()
        return
    with psycopg.connect(home.url, autocommit=True) as server:
        server.execute("set session_replication_role = replica")  # no trigger fires
        yield lambda sql: server.execute(sql.encode())


def _exit_code(command: str, path: Path, journal: str) -> int:
    return cli.run([command], env={"TALLYSTICK_URL": f"sqlite://{path}", "TALLYSTICK_JOURNAL": journal}).exit_code


def _context(store: AnyStore) -> OperationContext:
    return OperationContext(store, Settings(url="", journal="j", actor="tester"), Principal())


DAMAGED_PARTS = {
    "a credential": "update credentials set tasks = x'ff'",
    "the mark of rows": "update journals set filed = 'x'",
    "the mark of the search index": "update journals set indexed = 'x'",
    "the format of rows": "update journals set shape = 'x'",
    "the index by execution": "update trails set place = 'x' where place = (select max(place) from trails)",
    "the id of a row": "update sessions set id = x'ff'",
    "the search index": "delete from words_data",
}


@pytest.mark.parametrize("part", DAMAGED_PARTS)
def test_a_damaged_part_beside_the_entries_is_reported_and_rebuild_mends_it(part: str, tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path}/journal.db"
    with Journal.open(url, journal="j", actor="ada") as journal:
        journal.add_credential(name="ada")
        execution = journal.record_execution_start(title="zebra").id
        for number in range(150):
            journal.record_context(key=f"k{number}", value=1, execution_id=execution)
        journal.list_executions(text="zebra")
    with Journal.open(url, journal="j") as journal:
        whole = journal.verify()
    with apsw.Connection(f"{tmp_path}/journal.db") as file:
        file.execute(DAMAGED_PARTS[part])
    with Journal.open(url, journal="j", actor="bo") as journal:
        found = journal.verify()
        assert (found.ok, found.entries) == (part == "the search index", whole.entries), found.problem
    assert cli.run(["--url", url, "--journal", "j", "rebuild"], env={}).exit_code == 0
    with Journal.open(url, journal="j", actor="bo") as journal:
        mended = journal.verify()
        assert (mended.ok, mended.head) == (True, whole.head), mended.problem
        assert [each.id for each in journal.list_executions(text="zebra").executions] == [execution]


def test_without_the_key_of_digests_a_journal_can_be_read_and_doctor_says_so(tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path}/journal.db"
    with Journal.open(url, journal="j", actor="ada") as journal:
        execution = journal.record_execution_start(title="zebra").id
    with apsw.Connection(f"{tmp_path}/journal.db") as file:
        file.execute("drop trigger journals_are_not_renamed; update journals set secret = x'00'")
    with Journal.open(url, journal="j", actor="bo") as journal:
        assert journal.verify().ok
        assert journal.export().lines
        assert journal.get_status(execution_id=execution).execution.title == "zebra"
        with pytest.raises(StorageUnavailable, match="key of digests"):
            journal.record_action(phase="begin", tool="pay", arguments={"n": 1}, execution_id=execution)
    doctor = cli.run(["--url", url, "--journal", "j", "doctor"], env={})
    assert (doctor.exit_code, "key of digests" in doctor.stdout) == (1, True)
