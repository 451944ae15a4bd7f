"""What a caller can do: one typed function each, in the one catalogue that every door is projected from.

The modules are loaded when they are first used: importing the library and opening a journal need none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tallystick.operations.runtime.operation import Operation

if TYPE_CHECKING:
    from tallystick.operations import (
        actions,
        approvals,
        audit,
        context,
        credentials,
        decisions,
        entries,
        executions,
        plans,
        reports,
        sessions,
    )
    from tallystick.operations.runtime import batch
    from tallystick.operations.runtime.operation import CATALOGUE
    from tallystick.operations.views import brief, comparison, coverage, owed, stats, timeline

__all__ = [
    "CATALOGUE",
    "Operation",
    "actions",
    "approvals",
    "audit",
    "batch",
    "brief",
    "comparison",
    "context",
    "coverage",
    "credentials",
    "decisions",
    "entries",
    "executions",
    "owed",
    "plans",
    "reports",
    "sessions",
    "stats",
    "timeline",
]

_FOLDERS = {
    "batch": "runtime.",
    **dict.fromkeys(("brief", "comparison", "coverage", "owed", "stats", "timeline"), "views."),
}
MODULES = {name: f"{__name__}.{_FOLDERS.get(name, '')}{name}" for name in __all__ if name.islower()}


def __getattr__(name: str) -> Any:
    """A module of operations, or the catalogue with all of them loaded."""
    if name in MODULES:
        return import_module(MODULES[name])
    if name == "CATALOGUE":
        for module in MODULES.values():
            import_module(module)
        _in_order(import_module(f"{__name__}.runtime.operation").CATALOGUE)
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _in_order(catalogue: dict[str, Operation[..., Any]]) -> None:
    """Keep the catalogue, sorted by module: the order in which modules happened to be loaded shows nowhere."""
    order = {module: place for place, module in enumerate(MODULES.values())}
    ordered = sorted(catalogue.items(), key=lambda pair: order[pair[1].function.__module__])
    catalogue.clear()
    catalogue.update(ordered)
    globals()["CATALOGUE"] = catalogue
