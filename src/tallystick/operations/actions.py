"""Recording what is done in the world: begun before, ended after."""

from contextlib import suppress
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, json, to_builtins
from msgspec.structs import replace

from tallystick.core import rules
from tallystick.core.entries import ActionEnded, ActionNoted, Entry
from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import times
from tallystick.core.plans import Advice, advise
from tallystick.core.state import Action, Execution
from tallystick.core.types import (
    FINAL_STATUSES,
    JSON,
    ActionKind,
    ActorKind,
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
    parse_undo,
)
from tallystick.operations.begin import Intent
from tallystick.operations.runtime.attribution import resolve_execution
from tallystick.operations.runtime.correlation import is_client_id, require_action_of_call
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Transaction
from tallystick.operations.runtime.progress import progress_of, statuses, step_named, steps_of
from tallystick.operations.runtime.receipts import ActionReceipt, Receipt
from tallystick.operations.runtime.session_lifecycle import UNSETTLED, is_in_doubt
from tallystick.store.interface import View

EffectKey = Annotated[
    str,
    Meta(
        pattern="^e1:[0-9a-f]{32}$", description="By a hook or gateway that saw more of the arguments than it records"
    ),
]


@operation(
    "record",
    "POST /v1/actions",
    example={"phase": "begin", "tool": "mkdir", "arguments": {"path": "out"}, "summary": "make the folder"},
)
def record_action(
    context: OperationContext,
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
    call_id: Annotated[
        Key | None, Meta(description="The client's own id of the call: one action, whoever sees it")
    ] = None,
    effect_key: EffectKey | None = None,
    shown_as: Annotated[Name | None, Meta(description="What the client calls the tool, if otherwise")] = None,
    seen_at: Annotated[str, Meta(max_length=40, description="When it was seen, if before now")] = "",
    key: Key | None = None,
) -> ActionReceipt:
    """Record one side effect. Call with phase=begin before it and phase=end after it.

    A begin without an end is in doubt once its session is over. kind=undo marks a compensation of action `undoes`.
    phase=note adds a remark.
    """
    said = locals()  # all that was said, by its name
    said |= {name: "" for name in ("again", "evidence") if not said[name].strip()}  # a blank reason is none
    for name in _NOT_WITH[phase]:
        if said[name]:
            raise InvalidArgument(
                f"{name} does not go with phase={phase}.",
                hint=f"Leave it out; phase={phase} would lose it.",
                field=name,
            )
    content = None
    if key or context.principal.request:
        content = to_builtins({name: value for name, value in said.items() if name not in ("context", "key")})
    if phase == "begin":
        return _begins(context, said, content)
    if phase == "end":
        return _ends(context, said, content)
    return _notes_down(context, said, content)


def _begins(context: OperationContext, said: dict[str, Any], content: Any) -> ActionReceipt:
    if said["undo_until"]:
        times.resolve(said["undo_until"], "undo_until", start=0)
    way = parse_undo(said["undo"])
    intent = Intent(
        execution_id=said["execution_id"],
        step=said["step"] or "",
        kind=said["kind"],
        undoes=said["undoes"] or "",
        again=said["again"],
        approval_id=said["approval_id"] or "",
        tool=context.masked_name(said["tool"]),
        effect_key=_seen_key(context, said) or context.effect_key(said["tool"], said["arguments"]),
        effect=said["effect"],
        cancellable=said["cancellable"],
        has_undo=way is not None,
        undo_until=said["undo_until"],
        entity_type=context.masked_name(said["entity_type"]),
        entity_id=context.masked_name(said["entity_id"]),
        confidence=said["confidence"],
        body=context.body(
            summary=said["summary"],
            arguments=said["arguments"],
            before=said["before"],
            again=said["again"],
            undo=to_builtins(way) if way else None,
            seen_at=said["seen_at"],
        ),
        arguments=said["arguments"] if context.principal.all_arguments is None else context.principal.all_arguments,
        call_id=said["call_id"] or "",
        shown_as=context.masked_name(said["shown_as"]),
        seen_at=_seen_at(said),
    )
    return context.record(said["key"], content, intent.write, _described)


