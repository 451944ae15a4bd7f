"""Reads outcomes of calls from Codex's transcript, for calls whose outcome no hook reported.

A transcript ("rollout") is JSON lines: `{"type": "response_item" | "event_msg", "payload": {"type", "call_id", ...}}`,
in older versions the payload alone. Since 0.166 an event is `{"type": "item_completed", "item": {"type", "id",
"status", ...}}`. Its path comes from outside, so only a plain file of this user is read, tolerantly and from its end.
"""

import os
import re
import stat
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from tallystick.capture.clients.codex import RUNNING, exit_code, shown_code
from tallystick.capture.clients.payload import as_text, decode_json, describe_exit
from tallystick.core.formats.fast_json import parse

MAX_TRANSCRIPT_BYTES = 32 << 20
"""How much is read, from the end: the calls of interest were made since the last drain."""
ABORTED_PREFIXES = ("aborted", "interrupted", "cancelled")
STILL_RUNNING = "It was still running when the transcript was read."
OUTCOME_NOT_SHOWN = "The output that the model got does not show how it ended."
_FAILED = re.compile(r"(?:failed|error|execution error|unsupported call|\S+ failed|\S+ verification failed)\b")
_PATCHED = re.compile(r"success\. updated the following files:")
"""The beginning of apply_patch's output on success."""
_OUTPUT_TYPES = ("function_call_output", "custom_tool_call_output")
"""The types of output for the model. An event takes precedence: it has the exit code as a number."""
_BEGIN_TYPES = ("function_call", "custom_tool_call", "local_shell_call")
_CALL_MARKS = (b"_call", b"_output", b"_end", b"item_completed")
"""Each line about a call contains one of these: other lines need not be parsed."""


class Transcript:
    """The ends of some calls in a transcript.

    A call is known by its id, unless the model has used the id again: some models restart their count with each answer.
    Then only the command distinguishes the calls, and only if it was run once.
    """

    def __init__(self, path: str, ids: Collection[str]) -> None:
        self._begins: Counter[str] = Counter()
        self._ends: dict[str, list[dict[str, Any]]] = {}
        for line in matching_lines(path, _CALL_MARKS) if ids else ():
            event = _event(line)
            id = event.get("call_id")
            if not isinstance(id, str) or id not in ids:
                continue
            if event.get("type") in _BEGIN_TYPES:
                self._begins[id] += 1
            else:
                self._ends.setdefault(id, []).append(event)

    def outcome(self, id: str, command: object = None) -> dict[str, Any] | None:
        """Outcome, result and error of a call; None if the transcript has none that is clearly this call's.

        The outcome is `ok` or `failed` only where the transcript shows that; else `unknown`, with what was shown.
        """
        events = sorted(self._ends.get(id, []), key=lambda event: event.get("type") in _OUTPUT_TYPES)
        if self._begins[id] > 1:
            events = [event for event in events if _is_of_command(event, command)]
            events = events if len(events) == 1 else []
        outcomes = [outcome for outcome in map(_outcome_of, events) if outcome is not None]
        return next((each for each in outcomes if each["outcome"] != "unknown"), outcomes[0] if outcomes else None)


def read_outcomes(path: str, ids: Collection[str]) -> dict[str, dict[str, Any]]:
    """The outcomes of these calls, by id. A call without one is left out."""
    transcript = Transcript(path, ids)
    found = {id: transcript.outcome(id) for id in ids}
    return {id: outcome for id, outcome in found.items() if outcome is not None}


def is_readable_file(path: str) -> bool:
    """Whether there is a transcript that can be read, now or when its turn is over."""
    try:
        return bool(path) and _is_own_file(os.lstat(path))
    except (OSError, ValueError):
        return False


def _is_own_file(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) and status.st_uid == os.getuid()


