"""verify and export: changes are detected, and an export verifies elsewhere."""

import json
from collections.abc import Callable
from pathlib import Path

import apsw
import psycopg
import pytest
from msgspec.structs import replace

from tallystick import Journal, verifier
from tallystick.core.chain import hash_line
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.store import archive
from tallystick.store.interface import StoredEntry
from tallystick.store.memory import MemoryStore
from tests.behaviour.scenarios import begin, do, end, owed, plan, planned, start, step
from tests.drivers import Local
from tests.matrix import Cell
from tests.promises import promise
from tests.stores import open_store

Change = Callable[[list[StoredEntry]], list[StoredEntry]]


def _written(journal: Journal) -> int:
    """A journal with some of everything; how long it is."""
    start(journal, "some work")
    for number in range(6):
        do(journal, f"tool {number}", arguments={"n": number}, result={"done": number})
    journal.record_context(key="k", value="remember this")
    end(journal, begin(journal, "late"), "unknown")
    plan(journal, "one", "two")
    return journal.get_stats().entries


@promise("verify-says-what-holds")
def test_a_whole_journal_verifies(cell: Cell) -> None:
    length = _written(cell.journal)
    found = cell.journal.verify()
    newest = cell.journal.read_entries(newest_first=True, limit=1).entries[0]
    assert (found.ok, found.problem, found.entries, found.erased) == (True, "", length, 0)
    assert found.bodies == sum(entry.body is not None for entry in cell.journal.read_entries(limit=100).entries)
    assert found.head == newest.hash


@promise("an-unreadable-entry-stops-nobody")
def test_a_damaged_entry_is_shown_with_its_number_and_the_rest_goes_on(cell: Cell) -> None:
    length = _written(cell.journal)
    damaged = length // 2
    _rewrite(cell, lambda all: [_torn(each) if each.seq == damaged else each for each in all])
    shown = cell.journal.read_entries(limit=100).entries
    assert [entry.seq for entry in shown] == list(range(1, len(shown) + 1))
    assert [entry.seq for entry in shown if entry.kind == "unreadable"] == [damaged]
    assert cell.journal.get_brief().text
    assert cell.journal.list_actions().actions
    cell.journal.record_context(key="after", value="the damage")
    found = cell.journal.verify()
    assert not found.ok
    assert f"entry {damaged}" in found.problem


def _torn(each: StoredEntry) -> StoredEntry:
    return replace(each, line=each.line[:-9])


FORGED: dict[str, Callable[[str], str]] = {
    "a body that is no text": lambda line: json.dumps({**json.loads(line), "body": 5}),
    "a body that is nothing": lambda line: json.dumps({**json.loads(line), "body": None}),
    "a salt that is no text": lambda line: json.dumps({**json.loads(line), "salt": []}),
    "a salt that is written otherwise": lambda line: json.dumps(
        {**json.loads(line), "salt": json.loads(line)["salt"].upper() + " "}
    ),
    "a body without its salt": lambda line: json.dumps(
        {name: value for name, value in json.loads(line).items() if name != "salt"}
    ),
    "a line that is no text": lambda line: json.dumps({**json.loads(line), "line": {}}),
    "a line with a lone surrogate": lambda line: json.dumps({**json.loads(line), "line": "\ud800"}),
    "a place that is true": lambda line: json.dumps({**json.loads(line), "seq": True}),
    "a place that is a fraction": lambda line: json.dumps({**json.loads(line), "seq": 3.0}),
    "a name that no export has": lambda line: line[:-1] + ',"more":1}',
    "a name that stands twice": lambda line: line[:-1] + "," + line[1:],
    "a hundred thousand brackets": lambda line: "[" * 100_000,
    "a number without end": lambda line: '{"seq":' + "9" * 5000 + "}",
}


