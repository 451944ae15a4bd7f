"""The values that callers hand in and get back: plans, steps, undos, actors, and the words they are made of."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import force_setattr

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import canonical_json

S = TypeVar("S", bound=Struct)

Cancellable = Literal["reversible", "partially-reversible", "irreversible"]
Effect = Literal["read", "idempotent", "probeable", "unsafe"]
FailureAction = Literal["cancel_all", "cancel_dependent", "continue_others", "manual_decision"]
Outcome = Literal["ok", "failed", "skipped", "unknown"]
Phase = Literal["begin", "end", "note", "done"]
ActionKind = Literal["do", "undo"]
Witness = Literal["claimed", "observed"]
ActorKind = Literal["person", "agent", "sub-agent", "hook", "gateway", "runner"]
SessionKind = Literal["process", "client", "handle"]
Performer = Literal["runner", "agent", "person"]
ErrorCategory = Literal["not_done", "transient", "failed", "timed_out", "lost", "cancelled"]
UnwindMode = Literal["never", "ask", "on-failure"]
Scope = Literal["execution", "task", "project"]
Verdict = Literal["approve", "edit", "reject", "respond"]
Permission = Literal["", "granted", "missing", "rejected"]
"""Whether a person permitted a call that was made: `missing` if none was asked or answered, where it was needed."""
ExecutionStatus = Literal["running", "paused", "blocked", "unwinding", "completed", "failed", "cancelled", "closed"]
PlanStatus = Literal["active", "superseded", "cancelled", "archived"]
Choice = Literal[
    "continue",
    "retry",
    "skip",
    "pause",
    "resume",
    "replan",
    "unwind",
    "ask_human",
    "stop",
    "fail",
    "done",
    "keep",
    "settle",
]
SessionEvent = Literal[
    "prompt",
    "compacting",
    "compacted",
    "subagent_started",
    "subagent_ended",
    "stopped",
    "interrupted",
    "permission_asked",
    "denied",
    "notified",
    "took_up",
    "other",
]
"""Events that a harness reports beside tool calls. `took_up`: the conversation was seen at work on an execution."""
UndoState = Literal[
    "not_undone", "undoing", "in_doubt", "partly", "failed", "not_possible", "may_be_undo", "undone", "kept"
]
DUE = ("not_undone", "undoing", "in_doubt", "failed")
"""Undo states in which something can still be done."""
OUTSTANDING = ("not_undone", "undoing", "in_doubt", "failed", "not_possible", "partly")
"""Undo states of what is not, or not wholly, undone, and not kept: these are on the undo list."""
UNDO_BEGUN = ("undoing", "in_doubt", "failed", "partly")
"""Those of what somebody began to undo, and did not finish."""

FINAL_STATUSES: frozenset[str] = frozenset({"completed", "failed", "cancelled", "closed"})
"""The statuses of an execution that are final. `closed`: hooks alone recorded it, and its conversation is over."""

Name = Annotated[str, Meta(min_length=1, max_length=200)]
"""A short identifier: a tool, a step, a task, a key."""
Handle = Annotated[str, Meta(min_length=1, max_length=64)]
Attempts = Annotated[int, Meta(ge=1, le=1000)]
Key = Annotated[
    str,
    Meta(min_length=1, max_length=200, description="Your idempotency key: the same key is the same record."),
]
Confidence = Annotated[float, Meta(ge=0, le=1)]
MAX_SECONDS = 3.2e9
"""A hundred years."""
Seconds = Annotated[float, Meta(ge=0, le=MAX_SECONDS)]
JSON = Any
"""Any JSON value. Anything else is refused when the body is written, with the path to it."""


class Actor(Struct, frozen=True, omit_defaults=True):
    """The author of a record."""

    kind: ActorKind = "agent"
    name: str = ""

    @property
    def is_gateway(self) -> bool:
        """Whether it is the gateway itself, or the hook that drains what the gateway spooled."""
        return self.kind == "gateway" or (self.kind == "hook" and self.name == "gateway")

    @property
    def is_hook(self) -> bool:
        """Whether it is a hook: it sees the request of an agent and the response, but not the call itself."""
        return self.kind in ("hook", "sub-agent") and not self.is_gateway


class CheckedValue(Struct, frozen=True):
    """A value that callers build. Its fields are checked as it is built: msgspec checks only what it decodes."""

    def __post_init__(self) -> None:
        given = {name: field for name in self.__struct_fields__ if (field := getattr(self, name)) is not UNSET}
        convert(given, _unchecked(type(self)), type(self).__name__)
        arguments = given.get("arguments")
        try:
            if arguments and not canonical_json.is_json(arguments):
                canonical_json.explain_not_json(to_plain(arguments), "arguments")  # a subclass of str is text
        except RecursionError:
            raise canonical_json.too_deep_error("arguments", "arguments") from None


def convert(given: Mapping[str, Any], target: type[S], name: str) -> S:
    """A struct of the given fields, or InvalidArgument. `name` is the operation or value that takes them."""
    try:
        return msgspec.convert(given, target)
    except msgspec.ValidationError as error:
        from tallystick.core.argument_errors import explain, with_whole_number  # only needed after a mistake

        mended = with_whole_number(given, str(error))
        if mended is not None:
            return convert(mended, target, name)
        raise explain(str(error), name, target) from None
    except UnicodeEncodeError:
        raise canonical_json.surrogate_error() from None
    except RecursionError:
        raise canonical_json.too_deep_error("One of the arguments") from None
    except (AttributeError, TypeError) as error:  # a type that msgspec takes for an object, and that is none
        raise InvalidArgument(
            f"{name} got a value of a type that it cannot take: {error}.",
            hint="Give text, numbers, true, false, null, lists and objects.",
        ) from None


@cache
def _unchecked(value: type[Struct]) -> type[Struct]:
    """A struct with the same fields that does not check itself."""
    return msgspec.defstruct(
        value.__name__, [(field.name, field.type, UNSET) for field in msgspec.structs.fields(value)], kw_only=True
    )


def to_plain(value: Any) -> Any:
    """Checked values in a value as dictionaries, so that converting checks them again; other kinds of text as text."""
    if isinstance(value, CheckedValue):
        fields = {name: getattr(value, name, UNSET) for name in value.__struct_fields__}
        return {name: to_plain(field) for name, field in fields.items() if field is not UNSET}
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    if type(value) is dict:
        return {name: to_plain(item) for name, item in value.items()}
    return str.__str__(value) if isinstance(value, str) and type(value) is not str else value


ALIASES = {"depends_on": "after", "dependencies": "after"}
"""Names that other planners have for a field of a step."""


def read_aliases(value: Any) -> Any:
    """A list of steps that are dictionaries, with the names of their fields for aliases; any other value as it is."""
    if not isinstance(value, list):
        return value
    return [_rename(item) if isinstance(item, dict) and not ALIASES.keys().isdisjoint(item) else item for item in value]


def _rename(step: dict[str, Any]) -> dict[str, Any]:
    """The step with one alias under the name of its field. A second name for the field stays, to be refused."""
    given = [name for name in (*ALIASES.values(), *ALIASES) if name in step]
    return {ALIASES[name] if name == given[0] and name in ALIASES else name: value for name, value in step.items()}


class Undo(CheckedValue, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a step is undone: in words, or as a tool with arguments.

    Text in the arguments may refer to what was recorded: `${result.id}`, `${arguments.path}`.
    """

    words: str = ""
    tool: str = ""
    arguments: dict[str, JSON] = {}


