"""The engine `queue`: delivers work to any number of workers, through procrastinate in the journal's own PostgreSQL.

It uses procrastinate's tables and worker registry, in a schema of their own, and three statements instead of its
worker: work is submitted, fetched and finished in batches, and a limit has slots that are chosen when work is fetched.
(With procrastinate's own fetch, 5,000 jobs that wait for one lock delay every other job by 0.3 s.)

The tables hold ids of executions and names of steps, and no values. They can be dropped at any time: the journal
is the truth, and the next sweep submits what is due.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from typing import Any, Literal, LiteralString

import psycopg
import psycopg_pool
from msgspec import Struct, convert, to_builtins
from procrastinate import PsycopgConnector
from procrastinate.exceptions import ConnectorException, UniqueViolation
from procrastinate.manager import JobManager
from procrastinate.schema import SchemaManager
from psycopg.types.json import Jsonb

from tallystick.core.errors import StorageUnavailable, Unsupported
from tallystick.operations.runs import require_engine
from tallystick.runner.engines.interface import DEFAULT_QUEUE, Handler, Limit, Rank, Work
from tallystick.runner.engines.local import DEFAULT_AT_ONCE
from tallystick.runner.engines.queue_figures import SCHEMA, journal_prefix

logger = logging.getLogger("tallystick.queue")

DEFAULT_LEASE_SECONDS = 30.0
POLL_SECONDS = 1.0
"""How often a worker looks for work that no notification announced: its time has come, or a slot is free."""
PRUNE_AFTER_SECONDS = 86_400.0
"""When the row of a dead worker is deleted. Far above any lease: a job whose worker is unknown looks abandoned."""
FIRST_RETRY_SECONDS = 1.0
LONGEST_RETRY_SECONDS = 60.0
"""Between two deliveries of work whose handler raised an error: twice as long each time."""
MAX_PRIORITY = 2_000_000_000
SECONDS_PER_PRIORITY = 1_000_000
"""A priority counts more than the longest way behind a step, up to this."""
MAX_BATCH = 1000
CANCEL_AGAIN_SECONDS = 0.2
_SETUP_LOCK = 7_312_985_645
_FIND_SCHEMA = f"""select n.oid is not null, obj_description(n.oid, 'pg_namespace'),
    exists (select from pg_class c where c.relnamespace = n.oid and c.relname = 'procrastinate_jobs')
    from (select 1) one left join pg_namespace n on n.nspname = '{SCHEMA}'"""
_UNUSED_TRIGGERS = (
    "procrastinate_trigger_status_events_update_v1",
    "procrastinate_trigger_status_events_insert_v1",
    "procrastinate_trigger_scheduled_events_v1",
    "procrastinate_trigger_abort_requested_events_v1",
    "procrastinate_trigger_delete_jobs_v1",
)
"""They keep a history of jobs and of periodic ones, which the journal has: half of what a job costs the server."""
_SUBMIT: LiteralString = """
insert into procrastinate_jobs as job (queue_name, task_name, priority, lock, queueing_lock, args, scheduled_at)
select queue, 'tallystick', priority, lock, key, args || jsonb_build_object('at', extract(epoch from now())),
    case when delay > 0 then now() + make_interval(secs => delay) end
from unnest(%(queues)s::text[], %(priorities)s::int[], %(locks)s::text[], %(keys)s::text[], %(args)s::jsonb[],
    %(delays)s::float[]) as new (queue, priority, lock, key, args, delay)
