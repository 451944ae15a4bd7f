"""Figures over the journal."""

from collections import Counter
from typing import Annotated

from msgspec import Meta, Struct

from tallystick.core.model import Handle, Name
from tallystick.core.state import Action, Approval, Execution, Plan, Session
from tallystick.operations.coverage import counted
from tallystick.operations.desk import Desk
from tallystick.operations.operation import operation
from tallystick.operations.paging import Since, page
from tallystick.operations.standing import ALL, doubts_of
from tallystick.store.port import Select, View, Wanted

LOOKED_AT = 1000
"""Durations and coverage are of the newest so many actions and sessions: a figure, not an audit."""


class Durations(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Seconds from begin to end, of the newest actions that ended."""

    count: int
    p50: float = 0.0
    p95: float = 0.0


class Watched(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What was seen of one client, by hooks, a gateway or an adapter, in its newest sessions."""

    sessions: int
    begun: int
    ended: int
    in_doubt: int = 0


class Stats(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Counts are exact; durations are of the newest actions. `coverage` is by client, whatever the filters."""

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
    coverage: dict[str, Watched] = {}


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
        given: dict[str, Wanted | None] = {"execution": execution_id, "tool": tool, "actor": actor}
        narrowed: dict[str, Wanted] = {name: value for name, value in given.items() if value is not None}
        timed = since or until
        newest, _ = page(view, Action, narrowed, since, until, ALL if timed else LOOKED_AT, None)

        def count(column: str, **more: Wanted) -> dict[str, int]:
            if timed:  # the store counts by columns only
                rows = (row for row in newest if all(getattr(row, name) == value for name, value in more.items()))
                return dict(Counter(str(getattr(row, column)) for row in rows))
            return view.count(Action, column, {**narrowed, **more})

        ended = sorted(a.duration for a in newest[:LOOKED_AT] if a.duration is not None and a.state in ("ok", "failed"))
        return Stats(
            entries=view.head().seq,
            executions=view.count(Execution, "status", {}),
            plans=view.count(Plan, "status", {}),
            actions=count("state"),
            owed=_without(count("owed"), ""),
            approvals=view.count(Approval, "status", {}),
            sessions=view.count(Session, "status", {}),
            in_doubt=_doubts(view, narrowed, {row.id for row in newest} if timed else None),
            tools=_top(_without(count("tool"), ""), most),
            failures=_top(_without(count("tool", state="failed"), ""), most),
            retries=sum(1 for action in newest if action.attempt > 1),
            durations=Durations(count=len(ended), p50=_at(ended, 0.5), p95=_at(ended, 0.95)),
            coverage=_coverage(view),
        )

    return desk.read(work)


def _coverage(view: View) -> dict[str, Watched]:
    rows = view.find(Session, Select(limit=LOOKED_AT))
    watched = [row for row in rows if row.witness == "observed"]
    found: dict[str, Watched] = {}
    for row in watched:
        begun, ended, in_doubt = counted(view, row)
        client = row.client or row.actor
        before = found.get(client, Watched(sessions=0, begun=0, ended=0))
        found[client] = Watched(
            sessions=before.sessions + 1,
            begun=before.begun + begun,
            ended=before.ended + ended,
            in_doubt=before.in_doubt + in_doubt,
        )
    return found


def _doubts(view: View, narrowed: dict[str, Wanted], ids: set[str] | None) -> int:
    found = doubts_of(view, str(narrowed.get("execution", "")), limit=10_000)
    fitting = (row for row in found if all(getattr(row, name) == value for name, value in narrowed.items()))
    return sum(ids is None or row.id in ids for row in fitting)


def _at(ordered: list[float], share: float) -> float:
    return round(ordered[min(int(len(ordered) * share), len(ordered) - 1)], 6) if ordered else 0.0


def _top(counts: dict[str, int], most: int) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:most])


def _without(counts: dict[str, int], word: str) -> dict[str, int]:
    return {name: count for name, count in counts.items() if name != word}
