"""Fields that are unknown, missing or of another type: nothing crashes the hook, and nothing is lost."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallystick.capture.hook import main as program
from tallystick.capture.hook.responses import SILENT_EVENTS
from tallystick.capture.spool import file as spool_file
from tests.capture.hook.events import CASES, options, payload
from tests.capture.hook.installed_hook import Hook
from tests.memory_folders import quick_folder

ODD: list[Any] = [
    None,
    True,
    0,
    -1.5,
    10**30,
    "",
    "x",
    "/tmp",
    [],
    [[]],
    {},
    {"a": {"b": []}},
    "\ud800",
    "a\0b",
    "7" * 99,
    "/\ud800",
    "/" + "x" * 5000,
]
NAMES = [
    "session_id",
    "sessionId",
    "conversation_id",
    "hook_event_name",
    "hookEventName",
    "cwd",
    "tool_name",
    "toolName",
    "tool_input",
    "toolArgs",
    "tool_use_id",
    "mcp_context",
    "mcp_server",
    "workspace_roots",
    "stop_hook_active",
    "loop_count",
    "status",
    "timestamp",
    "made_up",
]


@pytest.fixture(scope="module")
def spool_folder() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


@given(
    case=st.sampled_from(CASES),
    dropped=st.sets(st.sampled_from(NAMES)),
    changed=st.dictionaries(st.sampled_from(NAMES), st.sampled_from(ODD)),
)
@settings(max_examples=200, deadline=None)
def test_any_fields_make_one_record_with_all_of_them(
    spool_folder: Path, case: tuple[str, str], dropped: set[str], changed: dict[str, Any]
) -> None:
    client, event = case
    hook_input = {name: value for name, value in payload(client, event).items() if name not in dropped} | changed
    record = _run_hook(spool_folder, [client, *options(client, event)], json.dumps(hook_input).encode())
    if record.get("altered") is None:
        assert record["payload"] == hook_input
    assert record["payload"].keys() == hook_input.keys()


@settings(deadline=None)
@given(hook_input=st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_make_one_record(spool_folder: Path, hook_input: bytes) -> None:
    _run_hook(spool_folder, ["claude-code"], hook_input)


@given(case=st.sampled_from(CASES), at=st.integers(0, 2000), byte=st.integers(0, 255), cut=st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_payload_with_a_damaged_byte_or_a_cut_end_makes_one_record(
    spool_folder: Path, case: tuple[str, str], at: int, byte: int, cut: bool
) -> None:
    client, event = case
    whole = json.dumps(payload(client, event)).encode()
    at %= len(whole)
    _run_hook(spool_folder, [client], whole[:at] if cut else whole[:at] + bytes([byte]) + whole[at + 1 :])


@pytest.mark.parametrize("seed", range(12))
def test_the_program_takes_any_fields_too(hook: Hook, seed: int) -> None:
    rng = random.Random(seed)
    client, event = rng.choice([case for case in CASES if "ession" not in case[1]])
    hook_input = {**payload(client, event), **{name: rng.choice(ODD) for name in rng.sample(NAMES, 5)}}
    answer = hook.send([client, *options(client, event), *(["--strict"] if seed % 2 else [])], hook_input)
    assert (answer.code, answer.errors) == (0, "")
    assert answer.message == {} or client == "cursor"
    assert hook.records()[0]["payload"].keys() == hook_input.keys()


def _run_hook(folder: Path, arguments: list[str], hook_input: bytes) -> dict[str, Any]:
    env = {"TALLYSTICK_SPOOL": str(folder), "TALLYSTICK_JOURNAL": "journal"}
    path = spool_file.path(folder, "journal")
    code, stdout, complaint = program.answer(arguments, hook_input, env)
    found = spool_file.read(path)
    assert spool_file.clear(path, found.mark)
    assert (code, complaint) == (0, "")
    assert (len(found.records), found.torn) == (1, [])
    (record,) = found.records
    if stdout == "":  # Claude Code would show any output
        assert (arguments[0], record["event"].lower() in SILENT_EVENTS) == ("claude-code", True)
    else:
        assert stdout == "{}\n" or (arguments[0] == "cursor" and json.loads(stdout) == {"permission": "allow"})
    return record
