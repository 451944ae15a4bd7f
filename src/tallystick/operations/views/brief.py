"""The operation get_brief: the state of one execution in a bounded text, for an agent or person who takes over."""

from collections.abc import Sequence
from itertools import islice
from typing import Annotated

from msgspec import Meta, Struct, json
from msgspec.structs import replace

from tallystick.core.entries import StepFacts
from tallystick.core.formats import times
from tallystick.core.formats.tokens import shorten
from tallystick.core.formats.visible import escape_json
from tallystick.core.plans import advise, due_steps
from tallystick.core.rules import is_expired
from tallystick.core.state import Action, Approval, Context, Execution, Plan, Progress, Session
from tallystick.core.types import DUE, FINAL_STATUSES, Handle
from tallystick.core.undo import UndoItem
from tallystick.operations.actions import PERMISSION_NOTES
from tallystick.operations.approvals import ApprovalView, describe_approval, describe_call
from tallystick.operations.attribution.conversations import (
    adopted_executions,
    has_conversation,
    sessions_of_conversation,
)
from tallystick.operations.attribution.executions import execution_to_read
from tallystick.operations.context import key_of
from tallystick.operations.decisions import done_while_unwinding, unplanned_since
from tallystick.operations.executions import (
    ExecutionView,
    describe_executions,
    is_rejected,
    newest_questions,
    next_steps,
    statuses_after_answers,
)
from tallystick.operations.runs import NO_WORKER, WORKER_CLIENT, has_runner, living_workers, unserved_steps
from tallystick.operations.runtime.doubts import steps_in_doubt
from tallystick.operations.runtime.lookup import ERASED, OPEN_STATUSES
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.paging import look_through
from tallystick.operations.runtime.progress import (
    SHARED_ENGINES,
    approval_status,
    doubts_of,
    owed_of,
    progress_of,
    sessions_that_took_part,
    steps_by_id,
    steps_of,
    unsettled_actions,
)
from tallystick.operations.views.brief_text import Section, clip, quoted, render, word
from tallystick.operations.views.coverage import Coverage, SessionObserver, coverage_of, unobserved_client
from tallystick.operations.views.outstanding import (
    MAX_COUNTED,
    MAX_LINES,
    MAX_OWED_SCANNED,
    MAX_UNSETTLED_SCANNED,
    action_labels,
    doubts_elsewhere_section,
    doubts_section,
    end_call,
    in_progress_section,
    name_execution,
    next_undo,
    owed_elsewhere_section,
    owed_section,
    put_back,
    put_back_section,
    reads_in_doubt_section,
    settle_call,
)
from tallystick.operations.views.plan_steps import PlanSteps, plan_steps
from tallystick.store.interface import Select, View, WhereValue

LIVE_APPROVALS = ("pending", "approve", "edit", "reject", "respond")
"""Approvals without an answer, or with an answer that was not used yet."""
MAX_APPROVALS_SCANNED = 200
"""How many approvals are read, the newest first, to find the live ones."""
MAX_KEYS_SCANNED = 100
"""How many context keys of a scope are read, so that the cost of the brief is bounded."""
MAX_KEYS = 8
"""How many context keys are named, the newest first."""
MAX_VALUE_CHARACTERS = 40
"""The length up to which the value of a key is shown beside it."""
DONE = "record_decision(decision=done, why=...)"
HELD = "No step can begin until the open actions have ended."
EDITED = " with other arguments, which view=approvals shows"
UNPLANNED = "view=journal, filter=only:unplanned"
UNDO_LISTED = f"Unwinding: undo the listed actions in that order, then {DONE}."
CALLERS = ("runner", WORKER_CLIENT)
"""Clients that make the calls that they record: none of their calls is missed."""
RUNNER_UNDOES = "Unwinding: the runner undoes what it can of the listed actions, and asks a person about the rest."


