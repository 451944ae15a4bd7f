"""Collects the bounded content of a report from one snapshot of the journal, and formats its texts and durations."""

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from tallystick.core.entries import DecisionRecorded, Entry
from tallystick.core.formats import times
from tallystick.core.state import Action, Approval, Execution, Revision, Session, revision_id
from tallystick.core.types import OUTSTANDING
from tallystick.operations.approvals import ApprovalView, describe_approval
from tallystick.operations.runtime.operation_context import Principal
from tallystick.operations.runtime.progress import describe_doubts, describe_undo_list, doubts_of, owed_of, plan_text
from tallystick.operations.runtime.receipts import DoubtItem, UndoListItem
from tallystick.operations.views.entries import EntryView, entry_views
from tallystick.operations.views.execution_status import Status, status_of
from tallystick.operations.views.plan_steps import PlanSteps
from tallystick.operations.views.timeline import ActionLine, describe_lines
from tallystick.store.interface import Select, View

MAX_ENTRIES = {"markdown": 400, "html": 1000, "csv": 20_000, "jsonl": 20_000}
"""Entries of each form, the newest ones."""
MAX_ITEMS = 500
"""Steps, actions, owed actions, doubts, decisions and approvals that a document shows of each."""
MAX_COUNTED = 10_000
"""Entries that do not fit are counted up to this."""
ENTRIES_PER_READ = 1000
MAX_REVISIONS = 100
"""Revisions of the plan that a JSON lines file includes, the first ones."""
MAX_CHARACTERS = 16_000_000
"""About how long a document may be: entries with large bodies leave room for fewer others."""


class Account(Struct, frozen=True, kw_only=True):
    """The content of a report about one execution at the time `now`. The oldest actions are left out."""

    journal: str
    now: int
    head: str
    status: Status
    goal: str
    actions: tuple[ActionLine, ...]
    actions_left_out: int
    owed: tuple[UndoListItem, ...]
    owed_left_out: int
    doubts: tuple[DoubtItem, ...]
    decisions: tuple[EntryView, ...]
    approvals: tuple[ApprovalView, ...]
    entries: tuple[EntryView, ...]
    left_out: int
    warning: str = ""


def gather(view: View, execution: Execution, principal: Principal, form: str, problem: str = "") -> Account:
    """Read the content of a report. CSV and JSON lines need only the entries.

    `problem` says why an imported journal does not verify.
    """
    entries, left_out = _entries(view, execution.id, MAX_ENTRIES[form])
    if form == "jsonl":
        by_seq = {each.seq: each for each in (*_context_entries(view, execution), *entries)}
        entries = tuple(by_seq[seq] for seq in sorted(by_seq))
    is_entry_list = form in ("csv", "jsonl")
    newest = Select(where={"execution": execution.id}, limit=MAX_ITEMS)
    rows = [] if is_entry_list else view.find(Action, newest)[::-1]
    due = (item for item in owed_of(view, execution) if item.state != "may_be_undo")
    owed = [] if is_entry_list else list(islice(due, MAX_ITEMS))
    states = execution.owed_states(interrupted=True)
    approvals = [] if is_entry_list else view.find(Approval, newest)[::-1]
    total = sum(execution.actions.values()) + sum(execution.undos.values())
    return Account(
        journal=view.journal,
        now=view.now(),
        head=view.head().hash,
        status=status_of(view, execution, PlanSteps(view, execution), MAX_ITEMS, "", principal),
        goal=str(plan_text(view, execution).get("goal", "")),
        actions=describe_lines(view, rows, {}),
        actions_left_out=total - len(rows),
        owed=describe_undo_list(view, owed),
        owed_left_out=max(sum(states.get(state, 0) for state in OUTSTANDING) - len(owed), 0) if owed else 0,
        doubts=() if is_entry_list else describe_doubts(view, doubts_of(view, execution.id, limit=MAX_ITEMS)),
        decisions=tuple(each for each in entries if each.kind == DecisionRecorded.KIND)[-MAX_ITEMS:],
        approvals=tuple(describe_approval(view, row) for row in approvals),
        entries=entries,
        left_out=left_out,
        warning=f"This imported journal does not verify: {problem} Do not rely on it." if problem else "",
    )


def _context_entries(view: View, execution: Execution) -> Iterator[EntryView]:
    """Yield the entries of the plan's revisions and of the session, so that a file can be read on its own."""
    revisions = (revision_id(execution.plan_id, number + 1) for number in range(min(execution.revision, MAX_REVISIONS)))
    plans = (row for row in (view.get(Revision, each) for each in revisions) if row)
    own = [row for row in plans if row.execution in ("", execution.id)]
    found = (view.entry(row.seq) for row in (view.get(Session, execution.session), *own) if row)
    for entry, _ in entry_views(view, [each for each in found if each]):
        yield entry


def _entries(view: View, execution: str, limit: int) -> tuple[tuple[EntryView, ...], int]:
    """Return the newest entries that fit, in order, and how many do not fit."""
    found: list[EntryView] = []
    before, size = 0, 0
    while len(found) < limit and size < MAX_CHARACTERS:
        part = view.entries(after=before, limit=min(limit - len(found), 500), execution=execution, newest_first=True)
        if not part:
            break
        for entry, length in entry_views(view, part):
            found.append(entry)
            before, size = entry.seq, size + length
            if size >= MAX_CHARACTERS:
                break
    return tuple(reversed(found)), _count_before(view, execution, before) if found else 0


def _count_before(view: View, execution: str, before: int) -> int:
    """Count the entries of an execution before a sequence number, up to about `MAX_COUNTED`."""
    count = 0
    part: list[Entry] = []
    while count < MAX_COUNTED:
        part = view.entries(after=before, limit=ENTRIES_PER_READ, execution=execution, newest_first=True)
        if not part:
            break
        count, before = count + len(part), part[-1].seq
    return count


def duration_text(seconds: float) -> str:
    """Return a duration for people, in two units at most: `850ms`, `4.2s`, `3m 20s`, `2h 5m`, `3d`."""
    if seconds < 1:
        return f"{seconds * 1000:.0f}ms"
    if seconds < 60:
        return f"{seconds:.1f}s".replace(".0s", "s")
    minutes, hours, days = int(seconds) // 60, int(seconds) // 3600, int(seconds) // 86400
    pairs = ((days, "d", hours % 24, "h"), (hours, "h", minutes % 60, "m"), (minutes, "m", int(seconds) % 60, "s"))
    count, unit, rest, smaller_unit = next(pair for pair in pairs if pair[0])
    return f"{count}{unit} {rest}{smaller_unit}" if rest else f"{count}{unit}"


def action_duration(line: ActionLine) -> str:
    """Return how long an action took; empty if it has no end, or nobody saw when that was."""
    if not line.ended or line.lost or line.after_the_fact:
        return ""
    return duration_text((times.parse_time(line.ended, "ended") - times.parse_time(line.begun, "begun")) / times.SECOND)


def truncate(text: str, limit: int) -> str:
    """Return at most `limit` characters, and say how many more there are."""
    return text if len(text) <= limit else f"{text[:limit]} ... ({len(text) - limit} more characters)"