@promise("verify-says-what-holds")
@pytest.mark.parametrize("forged", sorted(FORGED))
def test_an_export_that_no_journal_wrote_is_refused_with_its_entry(cell: Cell, tmp_path: Path, forged: str) -> None:
    _written(cell.journal)
    lines = list(cell.journal.export().lines)
    assert "salt" in lines[3]
    lines[3] = FORGED[forged](lines[3])
    report = verifier.Verifier().run(lines)
    assert not report["ok"]
    assert "entry 3" in report["problem"]
    path = tmp_path / "export.jsonl"
    path.write_text("\n".join(lines))
    assert verifier.main([str(path)]) == 1


@promise("verify-says-what-holds")
def test_an_empty_journal_verifies(journal: Journal) -> None:
    found = journal.verify()
    assert (found.ok, found.entries, found.bodies) == (True, 0, 0)


@promise("verify-says-what-holds")
def test_any_head_that_was_kept_is_found_again(cell: Cell) -> None:
    _written(cell.journal)
    heads = [entry.hash for entry in cell.journal.read_entries(limit=100).entries]
    assert all(cell.journal.verify(head=head).ok for head in (heads[0], heads[4], heads[-1]))
    assert not cell.journal.verify(head="s1:" + "A" * 43).ok


def _edited(stored: list[StoredEntry]) -> list[StoredEntry]:
    line = stored[4].line.replace(b'"tool":"tool', b'"tool":"fool')
    assert line != stored[4].line
    return [*stored[:4], _with(stored[4], line=line), *stored[5:]]


def _rehashed(stored: list[StoredEntry]) -> list[StoredEntry]:
    """Edited, with a hash that fits the edit: only the next entry shows it."""
    edited = _edited(stored)
    fitting = hash_line(stored[3].hash, edited[4].line)
    return [*edited[:4], _with(edited[4], hash=fitting), *edited[5:]]


def _deleted(stored: list[StoredEntry]) -> list[StoredEntry]:
    return stored[:4] + stored[5:]


def _inserted(stored: list[StoredEntry]) -> list[StoredEntry]:
    return [*stored[:5], stored[4], *stored[5:]]


def _swapped(stored: list[StoredEntry]) -> list[StoredEntry]:
    return [*stored[:4], stored[5], stored[4], *stored[6:]]


def _other_body(stored: list[StoredEntry]) -> list[StoredEntry]:
    index = next(index for index, each in enumerate(stored) if each.body and index > 3)
    assert stored[index].body != '{"summary":"nothing to see here"}'
    return [*stored[:index], _with(stored[index], body='{"summary":"nothing to see here"}'), *stored[index + 1 :]]


def _lost_body(stored: list[StoredEntry]) -> list[StoredEntry]:
    index = next(index for index, each in enumerate(stored) if each.body and index > 3)
    return [
        *stored[:index],
        StoredEntry(stored[index].seq, stored[index].line, stored[index].hash, None, None),
        *stored[index + 1 :],
    ]


def _with(
    stored: StoredEntry, *, line: bytes | None = None, hash: str | None = None, body: str | None = None
) -> StoredEntry:
    return StoredEntry(stored.seq, line or stored.line, hash or stored.hash, body or stored.body, stored.salt)


CHANGES: list[tuple[Change, int]] = [
    (_edited, 5),
    (_rehashed, 6),
    (_deleted, 5),
    (_inserted, 6),
    (_swapped, 5),
    (_other_body, 5),
    (_lost_body, 5),
]


def _rewrite(cell: Cell, change: Change) -> None:
    """Replace the stored bytes of a journal, as an attacker with write access to the store's files would."""
    name = cell.settings.journal
    changed = change(list(cell.store.stored_entries(name, after=0, limit=1000)))
    if isinstance(cell.store, MemoryStore):
        cell.store._journals[name].stored = changed
    elif cell.settings.url.startswith("sqlite"):
        _rewrite_sqlite(cell.settings.url.removeprefix("sqlite://"), name, changed)
    else:
        _rewrite_postgres(cell.settings.url, name, changed)


