"""A worker carries out steps of any run of an engine until it is stopped: in a process of its own, or in a server.

It has a session in the journal, with a lease. When it dies, what it had begun is in doubt once the lease is over. A
shared engine delivers its work to another worker; a server goes on with it when it is started again.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from tallystick.core.errors import StorageUnavailable, TallystickError, Unsupported
from tallystick.core.types import Actor
from tallystick.operations.runs import WORKER_CLIENT, WorkerOffer, record_offer
from tallystick.operations.runs import Engine as EngineName
from tallystick.operations.runtime.operation_context import Principal
from tallystick.operations.sessions import end_session
from tallystick.runner.checks import check_plan, find_masks, require_no_problems
from tallystick.runner.engines.follower import Follower
from tallystick.runner.engines.interface import DEFAULT_QUEUE, Engine
from tallystick.runner.engines.local import DEFAULT_AT_ONCE, ServerEngine
from tallystick.runner.plan_files import recorded_plan
from tallystick.runner.runner import Runner
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.sdk.async_dispatch import WriteQueue
from tallystick.sdk.local import GroupCaller, Local, keep_session, local_caller

if TYPE_CHECKING:
    from tallystick.operations.plans import PlanView

log = logging.getLogger("tallystick.worker")
SERVER_CLIENT = "tallystick serve"
"""The client of the session in which a server carries out runs."""
DEFAULT_LEASE_SECONDS = 30.0
RESTART_SECONDS = 1.0
"""After which a server goes on with its runs when something unexpected has failed, such as the store."""
DEFAULT_GRACE_SECONDS = 25.0
"""Less than a container or a service manager usually waits before it kills a process."""


class WorkerOptions(Struct, frozen=True, kw_only=True):
    """`lease`: how long it counts as alive without a word. `grace`: the seconds that calls under way get when it is
    stopped; then they are cancelled, and their outcome is unknown. `temporal`: the address of the cluster."""

    engine: Literal["queue", "temporal"] = "queue"
    temporal: str = ""
    queues: Sequence[str] = (DEFAULT_QUEUE,)
    at_once: Annotated[int, Meta(ge=1)] = DEFAULT_AT_ONCE
    lease: Annotated[float, Meta(gt=0)] = DEFAULT_LEASE_SECONDS
    grace: Annotated[float, Meta(ge=0)] = DEFAULT_GRACE_SECONDS


class Worker:
    """Serves one journal: its queue, or another engine of the given name."""

    def __init__(
        self,
        caller: GroupCaller,
        tools: ToolRegistry,
        options: WorkerOptions,
        engine: Callable[[], Engine] | None = None,
        *,
        engine_name: EngineName | None = None,
        client: str = WORKER_CLIENT,
    ) -> None:
        local = local_caller(caller)
        local.context.own.lease_seconds = options.lease
        self.name = f"{socket.gethostname()[:100]}:{os.getpid()} {','.join(options.queues)}"[:200]
        actor = Actor(kind="runner", name="runner")
        self._recorder = local.as_observer(actor, client, executes_calls=True, conversation=self.name)
        self._tools = tools
        self._options = options
        self._engine = engine() if engine else open_engine(local, options)
        self._engine_name = engine_name or options.engine
        self._is_listed = client == WORKER_CLIENT

    async def run(self, stopping: asyncio.Event) -> None:
        """Carry out steps until `stopping` is set, then finish or give back what is under way."""
        queue = WriteQueue(self._recorder)
        own = self._recorder.context.own
        runner = Runner(queue.call, self._tools, self._engine, self._options.lease, session=lambda: own.id)
        follower = Follower(queue.call, self._engine, self._engine_name)
        await asyncio.to_thread(keep_session, self._recorder)  # it is listed before its first record
        if self._is_listed:
            await asyncio.to_thread(record_offer, self._recorder.context, self.name, self._offer())
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

    def _offer(self) -> WorkerOffer:
        resources = self._tools.policy.resources
        return WorkerOffer(
            engine=self._engine_name,
            queues=tuple(self._options.queues),
            tools=self._tools.resources(),
            resource_queues={name: rule.queue for name, rule in resources.items()},
        )

    async def _keep_session(self) -> None:
        while True:
            await asyncio.sleep(self._options.lease / 4)
            with suppress(StorageUnavailable):
                await asyncio.to_thread(keep_session, self._recorder)


def open_engine(local: Local, options: WorkerOptions) -> Engine:
    """The engine of a worker; raises Unsupported if it is not installed."""
    return open_temporal(local, options) if options.engine == "temporal" else open_queue(local, options)


def open_temporal(local: Local, options: WorkerOptions) -> Engine:
    """The journal's part of a Temporal cluster. Its name there follows from the journal's key."""
    try:
        from tallystick.runner.engines.temporal import TemporalEngine
    except ImportError as error:
        raise Unsupported("The engine temporal is not installed.", hint="Install tallystick[temporal].") from error
    return TemporalEngine(
        options.temporal,
        name=f"tallystick-{local.context.digest('temporal')}",
        queues=options.queues,
        at_once=options.at_once,
        lease_seconds=options.lease,
    )


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


class ServerWorker:
    """Carries out the runs that a server was asked for, in a thread and an event loop of its own.

    What was asked for before it was started is taken up. A loop that fails is started again.
    """

    has_tools = True

    def __init__(self, caller: Local, tools: ToolRegistry, options: WorkerOptions) -> None:
        context = caller.context
        self._caller = Local(context.for_journal(context.journal, Principal()))
        self._tools = tools
        self._options = options
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._is_stopped = False
        self._thread = Thread(target=lambda: asyncio.run(self._serve()), name="tallystick-runs", daemon=True)

    def check(self, plan: PlanView, parameters: Mapping[str, Any]) -> None:
        """Raise InvalidArgument if a revision of a plan cannot be carried out with the tools of the server."""
        recorded = recorded_plan(plan)
        require_no_problems(find_masks(recorded))
        require_no_problems(check_plan(recorded, self._tools, parameters))

    @contextmanager
    def running(self) -> Iterator[None]:
        """Carry out runs while the context is open."""
        self._thread.start()
        try:
            yield
        finally:
            self._stop()

    def end(self) -> None:
        """Begin nothing more. Calls under way have the grace of the options to end; then their outcome is unknown."""
        self._is_stopped = True
        if self._loop is not None and self._stopping is not None:
            with suppress(RuntimeError):  # its loop is closed
                self._loop.call_soon_threadsafe(self._stopping.set)

    def _stop(self) -> None:
        self.end()
        self._thread.join()
        own = self._caller.context.own
        own.over = True
        with suppress(TallystickError):  # without the store, its lock and lease end the session
            if own.id:
                end_session(self._caller.context, {"session_id": own.id})

    async def _serve(self) -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        while not self._is_stopped and not self._stopping.is_set():
            worker = Worker(
                self._caller,
                self._tools,
                self._options,
                lambda: ServerEngine(self._options.at_once),
                engine_name="server",
                client=SERVER_CLIENT,
            )
            try:
                await worker.run(self._stopping)
            except Exception:
                log.exception("runs are not carried out for %g s", RESTART_SECONDS)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), RESTART_SECONDS)
