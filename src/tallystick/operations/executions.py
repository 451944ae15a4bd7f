"""record_execution_start, get_execution and list_executions: starting executions, and reading them in a line each; and
what keeps one from being done."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, json
from msgspec.structs import asdict, replace

from tallystick.core import plans as core_plans
from tallystick.core import rules
from tallystick.core.entries import Entry, ExecutionStarted, StepFacts
from tallystick.core.errors import InvalidArgument, WrongState, quote_words
from tallystick.core.formats import times
from tallystick.core.plans import advise, due_steps
from tallystick.core.state import Action, Approval, Execution, Plan, Progress, Revision, count_due, revision_id
from tallystick.core.types import DUE, ExecutionStatus, Handle, Key, Name
from tallystick.core.undo import UndoItem
from tallystick.operations.runtime.doubts import earlier_work, title_key
from tallystick.operations.runtime.lookup import ERASED, erased_among, require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Transaction
from tallystick.operations.runtime.paging import Cursor, Limit, Page, Since, Text, find_page, search_ids
from tallystick.operations.runtime.progress import (
    MAY_BE_INTERRUPTED,
    NOT_UNDONE,
    TO_PUT_BACK,
    Interruption,
    action_counts,
    approval_status,
    count_doubts,
    interruption,
    pending_approvals,
    plan_seq,
    plan_title,
    progress_of,
    sessions_that_took_part,
    statuses,
    steps_of,
    undecided,
    undo_counts,
    undo_list_of,
    unsettled_actions,
)
from tallystick.operations.runtime.receipts import ExecutionReceipt, Receipt
from tallystick.store.interface import Select, View, WhereValue

MAX_QUESTIONS = 10_000
"""Questions of one execution that are read to find the newest about each step."""
MAX_NEXT_STEPS = 5
Attention = Literal["in_doubt", "owed", "waiting", "interrupted", "working"]
"""Why an execution needs attention: an action in doubt, something owed, an unanswered question, or nobody works on it
any more. Or that it needs none of a person: somebody works on it."""
_MAY_NEED: dict[Attention, dict[str, WhereValue]] = {
    "in_doubt": {"unsettled": ("yes",)},
    "owed": {"owing": ("yes", "maybe")},
    "waiting": {"asking": ("yes",)},
    "interrupted": {"status": MAY_BE_INTERRUPTED},
    "working": {"status": MAY_BE_INTERRUPTED},
}
"""The columns of every execution that may need that attention."""
ShownStatus = Literal[ExecutionStatus, "interrupted", "waiting"]
"""The status as lists show it: `interrupted` and `waiting` stand in the place of what is recorded."""


def steps_text(done: int, undone: int, skipped: int, total: int) -> str:
    """How many steps are done, as every text for people says it."""
    of_which = f", of which {undone} undone" if undone else ""
    if skipped:
        return f"{done} done{of_which}, {skipped} skipped of {total} steps"
    return f"{done} of {total} steps done{of_which}"


class ExecutionView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An execution in a line: where it is, and what is wrong with it. `failed` counts actions, `undo_states` what it
    did by the state of its undo; `waiting` counts questions to people that are neither answered nor expired. With
    `only_waits`, nothing else of it is open: show `waiting` in the place of the status.

    `interrupted` is since when no session that took part lives, while it waits for nobody: show it in the place of the
    status. `interrupted_by` and `last_session` tell who worked on it last. `last` is when it was last worked on: what
    a person records about an agent's work does not count. `undone_steps` are those of `done_steps` whose work was
    undone. `progress` is the part of the steps that is done or skipped.
    """

    id: str
    status: ExecutionStatus
    title: str = ""
    plan_id: str = ""
    revision: int = 0
    task_id: str = ""
    actor: str = ""
    client: str = ""
    session: str = ""
    started: str = ""
    last: str = ""
    ended: str = ""
    step: str = ""
    done_steps: int = 0
    skipped_steps: int = 0
    undone_steps: int = 0
    total_steps: int = 0
    progress: float = 0.0
    actions: dict[str, int] = {}
    undos: dict[str, int] = {}
    in_doubt: int = 0
    owed: int = 0
    undo_states: dict[str, int] = {}
    failed: int = 0
    unplanned: int = 0
    waiting: int = 0
    only_waits: bool = False
    unfinished: dict[str, int] = {}
    late: int = 0
    interrupted: str = ""
    interrupted_by: str = ""
    last_session: str = ""

    @property
    def shown_status(self) -> ShownStatus:
        """The status as people see it."""
        return "interrupted" if self.interrupted else "waiting" if self.only_waits else self.status

    @property
    def unfinished_text(self) -> str:
        """What was unfinished when it ended, and how much of that was done about it since."""
        now = {"in_doubt": (self.in_doubt, "settled since"), "owed": (self.owed, "undone or kept since")}
        texts = []
        for name, count in self.unfinished.items():
            left, done = now.get(name, (count, ""))
            since = f" ({'' if left <= 0 else f'{count - left} '}{done})" if left < count else ""
            texts.append(f"{count} {name.replace('_', ' ')}{since}")
        return ", ".join(texts)

    @property
    def steps_text(self) -> str:
        """How many steps are done, and how much is to be undone while it is unwound; empty without a plan."""
        if not self.total_steps:
            return ""
        text = steps_text(self.done_steps, self.undone_steps, self.skipped_steps, self.total_steps)
        return f"{text}, {self.owed} to undo" if self.status == "unwinding" and self.owed else text


