"""Our tools beside those of other servers: what the gateway is handed of this door."""

import os
from collections.abc import Callable, Collection
from typing import Any, BinaryIO, cast

from tallystick.calls import Local
from tallystick.core.errors import TallystickError
from tallystick.doors.mcp import classic
from tallystick.doors.mcp.refusal import of_error
from tallystick.doors.mcp.stdio import Connection
from tallystick.doors.mcp.tools import PROFILES
from tallystick.protocol.meta import ERROR_KEY


class _Output:
    """Where a connection writes whole lines."""

    def __init__(self, put: Callable[[bytes], None]) -> None:
        self._put = put

    def write(self, line: bytes) -> int:
        self._put(line)
        return len(line)


def own(caller: Local, profile: str, put: Callable[[bytes], None]) -> Connection:
    """A server of our tools in this process."""
    return Connection(caller, profile, os.environ, cast(BinaryIO, _Output(put)))


def refusal(caller: Local, profile: str, error: TallystickError) -> dict[str, Any]:
    """The result of another's tool that says what was wrong, and the next call: by one of our tools that is listed, or
    as a command.

    It has no structured content: what that may be is for the tool's own schema to say, and clients hold it to that.
    """
    result = of_error(error, _listed(profile), shell=caller.desk.settings).as_result()
    result["_meta"] = {ERROR_KEY: result.pop("structuredContent")["error"]}
    return result


def _listed(profile: str) -> Collection[str]:
    if profile == classic.PROFILE:
        return [tool.name for tool in classic.listed()]
    return PROFILES.get(profile, ())


def guard(app: Any) -> Any:
    """A web application that is asked on this machine only, and only with messages."""
    from tallystick.doors.guard import LOOPBACK, Guard
    from tallystick.doors.mcp.bodies import Bodies

    return Guard(Bodies(app, most_bytes=64 << 20), LOOPBACK)
