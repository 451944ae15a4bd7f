"""A watched journal, and processes to kill."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.capture.harness import Watched
from tests.crash.forge import Forge
from tests.crash.forge import forge as make_forge
from tests.stores import Home, Kind


@pytest.fixture(params=["memory", "sqlite"])
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watched]:
    """What draining makes of events depends on no store. Where one could matter, tests ask for all of them."""
    kind: Kind = request.param
    home = Home(kind, f"{kind}://{tmp_path / 'journal.db'}")
    yield Watched(home.open(), tmp_path)
    home.close()


@pytest.fixture(scope="session")
def forge() -> Iterator[Forge]:
    with make_forge() as made:
        yield made
