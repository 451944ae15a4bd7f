"""What each client expects to hear, in its own form. Nothing but JSON ever goes to the output.

No answer allows a call, since that would overrule the person whom the client would have asked; but for one. Cursor
takes a silent `preToolUse` for a failure where the hook is `failClosed`, and blocks every call: it is told to go on.
Sources: Claude Code's typings, Codex's JSON Schemas, the references of Gemini CLI, GitHub Copilot and VS Code, Cursor's
pages on its hooks and on those of others.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CLIENTS = ("claude-code", "codex", "gemini-cli", "cursor", "copilot")
CALL_BEGIN_EVENTS = frozenset({"pretooluse", "beforetool", "beforeshellexecution", "beforemcpexecution"})
CALL_END_EVENTS = frozenset(
    {"posttooluse", "posttoolusefailure", "permissiondenied", "aftertool", "aftershellexecution", "aftermcpexecution"}
)
SESSION_START_EVENTS = frozenset({"sessionstart"})
"""After compaction too: Claude Code and Codex start the session again, with the source `compact`."""
NO_START_AFTER_COMPACTION = frozenset({"gemini-cli", "cursor", "copilot"})
"""These say when they are about to compact, and nothing after it: the agent is briefed at the next event that lets it
be told something."""
ANNOUNCE_EVERY_TURN = frozenset({"gemini-cli"})
"""This one says so before every answer of its model, whether it compacts then or not: its transcript tells."""
COMPACTION_EVENTS = frozenset({"precompress", "precompact"})
SILENT_EVENTS = frozenset({"precompact", "postcompact"})
"""At these Claude Code takes whatever is said, be it an empty object, for instructions to who writes the summary, and
shows it to the person and the model."""
LATE_BRIEF_EVENTS = frozenset({"beforeagent", "aftertool", "posttooluse"})
STOP_EVENTS = frozenset({"stop", "agentstop", "afteragent"})
SESSION_END_EVENTS = frozenset({"sessionend"})
SHARED_LINES_OF = "claude-code"
"""The client whose lines others run too. By such a line Cursor takes what Claude Code takes, but for a reminder; and
silence before a call, which it takes for a failure only by a line of its own."""


def no_message(client: str, event: str, strict: bool = False) -> dict[str, Any]:
    """There is nothing to say. `preToolUse` is Cursor's gate for every tool. Its older gates, for shells and for MCP,
    ask in place of a person: they are answered only where silence would block."""
    return {"permission": "allow"} if client == "cursor" and (strict or event.lower() == "pretooluse") else {}


def brief_message(client: str, event: str, text: str, line: str = "") -> dict[str, Any]:
    """Something for the agent to know, at the start of a session."""
    if client == "cursor" and line != SHARED_LINES_OF:
        return {"additional_context": text}
    said = {"hookEventName": event[:1].upper() + event[1:], "additionalContext": text}
    if client == "copilot":
        return {"additionalContext": text, **({"hookSpecificOutput": said} if event[:1].isupper() else {})}
    return {"hookSpecificOutput": said}


def reminder_message(client: str, event: str, text: str, line: str = "") -> dict[str, Any]:
    """What the agent is to see to before its turn is over. Only Claude Code has a form that blocks nothing, and only it
    takes that one."""
    said = {"decision": "deny" if client == "gemini-cli" else "block", "reason": text}
    if client == "claude-code":
        return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    if client == "cursor":
        return {"followup_message": text, **(said if line == SHARED_LINES_OF else {})}
    if client == "copilot" and event[:1].isupper():  # VS Code reads it there
        return {**said, "hookSpecificOutput": {"hookEventName": event, **said}}
    return said


def refusal_message(client: str, event: str, reason: str) -> tuple[int, dict[str, Any] | None]:
    """A call is not to happen: the exit code, and what to say. Where there is nothing to say, the reason on the error
    output is what counts."""
    if client == "cursor":
        return 0, {"permission": "deny", "user_message": reason, "agent_message": reason}
    if client == "copilot":
        said = {"permissionDecision": "deny", "permissionDecisionReason": reason}
        more = {"hookSpecificOutput": {"hookEventName": event, **said}} if event[:1].isupper() else {}
        return 0, {**said, **more}
    return 2, None
