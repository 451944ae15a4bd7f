"""The server's log: a line for each request, with ids, and without anything that was recorded or searched for."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from tallystick import logs
from tests.server.web_server import RunningServer

CANARY = "canary-of-recorded-text"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    root, own = logging.getLogger(), logging.getLogger("tallystick")
    before, levels = root.handlers[:], (root.level, own.level)
    stream = io.StringIO()
    logs.configure("json", "info", stream)
    yield stream
    root.handlers[:] = before
    root.setLevel(levels[0])
    own.setLevel(levels[1])


def lines(log: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def test_a_record_is_logged_with_its_request_its_entry_and_who_sent_it(log: io.StringIO) -> None:
    with RunningServer() as server:
        token = server.token("agent", name="ada")
        body = {"title": CANARY}
        answer = server.ask("/v1/executions", body, token=token, headers={"x-request-id": "from-proxy.7"})
        assert answer.status == 201
        assert answer.headers["x-request-id"] == "from-proxy.7"
    line = next(line for line in lines(log) if line.get("request_id") == "from-proxy.7")
    assert line.pop("milliseconds") > 0
    assert line.pop("at").endswith("Z")
    assert line == {
        "level": "info",
        "event": "request",
        "logger": "tallystick.server",
        "request_id": "from-proxy.7",
        "method": "POST",
        "route": "record_execution_start",
        "status": 201,
        "journal": "test",
        "credential": "ada",
        "entry": answer.json["seq"],
    }
    assert CANARY not in log.getvalue()


@pytest.mark.parametrize(
    ("path", "route", "status"),
    [
        (f"/v1/entries?q={CANARY}", "read_entries", 400),
        (f"/v1/search?q={CANARY}", "nowhere", 404),
        (f"/{CANARY}", "page", 404),
        (f"/v1/executions/ex_{CANARY}", "get_execution", 404),
        ("/metrics", "metrics", 200),
    ],
)
def test_a_line_names_the_route_and_never_the_path_or_the_query(
    log: io.StringIO, path: str, route: str, status: int
) -> None:
    with RunningServer() as server:
        answer = server.ask(path)
    assert answer.status == status
    (line,) = lines(log)
    assert (line["route"], line["status"]) == (route, status)
    assert line["request_id"] == answer.headers["x-request-id"]
    assert CANARY not in log.getvalue()


@pytest.mark.parametrize("sent", ["a b", "x" * 65, "ids,with,commas", ""])
def test_an_id_that_is_not_plain_is_replaced(log: io.StringIO, sent: str) -> None:
    with RunningServer() as server:
        answer = server.ask("/livez", headers={"x-request-id": sent})
    assert len(answer.headers["x-request-id"]) == 16


def test_a_rejected_request_is_logged_without_its_token(log: io.StringIO) -> None:
    with RunningServer(login=True) as server:
        assert server.ask("/v1/executions", token=f"ts_{CANARY}").status == 401
    (line,) = lines(log)
    assert (line["status"], line.get("credential")) == (401, None)
    assert CANARY not in log.getvalue()


def test_an_error_is_logged_with_its_type_and_frames_and_without_its_message(log: io.StringIO) -> None:
    def fail() -> None:
        raise ValueError(CANARY)

    try:
        fail()
    except ValueError as error:
        logging.getLogger("tallystick.rest").error("%s failed", "get_brief", exc_info=error)
    (line,) = lines(log)
    assert (line["event"], line["error"]) == ("get_brief failed", "ValueError")
    assert line["frames"][-1].endswith(" fail")
    assert CANARY not in log.getvalue()


def test_a_line_of_text_stays_one_line_and_shows_control_characters() -> None:
    stream = io.StringIO()
    record = logging.LogRecord("tallystick.x", logging.WARNING, "", 0, "two\nlines \x1b[31m", (), None)
    record.fields = {"route": "a\nb", "note": "with space"}
    stream.write(logs.TextLines().format(record))
    assert stream.getvalue().partition(" ")[2] == (
        r'warning two\x0alines \x1b[31m logger=tallystick.x route=a\x0ab note="with space"'
    )
