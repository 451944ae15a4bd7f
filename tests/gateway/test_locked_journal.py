"""A journal that another program has locked: only its writers wait."""

import fcntl
import json
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import apsw
import pytest

from tests import impatient
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, refusal_of, text_of
from tests.gateway.test_client_isolation import sharing
from tests.interfaces.mcp.line_client import TIMEOUT_SECONDS

IMPATIENT = impatient.program(impatient.GATEWAY)


@contextmanager
def _transaction(folder: Path) -> Iterator[None]:
    """By a program that does not know our file lock."""
    other = apsw.Connection(str(folder / "journal.db"))
    other.execute("begin immediate")
    yield
    other.execute("rollback")
    other.close()


@contextmanager
def _turn(folder: Path) -> Iterator[None]:
    """By one of ours that takes very long over its turn to write."""
    with open(folder / "journal.db-lock", "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


Holding = Callable[[Path], AbstractContextManager[None]]


@pytest.mark.parametrize("call", ["one__echo", "one__put", "record_plan"])
@pytest.mark.parametrize("hold", [_transaction, _turn])
def test_requests_that_record_nothing_are_answered_while_the_journal_is_locked(
    hold: Holding, call: str, tmp_path: Path
) -> None:
    one, two = ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, "two")
    step = {"id": "one", "title": "One", "cancellable": "reversible", "undo": "nothing"}
    arguments = {"title": "A plan", "steps": [step]} if call == "record_plan" else {"a": 1}
    config = config_for(one, two, servers={"one": {"tools": {"put": "ask"}}})
    with GatewayClient(tmp_path, config, era="legacy") as client:
        client.result("one__look")
        client.result("two__look")
        with hold(tmp_path):
            begin = len(client.lines)
            client.start("write", "tools/call", {"name": call, "arguments": arguments})
            client.start("read", "resources/read", {"uri": "test://two/one"})
            client.start("ping", "ping", {})
            for id in ("read", "ping"):
                assert "result" in client.until(lambda m, id=id: m.get("id") == id, since=begin)  # type: ignore[misc]
            answered = [json.loads(line).get("id") for line in client.lines[begin:]]
        message = client.until(lambda m: m.get("id") == "write", since=begin)["result"]
    assert "write" not in answered
    assert refusal_of(message)["code"] == "approval_pending" if call == "one__put" else not message.get("isError")


def test_a_lock_that_is_never_released_times_out_and_calls_are_spooled(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    config = config_for(server, on_journal_failure="spool")
    env = {"TALLYSTICK_SPOOL": str(tmp_path / "spool")}
    with GatewayClient(tmp_path, config, program=IMPATIENT, env=env) as client:
        client.result("look")
        with _turn(tmp_path):
            assert "kept in the spool" in text_of(client.result("echo", a=1))
            assert refusal_of(client.result("record_plan", title="A plan", steps=[]))["code"] == "storage_unavailable"
            assert "kept in the spool" in text_of(client.result("echo", a=2))
        client.result("echo", a=3)
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while len(client.actions()) < 4 and time.monotonic() < deadline:
            client.ask("ping")
            time.sleep(0.2)  # opening the journal again and again would keep the gateway from its turn
        states = [each.state for each in client.actions()]
    assert states == ["ok"] * 4


def test_calls_that_waited_for_the_journal_are_recorded_in_their_order(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server), era="legacy") as client:
        client.result("look")
        begin = len(client.lines)
        with _transaction(tmp_path):
            for number in range(20):
                client.start(number, "tools/call", {"name": "echo", "arguments": {"n": number}})
            client.ask("ping")
        for number in range(20):
            client.until(lambda m, id=number: m.get("id") == id, since=begin)  # type: ignore[misc]
        actions = client.actions()[1:]
    assert [each.begin_body["arguments"]["n"] for each in actions] == list(range(20))
    assert [each["arguments"]["n"] for each in server.calls("echo")] == list(range(20))


def test_a_client_over_http_is_answered_while_another_waits_for_the_journal(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with sharing(tmp_path, config_for(server, on_journal_failure="spool"), IMPATIENT) as shared:
        ann, bob = shared.handshake("ann"), shared.handshake("bob")
        ann.call("look")
        with _transaction(tmp_path):
            assert "kept in the spool" in text_of(bob.call("echo", a=1))
        assert "recorded result" in text_of(bob.call("echo", a=1))
    assert len(server.calls("echo")) == 1
