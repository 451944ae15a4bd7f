"""Compares begin and end with other libraries from the package index, each in its own process."""

from __future__ import annotations

import sys

from bench import peers_python
from bench.figure import Aim, Bench, Figure
from bench.processes import compete
from bench.rounds import ratio, spread

PAIRS_A_ROUND = 100
FASTER = Aim(bound=1.0, higher_is_better=True)
ABOUT_EQUAL = Aim(bound=0.9, target=1.0, higher_is_better=True)
"""The peer stores far less (one overwritten row), so up to a tenth slower is allowed."""

PEERS: dict[str, tuple[str, Aim | None]] = {
    "dbos_step": ("a DBOS step", FASTER),
    "dbos_workflow": ("a DBOS workflow of one step", None),
    "langgraph_saver": ("put and put_writes of LangGraph's SQLite checkpointer", FASTER),
    "langgraph_node": ("a LangGraph node with that checkpointer", FASTER),
    "continuum_ledger": ("claim and complete in continuum-agent", FASTER),
    "execution_journal_step": ("a tool call in execution-journal", ABOUT_EQUAL),
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
