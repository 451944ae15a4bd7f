"""What an agent that stops is told: by the installed hook, which asks the real command, as a client runs them."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tallystick.capture import slice
from tests.capture.harness import Watched

COMMAND = [sys.executable, "-m", "tallystick"]
Told = Callable[..., dict[str, Any]]


@pytest.fixture
def told(at_home: Watched, tmp_path: Path) -> Told:
    """One event, told to a line of ours; what the client hears."""
    run = slice.write(slice.folder(at_home.env), COMMAND)

    def tell(line: str, event: str, **payload: Any) -> dict[str, Any]:
        done = subprocess.run(
            [slice.base_python(), "-I", "-S", str(run), line],
            input=json.dumps({"hook_event_name": event, "cwd": str(tmp_path), **payload}).encode(),
            env={**os.environ, **at_home.env},
            capture_output=True,
            check=True,
        )
        heard: dict[str, Any] = json.loads(done.stdout)
        return heard

    return tell


@pytest.mark.parametrize("line", ["claude-code", "cursor"])
def test_cursor_is_reminded_of_its_own_call_by_whichever_line_it_runs(at_home: Watched, told: Told, line: str) -> None:
    base = {"conversation_id": "c1", "session_id": "s1", "cursor_version": "2.4.0", "workspace_roots": ["/"]}
    call = {"tool_name": "Shell", "tool_input": {"command": "npm publish"}, "tool_use_id": "u1"}
    told(line, "preToolUse", **base, **call)
    heard = told(line, "stop", **base, status="completed", loop_count=0)
    assert "npm publish" in heard["followup_message"]
    assert told(line, "stop", **base, status="completed", loop_count=0) == {}
    assert [each.state for each in at_home.done()] == ["in_doubt"]


@pytest.mark.parametrize("line", ["claude-code", "copilot"])
def test_copilot_is_reminded_of_its_own_call_by_whichever_line_it_runs(at_home: Watched, told: Told, line: str) -> None:
    base = {"session_id": "s1", "timestamp": "2026-11-16T07:00:00.000Z"}
    told(line, "PreToolUse", **base, tool_name="Bash", tool_input={"command": "npm publish"})
    heard = told(line, "Stop", **base, stop_hook_active=False, stop_reason="end_turn")
    assert heard["decision"] == "block"
    assert "npm publish" in heard["reason"]
    assert [each.state for each in at_home.done()] == ["in_doubt"]
