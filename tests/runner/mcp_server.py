"""An MCP server for tests of the runner, written with the official SDK. It notes each call in a file."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import MCPServer

server = MCPServer("test")
LOG = Path(sys.argv[1])


def note(word: str) -> None:
    with LOG.open("a") as log:
        log.write(f"{word}\n")


@server.tool()
def add(a: int, b: int) -> dict[str, Any]:
    """Add two numbers."""
    note("add")
    return {"total": a + b}


@server.tool()
def say(text: str) -> str:
    """Say something."""
    note(f"say {text}")
    return text


@server.tool(structured_output=False)
def look_up(name: str) -> str:
    """Answer with text that is JSON, as servers without structured results do."""
    return json.dumps({"name": name})


@server.tool()
def fail() -> str:
    """Fail."""
    note("fail")
    raise ValueError("on purpose")


@server.tool()
def die() -> str:
    """End the process in the middle of the call."""
    note("die")
    os._exit(3)


if __name__ == "__main__":
    server.run("stdio")
