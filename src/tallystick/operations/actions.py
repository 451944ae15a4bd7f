"""Recording what is done in the world: begun before, ended after."""

from typing import Annotated, Any

from msgspec import Meta, to_builtins
from msgspec.structs import asdict

from tallystick.core import rules, spans
from tallystick.core.advice import Advice, advise
from tallystick.core.entries import ActionBegun, ActionEnded, ActionNoted, Entry, StepFacts
from tallystick.core.errors import InvalidArgument, Refused, one_of
from tallystick.core.model import (
    ENDED,
    JSON,
    ActionKind,
    Cancellable,
    Confidence,
    Effect,
    Handle,
    Key,
    Name,
    Outcome,
    Phase,
    Seconds,
    Undo,
    undo_of,
)
from tallystick.core.state import Action, Approval, Execution, Progress, progress_id
from tallystick.operations.desk import Desk, Sheet
from tallystick.operations.handles import known, meant
from tallystick.operations.operation import operation
from tallystick.operations.presence import is_in_doubt
from tallystick.operations.receipts import ActionReceipt, Receipt
from tallystick.operations.standing import progress_of, statuses, steps_of
from tallystick.store.port import Select, View

SAME_EFFECT = 50
"""How many earlier actions of the same effect are looked at, the newest first."""


@operation(
    "record",
    "POST /v1/actions",
    example={"phase": "begin", "tool": "mkdir", "arguments": {"path": "out"}, "summary": "make the folder"},
)
def record_action(
    desk: Desk,
    *,
    phase: Phase,
    summary: str = "",
    execution_id: Annotated[Handle | None, Meta(description="Omit to use the one open for this session")] = None,
    action_id: Annotated[Handle | None, Meta(description="From begin; required on end")] = None,
    step: Annotated[Name | None, Meta(description="The planned step that this is")] = None,
    tool: Name | None = None,
    arguments: dict[str, JSON] | None = None,
    outcome: Outcome | None = None,
    result: JSON = None,
    error: str = "",
    kind: ActionKind = "do",
    undoes: Annotated[Handle | None, Meta(description="With kind=undo: the action that this undoes")] = None,
    cancellable: Cancellable | None = None,
    undo: Annotated[str | Undo | None, Meta(description="How to undo it: words, or {tool, arguments}")] = None,
    undo_until: str = "",
    effect: Effect | None = None,
    without_effect: Annotated[bool, Meta(description="It failed and changed nothing")] = False,
    evidence: Annotated[str, Meta(description="How you know, when settling what was in doubt")] = "",
    again: Annotated[str, Meta(description="Why a done or in-doubt effect is repeated")] = "",
    approval_id: Handle | None = None,
    before: Annotated[JSON, Meta(description="State before (JSON)")] = None,
    after: Annotated[JSON, Meta(description="State after (JSON)")] = None,
    entity_type: Name | None = None,
    entity_id: Name | None = None,
    duration: Annotated[Seconds | None, Meta(description="Seconds, when you know better than the clock")] = None,
    confidence: Confidence | None = None,
    key: Key | None = None,
) -> ActionReceipt:
    """Record one side effect. Call with phase=begin before it and phase=end after it.

    A begin without an end is shown as in doubt once its session is over. kind=undo marks a compensation of the
    action `undoes`. phase=note adds a remark to an action, a step or the execution.
    """
    content = ["action", phase, execution_id, action_id, step, tool, arguments, outcome, result, error, kind, undoes]
    if phase == "begin":
        intent = _Intent(
            desk=desk,
            execution_id=execution_id,
            step=step or "",
            kind=kind,
            undoes=undoes or "",
            again=again,
            approval_id=approval_id or "",
            tool=tool or "",
            arguments=arguments,
            effect=effect,
            cancellable=cancellable,
            undo=undo_of(undo),
            undo_until=undo_until,
            entity=(desk.name(entity_type), desk.name(entity_id)),
            confidence=confidence,
            body={"summary": summary, "arguments": arguments, "before": before, "again": again},
        )
        return desk.record(key, [*content, cancellable, again], intent.write, _described)
    if phase == "end":
        if not action_id:
            raise InvalidArgument("action_id is missing.", hint="Give the id that begin returned.", field="action_id")
        if not outcome:
            raise one_of("", "outcome", ("ok", "failed", "skipped", "unknown"), what="given")
        body = desk.body(summary=summary, result=result, error=error, after=after, before=before, evidence=evidence)
        facts = ActionEnded(outcome=outcome, without_effect=without_effect, duration=duration, confidence=confidence)
        return desk.record(
            key, [*content, evidence], lambda sheet: _end(sheet, action_id, facts, body, evidence), _described
        )
    body = desk.body(summary=summary, arguments=arguments, result=result, error=error, before=before, after=after)
    note = ActionNoted(
        about=action_id or "",
        step=step or "",
        tool=desk.name(tool),
        entity_type=desk.name(entity_type),
        entity_id=desk.name(entity_id),
        confidence=confidence,
    )
    return desk.record(key, [*content, summary], lambda sheet: _note(sheet, execution_id, note, body), _described)


