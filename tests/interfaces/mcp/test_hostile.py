"""Hostile messages over stdio: the server survives, answers every valid id, and records the next call."""

import json
import os
import secrets
import subprocess
from collections import Counter
from io import BytesIO
from pathlib import Path
from threading import Condition
from typing import cast

import pytest

from tallystick import Journal
from tallystick.interfaces.mcp.transport.stdio import MAX_SUBSCRIPTIONS, StdioConnection
from tallystick.protocol import INVALID_PARAMS, INVALID_REQUEST
from tallystick.sdk.local import Local
from tests.interfaces.mcp.acknowledgements import Account
from tests.interfaces.mcp.line_client import COMMAND, JOURNAL, TIMEOUT_SECONDS, Era, Lines, environment, request
from tests.interfaces.mcp.malformed import messages
from tests.memory_folders import quick_folder

AT_ONCE = 250
"""So many lines are sent before a good call is awaited: no more than half of that waits in the pipes."""
MEMORY = 128 << 20
"""How much memory the server may have gained at the end: a few of the longest lines."""


def by_pipes(folder: Path, seed: str, count: int, era: Era) -> Counter[str]:
    """Send nonsense to a real server. Between the volleys, and after the last, a good call is made and recorded."""
    url, account = f"sqlite://{folder / 'journal.db'}", Account()
    with Lines(url, era=era) as server:
        taken = len(server.lines)
        recorded = [_good_call(server, account, 0)]
        before = server.resident()
        lines = list(messages(seed, count, era))
        for first in range(0, count, AT_ONCE):
            for line in lines[first : first + AT_ONCE]:
                account.send(line)
                half = len(line) // 2 if len(line) % 7 == 0 else 0  # a line may come in two pieces
                server.write(line[:half])
                server.write(line[half:] + b"\n")
            recorded.append(_good_call(server, account, len(recorded)))
        grown = server.resident() - before
        while not account.is_even():  # long reads are answered when they are done
            if taken == len(server.lines):
                server.until(lambda message: True)
            account.receive(server.lines[taken])
            taken += 1
        assert server.close() == 0
        for line in server.lines[taken:]:
            account.receive(line)
        account.settle()
        assert server.complaints() == ""
        assert grown < MEMORY, f"{grown:,} bytes more"
    with Journal.open(url, journal=JOURNAL) as journal:
        account.check(journal)
        values = {seq: journal.read_entries(after=seq - 1, limit=1).entries[0].body for seq in recorded}
        assert [body["value"] for body in values.values()] == list(range(len(recorded)))
    return account.sent


def in_process(seed: str, count: int, era: Era) -> Counter[str]:
    """The same without a process, for volume."""
    account, output = Account(), Output()
    lines = [b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}'] if era == "legacy" else []
    lines += messages(seed, count, era)
    for line in lines:
        account.send(line)
    with Journal.open("memory:", journal=JOURNAL) as journal:
        connection = StdioConnection(cast(Local, journal.caller), "all", {}, output)  # type: ignore[arg-type]
        connection.run(BytesIO(b"\n".join(lines)))
        output.settle(account)
        account.check(journal)
    return account.sent


