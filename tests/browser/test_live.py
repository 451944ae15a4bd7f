"""The page updates itself: writes of other processes appear, also after a lost connection."""

import pytest
from playwright.sync_api import expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.conftest import Arriving
from tests.browser.server import Serving
from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 1")


@pytest.mark.parametrize("store", ["serving", "postgres_serving"])
def test_an_execution_that_another_process_starts_is_in_the_list_without_a_reload(
    request: pytest.FixtureRequest, arrive: Arriving, store: str
) -> None:
    served: Serving = request.getfixturevalue(store)
    visit = arrive(served, "live-list")
    with served.open("live-list") as journal:
        scenarios.start(journal, "was there before")
        page = visit.open("/executions")
        expect(page.get_by_role("link", name="was there before")).to_be_visible()
        started = scenarios.start(journal, "came while you looked")
        row = page.get_by_role("listitem").filter(has_text="came while you looked")
        expect(row).to_contain_text("running")
        journal.record_decision(execution_id=started, decision="stop", why="enough was seen")
        expect(row).to_contain_text("cancelled")


def test_entries_written_while_the_server_was_down_appear_after_its_restart(
    arrive: Arriving, own_serving: Serving
) -> None:
    visit = arrive(own_serving)
    visit.watch.allows_a_cut()
    with own_serving.open() as journal:
        scenarios.start(journal, "before the cut")
        page = visit.open("/executions")
        connection = page.locator(".connection")
        expect(connection).to_have_text("Live")
        own_serving.stop()
        expect(connection).not_to_have_text("Live")
        for number in range(12):
            scenarios.start(journal, f"while away {number}")
        own_serving.start()
        expect(connection).to_have_text("Live")
        for number in range(12):
            expect(page.get_by_role("link", name=f"while away {number}", exact=True)).to_be_attached()
        scenarios.start(journal, "after the cut")
        expect(page.get_by_role("link", name="after the cut")).to_be_visible()


def test_the_page_says_whether_it_is_live(visit: Visit, journal: Journal) -> None:
    page = visit.open("/executions")
    expect(page.locator(".connection")).to_have_text("Live")


def test_eight_tabs_are_live_also_after_the_first_is_closed(visit: Visit, journal: Journal) -> None:
    """A browser opens six connections to a server, so tabs share a stream."""
    execution = scenarios.start(journal, "seen everywhere")
    first = visit.open("/executions")
    pages = [visit.another_tab("/executions", **({"q": "status:open"} if number % 2 else {})) for number in range(7)]
    for page in pages:
        expect(page.get_by_role("link", name="seen everywhere")).to_be_visible()
        expect(page.locator(".connection")).to_have_text("Live")
    scenarios.start(journal, "told to all")
    for page in pages:
        expect(page.get_by_role("link", name="told to all")).to_be_visible()
    first.close()
    scenarios.start(journal, "told by another")
    for page in pages:
        expect(page.get_by_role("link", name="told by another")).to_be_visible()
    pages[0].get_by_role("link", name="seen everywhere").click()
    expect(pages[0].get_by_role("heading", name="seen everywhere", level=1)).to_be_visible()
    scenarios.do(journal, "cp", execution_id=execution, summary="done while they looked")
    pages[0].get_by_role("link", name="Journal").click()
    expect(pages[0].get_by_role("button", name="done while they looked")).to_be_visible()


@pytest.mark.parametrize("tab", ["work", "journal"])
def test_erased_text_disappears_from_the_screen(visit: Visit, journal: Journal, serving: Serving, tab: str) -> None:
    execution = scenarios.start(journal, "an execution")
    scenarios.do(journal, "cp", execution_id=execution, summary="a word to be forgotten")
    page = visit.open(f"/x/{execution}", tab=tab)
    shown = page.get_by_role("main").get_by_role("button", name="a word to be forgotten")
    expect(shown.first).to_be_visible()
    secret = journal.add_credential(name="ada").secret
    seqs = tuple(entry.seq for entry in scenarios.entries(journal, execution_id=execution))
    with Journal.open(serving.url, journal=visit.journal, credential=secret) as person:
        person.erase(seqs=seqs, reason="asked", force=True)
    expect(shown).to_have_count(0)
