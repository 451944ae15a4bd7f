"""Our tools beside those of other servers: what the gateway is handed of this door."""

import os
from collections.abc import Callable, Collection
from typing import Any, BinaryIO, cast

from tallystick.core.errors import TallystickError
from tallystick.interfaces.mcp import legacy
from tallystick.interfaces.mcp.errors import of_error
from tallystick.interfaces.mcp.tools import PROFILES
from tallystick.interfaces.mcp.transport.stdio import StdioConnection
from tallystick.protocol.meta import ERROR_KEY
from tallystick.sdk.local import Local


class _Output:
    """Where a connection writes whole lines."""

    def __init__(self, put: Callable[[bytes], None]) -> None:
        self._put = put

    def write(self, line: bytes) -> int:
        self._put(line)
        return len(line)


def own(caller: Local, profile: str, put: Callable[[bytes], None]) -> StdioConnection:
    """A server of our tools in this process."""
    return StdioConnection(caller, profile, os.environ, cast(BinaryIO, _Output(put)))


def refusal(caller: Local, profile: str, error: TallystickError) -> dict[str, Any]:
    """The result of another's tool that says what was wrong, and the next call: by one of our tools that is listed, or
    as a command.

    It has no structured content: what that may be is for the tool's own schema to say, and clients hold it to that.
    """
    result = of_error(error, _listed(profile), shell=caller.context.settings).as_result()
    result["_meta"] = {ERROR_KEY: result.pop("structuredContent")["error"]}
    return result


def _listed(profile: str) -> Collection[str]:
    if profile == legacy.PROFILE:
        return [tool.name for tool in legacy.listed()]
    return PROFILES.get(profile, ())


def guard(app: Any) -> Any:
    """A web application that is asked on this machine only, and only with messages."""
    from tallystick.interfaces.host_check import LOOPBACK, HostCheck
    from tallystick.interfaces.mcp.transport.bodies import Bodies

    return HostCheck(Bodies(app, most_bytes=64 << 20), LOOPBACK)
