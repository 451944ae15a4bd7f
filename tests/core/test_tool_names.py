"""The different names that clients give one tool."""

from typing import Any

import pytest

from tallystick.core.tools import SHELLS, SeenTool, is_exactly, is_gateway_tool, is_general, same_call, same_tool

GENERAL = (
    *("Write", "Edit", "MultiEdit", "NotebookEdit", "Task", "Agent", "apply_patch", "write_stdin", "create_file"),
    *("str_replace", "search_replace", "delete_file", "run_command", "execute_command", "mcp__shell__run_command"),
    *("mcp__db__execute_sql", "MCP:run_command", "mcp__fs__write_file"),
)


@pytest.mark.parametrize(
    ("seen", "stated"),
    [
        ("mcp__github__create_issue", "create_issue"),
        ("mcp__github__create_issue", "github__create_issue"),
        ("mcp__github__create_issue", "mcp_github_create_issue"),
        ("MCP:create_issue", "create_issue"),
        ("MCP:create_issue", "mcp__github__create_issue"),
        ("Bash", "exec_command"),
        ("Bash", "bash"),
        ("Shell", "run_terminal_cmd"),
        ("Write", "create"),
    ],
)
def test_a_tool_is_recognized_by_the_name_its_model_uses(seen: str, stated: str) -> None:
    assert same_tool(seen, stated)


@pytest.mark.parametrize(
    ("seen", "stated"),
    [
        ("mcp__github__create_issue", "issue"),
        ("mcp__github__create_issue", "mcp__gitlab__create_issue"),
        ("MCP:create_issue", "MCP:issue"),
        ("MCP:create_issue", ""),
        ("Bash", "Write"),
        ("", "Bash"),
    ],
)
def test_a_different_tool_is_not_the_same(seen: str, stated: str) -> None:
    assert not same_tool(seen, stated)


def test_arguments_are_recognized_by_the_names_a_model_uses() -> None:
    assert same_call({"command": "make"}, {"cmd": "make"})
    assert same_call({"command": "make"}, {"command": ["bash", "-lc", "make"]})
    assert same_call({"file_path": "/a", "content": ""}, {"path": "/a"})
    assert not same_call({"command": "make"}, {"cmd": "make all"})
    assert not same_call({"command": "make"}, {"cmd": "make", "workdir": "/x"})
    assert not same_call({"name": "make"}, {"title": "make"})


@pytest.mark.parametrize("seen", ["mcp__t__echo", "mcp__any__t__echo", "MCP:t__echo", "my-gateway-t__echo"])
def test_a_tool_behind_the_gateway_is_recognized_by_its_shown_name(seen: str) -> None:
    assert is_gateway_tool(seen, "mcp__one__echo", "t__echo")
    assert SeenTool("mcp__one__echo", "t__echo", behind_gateway=True).is_named(seen)
    assert not SeenTool("mcp__one__echo", "t__echo").is_named(seen)  # a server that is not behind it has another tool


@pytest.mark.parametrize("seen", ["mcp__any__re__echo", "MCP:echo", "Bash", "echo", "mcp__any__t__echo2"])
def test_a_tool_shown_under_another_name_is_another_tool(seen: str) -> None:
    assert not is_gateway_tool(seen, "mcp__one__echo", "t__echo")


@pytest.mark.parametrize("tool", [*sorted(SHELLS), *GENERAL])
def test_a_tool_that_does_anything_is_general(tool: str) -> None:
    assert is_general(tool)


@pytest.mark.parametrize("tool", ["deploy", "mcp__ci__deploy", "MCP:send_mail", "create_issue", "dropdb", "cp", "pay"])
def test_a_tool_that_is_named_for_its_work_is_not_general(tool: str) -> None:
    assert not is_general(tool)


@pytest.mark.parametrize(
    ("made", "exact"),
    [
        ({"command": "dropdb old"}, True),
        ({"cmd": ["bash", "-lc", "dropdb old"], "justification": "asked", "timeout_ms": 1000}, True),
        ({"command": "dropdb old", "workdir": "/srv"}, False),
        ({"command": "dropdb new"}, False),
        ({}, False),
    ],
)
def test_a_call_is_exactly_the_stated_one_but_for_what_clients_add(made: dict[str, Any], exact: bool) -> None:
    assert is_exactly(made, {"command": "dropdb old"}) is exact
