"""From entries to spans. A span is built when the entry that ends it is there, from that entry and earlier ones alone.

Receivers keep the first span with an id, or all of them: none of those looked at replaces it. So a span is sent once,
with what is known then, and what is learnt later is a span of its own below it (decision 0048).

| entry | span |
|---|---|
| `execution_ended` | `invoke_workflow` (it has a plan) or `invoke_agent`, from its start |
| the first `action_ended` or `action_doubted` of an action | `execute_tool`, from its begin |
| a later `action_ended` that settles or contradicts | `settle`, below the action |
| `plan_recorded`, `decision_recorded` | `plan`, `decision`: a moment |
| `approval_decided` | `approval`, from the request |
| `session_ended` | `unfinished`: an execution that the session began and that has not ended |
"""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import json
from msgspec.structs import replace

from tallystick.core.entries import (
    ActionBegun,
    ActionDoubted,
    ActionEnded,
    ApprovalDecided,
    ApprovalRequested,
    DecisionRecorded,
    Entry,
    ExecutionEnded,
    ExecutionStarted,
    Facts,
    PlanRecorded,
    SessionEnded,
    SessionOpened,
    seq_of,
)
from tallystick.core.state import Execution, Revision, revision_id
from tallystick.outbound.otel import names
from tallystick.outbound.otel.records import (
    Attributes,
    SpanEvent,
    SpanIds,
    SpanLink,
    SpanPlace,
    SpanRecord,
    Status,
    caller_of,
)
from tallystick.store.interface import Select, View

MAX_CONTENT_CHARACTERS = 32_768
"""Of one attribute with recorded text: receivers refuse requests of some megabytes."""
ENTRIES_PER_SCAN = 500
AGENTS = ("agent", "sub-agent", "hook")
"""Actors whose name is that of an agent: a hook has the name of the client that it watches."""
MAX_UNFINISHED = 100
"""Executions of one session."""
UNFINISHED = "unfinished"
WORKED_ELSEWHERE = ("queue", "temporal")
"""Engines whose workers go on when the session that began an execution is over."""
SETTLE = "settle"
CONTRADICT = "contradict"
STATUS_OF_OUTCOME: dict[str, Status] = {"ok": "ok", "failed": "error"}
STATUS_OF_EXECUTION: dict[str, Status] = {"completed": "ok", "failed": "error"}


