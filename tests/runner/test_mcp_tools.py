"""Tools of MCP servers: a real server of the official SDK is listed, called, broken and started again."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tallystick import InvalidArgument, Journal
from tallystick.runner.tools.mcp import load_mcp_tools

SERVER = Path(__file__).with_name("mcp_server.py")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "mcp.json"
    server = {"command": sys.executable, "args": [str(SERVER), str(tmp_path / "log")]}
    file.write_text(json.dumps({"mcpServers": {"test": server}}))
    return file


def run(config: Path, *steps: dict[str, Any], at_once: int = 4) -> tuple[Any, dict[str, Any], list[str]]:
    with Journal.open("memory:") as journal:
        made = journal.run({"title": "t", "steps": list(steps)}, tools=load_mcp_tools(config), at_once=at_once)
        results = made.results
        errors = [entry.body["error"] for entry in made if entry.kind == "action_ended" and "error" in entry.body]
        return made, results, errors


def test_tools_are_called_by_their_names_with_values_of_earlier_steps(config: Path) -> None:
    _, results, errors = run(
        config,
        {"id": "a", "tool": "add", "arguments": {"a": 1, "b": 2}},
        {"id": "b", "tool": "mcp__test__say", "arguments": {"text": "${steps.a.result.total} is it"}, "after": ["a"]},
    )
    assert errors == []
    assert results == {"a": {"total": 3}, "b": {"result": "3 is it"}}
    assert (config.parent / "log").read_text().splitlines() == ["add", "say 3 is it"]


def test_text_that_is_json_can_be_referred_to_by_its_fields(config: Path) -> None:
    _, results, errors = run(
        config,
        {"id": "a", "tool": "look_up", "arguments": {"name": "Ada"}},
        {"id": "b", "tool": "say", "arguments": {"text": "${steps.a.result.json.name}"}, "after": ["a"]},
    )
    assert errors == []
    assert results["a"] == {"text": '{"name": "Ada"}', "json": {"name": "Ada"}}
    assert results["b"] == {"result": "Ada"}


@pytest.mark.parametrize(
    ("tool", "arguments", "category"),
    [("fail", {}, "failed"), ("die", {}, "lost")],
)
def test_a_call_that_does_not_go_well_has_its_category(
    config: Path, tool: str, arguments: dict[str, Any], category: str
) -> None:
    made, _, (error,) = run(config, {"id": "a", "tool": tool, "arguments": arguments})
    assert error.startswith(f"{category}:"), error
    assert set(made.held) == ({"a"} if category == "lost" else set())


def test_a_server_that_died_is_started_again_for_the_next_call(config: Path) -> None:
    _, results, _ = run(
        config,
        {"id": "a", "tool": "die", "after": [], "priority": 1},
        {"id": "b", "tool": "add", "arguments": {"a": 1, "b": 1}, "after": []},
        at_once=1,
    )
    assert results["b"] == {"total": 2}


def test_a_server_that_cannot_be_started_is_named_with_the_reason(config: Path) -> None:
    config.write_text(json.dumps({"mcpServers": {"lost": {"command": "/no/such/program"}}}))
    with pytest.raises(InvalidArgument, match="lost"):
        load_mcp_tools(config)
    config.write_text("{}")
    with pytest.raises(InvalidArgument, match="mcpServers"):
        load_mcp_tools(config)
