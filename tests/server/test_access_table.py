"""The access table: every route of the server, requested by every kind of client. The table is the promise.

`here` is a program on this machine with no token, `nobody` one with no token where a login is needed; `token` is the
one that a server can be started with, `link` a person who came by the link that it printed. The others show a
credential: with that scope, or with `read` limited to a task, or an `old` one that has expired, a `void` one that was
revoked, or one of an `other` journal that asks for this one.
"""

import re
from collections.abc import Iterator

import pytest
from starlette.routing import Route

from tallystick.operations import CATALOGUE
from tests.server.web_server import NAME, OTHER, Browser, RunningServer, running_server

TABLE = """
                                          here nobody token link agent run read approve audit admin task old void other
what reads                                yes  401    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
what records                              yes  401    yes   403  yes   yes 403  403     403   403   403  401 401  403
POST /v1/actions                          yes  401    yes   403  yes   yes 403  yes     403   403   403  401 401  403
POST /v1/decisions                        yes  401    yes   403  yes   yes 403  yes     403   403   403  401 401  403
GET /v1/verification                      yes  401    yes   yes  yes   yes yes  yes     yes   yes   403  401 401  403
GET /v1/export                            yes  401    403   403  403   403 403  403     yes   yes   403  401 401  403
GET /v1/credentials                       yes  401    403   403  403   403 403  403     yes   yes   403  401 401  403
GET /v1/webhooks                          yes  401    403   403  403   403 403  403     yes   yes   403  401 401  403
GET /v1/webhooks/{name}/dead              yes  401    403   403  403   403 403  403     yes   yes   403  401 401  403
POST /v1/webhooks                         401  401    403   403  403   403 403  403     403   yes   403  401 401  403
POST /v1/webhooks/{name}/rotation         401  401    403   403  403   403 403  403     403   yes   403  401 401  403
POST /v1/webhooks/{name}/test             401  401    403   403  403   403 403  403     403   yes   403  401 401  403
POST /v1/webhooks/{name}/replay           401  401    403   403  403   403 403  403     403   yes   403  401 401  403
POST /v1/webhooks/{name}/removal          401  401    403   403  403   403 403  403     403   yes   403  401 401  403
POST /v1/approvals/{approval_id}/decision 401  401    403   403  403   403 403  yes     403   403   403  401 401  403
POST /v1/alerts/silences                  401  401    403   403  403   403 403  yes     403   403   403  401 401  403
POST /v1/credentials                      401  401    403   403  403   403 403  403     403   yes   403  401 401  403
POST /v1/credentials/{name}/revocation    401  401    403   403  403   403 403  403     403   yes   403  401 401  403
POST /v1/erasures                         401  401    403   403  403   403 403  403     403   yes   403  401 401  403
POST /v1/runs                             401  401    403   403  403   yes 403  403     403   403   403  401 401  403
POST /v1/runs/{execution_id}/items        401  401    403   403  403   yes 403  403     403   403   403  401 401  403
GET /events                               yes  401    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
GET /openapi.json                         yes  401    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
GET /metrics                              yes  401    yes   yes  yes   yes yes  yes     yes   yes   403  401 401  403
POST /v1/imports                          yes  401    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
GET /v1/imports                           yes  401    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
GET /v1/journals                          yes  401    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
GET /livez                                yes  yes    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
GET /readyz                               yes  yes    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
GET /version                              yes  yes    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
POST /mcp                                 yes  401    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
the page                                  yes  401    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
GET /session                              yes  yes    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
GET /login                                yes  yes    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
GET /static/{path}                        yes  yes    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
GET /static/bundle/{name}                 yes  yes    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
GET /static/embed/tallystick.js           yes  yes    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
GET /embed/{path}                         yes  yes    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
GET /favicon.ico                          yes  yes    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
POST /logout                              yes  401    yes   yes  yes   yes yes  yes     yes   yes   yes  401 401  403
"""
WHO = TABLE.split("\n")[1].split()
ROWS = {line[:42].strip(): line[42:].split() for line in TABLE.split("\n")[2:] if line}
PAGE = {
    *(
        "/",
        "/executions",
        "/x/{execution_id}",
        "/approvals",
        "/approvals/{approval_id}",
        "/alerts",
        "/webhooks",
        "/context",
        "/plans",
        "/plans/{plan_id}",
    ),
    *("/stats", "/compare", "/replay/{execution_id}", "/import", "/clients"),
}
ELSEWHERE = {
    "POST /login": "tests/server/test_login.py: a wrong token is refused whoever sends it",
    "GET /v1/{rest}": "nothing is there",
    "GET /mcp": "a stream of a session that POST /mcp has opened",
}
SHARED = "shared-by-all-0123456789"
ASKED = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
BODIES: dict[str, dict[str, object]] = {
    "POST /mcp": {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO},
    "POST /v1/actions": {"phase": "done", "kind": "undo", "undoes": "ac_none", "summary": "put it back"},
    "POST /v1/decisions": {"decision": "pause", "why": "lunch", "execution_id": "ex_none"},
}


