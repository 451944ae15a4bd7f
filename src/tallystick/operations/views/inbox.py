"""The operations get_inbox (what waits for a person, across all executions) and get_activity (what happened of late).

The rules of alerts find with the same functions. Each function looks at a bounded number of rows.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from tallystick.core.formats import times
from tallystick.core.state import Action, Approval, Execution
from tallystick.core.types import DUE, FINAL_STATUSES
from tallystick.core.undo import UndoItem
from tallystick.operations.approvals import describe_approval, describe_call
from tallystick.operations.executions import ExecutionView, describe_executions, is_worked_on
from tallystick.operations.runs import NO_WORKER, has_runner, stopped_at
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.paging import Since, find_merged
from tallystick.operations.runtime.progress import (
    MAY_BE_INTERRUPTED,
    SHARED_ENGINES,
    approval_status,
    describe_doubts,
    describe_undo_list,
    execution_title,
    interruption,
    sessions_that_took_part,
    undo_list_of,
    unsettled_actions,
)
from tallystick.operations.runtime.receipts import DoubtItem, UndoListItem
from tallystick.operations.views.owed import count_owed
from tallystick.store.interface import PRESENT, Select, View, WhereValue

Need = Literal["question_waits", "undo_expires", "in_doubt", "run_held", "interrupted", "undo_left"]
NEEDS: tuple[Need, ...] = get_args(Need)
MAX_ROWS = 200
"""Rows that are looked at to find one kind of need."""
MAX_UNSETTLED = 2000
"""Actions without an end that are looked at to find doubts, and of one undo list to find what expires."""
MAX_UNDOS = 10_000
"""Of all undo lists together."""
MAX_RECENT = 1000
"""The newest executions that are looked at to find what happened of late."""
MAX_TEXT = 200
EXPIRES_SOON = 60 * 60 * 1_000_000
"""An undo that cannot be made an hour from now needs somebody."""
UNWINDING_IS_QUIET = 30 * 60 * 1_000_000
"""Unwinding without an entry for longer has stopped, though its agent may live: undos take seconds to minutes."""
TO_DO: dict[Need, str] = {
    "question_waits": "Answer it.",
    "undo_expires": "Undo it in time, or keep it.",
    "in_doubt": "Look at the real system, then settle it.",
    "run_held": "Look at the real system, then settle it.",
    "interrupted": "Take it up, or end it.",
    "undo_left": "Undo it, or keep it.",
}

DECIDE = "Decide retry, skip, replan, unwind or stop."


class WaitingItem(Struct, frozen=True, kw_only=True):
    """Something that waits for a person, as it was found: with the row that describes it. `failed`: the steps at which
    a run has stopped."""

    need: Need
    about: str
    since: int
    execution: str
    who: str = ""
    count: int = 1
    until: int = 0
    failed: tuple[str, ...] = ()
    approval: Approval | None = None
    action: Action | None = None
    undo: UndoItem | None = None


class InboxItem(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Something that waits for a person. `about` is the question, action or execution; `who` the actor; `to_do` says
    what ends it, `until` when it is too late. `count`: this many actions of the execution, of which `about` is one.
    `engine`: that of a run."""

    need: Need
    about: str
    text: str
    since: str
    to_do: str
    execution_id: str = ""
    title: str = ""
    who: str = ""
    until: str = ""
    count: int = 1
    engine: str = ""


class Inbox(Struct, frozen=True, kw_only=True):
    """Items that wait for a person, the most urgent kind first.

    Questions and actions come the oldest first, undos by their deadlines, executions the newest first. `counts` by
    kind; `more` names the kinds of which there are more than that. `working`: executions on which somebody works, the
    newest first, of `working_count`.
    """

    items: tuple[InboxItem, ...]
    counts: dict[str, int]
    more: tuple[Need, ...] = ()
    working: tuple[ExecutionView, ...] = ()
    working_count: int = 0

    @property
    def total(self) -> int:
        return sum(self.counts.values())


