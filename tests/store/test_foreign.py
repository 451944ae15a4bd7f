"""A SQLite file that is not ours, or that somebody writes by hand."""

from pathlib import Path

import apsw
import pytest

from tallystick.core.errors import Unsupported
from tallystick.store.sqlite import SqliteStore
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


def test_an_entry_is_not_replaced_by_a_second_insert(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    store = SqliteStore(path)
    store.write("j", lambda ledger: ledger.append(note()))
    store.close()
    hand = apsw.Connection(str(path))
    with pytest.raises(apsw.ConstraintError, match="never replaced"):
        hand.execute("insert or replace into entries select place, journal, 'forged', hash from entries")
    hand.close()
