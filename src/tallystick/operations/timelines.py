"""Actions in a line each: what a timeline is drawn from."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, json

from tallystick.core import spans
from tallystick.core.entries import ActionBegun, ActionDoubted, ActionEnded, ActionNoted
from tallystick.core.model import ActorKind, Handle, Name, Witness
from tallystick.core.state import Action, Execution
from tallystick.operations.desk import Desk
from tallystick.operations.handles import known
from tallystick.operations.operation import operation
from tallystick.operations.paging import Cursor, Page, Since, Text, page, searched
from tallystick.operations.presence import UNSETTLED, is_in_doubt
from tallystick.operations.standing import titles_of
from tallystick.store.port import View, Wanted

ActionState = Literal["open", "in_doubt", "ok", "failed", "skipped"]
"""How an action stands as of now: one without an end is open while its session lives."""
ABOUT = {ActionBegun.KIND, ActionEnded.KIND, ActionNoted.KIND, ActionDoubted.KIND}
"""The kinds of entry that tell of an action."""


class ActionLine(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An action in a line. `summary` is the title of its step where it has none of its own.

    `unplanned` is work that no step of the execution's plan asked for; `late` came after the execution had ended.
    """

    id: str
    state: ActionState
    begun: str
    seq: int
    ended: str = ""
    end_seq: int = 0
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
    summary: str = ""
    attempt: int = 1
    unplanned: bool = False
    late: bool = False


class ActionPage(Page, frozen=True, kw_only=True):
    actions: tuple[ActionLine, ...]


class _Begun(Struct):
    """What a line needs of a body, which may be large."""

    summary: str = ""


_begun = json.Decoder(_Begun).decode


@operation("read", "GET /v1/actions", example={"execution_id": "ex_a2v7", "state": "failed"})
def list_actions(
    desk: Desk,
    *,
    execution_id: Handle | None = None,
    state: ActionState | None = None,
    tool: Name | None = None,
    actor: Name | None = None,
    step: Name | None = None,
    witness: Witness | None = None,
    since: Since = None,
    until: Since = None,
    text: Text = None,
    limit: Annotated[int, Meta(ge=1, le=2000, description="At most this many")] = 50,
    cursor: Cursor = None,
    newest_first: bool = False,
) -> ActionPage:
    """Actions in a line each, in the order in which they began: what a timeline is drawn from.

    `text` finds those of which anything recorded holds the words. `get_action` shows one whole.
    """

    def work(view: View) -> ActionPage:
        if execution_id:
            known(view, Execution, execution_id, "execution_id")
        over: dict[str, bool] = {}
        among = searched(view, text, ABOUT, execution=execution_id or "") if text else None

        def fits(row: Action) -> bool:
            return (
                tool in (None, row.tool)
                and actor in (None, row.actor)
                and step in (None, row.step)
                and witness in (None, row.witness)
                and state in (None, state_of(view, row, over))
            )

        where: dict[str, Wanted | None] = {"execution": execution_id} if execution_id else {}
        if state in ("open", "in_doubt"):
            where["state"] = UNSETTLED
        rows, next_cursor = page(
            view, Action, where, since, until, limit, cursor, among, fits=fits, newest_first=newest_first
        )
        return ActionPage(actions=describe_lines(view, rows, over), next_cursor=next_cursor)

    return desk.read(work)


def state_of(view: View, row: Action, over: dict[str, bool] | None = None) -> ActionState:
    """How an action stands as of now; `over` remembers which sessions are."""
    if row.state in UNSETTLED:
        return "in_doubt" if is_in_doubt(view, row, over) else "open"
    return row.state  # type: ignore[return-value]  # what is not unsettled is an outcome


def describe_lines(view: View, rows: list[Action], over: dict[str, bool]) -> tuple[ActionLine, ...]:
    bodies = view.bodies([row.seq for row in rows])
    titles = titles_of(view, rows)
    planned: dict[str, bool] = {}
    for row in rows:
        if row.execution not in planned:
            execution = view.get(Execution, row.execution) if row.execution else None
            planned[row.execution] = bool(execution and execution.plan_id)
    return tuple(
        ActionLine(
            id=row.id,
            state=state_of(view, row, over),
            begun=spans.iso(row.at),
            seq=row.seq,
            ended=spans.iso(row.ended_at) if row.ended_at else "",
            end_seq=row.end_seq,
            execution_id=row.execution,
            session=row.session,
            actor=row.actor,
            actor_kind=row.actor_kind,
            witness=row.witness,
            kind=row.action_kind,
            undoes=row.undoes,
            undone_by=row.undone_by,
            owed=row.owed,
            tool=row.tool,
            step=row.step,
            summary=(_begun(bodies[row.seq]).summary if row.seq in bodies else "") or titles.get(row.id, ""),
            attempt=row.attempt,
            unplanned=planned[row.execution] and row.action_kind == "do" and not row.step,
            late=row.late,
        )
        for row in rows
    )
