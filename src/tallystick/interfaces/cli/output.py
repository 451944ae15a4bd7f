"""How the result of an operation is shown: as JSON, as ids, or for people."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from tallystick.core.formats import times
from tallystick.interfaces.cli import rendering, text
from tallystick.interfaces.cli import terminal as cli_terminal
from tallystick.interfaces.cli.terminal import Terminal
from tallystick.operations.audit import Export, Verification
from tallystick.operations.credentials import CredentialReceipt
from tallystick.operations.entries import EntryPage, EntryView
from tallystick.operations.executions import Status
from tallystick.operations.plans import PlanHistory
from tallystick.operations.reports import Report
from tallystick.operations.runtime.receipts import Receipt, SessionReceipt
from tallystick.operations.views.brief import Brief
from tallystick.operations.views.owed import OwedPage

_IDS = ("id", "action_id", "key", "name", "seq")
_IN_FIRST_LINE = {"seq", "id", "hash", "repeated"}


def show(terminal: Terminal, result: Any) -> None:
    """Show a result the way that was asked for."""
    if terminal.json:
        terminal.say_json(msgspec.to_builtins(result))
    elif terminal.quiet:
        for id in _ids(result):
            terminal.say(cli_terminal.line(id))
    elif isinstance(result, Report):
        terminal.say(result.text.rstrip("\n"), exact=True)  # a file: it may be sent on as it is
    else:
        terminal.say(for_people(terminal, result))


def for_people(terminal: Terminal, result: Any) -> str:
    if isinstance(result, Receipt):
        return _receipt(terminal, result)
    if isinstance(result, Brief):
        return cli_terminal.block(result.text)
    if isinstance(result, EntryPage):
        return entries(terminal, result)
    if isinstance(result, OwedPage):
        return rendering.of_page(terminal, result)
    if isinstance(result, Status):
        from tallystick.interfaces.cli.rendering import account

        return account(terminal, result)
    if isinstance(result, PlanHistory):
        return _plan(terminal, result)
    if isinstance(result, Export):
        return "\n".join(result.lines)
    if isinstance(result, Verification):
        return verdict(terminal, result)
    return _card_or_table(terminal, result)


def entries(terminal: Terminal, page: EntryPage) -> str:
    """A page of the journal, one line an entry."""
    days = rendering.Days(terminal)
    shown = [days.lines(entry) for entry in page.entries]
    more = [f"More: --after {page.last_seq}"] if page.more else []
    return "\n".join([*(shown or ["No entries."]), *more])


def verdict(terminal: Terminal, found: Verification) -> str:
    """What verifying found, in a sentence."""
    counts = f"{found.entries:,} entries and {found.bodies:,} bodies, {found.erased:,} erased"
    if found.ok:
        return f"{terminal.painted('ok', 'green')}: {counts}; the chain holds.\nhead {found.head}"
    return f"{terminal.painted('problem', 'red')}: {cli_terminal.line(found.problem)}\n{counts} hold before it."


def _receipt(terminal: Terminal, receipt: Receipt) -> str:
    again = " already, under the same key," if receipt.repeated else ""
    simple: list[tuple[str, Any]] = []
    blocks: list[str] = []
    for name in receipt.__struct_fields__:
        value = getattr(receipt, name)
        if name in _IN_FIRST_LINE or not value or (name == "attempt" and value == 1):
            continue
        if isinstance(receipt, SessionReceipt) and name == "expires":
            simple.append((name, times.iso(value)))
        elif name == "owed":
            blocks += ["  owed, to undo in this order:", rendering.of_items(terminal, value)]
        elif name in ("warnings", "notes"):
            blocks += [f"  {terminal.painted(name[:-1], 'yellow')}: {text.said(each, 400)}" for each in value]
        elif name == "advice":
            blocks += [f"  advice: {text.said(each.step)}: {text.said(each.text, 400)}" for each in value]
        elif name == "receipts":
            blocks += [f"  {each.id} as entry {each.seq}" for each in value]
        else:
            simple.append((name, value))
    if isinstance(receipt, CredentialReceipt):
        blocks.append("  The secret is shown this once. Keep it where no agent reads.")
    first = f"{terminal.painted(receipt.id, bold=True)} recorded{again} as entry {receipt.seq}"
    return "\n".join(part for part in (first, text.card(simple), *blocks) if part)


def _plan(terminal: Terminal, plan: PlanHistory) -> str:
    parts: list[str] = []
    for view in plan.revisions:
        title = terminal.painted(text.said(view.title) or "(no title)", bold=True)
        parts.append(f"{view.id} revision {view.revision}, {view.status}: {title}")
        names = ("goal", "type", "task_id", "reasoning", "reason", "actor", "at", "retired_reason", "erased")
        parts.append(text.card([(name, getattr(view, name) or None) for name in names]))
        rows = [
            [text.said(step.get(name)) for name in ("id", "title", "tool", "cancellable", "undo", "after", "effect")]
            for step in view.steps
        ]
        parts.append(text.drawn(terminal, ["step", "title", "tool", "cancellable", "undo", "after", "effect"], rows))
        parts += [f"  {terminal.painted('warning', 'yellow')}: {text.said(each, 400)}" for each in view.warnings]
        parts.append("")
    return "\n".join(parts[:-1])


def _card_or_table(terminal: Terminal, result: Struct) -> str:
    pairs = [(name, getattr(result, name)) for name in result.__struct_fields__]
    many = [(name, value) for name, value in pairs if _are_views(value)]
    if not many:
        empty = next((name for name, value in pairs if value == () and name != "options"), "")
        if len(pairs) <= 2 and empty:
            return "Nothing is in doubt." if empty == "in_doubt" else f"No {text.heading(empty)}."
        return text.card([(name, _plain(value)) for name, value in pairs], indent=0)
    parts = [text.of_views(terminal, value) for _, value in many]
    beside = text.card([pair for pair in pairs if pair not in many and pair[0] != "next_cursor"], indent=0)
    parts += [beside] if beside else []
    cursor = getattr(result, "next_cursor", "")
    if cursor:
        parts.append(f"More: --cursor {text.said(cursor)}")
    return "\n".join(parts)


def _plain(value: Any) -> Any:
    if isinstance(value, Struct):
        return msgspec.to_builtins(value)
    return value if value != {} else None


def _are_views(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], Struct)


def _ids(result: Any) -> Sequence[str]:
    if isinstance(result, CredentialReceipt):
        return [result.secret]
    if isinstance(result, Export):
        return result.lines
    if isinstance(result, EntryView | Receipt):
        return [result.id]
    found = [value for value in (getattr(result, name) for name in result.__struct_fields__) if _are_views(value)]
    return [str(_id(view)) for view in (found[0] if found else ())]


def _id(view: Struct) -> object:
    return next((getattr(view, name) for name in _IDS if hasattr(view, name)), "")