class ExecutionPage(Page, frozen=True, kw_only=True):
    executions: tuple[ExecutionView, ...]


@operation("record", "POST /v1/executions", example={"title": "Clean up the bucket"})
def record_execution_start(
    context: OperationContext,
    *,
    plan_id: Annotated[Handle | None, Meta(description="The plan to carry out; none for ad-hoc work")] = None,
    title: Annotated[str, Meta(max_length=2000)] = "",
    task_id: Annotated[str, Meta(max_length=200)] = "",
    notes: str = "",
    key: Key | None = None,
) -> ExecutionReceipt:
    """Open an execution of a saved plan, or of no plan for ad-hoc work.

    Returns its handle and the next steps, and names what is in doubt and open of the same plan, or of the same title
    and task. The same key returns the same execution.
    """
    body = context.body(title=title, notes=notes)
    task = context.masked_name(task_id)

    def work(transaction: Transaction) -> Entry:
        if plan_id:
            return start_plan(transaction, plan_id, title, task, body)
        facts = ExecutionStarted(task_id=task, title_key=title_key(context, title, task))
        return transaction.write(facts, body=body)

    return context.record(key, ["start", plan_id, title, task_id, notes], work, start_receipt)


def start_plan(
    transaction: Transaction, plan_id: str, title: str, task: str, body: str | None, engine: str = ""
) -> Entry:
    """Append the start of an execution of a plan, at its newest revision."""
    plan = require_row(transaction.ledger, Plan, plan_id, "plan_id")
    if plan.status != "active":
        raise WrongState(
            f"{plan.id} is {plan.status}.",
            hint="Record a new plan, or name another one.",
            next_call=core_plans.NEW_PLAN,
        )
    revision = transaction.ledger.get(Revision, revision_id(plan.id, plan.revision))
    facts = core_plans.execution_start_facts(plan, revision.steps if revision else (), task, engine)
    named = title or plan_title(transaction.ledger, plan)
    facts = replace(facts, title_key=title_key(transaction.context, named, facts.task_id))
    return transaction.write(facts, body=body)


def start_receipt(view: View, receipt: Receipt) -> ExecutionReceipt:
    """The receipt of a start, with the next steps and what is in doubt or open of the same work."""
    execution = require_row(view, Execution, receipt.id, "execution_id")
    earlier = earlier_work(view, execution)
    return ExecutionReceipt(
        **asdict(receipt),
        status=execution.status,
        plan_id=execution.plan_id,
        next_steps=next_steps(view, execution),
        **asdict(replace(earlier, notes=earlier.notes + _plan_not_started(view, execution))),
    )


@operation("read", "GET /v1/executions/{execution_id}", example={"execution_id": "ex_a2v7"})
def get_execution(context: OperationContext, *, execution_id: Handle) -> ExecutionView:
    """One execution in a line: its status and progress, and counts of what needs attention.

    `get_status` shows it whole, with its steps.
    """
    return context.read(
        lambda view: describe_executions(view, [require_row(view, Execution, execution_id, "execution_id")])[0]
    )


