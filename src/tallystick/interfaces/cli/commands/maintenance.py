"""Upkeep of the store itself: not operations, since no agent may ask for them; they work where the store is."""

from typing import Any

from tallystick.doors.cli import escapes, tables
from tallystick.doors.cli.command import Command
from tallystick.doors.cli.door import Door


def journals() -> Command:
    return Command(
        "journals",
        _journals,
        "The journals that this store holds, and how many entries each has.",
        example="tallystick journals",
    )


def rebuild() -> Command:
    return Command(
        "rebuild",
        _rebuild,
        """Drop the derived rows of the journal and fold them again from its entries.

        The entries are the truth and stay as they are; nothing is lost by this, and nothing changes unless a row
        was damaged.""",
        example="tallystick rebuild",
    )


def sizes(door: Door) -> dict[str, int]:
    """How many entries each journal of the store has."""
    found = {}
    for name in door.store.journals():
        newest = door.in_journal(name).call("read_entries", {"newest_first": True, "limit": 1}).entries
        found[name] = newest[0].seq if newest else 0
    return found


def _journals(door: Door, given: dict[str, Any]) -> int:
    terminal, current = door.terminal, door.settings.journal
    names = door.store.journals() if terminal.quiet and not terminal.json else []
    if names:
        terminal.say("\n".join(map(escapes.line, names)))
        return 0
    found = sizes(door)
    if terminal.json:
        terminal.say_json({"journals": [{"name": name, "entries": count} for name, count in found.items()]})
    elif found:
        rows = [[escapes.line(name), f"{count:,}", "here" if name == current else ""] for name, count in found.items()]
        terminal.say(tables.drawn(terminal, ["journal", "entries", ""], rows))
    else:
        terminal.say("No journals.")
    return 0


def _rebuild(door: Door, given: dict[str, Any]) -> int:
    door.terminal.progress("folding again", 0, sizes(door)[door.settings.journal])
    count = door.store.rebuild(door.settings.journal)
    terminal = door.terminal
    terminal.end_progress()
    if terminal.json:
        terminal.say_json({"journal": door.settings.journal, "entries": count})
    elif not terminal.quiet:
        terminal.say(f"Folded {count:,} entries of {escapes.line(door.settings.journal)} again.")
    return 0
