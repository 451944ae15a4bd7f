"""The page keeps itself current: what another process writes is on the screen, whatever happens to the connection."""

import pytest
from playwright.sync_api import expect

from tallystick import Journal
from tests.behaviour import acts
from tests.browser.conftest import Arriving
from tests.browser.serving import Serving
from tests.browser.visit import Visit

pytestmark = pytest.mark.xdist_group("browser 1")


@pytest.mark.parametrize("store", ["serving", "postgres_serving"])
def test_an_execution_that_another_process_starts_is_in_the_list_without_a_reload(
    request: pytest.FixtureRequest, arrive: Arriving, store: str
) -> None:
    served: Serving = request.getfixturevalue(store)
    visit = arrive(served, "live-list")
    with served.open("live-list") as journal:
        acts.start(journal, "was there before")
        page = visit.open("/")
        expect(page.get_by_role("link", name="was there before")).to_be_visible()
        started = acts.start(journal, "came while you looked")
        row = page.get_by_role("listitem").filter(has_text="came while you looked")
        expect(row).to_contain_text("running")
        journal.record_decision(execution_id=started, decision="stop", why="enough was seen")
        expect(row).to_contain_text("cancelled")


def test_what_was_written_while_the_server_was_away_is_there_when_it_is_back(
    arrive: Arriving, own_serving: Serving
) -> None:
    visit = arrive(own_serving)
    visit.watch.allows_a_cut()
    with own_serving.open() as journal:
        acts.start(journal, "before the cut")
        page = visit.open("/")
        connection = page.locator(".connection")
        expect(connection).to_have_text("Live")
        own_serving.stop()
        expect(connection).not_to_have_text("Live")
        for number in range(12):
            acts.start(journal, f"while away {number}")
        own_serving.start()
        expect(connection).to_have_text("Live")
        for number in range(12):
            expect(page.get_by_role("link", name=f"while away {number}", exact=True)).to_be_attached()
        acts.start(journal, "after the cut")
        expect(page.get_by_role("link", name="after the cut")).to_be_visible()


def test_the_page_says_whether_it_is_live(visit: Visit, journal: Journal) -> None:
    page = visit.open("/")
    expect(page.get_by_role("status").filter(has_text="Live")).to_be_visible()
