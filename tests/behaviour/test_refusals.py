"""Calls that are refused: against an answer, in the wrong phase, by an invalid principal, with a wrong cursor."""

from typing import Any

import pytest

from tallystick import Actor, Conflict, InvalidArgument, Journal, Record, WrongState
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tests.behaviour.scenarios import begin, do, end, planned, start, step
from tests.matrix import Cell
from tests.promises import promise

CALL: dict[str, Any] = {"tool": "wipe", "arguments": {"disk": 5}}


def _answered(cell: Cell, verdict: Any, person: Journal | None = None, **more: Any) -> str:
    approval = cell.journal.request_approval(question="Wipe it?", **CALL).id
    (person or cell.person()).decide_approval(approval_id=approval, verdict=verdict, **more)
    return approval


@promise("an-answer-binds")
@pytest.mark.parametrize(("verdict", "more"), [("reject", {}), ("respond", {"answer": "why?"})])
def test_a_no_stops_the_call_also_without_its_id(cell: Cell, verdict: str, more: dict[str, Any]) -> None:
    start(cell.journal)
    approval = _answered(cell, verdict, **more)
    with pytest.raises(WrongState, match=approval):
        begin(cell.journal, **CALL)


@promise("an-answer-binds")
def test_a_yes_is_used_by_its_id_and_asking_again_replaces_a_no(cell: Cell) -> None:
    start(cell.journal)
    person = cell.person()
    _answered(cell, "reject", person)
    approval = _answered(cell, "approve", person)
    with pytest.raises(WrongState, match="approval_id"):
        begin(cell.journal, **CALL)
    action = begin(cell.journal, approval_id=approval, **CALL)
    end(cell.journal, action)
    with pytest.raises(WrongState, match="Request another"):
        begin(cell.journal, again="once more", **CALL)


@promise("an-answer-binds")
def test_an_edit_refuses_the_call_that_was_asked_for_first(cell: Cell) -> None:
    start(cell.journal)
    approval = _answered(cell, "edit", arguments={"disk": 6})
    for arguments in ({"disk": 5}, {"disk": 6}):
        with pytest.raises(WrongState, match=approval):
            begin(cell.journal, "wipe", arguments=arguments)
    assert begin(cell.journal, "wipe", arguments={"disk": 6}, approval_id=approval)


@promise("a-phase-takes-only-its-own")
@pytest.mark.parametrize(
    ("phase", "field", "value"),
    [
        ("begin", "result", {"r": 1}),
        ("begin", "evidence", "seen"),
        ("end", "arguments", {"a": 1}),
        ("end", "again", "why not"),
        ("note", "outcome", "ok"),
    ],
)
def test_an_argument_that_a_phase_would_lose_is_refused(journal: Journal, phase: Any, field: str, value: Any) -> None:
    start(journal)
    action = begin(journal, "look")
    before = journal.read_entries(newest_first=True, limit=1).entries
    needed = {"action_id": action, "outcome": "ok"} if phase == "end" else {}
    with pytest.raises(InvalidArgument, match=field):
        journal.record_action(phase=phase, **{**needed, field: value})
    assert journal.read_entries(newest_first=True, limit=1).entries == before


@promise("who-asks-is-checked")
@pytest.mark.parametrize(
    "principal",
    [
        Principal(actor=Actor(name=5)),  # type: ignore[arg-type]
        Principal(actor=Actor(kind="god")),  # type: ignore[arg-type]
        Principal(witness="guessed"),  # type: ignore[arg-type]
        Principal(actor=Actor(name="a\0b")),
        Principal(actor=Actor(name="a" * 201)),
        Principal(actor=Actor(name="\ud800")),
    ],
    ids=["number", "kind", "witness", "nul", "long", "surrogate"],
)
def test_an_asker_that_is_none_never_gets_a_desk(cell: Cell, principal: Principal) -> None:
    with pytest.raises(InvalidArgument):
        OperationContext(cell.store, cell.settings, principal)


@promise("a-foreign-cursor-is-refused")
def test_no_list_takes_a_junk_cursor_for_its_end(journal: Journal) -> None:
    start(journal)
    do(journal, "look")
    lists: list[Any] = [journal.list_plans, journal.list_executions, journal.list_approvals, journal.list_context]
    lists += [journal.list_in_doubt, journal.list_sessions, journal.list_owed]
    for listing in lists:
        with pytest.raises(InvalidArgument, match="cursor"):
            listing(cursor="junk")


@promise("a-decided-retry-shows")
def test_a_step_that_is_to_be_tried_again_is_next(journal: Journal) -> None:
    execution = planned(journal, step("a"), step("b"))
    end(journal, begin(journal, step="a"), "failed", error="down")
    assert journal.get_status(execution_id=execution).advice
    decided = journal.record_decision(decision="retry", step="a", why="it is up again")
    assert decided.next_steps == ("a",)
    assert not journal.get_status(execution_id=execution).advice
    brief = journal.get_brief(execution_id=execution).text
    assert 'Next: a "The step a".' in brief
    assert "Failed:" not in brief


