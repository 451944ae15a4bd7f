"""`tallystick tail`: the newest entries, and those that land from now on."""

from typing import Any

import click
import msgspec

from tallystick.core.errors import InvalidArgument
from tallystick.doors.cli import escapes, lines
from tallystick.doors.cli.command import Command
from tallystick.doors.cli.door import Door
from tallystick.doors.cli.projection import command_of
from tallystick.doors.cli.show import newest
from tallystick.operations import CATALOGUE
from tallystick.operations.entries import EntryView

SHOWN = 10
WAIT_SECONDS = 20
"""How long one look for news waits; the store wakes it as soon as something lands."""


def command() -> Command:
    return command_of(
        CATALOGUE["read_entries"],
        name="tail",
        run=_tail,
        without=("after", "limit", "newest_first", "wait_seconds"),
        more=[
            click.Option(["--follow", "-f", "follow"], is_flag=True, default=None, help="Go on with what lands."),
            click.Option(["--lines", "-n", "lines"], metavar="N", help=f"How many to begin with.  [default: {SHOWN}]"),
        ],
        doc="""The newest entries, one line each; with -f also those that land from now on, from any process.

        It takes the filters of `read entries`. With --json each line is one JSON object. Ctrl-C ends it.""",
        example="tallystick tail -f -n 20",
    )


def _tail(door: Door, filters: dict[str, Any]) -> int:
    follow, count = bool(filters.pop("follow", False)), filters.pop("lines", str(SHOWN))
    if not count.isdigit():
        raise InvalidArgument(f'"{count}" is not a number of lines.', hint="Give a whole number.", field="lines")
    if follow and "text" in filters:
        raise InvalidArgument("A search cannot be followed.", hint="Leave --text or --follow out.", field="text")
    days = lines.Days(door.terminal)
    end = newest(door, {}, 1) if follow else []
    place = end[0].seq if end else 0
    for entry in newest(door, filters, int(count)):
        if not follow or entry.seq <= place:
            _say(door, days, entry)
    try:
        while follow:
            door.terminal.flush()
            page = door.call("read_entries", {**filters, "after": place, "wait_seconds": WAIT_SECONDS})
            place = page.last_seq
            for entry in page.entries:
                _say(door, days, entry)
    except KeyboardInterrupt:
        pass  # the way to end it
    return 0


def _say(door: Door, days: lines.Days, entry: EntryView) -> None:
    terminal = door.terminal
    if terminal.json:
        terminal.say_json(msgspec.to_builtins(entry))
    elif terminal.quiet:
        terminal.say(escapes.line(entry.id))
    else:
        terminal.say(days.lines(entry))