class Brief(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """`text` is for reading; the other fields are the same for programs. It quotes text of models: that is data."""

    text: str
    seq: int
    execution_id: str = ""
    status: str = ""
    interrupted: str = ""
    next: str = ""
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
    tokens: Annotated[int, Meta(ge=100, le=4000, description="Limit in tokens, estimated from above")] = 400,
) -> Brief:
    """The current state: the open execution, its progress and next step, what is in doubt, owed and waiting for people.

    Start here after a resume or a compaction. Its length is bounded, whatever the journal holds.
    """

    def work(view: View) -> Brief:
        session = context.reader_session(view)
        execution = execution_to_read(view, execution_id, session, context.principal.conversation)
        if execution is None:
            return _without_execution(view, context.journal, tokens, context.principal)
        principal = replace(context.principal, session=session)
        with plan_steps(context, view, execution) as plan:
            return _brief(view, execution, plan, tokens, context.journal, principal)

    return context.read(work)


def _without_execution(view: View, journal: str, tokens: int, principal: Principal) -> Brief:
    seq, not_recorded = view.head().seq, _unobserved(unobserved_client(view, principal)) + _not_recorded(principal)
    if not seq:
        return Brief(text=f"{journal}: nothing has been recorded yet.{not_recorded}", seq=0)
    plans = [f"{row.id} ({row.status})" for row in view.find(Plan, Select(limit=MAX_LINES))]
    sections = [
        Section(f"No execution has been started yet. Journal {journal}.{not_recorded}"),
        *([Section(f"Plans: {', '.join(plans)}.")] if plans else []),
        _context_keys(view, ("project", "")),
    ]
    return Brief(text=render([each for each in sections if each.heading], tokens), seq=seq)


def _brief(view: View, execution: Execution, plan: PlanSteps, tokens: int, journal: str, principal: Principal) -> Brief:
    shown = describe_executions(view, [execution], {plan.seq: plan.title})[0]
    others = [
        row.id
        for row in view.find(Execution, Select(where={"status": OPEN_STATUSES}, limit=6))
        if row.id != execution.id
    ]
    doubts = doubts_of(view, execution.id, limit=MAX_COUNTED, wanted=lambda action: action.needs_check)
    asked: dict[str, WhereValue] = {"execution": _executions_of_conversation(view, execution), "status": LIVE_APPROVALS}
    looked = islice(look_through(view, Approval, Select(where=asked)), MAX_APPROVALS_SCANNED)
    live = [row for row, is_live in looked if is_live and approval_status(view, row) != "closed"]
    held = steps_in_doubt(view, execution)
    failed = _undecided_failures(view, execution)
    ready = tuple(step for step in plan.next_steps(view, execution) if step not in held)
    if failed:
        ready = _irreversible_last(view, execution, ready)
    owed = islice(owed_of(view, execution), MAX_OWED_SCANNED) if shown.owed else ()
    due = [item for item in owed if item.state in DUE]
    to_put_back = put_back(view, execution)
    coverage = coverage_of(view, execution, principal)
    own = [row for row in live if row.execution == execution.id]
    following = _next_call(view, execution, plan, ready, own, due or to_put_back, failed, _is_hooked(view, coverage))
    take_up = _take_up(view, execution, principal, is_interrupted=bool(shown.interrupted))
    following = _for_reader(following, execution, take_up)
    is_held = following == HELD and bool(doubts)  # then the section In doubt says what to do
    is_undone_next = following == UNDO_LISTED or (bool(due) and execution.status in FINAL_STATUSES)
    sections = [
        _heading(shown, journal, view.now()),
        take_up,
        _failures(view, execution),
        Section("" if is_held else following),
        _unplaced(view, execution, ready, due),
        _unpermitted(view, execution),
        doubts_section(view, doubts),
        reads_in_doubt_section(view, execution),
        in_progress_section(view, execution),
        owed_section(view, due, shown),
        put_back_section(view, [] if due else to_put_back),
        doubts_elsewhere_section(view, execution),
        owed_elsewhere_section(view, execution),
        _approvals(view, live, execution),
        _context_keys(view, ("execution", execution.id), ("task", execution.task_id), ("project", "")),
        Section(f"Also open: {', '.join(others[:5])}") if others else Section(""),
        _capture(coverage, is_interrupted=bool(shown.interrupted)),
    ]
    return Brief(
        text=render(
            [each for each in sections if each.lines or (each.heading and not each.heading.endswith(":"))], tokens
        ),
        seq=view.head().seq,
        execution_id=execution.id,
        status=execution.status,
        interrupted=shown.interrupted,
        next=settle_call(doubts[0]) if is_held else next_undo(view, due) if is_undone_next else following,
        next_steps=ready,
        in_doubt=tuple(action.id for action in doubts[:5]),
        owed=shown.owed,
        approvals=tuple(row.id for row in live[:5]),
        open_executions=tuple(others[:5]),
    )


