"""verify compares what is stored beside the entries: rows, marks and the index by execution."""

from collections.abc import Callable
from contextlib import closing

import apsw
import psycopg
import pytest
from msgspec.structs import replace

from tallystick import Journal
from tallystick.core.errors import StorageUnavailable
from tallystick.core.state import Action, Execution, IdempotencyKey, Session
from tallystick.operations.audit import Verification
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.store import row_check
from tallystick.store.interface import Select, Store
from tallystick.store.memory import MemoryStore
from tests.behaviour.scenarios import begin, do, end, start
from tests.drivers import Local
from tests.matrix import Cell
from tests.promises import promise
from tests.store.drafts import credential, note
from tests.stores import open_store


def _written(journal: Journal) -> None:
    """A journal with something owed and something in doubt, long enough that rows are stored."""
    journal.add_credential(name="ada")
    start(journal, "some work")
    end(journal, begin(journal, "in doubt"), "unknown")
    for number in range(70):
        do(journal, f"tool {number}", arguments={"n": number}, undo="take it back", key=f"key {number}")


def _run(cell: Cell, sql: str) -> None:
    """Change the store's tables, as somebody with write access to its files would."""
    if cell.settings.url.startswith("sqlite"):
        with apsw.Connection(cell.settings.url.removeprefix("sqlite://")) as file:
            file.execute(sql)
    else:
        with psycopg.connect(cell.settings.url, autocommit=True) as server:
            server.execute(sql.encode())


def _verified(cell: Cell, *, chain: bool = False) -> Verification:
    """What a new process finds."""
    store = cell.store if isinstance(cell.store, MemoryStore) else open_store(cell.settings.url, clock=cell.clock)
    found = Journal(Local(OperationContext(store, cell.settings, Principal()))).verify(chain=chain)
    if store is not cell.store:
        store.close()
    return found


EDITS = {
    "undo state is emptied": ("update actions set undo_state = ''", "action ac_"),
    "a state is changed in the column": ("update actions set state = 'ok' where state = 'unknown'", "action ac_"),
    "a state is changed in the whole row": (
        """update actions set doc = replace(doc, '"state":"unknown"', '"state":"ok"')""",
        "action ac_",
    ),
    "a row cannot be read": ("update executions set doc = '{'", "execution ex_"),
    "a row is deleted": ("delete from executions", "execution ex_"),
    "a row is added": (
        "insert into sessions (journal, id, status, name, at, doc) select journal, 'se_zzz', status, name, at, doc "
        "from sessions where journal = (select max(number) from journals) limit 1",
        "session se_zzz comes from no entry",
    ),
    "a key is given to another entry": ("""update keys set doc = replace(doc, '"seq":', '"seq":1')""", "key key"),
    "a key is deleted": ("delete from keys where id = 'key 3'", "key key 3 is missing"),
    "the index by execution lacks an entry": (
        "delete from trails where place = (select max(place) from trails)",
        "index of entries by execution",
    ),
    "the index by execution has a key of no journal": (
        "update trails set place = 4611686018427387904 where place = (select max(place) from trails)",
        "index of entries by execution",
    ),
    "rows are said to be written beyond the end": ("update journals set filed = 100000", "up to entry 100000"),
    "rows are said to be written less far": ("update journals set filed = 1", "comes from no entry"),
    "search is said to know more than there is": ("update journals set indexed = 100000", "up to entry 100000"),
    "a credential is made without an entry": (
        "insert into credentials (journal, name, hash, scopes, revoked) "
        "select max(number), 'eve', 'h1:eve', 'admin approve', 0 from journals",
        'credential "eve" comes from no entry',
    ),
    "the secret of a credential is replaced": ("update credentials set hash = 'h1:eve'", 'credential "ada" says hash'),
    "a credential is given more scopes": (
        "update credentials set scopes = 'approve admin audit'",
        'credential "ada" says scopes',
    ),
    "a credential is revoked without an entry": ("update credentials set revoked = 1", 'credential "ada" says revoked'),
    "a credential is deleted": ("delete from credentials", 'credential "ada" is missing'),
    "a lease is added": (
        "insert into leases (journal, session, expires, seconds) select max(number), 'se_zzz', 1, 1 from journals",
        "session se_zzz, which no entry opened",
    ),
    "a body lies behind the end": (
        "insert into bodies (place, journal, salt, body) select max(place) + 1000, max(journal), max(salt), '{}' "
        "from bodies",
        "which does not exist",
    ),
}


