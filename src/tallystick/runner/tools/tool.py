"""A tool as the runner sees it, the answer of a call, and what is safe to repeat."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Annotated, Any

from msgspec import Meta, Struct, json

from tallystick.core.errors import InvalidArgument
from tallystick.core.types import MAX_SECONDS, Effect, ErrorCategory, Outcome, Retry, Undo, convert
from tallystick.runner.expressions import FillFunction, fill

REPEATABLE_EFFECTS = ("read", "idempotent")
WITHOUT_EFFECT: tuple[ErrorCategory, ...] = ("not_done", "transient")
"""Errors after which nothing has happened."""
UNANSWERED: tuple[ErrorCategory, ...] = ("timed_out", "lost", "cancelled")
"""Errors after which nobody knows whether something has happened."""


class ToolError(Exception):
    """What a tool raises to say what came of its call.

    `not_done`: nothing happened, and repeating it is pointless. `transient`: nothing happened, and it may work later
    (after `retry_after` seconds). `failed`: it failed, and something may have happened. `lost`: no answer came.
    """

    def __init__(
        self, message: str, category: ErrorCategory = "failed", *, retry_after: float = 0.0, result: Any = None
    ) -> None:
        super().__init__(message)
        self.category = category
        self.retry_after = retry_after
        self.result = result


def json_in(text: str) -> dict[str, Any]:
    """The field `json` of a result whose text is a JSON object or list; else nothing."""
    if text[:1] in ("{", "["):
        with suppress(Exception):
            return {"json": json.decode(text)}
    return {}


class CallContext(Struct, frozen=True, kw_only=True):
    """The call at hand. `idempotency_key` is the same for every attempt at a step: hand it to a service that takes
    one. `process_lock` is held by the processes of the call; see `processes`."""

    execution: str
    step: str
    attempt: int
    idempotency_key: str
    timeout: float | None = None
    process_lock: str = ""


class ToolAnswer(Struct, frozen=True, kw_only=True):
    """What came of a call. `category` is empty when it went well."""

    result: Any = None
    error: str = ""
    category: ErrorCategory | None = None
    retry_after: float = 0.0

    @property
    def outcome(self) -> Outcome:
        if self.category is None:
            return "ok"
        return "unknown" if self.category in UNANSWERED else "failed"

    @property
    def without_effect(self) -> bool:
        return self.category in WITHOUT_EFFECT


class ProbeFinding(Struct, frozen=True, kw_only=True):
    """What a probe found: it happened (with its result), it did not, or it could not be told."""

    happened: bool | None
    result: Any = None
    evidence: str = ""


CheckFunction = Callable[[Mapping[str, Any], str], None]
"""Raises InvalidArgument for arguments with a reference where the tool can fill in none."""
CallFunction = Callable[[dict[str, Any], CallContext], Awaitable[ToolAnswer]]
ProbeFunction = Callable[[dict[str, Any], CallContext], Awaitable[ProbeFinding]]


_OPTION_HINTS = {
    "name": "Give a text of at most 200 characters.",
    "retry": "Give attempts, such as retry=3, or Retry(3, backoff=1).",
    "timeout": "Give seconds, such as timeout=30.",
    "undo": "Give words, or Undo(tool=..., arguments=...).",
    "at_most": "Give a whole number of at least 1, such as at_most=4.",
    "per_second": "Give a number above 0, such as per_second=2.",
    "resource": 'Give a name, such as resource="bank".',
    "needs_approval": "Give True or False.",
}


class ToolOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of a tool that are checked when they are given."""

    name: Annotated[str, Meta(max_length=200)] = ""
    effect: Effect | None = None
    retry: Retry | Annotated[int, Meta(ge=1, le=1000)] | None = None
    timeout: Annotated[float, Meta(gt=0, le=MAX_SECONDS)] | None = None
    undo: Undo | str | None = None
    at_most: Annotated[int, Meta(ge=1)] | None = None
    per_second: Annotated[float, Meta(gt=0)] | None = None
    resource: Annotated[str, Meta(max_length=200)] = ""
    needs_approval: bool = False


def check_options(name: str, options: Mapping[str, Any]) -> ToolOptions:
    """The options of a tool; raises InvalidArgument for one that is unknown or does not fit, with the fix."""
    try:
        return convert(options, ToolOptions, "@tool")
    except InvalidArgument as error:
        message = error.message.replace("There is no argument", "there is no option", 1)
        hint = _OPTION_HINTS.get((error.field or "").partition(".")[0], error.hint)
        raise InvalidArgument(
            f'The tool "{str(name)[:80]}": {message}', hint=hint, field=error.field, allowed=error.allowed
        ) from None


class RunnerTool(Struct, frozen=True, kw_only=True):
    """Something that a step can call.

    `effect` None: the plan says what its effect is. `at_most`: calls at once. `per_second`: calls begun in a second.
    `input_schema`, `output_schema`: JSON Schemas; None where nothing is known. `fill`: how references become values,
    such as words of a command or parts of an address, but never code. `aliases`: other names of it. `secrets`: those
    that its arguments may name; None for all. `starts_processes`: its calls may outlive the runner. `close`: ends what
    its calls have opened.
    """

    name: str
    call: CallFunction
    description: str = ""
    source: str = "python"
    effect: Effect | None = None
    probe: ProbeFunction | None = None
    retry: Retry | None = None
    timeout: float | None = None
    undo: Undo | None = None
    at_most: int | None = None
    per_second: float | None = None
    resource: str = ""
    needs_approval: bool = False
    input_schema: dict[str, Any] | None = None
    output_schema: dict[str, Any] | None = None
    fill: FillFunction = fill
    check: CheckFunction | None = None
    aliases: tuple[str, ...] = ()
    secrets: tuple[str, ...] | None = None
    starts_processes: bool = False
    close: Callable[[], Awaitable[None]] | None = None

    def __post_init__(self) -> None:
        check_options(self.name, {name: getattr(self, name) for name in ToolOptions.__struct_fields__})


def may_repeat(category: ErrorCategory, effect: Effect) -> bool:
    """Whether a call may be repeated without knowing more: nothing happened, or it does no harm twice."""
    if category == "transient":
        return True
    return effect in REPEATABLE_EFFECTS and category in ("failed", "timed_out", "lost")


def should_retry(answer: ToolAnswer, retry: Retry | None, effect: Effect, attempt: int) -> bool:
    """Whether a runner makes another attempt by itself."""
    category = answer.category
    if category is None or retry is None or attempt >= retry.attempts or not may_repeat(category, effect):
        return False
    return not retry.on or category in retry.on


def retry_delay(retry: Retry, attempt: int, random: float, retry_after: float = 0.0) -> float:
    """Seconds before the attempt after `attempt`: exponential, with jitter down to the half; `random` is in [0, 1)."""
    wait = min(retry.backoff * 2.0 ** min(attempt - 1, 60), retry.longest)
    return max(wait * (0.5 + random / 2), retry_after)
