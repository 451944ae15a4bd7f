"""Several servers on one file, as it is when several agents work in one folder: each driven as fast as it answers."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from tallystick import Journal
from tests.interfaces.mcp.acknowledgements import all_entries
from tests.interfaces.mcp.line_client import JOURNAL, TIMEOUT_SECONDS, Lines


def _work(url: str, name: str, rounds: int, together: Barrier) -> list[dict[str, Any]]:
    """One agent's life through its own server, and every receipt that it got."""
    with Lines(url) as server:
        server.ask("tools/list")
        together.wait(TIMEOUT_SECONDS)  # no server has opened its session before all are there
        start = server.call("record_execution_start", title=name)
        receipts = [start]
        for number in range(rounds):
            what: dict[str, Any] = {"tool": "write", "arguments": {"file": f"{name}/{number}"}, "summary": "write it"}
            begin = server.call("record_action", phase="begin", **what)
            end = server.call("record_action", phase="end", action_id=begin["id"], outcome="ok", summary="written")
            receipts += [begin, end, server.call("record_context", key=f"{name}.{number}", value=number)]
        receipts.append(server.call("record_decision", decision="done", why="all is written"))
        assert server.close() == 0
        assert server.complaints() == ""
    return receipts


@pytest.mark.parametrize(("servers", "rounds"), [(2, 120), (8, 40)])
def test_servers_on_one_file_lose_no_acknowledged_write_and_give_no_id_twice(
    tmp_path: Path, servers: int, rounds: int
) -> None:
    url, together = f"sqlite://{tmp_path / 'journal.db'}", Barrier(servers)
    with ThreadPoolExecutor(servers) as pool:
        working = [pool.submit(_work, url, f"agent{number}", rounds, together) for number in range(servers)]
        receipts = [receipt for work in working for receipt in work.result()]
    assert len(receipts) == servers * (3 * rounds + 2)
    assert len({receipt["seq"] for receipt in receipts}) == len(receipts)
    with Journal.open(url, journal=JOURNAL) as journal:
        entries = all_entries(journal)
        stored = {entry.seq: entry.id for entry in entries}
        assert [each for each in receipts if stored[each["seq"]] != each["id"]] == []
        kinds = Counter(entry.kind for entry in entries)
        assert kinds["session_opened"] == kinds["session_ended"] == servers
        assert kinds["execution_ended"] == servers
        assert len(entries) == len(receipts) + 3 * servers
        born = Counter(entry.id for entry in entries if entry.kind in ("action_begun", "execution_started"))
        assert set(born.values()) == {1}
        assert journal.verify().ok
        assert len({entry.execution_id for entry in entries if entry.execution_id}) == servers
        assert {each.status for each in journal.list_executions().executions} == {"completed"}
        assert journal.list_in_doubt().in_doubt == ()
