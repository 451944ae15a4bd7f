"""Erasing bodies: nothing is left to read, the entries stay, the chain holds."""

import contextlib
import json
from pathlib import Path
from typing import Any

import apsw
import pytest

from tallystick import InvalidArgument, Journal, MissingUndo, Step, Undo, UnknownHandle
from tests.behaviour.scenarios import begin, do, end, entries, entry_at, plan, start, step, undo, undo_list
from tests.matrix import Cell
from tests.promises import promise

NAME = "Wilhelmina Quackenbush"
"""The text to erase. No other text in these tests has one of its words."""


def _everything(journal: Journal) -> str:
    """All that can be read of a journal, as one text."""
    executions = journal.list_executions().executions
    parts: list[object] = [
        entries(journal),
        journal.list_plans().plans,
        [journal.get_plan(plan_id=each.id) for each in journal.list_plans().plans],
        executions,
        [journal.get_status(execution_id=each.id) for each in executions],
        [journal.get_brief(execution_id=each.id) for each in executions],
        journal.list_owed(),
        journal.list_in_doubt(),
        journal.list_approvals(),
        journal.list_context(include_expired=True),
        [journal.get_context(key=each.key, limit=100) for each in journal.list_context(scope="project").values],
        journal.list_sessions(),
        journal.get_stats(),
        journal.export(limit=10_000).lines,
    ]
    return str(parts)


