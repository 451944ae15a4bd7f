"""What came of calls of which no hook told it, from the transcript that Codex keeps of a session.

A rollout is JSON lines: `{"type": "response_item" | "event_msg", "payload": {"type", "call_id", ...}}`, in older
versions the payload alone; since 0.166 an event is `{"type": "item_completed", "item": {"type", "id", "status", ...}}`.
It is read tolerantly, from its end, and only if it is a plain file of this user: its path comes from outside.
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
"""Bytes that are read, from the end: what is looked for happened since somebody last drained."""
ABORTED = ("aborted", "interrupted", "cancelled")
_FAILED = re.compile(r"(?:failed|error|execution error|unsupported call|\S+ failed|\S+ verification failed)\b")
_DONE = re.compile(r"success\. updated the following files:")
"""What apply_patch says when it has patched."""
STILL = "It was still running when the transcript was read."
UNSEEN = "What the model was shown does not tell how it ended."
_SHOWN = ("function_call_output", "custom_tool_call_output")
"""What the model was shown. An event tells more, and counts more: it has the exit code as a number."""
_BEGUN = ("function_call", "custom_tool_call", "local_shell_call")
_OF_CALLS = (b"_call", b"_output", b"_end", b"item_completed")
"""One of these stands in each line that tells of a call: the others need not be parsed."""


class Transcript:
    """What is said of some calls. An id tells which, unless the model has used it again: some models count their calls
    anew with each answer. Then only the command tells, and only if it was run once."""

    def __init__(self, path: str, ids: Collection[str]) -> None:
        self._begun: Counter[str] = Counter()
        self._said: dict[str, list[dict[str, Any]]] = {}
        for line in matching_lines(path, _OF_CALLS) if ids else ():
            said = _said(line)
            id = said.get("call_id")
            if not isinstance(id, str) or id not in ids:
                continue
            if said.get("type") in _BEGUN:
                self._begun[id] += 1
            else:
                self._said.setdefault(id, []).append(said)

    def came(self, id: str, command: object = None) -> dict[str, Any] | None:
        """Outcome, result and error of a call; None where nothing is said, or not clearly of this call.

        `ok` and `failed` are said only where that was seen; else the outcome is `unknown`, with what was shown.
        """
        said = sorted(self._said.get(id, []), key=lambda each: each.get("type") in _SHOWN)  # events first
        if self._begun[id] > 1:
            said = [
                each for each in said if isinstance(each.get("command"), list) and each["command"][-1:] == [command]
            ]
            said = said if len(said) == 1 else []
        told = [came for came in (_came(each) for each in said) if came is not None]
        return next((came for came in told if came["outcome"] != "unknown"), told[0] if told else None)


def read_outcomes(path: str, ids: Collection[str]) -> dict[str, dict[str, Any]]:
    """What is said of these calls. What is not found is left out."""
    transcript = Transcript(path, ids)
    found = {id: transcript.came(id) for id in ids}
    return {id: came for id, came in found.items() if came is not None}


def is_readable_file(path: str) -> bool:
    """Whether there is one to ask, now or once its turn is over."""
    try:
        return bool(path) and _is_readable(os.lstat(path))
    except (OSError, ValueError):
        return False


def _is_readable(about: os.stat_result) -> bool:
    return stat.S_ISREG(about.st_mode) and about.st_uid == os.getuid()


def matching_lines(path: str, words: Collection[bytes]) -> Iterator[str]:
    """The lines of a transcript in which one of these words stands."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return
    try:
        about = os.fstat(file)
        if not _is_readable(about):
            return
        start = max(0, about.st_size - MAX_TRANSCRIPT_BYTES)
        with open(file, "rb", closefd=False) as opened:
            opened.seek(start)
            content = opened.read(MAX_TRANSCRIPT_BYTES)
    finally:
        os.close(file)
    whole = content.split(b"\n")
    for line in whole[1:] if start else whole:
        if any(word in line for word in words):
            yield line.decode("utf-8", "replace")


