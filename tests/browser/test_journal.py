"""The journal of one execution as a list: long ones too, searched with right counts, and followed."""

import re

import apsw
import pytest
from playwright.sync_api import Locator, Page, expect

from tallystick import Journal
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.settings import Settings
from tests.behaviour import scenarios
from tests.browser.conftest import LARGE, Arriving
from tests.browser.server import Serving
from tests.browser.visitor import Visit
from tests.drivers import Local
from tests.stores import Clock, open_store

pytestmark = pytest.mark.xdist_group("browser 3")


def _lines(page: Page) -> Locator:
    return page.get_by_role("region", name="Journal").get_by_role("listitem")


def test_a_long_journal_keeps_few_rows_in_the_page_and_every_entry_in_reach(
    arrive: Arriving, serving: Serving, scene: dict[str, str]
) -> None:
    with serving.open("shop") as journal:
        entries = scenarios.entries(journal, execution_id=scene["large"])
    assert len(entries) > LARGE
    visit = arrive(serving, "shop")
    page = visit.open(f"/x/{scene['large']}", tab="journal")
    expect(_lines(page).first).to_contain_text("execution started")
    assert _lines(page).count() < 120
    page.get_by_role("button", name="Follow").click()
    expect(page.get_by_role("button", name=re.compile("every page is in"))).to_be_in_viewport()
    assert _lines(page).count() < 120
    expect(page.get_by_text(f"{len(entries)} entries")).to_be_visible()
    middle = entries[len(entries) // 2]
    page = visit.open(f"/x/{scene['large']}", tab="journal", entry=middle.seq)
    chosen = _lines(page).filter(has=page.locator("[aria-pressed=true]"))
    expect(chosen).to_be_in_viewport()
    expect(chosen).to_contain_text(str(middle.seq))


def test_a_search_has_the_count_of_the_journal_and_moves_between_matches(
    arrive: Arriving, serving: Serving, scene: dict[str, str]
) -> None:
    with serving.open("shop") as journal:
        found = len(scenarios.entries(journal, execution_id=scene["large"], text="price"))
    assert found > 5
    page = arrive(serving, "shop").open(f"/x/{scene['large']}", tab="journal")
    page.get_by_role("searchbox", name="Search this journal").fill("price")
    status = page.get_by_role("status").filter(has_text=re.compile(rf"in {found} entries|in {found}\b"))
    expect(status).to_be_visible()
    page.get_by_role("button", name="Next match").click()
    expect(status).to_contain_text(re.compile("^1 of"))
    expect(page.locator("mark").first).to_be_in_viewport()
    page.get_by_role("button", name="Next match").click()
    expect(status).to_contain_text(re.compile("^2 of"))


def test_one_key_leads_to_the_first_failure(arrive: Arriving, serving: Serving, scene: dict[str, str]) -> None:
    page = arrive(serving, "shop").open(f"/x/{scene['large']}", tab="journal")
    expect(page.get_by_role("button", name="First failure")).to_be_enabled()
    page.keyboard.press("e")
    expect(_lines(page).filter(has_text="row 17 has no price").first).to_be_in_viewport()


def test_keys_move_through_the_journal_which_shows_pairs_or_every_entry(visit: Visit, journal: Journal) -> None:
    execution = scenarios.start(journal)
    for number in range(3):
        scenarios.do(journal, "cp", execution_id=execution, summary=f"copy {number}", arguments={"file": number})
    page = visit.open(f"/x/{execution}", tab="journal")
    expect(_lines(page)).to_have_count(4)
    for _ in range(2):
        page.keyboard.press("j")
    expect(page.get_by_role("button", name="copy 0")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="Detail")).to_contain_text("copy 0")
    page.get_by_role("group", name="Entries").get_by_role("button", name="Full").click()
    expect(_lines(page)).to_have_count(7)


def test_following_keeps_the_newest_entry_in_view_until_the_list_is_scrolled(visit: Visit, journal: Journal) -> None:
    execution = scenarios.start(journal)
    for number in range(60):
        scenarios.do(journal, "cp", execution_id=execution, summary=f"copy {number}", arguments={"file": number})
    page = visit.open(f"/x/{execution}", tab="journal")
    expect(page.get_by_role("button", name="copy 0", exact=False).first).to_be_visible()
    follow = page.get_by_role("button", name="Follow")
    follow.click()
    for number in range(60, 65):
        scenarios.do(journal, "cp", execution_id=execution, summary=f"copy {number}", arguments={"file": number})
        expect(page.get_by_role("button", name=f"copy {number}")).to_be_in_viewport()
    page.get_by_role("region", name="Journal").hover()
    page.mouse.wheel(0, -2000)
    expect(follow).to_have_attribute("aria-pressed", "false")
    scenarios.do(journal, "cp", execution_id=execution, summary="copy 65", arguments={"file": 65})
    expect(page.get_by_text("133 entries")).to_be_visible()
    expect(page.get_by_role("button", name="copy 65")).not_to_be_in_viewport()