@promise("the-last-admin-stays")
def test_revoking_the_last_admin_is_refused(cell: Cell) -> None:
    person = cell.person()
    admin = next(each.name for each in person.list_credentials().credentials if "admin" in each.scopes)
    with pytest.raises(WrongState, match="last"):
        person.revoke_credential(name=admin)


@promise("references-in-a-batch-are-handles")
def test_text_that_looks_like_a_reference_stays_text(journal: Journal) -> None:
    batch = [
        Record("record_execution_start", {"title": "x"}),
        Record("record_action", {"phase": "note", "execution_id": "@0", "summary": "@0"}),
    ]
    first, second = journal.record_batch(records=batch).receipts
    noted = journal.read_entries(after=second.seq - 1, limit=1).entries[0]
    assert noted.body == {"summary": "@0"}
    assert noted.execution_id == first.id


@promise("a-batch-takes-a-key")
def test_a_batch_that_is_sent_again_is_one(journal: Journal) -> None:
    batch = [
        Record("record_execution_start", {"title": "x"}),
        Record("record_context", {"key": "k", "value": 1}),
        Record("record_action", {"phase": "note", "execution_id": "@0", "summary": "hello"}),
    ]
    first = journal.record_batch(records=batch, key="b1")
    again = journal.record_batch(records=batch, key="b1")
    assert not first.repeated
    assert again.repeated
    assert [each.id for each in again.receipts] == [each.id for each in first.receipts]
    with pytest.raises(Conflict):
        journal.record_batch(records=[*batch[:2], Record("record_action", {"phase": "note", "summary": "x"})], key="b1")


@promise("every-list-is-filtered")
def test_debts_and_doubts_are_filtered_by_task_actor_tool_text_and_time(cell: Cell) -> None:
    journal, other = cell.journal, cell.another("bo")
    ours = journal.record_execution_start(title="ours", task_id="T1").id
    do(journal, "pay", execution_id=ours, summary="the rent")
    theirs = other.record_execution_start(title="theirs", task_id="T2").id
    begun = begin(other, "send", execution_id=theirs, summary="a letter")
    end(other, begun, "unknown", error="lost")
    for agent, execution in ((journal, ours), (other, theirs)):
        agent.record_decision(decision="unwind", why="start over", execution_id=execution)
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({"task_id": "T1"}, ["pay"]),
        ({"actor": "bo"}, ["send"]),
        ({"text": "rent"}, ["pay"]),
        ({"tool": "send", "task_id": "T1"}, []),
        ({"until": "1d"}, []),
        ({"since": "1d"}, ["pay", "send"]),
    ]
    for filters, tools in cases:
        assert sorted(item.tool for item in journal.list_owed(**filters).owed) == tools, filters
    assert [item.tool for item in journal.list_in_doubt(task_id="T2").in_doubt] == ["send"]
    assert not journal.list_in_doubt(task_id="T1").in_doubt
    assert not journal.list_in_doubt(actor="agent").in_doubt
    assert journal.list_in_doubt(text="letter").in_doubt[0].execution_id == theirs


@promise("an-end-says-nothing-else-of-its-action")
def test_an_end_may_repeat_the_arguments_of_the_begin(journal: Journal) -> None:
    execution = journal.record_execution_start(title="work").id
    done = journal.record_action(phase="begin", execution_id=execution, tool="mkdir", summary="make it").id
    journal.record_action(phase="end", action_id=done, tool="mkdir", kind="do", outcome="ok")
    undo = journal.record_action(phase="begin", kind="undo", undoes=done, tool="rmdir", summary="remove it").id
    ended = journal.record_action(phase="end", action_id=undo, kind="undo", undoes=done, tool="rmdir", outcome="ok")
    assert ended.state == "ok"


@promise("an-end-says-nothing-else-of-its-action")
@pytest.mark.parametrize("other", [{"tool": "rmdir"}, {"step": "copy"}, {"kind": "undo"}, {"undoes": "ac_none"}])
def test_an_end_with_other_arguments_names_those_of_the_begin(journal: Journal, other: dict[str, Any]) -> None:
    execution = journal.record_execution_start(title="work").id
    begun = journal.record_action(phase="begin", execution_id=execution, tool="mkdir", summary="make it").id
    with pytest.raises(InvalidArgument, match="was begun with") as refused:
        journal.record_action(phase="end", action_id=begun, outcome="ok", **other)
    assert refused.value.field == next(iter(other))
    assert journal.get_action(action_id=begun).state == "open"
