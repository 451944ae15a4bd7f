"""Spans, log records and metrics as they are built here, before the SDK's types: times in microseconds, ids as numbers.

They know nothing of the SDK, which only `receiver` imports.
"""

import re
from hashlib import blake2b
from typing import Literal

from msgspec import Struct

AttributeValue = str | int | float | bool
Attributes = dict[str, AttributeValue]
Status = Literal["unset", "ok", "error"]
Signal = Literal["traces", "logs", "metrics"]
SIGNALS: tuple[Signal, ...] = ("traces", "logs", "metrics")
UNSUPPORTED = (404, 405, 501)
"""Answers of a receiver that does not know a signal: Phoenix takes traces alone."""
BAD_DATA = (400, 413, 422)
"""Answers that say that this very request will never be taken."""
_CALLER = re.compile(r"([0-9a-f]{32})(?:-([0-9a-f]{16}))?")


class SpanPlace(Struct, frozen=True):
    """A span of some trace, as others refer to it. `span` 0: the trace alone is known."""

    trace: int
    span: int = 0


class SpanLink(Struct, frozen=True):
    """A reference to another span. `role` says what that one is."""

    to: SpanPlace
    role: Literal["execution", "caller", "undoes", "plan"]


class SpanEvent(Struct, frozen=True):
    name: str
    at: int
    attributes: Attributes


class SpanRecord(Struct, frozen=True, kw_only=True):
    """One finished span."""

    name: str
    place: SpanPlace
    start: int
    end: int
    attributes: Attributes
    parent: int = 0
    is_remote: bool = False
    """Whether the parent is a span of the caller, and not one of ours."""
    status: Status = "unset"
    message: str = ""
    events: tuple[SpanEvent, ...] = ()
    links: tuple[SpanLink, ...] = ()

    @property
    def seconds(self) -> float:
        return (self.end - self.start) / 1_000_000


class EventRecord(Struct, frozen=True, kw_only=True):
    """One log record. `place` is the span that it is about."""

    name: str
    at: int
    text: str
    attributes: Attributes
    place: SpanPlace | None = None
    is_warning: bool = False


class SpanIds:
    """Trace and span ids, derived from the journal's own key and an id in it: a repetition is the same span."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def trace(self, id: str) -> int:
        return self._number(id, 16, b"tallystick-trace")

    def span(self, id: str) -> int:
        return self._number(id, 8, b"tallystick-span")

    def instance(self, journal: str) -> str:
        """Tells journals of the same name apart, in different stores."""
        return f"{self._number(journal, 16, b'tallystick-home'):032x}"

    def _number(self, id: str, size: int, use: bytes) -> int:
        digest = blake2b(id.encode(), digest_size=size, key=self._key[:64], person=use).digest()
        return int.from_bytes(digest) or 1  # zero is no id


def caller_of(trace: str) -> SpanPlace | None:
    """The span of the caller, from the `trace` of an entry; None if it has none, or one of zeros."""
    found = _CALLER.fullmatch(trace)
    place = SpanPlace(int(found[1], 16), int(found[2] or "0", 16)) if found else None
    return place if place and place.trace else None


class NotDelivered(Exception):
    """A request was not taken. `retry_after`: how long to wait at least, in seconds."""

    def __init__(self, problem: str, *, status: int = 0, retry_after: float = 0.0) -> None:
        super().__init__(problem)
        self.status = status
        self.retry_after = retry_after

    @property
    def is_unsupported(self) -> bool:
        return self.status in UNSUPPORTED

    @property
    def is_bad_data(self) -> bool:
        return self.status in BAD_DATA


class OtlpRejection(Struct, frozen=True):
    """A part of a request that the receiver did not take, and will never take, though it took the rest."""

    signal: Signal
    count: int
    message: str
