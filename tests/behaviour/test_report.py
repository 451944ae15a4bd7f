"""One execution as a document."""

import csv
import json
import re
from io import StringIO
from typing import Any

import pytest

from tallystick import Journal, UnknownHandle
from tallystick.operations.reports import content
from tests.behaviour.scenarios import begin, do, fail, planned, start, step, undo
from tests.matrix import Cell
from tests.promises import promise

FORMS: tuple[Any, ...] = ("markdown", "html", "csv", "jsonl")


def _full(cell: Cell) -> str:
    """An execution with something of everything."""
    journal, person, mortal = cell.journal, cell.person(), cell.mortal("ghost")
    execution = planned(journal, step("copy", estimate=5), "move", "announce", goal="A tidy attic")
    copied = do(journal, "cp", execution_id=execution, step="copy", summary="copy the boxes", result={"boxes": 7})
    fail(journal, "mv", execution_id=execution, step="move", error="the door is shut")
    approval = journal.request_approval(
        execution_id=execution, question="Break the door?", tool="axe", arguments={"n": 1}
    )
    person.decide_approval(approval_id=approval.id, verdict="reject", reason="it is oak")
    journal.record_decision(execution_id=execution, decision="unwind", why="nobody has a key")
    undo(journal, copied, execution_id=execution, summary="bring them back")
    begin(mortal, "phone", execution_id=execution, summary="call the landlord")
    cell.kill(mortal)
    return execution


@promise("an-execution-is-told-as-a-document")
@pytest.mark.parametrize("form", ["markdown", "html"])
def test_a_document_shows_plan_and_actual_doubt_debt_decisions_and_people(cell: Cell, form: Any) -> None:
    execution = _full(cell)
    report = cell.journal.get_report(execution_id=execution, form=form)
    assert report.name == f"{execution}.{'md' if form == 'markdown' else 'html'}"
    assert (report.media_type.split(";")[0], report.left_out) == (f"text/{form}", 0)
    for expected in (
        "A tidy attic",
        "The step announce",
        "copy the boxes",
        "Break the door?",
        "it is oak",
        "nobody has a key",
        "call the landlord",
        "bring them back",
        "the door is shut",
    ):
        assert expected in report.text, expected
    for heading in ("In doubt", "Owed", "Plan against actual", "Decisions", "Approvals", "Actions", "Journal"):
        assert heading in report.text, heading


@promise("an-execution-is-told-as-a-document")
def test_a_document_shows_that_work_is_interrupted_or_waits_for_a_person(cell: Cell) -> None:
    mortal = cell.mortal()
    left, asking = start(mortal, "move"), start(cell.journal, "ask")
    cell.journal.request_approval(question="May I?", execution_id=asking)
    cell.kill(mortal)

    def text(execution: str, form: Any) -> str:
        return cell.journal.get_report(execution_id=execution, form=form).text

    assert "- status: `interrupted` (running)\n- interrupted: `" in text(left, "markdown")
    assert "- status: `waiting for a person` (running)\n" in text(asking, "markdown")
    for execution, shown in ((left, "interrupted"), (asking, "waiting")):
        assert re.search(rf'class="[^"]*{shown}', text(execution, "html"))


@promise("an-execution-is-told-as-a-document")
def test_a_page_draws_a_lane_for_each_agent_an_open_end_and_an_arrow(cell: Cell) -> None:
    text = cell.journal.get_report(execution_id=_full(cell), form="html").text
    assert text.count('class="lane"') == 2
    assert text.count('class="arrow"') == 1
    assert '<path d="M' in text
    assert 'class="s-in_doubt' in text
    assert "<script" not in text
    assert "Content-Security-Policy" in text


@promise("an-execution-is-told-as-a-document")
def test_entries_come_as_rows_and_as_lines(cell: Cell) -> None:
    execution = _full(cell)
    entries = cell.journal.read_entries(execution_id=execution, limit=100).entries
    transaction = cell.journal.get_report(execution_id=execution, form="csv")
    rows = list(csv.DictReader(StringIO(transaction.text, newline="")))
    assert [(row["seq"], row["kind"]) for row in rows] == [(str(entry.seq), entry.kind) for entry in entries]
    assert [row["error"] for row in rows if row["error"]] == ["the door is shut"]
    lines = cell.journal.get_report(execution_id=execution, form="jsonl").text.splitlines()
    around, written = ("session_opened", "plan_recorded"), [json.loads(line) for line in lines]
    assert [each["hash"] for each in written if each["kind"] not in around] == [entry.hash for entry in entries]
    assert "plan_recorded" in {each["kind"] for each in written}


@promise("an-execution-is-told-as-a-document")
@pytest.mark.parametrize("form", FORMS)
def test_a_document_of_a_long_execution_counts_the_entries_that_it_leaves_out(
    journal: Journal, form: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content, "MAX_ENTRIES", dict.fromkeys(FORMS, 4))
    execution = start(journal)
    for number in range(3):
        do(journal, "cp", arguments={"n": number}, execution_id=execution)
    report = journal.get_report(execution_id=execution, form=form)
    assert report.left_out == 3
    if form in ("markdown", "html"):
        assert "3 earlier entries are left out" in report.text


@promise("an-execution-is-told-as-a-document")
def test_an_execution_in_which_nothing_was_done_yet_has_a_document_too(journal: Journal) -> None:
    execution = start(journal, "nothing yet")
    for form in FORMS:
        assert "nothing yet" in journal.get_report(execution_id=execution, form=form).text
    with pytest.raises(UnknownHandle):
        journal.get_report(execution_id="ex_none")