def _approvals(view: View, live: Sequence[Approval], execution: Execution) -> Section:
    lines = tuple(
        f"{item.id} {item.status}{_by(item)}{_options(item)}{_call(item)}{_elsewhere(item, execution)}: "
        f"{' '.join(map(quoted, filter(None, said)))}"
        for item in (describe_approval(view, row) for row in live[:MAX_LINES])
        for said in [(item.question, item.answer or item.reason)]
    )
    return Section("Approvals:", lines, len(live))


def _elsewhere(approval: ApprovalView, execution: Execution) -> str:
    """The other execution in which a question was asked: its answer can only be used there."""
    return f" in {approval.execution_id}" if approval.execution_id != execution.id else ""


def _by(approval: ApprovalView) -> str:
    if approval.answered_in:
        return f" in {quoted(approval.answered_in)}"
    return f" by {word(approval.decided_by)}" if approval.status == "reject" and approval.decided_by else ""


def _options(approval: ApprovalView) -> str:
    """The answers to choose from, of a question that waits for one."""
    return (
        f" (one of {quoted(', '.join(approval.options))})" if approval.options and approval.status == "pending" else ""
    )


def _call(approval: ApprovalView) -> str:
    """The call that a question which waits for an answer is about."""
    return f" for {quoted(describe_call(approval))}" if approval.tool and approval.status == "pending" else ""


def _heading(shown: ExecutionView, journal: str, now: int) -> Section:
    revision = f" revision {shown.revision}" if shown.revision > 1 else ""
    plan = f", plan {shown.plan_id}{revision}" if shown.plan_id else " (no plan)"
    steps = f", {shown.steps_text}" if shown.total_steps else ""
    # Several undos of one action count once; what a planned step puts back has no undo of its own.
    count = min(shown.undos.get("ok", 0), shown.undo_states.get("undone", 0))
    undone = f", {count} action{'s' if count > 1 else ''} undone" if count > shown.undone_steps else ""
    rest = f"; ended with {shown.unfinished_text}" if shown.unfinished else ""
    title = f" {quoted(shorten(clip(shown.title, 80), 24))}" if shown.title else ""
    status: str = shown.status
    if shown.interrupted:
        age = times.age(now - times.parse_time(shown.interrupted, "interrupted"))
        status = f"interrupted ({status}), left by {word(shown.interrupted_by or shown.last_session)} {age} ago"
    elif shown.only_waits:
        status = f"waiting for a person ({status})"
    return Section(f"{shown.id}{title} is {status}{plan}{steps}{undone}{rest}. Journal {journal}.")


def _undecided_failures(view: View, execution: Execution) -> list[str]:
    """The failed steps about which nothing was decided."""
    is_failed = execution.steps.get("failed")
    status = statuses_after_answers(view, execution, progress_of(view, execution.id)) if is_failed else {}
    return [step for step, word in status.items() if word == "failed"]


def _irreversible_last(view: View, execution: Execution, ready: tuple[str, ...]) -> tuple[str, ...]:
    irreversible = _irreversible(view, execution)
    return tuple(sorted(ready, key=lambda step: step in irreversible))


def _irreversible(view: View, execution: Execution) -> set[str]:
    return {step.id for step in steps_of(view, execution) if step.cancellable == "irreversible"}


