"""`tallystick version`: which program this is."""

from importlib.metadata import version as installed
from typing import Any

from tallystick.doors.cli.command import Command
from tallystick.doors.cli.door import Door


def command() -> Command:
    return Command("version", _version, "The version of this program.", example="tallystick version")


def number() -> str:
    return installed("tallystick")


def _version(door: Door, given: dict[str, Any]) -> int:
    if door.terminal.json:
        door.terminal.say_json({"version": number()})
    else:
        door.terminal.say(f"tallystick {number()}")
    return 0
