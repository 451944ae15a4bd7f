"""Secrets that an agent handles are nowhere on the disk after hooks and drain."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tallystick.capture.hook import main as hook
from tallystick.store.sqlite.store import SqliteStore
from tests.capture.harness import Watched
from tests.core.benign_lines import benign
from tests.core.secret_corpus import Planted, planted_secrets, survivors
from tests.memory_folders import quick_folder

EACH = 10
"""How many credentials one call holds."""


def payloads(values: list[Planted]) -> Iterator[dict[str, object]]:
    """Calls that hold them: in arguments, headers, results, URLs, errors and prompts."""
    for at in range(0, len(values), EACH):
        part = [each.value for each in values[at : at + EACH]]
        call = {"session_id": "s", "tool_name": "Bash", "tool_use_id": f"toolu_{at}"}
        arguments = {
            "command": "deploy",
            "env": {f"e{i}": value for i, value in enumerate(part[:3])},
            "headers": part[3:5],
        }
        yield {**call, "hook_event_name": "PreToolUse", "tool_input": arguments}
        failed = {"error": json.dumps(part[5:7]), "tool_response": {"stderr": part[7:9]}}
        yield {**call, "hook_event_name": "PostToolUseFailure", "tool_input": arguments, **failed}
        yield {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": json.dumps(part[9:])}


@pytest.fixture(scope="module")
def values() -> list[Planted]:
    chosen = list(planted_secrets(each=9))
    random.Random(7).shuffle(chosen)
    return chosen[:2000]


def test_of_2000_credentials_that_hooks_see_almost_none_is_on_the_disk(values: list[Planted]) -> None:
    with quick_folder() as folder:
        store = SqliteStore(folder / "journal.db")
        watched = Watched(store, folder)
        for payload in payloads(values):
            assert hook.answer(["claude-code"], json.dumps(payload).encode(), watched.env)[0] == 0
        before = _bytes_under(folder)
        drained = watched.drain()
        after = _bytes_under(folder)
        store.close()
    assert (drained.recorded, drained.waiting) == (600, 0)
    left = {each.pieces for output in (before, after) for each in survivors(values, output)}
    assert len(values) == 2000
    assert len(left) <= 10, sorted(left)


def test_ordinary_text_and_code_is_kept_as_it_is() -> None:
    lines = [line for line, _ in zip(benign(), range(20_000), strict=False)]
    with quick_folder() as folder:
        store = SqliteStore(folder / "journal.db")
        watched = Watched(store, folder)
        for at in range(0, len(lines), 100):
            arguments = {"file_path": "a.py", "content": lines[at : at + 100]}
            payload = {
                "session_id": "s",
                "hook_event_name": "PreToolUse",
                "tool_name": "Write",
                "tool_input": arguments,
            }
            call = {**payload, "tool_use_id": f"toolu_{at}"}
            assert hook.answer(["claude-code"], json.dumps(call).encode(), watched.env)[0] == 0
        watched.drain()
        begun = watched.actions()
        stored = [watched.journal.get_action(action_id=row.id).begin_body["arguments"]["content"] for row in begun]
        store.close()
    assert len(stored) == len(range(0, len(lines), 100))
    touched = sum("[masked:" in line for part in stored for line in part)
    assert touched <= len(lines) * 0.005, f"{touched} of {len(lines)}"


def _bytes_under(folder: Path) -> str:
    """Every byte of every file: spool, key, database, WAL and others."""
    return "\n".join(path.read_bytes().decode("latin-1") for path in sorted(folder.rglob("*")) if path.is_file())
