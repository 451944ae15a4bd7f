"""An export, read into memory to be looked at. Nothing can be written in it.

Each line is verified as it is read. What does not hold is told, and what can be read is shown all the same: who looks
at a journal that was tampered with wants to see where.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import chain as chain_of
from typing import Any, NoReturn

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tallystick.core import chain, fold
from tallystick.core.chain import Head, genesis
from tallystick.core.entries import BodyErased, Entry, decode_facts
from tallystick.core.errors import InvalidArgument, Tampered, TooLarge, WrongState
from tallystick.core.formats import canonical_json, times
from tallystick.core.search import Query, search_words
from tallystick.core.state import Session
from tallystick.core.types import Actor, ActorKind, Witness
from tallystick.store.interface import StoredEntry
from tallystick.store.memory import MemoryJournal, MemoryStore

FORM = "export/1"
ENTRIES = 200_000
LINE = 8 << 20
"""Bounds: how many entries are read, and how many characters a line may have."""
LIMITS = canonical_json.Limits(body_bytes=LINE, depth=200)
"""How large and how deep a body may be that is shown. A record takes 64 levels unless told otherwise."""
TOLD = 100
"""How many entries that do not hold are named."""
EXCERPT = "excerpt"
"""What a journal is called of which only some entries are there."""
UNPROVED = "these are some entries, as they were shown; only a whole export can be verified."
_TEXTS = frozenset({"title", "goal", "reason", "reasoning", "summary", "why", "question", "answer", "error", "notes"})
"""Parts of a body that are text wherever they stand."""


class _Header(Struct):
    tallystick: str = ""
    journal: str = ""


class _Line(Struct):
    seq: int
    hash: str
    line: str
    body: str | None = None
    salt: str | None = None


class _Shown(Struct, kw_only=True):
    """An entry as `read_entries` and a report tell it."""

    seq: int
    id: str
    at: str
    kind: str
    actor: str
    witness: Witness
    facts: msgspec.Raw
    hash: str = ""
    actor_kind: ActorKind = "agent"
    session: str = ""
    execution_id: str = ""
    body: msgspec.Raw | UnsetType = UNSET
    erased: bool = False
    trace: str = ""
    key: str = ""


class Imported(Struct, frozen=True, kw_only=True):
    """What was read: a store with the one journal in it, under its own name.

    `problem` is the first thing that does not hold, in words; `broken` are the entries that do not, as far as they can
    be named. A file that ends early holds: only a head that was kept elsewhere tells.
    """

    store: "ImportedStore"
    journal: str
    entries: int
    verified: bool
    problem: str = ""
    broken: tuple[int, ...] = ()


def read(lines: Iterable[str]) -> Imported:
    """Read an export, line by line, or the entries of an execution. What is neither is refused; what is broken is
    told."""
    texts = (text for text in (line.strip("\r\n") for line in lines) if text)
    first = next(texts, "")
    shown = _is_entry(first)
    reading = _Reading(EXCERPT if shown else _journal_of(first))
    for number, text in enumerate(chain_of([first], texts) if shown else texts, 1 if shown else 2):
        if len(reading.book.log) >= ENTRIES:
            raise TooLarge(f"The export has more than {ENTRIES:,} entries.", hint="Look at one execution of it.")
        if len(text) > LINE:
            raise TooLarge(
                f"Line {number} of the export is longer than {LINE:,} characters.", hint="It is none of ours."
            )
        (reading.take_shown if shown else reading.take)(number, text)
    reading.finish(UNPROVED if shown else "")
    return Imported(
        store=ImportedStore(reading.book, reading.problem),
        journal=reading.book.journal,
        entries=len(reading.book.log),
        verified=not reading.problem,
        problem=reading.problem,
        broken=tuple(sorted(reading.broken)),
    )


class ImportedBook(MemoryJournal):
    """A journal that may have gaps, and in which nobody lives."""

    def __init__(self, journal: str, store: MemoryStore) -> None:
        super().__init__(journal, store)
        self._seqs: list[int] = []

    def add(self, entry: Entry, kept: StoredEntry) -> None:
        self.log.append(entry)
        self.kept.append(kept)
        self._seqs.append(entry.seq)
        fold.evolve(self, entry)

    def entry(self, seq: int) -> Entry | None:
        place = self._place(seq)
        return self.log[place] if place is not None else None

    def entries(self, *, after: int = 0, limit: int, execution: str = "", newest_first: bool = False) -> list[Entry]:
        if newest_first:
            found = self.log[: bisect_left(self._seqs, after) if after else None][::-1]
        else:
            found = self.log[bisect_right(self._seqs, after) :]
        return [entry for entry in found if not execution or entry.execution == execution][:limit]

    def bodies(self, seqs: Iterable[int]) -> dict[int, str]:
        places = {seq: self._place(seq) for seq in seqs}
        found = {seq: self.kept[place].body for seq, place in places.items() if place is not None}
        return {seq: body for seq, body in found.items() if body is not None}

    def search(self, query: Query, *, before: int = 0, limit: int) -> list[int]:
        pairs = zip(reversed(self.log), reversed(self.kept), strict=True)
        found = (
            entry.seq
            for entry, kept in pairs
            if (not before or entry.seq < before) and query.matches(search_words(entry, kept.body))
        )
        return [seq for seq, _ in zip(found, range(limit), strict=False)]

    def behind(self, after: int, limit: int) -> Sequence[StoredEntry]:
        start = bisect_right(self._seqs, after)
        return self.kept[start : start + limit]

    def is_over(self, session: Session) -> bool:
        """What has no end in the file is in doubt: nobody can add one here."""
        return True

    def _place(self, seq: int) -> int | None:
        place = bisect_left(self._seqs, seq)
        return place if place < len(self._seqs) and self._seqs[place] == seq else None


class ImportedStore(MemoryStore):
    """The store of one imported journal. It refuses to be written. `problem` is what does not hold of it."""

    def __init__(self, book: ImportedBook, problem: str) -> None:
        super().__init__()
        self.problem = problem
        self._imported = book
        self._books[book.journal] = book

    def write(self, journal: str, work: Callable[..., Any]) -> NoReturn:
        raise WrongState("This journal was imported to be looked at.", hint="Record in a journal of your own.")

    def write_all(self, journal: str, works: Sequence[Callable[..., Any]]) -> NoReturn:
        self.write(journal, works[0])

    def stored_entries(self, journal: str, *, after: int, limit: int) -> Sequence[StoredEntry]:
        with self._news:
            return self._imported.behind(after, limit) if journal == self._imported.journal else []


class _Reading:
    """An export while it is read: what holds so far."""

    def __init__(self, journal: str) -> None:
        self.book = ImportedBook(journal, MemoryStore())
        self.problem = ""
        self.broken: dict[int, None] = {}
        self._head = genesis(journal)
        self._gone: set[int] = set()
        self._erased: set[int] = set()

    def take(self, number: int, text: str) -> None:
        """Read one line. The next one is held to what this one claims: so a break is told once."""
        try:
            given = _decode_line(text)
            entry = chain.read_line(given.line, given.hash)
            salt = bytes.fromhex(given.salt) if given.salt is not None else None
        except (ValueError, KeyError, TypeError, RecursionError):
            self._tell(f"line {number} of the export is not an entry that can be read.", 0)
            return
        if entry.seq <= self._head.seq or entry.seq != given.seq:
            self._tell(f"line {number} of the export is not where entry {entry.seq} belongs.", given.seq)
            return
        try:
            chain.check(self._head, given.line.encode(), given.hash)
        except Tampered as problem:
            self._tell(problem.message, entry.seq)
        body = self._body(entry, given.body, salt)
        self._head = Head(entry.seq, given.hash, max(entry.at, self._head.at))
        self.book.add(
            entry, StoredEntry(entry.seq, given.line.encode(), given.hash, body, salt if body is not None else None)
        )

    def take_shown(self, number: int, text: str) -> None:
        """Read one line that shows an entry. It proves nothing: its hash is over what was recorded."""
        try:
            shown = _decode_shown(text)
            body = None if shown.body in (UNSET, b"null") else bytes(shown.body).decode()
            entry = Entry(
                seq=shown.seq,
                id=shown.id,
                at=times.parse_time(shown.at, "at"),
                kind=shown.kind,
                actor=Actor(kind=shown.actor_kind, name=shown.actor),
                facts=decode_facts(shown.kind, shown.facts),
                session=shown.session,
                execution=shown.execution_id,
                witness=shown.witness,
                commitment="shown" if body is not None or shown.erased else "",
                trace=shown.trace,
                key=shown.key,
                hash=shown.hash,
            )
        except (ValueError, KeyError, TypeError, RecursionError, InvalidArgument):
            self._tell(f"line {number} is not an entry that can be read.", 0)
            return
        if entry.seq <= self._head.seq or (body is not None and not _is_shown(body)):
            self._tell(f"line {number} is not an entry that can be shown there.", entry.seq)
            return
        self._head = Head(entry.seq, entry.hash, entry.at)
        self.book.add(entry, StoredEntry(entry.seq, text.encode(), entry.hash, body, None))

    def finish(self, unproved: str) -> None:
        self.problem = self.problem or unproved
        for seq in sorted(self._gone - self._erased):
            self._tell(f"the body of entry {seq} is gone, and no entry says that it was erased.", seq)

    def _body(self, entry: Entry, body: str | None, salt: bytes | None) -> str | None:
        if isinstance(entry.facts, BodyErased):
            self._erased.update(entry.facts.seqs)
        if body is not None and not _is_shown(body):
            self._tell(f"the body of entry {entry.seq} is none that can be shown.", entry.seq)
            return None
        if body is not None and not entry.commitment:
            self._tell(f"entry {entry.seq} has a body that it does not commit to.", entry.seq)
        elif entry.commitment:
            try:
                if not chain.check_body(entry, body, salt):
                    self._gone.add(entry.seq)
            except Tampered as problem:
                self._tell(problem.message, entry.seq)
        return body

    def _tell(self, problem: str, seq: int) -> None:
        self.problem = self.problem or problem
        if seq and len(self.broken) < TOLD:
            self.broken[seq] = None


def _journal_of(first: str) -> str:
    try:
        header = msgspec.json.decode(first, type=_Header) if len(first) <= LINE else _Header()
    except (msgspec.MsgspecError, ValueError, RecursionError):
        header = _Header()
    if header.tallystick != FORM or not header.journal:
        raise InvalidArgument(
            "This is not an export of a journal: its first line does not say so.",
            hint="Make one with `tallystick export`, or take the JSON lines of an execution from its page.",
            field="lines",
        )
    return header.journal


def _is_shown(body: str) -> bool:
    """Whether a body has the form that every body of ours has: whoever forged a chain may have put anything there."""
    try:
        value = msgspec.json.decode(body)
        canonical_json.encode(value, LIMITS)
    except (msgspec.MsgspecError, ValueError, RecursionError, InvalidArgument):
        return False
    if not isinstance(value, dict) or any(name in value and not isinstance(value[name], str) for name in _TEXTS):
        return False
    steps = value.get("steps", [])
    return isinstance(steps, list) and all(isinstance(step, dict) and isinstance(step.get("id"), str) for step in steps)


def _is_entry(first: str) -> bool:
    """Whether a file begins with an entry as a report shows it."""
    try:
        return len(first) <= LINE and bool(_decode_shown(first).kind)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False


_decode_shown = msgspec.json.Decoder(_Shown).decode
_decode_line = msgspec.json.Decoder(_Line).decode
