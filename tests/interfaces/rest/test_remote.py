"""A journal over REST: what differs from a file. The behaviour suite covers the rest."""

import asyncio
import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

import pytest

from tallystick import Actor, AsyncJournal, InvalidArgument, Journal, NotPermitted, Step, StorageUnavailable
from tallystick.interfaces.cli import run
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.remote import LEASE_SECONDS
from tests.drivers import Local
from tests.interfaces.rest.rest_server import TIMEOUT_SECONDS, StoreServer
from tests.server.web_server import running_server
from tests.stores import Clock


def test_it_is_opened_by_the_address_of_a_server(server: StoreServer) -> None:
    with Journal.open(server.url, actor="far") as journal, journal.execution("Move the server") as execution:
        with execution.action("copy", tool="cp") as copy:
            copy.result = {"path": "new"}
        execution.decide("continue", "it is there")
        assert journal.get_status().execution.actor == "far"
    with Journal.open(server.url) as journal:
        sessions = journal.list_sessions().sessions
        assert [(each.kind, each.alive, each.over_because) for each in sessions] == [("handle", False, "ended")]


def test_reading_opens_no_session(server: StoreServer) -> None:
    with Journal.open(server.url) as journal:
        journal.get_brief()
        assert journal.read_entries().entries == ()


def test_a_mistake_costs_no_way(server: StoreServer) -> None:
    journal = Journal.open("http://127.0.0.1:9", actor="far")
    with pytest.raises(InvalidArgument) as caught:
        journal.read_entries(limit=0)
    assert caught.value.field == "limit"


def test_a_server_that_is_not_there_is_named_with_the_fix() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    journal = Journal.open(f"http://127.0.0.1:{port}")
    with pytest.raises(StorageUnavailable, match=f"{port} cannot be reached"):
        journal.get_brief()


@pytest.mark.parametrize("url", ["http://", "http://[::1", "http://localhost:99999", "http://localhost:x"])
def test_an_invalid_address_is_rejected_when_it_is_opened(url: str) -> None:
    with pytest.raises(InvalidArgument, match="address"):
        Journal.open(url)


class Name(str):
    """Text of another type, as templates and arrays have."""

    __slots__ = ()


def test_text_of_a_subclass_is_text_at_a_server_as_in_process(server: StoreServer, tmp_path: Path) -> None:
    for url in (server.url, f"sqlite:{tmp_path}/own.db"):
        ada: dict[str, Any] = {"actor": Actor(kind="agent", name=Name("ada")), "witness": Name("observed")}
        with Journal.open(Name(url), **ada) as journal:
            steps = [Step(id=Name("one"), title=Name("One"), cancellable="reversible", undo=Name("take it back"))]
            plan = journal.record_plan(title=Name("A plan"), steps=steps)
            assert journal.record_context(key=Name("k"), value=Name("v"), idempotency_key=Name("x")).seq
            assert journal.get_plan(plan_id=Name(plan.id)).revisions[0].steps[0]["undo"] == "take it back"
            assert {entry.actor for entry in journal.read_entries(kind="plan_recorded").entries} == {"ada"}


@pytest.mark.parametrize("name", ["url", "journal", "actor", "witness", "session", "credential"])
@pytest.mark.parametrize("value", [5, b"text", ["text"]])
def test_what_is_not_text_is_refused_when_a_journal_is_opened(server: StoreServer, name: str, value: Any) -> None:
    with pytest.raises(InvalidArgument, match=f"{name} is of type "):
        Journal.open(**{"url": server.url, name: value})


def test_another_kind_of_server_is_recognized(server: StoreServer) -> None:
    with Journal.open(f"{server.url}/somewhere/else") as journal, pytest.raises(StorageUnavailable, match="not as"):
        journal.get_brief()


def test_the_credential_is_the_bearer_token_and_the_actor(server: StoreServer) -> None:
    root = Journal(Local(OperationContext(server.store, server.settings, Principal())))
    admin = Journal(
        Local(
            OperationContext(
                server.store, server.settings, Principal(credential=root.add_credential(name="ada").secret)
            )
        )
    )
    secret = admin.add_credential(name="ci", scopes=("agent",)).secret
    with Journal.open(server.url, credential=secret) as journal:
        journal.record_execution_start(title="x")
        assert journal.list_executions().executions[0].actor == "ci"
        with pytest.raises(NotPermitted):
            journal.add_credential(name="mallory")
    with Journal.open(server.url, credential="ts_nobody") as journal, pytest.raises(NotPermitted):
        journal.get_brief()


def test_a_record_without_a_response_is_sent_again_and_is_one_entry(server: StoreServer) -> None:
    with closing(Cutting(server)) as between, Journal.open(between.url) as journal:
        between.cut_answers = 2
        receipt = journal.record_execution_start(title="once")
        assert between.cut_answers == 0
        assert receipt.repeated or receipt.seq == 2
        assert [each.title for each in journal.list_executions().executions] == ["once"]


