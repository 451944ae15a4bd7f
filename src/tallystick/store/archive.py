"""Reads an export into a read-only store in memory.

Each line is verified as it is read. Broken entries are reported, and everything readable is still shown, so that a
reader of a tampered journal can see where it was changed.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import chain as chain_of
from itertools import islice
from typing import Any, NoReturn

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tallystick.core import chain, fold
from tallystick.core.chain import Head, genesis
from tallystick.core.entries import BodyErased, Entry, Unreadable, decode_facts
from tallystick.core.errors import InvalidArgument, Tampered, TooLarge, WrongState
from tallystick.core.formats import canonical_json, times
from tallystick.core.formats.search import Query, search_words
from tallystick.core.state import Session
from tallystick.core.types import Actor, ActorKind, Witness
from tallystick.store.interface import Found, StoredEntry, fold_credential
from tallystick.store.memory import MemoryJournal, MemoryStore
from tallystick.store.uncommitted_changes import found_up_to

EXPORT_FORMAT = "export/1"
MAX_ENTRIES = 200_000
MAX_LINE_CHARACTERS = 8 << 20
BODY_LIMITS = canonical_json.Limits(body_bytes=MAX_LINE_CHARACTERS, depth=200)
"""The size and depth of a body that is shown. A record is limited to 64 levels by default."""
MAX_BROKEN_LISTED = 100
EXCERPT = "excerpt"
"""The name of a journal of which the file holds only some entries."""
UNVERIFIED_EXCERPT = "these are some entries, as they were shown; only a whole export can be verified."
_TEXT_FIELDS = frozenset(
    {"title", "goal", "reason", "reasoning", "summary", "why", "question", "answer", "error", "notes"}
)
"""Fields of a body that hold text in every kind of entry."""


class _Header(Struct):
    tallystick: str = ""
    journal: str = ""


class _ExportLine(Struct, forbid_unknown_fields=True, omit_defaults=True):
    seq: int
    hash: str
    line: str
    body: str | None = None
    salt: str | None = None


class _EntryLine(Struct, kw_only=True):
    """An entry in the form of `read_entries` and of a report."""

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


class ImportedJournal(Struct, frozen=True, kw_only=True):
    """The result of reading an export: a store with its one journal, under the journal's own name.

    `problem` describes the first verification failure; `broken` lists the sequence numbers of entries that failed. A
    truncated file verifies: only a head that was stored elsewhere shows that entries are missing.
    """

    store: "ImportedStore"
    journal: str
    entries: int
    verified: bool
    problem: str = ""
    broken: tuple[int, ...] = ()


def read_export(lines: Iterable[str]) -> ImportedJournal:
    """Read the lines of an export, or the entries of an execution as JSON lines.

    Broken lines are reported in the result. Raises InvalidArgument for any other file.
    """
    texts = (text for text in (line.strip("\r\n") for line in lines) if text)
    first = next(texts, "")
    is_excerpt = _is_entry_line(first)
    reader = _ExportReader(EXCERPT if is_excerpt else _journal_name(first))
    for number, text in enumerate(chain_of([first], texts) if is_excerpt else texts, 1 if is_excerpt else 2):
        if len(reader.entries.log) >= MAX_ENTRIES:
            raise TooLarge(f"The export has more than {MAX_ENTRIES:,} entries.", hint="Look at one execution of it.")
        if len(text) > MAX_LINE_CHARACTERS:
            raise TooLarge(
                f"Line {number} of the export is longer than {MAX_LINE_CHARACTERS:,} characters.",
                hint="Tallystick writes no such line: check that this is the right file.",
            )
        (reader.add_entry_line if is_excerpt else reader.add_export_line)(number, text)
    reader.finish(UNVERIFIED_EXCERPT if is_excerpt else "")
    return ImportedJournal(
        store=ImportedStore(reader.entries, reader.problem),
        journal=reader.entries.journal,
        entries=len(reader.entries.log),
        verified=not reader.problem,
        problem=reader.problem,
        broken=tuple(sorted(reader.broken)),
    )


class ImportedEntries(MemoryJournal):
    """A journal that may have gaps, and whose sessions are all over."""

    def __init__(self, journal: str, store: MemoryStore) -> None:
        super().__init__(journal, store)
        self.altered: set[int] = set()
        self._seqs: list[int] = []

    def add(self, entry: Entry, stored: StoredEntry) -> None:
        self.log.append(entry)
        self.stored.append(stored)
        self._seqs.append(entry.seq)
        fold.evolve(self, entry)
        fold_credential(self.known_credentials, entry)

    def entry(self, seq: int) -> Entry | None:
        index = self._index(seq)
        return self.log[index] if index is not None else None

    def entries(self, *, after: int = 0, limit: int, execution: str = "", newest_first: bool = False) -> list[Entry]:
        if newest_first:
            ordered = self.log[: bisect_left(self._seqs, after) if after else None][::-1]
        else:
            ordered = self.log[bisect_right(self._seqs, after) :]
        return [entry for entry in ordered if not execution or entry.execution == execution][:limit]

    def bodies(self, seqs: Iterable[int]) -> dict[int, str]:
        indexes = {seq: self._index(seq) for seq in seqs}
        bodies = {seq: self.stored[index].body for seq, index in indexes.items() if index is not None}
        return {seq: body for seq, body in bodies.items() if body is not None}

    def altered_bodies(self, seqs: Iterable[int]) -> set[int]:
        return self.altered.intersection(seqs)

    def drop_body(self, seq: int) -> None:
        """Do not show a body."""
        index = self._index(seq)
        if index is not None:
            self.stored[index] = msgspec.structs.replace(self.stored[index], body=None, salt=None)

    def search(self, query: Query, *, after: int = 0, before: int = 0, limit: int) -> Found:
        pairs = zip(reversed(self.log), reversed(self.stored), strict=True)
        matching = (
            entry.seq
            for entry, stored in pairs
            if after < entry.seq
            and (not before or entry.seq < before)
            and query.matches(search_words(entry, stored.body))
        )
        return found_up_to(limit, list(islice(matching, limit)))

    def stored_after(self, seq: int, limit: int) -> Sequence[StoredEntry]:
        start = bisect_right(self._seqs, seq)
        return self.stored[start : start + limit]

    def is_over(self, session: Session) -> bool:
        """True: an action without an end in the file is in doubt, since no end can be added here."""
        return True

    def _index(self, seq: int) -> int | None:
        index = bisect_left(self._seqs, seq)
        return index if index < len(self._seqs) and self._seqs[index] == seq else None


class ImportedStore(MemoryStore):
    """The read-only store of one imported journal. `problem` is its first verification failure."""

    def __init__(self, entries: ImportedEntries, problem: str) -> None:
        super().__init__()
        self.problem = problem
        self._imported = entries
        self._journals[entries.journal] = entries

    def write(self, journal: str, work: Callable[..., Any]) -> NoReturn:
        raise WrongState("An imported journal is read-only.", hint="Record in a journal of your own.")

    def write_all(self, journal: str, works: Sequence[Callable[..., Any]], *, waits: bool = True) -> NoReturn:
        self.write(journal, works[0])

    def stored_entries(self, journal: str, *, after: int, limit: int) -> Sequence[StoredEntry]:
        with self._changed:
            return self._imported.stored_after(after, limit) if journal == self._imported.journal else []


class _ExportReader:
    """Collects and verifies the entries of an export, line by line."""

    def __init__(self, journal: str) -> None:
        self.entries = ImportedEntries(journal, MemoryStore())
        self.problem = ""
        self.broken: dict[int, None] = {}
        self._head = genesis(journal)
        self._without_body: set[int] = set()
        self._erased: set[int] = set()

    def add_export_line(self, number: int, text: str) -> None:
        """Read one line. The next line is checked against what this one claims, so each break is reported once."""
        try:
            line = _read_export_line(text)
            entry = chain.read_entry(line.seq, line.line, line.hash)
            salt = _read_salt(line.salt)
        except (ValueError, KeyError, TypeError, RecursionError):
            self._report(f"line {number} of the export is not an entry that can be read.", 0)
            return
        stored = chain.stored_seq(line.line) if isinstance(entry.facts, Unreadable) else entry.seq
        if not stored:
            self._report(f"line {number} of the export is not an entry that can be read.", line.seq)
        if entry.seq <= self._head.seq or stored not in (0, line.seq):
            self._report(f"line {number} of the export is not where entry {stored} belongs.", line.seq)
            return
        try:
            chain.check(self._head, line.line.encode(), line.hash)
        except Tampered as problem:
            self._report(problem.message, entry.seq)
        body = self._checked_body(entry, line.body, salt)
        self._head = Head(entry.seq, line.hash, entry.at)
        self.entries.add(
            entry, StoredEntry(entry.seq, line.line.encode(), line.hash, body, salt if body is not None else None)
        )

    def add_entry_line(self, number: int, text: str) -> None:
        """Read one entry of an excerpt. It cannot be verified: its hash is over the stored bytes, not this form."""
        try:
            line = _decode_entry_line(text)
            body = None if line.body in (UNSET, b"null") else bytes(line.body).decode()
            entry = Entry(
                seq=line.seq,
                id=line.id,
                at=times.parse_time(line.at, "at"),
                kind=line.kind,
                actor=Actor(kind=line.actor_kind, name=line.actor),
                facts=decode_facts(line.kind, line.facts),
                session=line.session,
                execution=line.execution_id,
                witness=line.witness,
                commitment="shown" if body is not None or line.erased else "",
                trace=line.trace,
                key=line.key,
                hash=line.hash,
            )
        except (ValueError, KeyError, TypeError, RecursionError, InvalidArgument):
            self._report(f"line {number} is not an entry that can be read.", 0)
            return
        if entry.seq <= self._head.seq or (body is not None and not _is_valid_body(body)):
            self._report(f"line {number} is out of order, or its body is malformed.", entry.seq)
            return
        self._head = Head(entry.seq, entry.hash, entry.at)
        self.entries.add(entry, StoredEntry(entry.seq, text.encode(), entry.hash, body, None))

    def finish(self, default_problem: str) -> None:
        self.problem = self.problem or default_problem
        for seq in sorted(self._without_body - self._erased):
            self._report(f"the body of entry {seq} is gone, and no entry says that it was erased.", seq)

    def _checked_body(self, entry: Entry, body: str | None, salt: bytes | None) -> str | None:
        """The body if it may be shown."""
        if isinstance(entry.facts, BodyErased):
            self._take_erasure(entry.seq, set(entry.facts.seqs))
        if body is not None and not _is_valid_body(body):
            self._refuse_body(f"the body of entry {entry.seq} is malformed.", entry)
            return None
        try:
            if not chain.check_body(entry, body, salt) and entry.commitment:
                self._without_body.add(entry.seq)
        except Tampered as problem:
            self._refuse_body(problem.message, entry)
            return None
        return body

    def _refuse_body(self, problem: str, entry: Entry) -> None:
        self._report(problem, entry.seq)
        self.entries.altered.update([entry.seq] if entry.commitment else ())

    def _take_erasure(self, seq: int, seqs: set[int]) -> None:
        for present in sorted(seqs - self._without_body - self._erased):
            self._report(f"the body of entry {present} is there, and entry {seq} says that it was erased.", present)
            self.entries.drop_body(present)
        self._erased |= seqs

    def _report(self, problem: str, seq: int) -> None:
        self.problem = self.problem or problem
        if seq and len(self.broken) < MAX_BROKEN_LISTED:
            self.broken[seq] = None


def _journal_name(first: str) -> str:
    try:
        header = msgspec.json.decode(first, type=_Header) if len(first) <= MAX_LINE_CHARACTERS else _Header()
    except (msgspec.MsgspecError, ValueError, RecursionError):
        header = _Header()
    if header.tallystick != EXPORT_FORMAT or not header.journal:
        raise InvalidArgument(
            "This is not an export of a journal: its first line does not say so.",
            hint="Make one with `tallystick export`, or take the JSON lines of an execution from its page.",
            field="lines",
        )
    return header.journal


def _is_valid_body(body: str) -> bool:
    """Whether a body has the form that Tallystick writes: a forged chain may hold anything."""
    try:
        value = msgspec.json.decode(body)
        canonical_json.encode(value, BODY_LIMITS)
    except (msgspec.MsgspecError, ValueError, RecursionError, InvalidArgument):
        return False
    if not isinstance(value, dict) or any(name in value and not isinstance(value[name], str) for name in _TEXT_FIELDS):
        return False
    steps = value.get("steps", [])
    return isinstance(steps, list) and all(isinstance(step, dict) and isinstance(step.get("id"), str) for step in steps)


def _read_export_line(text: str) -> _ExportLine:
    """A line of an export, or ValueError for one that another reader could read otherwise."""
    line = _decode_export_line(text)
    if msgspec.json.encode(line).decode() != text:  # maybe only spaces, or maybe a name that stands twice
        json.loads(text, object_pairs_hook=_without_duplicates)
    return line


def _without_duplicates(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("duplicate name")


def _read_salt(text: str | None) -> bytes | None:
    salt = bytes.fromhex(text) if text is not None else None
    if salt is not None and salt.hex() != text:
        raise ValueError("not the form of a salt")
    return salt


def _is_entry_line(first: str) -> bool:
    """Whether a file begins with an entry in the form of a report."""
    try:
        return len(first) <= MAX_LINE_CHARACTERS and bool(_decode_entry_line(first).kind)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False


_decode_entry_line = msgspec.json.Decoder(_EntryLine).decode
_decode_export_line = msgspec.json.Decoder(_ExportLine).decode
