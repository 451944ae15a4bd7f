"""The engine `temporal`: delivers work by a Temporal cluster (`tallystick[temporal]`).

One workflow for each piece of work (`Delivery`) waits for its time and its limit, then calls an activity, which is the
handler. A worker that dies stops its heartbeats, and the activity is given to another one. A limit is a workflow too
(`Slots`). Nothing is replayed but these two: what a plan did is in the journal.

Temporal has five priorities: steps are delivered in the order of their plan's priorities, and otherwise in any order.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from time import time
from typing import Any

from msgspec import convert, to_builtins
from temporalio import activity, workflow
from temporalio.client import Client, WorkflowHandle
from temporalio.common import Priority, RetryPolicy, WorkflowIDConflictPolicy
from temporalio.envconfig import ClientConfig
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from tallystick.core.errors import StorageUnavailable
from tallystick.runner.engines.interface import DEFAULT_QUEUE, Handler, Limit, Rank, Work

log = logging.getLogger(__name__)
DEFAULT_ADDRESS = "localhost:7233"
DEFAULT_LEASE_SECONDS = 60.0
FIRST_RETRY_SECONDS = 1.0
LONGEST_RETRY_SECONDS = 60.0
"""Between two deliveries of work whose handler raised an error: twice as long each time."""
TAKEOVER_SECONDS = 0.1
"""Between the end of a dead worker's lease and the next delivery."""
DEAD_WORKER_SECONDS = 1.0
"""How long a workflow waits for the worker that has it in memory; the cluster's own 10 s would delay a takeover."""
WORKFLOW_TASK_SECONDS = 3.0
"""How long a worker may take for one decision of a workflow, before another one makes it."""
MAX_RESULT_EVENTS = 5000
"""Events of the history of a limit, after which it begins anew."""
MOST_URGENT, NORMAL, LEAST_URGENT = 1, 3, 5
"""Priorities of Temporal: a look is the most urgent."""


@workflow.defn(name="tallystick.Delivery")
class Delivery:
    """Delivers one piece of work, again for as long as it is submitted meanwhile."""

    def __init__(self) -> None:
        self._waiting: dict[str, Any] | None = None
        self._slot = 0
        """The number of the slot that was asked for last: one delivery may wait for its own while another has one."""
        self._granted = 0
        self._under_way: set[asyncio.Task[None]] = set()

    @workflow.run
    async def run(self, lease: float) -> None:
        await workflow.wait_condition(lambda: self._waiting is not None)
        while self._waiting is not None or self._under_way:
            await workflow.wait_condition(lambda: self._waiting is not None or not self._under_way)
            if self._waiting is None or not await self._is_due():
                continue
            limit = self._waiting["limit"]
            if limit is not None and not await self._acquire(limit):
                continue
            submitted, self._waiting = self._waiting, None
            task = asyncio.create_task(self._deliver_and_release(submitted, lease, self._slot))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)

    async def _deliver_and_release(self, submitted: dict[str, Any], lease: float, slot: int) -> None:
        with suppress(Exception):  # a cancelled delivery gives its slot back too
            await self._deliver(submitted, lease)
        if submitted["limit"] is not None:
            await self._signal_slots(submitted["limit"], "release", slot)

    async def _is_due(self) -> bool:
        """Wait for the time of the work; returns False if it was changed or forgotten meanwhile."""
        before = self._waiting
        assert before is not None
        seconds = before["at"] - workflow.time()
        if seconds > 0:
            with suppress(asyncio.TimeoutError):
                await workflow.wait_condition(lambda: self._waiting is not before, timeout=seconds)
                return False
        return True

    async def _acquire(self, limit: dict[str, Any]) -> bool:
        self._slot += 1
        slot = self._slot
        await self._signal_slots(limit, "acquire", slot)
        await workflow.wait_condition(lambda: self._granted == slot or self._waiting is None)
        if self._waiting is not None:
            return True
        await self._signal_slots(limit, "release", slot)
        return False

    async def _signal_slots(self, limit: dict[str, Any], signal: str, slot: int) -> None:
        with suppress(Exception):  # a limit that has ended holds nobody up
            handle = workflow.get_external_workflow_handle(slots_id(limit["name"]))
            await handle.signal(signal, f"{workflow.info().workflow_id}#{slot}")

    async def _deliver(self, submitted: dict[str, Any], lease: float) -> None:
        await workflow.execute_activity(
            "tallystick.handle",
            submitted["work"],
            task_queue=submitted["queue"],
            start_to_close_timeout=timedelta(days=3650),
            heartbeat_timeout=timedelta(seconds=lease),
            retry_policy=RetryPolicy(initial_interval=timedelta(seconds=TAKEOVER_SECONDS), backoff_coefficient=1.0),
            priority=Priority(priority_key=submitted["priority"]),
        )

    @workflow.signal
    def submit(self, submitted: dict[str, Any]) -> None:
        if self._waiting is not None:
            submitted["at"] = min(submitted["at"], self._waiting["at"])
        self._waiting = submitted

    @workflow.signal
    def grant(self, slot: int) -> None:
        self._granted = slot

    @workflow.signal
    def forget(self) -> None:
        self._waiting = None


