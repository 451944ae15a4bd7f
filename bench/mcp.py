"""`tallystick mcp` beside the official memory server, continuum-agent's server and a bare one, all over stdio.

The bare one is the floor: it takes a line, commits one row with bare apsw and answers. Stores are filled to three
sizes; questions come first, since records make a store grow.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

from bench import peers_node, peers_venv, start
from bench.figure import Aim, Bench, Figure
from bench.mcp_client import Client, Resident
from bench.mcp_servers import SMALL, Continuum, Floor, Memory, Ours, Server
from bench.rounds import Samples, Spread, interleave, percentile, ratio, spread

HALF = Aim(bound=0.5)
"""Of the memory server's."""
NEAR_FLOOR = Aim(bound=1.5)
FLAT = Aim(bound=1.5)

CALLS = 50
CALLS_WHERE_SMALL = 10
"""In a turn of records on the small store: it is not to outgrow its name."""
TURN_SECONDS = 0.5
SPENT_SECONDS = (4, 1)
"""For how long one server is waited for in all, whole or quick: a slow one has fewer calls, and its notes say so."""

Running = tuple[Server, Client]


def figures(bench: Bench) -> list[Figure]:
    sizes = (SMALL, bench.amount(10_000, 1_000), bench.amount(100_000, 5_000))
    servers = _filled(bench, sizes)
    found = _starting(bench, [each for each in servers if each.entries == SMALL])
    with ExitStack() as stack:
        running = [(each, stack.enter_context(each.start())) for each in servers]
        return [*found, *_queries(bench, running, sizes), *_records(bench, running, sizes)]


class Turn:
    """Calls of one kind to one server that runs, and how long the caller waited for each."""

    def __init__(self, bench: Bench, server: Server, call: Callable[[], float], calls: int) -> None:
        self.key = _key(server, server.entries)
        self.waits: list[float] = []
        self._call = call
        self._calls = calls
        self._seconds = bench.amount(*SPENT_SECONDS)

    def __call__(self) -> float:
        """The median of some more calls. One that is out of time sits out, and its median so far stands for it."""
        if sum(self.waits) > self._seconds:
            return percentile(self.waits, 0.5)
        new: list[float] = []
        while len(new) < self._calls and sum(new) < TURN_SECONDS:
            new.append(self._call())
        self.waits += new
        return percentile(new, 0.5)

    def warm(self) -> None:
        """Take a turn that does not count, unless there is no time for another."""
        self()
        if sum(self.waits) <= self._seconds:
            self.waits.clear()


class Records(Turn):
    """Records, each a begin, which is what counts, and its end."""

    def __init__(self, bench: Bench, server: Server, client: Client) -> None:
        small = server.entries == SMALL
        super().__init__(bench, server, self._record, CALLS_WHERE_SMALL if small else CALLS)
        self.ends: list[float] = []
        self._server = server
        self._client = client

    def __call__(self) -> float:
        before = len(self.waits)
        median = super().__call__()
        if len(self.waits) > before:
            self._server.tidy(self._client)
        return median

    def warm(self) -> None:
        super().warm()
        del self.ends[: len(self.ends) - len(self.waits)]

    def _record(self) -> float:
        begin, end = self._server.record(self._client)
        self.ends.append(end)
        return begin


def _filled(bench: Bench, sizes: Iterable[int]) -> list[Server]:
    python = start.environment(bench.place)
    programs: dict[type[Server], list[str]] = {
        Ours: [str(Path(python).with_name("tallystick"))],
        Floor: [python],
        Memory: peers_node.memory_server(bench.say),
        Continuum: [peers_venv.interpreter(bench.say)],
    }
    place = bench.place / "mcp"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for kind in programs:
        bench.durability[f"mcp: {kind.name}"] = kind.durability
    return [
        kind(program, place / f"{kind.__name__.lower()}-{size}", size)
        for size in sizes
        for kind, program in programs.items()
    ]


def _starting(bench: Bench, servers: list[Server]) -> list[Figure]:
    resident: dict[str, list[Resident]] = {each.name: [] for each in servers}

    def starting(server: Server) -> Callable[[], float]:
        def turn() -> float:
            with server.start() as client:
                resident[server.name].append(client.resident())
                return client.seconds_to_tools

        return turn

    turns = {each.name: starting(each) for each in servers}
    interleave(turns, 1)
    samples = interleave(turns, bench.amount(10, 3))
    rss = {name: [float(each.rss) for each in values[1:]] for name, values in resident.items()}
    seconds = ", ".join(f"{name} {1000 * spread(values).median:.0f} ms" for name, values in samples.items())
    bytes_ = ", ".join(f"{name} {_middle(rss[name]) / 1e6:.1f} MB" for name in rss)
    shared = ", ".join(
        f"{name} {_middle([one.pss for one in each[1:]]) / 1e6:.1f} MB" for name, each in resident.items()
    )
    what = "an MCP server, from its start to its first tool list"
    held = "an MCP server's resident memory then"
    return [
        _ratio("mcp.start", f"{what}: over the memory server's", samples, Ours, Memory, HALF, seconds),
        _ratio("mcp.start.continuum", f"{what}: over continuum-agent's", samples, Ours, Continuum),
        _ratio("mcp.start.floor", f"{what}: over a bare server's", samples, Ours, Floor),
        _ratio(
            "mcp.memory", f"{held}: over the memory server's", rss, Ours, Memory, HALF, f"RSS: {bytes_}; PSS: {shared}"
        ),
        _ratio("mcp.memory.continuum", f"{held}: over continuum-agent's", rss, Ours, Continuum),
        _ratio("mcp.memory.floor", f"{held}: over a bare server's", rss, Ours, Floor),
    ]


