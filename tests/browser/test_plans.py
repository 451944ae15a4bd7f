"""Plans with their revisions, and context with its history."""

import pytest
from playwright.sync_api import expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 1")


def test_a_plan_is_found_by_a_word_and_shows_the_undo_of_each_step(visit: Visit, journal: Journal) -> None:
    scenarios.plan(journal, "copy", "switch", title="Move the shop")
    scenarios.plan(journal, "bake", title="Bake bread")
    page = visit.open("/plans")
    expect(page.get_by_role("link", name="Bake bread")).to_be_visible()
    page.get_by_role("searchbox", name="Search plans").fill("shop")
    expect(page.get_by_role("link", name="Bake bread")).to_have_count(0)
    page.get_by_role("link", name="Move the shop").click()
    expect(page.get_by_role("heading", name="Move the shop", level=1)).to_be_visible()
    expect(page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="The step copy"))).to_contain_text(
        "take back copy"
    )


def test_the_difference_between_two_revisions_has_an_address(visit: Visit, journal: Journal) -> None:
    plan = scenarios.plan(journal, "copy", "switch").id
    page = visit.open(f"/plans/{plan}")
    expect(page.get_by_role("heading", name="Steps of revision 1")).to_be_visible()
    journal.record_plan(
        plan_id=plan, title="a plan", reason="warm it first", steps=[scenarios.step("copy"), scenarios.step("warm")]
    )
    page.get_by_role("link", name="what changed in revision 2").click()
    changed = page.get_by_role("region", name="What changed")
    expect(changed).to_contain_text("warm it first")
    for id, word in (("copy", "unchanged"), ("warm", "added"), ("switch", "removed")):
        row = changed.get_by_role("listitem").filter(has=page.get_by_role("heading", name=f"The step {id}"))
        expect(row).to_contain_text(word)
    link = page.url
    assert "from=1" in link
    assert "to=2" in link
    tab = visit.context.new_page()
    tab.goto(link)
    expect(tab.get_by_role("region", name="What changed")).to_contain_text("warm it first")


def test_context_shows_the_newest_value_at_once_and_its_history(visit: Visit, journal: Journal) -> None:
    journal.record_context(key="deploy.target", value="eu-1", type="finding")
    page = visit.open("/context")
    row = page.get_by_role("row", name="deploy.target")
    expect(row).to_contain_text("eu-1")
    journal.record_context(key="deploy.target", value={"region": "eu-2", "zones": [1, 2]}, type="finding")
    expect(row).to_contain_text("eu-2")
    row.get_by_role("link", name="deploy.target").click()
    for value in ("eu-1", "eu-2"):
        expect(page.get_by_role("main")).to_contain_text(value)
    assert "key=deploy.target" in page.url
    page.reload()
    expect(page.get_by_role("main")).to_contain_text("eu-1")


def test_context_is_found_by_its_words_and_the_search_is_in_the_address(visit: Visit, journal: Journal) -> None:
    journal.record_context(key="goal", value="every page within 300 ms")
    journal.record_context(key="owner", value="the night team")
    page = visit.open("/context")
    expect(page.get_by_role("link", name="goal")).to_be_visible()
    page.get_by_role("searchbox").fill("night")
    expect(page.get_by_role("link", name="goal")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("searchbox")).to_have_value("night")
    expect(page.get_by_role("link", name="owner")).to_be_visible()
    expect(page.get_by_role("link", name="goal")).to_have_count(0)
