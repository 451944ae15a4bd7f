"""`tallystick status`, `owed` and `report`: how things stand, what is not undone, and all of it as a document."""

from tallystick.doors.cli.command import Command
from tallystick.doors.cli.projection import command_of
from tallystick.operations import CATALOGUE


def status() -> Command:
    return command_of(
        CATALOGUE["get_brief"], name="status", about="execution_id", example="tallystick status --tokens 200"
    )


def owed() -> Command:
    return command_of(CATALOGUE["list_owed"], name="owed", about="execution_id", example="tallystick owed ex_a2v7")


def report() -> Command:
    return command_of(
        CATALOGUE["get_report"], name="report", example="tallystick report ex_a2v7 --form html > report.html"
    )
