"""The state of an execution, computed from a view: its steps, what is in doubt, its undo list, what of it is owed, and
since when nobody works on it."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile, islice
from typing import Any

from msgspec import Struct, json
from msgspec.structs import replace

from tallystick.core import rules
from tallystick.core.entries import StepFacts
from tallystick.core.errors import InvalidArgument, quote_words
from tallystick.core.fold_actions import move_count
from tallystick.core.formats import times
from tallystick.core.schedule import SETTLED
from tallystick.core.state import (
    UNSETTLED,
    Action,
    Approval,
    Execution,
    Plan,
    Progress,
    Revision,
    Session,
    progress_id,
    revision_id,
)
from tallystick.core.tools import has_mask
from tallystick.core.types import FINAL_STATUSES, OUTSTANDING, Undo, parse_undo
from tallystick.core.undo import FilledUndo, UndoItem, fill_references, known_order, undo_list
from tallystick.operations.runtime.lookup import ERASED, ActionTexts, erased_among, time_seen
from tallystick.operations.runtime.receipts import DoubtItem, UndoListItem
from tallystick.operations.runtime.session_lifecycle import ended_at, find_silence, is_in_doubt
from tallystick.store.interface import PRESENT, Select, View, WhereValue

MAX_ROWS = 1_000_000
"""A bound above the rows of any execution, where all of them are read."""
MAX_PLANNED_ORDERED = 10_000
"""Outstanding actions of steps that are ordered by dependencies: as many as a plan has steps."""
MAX_UNSETTLED_SCANNED = 10_000
MAX_COUNTED = 1000
"""Open actions that are checked for doubt when doubts are counted."""
MAX_PENDING_READ = 1000
"""Unanswered questions of one execution that are read, the newest ones."""
MAX_ITEMS_BEFORE = 100
"""Items at the start of an undo list that are compared with the action that is undone."""
DONE_WHILE_UNWINDING = "done while unwinding: if it undid something, decide continue with action_id and undoes"
ROWS_PER_PAGE = 50
ROWS_PER_READ = 500


def plan_text(view: View, execution: Execution) -> dict[str, Any]:
    """The body of the plan revision that an execution follows; empty when it follows none, or the body was erased."""
    seq = plan_seq(view, execution)
    body = view.bodies([seq]).get(seq) if seq else None
    text: dict[str, Any] = json.decode(body) if body else {}
    return text


def execution_title(view: View, execution: Execution) -> str:
    """The title of an execution, else that of its plan."""
    body = view.bodies([execution.seq]).get(execution.seq)
    own = str(json.decode(body).get("title", "")) if body else ""
    found = own or str(plan_text(view, execution).get("title", ""))
    return found or (ERASED if erased_among(view, (execution.seq, plan_seq(view, execution))) else "")


def plan_seq(view: View, execution: Execution) -> int:
    """The entry of the plan revision that an execution follows; 0 when it follows none."""
    revision = view.get(Revision, revision_id(execution.plan_id, execution.revision)) if execution.plan_id else None
    return revision.seq if revision else 0


def plan_title(view: View, plan: Plan) -> str:
    """The title of a plan as it was recorded last; empty when its body was erased."""
    body = view.bodies([plan.seq]).get(plan.seq)
    return str(json.decode(body).get("title", "")) if body else ""


def steps_of(view: View, execution: Execution) -> tuple[StepFacts, ...]:
    """The steps of the plan revision that an execution follows; none when it follows no plan."""
    if not execution.plan_id:
        return ()
    revision = view.get(Revision, revision_id(execution.plan_id, execution.revision))
    return revision.steps if revision else ()


def progress_of(view: View, execution: str) -> dict[str, Progress]:
    """The progress of each step that was begun or decided on."""
    rows = view.find(Progress, Select(where={"execution": execution}, newest_first=False, limit=MAX_ROWS))
    return {row.step: as_of_now(view, row) for row in rows}


def dropped_of(view: View, steps: Sequence[StepFacts], progress: dict[str, Progress]) -> list[StepFacts]:
    """The steps that were begun or decided on and that the plan no longer has, in the order of their last entry."""
    planned = {step.id for step in steps}
    rows = [row for row in progress.values() if row.step not in planned] if steps else []
    actions = {row.step: view.get(Action, row.action) if row.action else None for row in rows}
    return [
        StepFacts(
            id=row.step,
            cancellable=(action.cancellable if action else None) or "irreversible",
            tool=action.tool if action else "",
        )
        for row in sorted(rows, key=lambda row: row.seq)
        for action in [actions[row.step]]
    ]


def as_of_now(view: View, row: Progress) -> Progress:
    """The progress of a step, in doubt if its action is, even before that is recorded."""
    action = view.get(Action, row.action) if row.status == "running" else None
    return replace(row, status="in_doubt") if action and is_in_doubt(view, action) else row


def silence_of_step(view: View, row: Progress) -> str:
    """Who has a step that is under way, if that process gives no sign of life; else empty."""
    action = view.get(Action, row.action) if row.status == "running" else None
    silence = find_silence(view, action) if action else None
    return silence.text if silence else ""


def statuses(progress: dict[str, Progress]) -> dict[str, str]:
    return {step: row.status for step, row in progress.items()}


def undecided(progress: dict[str, Progress]) -> dict[str, str]:
    """The statuses for choosing what to do next."""
    return {step: status_for_next(row) for step, row in progress.items()}


def status_for_next(row: Progress) -> str:
    """The status of a step for choosing what to do next: a failed step may begin again if a retry was decided, and is
    `decided` if something else was."""
    if row.status == "failed" and row.decided:
        return "" if row.decided == "retry" else "decided"
    return row.status


_BY_ID: dict[int, tuple[Sequence[StepFacts], dict[str, StepFacts]]] = {}
MAX_PLANS_INDEXED = 64


def steps_by_id(steps: Sequence[StepFacts]) -> dict[str, StepFacts]:
    """The steps of a plan revision by their ids, remembered for the same object: steps are final, and rows are kept."""
    known = _BY_ID.get(id(steps))
    if known is None or known[0] is not steps:
        if len(_BY_ID) >= MAX_PLANS_INDEXED:
            _BY_ID.clear()
        known = _BY_ID[id(steps)] = (steps, {step.id: step for step in steps})
    return known[1]


def step_named(view: View, execution: Execution, name: str) -> StepFacts:
    """A step of the plan, or an error that names the steps that exist."""
    steps = steps_of(view, execution)
    found = steps_by_id(steps).get(name)
    if found is None:
        allowed = [step.id for step in steps]
        hint = (
            f"Use one of: {quote_words(allowed[:10])}." if allowed else f"{execution.id} follows no plan: leave it out."
        )
        raise InvalidArgument(f'There is no step "{name}".', hint=hint, field="step", allowed=allowed[:20])
    return found


def relevant_progress(view: View, execution: Execution, step: StepFacts) -> dict[str, Progress]:
    """The progress of a step and of the steps before it, as of now."""
    found: dict[str, Progress] = {}
    for name in (*step.after, step.id):
        row = view.get(Progress, progress_id(execution.id, name))
        if row is not None:
            found[name] = as_of_now(view, row)
    return found


NOT_UNDONE: dict[str, WhereValue] = {"undo_state": OUTSTANDING}
"""Selects the actions of an undo list."""
TO_PUT_BACK: dict[str, WhereValue] = {"to_put_back": ("yes",)}
"""Selects those of them that are temporary, or that somebody began to undo."""


def owed_of(view: View, execution: Execution, *, after: Action | None = None) -> Iterator[UndoItem]:
    """What somebody still has to undo of an execution: its whole undo list, or what of it is to be put back."""
    if execution.owes_all:
        return undo_list_of(view, execution, after=after)
    is_over = execution.status in FINAL_STATUSES or bool(execution.owing == "maybe" and interruption(view, execution))
    return undo_list_of(view, execution, after=after, where=TO_PUT_BACK) if is_over else iter(())


def newest_owed(view: View, execution: Execution) -> Iterator[UndoItem]:
    """What is owed of an execution on which nobody works, or that is unwound: the newest first, whatever its steps."""
    return _newest_items(view, execution, "", NOT_UNDONE if execution.owes_all else TO_PUT_BACK)


def undo_list_of(
    view: View,
    execution: Execution,
    *,
    after: Action | None = None,
    where: Mapping[str, WhereValue] = NOT_UNDONE,
) -> Iterator[UndoItem]:
    """The undo list of an execution in its order, behind the action `after`, read as far as it is used. `where` selects
    a part of it, by an index.

    Actions without a step depend on nothing: they are read from their index, the newest first, and merged with those
    of steps, which are read and ordered at once.
    """
    if not (after and after.listed_as == "may_be_undo"):
        yield from _items_to_undo(view, execution, after, where)
    if "may_be_undo" in execution.undo_states:
        last = after.id if after and after.listed_as == "may_be_undo" else ""
        yield from (each for each in _newest_items(view, execution, last, where) if each.state == "may_be_undo")


def _items_to_undo(
    view: View, execution: Execution, after: Action | None, where: Mapping[str, WhereValue]
) -> Iterator[UndoItem]:
    """The part of an undo list before what may be an undo itself."""
    planned = _planned_items(view, execution, after, where)
    listed = {item.action.id for item in planned}
    start = after.id if after else ""
    if after and after.id in listed:
        place = next(index for index, item in enumerate(planned, 1) if item.action.id == after.id)
        start = min(item.action.id for item in planned[:place])
        planned = planned[place:]
    elif after:
        planned = list(dropwhile(lambda item: item.action.seq > after.seq, planned))
    queue = deque(planned)
    for item in _newest_items(view, execution, start, where):
        if item.action.id in listed or item.state == "may_be_undo":
            continue
        while queue and queue[0].action.seq > item.action.seq:
            yield queue.popleft()
        yield item
    yield from queue


def _planned_items(
    view: View, execution: Execution, also: Action | None, where: Mapping[str, WhereValue]
) -> list[UndoItem]:
    """The outstanding actions of steps in the order to undo them, and `also` in its place even if it was undone.

    More than a plan has steps stem from repetitions: then none are returned, and the newest come first.
    """
    if not execution.plan_id:
        return []
    select = Select(where={"execution": execution.id, **where, "step": PRESENT}, limit=MAX_PLANNED_ORDERED + 1)
    actions = view.find(Action, select)
    if len(actions) > MAX_PLANNED_ORDERED:
        return []
    if also and also.step and also.id not in {action.id for action in actions}:
        actions.append(replace(also, undo_state="not_undone"))
    return _items(view, actions, _revisions(view, execution, actions))


def _newest_items(
    view: View, execution: Execution, before_id: str, where: Mapping[str, WhereValue]
) -> Iterator[UndoItem]:
    """The outstanding actions of an execution, the newest first."""
    size = ROWS_PER_PAGE
    while True:
        select = Select(where={"execution": execution.id, **where}, after=before_id, limit=size)
        rows = view.find(Action, select)
        yield from _items(view, rows, ())
        if len(rows) < size:
            return
        before_id, size = rows[-1].id, ROWS_PER_READ


def _items(view: View, actions: list[Action], revisions: Iterable[Sequence[StepFacts]]) -> list[UndoItem]:
    undos = (view.get(Action, undo) for action in actions for undo, state in action.undos.items() if state == "open")
    over: dict[str, bool] = {}
    return undo_list(
        [*actions, *(undo for undo in undos if undo)],
        revisions,
        now=view.now(),
        in_doubt=lambda action: is_in_doubt(view, action, over),
    )


def _revisions(view: View, execution: Execution, actions: Sequence[Action]) -> list[tuple[StepFacts, ...]]:
    """The steps of each revision in which one of the actions began, and of the one that the execution follows."""
    began = {action.revision for action in actions if action.step and action.plan_id == execution.plan_id}
    rows = (view.get(Revision, revision_id(execution.plan_id, number)) for number in sorted(began))
    return [*(row.steps for row in rows if row), steps_of(view, execution)]


def is_before_others(view: View, target: Action) -> bool:
    """Whether an action is undone before others that come first: while all is to be undone, those before it on the undo
    list; else those of steps that depend on its step."""
    execution = view.get(Execution, target.execution)
    if execution is None or target.undo_state not in OUTSTANDING or not (execution.owes_all or target.step):
        return False
    order = known_order(_revisions(view, execution, [target]))
    dependants = order.descendants(target.step)
    for item in islice(undo_list_of(view, execution), MAX_ITEMS_BEFORE):
        if item.action.id == target.id:
            return False
        is_first = execution.owes_all or bool(order.mask([item.action.step]) & dependants)
        if is_first and item.state in ("not_undone", "failed", "in_doubt"):
            return True
    return False


def describe_undo_list(view: View, items: Sequence[UndoItem]) -> tuple[UndoListItem, ...]:
    """Items with their texts, and their undos filled in from recorded results."""
    texts = ActionTexts(view, (item.action for item in items))
    undos = {item.action.id: view.get(Action, item.action.undone_by) for item in items if item.state == "failed"}
    ends = {action: undo.end_seq for action, undo in undos.items() if undo}
    reasons = {item.action.id: item.action.kept for item in items if item.state == "kept"}
    bodies = {seq: json.decode(body) for seq, body in view.bodies({*ends.values(), *reasons.values()} - {0}).items()}
    return tuple(
        _undo_list_item(
            item,
            texts,
            error=bodies.get(ends.get(item.action.id, 0), {}).get("error", ""),
            why=bodies.get(reasons.get(item.action.id, 0), {}).get("why", ""),
        )
        for item in items
    )


SHARED_ENGINES = ("queue", "temporal")
"""Engines whose work waits for any worker, when nobody works on it."""
MAY_BE_INTERRUPTED = ("running", "unwinding")
"""The statuses in which somebody has to work on an execution."""


class Interruption(Struct, frozen=True):
    """Nobody works on an execution any more: since when, and who did last, in which session."""

    since: int
    actor: str
    session: str


def interruption(view: View, execution: Execution) -> Interruption | None:
    """Since when no session that took part in a running or unwinding execution lives. None while one does, and while
    the execution waits for an answer or for a worker."""
    if execution.status not in MAY_BE_INTERRUPTED or execution.engine in SHARED_ENGINES:
        return None
    sessions = sessions_that_took_part(view, execution)
    if not sessions or not all(map(view.is_over, sessions)) or pending_approvals(view, [execution]):
        return None
    last = view.entry(execution.last_seq)
    body = view.bodies([execution.last_seq]).get(execution.last_seq) if last and last.witness == "observed" else None
    seen = time_seen(json.decode(body).get("seen_at", ""), execution.last_at) if body else execution.last_at
    since = max(seen, *(ended_at(view, row) for row in sessions))
    return Interruption(
        since, last.actor.name if last else execution.actor, last.session if last else execution.session
    )


def sessions_that_took_part(view: View, execution: Execution) -> list[Session]:
    """The sessions that recorded in an execution or were given it."""
    names = {*execution.sessions, execution.working_session, execution.session} - {""}
    return [row for name in names if (row := view.get(Session, name))]


def pending_approvals(view: View, rows: list[Execution]) -> list[Approval]:
    """The questions of these executions that are neither answered nor expired. The end of an execution closes them."""
    found: list[Approval] = []
    for row in rows:
        if row.asking == "yes" and row.status not in FINAL_STATUSES:
            where: dict[str, WhereValue] = {"execution": row.id, "status": ("pending",)}
            found += view.find(Approval, Select(where=where, limit=MAX_PENDING_READ))
    return [each for each in found if approval_status(view, each) == "pending"]


def approval_status(view: View, row: Approval) -> str:
    """The status as of now: without an answer, a question is `closed` if its execution has ended, or its step was
    settled since; or `expired`."""
    if row.status != "pending":
        return row.status
    execution = view.get(Execution, row.execution)
    if execution and execution.status in FINAL_STATUSES:
        return "closed"
    name = row.about or row.step
    progress = view.get(Progress, progress_id(row.execution, name)) if name else None
    if progress and progress.status in SETTLED and (row.about or progress.seq > row.seq):
        return "closed"  # a question about a step that was done before may be about repeating it
    return "expired" if rules.is_expired(row, view.now()) else "pending"


def doubts_of(
    view: View,
    execution: str = "",
    *,
    limit: int,
    wanted: Callable[[Action], bool] = lambda action: True,
) -> list[Action]:
    """Actions in doubt as of now, the oldest first, among the first unsettled ones that a call may look at."""
    looked = islice(unsettled_actions(view, execution), MAX_UNSETTLED_SCANNED)
    found = (action for action, doubtful in looked if doubtful and wanted(action))
    return list(islice(found, limit))


def unsettled_actions(view: View, execution: str = "", *, after: str = "") -> Iterator[tuple[Action, bool]]:
    """Actions without a settled end, the oldest first, and whether each is in doubt now; read as far as it is used."""
    where: dict[str, WhereValue] = {"state": UNSETTLED}
    if execution:
        where["execution"] = execution
    over: dict[str, bool] = {}
    size = ROWS_PER_PAGE
    while True:
        rows = view.find(Action, Select(where=where, newest_first=False, after=after, limit=size))
        for row in rows:
            yield row, is_in_doubt(view, row, over)
        if len(rows) < size:
            return
        after, size = rows[-1].id, ROWS_PER_READ


def count_doubts(view: View, execution: Execution) -> int:
    """How many actions of an execution are in doubt as of now, its undos among them."""
    return sum(counts.get("in_doubt", 0) for counts in action_counts(view, execution))


def action_counts(view: View, execution: Execution) -> tuple[dict[str, int], dict[str, int]]:
    """Counts of the actions of an execution, and of its undos, as of now: by the states that items show.

    An open action is in doubt if its session is over, even before that is recorded; `MAX_COUNTED` are looked at.
    """
    actions, undos = Counter(execution.actions), Counter(execution.undos)
    if actions["open"] or undos["open"]:
        for action, doubtful in islice(unsettled_actions(view, execution.id), MAX_COUNTED):
            if doubtful and action.state == "open":
                (actions if action.action_kind == "do" else undos).update({"open": -1, "doubted": 1})
    return _as_shown(actions), _as_shown(undos)


def _as_shown(counts: Counter[str]) -> dict[str, int]:
    in_doubt = counts.pop("doubted", 0) + counts.pop("unknown", 0)
    return {state: count for state, count in (*counts.items(), ("in_doubt", in_doubt)) if count}


def undo_counts(view: View, execution: Execution) -> dict[str, int]:
    """Counts of the actions of an execution by undo state, as of now: an undo whose session is over is in doubt, even
    before that is recorded. `MAX_COUNTED` are looked at. Deadlines are left aside."""
    counts = execution.undo_states
    if "undoing" in counts:
        rows = view.find(Action, Select(where={"execution": execution.id, **TO_PUT_BACK}, limit=MAX_COUNTED))
        for state in undo_states(view, [row for row in rows if row.undo_state == "undoing"]).values():
            counts = move_count(counts, "undoing", state)
    return counts


def undo_states(view: View, actions: Sequence[Action]) -> dict[str, str]:
    """The undo states of actions as of now, as the undo list shows them; by action."""
    states = {row.id: row.listed_as for row in actions}
    moving = [row for row in actions if row.undo_state == "undoing" or (row.deadline and row.undo_state)]
    return states | {item.action.id: item.state for item in _items(view, moving, ())} if moving else states


def describe_doubts(view: View, actions: Sequence[Action]) -> tuple[DoubtItem, ...]:
    texts = ActionTexts(view, actions)
    return tuple(
        DoubtItem(
            action_id=action.id,
            execution_id=action.execution,
            step=action.step,
            tool=action.tool,
            summary=texts.summary(action),
            kind=action.action_kind,
            since=times.iso(texts.begun_at(action)),
            why=_reason_of_doubt(action),
            session=action.session,
            probe=_probe(texts.step(action).get("probe")),
            arguments=texts.begun(action).get("arguments"),
            repeated_by=action.repeated_by,
        )
        for action in actions
    )


def _reason_of_doubt(action: Action) -> str:
    repeated = f"; repeated since as {action.repeated_by[-1]}" if action.repeated_by else ""
    if action.state == "unknown":
        return f"its outcome is unknown{repeated}"
    if action.end_seq:
        return f"what was recorded of its outcome contradicts itself{repeated}"
    return f"its session is over and no end is recorded{repeated}"


def results_missing(view: View, action: Action) -> tuple[str, ...]:
    """The references of an action's undo to a result that was not recorded. A masked one cannot be recorded."""
    own = view.bodies([action.seq]).get(action.seq, "")
    has_own_undo = '"undo"' in own and "undo" in json.decode(own)
    pinned = view.get(Revision, revision_id(action.plan_id, action.revision)) if action.step else None
    plan = view.bodies([pinned.seq]).get(pinned.seq, "") if pinned and not has_own_undo else ""
    if "${result" not in own and "${result" not in plan:  # a plan may be long: most are not decoded
        return ()
    texts = ActionTexts(view, [action])
    undo = _undo_of_body(texts.begun(action).get("undo") or texts.step(action).get("undo"))
    result = texts.result(action)
    if undo is None or has_mask(result):
        return ()
    missing = fill_references(undo, arguments={}, result=result).missing
    return tuple(each for each in missing if each.startswith("${result"))


