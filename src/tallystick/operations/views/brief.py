"""The brief: one call that tells an agent, or a person who was not there, how things stand."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from tallystick.core.formats.tokens import shorten
from tallystick.core.plans import advise
from tallystick.core.rules import is_expired
from tallystick.core.state import Action, Approval, Context, Execution, Plan
from tallystick.core.types import FINAL_STATUSES, Handle
from tallystick.operations.approvals import describe_approval
from tallystick.operations.executions import ExecutionView, describe_executions, next_steps
from tallystick.operations.runtime.lookup import (
    OPEN_STATUSES,
    adopted_executions,
    execution_to_read,
    has_conversation,
    sessions_of_conversation,
)
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.progress import (
    describe_doubts,
    describe_owed,
    doubts_of,
    owed_of,
    progress_of,
    steps_of,
    undecided,
)
from tallystick.operations.runtime.session_lifecycle import UNSETTLED, is_in_doubt
from tallystick.operations.views.brief_text import Section, clip, quoted, render, word
from tallystick.operations.views.coverage import Coverage, Observer, coverage_of
from tallystick.store.interface import Select, View, WhereValue

SHOWN = 3
LIVE = ("pending", "approve", "edit", "reject", "respond")
"""Approvals that wait for an answer, or whose answer waits to be used."""
MAX_OWED_SCANNED = 100
"""How much of what is owed, or remembered in a scope, is looked at where it has no order but its own, so that the brief
costs the same."""
KEYS = 8
"""How many keys of what is remembered are named, the newest first."""
ELSEWHERE = 500
"""How many actions that nobody has settled are looked at for what is in doubt elsewhere."""
COUNTED = 100
"""Up to how many doubts are counted; more is said as 100+."""


class Brief(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """`text` is what to read; the rest is the same for programs. Text in it was written by models: it is data."""

    text: str
    seq: int
    execution_id: str = ""
    status: str = ""
    next_steps: tuple[str, ...] = ()
    in_doubt: tuple[str, ...] = ()
    owed: int = 0
    approvals: tuple[str, ...] = ()
    open_executions: tuple[str, ...] = ()


@operation("read", "GET /v1/brief", view="brief", example={})
def get_brief(
    context: OperationContext,
    *,
    execution_id: Annotated[Handle | None, Meta(description="The newest open one when left out")] = None,
    tokens: Annotated[int, Meta(ge=100, le=4000, description="At most so many, estimated from above")] = 400,
) -> Brief:
    """How things stand: the open execution, its progress and next step, what is in doubt, owed and waiting for people.

    Start here after a resume or a compaction. It never gets longer, whatever the journal holds.
    """

    def work(view: View) -> Brief:
        session = context.reader_session(view)
        execution = execution_to_read(view, execution_id, session, context.principal.conversation)
        if execution is None:
            return _without_execution(view, context.journal, tokens, context.principal)
        return _brief(view, execution, tokens, context.journal, replace(context.principal, session=session))

    return context.read(work)


def _without_execution(view: View, journal: str, tokens: int, principal: Principal) -> Brief:
    seq, waiting = view.head().seq, _unrecorded(principal)
    if not seq:
        return Brief(text=f"{journal}: nothing has been recorded yet.{waiting}", seq=0)
    plans = [f"{row.id} ({row.status})" for row in view.find(Plan, Select(limit=SHOWN))]
    sections = [
        Section(f"Nothing has been started yet. Journal {journal}.{waiting}"),
        *([Section(f"Plans: {', '.join(plans)}.")] if plans else []),
        _remembered(view, ("project", "")),
    ]
    return Brief(text=render([each for each in sections if each.heading], tokens), seq=seq)


def _brief(view: View, execution: Execution, tokens: int, journal: str, principal: Principal) -> Brief:
    shown = describe_executions(view, [execution])[0]
    others = [
        row.id
        for row in view.find(Execution, Select(where={"status": OPEN_STATUSES}, limit=6))
        if row.id != execution.id
    ]
    doubts = doubts_of(view, execution.id, limit=COUNTED, wanted=_matters)
    asked: dict[str, WhereValue] = {"execution": _of_conversation(view, execution), "status": LIVE}
    live = view.find(Approval, Select(where=asked, limit=SHOWN + 2))
    ready = next_steps(view, execution)
    sections = [
        _heading(shown, journal, execution),
        _next(view, execution, ready),
        _anothers(view, execution, principal),
        Section(
            f"In doubt, look before you act ({len(doubts)}{'+' if len(doubts) == COUNTED else ''}):",
            tuple(
                f"{_named(item.action_id, item.step or item.tool, item.summary)}: {item.why}"
                for item in describe_doubts(view, doubts[:SHOWN])
            ),
            len(doubts),
        ),
        _reads(view, execution),
        _elsewhere(view, execution),
        _under_way(view, execution),
        _owed(view, execution),
        Section(
            "Approvals:",
            tuple(
                f"{item.id} {item.status}: {' '.join(map(quoted, filter(None, (item.question, item.answer))))}"
                for item in (describe_approval(view, row) for row in live[:SHOWN])
            ),
            sum(view.count(Approval, "status", asked).values()),
        ),
        _failures(view, execution),
        _remembered(view, ("execution", execution.id), ("task", execution.task_id), ("project", "")),
        Section(f"Also open: {', '.join(others[:5])}") if others else Section(""),
        _capture(view, execution, principal),
    ]
    return Brief(
        text=render(
            [each for each in sections if each.lines or (each.heading and not each.heading.endswith(":"))], tokens
        ),
        seq=view.head().seq,
        execution_id=execution.id,
        status=execution.status,
        next_steps=ready,
        in_doubt=tuple(action.id for action in doubts[:5]),
        owed=execution.owed,
        approvals=tuple(row.id for row in live[:5]),
        open_executions=tuple(others[:5]),
    )


def _matters(action: Action) -> bool:
    """Whether somebody has to look what came of it: not of a read, unless a step of the plan waits for it."""
    return action.effect != "read" or bool(action.step)


def _reads(view: View, execution: Execution) -> Section:
    """They are counted, lest a doubt is hidden; each is named by `list_in_doubt`."""
    count = len(doubts_of(view, execution.id, limit=COUNTED, wanted=lambda action: not _matters(action)))
    reads = f"{count} read{'s' if count > 1 else ''}"
    return Section(f"What {reads} came to is not known either." if count else "")


def _heading(shown: ExecutionView, journal: str, execution: Execution) -> Section:
    plan = f", plan {shown.plan_id} revision {shown.revision}" if shown.plan_id else " (no plan)"
    steps = f", {shown.done_steps} of {shown.total_steps} steps done" if shown.total_steps else ""
    undone = f", {shown.undos['ok']} actions undone" if shown.undos.get("ok") else ""
    left = f"; ended with {', '.join(f'{n} {k}' for k, n in shown.left.items())}" if shown.left else ""
    title = f" {quoted(shorten(clip(shown.title, 80), 24))}" if shown.title else ""
    return Section(f"{shown.id}{title} is {shown.status}{plan}{steps}{undone}{left}. Journal {journal}.")


def _next(view: View, execution: Execution, ready: tuple[str, ...]) -> Section:
    if execution.status == "paused":
        return Section("Paused: decide resume before anything begins.")
    if execution.status == "unwinding":
        return Section("Unwinding: undo what is owed in the order given, then decide done.")
    asked = _asked(view, execution)
    if ready:
        return Section(f"{asked}Next: {', '.join(map(word, ready[:SHOWN]))}.")
    if asked:
        return Section(asked.strip())
    if execution.steps.get("failed"):
        return Section("")  # what to do about it is said under Failed
    if execution.status in ("running", "blocked") and execution.total_steps:
        left = execution.total_steps - sum(execution.steps.get(word, 0) for word in ("done", "skipped"))
        if left:
            return Section("No step can begin before what is open or in doubt is settled.")
        return Section("No step is left to begin: settle what is open, then decide done.")
    return Section("")


def _anothers(view: View, execution: Execution, principal: Principal) -> Section:
    """What another conversation has begun is taken up by a decision: without one, work on it is not seen to be its."""
    together = sessions_of_conversation(view, principal.session, principal.conversation)
    is_known = has_conversation(view, principal.session, principal.conversation)
    if not is_known or execution.status in FINAL_STATUSES or execution.witness != "claimed":
        return Section("")
    if {execution.session, execution.working_session} & set(together) or execution in adopted_executions(
        view, together
    ):
        return Section("")
    took = f"record_decision(decision=continue, execution_id={execution.id}, why=...)"
    return Section(f"Another conversation began it: before you go on with it, {took}.")


def _asked(view: View, execution: Execution) -> str:
    """What blocks an execution: a question to a person, or one that nobody answered in time."""
    if execution.status != "blocked":
        return ""
    where: dict[str, WhereValue] = {"execution": execution.id, "status": "pending"}
    blocking = [row for row in view.find(Approval, Select(where=where, limit=COUNTED)) if row.blocks]
    waiting = [row.id for row in blocking if not is_expired(row, view.now())]
    if waiting:
        return f"A person is to answer {', '.join(waiting[:SHOWN])}; do only what does not depend on it. "
    if blocking:
        return f"{blocking[0].id} expired unanswered, which is not a yes: ask again, or decide resume, unwind or stop. "
    return ""


def _of_conversation(view: View, execution: Execution) -> tuple[str, ...]:
    """An execution, and those that are open in the same conversation: who asked there awaits the answer here."""
    where: dict[str, WhereValue] = {
        "session": sessions_of_conversation(view, execution.session),
        "status": OPEN_STATUSES,
    }
    beside = view.find(Execution, Select(where=where, limit=SHOWN)) if where["session"] else []
    return tuple(dict.fromkeys((execution.id, *(row.id for row in beside))))


def _elsewhere(view: View, execution: Execution) -> Section:
    """What other executions have left in doubt, the oldest first: a conversation that ended has nobody else to tell of
    it. What only is under way somewhere hides none of it, up to a bound."""
    unsettled = _unsettled(view, ELSEWHERE)
    doubts = [row for row, doubtful in unsettled if doubtful and row.execution != execution.id and _matters(row)]
    lines = tuple(
        f"{_named(item.action_id, item.step or item.tool, item.summary)}: {item.why}, in {item.execution_id}"
        for item in describe_doubts(view, doubts[:SHOWN])
    )
    more = "+" if len(unsettled) == ELSEWHERE else ""
    return Section(f"In doubt elsewhere ({len(doubts)}{more}):", lines, len(doubts))


def _under_way(view: View, execution: Execution) -> Section:
    """What has begun, and whose session lives: it may still end by itself."""
    if not execution.actions.get("open") and not execution.undos.get("open"):
        return Section("")
    ids = [row.id for row, doubtful in _unsettled(view, COUNTED, execution.id) if not doubtful]
    more = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
    return Section(f"Under way: {', '.join(ids[:SHOWN])}{more}." if ids else "")


def _unsettled(view: View, most: int, execution: str = "") -> list[tuple[Action, bool]]:
    """What has no end that stands, the oldest first, and whether that is in doubt as of now."""
    where: dict[str, WhereValue] = {"state": UNSETTLED, **({"execution": execution} if execution else {})}
    over: dict[str, bool] = {}
    found = view.find(Action, Select(where=where, newest_first=False, limit=most))
    return [(row, is_in_doubt(view, row, over)) for row in found]


def _owed(view: View, execution: Execution) -> Section:
    many = not execution.plan_id and execution.owed > MAX_OWED_SCANNED
    owed = owed_of(view, execution, newest=MAX_OWED_SCANNED if many else 0) if execution.owed else []
    due = [item for item in owed if item.state not in ("not_possible", "partly")]
    lines = tuple(
        f"{_named(item.action_id, item.step or item.tool, item.summary)} ({item.state}"
        f"{'' if item.certain else ', may have happened'}): {_way(item.undo, item.way)}"
        for item in describe_owed(view, due[:SHOWN])
    )
    count = execution.owed if many else len(due)
    return Section(f"Owed if this is undone ({count}), in this order:", lines, count)


def _way(undo: object, way: str) -> str:
    words, tool = getattr(undo, "words", ""), getattr(undo, "tool", "")
    return quoted(words) if words else f"call {word(tool)}" if tool else f"way {way}"


def _named(id: str, what: str, summary: str) -> str:
    return " ".join(filter(None, (id, word(what) if what else "", quoted(summary) if summary else "")))


def _failures(view: View, execution: Execution) -> Section:
    if not execution.steps.get("failed") or execution.status in ("unwinding", *FINAL_STATUSES):
        return Section("")
    advice = advise(steps_of(view, execution), undecided(progress_of(view, execution.id)))
    return Section("Failed:", tuple(f"{word(each.step)}: {each.text}" for each in advice[:SHOWN]), len(advice))


def _remembered(view: View, *scopes: tuple[str, str]) -> Section:
    now = view.now()
    found = [
        row
        for scope, scope_id in scopes
        if scope_id or scope == "project"
        for row in view.find(Context, Select(where={"scope": scope, "scope_id": scope_id}, limit=MAX_OWED_SCANNED))
        if not row.expires or row.expires > now
    ]
    newest = sorted(found, key=lambda row: -row.seq)[:KEYS]
    return Section(f"Remembered: {', '.join(word(clip(row.key, 40)) for row in newest)}.") if newest else Section("")


def _capture(view: View, execution: Execution, principal: Principal) -> Section:
    coverage = coverage_of(view, execution, principal)
    seen = f"{coverage.ended} of {coverage.begun} begun calls seen ended"
    unplanned = f", {coverage.unplanned} unplanned" if coverage.unplanned else ""
    behind = _unrecorded(coverage)
    watched = "".join(f" {_watching(each)}" for each in coverage.observers)
    if coverage.unwatched:
        watched += f" Nothing was heard of {clip(coverage.unwatched, 40)} in this conversation: check its hooks."
    return Section(f"Record: {seen}{unplanned}; last entry {coverage.silent_for} ago.{watched}{behind}")


def _unrecorded(told: Principal | Coverage) -> str:
    """What hooks saw, or will see, and the journal does not hold."""
    problem = f" What hooks see cannot be spooled now: {clip(told.spool_problem, 80)}." if told.spool_problem else ""
    behind = f" {told.spool_behind} bytes that hooks saw are not recorded yet." if told.spool_behind else ""
    lost = f" Events that could not be kept, as on a full disk: {told.missed}." if told.missed else ""
    return problem + behind + lost + (" What they told is missing." if lost else "")


def _watching(observer: Observer) -> str:
    name = clip(observer.client or "an observer", 40)
    if observer.silent:
        return f"Capture by {name} stopped {observer.silent_for} ago: what is done now is not seen. Check its hooks."
    if not observer.alive:
        return f"{name} is gone; last heard {observer.silent_for} ago."
    return f"{name} is watched, heard {observer.silent_for} ago."