def _is_hooked(view: View, coverage: Coverage) -> bool:
    """Whether hooks see what is carried out: then it is not announced."""
    rows = (view.get(Session, each.session) for each in coverage.observers if each.alive)
    return any(row is not None and row.session_kind == "client" for row in rows)


def _next_call(
    view: View,
    execution: Execution,
    plan: PlanSteps,
    ready: tuple[str, ...],
    live: list[Approval],
    due: list[UndoItem],
    failed: Sequence[str],
    is_hooked: bool,
) -> str:
    """What to do next, in a sentence: the next step with its tool and the approval to use, or the decision to make."""
    if execution.status == "paused":
        return "Paused: record_decision(decision=resume, why=...) before you begin anything."
    if execution.status == "unwinding":
        listed = _undone_by_runner(live) if execution.engine else UNDO_LISTED
        return listed if due else f"Nothing is left to undo: {_unsettled_call(view, execution)}{DONE}."
    question = f"{_blocking_question(view, execution)}{_rejections(view, execution)}"
    if ready:
        step = _next_step(view, plan, ready, live, is_hooked, is_run=bool(execution.engine))
        if failed and ready[0] in _irreversible(view, execution):  # it only does not wait for what failed
            about = ", ".join(map(word, failed[:MAX_LINES]))
            step = step.replace("Next: ", f"Next: decide about {about}; then, irreversible: ", 1)
        return f"{question}{step}"
    if question:
        return question.strip()
    return "" if failed else _without_ready_step(view, execution, live, due)  # else the section Failed says what to do


def _unsettled_call(view: View, execution: Execution) -> str:
    """How to end or settle the first action that keeps an execution from being done; empty if none does."""
    unsettled = unsettled_actions(view, execution.id) if execution.unsettled == "yes" else iter(())
    looked = islice(unsettled, MAX_UNSETTLED_SCANNED)
    action, in_doubt = next((each for each in looked if each[0].needs_check), (None, False))
    if action is None:
        return ""
    call = settle_call(action) if in_doubt else end_call(action)
    return f"{call[:1].lower()}{call[1:].removesuffix('.')}; then "


def _without_ready_step(view: View, execution: Execution, live: list[Approval], due: list[UndoItem]) -> str:
    """The next call where no step may begin and no failure waits for a decision."""
    if execution.steps.get("failed"):
        return _waiting(view, live) or _stuck(view, execution)
    if execution.status in ("running", "blocked") and execution.total_steps:
        left = execution.total_steps - sum(execution.steps.get(word, 0) for word in ("done", "skipped"))
        if left:
            return HELD if execution.unsettled == "yes" else _waiting(view, live) or HELD
        if execution.unsettled == "yes":
            return f"No step is left to begin: settle the open actions, then {DONE}."
        return f"All steps are done: {'put back what is listed, then ' if due else ''}{DONE}."
    return ""


def _waiting(view: View, live: list[Approval]) -> str:
    """The questions that the steps of an execution wait for; empty when there are none."""
    asked = [row for row in live if approval_status(view, row) == "pending"]
    return f"Waiting for a person to answer {', '.join(row.id for row in asked[:MAX_LINES])}." if asked else ""


def _stuck(view: View, execution: Execution) -> str:
    """The decisions that are possible where every failure was decided on, and no step can begin."""
    failed = [step for step, row in progress_of(view, execution.id).items() if row.status == "failed"]
    if not failed or execution.engine or execution.status not in ("running", "blocked"):
        return ""
    about = f"{word(failed[0])} failed: record_decision(decision=retry or skip, step={word(failed[0])}, why=...)"
    return f"No step can begin. {about}, or replan, unwind or stop."


