"""The journal of a run: in memory, and in a file."""

from collections.abc import Iterator

import pytest

from tallystick import Journal
from tests.memory_folders import quick_folder


@pytest.fixture(params=["memory", "sqlite"])
def journal(request: pytest.FixtureRequest) -> Iterator[Journal]:
    with quick_folder() as folder:
        url = "memory:" if request.param == "memory" else f"sqlite://{folder / 'journal.db'}"
        with Journal.open(url, journal="run") as opened:
            yield opened
