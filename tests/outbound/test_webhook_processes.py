"""Real processes that are killed in the middle, and a real consumer with the official verifier: nothing is lost."""

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import pytest

from tallystick import Actor, Journal
from tests import impatient

CONSUMER = str(Path(__file__).with_name("consumer.py"))
TIMEOUT_SECONDS = 60
Message = tuple[str, str, int, str]
"""Id, type, number of the entry, execution."""


class ConsumerProcess:
    """A consumer, with the messages that it printed; it can be killed and started again at the same port."""

    def __init__(self) -> None:
        self.port = 0
        self.messages: list[Message] = []
        self._printed: SimpleQueue[Message] = SimpleQueue()
        self._process: subprocess.Popen[str] | None = None

    def start(self, secret: str) -> None:
        command = [sys.executable, CONSUMER, str(self.port), secret]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        Thread(target=self._read, args=(self._process,), daemon=True).start()
        while (said := self._printed.get(timeout=TIMEOUT_SECONDS))[0] != "listening":
            self.messages.append(said)  # of the one before
        self.port = said[2]

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(TIMEOUT_SECONDS)
            self._process = None

    def wait_for(self, seqs: set[int]) -> None:
        """Wait until all of these entries were received."""
        while not seqs <= {seq for _, _, seq, _ in self.messages}:
            self.messages.append(self._printed.get(timeout=TIMEOUT_SECONDS))

    def _read(self, process: "subprocess.Popen[str]") -> None:
        with process.stdout as lines:  # type: ignore[union-attr]
            for line in lines:
                self._printed.put(tuple(json.loads(line)))


@pytest.fixture
def received() -> Iterator[ConsumerProcess]:
    process = ConsumerProcess()
    yield process
    process.kill()


@contextmanager
def delivering(command: str, url: str, port: int, *options: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A `tallystick serve` or `notify`, killed at the end if it still runs."""
    program = impatient.program(impatient.WEBHOOKS)
    allow = ("--deliver-to", f"127.0.0.1:{port}", "--url", url, "--journal", "j")
    process = subprocess.Popen(
        [*program, command, *allow, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(TIMEOUT_SECONDS)


def administrator(url: str) -> Journal:
    with Journal.open(url, journal="j") as journal:
        secret = journal.add_credential(name="ada").secret
    return Journal.open(url, journal="j", actor=Actor(kind="person", name="ada"), credential=secret)


def test_nothing_is_lost_whoever_is_killed_and_one_of_two_processes_delivers(
    tmp_path: Path, received: ConsumerProcess
) -> None:
    url = f"sqlite://{tmp_path / 'journal.db'}"
    received.start("whsec_c2VjcmV0")  # to get a port
    received.kill()
    with administrator(url) as admin, Journal.open(url, journal="j", actor="agent") as journal:
        added = admin.add_webhook(name="ops", address=f"http://127.0.0.1:{received.port}/hook?token=x")
        received.start(added.secret)
        executions = [journal.record_execution_start(title=f"work {number}").id for number in range(3)]

        def record(count: int) -> set[int]:
            seqs = set()
            for number in range(count):
                noted: Any = {"phase": "note", "summary": f"note {number}", "execution_id": executions[number % 3]}
                seqs.add(journal.record_action(**noted).seq)
            return seqs

        def entries() -> set[int]:
            return {entry.seq for entry in journal.read_entries(after=added.seq, limit=1000).entries}

        with delivering("notify", url, received.port) as notify, delivering("serve", url, received.port, "--port", "0"):
            record(30)
            received.wait_for(entries())
            assert sorted(seq for _, _, seq, _ in received.messages) == sorted(entries())  # each once
            burst = record(60)
            received.wait_for({min(burst)})
            notify.kill()
        received.kill()
        record(30)
        with delivering("notify", url, received.port) as notify:
            received.start(added.secret)
            record(10)
            received.wait_for(entries())
            notify.terminate()
            assert notify.wait(TIMEOUT_SECONDS) == 0
        assert [each for each in received.messages if each[0] == "not verified"] == []
        ids = defaultdict(set)
        for id, _, seq, _ in received.messages:
            ids[seq].add(id)
        assert {seq for seq, found in ids.items() if len(found) != 1} == set()
        for execution in executions:
            first = list(dict.fromkeys(seq for _, _, seq, of in received.messages if of == execution))
            assert first == sorted(first)
            assert len(first) > 40
        listed = journal.list_webhooks().webhooks[0]
        assert (listed.behind, listed.waiting, listed.delivering) == (0, 0, False)


def test_no_process_delivers_where_it_is_not_allowed(tmp_path: Path, received: ConsumerProcess) -> None:
    url = f"sqlite://{tmp_path / 'journal.db'}"
    received.start("whsec_c2VjcmV0")
    with administrator(url) as admin:
        admin.add_webhook(name="ops", address=f"http://127.0.0.1:{received.port}/hook")
        admin.add_webhook(name="secure", address=f"https://localhost:{received.port}/hook")
        admin.test_webhook(name="ops")
        admin.test_webhook(name="secure")
        with delivering("notify", url, 1):
            follow = admin.read_entries(limit=1).last_seq
            while not all(each.last_error for each in admin.list_webhooks().webhooks):
                admin.read_entries(after=follow + 1000, wait_seconds=0.05)
        ops, secure = admin.list_webhooks().webhooks
        assert f"plain http is not allowed. To allow it: --deliver-to 127.0.0.1:{received.port}" in ops.last_error
        assert "which is not public" in secure.last_error
    assert received._printed.empty()
