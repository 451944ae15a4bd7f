"""Limits on calls at once and on calls a second, by tool and by resource.

The engine limits steps over all workers, before it delivers them: by their resource, else by their tool. What it cannot
limit, such as undos and rates, is limited inside each process.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from time import monotonic

from tallystick.runner.engines.interface import DEFAULT_QUEUE, Limit
from tallystick.runner.tools.registry import Policy
from tallystick.runner.tools.tool import RunnerTool


class CallLimit:
    """At most so many calls at once, and so many begun in a second."""

    def __init__(self, at_most: int | None, per_second: float | None) -> None:
        self._slots = asyncio.Semaphore(at_most) if at_most else None
        self._gap = 1.0 / per_second if per_second else 0.0
        self._next = 0.0

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait for a free slot, and for the time of the next call."""
        if self._slots is not None:
            await self._slots.acquire()
        try:
            if self._gap:
                due = max(self._next, monotonic())
                self._next = due + self._gap
                await asyncio.sleep(due - monotonic())
            yield
        finally:
            if self._slots is not None:
                self._slots.release()


class CallLimits:
    """The limits of all tools and resources. What waits for a slot has not begun."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._limits: dict[tuple[str, str], CallLimit] = {}

    def delivery_limit(self, tool: RunnerTool | None, resource: str) -> Limit | None:
        """The limit by which an engine holds back a step that uses a tool and a resource."""
        if resource:
            rule = self._policy.resources.get(resource)
            at_most = rule.at_most if rule else 1
            return Limit(f"resource {resource}", at_most) if at_most else None
        return Limit(f"tool {tool.name}", tool.at_most) if tool and tool.at_most else None

    def apply_to(self, tool: RunnerTool, resource: str) -> bool:
        """Whether a step that uses a tool, and maybe a resource, has to wait for a slot."""
        return bool(resource or tool.resource or tool.at_most or tool.per_second)

    def queue(self, resource: str) -> str:
        """The queue for steps that use a resource."""
        rule = self._policy.resources.get(resource)
        return rule.queue if rule else DEFAULT_QUEUE

    @asynccontextmanager
    async def slots(self, tool: RunnerTool, resource: str) -> AsyncIterator[None]:
        """Hold a slot of the resource and of the tool, always in this order, so that nobody waits in a circle."""
        async with AsyncExitStack() as stack:
            if resource:
                rule = self._policy.resources.get(resource)
                await stack.enter_async_context(
                    self._limit("resource", resource, rule.at_most if rule else 1, rule.per_second if rule else None)
                )
            if tool.at_most or tool.per_second:
                await stack.enter_async_context(self._limit("tool", tool.name, tool.at_most, tool.per_second))
            yield

    def _limit(
        self, kind: str, name: str, at_most: int | None, per_second: float | None
    ) -> AbstractAsyncContextManager[None]:
        found = self._limits.get((kind, name))
        if found is None:
            found = self._limits[kind, name] = CallLimit(at_most, per_second)
        return found.slot()
