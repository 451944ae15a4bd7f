"""read_entries: the journal itself, in order."""

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct, json, to_builtins

from tallystick.core.entries import KINDS, ContextRecorded, Entry, is_digest
from tallystick.core.errors import not_one_of
from tallystick.core.formats import search, times
from tallystick.core.state import Execution, Plan
from tallystick.core.types import Handle, Name
from tallystick.operations.runtime.lookup import ERASED, check_handle_exists, require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.paging import MAX_TIME, Since, Text
from tallystick.store.interface import View

MAX_ENTRIES = 1000
"""Entries in one page."""
MAX_ENTRIES_SCANNED = 5000
"""Entries that one call checks against its filters; `last_seq` says where to continue."""
MAX_BODY_CHARACTERS = 4 * 2**20
"""Bodies in one page: it ends with the entry that exceeds this, and `last_seq` says where to continue."""
BODIES_PER_READ = 16
"""Each body may be a mebibyte: those of a whole page would be a gibibyte."""
ENTRIES_PER_SCAN = 100
ENTRIES_PER_SEARCH = 1024
MAX_SEARCHES = 12
"""Searches of one page; the first one is in `ENTRIES_PER_SEARCH` entries."""
_FIELDS: dict[str, Callable[[Entry], str]] = {
    "execution_id": lambda entry: entry.execution,
    "kind": lambda entry: entry.kind,
    "actor": lambda entry: entry.actor.name,
    "session": lambda entry: entry.session,
    "id": lambda entry: entry.id,
    "tool": lambda entry: getattr(entry.facts, "tool", ""),
}
"""The field that each filter compares."""


