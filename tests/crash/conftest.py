"""One fork_server for each worker of the test run."""

from collections.abc import Iterator

import pytest

from tests.crash.fork_server import ForkServer, start_fork_server


@pytest.fixture(scope="session")
def fork_server() -> Iterator[ForkServer]:
    with start_fork_server() as made:
        yield made
