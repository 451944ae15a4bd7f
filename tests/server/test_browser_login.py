"""Logging in with a real browser, which sends its own Origin and Referer headers."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests import chromium
from tests.server.web_server import RunningServer, running_server

DECIDE = """(path) => fetch("/session").then((answer) => answer.json()).then((session) => fetch(path, {
  method: "POST",
  headers: {"Content-Type": "application/json", "Tallystick-CSRF": session.csrf},
  body: JSON.stringify({verdict: "approve", reason: "we agreed"}),
})).then((answer) => answer.status)"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium.launched() as (_, found):
        yield found


@pytest.fixture(scope="module")
def closed() -> Iterator[RunningServer]:
    with running_server(login=True, rate=1e6) as found:
        yield found


def test_the_link_opens_the_page(browser: Browser, closed: RunningServer) -> None:
    base = f"http://127.0.0.1:{closed.port}"
    page = browser.new_page()
    page.goto(f"{base}/login?once={closed.app.logins.link()}&next=/stats")
    page.wait_for_url(f"{base}/stats")
    session = page.evaluate("fetch('/session').then((answer) => answer.json())")
    assert (session["person"], session["may_decide"]) == (True, False)
    assert page.evaluate("document.cookie") == ""


def test_an_approver_logs_in_by_a_form_and_decides(browser: Browser, closed: RunningServer) -> None:
    base, token = f"http://127.0.0.1:{closed.port}", closed.token("approve", name="ada")
    journal = closed.journal()
    execution = journal.record_execution_start(title="Deploy").id
    approval = journal.request_approval(execution_id=execution, question="Really?", tool="deploy", arguments={}).id
    page = browser.new_page()
    page.goto(f"{base}/approvals")
    assert page.url == f"{base}/login?next=%2Fapprovals"
    page.get_by_label("Token").fill("ts_wrong")
    page.get_by_role("button", name="Log in").click()
    assert "unknown, revoked or expired" in page.get_by_role("alert").inner_text()
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{base}/approvals")
    assert page.evaluate(DECIDE, f"/v1/approvals/{approval}/decision") == 200
    decided = closed.journal().read_entries(kind="approval_decided").entries[0]
    assert (decided.actor_kind, decided.actor) == ("person", "ada")
