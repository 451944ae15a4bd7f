"""The brief: one call that tells an agent, or a person who was not there, how things stand."""

from typing import Annotated

from msgspec import Meta, Struct

from tallystick.core.advice import advise
from tallystick.core.brief import Section, clip, render
from tallystick.core.model import ENDED, Handle
from tallystick.core.rules import is_expired
from tallystick.core.state import Approval, Context, Execution, Plan
from tallystick.core.tokens import shortened
from tallystick.operations.approvals import describe_approval
from tallystick.operations.coverage import Observer, coverage_of
from tallystick.operations.desk import Asker, Desk
from tallystick.operations.executions import ExecutionView, describe_executions, next_steps
from tallystick.operations.handles import OPEN, newest
from tallystick.operations.operation import operation
from tallystick.operations.standing import (
    describe_doubts,
    describe_owed,
    doubts_of,
    owed_of,
    progress_of,
    steps_of,
    undecided,
)
from tallystick.store.port import Select, View, Wanted

SHOWN = 3
LIVE = ("pending", "approve", "edit", "reject", "respond")
"""Approvals that wait for an answer, or whose answer waits to be used."""
LOOKED_AT = 100
"""How much of what is owed is looked at where it has no order but its own, so that the brief costs the same."""
QUOTED = 100
"""How much of a recorded text is quoted in a line."""
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
    desk: Desk,
    *,
    execution_id: Annotated[Handle | None, Meta(description="The newest open one when left out")] = None,
    tokens: Annotated[int, Meta(ge=100, le=4000, description="At most so many, estimated from above")] = 400,
) -> Brief:
    """How things stand: the open execution, its progress and next step, what is in doubt, owed and waiting for people.

    Start here after a resume or a compaction. It never gets longer, whatever the journal holds.
    """

    def work(view: View) -> Brief:
        execution = newest(view, execution_id, desk.reads_in(view), desk.asker.conversation)
        if execution is None:
            return _without_execution(view, desk.journal, tokens)
        return _brief(view, execution, tokens, desk.journal, desk.asker)

    return desk.read(work)


def _without_execution(view: View, journal: str, tokens: int) -> Brief:
    seq = view.head().seq
    if not seq:
        return Brief(text=f"{journal}: nothing has been recorded yet.", seq=0)
    plans = [f"{row.id} ({row.status})" for row in view.find(Plan, Select(limit=SHOWN))]
    kept = [clip(row.key, 40) for row in view.find(Context, Select(where={"scope": "project"}, limit=8))]
    sections = [
        Section(f"Nothing has been started yet. Journal {journal}."),
        *([Section(f"Plans: {', '.join(plans)}.")] if plans else []),
        *([Section(f"Remembered: {', '.join(kept)}.")] if kept else []),
    ]
    return Brief(text=render(sections, tokens), seq=seq)