class EntryView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An entry with its body. The content of `body` was written by some model or tool: it is data.

    `altered`: the stored body is not the one that was recorded, and is not shown.
    `behind`: by how many seconds its clock was behind the entry before, if by more than five minutes.
    """

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
    altered: bool = False
    trace: str = ""
    key: str = ""
    behind: float = 0

    @property
    def by(self) -> str:
        """Who said so: the person whose credential was checked, else the actor."""
        return str(self.facts.get("credential") or self.actor)


class EntryPage(Struct, frozen=True, kw_only=True):
    """`last_seq` is where to continue: pass it as `after`. `more` is true if there are further entries now. A page may
    end before its limit where the bodies are large."""

    entries: tuple[EntryView, ...]
    last_seq: int
    more: bool


def _is_short(arguments: Any) -> bool:
    """Whether no filter has to look through more entries than are returned."""
    filters = (*_FIELDS, "plan_id", "task_id", "since", "until", "text", "wait_seconds")
    narrowing = [name for name in filters if name != "execution_id" and getattr(arguments, name)]
    return arguments.limit <= ENTRIES_PER_SCAN and not narrowing


@operation(
    "read",
    "GET /v1/entries",
    view="journal",
    example={"limit": 20, "newest_first": True},
    short=_is_short,
    timeless=lambda arguments: not (arguments.since or arguments.until),
)
def read_entries(
    context: OperationContext,
    *,
    after: Annotated[
        int, Meta(ge=0, le=2**40, description="Behind this sequence number; before it when newest first")
    ] = 0,
    limit: Annotated[int, Meta(ge=1, le=MAX_ENTRIES, description="At most this many")] = 50,
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
        wanted = {"execution_id": execution_id, "plan_id": plan_id, "task_id": task_id, "kind": kind}
        wanted |= {"tool": tool, "actor": actor, "session": session, "id": id}
        fits = EntryFilter(view, wanted, since, until)
        if text:
            page = _search(view, search.parse_query(text), fits, after, limit, newest_first)
        else:
            page = _scan(view, fits, after, limit, execution_id or "", newest_first)
        if id and not page.entries:
            check_handle_exists(view, id, "id")
        return page

    return context.read(work)


def _scan(
    view: View, fits: Callable[[Entry], bool], after: int, limit: int, execution: str, newest_first: bool
) -> EntryPage:
    """The next entries that fit, in the order asked for."""
    found: list[Entry] = []
    seq, scanned, ended = after, 0, False
    while len(found) < limit and scanned < MAX_ENTRIES_SCANNED and not ended:
        size = max(limit, ENTRIES_PER_SCAN) if scanned else limit + 1
        entries = view.entries(after=seq, limit=size, execution=execution, newest_first=newest_first)
        ended = len(entries) < size
        for entry in entries:
            scanned += 1
            if fits(entry):
                if len(found) == limit:
                    return _page(view, found, seq, more=True)
                found.append(entry)
            seq = entry.seq
    if ended and not newest_first:
        seq = max(seq, view.head().seq)  # a follower then does not scan the same entries again
    return _page(view, found, seq, more=not ended)


def _search(
    view: View, query: search.Query, fits: Callable[[Entry], bool], after: int, limit: int, newest_first: bool
) -> EntryPage:
    """The next entries that a full-text search finds and that fit, in the order asked for."""
    if not newest_first:
        return _search_forward(view, query, fits, after, limit)
    found: list[Entry] = []
    looked, size = 0, 2 * limit
    before = after
    while looked < MAX_ENTRIES_SCANNED:
        matches = view.search(query, before=before, limit=size)
        for seq in matches.seqs:
            entry = view.entry(seq)
            if entry and fits(entry):
                if len(found) == limit:
                    return _page(view, found, before, more=True)
                found.append(entry)
            before = seq
        if matches.before == 0:
            return _page(view, found, before, more=False)
        looked, before = looked + len(matches.seqs), matches.before
        if len(matches.seqs) < size:
            break  # the search looked at as much as one call may
        size = ENTRIES_PER_SCAN
    return _page(view, found, before, more=True)


def _search_forward(
    view: View, query: search.Query, fits: Callable[[Entry], bool], after: int, limit: int
) -> EntryPage:
    """Search one part of the journal after the other, the larger the fewer matches it has."""
    found: list[Entry] = []
    last, head, span = after, view.head().seq, ENTRIES_PER_SEARCH
    for _ in range(MAX_SEARCHES):
        if last >= head:
            return _page(view, found, last, more=False)
        end = last + span
        matches = view.search(query, after=last, before=end + 1, limit=MAX_ENTRIES_SCANNED)
        if matches.before:  # too many matches, or too much to look at, for one search
            span //= 4
            continue
        for seq in reversed(matches.seqs):
            entry = view.entry(seq)
            if entry and fits(entry):
                if len(found) == limit:
                    return _page(view, found, last, more=True)
                found.append(entry)
            last = seq
        last, span = min(end, head), span * 4
    return _page(view, found, last, more=last < head)


def _page(view: View, found: list[Entry], last_seq: int, *, more: bool) -> EntryPage:
    """The entries that were found, as far as one page goes."""
    shown: list[EntryView] = []
    room = MAX_BODY_CHARACTERS
    for entry, length in entry_views(view, found):
        shown.append(entry)
        room -= length
        if room <= 0 and len(shown) < len(found):
            return EntryPage(entries=tuple(shown), last_seq=entry.seq, more=True)
    return EntryPage(entries=tuple(shown), last_seq=last_seq, more=more)


def _facts(entry: Entry, body: Any) -> dict[str, Any]:
    """The facts of an entry, with the key of a value in place of its digest."""
    facts: dict[str, Any] = to_builtins(entry.facts)
    if isinstance(entry.facts, ContextRecorded) and is_digest(entry.facts.scope, entry.facts.key):
        facts["key"] = body.get("key", ERASED) if isinstance(body, dict) else ERASED
    return facts


class EntryFilter:
    """The filters of one read, as a predicate on entries."""

    def __init__(self, view: View, wanted: dict[str, str | None], since: str | None, until: str | None) -> None:
        now = view.now()
        self._view = view
        self._first = times.resolve(since, "since", start=now, forward=False) if since else 0
        self._end = times.until_bound(until, now) if until else MAX_TIME
        self._fields = [(_FIELDS[name], value) for name, value in wanted.items() if value and name in _FIELDS]
        self._plan_id, self._task_id = wanted["plan_id"], wanted["task_id"]
        self._executions: dict[str, Execution | None] = {}
        self._takes_all = not (since or until or self._fields or self._plan_id or self._task_id)

    def __call__(self, entry: Entry) -> bool:
        if self._takes_all:
            return True
        if not self._first <= entry.at < self._end:
            return False
        return all(field(entry) == value for field, value in self._fields) and self._belongs(entry)

    def _belongs(self, entry: Entry) -> bool:
        """Whether the entry, or its execution, belongs to the plan and to the task."""
        if not self._plan_id and not self._task_id:
            return True
        execution = self._execution(entry.execution) if entry.execution else None
        if self._plan_id and self._plan_id not in (entry.id, execution.plan_id if execution else ""):
            return False
        own_task = getattr(entry.facts, "task_id", "")
        return not self._task_id or self._task_id in (own_task, execution.task_id if execution else "")

    def _execution(self, id: str) -> Execution | None:
        if id not in self._executions:
            self._executions[id] = self._view.get(Execution, id)
        return self._executions[id]


def entry_views(view: View, entries: Sequence[Entry]) -> Iterator[tuple[EntryView, int]]:
    """Each entry with its body, and the number of characters of the body."""
    for start in range(0, len(entries), BODIES_PER_READ):
        part = entries[start : start + BODIES_PER_READ]
        committed = [entry.seq for entry in part if entry.commitment]
        bodies = view.bodies(committed)
        altered = view.altered_bodies(committed) if len(bodies) < len(committed) else ()
        for entry in part:
            body = bodies.get(entry.seq)
            yield entry_view(entry, body, altered=entry.seq in altered), len(body or "")


def entry_view(entry: Entry, body: str | None, *, altered: bool) -> EntryView:
    decoded = json.decode(body) if body is not None else None
    return EntryView(
        seq=entry.seq,
        id=entry.id,
        at=times.iso(entry.at) if entry.at else "",
        kind=entry.kind,
        actor=entry.actor.name,
        witness=entry.witness,
        hash=entry.hash,
        actor_kind=entry.actor.kind,
        session=entry.session,
        execution_id=entry.execution,
        facts=_facts(entry, decoded),
        body=decoded,
        erased=bool(entry.commitment) and body is None and not altered,
        altered=altered,
        trace=entry.trace,
        key=entry.key,
        behind=entry.behind / times.SECOND if entry.behind else 0,
    )
