"""What a client's event says, whichever the client: one small value for each thing that a harness can see.

A client's own words end here. What follows (joining, reconciling, recording) knows these values only.
"""

from typing import Any, Literal

from msgspec import Struct

from tallystick.core.types import Effect

Outcome = Literal["ok", "failed", "skipped", "unknown"]
ARGUMENTS_CHANGED = "Its arguments were changed before it was made: what was made follows."
"""Said of a call that another hook, or a person who was asked, has made into another one."""


class Observed(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="seen"):
    """`conversation` is the client's own id of it; `agent` is the sub-agent that it is about, if it is about one."""

    conversation: str = ""
    agent: str = ""


class ConversationStarted(Observed, frozen=True, kw_only=True, tag="session_started"):
    """`source` is why: startup, resume, clear, compact, or what else the client says."""

    source: str = ""
    model: str = ""


class ConversationEnded(Observed, frozen=True, kw_only=True, tag="session_ended"):
    reason: str = ""
    transcript: str = ""


class Prompted(Observed, frozen=True, kw_only=True, tag="prompted"):
    """A new prompt: whatever the agent itself had begun before is no longer running. `by_client`: it has a form in
    which the client itself writes."""

    text: str = ""
    transcript: str = ""
    by_client: bool = False


class TaskEnded(Observed, frozen=True, kw_only=True, tag="task_ended"):
    """What a call has left running in the background is over. `task` is the client's own id of it."""

    call_id: str = ""
    task: str = ""
    outcome: Outcome = "unknown"
    result: Any = None
    error: str = ""


class CallObserved(Observed, frozen=True, kw_only=True, tag="call"):
    """A call of a tool. `call_id` is the client's own id of it; some clients have none.

    `echo` says that the client tells the same call under another event too, with more: it counts only where that
    other one is not told.
    """

    tool: str = ""
    arguments: dict[str, Any] = {}
    call_id: str = ""
    echo: bool = False


class CallBegun(CallObserved, frozen=True, kw_only=True, tag="call_begun"):
    """Where it belongs, by what was granted and what it is, where whoever saw it knew that; empty otherwise."""

    execution_id: str = ""
    step: str = ""
    approval_id: str = ""
    effect: Effect | None = None
    effect_key: str = ""
    shown_as: str = ""


class CallEnded(CallObserved, frozen=True, kw_only=True, tag="call_ended"):
    """`without_effect` only where the client says that nothing happened.

    `outcome_missing`: that the call has ended was told, and not what came of it. Its transcript may tell.
    """

    outcome: Outcome = "ok"
    outcome_missing: bool = False
    transcript: str = ""
    result: Any = None
    error: str = ""
    without_effect: bool = False
    duration: float | None = None


class CallDenied(CallObserved, frozen=True, kw_only=True, tag="call_denied"):
    """Somebody refused the call: it did not happen."""

    reason: str = ""


class PermissionAsked(CallObserved, frozen=True, kw_only=True, tag="permission_asked"):
    text: str = ""


class CallBatch(Observed, frozen=True, kw_only=True, tag="batch"):
    """All results of one turn of the model. It closes what nothing else closed, and says nothing against the rest."""

    calls: tuple[CallEnded, ...] = ()


class Compacting(Observed, frozen=True, kw_only=True, tag="compacting"):
    trigger: str = ""


class Compacted(Observed, frozen=True, kw_only=True, tag="compacted"):
    trigger: str = ""
    summary: str = ""


class AgentStarted(Observed, frozen=True, kw_only=True, tag="agent_started"):
    kind: str = ""


class AgentEnded(Observed, frozen=True, kw_only=True, tag="agent_ended"):
    kind: str = ""
    text: str = ""
    transcript: str = ""


class Stopped(Observed, frozen=True, kw_only=True, tag="stopped"):
    """The agent's turn is over. `transcript` is where the client keeps what it did, if it says so."""

    text: str = ""
    error: str = ""
    interrupted: bool = False
    transcript: str = ""


class Notified(Observed, frozen=True, kw_only=True, tag="notified"):
    text: str = ""


class IgnoredEvent(Observed, frozen=True, kw_only=True, tag="nothing"):
    """An event of which there are many and that tells of no work, such as a piece of a model's answer."""


class Other(Observed, frozen=True, kw_only=True, tag="other"):
    """An event that has no meaning for us yet; it is kept as it came."""

    event: str = ""
    payload: dict[str, Any] = {}


class UnreadablePayload(Observed, frozen=True, kw_only=True, tag="unreadable"):
    """What came was no payload of the client's at all."""

    why: str = ""
    text: str = ""


AnyObserved = (
    ConversationStarted
    | ConversationEnded
    | Prompted
    | TaskEnded
    | CallBegun
    | CallEnded
    | CallDenied
    | PermissionAsked
    | CallBatch
    | Compacting
    | Compacted
    | AgentStarted
    | AgentEnded
    | Stopped
    | Notified
    | IgnoredEvent
    | Other
    | UnreadablePayload
)