def test_threads_share_it(server: StoreServer) -> None:
    with Journal.open(server.url) as journal, ThreadPoolExecutor(16) as threads:
        receipts = list(threads.map(lambda n: journal.record_execution_start(title=str(n)), range(100)))
        assert len({receipt.id for receipt in receipts}) == 100
        assert len(journal.list_sessions().sessions) == 1


def test_a_forked_child_has_a_session_of_its_own(server: StoreServer) -> None:
    with Journal.open(server.url) as journal:
        journal.record_execution_start(title="parent")
        child = os.fork()
        if not child:
            with Journal.open(server.url):
                journal.record_execution_start(title="child")
                os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        sessions = {each.title: each.session for each in journal.list_executions().executions}
        assert len(set(sessions.values())) == 2


def test_it_can_be_awaited(server: StoreServer) -> None:
    async def work() -> int:
        async with AsyncJournal.open(server.url) as journal:
            await asyncio.gather(*(journal.record_execution_start(title=str(n)) for n in range(50)))
            return len((await journal.list_executions(limit=100)).executions)

    assert asyncio.run(work()) == 50


def test_a_session_that_was_ended_is_followed_by_another(server: StoreServer) -> None:
    with Journal.open(server.url) as journal:
        first = journal.record_execution_start(title="x")
        journal.end_session(session_id=journal.get_status(execution_id=first.id).execution.session)
        journal.record_execution_start(title="y")
        assert [each.alive for each in journal.list_sessions().sessions] == [True, False]


def test_commands_speak_to_a_server_in_the_session_of_their_shell(server: StoreServer) -> None:
    env = {"TALLYSTICK_URL": server.url}
    for command in ("record execution-start --title Far", "record action begin --tool rm --summary x"):
        done = run([*command.split(), "--json"], env=env)
        assert (done.exit_code, done.stderr) == (0, "")
    with Journal.open(server.url) as journal:
        (session,) = journal.list_sessions().sessions
        assert session.alive
        assert session.name.startswith("cli:")
        assert journal.list_in_doubt().in_doubt == ()


class Cutting:
    """Stands between a client and a server, and loses answers: the connection breaks when one is about to come."""

    def __init__(self, server: StoreServer) -> None:
        self.cut_answers = 0
        self._is_losing = False
        self._to = ("127.0.0.1", int(server.url.rpartition(":")[2]))
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near: socket.socket) -> None:
        """Pass the request on; a thread of its own passes the response back."""
        with near, socket.create_connection(self._to, TIMEOUT_SECONDS) as far:
            Thread(target=self._answer, args=(near, far), daemon=True).start()
            while data := near.recv(1 << 20):
                self._is_losing = self.cut_answers > 0 and b'"once"' in data
                far.sendall(data)

    def _answer(self, near: socket.socket, far: socket.socket) -> None:
        with suppress(OSError):
            while data := far.recv(1 << 20):
                if self._is_losing:
                    self._is_losing = False
                    self.cut_answers -= 1
                    near.shutdown(socket.SHUT_RDWR)
                    return
                near.sendall(data)


def test_a_living_process_is_not_taken_for_dead_however_long_it_is_silent(
    server: StoreServer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TALLYSTICK_LEASE_SECONDS", "1")
    with Journal.open(server.url) as watching, Journal.open(server.url) as journal:
        started = journal.record_execution_start(title="Move the server")
        journal.record_action(phase="begin", execution_id=started.id, summary="copy", tool="cp")
        until = monotonic() + TIMEOUT_SECONDS
        for _ in range(4):
            before = watching.list_sessions().sessions[0].expires
            clock.advance(0.9)
            while watching.list_sessions().sessions[0].expires == before:
                assert monotonic() < until
        assert watching.list_in_doubt().in_doubt == ()


def test_open_actions_of_a_killed_process_are_soon_in_doubt(server: StoreServer, clock: Clock) -> None:
    program = (
        "import sys\n"
        "import tallystick\n"
        "journal = tallystick.Journal.open(sys.argv[1])\n"
        "journal.execution('Move the server').__enter__().action('copy', tool='cp').__enter__()\n"
        "print('begun', flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, server.url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        process.kill()
    clock.advance(LEASE_SECONDS + 1)
    with Journal.open(server.url) as journal:
        assert [each.tool for each in journal.list_in_doubt().in_doubt] == ["cp"]


def test_a_busy_server_is_retried_after_retry_after() -> None:
    with running_server(rate=20) as found:
        secret, url = found.token("agent"), f"http://127.0.0.1:{found.port}"
        with Journal.open(url, credential=secret) as journal, ThreadPoolExecutor(8) as threads:
            list(threads.map(lambda number: journal.record_context(key=f"k{number}", value=number), range(80)))
        assert len(found.journal().list_context(limit=100).values) == 80
