"""LangGraph's SQLite checkpointer alone: a checkpoint with the arguments, then the writes of the result."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.sqlite import SqliteSaver  # type: ignore[import-not-found]

from bench.contenders.contender import Contender, Waits, one_by_one, timed
from bench.payload import begin_half, end_half


@contextmanager
def open_contender(address: str) -> Iterator[Contender]:
    with closing(sqlite3.connect(address, check_same_thread=False)) as connection:
        saver = SqliteSaver(connection)
        saver.setup()
        connection.execute("pragma synchronous = full")
        config: dict[str, Any] = {"configurable": {"thread_id": "bench", "checkpoint_ns": ""}}

        def begin(number: int, half: dict[str, Any]) -> dict[str, Any]:
            checkpoint = empty_checkpoint()
            checkpoint["channel_values"] = half
            versions: dict[str, Any] = dict.fromkeys(half, number + 1)
            checkpoint["channel_versions"] = versions
            metadata = {"source": "loop", "step": number, "parents": {}}
            saved: dict[str, Any] = saver.put(config, checkpoint, metadata, versions)
            return saved

        def pair(number: int, waits: Waits) -> None:
            nonlocal config
            begun, answered = begin_half(number), list(end_half(number).items())
            config = timed(waits, lambda: begin(number, begun))
            timed(waits, lambda: saver.put_writes(config, answered, task_id=f"task-{number}"))

        yield Contender(
            f"SQLite {sqlite3.sqlite_version}, WAL, synchronous=FULL, put and put_writes each committed",
            one_by_one(pair),
        )