def _rewrite_sqlite(path: str, journal: str, changed: list[StoredEntry]) -> None:
    with apsw.Connection(path) as file:
        (number,) = next(file.execute("select number from journals where name = ?", (journal,)))
        for trigger in [name for (name,) in file.execute("select name from sqlite_master where type = 'trigger'")]:
            file.execute(f"drop trigger {trigger}")
        for table in ("entries", "bodies"):
            file.execute(f"delete from {table} where journal = ?", (number,))
        for seq, each in enumerate(changed, 1):
            row_id = (number << 40) + seq
            row = (row_id, number, each.line.decode(), each.hash)
            file.execute("insert into entries (place, journal, line, hash) values (?, ?, ?, ?)", row)
            if each.body is not None:
                body = (row_id, number, each.salt, each.body)
                file.execute("insert into bodies (place, journal, salt, body) values (?, ?, ?, ?)", body)


def _rewrite_postgres(url: str, journal: str, changed: list[StoredEntry]) -> None:
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("set session_replication_role = replica")  # no trigger fires
        found = server.execute("select number from journals where name = %s", (journal,)).fetchone()
        assert found is not None
        for table in ("entries", "bodies"):
            server.execute(f"delete from {table} where journal = %s".encode(), found)
        for seq, each in enumerate(changed, 1):
            row_id = (found[0] << 40) + seq
            row = (row_id, found[0], each.line.decode(), each.hash)
            server.execute("insert into entries (place, journal, line, hash) values (%s, %s, %s, %s)", row)
            if each.body is not None:
                body = (row_id, found[0], each.salt, each.body)
                server.execute("insert into bodies (place, journal, salt, body) values (%s, %s, %s, %s)", body)


def _verified(cell: Cell, head: str = "", *, chain: bool = False) -> tuple[bool, str, int]:
    """The state that a process finds when it opens the store afresh."""
    afresh = cell.store if isinstance(cell.store, MemoryStore) else open_store(cell.settings.url, clock=cell.clock)
    found = Journal(Local(OperationContext(afresh, cell.settings, Principal()))).verify(head=head, chain=chain)
    if afresh is not cell.store:
        afresh.close()
    return found.ok, found.problem, found.entries


@promise("verify-sees-what-was-changed")
@pytest.mark.parametrize(("change", "first"), CHANGES, ids=[change.__name__.strip("_") for change, _ in CHANGES])
def test_a_change_is_detected(cell: Cell, change: Change, first: int) -> None:
    _written(cell.journal)
    _rewrite(cell, change)
    ok, problem, entries = _verified(cell)
    assert not ok
    assert f"entry {first} " in problem
    assert entries >= first - 1


@promise("verify-sees-what-was-changed")
def test_an_unchanged_journal_still_verifies(cell: Cell) -> None:
    length = _written(cell.journal)
    _rewrite(cell, lambda stored: stored)
    assert _verified(cell) == (True, "", length)


def _uncommitted(stored: list[StoredEntry]) -> int:
    return next(index for index, each in enumerate(stored) if b'"commitment"' not in each.line)


def _committed(stored: list[StoredEntry]) -> int:
    return next(index for index, each in enumerate(stored) if each.body and b"action_ended" in each.line)


def _body_without_commitment(stored: list[StoredEntry]) -> list[StoredEntry]:
    index = _uncommitted(stored)
    forged = replace(stored[index], body='{"result":"forged"}', salt=bytes(32))
    return [*stored[:index], forged, *stored[index + 1 :]]


def _body_in_the_salt(stored: list[StoredEntry]) -> list[StoredEntry]:
    """The salt and the body are hashed one after the other: the whole of both is the same."""
    index = _committed(stored)
    each = stored[index]
    assert each.salt is not None
    assert each.body is not None
    forged = replace(each, body="", salt=each.salt + each.body.encode())
    return [*stored[:index], forged, *stored[index + 1 :]]


def _salt_in_the_body(stored: list[StoredEntry]) -> list[StoredEntry]:
    index = _committed(stored)
    each = stored[index]
    forged = replace(each, body=f"x{each.body}", salt=bytes(31))
    return [*stored[:index], forged, *stored[index + 1 :]]


