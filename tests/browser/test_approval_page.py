"""The page of a question: what is asked is seen at once, the answer is always at hand, and what was typed is kept."""

import re
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.axe import barriers
from tests.browser.conftest import Arriving, name_of
from tests.browser.server import Serving
from tests.browser.test_approvals import approver, ask, holding, identify
from tests.browser.visitor import SIZES, Visit, Width

pytestmark = pytest.mark.xdist_group("browser 2")

ACCOUNTS: list[dict[str, Any]] = [
    {"account": f"AC-{1000 + number}", "balance": number, "currency": "EUR"} for number in range(120)
]
LONG: dict[str, Any] = {
    "tool": "close_accounts",
    "arguments": {"accounts": ACCOUNTS, "mode": "soft", "notify": {"force": True}, "dry_run": False},
}


@pytest.fixture
def secret(journal: Journal) -> str:
    return approver(journal)


def _ask_long(journal: Journal) -> str:
    """A question of a plan about 120 accounts, after some work."""
    undo = {"tool": "reopen", "arguments": {"mode": "${arguments.mode}", "batch": "${result.id}"}}
    step = {"id": "close", "title": "Close them", "cancellable": "reversible", "undo": undo, "needs_approval": True}
    execution = journal.record_plan(
        title="Close dormant accounts",
        reasoning="each costs 3 EUR a month",
        steps=[{**step, "tool": "close_accounts"}],  # type: ignore[list-item]
        start=True,
    ).execution_id
    for number in range(6):
        scenarios.do(journal, "query", execution_id=execution, summary=f"look at region {number}")
    return journal.record_decision(
        execution_id=execution, decision="ask_human", step="close", why="customers will see it",
        question="Close 120 accounts?", **LONG,
    ).approval_id  # fmt: skip


@pytest.mark.parametrize("width", ["desktop", "phone"])
def test_the_answer_to_a_long_question_stays_on_the_screen(
    arrive: Arriving, serving: Serving, journal: Journal, secret: str, width: Width
) -> None:
    visit = arrive(serving, name_of(journal), width=width)
    page = visit.open(f"/approvals/{_ask_long(journal)}")
    identify(page, secret)
    page.get_by_role("button", name="Show all 120").click()
    accept = page.get_by_role("group", name="Answer", exact=True).get_by_role("button", name="Accept")
    for scroll in ("0", "document.body.scrollHeight / 2", "document.body.scrollHeight"):
        page.evaluate(f"window.scrollTo(0, {scroll})")
        expect(accept).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.scrollingElement.scrollHeight") > SIZES[width]["height"] * 2
    assert barriers(page) == []


def test_what_is_dangerous_comes_first_and_a_long_list_is_summarised_and_filtered(
    visit: Visit, journal: Journal
) -> None:
    page = visit.open(f"/approvals/{_ask_long(journal)}")
    call = page.get_by_role("group", name="Arguments")
    first = call.locator(".call-first")
    expect(first).to_contain_text(re.compile(r"dry_run\s*false\s*not a rehearsal.*notify\.force\s*true", re.DOTALL))
    expect(first).to_be_in_viewport()
    expect(call).to_contain_text("120 items")
    expect(call).to_contain_text("0 to 119, together 7140")
    expect(call).to_contain_text('the same in all 120: "EUR"')
    expect(call).to_contain_text("112 more items are not shown.")
    page.get_by_placeholder("Filter the 120 items").fill("ac-1117")
    expect(call).to_contain_text("1 of 120 match. All 1 are shown.")
    expect(call.get_by_role("row")).to_have_count(2)
    page.get_by_placeholder("Filter the 120 items").fill("")
    page.get_by_role("button", name="Show all 120").click()
    expect(call.get_by_role("row")).to_have_count(121)


