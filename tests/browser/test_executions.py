"""The list of executions: what it shows, how it is filtered, and how one finds one's way by keyboard."""

import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.conftest import Arriving
from tests.browser.server import Serving
from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 3")


def _row(page: Page, title: str) -> Locator:
    return page.get_by_role("listitem").filter(has=page.get_by_role("link", name=title))


def _box(page: Page) -> Locator:
    return page.get_by_role("searchbox", name="Filter executions")


def test_a_row_shows_progress_doubts_pending_questions_and_the_last_entry(
    arrive: Arriving, serving: Serving, scene: dict[str, str]
) -> None:
    page = arrive(serving, "shop").open("/executions")
    released = _row(page, "Release 4.2.0")
    expect(released.get_by_role("img", name=re.compile(r"\d+ of 12 steps done"))).to_be_visible()
    for text in ("running", "claude", "claude-code", "SHOP-431", "publish", "1 pending"):
        expect(released).to_contain_text(text)
    expect(_row(page, "Refund double charges")).to_contain_text("waiting for a person")
    expect(_row(page, "Clean the image bucket")).to_contain_text("1 in doubt")
    expect(_row(page, "Upgrade PostgreSQL")).to_contain_text("owed")


def test_a_filter_is_the_address_and_survives_a_reload_and_the_way_back(visit: Visit, journal: Journal) -> None:
    scenarios.start(journal, "stays open")
    failed = scenarios.start(journal, "went wrong")
    journal.record_decision(execution_id=failed, decision="fail", why="it broke")
    page = visit.open("/executions")
    expect(_row(page, "stays open")).to_be_visible()
    page.get_by_role("group", name="Quick filters").get_by_role("button", name="Failed").click()
    expect(_row(page, "stays open")).to_have_count(0)
    expect(_box(page)).to_have_value("status:failed")
    expect(page).to_have_url(re.compile(r"q=status:failed"))
    page.reload()
    expect(_row(page, "went wrong")).to_be_visible()
    expect(_row(page, "stays open")).to_have_count(0)
    page.get_by_role("link", name="went wrong").click()
    expect(page.get_by_role("heading", name="went wrong", level=1)).to_be_visible()
    page.go_back()
    expect(_box(page)).to_have_value("status:failed")
    expect(_row(page, "went wrong")).to_be_visible()
    expect(_row(page, "stays open")).to_have_count(0)


def test_words_and_fields_filter_the_list(visit: Visit, journal: Journal) -> None:
    first = scenarios.start(journal, "Move the shop", task_id="SHOP-1")
    scenarios.do(journal, "rsync", execution_id=first, summary="copy the pictures of the lighthouse")
    second = scenarios.start(journal, "Clean up", task_id="SHOP-2")
    scenarios.do(journal, "rm", execution_id=second, summary="delete what the lighthouse left")
    page = visit.open("/executions")
    expect(_row(page, "Clean up")).to_be_visible()
    _box(page).fill("lighthouse")
    expect(page.get_by_role("status").filter(has_text="2 executions match")).to_be_attached()
    _box(page).fill("lighthouse task:SHOP-2")
    expect(_row(page, "Move the shop")).to_have_count(0)
    expect(_row(page, "Clean up")).to_be_visible()
    _box(page).fill("nothing-of-the-kind")
    expect(page.get_by_text("No matching executions.")).to_be_visible()


def test_a_view_is_kept_under_a_name(visit: Visit, journal: Journal) -> None:
    scenarios.start(journal, "stays open")
    page = visit.open("/executions", q="status:failed")
    expect(page.get_by_text("No matching executions.")).to_be_visible()
    page.get_by_role("button", name="Views").click()
    page.get_by_label("Name of this view").fill("what broke")
    page.get_by_role("button", name="Save").click()
    page.keyboard.press("Escape")
    page = visit.open("/executions")
    expect(_row(page, "stays open")).to_be_visible()
    page.get_by_role("button", name="Views").click()
    page.get_by_role("button", name="what broke", exact=True).click()
    expect(_box(page)).to_have_value("status:failed")
    expect(_row(page, "stays open")).to_have_count(0)
    page.get_by_role("button", name="what broke").first.click()
    page.get_by_role("button", name="Forget what broke").click()
    page.reload()
    page.get_by_role("button", name="Views").click()
    expect(page.get_by_role("button", name="what broke")).to_have_count(0)


