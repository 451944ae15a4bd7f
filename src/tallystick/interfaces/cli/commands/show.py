"""`tallystick show`: one thing, whole, for a person who was not there."""

from typing import Any

import click
import msgspec

from tallystick.core.errors import InvalidArgument
from tallystick.doors.cli import accounts, results
from tallystick.doors.cli.command import Command
from tallystick.doors.cli.door import Door
from tallystick.operations.entries import EntryView

AT_ONCE = 100
ENTRIES = 50


def command() -> Command:
    return Command(
        "show",
        _show,
        """Show one execution whole: plan against actual, timeline, decisions and why, in doubt, owed.

        The newest open one when none is named. Other handles work too: a plan, an approval, an action, a session.""",
        example="tallystick show ex_a2v7",
        params=[
            click.Argument(["handle"], required=False),
            click.Option(["--entries", "-n", "entries"], metavar="N", help=f"Entries shown.  [default: {ENTRIES}]"),
        ],
    )


def _show(door: Door, given: dict[str, Any]) -> int:
    handle, many = given.get("handle", ""), _count(given.get("entries", str(ENTRIES)))
    prefix = handle.partition("_")[0] if handle else "ex"
    if prefix == "pl":
        results.show(door.terminal, door.call("get_plan", {"plan_id": handle}))
    elif prefix == "ap":
        results.show(door.terminal, door.call("get_approval", {"approval_id": handle}))
    elif prefix in ("ac", "de", "cx", "se", "jo"):
        results.show(door.terminal, door.call("read_entries", {"id": handle, "limit": min(max(many, 1), AT_ONCE)}))
    else:
        _execution(door, handle, many)
    return 0


def _execution(door: Door, handle: str, many: int) -> None:
    status = door.call("get_status", {"execution_id": handle} if handle else {})
    id = status.execution.id
    owed = door.call("list_owed", {"execution_id": id, "limit": AT_ONCE})
    doubts = door.call("list_in_doubt", {"execution_id": id, "limit": AT_ONCE})
    entries = newest(door, {"execution_id": id}, many)
    decisions = newest(door, {"execution_id": id, "kind": "decision_recorded"}, many)
    terminal = door.terminal
    if terminal.json:
        parts = {"status": status, "owed": owed, "in_doubt": doubts, "decisions": decisions, "entries": entries}
        terminal.say_json({name: msgspec.to_builtins(part) for name, part in parts.items()})
        return
    if terminal.quiet:
        terminal.say(id)
        return
    sections = [
        ("Decisions", accounts.decisions(terminal, decisions)),
        ("In doubt: look at the real system before you act", accounts.doubts(doubts.in_doubt)),
        (f"Owed ({owed.due}), to undo in this order", accounts.owed(terminal, owed.owed)),
        ("Timeline", accounts.timeline(terminal, entries)),
    ]
    terminal.say(accounts.account(terminal, status))
    for title, text in sections:
        if text:
            terminal.say(f"\n{accounts.section(terminal, title)}\n{text}")


def newest(door: Door, filters: dict[str, Any], many: int) -> list[EntryView]:
    """The newest so many entries that fit, the oldest of them first."""
    found: list[EntryView] = []
    place = 0
    while len(found) < many:
        wanted = {**filters, "newest_first": True, "after": place, "limit": min(many - len(found), AT_ONCE)}
        page = door.call("read_entries", wanted)
        found += page.entries
        if not page.more:
            break
        place = page.last_seq
    return found[::-1]


def _count(text: str) -> int:
    if not text.isdigit():
        raise InvalidArgument(f'"{text}" is not a number of entries.', hint="Give a whole number.", field="entries")
    return int(text)