def matching_lines(path: str, words: Collection[bytes]) -> Iterator[str]:
    """The lines of a transcript that contain one of these words."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return
    try:
        status = os.fstat(file)
        if not _is_own_file(status):
            return
        start = max(0, status.st_size - MAX_TRANSCRIPT_BYTES)
        with open(file, "rb", closefd=False) as opened:
            opened.seek(start)
            content = opened.read(MAX_TRANSCRIPT_BYTES)
    finally:
        os.close(file)
    lines = content.split(b"\n")
    for line in lines[1:] if start else lines:
        if any(word in line for word in words):
            yield line.decode("utf-8", "replace")


def _event(line: str) -> dict[str, Any]:
    try:
        entry = parse(line)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(entry, dict):
        return {}
    payload = entry.get("payload")
    event = payload if isinstance(payload, dict) else entry
    item = event.get("item")
    if event.get("type") == "item_completed" and isinstance(item, dict):
        return {**item, "type": "item_completed", "call_id": item.get("id")}
    return event


def _is_of_command(event: dict[str, Any], command: object) -> bool:
    words = event.get("command")
    return isinstance(words, list) and words[-1:] == [command]


def _outcome_of(event: dict[str, Any]) -> dict[str, Any] | None:
    kind = event.get("type")
    if kind in _OUTPUT_TYPES:
        return _from_output(event.get("output"))
    if kind == "item_completed":
        return _from_item(event)
    if kind == "exec_command_end":
        output = event.get("aggregated_output") or event.get("stdout")
        return _from_exit_code(event.get("exit_code"), output, event.get("stderr"))
    if kind == "patch_apply_end":
        return _from_flag(event.get("success"), event.get("stdout"), event.get("stderr"))
    if kind == "mcp_tool_call_end":
        return _from_mcp(event.get("result"))
    return None


def _from_item(item: dict[str, Any]) -> dict[str, Any] | None:
    """By the exit code if there is one, else by the status."""
    output = item.get("aggregated_output") or item.get("stdout")
    by_code = _from_exit_code(item.get("exit_code"), output, item.get("stderr"))
    if by_code is not None:
        return by_code
    status = item.get("status")
    if status == "declined":
        return {"outcome": "skipped", "error": "It was declined."}
    if status == "failed":
        return _outcome(False, item.get("result"), item.get("error") or item.get("stderr") or output)
    if status == "completed" and "result" in item:
        return _from_mcp(item["result"])
    return _outcome(True, output, "") if status == "completed" and "changes" in item else None


def _from_output(output: Any) -> dict[str, Any]:
    inner = decode_json(output) if isinstance(output, str) else output
    if not isinstance(inner, dict):
        return _from_text(as_text(inner), inner)
    text = as_text(inner.get("output")) or as_text(inner)
    code = exit_code(inner)
    if code is not None:
        return _outcome(code == 0 and inner.get("success") is not False, inner, text or describe_exit(code))
    return _from_flag(inner.get("success"), inner, text)


def _from_text(text: str, result: Any) -> dict[str, Any]:
    """By the beginning of a text that Codex writes for the model.

    For most tools the text is what they printed, or why they were not reached, and nothing shows which.
    """
    head = text.lstrip()[:200].lower()
    if head.startswith(ABORTED_PREFIXES):
        return {"outcome": "unknown", "result": text, "error": text}
    if "rejected by user" in head:
        return {"outcome": "skipped", "error": text}
    code = shown_code(text)
    if isinstance(code, int):
        return _outcome(code == 0, result, text)
    if code == RUNNING:
        return {"outcome": "unknown", "result": result, "error": STILL_RUNNING}
    if _FAILED.match(head):
        return _outcome(False, text, text)
    return _from_flag(True if _PATCHED.match(head) else None, result, "")


def _from_mcp(result: Any) -> dict[str, Any]:
    if isinstance(result, dict) and "Err" in result:
        return _outcome(False, result["Err"], as_text(result["Err"]))
    inner = result.get("Ok", result) if isinstance(result, dict) else result
    if not isinstance(inner, dict):
        return _from_flag(None, inner, "")
    flags = (inner.get("isError"), inner.get("is_error"))
    if True in flags:
        return _from_flag(False, inner, as_text(inner))
    has_outcome = "Ok" in result or "content" in inner or False in flags
    return _from_flag(True if has_outcome else None, inner, as_text(inner))


def _from_flag(ok: Any, result: Any, error: Any) -> dict[str, Any]:
    """By a success flag; without one the outcome is `unknown`."""
    if isinstance(ok, bool):
        return _outcome(ok, result, error)
    return {"outcome": "unknown", "result": result, "error": OUTCOME_NOT_SHOWN}


def _from_exit_code(code: Any, output: Any, errors: Any) -> dict[str, Any] | None:
    if not isinstance(code, int) or isinstance(code, bool):
        return None
    return _outcome(code == 0, {"exit_code": code, "output": output}, as_text(errors) or describe_exit(code))


def _outcome(ok: bool, result: Any, error: Any) -> dict[str, Any]:
    if ok:
        return {"outcome": "ok", "result": result}
    return {"outcome": "failed", "result": result, "error": as_text(error) or "It failed."}
