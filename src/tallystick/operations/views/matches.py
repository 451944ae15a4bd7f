"""The operation get_matches: one search over executions, plans, approvals, actions, decisions, context, people and
tools."""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, json

from tallystick.core.entries import Entry
from tallystick.core.formats import search, times
from tallystick.core.state import Action, Execution
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.paging import Since, entries_between
from tallystick.operations.runtime.progress import execution_title
from tallystick.store.interface import Select, View

MatchKind = Literal["execution", "plan", "approval", "action", "decision", "context", "person", "tool"]
_ENTRIES: dict[MatchKind, tuple[str, ...]] = {
    "execution": ("execution_started",),
    "plan": ("plan_recorded",),
    "approval": ("approval_requested", "approval_decided"),
    "action": ("action_begun", "action_ended"),
    "decision": ("decision_recorded",),
    "context": ("context_recorded",),
}
"""The entries that tell of each kind."""
MAX_SEARCHED = 100
"""Entries of one kind that are looked at."""
MAX_PLANS, EXECUTIONS_OF_PLAN = 10, 3
"""Plans that match of which executions are found too, and how many of each."""
MAX_TITLE = 160
BEFORE_HIT, AROUND_HIT = 40, 160
"""Characters of a snippet before its first hit, and in all."""
_TITLES = ("title", "question", "summary", "key", "decision", "goal")
"""The fields of a body that name the thing, the best first."""


