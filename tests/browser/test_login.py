"""Login by a link that works once or by a token, and logout."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tallystick import Journal
from tests.browser.axe import barriers
from tests.browser.conftest import Arriving
from tests.browser.server import Serving

pytestmark = pytest.mark.xdist_group("browser 4")


def test_the_link_that_serve_prints_logs_a_person_in_once(arrive: Arriving, own_serving: Serving) -> None:
    link = own_serving.link
    page = arrive(own_serving).page
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert "once" not in page.url
    assert page.evaluate("fetch('/session').then((answer) => answer.json())")["person"] is True
    assert page.evaluate("document.cookie") == ""  # no script can read it
    stranger = arrive(own_serving)
    stranger.watch.allows(403)
    stranger.page.goto(link)
    expect(stranger.page.get_by_role("alert")).to_contain_text("This link was used")


def test_a_login_by_token_leads_to_the_requested_page_and_logout_works(arrive: Arriving, guarded: Serving) -> None:
    with guarded.open() as journal:
        secret = journal.add_credential(name="ada", scopes=("read", "admin")).secret
    visit = arrive(guarded)
    visit.watch.allows(401, 403)
    page = visit.open("/context")
    expect(page.get_by_role("heading", name="Log in to Tallystick")).to_be_visible()
    assert barriers(page) == []
    _log_in(page, "ts_nonsense")
    expect(page.get_by_role("alert")).to_contain_text("unknown")
    _log_in(page, secret)
    expect(page.get_by_role("heading", name="Context", level=1)).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Log out ada").click()
    expect(page.get_by_role("heading", name="Log in to Tallystick")).to_be_visible()
    visit.open("/context")
    expect(page.get_by_role("heading", name="Log in to Tallystick")).to_be_visible()


def test_a_revoked_token_is_rejected(arrive: Arriving, guarded: Serving) -> None:
    with guarded.open() as journal:
        admin = journal.add_credential(name="ada", scopes=("read", "admin")).secret
    with Journal.open(guarded.url, journal=guarded.journal, credential=admin) as journal:
        secret = journal.add_credential(name="bob", scopes=("read",)).secret
        visit = arrive(guarded)
        visit.watch.allows(401, 403)
        page = visit.open("/")
        _log_in(page, secret)
        expect(page.get_by_role("navigation", name="Main")).to_be_visible()
        journal.revoke_credential(name="bob")
        other = (
            page.context.new_page()
        )  # the first may be on its way to the login by itself: its next request is refused
        other.goto(page.url)
        expect(other.get_by_role("heading", name="Log in to Tallystick")).to_be_visible()


def test_a_request_that_another_page_makes_with_the_cookie_is_refused(arrive: Arriving, own_serving: Serving) -> None:
    visit = arrive(own_serving)
    visit.watch.allows(403)
    page = visit.page
    page.goto(own_serving.link)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    start = """(headers) => fetch('/v1/executions', {
      method: 'POST', headers: {'Content-Type': 'application/json', ...headers}, body: '{"title": "smuggled"}',
    }).then((answer) => answer.status)"""
    assert page.evaluate(start, {}) == 403
    csrf = page.evaluate("fetch('/session').then((answer) => answer.json())")["csrf"]
    assert page.evaluate(start, {"Tallystick-CSRF": csrf + "x"}) == 403
    with own_serving.open() as journal:
        assert journal.list_executions().executions == ()


def test_a_link_from_another_site_reaches_its_page_when_one_is_logged_in(arrive: Arriving, guarded: Serving) -> None:
    with guarded.open() as journal:
        execution = journal.record_execution_start(title="Move the site").id
        secret = journal.add_credential(name="ada", scopes=("read", "admin")).secret
    visit = arrive(guarded)
    visit.watch.allows(401)
    page = visit.open("/")
    _log_in(page, secret)
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    page.goto("about:blank")  # an origin of its own, as a mail has
    page.set_content(f"<a href='{visit.address(f'/x/{execution}')}'>look</a>")
    page.get_by_role("link", name="look").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Move the site")


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Serving]:
    """A server that requires a login, also on this machine."""
    served = Serving(f"sqlite://{tmp_path}/journal.db", "served", "--login")
    yield served
    served.stop()


def _log_in(page: Page, token: str) -> None:
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Log in").click()
