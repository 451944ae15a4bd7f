"""A REST server over a new SQLite file, and a client of it."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tallystick.settings import Settings
from tests.interfaces.rest.rest_server import StoreServer
from tests.stores import Clock, open_store


@pytest.fixture
def server(tmp_path: Path, clock: Clock) -> Iterator[StoreServer]:
    url = f"sqlite://{tmp_path / 'journal.db'}"
    store = open_store(url, clock=clock)
    with StoreServer(store, Settings(url=url, journal="test", actor="agent")) as server:
        yield server
    store.close()


@pytest.fixture
def client(server: StoreServer) -> Iterator[httpx2.Client]:
    with server.client() as client:
        yield client
