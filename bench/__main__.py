"""`python -m bench` measures the figures, prints a table, and writes the results to a file."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import machine
from bench.figure import LARGE, Bench, Figure

NAMES = (
    "pair",
    "concurrency",
    "batch",
    "fairness",
    "growth",
    "peers",
    "start",
    "mcp",
    "hook",
    "gateway",
    "rest",
    "agent",
    "page",
    "runner",
)
RESULTS = Path(__file__).resolve().parent / "results"


def main() -> int:
    options = _arguments()
    names = options.only or list(NAMES)
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="tallystick-bench-", dir=options.folder) as folder:
        log = lambda text: print(f"  {text}", file=sys.stderr, flush=True)  # noqa: E731
        bench = Bench(Path(folder), options.quick, log, options.entries)
        facts = machine.facts(bench.folder)
        figures = [figure for name in names for figure in _run(name, bench)]
    is_complete = not options.quick and not options.only and options.entries == LARGE
    results = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "whole_run": is_complete,
        "seconds": round(time.perf_counter() - started),
        "machine": facts,
        "busy": machine.is_busy(facts),
        "durability": bench.durability,
        "figures": [figure.as_json() for figure in figures],
    }
    path = RESULTS / ("latest.json" if is_complete else "partial.json")
    RESULTS.mkdir(exist_ok=True)
    path.write_text(json.dumps(results, indent=2) + "\n")
    print(_report(figures, results))
    return 1 if any(figure.verdict == "missed" for figure in figures) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure Tallystick. Most figures are ratios.")
    parser.add_argument(
        "--quick", action="store_true", help="small rounds, and nothing that takes long: rougher figures"
    )
    parser.add_argument("--only", action="append", choices=NAMES, help="only this group of figures; may be repeated")
    parser.add_argument(
        "--folder", type=Path, help="the folder for the stores; by default the temporary folder of the system"
    )
    parser.add_argument("--entries", type=int, default=LARGE, help="in the large store of the growth figures")
    return parser.parse_args()


def _run(name: str, bench: Bench) -> list[Figure]:
    bench.log(f"{name} ...")
    started = time.perf_counter()
    module = importlib.import_module(f"bench.{name}")
    figures: list[Figure] = module.figures(bench)
    bench.log(f"{name} took {time.perf_counter() - started:.0f} s")
    return figures


def _report(figures: list[Figure], results: dict[str, Any]) -> str:
    facts = ", ".join(f"{name} {value}" for name, value in results["machine"].items())
    lines = [f"{results['date']}, {results['seconds']} s: {facts}", "", *_table(figures), "", "Durability:"]
    if results["busy"]:
        lines.insert(1, "The machine was busy with other work: do not quote these figures.")
    lines += [f"  {name}: {text}" for name, text in results["durability"].items()]
    noted = [figure for figure in figures if figure.notes]
    lines += ["", "Notes:", *(f"  {figure.name}: {figure.notes}" for figure in noted)] if noted else []
    return "\n".join(lines)


def _table(figures: list[Figure]) -> list[str]:
    heads = ("figure", "title", "aim", "measured", "quartiles", "")
    rows = [heads, *(_row(figure) for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _row(figure: Figure) -> tuple[str, ...]:
    quartiles = "" if figure.low is None or figure.high is None else f"{_number(figure.low)} to {_number(figure.high)}"
    aim = "" if figure.aim is None else str(figure.aim)
    verdict = "" if figure.verdict == "context" else figure.verdict
    return (figure.name, figure.title, aim, f"{_number(figure.measured)} {figure.unit}", quartiles, verdict)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main())
