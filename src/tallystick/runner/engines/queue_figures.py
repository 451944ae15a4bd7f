"""Figures of the queue of a journal, for operators. They are read from the tables of the engine `queue`."""

from __future__ import annotations

from hashlib import blake2b
from typing import LiteralString

from msgspec import Struct

SCHEMA = "tallystick_queue"
MAX_COUNTED = 10_000
TIMEOUT_SECONDS = 2
_FIGURES: LiteralString = f"""
select queue_name, count(*) filter (where is_due), count(*) filter (where status = 'todo' and not is_due),
    count(*) filter (where status = 'doing'), coalesce(max(waited) filter (where is_due), 0)::float
from (
    select queue_name, status, status = 'todo' and coalesce(scheduled_at <= now(), true) as is_due,
        extract(epoch from now()) - greatest((args->>'at')::float, extract(epoch from scheduled_at)::float) as waited
    from {SCHEMA}.procrastinate_jobs where starts_with(queue_name, %s) limit {MAX_COUNTED}
) job group by 1 order by 1"""


class QueueFigures(Struct, frozen=True, kw_only=True):
    """The work of one queue; looks at runs have the empty one. `later`: its time has not come."""

    queue: str
    due: int
    later: int
    delivered: int
    oldest_wait_seconds: float


def journal_prefix(journal: str) -> str:
    """What the names of a journal's queues begin with."""
    return blake2b(journal.encode(), digest_size=6).hexdigest()


def read_queues(url: str, journal: str) -> list[QueueFigures]:
    """The figures of the queues of a journal; none if it is not in PostgreSQL, or no worker was ever started."""
    if url.partition(":")[0] not in ("postgresql", "postgres"):
        return []
    import psycopg

    options = f"-c statement_timeout={TIMEOUT_SECONDS * 1000}"
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=TIMEOUT_SECONDS, options=options) as connection:
            rows = connection.execute(_FIGURES, (journal_prefix(journal),)).fetchall()
    except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName, psycopg.errors.InsufficientPrivilege):
        return []
    return [
        QueueFigures(
            queue=name.partition(".")[2],
            due=due,
            later=later,
            delivered=delivered,
            oldest_wait_seconds=max(0.0, waited),
        )
        for name, due, later, delivered, waited in rows
    ]
