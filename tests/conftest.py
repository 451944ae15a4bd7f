"""What all tests share. A store that cannot be opened fails its tests: none is ever skipped."""

import os
import resource
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import pytest

from tests.stores import AnyStore, Clock, Home, Kind

if TYPE_CHECKING:
    from tests.postgres_server import Server

# A process keeps one handle for each file that it ever opened a journal in, and a test run opens a few thousand.
_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (_hard, _hard))

for name in [name for name in os.environ if name.startswith("TALLYSTICK_")]:
    del os.environ[name]


@pytest.fixture(scope="session", autouse=True)
def _data_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A data folder of the test run's own, for this process and those that it starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data-home")))
        yield


@pytest.fixture(autouse=True)
def _filing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether rows are filed at once, soon or late must make no difference: each test has its own, always the same."""
    monkeypatch.setattr(
        "tallystick.store.sql.tail.ENTRIES_PER_FLUSH", (1, 3, 16, 128)[crc32(request.node.name.encode()) % 4]
    )


@pytest.fixture(scope="session")
def postgres() -> "Iterator[Server]":
    """The PostgreSQL server of this test run."""
    from tests.postgres_server import shared_server  # here, so that tests which need none start quickly

    with shared_server() as server:
        yield server


@pytest.fixture
def clock() -> Clock:
    return Clock()


def _home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    kind: Kind = request.param
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
    """A fresh place for each kind of store."""
    yield from _home(request, tmp_path)


@pytest.fixture(params=["sqlite", "postgres"])
def shared_home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    """A fresh place for each kind of store that several processes can open."""
    yield from _home(request, tmp_path)


@pytest.fixture
def store(home: Home, clock: Clock) -> AnyStore:
    """Each kind of store, fresh, on the injected clock."""
    return home.open(clock=clock)
