"""The catalogue of operations: the library, CLI, MCP and REST interfaces are all generated from it.

A module of operations is loaded when it is first used: importing the library and opening a journal load none.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tallystick.core.errors import system_error
from tallystick.operations.runtime.operation import Operation

if TYPE_CHECKING:
    from tallystick.operations import (
        actions,
        approvals,
        audit,
        context,
        credentials,
        decisions,
        executions,
        plans,
        reports,
        runs,
        sessions,
        tasks,
    )
    from tallystick.operations.notifications import alerts, webhooks
    from tallystick.operations.runtime import batch
    from tallystick.operations.runtime.operation import CATALOGUE
    from tallystick.operations.views import (
        brief,
        comparison,
        coverage,
        entries,
        execution_status,
        inbox,
        matches,
        owed,
        timeline,
        work,
    )
    from tallystick.operations.views.figures import series, stats

__all__ = [
    "CATALOGUE",
    "Operation",
    "actions",
    "alerts",
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
    "execution_status",
    "executions",
    "inbox",
    "matches",
    "owed",
    "plans",
    "reports",
    "runs",
    "series",
    "sessions",
    "stats",
    "tasks",
    "timeline",
    "webhooks",
    "work",
]

_FOLDERS = {
    "alerts": "notifications.",
    "batch": "runtime.",
    "webhooks": "notifications.",
    **dict.fromkeys(
        (
            "brief",
            "comparison",
            "coverage",
            "entries",
            "execution_status",
            "inbox",
            "matches",
            "owed",
            "timeline",
            "work",
        ),
        "views.",
    ),
    **dict.fromkeys(("series", "stats"), "views.figures."),
}
MODULES = {name: f"{__name__}.{_FOLDERS.get(name, '')}{name}" for name in __all__ if name.islower()}


def __getattr__(name: str) -> Any:
    """Load a module of operations, or all of them for CATALOGUE."""
    if name in MODULES:
        return _load(MODULES[name])
    if name == "CATALOGUE":
        for module in MODULES.values():
            _load(module)
        _sort_by_module(import_module(f"{__name__}.runtime.operation").CATALOGUE)
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _load(module: str) -> Any:
    try:
        return import_module(module)
    except OSError as error:  # no file descriptors are left
        raise system_error(error) from error


def _sort_by_module(catalogue: dict[str, Operation[..., Any]]) -> None:
    """Sort the catalogue by module, whatever the order in which modules were loaded, and keep it in this package."""
    order = {module: index for index, module in enumerate(MODULES.values())}
    ordered = sorted(catalogue.items(), key=lambda pair: order[pair[1].function.__module__])
    catalogue.clear()
    catalogue.update(ordered)
    globals()["CATALOGUE"] = catalogue
