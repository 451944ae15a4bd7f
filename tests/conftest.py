"""Fixtures of all tests. A store that cannot be opened fails its tests: none is ever skipped."""

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import supervisor
from tests.memory_folders import quick_parent
from tests.stores import AnyStore, Clock, Home, Kind

if TYPE_CHECKING:
    from tests.postgres_server import Server

# A process keeps one handle open for each file in which it ever opened a journal: a few thousand in a test run.
_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (_hard, _hard))

for name in [name for name in os.environ if name.startswith("TALLYSTICK_")]:
    del os.environ[name]

# A thousand processes are started: each would compile the source again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_configure() -> None:
    supervisor.start(quick_parent())


@pytest.fixture(scope="session", autouse=True)
def _data_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A data folder for this test run: this process and those that it starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data-home")))
        yield


@pytest.fixture(scope="session")
def postgres() -> "Iterator[Server]":
    """The PostgreSQL server of this test run."""
    from tests.postgres_server import shared_server  # here, so that tests which need none start quickly

    with shared_server() as server:
        yield server


@pytest.fixture
def clock() -> Clock:
    return Clock()


def new_home(kind: Kind, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    with ExitStack() as stack:
        if kind == "postgres":
            url = stack.enter_context(request.getfixturevalue("postgres").database())
        else:
            url = f"{kind}://{tmp_path / 'journal.db'}"
        home = Home(kind, url)
        stack.callback(home.close)
        yield home


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    """A new file or database for each kind of store."""
    yield from new_home(request.param, request, tmp_path)


@pytest.fixture(params=["sqlite", "postgres"])
def shared_home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    """The same, for the kinds of store that several processes can open."""
    yield from new_home(request.param, request, tmp_path)


@pytest.fixture
def store(home: Home, clock: Clock) -> AnyStore:
    """A new store of each kind, on the injected clock."""
    return home.open(clock=clock)