@operation("read", "GET /v1/inbox", example={})
def get_inbox(
    context: OperationContext,
    *,
    limit: Annotated[int, Meta(ge=1, le=100, description="At most this many of each kind")] = 20,
    working: Annotated[int, Meta(ge=0, le=20, description="At most this many executions on which somebody works")] = 5,
) -> Inbox:
    """All that waits for a person, across all executions.

    Questions, undos that expire, actions in doubt, held steps of runs, interrupted work, and undo lists that were left
    or on which unwinding stopped.
    """

    def work(view: View) -> Inbox:
        shown: list[WaitingItem] = []
        counts: dict[str, int] = {}
        more: list[Need] = []
        for need in NEEDS:
            found = _by_execution(islice(find_waiting(view, need), MAX_ROWS + 1))
            if sum(each.count for each in found) > MAX_ROWS:
                more.append(need)
            if found:
                counts[need] = len(found)
            shown += found[:limit]
        busy = [row for row in _running(view) if is_worked_on(view, row) and not stopped_at(view, row)]
        return Inbox(
            items=describe_waiting(view, shown),
            counts=counts,
            more=tuple(more),
            working=describe_executions(view, busy[:working]),
            working_count=len(busy),
        )

    return context.read(work)


def _by_execution(found: Iterator[WaitingItem]) -> list[WaitingItem]:
    """Join actions of one execution: they are looked at together. Each question stands for itself."""
    joined: dict[str, WaitingItem] = {}
    counts: Counter[str] = Counter()
    for each in found:
        name = each.about if each.need == "question_waits" else each.execution
        joined.setdefault(name, each)
        counts[name] += 1
    return [
        WaitingItem(**{field: getattr(each, field) for field in each.__struct_fields__} | {"count": counts[name]})
        for name, each in joined.items()
    ]


# ----------------------------------------------------------------------------------------------------------------------
# Finding


def find_waiting(view: View, need: Need, *, grace: int = 0) -> Iterator[WaitingItem]:
    """What waits for a person for at least `grace` microseconds."""
    latest = view.now() - grace
    return (each for each in _FIND[need](view) if each.since <= latest or not grace)


def _questions(view: View) -> Iterator[WaitingItem]:
    """The soonest to expire first, then the oldest."""
    oldest = Select(where={"status": "pending"}, newest_first=False, limit=MAX_ROWS + 1)
    rows = [row for row in view.find(Approval, oldest) if approval_status(view, row) == "pending"]
    for row in sorted(rows, key=lambda row: (not row.expires, row.expires, row.seq)):
        yield WaitingItem(
            need="question_waits",
            about=row.id,
            since=row.at,
            execution=row.execution,
            until=row.expires,
            approval=row,
        )


def _doubts(view: View) -> Iterator[WaitingItem]:
    return _unknown(view, "in_doubt")


def _held(view: View) -> Iterator[WaitingItem]:
    return _unknown(view, "run_held")


def _unknown(view: View, need: Literal["in_doubt", "run_held"]) -> Iterator[WaitingItem]:
    for action, is_doubtful in islice(unsettled_actions(view), MAX_UNSETTLED):
        if not is_doubtful or not action.needs_check:
            continue
        execution = view.get(Execution, action.execution)
        if bool(execution and execution.engine and action.step) == (need == "run_held"):
            yield WaitingItem(
                need=need,
                about=action.id,
                since=action.at,
                execution=action.execution,
                who=action.actor,
                action=action,
            )


def _running(view: View) -> list[Execution]:
    return find_merged(view, Execution, Select(where={"status": MAY_BE_INTERRUPTED}, limit=MAX_ROWS + 1))


def _interrupted(view: View) -> Iterator[WaitingItem]:
    """Executions on which nobody works, and runs that stopped at a failed step."""
    for row in _running(view):
        failed, found = stopped_at(view, row), interruption(view, row)
        if failed:
            yield WaitingItem(
                need="interrupted", about=row.id, since=row.last_at, execution=row.id, who=row.actor, failed=failed
            )
        elif found:
            yield WaitingItem(need="interrupted", about=row.id, since=found.since, execution=row.id, who=found.actor)


def _expiring_undos(view: View) -> Iterator[WaitingItem]:
    """Undos of work that may still have to be undone, and that cannot be made an hour from now: the earliest first."""
    owing = view.find(Execution, Select(where=_OWING, limit=MAX_ROWS))
    working = find_merged(view, Execution, Select(where={"status": OPEN_STATUSES}, limit=MAX_ROWS))
    listed = (
        item
        for execution in {row.id: row for row in (*owing, *working) if row.deadlines}.values()
        for item in islice(undo_list_of(view, execution), MAX_UNSETTLED)
    )
    expiring = [
        WaitingItem(
            need="undo_expires",
            about=item.action.id,
            since=item.action.at,
            execution=item.action.execution,
            who=item.action.actor,
            until=item.action.deadline,
            undo=item,
        )
        for item in islice(listed, MAX_UNDOS)
        if item.state in DUE and item.action.deadline and 0 < item.action.deadline - view.now() < EXPIRES_SOON
    ]
    yield from sorted(expiring, key=lambda each: each.until)


