"""Receipts and keys: the same key is the same record, and never by content alone."""

from collections.abc import Callable
from typing import Any

import pytest

from tallystick import Conflict, Journal, Record
from tallystick.operations.runtime.receipts import Receipt
from tests.behaviour.scenarios import begin, do, entry_at, plan, start, step
from tests.matrix import Cell
from tests.promises import promise

Recorder = Callable[..., Receipt]


def _records(cell: Cell) -> dict[str, tuple[Recorder, dict[str, Any], dict[str, Any]]]:
    """Each record that takes a key: how to make it, with what, and with what else it would be another."""
    journal, person = cell.journal, cell.person()
    execution = start(journal)
    made = plan(journal, "one")
    opened, ended = begin(journal, "opened"), do(journal, "ended")
    approval = journal.request_approval(question="Well?").id
    session = journal.open_session().id
    erasable = journal.record_context(key="erasable", value="bytes").seq
    person.add_credential(name="carl")
    note = Record("record_action", {"phase": "note", "summary": "a", "execution_id": execution})
    remark = Record("record_action", {"phase": "note", "summary": "b", "execution_id": execution})
    return {
        "record_plan": (journal.record_plan, {"title": "p", "steps": [step("a")]}, {"goal": "another"}),
        "retire_plan": (
            journal.retire_plan,
            {"plan_id": made.id, "status": "archived", "reason": "old"},
            {"reason": "other"},
        ),
        "record_execution_start": (journal.record_execution_start, {"title": "x"}, {"notes": "another"}),
        "begin": (
            journal.record_action,
            {"phase": "begin", "tool": "touch", "execution_id": execution},
            {"undo": "remove it"},
        ),
        "end": (
            journal.record_action,
            {"phase": "end", "action_id": opened, "outcome": "ok"},
            {"after": {"x": 1}},
        ),
        "note": (
            journal.record_action,
            {"phase": "note", "action_id": ended, "summary": "a"},
            {"entity_type": "file"},
        ),
        "record_decision": (
            journal.record_decision,
            {"decision": "continue", "why": "so", "execution_id": execution},
            {"rejected": "the rest"},
        ),
        "record_context": (journal.record_context, {"key": "k", "value": 1}, {"metadata": {"x": 1}}),
        "request_approval": (
            journal.request_approval,
            {"question": "May I?", "execution_id": execution},
            {"options": ("yes",)},
        ),
        "decide_approval": (
            person.decide_approval,
            {"approval_id": approval, "verdict": "approve"},
            {"reason": "because"},
        ),
        "open_session": (journal.open_session, {"name": "n"}, {"client": "c"}),
        "end_session": (journal.end_session, {"session_id": session}, {"reason": "other"}),
        "record_batch": (journal.record_batch, {"records": [note, remark]}, {"records": [note, note]}),
        "add_credential": (person.add_credential, {"name": "bob"}, {"scopes": ("approve",)}),
        "revoke_credential": (person.revoke_credential, {"name": "carl"}, {"name": "bob"}),
        "erase": (person.erase, {"seqs": (erasable,), "reason": "asked"}, {"force": True}),
    }


def _with_key(name: str, arguments: dict[str, Any], key: str) -> dict[str, Any]:
    return {**arguments, "idempotency_key" if name == "record_context" else "key": key}


@promise("every-record-returns-a-receipt")
def test_every_record_returns_its_seq_id_and_hash(cell: Cell) -> None:
    for record, arguments, _ in _records(cell).values():
        receipt = record(**arguments)
        entry = entry_at(cell.journal, receipt.seq)
        assert (entry.seq, entry.id, entry.hash) == (receipt.seq, receipt.id, receipt.hash)
        assert receipt.repeated is False


@promise("the-same-key-is-the-same-record")
def test_the_same_key_gives_the_same_receipt_and_records_nothing(cell: Cell) -> None:
    for name, (record, arguments, _) in _records(cell).items():
        first = record(**_with_key(name, arguments, f"key of {name}"))
        length = cell.journal.get_stats().entries
        again = record(**_with_key(name, arguments, f"key of {name}"))
        assert cell.journal.get_stats().entries == length, name
        assert (again.seq, again.id, again.hash, again.repeated) == (first.seq, first.id, first.hash, True), name


@promise("the-same-key-is-the-same-record")
def test_a_repeated_receipt_equals_the_first_one(cell: Cell) -> None:
    journal = cell.journal
    first = journal.record_plan(title="p", steps=[step("a", undo=None)], key="k")
    again = journal.record_plan(title="p", steps=[step("a", undo=None)], key="k")
    assert (again.revision, again.steps, again.warnings) == (first.revision, first.steps, first.warnings)
    seq = journal.record_context(key="k", value="bytes").seq
    person = cell.person()
    erased = person.erase(seqs=(seq,), reason="asked", key="e")
    assert (erased.erased, person.erase(seqs=(seq,), reason="asked", key="e").erased) == (1, 1)


@promise("the-same-key-is-the-same-record")
def test_the_same_key_of_another_agent_is_the_same_record_too(cell: Cell) -> None:
    first = cell.journal.record_execution_start(title="x", key="only-once")
    assert cell.another("heir").record_execution_start(title="x", key="only-once").id == first.id


@promise("the-same-key-with-other-content-is-a-conflict")
def test_the_same_key_with_other_content_is_a_conflict(cell: Cell) -> None:
    for name, (record, arguments, other) in _records(cell).items():
        record(**_with_key(name, arguments, f"key of {name}"))
        length = cell.journal.get_stats().entries
        with pytest.raises(Conflict, match=f"key of {name}"):
            record(**_with_key(name, {**arguments, **other}, f"key of {name}"))
        assert cell.journal.get_stats().entries == length, name


@promise("the-same-key-with-other-content-is-a-conflict")
def test_one_key_is_for_one_record_of_any_operation(journal: Journal) -> None:
    journal.record_execution_start(title="x", key="k")
    with pytest.raises(Conflict):
        journal.record_context(key="x", value="x", idempotency_key="k")


@promise("the-same-request-is-the-same-record")
def test_a_request_that_is_sent_twice_is_one_record(cell: Cell) -> None:
    first = cell.another("client", request="r1").record_execution_start(title="x")
    again = cell.another("client", request="r1").record_execution_start(title="x")
    other = cell.another("client", request="r2").record_execution_start(title="x")
    assert (again.id, again.seq, again.repeated) == (first.id, first.seq, True)
    assert other.id != first.id
    with pytest.raises(Conflict):
        cell.another("client", request="r1").record_execution_start(title="y")


@promise("never-by-content-alone")
def test_two_equal_records_without_a_key_are_two(cell: Cell) -> None:
    journal = cell.journal
    pairs: list[list[Receipt]] = [
        [journal.record_plan(title="p", steps=[step("a")]) for _ in range(2)],
        [journal.record_execution_start(title="x") for _ in range(2)],
        [journal.record_context(key="k", value=1) for _ in range(2)],
        [journal.open_session() for _ in range(2)],
    ]
    execution = pairs[1][0].id
    pairs += [
        [journal.record_action(phase="note", summary="s", execution_id=execution) for _ in range(2)],
        [journal.record_decision(decision="continue", why="so", execution_id=execution) for _ in range(2)],
        [journal.request_approval(question="Well?", execution_id=execution) for _ in range(2)],
        [journal.record_action(phase="begin", effect="read", tool="t", execution_id=execution) for _ in range(2)],
    ]
    for first, second in pairs:
        assert first.seq < second.seq
        assert second.repeated is False
