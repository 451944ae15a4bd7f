"""A client with our hooks, and a journal that only they write to: the model never calls us."""

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from tallystick import Journal
from tallystick.capture.hook.main import HookEvent
from tallystick.capture.ingest.drain import Drained, drain
from tallystick.capture.spool import file as spool_file
from tallystick.core.entries import SessionNoted
from tallystick.core.formats.canonical_json import DEFAULT_LIMITS, Limits
from tallystick.core.state import Action
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.local import Local
from tallystick.settings import Settings
from tallystick.store.interface import Select, Store

JOURNAL = "seen"


class RecordedCall(NamedTuple):
    """One call: the agent, the tool, the arguments and the outcome."""

    tool: str
    arguments: dict[str, Any]
    state: str
    by: str = ""
    error: str = ""


class Watched:
    """One journal and its spool."""

    def __init__(self, store: Store, folder: Path, journal: str = JOURNAL, limits: Limits = DEFAULT_LIMITS) -> None:
        self.env = {
            "TALLYSTICK_SPOOL": str(folder / "spool"),
            "TALLYSTICK_JOURNAL": journal,
            "XDG_CONFIG_HOME": str(folder / "config"),
        }
        self.store = store
        self.name = journal
        self.at = 0
        settings = Settings(url="", journal=journal, actor="reader", limits=limits)
        self.local = Local(OperationContext(store, settings, Principal()))
        self.journal = Journal(self.local)
        self.spool = spool_file.path(spool_file.folder(self.env), journal)

    def client(self, name: str, conversation: str, process: int | None = None) -> "Client":
        return Client(self, name, conversation, os.getpid() if process is None else process)

    def drain(self, **more: Any) -> Drained:
        return drain(self.local, self.env, **more)

    def actions(self) -> list[Action]:
        return self.store.read(self.name, lambda view: view.find(Action, Select(newest_first=False, limit=10_000)))

    def calls(self) -> list[RecordedCall]:
        """The calls in the journal, in the order of their begins."""
        found = []
        for row in self.actions():
            action = self.journal.get_action(action_id=row.id)
            by = "" if row.actor in ("claude-code", "codex", "gemini-cli", "cursor", "copilot") else row.actor
            error = action.end_body.get("error", "")
            found.append(RecordedCall(row.tool, action.begin_body.get("arguments") or {}, action.state, by, error))
        return found

    def kinds(self) -> list[str]:
        """The kinds of all entries; for notes, their event."""
        entries = self.store.read(self.name, lambda view: view.entries(limit=10_000))
        return [each.facts.event if isinstance(each.facts, SessionNoted) else each.kind for each in entries]


class Client:
    """One conversation. Its events are spooled by the hook's own code."""

    def __init__(self, watched: Watched, name: str, conversation: str, process: int) -> None:
        self.name = name
        self.process = process
        self._watched = watched
        field = {"cursor": "conversation_id", "copilot": "sessionId"}.get(name, "session_id")
        self._base = {field: conversation}

    def send(self, event: str, **payload: Any) -> dict[str, Any]:
        """Spool one event; returns its record."""
        arguments = {**self._base, "hook_event_name": event, **payload}
        record = HookEvent([self.name, "--event", event], json.dumps(arguments).encode(), self._watched.env).record()
        record["pid"] = self.process
        record["at"] = self._watched.at = max(record["at"], self._watched.at + 1000)  # a hook takes milliseconds
        spool_file.append(self._watched.spool, record)
        return record

    def claude_call(self, tool: str, id: str, arguments: dict[str, Any], **result: Any) -> None:
        """Spool a call and its end, as Claude Code and Codex report them."""
        self.send("PreToolUse", tool_name=tool, tool_input=arguments, tool_use_id=id)
        event = "PostToolUseFailure" if "error" in result else "PostToolUse"
        self.send(event, tool_name=tool, tool_input=arguments, tool_use_id=id, **result)

    def leave_open(self, id: str = "t1") -> None:
        """Spool the begin of a call, as Claude Code reports it."""
        self.send("PreToolUse", tool_name="Bash", tool_input={"command": "npm publish", "n": id}, tool_use_id=id)
