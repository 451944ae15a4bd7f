"""The rows that entries fold into: a cache that can be dropped and folded again from the entries.

A row holds facts and sequence numbers, never free text: text is read from the bodies when it is shown, so that erasing
a body leaves nothing behind here. `COLUMNS` are the fields that a store can look rows up by.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal, Protocol, TypeVar

from msgspec import Struct

from tallystick.core.entries import StepFacts
from tallystick.core.types import (
    DUE,
    FINAL_STATUSES,
    OUTSTANDING,
    UNDO_BEGUN,
    ActionKind,
    ActorKind,
    Cancellable,
    Effect,
    ExecutionStatus,
    Permission,
    PlanStatus,
    SessionKind,
    Witness,
)

YesNo = Literal["yes", "no"]
ROW_FORMAT = 23
"""The version of the rows' format. Increase it with every change of a row: rows of an older version are then folded
again before they are read."""


UNSETTLED = ("open", "doubted", "unknown")
"""The states of an action without a settled outcome, in the order of the index over them."""


class Row(Struct, frozen=True, omit_defaults=True):
    """One row of derived state. `id` is unique in its table and sorts by time where it is a handle."""

    TABLE: ClassVar[str]
    COLUMNS: ClassVar[tuple[str, ...]] = ()
    id: str


class Plan(Row, frozen=True):
    """A plan at its newest revision. `last_revision` is the number of the newest one with those that were made for one
    execution alone; 0 before there is such a one."""

    TABLE = "plans"
    COLUMNS = ("status", "task_id", "type", "actor", "at", "template", "for_tasks")
    status: PlanStatus
    revision: int
    seq: int
    first_seq: int
    at: int
    changed_at: int
    task_id: str = ""
    type: str = ""
    actor: str = ""
    session: str = ""
    retired_seq: int = 0
    template: str = ""
    for_tasks: str = ""
    last_revision: int = 0

    @property
    def next_revision(self) -> int:
        return max(self.revision, self.last_revision) + 1


class Revision(Row, frozen=True):
    """One revision of a plan, final once written; its id is `pl_...@2`. `previous`: the number of the one before it.
    `execution`: it was made for this one alone, with a step for each item of a list."""

    TABLE = "revisions"
    COLUMNS = ("plan_id",)
    plan_id: str
    revision: int
    seq: int
    at: int
    steps: tuple[StepFacts, ...]
    previous: int = 0
    execution: str = ""


class Execution(Row, frozen=True):
    """One execution.

    `actions`, `undos`, `steps`: counts by state. `undo_states`: counts of actions by undo state.
    `temporary_states`: the same of temporary actions alone.
    `deadlines`: actions that are not undone and have a deadline, passed or not.
    `undecided`: failed and skipped actions since `decided_seq`, the last decision that says what to do next.
    `last_seq`, `last_at`: its last own entry. Answers of people and what the journal notes itself are not its own.
    `sessions`: the last sessions that recorded in it, beside `session`, which started it.
    `asked`: approvals requested. `pending`: those without an answer. `waiting`: pending ones that block the execution;
    `blocked_by`: the last of them.
    `left`: what was unfinished when the execution ended, as counts.
    `late`: entries recorded after the end.
    `undone_steps`: those of the steps that are done whose work was undone.
    `title_key`: a keyed digest of its title and task; empty when it has neither.
    `unwound`: an unwind was decided, whatever was decided after it.
    `witness`: `observed` when a harness opened the execution for work that belonged to no other.
    `working_session`: the session last seen at work on it, when the start named no conversation.
    `claimed`: an agent or a person recorded work, a question or a decision in one that a harness opened.
    `engine`: the engine by which a runner carries it out; empty when none was asked to.
    `unpermitted`: the last actions that were carried out without an approval that they needed, or against a rejection.
    """

    TABLE = "executions"
    COLUMNS = (
        "status",
        "task_id",
        "plan_id",
        "actor",
        "session",
        "at",
        "client",
        "owing",
        "unsettled",
        "asking",
        "title_key",
        "engine",
    )
    status: ExecutionStatus
    seq: int
    at: int
    last_seq: int
    last_at: int
    plan_id: str = ""
    revision: int = 0
    task_id: str = ""
    actor: str = ""
    session: str = ""
    step: str = ""
    total_steps: int = 0
    actions: dict[str, int] = {}
    undos: dict[str, int] = {}
    steps: dict[str, int] = {}
    undo_states: dict[str, int] = {}
    temporary_states: dict[str, int] = {}
    deadlines: int = 0
    unplanned: int = 0
    undecided: int = 0
    asked: int = 0
    pending: int = 0
    waiting: int = 0
    blocked_by: tuple[str, ...] = ()
    decision_seq: int = 0
    decided_seq: int = 0
    ended_at: int = 0
    left: dict[str, int] = {}
    late: int = 0
    unwound: bool = False
    witness: Witness = "claimed"
    client: str = ""
    working_session: str = ""
    claimed: bool = False
    title_key: str = ""
    actor_kind: ActorKind = "agent"
    sessions: tuple[str, ...] = ()
    engine: str = ""
    unpermitted: tuple[str, ...] = ()
    undone_steps: int = 0

    @property
    def owes_all(self) -> bool:
        """Whether its whole undo list is owed: it is unwinding, failed or was cancelled."""
        return self.unwound or self.status in ("unwinding", "failed", "cancelled")

    @property
    def to_put_back(self) -> dict[str, int]:
        """Counts by undo state of its actions that are owed once nobody works on it, though the work is wanted."""
        begun = {state: self.undo_states[state] for state in UNDO_BEGUN if state in self.undo_states}
        return {**self.temporary_states, **begun}

    def owed_states(self, *, interrupted: bool = False) -> dict[str, int]:
        """Counts of what is owed by undo state: the whole undo list; what is to be put back, after an end or an
        interruption; or nothing."""
        if self.owes_all:
            return self.undo_states
        return self.to_put_back if interrupted or self.status in FINAL_STATUSES else {}

    def owed(self, *, interrupted: bool = False) -> int:
        """How many actions somebody still has to undo."""
        return count_due(self.owed_states(interrupted=interrupted))

    @property
    def owing(self) -> Literal["yes", "rest", "maybe", "no"]:
        """Whether something is owed; "rest" if what is left cannot be undone, "maybe" if only after an interruption."""
        states = self.owed_states(interrupted=True)
        if not any(state in states for state in OUTSTANDING):
            return "no"
        if not self.owes_all and self.status not in FINAL_STATUSES:
            return "maybe"
        return "yes" if count_due(states) else "rest"

    @property
    def unsettled(self) -> YesNo:
        """Whether an action is under way, or in doubt."""
        counts = (self.actions, self.undos)
        return "yes" if any(word in each for each in counts for word in ("open", "doubted", "unknown")) else "no"

    @property
    def asking(self) -> YesNo:
        """Whether an approval has no answer; it may have expired."""
        return "yes" if self.pending else "no"


class Progress(Row, frozen=True):
    """The progress of one step in one execution; its id is `ex_.../step`. `dropped`: the current revision lacks it.

    `failures`: attempts counted in `Execution.undecided`, the last of them at `failed_seq`.
    `undone`: it is done, and its work was undone. A planned step that puts it back leaves it as done.
    """

    TABLE = "steps"
    COLUMNS = ("execution", "status")
    execution: str
    step: str
    status: str
    seq: int
    action: str = ""
    attempts: int = 0
    decided: str = ""
    dropped: bool = False
    failures: int = 0
    failed_seq: int = 0
    undone: bool = False


class Action(Row, frozen=True):
    """One action.

    `state`: `open`, `doubted`, or the outcome.
    `undo_state`: the state of its undo; empty when there is nothing to undo.
    `undos`: the actions that undo it, each with its state. `undone_by`: the one that `undo_state` follows from.
    `kept`: the sequence number of the decision to keep it; 0 when there is none, or it no longer counts.
    `undoes_too`: earlier attempts at the step that it undoes. `after_the_fact`: begin and end were recorded in one.
    `gateway_session`: the session of the gateway that forwarded the call, or held it back.
    `hook_session`: the session of the hook that saw it begin. `hook_saw_end`: that hook saw the end too.
    `shown_as`: the tool's name as the gateway's client shows it, when that is another name.
    `permission`: whether a person had permitted the call, where that was needed.
    `while_unwinding`: it was done while its execution was unwound, and nothing shows yet what it undid.
    `repeats`: the action of the same effect that was in doubt when it was made. `repeated_by`: the last that repeat it.
    """

    TABLE = "actions"
    COLUMNS = (
        "execution",
        "session",
        "state",
        "undo_state",
        "step",
        "tool",
        "effect_key",
        "actor",
        "at",
        "undoes",
        "to_put_back",
    )
    state: str
    seq: int
    at: int
    execution: str = ""
    session: str = ""
    actor: str = ""
    actor_kind: ActorKind = "agent"
    witness: Witness = "claimed"
    action_kind: ActionKind = "do"
    undoes: str = ""
    tool: str = ""
    step: str = ""
    plan_id: str = ""
    revision: int = 0
    effect: Effect = "unsafe"
    effect_key: str = ""
    cancellable: Cancellable | None = None
    has_undo: bool = False
    undo_until: str = ""
    deadline: int = 0
    attempt: int = 1
    end_seq: int = 0
    earlier_ends: tuple[int, ...] = ()
    ended_at: int = 0
    ended_by: str = ""
    undo_state: str = ""
    undos: dict[str, str] = {}
    undone_by: str = ""
    kept: int = 0
    temporary: bool = False
    undoes_too: tuple[str, ...] = ()
    after_the_fact: bool = False
    without_effect: bool = False
    out_of_order: bool = False
    late: bool = False
    duration: float | None = None
    call: str = ""
    gateway_session: str = ""
    hook_session: str = ""
    hook_saw_end: bool = False
    shown_as: str = ""
    permission: Permission = ""
    while_unwinding: bool = False
    repeats: str = ""
    repeated_by: tuple[str, ...] = ()

    @property
    def listed_as(self) -> str:
        """Its undo state as an undo list shows it: what was done while unwinding may be an undo itself."""
        return "may_be_undo" if self.while_unwinding and self.undo_state == "not_undone" else self.undo_state

    def is_unplanned(self, execution: Execution | None) -> bool:
        """Whether it was done in an execution of a plan, and is none of its steps and no undo."""
        return self.action_kind == "do" and not self.step and execution is not None and bool(execution.plan_id)

    @property
    def needs_check(self) -> bool:
        """Whether an unknown outcome has to be checked: not that of a read, unless a step depends on it."""
        return self.effect != "read" or bool(self.step)

    @property
    def not_permitted(self) -> Permission:
        """Why it should not have been carried out, if it was; empty while it is open, and for one that was not made."""
        was_made = self.state not in ("open", "skipped")
        return self.permission if was_made and self.permission != "granted" else ""

    @property
    def to_put_back(self) -> YesNo:
        """Whether it is owed once nobody works on its execution: it is temporary, or somebody began to undo it, and it
        is neither undone nor kept."""
        states = OUTSTANDING if self.temporary else UNDO_BEGUN
        return "yes" if self.undo_state in states else "no"


class Approval(Row, frozen=True):
    """One approval. `status` is pending, approve, edit, reject, respond or used; expiry is computed when it is read.
    `about`: the step that waits for the answer, which permits no call.
    `client`: the client of a gateway in which it was answered, without a credential."""

    TABLE = "approvals"
    COLUMNS = ("status", "execution", "effect_key", "at")
    status: str
    seq: int
    at: int
    execution: str = ""
    step: str = ""
    about: str = ""
    tool: str = ""
    effect_key: str = ""
    granted: str = ""
    expires: int = 0
    blocks: bool = False
    decided_seq: int = 0
    decided_at: int = 0
    credential: str = ""
    client: str = ""
    used_by: str = ""


class Context(Row, frozen=True):
    """The newest value under a key in a scope; its id is `scope:scope_id:key`."""

    TABLE = "context"
    COLUMNS = ("scope", "scope_id", "key", "type", "actor", "at")
    scope: str
    key: str
    seq: int
    at: int
    handle: str
    scope_id: str = ""
    type: str = ""
    actor: str = ""
    expires: int = 0
    versions: int = 1


class Task(Row, frozen=True):
    """A task as it was recorded last; its id is that in the user's own system. `plan_id` was made by a template.

    `earlier`: the entries that recorded it before.
    """

    TABLE = "tasks"
    COLUMNS = ("type", "parent", "actor", "at")
    seq: int
    at: int
    type: str = ""
    parent: str = ""
    actor: str = ""
    plan_id: str = ""
    earlier: tuple[int, ...] = ()


PAGE = "page"
"""The client of a session in which the page records."""


class Session(Row, frozen=True):
    """One session. `status` is open or ended; the store knows whether an open one is over.

    `prompt_seq`: the entry of the first prompt of a person that was seen in it.
    """

    TABLE = "sessions"
    COLUMNS = ("status", "name", "at", "client", "witness")
    status: str
    session_kind: SessionKind
    seq: int
    at: int
    actor: str = ""
    client: str = ""
    name: str = ""
    host: str = ""
    process: int = 0
    process_started: int = 0
    lock: int = 0
    ended_at: int = 0
    reason: str = ""
    witness: Witness = "claimed"
    prompt_seq: int = 0


class IdempotencyKey(Row, frozen=True):
    """The entry that an idempotency key was used for; its id is the key."""

    TABLE = "keys"
    seq: int
    digest: str


TABLES: tuple[type[Row], ...] = (
    Plan,
    Revision,
    Execution,
    Progress,
    Action,
    Approval,
    Context,
    Session,
    Task,
    IdempotencyKey,
)


def count_due(states: Mapping[str, int]) -> int:
    """The number of actions about which something can still be done, by their undo states."""
    return sum(states.get(state, 0) for state in DUE)


def revision_id(plan_id: str, revision: int) -> str:
    return f"{plan_id}@{revision}"


def progress_id(execution: str, step: str) -> str:
    return f"{execution}/{step}"


def context_id(scope: str, scope_id: str, key: str) -> str:
    return f"{scope}:{scope_id}:{key}"


# ----------------------------------------------------------------------------------------------------------------------
# The rows that a fold reads and writes, by table and id.

R = TypeVar("R", bound=Row)


class Rows(Protocol):
    """A set of rows."""

    def get(self, table: type[R], id: str) -> R | None:
        """The row as it is now, including every `put`; None if there is none."""

    def put(self, row: Row) -> None:
        """Add a row, or replace the one with its id."""
