"""Standard error that takes nothing: neither a call nor the gateway suffers from it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tallystick.gateway.io.log import StderrLog
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, text_of

CHATTER = "y" * 90 + "\n"


def _unread() -> tuple[int, list[int]]:
    """The end of a full pipe that has no reader."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(writing, True)
    return writing, [reading, writing]


def _gone() -> tuple[int, list[int]]:
    reading, writing = os.pipe()
    os.close(reading)
    return writing, [writing]


def _full() -> tuple[int, list[int]]:
    descriptor = os.open("/dev/full", os.O_WRONLY)
    return descriptor, [descriptor]


@pytest.mark.parametrize("made", [_unread, _gone, _full])
def test_calls_are_made_when_standard_error_is_full_or_closed(made: object, tmp_path: Path) -> None:
    one, other = ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, "other")
    descriptor, held = made()  # type: ignore[operator]
    try:
        with GatewayClient(tmp_path, config_for(one, other), "legacy", stderr=descriptor) as client:
            result = client.result("one__raw", answer='"result":{"content":[]}', complaint=CHATTER * 2000)
            assert not result.get("isError")
            assert text_of(client.result("other__echo", a=1)) == '{"a": 1}'
            assert client.process.poll() is None
            assert [action.state for action in client.actions()] == ["ok", "ok"]
            assert client.close() == 0
    finally:
        for each in held:
            os.close(each)


def test_a_gateway_without_standard_error_speaks_nothing_but_the_protocol(tmp_path: Path) -> None:
    program = "import os, sys; os.close(2); os.execvp(sys.argv[1], sys.argv[1:])"
    one = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(one), "legacy") as client:
        command = [sys.executable, "-c", program, *client.process.args]  # type: ignore[misc]
        line = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
        done = subprocess.run(command, input=line, stdout=subprocess.PIPE, check=False)
    assert done.returncode == 0
    assert done.stdout == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'


def test_the_oldest_unwritten_log_lines_are_dropped_and_counted() -> None:
    writing, held = _unread()
    reading = held[0]
    log = StderrLog(writing, max_bytes=100)
    for number in range(30):
        log.put(b"line %d" % number)
    log.finish(0)
    os.set_blocking(reading, False)
    output = b""
    while b"line 29\n" not in output:
        try:
            output += os.read(reading, 1 << 16).lstrip(b"x")
        except BlockingIOError:
            log.finish()
    for each in held:
        os.close(each)
    lines = output.decode().splitlines()
    logged = [line for line in lines if line.startswith("line")]
    lost = sum(int(line.split()[2]) for line in lines if "could not be written" in line)
    assert logged[-1] == "line 29"
    assert 0 < lost == 30 - len(logged)


def test_lost_log_lines_are_counted_once_writing_works_again(tmp_path: Path) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    log = StderrLog(full)
    log.put(b"one")
    log.finish()
    log.put(b"two")
    log.finish()
    with (tmp_path / "log").open("wb") as file:
        os.dup2(file.fileno(), full)
    log.put(b"three")
    log.finish()
    os.close(full)
    assert (tmp_path / "log").read_text().splitlines() == [
        "tallystick gateway: 2 lines could not be written here",
        "three",
    ]


def test_with_json_each_line_is_an_object_and_names_the_server_that_wrote_it(tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    with (
        (tmp_path / "log").open("w+b") as file,
        GatewayClient(
            tmp_path, config_for(one), "legacy", stderr=file.fileno(), env={"TALLYSTICK_LOG": "json"}
        ) as client,
    ):
        client.result("raw", answer='"result":{"content":[]}', complaint='out of "paper"\n')
        assert client.close() == 0
        file.seek(0)
        lines = [json.loads(line) for line in file.read().splitlines()]
    assert {"server": "one", "event": 'out of "paper"'} in [
        {name: line.get(name) for name in ("server", "event")} for line in lines
    ]
    assert {line["logger"] for line in lines} == {"tallystick.gateway"}


def test_with_json_each_call_is_logged_with_its_ids_and_without_its_text(tmp_path: Path) -> None:
    config = config_for(ScriptedServer(tmp_path, "one"), servers={"one": {"tools": {"raw": "refuse"}}})
    with (
        (tmp_path / "log").open("w+b") as file,
        GatewayClient(tmp_path, config, "legacy", stderr=file.fileno(), env={"TALLYSTICK_LOG": "json"}) as client,
    ):
        client.result("echo", a="a text of the agent")
        client.result("raw", a="a text of the agent")
        [action] = client.actions()
        assert client.close() == 0
        file.seek(0)
        text = file.read().decode()
    calls = [line for line in map(json.loads, text.splitlines()) if line["event"] == "call"]
    assert [(line["level"], line["outcome"]) for line in calls] == [("info", "ok"), ("info", "refused")]
    assert (calls[0]["server"], calls[0]["tool"], calls[0]["action"]) == ("one", "echo", action.id)
    assert all(line["request_id"] for line in calls)
    assert "a text of the agent" not in text
