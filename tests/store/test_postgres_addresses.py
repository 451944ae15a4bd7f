"""PostgreSQL addresses that cannot be reached, or with a database that cannot be used."""

import os
from collections.abc import Iterator

import pytest

from tallystick.core.errors import InvalidArgument, StorageUnavailable, Unsupported
from tallystick.store.postgres.store import PostgresStore
from tests.postgres_server import Server


@pytest.fixture
def url(postgres: Server) -> Iterator[str]:
    with postgres.database() as address:
        yield address


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("?host=/nowhere&user=ann&password=hunter2", "cannot be reached"),
        ("&dbname=no_such_database", "no_such_database"),
        ("&user=nobody_knows", "nobody_knows"),
    ],
)
def test_an_unreachable_address_fails_at_once_and_without_the_password(url: str, change: str, expected: str) -> None:
    wrong = f"postgresql:///x{change}" if change.startswith("?") else f"{url}{change}"
    with pytest.raises(StorageUnavailable, match=expected) as raised:
        PostgresStore(wrong)
    assert "hunter2" not in str(raised.value)


def test_an_invalid_address_is_rejected() -> None:
    with pytest.raises(InvalidArgument, match="cannot be read"):
        PostgresStore("postgresql://[::hunter2")


def test_a_database_that_cannot_hold_every_text_is_refused(postgres: Server) -> None:
    name = f"latin_{os.getpid()}"
    postgres.execute(f"create database {name} template template0 encoding 'LATIN1' locale 'C'")
    try:
        with pytest.raises(Unsupported, match="LATIN1"):
            PostgresStore(postgres.url(name))
    finally:
        postgres.execute(f"drop database {name} with (force)")