class _Intent:
    """One action that is about to begin, as the caller put it."""

    def __init__(self, desk: Desk, body: dict[str, Any], tool: str, arguments: Any, **given: Any) -> None:
        self.desk = desk
        self.given = given
        self.tool = desk.name(tool)
        self.effect_key = desk.effect_key(tool, arguments)
        undo: Undo | None = given["undo"]
        if given["undo_until"]:
            spans.resolve(given["undo_until"], "undo_until", start=0)
        self.body = desk.body(**body, undo=to_builtins(undo) if undo else None)

    def write(self, sheet: Sheet) -> Entry:
        given, ledger = self.given, sheet.ledger
        target = known(ledger, Action, given["undoes"], "undoes") if given["undoes"] else None
        if given["kind"] == "undo" and target is None:
            raise InvalidArgument("undoes is missing.", hint="Name the action that this undoes.", field="undoes")
        execution = meant(ledger, given["execution_id"] or (target.execution if target else None), sheet.session)
        step = _step(ledger, execution, given["step"]) if given["step"] else None
        facts = self.facts(ledger, execution, step)
        try:
            self.check(sheet, execution, step, target, facts.effect)
        except Refused:
            if sheet.desk.asker.witness == "claimed":
                raise
            facts = self.facts(ledger, execution, step, out_of_order=True)  # it was seen, so it happened
        return sheet.write(facts, execution=execution.id, body=self.body)

    def check(
        self, sheet: Sheet, execution: Execution, step: StepFacts | None, target: Action | None, effect: str
    ) -> None:
        given, ledger, again = self.given, sheet.ledger, self.given["again"]
        rules.check_begin(execution, undo=given["kind"] == "undo")
        if target:
            undo = ledger.get(Action, target.undone_by) if target.undone_by else None
            rules.check_undo(
                target,
                undo is not None and is_in_doubt(ledger, undo),
                target.state == "open" and not is_in_doubt(ledger, target),
                again=again,
            )
            return
        self.check_approvals(sheet, execution, step)
        if step:
            rules.check_step(step, _relevant(ledger, execution, step), again=again)
        if self.effect_key and effect not in ("read", "idempotent"):
            same = ledger.find(
                Action,
                Select(where={"execution": execution.id, "effect_key": self.effect_key}, limit=SAME_EFFECT),
            )
            doubtful = [action.id for action in same if is_in_doubt(ledger, action)]
            rules.check_effect((a for a in same if a.action_kind == "do"), doubtful, again=again)

    def check_approvals(self, sheet: Sheet, execution: Execution, step: StepFacts | None) -> None:
        ledger = sheet.ledger
        if self.given["approval_id"]:
            approval = known(ledger, Approval, self.given["approval_id"], "approval_id")
            rules.check_approval(approval, effect_key=self.effect_key, now=ledger.now())
            return
        if step and step.needs_approval:
            raise rules.lacks_approval(step, execution.id)
        if execution.waiting or execution.status == "blocked":
            pending = ledger.find(Approval, Select(where={"execution": execution.id}, limit=100))
            rules.check_not_awaiting(pending, step=self.given["step"], effect_key=self.effect_key, now=ledger.now())

    def facts(
        self, view: View, execution: Execution, step: StepFacts | None, *, out_of_order: bool = False
    ) -> ActionBegun:
        given = self.given
        progress = view.get(Progress, progress_id(execution.id, step.id)) if step else None
        undoing = given["kind"] == "undo"
        return ActionBegun(
            action_kind=given["kind"],
            undoes=given["undoes"],
            tool=self.tool or (step.tool if step and not undoing else ""),
            step=step.id if step else "",
            plan_id=execution.plan_id if step else "",
            revision=execution.revision if step else 0,
            effect=given["effect"] or (step.effect if step and not undoing else "unsafe"),
            effect_key=self.effect_key,
            cancellable=given["cancellable"] or (step.cancellable if step and not undoing else None),
            has_undo=given["undo"] is not None or (step is not None and step.has_undo),
            undo_until=given["undo_until"] or (step.undo_until if step else ""),
            attempt=progress.attempts + 1 if progress and not undoing else 1,
            approval_id=given["approval_id"],
            entity_type=given["entity"][0],
            entity_id=given["entity"][1],
            again=bool(given["again"]),
            out_of_order=out_of_order,
            late=execution.status in ENDED,
            confidence=given["confidence"],
        )


