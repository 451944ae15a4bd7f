"""`tallystick mcp` beside the official memory server, continuum-agent's server and a bare one, all over stdio.

The bare server is the floor: it reads a line, commits one row with bare apsw and answers. Stores are filled to three
sizes. Queries are measured first, because records make a store grow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

from bench import peers_node, peers_python, start
from bench.figure import Aim, Bench, Figure
from bench.mcp_client import Client, Resident
from bench.mcp_servers import SMALL, Continuum, Floor, Memory, Ours, Queried, Server
from bench.rounds import Samples, Spread, interleave, percentile, ratio, spread

HALF = Aim(bound=0.5)
"""Half of what the memory server takes."""
NEAR_FLOOR = Aim(bound=1.5)
FLAT = Aim(bound=1.5)

QUERIES = 25
RECORDS = 10
"""Calls in a turn: the same number at each size, because the first calls after other servers' turns are slower. Few
records, because a small store must stay small."""
TURN_SECONDS = 0.5
SPENT_SECONDS = (4, 1)
"""The time for all calls to one server, in a full or a quick run: a slow server has fewer calls, as its notes say."""

ROUNDS = (10, 3)
NEAR_ROUNDS = (30, 6)
"""In a full and a quick run. More rounds where only fast servers take turns: a ratio near its bound must be no luck."""

Running = tuple[Server, Client]


def figures(bench: Bench) -> list[Figure]:
    sizes = (SMALL, bench.amount(10_000, 1_000), bench.amount(100_000, 5_000))
    servers = _filled(bench, sizes)
    found = _starting(bench, [each for each in servers if each.entries == SMALL])
    with ExitStack() as stack:
        running = [(each, stack.enter_context(each.start())) for each in servers]
        return [*found, *_queries(bench, running, sizes), *_records(bench, running, sizes)]


class Turn:
    """Calls of one kind to one running server, and how long each took."""

    def __init__(self, bench: Bench, server: Server, call: Callable[[], float], calls: int) -> None:
        self.key = _key(server, server.entries)
        self.waits: list[float] = []
        self._call = call
        self._calls = calls
        self._seconds = bench.amount(*SPENT_SECONDS)

    def __call__(self) -> float:
        """The median of some more calls. A server that is out of time makes none, and its median so far is used."""
        if sum(self.waits) > self._seconds:
            return percentile(self.waits, 0.5)
        new: list[float] = []
        while len(new) < self._calls and sum(new) < TURN_SECONDS:
            new.append(self._call())
        self.waits += new
        return percentile(new, 0.5)

    def warm(self) -> None:
        """Take a turn that does not count, unless there is no time for another turn."""
        self()
        if sum(self.waits) <= self._seconds:
            self.waits.clear()


class Records(Turn):
    """Records, each a begin and its end. The time of the begin counts."""

    def __init__(self, bench: Bench, server: Server, client: Client) -> None:
        super().__init__(bench, server, self._record, RECORDS)
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

    @property
    def grown(self) -> int:
        """How many entries a store that only grows has by now: each record is a begin and an end."""
        return self._server.entries + 2 * self._server.number

    def _record(self) -> float:
        begin, end = self._server.record(self._client)
        self.ends.append(end)
        return begin


def _filled(bench: Bench, sizes: Iterable[int]) -> list[Server]:
    python = start.environment(bench.folder)
    programs: dict[type[Server], list[str]] = {
        Ours: [str(Path(python).with_name("tallystick"))],
        Floor: [python],
        Memory: peers_node.memory_server(bench.log),
        Continuum: [peers_python.interpreter(bench.log)],
    }
    folder = bench.folder / "mcp"
    folder.mkdir()
    for kind in programs:
        bench.durability[f"mcp: {kind.name}"] = kind.durability
    return [
        kind(program, folder / f"{kind.__name__.lower()}-{size}", size)
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
    samples = interleave(turns, bench.amount(*ROUNDS))
    rss = {name: [float(each.rss) for each in values[1:]] for name, values in resident.items()}
    seconds = ", ".join(f"{name} {1000 * spread(values).median:.0f} ms" for name, values in samples.items())
    bytes_ = ", ".join(f"{name} {_middle(rss[name]) / 1e6:.1f} MB" for name in rss)
    shared = ", ".join(
        f"{name} {_middle([one.pss for one in each[1:]]) / 1e6:.1f} MB" for name, each in resident.items()
    )
    start_time = "MCP server: time from its start to its first tool list"
    memory = "MCP server: resident memory after its start"
    return [
        _ratio("mcp.start", f"{start_time}, compared with the memory server", samples, Ours, Memory, HALF, seconds),
        _ratio("mcp.start.continuum", f"{start_time}, compared with continuum-agent", samples, Ours, Continuum),
        _ratio("mcp.start.floor", f"{start_time}, compared with a bare server", samples, Ours, Floor),
        _ratio(
            "mcp.memory",
            f"{memory}, compared with the memory server",
            rss,
            Ours,
            Memory,
            HALF,
            f"RSS: {bytes_}; PSS: {shared}",
        ),
        _ratio("mcp.memory.continuum", f"{memory}, compared with continuum-agent", rss, Ours, Continuum),
        _ratio("mcp.memory.floor", f"{memory}, compared with a bare server", rss, Ours, Floor),
    ]


def _queries(bench: Bench, running: list[Running], sizes: tuple[int, ...]) -> list[Figure]:
    def querying(server: Queried, client: Client) -> Turn:
        return Turn(bench, server, lambda: server.query(client).seconds, QUERIES)

    turns = [querying(server, client) for server, client in running if isinstance(server, Queried)]
    samples = _rounds(bench, turns)
    return [
        *_growths("mcp.query", "MCP query", samples, turns, (Ours, Memory, Continuum), sizes),
        *(_beside("mcp.query", "MCP query", samples, kind, sizes) for kind in (Memory, Continuum)),
        _milliseconds("mcp.query.ms", "MCP query", samples, sizes),
    ]


def _records(bench: Bench, running: list[Running], sizes: tuple[int, ...]) -> list[Figure]:
    """First ours and the floor alone: after a peer, a server would wait for the writes that the peer left."""
    near = [Records(bench, *each) for each in running if isinstance(each[0], Ours | Floor)]
    samples = _rounds(bench, near, NEAR_ROUNDS)
    found = [_over_floor(size, samples, near, size == sizes[1]) for size in sizes]
    found += _growths("mcp.record", "MCP record", samples, near, (Ours, Floor), sizes)
    found.append(_milliseconds("mcp.record.ms", "Durable MCP record", samples, sizes))
    beside = [Records(bench, *each) for each in running if not isinstance(each[0], Floor)]
    samples = _rounds(bench, beside)
    found += _growths("mcp.record", "MCP record", samples, beside, (Memory, Continuum), sizes)
    found += [_beside("mcp.record", "MCP record", samples, kind, sizes) for kind in (Memory, Continuum)]
    return found


def _rounds(bench: Bench, turns: Sequence[Turn], rounds: tuple[int, int] = ROUNDS) -> Samples:
    for turn in turns:
        turn.warm()
    return interleave({turn.key: turn for turn in turns}, bench.amount(*rounds))


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


def _over_floor(size: int, samples: Samples, turns: Sequence[Records], is_main: bool) -> Figure:
    over, under = (next(turn for turn in turns if turn.key == _key(kind, size)) for kind in (Ours, Floor))
    found = ratio(samples, over.key, under.key)
    tail = percentile(over.waits, 0.99) / percentile(under.waits, 0.99)
    end = percentile(over.ends, 0.5) / percentile(under.ends, 0.5)
    notes = (
        f"{Ours.record_as}, p50; its p99 is {tail:.2f} times the floor's p99, the p50 of an end {end:.2f} times; "
        f"{over.grown:,} entries at the last of them"
    )
    title = f"Durable MCP record at {size:,} entries, compared with a bare server that commits one row"
    name = "mcp.record" if is_main else f"mcp.record.{size}"
    return Figure(name, title, found.median, "times", NEAR_FLOOR, found.low, found.high, notes)


def _growths(
    name: str,
    what: str,
    samples: Samples,
    turns: Sequence[Turn],
    kinds: Iterable[type[Server]],
    sizes: tuple[int, ...],
) -> list[Figure]:
    waits = {turn.key: turn.waits for turn in turns}
    return [_growth(f"{name}.growth", what, samples, waits, kind, sizes) for kind in kinds]


def _growth(
    name: str, what: str, samples: Samples, waits: Samples, kind: type[Server], sizes: tuple[int, ...]
) -> Figure:
    found = ratio(samples, _key(kind, sizes[-1]), _key(kind, sizes[0]))
    title = f"{what}{_whose(kind)}: time at {sizes[-1]:,} entries, compared with {sizes[0]:,}"
    way = kind.query_as if issubclass(kind, Queried) and not name.startswith("mcp.record") else kind.record_as
    aim = FLAT if kind is Ours else None
    notes = f"{way}: {_waits(waits, kind, sizes)}"
    return Figure(f"{name}{_of(kind)}", title, found.median, "times", aim, found.low, found.high, notes)


def _beside(name: str, what: str, samples: Samples, kind: type[Server], sizes: tuple[int, ...]) -> Figure:
    found = {size: ratio(samples, _key(kind, size), _key(Ours, size)) for size in sizes}
    middle = found[sizes[1]]
    notes = ", ".join(f"{_plain(each.median)} times at {size:,} entries" for size, each in found.items())
    title = f"{what}{_whose(kind)} at {sizes[1]:,} entries, compared with Tallystick"
    return Figure(f"{name}{_of(kind)}", title, middle.median, low=middle.low, high=middle.high, notes=notes)


def _milliseconds(name: str, what: str, samples: Samples, sizes: tuple[int, ...]) -> Figure:
    found = _scaled(spread(samples[_key(Ours, sizes[1])]))
    return Figure(name, f"{what} at {sizes[1]:,} entries", found.median, "ms", low=found.low, high=found.high)


def _scaled(seconds: Spread) -> Spread:
    return Spread(1000 * seconds.median, 1000 * seconds.low, 1000 * seconds.high)


def _waits(waits: Samples, kind: type[Server], sizes: tuple[int, ...]) -> str:
    """The times at each size. Few calls have no p99, so their longest is shown."""
    texts = []
    for size in sizes:
        of_size = waits[_key(kind, size)]
        p50, p99 = (1000 * percentile(of_size, share) for share in (0.5, 0.99))
        last = f"p99 {_plain(p99)}" if len(of_size) >= 100 else f"longest {_plain(1000 * max(of_size))}"
        texts.append(f"at {size:,} entries p50 {_plain(p50)}, {last} ms of {len(of_size)}")
    return "; ".join(texts)


def _plain(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _key(server: type[Server] | Server, size: int) -> str:
    return f"{server.name} {size}"


def _of(kind: type[Server]) -> str:
    return "" if kind is Ours else f".{kind.__name__.lower()}"


def _whose(kind: type[Server]) -> str:
    if kind is Ours:
        return ""
    return f" of {kind.name}" if kind is Continuum else f" of the {kind.name}"


def _middle(values: Iterable[float]) -> float:
    return percentile(list(values), 0.5)
