"""Approvals: a person sees exactly the call that is asked for, and answers once."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.conftest import Arriving, name_of
from tests.browser.server import Serving
from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 2")

CALL: dict[str, Any] = {"tool": "pay", "arguments": {"amount": 40, "currency": "EUR", "to": ["ada", "bob"]}}


@pytest.fixture
def secret(journal: Journal) -> str:
    return approver(journal)


def approver(journal: Journal) -> str:
    """The credential of a person who may decide in this journal."""
    return journal.add_credential(name="ada", scopes=("approve", "admin")).secret


def ask(journal: Journal, question: str = "Pay 40 EUR?", **more: Any) -> str:
    execution = scenarios.start(journal, "Settle the bills")
    return journal.request_approval(execution_id=execution, question=question, **{**CALL, **more}).id


def identify(page: Page, secret: str) -> None:
    """Answer the page's question who one is."""
    page.get_by_label("Credential").fill(secret)
    page.get_by_role("button", name="Use it in this session").click()
    expect(_answers(page)).to_be_visible()


def _answers(page: Page) -> Locator:
    return page.get_by_role("group", name="Answer")


def _question(page: Page) -> Locator:
    return page.get_by_role("region", name="Question", exact=True)


@pytest.mark.parametrize("store", ["serving", "postgres_serving"])
def test_a_new_question_appears_at_once_and_can_be_granted(
    request: pytest.FixtureRequest, arrive: Arriving, store: str
) -> None:
    served: Serving = request.getfixturevalue(store)
    visit = arrive(served, "asked")
    with served.open("asked") as journal:
        secret = approver(journal)
        page = visit.open("/approvals")
        expect(page.get_by_text("No questions are waiting.")).to_be_visible()
        approval = ask(journal)
        expect(page.get_by_role("heading", name="Pay 40 EUR?")).to_be_visible()
        expect(page.get_by_role("link", name=re.compile("Approvals.*1 pending"))).to_be_visible()
        expect(_question(page)).to_contain_text(re.compile(r"amount:?\s*40"))
        identify(page, secret)
        _answers(page).get_by_role("button", name="Accept").click()
        page.get_by_label("Reason").fill("as agreed")
        page.get_by_role("button", name="Accept exactly this").click()
        expect(_question(page)).to_contain_text("not yet: valid for one call")
        answered = journal.get_approval(approval_id=approval)
        assert (answered.status, answered.decided_by, answered.reason) == ("approve", "ada", "as agreed")
        begun = journal.record_action(phase="begin", approval_id=approval, **CALL)
        expect(_question(page).get_by_role("link", name=begun.id)).to_be_visible()


def test_an_edited_call_is_shown_as_a_difference_and_only_that_call_is_granted(
    visit: Visit, journal: Journal, secret: str
) -> None:
    approval = ask(journal)
    page = visit.open(f"/approvals/{approval}")
    identify(page, secret)
    _answers(page).get_by_role("button", name="Edit").click()
    editor = page.get_by_label("Arguments of pay, as JSON")
    editor.fill('{"amount": 40,')
    expect(page.get_by_text("This is not JSON yet")).to_be_visible()
    edited = {"amount": 25, "currency": "EUR", "to": ["ada"]}
    editor.fill(json.dumps(edited))
    form = page.get_by_role("form", name="Grant other arguments instead")
    for changed in ("40", "25", "bob"):
        expect(form.locator(".diff, [class*=diff]").first).to_contain_text(changed)
    expect(form).to_contain_text("An edit makes a new digest")
    page.get_by_role("button", name="Grant the edited call").click()
    expect(page.get_by_role("heading", name="Granted instead")).to_be_visible()
    answered = journal.get_approval(approval_id=approval)
    assert (answered.status, answered.edited) == ("edit", edited)
    page.get_by_text("Entries in the journal").click()
    digests = page.locator(".digest code")
    expect(digests).to_have_count(2)
    assert len(set(digests.all_inner_texts())) == 2


def test_a_rejection_carries_its_reason_to_the_agent(visit: Visit, journal: Journal, secret: str) -> None:
    approval = ask(journal)
    page = visit.open(f"/approvals/{approval}")
    identify(page, secret)
    _answers(page).get_by_role("button", name="Reject").click()
    page.get_by_label("Reason").fill("not this month")
    page.get_by_role("button", name="Reject it").click()
    expect(_question(page)).to_contain_text("not this month")
    answered = journal.get_approval(approval_id=approval)
    assert (answered.status, answered.reason) == ("reject", "not this month")


def test_an_answer_in_words_grants_nothing(visit: Visit, journal: Journal, secret: str) -> None:
    approval = ask(journal, "Which day?", tool=None, arguments=None, options=("Monday", "Friday"))
    page = visit.open(f"/approvals/{approval}")
    identify(page, secret)
    expect(_answers(page).get_by_role("button", name="Edit")).to_have_count(0)
    _answers(page).get_by_role("button", name="Respond").click()
    page.get_by_role("button", name="Friday").click()
    expect(page.get_by_role("textbox", name="Answer")).to_have_value("Friday")
    page.get_by_role("button", name="Send the answer").click()
    expect(page.get_by_role("heading", name="Answer", exact=True)).to_be_visible()
    answered = journal.get_approval(approval_id=approval)
    assert (answered.status, answered.answer) == ("respond", "Friday")