def _seen_at(said: dict[str, Any]) -> int:
    try:
        return times.parse_time(said["seen_at"], "seen_at") if said["seen_at"] else 0
    except InvalidArgument:  # it is kept as it was said
        return 0


def _seen_key(context: OperationContext, said: dict[str, Any]) -> str:
    """The effect key by who saw the raw arguments. An agent could hide a repetition behind one of its own."""
    given: str = said["effect_key"] or ""
    if given and context.principal.witness == "claimed":
        raise InvalidArgument("effect_key is for hooks and the gateway.", hint="Leave it out.", field="effect_key")
    return given


def _ends(context: OperationContext, said: dict[str, Any], content: Any) -> ActionReceipt:
    if not said["action_id"] and not said["call_id"]:
        raise InvalidArgument(
            "action_id is missing.",
            hint="Give the id that begin returned.",
            field="action_id",
            next_call=("read_entries", {"kind": "action_begun"}),
        )
    if not said["outcome"]:
        allowed = ("ok", "failed", "skipped", "unknown")
        hint = f"Use one of: {', '.join(allowed)}."
        raise InvalidArgument("outcome is missing.", hint=hint, field="outcome", allowed=allowed)
    body = context.body(**{name: said[name] for name in END_BODY_FIELDS})
    facts = ActionEnded(
        outcome=said["outcome"],
        without_effect=said["without_effect"],
        duration=said["duration"],
        confidence=said["confidence"],
    )
    return context.record(said["key"], content, lambda transaction: _end(transaction, said, facts, body), _described)


def _notes_down(context: OperationContext, said: dict[str, Any], content: Any) -> ActionReceipt:
    kept = ("summary", "arguments", "result", "error", "before", "after", "seen_at")
    body = context.body(**{name: said[name] for name in kept})
    if body is None and not said["tool"] and context.principal.witness == "claimed":
        raise InvalidArgument("A note that says nothing.", hint="Say it in summary.", field="summary")
    note = ActionNoted(
        about=said["action_id"] or "",
        step=said["step"] or "",
        tool=context.masked_name(said["tool"]),
        entity_type=context.masked_name(said["entity_type"]),
        entity_id=context.masked_name(said["entity_id"]),
        confidence=said["confidence"],
    )
    return context.record(said["key"], content, lambda transaction: _note(transaction, said, note, body), _described)


END_BODY_FIELDS = ("summary", "result", "error", "after", "before", "evidence", "seen_at")
"""What the body of an end holds."""
NO_GATEWAY_END = "The gateway that it went through has not told how it ended."
_NOT_WITH: dict[Phase, tuple[str, ...]] = {
    "begin": ("action_id", "outcome", "result", "error", "without_effect", "evidence", "after", "duration"),
    "end": (
        *("arguments", "cancellable", "undo", "undo_until", "effect", "again", "approval_id"),
        *("entity_type", "entity_id", "effect_key", "shown_as"),
    ),
    "note": (
        *("outcome", "undoes", "cancellable", "undo", "undo_until", "effect", "without_effect", "evidence", "again"),
        *("duration", "approval_id", "effect_key", "shown_as"),
    ),
}
"""What a phase does not take. What was said is never thrown away with a receipt."""


