"""Undone and skipped steps are counted apart on every page that counts steps."""

import re

import pytest
from playwright.sync_api import expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 3")


def test_undone_and_skipped_steps_have_marks_and_counts_of_their_own(visit: Visit, journal: Journal) -> None:
    execution = scenarios.planned(journal, "copy", "move", "link", "mail", title="Move the site")
    actions = [scenarios.do(journal, step=name) for name in ("copy", "move")]
    journal.record_decision(decision="skip", step="link", why="it is there already")
    journal.record_decision(decision="unwind", why="the wrong site")
    scenarios.undo(journal, actions[1])
    text, short = "2 done, of which 1 undone, 1 skipped of 4 steps", "2/4 (1 undone, 1 skipped)"
    page = visit.open("/executions")
    row = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="Move the site"))
    expect(row.get_by_role("img", name=text)).to_be_visible()
    expect(row).to_contain_text(short)
    page = visit.open(f"/x/{execution}")
    tally = page.get_by_role("img", name=text)
    expect(tally).to_be_visible()
    assert [re.search(r"notch-(\w+)", each.get_attribute("class") or "")[1] for each in tally.locator("i").all()] == [  # type: ignore[index]
        *("done", "undone", "skipped", "planned"),
    ]
    expect(page.get_by_text(short)).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="The step move")).to_contain_text("undone")
    page = visit.open("/compare", a=execution, b=execution)
    page.get_by_role("button", name="are the same").click()
    expect(page.get_by_role("cell", name=short).first).to_be_visible()
    expect(page.get_by_text("undone", exact=True).first).to_be_visible()
    page = visit.open(f"/replay/{execution}", at=journal.get_stats().entries)
    expect(page.get_by_text(short)).to_be_visible()