def test_an_answer_that_comes_too_late_stays_in_its_form_and_answers_no_other_question(
    visit: Visit, journal: Journal, secret: str
) -> None:
    first = ask(journal, expires="10m")
    second = ask(journal, "Drop the database?", arguments={"name": "shop"}, expires="60m")
    page = visit.open(f"/approvals/{first}")
    identify(page, secret)
    page.keyboard.press("r")
    reason = page.get_by_label("Reason")
    expect(reason).to_be_focused()
    page.keyboard.type("no, it was ")
    with holding(journal, secret) as other:
        other.decide_approval(approval_id=first, verdict="reject", reason="somebody was quicker")
    expect(page.get_by_role("alert").filter(has_text="already answered")).to_be_visible()
    page.keyboard.type("just a test")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+Enter")
    expect(reason).to_be_focused()
    expect(reason).to_have_value("no, it was just a test")
    expect(page.get_by_role("button", name="Reject it")).to_be_disabled()
    page.get_by_role("button", name="Close").press("Enter")
    expect(reason).to_have_count(0)
    assert journal.get_approval(approval_id=first).reason == "somebody was quicker"
    assert journal.get_approval(approval_id=second).status == "pending"


def test_a_question_that_appears_by_itself_is_not_answered_by_the_next_key(
    visit: Visit, journal: Journal, secret: str
) -> None:
    page = visit.open(f"/approvals/{ask(journal)}")
    identify(page, secret)
    page.clock.install()
    with holding(journal, secret) as other:
        other.decide_approval(approval_id=page.url.rsplit("/", 1)[1].split("?")[0], verdict="reject")
    page.goto(visit.address("/approvals"))
    expect(page.get_by_text("No questions are waiting.")).to_be_visible()
    ask(journal, "Drop the database?")
    expect(page.get_by_role("heading", name="Drop the database?")).to_be_visible()
    page.keyboard.press("a")
    expect(page.get_by_text("read it first")).to_be_visible()
    expect(page.get_by_label("Reason")).to_have_count(0)
    page.clock.fast_forward(3000)
    page.keyboard.press("a")
    expect(page.get_by_label("Reason")).to_be_focused()


def test_the_history_opens_with_an_answered_question(visit: Visit, journal: Journal, secret: str) -> None:
    page = visit.open(f"/approvals/{ask(journal, 'Still pending?')}")
    identify(page, secret)
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", name="Still pending?")).to_have_count(0)
    expect(_answers(page)).to_have_count(0)
    answered = ask(journal, "Pay at once?")
    with holding(journal, secret) as other:
        other.decide_approval(approval_id=answered, verdict="reject")
    expect(page.get_by_role("heading", name="Pay at once?")).to_be_visible()


def test_several_questions_are_answered_at_once_and_each_outcome_is_shown(
    visit: Visit, journal: Journal, secret: str
) -> None:
    approvals = [ask(journal, f"Pay bill {number}?", arguments={"bill": number}) for number in range(3)]
    visit.watch.allows(409)
    page = visit.open("/approvals")
    identify(page, secret)
    for number in range(3):
        page.get_by_role("checkbox", name=f"Select “Pay bill {number}?”").check()
    page.get_by_role("region", name="Selected questions").get_by_role("button", name="Accept").click()
    with holding(journal, secret) as other:  # somebody else is quicker with one of them
        other.decide_approval(approval_id=approvals[1], verdict="reject", reason="that one is wrong")
    dialog = page.get_by_role("dialog", name="Accept 3 questions")
    dialog.get_by_label("One reason for all").fill("all checked")
    dialog.get_by_role("button", name="Accept all 3").click()
    expect(dialog).to_contain_text("2 of 3 were decided; the others show the reason.")
    expect(dialog).to_contain_text("The question was already answered by ada: rejected")
    dialog.get_by_role("button", name="Close", exact=True).last.click()
    assert [journal.get_approval(approval_id=each).status for each in approvals] == ["approve", "reject", "approve"]


def test_an_answer_counts_once_and_a_second_person_gets_an_error(visit: Visit, journal: Journal, secret: str) -> None:
    approval = ask(journal)
    visit.watch.allows(409)
    visit.watch.allows_a_cut()
    visit.context.route("**/events*", lambda route: route.abort())  # so that this page hears of nothing
    page = visit.open(f"/approvals/{approval}")
    identify(page, secret)
    _answers(page).get_by_role("button", name="Accept").click()
    with holding(journal, secret) as other:
        other.decide_approval(approval_id=approval, verdict="reject", reason="I was first")
    page.get_by_role("button", name="Accept exactly this").click()
    expect(page.get_by_role("alert").filter(has_text="The question was already answered by ada")).to_be_visible()
    expect(_question(page)).to_contain_text("I was first")
    assert journal.get_approval(approval_id=approval).status == "reject"


