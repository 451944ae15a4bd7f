"""The jobs of the processes that carry out runs and are killed: runs of one process, and workers of shared engines.

A process can be told to kill itself at the nth passing of a named point. Its tools note what they do in files outside
of the journal, one for each run.
"""

import asyncio
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from tallystick import Actor, Journal, ToolError, tool
from tallystick.runner.engines import follower, queue, temporal
from tallystick.runner.engines.interface import Handler, Work
from tallystick.runner.engines.local import LocalEngine
from tallystick.runner.runner import Runner
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.runner.worker import Worker, WorkerOptions
from tallystick.sdk.async_dispatch import WriteQueue
from tallystick.sdk.local import local_caller
from tests.crash.fork_server import Report, wait_until_resumed

JOURNAL = "run"
DEATHS = "deaths"
POINTS = ("before begin", "after begin", "before effect", "after effect", "before end", "after end")
LOST, DOUBLED, REPEATED, LATE = 0.04, 0.06, 0.04, 0.06
"""The share of the deliveries that an unreliable engine loses, makes twice at once, makes again later, and delays."""
LATE_SECONDS = 0.3


class Life(Struct, frozen=True, kw_only=True):
    """How a process lives: where it finds the journal and the world, and where it dies."""

    url: str
    folder: str
    seed: str = ""
    point: str = ""
    nth: int = 0
    stops: bool = False
    """It is not killed at the point, but stopped until somebody resumes it."""
    at_once: int = 4
    is_unreliable: bool = False
    sweeps_often: bool = True
    """So that what an unreliable engine has lost is found soon."""
    engine: str = "local"
    address: str = ""
    """Of the Temporal cluster."""
    lease: float = 2.0
    machine: str = ""
    """Workers of one machine see each other's locks; those of others go by the lease."""
    number: int = 0


