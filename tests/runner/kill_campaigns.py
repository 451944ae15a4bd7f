"""The campaigns in which processes that carry out runs are killed, of any size: `make test` runs them small,
`make torture` large. Each returns its counts."""

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from tallystick import Journal
from tallystick.operations.views.entries import EntryView
from tallystick.sdk.local import Local
from tests.crash.fork_server import Child, ForkServer
from tests.runner.kill_jobs import DEATHS, JOURNAL, POINTS, World, note_death
from tests.runner.killed_runs import KilledRun

JOBS = "tests.runner.kill_jobs"
MAX_PROCESSES = 60
"""Processes that carry out one local run before it counts as stranded."""
POINT_SHARE, TIME_SHARE = 0.5, 0.35
"""How many processes die at a point, and how many at a random moment; the rest live."""
LEASE_SECONDS = 2.0
WORKERS, RUNS = 4, 6
"""Workers and runs at a time."""
STOPPED_SHARE = 0.15
STOPPING_POINTS = ("before begin", "after begin", "after effect", "before end", "after end")
"""Where a worker may be stopped for longer than its lease. Inside of a call nothing can keep it from its effect, so it
has one call at a time."""
STRANDED_SECONDS = 90.0
"""A run that is not over then, with nobody killed any more, is stranded."""
MACHINES = 2
RACERS = 8


@contextmanager
def as_person(url: str) -> Iterator[Journal]:
    """A journal of somebody who may approve."""
    with Journal.open(url, journal=JOURNAL) as journal:
        assert isinstance(journal.caller, Local)
        context = journal.caller.context
        secret = journal.add_credential(name=f"ann{os.urandom(4).hex()}").secret
        yield Journal(Local(context.for_principal(replace(context.principal, credential=secret))))


# ----------------------------------------------------------------------------------------------------------------------
# The engine local


def kill_local(fork_server: ForkServer, url: str, folder: Path, kills: int, chance: Random) -> Counter[str]:
    """One run after another; a process that is killed is followed by the next, until the run is over."""
    met: Counter[str] = Counter()
    world = World(folder)
    with as_person(url) as person:
        while met["killed"] < kills:
            run = KilledRun(person, world, f"p{met['runs']}", "local", chance)
            try:
                _carry_out_here(fork_server, url, folder, run, met)
                run.check_end()
            except AssertionError as error:
                raise AssertionError(f"{error}\n{run.describe()}") from error
            met += run.met
            met["runs"] += 1
    return met


def _carry_out_here(fork_server: ForkServer, url: str, folder: Path, run: KilledRun, met: Counter[str]) -> None:
    chance = run.chance
    for _ in range(MAX_PROCESSES):
        met["processes"] += 1
        life = {"url": url, "folder": str(folder), "number": 0, **_fate(chance)}
        seconds = life.pop("seconds")
        child = fork_server.start("carry_out", execution=run.id, at_once=chance.choice((1, 4)), **life)
        if seconds:
            _wait_at_most(child, seconds)
            child.kill()
        report = child.receive()
        child.wait()
        child.close()
        met["killed"] += report is None
        run.check()
        if run.is_over:
            return
        if report is not None:
            run.help()
    raise AssertionError(f"it is stranded after {MAX_PROCESSES} processes")


def _fate(chance: Random) -> dict[str, Any]:
    """How a process dies: at a point, after some seconds, or not at all."""
    drawn = chance.random()
    fate: dict[str, Any] = {"seed": str(chance.random()), "is_unreliable": chance.random() < 0.5, "seconds": 0.0}
    if drawn < POINT_SHARE:
        fate |= {"point": chance.choice(POINTS), "nth": chance.choice((1, 1, 2, 3))}
    elif drawn < POINT_SHARE + TIME_SHARE:
        fate["seconds"] = chance.uniform(0.0, 0.15)
    return fate


