"""One search over everything, and Back, which restores filter, scroll and focus."""

import re

import pytest
from playwright.sync_api import expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.axe import barriers
from tests.browser.conftest import Arriving
from tests.browser.server import Serving
from tests.browser.visitor import Theme, Visit, Width

pytestmark = pytest.mark.xdist_group("browser 1")


@pytest.mark.parametrize(("width", "theme"), [("desktop", "light"), ("phone", "dark")])
def test_one_search_finds_everything_and_opens_it_with_the_keyboard(
    arrive: Arriving, serving: Serving, scene: dict[str, str], width: Width, theme: Theme
) -> None:
    page = arrive(serving, "shop", width=width, theme=theme).open("/executions")
    expect(page.get_by_role("link", name="Release 4.2.0")).to_be_visible()
    if width == "phone":
        page.get_by_role("button", name="Search").click()
    else:
        page.keyboard.press("/")
    box = page.get_by_role("combobox", name="Search everything")
    expect(box).to_be_focused()
    box.fill("upgr postg")
    option = page.get_by_role("group", name="Executions").get_by_role("option", name="Upgrade PostgreSQL 16 to 17")
    expect(option).to_have_attribute("aria-selected", "true")
    expect(option.locator("mark").first).to_have_text("Upgrade")
    assert barriers(page) == []
    box.fill("webh")
    expect(page.get_by_role("option", name="Webhooks")).to_be_visible()
    box.fill("upgr postg")
    box.press("Enter")
    expect(page).to_have_url(re.compile(f"/x/{scene['unwinding']}"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Upgrade PostgreSQL 16 to 17")
    page.keyboard.press("Control+k")
    recent = page.get_by_role("group", name="Recent").get_by_role("option")
    expect(recent.first).to_contain_text("Upgrade PostgreSQL 16 to 17")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Search")).to_have_count(0)


def test_a_search_finds_any_script_and_times_and_shows_markup_as_text(visit: Visit, journal: Journal) -> None:
    scenarios.start(journal, "新しい顧客<b>ID</b>登録")
    page = visit.open("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Search everything")
    box.fill("顧客 since:16h")
    option = page.get_by_role("group", name="Executions").get_by_role("option")
    expect(option).to_contain_text("新しい顧客<b>ID</b>登録")
    expect(option.locator("mark")).to_have_text("顧客")
    box.fill("顧客 yesterday")
    expect(page.get_by_text("Nothing was found.")).to_be_visible()
    box.fill("today")
    expect(option).to_have_count(1)


def test_back_restores_filter_scroll_and_focus(arrive: Arriving, serving: Serving, scene: dict[str, str]) -> None:
    page = arrive(serving, "shop").open("/executions", q="status:completed")
    rows = page.get_by_role("region", name="Executions")
    expect(rows.get_by_role("link").first).to_be_visible()
    rows.evaluate("each => each.scrollTop = 1200")
    link = rows.get_by_role("link").nth(20)
    link.focus()
    # Rows are drawn again while the list is scrolled: the one that has the focus counts.
    title, place = page.evaluate("[document.activeElement.innerText, document.activeElement.getAttribute('href')]")
    top = rows.evaluate("each => each.scrollTop")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    page.go_back()
    expect(page.locator(f'main a[href="{place}"]')).to_be_focused()
    assert abs(rows.evaluate("each => each.scrollTop") - top) < 60
    expect(page.get_by_label("Filter executions")).to_have_value("status:completed")


def test_focus_never_falls_to_the_body(visit: Visit, journal: Journal) -> None:
    execution = scenarios.start(journal, "Copy the books")
    asked = journal.request_approval(question="Which shelf?", execution_id=execution).id
    page = visit.open("/")
    page.get_by_role("link", name="Which shelf?").focus()
    journal.record_decision(decision="stop", execution_id=execution, why="no time")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing needs you")
    assert page.evaluate("document.activeElement.id") == "main", asked


def test_a_list_that_is_left_while_it_scrolls_reports_no_error(
    arrive: Arriving, serving: Serving, scene: dict[str, str]
) -> None:
    page = arrive(serving, "shop").open("/executions")
    rows = page.get_by_role("region", name="Executions")
    expect(rows.get_by_role("link").first).to_be_visible()
    rows.evaluate("each => { each.scrollTop = 900; each.querySelector('a').click(); }")
    expect(page.get_by_role("list", name="Figures")).to_be_visible()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_a_handle_is_found_with_its_title(visit: Visit, journal: Journal) -> None:
    visit.watch.allows(404)
    execution = scenarios.planned(journal, "copy", title="Move the shop")
    asked = journal.request_approval(question="Which shelf?", execution_id=execution).id
    plan = journal.get_execution(execution_id=execution).plan_id
    page = visit.open("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Search everything")
    option = page.get_by_role("listbox").get_by_role("option")
    for handle, title in ((execution, "Move the shop"), (plan, "Move the shop"), (asked, "Which shelf?")):
        box.fill(handle)
        expect(option).to_have_count(1)
        expect(option).to_contain_text(title)
        expect(option).to_contain_text(handle)
    box.fill("ex_zzzz")
    expect(option).to_have_text("ex_zzzz")