FORGED_BODIES = [_body_without_commitment, _body_in_the_salt, _salt_in_the_body, _other_body]


@promise("verify-sees-what-was-changed")
@pytest.mark.parametrize("change", FORGED_BODIES, ids=[change.__name__.strip("_") for change in FORGED_BODIES])
def test_a_forged_body_is_refused_by_both_verifiers_and_never_shown(cell: Cell, change: Change) -> None:
    _written(cell.journal)
    before = {entry.seq: entry for entry in cell.journal.read_entries(limit=100).entries}
    name = cell.settings.journal
    genuine = list(cell.store.stored_entries(name, after=0, limit=1000))
    _rewrite(cell, change)
    found = cell.store.stored_entries(name, after=0, limit=1000)
    (forged,) = [each.seq for each, was in zip(found, genuine, strict=True) if each != was]
    ok, problem, _ = _verified(cell)
    assert (ok, f"entry {forged} " in problem) == (False, True)
    report = verifier.Verifier().run(cell.journal.export().lines)
    assert (report["ok"], f"entry {forged} " in report["problem"]) == (False, True)
    after = {entry.seq: entry for entry in cell.journal.read_entries(limit=100).entries}
    shown = after.pop(forged)
    assert (shown.body, shown.erased) == (None, False)
    assert shown.altered == (change is not _body_without_commitment)
    assert after == {seq: entry for seq, entry in before.items() if seq != forged}
    for action in cell.journal.list_actions(limit=100).actions:
        account = str(cell.journal.get_action(action_id=action.id))
        assert "forged" not in account
        assert "nothing to see here" not in account
    imported = archive.read_export(cell.journal.export().lines)
    assert (imported.verified, imported.broken) == (False, (forged,))
    assert imported.store.read(imported.journal, lambda view: view.bodies([forged])) == {}


@promise("verify-sees-what-was-changed")
def test_an_erased_body_that_is_back_is_refused_by_both_verifiers(cell: Cell) -> None:
    _written(cell.journal)
    person = cell.person()
    seq = cell.journal.record_context(key="gone", value="x").seq
    kept = cell.store.stored_entries(cell.settings.journal, after=seq - 1, limit=1)[0]
    erasure = person.erase(seqs=(seq,), reason="asked").seq
    assert cell.journal.verify().ok
    _rewrite(cell, lambda stored: [*stored[: seq - 1], kept, *stored[seq:]])
    wanted = f"the body of entry {seq} is there, and entry {erasure} says that it was erased"
    assert wanted in _verified(cell)[1]
    lines = cell.journal.export().lines
    assert verifier.Verifier().run(lines)["problem"] == wanted
    imported = archive.read_export(lines)
    assert wanted in imported.problem
    assert imported.store.read(imported.journal, lambda view: view.bodies([seq])) == {}


@promise("verify-sees-what-was-changed")
@pytest.mark.parametrize("by_step", [False, True])
def test_an_undo_whose_text_was_altered_is_shown_as_altered_not_as_erased(cell: Cell, by_step: bool) -> None:
    if by_step:
        planned(cell.journal, step("lock", undo="unlock it", tool="lock"))
        action = do(cell.journal, step="lock")
    else:
        start(cell.journal)
        action = do(cell.journal, "lock", undo="unlock it")

    def forge(stored: list[StoredEntry]) -> list[StoredEntry]:
        return [replace(each, body="{}") if each.body and "unlock it" in each.body else each for each in stored]

    _rewrite(cell, forge)
    cell.journal.record_decision(decision="unwind", why="start over")
    (item,) = owed(cell.journal)
    assert (item.action_id, item.undo, item.way) == (action, None, "altered")
    assert "the undo was altered" in cell.journal.get_brief().text


@promise("the-chain-verifies-after-erasing")
def test_a_body_that_was_altered_can_still_be_erased(cell: Cell) -> None:
    _written(cell.journal)
    person = cell.person()
    _rewrite(cell, _other_body)
    (altered,) = [entry.seq for entry in cell.journal.read_entries(limit=100).entries if entry.altered]
    person.erase(seqs=(altered,), reason="asked")
    assert _verified(cell)[:2] == (True, "")


