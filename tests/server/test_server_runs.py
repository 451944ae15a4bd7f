"""Runs at a real `tallystick serve`: it is killed and stopped in the middle, and goes on when it is started again."""

import json
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tallystick import Journal, tool
from tests.interfaces.mcp.http_client import Served, served
from tests.server.web_server import RunningServer, running_server

TIMEOUT_SECONDS = 30
TOOLS = """
import os, signal, time
from pathlib import Path
from tallystick import tool

LOG = Path(__file__).with_name("log")

def is_there(name: str):
    return name in LOG.read_text().split() or None

def write(name):
    with LOG.open("a") as log:
        log.write(name + chr(10))

@tool(effect="probeable", probe=is_there)
def act(name: str) -> str:
    write(name)
    if name == "killer":
        os.kill(os.getpid(), signal.SIGKILL)
    return name

@tool
def wait(name: str) -> str:
    write(name)
    while not LOG.with_name("go").exists():
        time.sleep(0.01)
    return name
"""
POLICY = '[shell]\nonly = ["echo"]\n'


class World:
    """A store, tools and a policy in a folder, and the tokens of an operator and an agent."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"sqlite:///{folder / 'journal.db'}"
        (folder / "tools.py").write_text(TOOLS)
        (folder / "policy.toml").write_text(POLICY)
        (folder / "log").touch()
        with Journal.open(self.url, journal="test") as journal:
            admin = journal.add_credential(name="admin").secret
        with Journal.open(self.url, journal="test", credential=admin) as journal:
            self.operator = journal.add_credential(name="operator", scopes=("run",)).secret
            self.agent = journal.add_credential(name="agent", scopes=("agent",)).secret

    def serve(self, *options: str) -> AbstractContextManager[Served]:
        files = ("--run-tools", str(self.folder / "tools.py"), "--run-policy", str(self.folder / "policy.toml"))
        return served(self.url, *files, *options)

    @property
    def log(self) -> list[str]:
        return (self.folder / "log").read_text().split()

    def go(self) -> None:
        (self.folder / "go").touch()

    def wait(self, is_so: Callable[[], Any]) -> None:
        ends = monotonic() + TIMEOUT_SECONDS
        while not is_so():
            assert monotonic() < ends, self.log
            sleep(0.01)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture
def journal(world: World) -> Iterator[Journal]:
    """The journal of the store itself, beside the server."""
    with Journal.open(world.url, journal="test") as opened:
        yield opened


def operator(server: Served, world: World) -> Journal:
    return Journal.open(server.url.removesuffix("/mcp"), credential=world.operator)


def is_open(server: Served) -> bool:
    with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", server.port)):
        return True
    return False


def start(journal: Journal, *steps: dict[str, Any]) -> str:
    titled: Any = [
        {"title": each["arguments"]["name"], "id": each["arguments"]["name"], "cancellable": "reversible", **each}
        for each in steps
    ]
    return str(journal.run_plan(plan_id=journal.record_plan(title="Publish", steps=titled).id, key="publish").id)


def test_a_run_goes_on_when_the_server_that_was_killed_in_a_call_is_started_again(
    world: World, journal: Journal
) -> None:
    steps = [{"tool": "act", "arguments": {"name": name}} for name in ("first", "killer", "last")]
    with world.serve() as server:
        assert server.process
        with operator(server, world) as remote:
            execution = start(remote, *steps)
            assert server.process.wait(TIMEOUT_SECONDS) == -signal.SIGKILL
    assert world.log == ["first", "killer"]
    with world.serve():
        world.wait(lambda: journal.get_execution(execution_id=execution).status == "completed")
    assert world.log == ["first", "killer", "last"]


def test_a_server_that_is_stopped_lets_a_call_end_and_leaves_the_rest_to_the_next(
    world: World, journal: Journal
) -> None:
    with world.serve() as server:
        assert server.process
        with operator(server, world) as remote:
            execution = start(
                remote,
                {"tool": "wait", "arguments": {"name": "under_way"}},
                {"tool": "act", "arguments": {"name": "next"}},
            )
            world.wait(lambda: world.log == ["under_way"])
        server.process.terminate()
        world.wait(lambda: not is_open(server))  # from then on it begins nothing more
        world.go()
        assert server.process.wait(TIMEOUT_SECONDS) == 0
    left = journal.get_execution(execution_id=execution)
    assert (left.status, left.done_steps, left.in_doubt, world.log) == ("running", 1, 0, ["under_way"])
    with world.serve():
        world.wait(lambda: journal.get_execution(execution_id=execution).status == "completed")


def test_without_grace_a_call_under_way_is_held_and_not_repeated(world: World, journal: Journal) -> None:
    with world.serve("--run-grace", "0") as server:
        assert server.process
        with operator(server, world) as remote:
            execution = start(remote, {"tool": "wait", "arguments": {"name": "under_way"}})
            world.wait(lambda: world.log == ["under_way"])
        server.process.terminate()
        world.wait(lambda: journal.list_in_doubt(execution_id=execution).in_doubt)
        world.go()
        assert server.process.wait(TIMEOUT_SECONDS) == 0
    with world.serve() as server, operator(server, world) as remote:
        other = start_other(remote)
        world.wait(lambda: journal.get_execution(execution_id=other).status == "completed")
    assert world.log == ["under_way", "other"]


def start_other(journal: Journal) -> str:
    step: Any = {
        "id": "o",
        "title": "o",
        "cancellable": "reversible",
        "tool": "act",
        "arguments": {"name": "other"},
    }
    return str(journal.run_plan(plan_id=journal.record_plan(title="Other", steps=[step]).id).id)


def test_requests_are_answered_while_calls_are_under_way(world: World, journal: Journal) -> None:
    names = [f"w{number}" for number in range(16)]
    with world.serve() as server, operator(server, world) as remote:
        execution = start(remote, *({"tool": "wait", "arguments": {"name": name}, "after": []} for name in names))
        world.wait(lambda: sorted(world.log) == sorted(names))
        assert remote.get_execution(execution_id=execution).actions == {"open": 16}
        world.go()
        world.wait(lambda: journal.get_execution(execution_id=execution).status == "completed")


def test_a_server_whose_policy_permits_no_tool_does_not_start(world: World, capfd: pytest.CaptureFixture[str]) -> None:
    policy = world.folder / "policy.toml"
    policy.write_text("[resources.bank]\nat_most = 1\n")
    with pytest.raises(RuntimeError), served(world.url, "--run-policy", str(policy)):
        pass
    assert "No tool is registered for runs" in capfd.readouterr().err


# ----------------------------------------------------------------------------------------------------------------------
# MCP


def headers(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def listed(server: Served, token: str) -> list[str]:
    answer = server.modern("tools/list", {}, headers=headers(token)).message
    return [each["name"] for each in answer["result"]["tools"]]


def ask(server: Served, token: str, tool: str, **arguments: Any) -> Any:
    answer = server.modern("tools/call", {"name": tool, "arguments": arguments}, headers=headers(token))
    return answer.message["result"]


SAVED = {"name": "Publish", "steps": [{"id": "a", "name": "a", "tool": "act", "parameters": {"name": "a"}}]}


@contextmanager
def in_process(tools: list[Any]) -> Iterator[tuple[RunningServer, Served, str, str]]:
    """A server in this process, its address for MCP, and the tokens of an operator and of an agent."""
    with running_server(run_tools=tools) as server:
        found = Served(f"MCP over HTTP: {server.url}/mcp")
        yield server, found, server.token("run"), server.token("agent")


def until_over(server: RunningServer, execution: str) -> None:
    ends = monotonic() + TIMEOUT_SECONDS
    while server.journal().get_execution(execution_id=execution).status != "completed":
        assert monotonic() < ends
        sleep(0.01)


def test_over_mcp_run_plan_is_listed_only_where_plans_are_run_and_for_who_may_ask() -> None:
    @tool
    def act(name: str) -> str:
        return name

    with in_process([]) as (_, mcp, operators, _):
        usual = listed(mcp, operators)
        assert "run_plan" not in usual
    with in_process([act]) as (server, mcp, operators, agents):
        assert listed(mcp, agents) == usual
        assert listed(mcp, operators) == [*usual, "run_plan"]
        step = {"id": "a", "title": "a", "tool": "act", "arguments": {"name": "a"}, "undo": "no"}
        plan = ask(mcp, operators, "record_plan", title="Publish", steps=[step])["structuredContent"]["id"]
        refused = ask(mcp, agents, "run_plan", plan_id=plan)
        assert refused["isError"]
        assert "This needs the scope `run`; your access grants: agent." in json.dumps(refused)
        run = ask(mcp, operators, "run_plan", plan_id=plan)["structuredContent"]
        assert "carried out for you" in run["next"]
        until_over(server, run["id"])


def test_execute_plan_of_an_earlier_design_runs_the_plan_where_it_can_and_else_says_what_to_do() -> None:
    log: list[str] = []

    @tool
    def act(name: str) -> str:
        log.append(name)
        return name

    with in_process([]) as (_, mcp, operators, _):
        plan = ask(mcp, operators, "save_plan", **SAVED)["structuredContent"]["id"]
        started = ask(mcp, operators, "execute_plan", plan_id=plan)["structuredContent"]
        assert "nothing is run for you: do step a" in started["next"]
    with in_process([act]) as (server, mcp, operators, agents):
        plan = ask(mcp, agents, "save_plan", **SAVED)["structuredContent"]["id"]
        started = ask(mcp, agents, "execute_plan", plan_id=plan)["structuredContent"]
        assert "nothing is run for you: do step a" in started["next"]
        assert log == []
        plan = ask(mcp, operators, "save_plan", **SAVED)["structuredContent"]["id"]
        run = ask(mcp, operators, "execute_plan", plan_id=plan, notes="tonight", more=1)["structuredContent"]
        assert "the server carries it out" in run["next"]
        until_over(server, run["id"])
        assert log == ["a"]
        entries = server.journal().read_entries(execution_id=run["id"]).entries
        assert "tonight" in str([each.body for each in entries])
