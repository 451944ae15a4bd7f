"""Claude Agent SDK, the real package: its own dispatch of hooks, over a transport that follows a script.

The script is the other side of the control protocol: it says what Claude Code says, carries out what it is allowed to,
and the tools have real effects.
"""

import asyncio
import gc
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, HookMatcher, ProcessError, Transport

from tallystick import InvalidArgument, Journal
from tallystick.core.types import Actor
from tallystick.integrations.claude_agent_sdk import journal_hooks
from tests.integrations.world import TIMEOUT_SECONDS, World, actions_of, facts, leave_in_doubt

DEATH = {"type": "death"}
BASE = {"session_id": "s1", "transcript_path": "", "cwd": ""}


class ScriptedCode(Transport):
    """Claude Code, as far as hooks are concerned. `heard` has the answers of the hooks."""

    def __init__(self) -> None:
        self._out: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._answers: dict[str, asyncio.Future[Any]] = {}
        self.hooks: dict[str, list[dict[str, Any]]] = {}

    async def connect(self) -> None:
        pass

    async def write(self, data: str) -> None:
        message = json.loads(data)
        if message["type"] == "control_request":
            self.hooks = message["request"].get("hooks") or {}
            response = {"hook_on_failure_supported": True}
            answer = {"subtype": "success", "request_id": message["request_id"], "response": response}
            await self._out.put({"type": "control_response", "response": answer})
        elif message["type"] == "control_response":
            self._answers.pop(message["response"]["request_id"]).set_result(message["response"])

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        while (message := await self._out.get()) is not None:
            if message == DEATH:
                raise ProcessError("Command failed", exit_code=-9)
            yield message

    async def dies(self) -> None:
        """The process is killed."""
        await self._out.put(DEATH)

    async def close(self) -> None:
        await self._out.put(None)

    def is_ready(self) -> bool:
        return True

    async def end_input(self) -> None:
        pass

    async def fires(self, event: str, **fields: Any) -> list[dict[str, Any]]:
        """Call all hooks of an event, and wait for their answers; a hook that raised answers with an error."""
        found = []
        for matcher in self.hooks.get(event, []):
            for callback in matcher["hookCallbackIds"]:
                id = f"r{len(self._answers)}{callback}{event}{fields.get('tool_use_id', '')}"
                self._answers[id] = asyncio.get_running_loop().create_future()
                payload = {**BASE, "hook_event_name": event, **fields}
                request = {"subtype": "hook_callback", "callback_id": callback, "input": payload}
                waits = self._answers[id]
                await self._out.put({"type": "control_request", "request_id": id, "request": request})
                found.append(await waits)
        return found

    async def calls(self, world: World, tool: str, id: str, arguments: dict[str, Any], **more: Any) -> bool:
        """One call of a tool, if no hook denies it; whether it was made."""
        payload = {"tool_name": tool, "tool_input": arguments, "tool_use_id": id, **more}
        for answer in await self.fires("PreToolUse", **payload):
            decision = answer.get("response", {}).get("hookSpecificOutput", {}).get("permissionDecision")
            if answer["subtype"] == "error" or decision == "deny":
                return False
        try:
            value = getattr(world, tool)(**arguments)
            value = await value if asyncio.iscoroutine(value) else value
        except ValueError as error:
            await self.fires("PostToolUseFailure", **payload, error=str(error))
        else:
            await self.fires("PostToolUse", **payload, tool_response=value, duration_ms=7)
        return True


async def _connected(hooks: Any) -> tuple[ClaudeSDKClient, ScriptedCode]:
    code = ScriptedCode()
    client = ClaudeSDKClient(ClaudeAgentOptions(hooks=hooks), transport=code)
    await client.connect()
    return client, code


def _played(hooks: Any, play: Any) -> Any:
    """Connect the SDK's own client to the script, and run it."""

    async def run() -> Any:
        client, code = await _connected(hooks)
        try:
            return await play(code)
        finally:
            await client.disconnect()

    return asyncio.run(run())