def test_beside_a_question_are_its_reason_the_plan_the_last_actions_and_the_filled_undo(
    visit: Visit, journal: Journal
) -> None:
    page = visit.open(f"/approvals/{_ask_long(journal)}")
    beside = page.get_by_role("complementary", name="Background")
    expect(beside).to_contain_text("customers will see it")
    expect(beside).to_contain_text("each costs 3 EUR a month")
    expect(beside.get_by_role("link", name=re.compile("look at region"))).to_have_text(
        [f"look at region {number}" for number in (5, 4, 3, 2, 1)]
    )
    undo = page.locator(".call-undo")
    expect(undo).to_contain_text(re.compile(r"reopen.*\"soft\".*is known after the call", re.DOTALL))


def test_an_offered_answer_is_a_button_and_is_confirmed_once(visit: Visit, journal: Journal, secret: str) -> None:
    approval = ask(journal, "Which day?", tool=None, arguments=None, options=("Monday", "Friday"))
    page = visit.open(f"/approvals/{approval}")
    identify(page, secret)
    expect(page.get_by_role("group", name="Answer", exact=True).get_by_role("button")).to_have_text(
        ["Reject", "Respond"]
    )
    page.get_by_role("group", name="Offered by the agent").get_by_role("button", name="Friday").press("Enter")
    expect(page.get_by_role("textbox", name="Answer")).to_have_value("Friday")
    assert journal.get_approval(approval_id=approval).status == "pending"
    page.get_by_role("button", name="Send the answer").press("Enter")
    expect(page.get_by_role("heading", name="Answer", exact=True)).to_be_visible()
    assert journal.get_approval(approval_id=approval).answer == "Friday"


def test_a_link_from_an_execution_opens_its_own_question_and_the_history_says_who_answered(
    arrive: Arriving, serving: Serving, journal: Journal, secret: str
) -> None:
    ask(journal, "Pay the other bill?")
    approval = ask(journal, "Pay this bill?")
    execution = journal.get_approval(approval_id=approval).execution_id
    with holding(journal, secret) as person:
        visit = arrive(serving, name_of(journal), width="phone")
        page = visit.open("/approvals", execution=execution)
        expect(page.get_by_role("heading", name="Pay this bill?")).to_be_visible()
        person.decide_approval(approval_id=approval, verdict="reject", reason="it is paid")
    page = visit.open("/approvals", tab="history")
    row = page.get_by_role("link", name=re.compile("Pay this bill"))
    expect(row).to_contain_text(re.compile("by ada, .* “it is paid”"))


def _type_reason(page: Page, text: str) -> None:
    page.get_by_role("group", name="Answer", exact=True).get_by_role("button", name="Reject").click()
    page.get_by_label("Reason").fill(text)


def test_what_was_typed_survives_a_restart_of_the_server_and_is_sent_once(
    arrive: Arriving, own_serving: Serving
) -> None:
    visit = arrive(own_serving)
    visit.watch.allows(401, 403)
    visit.watch.allows_a_cut()
    with own_serving.open() as journal:
        secret, approval = approver(journal), ask(journal)
        page = visit.open(f"/approvals/{approval}")
        identify(page, secret)
        _type_reason(page, "not this month")
        own_serving.stop()
        page.get_by_role("button", name="Reject it").click()
        expect(
            page.locator(".dock").get_by_role("alert").filter(has_text="The server cannot be reached")
        ).to_be_visible()
        expect(page.get_by_label("Reason")).to_have_value("not this month")
        page.get_by_label("Reason").press("End")
        own_serving.start()
        page.keyboard.type(", and ")
        expect(page.get_by_text("What you typed is kept in this browser.")).to_be_visible()
        page.keyboard.type("not the next")
        expect(page.get_by_label("Reason")).to_be_focused()
        reason = "not this month, and not the next"
        expect(page.get_by_label("Reason")).to_have_value(reason)
        expect(page.get_by_text("The server cannot be reached")).to_have_count(0)
        expect(page.get_by_role("button", name="Reject it")).to_have_count(0)
        page.get_by_label("Credential").fill(secret)
        page.get_by_label("Credential").press("Enter")
        expect(page.get_by_label("Reason")).to_be_focused()
        expect(page.get_by_label("Reason")).to_have_value(reason)
        page.get_by_role("button", name="Reject it").click()
        expect(page.get_by_role("region", name="Question", exact=True)).to_contain_text(reason)
        answered = journal.get_approval(approval_id=approval)
        assert (answered.status, answered.reason, answered.decided_by) == ("reject", reason, "ada")
        assert page.evaluate("Object.keys(localStorage).filter((each) => each.includes('draft'))") == []


