"""Figures over the journal."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Annotated

from msgspec import Meta, Struct

from tallystick.core.model import Handle, Name
from tallystick.core.state import Action, Approval, Execution, Plan, Session
from tallystick.operations.acts import state_of
from tallystick.operations.coverage import Observer, observer
from tallystick.operations.desk import Asker, Desk
from tallystick.operations.handles import WATCHING
from tallystick.operations.operation import operation
from tallystick.operations.paging import Since, page
from tallystick.operations.standing import doubts_of
from tallystick.store.port import Select, View

LOOKED_AT = 5_000
"""What is said of actions is of the newest so many that fit: a figure, not an audit, for the same cost anywhere."""
SESSIONS = 1000
"""Coverage is of the newest so many sessions."""


class Durations(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Seconds from begin to end, of the newest actions that ended."""

    count: int
    p50: float = 0.0
    p95: float = 0.0


class Watched(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What was seen of one client, by hooks, a gateway or an adapter, in its newest sessions; and when it was last
    heard in the newest of them. `silent` when it should have been heard since."""

    sessions: int
    begun: int
    ended: int
    in_doubt: int = 0
    unplanned: int = 0
    heard: str = ""
    silent: bool = False


class Stats(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """`whole` says whether every action that fits was looked at: what is said of actions, from `actions` on, is of the
    newest `looked_at`. Other counts are exact. `coverage` is by client, whatever the filters; `spool_behind` are the
    bytes that hooks have seen and that are not in the journal yet."""

    entries: int
    executions: dict[str, int]
    plans: dict[str, int]
    actions: dict[str, int]
    owed: dict[str, int]
    approvals: dict[str, int]
    sessions: dict[str, int]
    in_doubt: int
    tools: dict[str, int]
    failures: dict[str, int]
    retries: int
    durations: Durations
    looked_at: int
    whole: bool
    coverage: dict[str, Watched] = {}
    spool_behind: int = 0


@operation("read", "GET /v1/stats", view="stats", example={})
def get_stats(
    desk: Desk,
    *,
    execution_id: Handle | None = None,
    tool: Name | None = None,
    actor: Name | None = None,
    since: Since = None,
    until: Since = None,
    most: Annotated[int, Meta(ge=1, le=100, description="At most this many tools")] = 20,
) -> Stats:
    """Figures over the journal: how many of what, in which state, and how long things take.

    The filters narrow what is said about actions, and nothing else.
    """

    def work(view: View) -> Stats:
        def fits(row: Action) -> bool:
            return tool in (None, row.tool) and actor in (None, row.actor)

        rows, more = page(view, Action, {"execution": execution_id}, since, until, LOOKED_AT, None, fits=fits)
        ended = sorted(row.duration for row in rows if row.duration is not None and row.state in ("ok", "failed"))
        narrowed = execution_id or tool or actor or since or until
        newest = view.find(Action, Select(limit=LOOKED_AT)) if narrowed else rows
        return Stats(
            entries=view.head().seq,
            executions=view.count(Execution, "status", {}),
            plans=view.count(Plan, "status", {}),
            actions=_count(row.state for row in rows),
            owed=_count(row.owed for row in rows),
            approvals=view.count(Approval, "status", {}),
            sessions=view.count(Session, "status", {}),
            in_doubt=_doubts(view, execution_id or "", fits, {row.id for row in rows} if since or until else None),
            tools=_top(_count(row.tool for row in rows), most),
            failures=_top(_count(row.tool for row in rows if row.state == "failed"), most),
            retries=sum(row.attempt > 1 for row in rows),
            durations=Durations(count=len(ended), p50=share_of(ended, 0.5), p95=share_of(ended, 0.95)),
            looked_at=len(rows),
            whole=not more,
            coverage=_coverage(view, newest, desk.asker),
            spool_behind=desk.asker.spool_behind,
        )

    return desk.read(work)


def _count(words: Iterable[str]) -> dict[str, int]:
    counts = Counter(words)
    del counts[""]
    return dict(counts)


def _coverage(view: View, newest: list[Action], asker: Asker) -> dict[str, Watched]:
    """What was seen of each client, of the newest actions and sessions."""
    watched = {row.id: row for row in view.find(Session, Select(where=WATCHING, limit=SESSIONS))}
    found: dict[str, Counter[str]] = {}
    last: dict[str, Session] = {}
    for row in watched.values():
        found.setdefault(row.client or row.actor, Counter())["sessions"] += 1
        last.setdefault(row.client or row.actor, row)  # the newest comes first
    over: dict[str, bool] = {}
    for action in newest:
        session = watched.get(action.session)
        if session:
            state = state_of(view, action, over)
            words = ["begun", "in_doubt" if state == "in_doubt" else "open" if state == "open" else "ended"]
            words += ["unplanned"] if _is_unplanned(view, action) else []
            found[session.client or session.actor].update(words)
    return {client: _watched(counts, observer(view, last[client], asker)) for client, counts in found.items()}


def _is_unplanned(view: View, action: Action) -> bool:
    execution = view.get(Execution, action.execution) if not action.step and action.action_kind == "do" else None
    return execution is not None and bool(execution.plan_id)


def _watched(counts: Counter[str], by: Observer) -> Watched:
    return Watched(
        sessions=counts["sessions"],
        begun=counts["begun"],
        ended=counts["ended"],
        in_doubt=counts["in_doubt"],
        unplanned=counts["unplanned"],
        heard=by.heard,
        silent=by.silent,
    )


def _doubts(view: View, execution: str, fits: Callable[[Action], bool], among: set[str] | None) -> int:
    found = doubts_of(view, execution, limit=LOOKED_AT, wanted=fits)
    return sum(among is None or row.id in among for row in found)


def share_of(ordered: list[float], share: float) -> float:
    """The value below which a share of all lies; of none, nothing."""
    return round(ordered[min(int(len(ordered) * share), len(ordered) - 1)], 6) if ordered else 0.0


def _top(counts: dict[str, int], most: int) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:most])