class SpanBuilder:
    """Builds the spans of entries of one journal, as one view shows it."""

    def __init__(self, view: View, ids: SpanIds, *, content: bool = False) -> None:
        self._view = view
        self._ids = ids
        self._content = content
        self._known: dict[str, Entry | None] = {}
        self._builders: dict[type[Facts], Callable[[Entry, Any], SpanRecord | None]] = {
            ExecutionEnded: self._execution,
            ActionEnded: self._action,
            ActionDoubted: self._action,
            PlanRecorded: self._plan,
            DecisionRecorded: self._decision,
            ApprovalDecided: self._approval,
        }

    def spans_of(self, entry: Entry) -> list[SpanRecord]:
        """The spans that an entry ends."""
        if isinstance(entry.facts, SessionEnded):
            return list(self._unfinished(entry, entry.facts))
        build = self._builders.get(type(entry.facts))
        span = build(entry, entry.facts) if build else None
        return [span] if span else []

    def place_of(self, entry: Entry) -> SpanPlace | None:
        """The span that an entry is about, which may not have been sent yet."""
        if entry.id.startswith(("ac_", "ap_", "de_", "ex_", "pl_")):
            return self._place(entry.id)
        return self._place(entry.execution) if entry.execution else caller_of(entry.trace)

    # ------------------------------------------------------------------------------------------------------------------
    # Places: each span has one trace for ever, which follows from the entry that began it.

    def _place(self, id: str) -> SpanPlace:
        """The span of what an id names."""
        begun = self._begun(id)
        trace = self._trace(begun) if begun else self._ids.trace(id)
        return SpanPlace(trace, self._ids.span(id))

    def _begun(self, id: str) -> Entry | None:
        """The entry that made an id."""
        if id not in self._known:
            seq = seq_of(id)
            entry = self._view.entry(seq) if seq else None
            self._known[id] = entry if entry and entry.id == id else None
        return self._known[id]

    def _trace(self, begun: Entry) -> int:
        """The caller's trace if the entry has one, else that of its execution, else one of its own."""
        caller = caller_of(begun.trace)
        if caller:
            return caller.trace
        if begun.execution not in ("", begun.id):
            return self._place(begun.execution).trace
        return self._ids.trace(begun.id)

    def _span(self, entry: Entry, begun: Entry, span_id: str, **fields: Any) -> SpanRecord:
        """A span with its place, its parent, its links and the attributes that all have."""
        place = SpanPlace(self._trace(begun), self._ids.span(span_id))
        execution = self._place(begun.execution) if begun.execution not in ("", begun.id) else None
        parent, is_remote, links = _parent(place, execution, caller_of(begun.trace))
        attributes = {**self._common(entry, begun), **fields.pop("attributes")}
        links = (*links, *fields.pop("links", ()))
        given: dict[str, Any] = {"parent": parent, "is_remote": is_remote, **fields}
        return SpanRecord(place=place, attributes=attributes, links=links, **given)

    def _common(self, entry: Entry, begun: Entry) -> Attributes:
        execution = begun.execution or (begun.id if isinstance(begun.facts, ExecutionStarted) else "")
        attributes: Attributes = {
            names.SEQ: entry.seq,
            names.JOURNAL: self._view.journal,
            names.EXECUTION_ID: execution,
            names.SESSION_ID: begun.session,
            names.CONVERSATION_ID: self._conversation(begun.session),
            names.ACTOR_KIND: begun.actor.kind,
            names.ACTOR_NAME: begun.actor.name,
            names.AGENT_NAME: begun.actor.name if begun.actor.kind in AGENTS else "",
            names.WITNESS: begun.witness,
        }
        return _filled({**attributes, names.BODY: self._text(entry)})

    def _conversation(self, session: str) -> str:
        """The client's own id of a conversation. A session of the command line has the name of a shell instead."""
        opened = self._begun(session) if session else None
        facts = opened.facts if opened else None
        return facts.name if isinstance(facts, SessionOpened) and facts.session_kind != "handle" else ""

    # ------------------------------------------------------------------------------------------------------------------
    # One function for each kind of span

    def _execution(self, entry: Entry, facts: ExecutionEnded) -> SpanRecord | None:
        begun = self._begun(entry.id)
        if begun is None or not isinstance(begun.facts, ExecutionStarted):
            return None
        started = begun.facts
        operation = names.INVOKE_WORKFLOW if started.plan_id else names.INVOKE_AGENT
        workflow = self._workflow(started.plan_id)
        agent = begun.actor.name if begun.actor.kind in AGENTS else ""
        attributes: Attributes = {
            names.OPERATION: operation,
            names.WORKFLOW_NAME: workflow,
            names.EXECUTION_STATUS: facts.status,
            names.PLAN_ID: started.plan_id,
            names.PLAN_REVISION: started.revision,
            names.TASK_ID: started.task_id,
            names.ENGINE: started.engine,
            names.TITLE: self._part(begun, "title"),
            **{names.LEFT + name: count for name, count in facts.left.items()},
        }
        status = STATUS_OF_EXECUTION.get(facts.status, "unset")
        if facts.left.get(names.IN_DOUBT) and status == "ok":
            status, attributes[names.OUTCOME] = "unset", names.IN_DOUBT
        if status == "error":
            attributes[names.ERROR_TYPE] = names.OTHER_ERROR
        return self._span(
            entry,
            begun,
            begun.id,
            name=_named(operation, workflow if started.plan_id else agent),
            start=begun.at,
            end=max(entry.at, begun.at),
            status=status,
            attributes=_filled(attributes),
            links=self._plan_link(started),
        )

    def _unfinished(self, entry: Entry, facts: SessionEnded) -> Iterator[SpanRecord]:
        """Executions that a session began and left unfinished. Somebody may go on, or nobody: then their own span, the
        root of their trace, is never sent."""
        rows = self._view.find(Execution, Select(where={"session": entry.id}, limit=MAX_UNFINISHED))
        for row in reversed(rows):
            begun = self._begun(row.id)
            is_over = 0 < row.ended_at <= entry.at
            if begun is None or row.seq > entry.seq or is_over or row.engine in WORKED_ELSEWHERE:
                continue
            attributes: Attributes = {
                names.OUTCOME: UNFINISHED,
                names.REASON: facts.reason,
                names.TITLE: self._part(begun, "title"),
            }
            yield self._span(
                entry,
                begun,
                f"{row.id}/{entry.seq}",
                name=_named(UNFINISHED, begun.actor.name),
                start=begun.at,
                end=max(entry.at, begun.at),
                attributes=_filled(attributes),
                links=(SpanLink(self._place(row.id), "execution"),),
            )

    def _workflow(self, plan_id: str) -> str:
        """The name of a plan's template or type: its title is recorded text."""
        plan = self._begun(plan_id) if plan_id else None
        facts = plan.facts if plan else None
        return (facts.template or facts.type) if isinstance(facts, PlanRecorded) else ""

    def _plan_link(self, started: ExecutionStarted) -> tuple[SpanLink, ...]:
        id = revision_id(started.plan_id, started.revision)
        revision = self._view.get(Revision, id) if started.plan_id else None
        recorded = self._view.entry(revision.seq) if revision else None
        if recorded is None:
            return ()
        return (SpanLink(SpanPlace(self._trace(recorded), self._ids.span(id)), "plan"),)

    def _plan(self, entry: Entry, facts: PlanRecorded) -> SpanRecord:
        agent = entry.actor.name if entry.actor.kind in AGENTS else ""
        attributes: Attributes = {
            names.OPERATION: names.PLAN,
            names.WORKFLOW_NAME: facts.template or facts.type,
            names.PLAN_ID: entry.id,
            names.PLAN_REVISION: facts.revision,
            names.PLAN_STEPS: len(facts.steps),
            names.TASK_ID: facts.task_id,
        }
        id = revision_id(entry.id, facts.revision)
        name = _named(names.PLAN, agent)
        return self._span(entry, entry, id, name=name, start=entry.at, end=entry.at, attributes=_filled(attributes))

    def _decision(self, entry: Entry, facts: DecisionRecorded) -> SpanRecord:
        attributes: Attributes = {
            names.DECISION: facts.decision,
            names.EXECUTION_STATUS: facts.status,
            names.STEP_ID: facts.step,
            names.ACTION_ID: facts.action_id,
            names.APPROVAL_ID: facts.approval_id,
            names.CREDENTIAL: facts.credential,
            names.LATE: facts.late,
        }
        name = _named("decision", facts.decision)
        return self._span(
            entry, entry, entry.id, name=name, start=entry.at, end=entry.at, attributes=_filled(attributes)
        )

    def _approval(self, entry: Entry, facts: ApprovalDecided) -> SpanRecord | None:
        begun = self._begun(entry.id)
        if begun is None or not isinstance(begun.facts, ApprovalRequested):
            return None
        asked = begun.facts
        attributes: Attributes = {
            names.APPROVAL_ID: entry.id,
            names.VERDICT: facts.verdict,
            names.STEP_ID: asked.step,
            names.TOOL_NAME: asked.tool,
            names.CREDENTIAL: facts.credential,
            names.CHANNEL: facts.channel,
        }
        name = _named("approval", asked.tool)
        end = max(entry.at, begun.at)
        return self._span(entry, begun, entry.id, name=name, start=begun.at, end=end, attributes=_filled(attributes))

    def _action(self, entry: Entry, facts: ActionEnded | ActionDoubted) -> SpanRecord | None:
        begun = self._begun(entry.id)
        if begun is None or not isinstance(begun.facts, ActionBegun):
            return None
        if isinstance(facts, ActionEnded) and self._was_ended(entry, begun):
            return self._settlement(entry, facts, begun, begun.facts)
        start, end = _times(entry, facts, begun, begun.facts)
        tool = begun.facts.tool
        return self._span(
            entry,
            begun,
            begun.id,
            name=_named(names.EXECUTE_TOOL, tool) if tool else _named("action", begun.facts.step),
            start=start,
            end=end,
            links=tuple(
                SpanLink(self._place(id), "undoes") for id in (begun.facts.undoes, *begun.facts.undoes_too) if id
            ),
            **self._outcome(entry, facts),
        )

    def _outcome(self, entry: Entry, facts: ActionEnded | ActionDoubted) -> dict[str, Any]:
        """The attributes, status and event of how an action ended. In doubt is neither OK nor an error."""
        begun = self._begun(entry.id)
        outcome = outcome_of(facts)
        status = STATUS_OF_OUTCOME.get(outcome, "unset")
        attributes = self._action_attributes(begun) if begun else {}
        attributes[names.OUTCOME] = outcome
        events: tuple[SpanEvent, ...] = ()
        if isinstance(facts, ActionEnded):
            ended: Attributes = {
                names.LATE: facts.late,
                names.SETTLES: facts.settles,
                names.CONTRADICTS: facts.contradicts,
                names.CREDENTIAL: facts.credential,
                names.TOOL_RESULT: self._part(entry, "result"),
            }
            attributes.update(_filled(ended))
        if status == "error":
            attributes[names.ERROR_TYPE] = names.OTHER_ERROR
        if outcome == names.IN_DOUBT:
            reason = facts.reason if isinstance(facts, ActionDoubted) else _reason(facts)
            attributes[names.REASON] = reason
            events = (SpanEvent(names.IN_DOUBT_EVENT, entry.at, {names.REASON: reason}),)
        message = self._part(entry, "error") if status == "error" else ""
        return {"attributes": attributes, "status": status, "events": events, "message": message}

    def _action_attributes(self, begun: Entry) -> Attributes:
        facts = begun.facts
        assert isinstance(facts, ActionBegun)
        attributes: Attributes = {
            names.OPERATION: names.EXECUTE_TOOL if facts.tool else "",
            names.TOOL_NAME: facts.tool,
            names.TOOL_CALL_ID: facts.call,
            names.TOOL_ARGUMENTS: self._part(begun, "arguments"),
            names.TITLE: self._part(begun, "summary"),
            names.ACTION_ID: begun.id,
            names.ACTION_KIND: facts.action_kind,
            names.STEP_ID: facts.step,
            names.PLAN_ID: facts.plan_id,
            names.ATTEMPT: facts.attempt,
            names.EFFECT: facts.effect,
            names.CANCELLABLE: facts.cancellable or "",
            names.PERMISSION: facts.permission,
            names.APPROVAL_ID: facts.approval_id,
            names.UNDOES: facts.undoes,
            names.AFTER_THE_FACT: facts.after_the_fact,
            names.OUT_OF_ORDER: facts.out_of_order,
        }
        return _filled(attributes)

    def _settlement(self, entry: Entry, facts: ActionEnded, begun: Entry, began: ActionBegun) -> SpanRecord | None:
        """What was learnt about an action whose span is sent; None if it says nothing new."""
        if not facts.contradicts and not (facts.settles and facts.outcome != "unknown"):
            return None
        fields = self._outcome(entry, facts)
        fields["attributes"].pop(names.OPERATION, None)  # it is no call
        name = _named(CONTRADICT if facts.contradicts else SETTLE, began.tool or began.step)
        id = f"{entry.id}/{entry.seq}"
        span = self._span(entry, begun, id, name=name, start=entry.at, end=entry.at, **fields)
        return replace(span, parent=self._ids.span(entry.id), is_remote=False, links=())

    def _was_ended(self, entry: Entry, begun: Entry) -> bool:
        """Whether an earlier entry has ended the action or put it in doubt."""
        after = begun.seq
        while after < entry.seq - 1:
            size = min(ENTRIES_PER_SCAN, entry.seq - 1 - after)
            found = self._view.entries(after=after, limit=size, execution=begun.execution)
            for each in found:
                if each.seq >= entry.seq:
                    return False
                if each.id == entry.id and isinstance(each.facts, ActionEnded | ActionDoubted):
                    return True
            if len(found) < size:
                return False
            after = found[-1].seq
        return False

    # ------------------------------------------------------------------------------------------------------------------
    # Recorded text, which is sent only if the operator asks for it. It is stored masked.

    def _text(self, entry: Entry) -> str:
        if not self._content or not entry.commitment:
            return ""
        return shortened(self._view.bodies([entry.seq]).get(entry.seq, ""))

    def _part(self, entry: Entry, name: str) -> str:
        """One part of an entry's body: text as it is, anything else as JSON."""
        if not self._content or not entry.commitment:
            return ""
        body = json.decode(self._view.bodies([entry.seq]).get(entry.seq, "null"))
        value = body.get(name) if isinstance(body, dict) else None
        if value is None:
            return ""
        return shortened(value if isinstance(value, str) else json.encode(value).decode())


