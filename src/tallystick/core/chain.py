"""How an entry becomes bytes, and how each one holds the one before.

    line(n)       = JSON of the entry, kept exactly as written
    hash(0)       = "s1:" + base64url(SHA-256("tallystick journal " + name))
    hash(n)       = "s1:" + base64url(SHA-256(hash(n-1) + "\\n" + line(n)))
    commitment(b) = "c1:" + base64url(SHA-256(salt + b)), for a body b and its own 32 random bytes

A body and its salt can be thrown away and every hash still holds. The tags let the form change one day and be seen
to have changed. `tallystick.verifier` restates this law on purpose, with no code in common.
"""

from binascii import b2a_base64
from hashlib import sha256
from re import compile as pattern
from typing import Any

from msgspec import Raw, Struct, json
from msgspec.structs import force_setattr, replace

from tallystick.core import entries
from tallystick.core.entries import Draft, Entry, Facts, Unreadable, decode_facts, needed_version
from tallystick.core.errors import InvalidArgument, Tampered
from tallystick.core.types import Actor, Witness

SALT_BYTES = 32
MAX_REPEATED_MICROSECONDS = 300_000_000
"""An entry whose clock is behind the entry before by at most this repeats its time: clocks are corrected in small
steps. By more, one of the two clocks was wrong: the entry keeps its own time and says so in `behind`."""


class Head(Struct, frozen=True):
    """The end of a journal: its last sequence number, hash and time."""

    seq: int
    hash: str
    at: int = 0


def genesis(journal: str) -> Head:
    """The head of an empty journal. The name of the journal goes into every hash from the first."""
    return Head(0, _tagged("s1:", f"tallystick journal {journal}".encode()))


class _StoredLine(Struct, frozen=True, kw_only=True):
    """An entry as it is read, with its facts not yet decoded."""

    seq: int
    id: str
    at: int
    kind: str
    actor: Actor
    facts: Raw
    session: str = ""
    execution: str = ""
    witness: Witness = "claimed"
    commitment: str = ""
    trace: str = ""
    key: str = ""
    digest: str = ""
    behind: int = 0
    needs: str = ""


class _Time(Struct):
    at: int


class _Commitment(Struct):
    commitment: str = ""


_HASH = pattern(r"s1:[A-Za-z0-9_-]{43}")
_DECODE_ERRORS = (ValueError, TypeError, KeyError, RecursionError)
_encode = json.Encoder().encode
_decode_time = json.Decoder(_Time).decode
_decode_commitment = json.Decoder(_Commitment).decode
_decode = json.Decoder(_StoredLine).decode


def seal(head: Head, draft: Draft, *, at: int, salt: bytes) -> tuple[Entry, bytes]:
    """Append a draft after `head`; returns the entry and the exact bytes to store. `at` is the clock of now.

    The entry holds its facts as they are read back from those bytes: what cannot be read back is not appended.
    """
    seq = head.seq + 1
    behind = head.at - at if at < head.at else 0
    if 0 < behind <= MAX_REPEATED_MICROSECONDS:
        at, behind = head.at, 0
    handle = draft.id or entries.mint(draft.facts.PREFIX, seq, head.hash)
    commitment = _tagged("c1:", salt + draft.body.encode()) if draft.body is not None else ""
    facts, raw = _read_back(draft.facts)
    entry = Entry(
        seq=seq,
        id=handle,
        at=at,
        kind=facts.KIND,
        actor=draft.actor,
        facts=raw,  # type: ignore[arg-type]  # the same bytes; replaced below
        session=draft.session,
        execution=draft.execution or (handle if facts.PREFIX == entries.EXECUTION else ""),
        witness=draft.witness,
        commitment=commitment,
        trace=draft.trace,
        key=draft.key,
        digest=draft.digest,
        behind=behind,
        needs=facts.NEEDS,
    )
    line = _encode(entry)
    force_setattr(entry, "facts", facts)  # safe: nobody has seen the entry yet
    force_setattr(entry, "hash", _tagged("s1:", head.hash.encode() + b"\n" + line))
    return entry, line


def _read_back(facts: Facts) -> tuple[Facts, Raw]:
    """The facts decoded from their bytes, and these bytes; raises InvalidArgument if they cannot be decoded."""
    try:
        raw = _encode(facts)
        return decode_facts(facts.KIND, raw), Raw(raw)
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise InvalidArgument(
            f"This {facts.KIND} could not be read back: {error}. Nothing was recorded.",
            hint="Correct the value that it names and call again.",
        ) from None


def read_entry(seq: int, line: bytes | str, hash: Any) -> Entry:
    """The entry of a stored line, or one of the kind `unreadable`. It does not check the hash: `check` does."""
    try:
        stored = _decode(line)
        if stored.seq == seq and not stored.needs:
            return _entry(stored, stored.kind, decode_facts(stored.kind, stored.facts), hash)
    except _DECODE_ERRORS:
        pass
    return _unreadable(seq, line, hash)