def test_what_was_typed_survives_a_closed_tab(visit: Visit, journal: Journal, secret: str) -> None:
    approval = ask(journal)
    page = visit.open(f"/approvals/{approval}")
    identify(page, secret)
    page.get_by_role("group", name="Answer", exact=True).get_by_role("button", name="Edit").click()
    page.get_by_label("Arguments of pay, as JSON").fill('{"amount": 39')
    page.close()
    tab = visit.another_tab(f"/approvals/{approval}")
    expect(tab.get_by_label("Arguments of pay, as JSON")).to_have_value('{"amount": 39')
    tab.get_by_role("button", name="Not yet").click()
    expect(tab.get_by_role("button", name="Edit")).to_be_focused()


def test_an_expired_login_leads_back_to_the_typed_answer(arrive: Arriving, own_serving: Serving) -> None:
    """A server that needs a login forgets it at a restart."""
    own_serving.stop()
    served = Serving(own_serving.url, "served", "--login")
    visit = arrive(served)
    visit.watch.allows(401, 403)
    visit.watch.allows_a_cut()
    try:
        with served.open() as journal:
            secret, approval = approver(journal), ask(journal)
            page = visit.open(f"/login?next=/approvals/{approval}")
            _log_in(page, secret)
            _type_reason(page, "not this month")
            served.stop()
            served.start()
            with suppress(TimeoutError):  # the page may lead to the login by itself before
                page.get_by_role("button", name="Reject it").click(timeout=5000)
            _log_in(page, secret)
            expect(page.get_by_label("Reason")).to_have_value("not this month")
            page.get_by_role("button", name="Reject it").click()
            expect(page.get_by_role("heading", name="Answer", exact=True)).to_be_visible()
            assert journal.get_approval(approval_id=approval).reason == "not this month"
    finally:
        served.stop()


def _log_in(page: Page, secret: str) -> None:
    page.get_by_label("Token").fill(secret)
    page.get_by_role("button", name="Log in").click()


def test_whoever_may_not_decide_is_told_who_may(visit: Visit, journal: Journal, secret: str) -> None:
    assert secret
    page = visit.open(f"/approvals/{ask(journal)}")
    page.get_by_text("who may decide?").click()
    expect(page.get_by_text("May decide: ada.")).to_be_visible()


@pytest.mark.parametrize("width", ["desktop", "phone"])
def test_an_edit_shows_its_differences_and_its_button_beside_the_text(
    arrive: Arriving, serving: Serving, journal: Journal, secret: str, width: Width
) -> None:
    page = arrive(serving, name_of(journal), width).open(f"/approvals/{_ask_long(journal)}")
    identify(page, secret)
    page.get_by_role("group", name="Answer", exact=True).get_by_role("button", name="Edit").press("Enter")
    text = page.get_by_label("Arguments of close_accounts, as JSON")
    text.fill(text.input_value().replace('"mode": "soft"', '"mode": "hard"'))
    expect(page.get_by_role("button", name="Grant the edited call")).to_be_in_viewport(ratio=1)
    expect(page.locator(".dock").get_by_role("group", name=re.compile("^Difference"))).to_be_in_viewport(ratio=0.5)
    expect(text).to_be_in_viewport(ratio=1)
    assert barriers(page) == []