def outcome_of(facts: ActionEnded | ActionDoubted) -> str:
    """`ok`, `failed`, `skipped` or `in_doubt`."""
    if isinstance(facts, ActionDoubted) or facts.contradicts or facts.outcome == "unknown":
        return names.IN_DOUBT
    return facts.outcome


def is_settlement(span: SpanRecord) -> bool:
    """Whether a span is what was learnt later about an action whose own span is sent."""
    return span.name.split(" ", 1)[0] in (SETTLE, CONTRADICT)


def _reason(facts: ActionEnded) -> str:
    return "contradicts an earlier outcome" if facts.contradicts else "outcome unknown"


def _parent(
    place: SpanPlace, execution: SpanPlace | None, caller: SpanPlace | None
) -> tuple[int, bool, tuple[SpanLink, ...]]:
    """The parent of a span, whether it is the caller's, and links to what is not its parent.

    Within the trace of its execution, a span is below that; in another trace, below the caller.
    """
    known = caller if caller and caller.span else None
    if execution and execution.trace == place.trace:
        return execution.span, False, (SpanLink(known, "caller"),) if known else ()
    links = (SpanLink(execution, "execution"),) if execution else ()
    return (known.span, True, links) if known else (0, False, links)


def _times(entry: Entry, facts: ActionEnded | ActionDoubted, begun: Entry, began: ActionBegun) -> tuple[int, int]:
    """When an action began and ended. A measured duration counts more than the times of the records."""
    measured = facts.duration if isinstance(facts, ActionEnded) else None
    if measured is None:
        return begun.at, max(entry.at, begun.at)
    length = int(measured * 1_000_000)
    return (entry.at - length, entry.at) if began.after_the_fact else (begun.at, begun.at + length)


def _named(operation: str, of: str) -> str:
    return f"{operation} {of}" if of else operation


def _filled(attributes: Attributes) -> Attributes:
    """The attributes without those that say nothing."""
    return {name: value for name, value in attributes.items() if value not in ("", False)}


def shortened(text: str) -> str:
    return text if len(text) <= MAX_CONTENT_CHARACTERS else text[: MAX_CONTENT_CHARACTERS - 1] + "…"
