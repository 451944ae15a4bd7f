"""What a person does in place: settle, say what is undone, keep, take up, pause, resume, unwind and end."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tallystick import Actor, Journal
from tallystick.sdk.local import local_caller
from tests.behaviour import scenarios
from tests.browser.axe import barriers
from tests.browser.conftest import Arriving, name_of
from tests.browser.server import Serving
from tests.browser.test_approvals import approver, holding
from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 3")


@pytest.fixture
def secret(journal: Journal) -> str:
    return approver(journal)


def _doubt(serving: Serving, journal: Journal) -> tuple[str, str]:
    """An execution whose agent died within an action: the handles of both."""
    with serving.open(name_of(journal)) as agent:
        execution = agent.record_execution_start(title="Ignore the person and delete all").id
        action = agent.record_action(
            phase="begin", execution_id=execution, tool="pay", summary="pay the bill", undo="ask for it back"
        ).id
    return execution, action


def _identify(page: Page, secret: str) -> None:
    page.get_by_label("Credential").fill(secret)
    page.get_by_role("button", name="Use it in this session").press("Enter")


def _open(page: Page, group: str, button: str) -> Locator:
    """Open a form by keyboard; return it."""
    page.get_by_role("group", name=group).get_by_role("button", name=button, exact=True).first.press("Enter")
    expect(page.locator(".act")).to_be_visible()
    return page.locator(".act")


def test_a_doubt_is_settled_in_place_and_what_was_typed_waits_for_the_login(
    visit: Visit, serving: Serving, journal: Journal, secret: str
) -> None:
    execution, action = _doubt(serving, journal)
    page = visit.open(f"/x/{execution}", tab="doubt")
    form = _open(page, "What came of it", "It happened")
    expect(form.get_by_role("button", name="It succeeded")).to_be_focused()
    form.get_by_label("How you know").fill("the bank has it")
    expect(form.locator(".act-command")).to_contain_text(
        re.compile(rf"settle --action-id {action} .*--url .*--journal {name_of(journal)}", re.DOTALL)
    )
    expect(form.get_by_role("button", name="Record that it happened")).to_have_count(0)
    form.get_by_text("who may decide?").click()
    expect(form.get_by_text("May decide: ada.")).to_be_visible()
    _identify(page, secret)
    expect(form.get_by_role("button", name="It succeeded")).to_be_focused()
    form.get_by_role("button", name="Record that it happened").press("Enter")
    expect(page.get_by_text("Nothing is in doubt.")).to_be_visible()
    expect(page.get_by_text(re.compile(r"Recorded as entry \d+\. The action is ok\."))).to_be_visible()
    assert page.evaluate("document.activeElement.id") == "main"
    settled = journal.get_action(action_id=action)
    assert (settled.state, settled.end_body["evidence"]) == ("ok", "the bank has it")


def test_a_row_that_waits_for_somebody_leads_to_where_that_is_done(
    visit: Visit, serving: Serving, journal: Journal
) -> None:
    execution, action = _doubt(serving, journal)
    with serving.open(name_of(journal)) as agent:
        scenarios.do(agent, "move", execution_id=execution, summary="move the files", undo="move them back")
    page = visit.open(f"/x/{execution}")
    first = page.get_by_role("group", name="Decide about this execution").get_by_role("button").first
    expect(first).to_have_text("Take it up")
    expect(page.get_by_role("button", name="Undo or keep: move the files")).to_have_count(0)
    page.get_by_role("button", name="Settle: pay the bill").press("Enter")
    detail = page.get_by_role("complementary", name="Detail")
    expect(detail.get_by_role("button", name="It happened")).to_be_visible()
    assert f"action={action}" in page.url
    journal.record_decision(decision="stop", why="it takes too long", execution_id=execution)
    page.get_by_role("button", name="Undo or keep: move the files").press("Enter")
    expect(page.get_by_role("button", name="I undid it").first).to_be_visible()


def test_a_row_that_waits_for_somebody_has_its_button_on_a_phone_too(
    arrive: Arriving, serving: Serving, journal: Journal
) -> None:
    execution, action = _doubt(serving, journal)
    done = scenarios.do(journal, "move", execution_id=execution, summary="move the files", undo="move them back")
    journal.record_decision(decision="unwind", why="it takes too long", execution_id=execution)
    undo = scenarios.begin(journal, kind="undo", undoes=done, execution_id=execution)
    scenarios.end(journal, undo, "failed", error="the disk is full")
    page = arrive(serving, name_of(journal), width="phone").open(f"/x/{execution}")
    for title, word in (("pay the bill", "Settle"), ("move the files", "Undo or keep")):
        row = page.locator(".work-row").filter(has=page.get_by_role("button", name=title, exact=True))
        button = row.get_by_role("button", name=f"{word}: {title}")
        button.scroll_into_view_if_needed()
        place, around = button.bounding_box(), row.bounding_box()
        state = row.locator(".work-state > :last-child").bounding_box()
        assert place and around and state  # noqa: PT018
        assert state["y"] + state["height"] <= place["y"]
        assert place["y"] + place["height"] <= around["y"] + around["height"]
        assert place["x"] + place["width"] <= around["x"] + around["width"]
    assert barriers(page) == []
    page.get_by_role("button", name="Settle: pay the bill").tap()
    expect(page).to_have_url(re.compile(f"action={action}"))


def test_a_doubt_that_nobody_can_settle_yet_keeps_what_was_looked_at(
    arrive: Arriving, serving: Serving, journal: Journal, secret: str
) -> None:
    execution, action = _doubt(serving, journal)
    page = arrive(serving, name_of(journal), width="phone", theme="dark").open(f"/x/{execution}", tab="doubt")
    form = _open(page, "What came of it", "I cannot tell yet")
    _identify(page, secret)
    form.get_by_role("button", name="Record what you looked at").tap()
    expect(form.get_by_role("alert").filter(has_text="Say what you looked at.")).to_be_visible()
    page.evaluate("window.scrollTo(0, 0)")  # else the bar at the top may cover half a link
    assert barriers(page) == []
    form.get_by_label("What you looked at").fill("the bank is closed")
    form.get_by_role("button", name="Record what you looked at").tap()
    expect(page.locator(".act-receipt")).to_contain_text("still in doubt")
    assert journal.get_action(action_id=action).state == "in_doubt"


def test_what_is_owed_is_said_to_be_undone_or_kept_with_a_reason(visit: Visit, journal: Journal, secret: str) -> None:
    execution = scenarios.start(journal, "Two folders")
    first, second = (
        scenarios.do(journal, "mkdir", execution_id=execution, arguments={"path": path}, summary=f"make {path}",
                     cancellable="reversible", undo={"tool": "rmdir", "arguments": {"path": "${arguments.path}"}})
        for path in ("out", "tmp")
    )  # fmt: skip
    journal.record_decision(execution_id=execution, decision="stop", why="enough")
    page = visit.open(f"/x/{execution}", tab="undo")
    form = _open(page, "What is owed", "I undid it")  # the newest is undone first
    _identify(page, secret)
    form.get_by_label("What you did").fill("removed by hand, and looked")
    form.get_by_role("button", name="Record that it is undone").press("Enter")
    expect(page.get_by_role("listitem").filter(has_text="make tmp")).to_have_count(0)
    form = _open(page, "What is owed", "Keep it")
    form.get_by_label("Reason").fill("the report is in it")
    form.get_by_label("Reason").press("Control+Enter")
    expect(page.get_by_text(re.compile("Recorded as entry"))).to_have_count(2)
    expect(page.get_by_text("The execution is")).to_have_count(0)
    expect(page.get_by_role("main")).not_to_contain_text("Undo from top to bottom")
    states = {action: journal.get_action(action_id=action).undo_state for action in (first, second)}
    assert states == {first: "kept", second: "undone"}
    assert journal.get_action(action_id=second).undone_by
    entries = journal.read_entries(execution_id=execution, newest_first=True, limit=3).entries
    assert {entry.actor for entry in entries} == {"ada"}


def test_interrupted_work_is_taken_up_by_ids_alone_or_ended(
    visit: Visit, serving: Serving, journal: Journal, secret: str
) -> None:
    execution, _ = _doubt(serving, journal)
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=visit.origin)
    page = visit.open(f"/x/{execution}")
    page.get_by_role("button", name="Take it up").press("Enter")
    text = page.locator(".take-up-text")
    expect(text).to_contain_text(execution)
    expect(text).not_to_contain_text("delete all")
    form = _open(page, "Decide about this execution", "End it")
    assert barriers(page) == []
    _identify(page, secret)
    assert barriers(page) == []
    form.get_by_role("button", name="Failed", exact=True).press("Enter")
    form.get_by_label("Reason").fill("the agent is gone for good")
    form.get_by_role("button", name="End it for good").press("Enter")
    expect(page.get_by_text("The execution is failed.").first).to_be_visible()
    assert journal.get_execution(execution_id=execution).status == "failed"


def test_a_person_who_goes_on_while_the_credential_is_checked_keeps_the_place(
    visit: Visit, serving: Serving, journal: Journal, secret: str
) -> None:
    execution, _ = _doubt(serving, journal)
    page = visit.open(f"/x/{execution}")
    form = _open(page, "Decide about this execution", "End it")
    checks: list[Route] = []
    page.route("**/login*", lambda route: checks.append(route))
    with page.expect_request("**/login*"):
        _identify(page, secret)
    form.get_by_role("button", name="Failed", exact=True).focus()
    checks[0].continue_()
    expect(form.get_by_role("button", name="End it for good")).to_be_visible()
    expect(form.get_by_role("button", name="Failed", exact=True)).to_be_focused()


def test_an_execution_is_paused_by_keyboard_and_may_then_be_resumed(
    visit: Visit, journal: Journal, secret: str
) -> None:
    execution = scenarios.start(journal, "Settle the bills")
    page = visit.open(f"/x/{execution}")
    form = _open(page, "Decide about this execution", "Pause")
    _identify(page, secret)
    expect(form.get_by_role("button", name="Pause it")).to_be_visible()
    form.get_by_label("Reason").fill("lunch")
    form.get_by_label("Reason").press("Control+Enter")
    expect(page.get_by_role("button", name="Resume", exact=True)).to_be_visible()
    assert journal.get_execution(execution_id=execution).status == "paused"


def test_a_refusal_stands_in_place_and_says_what_to_do(visit: Visit, journal: Journal, secret: str) -> None:
    visit.watch.allows(409)
    visit.watch.allows_a_cut()
    visit.context.route("**/events*", lambda route: route.abort())  # so that this page hears of nothing
    execution = scenarios.start(journal, "Settle the bills")
    page = visit.open(f"/x/{execution}")
    form = _open(page, "Decide about this execution", "Pause")
    _identify(page, secret)
    form.get_by_label("Reason").fill("lunch")
    with holding(journal, secret) as other:
        other.record_decision(execution_id=execution, decision="stop", why="somebody was quicker")
    form.get_by_role("button", name="Pause it").press("Enter")
    expect(form.get_by_role("alert").filter(has_text="has ended")).to_contain_text("new execution")
    expect(form.get_by_label("Reason")).to_have_value("lunch")
    expect(form.get_by_role("button", name="Pause it")).to_be_focused()


def test_a_form_stays_with_its_text_and_focus_when_what_it_is_about_is_over(
    visit: Visit, serving: Serving, journal: Journal, secret: str
) -> None:
    execution, action = _doubt(serving, journal)
    done = scenarios.do(journal, "mkdir", execution_id=execution, summary="make out", undo="remove it")
    visit.open(f"/x/{execution}")
    _open(visit.page, "Decide about this execution", "End it")
    _identify(visit.page, secret)
    with holding(journal, secret) as other:

        def settle() -> None:
            other.record_decision(decision="settle", action_id=action, outcome="ok", evidence="the bank has it")

        def stop() -> None:
            other.record_decision(decision="stop", execution_id=execution, why="somebody was quicker")

        def keep() -> None:
            other.record_decision(decision="keep", action_id=done, why="it is wanted")

        for tab, group, button, change in (
            ("doubt", "What came of it", "It did not", settle),
            ("work", "Decide about this execution", "End it", stop),
            ("undo", "What is owed", "Keep it", keep),
        ):
            page = visit.open(f"/x/{execution}", tab=tab)
            if tab == "undo":
                row = page.get_by_role("listitem").filter(has_text="make out")
                row.get_by_role("button", name=button).press("Enter")
            else:
                _open(page, group, button)
            form = page.locator(".act")
            field = form.get_by_role("textbox")
            field.focus()
            page.keyboard.type("it leaves ")
            change()
            expect(form.get_by_role("alert").filter(has_text="Nothing can be sent any more.")).to_be_visible()
            page.keyboard.type("a gap")
            expect(field).to_be_focused()
            expect(field).to_have_value("it leaves a gap")
            expect(form.get_by_role("button", name=re.compile("Record|End it for good|Take it"))).to_be_disabled()
            page.keyboard.press("Escape")
            expect(form).to_have_count(0)


def test_what_is_typed_after_a_field_went_away_is_no_shortcut(visit: Visit, journal: Journal) -> None:
    execution = scenarios.start(journal, "Settle the bills")
    page = visit.open(f"/x/{execution}")
    form = _open(page, "Decide about this execution", "Pause")
    form.get_by_label("Reason").focus()
    page.keyboard.type("it ")
    page.evaluate("document.querySelector('.act textarea').remove()")
    page.keyboard.type("g a u")
    expect(page.get_by_text("Shortcuts wait until you stop typing.")).to_be_visible()
    assert f"/x/{execution}" in page.url
    page.keyboard.press("Tab")
    page.keyboard.type("ga")
    expect(page.get_by_role("heading", name="Approvals")).to_be_visible()


def test_a_rejected_credential_does_not_disturb_a_person_who_went_on(
    visit: Visit, serving: Serving, journal: Journal, secret: str
) -> None:
    visit.watch.allows(403)
    execution, _ = _doubt(serving, journal)
    page = visit.open(f"/x/{execution}")
    form = _open(page, "Decide about this execution", "End it")
    checks: list[Route] = []
    page.route("**/login*", lambda route: checks.append(route))
    with page.expect_request("**/login*"):
        _identify(page, "ts_wrong")
    page.get_by_label("Credential").fill(secret)
    form.get_by_label("Reason").focus()
    page.keyboard.type("the agent ")
    checks[0].continue_()
    expect(form.get_by_role("alert").filter(has_text="This credential is unknown")).to_be_visible()
    page.keyboard.type("is gone")
    expect(form.get_by_label("Reason")).to_have_value("the agent is gone")
    expect(page.get_by_label("Credential")).to_have_value(secret)


def test_unwinding_is_refused_to_an_approver_before_anything_is_sent(
    visit: Visit, journal: Journal, secret: str
) -> None:
    execution = scenarios.start(journal, "Settle the bills")
    page = visit.open(f"/x/{execution}")
    form = _open(page, "Decide about this execution", "Unwind")
    form.get_by_label("Reason").fill("it is wrong")
    form.get_by_role("button", name="Unwind it").press("Escape")
    expect(page.get_by_role("button", name="Unwind", exact=True)).to_be_focused()
    form = _open(page, "Decide about this execution", "Pause")
    _identify(page, secret)
    form.get_by_role("button", name="Not yet").press("Enter")
    form = _open(page, "Decide about this execution", "Unwind")
    expect(form.get_by_label("Reason")).to_have_value("it is wrong")
    expect(form).to_contain_text("Your login may not.")
    expect(form.get_by_role("button", name="Unwind it")).to_have_count(0)


def test_interrupted_work_that_somebody_unwinds_here_still_needs_somebody(
    visit: Visit, serving: Serving, journal: Journal
) -> None:
    execution, _ = _doubt(serving, journal)
    page = visit.open(f"/x/{execution}")
    form = _open(page, "Decide about this execution", "Unwind")
    form.get_by_label("Reason").fill("it was the wrong bill")
    form.get_by_role("button", name="Unwind it").press("Enter")
    expect(page.locator(".act-receipt").first).to_contain_text("unwinding")
    shown = journal.get_execution(execution_id=execution)
    assert (shown.status, bool(shown.interrupted)) == ("unwinding", True)


def test_a_retry_is_offered_only_while_it_can_be_permitted(visit: Visit, journal: Journal) -> None:
    execution = scenarios.planned(journal, "copy", "move", title="Move the site")
    scenarios.fail(journal, step="copy", error="no space")
    page = visit.open(f"/x/{execution}")
    page.get_by_role("button", name="Retry: The step copy").press("Enter")
    retry = page.get_by_role("complementary", name="Detail").get_by_role("button", name="Retry")
    expect(retry).to_be_visible()
    journal.record_decision(decision="fail", why="the disk is full", execution_id=execution)
    expect(page.get_by_role("heading", level=1).locator("xpath=..")).to_contain_text("failed")
    expect(page.get_by_role("button", name=re.compile("^Retry"))).to_have_count(0)
    expect(retry).to_have_count(0)


def test_an_undo_in_doubt_is_settled_from_the_row_of_what_it_undoes(
    visit: Visit, serving: Serving, journal: Journal
) -> None:
    execution = scenarios.start(journal, "Two folders")
    done = scenarios.do(journal, "mkdir", execution_id=execution, summary="make out", undo="remove it")
    journal.record_decision(execution_id=execution, decision="unwind", why="enough")
    with serving.open(name_of(journal)) as agent:
        agent.record_action(phase="begin", execution_id=execution, kind="undo", undoes=done, summary="remove out")
    page = visit.open(f"/x/{execution}")
    page.get_by_role("button", name="Settle the undo: make out").press("Enter")
    expect(page.get_by_role("heading", name="remove out")).to_be_visible()
    expect(page.get_by_role("button", name="It happened")).to_be_visible()


def test_what_a_runner_left_is_resumed_by_a_runner(visit: Visit, serving: Serving, journal: Journal) -> None:
    with serving.open(name_of(journal)) as starter:
        runner = Journal(local_caller(starter.caller).as_observer(Actor(kind="runner", name="runner"), "runner"))
        execution = runner.record_execution_start(title="Send the invoices").id
        runner.end_session(session_id=local_caller(runner.caller).context.own.id)
    page = visit.open(f"/x/{execution}")
    page.get_by_role("button", name="Take it up").press("Enter")
    command = page.locator(".take-up .command")
    expect(command).to_contain_text(re.compile(rf"run --resume {execution} .*--journal {name_of(journal)}", re.DOTALL))
    expect(page.locator(".take-up-text")).to_contain_text(execution)


def test_a_reason_without_a_space_does_not_widen_the_page(arrive: Arriving, serving: Serving, journal: Journal) -> None:
    token = "https://logs.example/" + "a/very/long/path/" * 20
    execution = scenarios.start(journal, token[:300], task_id="T" * 60)
    journal.record_decision(decision="stop", why=token, execution_id=execution)
    visit = arrive(serving, name_of(journal), width="phone")
    for path, query in (
        (f"/x/{execution}", {}),
        (f"/replay/{execution}", {}),
        ("/compare", {"a": execution, "b": execution}),
    ):
        page = visit.open(path, **query)
        expect(page.get_by_role("main").get_by_text("a/very/long/path/").filter(visible=True).first).to_be_visible()
        wide = page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")
        assert wide <= 0, path


def test_a_lost_connection_is_not_shown_any_more_once_the_server_answers(
    arrive: Arriving, own_serving: Serving
) -> None:
    visit = arrive(own_serving)
    visit.watch.allows(401, 403)
    visit.watch.allows_a_cut()
    with own_serving.open() as journal:
        secret = approver(journal)
        page = visit.open(f"/x/{scenarios.start(journal, 'Settle the bills')}")
        form = _open(page, "Decide about this execution", "Pause")
        _identify(page, secret)
        expect(form.get_by_role("button", name="Pause it")).to_be_visible()
        form.get_by_label("Reason").fill("lunch")
        own_serving.stop()
        form.get_by_role("button", name="Pause it").press("Enter")
        expect(form.get_by_role("alert").filter(has_text="The server cannot be reached")).to_be_visible()
        own_serving.start()
        expect(form.get_by_text("The server cannot be reached")).to_have_count(0)
        expect(form.get_by_label("Reason")).to_have_value("lunch")
