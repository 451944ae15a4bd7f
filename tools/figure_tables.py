"""Writes the figures in docs/benchmarks.md and README.md from the results of the last complete `make bench`."""

import json
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parents[1] / "bench" / "results" / "latest.json"
NO_RESULTS = "No results of a complete `make bench` are stored yet."
GROUPS = {
    "pair": "Recording one action",
    "concurrency": "Concurrent callers in one process",
    "batch": "Batches",
    "fairness": "Many processes that write one file",
    "growth": "A large journal",
    "peers": "Other libraries",
    "start": "Start of the library",
    "mcp": "MCP server",
    "hook": "Hooks",
    "gateway": "Gateway",
    "rest": "REST",
    "page": "The page in a browser",
    "runner": "The runner",
}
"""The headings of docs/benchmarks.md, by the first part of a figure's name."""

Figure = dict[str, Any]


def all_figures() -> str:
    """Return every figure, one table for each group, and the machine that was measured."""
    if not RESULTS.exists():
        return NO_RESULTS
    results: dict[str, Any] = json.loads(RESULTS.read_text())
    tables = [_table(heading, _of_group(name, results["figures"])) for name, heading in GROUPS.items()]
    return "\n\n".join([_machine(results), *filter(None, tables)])


def key_figures() -> str:
    """Return the five figures of the README."""
    if not RESULTS.exists():
        return NO_RESULTS
    results: dict[str, Any] = json.loads(RESULTS.read_text())
    value = {figure["name"]: _value(figure) for figure in results["figures"]}
    rows = {
        "Record an action: begin and end, both durable, on SQLite": (
            f"{value['pair.sqlite.ms']}; {value['pair.sqlite']} the time of two rows written with bare SQLite"
        ),
        "64 asyncio tasks that record at once": f"{value['concurrency.tasks']} the actions per second of one task",
        "Hook on a shell call": f"{value['hook.small']} the start of a bare Python interpreter",
        "Gateway on stdio": (
            f"adds {value['gateway_stdio_one_by_one_ours']} to a call; "
            f"fastmcp's proxy, which records nothing, adds {value['gateway_stdio_one_by_one_peer']}"
        ),
        "Record an action among a million entries": f"{value['growth.record']} the time among a thousand entries",
    }
    table = ["| figure | measured |", "|---|---|", *(f"| {title} | {measured} |" for title, measured in rows.items())]
    return "\n".join([*table, "", _machine(results)])


def _of_group(group: str, figures: list[Figure]) -> list[Figure]:
    return [figure for figure in figures if figure["name"].replace("_", ".").startswith(f"{group}.")]


def _table(heading: str, figures: list[Figure]) -> str:
    """The table of a group; empty if the last complete run is older than the group."""
    rows = [f"## {heading}", "", "| figure | limit | measured |", "|---|---|---|"]
    for figure in figures:
        missed = ", missed" if figure["verdict"] == "missed" else ""
        rows.append(f"| {figure['title']} | {figure['aim'] or ''} | {_value(figure)}{missed} |")
    return "\n".join(rows) if figures else ""


def _value(figure: Figure) -> str:
    measured = figure["measured"]
    return f"{f'{measured:,.0f}' if measured >= 1000 else f'{measured:.3g}'} {figure['unit']}"


def _machine(results: dict[str, Any]) -> str:
    machine = results["machine"]
    facts = f"{machine['cores']} cores, {machine['system']}, Python {machine['python']}, {machine['file_system']}"
    return f"Measured {results['date'][:10]} on {facts}. The median fsync took {machine['fsync_p50_ms']:.2g} ms."
