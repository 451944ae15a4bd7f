"""The elements embedded in another application: plan, timeline, owed list, inbox, log and context, live."""

import pytest
from playwright.sync_api import expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.axe import barriers
from tests.browser.conftest import Arriving
from tests.browser.server import Serving
from tests.browser.test_exact_values import BIG
from tests.browser.visitor import SIZES, Visit

pytestmark = pytest.mark.xdist_group("browser 4")


def test_the_example_shows_all_elements_and_they_update(arrive: Arriving, own_serving: Serving) -> None:
    with own_serving.open() as journal:
        _follow(arrive(own_serving), journal)


def _follow(visit: Visit, journal: Journal) -> None:
    secret = journal.add_credential(name="ada", scopes=("approve", "admin")).secret
    execution = scenarios.planned(journal, "copy", "switch")
    page = visit.open("/embed/example.html", execution=execution)
    plan, timeline, asks, owes, log, context = (
        page.get_by_role("region", name=name)
        for name in (
            *("What it is doing", "When it did what", "What it asks you", "What somebody still has to undo"),
            *("What was recorded", "What it remembers"),
        )
    )
    step = plan.get_by_role("row").filter(has_text="The step copy")
    expect(step).to_contain_text("planned")
    scenarios.do(journal, "cp", execution_id=execution, step="copy", summary="copy all files")
    expect(step).to_contain_text("done")
    expect(plan.get_by_role("progressbar", name="Progress")).to_have_js_property("value", 1)
    expect(page.get_by_text("The application received: the step The step copy is done.")).to_be_visible()
    expect(log.get_by_role("listitem").filter(has_text="copy all files")).to_contain_text("action begun")
    journal.record_context(key="region", value="eu-2", scope="execution", execution_id=execution)
    expect(context).to_contain_text("eu-2")
    expect(timeline.get_by_role("row").filter(has_text="copy all files")).to_be_visible()
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
    page.set_viewport_size(SIZES["phone"])
    page.emulate_media(color_scheme="dark")
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
        expect(page.get_by_role("row").filter(has_text="copy all files").first).to_be_visible()
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
            expect(card.get_by_role("group", name="Arguments")).to_contain_text(shown)
        card.get_by_role("button", name="Edit").click()
        editor = card.get_by_label("Arguments of delete, as JSON")
        editor.fill(editor.input_value().replace('"5"', '"6"'))
        card.get_by_role("button", name="Grant the edited call").click()
        expect(card).to_have_count(0)
        assert journal.get_approval(approval_id=approval).edited == {**arguments, "sum": "6"}