class Match(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Something that a search found. `snippet` is the text around the hit in pieces: every second one is a hit.

    Of a person or a tool, `id` is the name, and `count` in how many of the newest matching entries it stands."""

    kind: MatchKind
    id: str
    title: str = ""
    snippet: tuple[str, ...] = ()
    at: str = ""
    who: str = ""
    execution_id: str = ""
    execution_title: str = ""
    count: int = 0


class MatchList(Struct, frozen=True, kw_only=True):
    """The matches by kind, in each the newest first. `more` names the kinds that have further ones."""

    matches: tuple[Match, ...]
    more: tuple[MatchKind, ...] = ()


@operation("read", "GET /v1/matches", example={"text": "invoice"})
def get_matches(
    context: OperationContext,
    *,
    text: Annotated[str, Meta(min_length=1, max_length=400, description="Words, or how they begin")],
    kind: Annotated[MatchKind | None, Meta(description="Only those of one kind")] = None,
    since: Since = None,
    until: Since = None,
    limit: Annotated[int, Meta(ge=1, le=50, description="At most this many of each kind")] = 6,
) -> MatchList:
    """One search over everything, with the words around each hit: executions, plans, approvals, actions and more.

    A word finds those that begin so. All words have to be in one entry.
    """
    words = _parse(text)

    def work(view: View) -> MatchList:
        found: list[Match] = []
        more: list[MatchKind] = []
        span = _span(view, since, until)
        names: dict[tuple[MatchKind, str], int] = {}
        titles: dict[str, str] = {}
        for each in _ENTRIES:
            if kind not in (None, each, "person", "tool"):
                continue
            entries = list(_entries(view, words, each, *span))
            _count_names(entries, words, names)
            shown = _matches(view, each, entries, words, titles) if kind in (None, each) else []
            if each == "execution" and kind in (None, each):
                shown += _titled_by_plan(view, list(_entries(view, words, "plan", *span)), _pattern(words))
            more += [each] if len(shown) > limit else []
            found += list({(one.kind, one.id): one for one in shown}.values())[:limit]
        for (named, name), count in sorted(names.items(), key=lambda pair: -pair[1])[:limit]:
            if kind in (None, named):
                found.append(Match(kind=named, id=name, title=name, count=count))
        return MatchList(matches=tuple(found), more=tuple(more))

    return context.read(work)


def _parse(text: str) -> search.Query:
    """The query in which each word stands for those that begin so."""
    asked = search.parse_query(text)
    spaced = tuple(word for word in asked.words if not search.is_unspaced(word))
    exact = tuple(word for word in asked.words if search.is_unspaced(word))
    return search.Query(exact, (*spaced, *asked.beginnings))


def _span(view: View, since: str | None, until: str | None) -> tuple[int, int]:
    """The sequence numbers behind and before which entries are searched."""
    if not since and not until:
        return 0, 0
    now = view.now()
    first = times.resolve(since, "since", start=now, forward=False) if since else None
    last = times.until_bound(until, now) if until else None
    low, high = entries_between(view, first, last).seqs
    return low - 1, high


def _entries(view: View, words: search.Query, kind: MatchKind, after: int, before: int) -> Iterator[Entry]:
    """The newest matching entries of a kind. The index holds the kind of each entry too: that narrows the search."""
    for name in _ENTRIES[kind]:
        query = search.Query((*words.words, *search.split_words(name)), words.beginnings)
        for seq in view.search(query, after=after, before=before, limit=MAX_SEARCHED).seqs:
            entry = view.entry(seq)
            if entry and entry.kind == name:
                yield entry


def _count_names(entries: Sequence[Entry], words: search.Query, names: dict[tuple[MatchKind, str], int]) -> None:
    for entry in entries:
        for kind, name in (("person", entry.actor.name), ("tool", getattr(entry.facts, "tool", ""))):
            if name and words.matches(search.split_words(name)):
                key: tuple[MatchKind, str] = ("person" if kind == "person" else "tool", name)
                names[key] = names.get(key, 0) + 1


def _matches(
    view: View, kind: MatchKind, entries: Sequence[Entry], words: search.Query, titles: dict[str, str]
) -> list[Match]:
    """One match for each thing, the newest first."""
    pattern = _pattern(words)
    newest = sorted(entries, key=lambda entry: -entry.seq)
    firsts: dict[str, Entry] = {}
    for entry in newest:
        firsts.setdefault(_id_of(kind, entry), entry)
    found = []
    bodies = view.bodies(entry.seq for entry in firsts.values() if entry.commitment)
    for id, entry in firsts.items():
        body = json.decode(bodies.get(entry.seq, "{}"))
        found.append(
            Match(
                kind=kind,
                id=id,
                title=_title(view, kind, entry, body),
                snippet=_snippet(body, pattern),
                at=times.iso(entry.at),
                who=entry.actor.name,
                execution_id=entry.execution,
                execution_title=_execution_title(view, entry.execution, titles),
            )
        )
    return found


def _titled_by_plan(view: View, plans: Sequence[Entry], pattern: re.Pattern[str]) -> list[Match]:
    """The newest executions of plans that match: without a title of their own, they are shown with that of the plan."""
    found: list[Match] = []
    for plan in dict.fromkeys(entry.id for entry in plans[:MAX_PLANS]):
        for row in view.find(Execution, Select(where={"plan_id": plan}, limit=EXECUTIONS_OF_PLAN)):
            title = execution_title(view, row)[:MAX_TITLE]
            if pattern.search(title):
                pieces = _pieces(title, pattern)
                who, at = row.actor, times.iso(row.at)
                found.append(Match(kind="execution", id=row.id, title=title, snippet=pieces, at=at, who=who))
    return found


def _id_of(kind: MatchKind, entry: Entry) -> str:
    return f"{entry.facts.scope} {entry.facts.key}" if kind == "context" else entry.id  # type: ignore[attr-defined]


def _title(view: View, kind: MatchKind, entry: Entry, body: dict[str, Any]) -> str:
    tool = getattr(entry.facts, "tool", "") or ""
    if kind == "action" and not tool:
        action = view.get(Action, entry.id)
        tool = action.tool if action else ""
    named = next((str(body[name]) for name in _TITLES if body.get(name)), "")
    own = str(getattr(entry.facts, "key", "") or getattr(entry.facts, "decision", "") or "")
    title = " ".join(filter(None, (tool, own, named)))[:MAX_TITLE]
    execution = view.get(Execution, entry.execution) if kind == "execution" and not title else None
    return title or (execution_title(view, execution)[:MAX_TITLE] if execution else "") or entry.id


def _execution_title(view: View, execution: str, titles: dict[str, str]) -> str:
    if execution and execution not in titles:
        row = view.get(Execution, execution)
        titles[execution] = execution_title(view, row)[:MAX_TITLE] if row else ""
    return titles.get(execution, "")


def _pattern(words: search.Query) -> re.Pattern[str]:
    """What is marked as a hit: words from their beginning, and runs of characters of scripts without spaces."""
    run = "".join(words.words)
    parts = [re.escape(run)] if run else []
    parts += [rf"(?<![^\W_]){re.escape(each)}[^\W_]*" for each in sorted(words.beginnings, key=len, reverse=True)]
    return re.compile("|".join(parts), re.IGNORECASE)


def _snippet(body: dict[str, Any], pattern: re.Pattern[str]) -> tuple[str, ...]:
    for text in _texts(body):
        first = pattern.search(text)
        if first:
            start = max(0, first.start() - BEFORE_HIT)
            shown = ("…" if start else "") + text[start : start + AROUND_HIT].replace("\n", " ")
            return _pieces(shown + ("…" if len(text) > start + AROUND_HIT else ""), pattern)
    return ()


def _pieces(text: str, pattern: re.Pattern[str]) -> tuple[str, ...]:
    pieces, last = [], 0
    for hit in pattern.finditer(text):
        pieces += [text[last : hit.start()], hit.group()]
        last = hit.end()
    return (*pieces, text[last:])


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in sorted(value, key=lambda name: (name not in _TITLES, name)):
            yield from _texts(value[each])
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
