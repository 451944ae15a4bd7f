"""The waterfall of an execution: bounded rows however long it is, groups, keys, phone width, the graph."""

import re
from time import sleep
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tallystick import Journal, Record
from tests.behaviour import scenarios
from tests.browser.axe import barriers
from tests.browser.conftest import Arriving, name_of
from tests.browser.server import Serving
from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 3")

MANY = 2500
"""More than two pages of rows. `make bench` scrolls through 20,000."""
MAX_DRAWN = 90
"""Rows of one screen, with some above and below."""


def _record(journal: Journal, execution: str, count: int, tools: int) -> None:
    for start in range(0, count, 500):
        records = (
            {"tool": f"tool{number % tools}", "summary": f"product {number}", "effect": "idempotent"}
            for number in range(start, min(start + 500, count))
        )
        done = {"phase": "done", "execution_id": execution}
        journal.record_batch(records=tuple(Record("record_action", {**done, **each}) for each in records))


def _drawn(page: Page) -> int:
    return page.locator("[data-row]").count()


def test_many_actions_are_few_rows_of_the_page_and_scrolling_shows_the_right_ones(
    visit: Visit, journal: Journal
) -> None:
    execution = scenarios.start(journal, "Move every product")
    _record(journal, execution, MANY, tools=7)
    page = visit.open(f"/x/{execution}")
    table = page.get_by_role("table", name="Steps and actions")
    expect(table.get_by_role("button", name="product 0", exact=True)).to_be_visible()
    table.evaluate("(list) => list.scrollTop = 100 * list.querySelector('[data-row]').offsetHeight")
    expect(table.get_by_role("button", name="product 102", exact=True)).to_be_in_viewport()
    assert _drawn(page) < MAX_DRAWN
    table.get_by_role("button", name="product 102", exact=True).focus()
    count = page.locator(".work-foot [role=status]")
    for before, loaded in (("", "1200"), ("1200+", "2200"), ("2200+", str(MANY))):
        if before:
            expect(count).to_have_text(f"{before} rows")
        page.keyboard.press("End")
        expect(count).to_contain_text(loaded)
    page.keyboard.press("End")
    last = table.get_by_role("button", name=f"product {MANY - 1}", exact=True)
    expect(last).to_be_focused()
    expect(last).to_be_in_viewport()
    assert _drawn(page) < MAX_DRAWN
    page.get_by_role("group", name="View").get_by_role("button", name="Newest first").click()
    expect(table.get_by_role("row").nth(1)).to_contain_text(f"product {MANY - 1}")


def test_equal_calls_are_one_row_that_unfolds_and_folds_with_the_keyboard(visit: Visit, journal: Journal) -> None:
    execution = scenarios.start(journal, "Move every product")
    _record(journal, execution, 240, tools=1)
    scenarios.fail(journal, "tool0", "the disk is full", execution_id=execution)
    page = visit.open(f"/x/{execution}")
    row = page.get_by_role("row").filter(has_text="241 calls")
    expect(row).to_contain_text("1 failed")
    expect(row).to_contain_text("the disk is full")
    expect(page.locator(".work-foot")).to_contain_text("1 row")
    group = row.get_by_role("button", name="tool0", exact=True)
    group.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="product 3", exact=True)).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name="product 1", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="Detail")).to_contain_text("product 1")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="product 1", exact=True)).to_be_focused()
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="product 3", exact=True)).to_have_count(0)
    expect(group).to_be_focused()


def test_a_large_group_says_how_much_of_it_is_shown_and_shows_the_rest(visit: Visit, journal: Journal) -> None:
    execution = scenarios.start(journal, "Move every product")
    _record(journal, execution, 700, tools=1)
    page = visit.open(f"/x/{execution}")
    row = page.get_by_role("row").filter(has_text="700 calls")
    row.get_by_role("button", name="Unfold tool0").press("Enter")
    expect(row).to_contain_text("500 of 700 shown")
    row.get_by_role("button", name="tool0", exact=True).focus()
    page.keyboard.press("End")
    rest = page.get_by_role("button", name="Show more")
    expect(rest).to_be_focused()
    page.keyboard.press("Enter")
    expect(rest).to_have_count(0)
    expect(page.locator(".work-foot")).to_contain_text("701 rows")
    expect(page.get_by_role("button", name="product 500", exact=True)).to_be_visible()


