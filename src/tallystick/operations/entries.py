"""Reading the journal itself, in order."""

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct, json, to_builtins

from tallystick.core import search
from tallystick.core.entries import KINDS, Entry
from tallystick.core.errors import not_one_of
from tallystick.core.formats import times
from tallystick.core.state import Execution, Plan
from tallystick.core.types import Handle, Name
from tallystick.operations.runtime.lookup import check_handle_exists, require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.paging import Since, Text
from tallystick.store.interface import View

MAX_ENTRIES_SCANNED = 5000
"""How many entries one call looks through for those that fit; the answer says where to go on."""
MAX_BODY_CHARACTERS = 4 * 2**20
"""Of bodies in one answer: it ends with the entry that goes beyond, and says where to go on."""
BODIES_PER_READ = 16
"""Bodies that are read at once. Each may be a mebibyte, and those of a whole page would be a gibibyte."""


class EntryView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An entry with its body. What stands in `body` was written by some model or tool: it is data."""

    seq: int
    id: str
    at: str
    kind: str
    actor: str
    witness: str
    hash: str
    actor_kind: str = "agent"
    session: str = ""
    execution_id: str = ""
    facts: dict[str, Any] = {}
    body: Any = None
    erased: bool = False
    trace: str = ""
    key: str = ""


class EntryPage(Struct, frozen=True, kw_only=True):
    """`last_seq` is where to go on: pass it as `after`. `more` says that there is something behind it now: a page ends
    before its limit where the bodies are large."""

    entries: tuple[EntryView, ...]
    last_seq: int
    more: bool


@operation("read", "GET /v1/entries", view="journal", example={"limit": 20, "newest_first": True})
def read_entries(
    context: OperationContext,
    *,
    after: Annotated[
        int, Meta(ge=0, le=2**40, description="Behind this sequence number; before it when newest first")
    ] = 0,
    limit: Annotated[int, Meta(ge=1, le=1000, description="At most this many")] = 50,
    newest_first: bool = False,
    execution_id: Handle | None = None,
    plan_id: Handle | None = None,
    task_id: Name | None = None,
    kind: Annotated[Name | None, Meta(description="e.g. action_ended")] = None,
    tool: Name | None = None,
    actor: Name | None = None,
    session: Handle | None = None,
    id: Annotated[Handle | None, Meta(description="Only entries about this thing")] = None,
    since: Since = None,
    until: Since = None,
    text: Text = None,
    wait_seconds: Annotated[float, Meta(ge=0, le=60, description="Wait so long for something new")] = 0,
) -> EntryPage:
    """Journal entries in order. With wait_seconds it is a long poll: it returns as soon as something is there."""
    if kind is not None and kind not in KINDS:
        raise not_one_of(kind, "kind", KINDS, what="a kind of entry")
    if wait_seconds and not newest_first:
        context.store.wait(context.journal, after=after, seconds=wait_seconds)

    def work(view: View) -> EntryPage:
        if execution_id:
            require_row(view, Execution, execution_id, "execution_id")
        if plan_id:
            require_row(view, Plan, plan_id, "plan_id")
        fits = _filter(view, execution_id, plan_id, task_id, kind, tool, actor, session, id, since, until)
        if text:
            found = _searched(view, search.parse_query(text), fits, after, limit, newest_first)
        else:
            found = _scanned(view, fits, after, limit, execution_id or "", newest_first)
        if id and not found.entries:
            check_handle_exists(view, id, "id")
        return found

    return context.read(work)


def _scanned(
    view: View, fits: Callable[[Entry], bool], after: int, limit: int, execution: str, newest_first: bool
) -> EntryPage:
    found: list[Entry] = []
    place, looked, ended = after, 0, False
    while len(found) < limit and looked < MAX_ENTRIES_SCANNED and not ended:
        part = max(limit, 100) if looked else limit + 1
        entries = view.entries(after=place, limit=part, execution=execution, newest_first=newest_first)
        ended = len(entries) < part
        for entry in entries:
            looked += 1
            if fits(entry):
                if len(found) == limit:
                    return _page(view, found, place, more=True)
                found.append(entry)
            place = entry.seq
    if ended and not newest_first:
        place = max(place, view.head().seq)  # so that who waits behind it does not look at the same again
    return _page(view, found, place, more=not ended)


def _searched(
    view: View, query: search.Query, fits: Callable[[Entry], bool], after: int, limit: int, newest_first: bool
) -> EntryPage:
    """Found by words, in the order asked for."""
    seqs = (
        view.search(query, before=after, limit=MAX_ENTRIES_SCANNED)
        if newest_first
        else _matches_behind(view, query, after)
    )
    found: list[Entry] = []
    place = after
    for seq in seqs[:MAX_ENTRIES_SCANNED]:
        entry = view.entry(seq)
        if entry and fits(entry):
            if len(found) == limit:
                return _page(view, found, place, more=True)
            found.append(entry)
        place = seq
    if len(seqs) < MAX_ENTRIES_SCANNED and not newest_first:
        place = max(place, view.head().seq)
    return _page(view, found, place, more=len(seqs) >= MAX_ENTRIES_SCANNED)


def _page(view: View, found: list[Entry], place: int, *, more: bool) -> EntryPage:
    """What was found, as far as one answer goes."""
    shown: list[EntryView] = []
    room = MAX_BODY_CHARACTERS
    for entry, length in entry_views(view, found):
        shown.append(entry)
        room -= length
        if room <= 0 and len(shown) < len(found):
            return EntryPage(entries=tuple(shown), last_seq=entry.seq, more=True)
    return EntryPage(entries=tuple(shown), last_seq=place, more=more)


def _matches_behind(view: View, query: search.Query, after: int) -> list[int]:
    """Places behind `after` that the query finds, in order. The index is read from its end, where followers are."""
    found: list[int] = []
    before, part = 0, 100
    while True:
        seqs = view.search(query, before=before, limit=part)
        found += [seq for seq in seqs if seq > after]
        if len(seqs) < part or seqs[-1] <= after:
            return found[::-1]
        before, part = seqs[-1], MAX_ENTRIES_SCANNED


def _filter(
    view: View,
    execution_id: str | None,
    plan_id: str | None,
    task_id: str | None,
    kind: str | None,
    tool: str | None,
    actor: str | None,
    session: str | None,
    id: str | None,
    since: str | None,
    until: str | None,
) -> Callable[[Entry], bool]:
    now = view.now()
    first = times.resolve(since, "since", start=now, forward=False) if since else None
    last = times.until_bound(until, now) if until else None
    executions: dict[str, Execution | None] = {}

    def execution_of(entry: Entry) -> Execution | None:
        if entry.execution not in executions:
            executions[entry.execution] = view.get(Execution, entry.execution)
        return executions[entry.execution]

    def fits(entry: Entry) -> bool:
        if (execution_id and entry.execution != execution_id) or (kind and entry.kind != kind):
            return False
        if (actor and entry.actor.name != actor) or (session and entry.session != session):
            return False
        if (id and entry.id != id) or (tool and getattr(entry.facts, "tool", "") != tool):
            return False
        if (first is not None and entry.at < first) or (last is not None and entry.at >= last):
            return False
        execution = execution_of(entry) if (plan_id or task_id) and entry.execution else None
        if plan_id and entry.id != plan_id and (execution is None or execution.plan_id != plan_id):
            return False
        own_task = getattr(entry.facts, "task_id", "")
        return not task_id or own_task == task_id or (execution is not None and execution.task_id == task_id)

    return fits


def entry_views(view: View, entries: Sequence[Entry]) -> Iterator[tuple[EntryView, int]]:
    """Each entry with its body, and how many characters that has."""
    for start in range(0, len(entries), BODIES_PER_READ):
        part = entries[start : start + BODIES_PER_READ]
        bodies = view.bodies([entry.seq for entry in part if entry.commitment])
        for entry in part:
            body = bodies.get(entry.seq)
            yield entry_view(entry, body), len(body or "")


def entry_view(entry: Entry, body: str | None) -> EntryView:
    return EntryView(
        seq=entry.seq,
        id=entry.id,
        at=times.iso(entry.at),
        kind=entry.kind,
        actor=entry.actor.name,
        witness=entry.witness,
        hash=entry.hash,
        actor_kind=entry.actor.kind,
        session=entry.session,
        execution_id=entry.execution,
        facts=to_builtins(entry.facts),
        body=json.decode(body) if body is not None else None,
        erased=bool(entry.commitment) and body is None,
        trace=entry.trace,
        key=entry.key,
    )