@promise("erasing-leaves-nothing-to-read")
def test_an_erased_body_is_gone_from_every_read(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    execution = start(journal, f"Call {NAME}")
    action = begin(journal, "call", arguments={"who": NAME}, effect="read")
    end(journal, action, "unknown", error=f"{NAME} did not answer")
    journal.record_decision(decision="continue", why=f"{NAME} is away")
    journal.request_approval(question=f"Call {NAME} again?")
    journal.record_context(key="customer", value={"name": NAME})
    journal.record_context(key="customer", value="nobody")
    plan(journal, step("call", undo=f"call {NAME}"), title="calls")
    held = [entry for entry in entries(journal) if NAME in str(entry.body)]
    assert len(held) == 7
    assert NAME in _everything(journal)
    assert len(journal.read_entries(text="quackenbush").entries) == 7
    receipt = person.erase(seqs=tuple(entry.seq for entry in held), reason="the customer asked")
    assert receipt.erased == 7
    assert "Quackenbush" not in _everything(journal)
    assert journal.read_entries(text="quackenbush").entries == ()
    assert journal.list_executions(text="wilhelmina").executions == ()
    assert journal.list_context(text="wilhelmina").values == ()
    for before in held:
        after = entry_at(journal, before.seq)
        assert (after.erased, after.body) == (True, None)
        assert (after.id, after.facts, after.hash, after.kind) == (before.id, before.facts, before.hash, before.kind)
    assert journal.get_status(execution_id=execution).execution.title == "erased"


@promise("erasing-leaves-no-bytes")
def test_no_byte_is_left_in_the_files(cell: Cell, tmp_path: Path) -> None:
    journal, person = cell.journal, cell.person()
    start(journal)
    texts = [f"{NAME} number {number} " + "lives at Rumpelstrasse " * 40 for number in range(20)]
    seqs = [journal.record_context(key=f"k{number}", value=text).seq for number, text in enumerate(texts)]
    files = [path for path in tmp_path.iterdir() if path.is_file()]
    assert any(b"Quackenbush" in path.read_bytes() for path in files)
    receipt = person.erase(seqs=tuple(seqs), reason="the customer asked")
    assert (receipt.erased, receipt.state) == (20, "done")
    for word in (b"Quackenbush", b"quackenbush", b"Rumpelstrasse", b"rumpelstrasse"):
        assert [path.name for path in files if word in path.read_bytes()] == []


@promise("erasing-leaves-no-bytes")
def test_it_is_pending_while_a_reader_holds_it_up(cell: Cell, tmp_path: Path) -> None:
    person = cell.person()
    seqs = [cell.journal.record_context(key=f"k{number}", value=NAME).seq for number in range(2)]
    with contextlib.closing(apsw.Connection(str(tmp_path / "journal.db"))) as reader:
        reader.execute("begin")
        reader.execute("select count(*) from entries").fetchall()
        assert person.erase(seqs=(seqs[0],), reason="asked").state == "pending"
        assert cell.journal.get_context(key="k0").values[0].erased
        reader.execute("commit")
    length = cell.journal.get_stats().entries
    again = person.erase(seqs=(seqs[0],), reason="asked")
    assert (again.state, again.repeated, again.erased) == ("done", True, 1)
    assert cell.journal.get_stats().entries == length
    assert person.erase(seqs=(seqs[1],), reason="asked").state == "done"
    assert [path.name for path in tmp_path.iterdir() if b"Quackenbush" in path.read_bytes()] == []


@promise("erasing-leaves-nothing-to-read")
def test_there_must_have_been_a_body_where_it_is_erased(cell: Cell) -> None:
    person = cell.person()
    opened = next(entry for entry in entries(cell.journal) if entry.body is None and not entry.erased)
    for nothing in (opened.seq, 10_000):
        with pytest.raises(InvalidArgument, match=r"None of the entries .* has text to erase"):
            person.erase(seqs=(nothing,), reason="asked")


@promise("the-chain-verifies-after-erasing")
def test_the_chain_verifies_after_erasing(cell: Cell) -> None:
    person = cell.person()
    seqs = [cell.journal.record_context(key=f"k{number}", value=NAME).seq for number in range(5)]
    before = cell.journal.verify()
    person.erase(seqs=tuple(seqs[:3]), reason="asked")
    after = cell.journal.verify()
    assert (before.ok, before.erased, before.bodies) == (True, 0, 5)
    assert (after.ok, after.erased, after.bodies) == (True, 3, 3)
    assert cell.journal.verify(head=before.head).ok
    again = person.erase(seqs=(*seqs,), reason="all of it")
    assert again.erased == 2


@promise("erasing-what-an-undo-needs-must-be-forced")
def test_a_body_that_an_owed_undo_needs_is_erased_only_by_force(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    execution = start(journal)
    undone = do(journal, "make", undo="unmake it")
    undo(journal, undone)
    way = Undo(tool="rm", arguments={"path": "${result.path}"})
    action = do(journal, "touch", undo=way, result={"path": NAME})
    begun, ended = entries(journal, id=action)
    for seq in (begun.seq, ended.seq):
        with pytest.raises(MissingUndo, match=action):
            person.erase(seqs=(seq,), reason="asked")
    assert person.erase(seqs=(entries(journal, id=undone)[0].seq,), reason="no longer needed").erased == 1
    person.erase(seqs=(ended.seq,), reason="asked", force=True)
    partly = undo_list(journal, execution)[0]
    assert partly.undo is not None
    assert partly.undo.missing == ("${result.path}",)
    person.erase(seqs=(begun.seq,), reason="asked", force=True)
    gone = undo_list(journal, execution)[0]
    assert (gone.action_id, gone.state, gone.way, gone.undo) == (action, "not_undone", "erased", None)
    assert entries(journal, kind="body_erased")[-1].facts["forced"] is True
    journal.record_decision(decision="unwind", why="start over")
    assert "erased" in journal.get_brief(execution_id=execution).text


@promise("erasing-what-an-undo-needs-must-be-forced")
def test_work_that_succeeded_is_erased_without_force_but_for_what_is_temporary(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    start(journal)
    made, lock = do(journal, "make", undo="unmake it"), do(journal, "lock", undo="unlock it", temporary=True)
    seqs = {action: entries(journal, id=action)[0].seq for action in (made, lock)}
    with pytest.raises(MissingUndo, match=made):
        person.erase(seqs=(seqs[made],), reason="asked")
    journal.record_decision(decision="done", why="the lock stays for now", incomplete=True)
    assert person.erase(seqs=(seqs[made],), reason="asked").erased == 1
    with pytest.raises(MissingUndo, match=lock):
        person.erase(seqs=(seqs[lock],), reason="asked")
    journal.record_decision(decision="keep", action_id=lock, why="it is mine")
    assert person.erase(seqs=(seqs[lock],), reason="asked").erased == 1


@promise("erasing-what-an-undo-needs-must-be-forced")
def test_the_plan_with_the_undo_is_needed_too(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    made = plan(journal, "one")
    execution = journal.record_execution_start(plan_id=made.id).id
    action = do(journal, step="one")
    with pytest.raises(MissingUndo, match=action):
        person.erase(seqs=(made.seq,), reason="asked")
    undo(journal, action)
    assert person.erase(seqs=(made.seq,), reason="asked").erased == 1
    (view,) = journal.get_plan(plan_id=made.id).revisions
    assert (view.erased, view.title) == (True, "erased")
    assert [each.id for each in journal.get_status(execution_id=execution).steps] == ["one"]


@promise("a-task-is-erased-whole")
def test_all_of_a_task_is_erased_and_nothing_else(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    for task in ("T-1", "T-2"):
        made = plan(journal, step("one", effect="read"), task_id=task, title=f"{NAME} in {task}")
        journal.record_plan(
            title=f"{NAME} revised in {task}", steps=[step("one", effect="read")], plan_id=made.id, reason=NAME
        )
        execution = journal.record_execution_start(plan_id=made.id, notes=f"{NAME} {task}").id
        do(journal, step="one", execution_id=execution, result={"who": f"{NAME} {task}"})
        journal.record_decision(decision="continue", why=f"{NAME} {task}", execution_id=execution)
        journal.request_approval(question=f"{NAME} {task}?", execution_id=execution)
        journal.record_context(key="who", value=f"{NAME} {task}", scope="task", task_id=task)
        journal.record_context(key="who", value=f"{NAME} again {task}", scope="task", task_id=task)
        journal.record_context(key="x", value=f"{NAME} {task}", scope="execution", execution_id=execution)
        journal.retire_plan(plan_id=made.id, status="archived", reason=f"{NAME} {task} left")
    adhoc = start(journal, f"{NAME} ad hoc", task_id="T-1")
    journal.record_decision(decision="done", execution_id=adhoc)
    person.erase(task_id="T-1", reason="the customer asked")
    held = [entry for entry in entries(journal) if NAME in str(entry.body)]
    assert len(held) == 10
    assert all("T-2" in str(entry.body) or entry.kind == "plan_recorded" for entry in held)
    assert entries(journal, kind="body_erased")[0].facts["task_id"] == "T-1"
    assert journal.verify().ok


@promise("erasing-a-task-erases-its-titles-and-keys")
def test_titles_and_keys_that_tell_of_a_task_are_erased_and_lists_say_so(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    titles = {"1": f"Call {NAME}", "2": f"Visit {NAME}"}
    steps = [Step(id=id, title=title, cancellable="irreversible", effect="read") for id, title in titles.items()]
    made = plan(journal, *steps, task_id="T-1", title=f"Care for {NAME}")
    execution = journal.record_execution_start(plan_id=made.id, title=f"Today: {NAME}").id
    do(journal, step="1", execution_id=execution, summary=f"calling {NAME}")
    begin(journal, step="2", execution_id=execution)
    journal.request_approval(question=f"Visit {NAME}?", execution_id=execution)
    for key in (NAME, f"{NAME}.address", "plain"):
        journal.record_context(key=key, value=1, scope="task", task_id="T-1")
        journal.record_context(key=key, value=2, scope="task", task_id="T-1")
        journal.record_context(key=key, value=3, scope="execution", execution_id=execution)
    keys = sorted(each.key for each in journal.list_context(task_id="T-1").values)
    assert keys == sorted((NAME, f"{NAME}.address", "plain"))
    assert journal.get_context(key=NAME, scope="task", task_id="T-1").values[0].versions == 2
    assert journal.list_context(text="quackenbush").values != ()
    assert NAME in journal.get_brief(execution_id=execution).text
    person.erase(task_id="T-1", reason="the customer asked")
    assert "Quackenbush" not in _everything(journal)
    assert journal.list_plans().plans[0].title == "erased"
    assert journal.list_executions().executions[0].title == "erased"
    assert {each.title for each in journal.get_status(execution_id=execution).steps} == {"erased"}
    assert {each.summary for each in journal.list_actions(execution_id=execution).actions} == {"erased"}
    (asked,) = journal.list_approvals().approvals
    assert (asked.title, asked.question) == ("erased", "erased")
    assert {each.key for each in journal.list_context(task_id="T-1").values} == {"erased"}
    told = [entry.facts["key"] for entry in entries(journal, kind="context_recorded")]
    assert set(told) == {"erased"}
    (mine,) = journal.get_context(key=NAME, scope="task", task_id="T-1").values
    assert (mine.key, mine.value, mine.erased) == (NAME, None, True)
    journal.record_context(key="plain", value="new", scope="task", task_id="T-1")
    assert journal.get_context(key="plain", scope="task", task_id="T-1").values[0].versions == 3
    assert journal.verify().ok


@promise("erasing-is-on-record")
def test_erasing_is_an_entry_with_its_seqs_actor_and_reason(cell: Cell) -> None:
    person = cell.person()
    seq = cell.journal.record_context(key="k", value=NAME).seq
    receipt = person.erase(seqs=(seq,), reason="the customer asked")
    entry = entries(cell.journal, kind="body_erased")[0]
    assert (entry.seq, entry.actor, entry.actor_kind) == (receipt.seq, "ada", "person")
    assert (list(entry.facts["seqs"]), entry.body) == ([seq], {"reason": "the customer asked"})
    (view,) = cell.journal.get_context(key="k").values
    assert (view.erased, view.value) == (True, None)


@promise("erasing-is-on-record")
def test_erasing_nothing_is_refused(cell: Cell) -> None:
    person = cell.person()
    for wrong in ({"seqs": (1,)}, {"seqs": (999,)}, {"task_id": "T-none"}, {}, {"seqs": (1,), "task_id": "T-1"}):
        with pytest.raises(InvalidArgument):
            person.erase(reason="asked", **wrong)
    assert entries(cell.journal, kind="body_erased") == ()


@promise("erasing-leaves-nothing-to-read")
def test_the_export_has_neither_the_body_nor_its_salt(cell: Cell) -> None:
    person = cell.person()
    seq = cell.journal.record_context(key="k", value=NAME).seq
    person.erase(seqs=(seq,), reason="asked")
    lines = [json.loads(line) for line in cell.journal.export().lines]
    (erased,) = (line for line in lines if line.get("seq") == seq)
    assert set(erased) == {"seq", "hash", "line"}


@promise("an-execution-or-an-action-is-erased-whole")
def test_all_of_an_execution_is_erased_and_its_plan_stays(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    made = plan(journal, step("one", effect="read"), title="Care")
    for title in (NAME, f"{NAME} too"):
        execution = journal.record_execution_start(plan_id=made.id, title=title).id
        do(journal, step="one", execution_id=execution, result={"who": NAME})
        journal.record_decision(decision="continue", why=NAME, execution_id=execution)
        journal.record_context(key="x", value=NAME, scope="execution", execution_id=execution)
    receipt = person.erase(execution_id=execution, reason="the customer asked")
    held = [entry for entry in entries(journal) if NAME in str(entry.body)]
    assert (receipt.erased, len(held)) == (4, 4)
    assert execution not in {entry.execution_id or entry.id for entry in held}
    assert journal.get_plan(plan_id=made.id).revisions[0].title == "Care"
    assert person.erase(execution_id=execution, reason="once more").seq == receipt.seq
    assert journal.verify().ok


@promise("an-execution-or-an-action-is-erased-whole")
def test_all_of_an_action_is_erased_and_nothing_else(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    start(journal, "work")
    first, second = (do(journal, tool=tool, summary=NAME, result=NAME) for tool in ("a", "b"))
    assert person.erase(action_id=first, reason="asked", force=True).erased == 2
    assert {entry.id for entry in entries(journal) if NAME in str(entry.body)} == {second}


@promise("an-execution-or-an-action-is-erased-whole")
def test_what_to_erase_is_one_thing_that_has_a_text(cell: Cell) -> None:
    person = cell.person()
    wrong: dict[str, Any] = {"seqs": (1,), "task_id": "T-1", "execution_id": "ex_1", "action_id": "ac_1"}
    several: list[dict[str, Any]] = [{}, wrong, {"seqs": (1,), "execution_id": "ex_1"}]
    for given in several:
        with pytest.raises(InvalidArgument, match="Name one thing to erase") as refused:
            person.erase(reason="asked", **given)
        assert "`execution_id`, `action_id`, `task_id` or `seqs`" in refused.value.hint
    for name in ("execution_id", "action_id"):
        with pytest.raises(UnknownHandle):
            person.erase(reason="asked", **{name: wrong[name]})
    with pytest.raises(InvalidArgument, match='The task "T-9" has no text to erase'):
        person.erase(reason="asked", task_id="T-9")
