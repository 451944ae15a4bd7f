"""Every behaviour test runs in every cell: on each store in process, and through each interface on SQLite."""

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tallystick import Journal
from tallystick.settings import Settings
from tests.drivers import Loop
from tests.matrix import (
    CELLS,
    ENTRIES_PER_FLUSH,
    Cell,
    async_interface,
    cli_interface,
    local_interface,
    mcp_interface,
    rest_interface,
)
from tests.postgres_server import Server
from tests.promises import promises
from tests.stores import Clock, open_store

if TYPE_CHECKING:
    from tests.interfaces.rest.rest_server import MultiStoreServer

_names = count(1)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes a cell gets each one at which its promise can hold."""
    if "cell_name" in metafunc.fixturenames:
        marks = [mark.args[0] for mark in metafunc.definition.iter_markers("promise")]
        barred = {name for id in marks if id in promises() for name in promises()[id].not_at}
        names = [name for name in CELLS if name not in barred]
        # Both eras of MCP: what cannot hold in one cannot hold in the other.
        metafunc.parametrize("cell_name", [*names, *(["mcp2025-sqlite"] if "mcp-sqlite" in names else [])])


@pytest.fixture(scope="session")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.fixture(scope="session")
def rest_server() -> "Iterator[MultiStoreServer]":
    """One server for all behaviour tests of a worker."""
    from tests.interfaces.rest.rest_server import MultiStoreServer  # it takes a while to load

    with MultiStoreServer() as rest_server:
        yield rest_server


@pytest.fixture(scope="session")
def database(postgres: Server) -> Iterator[str]:
    """One database for all behaviour tests of a worker: each has a journal of its own in it."""
    with postgres.database() as url:
        yield url


@pytest.fixture(scope="session")
def new_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new SQLite store, for the tests to copy: creating one takes longer than most of them."""
    path = tmp_path_factory.mktemp("new") / "journal.db"
    open_store(f"sqlite://{path}").close()
    return path


@pytest.fixture
def cell(
    cell_name: str,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Cell]:
    """One interface on one store, fresh, on the injected clock."""
    interface, _, kind = cell_name.partition("-")
    url = request.getfixturevalue("database") if kind == "postgres" else f"{kind}://{tmp_path / 'journal.db'}"
    if kind == "sqlite":
        shutil.copy(request.getfixturevalue("new_file"), tmp_path / "journal.db")
    settings = Settings(url=url, journal=f"test-{next(_names)}", actor="agent")
    monkeypatch.setattr("tallystick.store.sql.tail.ENTRIES_PER_FLUSH", ENTRIES_PER_FLUSH[cell_name])
    store = open_store(url, clock=clock)
    interfaces = {
        "local": lambda: local_interface(store),
        "async": lambda: async_interface(store, request.getfixturevalue("loop")),
        "cli": lambda: cli_interface(store),
        "rest": lambda: rest_interface(store, request.getfixturevalue("rest_server").open),
        "mcp": lambda: mcp_interface(store, modern=True),
        "mcp2025": lambda: mcp_interface(store, modern=False),
    }
    cell = Cell(cell_name, store, clock, settings, interfaces[interface]())
    yield cell
    cell.close()


@pytest.fixture
def journal(cell: Cell) -> Journal:
    """The journal of an agent, in a session of its own."""
    return cell.journal
