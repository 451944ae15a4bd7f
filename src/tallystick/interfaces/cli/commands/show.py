"""The commands that show the journal to people: `status`, `show`, `tail`, `undo-list`, `owed` and `report`."""

from typing import Any

import click
import msgspec

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats.tokens import cost
from tallystick.core.formats.visible import escape_line
from tallystick.interfaces.cli import journal_text, output
from tallystick.interfaces.cli.command import Command
from tallystick.interfaces.cli.from_operations import make_command
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.operations import CATALOGUE
from tallystick.operations.views.entries import EntryView
from tallystick.sdk.local import Local

PAGE_ROWS = 100
SHOW_ENTRIES = 50
TAIL_LINES = 10
BRIEF_TOKENS, MIN_BRIEF_TOKENS = 400, 100
INBOX_ITEMS = 3
"""At most this many of each kind of what waits for a person."""
FOLLOW_WAIT_SECONDS = 20
"""How long one request for new entries waits; the store ends the wait as soon as there is one."""


def status() -> Command:
    return make_command(
        CATALOGUE["get_brief"],
        name="status",
        run=_status,
        positional="execution_id",
        doc=f"""{CATALOGUE["get_brief"].doc}

        Without a handle and without --tokens, what waits for a person in any execution comes first.""",
        example="tallystick status --tokens 200",
    )


def _status(invocation: Invocation, arguments: dict[str, Any]) -> int:
    terminal, tokens = invocation.terminal, arguments.get("tokens", BRIEF_TOKENS)
    if not (terminal.json or terminal.quiet or arguments.keys() & {"execution_id", "tokens"}):
        _print_inbox(invocation)
    brief, room = invocation.call("get_brief", arguments), tokens
    if not (terminal.json or terminal.quiet):  # the commands in it are longer than what the journal counts
        while (over := cost(output.format_result(terminal, brief) + "\n") - tokens) > 0 and room > MIN_BRIEF_TOKENS:
            room = max(MIN_BRIEF_TOKENS, int(min(room, cost(brief.text)) - over))
            brief = invocation.call("get_brief", {**arguments, "tokens": room})
    output.show(terminal, brief)
    if isinstance(invocation.caller, Local):
        from tallystick.capture.ingest.abandoned import find_unclaimed

        torn = invocation.caller.context.principal.torn
        if torn:
            invocation.terminal.print_stderr(
                f"{torn} records of hooks could not be read or recorded: tallystick capture health"
            )
        for spool in find_unclaimed(invocation.env, invocation.settings.journal):
            invocation.terminal.print_stderr(f"{spool}: {spool.command}")
    return 0


def _print_inbox(invocation: Invocation) -> None:
    """Lines about what waits for a person, in the order of the page."""
    terminal, found = invocation.terminal, invocation.call("get_inbox", {"limit": INBOX_ITEMS, "working": 0})
    if not found.total:
        return
    terminal.print(terminal.style(f"Needs you ({found.total}{'+' if found.more else ''}):", bold=True))
    for item in found.items:
        title = f'"{item.title}": ' if item.title else ""
        more = f" (and {item.count - 1} more)" if item.count > 1 else ""
        by, since = (f", {item.who}" if item.who else ""), f", since {item.since}"
        until = f", until {item.until}" if item.until else ""
        line = f"{item.need} {item.about} {title}{item.text}{more}{by}{since}{until}"
        terminal.print(f"- {escape_line(line)}")
    if rest := found.total - len(found.items):
        terminal.print(f"- and {rest}{'+' if found.more else ''} more")
    terminal.print("")


def undo_list() -> Command:
    return make_command(
        CATALOGUE["get_undo_list"], name="undo-list", positional="execution_id", example="tallystick undo-list ex_a2v7"
    )


def owed() -> Command:
    return make_command(
        CATALOGUE["list_owed"], name="owed", positional="execution_id", example="tallystick owed ex_a2v7"
    )


def report() -> Command:
    operation = CATALOGUE["get_report"]
    return make_command(
        operation,
        name="report",
        run=_report,
        doc=f"{operation.doc}\n\nWithout a handle, the newest open execution, else the newest.",
        example="tallystick report ex_a2v7 --form html > report.html",
    )


def _report(invocation: Invocation, arguments: dict[str, Any]) -> int:
    if "execution_id" not in arguments:
        arguments = {**arguments, "execution_id": invocation.call("get_status", {"limit": 1}).execution.id}
    output.show(invocation.terminal, invocation.call("get_report", arguments))
    return 0


# ----------------------------------------------------------------------------------------------------------------------
# show


def show() -> Command:
    return Command(
        "show",
        _show,
        """Show one execution in full: plan against actual, timeline, decisions and why, in doubt, owed.

        Without a handle, the newest open execution. A plan, an approval, an action or a session can be shown too.""",
        example="tallystick show ex_a2v7",
        params=[
            click.Argument(["handle"], required=False),
            click.Option(
                ["--entries", "-n", "entries"], metavar="N", help=f"Entries shown.  [default: {SHOW_ENTRIES}]"
            ),
        ],
    )


