"""How a shell command ended, by what a client writes of it: at the place and in the form that the client itself uses.

What a command prints may say anything, also "Exit Code: 1". So only that counts which the client adds behind the
output. Standard library only: the hook asks too, before it cuts a long text.
Sources: Gemini CLI 0.61 (`tools/shell.ts`) and the pattern that Copilot CLI 1.0.102 itself reads its marks with.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EXIT_FIELD = "exit_seen_before_cut"
"""Where the hook puts what it saw of a text that it had to cut."""
RUNNING, CANCELLED = "running", "cancelled"
_LAST = 2000
"""Characters at the end of a text that are looked at: many times what a client adds."""
_GEMINI_END = re.compile(
    r"(?:\nExit Code: (?P<code>-?[0-9]{1,9}))?(?:\nSignal: (?P<signal>[A-Z0-9]{1,12}))?"
    r"(?:\nBackground PIDs: [0-9, ]+)?(?:\nProcess Group PGID: [0-9]+)?\Z"
)
_GEMINI_CANCELLED = ("Command was cancelled by user", "Command was automatically cancelled")
_GEMINI_RUNNING = ("Command is running in background", "Command moved to background")
_CURSOR_CODE = re.compile(r'(?<!\\)"exit_?[cC]ode"\s*:\s*"?(-?[0-9]{1,9})(?![0-9.eE])')
_COPILOT_MARK = re.compile(r"<(?:detached command with )?shellId: [^\r\n]+ completed with exit code (-?[0-9]{1,9})>\Z")
_COPILOT_OLDER = re.compile(r"<exited with exit code (-?[0-9]{1,9})>\Z")
_COPILOT_RUNNING = re.compile(r"<command (?:with shellId: [^\r\n]+ is still running|started in )[^\r\n]*>\Z")
_COPILOT_BESIDES = ("<sandbox is active ", "<this failure may be caused by", "<This command was re")


def find_exit(payload: dict[str, Any]) -> str:
    """The exit code as text, `signal NAME`, `running` or `cancelled`; empty where nothing is said."""
    if "tool_output" in payload:
        return _noted(payload) or _cursor(payload["tool_output"])
    result = next((payload[name] for name in ("tool_response", "tool_result", "toolResult") if name in payload), None)
    if not isinstance(result, dict):
        return _noted(payload)
    if isinstance(result.get("llmContent"), str):
        return _noted(payload) or _gemini(result["llmContent"], result.get("returnDisplay"))
    for name in ("text_result_for_llm", "textResultForLlm"):
        if isinstance(result.get(name), str):
            return _noted(payload) or _copilot(result[name])
    return _noted(payload)


def _noted(payload: dict[str, Any]) -> str:
    found = payload.get(EXIT_FIELD)
    return found if isinstance(found, str) else ""


def _cursor(output: Any) -> str:
    """A field of an object, or of one in a text; in what the command has printed, quotes are escaped there."""
    if isinstance(output, str) and output[:1] == "{":
        found = _CURSOR_CODE.findall(output)
        return str(found[-1]) if found else ""
    code = output.get("exitCode", output.get("exit_code")) if isinstance(output, dict) else None
    return str(code) if isinstance(code, int) and not isinstance(code, bool) else ""


def _gemini(text: str, display: Any) -> str:
    """`Output: ...`, then one line for each thing that is to be said; no line about the exit code means 0."""
    whole = text.rstrip("\n").removeprefix("<untrusted_context>\n").removesuffix("\n</untrusted_context>")
    if whole.startswith(_GEMINI_CANCELLED):
        return CANCELLED
    if whole.startswith(_GEMINI_RUNNING):
        return RUNNING
    if not whole.startswith("Output: "):
        return ""
    end = whole[-_LAST:]
    told = _GEMINI_END.search(end)
    assert told is not None  # it may match nothing at the very end
    if told["signal"]:
        line = f"Signal: {told['signal']}"
        printed = _last_line(display) == line and not end[: told.start("signal") - len("\nSignal: ")].endswith(line)
        return "" if printed else f"signal {told['signal']}"  # no line of the client's own tells more
    if told["code"] is None:
        return "0"
    line = f"Exit Code: {told['code']}"
    printed = _last_line(display) == line and not end[: told.start()].endswith(line)  # the command's own last words
    return "0" if printed else str(told["code"])


def _last_line(display: Any) -> str:
    """What the person was shown last: text, or the lines of a terminal as lists of styled pieces."""
    if isinstance(display, list):
        lines = [line for line in display if isinstance(line, list)]
        texts = ["".join(str(bit.get("text", "")) for bit in line if isinstance(bit, dict)).rstrip() for line in lines]
    else:
        texts = [line.rstrip() for line in display[-_LAST:].splitlines()] if isinstance(display, str) else []
    return next((text for text in reversed(texts) if text), "")


def _copilot(text: str) -> str:
    """A mark of its own in the last line; only words about the sandbox may follow it."""
    lines = text[-_LAST:].rstrip().splitlines()
    while lines and (not lines[-1].strip() or lines[-1].startswith(_COPILOT_BESIDES)):
        lines.pop()
    last = lines[-1].rstrip() if lines else ""
    told = _COPILOT_MARK.match(last) or _COPILOT_OLDER.match(last)
    if told:
        return str(told[1])
    return RUNNING if _COPILOT_RUNNING.match(last) else ""
