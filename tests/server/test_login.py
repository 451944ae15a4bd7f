"""Browser logins: by the link that `serve` printed or with a token, and what a cookie alone cannot do."""

from urllib.parse import urlencode

import pytest

from tallystick.server.browser_logins import IDLE_SECONDS, LINK_SECONDS, MAX_LOGIN_SECONDS, MAX_LOGINS, Logins
from tallystick.server.login import own_path
from tallystick.server.rate_limits import LOGIN_BURST
from tests.server.web_server import NAME, OTHER, Browser, RunningServer, running_server

FORM = {"content-type": "application/x-www-form-urlencoded"}


def _logged_in(found: RunningServer, token: str = "", **more: str) -> Browser:
    browser = Browser(**more)
    if token:
        assert found.ask("/login", {"token": token}, browser=browser).status == 200
    else:
        assert found.ask(f"/login?once={found.app.logins.link()}", browser=browser).status == 200
    browser.csrf = found.ask("/session", browser=browser).json["csrf"]
    return browser


def _ask_for(found: RunningServer, name: str = NAME) -> str:
    """A question to a person."""
    journal = found.journal(name)
    execution = journal.record_execution_start(title="Deploy").id
    return journal.request_approval(execution_id=execution, question="Really?", tool="deploy", arguments={}).id


def test_a_link_logs_a_person_in_once_and_the_next_one_is_shown_in_the_terminal() -> None:
    with running_server(login=True) as found:
        link, person, late = f"/login?once={found.app.logins.link()}", Browser(), Browser()
        inside = found.ask(link, browser=person)
        assert (inside.status, inside.headers["refresh"]) == (200, "0; url=/")
        assert found.ask("/v1/executions", browser=person).status == 200
        assert found.ask(link, browser=late).status == 403
        assert not late.cookie
        assert len(found.links) == 1
        assert found.ask(f"/login?once={found.links[0]}", browser=late).status == 200
        assert found.ask("/v1/executions", browser=late).status == 200


