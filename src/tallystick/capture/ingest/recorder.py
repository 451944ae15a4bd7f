"""Writes one spool record into the journal, inside the commit that it is part of.

All entries of a record are in one commit, and one of them carries the record's key. So a record that was drained before
is recognised, and what it derived from the journal's state then (which calls were open) is not derived again. A call
with a client's id is recognised by that id.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import json
from msgspec.structs import replace

from tallystick.capture.clients.events import (
    ARGUMENTS_CHANGED,
    AgentEnded,
    AgentStarted,
    CallBatch,
    CallBegun,
    CallDenied,
    CallEnded,
    CallObserved,
    Compacted,
    Compacting,
    ConversationEnded,
    ConversationStarted,
    Notified,
    Observed,
    Other,
    PermissionAsked,
    Prompted,
    Stopped,
    TaskEnded,
    UnreadablePayload,
)
from tallystick.capture.clients.payload import Payload
from tallystick.capture.hook.event import detect_client
from tallystick.capture.ingest import background
from tallystick.capture.ingest.own_tools import action_of_own_call, execution_of_own_call, is_own_tool
from tallystick.capture.ingest.sessions import ObservedSessions
from tallystick.capture.spool.records import SpoolRecord
from tallystick.core.entries import Entry
from tallystick.core.errors import Conflict, Refused, UnknownHandle
from tallystick.core.formats import times
from tallystick.core.state import Action, IdempotencyKey
from tallystick.core.tools import CallRules, arguments_differ, effect_of, is_ignored
from tallystick.core.types import Actor
from tallystick.operations import CATALOGUE
from tallystick.operations.attribution.conversations import is_newly_adopted
from tallystick.operations.runtime import correlation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.views.brief_text import clip
from tallystick.protocol.meta import clean_name
from tallystick.store.interface import View

NO_END = {
    "stop": "The turn ended without a reported end. The call may have been refused, interrupted or failed.",
    "prompt": "A new prompt arrived without a reported end. The call may have been refused or interrupted.",
    "agent": "The sub-agent ended without a reported end of the call.",
    "codex": "A new prompt arrived. Neither hooks nor the transcript report an outcome.",
}
"""Why a call without an end is in doubt, by what showed that it cannot be running any more."""
LATE_BEGIN = "The client reported the begin after the end."
ONE_OF_SEVERAL = "The client reported one end ({outcome}) that fits {count} calls; it is unknown which one ended."
OUTCOME_MISSING = "The client reported the end without an outcome."
MAX_CALL_ID = 200
"""Characters of a call's id."""
MAX_NAME = 180
"""Characters of an agent's name or of a reason."""
MAX_SUMMARY = 160
"""Characters of a call's summary."""
_SUMMARY_ARGUMENTS = ("command", "cmd", "file_path", "path", "filePath", "url", "query", "pattern", "prompt")
"""Arguments that show a person what a call does. `description` is not among them: it is the agent's own claim, and
would look as if it had been observed."""
Outcomes = Mapping[str, Mapping[str, Any]]
"""Outcome, result and error of calls, by call id."""