def test_by_keyboard_alone_an_execution_is_found_opened_and_its_undo_list_followed(
    visit: Visit, journal: Journal
) -> None:
    execution = scenarios.planned(journal, "copy", "switch", title="Move the shop")
    scenarios.do(journal, "rsync", execution_id=execution, step="copy")
    scenarios.start(journal, "something else")
    page = visit.open("/executions")
    expect(_row(page, "Move the shop")).to_be_visible()
    page.keyboard.press("f")
    expect(_box(page)).to_be_focused()
    page.keyboard.type("rsync")
    expect(_row(page, "something else")).to_have_count(0)
    _tab_to(page, page.get_by_role("link", name="Move the shop"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Move the shop", level=1)).to_be_visible()
    _tab_to(page, page.get_by_role("link", name="Journal"))
    page.keyboard.press("Enter")
    _tab_to(page, page.get_by_role("button", name="rsync"))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("(action|entry)="))
    page.keyboard.press("Escape")
    _tab_to(page, page.get_by_role("link", name=re.compile("^Undo list")))
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_contain_text("take back copy")


def test_a_long_list_is_loaded_while_scrolling(visit: Visit, journal: Journal) -> None:
    for number in range(150):
        scenarios.start(journal, f"chore {number}")
    page = visit.open("/executions")
    expect(_row(page, "chore 149")).to_be_visible()
    oldest = page.get_by_role("link", name="chore 0", exact=True)
    expect(oldest).to_have_count(0)
    for _ in range(30):
        page.mouse.move(600, 400)
        page.mouse.wheel(0, 3000)
        if oldest.count():
            break
        page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    expect(oldest).to_be_visible()


def test_enter_in_the_search_moves_to_the_first_result(visit: Visit, journal: Journal) -> None:
    for title in ("paint the door", "paint the wall", "mend the roof"):
        scenarios.start(journal, title)
    page = visit.open("/executions")
    expect(_row(page, "mend the roof")).to_be_visible()
    page.keyboard.press("f")
    page.keyboard.type("paint")
    page.keyboard.press("Enter")
    expect(_row(page, "mend the roof")).to_have_count(0)
    expect(page.get_by_role("link", name="paint the wall")).to_be_focused()
    page.keyboard.press("j")
    expect(page.get_by_role("link", name="paint the door")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="paint the door", level=1)).to_be_visible()


def test_the_empty_page_teaches_and_turns_into_the_first_execution(visit: Visit, tmp_path: Path) -> None:
    page = visit.open("/executions")
    main = page.get_by_role("main")
    for client in ("Claude Code", "Codex", "Cursor"):
        expect(main).to_contain_text(client)
    command = page.get_by_role("main").locator("pre", has_text="record execution-start")
    expect(command).to_contain_text("--url")
    subprocess.run(
        command.inner_text(), shell=True, cwd=tmp_path, check=True, capture_output=True
    )  # wherever one happens to be
    expect(_row(page, "Clean up")).to_be_visible()


def test_the_empty_page_names_other_journals_that_have_entries(visit: Visit, serving: Serving) -> None:
    page = visit.open("/executions")
    with serving.open("elsewhere") as other:
        scenarios.start(other, "in another project")
    page.get_by_role("main").get_by_role("link", name="elsewhere", exact=True).click()
    page.get_by_role("link", name="All executions").click()
    expect(_row(page, "in another project")).to_be_visible()


def _tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until the element has the focus, as a person without a mouse does."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if wanted.evaluate("(each) => each === document.activeElement"):
            return
    raise AssertionError(f"{wanted} cannot be reached by keyboard")