def test_the_journal_has_the_calls_of_the_tools(journal: Journal, world: World) -> None:
    async def play(code: ScriptedCode) -> None:
        await code.calls(world, "add", "toolu_1", {"a": 1, "b": 2})
        await code.calls(world, "fail", "toolu_2", {"why": "no ink"})
        await code.calls(world, "add", "toolu_3", {"a": 3, "b": 4}, agent_id="ag1", agent_type="reviewer")

    _played(journal_hooks(journal, agent="clerk"), play)
    assert facts(journal) == [
        ("add", {"a": 1, "b": 2}, "ok", 3),
        ("fail", {"why": "no ink"}, "failed", "no ink"),
        ("add", {"a": 3, "b": 4}, "ok", 7),
    ]
    assert [(each.actor, each.kind, each.call) for each in actions_of(journal)] == [
        ("clerk", "agent", "toolu_1"),
        ("clerk", "agent", "toolu_2"),
        ("ag1", "sub-agent", "toolu_3"),
    ]
    ended = journal.read_entries(kind="action_ended").entries
    assert [entry.facts.get("duration") for entry in ended if entry.facts["outcome"] == "ok"] == [0.007, 0.007]


def test_calls_at_the_same_time_stay_apart(journal: Journal, world: World) -> None:
    async def play(code: ScriptedCode) -> None:
        calls = (code.calls(world, "meet", id, {"who": who}) for id, who in (("t1", "ada"), ("t2", "bob")))
        await asyncio.gather(*calls)

    _played(journal_hooks(journal), play)
    assert {(each.call, each.outcome, each.payload) for each in actions_of(journal)} == {
        ("t1", "ok", "met ada"),
        ("t2", "ok", "met bob"),
    }


def test_a_call_that_is_interrupted_is_in_doubt(journal: Journal) -> None:
    async def play(code: ScriptedCode) -> None:
        payload = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "t1"}
        await code.fires("PreToolUse", **payload)
        await code.fires("PostToolUseFailure", **payload, error="cut off", is_interrupt=True)

    _played(journal_hooks(journal), play)
    assert facts(journal) == [("Bash", {"command": "make"}, "unknown", "cut off")]


def test_a_call_is_in_doubt_when_its_connection_is_gone_and_others_are_not(journal: Journal) -> None:
    hooks = journal_hooks(journal)

    async def play() -> list[tuple[str, str]]:
        stays, other = await _connected(hooks)
        client, code = await _connected(hooks)
        payload = {"tool_name": "Bash", "tool_input": {"command": "make"}}
        await other.fires("PreToolUse", **payload, tool_use_id="t1", session_id="s2")
        await code.fires("PreToolUse", **payload, tool_use_id="t2")
        before = journal.read_entries(limit=100).last_seq
        await client.disconnect()
        del client, code
        gc.collect()
        journal.read_entries(kind="action_ended", after=before, wait_seconds=TIMEOUT_SECONDS)
        found = [(each.call, each.outcome) for each in actions_of(journal)]
        await stays.disconnect()
        return found

    assert asyncio.run(play()) == [("t1", "open"), ("t2", "unknown")]


@pytest.mark.parametrize("ends", ["killed", "disconnected"])
def test_a_call_is_in_doubt_at_the_error_or_disconnect_while_the_client_is_still_there(
    journal: Journal, ends: str
) -> None:
    hooks = journal_hooks(journal)

    async def play() -> list[tuple[str, str]]:
        client, code = await _connected(hooks)
        payload = {"tool_name": "Bash", "tool_input": {"command": "make"}}
        await code.fires("PreToolUse", **payload, tool_use_id="t1")
        before = journal.read_entries(limit=100).last_seq
        if ends == "killed":
            await code.dies()
            with pytest.raises(ProcessError):
                async for _ in client.receive_messages():
                    pass
        else:
            await client.disconnect()
        await asyncio.to_thread(journal.read_entries, kind="action_ended", after=before, wait_seconds=TIMEOUT_SECONDS)
        found = [(each.call, each.outcome) for each in actions_of(journal)]
        await client.disconnect()
        return found

    assert asyncio.run(play()) == [("t1", "unknown")]


def test_a_call_without_an_end_event_is_in_doubt_when_the_turn_is_over(journal: Journal) -> None:
    async def play(code: ScriptedCode) -> list[str]:
        payload = {"tool_name": "Bash", "tool_input": {"command": "make"}}
        await code.fires("PreToolUse", **payload, tool_use_id="t1")
        await code.fires("PreToolUse", **payload, tool_use_id="t2", agent_id="ag1")  # a sub-agent may go on
        await code.fires("Stop", stop_hook_active=False)
        return [each.outcome for each in actions_of(journal)]

    assert _played(journal_hooks(journal), play) == ["unknown", "open"]