def _undo_list_item(item: UndoItem, texts: ActionTexts, *, error: str, why: str) -> UndoListItem:
    action = item.action
    begun, step = texts.begun(action), texts.step(action)
    undo = _undo_of_body(begun.get("undo") or step.get("undo"))
    filled = fill_references(undo, arguments=begun.get("arguments"), result=texts.result(action)) if undo else None
    return UndoListItem(
        action_id=action.id,
        state=item.state,
        execution_id=action.execution,
        step=action.step,
        tool=action.tool,
        summary=texts.summary(action, step.get("title", "")),
        certain=item.certain,
        undo=filled if item.state != "not_possible" else None,
        way=_way_to_undo(item, filled, texts),
        deadline=times.iso(action.deadline) if action.deadline else "",
        undone_by=action.undone_by,
        temporary=action.temporary,
        error=error,
        why=why,
    )


def _way_to_undo(item: UndoItem, filled: FilledUndo | None, texts: ActionTexts) -> str:
    if item.state == "not_possible":
        return "the time to undo it is over" if item.expired else "irreversible"
    if item.state == "may_be_undo":
        return DONE_WHILE_UNWINDING
    if filled:
        return "known"
    if not item.action.has_undo:
        return "unknown"
    return "altered" if texts.is_altered(item.action) else "erased"


def _undo_of_body(value: Any) -> Undo | None:
    if not value:
        return None
    return parse_undo(value if isinstance(value, str) else Undo(**value))


def _probe(value: Any) -> str | Undo | None:
    return Undo(**value) if isinstance(value, dict) else value
