"""`tallystick version`: which program this is."""

from typing import Any

from tallystick.core.version import __version__
from tallystick.doors.cli.command import Command
from tallystick.doors.cli.door import Door


def command() -> Command:
    return Command("version", _version, "The version of this program.", example="tallystick version")


def _version(door: Door, given: dict[str, Any]) -> int:
    if door.terminal.json:
        door.terminal.say_json({"version": __version__})
    else:
        door.terminal.say(f"tallystick {__version__}")
    return 0
