"""The person who decides sees exactly the call that is asked for: no text or number passes for another."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tallystick import Journal
from tests.behaviour import scenarios
from tests.browser.test_approvals import approver, identify
from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 2")

FORGED = {
    "note": "thanks\namount: 5\nto: petty cash",
    "amount": "90000",
    "count": 90000,
    "really": "true",
    "nothing": "null",
    "bidi": "abc\u202ednuof\u202c",
    "zero\u200bwidth": "pay\u200bpal",
    "spaces": "x" + " " * 300 + "hidden",
    'a": 1, "b': 'x", total: "5',
}
BIG = 1234567890123456789
CALL: dict[str, Any] = {"tool": "delete_message", "arguments": {"message_id": BIG, "ratio": 1.0, "note": "x"}}


def ask(journal: Journal, question: str = "Delete this message?", **more: Any) -> str:
    return journal.request_approval(
        execution_id=scenarios.start(journal, "Clean up"), question=question, **{**CALL, **more}
    ).id


def _call(page: Page) -> Locator:
    return page.locator(".call")


def _values(page: Page) -> dict[str, str]:
    """Each name under "Exactly this call", with the value beside it."""
    lines = _call(page).locator(".call-field")
    expect(lines.first).to_be_visible()
    return dict(lines.evaluate_all(_NAME_AND_VALUE))


_NAME_AND_VALUE = """
(all) => all.map((each) => [each.querySelector("dt").innerText, each.querySelector("dd").lastElementChild.innerText])
"""


def test_a_text_cannot_pass_for_other_arguments_or_for_a_value_of_another_sort(visit: Visit, journal: Journal) -> None:
    page = visit.open(f"/approvals/{ask(journal, tool='pay', arguments=FORGED)}")
    shown = _values(page)
    assert list(shown) == [
        "amount", "count", "note", "really", "nothing", "bidi", '"zero\\u200bwidth"', "spaces", '"a\\": 1, \\"b"'
    ]  # fmt: skip
    assert shown["note"] == "thanks↵\namount: 5↵\nto: petty cash"
    assert (shown["amount"], shown["count"]) == ('"90000"', "90000")
    assert (shown["really"], shown["nothing"]) == ('"true"', '"null"')
    assert shown["bidi"] == '"abc\\u202ednuof\\u202c"'
    assert shown["spaces"] == '"x300 spaceshidden"'
    assert shown['"a\\": 1, \\"b"'] == '"x\\", total: \\"5"'
    expect(_call(page).get_by_title("U+202E: would not be seen")).to_be_visible()
    real, forged = _call(page).get_by_text("amount", exact=True), _call(page).get_by_text("amount: 5")
    assert _left(forged) > _left(real)


def _left(locator: Locator) -> float:
    return (locator.bounding_box() or {"x": 0.0})["x"]


def test_nothing_hides_in_the_words_around_a_call(visit: Visit, journal: Journal) -> None:
    approval = ask(journal, "Pay\u202e it?\nGranted", tool=None, arguments=None, options=("y\u200bes", "no"))
    page = visit.open(f"/approvals/{approval}")
    expect(page.get_by_role("heading", name="Pay\\u202e it?↵Granted")).to_be_visible()
    expect(page.get_by_text("Suggested answers: y\\u200bes, no")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile(r"Pay\\u202e it\?↵Granted"))).to_be_visible()


def test_a_long_number_is_shown_exactly_everywhere(visit: Visit, journal: Journal) -> None:
    execution = scenarios.start(journal, "Clean up")
    begun = journal.record_action(phase="begin", execution_id=execution, before={"v": 2**53}, **CALL)
    journal.record_action(phase="end", action_id=begun.id, outcome="ok", result=BIG, after={"v": 2**53 + 1})
    page = visit.open(f"/x/{execution}", action=begun.id)
    detail = page.get_by_role("complementary", name="Detail")
    for shown in (f"message_id: {BIG}", "ratio: 1.0", str(2**53), str(2**53 + 1)):
        expect(detail.get_by_text(re.compile(shown.replace(": ", ":?\\s*"))).first).to_be_attached()
    expect(detail).not_to_contain_text("No difference")
    expect(detail.locator(".text")).to_have_text(str(BIG))


def test_an_edit_of_another_field_grants_the_very_number_that_was_asked_for(visit: Visit, journal: Journal) -> None:
    secret = approver(journal)
    approval = ask(
        journal, arguments={**CALL["arguments"], "long": "so that there is a choice of how it is shown " * 5}
    )
    page = visit.open(f"/approvals/{approval}")
    assert _values(page)["message_id"] == str(BIG)
    assert _values(page)["ratio"] == "1.0"
    _call(page).get_by_text("All arguments as JSON").click()
    expect(_call(page).locator(".text")).to_contain_text(f'"message_id": {BIG},\n  "ratio": 1.0')
    identify(page, secret)
    page.get_by_role("group", name="Answer").get_by_role("button", name="Edit").click()
    editor = page.get_by_label("Arguments of delete_message, as JSON")
    text = editor.input_value()
    assert f'"message_id": {BIG},\n  "ratio": 1.0' in text
    editor.fill(text.replace('"note": "x"', '"note": "x", "note": "y"'))
    expect(page.get_by_text('The name "note" appears twice')).to_be_visible()
    editor.fill(text.replace('"note": "x"', '"note": "y"'))
    expect(page.get_by_text("Valid JSON")).to_be_visible()
    expect(page.get_by_text("1 changed")).to_be_visible()
    page.get_by_role("button", name="Grant the edited call").click()
    expect(page.get_by_role("heading", name="Granted instead")).to_be_visible()
    granted = journal.get_approval(approval_id=approval).edited
    expected = {**CALL["arguments"], "note": "y", "long": json.loads(text)["long"]}
    assert granted == expected
    assert isinstance(granted, dict)
    assert [type(granted[name]) for name in ("message_id", "ratio")] == [int, float]
    assert journal.record_action(phase="begin", approval_id=approval, tool="delete_message", arguments=expected).id


def test_invisible_characters_are_visible_in_the_edit_box_and_keep_their_value(visit: Visit, journal: Journal) -> None:
    secret = approver(journal)
    approval = ask(journal, arguments={"to": "pay\u200bpal", "amount": 1})
    page = visit.open(f"/approvals/{approval}")
    identify(page, secret)
    page.get_by_role("group", name="Answer").get_by_role("button", name="Edit").click()
    editor = page.get_by_label("Arguments of delete_message, as JSON")
    text = editor.input_value()
    assert '"to": "pay\\u200bpal"' in text
    editor.fill(text.replace('"amount": 1', '"amount": 2'))
    page.get_by_role("button", name="Grant the edited call").click()
    expect(page.get_by_role("heading", name="Granted instead")).to_be_visible()
    assert journal.get_approval(approval_id=approval).edited == {"to": "pay\u200bpal", "amount": 2}
