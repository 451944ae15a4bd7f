"""A tool has one name, whether a hook or the gateway saw its call."""

import json
from pathlib import Path

import pytest

from tallystick.capture.clients import observe
from tallystick.capture.clients.events import CallObserved, PermissionAsked
from tallystick.capture.hook.event import journal_tool_name, tool_call
from tallystick.capture.ingest.own_tools import OWN_TOOLS, is_own_tool
from tallystick.interfaces.mcp.tools import PROFILES

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*/*.json"))
EVENTS_WITHOUT_A_TOOL = {"afterFileEdit"}
"""Events without a tool name: their effect key is computed in the drain."""


def test_our_own_tools_are_those_that_the_server_offers() -> None:
    assert set(PROFILES["all"]) == set(OWN_TOOLS)
    assert all(is_own_tool(f"mcp__tallystick__{tool}", {}) for tool in OWN_TOOLS)
    assert is_own_tool("mcp__plugin_tallystick_tallystick__record_plan", {})
    assert not is_own_tool("mcp__tallystick__create_issue", {})
    assert not is_own_tool("mcp__other__record_plan", {})


@pytest.mark.parametrize("shown", ["mcp__journal__", "MCP:", "my-journal-"])
def test_our_own_tools_are_known_under_another_servers_name_by_their_arguments(shown: str) -> None:
    assert is_own_tool(f"{shown}record_plan", {"title": "Move", "steps": []})
    assert is_own_tool(f"{shown}record_decision", {"decision": "done", "why": "it is"})
    assert not is_own_tool(f"{shown}record_decision", {"title": "We use Rust", "status": "accepted"})
    assert not is_own_tool(f"{shown}record_action", {"phase": "close", "deal": 5})
    assert not is_own_tool(f"{shown}query_ledger", {"account": "x"})
    assert not is_own_tool(f"{shown}create_issue", {"title": "A", "steps": []})


def test_a_tool_without_typical_arguments_is_ours_only_if_no_server_is_named() -> None:
    for tool, name in (
        ("query_ledger", {}),
        ("record_context", {"key": "a", "value": 1}),
        ("record_plan", {"title": ""}),
    ):
        assert is_own_tool(f"MCP:{tool}", name)
        assert not is_own_tool(f"mcp__books__{tool}", name)
        assert not is_own_tool(f"books-{tool}", name)


def test_our_own_tools_are_known_by_the_names_that_copilot_gives_them() -> None:
    assert all(is_own_tool(journal_tool_name(f"tallystick-{tool}"), {}) for tool in OWN_TOOLS)
    assert journal_tool_name("tallystick-github__create_issue") == "mcp__github__create_issue"
    assert (
        journal_tool_name("github-mcp-server-list_issues") == "github-mcp-server-list_issues"
    )  # where does the server end?


def test_a_call_through_our_gateway_has_the_name_of_its_upstream() -> None:
    assert journal_tool_name("mcp__tallystick__github__create_issue") == "mcp__github__create_issue"
    assert journal_tool_name("mcp__plugin_tallystick_tallystick__github__list__all") == "mcp__github__list__all"
    assert journal_tool_name("mcp__github__create__issue") == "mcp__github__create__issue"
    assert journal_tool_name("\x00 Bash\n") == "Bash"
    assert journal_tool_name("") == "unknown"


def test_the_hook_computes_effect_keys_over_the_recorded_arguments() -> None:
    seen = 0
    for path in GOLDEN:
        golden = json.loads(path.read_text())
        for each in observe(path.parent.name, golden["event"], golden["payload"]):
            without_tool = isinstance(each, PermissionAsked) or golden["event"] in EVENTS_WITHOUT_A_TOOL
            if isinstance(each, CallObserved) and not without_tool:
                assert tool_call(golden["event"], golden["payload"]) == (each.tool, each.arguments), path
                seen += 1
    assert seen > 40