FOLLOWED = {"accept": "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


def test_a_link_in_a_mail_opens_the_page_again_from_our_own_so_that_the_cookie_is_sent() -> None:
    with running_server(login=True) as found:
        link = "/x/ex_a2?tab=undo&q=a%20b;%0d%0aset-cookie"
        first = found.ask(link, headers={**FOLLOWED, "sec-fetch-site": "cross-site"})
        assert (first.status, first.headers["refresh"]) == (200, "0; url=/x/ex_a2?tab=undo&q=a%20b%3B%0d%0aset-cookie")
        assert not first.body
        again = found.ask(link, headers={**FOLLOWED, "sec-fetch-site": "same-origin"})
        assert (again.status, again.headers["location"][:12]) == (303, "/login?next=")
        for other in ("/v1/export", "//evil.example/x", "/mcp", "/events"):
            refused = found.ask(other, headers={**FOLLOWED, "sec-fetch-site": "cross-site"})
            assert "refresh" not in refused.headers


def test_a_guessed_link_does_not_log_in_and_prints_nothing() -> None:
    with running_server(login=True) as found:
        found.app.logins.link()
        assert found.ask("/login?once=guessed").status == 403
        assert found.links == []


def test_looking_whether_a_link_is_there_does_not_use_it() -> None:
    with running_server(login=True) as found:
        link = f"/login?once={found.app.logins.link()}"
        assert found.ask(link, method="HEAD").status == 200
        assert "set-cookie" in found.ask(link).headers


def test_the_cookie_is_for_this_site_only_and_no_script_reads_it() -> None:
    with running_server() as found:
        answer = found.ask("/login", {"token": found.token("read")})
        cookie = answer.headers["set-cookie"].lower()
        assert all(word in cookie for word in ("httponly", "samesite=strict", "path=/"))
        assert "secure" not in cookie

    for proxies in ((), ("127.0.0.1",)):
        with running_server(trusted_proxies=proxies) as found:
            safe = found.ask("/login", {"token": found.token("read")}, headers={"x-forwarded-proto": "https"})
            assert ("secure" in safe.headers["set-cookie"].lower()) is bool(proxies)


def test_a_form_logs_in_without_any_script_and_leads_where_one_wanted_to_go() -> None:
    with running_server(login=True) as found:
        page = {"accept": "text/html,*/*"}
        sent = found.ask("/x/ex_a1?tab=plan", headers=page)
        assert (sent.status, sent.headers["location"]) == (303, "/login?next=%2Fx%2Fex_a1%3Ftab%3Dplan")
        assert b'value="/x/ex_a1?tab=plan"' in found.ask(sent.headers["location"], headers=page).body
        token = found.token("read")
        browser = Browser()
        form = urlencode({"token": token, "next": "/x/ex_a1?tab=plan"}).encode()
        done = found.ask("/login", form, browser=browser, headers=FORM)
        assert (done.status, done.headers["location"]) == (303, "/x/ex_a1?tab=plan")
        assert found.ask("/v1/executions", browser=browser).status == 200


@pytest.mark.parametrize("form", [True, False])
def test_a_wrong_token_is_rejected_for_every_sender(form: bool) -> None:
    with running_server(login=True) as found:
        wrong = "ts_wrong"
        body = urlencode({"token": wrong}).encode() if form else {"token": wrong}
        answer = found.ask("/login", body, headers=FORM if form else None)
        assert answer.status == 403
        assert "set-cookie" not in answer.headers
        assert b"unknown, revoked or expired" in answer.body


@pytest.mark.parametrize("body", [b"[1]", b"{", b"\xff", b"{" * 5000, b'{"token": 5}', b'{"token": {"a": 1}}', b""])
def test_nonsense_is_no_login(body: bytes) -> None:
    with running_server(login=True) as found:
        assert found.ask("/login", body, headers={"content-type": "application/json"}).status == 403


@pytest.mark.parametrize(
    "wanted", ["", "https://evil.example", "//evil.example", "/\\evil.example", "x", "/a\nb", "/;url=//e"]
)
def test_the_login_never_redirects_to_another_site(wanted: str) -> None:
    assert own_path(wanted) == "/"
    assert own_path("/x/ex_1?entry=3") == "/x/ex_1?entry=3"


def test_attempts_are_limited() -> None:
    with running_server(login=True) as found:
        met = [found.ask("/login", {"token": f"ts_{number}"}) for number in range(int(LOGIN_BURST) + 1)]
        assert [answer.status for answer in met] == [403] * int(LOGIN_BURST) + [429]
        assert int(met[-1].headers["retry-after"]) > 0
        assert found.ask("/login", {"token": found.token("read")}).status == 200  # others guess at its address
        assert "set-cookie" in found.ask(f"/login?once={found.app.logins.link()}").headers
        assert found.ask("/login?once=wrong").status == 429


def test_a_cookie_alone_changes_nothing() -> None:
    with running_server() as found:
        browser = _logged_in(found, found.token("approve", name="ada"))
        approval = _ask_for(found)
        path, answer = f"/v1/approvals/{approval}/decision", {"verdict": "approve", "reason": "we agreed"}
        token, browser.csrf = browser.csrf, ""
        assert found.ask(path, answer, browser=browser).status == 403
        browser.csrf = "guessed"
        assert found.ask(path, answer, browser=browser).status == 403
        browser.csrf = token
        assert found.ask(path, answer, browser=browser).status == 200
        assert found.journal().get_approval(approval_id=approval).status == "approve"


def test_a_login_by_link_decides_only_with_an_approver_s_credential() -> None:
    with running_server() as found:
        browser, approval = _logged_in(found), _ask_for(found)
        path, answer = f"/v1/approvals/{approval}/decision", {"verdict": "approve", "reason": "we agreed"}
        assert found.ask(path, answer, browser=browser).status == 403
        before = browser.cookie
        session = found.ask("/login", {"token": found.token("approve", name="ada")}, browser=browser).json
        assert (session["name"], session["may_decide"], session["person"]) == ("ada", True, True)
        assert browser.cookie != before
        browser.csrf = session["csrf"]
        assert found.ask(path, answer, browser=browser).status == 200
        entry = found.journal().read_entries(kind="approval_decided").entries[0]
        assert (entry.actor_kind, entry.actor) == ("person", "ada")


def test_an_agent_s_token_logs_in_and_still_decides_nothing() -> None:
    with running_server() as found:
        browser, approval = _logged_in(found, found.token("agent")), _ask_for(found)
        assert found.ask("/session", browser=browser).json["may_decide"] is False
        answer = found.ask(
            f"/v1/approvals/{approval}/decision", {"verdict": "approve", "reason": "I want to"}, browser=browser
        )
        assert answer.status == 403


def test_a_login_ends_with_its_credential() -> None:
    with running_server(login=True) as found:
        browser = _logged_in(found, found.token("read", name="rita"))
        assert found.ask("/v1/executions", browser=browser).status == 200
        found.administrator().revoke_credential(name="rita")
        assert found.ask("/v1/executions", browser=browser).status == 401
        assert found.ask("/session", browser=browser).json["person"] is False


def test_a_logout_ends_the_login() -> None:
    with running_server(login=True) as found:
        browser = _logged_in(found)
        assert found.ask("/logout", {}, browser=browser).status == 204
        assert found.ask("/v1/executions", headers={"cookie": browser.cookie}).status == 401


def test_a_page_of_another_server_on_this_machine_gets_nothing_recorded() -> None:
    with running_server() as found:
        browser = _logged_in(found, origin="http://localhost:3000")
        for who in (browser, Browser(origin="http://localhost:3000")):
            assert found.ask("/v1/executions", {"title": "x"}, browser=who).status == 403
        own = Browser(origin=f"http://127.0.0.1:{found.port}")
        assert found.ask("/v1/executions", {"title": "x"}, browser=own).status == 201


def test_on_this_machine_nothing_is_lost_by_logging_in() -> None:
    with running_server() as found:
        found.journal(OTHER).record_context(key="where", value="there")
        browser = _logged_in(found, found.token("approve", name="ada"))
        assert found.ask("/v1/export", browser=browser).status == 200
        there = found.ask(f"/v1/context/where?journal={OTHER}", browser=browser)
        assert there.json["values"][0]["value"] == "there"
        session = found.ask(f"/session?journal={OTHER}", browser=browser).json
        assert (session["journal"], session["may_decide"], session["needs_login"]) == (OTHER, False, False)


def test_logging_in_does_not_lift_a_limit_to_tasks() -> None:
    with running_server() as found:
        browser = _logged_in(found, found.token("read", tasks=("T-1",)))
        assert found.ask("/v1/export", browser=browser).status == 403


@pytest.mark.parametrize(("scope", "status"), [("approve", 201), ("read", 403), ("admin", 403)])
def test_a_person_on_this_machine_moves_an_execution_with_the_scope_for_it_alone(scope: str, status: int) -> None:
    with running_server() as found:
        execution = found.journal().record_execution_start(title="Deploy").id
        browser = _logged_in(found, found.token(scope, name="ada"))
        decision = {"decision": "pause", "why": "lunch", "execution_id": execution}
        assert found.ask("/v1/decisions", decision, browser=browser).status == status
        assert found.ask("/v1/executions", {"title": "x"}, browser=browser).status == 403
        decided = found.journal().read_entries(kind="decision_recorded").entries
        assert [(each.actor_kind, each.actor) for each in decided] == [("person", "ada")] * (status == 201)


class Now:
    """A clock to be moved by hand."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def test_a_login_is_over_when_it_is_not_used_and_also_when_it_is() -> None:
    now = Now()
    logins = Logins(now)
    idle, used = logins.open(), logins.open()
    while now.time <= MAX_LOGIN_SECONDS:
        assert logins.find(used.id) is used
        now.time += IDLE_SECONDS / 2
    assert logins.find(used.id) is None
    assert logins.find(idle.id) is None


def test_an_old_link_does_not_log_in() -> None:
    now = Now()
    logins = Logins(now)
    link = logins.link()
    now.time = LINK_SECONDS + 1
    assert logins.use(link) is None
    newer = logins.link()
    assert logins.use(link) is None
    assert logins.use(newer) is not None
    assert logins.use(newer) is None
    assert logins.use("") is None


def test_the_number_of_logins_is_bounded() -> None:
    logins = Logins()
    first, second = logins.open(), logins.open()
    for _ in range(MAX_LOGINS - 2):
        logins.open()
    assert logins.find(first.id) is first
    logins.open()
    assert logins.find(second.id) is None
    assert logins.find(first.id) is first