class Clients:
    """Each kind of client: its server, its token, and the browser that has its cookie."""

    def __init__(self, here: RunningServer, closed: RunningServer) -> None:
        self.here = here
        self.closed = closed
        self.tokens = {scope: closed.token(scope) for scope in ("agent", "run", "read", "approve", "audit", "admin")}
        self.tokens["task"] = closed.token("read", tasks=("T-1",))
        self.tokens["other"] = closed.token("admin", journal=OTHER)
        self.tokens["void"] = closed.token("read", name="gone")
        closed.administrator().revoke_credential(name="gone")
        self.tokens["old"] = closed.token("read", expires="1m")
        self.tokens["token"] = SHARED
        closed.clock.advance(61)
        self.browser = Browser()
        closed.ask(f"/login?once={closed.app.logins.link()}", browser=self.browser)
        self.browser.csrf = closed.ask("/session", browser=self.browser).json["csrf"]

    def ask(self, who: str, what: str) -> str:
        """`yes` if the request was permitted, whatever its result; else the status."""
        method, _, path = what.partition(" ")
        filled = re.sub(r"\{\w+\}", "nothing", path)
        body = None if method == "GET" else BODIES.get(what, {})
        server = self.here if who == "here" else self.closed
        answer = server.ask(
            filled,
            body,
            token=self.tokens.get(who, ""),
            browser=self.browser if who == "link" else None,
            headers={"tallystick-journal": NAME, "accept": "application/json, text/event-stream"},
        )
        assert answer.status < 500 or what == "GET /readyz", answer.body
        assert answer.status != 429
        return str(answer.status) if answer.status in (401, 403) else "yes"


@pytest.fixture(scope="module")
def clients() -> Iterator[Clients]:
    with running_server() as here, running_server(token=SHARED, rate=1e6) as closed:
        yield Clients(here, closed)


def _operations() -> dict[str, str]:
    """Every operation, and its row."""
    usual = {("read", "read"): "what reads", ("record", "agent"): "what records"}
    return {
        each.http: each.http if each.http in ROWS else usual.get((each.kind, each.scope), each.http)
        for each in CATALOGUE.values()
    }


def _routes(clients: Clients) -> set[str]:
    """Every route with its methods, written as the operations are."""
    found = set()
    for route in clients.here.app.routes:
        assert isinstance(route, Route)
        path = re.sub(r":\w+\}", "}", route.path)
        methods = getattr(route.endpoint, "methods", None) or route.methods or ("GET", "POST")
        found |= {f"{method} {path}" for method in methods if method in ("GET", "POST", "PUT", "PATCH", "DELETE")}
    return found


def test_every_route_is_in_the_table(clients: Clients) -> None:
    known = {*ROWS, *ELSEWHERE, *_operations(), *(f"GET {path}" for path in PAGE)}
    unknown = {route for route in _routes(clients) if route not in known and not route.endswith("/v1/{rest}")}
    assert unknown == set(), "say in the table who may ask for it"


def test_every_operation_beyond_reading_and_recording_has_a_row_in_the_table() -> None:
    assert {row for row in _operations().values() if row not in ROWS} == set()


@pytest.mark.parametrize("who", WHO)
def test_every_client_has_exactly_the_permissions_of_the_table(clients: Clients, who: str) -> None:
    column = WHO.index(who)
    requests = _operations() | {f"GET {path}": "the page" for path in PAGE}
    requests |= {row: row for row in ROWS if row.partition(" ")[2].startswith("/") and row != "POST /logout"}
    requests |= {"POST /logout": "POST /logout"} if who != "link" else {}  # it would be gone for all that follow
    expected = {what: ROWS[row][column] for what, row in requests.items()}
    assert {what: clients.ask(who, what) for what in requests} == expected


def test_only_the_holder_of_the_credential_decides_and_never_an_agent(clients: Clients) -> None:
    decided = {who for who in WHO if ROWS["POST /v1/approvals/{approval_id}/decision"][WHO.index(who)] == "yes"}
    assert decided == {"approve"}