def test_new_entries_and_another_form_do_not_move_the_selection(visit: Visit, journal: Journal) -> None:
    execution = scenarios.start(journal)
    actions = [
        scenarios.do(journal, "cp", execution_id=execution, summary=f"copy {number}", arguments={"file": number})
        for number in range(80)
    ]
    page = visit.open(f"/x/{execution}", tab="journal", action=actions[70])
    chosen = _lines(page).filter(has=page.locator("[aria-pressed=true]"))
    expect(chosen).to_contain_text("copy 70")
    for _ in range(30):
        page.keyboard.press("k")
    expect(chosen).to_contain_text("copy 40")
    scenarios.do(journal, "cp", execution_id=execution, summary="copy 80", arguments={"file": 80})
    expect(page.get_by_text("82 rows")).to_be_visible()
    expect(chosen).to_contain_text("copy 40")
    expect(chosen).to_be_in_viewport()
    page.get_by_role("group", name="Entries").get_by_role("button", name="Full").click()
    expect(chosen).to_contain_text("copy 40")
    expect(chosen).to_be_in_viewport()
    page.get_by_role("group", name="Which").get_by_role("button", name="Problems").click()
    page.get_by_role("group", name="Which").get_by_role("button", name="All").click()
    expect(chosen).to_contain_text("copy 40")


@pytest.mark.parametrize("typed", ["2026-11-16", "a-b", "-", "[", "\\", "(x)*+?"])
def test_any_text_can_be_searched_for(visit: Visit, journal: Journal, typed: str) -> None:
    execution = scenarios.start(journal)
    scenarios.do(journal, "cp", execution_id=execution, summary="copy of 2026-11-16, a-b")
    page = visit.open(f"/x/{execution}", tab="journal")
    page.get_by_role("searchbox", name="Search this journal").fill(typed)
    expect(page.get_by_role("status").filter(has_text=re.compile(r"in \d+ entries"))).to_be_visible()
    expect(_lines(page)).to_have_count(2)
    if typed == "2026-11-16":
        expect(page.get_by_role("status").filter(has_text="1 in 1 entries")).to_be_visible()  # what Enter goes through
        page.get_by_role("searchbox", name="Search this journal").press("Enter")
        expect(_lines(page).filter(has=page.locator("[aria-pressed=true]"))).to_contain_text("copy of")


def test_a_clock_that_was_set_back_and_an_entry_that_cannot_be_read_are_explained(
    arrive: Arriving, own_serving: Serving
) -> None:
    clock = Clock()
    store = open_store(own_serving.url, clock=clock)
    settings = Settings(url=own_serving.url, journal="odd", actor="ada")
    journal = Journal(Local(OperationContext(store, settings, Principal())))
    execution = scenarios.start(journal)
    copy = scenarios.begin(journal, "cp", execution_id=execution, summary="copy it")
    clock.advance(-3600)
    ended = scenarios.end(journal, copy).seq
    damaged = journal.record_decision(decision="continue", why="it is there", execution_id=execution).seq
    store.close()
    with apsw.Connection(own_serving.url.removeprefix("sqlite://")) as file:
        for name in [name for (name,) in file.execute("select name from sqlite_master where type = 'trigger'")]:
            file.execute(f"drop trigger {name}")
        spoilt = "update entries set line = replace(line, '\"continue\"', '7') where line like '%\"seq\":' || ? || ',%'"
        file.execute(spoilt, (damaged,))
    visit = arrive(own_serving, "odd")
    page = visit.open(f"/x/{execution}", tab="journal", entry=ended)
    pair = _lines(page).filter(has_text="copy it")
    expect(pair).to_contain_text("clock 1 h behind")
    expect(pair.locator(".line-took")).not_to_have_text(re.compile(r"\d"))
    expect(page.get_by_text("1 h behind the entry before")).to_be_visible()
    page = visit.open(f"/x/{execution}", tab="journal", entry=damaged)
    expect(_lines(page).filter(has_text="unreadable")).to_be_visible()
    expect(page.get_by_text("This entry cannot be read")).to_contain_text("tallystick verify")