def _next_step(
    view: View, plan: PlanSteps, ready: tuple[str, ...], live: list[Approval], is_hooked: bool, *, is_run: bool
) -> str:
    """The first step that may begin, with its title, its tool and a person's yes, or in a run with who carries it out;
    the others by their ids."""
    first, *others = ready[:MAX_LINES]
    planned = steps_by_id(plan.planned)
    step = planned[first]
    title = plan.titles(view, [step])[first]
    performer = plan.performer(first) if is_run else ""
    usable = [] if performer == "runner" else live  # the runner asks, and uses the answer
    granted = next((row for row in usable if row.step == first and row.status in ("approve", "edit")), None)
    needs_yes = not granted and step.needs_approval and performer != "runner"
    parts = [
        word(first),
        f" {quoted(title)}" if title not in ("", first, ERASED) else "",
        f" with {word(step.tool)}" if step.tool else "",
        f", by the {performer}" if performer else "",
        f", approved{EDITED if granted.status == 'edit' else ''}: {_use(granted, is_hooked)}" if granted else "",
        f", which needs approval: first record_decision(decision=ask_human, step={word(first)}, question=..., why=...)"
        if needs_yes
        else "",
        f"; also {', '.join(_also(planned[name], live) for name in others)}" if others else "",
    ]
    return f"Next: {''.join(parts)}."


def _also(step: StepFacts, live: list[Approval]) -> str:
    is_granted = any(row.step == step.id and row.status in ("approve", "edit") for row in live)
    return f"{word(step.id)}{' (needs approval)' if step.needs_approval and not is_granted else ''}"


def _use(granted: Approval, is_hooked: bool) -> str:
    return "carry it out" if is_hooked else f"begin it with approval_id={granted.id}"


def _unplaced(view: View, execution: Execution, ready: tuple[str, ...], due: list[UndoItem]) -> Section:
    """Work that fits no step, while one waits; or no undo, while unwinding: with the call that says what it was. A
    handle is filled in where there is only one: a guess would be copied."""
    if execution.unwound:
        rows = done_while_unwinding(view, execution)
        said = f"undoes={due[0].action.id if len(due) == 1 else '...'}"
        heading = f"Done while unwinding ({len(rows)}). If it undid something"
    else:
        found = unplanned_since(view, execution, ready[0]) if ready else []
        rows = [row for row in found if row.witness == "observed"]  # an agent that records calls names their steps
        said = f"step={word(ready[0])}" if ready else ""
        heading = f"Unplanned ({len(rows)}). If it was a step"
    if not rows or execution.status in FINAL_STATUSES:
        return Section("")
    call = f"record_decision(decision=continue, action_id={rows[0].id if len(rows) == 1 else '...'}, {said}, why=...)"
    return Section(f"{heading}: {call}:", action_labels(view, rows), len(rows))


def _unpermitted(view: View, execution: Execution) -> Section:
    """What was carried out without an approval that it needed, or against a rejection."""
    found = (view.get(Action, id) for id in reversed(execution.unpermitted))
    rows = [row for row in found if row and row.not_permitted]
    lines = (
        f"{label}: {PERMISSION_NOTES[row.not_permitted]}"
        for row, label in zip(rows, action_labels(view, rows), strict=False)
    )
    return Section(f"Not permitted ({len(rows)}):", tuple(lines), len(rows))


def _take_up(view: View, execution: Execution, principal: Principal, *, is_interrupted: bool) -> Section:
    """Say how to take up an execution that another session works on, or has left."""
    sessions = sessions_of_conversation(view, principal.session, principal.conversation)
    if execution.status in FINAL_STATUSES or execution.witness != "claimed":
        return Section("")
    own = {*sessions, principal.session} - {""}
    if execution.engine:
        return _runner(view, execution, own - {execution.session})
    if {execution.session, execution.working_session, *execution.sessions} & own or execution in adopted_executions(
        view, sessions
    ):
        return Section("")
    if is_interrupted:
        return Section(f"Take it up: any record with execution_id={execution.id}.")
    decision = "resume" if execution.status == "paused" else "continue"
    call = f"record_decision(decision={decision}, execution_id={execution.id}, why=...)"
    if all(map(view.is_over, sessions_that_took_part(view, execution))):
        return Section(f"Nobody who worked on it is there any more. To take it up, call {call}.")
    if not has_conversation(view, principal.session, principal.conversation):
        return Section("")  # it may be the reader's own
    return Section(f"Another conversation works on it. To continue it, call {call}.")