class EventRecorder:
    """Writes one record. `outcomes` are what a transcript says of calls that are still open. `sessions` are those in
    which it is written."""

    def __init__(
        self,
        context: OperationContext,
        sessions: ObservedSessions,
        record: SpoolRecord,
        rules: CallRules,
        outcomes: Outcomes | None = None,
    ) -> None:
        self._base_context = context
        self._sessions = sessions
        self._record = record
        self._rules = rules
        self._outcomes = outcomes or {}
        self.was_known = False
        self.sessions: set[str] = set()
        self.calls = 0
        self._key_suffix = ""
        self._is_new_session = False
        self._session = ""
        self._actor = Actor(kind="hook", name=record.client)
        self._context = context
        self._seen_at = times.iso(record.at) if record.at else ""

    def write(self, facts: tuple[Observed, ...]) -> None:
        """Write what the record says, unless that was done before."""
        known = self._base_context.read(self._find_entry)
        self.was_known = known is not None
        if known is not None:
            self.sessions.add(known.session)
        for number, fact in enumerate(() if self.was_known else facts):
            self._key_suffix = f"#fact{number}" if number else ""
            self._set_principal(fact)
            self._write(fact)

    def _find_entry(self, view: View) -> Entry | None:
        """The entry with the record's key, if it was written before."""
        known = view.get(IdempotencyKey, self._record.key)
        return view.entry(known.seq) if known else None

    def note_unrecorded(self, why: str) -> None:
        """Record a note for a spool record that was refused."""
        self._key_suffix = "#kept"
        self._set_principal(Observed())
        details = {"event": self._record.event, "payload": self._record.payload}
        self._call("record_note", event="other", summary=f"This could not be recorded: {why}", details=details)

    def _set_principal(self, fact: Observed) -> None:
        """Act for the agent, and in the session, that the fact is about."""
        payload = Payload(self._record.payload)
        client = detect_client(self._record.client, payload.fields)
        key = self._record.key if isinstance(fact, ConversationStarted) else ""
        self._session, self._is_new_session = self._sessions.find_or_open(
            self._base_context, self._record, fact.conversation, client, key
        )
        self.sessions.add(self._session)
        self._actor = Actor(kind="sub-agent", name=_printable(fact.agent)) if fact.agent else Actor("hook", client)
        gateway_client = clean_name(payload.text("client")) if client == "gateway" else ""
        principal = Principal(
            actor=self._actor, witness="observed", session=self._session, client=gateway_client or client
        )
        self._context = self._base_context.for_principal(principal)

    def _write(self, fact: Observed) -> None:
        """Write one fact. An event without a writer shows only that hooks are alive."""
        if isinstance(fact, CallObserved):
            self._write_call(fact)
        elif writer := _WRITERS.get(type(fact)):
            writer(self, fact)

    def _write_call(self, fact: CallObserved) -> None:
        match fact:
            case CallEnded() if is_own_tool(fact.tool, fact.arguments):
                self._adopt_execution(fact)
            case _ if is_own_tool(fact.tool, fact.arguments) or is_ignored(fact.tool, self._rules):
                return
            case CallBegun():
                self._begin(fact)
            case CallEnded() if fact.outcome_missing:
                self._note_end(fact)
            case CallEnded():
                self._end(fact, fact.outcome, result=fact.result, error=fact.error)
            case CallDenied():
                self._end(fact, "skipped", error=f"Denied: {fact.reason}" if fact.reason else "It was denied.")
            case PermissionAsked():
                details = {"tool": fact.tool, "arguments": fact.arguments}
                self._note("permission_asked", fact.text or f"May it call {fact.tool}?", details, call_id=fact.call_id)

    def _begin(self, fact: CallObserved) -> Any:
        if self._is_duplicate(fact) or (isinstance(fact, CallBegun) and self._is_late(fact)):
            return None
        begun = fact if isinstance(fact, CallBegun) else CallBegun()
        return self._call(
            "record_action",
            phase="begin",
            tool=fact.tool,
            arguments=fact.arguments,
            summary=_summary(fact.arguments),
            execution_id=begun.execution_id,
            step=begun.step,
            approval_id=begun.approval_id,
            effect=begun.effect or effect_of(fact.tool, fact.arguments, self._rules),
            effect_key=begun.effect_key or self._record.effect_key,
            call_id=self._unused_id(fact),
            shown_as=begun.shown_as,
        )

    def _is_duplicate(self, fact: CallObserved) -> bool:
        """Whether the client reports the same call under another event too, with its id."""
        return fact.echo and self._context.read(lambda view: correlation.client_gives_ids(view, self._session))

    def _adopt_execution(self, fact: CallEnded) -> None:
        """Note which execution a conversation works on, as a call of the journal's own tools shows.

        Some clients hold several conversations, and do not name the calling one to MCP servers.
        """
        action = action_of_own_call(fact)
        about = self._context.read(lambda view: view.get(Action, action)) if action else None
        id = about.execution if about else execution_of_own_call(fact)
        if id and self._context.read(lambda view: is_newly_adopted(view, self._session, id)):
            self._note("took_up", f"{self._actor.name} works on {id}.", execution_id=id)

    def _is_late(self, fact: CallBegun) -> bool:
        """Whether it is the begin of a call whose end came first.

        That is noted on the call, once: a further begin with the same id and effect is another call.
        """
        known = self._context.read(lambda view: correlation.late_begin_of(view, self._hook_call(fact)))
        if known is None:
            return False
        try:
            self._call("record_action", phase="note", action_id=known.id, summary=LATE_BEGIN, key=f"late:{known.id}")
        except Conflict:
            return False
        return True

    def _note_end(self, fact: CallEnded) -> None:
        """Note an end without an outcome. The call stays open until a transcript gives one, or its turn is over."""
        action = self._find_or_begin(fact)
        if action is not None and not correlation.is_settled(action):
            self._call("record_action", phase="note", action_id=action.id, summary=OUTCOME_MISSING, result=fact.result)

    def _find_or_begin(self, fact: CallObserved) -> Action | None:
        """The action of a call that has ended. If no begin was seen, the begin is recorded now."""
        action = self._find_one(fact)
        if action is None:
            suffix, self._key_suffix = self._key_suffix, f"{self._key_suffix}#begin"
            self._begin(fact)
            self._key_suffix = suffix
            action = self._find_one(fact)
        return action

    def _end(self, fact: CallObserved, outcome: str, **end: Any) -> None:
        if self._is_duplicate(fact):
            return
        if isinstance(fact, CallEnded):
            end |= {"without_effect": fact.without_effect, "duration": fact.duration}
        candidates = self._find(fact)
        if len(candidates) > 1:
            self._doubt_all(candidates, outcome, **end)
            return
        action = self._find_or_begin(fact)
        if action is not None and self._was_changed(action, fact):
            self._end_changed(action, fact, outcome, **end)
        elif action is not None:
            self._end_action(action, outcome, **end)

    def _was_changed(self, action: Action, fact: CallObserved) -> bool:
        """Whether the call was made with other arguments than it was begun with.

        The gateway records a call as it was made. Of the hooks, only those of Claude Code report what was made, under
        an id that no other call has.
        """
        by_claude = self._context.principal.client == "claude-code" and bool(fact.call_id)
        is_open = action.state == "open" and not action.gateway_session
        if not by_claude or not is_open or action.effect_key == self._effect_key(fact):
            return False
        begun = self._context.read(lambda view: view.bodies([action.seq])).get(action.seq)
        stated = json.decode(begun).get("arguments") if begun else None
        return isinstance(stated, dict) and arguments_differ(stated, fact.arguments)

    def _end_changed(self, action: Action, fact: CallObserved, outcome: str, **end: Any) -> None:
        """End the call as skipped, and record what was made as an action of its own. The id stays with the first."""
        suffix = self._key_suffix
        self._end_action(action, "skipped", error=ARGUMENTS_CHANGED, without_effect=True)
        self._key_suffix = f"{suffix}#made"
        made = self._begin(replace(fact, call_id=""))
        self._key_suffix = f"{suffix}#made#end"
        self._call("record_action", phase="end", action_id=made.id, outcome=outcome, **end)
        self._key_suffix = suffix

    def _doubt_all(self, candidates: list[Action], outcome: str, **end: Any) -> None:
        """Put every candidate in doubt: the end is that of one of them, and nothing shows which."""
        suffix = self._key_suffix
        fields = {name: end.get(name) for name in ("result", "error")}
        text = ONE_OF_SEVERAL.format(count=len(candidates), outcome=outcome)
        for number, action in enumerate(candidates):
            self._key_suffix = f"{suffix}#one{number}" if number else suffix
            if action.state == "open":
                error = f"{text} {fields['error'] or ''}".strip()
                more = {"phase": "end", "outcome": "unknown", **fields, "error": error}
            else:
                more = {"phase": "note", "summary": text, **fields}
            self._call("record_action", action_id=action.id, **more)
        self._key_suffix = suffix

    def _end_action(self, action: Action, outcome: str, **end: Any) -> None:
        """End an action. With a call id it is named by that, so that a second witness confirms the same end."""
        handle = {"call_id": action.call} if action.call else {"action_id": action.id}
        try:
            self._call("record_action", phase="end", outcome=outcome, **handle, **end)
        except UnknownHandle:  # the journal masked the id
            self._call("record_action", phase="end", outcome=outcome, action_id=action.id, **end)

    def _end_task(self, fact: TaskEnded) -> None:
        """Settle a call that left a task running. Both ids must match, since a person or a tool may write such text."""
        id = fact.call_id[:MAX_CALL_ID]
        action = self._context.read(lambda view: background.find_background_call(view, self._session, id, fact.task))
        if action is not None and fact.outcome == "unknown":
            self._call("record_action", phase="note", action_id=action.id, summary=fact.error)
        elif action is not None:
            self._end_action(action, fact.outcome, result=fact.result, error=fact.error)

    def _find_one(self, fact: CallObserved) -> Action | None:
        """The action of a call, if exactly one fits."""
        found = self._find(fact)
        return found[0] if len(found) == 1 else None

    def _find(self, fact: CallObserved) -> list[Action]:
        """The action of a call, by the client's id, else by what is open; several, if it may be any of them."""
        return correlation.actions_of_hook_call(self._context, self._hook_call(fact))

    def _hook_call(self, fact: CallObserved) -> correlation.HookCall:
        return correlation.HookCall(
            session=self._session,
            actor=self._actor.name,
            tool=fact.tool,
            arguments=fact.arguments,
            effect_key=self._effect_key(fact),
            id=_call_id(fact),
        )

    def _effect_key(self, fact: CallObserved) -> str:
        return self._record.effect_key or self._context.effect_key(fact.tool, fact.arguments)

    def _unused_id(self, fact: CallObserved) -> str:
        """The client's id of a call that begins; empty if another call has it."""
        return self._context.read(lambda view: correlation.usable_hook_id(view, self._hook_call(fact), self._seen_at))

    def _write_batch(self, fact: CallBatch) -> None:
        """End the calls of a batch that nothing else has ended."""
        for number, call in enumerate(fact.calls):
            self._key_suffix = f"#{number}"
            if is_own_tool(call.tool, call.arguments) or is_ignored(call.tool, self._rules):
                continue
            action = self._find_one(call)
            if action is None or not (correlation.is_settled(action) or action.state == "unknown"):
                self._end(call, call.outcome, result=call.result, error=call.error)

    def _write_session_start(self, fact: ConversationStarted) -> None:
        if not self._is_new_session:
            details = {"source": fact.source, "model": fact.model}
            self._note("other", f"The session goes on ({fact.source or 'no reason given'}).", details)

    def _write_session_end(self, fact: ConversationEnded) -> None:
        self._settle("")
        try:
            self._call("end_session", session_id=self._session, reason=_printable(fact.reason) or "ended")
        except Refused:  # its process was gone, and the session was ended for that reason
            self._note("other", "The session ended.", {"reason": fact.reason})
        self._sessions.forget(self._session)

    def _write_prompt(self, fact: Prompted) -> None:
        """The note comes first, since it carries the key; then the prompt closes open calls. The methods below do the
        same."""
        self._note("notified" if fact.by_client else "prompt", fact.text)
        self._settle(NO_END["codex" if self._record.client == "codex" else "prompt"])
        if self._actor.name == "claude-code" and not fact.by_client:
            self._end_interrupted_subagents()

    def _write_stop(self, fact: Stopped) -> None:
        event = "interrupted" if fact.interrupted else "stopped"
        self._note(event, fact.text or fact.error, {"error": fact.error} if fact.error else None)
        may_follow = self._record.client == "codex" and fact.transcript  # Codex may write outcomes after the stop
        self._settle("" if may_follow else NO_END["stop"])

    def _write_agent_start(self, fact: AgentStarted) -> None:
        self._note("subagent_started", fact.kind, agent=fact.agent)

    def _write_agent_end(self, fact: AgentEnded) -> None:
        self._note("subagent_ended", fact.text or fact.kind, {"kind": fact.kind}, agent=fact.agent)
        if fact.agent:
            self._settle(NO_END["agent"])

    def _write_compaction(self, fact: Compacting | Compacted) -> None:
        if isinstance(fact, Compacting):
            self._note("compacting", fact.trigger)
        else:
            self._note("compacted", fact.summary or fact.trigger)

    def _write_notification(self, fact: Notified) -> None:
        self._note("notified", fact.text)

    def _write_unreadable(self, fact: UnreadablePayload) -> None:
        self._note("other", f"Unreadable: {fact.why}", {"text": fact.text, "event": self._record.event})

    def _write_other(self, fact: Other) -> None:
        self._note("other", fact.event or "An event without a name.", fact.payload)

    def _settle(self, why: str) -> None:
        """End what this agent left open, by its transcript, else as `unknown` with the reason `why`, if there is one.

        None of it can be running any more.
        """
        left = self._context.read(lambda view: correlation.unsettled_actions(view, self._session, self._actor.name))
        for number, action in enumerate(left):
            self._key_suffix = f"#open{number}"
            end = self._outcomes.get(action.call) if action.call else None
            if end is not None and (action.state == "open" or end["outcome"] != "unknown"):
                self._end_action(action, **end)
            elif why and action.state == "open":
                self._end_action(action, "unknown", error=why)
        self._key_suffix = ""

    def _end_interrupted_subagents(self) -> None:
        """End the calls of Claude Code's sub-agents after an interrupt, which ends them without an event."""
        left = self._context.read(
            lambda view: background.interrupted_subagent_calls(view, self._session, self._actor.name)
        )
        for number, action in enumerate(left):
            self._key_suffix = f"#agents{number}"
            self._end_action(action, "unknown", error=NO_END["prompt"])
        self._key_suffix = ""

    def _note(self, event: str, summary: str, details: Any = None, **more: str) -> None:
        more = {name: value[:MAX_CALL_ID] for name, value in more.items() if value}
        if self._actor.kind == "sub-agent":
            more.setdefault("agent", self._actor.name)
        self._call("record_note", event=event, summary=summary, details=details, **more)

    def _call(self, operation: str, **arguments: Any) -> Any:
        """Carry out an operation under the record's key, unless another key is passed. Empty arguments are left out."""
        fields = {name: value for name, value in arguments.items() if value is not None and value != ""}
        if operation.startswith("record_") and self._record.at:
            fields["seen_at"] = self._seen_at
        self.calls += 1
        return CATALOGUE[operation](self._context, {"key": self._record.key + self._key_suffix, **fields})


