"""The elements embedded in another application: the timeline, the owed list and the inbox, live."""

import pytest
from playwright.sync_api import expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.axe import barriers
from tests.browser.conftest import Arriving
from tests.browser.server import Serving
from tests.browser.test_exact_values import BIG
from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 4")


def test_the_example_shows_all_three_elements_and_they_update(arrive: Arriving, own_serving: Serving) -> None:
    with own_serving.open() as journal:
        _follow(arrive(own_serving), journal)


def _follow(visit: Visit, journal: Journal) -> None:
    secret = journal.add_credential(name="ada", scopes=("approve", "admin")).secret
    execution = scenarios.planned(journal, "copy", "switch")
    page = visit.open("/embed/example.html", execution=execution)
    timeline, asks, owes = (
        page.get_by_role("region", name=name)
        for name in ("What it is doing", "What it asks you", "What somebody still has to undo")
    )
    expect(timeline).to_be_visible()
    scenarios.do(journal, "cp", execution_id=execution, step="copy", summary="copy all files")
    expect(timeline.get_by_role("button", name="copy all files, cp, ok")).to_be_visible()
    expect(owes).to_contain_text("Nothing is owed.")
    approval = journal.request_approval(
        execution_id=execution, question="Switch now?", tool="dns", arguments={"to": "eu-2"}
    ).id
    expect(asks.get_by_role("heading", name="Switch now?")).to_be_visible()
    page.get_by_label("Token").fill(secret)
    page.get_by_role("button", name="Show", exact=True).click()
    asks.get_by_role("group", name="Answer").get_by_role("button", name="Accept").click()
    asks.get_by_role("button", name="Accept exactly this").click()
    expect(asks.get_by_role("heading", name="Switch now?")).to_have_count(0)
    answered = journal.get_approval(approval_id=approval)
    assert (answered.status, answered.decided_by) == ("approve", "ada")
    journal.record_decision(execution_id=execution, decision="unwind", why="the copy is broken")
    expect(owes).to_contain_text("take back copy")
    assert barriers(page) == []


SLOW_BODIES = """
const text = Response.prototype.text;
Response.prototype.text = async function () {
  await new Promise((resume) => setTimeout(resume, 400));
  return text.call(this);
};
"""
"""Longer than the elements wait before they ask again: what they read first is called off within its body."""


def test_an_answer_that_was_called_off_halfway_is_never_drawn(arrive: Arriving, own_serving: Serving) -> None:
    with own_serving.open() as journal:
        execution = scenarios.planned(journal, "copy", "switch")
        scenarios.do(journal, "cp", execution_id=execution, step="copy", summary="copy all files")
        journal.record_decision(execution_id=execution, decision="unwind", why="the copy is broken")
        visit = arrive(own_serving)
        visit.page.add_init_script(SLOW_BODIES)
        page = visit.open("/embed/example.html", execution=execution)
        expect(page.get_by_role("button", name="copy all files, cp, ok")).to_be_visible()
        expect(page.get_by_role("region", name="What somebody still has to undo")).to_contain_text("take back copy")
        expect(page.get_by_role("region", name="What it asks you")).to_contain_text("No questions are waiting.")


def test_the_inbox_shows_and_grants_exactly_the_call_that_is_asked_for(arrive: Arriving, own_serving: Serving) -> None:
    with own_serving.open() as journal:
        secret = journal.add_credential(name="ada", scopes=("approve", "admin")).secret
        execution = scenarios.start(journal, "Clean up")
        arguments = {"id": BIG, "note": "x\nid: 5", "to": "pay\u202epal", "sum": "5"}
        approval = journal.request_approval(
            execution_id=execution, question="Delete\u200b it?", tool="delete", arguments=arguments
        ).id
        page = arrive(own_serving).open("/embed/example.html", execution=execution)
        page.get_by_label("Token").fill(secret)
        page.get_by_role("button", name="Show", exact=True).click()
        card = page.get_by_role("article", name="Delete\\u200b it?")
        for shown in (str(BIG), "x↵", "pay\\u202epal", '"5"'):
            expect(card.locator(".json-tree")).to_contain_text(shown)
        card.get_by_role("button", name="Edit").click()
        editor = card.get_by_label("Arguments of delete, as JSON")
        editor.fill(editor.input_value().replace('"5"', '"6"'))
        card.get_by_role("button", name="Grant the edited call").click()
        expect(card).to_have_count(0)
        assert journal.get_approval(approval_id=approval).edited == {**arguments, "sum": "6"}
