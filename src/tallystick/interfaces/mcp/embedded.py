"""Our MCP tools inside the gateway: connection, refusal results, and the guard of its HTTP requests."""

import os
from collections.abc import Callable, Collection, Sequence
from typing import Any, BinaryIO, cast

import msgspec

from tallystick.core.errors import TallystickError
from tallystick.interfaces.mcp import legacy
from tallystick.interfaces.mcp.errors import error_response
from tallystick.interfaces.mcp.tools import PROFILES
from tallystick.interfaces.mcp.transport.stdio import StdioConnection
from tallystick.protocol.meta import ERROR_KEY
from tallystick.sdk.local import Local


class _LineOutput:
    """A stream that passes each line to a callback."""

    def __init__(self, write_line: Callable[[bytes], None]) -> None:
        self._write_line = write_line

    def write(self, line: bytes) -> int:
        self._write_line(line)
        return len(line)


def connect(caller: Local, profile: str, write_line: Callable[[bytes], None]) -> StdioConnection:
    """A connection to a server of our tools in this process."""
    return StdioConnection(caller, profile, os.environ, cast(BinaryIO, _LineOutput(write_line)))


def error_result(caller: Local, profile: str, error: TallystickError) -> dict[str, Any]:
    """The result of another server's tool that is refused: what is wrong, and the next call.

    The next call uses a listed tool of ours, or is a command. The error is in `_meta` and not in the structured
    content: clients validate that against the schema of the other server's tool.
    """
    result = error_response(error, _listed_tools(profile), shell=caller.context.settings).as_result()
    result["_meta"] = {ERROR_KEY: result.pop("structuredContent")["error"]}
    return result


def _listed_tools(profile: str) -> Collection[str]:
    if profile == legacy.PROFILE:
        return list(legacy.all_tools())
    return PROFILES.get(profile, ())


_ONLY_THIS_MACHINE = "Only programs of this machine may call it: use 127.0.0.1 or localhost as the host."


class RequestGuard:
    """The checks of our web server, for a server that is not ours: only MCP messages, and only of this machine."""

    def check_headers(self, fields: Sequence[tuple[str, str]]) -> tuple[int, str, bytes] | None:
        """The response to a request whose Host or Origin is not this machine."""
        from tallystick.interfaces.host_check import LOOPBACK, host_problem
        from tallystick.interfaces.problems import MEDIA_TYPE

        details = host_problem(fields, LOOPBACK, _ONLY_THIS_MACHINE)
        return (details["status"], MEDIA_TYPE.decode(), msgspec.json.encode(details)) if details else None

    def check_body(self, body: bytes, *, modern: bool) -> tuple[int, str, bytes] | None:
        """The response to a body that is no JSON-RPC message, or one that two parsers could read differently."""
        from tallystick.interfaces.mcp.transport.bodies import reject_body

        rejection = reject_body(body, modern=modern)
        return (rejection[0], "application/json", msgspec.json.encode(rejection[1])) if rejection else None