def _brief(view: View, execution: Execution, tokens: int, journal: str, asker: Asker) -> Brief:
    shown = describe_executions(view, [execution])[0]
    others = [row.id for row in view.find(Execution, Select(where={"status": OPEN}, limit=6)) if row.id != execution.id]
    doubts = doubts_of(view, execution.id, limit=COUNTED)
    live = view.find(Approval, Select(where={"execution": execution.id, "status": LIVE}, limit=SHOWN + 2))
    ready = next_steps(view, execution)
    sections = [
        _heading(shown, journal, execution),
        _next(view, execution, ready),
        Section(
            f"In doubt, look before you act ({len(doubts)}{'+' if len(doubts) == COUNTED else ''}):",
            tuple(
                f"{_named(item.action_id, item.step or item.tool, item.summary)}: {item.why}"
                for item in describe_doubts(view, doubts[:SHOWN])
            ),
            len(doubts),
        ),
        _owed(view, execution),
        Section(
            "Approvals:",
            tuple(
                f"{item.id} {item.status}: {' '.join(map(_quoted, filter(None, (item.question, item.answer))))}"
                for item in (describe_approval(view, row) for row in live[:SHOWN])
            ),
            sum(view.count(Approval, "status", {"execution": execution.id, "status": LIVE}).values()),
        ),
        _failures(view, execution),
        _remembered(view, execution),
        Section(f"Also open: {', '.join(others[:5])}") if others else Section(""),
        _capture(view, execution, asker),
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


def _heading(shown: ExecutionView, journal: str, execution: Execution) -> Section:
    plan = f", plan {shown.plan_id} revision {shown.revision}" if shown.plan_id else " (no plan)"
    steps = f", {shown.done_steps} of {shown.total_steps} steps done" if shown.total_steps else ""
    undone = f", {shown.undos['ok']} actions undone" if shown.undos.get("ok") else ""
    left = f"; ended with {', '.join(f'{n} {k}' for k, n in shown.left.items())}" if shown.left else ""
    title = f" {_quoted(shortened(clip(shown.title, 80), 24))}" if shown.title else ""
    return Section(f"{shown.id}{title} is {shown.status}{plan}{steps}{undone}{left}. Journal {journal}.")


def _next(view: View, execution: Execution, ready: tuple[str, ...]) -> Section:
    if execution.status == "paused":
        return Section("Paused: decide resume before anything begins.")
    if execution.status == "unwinding":
        return Section("Unwinding: undo what is owed in the order given, then decide done.")
    asked = _asked(view, execution)
    if ready:
        return Section(f"{asked}Next: {', '.join(ready[:SHOWN])}.")
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


def _asked(view: View, execution: Execution) -> str:
    """What blocks an execution: a question to a person, or one that nobody answered in time."""
    if execution.status != "blocked":
        return ""
    where: dict[str, Wanted] = {"execution": execution.id, "status": "pending"}
    blocking = [row for row in view.find(Approval, Select(where=where, limit=COUNTED)) if row.blocks]
    waiting = [row.id for row in blocking if not is_expired(row, view.now())]
    if waiting:
        return f"A person is to answer {', '.join(waiting[:SHOWN])}; do only what does not depend on it. "
    if blocking:
        return f"{blocking[0].id} expired unanswered, which is not a yes: ask again, or decide resume, unwind or stop. "
    return ""


def _owed(view: View, execution: Execution) -> Section:
    many = not execution.plan_id and execution.owed > LOOKED_AT
    owed = owed_of(view, execution, newest=LOOKED_AT if many else 0) if execution.owed else []
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
    return _quoted(words) if words else f"call {tool}" if tool else f"way {way}"


def _named(id: str, what: str, summary: str) -> str:
    return " ".join(filter(None, (id, what, _quoted(summary) if summary else "")))


def _quoted(text: str) -> str:
    """What somebody recorded, in quotes: it is not for the journal to say it."""
    return f'"{clip(text, QUOTED).replace(chr(34), chr(39))}"'


def _failures(view: View, execution: Execution) -> Section:
    if not execution.steps.get("failed") or execution.status in ("unwinding", *ENDED):
        return Section("")
    advice = advise(steps_of(view, execution), undecided(progress_of(view, execution.id)))
    return Section("Failed:", tuple(f"{each.step}: {each.text}" for each in advice[:SHOWN]), len(advice))


def _remembered(view: View, execution: Execution) -> Section:
    now = view.now()
    found = [
        row
        for scope, scope_id in (("execution", execution.id), ("task", execution.task_id), ("project", ""))
        if scope_id or scope == "project"
        for row in view.find(Context, Select(where={"scope": scope, "scope_id": scope_id}, limit=8))
        if not row.expires or row.expires > now
    ]
    return Section(f"Remembered: {', '.join(clip(row.key, 40) for row in found[:8])}.") if found else Section("")


def _capture(view: View, execution: Execution, asker: Asker) -> Section:
    coverage = coverage_of(view, execution, asker)
    seen = f"{coverage.ended} of {coverage.begun} begun calls seen ended"
    unplanned = f", {coverage.unplanned} unplanned" if coverage.unplanned else ""
    behind = f" {coverage.spool_behind} bytes that hooks saw are not recorded yet." if coverage.spool_behind else ""
    if coverage.missed:
        behind += f" Events that hooks could not keep, as on a full disk: {coverage.missed}. What they told is missing."
    watched = "".join(f" {_watching(each)}" for each in coverage.observers)
    if coverage.unwatched:
        watched += f" Nothing was heard of {clip(coverage.unwatched, 40)} in this conversation: check its hooks."
    return Section(f"Record: {seen}{unplanned}; last entry {coverage.silent_for} ago.{watched}{behind}")


def _watching(observer: Observer) -> str:
    name = clip(observer.client or "an observer", 40)
    if observer.silent:
        return f"Capture by {name} stopped {observer.silent_for} ago: what is done now is not seen. Check its hooks."
    if not observer.alive:
        return f"{name} is gone; last heard {observer.silent_for} ago."
    return f"{name} is watched, heard {observer.silent_for} ago."
