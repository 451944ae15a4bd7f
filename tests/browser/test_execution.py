"""One execution: its work as a waterfall and a graph, details with an address each, what is left to do."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.conftest import Arriving, name_of
from tests.browser.server import Serving
from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 3")


def _detail(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Detail")


def test_plan_and_actual_are_rows_that_change_as_work_is_done(visit: Visit, journal: Journal) -> None:
    guarded = scenarios.step("drop", needs_approval=True, after=())
    execution = scenarios.planned(journal, "copy", "switch", "retire", guarded, title="Move the shop")
    scenarios.do(journal, "cp", execution_id=execution, step="copy")
    page = visit.open(f"/x/{execution}")
    main = page.get_by_role("main")
    rows = {id: page.get_by_role("row").filter(has_text=f"The step {id}") for id in ("copy", "switch", "retire")}
    expect(rows["copy"]).to_contain_text("done")
    expect(rows["switch"]).to_contain_text("planned")
    scenarios.fail(journal, "dns", "no such host", execution_id=execution, step="switch")
    expect(rows["switch"]).to_contain_text("failed")
    expect(rows["switch"]).to_contain_text("no such host")
    scenarios.do(journal, "rm", execution_id=execution, summary="clean what nobody planned")
    expect(main).to_contain_text("clean what nobody planned")
    unplanned = page.get_by_role("row").filter(has_text="clean what nobody planned")
    expect(unplanned).to_contain_text("unplanned")
    figures = page.get_by_role("list", name="Figures")
    expect(figures.get_by_role("link", name="unplanned")).to_have_text("1unplanned")
    expect(figures.get_by_role("link", name="done")).to_have_text("1 of 4steps done")
    expect(page.get_by_role("main")).to_contain_text("failed: no such host")
    journal.record_action(phase="done", execution_id=execution, step="drop", tool="dropdb")
    dropped = page.get_by_role("row").filter(has_text="The step drop")
    expect(dropped).to_contain_text("carried out without approval")


def test_the_rows_grow_live_and_show_actions_in_doubt(visit: Visit, serving: Serving, journal: Journal) -> None:
    execution = scenarios.start(journal, "Move the shop")
    page = visit.open(f"/x/{execution}")
    expect(page.get_by_text("No actions yet.")).to_be_visible()
    with serving.open(name_of(journal)) as agent:
        scenarios.begin(agent, "rsync", execution_id=execution, summary="copy the pictures")
        row = page.get_by_role("row").filter(has_text="copy the pictures")
        expect(row).to_contain_text("running")
    expect(row).to_contain_text("in doubt")
    expect(page.get_by_role("link", name="In doubt 1")).to_be_visible()


def test_the_order_of_time_has_a_row_for_each_action_and_then_the_planned_steps(
    arrive: Arriving, serving: Serving, scene: dict[str, str]
) -> None:
    page = arrive(serving, "shop").open(f"/x/{scene['unwinding']}")
    rows = page.get_by_role("table", name="Steps and actions").get_by_role("row")
    page.get_by_role("group", name="View").get_by_role("button", name="Time", exact=True).click()
    expect(rows).to_have_count(1 + 9 + 3)
    expect(rows.filter(has_text="remove the replica")).to_contain_text("in doubt")
    expect(rows.last).to_contain_text("planned")
    page.get_by_role("group", name="View").get_by_role("button", name="Newest first").click()
    expect(rows).to_have_count(1 + 9)
    expect(rows.nth(1)).to_contain_text("remove the replica")


def test_an_action_has_an_address_and_shows_all_its_records(visit: Visit, journal: Journal) -> None:
    execution = scenarios.planned(journal, "copy")
    changed: dict[str, Any] = {"before": {"region": "eu-1", "replicas": 2}, "after": {"region": "eu-2", "replicas": 2}}
    action = scenarios.begin(
        journal, "deploy", execution_id=execution, step="copy", arguments={"image": "shop:42"}, before=changed["before"]
    )
    scenarios.end(journal, action, "ok", result={"url": "eu-2.example"}, after=changed["after"])
    page = visit.open(f"/x/{execution}")
    page.get_by_role("row").filter(has_text="deploy").get_by_role("button").click()
    expect(page).to_have_url(re.compile(f"action={action}"))
    for address in (page.url, visit.address(f"/x/{execution}", tab="journal", action=action)):
        page.goto(address)
        detail = _detail(page)
        for text in ("shop:42", "eu-2.example", "claimed", action):
            expect(detail).to_contain_text(text)
        difference = detail.get_by_role("group", name=re.compile("^Difference"))
        expect(difference).to_contain_text("eu-1")
        expect(difference).to_contain_text("eu-2")
        expect(difference).not_to_contain_text("replicas")
    page.keyboard.press("Escape")
    expect(_detail(page)).to_have_count(0)


def test_a_step_and_an_entry_have_addresses_too(visit: Visit, journal: Journal) -> None:
    execution = scenarios.planned(journal, "copy", "switch")
    scenarios.do(journal, "cp", execution_id=execution, step="copy")
    scenarios.fail(journal, "dns", "no such host", execution_id=execution, step="switch")
    decided = journal.record_decision(
        execution_id=execution, decision="retry", why="the name server was restarting", alternatives=("give up",)
    )
    page = visit.open(f"/x/{execution}", step="switch")
    expect(_detail(page).get_by_role("heading", name="The step switch")).to_be_visible()
    expect(_detail(page)).to_contain_text("failed")
    page = visit.open(f"/x/{execution}", tab="journal", entry=decided.seq)
    expect(_detail(page)).to_contain_text("the name server was restarting")
    expect(_detail(page)).to_contain_text("give up")
    expect(page.get_by_role("button", name="the name server was restarting")).to_be_in_viewport()


def test_the_undo_list_is_a_checklist_that_shortens_as_things_are_undone(visit: Visit, journal: Journal) -> None:
    execution = scenarios.planned(journal, "copy", "switch")
    done = [scenarios.do(journal, step, execution_id=execution, step=step) for step in ("copy", "switch")]
    page = visit.open(f"/x/{execution}", tab="undo")
    items = page.get_by_role("main").get_by_role("listitem").filter(has_text="take back")
    expect(items).to_have_count(2)
    expect(items.first).to_contain_text("take back switch")
    scenarios.undo(journal, done[1], execution_id=execution)
    expect(items).to_have_count(1)
    expect(items.first).to_contain_text("take back copy")
    expect(page.get_by_role("link", name="Undo list 1")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("Nothing of this is owed.")
    undo = scenarios.begin(journal, kind="undo", undoes=done[0], execution_id=execution)
    scenarios.end(journal, undo, "failed", error="the disk is full")
    expect(items.first).to_contain_text("The undo failed: the disk is full")
    journal.record_decision(decision="unwind", why="start over", execution_id=execution)
    expect(page.get_by_role("main")).to_contain_text("All of this is owed")
    mail = scenarios.do(journal, "mail", cancellable="irreversible", execution_id=execution)
    expect(page.get_by_role("main")).to_contain_text("1 of this is owed")
    journal.record_decision(decision="keep", why="it is sent", action_id=mail)
    journal.record_decision(decision="keep", why="it is wanted", action_id=done[0])
    expect(page.get_by_text("The undo list is empty.")).to_be_visible()


def test_an_execution_that_its_agent_left_is_shown_as_interrupted(
    visit: Visit, serving: Serving, journal: Journal
) -> None:
    with serving.open(name_of(journal)) as agent:
        execution = scenarios.start(agent, "Clean the bucket")
        scenarios.begin(agent, "s3", execution_id=execution, summary="delete the originals")
    page = visit.open("/executions", q="only:interrupted")
    row = page.get_by_role("listitem").filter(has_text="Clean the bucket")
    expect(row).to_contain_text("interrupted")
    page = visit.open(f"/x/{execution}")
    expect(page.get_by_role("main")).to_contain_text("interrupted")
    expect(page.get_by_role("main")).to_contain_text("while running, last worked on by")
    expect(page.get_by_role("row").filter(has_text="delete the originals")).to_contain_text("in doubt")


def test_an_action_in_doubt_shows_how_to_settle_it_and_disappears_once_settled(
    visit: Visit, serving: Serving, journal: Journal
) -> None:
    execution = scenarios.start(journal, "Clean the bucket")
    with serving.open(name_of(journal)) as agent:
        left = scenarios.begin(agent, "s3", execution_id=execution, summary="delete the originals")
    page = visit.open(f"/x/{execution}", tab="doubt")
    expect(page.get_by_role("main")).to_contain_text("Actions with an unknown outcome. Do not repeat them.")
    page.get_by_role("button", name="It happened").click()
    expect(page.get_by_role("main")).to_contain_text(f"--action-id {left}")
    scenarios.end(journal, left, "ok", evidence="the bucket is empty")
    expect(page.get_by_role("alert").filter(has_text="It is not in doubt any more.")).to_be_visible()
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.get_by_text("Nothing is in doubt.")).to_be_visible()


def test_context_and_coverage_of_an_execution_are_shown(visit: Visit, journal: Journal) -> None:
    execution = scenarios.start(journal, "Move the shop")
    scenarios.do(journal, "cp", execution_id=execution)
    journal.record_context(key="region", value="eu-2", scope="execution", execution_id=execution)
    page = visit.open(f"/x/{execution}", tab="context")
    expect(page.get_by_role("main")).to_contain_text("eu-2")
    journal.record_context(key="region", value="eu-3", scope="execution", execution_id=execution)
    expect(page.get_by_role("main")).to_contain_text("eu-3")
    page.keyboard.press("]")
    expect(page).to_have_url(re.compile("tab=coverage"))
    expect(page.get_by_role("main")).to_contain_text("1 of 1")


def test_the_graph_has_a_node_for_each_step_and_opens_it(
    arrive: Arriving, serving: Serving, scene: dict[str, str]
) -> None:
    page = arrive(serving, "shop").open(f"/x/{scene['running']}", view="graph")
    nodes = page.get_by_role("main").get_by_role("button", name=re.compile("planned|done|running|failed"))
    expect(nodes).to_have_count(12)
    nodes.filter(has_text="Build the packages").click()
    expect(_detail(page).get_by_role("heading", name="Build the packages")).to_be_visible()
    expect(page).to_have_url(re.compile("step="))
