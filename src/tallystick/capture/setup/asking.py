"""Whether the MCP server that stands in a client's file starts and answers, asked as a client asks."""

import json
import subprocess
from collections.abc import Mapping
from typing import Any

SECONDS = 30
_ASKED = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "tallystick-check", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
)


def tools_of(entry: dict[str, Any], folder: str, env: Mapping[str, str]) -> list[str]:
    """The names of the tools that a server offers; ValueError says why there are none.

    It runs in a folder of its own with a store of its own, so that the user's journals hear nothing of it.
    """
    own = {**env, **entry.get("env", {}), "TALLYSTICK_URL": f"sqlite:///{folder}/server.db"}
    words = [entry["command"], *entry["args"]]
    lines = "".join(json.dumps(each) + "\n" for each in _ASKED)
    try:
        done = subprocess.run(
            words, input=lines, cwd=folder, env=own, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise ValueError(f"it did not answer within {SECONDS} seconds") from None
    except OSError as error:
        raise ValueError(f"{words[0]} cannot be run ({error.strerror})") from None
    try:
        answers = {each.get("id"): each for each in map(json.loads, done.stdout.splitlines())}
        return [tool["name"] for tool in answers[2]["result"]["tools"]]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"it listed no tools: {done.stderr.strip()[-300:] or done.stdout[:200]}") from None
