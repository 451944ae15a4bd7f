"""One forge for each worker of the test run."""

from collections.abc import Iterator

import pytest

from tests.crash.fork_server import Forge, make_forge


@pytest.fixture(scope="session")
def forge() -> Iterator[Forge]:
    with make_forge() as made:
        yield made