@pytest.mark.parametrize(
    ("after", "background", "outcome"),
    [
        (("SubagentStop", {"agent_id": "ag1"}), True, "unknown"),
        (("SubagentStop", {"agent_id": "ag2"}), False, "open"),
        (("UserPromptSubmit", {"prompt": "next"}), False, "unknown"),
        (("UserPromptSubmit", {"prompt": "next"}), True, "open"),
    ],
    ids=["it stopped", "another one stopped", "the next prompt", "the next prompt, in the background"],
)
def test_a_call_of_a_sub_agent_without_an_end_event_is_in_doubt_when_it_stops(
    journal: Journal, after: Any, background: bool, outcome: str
) -> None:
    async def play(code: ScriptedCode) -> str:
        task = {"tool_name": "Task", "tool_input": {"run_in_background": background}, "tool_use_id": "t0"}
        await code.fires("PreToolUse", **task)
        await code.fires("PostToolUse", **task, tool_response={})
        await code.fires(
            "PreToolUse", tool_name="Bash", tool_input={"command": "make"}, tool_use_id="t1", agent_id="ag1"
        )
        await code.fires("Stop", stop_hook_active=False)
        await code.fires(after[0], **after[1])
        return actions_of(journal)[-1].outcome

    assert _played(journal_hooks(journal), play) == outcome


def test_sub_agents_that_were_sent_to_the_background_unasked_outlive_the_next_prompt(journal: Journal) -> None:
    async def play(code: ScriptedCode) -> str:
        task = {"tool_name": "Agent", "tool_input": {"prompt": "look"}, "tool_use_id": "t0"}
        await code.fires("PreToolUse", **task)
        await code.fires("PostToolUse", **task, tool_response={"status": "async_launched", "agentId": "ag1"})
        await code.fires("PreToolUse", tool_name="Bash", tool_input={}, tool_use_id="t1", agent_id="ag1")
        await code.fires("UserPromptSubmit", prompt="next")
        return actions_of(journal)[-1].outcome

    assert _played(journal_hooks(journal), play) == "open"


def _notice(call: str, task: str) -> str:
    """The message with which Claude Code reports the end of a background task."""
    return (
        f"<task-notification>\n<task-id>{task}</task-id>\n<tool-use-id>{call}</tool-use-id>\n<status>completed</status>\n"
        '<summary>Background command "make" completed (exit code 0)</summary>\n</task-notification>'
    )


@pytest.mark.parametrize(
    ("way", "task", "outcome"), [("prompt", "b1", "ok"), ("prompt", "b2", "in_doubt"), ("transcript", "b1", "ok")]
)
def test_a_background_task_is_settled_by_its_end_event(
    journal: Journal, tmp_path: Path, way: str, task: str, outcome: str
) -> None:
    transcript = tmp_path / "transcript.jsonl"
    queued = {"type": "queued_command", "prompt": _notice("t1", task), "commandMode": "task-notification"}
    transcript.write_text(
        json.dumps({"type": "attachment", "attachment": queued}) + "\n" if way == "transcript" else ""
    )

    async def play(code: ScriptedCode) -> str:
        payload = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "t1"}
        await code.fires("PreToolUse", **payload)
        await code.fires("PostToolUse", **payload, tool_response={"stdout": "", "backgroundTaskId": "b1"})
        if way == "prompt":
            await code.fires("UserPromptSubmit", prompt=_notice("t1", task))
        await code.fires("Stop", stop_hook_active=False, transcript_path=str(transcript))
        (begun,) = journal.read_entries(kind="action_begun").entries
        return journal.get_action(action_id=begun.id).state

    assert _played(journal_hooks(journal), play) == outcome


def test_a_call_with_changed_arguments_is_recorded_as_it_was_made(journal: Journal) -> None:
    async def play(code: ScriptedCode) -> None:
        payload = {"tool_name": "Bash", "tool_use_id": "t1"}
        await code.fires("PreToolUse", **payload, tool_input={"command": "rm all"})
        await code.fires("PostToolUse", **payload, tool_input={"command": "rm one"}, tool_response={"stdout": ""})

    _played(journal_hooks(journal), play)
    assert [(each.arguments, each.outcome) for each in actions_of(journal)] == [
        ({"command": "rm all"}, "skipped"),
        ({"command": "rm one"}, "ok"),
    ]
    assert len(journal.get_undo_list().items) == 1


