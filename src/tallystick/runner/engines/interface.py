"""The contract of an engine. One conformance suite proves each sentence for every engine.

The journal is the truth: a step's begin is the claim, so an engine may lose, repeat or delay a delivery. That costs
time, never an effect.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from msgspec import Struct

from tallystick.operations.runs import DEFAULT_QUEUE as DEFAULT_QUEUE


class Work(Struct, frozen=True, omit_defaults=True):
    """Something to do for an execution: a step, or with an empty `step` to look what can be done.

    `attempts` were recorded when it was submitted, and `tries` of them count against the retry policy.
    """

    execution: str
    step: str = ""
    tries: int = 0
    attempts: int = 0

    @property
    def key(self) -> tuple[str, str]:
        """What makes it the same work."""
        return self.execution, self.step


class Limit(Struct, frozen=True):
    """At most so many handlers at once for all work with a limit of this name, over all workers."""

    name: str
    at_most: int


Handler = Callable[[Work], Awaitable[None]]
Rank = tuple[float, ...]
"""The smaller, the sooner: minus the priority, minus the seconds behind, the place in the plan. The empty one is the
first."""


class Engine(Protocol):
    """Delivers work to handlers, at least once."""

    is_shared: bool
    """Whether other workers may have the next piece of work of an execution."""
    keeps_order: bool
    """Whether of what waits the first in rank is delivered first; else the order follows priorities only roughly."""

    async def submit(
        self,
        work: Work,
        *,
        delay: float = 0.0,
        rank: Rank = (),
        queue: str = DEFAULT_QUEUE,
        limit: Limit | None = None,
    ) -> None:
        """Deliver a piece of work to a worker that serves the queue, not before `delay` seconds have passed.

        - A look, which is work without a step, is delivered to any worker.
        - Of what waits, the first in rank is delivered first, if the engine keeps the order.
        - The same work that still waits is delivered once, as it was submitted last, at the earliest of its times.
        - Work that waits for its limit does not hold up other work.
        - A shared engine raises StorageUnavailable if its server did not take the work.
        """

    async def serve(self, handler: Handler) -> None:
        """Hand work to the handler until `stop` is called, so many pieces at once as the engine was made for.

        - What a dead worker had is delivered again, once its lease is over.
        - An error of the handler is raised here; a shared engine logs it, and delivers the work again later.
        """

    async def cancel(self, execution: str) -> None:
        """Forget the work of an execution that waits for delivery. A shared engine may still deliver what was submitted
        in the last seconds."""

    async def stop(self, grace: float = 0.0) -> None:
        """Deliver nothing more. Handlers that still run have `grace` seconds to finish, then they are cancelled.

        What they had, and what waits at a shared engine, is delivered by another worker.
        """