on conflict (queueing_lock) where status = 'todo' do update
set args = excluded.args || jsonb_build_object('at', job.args->'at'), priority = excluded.priority,
    lock = excluded.lock,
    scheduled_at = case when job.scheduled_at is null or excluded.scheduled_at is null then null
        else least(job.scheduled_at, excluded.scheduled_at) end"""
_FETCH: LiteralString = """
with finished as (
    delete from procrastinate_jobs where id = any(%(finished)s::bigint[]) and worker_id = %(worker)s returning id
), busy as materialized (
    select regexp_replace(lock, '#[0-9]+$', '') as name, count(*) as count, array_agg(lock) as slots
    from procrastinate_jobs where status = 'doing' and lock is not null and id not in (select id from finished)
    group by 1
), due as (
    select job.id, job.priority, job.lock, (job.args->>'at_most')::int as at_most, busy.slots
    from procrastinate_jobs job left join busy on busy.name = job.lock
    where job.status = 'todo' and job.queue_name = any(%(queues)s::text[])
        and (job.scheduled_at is null or job.scheduled_at <= now())
        and (job.lock is null or coalesce(busy.count, 0) < (job.args->>'at_most')::int)
    order by job.priority desc, job.id limit %(limit)s for update of job skip locked
), chosen as (
    select distinct on (coalesce(lock, id::text)) id, lock, at_most, slots
    from due order by coalesce(lock, id::text), priority desc, id
)
update procrastinate_jobs job set status = 'doing', worker_id = %(worker)s,
    lock = chosen.lock || '#' || (select min(slot) from generate_series(1, chosen.at_most) slot
        where chosen.slots is null or chosen.lock || '#' || slot <> all(chosen.slots))
from chosen where job.id = chosen.id
returning job.id, job.args, job.priority, job.attempts"""
_GIVE_BACK: LiteralString = """
with mine as (
    select id, queueing_lock from procrastinate_jobs
    where id = any(%(ids)s::bigint[]) and status = 'doing' for update skip locked
), repeated as (
    select id from mine where exists (
        select from procrastinate_jobs other where other.queueing_lock = mine.queueing_lock and other.status = 'todo')
    or exists (select from mine other where other.queueing_lock = mine.queueing_lock and other.id < mine.id)
), dropped as (
    delete from procrastinate_jobs where id in (select id from repeated)
)
update procrastinate_jobs set status = 'todo', worker_id = null, attempts = attempts + 1,
    lock = regexp_replace(lock, '#[0-9]+$', ''),
    scheduled_at = case when %(delay)s > 0 then now() + make_interval(secs => %(delay)s) end