def _entry(stored: _StoredLine, kind: str, facts: Facts, hash: str) -> Entry:
    return Entry(
        seq=stored.seq,
        id=stored.id,
        at=stored.at,
        kind=kind,
        actor=stored.actor,
        facts=facts,
        hash=hash,
        session=stored.session,
        execution=stored.execution,
        witness=stored.witness,
        commitment=stored.commitment,
        trace=stored.trace,
        key=stored.key,
        digest=stored.digest,
        behind=stored.behind,
        needs=stored.needs,
    )


def _unreadable(seq: int, line: bytes | str, hash: Any) -> Entry:
    """The entry that stands for a line that cannot be read, or the entry if it can although it names a version."""
    hash = hash if isinstance(hash, str) and hash.isascii() else ""
    try:
        stored = _decode(line)
    except _DECODE_ERRORS:
        facts = Unreadable(problem="its stored bytes are not an entry")
        return Entry(seq=seq, id="", at=0, kind=Unreadable.KIND, actor=Actor(), facts=facts, hash=hash)
    needs = needed_version(stored.kind, stored.needs)
    if stored.seq != seq:
        problem = f"its stored bytes are those of entry {stored.seq}"
    elif needs:
        problem = "it was written by a newer version of Tallystick"
    else:
        try:
            return _entry(stored, stored.kind, decode_facts(stored.kind, stored.facts), hash)
        except _DECODE_ERRORS as error:
            problem = str(error)
    facts = Unreadable(problem=problem, stored_kind=stored.kind, needs=needs)
    return replace(_entry(stored, Unreadable.KIND, facts, hash), seq=seq)


def read_head(seq: int, line: bytes | str, hash: Any) -> Head:
    """The head after a stored line. A damaged hash is replaced: new entries can follow, and `verify` reports it."""
    raw = line.encode(errors="surrogateescape") if isinstance(line, str) else b""
    try:
        at = _decode_time(raw).at
    except _DECODE_ERRORS:
        at = 0
    return Head(seq, hash if isinstance(hash, str) and _HASH.fullmatch(hash) else _tagged("s1:", raw), at)


def follows(before: Head, line: bytes, hash: str) -> bool:
    """Whether a line has the hash that it was sealed with after `before`."""
    return hash_line(before.hash, line) == hash


def read_commitment(line: bytes | str) -> str:
    """The commitment in a stored line, without decoding the rest; empty if it has none or cannot be read."""
    try:
        return _decode_commitment(line).commitment
    except ValueError:
        return ""


def check(before: Head, line: bytes, hash: str) -> Entry:
    """The entry after `before`, or Tampered with the first thing that does not hold."""
    seq = before.seq + 1
    entry = read_entry(seq, line, hash)
    found = stored_seq(line) if isinstance(entry.facts, Unreadable) else seq
    if found and found != seq:
        raise Tampered(f"entry {seq} is missing: entry {found} follows entry {before.seq}.", hint=_WHAT_NOW)
    if not follows(before, line, hash):
        what = "was altered, or does not follow the one before it" if entry.at else "cannot be read"
        raise Tampered(f"entry {seq} {what}.", hint=_WHAT_NOW)
    if entry.at and entry.behind != max(before.at - entry.at, 0):
        raise Tampered(f"entry {seq} is older than the entry before it, or not by what it says.", hint=_WHAT_NOW)
    return entry


def stored_seq(line: bytes | str) -> int:
    """The sequence number in a stored line; 0 if the line is no entry."""
    try:
        return _decode(line).seq
    except _DECODE_ERRORS:
        return 0


def check_body(entry: Entry, body: str | None, salt: bytes | None) -> bool:
    """Whether the body of an entry is there; Tampered when it is not the one that the entry commits to."""
    if body is None and salt is None:
        return False
    if not entry.commitment:
        raise Tampered(f"entry {entry.seq} has a body that it does not commit to.", hint=_WHAT_NOW)
    if not is_committed(entry.commitment, body, salt):
        raise Tampered(f"the body of entry {entry.seq} was altered.", hint=_WHAT_NOW)
    return True


def is_committed(commitment: str, body: object, salt: object) -> bool:
    """Whether a stored body and salt are those of the commitment. The salt's length tells where the body begins."""
    if not isinstance(body, str) or not isinstance(salt, bytes) or len(salt) != SALT_BYTES:
        return False
    return _tagged("c1:", salt + body.encode(errors="surrogateescape")) == commitment


def hash_line(before: str, line: bytes) -> str:
    return _tagged("s1:", before.encode() + b"\n" + line)


def commit(body: str, salt: bytes) -> str:
    return _tagged("c1:", salt + body.encode())


def _tagged(tag: str, content: bytes) -> str:
    return tag + b2a_base64(sha256(content).digest(), newline=False)[:43].translate(_URLSAFE).decode()


_URLSAFE = bytes.maketrans(b"+/", b"-_")
_WHAT_NOW = "Keep the file as it is, and compare it with an export or a backup."
