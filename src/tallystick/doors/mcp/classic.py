"""The names of the earlier designs."""

from tallystick.doors.mcp.tools import Tool


def tools() -> dict[str, Tool]:
    return {}