def test_a_call_that_was_changed_stays_one_action_where_the_gateway_saw_it_as_it_was_made(
    journal: Journal, tmp_path: Path
) -> None:
    by = Actor(kind="gateway", name="client")

    async def play(code: ScriptedCode) -> None:
        payload = {"tool_name": "mcp__shop__put", "tool_use_id": "t1"}
        await code.fires("PreToolUse", **payload, tool_input={"a": 1})
        with Journal.open(f"sqlite://{tmp_path}/journal.db", actor=by, witness="observed") as gateway:
            gateway.record_action(phase="begin", tool="mcp__shop__put", arguments={"a": 2}, call_id="t1")
            gateway.record_action(phase="end", call_id="t1", outcome="ok", result="done")
        await code.fires("PostToolUse", **payload, tool_input={"a": 2}, tool_response="done")

    _played(journal_hooks(journal), play)
    assert [(each.call, each.outcome) for each in actions_of(journal)] == [("t1", "ok")]
    assert journal.list_in_doubt().in_doubt == ()


@pytest.mark.parametrize("order", ["PreToolUse PreToolUse PostToolUse PostToolUse", "PreToolUse PostToolUse " * 2])
def test_events_that_are_delivered_twice_are_one_action(journal: Journal, order: str) -> None:
    async def play(code: ScriptedCode) -> None:
        payload = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "t1"}
        for event in order.split():
            await code.fires(event, **payload, **({"tool_response": {"stdout": ""}} if event == "PostToolUse" else {}))

    _played(journal_hooks(journal), play)
    assert [(each.call, each.outcome) for each in actions_of(journal)] == [("t1", "ok")]


def test_our_own_tools_are_not_recorded(journal: Journal) -> None:
    async def play(code: ScriptedCode) -> None:
        payload = {"tool_name": "mcp__tallystick__record_action", "tool_input": {}, "tool_use_id": "t1"}
        await code.fires("PreToolUse", **payload)
        await code.fires("PostToolUse", **payload, tool_response={})

    _played(journal_hooks(journal), play)
    assert actions_of(journal) == []


def test_strict_denies_a_call_that_cannot_be_recorded(unwritable: Journal, world: World) -> None:
    async def play(code: ScriptedCode) -> tuple[bool, Any]:
        made = await code.calls(world, "add", "t1", {"a": 1, "b": 2})
        return made, code.hooks["PreToolUse"][-1].get("onFailure")

    assert _played(journal_hooks(unwritable, strict=True), play) == (False, "block")
    assert world.done == []


def test_strict_denies_a_call_that_is_in_doubt(journal: Journal, world: World) -> None:
    leave_in_doubt(journal, "add", {"a": 1, "b": 2})

    async def play(code: ScriptedCode) -> bool:
        return await code.calls(world, "add", "t1", {"a": 1, "b": 2})

    assert not _played(journal_hooks(journal, strict=True), play)
    assert (world.done, [each.outcome for each in actions_of(journal)]) == ([], ["unknown", "skipped"])


def test_an_unwritable_journal_does_not_stop_a_call(unwritable: Journal, world: World, complaints: list[str]) -> None:
    async def play(code: ScriptedCode) -> list[bool]:
        return [await code.calls(world, "add", id, {"a": 1, "b": 2}) for id in ("t1", "t2")]

    assert _played(journal_hooks(unwritable), play) == [True, True]
    assert len(world.done) == 2
    assert len(complaints) == 1


def test_hooks_that_were_there_are_kept(journal: Journal, world: World) -> None:
    called: list[str] = []

    async def mine(payload: Any, tool_use_id: str | None, context: Any) -> Any:
        called.append(payload["tool_name"])
        return {}

    async def play(code: ScriptedCode) -> bool:
        return await code.calls(world, "add", "t1", {"a": 1, "b": 2})

    before = {"PreToolUse": [HookMatcher(hooks=[mine])]}
    assert _played(journal_hooks(journal, hooks=before), play)  # type: ignore[arg-type]
    assert (called, len(actions_of(journal)), len(before["PreToolUse"])) == (["add"], 1, 1)


def test_hooks_that_are_no_mapping_are_refused_with_what_to_give(journal: Journal) -> None:
    wrong: Any = "clerk"
    with pytest.raises(InvalidArgument, match="A name goes by agent="):
        journal_hooks(journal, wrong)
