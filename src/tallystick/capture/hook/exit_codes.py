"""Finds how a shell command ended, in what its client writes after the output.

A command may print anything, also "Exit Code: 1". So only the client's own text counts, in its own position and form.
Standard library only: the hook looks too, before it cuts a long text.
Sources: Gemini CLI 0.61 (`tools/shell.ts`) and the pattern that Copilot CLI 1.0.102 itself reads its marks with.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EXIT_FIELD = "exit_seen_before_cut"
"""The payload field for what the hook found at the end of a text that it cut."""
RUNNING, CANCELLED = "running", "cancelled"
_TAIL_CHARACTERS = 2000
"""How much of the end of a text is read: many times what a client adds."""
_GEMINI_END = re.compile(
    r"(?:\nExit Code: (?P<code>-?[0-9]{1,9}))?(?:\nSignal: (?P<signal>[A-Z0-9]{1,12}))?"
    r"(?:\nBackground PIDs: [0-9, ]+)?(?:\nProcess Group PGID: [0-9]+)?\Z"
)
_GEMINI_CANCELLED = ("Command was cancelled by user", "Command was automatically cancelled")
_GEMINI_RUNNING = ("Command is running in background", "Command moved to background")
_CURSOR_CODE = re.compile(r'(?<!\\)"exit_?[cC]ode"\s*:\s*"?(-?[0-9]{1,9})(?![0-9.eE])')
_COPILOT_MARK = re.compile(r"<(?:detached command with )?shellId: [^\r\n]+ completed with exit code (-?[0-9]{1,9})>\Z")
_COPILOT_OLD_MARK = re.compile(r"<exited with exit code (-?[0-9]{1,9})>\Z")
_COPILOT_RUNNING = re.compile(r"<command (?:with shellId: [^\r\n]+ is still running|started in )[^\r\n]*>\Z")
_COPILOT_HINTS = ("<sandbox is active ", "<this failure may be caused by", "<This command was re")


def find_exit(payload: dict[str, Any]) -> str:
    """The exit code as text, `signal NAME`, `running` or `cancelled`; empty if the payload does not say."""
    if "tool_output" in payload:
        return _found_before_cut(payload) or _cursor(payload["tool_output"])
    result = next((payload[name] for name in ("tool_response", "tool_result", "toolResult") if name in payload), None)
    if not isinstance(result, dict):
        return _found_before_cut(payload)
    if isinstance(result.get("llmContent"), str):
        return _found_before_cut(payload) or _gemini(result["llmContent"], result.get("returnDisplay"))
    for name in ("text_result_for_llm", "textResultForLlm"):
        if isinstance(result.get(name), str):
            return _found_before_cut(payload) or _copilot(result[name])
    return _found_before_cut(payload)


def _found_before_cut(payload: dict[str, Any]) -> str:
    value = payload.get(EXIT_FIELD)
    return value if isinstance(value, str) else ""


def _cursor(output: Any) -> str:
    """By a field of an object, or of one in a text. There the quotes in the command's output are escaped."""
    if isinstance(output, str) and output[:1] == "{":
        codes = _CURSOR_CODE.findall(output)
        return str(codes[-1]) if codes else ""
    code = output.get("exitCode", output.get("exit_code")) if isinstance(output, dict) else None
    return str(code) if isinstance(code, int) and not isinstance(code, bool) else ""


def _gemini(text: str, display: Any) -> str:
    """By the lines after `Output: ...`. Without a line about the exit code it is 0.

    If the last line that the person was shown is the same line, the command printed it.
    """
    whole = text.rstrip("\n").removeprefix("<untrusted_context>\n").removesuffix("\n</untrusted_context>")
    if whole.startswith(_GEMINI_CANCELLED):
        return CANCELLED
    if whole.startswith(_GEMINI_RUNNING):
        return RUNNING
    if not whole.startswith("Output: "):
        return ""
    end = whole[-_TAIL_CHARACTERS:]
    found = _GEMINI_END.search(end)
    assert found is not None  # it matches the empty text at the very end
    if found["signal"]:
        line = f"Signal: {found['signal']}"
        output = end[: found.start("signal") - len("\nSignal: ")]
        is_printed = _last_line(display) == line and not output.endswith(line)
        return "" if is_printed else f"signal {found['signal']}"
    if found["code"] is None:
        return "0"
    line = f"Exit Code: {found['code']}"
    is_printed = _last_line(display) == line and not end[: found.start()].endswith(line)
    return "0" if is_printed else str(found["code"])


def _last_line(display: Any) -> str:
    """The last line that the person was shown: of a text, or of terminal lines as lists of styled pieces."""
    if isinstance(display, list):
        lines = [_terminal_line(line) for line in display if isinstance(line, list)]
    else:
        lines = display[-_TAIL_CHARACTERS:].splitlines() if isinstance(display, str) else []
    return next((line.rstrip() for line in reversed(lines) if line.rstrip()), "")


def _terminal_line(pieces: list[Any]) -> str:
    return "".join(str(piece.get("text", "")) for piece in pieces if isinstance(piece, dict))


def _copilot(text: str) -> str:
    """By Copilot's mark in the last line. Only hints about the sandbox may follow it."""
    lines = text[-_TAIL_CHARACTERS:].rstrip().splitlines()
    while lines and (not lines[-1].strip() or lines[-1].startswith(_COPILOT_HINTS)):
        lines.pop()
    last = lines[-1].rstrip() if lines else ""
    mark = _COPILOT_MARK.match(last) or _COPILOT_OLD_MARK.match(last)
    if mark:
        return str(mark[1])
    return RUNNING if _COPILOT_RUNNING.match(last) else ""