where id in (select id from mine) and id not in (select id from repeated)"""
_CANCEL: LiteralString = """delete from procrastinate_jobs
    where status = 'todo' and starts_with(queueing_lock, %(prefix)s)"""
_COUNTS: LiteralString = """select queue_name as queue, status::text, count(*) as count
    from procrastinate_jobs where starts_with(queue_name, %(prefix)s) group by 1, 2 order by 1, 2"""


class QueueCount(Struct, frozen=True, kw_only=True):
    """The work of one queue in one state: `waiting`, or `delivered` and not finished yet."""

    queue: str
    state: Literal["waiting", "delivered"]
    count: int


class _Order(Struct):
    """Work that is being submitted."""

    work: Work
    delay: float
    priority: int
    queue: str
    limit: Limit | None


class QueueEngine:
    """The queue of one journal, as one process sees it.

    `lease`: how long this worker counts as alive without a word. `queues`: those that it serves, beside looks.
    """

    is_shared = True
    keeps_order = True

    def __init__(
        self,
        url: str,
        journal: str,
        *,
        queues: Sequence[str] = (DEFAULT_QUEUE,),
        at_once: int = DEFAULT_AT_ONCE,
        lease: float = DEFAULT_LEASE_SECONDS,
    ) -> None:
        self._database = _Database(url)
        self._journal = journal_prefix(journal)
        self._queues = [self._queue_name(queue) for queue in ("", *queues)]
        self.at_once = at_once
        self._lease = lease
        self._orders: dict[tuple[str, str], _Order] = {}
        self._submitting: asyncio.Task[None] | None = None
        self._running: set[asyncio.Task[None]] = set()
        self._finished: list[int] = []
        self._unfinished: list[int] = []
        """What handlers had that were cancelled."""
        self._changed = asyncio.Event()
        self._stopping = asyncio.Event()
        self._served: asyncio.Event | None = None
        self._worker = 0

    def _queue_name(self, queue: str) -> str:
        """The queue's name in the table, the empty one for looks. It is part of a channel's name: at most 40 bytes."""
        return f"{self._journal}.{queue}" if queue else f"{self._journal}:look"

    # ------------------------------------------------------------------------------------------------------------------
    # Submitting

    async def submit(
        self,
        work: Work,
        *,
        delay: float = 0.0,
        rank: Rank = (),
        queue: str = DEFAULT_QUEUE,
        limit: Limit | None = None,
    ) -> None:
        waiting = self._orders.get(work.key)
        delay = min(delay, waiting.delay) if waiting else delay
        self._orders[work.key] = _Order(work, delay, _priority(rank), self._queue_name(work.step and queue), limit)
        if self._submitting is None:  # what is submitted at once is written together
            self._submitting = asyncio.create_task(self._write_orders())
        await asyncio.shield(self._submitting)

    async def _write_orders(self) -> None:
        await asyncio.sleep(0)
        orders, self._orders, self._submitting = list(self._orders.values()), {}, None
        for start in range(0, len(orders), MAX_BATCH):
            await self._write(orders[start : start + MAX_BATCH])
        self._changed.set()
        if self._served is not None:
            for delay in {order.delay for order in orders if order.delay > 0}:
                asyncio.get_running_loop().call_later(delay, self._changed.set)

    async def _write(self, orders: list[_Order]) -> None:
        try:
            await self._database.run(
                _SUBMIT,
                queues=[order.queue for order in orders],
                priorities=[order.priority for order in orders],
                locks=[order.limit.name if order.limit else None for order in orders],
                keys=[f"{self._journal}:{order.work.execution}:{order.work.step}" for order in orders],
                args=[Jsonb(_arguments(order)) for order in orders],
                delays=[order.delay for order in orders],
            )
        except (ConnectorException, psycopg.OperationalError) as error:
            raise StorageUnavailable(
                f"The queue did not take the work: {error.__cause__ or error}.", hint="Try again."
            ) from error

    async def cancel(self, execution: str) -> None:
        await self._database.run(_CANCEL, prefix=f"{self._journal}:{execution}:")

    async def counts(self) -> list[QueueCount]:
        """How much work waits or is delivered, by queue."""
        rows = await self._database.rows(_COUNTS, prefix=self._journal)
        return [
            QueueCount(
                queue=row["queue"].rpartition(".")[2] if "." in row["queue"] else "",
                state="delivered" if row["status"] == "doing" else "waiting",
                count=row["count"],
            )
            for row in rows
        ]

    # ------------------------------------------------------------------------------------------------------------------
    # Serving

    async def serve(self, handler: Handler) -> None:
        """The same. While the server is away it tries again."""
        self._served = asyncio.Event()
        side_tasks: list[asyncio.Task[None]] = []
        try:
            self._worker = await self._register()
            side_tasks = [asyncio.create_task(each) for each in (self._beat(), self._listen())]
            while not self._stopping.is_set():
                self._changed.clear()
                free = self.at_once - len(self._running)
                started = await self._fetch(handler, free) if free or self._finished else 0
                if started == 0 or started >= free:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(POLL_SECONDS):
                            await self._changed.wait()
        finally:
            await self._leave(side_tasks)
            self._served.set()

    async def _register(self) -> int:
        """Register this worker, and forget those that are long dead."""
        backoff = _Backoff()
        while True:
            try:
                manager = await self._database.manager()
                await manager.prune_stalled_workers(max(PRUNE_AFTER_SECONDS, 100 * self._lease))
                return await manager.register_worker()
            except (ConnectorException, psycopg.OperationalError) as error:
                await backoff.wait(error, self._stopping)

    async def _fetch(self, handler: Handler, free: int) -> int:
        """Finish what is done, and start what is due; returns how many handlers were started."""
        finished = self._finished[:]
        try:
            rows = await self._database.rows(
                _FETCH, finished=finished, worker=self._worker, queues=self._queues, limit=free
            )
        except UniqueViolation:  # another worker has taken the same slot of a limit
            self._changed.set()
            return 0
        except (ConnectorException, psycopg.OperationalError) as error:
            logger.warning("the queue cannot be read: %s", error.__cause__ or error)
            return 0
        del self._finished[: len(finished)]
        for row in sorted(rows, key=lambda row: (-row["priority"], row["id"])):
            task = asyncio.create_task(self._handle(handler, row))
            self._running.add(task)
            task.add_done_callback(self._done)
        return len(rows)

    async def _handle(self, handler: Handler, row: Mapping[str, Any]) -> None:
        try:
            await handler(convert(row["args"], Work))
        except asyncio.CancelledError:
            self._unfinished.append(row["id"])
            raise
        except Exception:
            delay = min(FIRST_RETRY_SECONDS * 2.0 ** min(row["attempts"], 20), LONGEST_RETRY_SECONDS)
            logger.exception("%s failed, and is delivered again in %g s", row["args"], delay)
            while not await self._give_back([row["id"]], delay) and not self._stopping.is_set():
                with suppress(TimeoutError):  # until then it holds its limit, and nobody else gets it
                    await asyncio.wait_for(self._stopping.wait(), POLL_SECONDS)
        else:
            self._finished.append(row["id"])

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._changed.set()

    async def _give_back(self, ids: list[int], delay: float = 0.0) -> bool:
        """Let others deliver some work; returns whether that worked. Else it waits for the end of this worker."""
        try:
            await self._database.run(_GIVE_BACK, ids=ids, delay=delay)
        except (UniqueViolation, ConnectorException, psycopg.OperationalError) as error:
            logger.warning("%d pieces of work could not be given back: %s", len(ids), error)
            return False
        return True

    async def _beat(self) -> None:
        """Say that this worker lives, and deliver again what dead ones had."""
        while True:
            await asyncio.sleep(min(self._lease / 4, POLL_SECONDS))
            try:
                manager = await self._database.manager()
                await manager.update_heartbeat(self._worker)
                stalled = await manager.get_stalled_jobs(seconds_since_heartbeat=self._lease)
                ids = [job.id for job in stalled if job.id is not None and job.worker_id != self._worker]
                if ids:
                    logger.info("%d pieces of work of dead workers are delivered again", len(ids))
                    await self._give_back(ids)
                    self._changed.set()
            except (ConnectorException, psycopg.OperationalError) as error:
                logger.warning("the worker's sign of life was not recorded: %s", error.__cause__ or error)

    async def _listen(self) -> None:
        """Wake up when work is submitted. Without notifications, work is found by looking for it."""

        async def wake(**_: Any) -> None:
            self._changed.set()

        while True:
            with suppress(ConnectorException, psycopg.OperationalError):
                manager = await self._database.manager()
                await manager.listen_for_jobs(on_notification=wake, queues=self._queues)
            await asyncio.sleep(POLL_SECONDS)

    # ------------------------------------------------------------------------------------------------------------------
    # Stopping

    async def stop(self, grace: float = 0.0) -> None:
        if not self._stopping.is_set():
            self._stopping.set()
            self._changed.set()
            running = set(self._running)
            if running and grace > 0:
                _, running = await asyncio.wait(running, timeout=grace)
            await _cancel(running)
        if self._served is not None:
            await self._served.wait()
        if self._submitting is not None:
            await asyncio.gather(self._submitting, return_exceptions=True)
        await self._database.close()

    async def _leave(self, side_tasks: list[asyncio.Task[None]]) -> None:
        """Give back what is not done. The worker's sign of life goes on until its handlers have ended."""
        if not self._stopping.is_set():  # serve itself was cancelled
            self._stopping.set()
            await _cancel(self._running)
        await asyncio.gather(*self._running, return_exceptions=True)
        await _cancel(side_tasks)
        with suppress(ConnectorException, psycopg.OperationalError):
            await self._fetch(_refuse, 0)
            await self._give_back(self._unfinished)
            if self._worker:
                await (await self._database.manager()).unregister_worker(self._worker)


