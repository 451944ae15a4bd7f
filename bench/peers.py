"""The same begin and end beside peers from the package index, in one run, each in a process of its own."""

from __future__ import annotations

import sys

from bench import peers_python
from bench.figure import Aim, Bench, Figure
from bench.processes import compete
from bench.rounds import ratio, spread

PAIRS_A_ROUND = 100
AHEAD = Aim(bound=1.0, higher_is_better=True)
LEVEL = Aim(bound=0.9, target=1.0, higher_is_better=True)
"""It keeps far less (one row, overwritten), so up to a tenth behind it still counts as level."""

PEERS: dict[str, tuple[str, Aim | None]] = {
    "dbos_step": ("a DBOS step", AHEAD),
    "dbos_workflow": ("a DBOS workflow of one step", None),
    "langgraph_saver": ("put and put_writes of LangGraph's SQLite checkpointer", AHEAD),
    "langgraph_node": ("a LangGraph node with that checkpointer", AHEAD),
    "continuum_ledger": ("claim and complete in continuum-agent", AHEAD),
    "execution_journal_step": ("a tool call in execution-journal", LEVEL),
}


def figures(bench: Bench) -> list[Figure]:
    python = peers_python.interpreter(bench.log)
    entries = {name: (str(bench.folder / f"peers-{name}.db"), python) for name in PEERS}
    for name in ("tallystick_pair", "bare_apsw"):
        entries[name] = (str(bench.folder / f"peers-{name}.db"), sys.executable)
    samples = compete(bench, "peers", entries, bench.amount(15, 3), bench.amount(PAIRS_A_ROUND, 40))
    found = []
    for name, (peer, aim) in PEERS.items():
        beside, floor = ratio(samples, name, "tallystick_pair"), ratio(samples, name, "bare_apsw")
        milliseconds = spread([1000 * seconds for seconds in samples[name]]).median
        notes = f"{milliseconds:.2f} ms, {floor.median:.2f} times the bare rows"
        found.append(
            Figure(
                f"peers.{name}",
                f"Time of {peer}, compared with Tallystick",
                beside.median,
                "times",
                aim,
                beside.low,
                beside.high,
                notes,
            )
        )
    return found
