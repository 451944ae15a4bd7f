"""The page Webhooks: an admin adds an address, sees how far it has come, and gets it going again."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tallystick import Journal
from tallystick.core.formats.times import SECOND
from tallystick.operations.notifications.documents import (
    DEAD_DELIVERY,
    WEBHOOK_STATE,
    DeadDelivery,
    Waiting,
    WebhookState,
    dead_id,
    put_struct,
    read_webhook,
)
from tallystick.sdk.local import local_caller
from tallystick.store.interface import Ledger
from tests.behaviour import scenarios
from tests.browser.axe import barriers
from tests.browser.conftest import Arriving
from tests.browser.server import Serving
from tests.browser.visitor import SIZES, Visit

pytestmark = pytest.mark.xdist_group("browser 1")


def _open(visit: Visit, journal: Journal) -> Page:
    """The page, with a dialog in which an admin has given a credential."""
    page = visit.open("/webhooks")
    page.get_by_role("button", name="Add a webhook").click()
    dialog = page.get_by_role("dialog", name="Add a webhook")
    dialog.get_by_label("Credential").fill(
        journal.add_credential(name="ada", scopes=("approve", "admin", "audit")).secret
    )
    dialog.get_by_role("button", name="Use it in this session").click()
    return page


def _row(page: Page, name: str) -> Locator:
    return page.get_by_role("listitem").filter(has=page.get_by_text(name, exact=True))


def test_an_admin_adds_a_webhook_and_sees_its_secret_once(visit: Visit, journal: Journal) -> None:
    visit.watch.allows(422)
    page = _open(visit, journal)
    dialog = page.get_by_role("dialog", name="Add a webhook")
    dialog.get_by_label("Name").fill("Ops!")
    dialog.get_by_label("Address").fill("https://hooks.example/secret/path")
    dialog.get_by_label("Only what a person has to act on").check()
    dialog.get_by_role("button", name="Add it").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Such as ops or chat-2.")
    dialog.get_by_label("Name").fill("ops")
    dialog.get_by_text("Only some entries").click()
    dialog.get_by_label("Kinds of entry").fill("approval_requested, action_doubted")
    dialog.get_by_role("button", name="Add it").click()
    expect(dialog).to_contain_text("whsec_")
    dialog.get_by_role("button", name="Done").click()
    expect(_row(page, "ops")).to_contain_text("hooks.example")
    expect(_row(page, "ops")).to_contain_text(
        "what a person has to act on and entries of the kinds approval_requested, action_doubted"
    )
    expect(page.get_by_role("main")).not_to_contain_text("whsec_")
    expect(page.get_by_role("main")).not_to_contain_text("secret/path")
    (made,) = journal.list_webhooks().webhooks
    assert (made.name, made.needs_person, made.kinds) == ("ops", True, ("approval_requested", "action_doubted"))


def test_a_webhook_is_tested_replayed_given_a_new_secret_and_removed_on_the_page(
    visit: Visit, journal: Journal
) -> None:
    page = _open(visit, journal)
    dialog = page.get_by_role("dialog", name="Add a webhook")
    dialog.get_by_label("Name").fill("chat")
    dialog.get_by_label("Address").fill("https://hooks.example/chat")
    dialog.get_by_role("button", name="Add it").click()
    dialog.get_by_role("button", name="Done").click()
    for button, confirm in (("Test chat", "Send a test"), ("New secret chat", "Make a new secret")):
        page.get_by_role("button", name=button).click()
        page.get_by_role("dialog").get_by_role("button", name=confirm).click()
    expect(page.get_by_role("dialog")).to_contain_text("whsec_")
    page.get_by_role("dialog").get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Replay chat").click()
    page.get_by_role("dialog").get_by_label("From this entry on").fill("1")
    page.get_by_role("dialog").get_by_role("button", name="Deliver again").click()
    page.get_by_role("button", name="Remove chat").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove it").click()
    expect(page.get_by_role("main")).to_contain_text("No webhooks.")
    kinds = [kind for kind in scenarios.kinds(journal) if kind.startswith("webhook_")]
    assert kinds == ["webhook_added", "webhook_tested", "webhook_rotated", "webhook_replayed", "webhook_removed"]


def test_what_was_given_up_is_shown_with_its_error_and_delivered_again(visit: Visit, journal: Journal) -> None:
    page = _open(visit, journal)
    dialog = page.get_by_role("dialog", name="Add a webhook")
    dialog.get_by_label("Name").fill("ops")
    dialog.get_by_label("Address").fill("https://hooks.example/ops")
    dialog.get_by_text("Only some entries").click()
    dialog.get_by_label("Tool").fill("none")  # the server has nothing to deliver, and leaves the state as it is
    dialog.get_by_role("button", name="Add it").click()
    dialog.get_by_role("button", name="Done").click()
    execution = scenarios.start(journal, "Move the site")
    _give_up(journal, "ops", execution)
    row = _row(page, "ops")
    expect(row).to_contain_text("1 given up", timeout=10_000)
    expect(row).to_contain_text("Last error: status 400 <b>")
    for width in ("desktop", "phone"):
        page.set_viewport_size(SIZES[width])
        assert not barriers(page)
    row.get_by_role("button", name="Given up ops").click()
    given_up = page.get_by_role("dialog", name="Given up: ops")
    expect(given_up).to_contain_text("after 10 attempts")
    expect(given_up.get_by_role("link", name=execution)).to_be_visible()
    assert not barriers(page)
    given_up.get_by_role("button", name="Deliver them again").click()
    expect(given_up).to_have_count(0)
    assert scenarios.kinds(journal)[-1] == "webhook_replayed"


def test_the_time_of_the_next_attempt_is_shown(visit: Visit, journal: Journal) -> None:
    page = _open(visit, journal)
    dialog = page.get_by_role("dialog", name="Add a webhook")
    dialog.get_by_label("Name").fill("ops")
    dialog.get_by_label("Address").fill("https://hooks.example/ops")
    dialog.get_by_role("button", name="Add it").click()
    dialog.get_by_role("button", name="Done").click()
    context = local_caller(journal.caller).context

    def pause(ledger: Ledger) -> None:
        webhook = read_webhook(ledger, "ops")
        assert webhook is not None
        waiting = (Waiting(ledger.head().seq, ""),)
        state = WebhookState(waiting=waiting, paused=ledger.now() + 300 * SECOND, failures=2, error="status 503")
        put_struct(ledger, WEBHOOK_STATE, webhook.key, state)

    context.store.write(context.journal, pause)
    scenarios.start(journal, "Move the site")
    expect(_row(page, "ops")).to_contain_text(
        re.compile(r"1 waiting.*next attempt at\s+(\d+ \w+, )?\d\d:\d\d:\d\d"), timeout=10_000
    )


def _give_up(journal: Journal, name: str, execution: str) -> None:
    """Write what a process that delivers keeps after the tenth attempt."""
    context = local_caller(journal.caller).context

    def work(ledger: Ledger) -> None:
        webhook = read_webhook(ledger, name)
        assert webhook is not None
        now = ledger.now()
        state = WebhookState(dead=1, error="status 400 <b>", error_at=now)
        put_struct(ledger, WEBHOOK_STATE, webhook.key, state)
        dead = DeadDelivery(seq=ledger.head().seq, attempts=10, at=now, error="status 400 <b>", lane=execution)
        put_struct(ledger, DEAD_DELIVERY, dead_id(webhook, dead.seq), dead)

    context.store.write(context.journal, work)


def test_a_reader_is_asked_for_a_credential_in_place_of_an_error(arrive: Arriving, tmp_path: Path) -> None:
    served = Serving(f"sqlite://{tmp_path}/journal.db", "served", "--login")
    try:
        with served.open() as journal:
            secret = journal.add_credential(name="ada", scopes=("approve", "admin")).secret
        visit = arrive(served)
        visit.watch.allows(403)
        page = visit.page
        page.goto(served.link)
        expect(page.get_by_text("Live", exact=True)).to_be_visible()
        page.goto(f"{served.origin}/webhooks")
        expect(page.get_by_text("Webhooks are shown to admins only.")).to_be_visible()
        expect(page.get_by_role("main")).not_to_contain_text("Bearer")
        page.get_by_label("Credential").fill(secret)
        page.get_by_role("button", name="Use it in this session").press("Enter")
        expect(page.get_by_role("button", name="Add a webhook")).to_be_visible()
    finally:
        served.stop()