def test_an_attempt_that_did_not_happen_has_no_duration(visit: Visit, serving: Serving, journal: Journal) -> None:
    execution = scenarios.planned(journal, "pay", "ship", title="Settle the bills")
    with serving.open(name_of(journal)) as agent:
        action = scenarios.begin(agent, "pay", execution_id=execution, step="pay")
    journal.record_decision(decision="settle", action_id=action, outcome="skipped", evidence="the bank knows nothing")
    scenarios.do(journal, "pack", execution_id=execution)
    page = visit.open(f"/x/{execution}")
    row = page.get_by_role("row").filter(has_text="The step pay")
    expect(row.locator(".work-state")).to_have_text("planned")
    expect(row.locator(".work-took")).to_have_text("")
    expect(page.get_by_role("row").filter(has_text="pack").locator(".work-took")).not_to_have_text("")
    page.goto(visit.address(f"/x/{execution}", action=action))
    detail = page.get_by_role("complementary", name="Detail")
    expect(detail).to_contain_text("the bank knows nothing")
    expect(detail.locator("dt").filter(has_text="took")).to_have_count(0)


def test_the_wait_for_a_settled_doubt_is_no_duration(visit: Visit, serving: Serving, journal: Journal) -> None:
    execution = scenarios.planned(journal, "pay", "ship", title="Settle the bills")
    with serving.open(name_of(journal)) as agent:
        action = scenarios.begin(agent, "pay", execution_id=execution, step="pay")
    scenarios.do(journal, "pack", execution_id=execution)
    sleep(2)
    journal.record_decision(decision="settle", action_id=action, outcome="ok", evidence="the bank has it")
    journal.record_action(
        phase="done", execution_id=execution, kind="undo", undoes=action, outcome="ok", summary="sent"
    )
    page = visit.open(f"/x/{execution}")
    row = page.get_by_role("row").filter(has_text="The step pay")
    expect(row.locator(".work-state")).to_contain_text("done")
    expect(row.locator(".work-took")).to_have_text("")
    whole, bar = (row.locator(name).bounding_box() for name in (".work-chart", ".work-bar"))
    assert whole
    assert bar
    assert bar["width"] < whole["width"] / 2


@pytest.mark.parametrize(("width", "theme"), [("desktop", "dark"), ("phone", "light")])
def test_the_page_says_at_first_sight_why_it_failed_and_what_is_left(
    arrive: Arriving, serving: Serving, journal: Journal, width: Any, theme: Any
) -> None:
    execution = scenarios.planned(journal, "copy", "switch", "retire", title="Move the shop")
    scenarios.do(journal, "cp", execution_id=execution, step="copy")
    scenarios.fail(journal, "dns", "no such host", execution_id=execution, step="switch")
    scenarios.do(journal, "rm", execution_id=execution, summary="clean what nobody planned")
    journal.record_decision(execution_id=execution, decision="fail", why="the name server is gone")
    page = arrive(serving, name_of(journal), width, theme).open(f"/x/{execution}")
    expect(page.get_by_text("The step switch failed: no such host")).to_be_in_viewport()
    figures = page.get_by_role("list", name="Figures")
    for text in ("1 of 3steps done", "2steps left", "1failed", "0in doubt", "3owed", "1unplanned", "0waiting"):
        expect(figures.get_by_role("link", name=re.compile(text[-4:]))).to_have_text(text)
        expect(figures.get_by_role("link", name=re.compile(text[-4:]))).to_be_in_viewport()
    row = page.get_by_role("row").filter(has_text="The step switch")
    expect(row).to_contain_text("no such host")
    expect(page.get_by_role("row").filter(has_text="The step retire")).to_contain_text("planned")
    figures.get_by_role("link", name="unplanned").click()
    expect(page.get_by_role("row").filter(has_text="clean what nobody planned")).to_be_visible()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Only unplanned").click()
    expect(row).to_be_visible()
    assert barriers(page) == []


@pytest.mark.parametrize("width", ["desktop", "phone"])
def test_the_graph_fits_zooms_and_shows_durations_and_the_critical_path(
    arrive: Arriving, serving: Serving, scene: dict[str, str], width: Any
) -> None:
    page = arrive(serving, "shop", width).open(f"/x/{scene['unwinding']}", view="graph")
    graph = page.get_by_role("region", name="Graph of the plan")
    expect(graph.get_by_role("button", name=re.compile("Switch the primary failed, 2 min 20 s"))).to_be_visible()
    expect(graph.get_by_role("button", name=re.compile("on the critical path")).first).to_be_visible()
    drawing = graph.locator("svg")
    before = drawing.bounding_box()
    page.get_by_role("button", name="Zoom in").click()
    expect(page.get_by_role("button", name="Fit", exact=True)).to_be_enabled()
    after = drawing.bounding_box()
    assert before
    assert after
    assert after["width"] > before["width"]
    page.get_by_role("button", name="Fit", exact=True).click()
    expect(drawing).to_have_attribute("width", str(round(before["width"])))


