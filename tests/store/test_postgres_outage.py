"""A PostgreSQL server that is away for longer than a call retries."""

import pytest

from tallystick.core.errors import StorageUnavailable
from tallystick.store.postgres.errors import ConnectionLost
from tallystick.store.postgres.store import Backoff, PostgresStore
from tests.postgres_server import own_server
from tests.store.drafts import note
from tests.store.sample_journal import append
from tests.store.test_conformance import verified


@pytest.mark.xdist_group("own server")
def test_a_server_that_stays_away_is_waited_for_once_and_again_when_it_was_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tallystick.store.postgres.store.RETRY_SECONDS", 0.2)
    pauses: list[ConnectionLost] = []
    real = Backoff.pause

    def pause(self: Backoff, error: ConnectionLost) -> None:
        pauses.append(error)
        real(self, error)

    monkeypatch.setattr(Backoff, "pause", pause)
    with own_server() as own, own.database() as url:
        store = PostgresStore(url)
        for call in (lambda: append(store, note()), lambda: verified(store), store.journals):
            append(store, note())
            own.stop_server()
            with pytest.raises(StorageUnavailable, match="cannot be reached"):
                call()
            assert pauses
            pauses.clear()
            with pytest.raises(StorageUnavailable, match="cannot be reached"):
                call()
            assert not pauses
            own.start_server()
        store.close()
