"""SIGKILL of the gateway, of a server and of the agent, between intent and outcome: what was open is in doubt, every
one of it, none twice and none lost."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tallystick import Journal
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, refusal_of
from tests.gateway.killed_gateway import POINTS
from tests.interfaces.mcp.line_client import JOURNAL, TIMEOUT_SECONDS, environment, request

KILLED = str(Path(__file__).with_name("killed_gateway.py"))
CALLS = 6


def _account(folder: Path) -> dict[int, list[str]]:
    """By the number of a call, the states of its actions, once all that ran is over."""
    found: dict[int, list[str]] = {}
    with Journal.open(f"sqlite:///{folder / 'journal.db'}", journal=JOURNAL) as journal:
        for entry in journal.read_entries(kind="action_begun", limit=100).entries:
            action = journal.get_action(action_id=entry.id)
            found.setdefault(action.begin_body["arguments"]["n"], []).append(action.state)
    return found


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("point", POINTS)
def test_a_killed_gateway_leaves_every_open_call_in_doubt(point: str, number: int, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps(config_for(server)))
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    command = [sys.executable, KILLED, point, str(number), "--config", str(config), "--url", url, "--journal", JOURNAL]
    requests = [request(n, "tools/call", {"name": "echo", "arguments": {"n": n}}) for n in range(CALLS)]
    halves = [b"".join(json.dumps(each).encode() + b"\n" for each in part) for part in (requests[:2], requests[2:])]
    pipe = subprocess.PIPE  # unbuffered: data that a killed process did not read is lost
    with subprocess.Popen(command, bufsize=0, stdin=pipe, stdout=pipe, env=environment()) as gateway:
        assert gateway.stdin is not None
        assert gateway.stdout is not None
        answered: set[int] = set()
        for half in halves:  # one after the other, so that each point is passed twice
            with suppress(BrokenPipeError):  # it was killed by then
                gateway.stdin.write(half)
            expected = len(answered) + half.count(b"\n")
            while len(answered) < expected and (line := gateway.stdout.readline()):
                answered.add(json.loads(line)["id"])
        assert gateway.wait(TIMEOUT_SECONDS) == -signal.SIGKILL
    account = _account(tmp_path)
    done = [call["arguments"]["n"] for call in server.calls()]
    assert len(done) == len(set(done)), "a call was made twice"
    assert set(done) <= account.keys(), "a call was made that nobody had intended"
    assert all(len(states) == 1 for states in account.values()), "a call is there twice"
    assert {state for (state,) in account.values()} <= {"ok", "in_doubt"}
    assert all(account[n] == ["ok"] for n in answered), "a response was sent for an outcome that is not stored"
    if point not in ("intended", "responded"):
        assert account, "nothing was ever intended"
    if point in ("written", "sent", "answered", "ending"):
        assert ["in_doubt"] in account.values()


def test_a_killed_server_leaves_its_open_calls_in_doubt_and_is_started_again(tmp_path: Path) -> None:
    one, two = ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, "two")
    with GatewayClient(tmp_path, config_for(one, two)) as client:
        for n in range(CALLS):
            client.start(n, "tools/call", {"name": "one__hang", "arguments": {"n": n}})
        client.result("one__look", n=100)
        begin = len(client.lines)
        os.kill(one.pid, signal.SIGKILL)
        for n in range(CALLS):
            answer = client.until(lambda message, n=n: message.get("id") == n, since=begin)  # type: ignore[misc]
            assert refusal_of(answer["result"])["code"] == "in_doubt_open"
        assert client.result("two__echo", n=101)["structuredContent"]["given"] == {"n": 101}
        assert client.result("one__echo", n=102)["structuredContent"]["given"] == {"n": 102}
    account = _account(tmp_path)
    assert [account[n] for n in range(CALLS)] == [["in_doubt"]] * CALLS
    assert account[101] == account[102] == ["ok"]


AGENT = """
import subprocess, sys, time
gateway = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
gateway.stdin.write(open(sys.argv[1], "rb").read())
gateway.stdin.flush()
for line in gateway.stdout:
    print(gateway.pid, flush=True)
"""


def test_a_killed_agent_leaves_its_open_calls_in_doubt(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    config, lines = tmp_path / "mcp.json", tmp_path / "lines"
    config.write_text(json.dumps(config_for(server)))
    requests: list[dict[str, Any]] = [
        request(n, "tools/call", {"name": "hang", "arguments": {"n": n}}) for n in range(CALLS)
    ]
    requests.append(request(CALLS, "tools/call", {"name": "look", "arguments": {"n": CALLS}}))
    lines.write_text("".join(json.dumps(each) + "\n" for each in requests))
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    gateway = [sys.executable, "-m", "tallystick", "gateway", "--config", str(config), "--url", url]
    command = [sys.executable, "-c", AGENT, str(lines), *gateway, "--journal", JOURNAL]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment()) as agent:
        assert agent.stdout is not None
        pid = int(agent.stdout.readline())  # `look` is answered, so all before it have left
        agent.kill()
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        os.sched_yield()
    account = _account(tmp_path)
    assert account == {**{n: ["in_doubt"] for n in range(CALLS)}, CALLS: ["ok"]}


@pytest.mark.parametrize("given_up", [False, True])
def test_a_call_in_doubt_is_not_made_again_by_a_client_that_restarts_the_gateway(
    tmp_path: Path, given_up: bool
) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        client.start("c1", "tools/call", {"name": "hang", "arguments": {"order": 17}})
        while not server.calls("hang"):
            client.ask("tools/list")
        client.kill()
    with GatewayClient(tmp_path, config_for(server)) as client:
        client.result("echo", a=1)
        (doubted, other) = client.actions()
        assert doubted.execution_id != other.execution_id
        if given_up:
            client.call("record_decision", execution_id=doubted.execution_id, decision="fail", why="it hung")
        error = client.refusal("hang", order=17)
        assert error["code"] == "in_doubt_open"
        assert doubted.id in error["message"]
        assert len(server.calls("hang")) == 1
        fields: dict[str, Any] = {"outcome": "failed", "without_effect": True, "evidence": "there is no order 17"}
        client.call("record_action", phase="end", action_id=doubted.id, **fields)
        client.start("c2", "tools/call", {"name": "hang", "arguments": {"order": 17}})
        while len(server.calls("hang")) < 2:
            client.ask("tools/list")
