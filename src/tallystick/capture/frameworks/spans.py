"""The spans of OpenAI Agents traces that are open: which agent a call belongs to, and what else is known of it.

All who process traces in this process are told of each span, also of runs that have the hooks of another one. So they
share what they know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct, field

if TYPE_CHECKING:
    from agents import Span

T = TypeVar("T")


class Place(Struct, Generic[T]):
    """An open span. `told_by` are the hooks that tell of what happens there; `call` is the call that they have begun.
    `processors` are those who were told that it is open; `refused` says that a guardrail lets the call not be made."""

    kind: str
    name: str
    parent: str
    told_by: T | None = None
    call: tuple[str, str, int] | None = None
    refused: bool = False
    processors: set[int] = field(default_factory=set)


class Spans(Generic[T]):
    """All that are open, by their ids."""

    def __init__(self) -> None:
        self._places: dict[str, Place[T]] = {}

    def open(self, span: Span[Any], processor: T) -> None:
        data = span.span_data
        new: Place[T] = Place(data.type, getattr(data, "name", None) or "", span.parent_id or "")
        self._places.setdefault(span.span_id, new).processors.add(id(processor))

    def close(self, span: Span[Any], processor: T) -> None:
        """One of them knows that it is over; the last one forgets it."""
        if place := self.at(span):
            place.processors.discard(id(processor))
            if not place.processors:
                self._places.pop(span.span_id, None)

    def at(self, span: Span[Any] | None) -> Place[T] | None:
        return self._places.get(span.span_id) if span else None

    def agent_of(self, span: Span[Any] | None) -> Place[T] | None:
        return next((place for place in self._upwards(span) if place.kind == "agent"), None)

    def hooks_over(self, span: Span[Any]) -> T | None:
        """The hooks of the run, or of the one around it: an agent that is a tool has a run of its own, without any."""
        return next((place.told_by for place in self._upwards(span) if place.told_by), None)

    def is_nested(self, span: Span[Any] | None) -> bool:
        """Whether the agent itself runs inside a call of another one."""
        kinds = [place.kind for place in self._upwards(span)]
        return "agent" in kinds and "function" in kinds[kinds.index("agent") :]

    def _upwards(self, span: Span[Any] | None) -> list[Place[T]]:
        """A span and those that it stands in, the nearest first."""
        found: list[Place[T]] = []
        place = self.at(span)
        while place:
            found.append(place)
            place = self._places.get(place.parent)
        return found
