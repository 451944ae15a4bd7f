"""Counts the responses that a server must send, those that it sent, and the records that it acknowledged."""

import json
from collections import Counter
from typing import Any

from tallystick import Journal
from tallystick.operations.views.entries import EntryView
from tallystick.protocol import INTERNAL_ERROR, SUBSCRIPTION_KEY
from tests.interfaces.mcp.malformed import expected


class Account:
    """The counts of one connection."""

    def __init__(self) -> None:
        self.sent: Counter[str] = Counter()
        self.expected_answers: Counter[str | None] = Counter()
        self.received: Counter[str | None] = Counter()
        self.perhaps = 0
        self.loose: list[tuple[str | None, ...]] = []
        self.receipts: list[dict[str, Any]] = []
        self._lines: dict[str | None, bytes] = {}

    def send(self, line: bytes) -> None:
        """Count the responses that a line must get."""
        wanted = expected(line)
        self.sent["messages"] += 1
        self.perhaps += wanted.perhaps
        if not wanted.answers:
            return
        self._lines[wanted.ids[-1]] = line[:200]
        if len(wanted.ids) == 1:
            self.expected_answers[wanted.ids[0]] += 1
        else:
            self.loose.append(wanted.ids)

    def receive(self, line: bytes) -> None:
        """Count a received line. Fails if it is not strict JSON-RPC."""
        assert line.endswith(b"\n"), line[-80:]
        message = json.loads(line.decode(), parse_constant=_refused)
        assert message["jsonrpc"] == "2.0", line[:200]
        if "method" in message:
            assert set(message) == {"jsonrpc", "method", "params"}, line[:200]
            if message["method"] == "notifications/subscriptions/acknowledged":
                self.received[json.dumps(message["params"]["_meta"][SUBSCRIPTION_KEY])] += 1
            return
        assert set(message) in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"}), line[:200]
        id = None if message["id"] is None else json.dumps(message["id"])
        self.received[id] += 1
        error = message.get("error")
        if error is not None:
            assert isinstance(error["message"], str), line[:200]
            assert error["code"] != INTERNAL_ERROR, (self._lines.get(id), line[:400])
            return
        content = message["result"].get("structuredContent", {})
        assert content.get("error", {}).get("code") != "failure", (self._lines.get(id), line[:400])
        is_receipt = "seq" in content and "id" in content
        if is_receipt and not message["result"]["isError"]:
            self.receipts.append(content)
        self.sent["acknowledged" if is_receipt else "answered"] += 1

    def is_even(self) -> bool:
        """Whether every request that must be answered was answered."""
        return all(self.received[id] >= count for id, count in self.expected_answers.items())

    def settle(self) -> None:
        """Fail unless each request was answered once, and nothing else was sent."""
        surplus = Counter(self.received)
        surplus.subtract(self.expected_answers)
        for ids in self.loose:
            surplus[next((id for id in reversed(ids) if surplus[id] > 0), ids[0])] -= 1
        surplus[None] -= min(max(surplus[None], 0), self.perhaps)
        wrong = {id: (count, self._lines.get(id)) for id, count in surplus.items() if count}
        assert not wrong, f"answers too many or too few: {dict(list(wrong.items())[:5])}"

    def check(self, journal: Journal) -> None:
        """Fail unless every acknowledged record is in the journal, with its id."""
        stored = {entry.seq: entry.id for entry in all_entries(journal)}
        lost = [each for each in self.receipts if stored.get(each["seq"]) != each["id"]]
        assert not lost, lost[:3]
        assert journal.verify().ok


def all_entries(journal: Journal) -> list[EntryView]:
    """All entries of a journal, page by page."""
    found: list[EntryView] = []
    position, more = 0, True
    while more:
        page = journal.read_entries(after=position, limit=100)
        found += page.entries
        position, more = page.last_seq, page.more
    return found


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