def test_the_line_of_a_failure_goes_once_it_is_overcome(visit: Visit, journal: Journal) -> None:
    execution = scenarios.planned(journal, "copy", "switch", title="Move the shop")
    done = scenarios.do(journal, "cp", execution_id=execution, step="copy", summary="lock the writes")
    scenarios.fail(journal, "dns", "no such host", execution_id=execution, step="switch")
    page = visit.open(f"/x/{execution}")
    line = page.locator(".x-failure")
    expect(line).to_have_text(["The step switch failed: no such host"])
    undo = scenarios.begin(journal, kind="undo", undoes=done, execution_id=execution, summary="unlock the writes")
    scenarios.end(journal, undo, "failed", error="permission denied")
    expect(line).to_have_text(
        ["The step switch failed: no such host", "undo of lock the writes failed: permission denied"]
    )
    figures = page.get_by_role("list", name="Figures")
    expect(figures.get_by_role("link", name="failed")).to_have_text("2failed")
    figures.get_by_role("link", name="failed").click()
    expect(page.locator(".work-foot")).to_contain_text("2 rows")
    scenarios.undo(journal, done, execution_id=execution)
    expect(line).to_have_text(["The step switch failed: no such host"])
    journal.record_decision(execution_id=execution, decision="retry", step="switch", why="the name server is back")
    again = scenarios.begin(journal, "dns", execution_id=execution, step="switch", again="it is back")
    expect(line).to_have_count(0)
    scenarios.end(journal, again, "failed", error="no such zone")
    expect(line).to_have_text(["The step switch failed: no such zone"])


def test_work_that_unwinds_says_how_much_is_undone_and_has_no_steps_left(visit: Visit, journal: Journal) -> None:
    execution = scenarios.planned(journal, "copy", "switch", "retire")
    done = [scenarios.do(journal, step, execution_id=execution, step=step) for step in ("copy", "switch")]
    journal.record_decision(execution_id=execution, decision="unwind", why="start over")
    scenarios.undo(journal, done[1], execution_id=execution)
    page = visit.open(f"/x/{execution}")
    figures = page.get_by_role("list", name="Figures").get_by_role("listitem")
    expect(figures.filter(has_text="undone")).to_have_text("1steps undone")
    expect(figures.filter(has_text="owed")).to_have_text("1owed")
    expect(figures.filter(has_text="left")).to_have_count(0)


@pytest.mark.parametrize("width", ["desktop", "phone"])
def test_work_that_waits_says_for_which_answer_and_leads_to_it(
    arrive: Arriving, serving: Serving, journal: Journal, width: Any
) -> None:
    refund = scenarios.step("refund", needs_approval=True, after=())
    other = scenarios.step("mail", needs_approval=True, after=())
    execution = scenarios.planned(journal, refund, other, title="Refund the orders")
    approvals = [
        journal.request_approval(question=question, execution_id=execution, step=step, tool=step).id
        for question, step in (("Refund 412 EUR?", "refund"), ("Send the mails?", "mail"))
    ]
    page = arrive(serving, name_of(journal), width).open(f"/x/{execution}")
    waits = page.get_by_role("list", name="Waits for an answer").get_by_role("listitem")
    expect(waits).to_have_count(2)
    for text, approval in zip(("Refund 412 EUR?", "Send the mails?"), approvals, strict=True):
        address = re.compile(f"/approvals/{approval}")
        expect(waits.filter(has_text=text).get_by_role("link", name="Answer")).to_have_attribute("href", address)
    assert barriers(page) == []
    row = page.get_by_role("row").filter(has_text="The step mail")
    expect(row.get_by_role("link", name="Answer: The step mail")).to_have_attribute("href", re.compile(approvals[1]))
    row.get_by_role("button").first.click()
    detail = page.get_by_role("complementary", name="Detail")
    expect(detail).to_contain_text("Send the mails?")
    detail.get_by_role("link", name="Answer").click()
    expect(page.get_by_role("heading", name="Send the mails?")).to_be_visible()
    journal.record_decision(execution_id=execution, decision="stop", why="nobody answers")
    page.goto(page.url.split("/approvals")[0] + f"/x/{execution}?journal={name_of(journal)}")
    expect(page.get_by_role("list", name="Figures")).to_be_visible()
    expect(waits).to_have_count(0)


@pytest.mark.parametrize("view", ["time", "newest"])
def test_the_first_failure_is_marked_and_in_view_wherever_it_is(visit: Visit, journal: Journal, view: str) -> None:
    execution = scenarios.start(journal, "Move every product")
    _record(journal, execution, 300, tools=7)
    _record(journal, execution, 600, tools=1)
    scenarios.fail(journal, "tool0", "the disk is full", execution_id=execution, summary="the heavy product")
    _record(journal, execution, 400, tools=1)
    _record(journal, execution, 300, tools=7)
    page = visit.open(f"/x/{execution}", view=view)
    page.get_by_role("button", name="First failure").press("Enter")
    row = page.get_by_role("row").filter(has=page.get_by_role("button", name="the heavy product", exact=True))
    expect(row).to_be_in_viewport()
    expect(row.get_by_role("button", name="the heavy product", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("complementary", name="Detail")).to_contain_text("the disk is full")