def _said(line: str) -> dict[str, Any]:
    try:
        entry = parse(line)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(entry, dict):
        return {}
    payload = entry.get("payload")
    said = payload if isinstance(payload, dict) else entry
    item = said.get("item")
    if said.get("type") == "item_completed" and isinstance(item, dict):
        return {**item, "type": "item_completed", "call_id": item.get("id")}
    return said


def _came(said: dict[str, Any]) -> dict[str, Any] | None:
    kind = said.get("type")
    if kind in _SHOWN:
        return _of_output(said.get("output"))
    if kind == "item_completed":
        return _of_item(said)
    if kind == "exec_command_end":
        return _by_code(said.get("exit_code"), said.get("aggregated_output") or said.get("stdout"), said.get("stderr"))
    if kind == "patch_apply_end":
        return _by_flag(said.get("success"), said.get("stdout"), said.get("stderr"))
    if kind == "mcp_tool_call_end":
        return _of_mcp(said.get("result"))
    return None


def _of_item(item: dict[str, Any]) -> dict[str, Any] | None:
    """A thing that Codex did, with its status. Where there is an exit code, that counts."""
    output = item.get("aggregated_output") or item.get("stdout")
    by_code = _by_code(item.get("exit_code"), output, item.get("stderr"))
    if by_code is not None:
        return by_code
    status = item.get("status")
    if status == "declined":
        return {"outcome": "skipped", "error": "It was declined."}
    if status == "failed":
        return _outcome(False, item.get("result"), item.get("error") or item.get("stderr") or output)
    if status == "completed" and "result" in item:
        return _of_mcp(item["result"])
    return _outcome(True, output, "") if status == "completed" and "changes" in item else None


def _of_output(output: Any) -> dict[str, Any]:
    inner = decode_json(output) if isinstance(output, str) else output
    if not isinstance(inner, dict):
        return _of_text(as_text(inner), inner)
    text = as_text(inner.get("output")) or as_text(inner)
    code = exit_code(inner)
    if code is not None:
        return _outcome(code == 0 and inner.get("success") is not False, inner, text or describe_exit(code))
    return _by_flag(inner.get("success"), inner, text)


def _of_text(text: str, whole: Any) -> dict[str, Any]:
    """A text that begins with what came of the call, as Codex writes it for the model. Of most tools it is what they
    printed, or why they were not reached, and nothing tells which."""
    head = text.lstrip()[:200].lower()
    if head.startswith(ABORTED):
        return {"outcome": "unknown", "result": text, "error": text}
    if "rejected by user" in head:
        return {"outcome": "skipped", "error": text}
    code = shown_code(text)
    if isinstance(code, int):
        return _outcome(code == 0, whole, text)
    if code == RUNNING:
        return {"outcome": "unknown", "result": whole, "error": STILL}
    if _FAILED.match(head):
        return _outcome(False, text, text)
    return _by_flag(True if _DONE.match(head) else None, whole, "")


def _of_mcp(result: Any) -> dict[str, Any]:
    if isinstance(result, dict) and "Err" in result:
        return _outcome(False, result["Err"], as_text(result["Err"]))
    inner = result.get("Ok", result) if isinstance(result, dict) else result
    if not isinstance(inner, dict):
        return _by_flag(None, inner, "")
    flags = (inner.get("isError"), inner.get("is_error"))
    told = "Ok" in result or "content" in inner or False in flags
    return _by_flag(False if True in flags else True if told else None, inner, as_text(inner))


def _by_flag(ok: Any, result: Any, error: Any) -> dict[str, Any]:
    """By a flag that was told; where none was, nobody knows."""
    if isinstance(ok, bool):
        return _outcome(ok, result, error)
    return {"outcome": "unknown", "result": result, "error": UNSEEN}


def _by_code(code: Any, output: Any, errors: Any) -> dict[str, Any] | None:
    if not isinstance(code, int) or isinstance(code, bool):
        return None
    return _outcome(code == 0, {"exit_code": code, "output": output}, as_text(errors) or describe_exit(code))


def _outcome(ok: bool, result: Any, error: Any) -> dict[str, Any]:
    if ok:
        return {"outcome": "ok", "result": result}
    return {"outcome": "failed", "result": result, "error": as_text(error) or "It failed."}
