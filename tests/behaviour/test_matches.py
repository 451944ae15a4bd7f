"""One search finds everything: by how its words begin, in any script, with the text around each hit."""

import pytest

from tallystick import InvalidArgument
from tests.behaviour.scenarios import do, fail, plan, start
from tests.matrix import Cell
from tests.promises import promise


@promise("one-search-finds-everything-by-how-its-words-begin")
def test_a_search_finds_things_of_each_kind_with_the_text_around_the_hit(cell: Cell) -> None:
    execution = start(cell.journal, "Send the invoices")
    failed = fail(cell.journal, "mail", error="the invoice has no address")
    cell.journal.record_decision(decision="continue", execution_id=execution, why="an invoice may wait")
    cell.journal.record_context(key="invoice.format", value="PDF")
    asked = cell.journal.request_approval(question="Which invoice first?", tool="pay", arguments={}).id
    planned = plan(cell.journal, "print", goal="print each invoice").id
    do(cell.journal, "invoice_print")
    cell.clock.advance(3600)
    found = {each.kind: each for each in cell.journal.get_matches(text="INVOI").matches}
    assert {kind: each.id for kind, each in found.items() if kind in ("execution", "approval", "plan")} == {
        "execution": execution,
        "approval": asked,
        "plan": planned,
    }
    assert found["execution"].snippet == ("Send the ", "invoices", "")
    assert found["context"].title == "invoice.format"
    assert found["tool"].id == "invoice_print"
    assert found["decision"].snippet == ("an ", "invoice", " may wait")
    errors = cell.journal.get_matches(text="address", kind="action").matches
    assert [(each.id, each.snippet, each.execution_title) for each in errors] == [
        (failed, ("the invoice has no ", "address", ""), "Send the invoices")
    ]
    assert cell.journal.get_matches(text="invoice", since="10m").matches == ()
    with pytest.raises(InvalidArgument):
        cell.journal.get_matches(text="...")


@promise("one-search-finds-everything-by-how-its-words-begin")
def test_an_execution_is_found_by_the_title_of_its_plan(cell: Cell) -> None:
    execution = cell.journal.record_execution_start(plan_id=plan(cell.journal, "copy", title="Move the shelf").id).id
    (found,) = cell.journal.get_matches(text="shel", kind="execution").matches
    assert (found.id, found.title, found.snippet) == (execution, "Move the shelf", ("Move the ", "shelf", ""))
    (named,) = cell.journal.get_matches(text="agent", kind="execution").matches
    assert named.title == "Move the shelf"


@promise("one-search-finds-everything-by-how-its-words-begin")
def test_a_search_finds_titles_in_any_script(cell: Cell) -> None:
    titles = {
        "顧客": "新しい顧客ID登録",
        "فاتورة": "إرسال فاتورة العميل",
        "größ": "Größe ändern",
        "고객": "고객에게 청구서",
    }
    for title in titles.values():
        start(cell.journal, title)
    for word, title in titles.items():
        (found,) = cell.journal.get_matches(text=word, kind="execution").matches
        assert (found.title, "".join(found.snippet)) == (title, title)
        assert found.snippet[1].lower().startswith(word)