def _for_reader(following: str, execution: Execution, take_up: Section) -> str:
    """The next call for a reader whose session may have no part in the execution, and has to name it."""
    return name_execution(following, execution.id) if take_up.heading and not execution.engine else following


def _runner(view: View, execution: Execution, readers: set[str]) -> Section:
    """Who carries out a run of the runner, and the command that goes on with one that nobody carries out.
    `readers` are sessions of the reader that did not start it. Others that recorded in it do not carry it out."""
    if execution.engine in SHARED_ENGINES:
        return Section(_workers(view, execution))
    if has_runner(view, execution, readers):
        return Section("A runner carries it out.")
    if execution.engine == "server":
        return Section("The server carries it out as soon as it runs again.")
    return Section(f"No runner is at work on it. To go on: tallystick run --resume {execution.id}")


def _workers(view: View, execution: Execution) -> str:
    """Whether workers carry out a run, and which of its next steps none of them can."""
    if not living_workers(view):
        return NO_WORKER
    unserved = unserved_steps(view, execution)
    waiting = [step for step in next_steps(view, execution) if step in unserved] if unserved else []
    reasons = [f"{word(step)} waits: {unserved[step]}." for step in waiting[:MAX_LINES]]
    return " ".join(["Workers carry it out.", *reasons])


def _undone_by_runner(live: Sequence[Approval]) -> str:
    """The mover of a run that unwinds: the runner, or a person whom it has asked."""
    asked = [row.id for row in live if row.status == "pending"]
    return f"Unwinding: waiting for a person to answer {', '.join(asked[:MAX_LINES])}." if asked else RUNNER_UNDOES


def _blocking_question(view: View, execution: Execution) -> str:
    """Return the question to a person that blocks an execution, pending or expired; empty when there is none."""
    if execution.status != "blocked":
        return ""
    where: dict[str, WhereValue] = {"execution": execution.id, "status": "pending"}
    blocking = [row for row in view.find(Approval, Select(where=where, limit=MAX_COUNTED)) if row.blocks]
    waiting = [row.id for row in blocking if not is_expired(row, view.now())]
    if waiting:
        return f"Waiting for a person to answer {', '.join(waiting[:MAX_LINES])}; do only independent work. "
    if blocking:
        expired = f"{blocking[0].id} expired without an answer, which is not a yes"
        return f"{expired}: ask again, or decide resume, unwind or stop. "
    return ""


def _rejections(view: View, execution: Execution) -> str:
    """Each step that is due and that a person rejected: who, why, and what can be decided."""
    if not execution.asked or execution.status not in ("running", "blocked"):
        return ""
    status = statuses_after_answers(view, execution, progress_of(view, execution.id))
    due = set(due_steps(execution, steps_of(view, execution), status))
    failed = {step for step, word in status.items() if word == "failed"}
    asked = {step: row for step, row in newest_questions(view, execution).items() if step in due | failed}
    rejected = [(step, row) for step, row in asked.items() if is_rejected(view, execution, row)]
    return "".join(_rejection(step, describe_approval(view, row)) for step, row in rejected[:MAX_LINES])


def _rejection(step: str, answer: ApprovalView) -> str:
    reason = f": {quoted(answer.reason)}" if answer.reason else ""
    skip = f"record_decision(decision=skip, step={word(step)}, why=...), or replan or stop"
    who = f"in {quoted(answer.answered_in)}" if answer.answered_in else f"by {word(answer.decided_by)}"
    return f"{word(step)} was rejected {who}{reason}. Decide: {skip}. "


def _executions_of_conversation(view: View, execution: Execution) -> tuple[str, ...]:
    """The execution and the open ones of the same conversation: an answer to any of them concerns this reader."""
    where: dict[str, WhereValue] = {
        "session": sessions_of_conversation(view, execution.session),
        "status": OPEN_STATUSES,
    }
    others = view.find(Execution, Select(where=where, limit=MAX_LINES)) if where["session"] else []
    return tuple(dict.fromkeys((execution.id, *(row.id for row in others))))