async def _cancel(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks, again if that is lost: a wait of the listener that ends at the same moment swallows it."""
    tasks = list(tasks)
    while left := [task for task in tasks if not task.done()]:
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=CANCEL_AGAIN_SECONDS)


async def _refuse(work: Work) -> None:
    raise AssertionError("nothing is fetched while a worker stops")


def _arguments(order: _Order) -> dict[str, Any]:
    """The work as it is stored."""
    stored: dict[str, Any] = to_builtins(order.work)
    return {**stored, "at_most": order.limit.at_most} if order.limit else stored


def _priority(rank: Rank) -> int:
    """A rank as a number: the higher, the sooner."""
    if not rank:
        return MAX_PRIORITY
    way = int(-rank[1]) if len(rank) > 1 else 0
    return int(-rank[0]) * SECONDS_PER_PRIORITY + max(0, min(way, SECONDS_PER_PRIORITY - 1))


class _Backoff:
    """Pauses of growing length while the server is away."""

    def __init__(self) -> None:
        self._seconds = 0.1

    async def wait(self, error: Exception, stopping: asyncio.Event) -> None:
        """Wait a moment; raises StorageUnavailable when the engine is to stop."""
        if stopping.is_set():
            raise StorageUnavailable(f"The queue cannot be reached: {error.__cause__ or error}.", hint="Try again.")
        logger.warning("the queue cannot be reached: %s", error.__cause__ or error)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._seconds):
                await stopping.wait()
        self._seconds = min(self._seconds * 2, 5.0)


# ----------------------------------------------------------------------------------------------------------------------
# The database


class _Database:
    """The connections of one engine, opened with the first use."""

    def __init__(self, url: str) -> None:
        require_engine(url, "queue")
        self._url = url
        self._opening = asyncio.Lock()
        self._pool: psycopg_pool.AsyncConnectionPool | None = None
        self._connector = PsycopgConnector(configure=_configure)
        self._manager = JobManager(self._connector)

    async def manager(self) -> JobManager:
        async with self._opening:
            if self._pool is None:
                await create_schema(self._url)
                pool = psycopg_pool.AsyncConnectionPool(
                    self._url,
                    kwargs={"application_name": "tallystick queue", "connect_timeout": 10},
                    configure=_configure,
                    min_size=1,
                    max_size=3,
                    timeout=10.0,
                    open=False,
                )
                await pool.open(wait=True, timeout=10.0)
                await self._connector.open_async(pool)
                self._pool = pool
        return self._manager

    async def run(self, sql: LiteralString, **values: Any) -> None:
        await self.manager()
        await self._connector.execute_query_async(sql, **values)

    async def rows(self, sql: LiteralString, **values: Any) -> list[dict[str, Any]]:
        await self.manager()
        found: list[dict[str, Any]] = await self._connector.execute_query_all_async(sql, **values)
        return found

    async def close(self) -> None:
        async with self._opening:
            if self._pool is not None:
                await self._pool.close()
                self._pool = None


async def _configure(connection: psycopg.AsyncConnection[Any]) -> None:
    await connection.set_autocommit(True)
    await connection.execute(f"set search_path to {SCHEMA}")
    await connection.execute("set statement_timeout = '12s'")


async def create_schema(url: str) -> None:
    """Create the tables, under a lock. Those of an older procrastinate are made anew: a sweep finds what waited."""
    own = ".".join(version("procrastinate").split(".")[:2])
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection, connection.transaction():
        await connection.execute("select pg_advisory_xact_lock(%s)", (_SETUP_LOCK,))
        found = await (await connection.execute(_FIND_SCHEMA)).fetchone()
        assert found is not None
        exists, comment, has_tables = found
        if has_tables and comment == f"procrastinate {own}":
            return
        if has_tables and _number(comment) > _number(own):
            raise Unsupported(
                f"The queue was made by {comment}; this program has procrastinate {own}.",
                hint="Use a newer tallystick. Nothing was changed.",
            )
        await _make_tables(connection, own, exists=exists, is_old=has_tables)


def _number(text: str | None) -> tuple[int, ...]:
    words = (text or "").rpartition(" ")[2].split(".")
    return tuple(int(word) for word in words if word.isdecimal())


async def _make_tables(connection: psycopg.AsyncConnection[Any], own: str, *, exists: bool, is_old: bool) -> None:
    try:
        if is_old:
            await connection.execute(f"drop schema {SCHEMA} cascade")
        if is_old or not exists:
            await connection.execute(f"create schema {SCHEMA}")
    except psycopg.errors.InsufficientPrivilege as error:
        raise Unsupported(
            f"The user of the journal's database may not create the schema {SCHEMA}.",
            hint=f"As an administrator: create schema {SCHEMA} authorization USER.",
        ) from error
    await connection.execute(f"set local search_path to {SCHEMA}")
    await connection.execute(SchemaManager.get_schema())
    for trigger in _UNUSED_TRIGGERS:
        await connection.execute(f"drop trigger {trigger} on procrastinate_jobs".encode())
    await connection.execute(f"comment on schema {SCHEMA} is 'procrastinate {own}'".encode())
    role = await (await connection.execute("select from pg_roles where rolname = 'tallystick'")).fetchone()
    if role is not None:  # whoever may open the journal may also submit and work
        for what in ("usage on schema {}", "all on all tables in schema {}", "all on all sequences in schema {}"):
            await connection.execute(f"grant {what.format(SCHEMA)} to tallystick".encode())
