"""`tallystick status`, `owed` and `report`: how things stand, what is not undone, and all of it as a document."""

from typing import Any

from tallystick.calls import Local
from tallystick.doors.cli import results
from tallystick.doors.cli.command import Command
from tallystick.doors.cli.door import Door
from tallystick.doors.cli.projection import command_of
from tallystick.operations import CATALOGUE


def status() -> Command:
    return command_of(
        CATALOGUE["get_brief"],
        name="status",
        run=_stands,
        about="execution_id",
        example="tallystick status --tokens 200",
    )


def _stands(door: Door, arguments: dict[str, Any]) -> int:
    results.show(door.terminal, door.call("get_brief", arguments))
    if isinstance(door.caller, Local):
        from tallystick.capture.unclaimed import unclaimed

        torn = door.caller.desk.asker.torn
        if torn:
            door.terminal.remark(f"{torn} records of hooks could not be read or recorded: tallystick capture health")
        for each in unclaimed(door.env, door.settings.journal):
            door.terminal.remark(f"{each}: {each.command}")
    return 0


def owed() -> Command:
    return command_of(CATALOGUE["list_owed"], name="owed", about="execution_id", example="tallystick owed ex_a2v7")


def report() -> Command:
    return command_of(
        CATALOGUE["get_report"], name="report", example="tallystick report ex_a2v7 --form html > report.html"
    )
