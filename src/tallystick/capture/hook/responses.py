"""The clients' events by role, and the JSON answer to each. Only JSON is ever written to the output.

No answer allows a call, since that would overrule the person whom the client would have asked. The exception is Cursor:
it takes a silent `preToolUse` for a failure where the hook is `failClosed`, and blocks every call, so it gets `allow`.
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
"""After a compaction too: Claude Code and Codex start the session again, with the source `compact`."""
SESSION_END_EVENTS = frozenset({"sessionend"})
STOP_EVENTS = frozenset({"stop", "agentstop", "afteragent"})
COMPACTION_EVENTS = frozenset({"precompress", "precompact"})
NO_START_AFTER_COMPACTION = frozenset({"gemini-cli", "cursor", "copilot"})
"""These clients announce a compaction and send nothing after it. The agent is briefed at a `LATE_BRIEF_EVENTS`."""
LATE_BRIEF_EVENTS = frozenset({"beforeagent", "aftertool", "posttooluse"})
"""Events at which such a client passes a text on to the agent."""
ANNOUNCE_EVERY_TURN = frozenset({"gemini-cli"})
"""It announces a compaction before every answer of the model. Its transcript shows whether there was one."""
SILENT_EVENTS = frozenset({"precompact", "postcompact"})
"""Claude Code takes any output here, even an empty object, for instructions for the summary, and shows it to the person
and the model."""
SHARED_LINES_OF = "claude-code"
"""The client whose hook lines other clients run too. By such a line Cursor accepts what Claude Code accepts, except a
reminder; and it accepts silence before a call, which by a line of its own it takes for a failure."""


def no_message(client: str, event: str, strict: bool = False) -> dict[str, Any]:
    """The answer with nothing to say.

    Cursor's `preToolUse` covers every tool. Its older events for shells and MCP ask in place of a person, so they are
    answered only where silence would block.
    """
    return {"permission": "allow"} if client == "cursor" and (strict or event.lower() == "pretooluse") else {}


def brief_message(client: str, event: str, text: str, line: str = "") -> dict[str, Any]:
    """Context for the agent. `line` is the client that the hook line was made for."""
    if client == "cursor" and line != SHARED_LINES_OF:
        return {"additional_context": text}
    message = {"hookEventName": event[:1].upper() + event[1:], "additionalContext": text}
    if client == "copilot":
        return {"additionalContext": text, **({"hookSpecificOutput": message} if event[:1].isupper() else {})}
    return {"hookSpecificOutput": message}


def reminder_message(client: str, event: str, text: str, line: str = "") -> dict[str, Any]:
    """A reminder for an agent that stops. Only Claude Code has, and accepts, a form that does not block the stop."""
    message = {"decision": "deny" if client == "gemini-cli" else "block", "reason": text}
    if client == "claude-code":
        return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    if client == "cursor":
        return {"followup_message": text, **(message if line == SHARED_LINES_OF else {})}
    if client == "copilot" and event[:1].isupper():  # VS Code reads it one level below
        return {**message, "hookSpecificOutput": {"hookEventName": event, **message}}
    return message


def refusal_message(client: str, event: str, reason: str) -> tuple[int, dict[str, Any] | None]:
    """The exit code and the message that refuse a call. Without a message, the reason on the error output counts."""
    if client == "cursor":
        return 0, {"permission": "deny", "user_message": reason, "agent_message": reason}
    if client == "copilot":
        message = {"permissionDecision": "deny", "permissionDecisionReason": reason}
        nested = {"hookSpecificOutput": {"hookEventName": event, **message}} if event[:1].isupper() else {}
        return 0, {**message, **nested}
    return 2, None