def _undos_left(view: View) -> Iterator[WaitingItem]:
    """Executions that have ended and still owe something, or whose unwinding has stopped."""
    for row in view.find(Execution, Select(where=_OWING, limit=MAX_ROWS + 1)):
        over = row.status in FINAL_STATUSES and row.owed(interrupted=False)
        if (over or _has_stopped(view, row)) and count_owed(view, row.id)[0]:
            since = row.ended_at or _moved_at(view, row)
            yield WaitingItem(need="undo_left", about=row.id, since=since, execution=row.id, who=row.actor)


def _has_stopped(view: View, row: Execution) -> bool:
    """Whether unwinding on which somebody may still work needs a person: nothing moved for long, or an undo failed."""
    if row.status != "unwinding" or not is_worked_on(view, row):
        return False
    return view.now() - _moved_at(view, row) > UNWINDING_IS_QUIET or _next_undo_failed(view, row)


def _moved_at(view: View, row: Execution) -> int:
    """When somebody last worked on an execution, undid something of it, or decided about it: a person too."""
    undos = view.find(Action, Select(where={"execution": row.id, "undoes": PRESENT}, limit=1))
    decision = view.entry(row.decision_seq) if row.decision_seq else None
    return max(row.last_at, decision.at if decision else 0, *(max(undo.at, undo.ended_at) for undo in undos))


def _next_undo_failed(view: View, row: Execution) -> bool:
    due = (item.state for item in islice(undo_list_of(view, row), MAX_ROWS) if item.state in DUE)
    return next(due, "") == "failed"


_OWING: dict[str, WhereValue] = {"owing": ("yes", "rest", "maybe")}
_FIND: dict[Need, Callable[[View], Iterator[WaitingItem]]] = {
    "question_waits": _questions,
    "undo_expires": _expiring_undos,
    "in_doubt": _doubts,
    "run_held": _held,
    "interrupted": _interrupted,
    "undo_left": _undos_left,
}


# ----------------------------------------------------------------------------------------------------------------------
# Describing


def describe_waiting(view: View, found: Sequence[WaitingItem]) -> tuple[InboxItem, ...]:
    """The items with their texts; only what is shown is read."""
    doubts = {each.action_id: each for each in describe_doubts(view, [each.action for each in found if each.action])}
    texts = {
        **{id: _doubt_text(doubt) for id, doubt in doubts.items()},
        **_undo_texts(view, [each.undo for each in found if each.undo]),
    }
    rows = {each.execution: view.get(Execution, each.execution) for each in found if each.execution}
    titles = {id: cut(execution_title(view, row)) for id, row in rows.items() if row}
    items = (_item(view, each, texts, rows.get(each.execution), titles.get(each.execution, "")) for each in found)
    return tuple(replace(item, since=doubts[item.about].since) if item.about in doubts else item for item in items)


def _item(view: View, each: WaitingItem, texts: dict[str, str], row: Execution | None, title: str) -> InboxItem:
    who, text, to_do = each.who, texts.get(each.about, ""), TO_DO[each.need]
    if each.approval:
        asked = describe_approval(view, each.approval)
        call = describe_call(asked)
        who, text = asked.actor, cut(f"{cut(asked.question, MAX_TEXT // 2)} Call: {call}" if call else asked.question)
    elif each.need == "interrupted":
        unwinding = ", while unwinding" if row and row.status == "unwinding" else ""
        text = f"{who or 'its agent'} is gone{unwinding}, and nobody works on it"
        if each.failed:
            more = f" and {len(each.failed) - 1} more" if len(each.failed) > 1 else ""
            text = f"{cut(each.failed[0])}{more} failed: the run waits for a decision"
        if row and row.engine:
            to_do = f"{DECIDE if each.failed else to_do} {_how_to_go_on(view, row)}"
    elif each.need == "run_held" and row:
        to_do = f"{to_do} {_how_to_go_on(view, row)}"
    elif each.need == "undo_left" and row:
        text = _text_of_undos_left(view, row)
    return InboxItem(
        need=each.need,
        about=each.about,
        text=text,
        since=times.iso(each.since),
        to_do=to_do,
        execution_id=each.execution,
        title=title,
        who=who,
        until=times.iso(each.until) if each.until else "",
        count=each.count,
        engine=row.engine if row else "",
    )


