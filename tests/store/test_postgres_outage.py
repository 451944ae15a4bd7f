"""A PostgreSQL server that is away for longer than a call retries, or that stops answering."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from tallystick import Actor, Journal
from tallystick.core.errors import StorageUnavailable
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.local import Local
from tallystick.settings import Settings
from tallystick.store.postgres.errors import ConnectionLost
from tallystick.store.postgres.store import Backoff, PostgresStore
from tests import impatient
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, text_of
from tests.interfaces.mcp.line_client import TIMEOUT_SECONDS
from tests.postgres_server import Server, own_server
from tests.store.drafts import note
from tests.store.sample_journal import append
from tests.store.test_conformance import JOURNAL, verified


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that may be frozen."""
    with own_server() as own:
        yield own


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls wait for a server that is away only shortly."""
    monkeypatch.setattr("tallystick.store.postgres.store.RETRY_SECONDS", 0.2)
    monkeypatch.setattr("tallystick.store.postgres.store.AWAY_SECONDS", 600)
    monkeypatch.setattr("tallystick.store.postgres.pipeline.ANSWER_SECONDS", 0.1)


def _address(url: str, deadline: str = "statement_timeout%3D300ms") -> str:
    return f"{url}{'&' if '?' in url else '?'}connect_timeout=2&options=-c%20{deadline}"


@pytest.mark.usefixtures("short_waits")
@pytest.mark.xdist_group("own server")
@pytest.mark.parametrize(
    ("moment", "error"), [("decided", "cannot be reached"), ("before_commit", "unknown whether this call was recorded")]
)
def test_a_frozen_server_is_not_waited_for_and_what_it_stored_is_found_on_return(
    server: Server, moment: str, error: str
) -> None:
    freeze = [False]

    def fault(point: str) -> None:
        if point == moment and freeze[0]:
            freeze[0] = False
            frozen.enter_context(server.frozen())

    with server.database() as url, ExitStack() as frozen:
        store = PostgresStore(_address(url), fault=fault)
        settings = Settings(url=url, journal=JOURNAL, actor="agent")
        journal = Journal(Local(OperationContext(store, settings, Principal(actor=Actor(name="agent")))))
        journal.record_context(key="first", value=1)
        before = store.read(JOURNAL, lambda view: view.head().seq)
        freeze[0] = True
        with pytest.raises(StorageUnavailable, match=error):
            journal.record_context(key="frozen", value=1, idempotency_key="once")
        assert not store.is_free()
        for _ in range(3):  # each is answered at once
            with pytest.raises(StorageUnavailable, match="cannot be reached"):
                journal.list_context()
            with pytest.raises(StorageUnavailable, match="cannot be reached"):
                journal.record_context(key="refused", value=1)
        frozen.close()
        store._away_until = 0
        journal.record_context(key="frozen", value=1, idempotency_key="once")
        assert store.is_free()
        assert len(verified(store)) == before + 1
        store.close()


@pytest.mark.usefixtures("short_waits")
@pytest.mark.xdist_group("own server")
def test_a_commit_to_a_server_that_was_frozen_for_a_moment_is_found_and_made_once(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server.database() as url:
        store = PostgresStore(_address(url))
        for _ in range(3):
            append(store, note())
        with server.frozen() as thaw:
            monkeypatch.setattr(Backoff, "pause", lambda self, error: thaw())
            assert append(store, note())[0].seq == 4
        assert len(verified(store)) == 4
        store.close()


@pytest.mark.xdist_group("own server")
def test_a_lock_that_another_program_holds_is_waited_for_until_its_deadline(server: Server) -> None:
    with server.database() as url, psycopg.connect(url) as other:
        store = PostgresStore(_address(url, "lock_timeout%3D100ms"))
        append(store, note())
        number = store._ensure_journal(JOURNAL)[0]
        other.execute("select pg_advisory_xact_lock(1953262689, %s)", (number,))
        with pytest.raises(StorageUnavailable, match="Another program holds the journal"):
            append(store, note())
        other.rollback()
        assert append(store, note())[0].seq == 2
        store.close()


@pytest.mark.xdist_group("own server")
def test_a_server_that_stays_away_is_waited_for_once_and_again_when_it_was_back(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallystick.store.postgres.store.RETRY_SECONDS", 0.2)
    pauses: list[ConnectionLost] = []
    real = Backoff.pause

    def pause(self: Backoff, error: ConnectionLost) -> None:
        pauses.append(error)
        real(self, error)

    monkeypatch.setattr(Backoff, "pause", pause)
    with server.database() as url:
        store = PostgresStore(url)
        for call in (lambda: append(store, note()), lambda: verified(store), store.journals):
            append(store, note())
            server.stop_server()
            with pytest.raises(StorageUnavailable, match="cannot be reached"):
                call()
            assert pauses
            pauses.clear()
            with pytest.raises(StorageUnavailable, match="cannot be reached"):
                call()
            assert not pauses
            server.start_server()
        store.close()


@pytest.mark.xdist_group("own server")
def test_the_gateway_spools_calls_while_the_server_is_frozen(server: Server, tmp_path: Path) -> None:
    upstream = ScriptedServer(tmp_path, "one")
    config = config_for(upstream, on_journal_failure="spool")
    env = {"TALLYSTICK_SPOOL": str(tmp_path / "spool")}
    with (
        server.database() as url,
        GatewayClient(
            tmp_path,
            config,
            program=impatient.program({**impatient.GATEWAY, **impatient.POSTGRES}),
            env=env,
            url=_address(url),
        ) as client,
    ):
        client.result("look")
        with server.frozen():
            assert "kept in the spool" in text_of(client.result("echo", a=1))
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while len(client.actions()) < 2 and time.monotonic() < deadline:
            client.ask("ping")
        client.result("echo", a=2)
        states = [each.state for each in client.actions()]
        with client.journal() as journal:
            assert journal.verify().ok
    assert states == ["ok"] * 3
    assert len(upstream.calls("echo")) == 2
