"""A REST server over a new SQLite file, and a client of it."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tallystick.settings import Settings
from tests.interfaces.rest.rest_server import Shop
from tests.stores import Clock, open_store


@pytest.fixture
def site(tmp_path: Path, clock: Clock) -> Iterator[Shop]:
    url = f"sqlite://{tmp_path / 'journal.db'}"
    store = open_store(url, clock=clock)
    with Shop(store, Settings(url=url, journal="test", actor="agent")) as site:
        yield site
    store.close()


@pytest.fixture
def client(site: Shop) -> Iterator[httpx2.Client]:
    with site.client() as client:
        yield client
