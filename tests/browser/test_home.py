"""The page that opens: what needs a person, what runs, and what happened since the last look."""

import re
import time
from typing import Any

import pytest
from playwright.sync_api import expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.conftest import Arriving, name_of
from tests.browser.server import Serving
from tests.browser.visitor import Theme, Visit, Width

pytestmark = pytest.mark.xdist_group("browser 1")


@pytest.mark.parametrize(("width", "theme"), [("desktop", "light"), ("phone", "dark")])
def test_home_lists_what_waits_and_each_row_leads_to_its_place(
    arrive: Arriving, serving: Serving, scene: dict[str, str], width: Width, theme: Theme
) -> None:
    page = arrive(serving, "shop", width=width, theme=theme).open("/")
    rows = page.get_by_role("list", name="What needs you").get_by_role("listitem")
    expect(rows.first).to_contain_text("Refund 412.50 EUR to 14 customers")
    assert [each.partition("\n")[0] for each in rows.all_inner_texts()] == [
        *("Question", "Question", "In doubt", "In doubt", "Interrupted", "Not undone", "Not undone"),
    ]
    expect(rows.nth(2)).to_contain_text("Clean the image bucket")
    expect(rows.nth(2)).to_contain_text("codex")
    expect(rows.nth(2)).to_contain_text("h ago")
    expect(page).to_have_title("(7) Home · Tallystick")
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", "/favicon.ico?waiting=7")
    assert ">7</text>" in page.evaluate("fetch('/favicon.ico?waiting=7').then((answer) => answer.text())")
    left = rows.first.get_by_text(re.compile(r"\d+ h left")).inner_text()
    for index, place in ((0, "/approvals/"), (2, f"/x/{scene['in_doubt']}?tab=doubt"), (5, "tab=undo")):
        rows.nth(index).get_by_role("link").first.click()
        expect(page).to_have_url(re.compile(re.escape(place)))
        if "approvals" in place:
            expect(page.get_by_role("region", name="Question", exact=True)).to_contain_text(left)
        page.go_back()
    expect(rows).to_have_count(7)


