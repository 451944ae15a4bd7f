"""verify compares what is stored beside the entries: rows, marks and the index by execution."""

from collections.abc import Callable

import apsw
import psycopg
import pytest
from msgspec.structs import replace

from tallystick import Journal
from tallystick.core.state import Action, Execution, IdempotencyKey, Session
from tallystick.operations.audit import Verification
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.store import row_check
from tallystick.store.interface import Select
from tallystick.store.memory import MemoryStore
from tests.behaviour.scenarios import begin, do, end, start
from tests.drivers import Local
from tests.matrix import Cell
from tests.promises import promise
from tests.store.drafts import credential
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
    if "body" not in edit:
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