_WRITERS: Mapping[type[Observed], Callable[[EventRecorder, Any], None]] = {
    CallBatch: EventRecorder._write_batch,
    TaskEnded: EventRecorder._end_task,
    ConversationStarted: EventRecorder._write_session_start,
    ConversationEnded: EventRecorder._write_session_end,
    Prompted: EventRecorder._write_prompt,
    Stopped: EventRecorder._write_stop,
    AgentStarted: EventRecorder._write_agent_start,
    AgentEnded: EventRecorder._write_agent_end,
    Compacting: EventRecorder._write_compaction,
    Compacted: EventRecorder._write_compaction,
    Notified: EventRecorder._write_notification,
    UnreadablePayload: EventRecorder._write_unreadable,
    Other: EventRecorder._write_other,
}


def _call_id(fact: CallObserved) -> str:
    return "".join(letter for letter in fact.call_id if letter.isprintable())[:MAX_CALL_ID]


def _printable(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable())[:MAX_NAME]


def _summary(arguments: dict[str, Any]) -> str:
    """A call in one line. All lines of a text are in it: the first alone may hide what the others do."""
    text = next((arguments[name] for name in _SUMMARY_ARGUMENTS if isinstance(arguments.get(name), str)), "")
    return clip(text, MAX_SUMMARY)
