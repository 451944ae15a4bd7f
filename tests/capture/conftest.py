"""Fixtures: an observed journal, and processes to kill."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tallystick.capture.spool import file as spool_file
from tests.capture.harness import Watched
from tests.crash.fork_server import ForkServer, start_fork_server
from tests.stores import Home, Kind, open_store


@pytest.fixture(params=["memory", "sqlite"])
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watched]:
    """Draining does not depend on the store. Where it could, tests ask for all stores."""
    kind: Kind = request.param
    home = Home(kind, f"{kind}://{tmp_path / 'journal.db'}")
    yield Watched(home.open(), tmp_path)
    home.close()


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    """A user's own store and spool, as the environment names them."""
    url = f"sqlite://{tmp_path / 'journal.db'}"
    store = open_store(url)
    watched = Watched(store, tmp_path)
    watched.env |= {"TALLYSTICK_URL": url, "XDG_DATA_HOME": str(tmp_path / "data")}
    watched.spool = spool_file.path(spool_file.folder(watched.env), watched.name)  # of this store
    for name, value in watched.env.items():
        monkeypatch.setenv(name, value)
    yield watched
    store.close()


@pytest.fixture(scope="session")
def fork_server() -> Iterator[ForkServer]:
    with start_fork_server() as made:
        yield made