@operation("read", "GET /v1/executions", view="executions", example={"status": ["running"]})
def list_executions(
    context: OperationContext,
    *,
    status: Annotated[tuple[ShownStatus, ...], Meta(max_length=10, description="One of these")] = (),
    task_id: Name | None = None,
    plan_id: Handle | None = None,
    actor: Name | None = None,
    client: Annotated[Name | None, Meta(description="The client of the session that started it")] = None,
    only: Annotated[Attention | None, Meta(description="Only those with something of this kind, as of now")] = None,
    since: Since = None,
    until: Since = None,
    text: Text = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> ExecutionPage:
    """Executions, the newest first. `text` finds those in which anything was recorded that holds the words."""

    def work(view: View) -> ExecutionPage:
        recorded = _recorded_statuses(status)
        where: dict[str, WhereValue | None] = {
            "status": recorded or None,
            "task_id": task_id,
            "plan_id": plan_id,
            "actor": actor,
            "client": client,
        }
        if only:
            where.update(_MAY_NEED[only])
        if only in ("interrupted", "working") and status:
            where["status"] = tuple(word for word in recorded if word in MAY_BE_INTERRUPTED)

        def fits(row: Execution) -> bool:
            if status and row.status not in status and _computed_status(view, row) not in status:
                return False
            return only is None or _needs_attention(view, row, only)

        among = search_ids(view, text, of_execution=True) if text else None
        rows, cursor_next = find_page(view, Execution, where, since, until, limit, cursor, among, fits=fits)
        return ExecutionPage(executions=describe_executions(view, rows), next_cursor=cursor_next)

    return context.read(work)


def _recorded_statuses(shown: Sequence[ShownStatus]) -> tuple[str, ...]:
    """The recorded statuses of executions that may be shown with one of these."""
    computed = ("interrupted", "waiting")
    may_be = MAY_BE_INTERRUPTED if any(word in shown for word in computed) else ()
    return tuple(dict.fromkeys((*(word for word in shown if word not in computed), *may_be)))


def _computed_status(view: View, row: Execution) -> str:
    """What is shown in the place of the recorded status; empty if that is shown."""
    return "interrupted" if interruption(view, row) else "waiting" if only_waits(view, row) else ""


def is_worked_on(view: View, row: Execution) -> bool:
    """Whether somebody works on an execution: it is neither interrupted nor waits for a person alone."""
    return row.status in MAY_BE_INTERRUPTED and not _computed_status(view, row)


def only_waits(view: View, row: Execution) -> bool:
    """Whether a question to a person is all that is open of running or unwinding work: no action is under way, and its
    agent is gone, or recorded nothing since it asked. A runner begins all that may begin before it waits."""
    asked = pending_approvals(view, [row]) if row.status in MAY_BE_INTERRUPTED else []
    if not asked or any(counts.get("open") for counts in action_counts(view, row)):
        return False
    if row.engine or row.last_seq <= max(each.seq for each in asked):
        return True
    return all(map(view.is_over, sessions_that_took_part(view, row)))


def _plan_not_started(view: View, execution: Execution) -> tuple[str, ...]:
    """Offer the newest plan to its session, which has just started work without it."""
    newest = view.find(Plan, Select(limit=1)) if not execution.plan_id else []
    is_own = newest and newest[0].session == execution.session and newest[0].status == "active"
    if not is_own or view.find(Execution, Select(where={"plan_id": newest[0].id}, limit=1)):
        return ()
    plan = newest[0].id
    return (f"{plan} was recorded and is not started: a start with plan_id={plan} is compared with its steps.",)


def next_steps(view: View, execution: Execution, limit: int = MAX_NEXT_STEPS) -> tuple[str, ...]:
    """The steps that may begin now. Left out are steps that wait for a person's answer or were rejected, and steps that
    the plan would cancel for a failure on which nothing is decided yet."""
    if execution.status not in ("running", "blocked"):
        return ()
    steps = steps_of(view, execution)
    status = statuses_after_answers(view, execution, progress_of(view, execution.id)) if steps else {}
    return steps_to_offer(view, execution, steps, status, limit)


def statuses_after_answers(view: View, execution: Execution, progress: dict[str, Progress]) -> dict[str, str]:
    """The statuses for choosing what to do next. A failed step about which a person was asked may begin again after a
    yes; after another answer, or none in time, it counts as failed again. A runner takes up answers by itself."""
    found = undecided(progress)
    asked = () if execution.engine else [step for step, row in progress.items() if row.decided == "ask_human"]
    questions = newest_questions(view, execution) if asked else {}
    for step in asked:
        question = questions.get(step)
        if found[step] == "decided" and question and approval_status(view, question) != "pending":
            found[step] = "" if question.status in ("approve", "edit") else "failed"
    return found


def steps_to_offer(
    view: View, execution: Execution, steps: Sequence[StepFacts], status: Mapping[str, str], limit: int
) -> tuple[str, ...]:
    """Those of the steps that are due that wait for no answer, and that no failure would cancel."""
    ready = due_steps(execution, steps, status)
    held = {name for advice in advise(steps, status) for name in advice.cancels}
    for step, asked in newest_questions(view, execution).items() if ready else ():
        if approval_status(view, asked) == "pending" or is_rejected(view, execution, asked):
            held.add(step)
    held |= {asked.about for asked in pending_approvals(view, [execution])} if ready else set()
    return tuple([step for step in ready if step not in held][:limit])


def newest_questions(view: View, execution: Execution) -> dict[str, Approval]:
    """The newest question about each step, by its name or by its exact call."""
    return questions_by_step(view, execution, questions_of(view, execution))


def questions_of(view: View, execution: Execution) -> list[Approval]:
    """The questions of an execution, the oldest first."""
    select = Select(where={"execution": execution.id}, newest_first=False, limit=MAX_QUESTIONS)
    return view.find(Approval, select) if execution.asked else []


def questions_by_step(view: View, execution: Execution, found: Sequence[Approval]) -> dict[str, Approval]:
    """The newest of some questions about each step."""
    if not found:
        return {}
    by_call = {step.guarded: step.id for step in steps_of(view, execution) if step.guarded}
    named = ((each.step or by_call.get(each.effect_key, ""), each) for each in found)
    return {step: each for step, each in named if step}


def is_rejected(view: View, execution: Execution, asked: Approval) -> bool:
    """Whether a person said no to a step as the plan has it now: a later revision may have changed it."""
    return asked.status == "reject" and asked.decided_seq > plan_seq(view, execution)


def _needs_attention(view: View, row: Execution, only: Attention) -> bool:
    if only == "waiting":
        return bool(_waiting(view, [row])[row.id])
    if only == "in_doubt":
        return bool(count_doubts(view, row))
    if only == "working":
        return is_worked_on(view, row)
    is_interrupted = interruption(view, row) is not None
    return is_interrupted if only == "interrupted" else bool(row.owed(interrupted=is_interrupted))


def describe_executions(
    view: View, rows: list[Execution], plan_titles: Mapping[int, str] | None = None
) -> tuple[ExecutionView, ...]:
    """The executions as they are shown in lists, with the counts as of now. `plan_titles` are known titles of plans, by
    the entries of their revisions."""
    waiting = _waiting(view, rows)
    left = {row.id: interruption(view, row) for row in rows}
    counts = {row.id: action_counts(view, row) for row in rows}
    titles = _titles(view, rows, plan_titles or {})
    return tuple(
        ExecutionView(
            id=row.id,
            status=row.status,
            title=titles[row.id],
            plan_id=row.plan_id,
            revision=row.revision,
            task_id=row.task_id,
            actor=row.actor,
            client=row.client,
            session=row.session,
            started=times.iso(row.at),
            last=times.iso(row.last_at),
            ended=times.iso(row.ended_at) if row.ended_at else "",
            step=row.step,
            done_steps=row.steps.get("done", 0),
            skipped_steps=row.steps.get("skipped", 0),
            undone_steps=row.undone_steps,
            total_steps=row.total_steps,
            progress=_progress(row),
            actions=counts[row.id][0],
            undos=counts[row.id][1],
            in_doubt=sum(count.get("in_doubt", 0) for count in counts[row.id]),
            owed=row.owed(interrupted=left[row.id] is not None),
            undo_states=undo_counts(view, row),
            failed=row.actions.get("failed", 0),
            unplanned=row.unplanned,
            waiting=waiting[row.id],
            only_waits=bool(waiting[row.id]) and only_waits(view, row),
            unfinished=row.left,
            late=row.late,
            **_interruption_fields(left[row.id]),
        )
        for row in rows
    )


def _interruption_fields(left: Interruption | None) -> dict[str, str]:
    if left is None:
        return {}
    return {
        "interrupted": times.iso(left.since),
        "interrupted_by": left.actor,
        "last_session": left.session,
    }


class _Titled(Struct):
    """The part of a body that is decoded: that of a plan may be large."""

    title: Any = ""


def _titles(view: View, rows: Sequence[Execution], plan_titles: Mapping[int, str]) -> dict[str, str]:
    """The titles of executions, else those of their plans."""
    own = _titles_in(view, {row.seq for row in rows})
    plans = {row.id: plan_seq(view, row) for row in rows if not own.get(row.seq)}
    planned = {**_titles_in(view, set(plans.values()) - plan_titles.keys()), **plan_titles}

    def title(row: Execution) -> str:
        found = own.get(row.seq) or planned.get(plans[row.id], "")
        return found or (ERASED if erased_among(view, (row.seq, plans[row.id])) else "")

    return {row.id: title(row) for row in rows}


def _titles_in(view: View, seqs: set[int]) -> dict[int, str]:
    bodies = view.bodies(seqs - {0})
    return {seq: str(json.decode(body, type=_Titled).title or "") for seq, body in bodies.items()}


def _progress(row: Execution) -> float:
    settled = row.steps.get("done", 0) + row.steps.get("skipped", 0)
    return round(settled / row.total_steps, 4) if row.total_steps else 0.0


def _waiting(view: View, rows: list[Execution]) -> Counter[str]:
    return Counter(each.execution for each in pending_approvals(view, rows))


# ----------------------------------------------------------------------------------------------------------------------
# What keeps an execution from being done

MAX_NAMED = 3
"""Steps and actions of a kind that a refusal names."""
MAX_SCANNED = 1000
"""Actions that are looked at to find some that keep an execution from being done."""
INCOMPLETE = "end it so with incomplete=true, and say why"
"""The way around a refusal."""


class Obstacle(Struct, frozen=True):
    """What keeps an execution from being done: its name among the counts, the first items by name, what to do about
    them, and the call that does it for the first."""

    name: str
    items: Sequence[str]
    advice: str
    next_call: tuple[str, dict[str, Any]]


class Unfinished(Struct, frozen=True):
    """`counts`: all that is unfinished, by name, as the end of an execution shows it for ever. `obstacles`: what of it
    keeps the execution from being done, in the order to settle it.

    A failure on which nothing was decided, and a read with an unknown outcome, are no obstacles.
    """

    counts: dict[str, int]
    obstacles: Sequence[Obstacle] = ()

    @property
    def text(self) -> str:
        """The counts, with the first items of what is to be settled first; then those of the rest, in sentences of
        their own, as the last may be cut off."""
        named = {each.name: self._items(each) for each in self.obstacles}
        first = f" ({named[self.obstacles[0].name]})" if self.obstacles else ""
        counts = (
            f"{count} {_words(name)}{first if self.obstacles and name == self.obstacles[0].name else ''}"
            for name, count in self.counts.items()
        )
        rest = (f" {_words(each.name).capitalize()}: {named[each.name]}." for each in self.obstacles[1:])
        return f"It is not all done: {', '.join(counts)}.{''.join(rest)}"

    def _items(self, obstacle: Obstacle) -> str:
        more = ", ..." if self.counts[obstacle.name] > len(obstacle.items) else ""
        return f"{', '.join(obstacle.items)}{more}"

    def check_done(self, *, incomplete: bool, why: str) -> None:
        """Raise if `done` does not end the execution: something keeps it from that, or the reason is missing."""
        if self.obstacles and not incomplete:
            first = self.obstacles[0]
            hint = f"{first.advice}; or {INCOMPLETE}."
            raise WrongState(self.text, hint=hint, field="incomplete", next_call=first.next_call)
        if self.counts and not why:
            hint = "Say in `why` why it may end so: it shows that for ever."
            if self.obstacles:
                raise InvalidArgument("why is missing.", hint=hint, field="why")
            raise WrongState(self.text, hint=hint, field="why")


def unfinished_of(view: View, execution: Execution) -> Unfinished:
    """What is unfinished of an execution as of now."""
    status = statuses(progress_of(view, execution.id))
    planned = () if execution.unwound else steps_of(view, execution)
    steps = [step for step in planned if status.get(step.id) not in ("done", "skipped")]
    asked = pending_approvals(view, [execution])
    found = (
        *_unsettled(view, execution),
        _steps_not_done(view, execution, steps),
        *_to_undo(view, execution),
        _unanswered(asked),
    )
    return Unfinished(
        counts=rules.unfinished_work(
            execution, count_doubts(view, execution), steps_not_done=len(steps), unanswered=len(asked)
        ),
        obstacles=[each for each in found if each.items],
    )


def _unsettled(view: View, execution: Execution) -> Iterator[Obstacle]:
    unsettled = unsettled_actions(view, execution.id) if execution.unsettled == "yes" else iter(())
    to_check = [each for each in islice(unsettled, MAX_SCANNED) if each[0].needs_check]
    for name, advice in (("in_doubt", "Look, then settle it"), ("open", "End or settle it")):
        actions = [action for action, in_doubt in to_check if in_doubt is (name == "in_doubt")]
        if actions:
            settle = {"decision": "settle", "action_id": actions[0].id, "outcome": "...", "evidence": "..."}
            yield Obstacle(name, _labels(actions), advice, ("record_decision", settle))


def _steps_not_done(view: View, execution: Execution, steps: Sequence[StepFacts]) -> Obstacle:
    """The steps that are not done: the first that may begin is to be carried out; if none may, the first is skipped."""
    ready = next_steps(view, execution, limit=1) if steps else ()
    due = next((step for step in steps if step.id in ready), None)
    asked = newest_questions(view, execution).get(due.id) if due else None
    about: dict[str, Any] = {"execution_id": execution.id, "step": due.id if due else steps[0].id if steps else ""}
    call: tuple[str, dict[str, Any]] = "record_decision", {"decision": "skip", **about, "why": "..."}
    if due and asked and asked.status in ("approve", "edit"):
        call = "record_action", {"phase": "begin", **about, "approval_id": asked.id, "summary": "..."}
    elif due and due.needs_approval:
        call = "request_approval", {**about, "question": "..."}
    elif due:
        call = "record_action", {"phase": "begin", **about, "summary": "..."}
    named = [quote_words([step.id]) for step in steps[:MAX_NAMED]]
    return Obstacle("steps_not_done", named, "Do or skip them", call)


def _to_undo(view: View, execution: Execution) -> Iterator[Obstacle]:
    items = [item.action for item in to_undo_before_done(view, execution)]
    for name, actions in (
        ("owed", items if execution.unwound else []),
        ("temporary", [each for each in items if each.temporary and not execution.unwound]),
        ("undo_not_finished", [each for each in items if not each.temporary and not execution.unwound]),
    ):
        if actions:
            undo = {"phase": "done", "kind": "undo", "undoes": actions[0].id, "outcome": "ok", "summary": "..."}
            yield Obstacle(name, _labels(actions), "Undo it, or decide keep", ("record_action", undo))


def _unanswered(asked: Sequence[Approval]) -> Obstacle:
    ids = [row.id for row in asked[:MAX_NAMED]]
    return Obstacle("unanswered", ids, "Wait for the answer", ("get_approval", {"approval_id": ids[0] if ids else ""}))


def to_undo_before_done(view: View, execution: Execution) -> Iterator[UndoItem]:
    """What is to be undone, or kept, before an execution is done, in the order to undo it: while it is unwound its undo
    list, else what is temporary or was begun to be undone."""
    states, where = (execution.undo_states, NOT_UNDONE) if execution.unwound else (execution.to_put_back, TO_PUT_BACK)
    items = undo_list_of(view, execution, where=where) if count_due(states) else iter(())
    return (item for item in islice(items, MAX_SCANNED) if item.state in DUE)


def _labels(actions: Sequence[Action]) -> list[str]:
    named = ((each.id, each.tool or each.step) for each in actions[:MAX_NAMED])
    return [f"{id} {quote_words([name])}" if name else id for id, name in named]


def _words(name: str) -> str:
    return name.replace("_", " ")
