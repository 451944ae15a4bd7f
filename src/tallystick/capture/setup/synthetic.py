"""A call that never happened, in the words of each client: what `setup --check` sends through the hooks."""

from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from tallystick.capture.setup.events import HOOKS


class Call(Struct, frozen=True):
    """A made-up call in a made-up conversation. `token` stands in all of its ids and in its argument."""

    client: str
    token: str
    cwd: str

    @property
    def argument(self) -> str:
        """What nobody runs."""
        return f"touch tallystick-check-{self.token}"

    def payload(self, when: str) -> dict[str, Any]:
        """What the client would say before or after the call."""
        event = next(each.name for each in HOOKS[self.client].events if each.call == when)
        return {**_base(self), "hook_event_name": event, **_asked(self), **(_answer(self) if when == "after" else {})}


def _base(call: Call) -> dict[str, Any]:
    session = f"check-{call.token}"
    match call.client:
        case "claude-code":
            return {"session_id": session, "transcript_path": "", "cwd": call.cwd, "permission_mode": "default"}
        case "codex":
            asked = {"model": "none", "permission_mode": "default", "turn_id": f"turn-{call.token}"}
            return {"session_id": session, "transcript_path": None, "cwd": call.cwd, **asked}
        case "cursor":
            ids = {"conversation_id": session, "generation_id": f"generation-{call.token}", "model": "none"}
            return {**ids, "cursor_version": "0", "workspace_roots": [call.cwd], "cwd": call.cwd}
        case _:
            return {"session_id": session, "cwd": call.cwd, "timestamp": datetime.now(UTC).isoformat()}


def _asked(call: Call) -> dict[str, Any]:
    """Codex does not tell its hook how a command ended: there it is a patch, which is told only when it succeeded."""
    tool = {"gemini-cli": "run_shell_command", "cursor": "Shell", "codex": "apply_patch"}.get(call.client, "Bash")
    asked = {"tool_name": tool, "tool_input": {"command": call.argument}}
    named = call.client in ("claude-code", "codex", "cursor")
    return {**asked, **({"tool_use_id": f"call_{call.token}"} if named else {})}


def _answer(call: Call) -> dict[str, Any]:
    match call.client:
        case "claude-code":
            return {"tool_response": {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}}
        case "codex":
            return {"tool_response": "Success. Updated the following files:\n"}
        case "gemini-cli":
            return {"tool_response": {"llmContent": "Output: (empty)\nProcess Group PGID: 1", "returnDisplay": ""}}
        case "cursor":
            return {"tool_output": '{"exitCode": 0, "output": ""}', "duration": 1}
        case _:
            text = "\n<shellId: 0 completed with exit code 0>"
            return {"tool_result": {"result_type": "success", "text_result_for_llm": text}}
