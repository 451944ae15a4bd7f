"""Statistics with their tables, and the comparison of two executions."""

import pytest
from playwright.sync_api import Route, expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.conftest import Arriving
from tests.browser.server import Serving
from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 4")

CHARTS = (
    *("Executions per day", "Duration", "Failures by tool", "Failures by kind of error", "Coverage"),
    *("Estimate against actual, by tool", "Agents side by side", "Durations by tool"),
)


def test_stats_have_the_counts_of_the_journal_and_filters_in_the_address(
    arrive: Arriving, serving: Serving, scene: dict[str, str]
) -> None:
    visit = arrive(serving, "shop")
    page = visit.open("/stats")
    main = page.get_by_role("main")
    for chart in CHARTS:
        expect(main).to_contain_text(chart)
    row = page.get_by_test_id("figure-agents").get_by_role("row").nth(1)
    expect(row.get_by_role("rowheader")).to_be_visible()
    page.get_by_role("group", name="Days").get_by_role("button", name="7 days").click()
    expect(page.get_by_role("button", name="7 days")).to_have_attribute("aria-pressed", "true")
    assert "days=7" in page.url
    page.reload()
    expect(page.get_by_role("button", name="7 days")).to_have_attribute("aria-pressed", "true")


def test_two_executions_are_compared_step_by_step(visit: Visit, journal: Journal) -> None:
    plan = scenarios.plan(journal, "copy", "switch").id
    first, second = (journal.record_execution_start(plan_id=plan, title=title).id for title in ("at night", "by day"))
    scenarios.do(journal, "cp", {"files": 10}, execution_id=first, step="copy", arguments={"from": "eu-1"})
    scenarios.do(journal, "dns", execution_id=first, step="switch")
    scenarios.do(journal, "cp", {"files": 12}, execution_id=second, step="copy", arguments={"from": "eu-9"})
    scenarios.fail(journal, "dns", "no such host", execution_id=second, step="switch", arguments={"zone": "b"})
    page = visit.open("/compare", a=first, b=second)
    main = page.get_by_role("main")
    for text in ("at night", "by day", "The step copy", "The step switch", "failed", "eu-1", "eu-9"):
        expect(main).to_contain_text(text)
    expect(main).to_contain_text("2 of 2 steps and calls differ")


def test_a_comparison_opens_with_what_differs_and_shows_the_rest_when_asked(visit: Visit, journal: Journal) -> None:
    plan = scenarios.plan(journal, "copy", "switch").id
    first, second = (journal.record_execution_start(plan_id=plan, title=title).id for title in ("at night", "by day"))
    for execution in (first, second):
        scenarios.do(journal, "cp", execution_id=execution, step="copy")
    scenarios.do(journal, "dns", execution_id=first, step="switch")
    scenarios.fail(journal, "dns", execution_id=second, step="switch")
    page = visit.open("/compare", a=first)
    page.get_by_role("link", name="by day").click()
    main = page.get_by_role("main")
    expect(main).to_contain_text("1 of 2 steps and calls differ")
    expect(main.get_by_text("The step switch")).to_be_visible()
    expect(main.get_by_text("The step copy")).to_have_count(0)
    page.get_by_role("button", name="1 is the same").click()
    expect(main.get_by_text("The step copy")).to_be_visible()
    assert "show=all" in page.url


def test_a_chart_has_gaps_where_nothing_was_measured(visit: Visit, journal: Journal) -> None:
    scenarios.start(journal)
    page = visit.open("/stats")
    card = page.get_by_test_id("figure-duration")
    expect(card).to_contain_text("of 0 that ended")
    card.get_by_role("button", name="Duration as a table").click()
    expect(card.get_by_role("row").nth(1)).to_contain_text("\N{EN DASH}")
    expect(page.get_by_role("heading", name="Executions per hour")).to_be_visible()


def test_figures_that_cover_only_a_part_say_since_when(visit: Visit, journal: Journal) -> None:
    scenarios.fail(journal, "dns", "no such host", execution_id=scenarios.start(journal))

    def cut(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "detail_from": "2026-11-01T10:20:30Z"})

    visit.page.route("**/v1/series*", cut)
    page = visit.open("/stats")
    for figure in ("failures", "errors", "estimates", "coverage", "tools"):
        expect(page.get_by_test_id(f"figure-{figure}")).to_contain_text("only what was done since 1 Nov, 10:20:30")
    expect(page.get_by_test_id("figure-failures")).not_to_contain_text("of all calls")
    expect(page.get_by_role("main")).to_contain_text("of what was done since 1 Nov, 10:20:30.")
