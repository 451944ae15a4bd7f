"""Many records in one commit."""

import pytest

from tallystick import AlreadyDone, Conflict, InvalidArgument, Journal, Record, WrongState
from tests.behaviour.scenarios import entries, start, status, step
from tests.promises import promise


def _record(operation: str, **arguments: object) -> Record:
    return Record(operation=operation, arguments=arguments)


@promise("a-batch-is-all-or-none")
def test_a_batch_is_recorded_whole(journal: Journal) -> None:
    execution = start(journal)
    batch = journal.record_batch(
        records=[
            _record("record_action", phase="note", summary=f"word {number}", execution_id=execution)
            for number in range(50)
        ]
    )
    seqs = [receipt.seq for receipt in batch.receipts]
    assert seqs == list(range(seqs[0], seqs[0] + 50))
    assert (batch.seq, batch.id, batch.hash) == (seqs[-1], batch.receipts[-1].id, batch.receipts[-1].hash)
    assert [entry.body["summary"] for entry in entries(journal, kind="action_noted")][-1] == "word 49"
    assert journal.verify().ok


@promise("a-batch-is-all-or-none")
def test_one_wrong_record_leaves_none(journal: Journal) -> None:
    execution = start(journal)
    length = journal.get_stats().entries
    good = _record("record_context", key="k", value=1)
    wrong = [
        (_record("record_decision", decision="resume", why="x", execution_id=execution), WrongState),
        (_record("record_action", phase="nope"), InvalidArgument),
        (_record("record_nothing"), InvalidArgument),
        (_record("record_action", phase="end", action_id="@9", outcome="ok"), InvalidArgument),
    ]
    for bad, kind in wrong:
        with pytest.raises(kind, match=r"records\[1\]"):
            journal.record_batch(records=[good, bad, good])
    assert journal.get_stats().entries == length
    assert journal.list_context().values == ()


@promise("a-batch-is-all-or-none")
def test_a_batch_obeys_the_same_rules(journal: Journal) -> None:
    execution = start(journal)
    pay = {"phase": "begin", "tool": "pay", "arguments": {"amount": 4}, "execution_id": execution}
    with pytest.raises(AlreadyDone):
        journal.record_batch(
            records=[
                _record("record_action", **pay),
                _record("record_action", phase="end", action_id="@0", outcome="ok"),
                _record("record_action", **pay),
            ]
        )


@promise("a-batch-is-all-or-none")
def test_a_batch_holds_no_reads_no_operations_that_need_a_credential_and_no_batches(journal: Journal) -> None:
    for name in ("get_brief", "erase", "decide_approval", "record_batch"):
        with pytest.raises(InvalidArgument) as caught:
            journal.record_batch(records=[_record(name)])
        assert "record_action" in caught.value.allowed
        assert name not in caught.value.allowed


@promise("a-batch-can-refer-to-itself")
def test_a_record_can_name_an_earlier_one(journal: Journal) -> None:
    batch = journal.record_batch(
        records=[
            _record("record_plan", title="p", steps=[{"id": "a", "title": "A", "cancellable": "irreversible"}]),
            _record("record_execution_start", plan_id="@0"),
            _record("record_action", phase="begin", execution_id="@1", step="a"),
            _record("record_action", phase="end", action_id="@2", outcome="ok"),
            _record("record_decision", execution_id="@1", decision="done"),
        ]
    )
    execution = batch.receipts[1].id
    assert status(journal, execution) == "completed"
    assert journal.get_status(execution_id=execution).execution.plan_id == batch.receipts[0].id


@promise("the-same-key-is-the-same-record")
def test_a_batch_that_is_sent_again_with_keys_records_nothing_new(journal: Journal) -> None:
    records = [
        _record("record_execution_start", title="x", key="k1"),
        _record("record_action", phase="note", execution_id="@0", summary="s", key="k2"),
    ]
    first = journal.record_batch(records=records)
    length = journal.get_stats().entries
    again = journal.record_batch(records=records)
    assert [each.seq for each in again.receipts] == [each.seq for each in first.receipts]
    assert all(each.repeated for each in again.receipts)
    assert journal.get_stats().entries == length
    assert step("a").id == "a"


@promise("the-same-key-is-the-same-record")
def test_a_batch_that_is_shorter_than_the_one_of_its_key_is_a_conflict(journal: Journal) -> None:
    records = [_record("record_context", key=f"k{number}", value=number) for number in range(3)]
    first = journal.record_batch(records=records, key="batch")
    with pytest.raises(Conflict, match="more than 2 records"):
        journal.record_batch(records=records[:2], key="batch")
    again = journal.record_batch(records=records, key="batch")
    assert (again.repeated, again.seq) == (True, first.seq)


@promise("the-same-key-is-the-same-record")
def test_a_batch_that_is_longer_than_the_one_of_its_key_is_a_conflict_and_records_nothing(journal: Journal) -> None:
    records = [_record("record_context", key=f"k{number}", value=number) for number in range(3)]
    first = journal.record_batch(records=records[:2], key="batch")
    with pytest.raises(Conflict, match="fewer than 3 records"):
        journal.record_batch(records=records, key="batch")
    again = journal.record_batch(records=records[:2], key="batch")
    assert (again.repeated, again.seq) == (True, first.seq)
    assert journal.get_stats().entries == first.seq