@promise("verify-compares-rows-with-entries")
@pytest.mark.parametrize("edit", sorted(EDITS))
def test_an_edit_beside_the_entries_is_found_and_rebuild_mends_it(cell: Cell, edit: str) -> None:
    sql, problem = EDITS[edit]
    _written(cell.journal)
    whole = _verified(cell)
    assert (whole.ok, whole.problem) == (True, "")
    if isinstance(cell.store, MemoryStore):
        return  # it has no tables
    _run(cell, sql)
    found = _verified(cell)
    assert (found.ok, problem in found.problem) == (False, True), found.problem
    assert cell.store.credential("h1:eve") is None
    quick = _verified(cell, chain=True)
    assert (quick.ok, "rows" in quick.not_checked, "rows" in found.not_checked) == (True, True, False)
    if "body" not in edit and "lease" not in edit:
        cell.store.rebuild(cell.settings.journal)
        mended = _verified(cell)
        assert (mended.ok, mended.head) == (True, whole.head)


@promise("verify-compares-rows-with-entries")
def test_search_finds_everything_after_rebuild_has_mended_its_mark(cell: Cell) -> None:
    _written(cell.journal)
    before = [each.seq for each in cell.journal.read_entries(text="tool").entries]
    assert before
    if isinstance(cell.store, MemoryStore):
        return  # it has no tables
    _run(cell, "update journals set indexed = 100000")
    cell.store.rebuild(cell.settings.journal)
    assert [each.seq for each in cell.journal.read_entries(text="tool").entries] == before


def _matches(store: Store, cell: Cell) -> list[int]:
    journal = Journal(Local(OperationContext(store, cell.settings, Principal())))
    return [each.seq for each in journal.read_entries(text="tool", limit=1000).entries]


def _delete(cell: Cell, *tables: str) -> None:
    """Delete a journal from tables, as somebody who means it: the store itself refuses that."""
    name = cell.settings.journal
    own = {"journals": f"name = '{name}'"}
    of_journal = f"journal in (select number from journals where name = '{name}')"
    deletes = [f"delete from {table} where {own.get(table, of_journal)}" for table in tables]
    if cell.settings.url.startswith("sqlite"):
        triggers = [f"drop trigger if exists {table}_are_not_deleted" for table in tables]
        _run(cell, "; ".join([*triggers, *deletes]))
    else:
        off, on = ([f"alter table {table} {each} trigger all" for table in tables] for each in ("disable", "enable"))
        _run(cell, "; ".join([*off, *deletes, *on]))


@promise("verify-compares-rows-with-entries")
def test_a_journal_without_its_row_is_refused_and_reported_until_rebuild_writes_it(cell: Cell) -> None:
    _written(cell.journal)
    if isinstance(cell.store, MemoryStore):
        return  # it has no tables
    name, whole = cell.settings.journal, _verified(cell)
    found = _matches(cell.store, cell)
    _delete(cell, "journals")
    problem = _verified(cell)
    assert (problem.ok, problem.entries, problem.head) == (False, whole.entries, whole.head)
    assert f'the row of the journal "{name}" is missing' in problem.problem
    store = open_store(cell.settings.url, clock=cell.clock)
    with closing(store):
        for call in (
            lambda: store.read(name, lambda view: view.head()),
            lambda: store.write(name, lambda ledger: ledger.append(note())),
            lambda: store.secret(name),
        ):
            with pytest.raises(StorageUnavailable, match=f'the row of the journal "{name}" is missing'):
                call()
        assert len(store.orphans()) == 1
        store.write(f"another {name}", lambda ledger: ledger.append(note()))
        assert [each.seq for each in store.stored_entries(f"another {name}", after=0, limit=10)] == [1]
        assert store.rebuild(name) == whole.entries
        assert store.orphans() == []
        with pytest.raises(StorageUnavailable, match="key of digests"):
            store.secret(name)
        mended = _verified(cell)
        assert (mended.ok, mended.head) == (True, whole.head), mended.problem
        assert _matches(store, cell) == found