@promise("a-cut-tail-shows-against-a-kept-head")
def test_a_cut_tail_shows_only_against_a_kept_head(cell: Cell) -> None:
    length = _written(cell.journal)
    head = cell.journal.verify().head
    earlier = cell.journal.read_entries(after=length - 4, limit=1).entries[0].hash
    _rewrite(cell, lambda stored: stored[:-3])
    if isinstance(cell.store, MemoryStore):
        book = cell.store._journals[cell.settings.journal]
        book.log = book.log[:-3]
    ok, problem, _ = _verified(cell, head)
    assert (ok, "cut off" in problem) == (False, True)
    assert _verified(cell, chain=True)[0]
    assert _verified(cell, earlier, chain=True)[0]


@promise("entries-are-final")
@pytest.mark.parametrize(
    "sql",
    [
        "update entries set line = line",
        "delete from entries",
        "update bodies set body = ''",
        "delete from journals",
        "update journals set name = 'other'",
        "update journals set secret = ''",
    ],
)
def test_the_store_refuses_to_change_an_entry_or_what_names_its_journal(cell: Cell, sql: str) -> None:
    _written(cell.journal)
    if cell.settings.url.startswith("sqlite"):
        with (
            apsw.Connection(cell.settings.url.removeprefix("sqlite://")) as file,
            pytest.raises(apsw.ConstraintError, match="final"),
        ):
            file.execute(sql)
    else:
        with (
            psycopg.connect(cell.settings.url) as server,
            pytest.raises(psycopg.errors.RaiseException, match="final"),
        ):
            server.execute(sql.encode())
    assert cell.journal.verify().ok


def _export(journal: Journal, path: Path) -> Path:
    """All lines, taken in small pages."""
    lines: list[str] = []
    after, more = 0, True
    while more:
        page = journal.export(after=after, limit=4)
        lines += page.lines
        after, more = page.last_seq, page.more
    path.write_text("\n".join(lines) + "\n")
    return path


@promise("an-export-verifies-elsewhere")
def test_an_export_verifies_with_a_program_that_shares_no_code(cell: Cell, tmp_path: Path) -> None:
    _written(cell.journal)
    person = cell.person()
    seq = cell.journal.record_context(key="gone", value="x").seq
    person.erase(seqs=(seq,), reason="asked")
    report = verifier.verify_file(str(_export(cell.journal, tmp_path / "export.jsonl")))
    found = cell.journal.verify()
    assert report["ok"] is True
    assert (report["entries"], report["bodies"], report["erased"]) == (found.entries, found.bodies, found.erased)
    assert report["head"] == found.head
    assert verifier.verify_file(str(tmp_path / "export.jsonl"), found.head)["ok"]


@promise("an-export-verifies-elsewhere")
@pytest.mark.parametrize("change", ["line", "hash", "body", "salt", "lost", "swapped", "journal", "head"])
def test_an_export_that_was_changed_does_not_verify(journal: Journal, tmp_path: Path, change: str) -> None:
    _written(journal)
    path = _export(journal, tmp_path / "export.jsonl")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    index = next(index for index, line in enumerate(lines) if "body" in line and index > 3)
    if change == "line":
        lines[index]["line"] = lines[index]["line"].replace("agent", "angel", 1)
    elif change == "hash":
        lines[index]["hash"] = lines[index - 1]["hash"]
    elif change == "body":
        lines[index]["body"] = lines[index]["body"].replace(":", ": ", 1)
    elif change == "salt":
        lines[index]["salt"] = "00" * 32
    elif change == "lost":
        del lines[index]["body"], lines[index]["salt"]
    elif change == "swapped":
        lines[index], lines[index + 1] = lines[index + 1], lines[index]
    elif change == "journal":
        lines[0]["journal"] = "another"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    head = "s1:" + "A" * 43 if change == "head" else ""
    report = verifier.verify_file(str(path), head)
    assert report["ok"] is False
    assert report["problem"]
