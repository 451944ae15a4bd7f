"""A store of each kind for the tests of a module."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.stores import AnyStore, open_store


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnyStore]:
    with ExitStack() as stack:
        if request.param == "postgres":
            url = stack.enter_context(request.getfixturevalue("postgres").database())
        else:
            url = f"sqlite://{tmp_path_factory.mktemp('access') / 'journal.db'}"
        found = open_store(url)
        stack.callback(found.close)
        yield found