def test_a_calm_home_says_what_runs_and_a_question_arrives_live(visit: Visit, journal: Journal) -> None:
    execution = scenarios.start(journal, "Copy <b>the</b> books")
    scenarios.begin(journal, "copy")
    page = visit.open("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing needs you")
    expect(page.get_by_role("list", name="Running now")).to_contain_text("Copy <b>the</b> books")
    expect(page).to_have_title("Home · Tallystick")
    asked = journal.request_approval(question="Which <i>shelf</i>?", execution_id=execution).id
    expect(page.get_by_role("heading", level=1)).to_have_text("Needs you")
    expect(page.get_by_role("link", name=re.compile("Home.*1 need you"))).to_be_visible()
    page.keyboard.press("j")
    expect(page.get_by_role("link", name="Which <i>shelf</i>?")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/approvals/{asked}"))
    expect(page).to_have_title("(1) Approvals · Tallystick")


@pytest.mark.parametrize("width", ["desktop", "phone"])
def test_the_row_of_a_question_says_what_its_call_does_without_json(
    arrive: Arriving, serving: Serving, journal: Journal, width: Width
) -> None:
    execution = scenarios.start(journal, "Close dormant accounts")
    accounts = [{"id": f"AC-{number}", "balance": number} for number in range(100)]
    arguments = {"accounts": accounts, "dry_run": False, "force": True, "refund_total": 412.5}
    question = "Close these 100 dormant accounts?"
    journal.request_approval(question=question, execution_id=execution, tool="close_accounts", arguments=arguments)
    journal.request_approval(question="Which shelf?", execution_id=execution)
    page = arrive(serving, name_of(journal), width).open("/")
    rows = page.get_by_role("list", name="What needs you").get_by_role("listitem")
    expect(rows.first.locator(".need-link")).to_have_text(question)
    call = rows.first.locator(".need-call")
    expect(call).to_have_text("close_accounts · dry_run false · force true · refund_total 412.5 · 100 accounts")
    assert call.evaluate("(line) => line.scrollHeight <= line.clientHeight")
    expect(rows.nth(1).locator(".need-link")).to_have_text("Which shelf?")
    expect(rows.nth(1).locator(".need-call")).to_have_count(0)


def test_home_says_what_happened_since_the_last_look(visit: Visit, journal: Journal) -> None:
    execution = scenarios.start(journal, "Copy the books")
    journal.record_decision(decision="fail", execution_id=execution, why="the shelf broke")
    page = visit.open("/")
    happened = page.get_by_role("region", name="The last 24 hours")
    expect(happened).to_contain_text("1 failed, 1 started")
    look: dict[str, Any] = {"since": 0, "until": (time.time() - 3600) * 1000}
    page.evaluate("([key, look]) => localStorage.setItem(key, JSON.stringify(look))", [_key(visit), look])
    page.reload()
    happened = page.get_by_role("region", name="Since you last looked")
    expect(happened).to_contain_text("1 failed, 1 started")
    page.reload()  # within ten minutes it is the same look
    expect(happened).to_contain_text("1 failed, 1 started")
    look = {"since": 0, "until": (time.time() + 1) * 1000}
    page.get_by_role("button", name="Last night").click()
    expect(page).to_have_url(re.compile(r"range=last\+night"))
    expect(page.get_by_role("heading", name="Last night")).to_be_visible()


def test_an_undo_that_expires_is_made_or_kept_where_home_leads(visit: Visit, journal: Journal) -> None:
    scenarios.start(journal, "Move mailboxes")
    scenarios.do(journal, "mv", summary="mv info@", cancellable="reversible", undo="move it back", undo_until="30m")
    page = visit.open("/")
    row = page.get_by_role("list", name="What needs you").get_by_role("listitem")
    expect(row).to_contain_text(re.compile(r"Undo expires\s*Move mailboxes\s*mv info@\s*\d+ min left"))
    row.get_by_role("link", name="Undo or keep").click()
    expect(page.get_by_role("button", name="I undid it")).to_be_visible()
    expect(page.get_by_role("button", name="Keep it")).to_be_visible()


def test_all_that_happened_is_shown_with_failures_first(visit: Visit, journal: Journal) -> None:
    for number in range(15):
        execution = scenarios.start(journal, f"Work {number}")
        journal.record_decision(decision="done" if number else "fail", execution_id=execution, why="it was so")
    page = visit.open("/")
    rows = page.get_by_role("list", name="Executions").get_by_role("listitem")
    expect(rows).to_have_count(12)
    page.get_by_role("link", name="Show all, those that failed first").click()
    expect(rows).to_have_count(15)
    expect(rows.first).to_contain_text("Work 0")


def test_what_runs_now_is_what_its_link_shows(visit: Visit, journal: Journal) -> None:
    visit.watch.allows(400)
    waiting = scenarios.start(journal, "Waits for ada")
    journal.request_approval(question="Which shelf?", execution_id=waiting)
    for number in range(6):
        scenarios.start(journal, f"Runs {number}")
    unwinding = scenarios.start(journal, "Unwinds")
    scenarios.do(journal, "rent", execution_id=unwinding, undo="give it back")
    journal.record_decision(decision="unwind", execution_id=unwinding, why="no guests")
    page = visit.open("/")
    expect(page.get_by_role("region", name="Running now")).to_contain_text("7 executions")
    expect(page.get_by_role("list", name="Running now")).not_to_contain_text("Waits for ada")
    page.get_by_role("link", name="Show all that are running").click()
    expect(page.get_by_text("7 executions match")).to_be_attached()
    page.get_by_role("searchbox", name="Filter executions").fill("status:waiting")
    expect(page.get_by_role("link", name="Waits for ada")).to_be_visible()
    expect(page.get_by_text("1 execution match")).to_be_attached()
    page.get_by_role("searchbox", name="Filter executions").fill("status:sleeping")
    expect(page.get_by_role("alert")).to_contain_text("“sleeping” is no state of an execution.")


def test_an_old_address_with_a_filter_opens_the_list(visit: Visit, journal: Journal) -> None:
    scenarios.start(journal, "Copy the books")
    page = visit.open("/", q="status:running")
    expect(page.get_by_role("heading", level=1)).to_have_text("Executions")
    expect(page).to_have_url(re.compile(r"/executions\?q=status:running"))


def _key(visit: Visit) -> str:
    return f"tallystick.looked.{visit.journal}"