@promise("verify-compares-rows-with-entries")
def test_a_program_that_has_the_journal_open_refuses_without_its_row_and_rebuilds_it_whole(cell: Cell) -> None:
    _written(cell.journal)
    if isinstance(cell.store, MemoryStore):
        return  # it has no tables
    name, secret = cell.settings.journal, cell.store.secret(cell.settings.journal)
    _delete(cell, "journals")
    with pytest.raises(StorageUnavailable, match="the row of the journal"):
        cell.store.read(name, lambda view: view.get(Session, "se_none"))
    cell.store.rebuild(name)
    assert _verified(cell).ok
    with closing(open_store(cell.settings.url, clock=cell.clock)) as store:
        assert store.secret(name) == secret


@promise("verify-compares-rows-with-entries")
def test_deleted_entries_are_found_by_the_leases_of_their_sessions(cell: Cell) -> None:
    begin(cell.journal, "some work", execution_id=start(cell.journal))
    if isinstance(cell.store, MemoryStore):
        return  # it has no tables
    assert _verified(cell).ok
    _delete(cell, "entries", "bodies")
    found = _verified(cell)
    assert (found.ok, "Entries may have been deleted" in found.problem) == (False, True)


def _forge(change: Callable[[Execution], Execution], cell: Cell) -> None:
    assert isinstance(cell.store, MemoryStore)
    journal = cell.store._journals[cell.settings.journal]
    (row,) = journal.find(Execution, Select(limit=1))
    journal.put(change(row))


@promise("verify-compares-rows-with-entries")
def test_a_changed_row_in_memory_is_found(cell: Cell) -> None:
    _written(cell.journal)
    if not isinstance(cell.store, MemoryStore):
        return  # the test above changes its tables
    assert cell.journal.verify().ok
    _forge(lambda row: replace(row, late=5), cell)
    found = cell.journal.verify()
    assert (found.ok, "says late 5, its entries say 0" in found.problem) == (False, True)
    cell.store.rebuild(cell.settings.journal)
    assert cell.journal.verify().ok


@promise("verify-compares-rows-with-entries")
def test_rows_that_do_not_fit_into_memory_are_compared_alike(cell: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    _written(cell.journal)
    whole = _verified(cell)
    monkeypatch.setattr(row_check, "MAX_PUTS_HELD", 5)
    assert _verified(cell) == whole


@promise("verify-compares-rows-with-entries")
def test_a_key_that_was_used_again_is_no_difference(cell: Cell) -> None:
    _written(cell.journal)
    seqs = [entry.seq for entry in cell.journal.read_entries(limit=5).entries]
    assert row_check.SummedKeys(1).keys == 0
    rows = row_check.ExpectedRows()
    for seq in seqs:
        rows.put(IdempotencyKey(id="again", seq=seq, digest=""))
    assert [row.seq for row in rows.rows(IdempotencyKey)] == [seqs[-1]]  # type: ignore[attr-defined]
    assert rows.get(Action, "ac_none") is None
    assert rows.get(Session, "se_none") is None


@promise("verify-compares-rows-with-entries")
def test_a_credential_from_before_entries_held_its_secret_stays_valid_and_is_named(cell: Cell) -> None:
    _written(cell.journal)
    cell.store.write(cell.settings.journal, lambda ledger: ledger.append(credential("old", "", "read")))
    found = _verified(cell)
    assert found.ok
    assert any('the secret of credential "old"' in each for each in found.not_checked)
    if isinstance(cell.store, MemoryStore):
        return  # it has no journals from before
    _run(cell, "update credentials set hash = 'h1:old' where name = 'old'")
    cell.store.rebuild(cell.settings.journal)
    known = cell.store.credential("h1:old")
    assert known is not None
    assert (known[1].name, known[1].scopes) == ("old", ("read",))
    assert _verified(cell).ok