@workflow.defn(name="tallystick.Slots")
class Slots:
    """At most so many deliveries at once."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._granted: list[str] = []

    @workflow.run
    async def run(self, at_most: int, waiting: list[str], granted: list[str]) -> None:
        self._waiting[:0], self._granted[:0] = waiting, granted
        while True:
            await workflow.wait_condition(lambda: bool(self._waiting) and len(self._granted) < at_most)
            name = self._waiting.pop(0)
            self._granted.append(name)
            delivery, _, slot = name.rpartition("#")
            try:
                await workflow.get_external_workflow_handle(delivery).signal("grant", int(slot))
            except Exception:  # the delivery has ended
                self._granted.remove(name)
            if workflow.info().get_current_history_length() > MAX_RESULT_EVENTS:
                workflow.continue_as_new(args=[at_most, self._waiting, self._granted])

    @workflow.signal
    def acquire(self, name: str) -> None:
        if name not in self._waiting and name not in self._granted:
            self._waiting.append(name)

    @workflow.signal
    def release(self, name: str) -> None:
        for names in (self._waiting, self._granted):
            if name in names:
                names.remove(name)


def slots_id(limit: str) -> str:
    return f"tallystick-slots:{limit}"


class TemporalEngine:
    """Submits to a Temporal cluster, and serves `queues`. `name` tells journals of one cluster apart.

    What is not given, such as the `address`, a namespace or a key, comes from Temporal's own variables and file.
    `at_once` counts for each queue, and for looks: a worker takes nothing that would have to wait in it.
    """

    is_shared = True
    keeps_order = False

    def __init__(
        self,
        address: str = "",
        *,
        name: str = "tallystick",
        at_once: int = 16,
        queues: Sequence[str] = (DEFAULT_QUEUE,),
        lease_seconds: float = DEFAULT_LEASE_SECONDS,
    ) -> None:
        self._address = address
        self._name = name
        self._at_once = at_once
        self._queues = tuple(queues)
        self._lease = lease_seconds
        self._client: Client | None = None
        self._stopping = asyncio.Event()
        self._served = asyncio.Event()
        self._workers: list[Worker] = []
        self._handling: set[asyncio.Future[None]] = set()

    async def _connected(self) -> Client:
        if self._client is None:
            settings = ClientConfig.load_client_connect_config()
            settings["target_host"] = self._address or settings.get("target_host", DEFAULT_ADDRESS)
            try:
                self._client = await Client.connect(**settings)
            except RuntimeError as error:
                raise StorageUnavailable(
                    f"Temporal cannot be reached at {settings['target_host']}: {error}",
                    hint="Check the address and that the cluster runs.",
                ) from error
        return self._client

    def _task_queue(self, queue: str) -> str:
        return f"{self._name}:{queue}"

    async def submit(
        self,
        work: Work,
        *,
        delay: float = 0.0,
        rank: Rank = (),
        queue: str = DEFAULT_QUEUE,
        limit: Limit | None = None,
    ) -> None:
        submitted = {
            "work": to_builtins(work),
            "at": time() + delay,
            "queue": self._task_queue(queue if work.step else "look"),
            "priority": _priority(work, rank),
            "limit": {"name": f"{self._name}:{limit.name}"} if limit else None,
        }
        client = await self._connected()
        try:
            if limit is not None:
                await self._ensure_slots(client, limit)
            await client.start_workflow(
                Delivery.run,
                self._lease,
                id=self._workflow_id(work),
                task_queue=self._name,
                task_timeout=timedelta(seconds=WORKFLOW_TASK_SECONDS),
                start_signal="submit",
                start_signal_args=[submitted],
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            )
        except RPCError as error:
            raise StorageUnavailable(f"Temporal did not take the work: {error}.", hint="Try again.") from error

    def _workflow_id(self, work: Work) -> str:
        return f"{self._name}:{work.execution}:{work.step}"

    async def _ensure_slots(self, client: Client, limit: Limit) -> None:
        await client.start_workflow(
            Slots.run,
            args=[limit.at_most, [], []],
            id=slots_id(f"{self._name}:{limit.name}"),
            task_queue=self._name,
            task_timeout=timedelta(seconds=WORKFLOW_TASK_SECONDS),
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
        )

    async def serve(self, handler: Handler) -> None:
        client = await self._connected()

        @activity.defn(name="tallystick.handle")
        async def handle(work: dict[str, Any]) -> None:
            beating = asyncio.create_task(self._beat())
            task = asyncio.ensure_future(handler(convert(work, Work)))
            self._handling.add(task)
            try:
                await _until_done(task)
            except Exception as error:
                raise _try_later(work, error) from error
            finally:
                self._handling.discard(task)
                beating.cancel()

        self._workers = [
            Worker(
                client,
                task_queue=self._task_queue(queue),
                activities=[handle],
                max_concurrent_activities=self._at_once,
                max_heartbeat_throttle_interval=timedelta(seconds=self._lease / 4),
                graceful_shutdown_timeout=timedelta(seconds=0),
            )
            for queue in ("look", *self._queues)
        ]
        self._workers.append(
            Worker(
                client,
                task_queue=self._name,
                workflows=[Delivery, Slots],
                workflow_runner=UnsandboxedWorkflowRunner(),
                sticky_queue_schedule_to_start_timeout=timedelta(seconds=DEAD_WORKER_SECONDS),
            )
        )
        running = [asyncio.create_task(worker.run()) for worker in self._workers]
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait({stopping, *running}, return_when=asyncio.FIRST_COMPLETED)
            for task in running:
                if task.done():
                    task.result()
        finally:
            stopping.cancel()
            await asyncio.gather(*(worker.shutdown() for worker in self._workers), return_exceptions=True)
            await asyncio.gather(*running, return_exceptions=True)
            self._served.set()

    async def _beat(self) -> None:
        """Say again and again that the handler is alive."""
        while True:
            activity.heartbeat()
            await asyncio.sleep(self._lease / 4)

    async def cancel(self, execution: str) -> None:
        client = await self._connected()
        async for found in client.list_workflows(
            f"WorkflowType = 'tallystick.Delivery' and ExecutionStatus = 'Running' "
            f"and WorkflowId STARTS_WITH '{self._name}:{execution}:'"
        ):
            handle: WorkflowHandle[Any, Any] = client.get_workflow_handle(found.id)
            try:
                await handle.signal(Delivery.forget)
            except RPCError as error:
                if error.status is not RPCStatusCode.NOT_FOUND:
                    raise

    async def stop(self, grace: float = 0.0) -> None:
        if not self._workers:
            self._stopping.set()
            return
        handling = set(self._handling)
        if handling and grace > 0:
            await asyncio.wait(handling, timeout=grace)
        self._stopping.set()
        await self._served.wait()


async def _until_done(task: asyncio.Future[None]) -> None:
    """Wait for a handler. It is cancelled when its worker stops, but not when the cluster has given its work to another
    one: the journal decides which of both may go on."""
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            details = activity.cancellation_details()
            if details is None or details.worker_shutdown:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                raise
    task.result()


def _try_later(work: dict[str, Any], error: Exception) -> ApplicationError:
    """The error of a handler, with the time of the next delivery."""
    delay = min(FIRST_RETRY_SECONDS * 2.0 ** min(activity.info().attempt - 1, 20), LONGEST_RETRY_SECONDS)
    log.error("%s failed, and is delivered again in %g s", work, delay, exc_info=error)
    return ApplicationError(f"{type(error).__name__}: {error}", next_retry_delay=timedelta(seconds=delay))


def _priority(work: Work, rank: Rank) -> int:
    """The priority of Temporal for a rank, which begins with minus the priority of the plan."""
    if not work.step:
        return MOST_URGENT
    urgency = rank[0] if rank else 0
    return NORMAL + (urgency > 0) - (urgency < 0) + (urgency > 100)