class FailurePolicy(CheckedValue, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The plan's advice for when a step fails. The journal does not carry it out."""

    action: FailureAction = "manual_decision"
    reason: str = ""
    propagate_to: tuple[Name, ...] = ()


class Retry(CheckedValue, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How often a runner repeats a failed call by itself, and how long it waits: `backoff` seconds, then twice as long
    each time, at most `longest`. Only categories that are safe to repeat are repeated; `on` can leave some out."""

    attempts: Attempts = 3
    backoff: Seconds = 1.0
    longest: Seconds = 60.0
    on: tuple[ErrorCategory, ...] = ()


class Step(CheckedValue, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """One intended tool call, and what can be done about it afterwards."""

    title: Annotated[str, Meta(min_length=1, max_length=2000)]
    cancellable: Annotated[
        Cancellable, Meta(description="With an undo, undoes, temporary or effect read: reversible when left out")
    ] = UNSET  # type: ignore[assignment]  # it is set when the step is made
    id: Annotated[Name | UnsetType, Meta(description="Made from the title when left out.")] = UNSET
    tool: Annotated[str, Meta(max_length=200, description="Tool you expect to call")] = ""
    arguments: dict[str, JSON] = {}
    after: Annotated[tuple[Name, ...] | UnsetType, Meta(description="Step ids this depends on")] = UNSET
    undo: Annotated[str | Undo | None, Meta(description="How to undo it: words, or {tool, arguments}")] = None
    undo_until: Annotated[
        str, Meta(description="Until when undo is possible: a time, or a span after the end such as 24h")
    ] = ""
    needs_approval: bool = False
    failure_policy: FailureAction | FailurePolicy = "manual_decision"
    effect: Annotated[Effect, Meta(description="read: changes nothing")] = "unsafe"
    probe: Annotated[str | Undo | None, Meta(description="How to look whether it happened")] = None
    estimate: Annotated[Seconds | None, Meta(description="Expected duration in seconds")] = None
    temporary: Annotated[bool, Meta(description="Such as a lock")] = False
    undoes: Annotated[str, Meta(max_length=200, description="The step it puts back")] = ""
    by: Annotated[Performer, Meta(description="Who carries it out, when a runner runs the plan")] = "runner"
    when: Annotated[str, Meta(max_length=2000, description="A condition (CEL): if false, the step is skipped")] = ""
    for_each: Annotated[
        str | tuple[JSON, ...], Meta(description="A list, or a reference to one: one call for each item, as ${item}")
    ] = ""
    priority: Annotated[int, Meta(ge=-1000, le=1000, description="Higher begins first")] = 0
    resource: Annotated[str, Meta(max_length=200, description="A name whose users are limited by a policy")] = ""
    timeout: Annotated[
        Annotated[float, Meta(gt=0, le=3.2e9)] | None, Meta(description="Seconds until a call counts as unanswered")
    ] = None
    retry: Annotated[Retry | Attempts | None, Meta(description="Attempts, or {attempts, backoff, longest, on}")] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        given: Cancellable | UnsetType = self.cancellable
        if given is not UNSET:
            return
        has_undo = parse_undo(self.undo) is not None or self.temporary  # its plan shows how it is put back
        if not has_undo and self.effect != "read" and not self.undoes:
            error = InvalidArgument(
                f'The step "{self.title[:80]}" has neither undo nor cancellable.',
                hint='Each step needs undo, or undoes if it puts another back, or effect: "read" if it '
                f"changes nothing; or cancellable as one of: {', '.join(get_args(Cancellable))}.",
                field="cancellable",
                allowed=get_args(Cancellable),
            )
            error.matches_schema = True
            raise error
        force_setattr(self, "cancellable", "reversible")


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """One record of a batch: the operation's name and its arguments. `@0` stands for the id of the first record."""

    operation: str
    arguments: dict[str, Any] = {}

    def __post_init__(self) -> None:
        """A quick check, for batches of thousands: the operation checks the arguments."""
        if not (type(self.operation) is str and type(self.arguments) is dict):
            raise InvalidArgument(
                "A record is the name of an operation and an object with its arguments.",
                hint='For example Record("record_action", {"phase": "note", "summary": "hello"}).',
                field="operation" if type(self.arguments) is dict else "arguments",
            )


def parse_undo(value: str | Undo | None) -> Undo | None:
    """An undo that may be written as words or as a structure; None if it is empty."""
    if value is None:
        return None
    undo = Undo(words=value) if isinstance(value, str) else value
    if not isinstance(undo, Undo):  # a step that was built with something else
        raise InvalidArgument(
            "undo is of another type.", hint="Give words, or Undo(tool=..., arguments=...).", field="undo"
        )
    return undo if undo.words.strip() or undo.tool.strip() else None
