"""Every store test runs with rows that are written at once, soon and late: it must make no difference."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import new_home
from tests.stores import Home

HOMES = [("memory", 128), ("sqlite", 1), ("sqlite", 16), ("sqlite", 128), ("postgres", 3), ("postgres", 128)]
"""Kinds of store, each with a number of entries after which rows are written (128 in production)."""
SHARED_HOMES = [("sqlite", 1), ("sqlite", 128), ("postgres", 3)]


def _name(home: tuple[str, int]) -> str:
    return f"{home[0]}-{home[1]}"


def _new_home(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    kind, entries_per_flush = request.param
    monkeypatch.setattr("tallystick.store.sql.tail.ENTRIES_PER_FLUSH", entries_per_flush)
    yield from new_home(kind, request, tmp_path)


@pytest.fixture(params=HOMES, ids=_name)
def home(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """A new file or database for each kind of store."""
    yield from _new_home(request, tmp_path, monkeypatch)


@pytest.fixture(params=SHARED_HOMES, ids=_name)
def shared_home(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """The same, for the kinds of store that several processes can open."""
    yield from _new_home(request, tmp_path, monkeypatch)
