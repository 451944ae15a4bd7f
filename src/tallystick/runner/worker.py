"""A worker: a process that carries out steps of any run of a shared engine, until it is stopped.

It has a session in the journal, with a lease. When it dies, what it had begun is in doubt once the lease is over, and
the engine delivers its work to another worker.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

from msgspec import Meta, Struct

from tallystick.core.errors import StorageUnavailable, Unsupported
from tallystick.core.types import Actor
from tallystick.runner.engines.follower import Follower
from tallystick.runner.engines.interface import DEFAULT_QUEUE, Engine
from tallystick.runner.engines.local import DEFAULT_AT_ONCE
from tallystick.runner.runner import Runner
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.sdk.async_dispatch import WriteQueue
from tallystick.sdk.local import GroupCaller, Local, local_caller

log = logging.getLogger("tallystick.worker")
CLIENT = "tallystick worker"
"""The client of a worker's session."""
DEFAULT_LEASE_SECONDS = 30.0
DEFAULT_GRACE_SECONDS = 25.0
"""Less than a container or a service manager usually waits before it kills a process."""


class WorkerOptions(Struct, frozen=True, kw_only=True):
    """`lease`: how long it counts as alive without a word. `grace`: the seconds that calls under way get when it is
    stopped; then they are cancelled, and their outcome is unknown."""

    queues: Sequence[str] = (DEFAULT_QUEUE,)
    at_once: Annotated[int, Meta(ge=1)] = DEFAULT_AT_ONCE
    lease: Annotated[float, Meta(gt=0)] = DEFAULT_LEASE_SECONDS
    grace: Annotated[float, Meta(ge=0)] = DEFAULT_GRACE_SECONDS


class Worker:
    """Serves the queue of one journal."""

    def __init__(self, caller: GroupCaller, tools: ToolRegistry, options: WorkerOptions) -> None:
        local = local_caller(caller)
        local.context.own.lease_seconds = options.lease
        self.name = f"{socket.gethostname()[:100]}:{os.getpid()} {','.join(options.queues)}"[:200]
        actor = Actor(kind="runner", name="runner")
        self._recorder = local.as_observer(actor, CLIENT, executes_calls=True, conversation=self.name)
        self._tools = tools
        self._options = options
        self._engine = open_queue(local, options)

    async def run(self, stopping: asyncio.Event) -> None:
        """Carry out steps until `stopping` is set, then finish or give back what is under way."""
        queue = WriteQueue(self._recorder)
        runner = Runner(queue.call, self._tools, self._engine, self._options.lease)
        follower = Follower(queue.call, self._engine, "queue")
        await asyncio.to_thread(self._open_session)
        serving = asyncio.create_task(self._engine.serve(runner.handle))
        tasks = {asyncio.create_task(follower.run()), asyncio.create_task(self._keep_session()), serving}
        stopped = asyncio.ensure_future(stopping.wait())
        try:
            await asyncio.wait({*tasks, stopped}, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    task.result()
            log.info("stopping: calls under way have %g s", self._options.grace)
        finally:
            stopped.cancel()
            for task in tasks - {serving}:
                task.cancel()
            await self._engine.stop(self._options.grace)
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._tools.close()
            queue.close()

    def _open_session(self) -> None:
        """Open the session of this worker, or renew it: it is listed before its first record."""
        self._recorder.context.write(lambda transaction: transaction.session)

    async def _keep_session(self) -> None:
        while True:
            await asyncio.sleep(self._options.lease)
            with suppress(StorageUnavailable):
                await asyncio.to_thread(self._open_session)


def open_queue(local: Local, options: WorkerOptions) -> Engine:
    """The queue of a journal; raises InvalidArgument if its store has none."""
    try:
        from tallystick.runner.engines.queue import QueueEngine
    except ImportError as error:
        raise Unsupported("The engine queue is not installed.", hint="Install tallystick[queue].") from error
    return QueueEngine(
        local.context.settings.url,
        local.context.journal,
        queues=options.queues,
        at_once=options.at_once,
        lease=options.lease,
    )
