"""The contract of an engine. One conformance suite proves each sentence for every engine.

The journal is the truth: a step's begin is the claim, so an engine may lose, repeat or delay a delivery. That costs
time, never an effect.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from msgspec import Struct


class Work(Struct, frozen=True, omit_defaults=True):
    """Something to do for an execution: a step, or with an empty `step` to look what can be done.

    `tries` counts the attempts that were made before by the runner itself; 0 when that is not known.
    """

    execution: str
    step: str = ""
    tries: int = 0


Handler = Callable[[Work], Awaitable[None]]
Rank = tuple[float, ...]
"""The smaller, the sooner."""


class Engine(Protocol):
    """Delivers work to a handler, at least once."""

    async def submit(self, work: Work, *, delay: float = 0.0, rank: Rank = (), queue: str = "") -> None:
        """Deliver a piece of work, not before `delay` seconds have passed. What ranks first is delivered first.

        The same work that still waits is delivered once.
        """

    async def serve(self, handler: Handler) -> None:
        """Hand work to the handler until `stop` is called. What a dead worker had is delivered again."""

    async def cancel(self, execution: str) -> None:
        """Forget the work of an execution that waits for delivery."""

    async def stop(self, grace: float = 0.0) -> None:
        """Deliver nothing more. Handlers that still run have `grace` seconds to finish, then they are cancelled."""
