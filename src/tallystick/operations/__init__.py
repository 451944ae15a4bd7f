"""What a caller can do: one typed function each, in the one catalogue that every door is projected from."""

from tallystick.operations import (  # each module adds its operations to the catalogue
    actions,
    approvals,
    audits,
    batches,
    briefs,
    contexts,
    credentials,
    debts,
    decisions,
    entries,
    executions,
    plans,
    sessions,
    stats,
)
from tallystick.operations.operation import CATALOGUE, Operation

__all__ = [
    "CATALOGUE",
    "Operation",
    "actions",
    "approvals",
    "audits",
    "batches",
    "briefs",
    "contexts",
    "credentials",
    "debts",
    "decisions",
    "entries",
    "executions",
    "plans",
    "sessions",
    "stats",
]
