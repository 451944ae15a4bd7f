"""The figures in the README, from the results of the last whole run of `make bench`."""

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "results" / "latest.json"
BEGIN, END = "<!-- figures: written by `make reference` from bench/results/latest.json -->", "<!-- /figures -->"
NONE_YET = "No whole run of `make bench` has been kept yet."


def section() -> str:
    """The text between the markers."""
    if not RESULTS.exists():
        return NONE_YET
    results: dict[str, Any] = json.loads(RESULTS.read_text())
    rows = ["| figure | aim | measured |", "|---|---|---|"]
    rows += [f"| {each['what']} | {_aim(each)} | {_measured(each)} |" for each in results["figures"]]
    return "\n".join([*rows, "", _where(results)])


def placed(text: str) -> str:
    """A document with the section renewed."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("README.md lacks the markers of the figures")
    return f"{before}{BEGIN}\n{section()}\n{END}{after}"


def _aim(figure: dict[str, Any]) -> str:
    return figure["aim"] or "for comparison"


def _measured(figure: dict[str, Any]) -> str:
    missed = ", missed" if figure["verdict"] == "missed" else ""
    measured = figure["measured"]
    return f"{f'{measured:,.0f}' if measured >= 1000 else f'{measured:.3g}'} {figure['unit']}{missed}"


def _where(results: dict[str, Any]) -> str:
    machine = results["machine"]
    facts = f"{machine['cores']} cores, {machine['system']}, Python {machine['python']}, {machine['file_system']}"
    return f"Measured {results['date'][:10]} on {facts}; an fsync took {machine['fsync_p50_ms']:.2g} ms in the middle."