def test_a_question_that_expires_while_shown_cannot_be_answered(visit: Visit, journal: Journal, secret: str) -> None:
    approval = ask(journal, expires="2h")
    visit.page.clock.install()
    page = visit.open(f"/approvals/{approval}")
    expect(_question(page)).to_contain_text("left")
    identify(page, secret)
    page.clock.fast_forward("03:00:00")
    expect(_question(page)).to_contain_text("A timeout is never a yes")
    expect(_answers(page)).to_have_count(0)


def test_a_wrong_credential_is_refused_and_an_agents_token_too(arrive: Arriving, own_serving: Serving) -> None:
    visit = arrive(own_serving)
    visit.watch.allows(401, 403)
    with own_serving.open() as journal:
        approval = ask(journal)
        with holding(journal, approver(journal)) as admin:
            agents = admin.add_credential(name="robot", scopes=("agent",)).secret
        page = visit.open(f"/approvals/{approval}")
        for token, message in (("ts_nonsense", "This credential is unknown"), (agents, "may not decide")):
            page.get_by_label("Credential").fill(token)
            page.get_by_role("button", name="Use it in this session").click()
            expect(page.get_by_role("alert").filter(has_text=message)).to_be_visible()
        assert journal.get_approval(approval_id=approval).status == "pending"


def test_by_keyboard_alone_a_question_is_found_and_answered(visit: Visit, journal: Journal, secret: str) -> None:
    first, second = ask(journal, "Pay the first?"), ask(journal, "Pay the second?")
    page = visit.open("/")
    expect(page.get_by_role("heading", name="Needs you")).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press("a")
    expect(page.get_by_role("heading", name="Pay the first?")).to_be_visible()
    page.get_by_label("Credential").focus()
    page.keyboard.type(secret)
    page.keyboard.press("Enter")
    expect(_answers(page)).to_be_visible()
    page.keyboard.press("j")
    expect(page.get_by_role("heading", name="Pay the second?")).to_be_visible()
    page.keyboard.press("a")
    expect(page.get_by_label("Reason")).to_be_focused()
    page.keyboard.type("by hand")
    page.keyboard.press("Enter")
    expect(_question(page)).to_contain_text("by hand")
    assert [journal.get_approval(approval_id=each).status for each in (first, second)] == ["pending", "approve"]


def test_a_question_is_opened_and_answered_on_a_phone(
    arrive: Arriving, serving: Serving, journal: Journal, secret: str
) -> None:
    approval = ask(journal)
    page = arrive(serving, name_of(journal), width="phone").open("/approvals")
    page.get_by_role("link", name="Pay 40 EUR?").tap()
    expect(page.get_by_role("list", name="Pending questions")).to_be_hidden()
    identify(page, secret)
    button = _answers(page).get_by_role("button", name="Accept")
    expect(button).to_be_in_viewport()
    assert (button.bounding_box() or {"height": 0})["height"] >= 40
    button.tap()
    page.get_by_role("button", name="Accept exactly this").tap()
    expect(_question(page)).to_contain_text("not yet: valid for one call")
    assert journal.get_approval(approval_id=approval).status == "approve"


def test_the_browser_notifies_of_new_questions_if_enabled(visit: Visit, journal: Journal) -> None:
    visit.context.grant_permissions(["notifications"], origin=visit.origin)
    visit.page.add_init_script(_LISTEN)
    page = visit.open("/approvals")
    page.get_by_role("button", name="Notify me").click()
    expect(page.get_by_role("button", name="Notify me")).to_have_attribute("aria-pressed", "true")
    approval = ask(journal, "Pay while you look elsewhere?")
    page.wait_for_function("() => window.notified.length > 0")
    assert page.evaluate("window.notified") == [["Pay while you look elsewhere?", approval]]


_LISTEN = """
window.notified = [];
window.Notification = class {
  static permission = "granted";
  static requestPermission = () => Promise.resolve("granted");
  constructor(title, { tag }) { window.notified.push([title, tag]); }
};
document.hasFocus = () => false;
"""
"""The notifications that the browser would hand to the desktop: there is none here."""


def holding(journal: Journal, secret: str) -> Journal:
    """The same journal, for who holds a credential."""
    caller: Any = journal.caller
    return Journal.open(caller.context.settings.url, journal=name_of(journal), credential=secret)


def test_the_keyboard_stays_where_a_credential_was_refused_and_goes_on_to_the_answer(
    visit: Visit, journal: Journal, secret: str
) -> None:
    with holding(journal, secret) as admin:
        reader = admin.add_credential(name="rita", scopes=("read",)).secret
    page = visit.open(f"/approvals/{ask(journal)}")
    field = page.get_by_label("Credential")
    field.fill(reader)
    field.press("Enter")
    expect(page.get_by_text("This credential may not decide: it lacks the scope “approve”.")).to_be_visible()
    expect(field).to_be_focused()
    page.keyboard.type(secret)
    page.keyboard.press("Enter")
    expect(_answers(page)).to_be_focused()