def _failures(view: View, execution: Execution) -> Section:
    if not execution.steps.get("failed") or execution.unwound or execution.status in FINAL_STATUSES:
        return Section("")
    progress = progress_of(view, execution.id)
    advice = advise(steps_of(view, execution), statuses_after_answers(view, execution, progress))
    errors = _errors(view, [progress[each.step] for each in advice[:MAX_LINES] if each.step in progress])
    lines = tuple(f"{word(each.step)}{errors.get(each.step, '')}: {each.text}" for each in advice[:MAX_LINES])
    return Section("Failed:", lines, len(advice))


def _errors(view: View, failed: Sequence[Progress]) -> dict[str, str]:
    """The error with which each step failed last, quoted."""
    actions = {row.step: view.get(Action, row.action) for row in failed}
    ends = {step: action.end_seq for step, action in actions.items() if action}
    bodies = view.bodies(ends.values())
    texts = {step: json.decode(bodies[seq]).get("error", "") for step, seq in ends.items() if seq in bodies}
    return {step: f" with {quoted(text)}" for step, text in texts.items() if text}


def _context_keys(view: View, *scopes: tuple[str, str]) -> Section:
    now = view.now()
    found = [
        row
        for scope, scope_id in scopes
        if scope_id or scope == "project"
        for row in view.find(Context, Select(where={"scope": scope, "scope_id": scope_id}, limit=MAX_KEYS_SCANNED))
        if not row.expires or row.expires > now
    ]
    newest = sorted(found, key=lambda row: -row.seq)[:MAX_KEYS]
    named = [(key, row.seq) for row in newest if (key := key_of(view, row)) != ERASED]
    bodies = view.bodies(seq for _, seq in named)
    pairs = [f"{word(clip(key, 40))}{_value(bodies.get(seq))}" for key, seq in named]
    return Section(f"Remembered: {', '.join(pairs)}.") if pairs else Section("")


def _value(body: str | None) -> str:
    """A short value of a context key, a text quoted and others as JSON; nothing for a long one: its key finds it."""
    value = json.decode(body).get("value") if body else None
    text = value if isinstance(value, str) else json.encode(value).decode()
    if value is None or len(text) > MAX_VALUE_CHARACTERS:
        return ""
    return f"={quoted(text) if isinstance(value, str) else escape_json(text)}"


def _capture(coverage: Coverage, *, is_interrupted: bool) -> Section:
    """How complete the record is. The heading of an interrupted execution says how long nothing was heard."""
    finished = f"{coverage.ended} of {coverage.begun} actions finished"
    unplanned = f", {coverage.unplanned} unplanned ({UNPLANNED})" if coverage.unplanned else ""
    observed = "".join(f" {_observer_text(each)}" for each in coverage.observers if each.client not in CALLERS)
    observed += _unobserved(coverage.unobserved_client)
    last = "" if is_interrupted else f"; last worked on {coverage.silent_for} ago"
    return Section(f"Record: {finished}{unplanned}{last}.{observed}{_not_recorded(coverage)}")


def _unobserved(client: str) -> str:
    if not client:
        return ""
    name = clip(client, 40)
    return f" No events from {name} in this conversation: its calls are not recorded. See `tallystick setup --check`."


def _not_recorded(spool: Principal | Coverage) -> str:
    """Return what hooks saw, or will see, and the journal does not hold."""
    problem = f" Hooks cannot store events now: {clip(spool.spool_problem, 80)}." if spool.spool_problem else ""
    behind = f" {spool.spool_behind} bytes of hook events are not recorded yet." if spool.spool_behind else ""
    lost = f" {spool.missed} events were lost, for example because the disk was full." if spool.missed else ""
    return problem + behind + lost


def _observer_text(observer: SessionObserver) -> str:
    name = clip(observer.client or "an observer", 40)
    if observer.silent:
        return f"Capture by {name} stopped {observer.silent_for} ago: new calls are not recorded. Check its hooks."
    if not observer.alive:
        return f"{name} has ended; last event {observer.silent_for} ago."
    return f"{name} is observed, last event {observer.silent_for} ago."