class World:
    """What really happened, in one file for each run: a line for each attempt, effect and undo."""

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)

    def note(self, what: str, name: str) -> None:
        file = os.open(self._file(name), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(file, f"{what} {name} {time.time():.3f}\n".encode())
        os.close(file)

    def times(self, what: str, name: str) -> list[float]:
        """When something happened to a step."""
        file = self._file(name)
        lines = file.read_text().splitlines() if file.exists() else []
        return [float(line.split()[2]) for line in lines if line.startswith(f"{what} {name} ")]

    def count(self, what: str, name: str) -> int:
        return len(self.times(what, name))

    def _file(self, name: str) -> Path:
        return self._folder / f"{name.partition('.')[0]}.log"


class Death:
    """Kills or stops this process at the nth passing of a point. When it was killed is noted in a file."""

    def __init__(self, point: str, nth: int, deaths: Path, number: int = signal.SIGKILL) -> None:
        self._point = point
        self._left = nth
        self._deaths = deaths
        self._number = number

    def at(self, point: str) -> None:
        if point == self._point:
            self._left -= 1
            if not self._left:
                if self._number == signal.SIGKILL:
                    note_death(self._deaths, os.getpid())
                os.kill(os.getpid(), self._number)

    def watch_records(self) -> None:
        """Pass the points of the records of this process."""
        for name in ("call", "call_in_order"):
            if hasattr(WriteQueue, name):
                setattr(WriteQueue, name, self._watched(getattr(WriteQueue, name)))

    def _watched(self, call: Callable[..., Any]) -> Callable[..., Any]:
        async def watched(queue: WriteQueue, *arguments: Any) -> Any:
            phases = list(_phases(arguments))
            for phase in phases:
                self.at(f"before {phase}")
            result = await call(queue, *arguments)
            for phase in phases:
                self.at(f"after {phase}")
            return result

        return watched


def note_death(file: Path, process: int) -> None:
    """Note that a process is killed now."""
    with file.open("a") as deaths:
        deaths.write(f"{process} {time.time()}\n")


def _phases(arguments: Any) -> list[str]:
    """The phases of actions in a call of the journal, which may hold several records."""
    if isinstance(arguments, Mapping):
        own = [str(arguments["phase"])] if arguments.get("phase") in ("begin", "end") else []
        return own + [phase for value in arguments.values() for phase in _phases(value)]
    if isinstance(arguments, list | tuple):
        return [phase for value in arguments for phase in _phases(value)]
    return []


def act(world: World, death: Death, name: str, seconds: float, fails: str) -> str:
    """Do something in the world. `fails` is what comes of it; only not_done and failed last."""
    is_first = not world.count("tried", name)
    world.note("tried", name)
    death.at("before effect")
    if fails in ("not_done", "failed") or (fails == "transient" and is_first):
        raise ToolError("on purpose", fails)  # type: ignore[arg-type]
    time.sleep(seconds)
    if fails != "lost" or not is_first:
        world.note("effect", name)
    time.sleep(seconds)
    death.at("after effect")
    if fails.startswith("lost") and is_first:
        raise ToolError("on purpose", "lost")
    return name


def tools_of(world: World, death: Death) -> list[Any]:
    """The tools of a process."""

    def find(name: str, seconds: float = 0, fails: str = "") -> str | None:
        return name if world.count("effect", name) else None

    @tool(effect="probeable", probe=find)
    def probed(name: str, seconds: float = 0, fails: str = "") -> str:
        return act(world, death, name, seconds, fails)

    @tool
    def unsafe(name: str, seconds: float = 0, fails: str = "") -> str:
        return act(world, death, name, seconds, fails)

    @tool(effect="idempotent")
    def idempotent(name: str, seconds: float = 0, fails: str = "") -> str:
        return act(world, death, name, seconds, fails)

    @tool(effect="read")
    def read(name: str, seconds: float = 0, fails: str = "") -> str:
        return act(world, death, name, seconds, fails)

    def is_undone(name: str) -> bool:
        return world.count("undo", name) > 0

    @tool(effect="probeable", probe=is_undone)
    def undo(name: str) -> None:
        death.at("before effect")
        world.note("undo", name)
        death.at("after effect")

    return [probed, unsafe, idempotent, read, undo]


# ----------------------------------------------------------------------------------------------------------------------
# Engines that lose, repeat and delay


class Unreliable:
    """A base class before that of an engine: loses, repeats and delays what is submitted and what is delivered."""

    chance: Random

    async def submit(self, work: Work, *, delay: float = 0.0, **more: Any) -> None:
        drawn = self.chance.random()
        if drawn < LOST:
            return
        late = self.chance.uniform(0, LATE_SECONDS) if drawn < LOST + LATE else 0.0
        await super().submit(work, delay=delay + late, **more)  # type: ignore[misc]

    async def serve(self, handler: Handler) -> None:
        async def deliver(work: Work) -> None:
            drawn = self.chance.random()
            if drawn < LOST:
                return
            if drawn < LOST + DOUBLED:
                await asyncio.gather(handler(work), handler(work))
                return
            if drawn < LOST + DOUBLED + LATE:
                await asyncio.sleep(self.chance.uniform(0, LATE_SECONDS))
            await handler(work)
            if drawn > 1 - REPEATED:
                await asyncio.sleep(self.chance.uniform(0, LATE_SECONDS))
                await handler(work)

        await super().serve(deliver)  # type: ignore[misc]


def _make_unreliable(seed: str) -> None:
    """Replace the engines of this process."""
    from tallystick.runner import run

    Unreliable.chance = Random(seed)
    run.LocalEngine = type("UnreliableLocal", (Unreliable, LocalEngine), {})  # type: ignore[assignment,attr-defined]
    queue.QueueEngine = type("UnreliableQueue", (Unreliable, queue.QueueEngine), {})  # type: ignore[assignment,misc]
    temporal.TemporalEngine = type("UnreliableTemporal", (Unreliable, temporal.TemporalEngine), {})  # type: ignore[assignment,misc]


def _be_born(life: Life) -> tuple[World, Death]:
    if life.machine:
        os.environ["XDG_DATA_HOME"] = life.machine
    if life.is_unreliable:
        _make_unreliable(life.seed)
    if life.sweeps_often:
        follower.SWEEP_SECONDS, follower.QUIET_SECONDS, follower.LONGEST_QUIET_SECONDS = 0.3, 1.0, 4.0
    log = Path(life.folder, f"process{life.number}.log")
    logging.basicConfig(filename=log, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    number = signal.SIGSTOP if life.stops else signal.SIGKILL
    death = Death(life.point, life.nth, Path(life.folder, DEATHS), number)
    death.watch_records()
    return World(life.folder), death


# ----------------------------------------------------------------------------------------------------------------------
# Jobs


def carry_out(report: Report, channel: socket.socket, execution: str, **life: Any) -> None:
    """Carry out a run in this process, until nothing is left to do; reports what is held and what waits."""
    lived = Life(**life)
    world, death = _be_born(lived)
    with Journal.open(lived.url, journal=JOURNAL) as journal:
        run = journal.run("", tools=tools_of(world, death), execution=execution, at_once=lived.at_once)
        report({"held": run.held, "waiting": run.waiting, "failed": run.failed})


def work(report: Report, channel: socket.socket, **life: Any) -> None:
    """Be a worker until killed; reports its session once it is open."""
    lived = Life(**life)
    world, death = _be_born(lived)
    options = WorkerOptions(engine=lived.engine, temporal=lived.address, lease=lived.lease, at_once=lived.at_once)  # type: ignore[arg-type]

    async def serve() -> None:
        journal = Journal.open(lived.url, journal=JOURNAL)
        worker = Worker(journal.caller, ToolRegistry(tools_of(world, death)), options)  # type: ignore[arg-type]
        await worker.run(asyncio.Event())

    asyncio.run(serve())


def race(report: Report, channel: socket.socket, execution: str, steps: list[str], **life: Any) -> None:
    """Try to carry out one step after another, each when the parent says so."""
    lived = Life(**life)
    world, death = _be_born(lived)

    async def run() -> None:
        journal = Journal.open(lived.url, journal=JOURNAL)
        recorder = local_caller(journal.caller).as_observer(
            Actor(kind="runner", name="runner"), "runner", executes_calls=True
        )
        runner = Runner(WriteQueue(recorder).call, ToolRegistry(tools_of(world, death)), LocalEngine())
        report("ready")
        for step in steps:
            wait_until_resumed(channel)
            await runner.handle(Work(execution, step))
            report(step)

    asyncio.run(run())


def warm_up() -> None:
    """Load once, before the forks, what every child would load for itself."""
    import tallystick.store.postgres.store
    import tallystick.store.sqlite.store
    import tallystick.wiring  # noqa: F401

    sys.setswitchinterval(0.001)  # kills at random moments find more of them


JOBS: dict[str, Callable[..., None]] = {job.__name__: job for job in (carry_out, work, race)}