class Output:
    """An output that discards everything."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._more = Condition()

    def write(self, line: bytes) -> int:
        with self._more:
            self._lines.append(line)
            self._more.notify_all()
        return len(line)

    def settle(self, account: Account) -> None:
        """Hand over what was written, once all that is owed has come: long reads are answered when they are done."""
        taken = 0

        def is_even() -> bool:
            nonlocal taken
            for line in self._lines[taken:]:
                account.receive(line)
            taken = len(self._lines)
            return account.is_even()

        with self._more:
            self._more.wait_for(is_even, TIMEOUT_SECONDS)  # what is still missing after that is named now
            account.settle()


def _good_call(server: Lines, account: Account, number: int) -> int:
    """Record something as a good client does, in whichever era the nonsense has left the connection."""
    eras: tuple[Era, Era] = ("modern", "legacy")
    for era in eras:
        params = {"name": "record_context", "arguments": {"key": f"good-{number}", "value": number}}
        id = f"good-{number}-{era}"
        line = json.dumps(request(id, "tools/call", params, era)).encode()
        account.send(line)
        server.send(line)
        answer = server.until(lambda message, id=id: message.get("id") == id)  # type: ignore[misc]
        if answer.get("error", {}).get("code") not in (INVALID_REQUEST, INVALID_PARAMS):
            assert not answer["result"]["isError"], answer
            return int(answer["result"]["structuredContent"]["seq"])
    raise AssertionError(f"a good call was refused: {answer}")


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> str:
    """A new seed for each run, so that every run tries other messages; a failure reports it."""
    found = secrets.token_hex(4)
    request.node.add_report_section("setup", "seed", f"the seed is {found}")
    print(f"seed {found}")
    return found


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_a_server_survives_thousands_of_hostile_messages_and_answers_every_valid_id(seed: str, era: Era) -> None:
    with quick_folder() as folder:
        met = by_pipes(folder, seed, 3000, era)
    assert met["messages"] > 3000
    assert met["acknowledged"] > 12


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_a_connection_takes_hostile_messages_as_fast_as_they_can_be_made(seed: str, era: Era) -> None:
    assert in_process(seed, 2000, era)["messages"] >= 2000


def test_large_messages_do_not_stay_in_memory(tmp_path: Path) -> None:
    with Lines(f"sqlite://{tmp_path / 'journal.db'}") as server:
        _refused_for_its_size(server, 0)
        before = server.resident()
        for number in range(1, 24):
            _refused_for_its_size(server, number)
        assert server.resident() - before < MEMORY
        uris = [f"journal://executions/ex_{number}" + "x" * 40_000 for number in range(200)]
        answers = [server.ask("subscriptions/listen", {"notifications": {"resourceSubscriptions": uris}})]
        assert [answer["error"]["code"] for answer in answers] == [INVALID_PARAMS]
        assert server.call("record_context", key="k", value=1)["seq"]


def _refused_for_its_size(server: Lines, number: int) -> None:
    arguments = {"key": f"k{number}", "value": 1, "metadata": {"a": "x" * (7 << 20)}}
    answer = server.ask("tools/call", {"name": "record_context", "arguments": arguments})
    assert answer["result"]["structuredContent"]["error"]["code"] == "too_large"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (rb'"\ud800"', "lone surrogate"),
        (b"NaN", "NaN is not JSON"),
        (b'"\xff"', "not UTF-8"),
        (b'{"a":1,"a":2}', "twice"),
    ],
)
def test_a_call_with_invalid_text_or_numbers_gets_an_error_under_its_own_id(
    tmp_path: Path, value: bytes, expected: str
) -> None:
    with Lines(f"sqlite://{tmp_path / 'journal.db'}", era="legacy") as server:
        params = b'{"name":"record_context","arguments":{"key":"k","value":' + value + b"}}"
        server.send(b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":' + params + b"}")
        answer = server.until(lambda message: message["id"] == 7)
        assert answer["result"]["isError"]
        assert expected in answer["result"]["content"][0]["text"]


def test_subscriptions_are_limited_and_the_server_goes_on(tmp_path: Path) -> None:
    with Lines(f"sqlite://{tmp_path / 'journal.db'}", era="legacy") as server:
        uris = [f"journal://executions/ex_{number}" for number in range(MAX_SUBSCRIPTIONS + 50)]
        answers = [server.ask("resources/subscribe", {"uri": uri}) for uri in uris]
        assert [("error" in answer) for answer in answers] == [False] * MAX_SUBSCRIPTIONS + [True] * 50
        assert "result" in server.ask("resources/unsubscribe", {"uri": uris[0]})
        assert "result" in server.ask("resources/subscribe", {"uri": uris[-1]})
        assert server.call("record_context", key="k", value=1)["seq"]
        assert server.close() == 0


def test_hundreds_of_long_reads_at_once_start_few_threads_and_are_all_answered(tmp_path: Path) -> None:
    with Lines(f"sqlite://{tmp_path / 'journal.db'}") as server:
        server.call("record_context", key="k", value=1)
        verify = {"name": "query_ledger", "arguments": {"view": "verify"}}
        server.send(*(json.dumps(request(number, "tools/call", verify)).encode() for number in range(300)))
        met: set[int] = set()
        most = 0
        while len(met) < 300:
            met.add(server.until(lambda message: message["id"] not in met)["id"])
            most = max(most, len(list(Path(f"/proc/{server.process.pid}/task").iterdir())))
        assert most < 100  # on a busy machine threads that are through take a while to go


def test_half_a_line_at_the_end_of_the_input_is_refused_and_the_session_ends(tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path / 'journal.db'}"
    with Lines(url) as server:
        server.call("record_context", key="k", value=1)
        server.write(b'{"jsonrpc":"2.0","id":9,"method":"tools/li')
        assert server.close() == 0
        assert json.loads(server.lines[-1]) == {
            "jsonrpc": "2.0",
            "id": None,
            "error": {"code": -32700, "message": "This line is not JSON."},
        }
    with Journal.open(url, journal=JOURNAL) as journal:
        assert journal.read_entries(kind="session_ended").entries


def test_non_blocking_pipes_work(tmp_path: Path) -> None:
    taken, arguments = os.pipe()
    os.set_blocking(taken, False)
    command = [*COMMAND, "mcp", "--url", f"sqlite://{tmp_path / 'journal.db'}"]
    with subprocess.Popen(command, stdin=taken, stdout=subprocess.PIPE, env=environment()) as process:
        os.close(taken)
        assert process.stdout
        for number in range(3):
            os.write(arguments, json.dumps(request(number, "tools/list")).encode() + b"\n")
            assert json.loads(process.stdout.readline())["id"] == number
        os.close(arguments)
        assert process.wait(TIMEOUT_SECONDS) == 0


def test_a_call_that_failed_is_tried_again_when_it_is_sent_again(tmp_path: Path) -> None:
    with Lines(f"sqlite://{tmp_path / 'journal.db'}") as server:
        params = {"name": "record_action", "arguments": {"phase": "note", "summary": "now it can be"}}
        assert server.ask("tools/call", params, id="same")["result"]["isError"]
        server.call("record_execution_start", title="begun meanwhile")
        stored = server.ask("tools/call", params, id="same")["result"]
        assert not stored["isError"], stored
        assert server.ask("tools/call", params, id="same")["result"] == stored
