"""What a report tells, gathered in one picture of the journal, and bounded."""

import re
from collections.abc import Iterator

from msgspec import Struct

from tallystick.core.entries import DecisionRecorded, Entry
from tallystick.core.formats import times
from tallystick.core.state import Action, Approval, Execution, Revision, Session, revision_id
from tallystick.operations.approvals import ApprovalView, describe_approval
from tallystick.operations.entries import EntryView, entry_views
from tallystick.operations.executions import Status, status_of
from tallystick.operations.runtime.operation_context import Principal
from tallystick.operations.runtime.progress import (
    DoubtItem,
    OwedItem,
    describe_doubts,
    describe_owed,
    doubts_of,
    owed_of,
    plan_text,
)
from tallystick.operations.views.timeline import ActionLine, describe_lines
from tallystick.store.interface import Select, View

ENTRIES = {"markdown": 400, "html": 1000, "csv": 20_000, "jsonl": 20_000}
"""How many entries each form holds, the newest ones."""
ITEMS = 500
"""How many steps, actions, debts, doubts, decisions and approvals a document shows."""
COUNTED = 50_000
"""Up to how many entries that do not fit are counted."""
REVISIONS = 100
"""Of a plan, so many of the first revisions go along."""
CHARACTERS = 16_000_000
"""About how long a document grows: entries with large bodies take the place of others."""


class Account(Struct, frozen=True, kw_only=True):
    """One execution, as it stood at `now`. `actions_left_out` are the oldest."""

    journal: str
    now: int
    head: str
    status: Status
    goal: str
    actions: tuple[ActionLine, ...]
    actions_left_out: int
    owed: tuple[OwedItem, ...]
    owed_left_out: int
    doubts: tuple[DoubtItem, ...]
    decisions: tuple[EntryView, ...]
    approvals: tuple[ApprovalView, ...]
    entries: tuple[EntryView, ...]
    left_out: int
    warning: str = ""


def gather(view: View, execution: Execution, principal: Principal, form: str, problem: str = "") -> Account:
    """All that is told. Forms that are lists of entries need nothing else. `problem` is what does not hold of a journal
    that was imported."""
    entries, left_out = _entries(view, execution.id, ENTRIES[form])
    if form == "jsonl":
        entries = tuple(sorted({each.seq: each for each in (*_around(view, execution), *entries)}.values(), key=_seq))
    lists_only = form in ("csv", "jsonl")
    rows = [] if lists_only else view.find(Action, Select(where={"execution": execution.id}, limit=ITEMS))[::-1]
    owed = [] if lists_only else owed_of(view, execution)
    approvals = [] if lists_only else view.find(Approval, Select(where={"execution": execution.id}, limit=ITEMS))[::-1]
    total = sum(execution.actions.values()) + sum(execution.undos.values())
    return Account(
        journal=view.journal,
        now=view.now(),
        head=view.head().hash,
        status=status_of(view, execution, ITEMS, "", principal),
        goal=str(plan_text(view, execution).get("goal", "")),
        actions=describe_lines(view, rows, {}),
        actions_left_out=total - len(rows),
        owed=describe_owed(view, owed[:ITEMS]),
        owed_left_out=max(len(owed) - ITEMS, 0),
        doubts=() if lists_only else describe_doubts(view, doubts_of(view, execution.id, limit=ITEMS)),
        decisions=tuple(each for each in entries if each.kind == DecisionRecorded.KIND)[-ITEMS:],
        approvals=tuple(describe_approval(view, row) for row in approvals),
        entries=entries,
        left_out=left_out,
        warning=f"This was imported, and does not verify: {problem} Do not rely on it." if problem else "",
    )


def _around(view: View, execution: Execution) -> Iterator[EntryView]:
    """What an execution stands on, the revisions of its plan and its session: so that a file can be looked at alone."""
    revisions = (revision_id(execution.plan_id, number + 1) for number in range(min(execution.revision, REVISIONS)))
    rows = [view.get(Session, execution.session), *(view.get(Revision, each) for each in revisions)]
    found = (view.entry(row.seq) for row in rows if row)
    for entry, _ in entry_views(view, [each for each in found if each]):
        yield entry


def _seq(entry: EntryView) -> int:
    return entry.seq


def _entries(view: View, execution: str, most: int) -> tuple[tuple[EntryView, ...], int]:
    """The newest entries in order, as many as fit, and how many do not."""
    found: list[EntryView] = []
    place, size = 0, 0
    while len(found) < most and size < CHARACTERS:
        part = view.entries(after=place, limit=min(most - len(found), 500), execution=execution, newest_first=True)
        if not part:
            break
        for entry, length in entry_views(view, part):
            found.append(entry)
            place, size = entry.seq, size + length
            if size >= CHARACTERS:
                break
    return tuple(reversed(found)), _count(view, execution, place) if found else 0


def _count(view: View, execution: str, before: int) -> int:
    """How many entries of an execution lie before one; at most `COUNTED` are counted."""
    many = 0
    part: list[Entry] = []
    while many < COUNTED:
        part = view.entries(after=before, limit=5000, execution=execution, newest_first=True)
        if not part:
            break
        many, before = many + len(part), part[-1].seq
    return many


def lasted(seconds: float) -> str:
    """A duration for people, in two units at most: `850ms`, `4.2s`, `3m 20s`, `2h 5m`, `3d`."""
    if seconds < 1:
        return f"{seconds * 1000:.0f}ms"
    if seconds < 60:
        return f"{seconds:.1f}s".replace(".0s", "s")
    minutes, hours, days = int(seconds) // 60, int(seconds) // 3600, int(seconds) // 86400
    pairs = ((days, "d", hours % 24, "h"), (hours, "h", minutes % 60, "m"), (minutes, "m", int(seconds) % 60, "s"))
    many, unit, rest, smaller = next(pair for pair in pairs if pair[0])
    return f"{many}{unit} {rest}{smaller}" if rest else f"{many}{unit}"


def took(line: ActionLine) -> str:
    """How long an action took; nothing while it has no end."""
    if not line.ended:
        return ""
    return lasted((times.parse_time(line.ended, "ended") - times.parse_time(line.begun, "begun")) / times.SECOND)


# ----------------------------------------------------------------------------------------------------------------------
# Text that some model or tool wrote, without what hides or turns it.

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
    "|[\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control characters, marks that turn the direction of text, and characters of no width. Line ends and tabs stay, and
so do the joiners that Persian and emoji need."""


def shown(text: str) -> str:
    """The text with an escape in the place of all that cannot be seen: `\\u202e`."""
    return _HIDDEN.sub(lambda found: found[0].encode("unicode_escape", "surrogatepass").decode(), text)


def cut(text: str, most: int) -> str:
    """At most so many characters, and how many more there were."""
    return text if len(text) <= most else f"{text[:most]} ... ({len(text) - most} more characters)"
