"""Imported exports: the same journal, verified while it is read, and read-only."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from tallystick import InvalidArgument, Journal, Step, WrongState
from tallystick.core import chain
from tallystick.core.chain import genesis
from tallystick.core.errors import TooLarge
from tallystick.core.formats.canonical_json import Limits
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.local import Local
from tallystick.settings import Settings
from tallystick.store import archive
from tallystick.store.interface import Store
from tallystick.store.memory import MemoryStore
from tests.store.drafts import start
from tests.stores import AnyStore, Clock

NAME = "a project"


def _journal(store: Store, **principal: Any) -> Journal:
    settings = Settings(url="memory:", journal=NAME, actor="agent")
    return Journal(Local(OperationContext(store, settings, Principal(**principal))))


def _lines(journal: Journal) -> list[str]:
    found: list[str] = []
    after, more = 0, True
    while more:
        page = journal.export(after=after, limit=7)
        found += page.lines
        after, more = page.last_seq, page.more
    return found


@pytest.fixture
def exported(store: AnyStore, clock: Clock) -> list[str]:
    """A journal with something of everything, one body of which was erased."""
    journal = _journal(store)
    secret = journal.add_credential(name="ada").secret
    plan = journal.record_plan(
        title="Move", steps=[Step(id="pack", title="Pack", cancellable="reversible", undo="unpack")]
    )
    execution = journal.record_execution_start(plan_id=plan.id, task_id="T-1").id
    action = journal.record_action(phase="begin", execution_id=execution, step="pack", tool="pack", summary="the books")
    clock.advance(3)
    journal.record_action(phase="end", action_id=action.id, outcome="ok", result={"boxes": 7})
    journal.record_action(phase="begin", execution_id=execution, tool="phone", summary="call the van")
    journal.record_context(key="van", value={"size": "large"})
    context = journal.record_context(key="gone", value="to be erased")
    person = _journal(store, credential=secret)
    person.erase(seqs=(context.seq,), reason="asked")
    return _lines(journal)


def test_an_export_of_an_import_is_the_same_to_the_byte(exported: list[str]) -> None:
    imported = archive.read_export(line + "\n" for line in exported)
    assert (imported.verified, imported.problem, imported.broken) == (True, "", ())
    assert (imported.journal, imported.entries) == (NAME, len(exported) - 1)
    assert _lines(_journal(imported.store)) == exported
    assert _journal(imported.store).verify().ok


def test_the_lines_of_one_execution_can_be_imported_and_are_not_verified(exported: list[str], store: AnyStore) -> None:
    journal = _journal(store)
    (execution,) = journal.list_executions().executions
    lines = journal.get_report(execution_id=execution.id, form="jsonl").text.splitlines()
    imported = archive.read_export(lines)
    assert (imported.verified, imported.entries) == (False, len(lines))
    assert "only a whole export can be verified" in imported.problem
    copy = Journal(
        Local(OperationContext(imported.store, Settings(url="", journal=imported.journal, actor="reader"), Principal()))
    )
    (shown,) = copy.list_executions().executions
    assert (shown.id, shown.title, shown.task_id, shown.progress) == (
        execution.id,
        execution.title,
        execution.task_id,
        execution.progress,
    )
    status, before = copy.get_status(execution_id=execution.id), journal.get_status(execution_id=execution.id)
    assert [(step.id, step.actual) for step in status.steps] == [(step.id, step.actual) for step in before.steps]
    assert [each.end_body for each in _actions(copy, execution.id)] == [
        each.end_body for each in _actions(journal, execution.id)
    ]
    assert not copy.verify().ok


def _actions(journal: Journal, execution: str) -> list[Any]:
    begun = journal.read_entries(execution_id=execution, kind="action_begun").entries
    return [journal.get_action(action_id=each.id) for each in begun]


@pytest.mark.parametrize("index", [0, 1, 2, 5])
def test_lines_that_are_nested_too_deeply_are_reported_and_the_rest_is_shown(exported: list[str], index: int) -> None:
    deep = '{"a":' * 100_000 + "1" + "}" * 100_000
    lines = [*exported[:index], deep, *exported[index:]]
    if index == 0:
        with pytest.raises(InvalidArgument, match="not an export"):
            archive.read_export(lines)
        return
    imported = archive.read_export(lines)
    assert imported.entries == len(exported) - 1
    assert f"line {index + 1} " in imported.problem


def test_a_body_that_is_nested_too_deeply_is_reported_and_left_out() -> None:
    settings = Settings(url="memory:", journal=NAME, actor="x", limits=Limits(depth=1000))
    deep: Any = 1
    for _ in range(900):
        deep = [deep]
    store = MemoryStore()
    journal = Journal(Local(OperationContext(store, settings, Principal())))
    journal.record_context(key="deep", value=deep)
    imported = archive.read_export(_lines(journal))
    assert "is malformed" in imported.problem
    assert _journal(imported.store).read_entries(kind="context_recorded").entries[0].body is None


def test_an_imported_journal_is_read_like_any_other(exported: list[str]) -> None:
    journal = _journal(archive.read_export(exported).store)
    (execution,) = journal.list_executions().executions
    assert (execution.title, execution.task_id, execution.done_steps) == ("Move", "T-1", 1)
    assert [line.summary for line in journal.list_actions(execution_id=execution.id).actions] == [
        "the books",
        "call the van",
    ]
    assert [item.summary for item in journal.list_in_doubt().in_doubt] == ["call the van"]
    assert [item.summary for item in journal.get_undo_list().items] == ["call the van", "the books"]
    assert [entry.kind for entry in journal.read_entries(text="books").entries] == ["action_begun"]
    assert "the books" in journal.get_report(execution_id=execution.id, form="html").text
    assert journal.get_context(key="van").values[0].value == {"size": "large"}


def test_nothing_can_be_written_in_an_imported_journal(exported: list[str]) -> None:
    store = archive.read_export(exported).store
    journal = _journal(store)
    with pytest.raises(WrongState):
        journal.record_execution_start(title="more")
    with pytest.raises(WrongState):
        journal.open_session()
    with pytest.raises(WrongState):
        store.write_all(NAME, [lambda ledger: None])
    assert _lines(journal) == exported


def _altered(line: str, change: Callable[[dict[str, Any]], None]) -> str:
    record = json.loads(line)
    change(record)
    return json.dumps(record)


def _put(name: str, old: str, new: str) -> Callable[[dict[str, Any]], None]:
    def change(record: dict[str, Any]) -> None:
        assert old in record[name]
        record[name] = record[name].replace(old, new)

    return change


def test_an_altered_entry_is_named_and_the_rest_is_shown(exported: list[str]) -> None:
    index = next(number for number, line in enumerate(exported) if "action_ended" in line)
    lines = list(exported)
    lines[index] = _altered(lines[index], _put("line", '"ok"', '"failed"'))
    imported = archive.read_export(lines)
    assert (imported.verified, imported.broken, imported.entries) == (False, (index,), len(lines) - 1)
    assert imported.problem.startswith(f"entry {index} was altered")
    states = [line.state for line in _journal(imported.store).list_actions().actions]
    assert states == ["failed", "in_doubt"]


def test_an_altered_body_is_named(exported: list[str]) -> None:
    index = next(number for number, line in enumerate(exported) if "the books" in line)
    lines = list(exported)
    lines[index] = _altered(lines[index], _put("body", "the books", "the plates"))
    imported = archive.read_export(lines)
    assert (imported.broken, imported.problem.startswith(f"the body of entry {index} was altered")) == ((index,), True)


def test_a_missing_entry_is_reported_and_later_ones_are_shown(exported: list[str]) -> None:
    index = next(number for number, line in enumerate(exported) if "action_ended" in line)
    lines = [line for number, line in enumerate(exported) if number != index]
    imported = archive.read_export(lines)
    assert imported.problem.startswith(f"entry {index} is missing")
    journal = _journal(imported.store)
    seqs = [entry.seq for entry in journal.read_entries(limit=100).entries]
    assert seqs == [seq for seq in range(1, len(exported)) if seq != index]
    back = [entry.seq for entry in journal.read_entries(limit=100, newest_first=True).entries]
    assert back == seqs[::-1]
    assert _lines(journal) == lines


def test_a_body_that_is_missing_without_an_erasure_is_reported(exported: list[str]) -> None:
    index = next(number for number, line in enumerate(exported) if "the books" in line)
    lines = list(exported)
    lines[index] = _altered(lines[index], lambda record: record.update(body=None, salt=None))
    imported = archive.read_export(lines)
    assert imported.broken == (index,)
    assert "no entry says that it was erased" in imported.problem


@pytest.mark.parametrize("lines", [[], ["{}"], ["not JSON"], ['{"tallystick": "export/2", "journal": "x"}'], ["[1]"]])
def test_a_file_that_is_not_an_export_is_rejected(lines: list[str]) -> None:
    with pytest.raises(InvalidArgument, match="not an export"):
        archive.read_export(lines)


def test_a_file_that_is_too_large_is_refused(exported: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_ENTRIES", 3)
    with pytest.raises(TooLarge):
        archive.read_export(exported)
    monkeypatch.setattr(archive, "MAX_LINE_CHARACTERS", 300)
    with pytest.raises(TooLarge):
        archive.read_export([exported[0], "x" * 301])


def test_any_damage_is_reported_and_the_rest_can_be_read(exported: list[str]) -> None:
    chance = random.Random(4)
    for _ in range(200):
        lines = list(exported)
        index = chance.randrange(1, len(lines))
        letters = list(lines[index])
        for _ in range(chance.randint(1, 3)):
            letters[chance.randrange(len(letters))] = chance.choice('"{}[]:,09az\\ -')
        lines[index] = "".join(letters)
        imported = archive.read_export(lines)
        journal = _journal(imported.store)
        assert imported.verified == (json.loads(exported[index]) == _loaded(lines[index]))
        journal.list_executions()
        journal.list_actions()
        journal.list_owed()
        journal.read_entries(limit=100)
        journal.get_brief()


def _loaded(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def test_a_body_of_an_unknown_form_is_left_out_and_reported(exported: list[str]) -> None:
    """A forged chain can commit to any body."""
    for body in ("[1]", '{"title": 7}', '{"steps": [1]}', "{", '{"steps": {"id": 1}}'):
        draft = start("T-1", body=body)
        entry, line = chain.seal(genesis("forged"), draft, at=1, salt=bytes(32))
        record = {"seq": 1, "hash": entry.hash, "line": line.decode(), "body": body, "salt": bytes(32).hex()}
        imported = archive.read_export(['{"tallystick": "export/1", "journal": "forged"}', json.dumps(record)])
        assert (imported.verified, imported.broken, imported.entries) == (False, (1,), 1)
        settings = Settings(url="memory:", journal="forged", actor="agent")
        journal = Journal(Local(OperationContext(imported.store, settings, Principal())))
        assert [each.title for each in journal.list_executions().executions] == [""]
