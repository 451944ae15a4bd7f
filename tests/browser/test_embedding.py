"""The elements in an application of somebody else's: the timeline, the owed list and the inbox, live."""

import pytest
from playwright.sync_api import expect

from tallystick import Journal
from tests.behaviour import acts
from tests.browser.barriers import barriers
from tests.browser.conftest import Arriving
from tests.browser.serving import Serving
from tests.browser.visit import Visit

pytestmark = pytest.mark.xdist_group("browser 4")


def test_the_example_shows_all_three_elements_and_they_follow_what_is_recorded(
    arrive: Arriving, own_serving: Serving
) -> None:
    with own_serving.open() as journal:
        _follow(arrive(own_serving), journal)


def _follow(visit: Visit, journal: Journal) -> None:
    secret = journal.add_credential(name="ada", scopes=("approve", "admin")).secret
    execution = acts.planned(journal, "copy", "switch")
    page = visit.open("/embed/example.html", execution=execution)
    timeline, asks, owes = (
        page.get_by_role("region", name=name)
        for name in ("What it is doing", "What it asks you", "What would have to be undone")
    )
    expect(timeline).to_be_visible()
    acts.do(journal, "cp", execution_id=execution, step="copy", summary="copy all files")
    expect(timeline.get_by_role("button", name="copy all files, cp, ok")).to_be_visible()
    expect(owes).to_contain_text("take back copy")
    asked = journal.request_approval(
        execution_id=execution, question="Switch now?", tool="dns", arguments={"to": "eu-2"}
    ).id
    expect(asks.get_by_role("heading", name="Switch now?")).to_be_visible()
    page.get_by_label("Token").fill(secret)
    page.get_by_role("button", name="Show", exact=True).click()
    asks.get_by_role("group", name="Answer").get_by_role("button", name="Accept").click()
    asks.get_by_role("button", name="Accept exactly this").click()
    expect(asks.get_by_role("heading", name="Switch now?")).to_have_count(0)
    answered = journal.get_approval(approval_id=asked)
    assert (answered.status, answered.decided_by) == ("approve", "ada")
    assert barriers(page) == []
