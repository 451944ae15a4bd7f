"""A call with a payload that cannot be parsed is still recorded as a call of its session."""

import json
from typing import Any

import pytest

from tallystick.capture.hook import partial_payload
from tallystick.capture.hook.main import MAX_PAYLOAD_BYTES, TAIL_BYTES, HookEvent
from tallystick.capture.spool import file as spool_file
from tallystick.core.formats.fast_json import parse
from tests.capture.harness import Watched

BEFORE = '{"session_id":"one","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":'
AFTER = BEFORE.replace("PreToolUse", "PostToolUse")
DEEP = '{"tool_use_id":"inner","a":' * 20_000 + "1" + "}" * 20_000  # deeper than any version of Python can parse
ID = ',"tool_use_id":"t1"}'


def send(watched: Watched, text: str) -> dict[str, Any]:
    hook_input = text.encode()
    record = HookEvent(
        ["claude-code"],
        hook_input
        if len(hook_input) <= MAX_PAYLOAD_BYTES
        else hook_input[:MAX_PAYLOAD_BYTES] + hook_input[-TAIL_BYTES:],
        watched.env,
    ).record()
    record["at"] = watched.at = max(record["at"], watched.at + 1000)
    spool_file.append(watched.spool, record)
    return record


@pytest.mark.parametrize(
    "arguments", [DEEP, '{"content":"' + "x" * MAX_PAYLOAD_BYTES + '"}', '{"a":[}'], ids=["deep", "long", "broken"]
)
def test_a_call_with_unreadable_arguments_is_a_call_in_doubt(watched: Watched, arguments: str) -> None:
    send(watched, BEFORE + arguments + ID)
    watched.drain()
    assert [(done.tool, done.state) for done in watched.calls()] == [("Bash", "open")]
    send(watched, AFTER + arguments + ',"tool_response":{"stdout":"x"}' + ID)
    watched.drain()
    [row] = watched.actions()
    assert (row.call, watched.calls()[0].state) == ("t1", "in_doubt")
    assert {session.name for session in watched.journal.list_sessions().sessions} == {"claude-code:one"}


def test_fields_before_the_cut_of_a_payload_are_read(watched: Watched) -> None:
    send(watched, BEFORE + '{"command":"rm -rf')
    watched.drain()
    assert [(done.tool, done.state) for done in watched.calls()] == [("Bash", "open")]
    assert watched.kinds()[-1] == "other"  # the input is kept in a note


def test_a_number_of_many_digits_is_kept_as_text_and_the_call_is_read(watched: Watched) -> None:
    digits = "9" * 6000
    send(watched, BEFORE + f'{{"n":{digits}}}' + ID)
    watched.drain()
    assert [(done.tool, done.arguments) for done in watched.calls()] == [("Bash", {"n": digits})]


def test_a_number_that_python_can_read_stays_one() -> None:
    assert parse(f'[{"9" * 6000}, 12, "x"]') == ["9" * 6000, 12, "x"]
    with pytest.raises(ValueError, match="delimiter"):
        parse("[1, 2")


def test_only_fields_of_the_payload_itself_are_read() -> None:
    nested = {"tool_name": "inner", "text": '"tool_name":"quoted"', "list": [{"session_id": "inner"}]}
    text = json.dumps({"tool_input": nested, "tool_name": "Bash", "tool_use_id": "t\\u00e4"})
    assert partial_payload.readable_fields(text) == {
        "tool_name": "Bash",
        "tool_use_id": json.loads(text)["tool_use_id"],
    }
    assert partial_payload.readable_fields(text[:20]) == {}
    assert partial_payload.readable_fields("tool_name") == {}