def _queries(bench: Bench, running: list[Running], sizes: tuple[int, ...]) -> list[Figure]:
    def querying(server: Server, client: Client) -> Turn:
        return Turn(bench, server, lambda: server.query(client).seconds, CALLS)

    turns = [querying(*each) for each in running if not isinstance(each[0], Floor)]
    samples = _rounds(bench, turns)
    waits = {turn.key: turn.waits for turn in turns}
    found = []
    for kind in (Ours, Memory, Continuum):
        notes = f"{kind.query_as}: {_waits(waits, kind, sizes)}"
        found.append(_growth(f"mcp.query.growth{_of(kind)}", "an MCP query", samples, kind, sizes, notes))
    for kind in (Memory, Continuum):
        found.append(_beside(f"mcp.query{_of(kind)}", "an MCP query", samples, kind, sizes))
    return [_milliseconds("mcp.query.ms", "an MCP query", samples, sizes), *found]


def _records(bench: Bench, running: list[Running], sizes: tuple[int, ...]) -> list[Figure]:
    turns = [Records(bench, *each) for each in running]
    samples = _rounds(bench, turns)
    waits = {turn.key: turn.waits for turn in turns}
    ends = {turn.key: turn.ends for turn in turns}
    found = []
    for size in sizes:
        over, under = _key(Ours, size), _key(Floor, size)
        tail = percentile(waits[over], 0.99) / percentile(waits[under], 0.99)
        end = percentile(ends[over], 0.5) / percentile(ends[under], 0.5)
        measured = ratio(samples, over, under)
        found.append(
            Figure(
                "mcp.record" if size == sizes[1] else f"mcp.record.{size}",
                f"a durable MCP record at {size:,} entries, over the bare commit plus the protocol's floor",
                measured.median,
                aim=NEAR_FLOOR,
                low=measured.low,
                high=measured.high,
                notes=f"{Ours.record_as}, p50; p99 is {tail:.2f} times the floor's, the p50 of an end {end:.2f} times",
            )
        )
    for kind in (Ours, Memory, Continuum, Floor):
        notes = f"{kind.record_as}: {_waits(waits, kind, sizes)}"
        found.append(_growth(f"mcp.record.growth{_of(kind)}", "an MCP record", samples, kind, sizes, notes))
    for kind in (Memory, Continuum):
        found.append(_beside(f"mcp.record{_of(kind)}", "an MCP record", samples, kind, sizes))
    return [*found, _milliseconds("mcp.record.ms", "a durable MCP record", samples, sizes)]


def _rounds(bench: Bench, turns: Sequence[Turn]) -> Samples:
    for turn in turns:
        turn.warm()
    return interleave({turn.key: turn for turn in turns}, bench.amount(10, 3))


def _ratio(
    name: str,
    what: str,
    samples: Samples,
    over: type[Server],
    under: type[Server],
    aim: Aim | None = None,
    notes: str = "",
) -> Figure:
    found = ratio(samples, over.name, under.name)
    return Figure(name, what, found.median, aim=aim, low=found.low, high=found.high, notes=notes)


def _growth(name: str, what: str, samples: Samples, kind: type[Server], sizes: tuple[int, ...], notes: str) -> Figure:
    found = ratio(samples, _key(kind, sizes[-1]), _key(kind, sizes[0]))
    whose = "" if kind is Ours else f" of {_called(kind)}"
    said = f"{what}{whose}: time at {sizes[-1]:,} entries over time at {sizes[0]:,}"
    return Figure(name, said, found.median, "times", FLAT if kind is Ours else None, found.low, found.high, notes)


def _beside(name: str, what: str, samples: Samples, kind: type[Server], sizes: tuple[int, ...]) -> Figure:
    found = {size: ratio(samples, _key(kind, size), _key(Ours, size)) for size in sizes}
    middle = found[sizes[1]]
    notes = ", ".join(f"{each.median:.3g} times at {size:,} entries" for size, each in found.items())
    said = f"{what} of {_called(kind)} at {sizes[1]:,} entries: its time over ours"
    return Figure(name, said, middle.median, low=middle.low, high=middle.high, notes=notes)


def _milliseconds(name: str, what: str, samples: Samples, sizes: tuple[int, ...]) -> Figure:
    found = _scaled(spread(samples[_key(Ours, sizes[1])]))
    return Figure(name, f"{what} at {sizes[1]:,} entries", found.median, "ms", low=found.low, high=found.high)


def _scaled(seconds: Spread) -> Spread:
    return Spread(1000 * seconds.median, 1000 * seconds.low, 1000 * seconds.high)


def _waits(waits: Samples, kind: type[Server], sizes: tuple[int, ...]) -> str:
    said = []
    for size in sizes:
        of_size = waits[_key(kind, size)]
        p50, p99 = (1000 * percentile(of_size, share) for share in (0.5, 0.99))
        said.append(f"at {size:,} entries p50 {p50:.3g} ms, p99 {p99:.3g} ms ({len(of_size)} calls)")
    return "; ".join(said)


def _key(server: type[Server] | Server, size: int) -> str:
    return f"{server.name} {size}"


def _of(kind: type[Server]) -> str:
    return "" if kind is Ours else f".{kind.__name__.lower()}"


def _called(kind: type[Server]) -> str:
    return kind.name if kind is Continuum else f"the {kind.name}"


def _middle(values: Iterable[float]) -> float:
    return percentile(list(values), 0.5)