def _show(invocation: Invocation, arguments: dict[str, Any]) -> int:
    handle = arguments.get("handle", "")
    count = _parse_count("entries", arguments.get("entries", str(SHOW_ENTRIES)))
    prefix = handle.partition("_")[0] if handle else "ex"
    if prefix == "pl":
        output.show(invocation.terminal, invocation.call("get_plan", {"plan_id": handle}))
    elif prefix == "ap":
        output.show(invocation.terminal, invocation.call("get_approval", {"approval_id": handle}))
    elif prefix in ("ac", "de", "cx", "se", "jo"):
        limit = min(max(count, 1), PAGE_ROWS)
        output.show(invocation.terminal, invocation.call("read_entries", {"id": handle, "limit": limit}))
    else:
        _show_execution(invocation, handle, count)
    return 0


def _show_execution(invocation: Invocation, handle: str, count: int) -> None:
    status = invocation.call("get_status", {"execution_id": handle} if handle else {})
    id = status.execution.id
    owed = invocation.call("list_owed", {"execution_id": id, "limit": PAGE_ROWS})
    doubts = invocation.call("list_in_doubt", {"execution_id": id, "limit": PAGE_ROWS})
    entries = _newest(invocation, {"execution_id": id}, count)
    decisions = _newest(invocation, {"execution_id": id, "kind": "decision_recorded"}, count)
    terminal = invocation.terminal
    if terminal.json:
        parts = {"status": status, "owed": owed, "in_doubt": doubts, "decisions": decisions, "entries": entries}
        terminal.print_json({name: msgspec.to_builtins(part) for name, part in parts.items()})
        return
    if terminal.quiet:
        terminal.print(id)
        return
    is_left = status.execution.interrupted and status.execution.status == "running"
    condition = " if nobody takes it up" if is_left else ""
    sections = [
        ("Decisions", journal_text.decision_list(terminal, decisions)),
        ("In doubt: look at the real system before you act", journal_text.doubt_list(terminal, doubts.in_doubt)),
        (
            f"Owed{condition} ({'more than ' if owed.more_due else ''}{owed.due}), to undo in this order",
            journal_text.undo_checklist(terminal, owed.owed),
        ),
        ("Timeline", journal_text.timeline(terminal, entries)),
    ]
    terminal.print(journal_text.status_account(terminal, status))
    for title, text in sections:
        if text:
            terminal.print(f"\n{journal_text.section_title(terminal, title)}\n{text}")


def _newest(invocation: Invocation, filters: dict[str, Any], count: int) -> list[EntryView]:
    """The newest `count` entries that match, oldest first."""
    entries: list[EntryView] = []
    after = 0
    while len(entries) < count:
        limit = min(count - len(entries), PAGE_ROWS)
        page = invocation.call("read_entries", {**filters, "newest_first": True, "after": after, "limit": limit})
        entries += page.entries
        if not page.more:
            break
        after = page.last_seq
    return entries[::-1]


def _parse_count(field: str, typed: str) -> int:
    if not typed.isdigit():
        raise InvalidArgument(
            f'"{typed}" is not a number of {field}.', hint="Give a whole number, 0 or more.", field=field
        )
    return int(typed)


# ----------------------------------------------------------------------------------------------------------------------
# tail


def tail() -> Command:
    return make_command(
        CATALOGUE["read_entries"],
        name="tail",
        run=_tail,
        exclude=("after", "limit", "newest_first", "wait_seconds"),
        extra_options=[
            click.Option(["--follow", "-f", "follow"], is_flag=True, default=None, help="Also show new entries."),
            click.Option(["--lines", "-n", "lines"], metavar="N", help=f"Entries shown.  [default: {TAIL_LINES}]"),
        ],
        doc="""Show the newest entries, one line each; with -f also new ones, from any process.

        It takes the filters of `read entries`. With --json each line is one JSON object. Ctrl-C ends it.""",
        example="tallystick tail -f -n 20",
    )


def _tail(invocation: Invocation, filters: dict[str, Any]) -> int:
    follow = bool(filters.pop("follow", False))
    count = _parse_count("lines", filters.pop("lines", str(TAIL_LINES)))
    if follow and "text" in filters:
        raise InvalidArgument("A search cannot be followed.", hint="Omit --text or --follow.", field="text")
    lines = journal_text.EntryLines(invocation.terminal)
    head = _newest(invocation, {}, 1) if follow else []
    last_seq = head[0].seq if head else 0
    for entry in _newest(invocation, filters, count):
        if not follow or entry.seq <= last_seq:  # a newer one is shown by the loop below
            _print_entry(invocation, lines, entry)
    try:
        while follow:
            invocation.terminal.flush()
            page = invocation.call("read_entries", {**filters, "after": last_seq, "wait_seconds": FOLLOW_WAIT_SECONDS})
            last_seq = page.last_seq
            for entry in page.entries:
                _print_entry(invocation, lines, entry)
    except KeyboardInterrupt:
        pass  # the normal way to end it
    return 0


def _print_entry(invocation: Invocation, lines: journal_text.EntryLines, entry: EntryView) -> None:
    terminal = invocation.terminal
    if terminal.json:
        terminal.print_json(msgspec.to_builtins(entry))
    elif terminal.quiet:
        terminal.print(escape_line(entry.id))
    else:
        terminal.print(lines.format(entry))
