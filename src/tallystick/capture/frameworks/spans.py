"""The spans of an OpenAI Agents trace that are open: which agent a call belongs to, and what else is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from agents import Span


class Place(Struct):
    """An open span. `told` says that the hooks tell of what happens there; `call` is the call that they have begun."""

    kind: str
    name: str
    parent: str
    told: bool = False
    call: tuple[str, str] | None = None


class Spans:
    """All that are open, by their ids."""

    def __init__(self) -> None:
        self._places: dict[str, Place] = {}

    def open(self, span: Span[Any]) -> None:
        data = span.span_data
        self._places[span.span_id] = Place(data.type, getattr(data, "name", None) or "", span.parent_id or "")

    def close(self, span: Span[Any]) -> None:
        self._places.pop(span.span_id, None)

    def at(self, span: Span[Any] | None) -> Place | None:
        return self._places.get(span.span_id) if span else None

    def agent_of(self, span: Span[Any] | None) -> Place | None:
        return next((place for place in self._upwards(span) if place.kind == "agent"), None)

    def is_nested(self, span: Span[Any] | None) -> bool:
        """Whether the agent itself runs inside a call of another one."""
        kinds = [place.kind for place in self._upwards(span)]
        return "agent" in kinds and "function" in kinds[kinds.index("agent") :]

    def _upwards(self, span: Span[Any] | None) -> list[Place]:
        """A span and those that it stands in, the nearest first."""
        found: list[Place] = []
        place = self.at(span)
        while place:
            found.append(place)
            place = self._places.get(place.parent)
        return found