def _end(transaction: Transaction, said: dict[str, Any], facts: ActionEnded, body: str | None) -> Entry:
    ledger, evidence = transaction.ledger, said["evidence"]
    by_call = not said["action_id"]
    action = (
        require_action_of_call(ledger, said["call_id"])
        if by_call
        else require_row(ledger, Action, said["action_id"], "action_id")
    )
    _check_same(action, said)
    if _only_repeats(transaction, action, by_call=by_call):
        return _told(transaction, action, facts, said, body)
    settled = action.state in ("ok", "failed", "skipped")
    told = settled or action.state == "unknown"
    never_left = action.state == "skipped" and action.without_effect  # whatever its caller was told
    if by_call and told and (never_left or facts.outcome in (action.state, "unknown")):  # another one saw it end
        return _found_end(transaction, action)
    own = action.session == transaction.session
    doubt = action.state != "open" if own and action.state in UNSETTLED else is_in_doubt(ledger, action)
    execution = ledger.get(Execution, action.execution)
    claimed = transaction.context.principal.witness == "claimed"
    if claimed and not (action.call and action.state == facts.outcome):  # an agent may say what was seen already
        contradicts = rules.check_end(action, outcome=facts.outcome, own=own, in_doubt=doubt, evidence=evidence)
    else:
        contradicts = settled and action.state != facts.outcome
    facts = ActionEnded(
        outcome=facts.outcome,
        without_effect=facts.without_effect,
        settles=doubt,
        contradicts=contradicts,
        late=execution is not None and execution.status in FINAL_STATUSES,
        duration=facts.duration,
        confidence=facts.confidence,
    )
    return transaction.write(facts, id=action.id, execution=action.execution, body=body)


def _only_repeats(transaction: Transaction, action: Action, *, by_call: bool) -> bool:
    """Whether a hook, or the framework of a client, speaks of a call that went through the gateway: it knows what the
    gateway has answered. A framework names the call, and who settles a doubt the action."""
    principal = transaction.context.principal
    if not action.gateway_session or principal.witness != "observed" or principal.executes_calls:
        return False
    return principal.actor.is_hook or (by_call and principal.actor.kind == "agent")


def _told(
    transaction: Transaction, action: Action, facts: ActionEnded, said: dict[str, Any], body: str | None
) -> Entry:
    """What a client was told of a call takes no doubt from the gateway, which stood nearer; only an outcome that
    speaks against what was settled is a word of its own, and a doubt."""
    never_left = action.state == "skipped" and action.without_effect
    settled = action.state in ("ok", "failed", "skipped")
    changed = facts.outcome == "skipped" and facts.without_effect  # not made as it was asked for: the gateway saw how
    if action.end_seq and (never_left or changed or not settled or facts.outcome in (action.state, "unknown")):
        if action.hook_saw_end or is_client_id(action.call):  # by its id it is found again, however often
            return _found_end(transaction, action)
        return transaction.write(
            ActionNoted(about=action.id, saw="end"), id=action.id, execution=action.execution, body=body
        )
    execution = transaction.ledger.get(Execution, action.execution)
    late = execution is not None and execution.status in FINAL_STATUSES
    if settled:
        facts = replace(facts, contradicts=True, late=late)
        return transaction.write(facts, id=action.id, execution=action.execution, body=body)
    words = f"{NO_GATEWAY_END} Its client was told ({facts.outcome}): {said['error'] or 'a result'}"
    facts = replace(
        facts, outcome="unknown", without_effect=False, settles=is_in_doubt(transaction.ledger, action), late=late
    )
    body = transaction.context.body(**{**{name: said[name] for name in END_BODY_FIELDS}, "error": words})
    return transaction.write(facts, id=action.id, execution=action.execution, body=body)


def _found_end(transaction: Transaction, action: Action) -> Entry:
    ended = transaction.ledger.entry(action.end_seq)
    assert ended is not None
    return transaction.already_recorded(ended)


def _check_same(action: Action, said: dict[str, Any]) -> None:
    """What an end says again of its action must be what the begin said: it may be the wrong action."""
    kind = said["kind"] if said["kind"] == "undo" else None  # `do` is also what nobody said
    again = (
        *(("tool", action.tool), ("step", action.step), ("undoes", action.undoes)),
        ("execution_id", action.execution),
    )
    for name, begun in (*((name, begun) for name, begun in again if said[name]), ("kind", action.action_kind)):
        if (kind if name == "kind" else said[name]) not in (None, begun):
            raise InvalidArgument(
                f'{action.id} was begun with {name}={begun or "nothing"}, not "{said[name]}".',
                hint="Is it the right action_id? Leave out what the begin said.",
                field=name,
            )