def _how_to_go_on(view: View, row: Execution) -> str:
    """What carries out a run once a person has decided."""
    if row.engine in SHARED_ENGINES and not has_runner(view, row):
        return NO_WORKER
    if row.engine not in SHARED_ENGINES and sessions_that_took_part(view, row) and not has_runner(view, row):
        is_of_server = row.engine == "server"
        again = "the server carries it out when it runs again" if is_of_server else f"`{_resume(row)}` goes on"
        return f"Its runner is gone: {again}."
    return "The run goes on then."


def _resume(row: Execution) -> str:
    return f"tallystick run --resume {row.id}"


def _text_of_undos_left(view: View, row: Execution) -> str:
    due, more = count_owed(view, row.id)
    stopped = ""
    if row.status == "unwinding":
        failed = _next_undo_failed(view, row)
        quiet = times.age(view.now() - _moved_at(view, row))
        stopped = "its next undo failed, " if failed else f"nothing moved for {quiet}, "
    return f"{row.status}, {stopped}with {due}{'+' if more else ''} action{'s' if due > 1 else ''} still to undo"


def _doubt_text(doubt: DoubtItem) -> str:
    return f"{_name(doubt)}: {doubt.why}"


def _undo_texts(view: View, items: Sequence[UndoItem]) -> dict[str, str]:
    return {each.action_id: _name(each) for each in describe_undo_list(view, items)}


def _name(item: DoubtItem | UndoListItem) -> str:
    """What an action is, by its step or tool and its summary, if that says more."""
    name, summary = item.step or item.tool, cut(item.summary)
    return summary if summary == name or summary.startswith(f"{name} ") else f"{name} {summary}".strip()


def cut(text: str, length: int = MAX_TEXT) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


# ----------------------------------------------------------------------------------------------------------------------
# What happened of late


class AgentActivity(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Counts of one agent's executions in a time: how many were started, and how many ended and how."""

    actor: str
    started: int = 0
    completed: int = 0
    failed: int = 0
    cancelled: int = 0
    closed: int = 0


class Activity(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Activity between two times: by agent, and the executions that were started or ended, the newest first; those
    that failed come first. With `more`, there are further ones. The newest executions are looked at: not `whole`, if
    older ones may have ended in this time."""

    since: str
    until: str
    agents: tuple[AgentActivity, ...] = ()
    executions: tuple[ExecutionView, ...] = ()
    more: bool = False
    whole: bool = True


@operation("read", "GET /v1/activity", example={"since": "24h"})
def get_activity(
    context: OperationContext,
    *,
    since: Since = None,
    until: Since = None,
    limit: Annotated[int, Meta(ge=1, le=500, description="At most this many executions")] = 20,
) -> Activity:
    """Executions that were started and ended in a time, by agent: the last 24 hours unless told otherwise."""

    def work(view: View) -> Activity:
        now = view.now()
        first = times.resolve(since or "24h", "since", start=now, forward=False)
        last = times.until_bound(until, now) if until else now + 1
        rows = view.find(Execution, Select(limit=MAX_RECENT))
        agents: dict[str, Counter[str]] = {}
        found: list[Execution] = []
        for row in rows:
            started, ended = first <= row.at < last, row.ended_at and first <= row.ended_at < last
            if started or ended:
                found.append(row)
                counts = agents.setdefault(row.actor, Counter())
                counts["started"] += started
                counts.update([row.status] if ended else [])
        found.sort(key=lambda row: (row.status != "failed", -(row.ended_at or row.at)))
        return Activity(
            since=times.iso(first),
            until=times.iso(min(last, now)),
            agents=tuple(AgentActivity(actor=actor, **agents[actor]) for actor in sorted(agents)),
            executions=describe_executions(view, found[:limit]),
            more=len(found) > limit,
            whole=len(rows) < MAX_RECENT,
        )

    return context.read(work)