def _end(sheet: Sheet, action_id: str, facts: ActionEnded, body: str | None, evidence: str) -> Entry:
    ledger = sheet.ledger
    action = known(ledger, Action, action_id, "action_id")
    doubt = is_in_doubt(ledger, action)
    execution = ledger.get(Execution, action.execution)
    claimed = sheet.desk.asker.witness == "claimed"
    if claimed:
        contradicts = rules.check_end(
            action, outcome=facts.outcome, own=action.session == sheet.session, in_doubt=doubt, evidence=evidence
        )
    else:
        contradicts = action.state in ("ok", "failed", "skipped") and action.state != facts.outcome
    facts = ActionEnded(
        outcome=facts.outcome,
        without_effect=facts.without_effect,
        settles=doubt,
        contradicts=contradicts,
        late=execution is not None and execution.status in ENDED,
        duration=facts.duration,
        confidence=facts.confidence,
    )
    return sheet.write(facts, id=action.id, execution=action.execution, body=body)


def _note(sheet: Sheet, execution_id: str | None, note: ActionNoted, body: str | None) -> Entry:
    ledger = sheet.ledger
    action = known(ledger, Action, note.about, "action_id") if note.about else None
    execution = meant(ledger, execution_id or (action.execution if action else None), sheet.session)
    if note.step:
        _step(ledger, execution, note.step)
    return sheet.write(note, execution=execution.id, body=body)


def _step(view: View, execution: Execution, name: str) -> StepFacts:
    steps = steps_of(view, execution)
    found = next((step for step in steps if step.id == name), None)
    if found is None:
        allowed = [step.id for step in steps]
        hint = (
            f"Use one of: {', '.join(allowed[:10])}." if allowed else f"{execution.id} follows no plan: leave it out."
        )
        raise InvalidArgument(f'There is no step "{name}".', hint=hint, field="step", allowed=allowed[:20])
    return found


def _relevant(view: View, execution: Execution, step: StepFacts) -> dict[str, Progress]:
    """The progress of a step and of those it comes after; an action in doubt makes its step so."""
    found: dict[str, Progress] = {}
    for name in (*step.after, step.id):
        row = view.get(Progress, progress_id(execution.id, name))
        if row is None:
            continue
        action = view.get(Action, row.action) if row.status == "running" else None
        if action and is_in_doubt(view, action):
            row = Progress(**{**asdict(row), "status": "in_doubt"})
        found[name] = row
    return found


def _described(view: View, receipt: Receipt) -> ActionReceipt:
    action = view.get(Action, receipt.id)
    if action is None:  # a note
        return ActionReceipt(seq=receipt.seq, id=receipt.id, hash=receipt.hash, repeated=receipt.repeated)
    return ActionReceipt(
        seq=receipt.seq,
        id=receipt.id,
        hash=receipt.hash,
        repeated=receipt.repeated,
        execution_id=action.execution,
        attempt=action.attempt,
        state="in_doubt" if action.state in ("doubted", "unknown") else action.state,
        notes=_notes(action) if action.late or action.out_of_order or action.state == "doubted" else (),
        advice=_advice(view, action) if action.state == "failed" and action.step else (),
    )


def _advice(view: View, action: Action) -> tuple[Advice, ...]:
    execution = view.get(Execution, action.execution)
    return advise(steps_of(view, execution), statuses(progress_of(view, execution.id))) if execution else ()


def _notes(action: Action) -> tuple[str, ...]:
    found = []
    if action.out_of_order:
        found.append("It was recorded out of order.")
    if action.late:
        found.append("Its execution had ended: it is recorded as late.")
    if action.state == "doubted" and action.end_seq:
        found.append("It contradicts the outcome that was settled: the action is in doubt and owed again.")
    return tuple(found)
