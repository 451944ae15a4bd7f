"""What came of calls that no hook told the end of, from the transcript that Codex keeps of a session.

A rollout is JSON lines: `{"type": "response_item" | "event_msg", "payload": {"type", "call_id", ...}}`, in older
versions the payload alone. It is read tolerantly, from its end, and only if it is a plain file of this user: its path
comes from outside.
"""

import os
import re
import stat
from collections.abc import Collection, Iterator
from typing import Any

from tallystick.capture.clients.codex import exit_code
from tallystick.capture.payloads import as_text, decoded
from tallystick.core.quickjson import parse

MOST = 8 << 20
"""Bytes that are read, from the end: what is looked for happened in the last turn."""
ABORTED = ("aborted", "interrupted", "cancelled")
_FAILED = re.compile(r"(?:failed|error|execution error|unsupported call|\S+ failed|\S+ verification failed)\b")


def outcomes(path: str, wanted: Collection[str]) -> dict[str, dict[str, Any]]:
    """What is said of these calls, by their ids: outcome, result and error. What is not found is left out."""
    found: dict[str, dict[str, Any]] = {}
    ids = [id for id in wanted if id]
    if not ids:
        return found
    for line in _lines(path):
        if any(id in line for id in ids):
            said = _said(line)
            id = said.get("call_id")
            came = _came(said) if isinstance(id, str) and id in wanted else None
            if came is not None and isinstance(id, str) and not (id in found and said.get("type") in _SHOWN):
                found[id] = came
    return found


_SHOWN = ("function_call_output", "custom_tool_call_output")
"""What the model was shown. An event tells more, and counts more: it has the exit code as a number."""


def _lines(path: str) -> Iterator[str]:
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return
    try:
        about = os.fstat(file)
        if not stat.S_ISREG(about.st_mode) or about.st_uid != os.getuid():
            return
        start = max(0, about.st_size - MOST)
        with open(file, "rb", closefd=False) as opened:
            opened.seek(start)
            content = opened.read(MOST)
    finally:
        os.close(file)
    lines = content.split(b"\n")
    for line in lines[1:] if start else lines:
        yield line.decode("utf-8", "replace")


def _said(line: str) -> dict[str, Any]:
    try:
        entry = parse(line)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(entry, dict):
        return {}
    payload = entry.get("payload")
    return payload if isinstance(payload, dict) else entry


def _came(said: dict[str, Any]) -> dict[str, Any] | None:
    kind = said.get("type")
    if kind in _SHOWN:
        return _of_output(said.get("output"))
    if kind == "exec_command_end":
        return _by_code(said.get("exit_code"), said.get("aggregated_output") or said.get("stdout"), said.get("stderr"))
    if kind == "patch_apply_end":
        ok = said.get("success") is True
        return _outcome(ok, said.get("stdout"), said.get("stderr"))
    if kind == "mcp_tool_call_end":
        return _of_mcp(said.get("result"))
    return None


def _of_output(output: Any) -> dict[str, Any]:
    inner = decoded(output) if isinstance(output, str) else output
    if isinstance(inner, dict):
        text = as_text(inner.get("output")) or as_text(inner)
        if inner.get("success") is False or exit_code(inner):
            return _outcome(False, inner, text)
        return _outcome(True, inner, "")
    return _of_text(as_text(inner), inner)


def _of_text(text: str, whole: Any) -> dict[str, Any]:
    """A text that begins with what came of the call, as Codex writes it for the model."""
    head = text.lstrip()[:200].lower()
    if head.startswith(ABORTED):
        return {"outcome": "unknown", "result": text, "error": text}
    if "rejected by user" in head:
        return {"outcome": "skipped", "error": text}
    if exit_code(text) or _FAILED.match(head):
        return _outcome(False, text, text)
    return _outcome(True, whole, "")


def _of_mcp(result: Any) -> dict[str, Any]:
    if isinstance(result, dict) and "Err" in result:
        return _outcome(False, result["Err"], as_text(result["Err"]))
    inner = result.get("Ok", result) if isinstance(result, dict) else result
    wrong = isinstance(inner, dict) and (inner.get("isError") is True or inner.get("is_error") is True)
    return _outcome(not wrong, inner, as_text(inner))


def _by_code(code: Any, output: Any, errors: Any) -> dict[str, Any] | None:
    if not isinstance(code, int) or isinstance(code, bool):
        return None
    return _outcome(code == 0, {"exit_code": code, "output": output}, as_text(errors) or as_text(output))


def _outcome(ok: bool, result: Any, error: Any) -> dict[str, Any]:
    if ok:
        return {"outcome": "ok", "result": result}
    return {"outcome": "failed", "result": result, "error": as_text(error) or "It failed."}
