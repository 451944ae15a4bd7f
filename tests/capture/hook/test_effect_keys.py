"""The hook's effect key of the unmasked call equals the journal's."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallystick.capture.hook import main as program
from tallystick.capture.hook.event import tool_call
from tallystick.capture.spool import file as spool_file
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.settings import load
from tallystick.store.memory import MemoryStore
from tests.capture.hook.events import CALL, EVENTS, options, payload
from tests.capture.hook.installed_hook import Hook
from tests.memory_folders import quick_folder

LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8)
)
TEXTS = st.text(max_size=8)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=8)
ARGUMENTS = st.dictionaries(TEXTS, VALUES, max_size=4)


@pytest.fixture(scope="module")
def context() -> Iterator[OperationContext]:
    store = MemoryStore()
    yield OperationContext(store, load({"TALLYSTICK_JOURNAL": "journal"}), Principal())
    store.close()


@pytest.fixture(scope="module")
def spool_folder(context: OperationContext) -> Iterator[Path]:
    with quick_folder() as folder:
        spool_file.replace_file(
            spool_file.sibling(spool_file.path(folder, "journal"), "key"),
            context.store.secret("journal").hex().encode(),
        )
        yield folder


@settings(deadline=None)
@given(tool=st.sampled_from(["Bash", "mcp__a__b", "é 字", "password"]), arguments=ARGUMENTS)
def test_the_key_is_the_journal_s_for_any_tool_and_arguments(
    context: OperationContext, spool_folder: Path, tool: str, arguments: dict[str, Any]
) -> None:
    hook_input = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": arguments}
    env = {"TALLYSTICK_SPOOL": str(spool_folder), "TALLYSTICK_JOURNAL": "journal"}
    event = program.HookEvent(["claude-code"], json.dumps(hook_input).encode(), env)
    assert event.record()["effect_key"] == context.effect_key(tool, arguments)


def test_the_effect_key_is_computed_over_the_unmasked_call(hook: Hook, context: OperationContext) -> None:
    spool_file.replace_file(spool_file.sibling(hook.spool, "key"), context.store.secret("journal").hex().encode())
    keys = set()
    for password in ("hunter2-a", "hunter2-b"):
        arguments = {"password": password, "text": "x" * 100_000, "n": 1.0}
        hook.send(["claude-code"], payload("claude-code", "PreToolUse", tool_input=arguments))
        keys.add(hook.records()[-1]["effect_key"])
        assert hook.records()[-1]["effect_key"] == context.effect_key("Bash", arguments)
    assert len(keys) == 2
    assert b"hunter2" not in Path(hook.spool).read_bytes()


@pytest.mark.parametrize("client", EVENTS)
def test_begin_and_end_of_a_call_have_the_same_key_and_other_events_have_none(
    hook: Hook, context: OperationContext, client: str
) -> None:
    spool_file.replace_file(spool_file.sibling(hook.spool, "key"), context.store.secret("journal").hex().encode())
    found: dict[str, str] = {}
    for event in EVENTS[client]:
        hook.send([client, *options(client, event)], payload(client, event))
        found[event] = hook.records()[-1].get("effect_key", "")
    for before, after in (
        ("PreToolUse", "PostToolUse"), ("BeforeTool", "AfterTool"), ("preToolUse", "postToolUse"),
        ("beforeMCPExecution", "afterMCPExecution"),
    ):  # fmt: skip
        if before in found:
            assert found[before] == found[after] != ""
    assert all(key.startswith("e1:") for event, key in found.items() if "ool" in event and "Batch" not in event)
    assert not [event for event, key in found.items() if key and "ession" in event]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (CALL, ("Bash", {"command": "ls -la"})),
        ({"tool_name": "mcp__files__write", "tool_input": {"a": 1}}, ("mcp__files__write", {"a": 1})),
        ({"tool_name": "mcp__tallystick__files__write", "tool_input": {}}, ("mcp__files__write", {})),
        ({"tool_name": "mcp__tallystick__record_plan"}, ("mcp__tallystick__record_plan", {})),
        ({"tool_name": "write", "mcp_server": {"name": "files"}}, ("mcp__files__write", {})),
        ({"tool_name": "mcp_a_b", "mcp_context": {"server_name": "a", "tool_name": "b"}}, ("mcp__a__b", {})),
        ({"tool_name": "mcp_a_b", "mcp_context": {"server_name": "a"}}, ("mcp__a__b", {})),
        ({"toolName": "bash", "toolArgs": '{"command": "ls"}'}, ("bash", {"command": "ls"})),
        ({"toolName": "bash", "toolArgs": "{broken"}, ("bash", {"input": "{broken"})),
        ({"tool_name": "x", "tool_input": [1]}, ("x", {"input": [1]})),
        ({"tool_name": "x", "tool_input": "[1]"}, ("x", {"input": [1]})),
        ({"tool_name": ["x"]}, None),
        ({"tool_name": ""}, None),
        ({}, None),
    ],
)
def test_a_tool_has_one_name_in_every_client(
    arguments: dict[str, Any], expected: tuple[str, dict[str, Any]] | None
) -> None:
    assert tool_call("PreToolUse", arguments) == expected


def test_a_shell_command_and_an_mcp_call_of_cursor_s_own_events_have_names() -> None:
    assert tool_call("beforeShellExecution", {"command": "ls", "cwd": "/x", "sandbox": True}) == (
        "Shell",
        {"command": "ls", "cwd": "/x"},
    )
    assert tool_call("afterFileEdit", {"file_path": "/a", "edits": [1]}) == ("Write", {"file_path": "/a", "edits": [1]})
    assert tool_call("beforeMCPExecution", {"tool_name": "write", "tool_input": '{"a":1}'}) == ("MCP:write", {"a": 1})
