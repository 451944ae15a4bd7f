"""Replay: the state of an execution at each of its entries."""

import re

import pytest
from playwright.sync_api import expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 2")


def test_each_entry_has_an_address_and_shows_the_state_at_that_time(visit: Visit, journal: Journal) -> None:
    execution = scenarios.planned(journal, "copy", "switch")
    scenarios.do(journal, "cp", execution_id=execution, step="copy")
    scenarios.fail(journal, "dns", "no such host", execution_id=execution, step="switch")
    journal.record_decision(execution_id=execution, decision="retry", why="it was restarting", step="switch")
    page = visit.open(f"/replay/{execution}")
    slider = page.get_by_role("slider", name="Entry")
    plan = page.get_by_role("listitem").filter(has_text="The step copy")
    expect(plan).to_contain_text("running")
    page.get_by_role("button", name="Previous entry").click()
    expect(plan).to_contain_text("planned")
    page.get_by_role("button", name="Next entry").click()
    page.get_by_role("button", name="Next entry").click()
    expect(plan).to_contain_text("done")
    expect(page).to_have_url(re.compile(r"at=5\b"))
    at = page.url
    slider.focus()
    page.keyboard.press("End")
    expect(page.get_by_role("main")).to_contain_text("it was restarting")
    page.goto(at)
    expect(plan).to_contain_text("done")
    expect(page.get_by_role("main")).not_to_contain_text("it was restarting")


def test_it_opens_at_the_first_thing_that_happened(visit: Visit, journal: Journal) -> None:
    execution = scenarios.start(journal)
    scenarios.do(journal, "cp", execution_id=execution)
    page = visit.open(f"/replay/{execution}")
    expect(page.get_by_text("entry 2 of 3")).to_be_visible()
    expect(page.get_by_role("heading", name="An action began")).to_be_visible()


def test_it_plays_by_itself_to_the_last_entry(visit: Visit, journal: Journal) -> None:
    execution = scenarios.start(journal)
    for number in range(10):
        scenarios.do(journal, "cp", execution_id=execution, arguments={"file": number})
    page = visit.open(f"/replay/{execution}")
    page.get_by_role("button", name="20/s").click()
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_text("entry 21 of 21")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
