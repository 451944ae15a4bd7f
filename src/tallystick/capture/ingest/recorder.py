"""From what was observed to entries: one record of the spool, inside the commit that it is part of.

All entries of a record are in one commit, and one of them carries its key: so a record that was drained before is
known, and what it made of the journal's state then (what was still open) is not asked again. What has the client's id
of a call is known by that.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import json
from msgspec.structs import replace

from tallystick.capture.clients.events import (
    CHANGED,
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
    IgnoredEvent,
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
from tallystick.capture.ingest import background, matching
from tallystick.capture.ingest.matching import execution_of_own_call, is_own_tool
from tallystick.capture.ingest.sessions import ObservedSessions
from tallystick.capture.spool.records import SpoolRecord
from tallystick.core.errors import Conflict, Refused, UnknownHandle
from tallystick.core.formats import times
from tallystick.core.state import Action, IdempotencyKey
from tallystick.core.tools import CallRules, arguments_differ, effect_of, is_ignored
from tallystick.core.types import Actor
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime import correlation
from tallystick.operations.runtime.attribution import is_newly_adopted
from tallystick.operations.runtime.correlation import action_of_call
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.views.brief_text import clip
from tallystick.protocol.meta import clean_name
from tallystick.store.interface import View

NO_END = {
    "stop": "Its turn is over and no end of it was seen: it may have been refused, interrupted, or have failed.",
    "prompt": "A new prompt came and no end of it was seen: it may have been refused or interrupted.",
    "agent": "Its sub-agent has ended and no end of it was seen.",
    "codex": "A new prompt came, and neither hook nor transcript told what came of it.",
}
LATE = "Its begin was told after its end."
ONE_OF = "An end was told ({outcome}) of one of {count} calls, and not of which."
UNSAID = "Its end was told, and not what came of it."
CALL_ID = 200
"""How long the id of a call may be."""
SUMMARY = 160
_TOLD_BY = ("command", "cmd", "file_path", "path", "filePath", "url", "query", "pattern", "prompt")
"""Arguments that tell a person what a call does. A `description` is none: it is the agent's own word for it, and would
stand there as if it had been observed."""
Outcomes = Mapping[str, Mapping[str, Any]]


class EventRecorder:
    """Writes one record down. `outcomes` are what a transcript says of calls that are still open, by their ids."""

    def __init__(
        self,
        context: OperationContext,
        sessions: ObservedSessions,
        spooled: SpoolRecord,
        rules: CallRules,
        outcomes: Outcomes | None = None,
    ) -> None:
        self._bare = context
        self._sessions = sessions
        self._spooled = spooled
        self._rules = rules
        self._outcomes = outcomes or {}
        self.was_known = False
        self.calls = 0
        self._part = ""
        self._opened = False
        self._session = ""
        self._actor = Actor(kind="hook", name=spooled.client)
        self._context = context
        self._seen_at = times.iso(spooled.at) if spooled.at else ""

    def write(self, facts: tuple[Observed, ...]) -> None:
        """Write them, unless that was done before."""
        self.was_known = self._bare.read(lambda view: view.get(IdempotencyKey, self._spooled.key)) is not None
        for number, fact in enumerate(() if self.was_known else facts):
            self._part = f"#fact{number}" if number else ""
            self._speak_for(fact)
            self._write(fact)

    def keep(self, why: str) -> None:
        """Note a record that could not be written as what it is."""
        self._part = "#kept"
        self._speak_for(Observed())
        details = {"event": self._spooled.event, "payload": self._spooled.payload}
        self._call("record_note", event="other", summary=f"This could not be recorded: {why}", details=details)

    def _speak_for(self, fact: Observed) -> None:
        client = detect_client(self._spooled.client, Payload(self._spooled.payload).fields)
        key = self._spooled.key if isinstance(fact, ConversationStarted) else ""
        self._session, self._opened = self._sessions.of(self._bare, self._spooled, fact.conversation, client, key)
        self._actor = Actor(kind="sub-agent", name=_plain(fact.agent)) if fact.agent else Actor("hook", client)
        behind = clean_name(Payload(self._spooled.payload).text("client")) if client == "gateway" else ""
        principal = Principal(actor=self._actor, witness="observed", session=self._session, client=behind or client)
        self._context = self._bare.for_principal(principal)

    def _write(self, fact: Observed) -> None:
        match fact:
            case CallEnded() if is_own_tool(fact.tool, fact.arguments):
                self._take_up(fact)
            case CallObserved() if is_own_tool(fact.tool, fact.arguments) or is_ignored(fact.tool, self._rules):
                return
            case CallBegun():
                self._begin(fact)
            case CallEnded() if fact.unsaid:
                self._note_end(fact)
            case CallEnded():
                self._end(fact, fact.outcome, result=fact.result, error=fact.error)
            case CallDenied():
                self._end(fact, "skipped", error=f"Denied: {fact.reason}" if fact.reason else "It was denied.")
            case PermissionAsked():
                details = {"tool": fact.tool, "arguments": fact.arguments}
                self._note("permission_asked", fact.text or f"May it call {fact.tool}?", details, call_id=fact.call_id)
            case CallBatch():
                for number, call in enumerate(fact.calls):
                    self._part = f"#{number}"
                    self._close(call)
            case TaskEnded():
                self._end_task(fact)
            case ConversationStarted() | ConversationEnded():
                self._bound(fact)
            case IgnoredEvent():
                return  # it shows that hooks live, and no more
            case _:
                self._turn(fact)

    def _begin(self, fact: CallObserved) -> Any:
        if fact.echo and self._context.read(lambda view: matching.client_gives_ids(view, self._session)):
            return None  # the same call, told again
        if isinstance(fact, CallBegun) and self._is_late(fact):
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
            effect_key=begun.effect_key or self._spooled.effect_key,
            call_id=self._free_id(fact),
            shown_as=begun.shown_as,
        )

    def _take_up(self, fact: CallEnded) -> None:
        """A call of the journal itself shows which execution a conversation works on: some clients do not tell their
        conversation to MCP servers, and hold several."""
        id = execution_of_own_call(fact)
        if id and self._context.read(lambda view: is_newly_adopted(view, self._session, id)):
            self._note("took_up", f"{self._actor.name} works on {id}.", execution_id=id)

    def _is_late(self, fact: CallBegun) -> bool:
        """Whether it is the begin of a call whose end came first. It is noted there, once: what begins then with the
        same id and effect is another call."""
        id, effect_key = _call_id(fact), self._effect_key(fact)
        known = (
            self._context.read(lambda view: matching.action_by_id(view, id, self._session, fact.tool)) if id else None
        )
        if known is None or not self._context.read(lambda view: matching.may_be_late_begin(view, known, effect_key)):
            return False
        try:
            self._call("record_action", phase="note", action_id=known.id, summary=LATE, key=f"late:{known.id}")
        except Conflict:
            return False
        return True

    def _note_end(self, fact: CallEnded) -> None:
        """It has ended, and nobody said how: what is known is noted, and it stays open until a transcript tells, or
        nobody."""
        action = self._begun(fact)
        if action is not None and not matching.is_settled(action):
            self._call("record_action", phase="note", action_id=action.id, summary=UNSAID, result=fact.result)

    def _begun(self, fact: CallObserved) -> Action | None:
        """The action of a call that has ended. Where no begin was seen, it is recorded now."""
        action = self._action(fact)
        if action is None:
            part, self._part = self._part, f"{self._part}#begin"
            self._begin(fact)
            self._part = part
            action = self._action(fact)
        return action

    def _end(self, fact: CallObserved, outcome: str, **came: Any) -> None:
        if fact.echo and self._context.read(lambda view: matching.client_gives_ids(view, self._session)):
            return
        if isinstance(fact, CallEnded):
            came |= {"without_effect": fact.without_effect, "duration": fact.duration}
        several = self._actions(fact)
        if len(several) > 1:
            self._doubt(several, outcome, **came)
            return
        action = self._begun(fact)
        if action is not None and self._was_changed(action, fact):
            self._end_as_made(action, fact, outcome, **came)
        elif action is not None:
            self._ended(action, outcome, **came)

    def _was_changed(self, action: Action, fact: CallObserved) -> bool:
        """Whether it was made with other arguments than it was begun with. What went through the gateway stands there
        as it was made; and only Claude Code tells what was made, under an id that no other call has."""
        by_claude = self._context.principal.client == "claude-code" and bool(fact.call_id)
        if (
            not by_claude
            or action.state != "open"
            or action.gateway_session
            or action.effect_key == self._effect_key(fact)
        ):
            return False
        begun = self._context.read(lambda view: view.bodies([action.seq])).get(action.seq)
        stated = json.decode(begun).get("arguments") if begun else None
        return isinstance(stated, dict) and arguments_differ(stated, fact.arguments)

    def _end_as_made(self, action: Action, fact: CallObserved, outcome: str, **came: Any) -> None:
        """It did not happen as it was begun: what did is an action of its own. The id stays with the first."""
        part = self._part
        self._ended(action, "skipped", error=CHANGED, without_effect=True)
        self._part = f"{part}#made"
        made = self._begin(replace(fact, call_id=""))
        self._part = f"{part}#made#end"
        self._call("record_action", phase="end", action_id=made.id, outcome=outcome, **came)
        self._part = part

    def _doubt(self, several: list[Action], outcome: str, **came: Any) -> None:
        """An end of one of several, and nobody can tell of which: it settles none, and none is taken for running."""
        part = self._part
        told = {name: came.get(name) for name in ("result", "error")}
        for number, action in enumerate(several):
            self._part = f"{part}#one{number}" if number else part
            if action.state == "open":
                error = f"{ONE_OF.format(count=len(several), outcome=outcome)} {told['error'] or ''}".strip()
                self._call(
                    "record_action", phase="end", action_id=action.id, outcome="unknown", **{**told, "error": error}
                )
            else:
                summary = ONE_OF.format(count=len(several), outcome=outcome)
                self._call("record_action", phase="note", action_id=action.id, summary=summary, **told)
        self._part = part

    def _ended(self, action: Action, outcome: str, **came: Any) -> None:
        """End it. With an id it is named by that: whoever else has seen it end, has said the same."""
        which = {"call_id": action.call} if action.call else {"action_id": action.id}
        try:
            self._call("record_action", phase="end", outcome=outcome, **which, **came)
        except UnknownHandle:  # its id stands masked in the journal
            self._call("record_action", phase="end", outcome=outcome, action_id=action.id, **came)

    def _end_task(self, fact: TaskEnded) -> None:
        """The last word on what a call has left running. Whoever writes such a word without knowing both ids, of the
        call and of what it left, has settled nothing."""
        id = fact.call_id[:CALL_ID]
        action = self._context.read(lambda view: background.find_background_call(view, self._session, id, fact.task))
        if action is not None and fact.outcome == "unknown":
            self._call("record_action", phase="note", action_id=action.id, summary=fact.error)
        elif action is not None:
            self._ended(action, fact.outcome, result=fact.result, error=fact.error)

    def _action(self, fact: CallObserved) -> Action | None:
        """The action of a call, where it can be told."""
        found = self._actions(fact)
        return found[0] if len(found) == 1 else None

    def _actions(self, fact: CallObserved) -> list[Action]:
        """The action of a call, by the client's id, else by what is open; several, if it may be any of them."""
        id = _call_id(fact)
        known = (
            self._context.read(lambda view: matching.action_by_id(view, id, self._session, fact.tool)) if id else None
        )
        if known is not None and not matching.is_settled(known):
            return [known]
        effect_key, who = self._effect_key(fact), self._actor.name
        if known is not None:  # told again; or its id was used again, and then only the very same effect tells
            return [
                self._context.read(
                    lambda view: (
                        matching.action_of_same_effect(view, self._session, who, fact.tool, effect_key) or known
                    )
                )
            ]
        veiled = self._context.effect_key(fact.tool, fact.arguments) if matching.is_masked(fact.arguments) else ""
        return self._context.read(lambda view: self._without_id(view, fact, matching.EffectKeys(effect_key, veiled)))

    def _without_id(self, view: View, fact: CallObserved, keys: matching.EffectKeys) -> list[Action]:
        """What the gateway has seen end is what its client is told of first; what it still has open, last."""
        who = self._actor.name
        passed = matching.calls_through_gateway(view, self._session, who, fact.tool, keys)
        joined = correlation.told_of_begin(view, self._context, self._session, fact.tool, fact.arguments)
        return (
            [row for row in passed if row.end_seq][:1]
            or ([joined] if joined else [])
            or matching.actions_without_id(view, self._session, who, fact.tool, fact.arguments, keys)
            or passed[:1]
        )

    def _effect_key(self, fact: CallObserved) -> str:
        return self._spooled.effect_key or self._context.effect_key(fact.tool, fact.arguments)

    def _free_id(self, fact: CallObserved) -> str:
        """The client's id of a call that begins; empty when it was another call's."""
        id = _call_id(fact)
        taken = self._context.read(lambda view: action_of_call(view, id)) if id else None
        if taken is None:
            return id
        known = self._context.read(lambda view: matching.action_by_id(view, id, self._session, fact.tool))
        if known is None or self._context.read(lambda view: matching.ended_before(view, known, self._seen_at)):
            return ""
        return id

    def _close(self, call: CallEnded) -> None:
        """End a call of a batch, if nothing else has ended it."""
        if is_own_tool(call.tool, call.arguments) or is_ignored(call.tool, self._rules):
            return
        action = self._action(call)
        told = action is not None and (matching.is_settled(action) or action.state == "unknown")
        if not told:  # it, or one of several
            self._end(call, call.outcome, result=call.result, error=call.error)

    def _bound(self, fact: ConversationStarted | ConversationEnded) -> None:
        if isinstance(fact, ConversationStarted):
            if not self._opened:
                about = {"source": fact.source, "model": fact.model}
                self._note("other", f"The session goes on ({fact.source or 'no reason given'}).", about)
            return
        self._settle("")
        try:
            self._call("end_session", session_id=self._session, reason=_plain(fact.reason) or "ended")
        except Refused:  # its process was gone, and somebody has ended it
            self._note("other", "The session ended.", {"reason": fact.reason})
        self._sessions.forget(self._session)

    def _turn(self, fact: Observed) -> None:
        """What is no call. Its note comes first, and carries the key; then what it closes is closed."""
        match fact:
            case Prompted():
                self._note("notified" if fact.by_client else "prompt", fact.text)
                self._settle(NO_END["codex" if self._spooled.client == "codex" else "prompt"])
                if self._actor.name == "claude-code" and not fact.by_client:
                    self._cut_off()
            case Stopped():
                event = "interrupted" if fact.interrupted else "stopped"
                self._note(event, fact.text or fact.error, {"error": fact.error} if fact.error else None)
                waits = self._spooled.client == "codex" and fact.transcript  # it may be written behind the stop
                self._settle("" if waits else NO_END["stop"])
            case AgentStarted():
                self._note("subagent_started", fact.kind, agent=fact.agent)
            case AgentEnded():
                self._note("subagent_ended", fact.text or fact.kind, {"kind": fact.kind}, agent=fact.agent)
                if fact.agent:
                    self._settle(NO_END["agent"])
            case Compacting():
                self._note("compacting", fact.trigger)
            case Compacted():
                self._note("compacted", fact.summary or fact.trigger)
            case Notified():
                self._note("notified", fact.text)
            case UnreadablePayload():
                self._note("other", f"Unreadable: {fact.why}", {"text": fact.text, "event": self._spooled.event})
            case Other():
                self._note("other", fact.event or "An event without a name.", fact.payload)

    def _settle(self, why: str) -> None:
        """What this agent has left open cannot be running any more: a transcript tells what came of it, or nobody."""
        left = self._context.read(lambda view: matching.unsettled_actions(view, self._session, self._actor.name))
        for number, action in enumerate(left):
            self._part = f"#open{number}"
            came = self._outcomes.get(action.call) if action.call else None
            if came is not None and (action.state == "open" or came["outcome"] != "unknown"):
                self._ended(action, **came)
            elif why and action.state == "open":
                self._ended(action, "unknown", error=why)
        self._part = ""

    def _cut_off(self) -> None:
        """An interrupt of Claude Code's ends its sub-agents too, and nobody tells their end."""
        left = self._context.read(
            lambda view: background.interrupted_subagent_calls(view, self._session, self._actor.name)
        )
        for number, action in enumerate(left):
            self._part = f"#agents{number}"
            self._ended(action, "unknown", error=NO_END["prompt"])
        self._part = ""

    def _note(self, event: str, summary: str, details: Any = None, **more: str) -> None:
        more = {name: value[:CALL_ID] for name, value in more.items() if value}
        if self._actor.kind == "sub-agent":
            more.setdefault("agent", self._actor.name)
        self._call("record_note", event=event, summary=summary, details=details, **more)

    def _call(self, name: str, **arguments: Any) -> Any:
        """Carry out an operation under the record's key, unless another one is given. What is empty is left out."""
        key = self._spooled.key + self._part
        given = {name: value for name, value in arguments.items() if value is not None and value != ""}
        if name.startswith("record_") and self._spooled.at:
            given["seen_at"] = self._seen_at
        self.calls += 1
        return CATALOGUE[name](self._context, {"key": key, **given})


def _call_id(fact: CallObserved) -> str:
    return "".join(letter for letter in fact.call_id if letter.isprintable())[:CALL_ID]


def _plain(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable())[:180]


def _summary(arguments: dict[str, Any]) -> str:
    found = next((arguments[name] for name in _TOLD_BY if isinstance(arguments.get(name), str)), "")
    return clip(found, SUMMARY)  # in one line: a first one may hide what the others do
