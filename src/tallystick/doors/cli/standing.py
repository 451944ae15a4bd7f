"""`tallystick status` and `tallystick owed`: how things stand, and what is not undone."""

from tallystick.doors.cli.command import Command
from tallystick.doors.cli.projection import command_of
from tallystick.operations import CATALOGUE


def status() -> Command:
    return command_of(
        CATALOGUE["get_brief"], name="status", about="execution_id", example="tallystick status --tokens 200"
    )


def owed() -> Command:
    return command_of(CATALOGUE["list_owed"], name="owed", about="execution_id", example="tallystick owed ex_a2v7")