def _note(transaction: Transaction, said: dict[str, Any], note: ActionNoted, body: str | None) -> Entry:
    ledger = transaction.ledger
    action = require_row(ledger, Action, note.about, "action_id") if note.about else None
    if action is None and said["call_id"]:
        action = require_action_of_call(ledger, said["call_id"])
        note = replace(note, about=action.id)
    execution = resolve_execution(
        ledger, said["execution_id"] or (action.execution if action else None), transaction.session
    )
    if note.step:
        step_named(ledger, execution, note.step)
    if execution.status in FINAL_STATUSES:
        note = replace(note, late=True)
    return transaction.write(note, id=note.about or execution.id, execution=execution.id, body=body)


def _described(view: View, receipt: Receipt) -> ActionReceipt:
    action = view.get(Action, receipt.id)
    if action is None:  # a note on the execution itself
        return ActionReceipt(
            seq=receipt.seq, id=receipt.id, hash=receipt.hash, repeated=receipt.repeated, execution_id=receipt.id
        )
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


# ----------------------------------------------------------------------------------------------------------------------
# One action, read back whole.

ActionState = Literal["open", "in_doubt", "ok", "failed", "skipped"]


class ActionSummary(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What is told of an action wherever it is told, as it stands now.

    `begun` and `ended` are when that was seen, where who observed it could record it only later. An entry has its own
    time besides.
    """

    id: str
    state: ActionState
    begun: str
    execution_id: str = ""
    session: str = ""
    actor: str = ""
    actor_kind: ActorKind = "agent"
    witness: str = "claimed"
    kind: str = "do"
    undoes: str = ""
    undone_by: str = ""
    owed: str = ""
    tool: str = ""
    step: str = ""
    attempt: int = 1
    ended: str = ""


class ActionView(ActionSummary, frozen=True, omit_defaults=True, kw_only=True):
    """What was begun and what came of it. Text in it was written by some model or tool."""

    effect: str = "unsafe"
    said: dict[str, Any] = {}
    came: dict[str, Any] = {}


@operation("read", "GET /v1/actions/{action_id}", example={"action_id": "ac_a4hx"})
def get_action(context: OperationContext, *, action_id: Handle) -> ActionView:
    """One action: what was said at its begin, and what came of it."""
    return context.read(lambda view: _action_view(view, require_row(view, Action, action_id, "action_id")))


def _action_view(view: View, row: Action) -> ActionView:
    bodies = {seq: json.decode(body) for seq, body in view.bodies({row.seq, row.end_seq} - {0}).items()}
    return ActionView(
        **action_fields(
            row, state_of(view, row), *(bodies.get(seq, {}).get("seen_at", "") for seq in (row.seq, row.end_seq))
        ),
        effect=row.effect,
        said=bodies.get(row.seq, {}),
        came=bodies.get(row.end_seq, {}),
    )


def action_fields(row: Action, state: ActionState, began: str = "", ended: str = "") -> dict[str, Any]:
    """The fields of `ActionShown`, with when its begin and its end were seen, by what their entries say."""
    return {
        "id": row.id,
        "state": state,
        "begun": _seen(row, began, row.at),
        "execution_id": row.execution,
        "session": row.session,
        "actor": row.actor,
        "actor_kind": row.actor_kind,
        "witness": row.witness,
        "kind": row.action_kind,
        "undoes": row.undoes,
        "undone_by": row.undone_by,
        "owed": row.owed,
        "tool": row.tool,
        "step": row.step,
        "attempt": row.attempt,
        "ended": _seen(row, ended, row.ended_at) if row.ended_at else "",
    }


def _seen(row: Action, said: str, recorded: int) -> str:
    """When something was seen. An agent's own word of that counts for nothing, and nothing is seen after its record."""
    if said and row.witness == "observed":
        with suppress(InvalidArgument):
            return times.iso(min(times.parse_time(said, "seen_at"), recorded))
    return times.iso(recorded)


def state_of(view: View, row: Action, over: dict[str, bool] | None = None) -> ActionState:
    """How an action stands as of now; `over` remembers which sessions are."""
    if row.state in UNSETTLED:
        return "in_doubt" if is_in_doubt(view, row, over) else "open"
    return row.state  # type: ignore[return-value]  # what is not unsettled is an outcome