def _wait_at_most(child: Child, seconds: float) -> None:
    """Wait for a random moment of a process, or until it has reported."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not child.has_output():
        time.sleep(0.002)


# ----------------------------------------------------------------------------------------------------------------------
# Shared engines


class _Worker:
    """A worker process, and until when it may live."""

    def __init__(self, child: Child, until: float) -> None:
        self.child = child
        self.until = until
        self._resumed_at = 0.0

    def resume_after(self, now: float, seconds: float) -> bool:
        """Resume a stopped process once it was stopped for so long; returns whether it was. It then lives a while."""
        if not self._resumed_at:
            self._resumed_at = now + seconds
        elif now > self._resumed_at:
            self.until = max(self.until, now + 2.0)
            self._resumed_at = 0.0
            self.child.signal(signal.SIGCONT)
            return True
        return False


class WorkerCampaign:
    """Workers of one journal that are killed and replaced, while they carry out several runs.

    `is_measuring`: to find out how long a takeover takes, steps take longer, deliveries are not disturbed, and a worker
    usually lives for some leases.
    """

    def __init__(
        self,
        fork_server: ForkServer,
        person: Journal,
        folder: Path,
        chance: Random,
        *,
        url: str,
        engine: str,
        address: str = "",
        lease: float = LEASE_SECONDS,
        is_measuring: bool = False,
    ) -> None:
        self._fork_server = fork_server
        self._person = person
        self._folder = folder
        self._chance = chance
        self._where = {"url": url, "folder": str(folder), "engine": engine, "address": address, "lease": lease}
        self._engine = engine
        self.lease = lease
        self._is_measuring = is_measuring
        self.takeovers: list[float] = []
        """Seconds from the death of a worker in the middle of a step to what another one made of that step."""
        self.met: Counter[str] = Counter()
        self._alive: list[_Worker] = []
        self._runs: list[KilledRun] = []

    def run(self, kills: int) -> Counter[str]:
        """Kill so many workers, then let the others finish everything."""
        try:
            while self.met["killed"] < kills:
                self._fill()
                self._look()
            for _ in range(2):
                self._alive.append(self._start(float("inf")))
            end = time.monotonic() + STRANDED_SECONDS
            while self._runs:
                if time.monotonic() > end:
                    raise AssertionError("\n".join(["stranded:", *(run.describe() for run in self._runs)]))
                self._look()
        finally:
            for worker in self._alive:
                worker.child.kill()
                worker.child.close()
        return self.met

    def _fill(self) -> None:
        while len(self._alive) < WORKERS:
            seconds = self._chance.uniform(0.5, 6.0 if self._engine == "temporal" else 4.0)
            if self._is_measuring:
                seconds = self._chance.uniform(1.5, 6.0) * self.lease
            self._alive.append(self._start(time.monotonic() + seconds))
        while len(self._runs) < RUNS:
            tag = f"p{self.met['runs']}"
            longest = 0.5 if self._is_measuring else 0.02
            self._runs.append(KilledRun(self._person, World(self._folder), tag, self._engine, self._chance, longest))
            self.met["runs"] += 1

    def _start(self, until: float) -> _Worker:
        fate = _fate(self._chance)
        fate.pop("seconds")
        if until == float("inf") or self._is_measuring:
            fate |= {"point": "", "is_unreliable": False}
        elif self._chance.random() < STOPPED_SHARE:
            fate |= {"point": self._chance.choice(STOPPING_POINTS), "nth": 1, "stops": True, "at_once": 1}
        self.met["processes"] += 1
        machine = self._folder / f"machine{self._chance.randrange(MACHINES)}"
        child = self._fork_server.start(
            "work",
            **self._where,
            **fate,
            sweeps_often=not self._is_measuring,
            machine=str(machine),
            number=self.met["processes"],
        )
        return _Worker(child, until)

    def _look(self) -> None:
        """Bury the dead, kill whose time has come, help some runs on, and check those that are over."""
        time.sleep(0.02)
        now = time.monotonic()
        for worker in list(self._alive):
            child = worker.child
            if child.is_stopped():
                self.met["resumed"] += worker.resume_after(now, self.lease + self._chance.uniform(0.5, 3.0))
                continue
            if now > worker.until:
                note_death(self._folder / DEATHS, child.process)
                child.kill()
            elif not child.has_output():
                continue
            assert child.receive() is None  # raises what it broke on
            self._alive.remove(worker)
            child.wait()
            child.close()
            self.met["killed"] += 1
        for run in list(self._runs):
            if self._chance.random() < 0.1:
                self._advance(run)

    def _deaths(self) -> dict[str, float]:
        """When each session of a worker died."""
        file = self._folder / DEATHS
        lines = file.read_text().splitlines() if file.exists() else []
        dead = {process: float(when) for process, when in (line.split() for line in lines)}
        found: dict[str, float] = {}
        cursor: str | None = None
        while cursor != "":
            page = self._person.list_sessions(limit=100, cursor=cursor)
            for each in page.sessions:
                process = each.name.partition(":")[2].partition(" ")[0]
                if process in dead:
                    found[each.id] = dead[process]
            cursor = page.next_cursor
        return found

    def _advance(self, run: KilledRun) -> None:
        try:
            run.check()
            if run.is_over:
                run.check_end()
                self._runs.remove(run)
                self.met += run.met
                self.takeovers += run.takeovers(self._deaths())
            else:
                run.help()
        except AssertionError as error:
            raise AssertionError(f"{error}\n{run.describe()}") from error


def describe_takeovers(campaign: WorkerCampaign) -> str:
    """The median and the 99th percentile of the takeovers, against the lease."""
    found = sorted(campaign.takeovers)
    if not found:
        return "no takeover"
    middle, last = (found[int(share * (len(found) - 1))] for share in (0.5, 0.99))
    return f"{len(found)} takeovers, p50 {middle:.2f} s, p99 {last:.2f} s, the lease has {campaign.lease:g} s"


# ----------------------------------------------------------------------------------------------------------------------
# The race


def race(fork_server: ForkServer, url: str, folder: Path, rounds: int, chance: Random) -> Counter[str]:
    """Eight processes race for one step, so many times; each step is begun once, and happens once."""
    steps = [f"s{number}" for number in range(rounds)]
    world = World(folder)
    with as_person(url) as person:
        planned: Any = [
            {
                "id": step,
                "title": step,
                "tool": "unsafe",
                "arguments": {"name": f"{step}.race"},
                "after": [],
                "undo": "x",
            }
            for step in steps
        ]
        plan = person.record_plan(title="race", steps=planned)
        execution = person.run_plan(plan_id=plan.id, engine="caller").id
        life = {"url": url, "folder": str(folder), "execution": execution, "steps": steps}
        racers = [fork_server.start("race", **life) for _ in range(RACERS)]
        try:
            for step, said in zip(steps, ("ready", *steps), strict=False):
                assert [racer.receive() for racer in racers] == [said] * RACERS, f"before {step}"
                for racer in chance.sample(racers, RACERS):
                    racer.resume()
            assert [racer.receive() for racer in racers] == steps[-1:] * RACERS
        finally:
            for racer in racers:
                racer.kill()
                racer.close()
        begun = Counter(entry.facts["step"] for entry in _entries(person, execution) if entry.kind == "action_begun")
        assert begun == Counter(steps), (
            f"begun more than once: {begun - Counter(steps)}; never: {Counter(steps) - begun}"
        )
        assert all(world.count("effect", f"{step}.race") == 1 for step in steps)
    return Counter(races=rounds, begun=begun.total())


def _entries(person: Journal, execution: str) -> Iterator[EntryView]:
    seq, more = 0, True
    while more:
        page = person.read_entries(execution_id=execution, after=seq, limit=500)
        yield from page.entries
        seq, more = page.last_seq, page.more
