"""Opening a journal: where it is found, and its separation from others."""

import os
from pathlib import Path
from threading import Thread, get_ident
from time import sleep
from typing import Any

import pytest

from tallystick import InvalidArgument, Journal, StorageUnavailable, UnknownHandle
from tests.behaviour.scenarios import begin, start
from tests.matrix import Cell
from tests.promises import promise


@promise("open-finds-the-store")
def test_the_argument_counts_then_the_environment_then_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for expected, url in (
        (tmp_path / "argument.db", f"sqlite:///{tmp_path / 'argument.db'}"),
        (tmp_path / "environment.db", None),
        (tmp_path / "data" / "tallystick" / "journal.db", None),
    ):
        if expected.name == "environment.db":
            monkeypatch.setenv("TALLYSTICK_URL", f"sqlite:///{expected}")
        else:
            monkeypatch.delenv("TALLYSTICK_URL", raising=False)
        assert not expected.exists()
        with Journal.open(url) as journal:
            start(journal)
        assert expected.exists()
        assert os.stat(expected).st_mode & 0o077 == 0


@promise("open-finds-the-store")
def test_records_are_there_when_the_journal_is_opened_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    with Journal.open(url, actor="first") as journal:
        execution = start(journal, "some work")
        head = journal.verify().head
    with Journal.open(url, actor="second") as journal:
        assert journal.get_status(execution_id=execution).execution.title == "some work"
        assert journal.verify(head=head).ok


@promise("open-finds-the-store")
def test_a_url_that_is_none_is_refused_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Journal.open("mysql://somewhere")
    assert set(caught.value.allowed) == {"sqlite", "postgresql", "memory", "http", "https"}


@promise("open-takes-a-path")
def test_a_path_as_text_or_as_a_path_object_is_that_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    places: list[str | Path] = ["journal.db", "./deep/er.db", Path("50%25 done.db"), tmp_path / "absolute"]
    for number, place in enumerate(places):
        with Journal.open(place) as journal:
            start(journal, f"work {number}")
        assert (tmp_path / place).is_file()
        with Journal.open(tmp_path / place) as journal:
            assert [each.title for each in journal.list_executions().executions] == [f"work {number}"]


@promise("open-takes-a-path")
def test_a_bare_word_is_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidArgument, match=r"Use a file such as journal\.db"):
        Journal.open("journals")
    assert list(tmp_path.iterdir()) == []


@promise("open-finds-the-store")
def test_a_closed_journal_refuses_calls(tmp_path: Path) -> None:
    journal = Journal.open(f"sqlite:///{tmp_path / 'journal.db'}")
    start(journal)
    journal.close()
    with pytest.raises(StorageUnavailable, match="closed"):
        journal.get_brief()
    journal.close()


@promise("open-finds-the-store")
def test_a_url_with_a_host_is_not_taken_for_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidArgument, match="names a host") as caught:
        Journal.open("sqlite://journals/journal.db")
    assert "sqlite:relative" in (caught.value.hint or "")
    with Journal.open("sqlite:journals/journal.db") as journal:
        start(journal)
    assert (tmp_path / "journals" / "journal.db").exists()


@promise("open-finds-the-store")
def test_a_scheme_in_capitals_names_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Journal.open(f"SQLite://{tmp_path}/journal.db") as journal:
        start(journal)
    assert (tmp_path / "journal.db").exists()
    assert not (tmp_path / "SQLite:").exists()


@promise("open-finds-the-store")
@pytest.mark.parametrize(
    "wrong",
    [
        {"url": Path("jour\0nal.db")},
        {"url": b"memory:"},
        {"url": "sqlite:/a\0b.db"},
        {"url": "sqlite:/\udcff.db"},
        {"url": "http://[::1"},
        {"url": "http://host:99999"},
        {"url": "memory:", "journal": 5},
        {"url": "memory:", "session": "\ud800"},
        {"url": "memory:", "session": bytearray(b"se_a1wk")},
    ],
    ids=str,
)
def test_an_address_that_cannot_be_one_is_refused_with_its_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Journal.open(**wrong)
    assert caught.value.field in wrong


@promise("open-finds-the-store")
def test_a_link_to_the_file_has_the_locks_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.db").symlink_to(tmp_path / "folder" / "journal.db")
    with Journal.open(f"sqlite://{tmp_path}/link.db") as journal:
        start(journal)
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["link.db"]
    assert (tmp_path / "folder" / "journal.db-presence").exists()


@promise("open-finds-the-store")
def test_the_project_has_its_own_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    (tmp_path / "one" / ".git").mkdir(parents=True)
    (tmp_path / "one" / "deep" / "inside").mkdir(parents=True)
    (tmp_path / "two").mkdir()
    found = {}
    for folder in ("one", "one/deep/inside", "two"):
        monkeypatch.chdir(tmp_path / folder)
        with Journal.open(url) as journal:
            start(journal, folder)
            found[folder] = {each.title for each in journal.list_executions().executions}
    assert found == {"one": {"one"}, "one/deep/inside": {"one", "one/deep/inside"}, "two": {"two"}}


@promise("journals-in-one-store-are-apart")
def test_journals_in_one_store_do_not_see_each_other(cell: Cell) -> None:
    other = cell.another("agent two", journal=f"{cell.settings.journal}-other")
    execution = start(cell.journal, "mine", key="k")
    action = begin(cell.journal, "touch", undo="remove it")
    cell.journal.record_context(key="word", value="beaver")
    theirs = start(other, "theirs", key="k")
    assert {each.title for each in other.list_executions().executions} == {"theirs"}
    assert other.list_owed().owed == ()
    assert other.list_context().values == ()
    assert other.read_entries(text="beaver").entries == ()
    with pytest.raises(UnknownHandle):
        other.read_entries(id=action)
    assert other.get_stats().executions == {"running": 1}
    assert other.get_stats().entries < cell.journal.get_stats().entries
    assert other.verify().ok
    assert cell.journal.verify().ok
    assert not other.verify(head=cell.journal.verify().head).ok
    assert {execution} == {each.id for each in cell.journal.list_executions().executions}
    assert theirs


@promise("a-closed-journal-says-so")
def test_closing_while_calls_are_under_way_ends_the_session_for_good(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    for _ in range(5):
        journal = Journal.open(url, journal="j")
        refused: list[str] = []
        execution = start(journal)

        def record(journal: Journal = journal, execution: str = execution, refused: list[str] = refused) -> None:
            number = 0
            try:
                while True:
                    number += 1
                    begin(journal, "touch", arguments={"n": [execution, get_ident(), number]}, execution_id=execution)
            except StorageUnavailable as error:
                refused.append(str(error))

        threads = [Thread(target=record) for _ in range(4)]
        for thread in threads:
            thread.start()
        sleep(0.03)
        journal.close()
        for thread in threads:
            thread.join(20)
        assert {message.partition(".")[0] for message in refused} == {"This journal is closed"}
        assert len(refused) == 4
        with Journal.open(url, journal="j") as after:
            assert [session.id for session in after.list_sessions().sessions if session.alive] == []
            assert after.get_status(execution_id=execution).execution.actions.keys() <= {"in_doubt"}
            assert after.verify().ok
