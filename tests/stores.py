"""Opens stores for tests: in memory, in a SQLite file, in a database of a real PostgreSQL server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias
from urllib.parse import urlsplit

from tallystick.store.memory import MemoryStore, system_clock
from tallystick.store.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from tallystick.store.postgres.store import PostgresStore

AnyStore: TypeAlias = "MemoryStore | SqliteStore | PostgresStore"
Kind = Literal["memory", "sqlite", "postgres"]


class Clock:
    """A clock for any store that moves only when `advance` is called."""

    def __init__(self, now: int = 1_800_000_000_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += int(seconds * 1_000_000)


class Home:
    """A file or database for a store, which can be opened several times. In memory there is one store for all."""

    def __init__(self, kind: Kind, url: str) -> None:
        self.kind = kind
        self.url = url
        self._opened: list[AnyStore] = []

    def open(self, *, clock: Callable[[], int] | None = None, fault: Callable[[str], None] | None = None) -> AnyStore:
        if self.kind == "memory" and self._opened:
            return self._opened[0]
        store = open_store(self.url, clock=clock, fault=fault)
        self._opened.append(store)
        return store

    def close(self) -> None:
        for store in self._opened:
            store.close()

    @property
    def path(self) -> Path:
        """The file of a SQLite store."""
        return _path(self.url)


def open_store(
    url: str, *, clock: Callable[[], int] | None = None, fault: Callable[[str], None] | None = None
) -> AnyStore:
    scheme = urlsplit(url).scheme
    if scheme == "memory":
        return MemoryStore(clock or system_clock)
    if scheme == "sqlite":
        return SqliteStore(_path(url), clock=clock, fault=fault)
    from tallystick.store.postgres.store import PostgresStore  # here, so that processes without it start quickly

    return PostgresStore(url, clock=clock, fault=fault)


def _path(url: str) -> Path:
    return Path(url.removeprefix("sqlite://"))
