"""The page Alerts: what needs somebody, and silencing it with an approver's credential."""

import pytest
from playwright.sync_api import expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 1")


def test_an_alert_leads_to_its_execution_and_is_silenced_with_a_credential(visit: Visit, journal: Journal) -> None:
    secret = journal.add_credential(name="ada").secret
    page = visit.open("/alerts")
    expect(page.get_by_role("main")).to_contain_text("No alerts.")
    scenarios.start(journal, "Book the <b>trip</b>")
    scenarios.do(journal, "book", summary="a room", cancellable="reversible", undo="cancel the room", undo_until="30m")
    row = page.get_by_role("listitem").filter(has_text="An undo expires")
    expect(row).to_contain_text("book a room can be undone until")
    expect(row).to_contain_text("Book the <b>trip</b> · Undo it in time, or keep it.")
    row.get_by_role("button", name="Silence").click()
    dialog = page.get_by_role("dialog", name="Silence this alert")
    dialog.get_by_label("Credential").fill(secret)
    dialog.get_by_role("button", name="Use it in this session").click()
    dialog.get_by_label("Why no messages").fill("we decide at noon")
    dialog.get_by_role("button", name="Silence for 8h").click()
    expect(row).to_contain_text("silenced until")
    assert scenarios.kinds(journal)[-1] == "alert_silenced"
    row.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Book the <b>trip</b>")
