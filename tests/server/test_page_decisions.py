"""What is decided on the page continues nobody's work, whoever is logged in."""

from typing import Any

import pytest

from tests.server.web_server import Browser, RunningServer, running_server

SAME_ORIGIN = {"sec-fetch-site": "same-origin"}


def _browser(server: RunningServer, login: str) -> Browser:
    """A browser whose user followed the printed link, entered a token, or did not log in."""
    browser = Browser(**SAME_ORIGIN)
    if login == "link":
        server.ask(f"/login?once={server.app.logins.link()}", browser=browser)
    elif login:
        server.ask("/login", {"token": server.token(login)}, browser=browser)
    browser.csrf = server.ask("/session", browser=browser).json["csrf"]
    return browser


def _interrupted(server: RunningServer) -> str:
    agent = server.journal()
    session = agent.open_session(lease_seconds=600).id
    body = {"title": "move the books"}
    execution: str = server.ask("/v1/executions", body, headers={"tallystick-session": session}).json["id"]
    server.clock.advance(601)
    return execution


def _decide(server: RunningServer, execution: str, **more: Any) -> str:
    decision = {"decision": "unwind", "why": "wrong house", "execution_id": execution}
    answer = server.ask("/v1/decisions", decision, **more)
    assert answer.status == 201, answer.json
    assert server.journal().get_status(execution_id=execution).execution.status == "unwinding"
    interrupted: str = server.journal().get_status(execution_id=execution).execution.interrupted
    return interrupted


@pytest.mark.parametrize("login", ["", "link", "run", "agent"])
def test_a_decision_on_the_page_continues_nobody_s_work(login: str) -> None:
    with running_server() as server:
        execution = _interrupted(server)
        assert _decide(server, execution, browser=_browser(server, login))


@pytest.mark.parametrize("token", ["", "agent"])
def test_a_decision_of_a_program_takes_the_work_up(token: str) -> None:
    with running_server() as server:
        execution = _interrupted(server)
        assert not _decide(server, execution, token=server.token(token) if token else "")
