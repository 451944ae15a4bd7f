"""`tallystick show`: one thing, whole, for a person who was not there."""

from typing import Any

import click
import msgspec

from tallystick.core.errors import InvalidArgument
from tallystick.interfaces.cli import output, rendering
from tallystick.interfaces.cli import terminal as cli_terminal
from tallystick.interfaces.cli.command import Command
from tallystick.interfaces.cli.from_operations import command_of
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.operations import CATALOGUE
from tallystick.operations.entries import EntryView
from tallystick.sdk.local import Local

AT_ONCE = 100
ENTRIES = 50


def show() -> Command:
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


def _show(invocation: Invocation, given: dict[str, Any]) -> int:
    handle, many = given.get("handle", ""), _count(given.get("entries", str(ENTRIES)))
    prefix = handle.partition("_")[0] if handle else "ex"
    if prefix == "pl":
        output.show(invocation.terminal, invocation.call("get_plan", {"plan_id": handle}))
    elif prefix == "ap":
        output.show(invocation.terminal, invocation.call("get_approval", {"approval_id": handle}))
    elif prefix in ("ac", "de", "cx", "se", "jo"):
        output.show(
            invocation.terminal, invocation.call("read_entries", {"id": handle, "limit": min(max(many, 1), AT_ONCE)})
        )
    else:
        _execution(invocation, handle, many)
    return 0


def _execution(invocation: Invocation, handle: str, many: int) -> None:
    status = invocation.call("get_status", {"execution_id": handle} if handle else {})
    id = status.execution.id
    owed = invocation.call("list_owed", {"execution_id": id, "limit": AT_ONCE})
    doubts = invocation.call("list_in_doubt", {"execution_id": id, "limit": AT_ONCE})
    entries = newest(invocation, {"execution_id": id}, many)
    decisions = newest(invocation, {"execution_id": id, "kind": "decision_recorded"}, many)
    terminal = invocation.terminal
    if terminal.json:
        parts = {"status": status, "owed": owed, "in_doubt": doubts, "decisions": decisions, "entries": entries}
        terminal.say_json({name: msgspec.to_builtins(part) for name, part in parts.items()})
        return
    if terminal.quiet:
        terminal.say(id)
        return
    sections = [
        ("Decisions", rendering.decisions(terminal, decisions)),
        ("In doubt: look at the real system before you act", rendering.doubts(doubts.in_doubt)),
        (f"Owed ({owed.due}), to undo in this order", rendering.owed(terminal, owed.owed)),
        ("Timeline", rendering.timeline(terminal, entries)),
    ]
    terminal.say(rendering.account(terminal, status))
    for title, text in sections:
        if text:
            terminal.say(f"\n{rendering.section(terminal, title)}\n{text}")


def newest(invocation: Invocation, filters: dict[str, Any], many: int) -> list[EntryView]:
    """The newest so many entries that fit, the oldest of them first."""
    found: list[EntryView] = []
    place = 0
    while len(found) < many:
        wanted = {**filters, "newest_first": True, "after": place, "limit": min(many - len(found), AT_ONCE)}
        page = invocation.call("read_entries", wanted)
        found += page.entries
        if not page.more:
            break
        place = page.last_seq
    return found[::-1]


def _count(text: str) -> int:
    if not text.isdigit():
        raise InvalidArgument(f'"{text}" is not a number of entries.', hint="Give a whole number.", field="entries")
    return int(text)


# ----------------------------------------------------------------------------------------------------------------------
# `tallystick status`, `owed` and `report`: how things stand, what is not undone, and all of it as a document.


def status() -> Command:
    return command_of(
        CATALOGUE["get_brief"],
        name="status",
        run=_stands,
        about="execution_id",
        example="tallystick status --tokens 200",
    )


def _stands(invocation: Invocation, arguments: dict[str, Any]) -> int:
    output.show(invocation.terminal, invocation.call("get_brief", arguments))
    if isinstance(invocation.caller, Local):
        from tallystick.capture.ingest.abandoned import find_unclaimed

        torn = invocation.caller.context.principal.torn
        if torn:
            invocation.terminal.remark(
                f"{torn} records of hooks could not be read or recorded: tallystick capture health"
            )
        for each in find_unclaimed(invocation.env, invocation.settings.journal):
            invocation.terminal.remark(f"{each}: {each.command}")
    return 0


def owed() -> Command:
    return command_of(CATALOGUE["list_owed"], name="owed", about="execution_id", example="tallystick owed ex_a2v7")


def report() -> Command:
    return command_of(
        CATALOGUE["get_report"], name="report", example="tallystick report ex_a2v7 --form html > report.html"
    )


# ----------------------------------------------------------------------------------------------------------------------
# `tallystick tail`: the newest entries, and those that land from now on.

SHOWN = 10
WAIT_SECONDS = 20
"""How long one look for news waits; the store wakes it as soon as something lands."""


def tail() -> Command:
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


def _tail(invocation: Invocation, filters: dict[str, Any]) -> int:
    follow, count = bool(filters.pop("follow", False)), filters.pop("lines", str(SHOWN))
    if not count.isdigit():
        raise InvalidArgument(f'"{count}" is not a number of lines.', hint="Give a whole number.", field="lines")
    if follow and "text" in filters:
        raise InvalidArgument("A search cannot be followed.", hint="Leave --text or --follow out.", field="text")
    days = rendering.Days(invocation.terminal)
    end = newest(invocation, {}, 1) if follow else []
    place = end[0].seq if end else 0
    for entry in newest(invocation, filters, int(count)):
        if not follow or entry.seq <= place:
            _say(invocation, days, entry)
    try:
        while follow:
            invocation.terminal.flush()
            page = invocation.call("read_entries", {**filters, "after": place, "wait_seconds": WAIT_SECONDS})
            place = page.last_seq
            for entry in page.entries:
                _say(invocation, days, entry)
    except KeyboardInterrupt:
        pass  # the way to end it
    return 0


def _say(invocation: Invocation, days: rendering.Days, entry: EntryView) -> None:
    terminal = invocation.terminal
    if terminal.json:
        terminal.say_json(msgspec.to_builtins(entry))
    elif terminal.quiet:
        terminal.say(cli_terminal.line(entry.id))
    else:
        terminal.say(days.lines(entry))
