"""LangGraph as it is used: one node of a compiled graph, checkpointed to SQLite before the next one runs."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from typing import Any, TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver  # type: ignore[import-not-found]
from langgraph.graph import END, START, StateGraph

from bench.contenders.contender import Contender, Waits
from bench.payload import begin_half, end_half


class State(TypedDict):
    number: int
    stop: int
    begun: dict[str, Any]
    ended: dict[str, Any]


@contextmanager
def open_contender(address: str) -> Iterator[Contender]:
    with closing(sqlite3.connect(address, check_same_thread=False)) as connection:
        connection.execute("pragma synchronous = full")
        graph = StateGraph(State)
        entries: list[float] = []

        def node(state: State) -> dict[str, Any]:
            entries.append(time.perf_counter())
            number = state["number"]
            return {"number": number + 1, "begun": begin_half(number + 1), "ended": end_half(number)}

        graph.add_node("pay", node)
        graph.add_edge(START, "pay")
        graph.add_conditional_edges("pay", lambda state: "pay" if state["number"] < state["stop"] else END)
        app = graph.compile(checkpointer=SqliteSaver(connection))

        def run(numbers: range) -> list[Waits]:
            """A node costs the time from its entry to the next one's: one more is run to close the last."""
            entries.clear()
            app.invoke(
                {
                    "number": numbers.start,
                    "stop": numbers.stop + 1,
                    "begun": begin_half(numbers.start),
                    "ended": {},
                },
                {
                    "configurable": {"thread_id": f"bench-{numbers.start}"},
                    "recursion_limit": len(numbers) + 10,
                },
                durability="sync",
            )
            return [[after - before] for before, after in pairwise(entries)]

        yield Contender(
            f"SQLite {sqlite3.sqlite_version}, WAL, synchronous=FULL, sync: its writes, then a checkpoint",
            run,
        )
