"""What a caller can do: one typed function each, in the one catalogue that every door is projected from.

The modules are loaded when they are first used: importing the library and opening a journal need none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tallystick.operations.operation import Operation

if TYPE_CHECKING:
    from tallystick.operations import (
        actions,
        acts,
        approvals,
        audits,
        batches,
        briefs,
        comparisons,
        contexts,
        coverage,
        credentials,
        debts,
        decisions,
        entries,
        executions,
        notes,
        plans,
        reports,
        series,
        sessions,
        stats,
        timelines,
    )
    from tallystick.operations.operation import CATALOGUE

__all__ = [
    "CATALOGUE",
    "Operation",
    "actions",
    "acts",
    "approvals",
    "audits",
    "batches",
    "briefs",
    "comparisons",
    "contexts",
    "coverage",
    "credentials",
    "debts",
    "decisions",
    "entries",
    "executions",
    "notes",
    "plans",
    "reports",
    "series",
    "sessions",
    "stats",
    "timelines",
]

MODULES = tuple(name for name in __all__ if name.islower())


def __getattr__(name: str) -> Any:
    """A module of operations, or the catalogue with all of them loaded."""
    if name in MODULES:
        return import_module(f"{__name__}.{name}")
    if name == "CATALOGUE":
        for module in MODULES:
            import_module(f"{__name__}.{module}")
        _in_order(import_module(f"{__name__}.operation").CATALOGUE)
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _in_order(catalogue: dict[str, Operation[..., Any]]) -> None:
    """Keep the catalogue, sorted by module: the order in which modules happened to be loaded shows nowhere."""
    order = {f"{__name__}.{module}": place for place, module in enumerate(MODULES)}
    ordered = sorted(catalogue.items(), key=lambda pair: order[pair[1].function.__module__])
    catalogue.clear()
    catalogue.update(ordered)
    globals()["CATALOGUE"] = catalogue
