"""Finds what a shared engine has to deliver: it follows the journal's entries, and sweeps over the open runs.

An entry that somebody else than a runner recorded in a run of the engine (a step of an agent, an answer, a decision, a
settled doubt) leads to a look at the run; so does its start. The sweep looks at runs in which nothing was recorded for
a while: a delivery, or the end of a worker, may have been lost. Its position need not be kept.
"""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct

from tallystick import operations
from tallystick.core.errors import StorageUnavailable
from tallystick.runner.engines.interface import Engine, Work

if TYPE_CHECKING:
    from tallystick.operations.views.entries import EntryView
    from tallystick.runner.stepper import AsyncCall

log = logging.getLogger("tallystick.worker")
WAIT_SECONDS = 2.0
"""How long one read waits for new entries."""
READ_EVERY_SECONDS = 0.1
"""Between two reads: entries that come quickly are read together."""
ENTRIES_PER_PAGE = 500
SWEEP_SECONDS = 2.0
QUIET_SECONDS = 4.0
LONGEST_QUIET_SECONDS = 60.0
"""After how much quiet a run is looked at: twice as long each time, while nothing is recorded in it."""
LOOKS_PER_SECOND = 100
"""How quickly the first sweep of a worker submits its looks."""
RUNS_PER_PAGE = 1000
MAX_KNOWN_EXECUTIONS = 10_000
AWAY_SECONDS = 1.0


class _Quiet(Struct):
    """A run in which nothing was recorded behind `seq`: when to look at it, and how long to wait after that."""

    seq: int
    due: float
    wait: float = QUIET_SECONDS


class Follower:
    """Submits looks to an engine of the given name. `call` calls operations on the journal."""

    def __init__(self, call: AsyncCall, engine: Engine, name: str) -> None:
        self._call = call
        self._engine = engine
        self._name = name
        self._engines: dict[str, str] = {}
        self._quiet: dict[str, _Quiet] = {}
        self._is_first = True

    async def run(self) -> None:
        """Follow and sweep until this is cancelled. While the store is away, it tries again."""
        await asyncio.gather(self._follow(), self._sweep_again())

    # ------------------------------------------------------------------------------------------------------------------
    # Entries

    async def _follow(self) -> None:
        seq = -1
        while True:
            try:
                seq = await self.read_new(seq)
                await asyncio.sleep(READ_EVERY_SECONDS)
            except StorageUnavailable as error:
                log.warning("the journal cannot be read: %s", error)
                await asyncio.sleep(AWAY_SECONDS)

    async def read_new(self, seq: int) -> int:
        """Submit looks for the entries behind `seq`, and return the last one; -1 begins with those that come now."""
        if seq < 0:
            newest = await self._call(operations.entries.read_entries, {"limit": 1, "newest_first": True})
            return int(newest.entries[0].seq) if newest.entries else 0
        wanted = {"after": seq, "limit": ENTRIES_PER_PAGE, "wait_seconds": WAIT_SECONDS}
        page = await self._call(operations.entries.read_entries, wanted)
        found = {execution: None for entry in page.entries if (execution := self._execution(entry))}
        for execution in found:
            if await self._is_own(execution):
                await self._engine.submit(Work(execution))
        return int(page.last_seq)

    def _execution(self, entry: EntryView) -> str:
        """The execution to look at because of an entry; empty if it is no news for a runner."""
        if entry.kind == "execution_started":
            self._engines[entry.id] = str(entry.facts.get("engine", ""))
            return entry.id
        is_news = entry.actor_kind != "runner" or entry.kind == "action_doubted"
        return entry.execution_id if is_news else ""

    async def _is_own(self, execution: str) -> bool:
        if execution not in self._engines:
            if len(self._engines) >= MAX_KNOWN_EXECUTIONS:
                self._engines.clear()
            state = await self._call(operations.runs.get_run, {"execution_id": execution, "steps": ("-",)})
            self._engines[execution] = state.engine
        return self._engines[execution] == self._name

    # ------------------------------------------------------------------------------------------------------------------
    # The sweep

    async def _sweep_again(self) -> None:
        while True:
            try:
                await self.sweep()
            except StorageUnavailable as error:
                log.warning("the open runs cannot be read: %s", error)
            await asyncio.sleep(SWEEP_SECONDS)

    async def sweep(self) -> None:
        """Look at the runs in which nothing was recorded for a while; the first time, at all."""
        open_runs: dict[str, int] = {}
        cursor: str | None = None
        while cursor != "":
            wanted = {"engine": self._name, "limit": RUNS_PER_PAGE, "cursor": cursor}
            page = await self._call(operations.runs.list_runs, wanted)
            open_runs |= {run.execution_id: run.last_seq for run in page.runs if run.status != "paused"}
            cursor = page.next_cursor
        now = monotonic()
        known, self._quiet = self._quiet, {}
        for place, (execution, seq) in enumerate(open_runs.items()):
            quiet = known.get(execution)
            if quiet is None or quiet.seq != seq:
                delay = place / LOOKS_PER_SECOND if self._is_first else QUIET_SECONDS
                quiet = _Quiet(seq, now + delay)
            self._quiet[execution] = quiet
            if quiet.due <= now:
                quiet.due, quiet.wait = now + quiet.wait, min(2 * quiet.wait, LONGEST_QUIET_SECONDS)
                await self._engine.submit(Work(execution))
        self._is_first = False
