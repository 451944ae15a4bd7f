"""Verify an exported journal with nothing but Python: `python verifier.py export.jsonl [HEAD]`.

This file imports nothing of Tallystick and can be copied anywhere. It implements the rules of a journal on its own:

- line 1 of an export names the journal; every further line has one entry with `seq`, `hash` and `line`, and its
  `body` with the `salt` unless it was erased;
- the hash before the first entry is that of the journal's name, and each entry's hash covers the one before it and
  the exact bytes of its `line`;
- an entry that has a body commits to it by a hash over the salt (32 bytes) and the body; a body is missing exactly if
  a later `body_erased` entry lists it, and an entry without a commitment has none;
- sequence numbers are dense from 1; an entry that is older than the one before it says in `behind` by how much.

It cannot detect entries that were cut off at the end, or a history that was rewritten completely. For that, give it a
HEAD (a hash that you stored elsewhere): the HEAD must occur in the export.

Exit codes: 0 if all rules hold, 1 if one does not, 2 if the file cannot be read.
"""

import base64
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any


class InvalidExport(Exception):
    """The first rule that does not hold."""


def tagged(tag: str, content: bytes) -> str:
    """The SHA-256 of the content as text, after a tag that names what was hashed."""
    return tag + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


class Verifier:
    """Checks an export line by line."""

    def __init__(self, expected_head: str = "") -> None:
        self.journal = ""
        self.head = ""
        self.entries = 0
        self.bodies = 0
        self.missing_bodies: set[int] = set()
        self.erased: set[int] = set()
        self.last_time = 0
        self.expected_head = expected_head
        self.found_head = not expected_head

    def run(self, lines: Iterable[str]) -> dict[str, Any]:
        """Check all lines, and return a report: `ok`, the counts, the head, and the first problem or an empty text."""
        problem = ""
        try:
            for number, text in enumerate(lines, 1):
                self.check_line(number, text)
            self.check_end()
        except InvalidExport as error:
            problem = str(error)
        return {
            "ok": not problem,
            "journal": self.journal,
            "entries": self.entries,
            "bodies": self.bodies,
            "erased": len(self.missing_bodies & self.erased),
            "head": self.head,
            "problem": problem,
        }

    def check_line(self, number: int, text: str) -> None:
        what = f"line {number} of the export" + (f" (entry {self.entries + 1})" if self.journal else "")
        record = read_object(text, what)
        if not self.journal:
            self.check_header(record)
            return
        expected = self.entries + 1
        seq, claimed, line = record.get("seq"), record.get("hash"), record.get("line")
        if type(seq) is not int or not isinstance(claimed, str) or not isinstance(line, str):
            raise InvalidExport(f"line {number} of the export is not an entry: entry {expected} is missing")
        extra = sorted(set(record) - {"seq", "hash", "line", "body", "salt"})
        if extra or ("body" in record) != ("salt" in record):
            what = f'"{extra[0][:80]}"' if extra else "a body without a salt, or a salt without a body"
            raise InvalidExport(f"entry {expected} has a part that no export has: {what}")
        if seq != expected:
            raise InvalidExport(f"entry {expected} is missing: entry {seq} follows entry {expected - 1}")
        if tagged("s1:", self.head.encode() + b"\n" + utf8(line)) != claimed:
            raise InvalidExport(f"entry {seq} was altered, or does not follow the one before it")
        self.check_entry(seq, read_object(line, f"entry {seq}"), record)
        self.head, self.entries = claimed, seq
        self.found_head = self.found_head or claimed == self.expected_head

    def check_header(self, record: dict[str, Any]) -> None:
        name = record.get("journal")
        if record.get("tallystick") != "export/1" or not name or not isinstance(name, str) or len(record) != 2:
            raise InvalidExport("this is not an export of a journal: its first line does not say so")
        self.journal = name
        self.head = tagged("s1:", utf8(f"tallystick journal {name}"))
        self.found_head = self.found_head or self.head == self.expected_head

    def check_entry(self, seq: int, entry: dict[str, Any], record: dict[str, Any]) -> None:
        if type(entry.get("seq")) is not int or entry["seq"] != seq:
            raise InvalidExport(f"entry {seq} says that it is entry {str(entry.get('seq'))[:80]}")
        if type(entry.get("at")) is not int:
            raise InvalidExport(f"entry {seq} has no time")
        behind = entry.get("behind", 0)
        if type(behind) is not int or behind != max(self.last_time - entry["at"], 0):
            raise InvalidExport(f"entry {seq} is older than the entry before it, or not by what it says")
        self.last_time = entry["at"]
        commitment = entry.get("commitment", "")
        if not commitment:
            if "body" in record:
                raise InvalidExport(f"entry {seq} has a body that it does not commit to")
        elif "body" not in record:
            self.missing_bodies.add(seq)
        elif tagged("c1:", committed_bytes(record)) != commitment:
            raise InvalidExport(f"the body of entry {seq} was altered")
        else:
            self.bodies += 1
        if entry.get("kind") == "body_erased":
            seqs = erased_entries(entry, seq)
            if present := sorted(seqs - self.missing_bodies - self.erased):
                raise InvalidExport(f"the body of entry {present[0]} is there, and entry {seq} says that it was erased")
            self.erased |= seqs

    def check_end(self) -> None:
        if not self.journal:
            raise InvalidExport("the export is empty")
        missing = sorted(self.missing_bodies - self.erased)
        if missing:
            raise InvalidExport(f"the body of entry {missing[0]} is gone, and no entry says that it was erased")
        if not self.found_head:
            raise InvalidExport("the head stored outside is not in this export: entries were cut off or rewritten")


def erased_entries(entry: dict[str, Any], seq: int) -> set[int]:
    facts = entry.get("facts")
    seqs = facts.get("seqs") if isinstance(facts, dict) else None
    if not isinstance(seqs, list) or any(type(each) is not int for each in seqs):
        raise InvalidExport(f"entry {seq} does not say what was erased")
    return set(seqs)


def committed_bytes(record: dict[str, Any]) -> bytes:
    """The bytes that an entry commits to; none if the body or its salt has the wrong type, form or length."""
    try:
        raw = bytes.fromhex(record["salt"])
        return raw + utf8(record["body"]) if raw.hex() == record["salt"] and len(raw) == 32 else b""
    except (TypeError, ValueError, AttributeError):
        return b""


def utf8(text: str) -> bytes:
    """Encode a text. A lone surrogate occurs in no export, and its bytes equal no other text's."""
    return text.encode(errors="surrogatepass")


def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Reject duplicate names: JSON readers differ in which one they take."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("duplicate name")
    return dict(pairs)


def read_object(text: str, what: str) -> dict[str, Any]:
    try:
        found = json.loads(text, object_pairs_hook=without_duplicates)
    except (ValueError, RecursionError):
        raise InvalidExport(f"{what} cannot be read") from None
    if not isinstance(found, dict):
        raise InvalidExport(f"{what} is not an object")
    return found


def read_lines(path: str) -> Iterator[str]:
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            if line.strip():
                yield line.rstrip("\n")


def verify_file(path: str, expected_head: str = "") -> dict[str, Any]:
    """Verify an export on disk."""
    return Verifier(expected_head).run(read_lines(path))


def main(arguments: list[str]) -> int:
    if not 1 <= len(arguments) <= 2:
        print("usage: verifier.py EXPORT [HEAD]", file=sys.stderr)
        return 2
    try:
        report = verify_file(*arguments)
    except (OSError, UnicodeDecodeError) as error:
        print(f"verifier: {error}", file=sys.stderr)
        return 2
    print(json.dumps(report, indent=2))
    return 0 if report["ok"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
