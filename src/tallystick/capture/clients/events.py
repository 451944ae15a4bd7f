"""Events in one form for all clients: one small value for each thing that a client reports.

A client's own field names end here. Matching and recording know these values only.
"""

from typing import Any, Literal

from msgspec import Struct

from tallystick.core.types import Effect

Outcome = Literal["ok", "failed", "skipped", "unknown"]
ARGUMENTS_CHANGED = "Its arguments were changed before it was made: what was made follows."
"""The error of a call that another hook, or a person who was asked, changed into another one."""


class Observed(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="seen"):
    """`conversation` is the client's own id of it; `agent` is the sub-agent that it is about, if any."""

    conversation: str = ""
    agent: str = ""


class ConversationStarted(Observed, frozen=True, kw_only=True, tag="session_started"):
    """`source` is why: startup, resume, clear, compact, or another word of the client's."""

    source: str = ""
    model: str = ""


class ConversationEnded(Observed, frozen=True, kw_only=True, tag="session_ended"):
    reason: str = ""
    transcript: str = ""


class Prompted(Observed, frozen=True, kw_only=True, tag="prompted"):
    """A new prompt: no earlier call of the agent itself is still running.

    `by_client`: it has the form of a prompt that the client itself writes.
    """

    text: str = ""
    transcript: str = ""
    by_client: bool = False


class TaskEnded(Observed, frozen=True, kw_only=True, tag="task_ended"):
    """A background task that a call left running is over. `task` is the client's own id of it."""

    call_id: str = ""
    task: str = ""
    outcome: Outcome = "unknown"
    result: Any = None
    error: str = ""


class CallObserved(Observed, frozen=True, kw_only=True, tag="call"):
    """A call of a tool. `call_id` is the client's own id of it; some clients have none.

    `echo`: the client reports the same call under another event too, with more fields. An echo counts only if that
    other event is missing.
    """

    tool: str = ""
    arguments: dict[str, Any] = {}
    call_id: str = ""
    echo: bool = False


class CallBegun(CallObserved, frozen=True, kw_only=True, tag="call_begun"):
    """The gateway fills in the execution, step, approval and effect; hooks leave them empty."""

    execution_id: str = ""
    step: str = ""
    approval_id: str = ""
    effect: Effect | None = None
    effect_key: str = ""
    shown_as: str = ""


class CallEnded(CallObserved, frozen=True, kw_only=True, tag="call_ended"):
    """`without_effect` only if the client says that nothing happened.

    `outcome_missing`: the client reported the end without an outcome. Its transcript may have one.
    """

    outcome: Outcome = "ok"
    outcome_missing: bool = False
    transcript: str = ""
    result: Any = None
    error: str = ""
    without_effect: bool = False
    duration: float | None = None


class CallDenied(CallObserved, frozen=True, kw_only=True, tag="call_denied"):
    """The call was refused: it did not happen."""

    reason: str = ""


class PermissionAsked(CallObserved, frozen=True, kw_only=True, tag="permission_asked"):
    text: str = ""


class CallBatch(Observed, frozen=True, kw_only=True, tag="batch"):
    """All results of one turn of the model. It ends the calls that nothing else ended, and changes no other."""

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
    """The agent's turn is over. `transcript` is the path of the client's transcript, if it names one."""

    text: str = ""
    error: str = ""
    interrupted: bool = False
    transcript: str = ""


class Notified(Observed, frozen=True, kw_only=True, tag="notified"):
    text: str = ""


class IgnoredEvent(Observed, frozen=True, kw_only=True, tag="nothing"):
    """A frequent event that is about no work, such as a piece of a model's answer. It is not recorded."""


class Other(Observed, frozen=True, kw_only=True, tag="other"):
    """An event that no module knows; it is recorded unchanged."""

    event: str = ""
    payload: dict[str, Any] = {}


class UnreadablePayload(Observed, frozen=True, kw_only=True, tag="unreadable"):
    """Input that is no payload of the client's."""

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
