"""Verify an exported journal with nothing but Python: `python verifier.py export.jsonl [HEAD]`.

This file imports nothing of ours and can be copied anywhere. It restates the law of the journal in its own words:

- line 1 of an export names the journal; every further line holds one entry with `seq`, `hash` and `line`, and its
  `body` with the `salt` unless that was erased;
- the hash before the first entry is that of the journal's name, and each entry's hash covers the one before it and
  the exact bytes of its `line`;
- an entry that has a body commits to it by a hash over the salt and the body; a body may be gone only when a later
  `body_erased` entry says so;
- sequence numbers are dense from 1, and times never go back.

What it cannot see: entries cut off at the end, or a history that was rewritten whole. For that, give it a HEAD (a hash
that you kept elsewhere): it must occur in the export.

It exits with 0 when all of this holds, 1 when something does not, and 2 when the file cannot be read.
"""

import base64
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any


class Broken(Exception):
    """The first thing that does not hold."""


def tagged(tag: str, content: bytes) -> str:
    digest = hashlib.sha256(content).digest()
    return tag + base64.urlsafe_b64encode(digest).decode().rstrip("=")


class Verifier:
    """Takes an export line by line and holds what has been proved so far."""

    def __init__(self, kept_head: str = "") -> None:
        self.journal = ""
        self.head = ""
        self.entries = 0
        self.bodies = 0
        self.gone: set[int] = set()
        self.erased: set[int] = set()
        self.last_time = 0
        self.kept_head = kept_head
        self.met_head = not kept_head

    def run(self, lines: Iterable[str]) -> dict[str, Any]:
        """The report: `ok`, how much was checked, the head, and the first problem if there is one."""
        problem = ""
        try:
            for number, text in enumerate(lines, 1):
                self.take(number, text)
            self.finish()
        except Broken as broken:
            problem = str(broken)
        return {
            "ok": not problem,
            "journal": self.journal,
            "entries": self.entries,
            "bodies": self.bodies,
            "erased": len(self.gone & self.erased),
            "head": self.head,
            "problem": problem,
        }

    def take(self, number: int, text: str) -> None:
        what = f"line {number} of the export" + (f" (entry {self.entries + 1})" if self.journal else "")
        record = read_object(text, what)
        if not self.journal:
            self.begin(record)
            return
        expected = self.entries + 1
        seq, claimed, line = record.get("seq"), record.get("hash"), record.get("line")
        if type(seq) is not int or not isinstance(claimed, str) or not isinstance(line, str):
            raise Broken(f"line {number} of the export is not an entry: entry {expected} is missing")
        odd = sorted(set(record) - {"seq", "hash", "line", "body", "salt"})
        if odd or ("body" in record) != ("salt" in record):
            what = f'"{odd[0][:80]}"' if odd else "a body without a salt, or a salt without a body"
            raise Broken(f"entry {expected} holds what no export has: {what}")
        if seq != expected:
            raise Broken(f"entry {expected} is missing: entry {seq} stands in its place")
        if tagged("s1:", self.head.encode() + b"\n" + utf8(line)) != claimed:
            raise Broken(f"entry {seq} was altered, or does not follow the one before it")
        self.check_entry(seq, read_object(line, f"entry {seq}"), record)
        self.head, self.entries = claimed, seq
        self.met_head = self.met_head or claimed == self.kept_head

    def begin(self, record: dict[str, Any]) -> None:
        name = record.get("journal")
        if record.get("tallystick") != "export/1" or not name or not isinstance(name, str) or len(record) != 2:
            raise Broken("this is not an export of a journal: its first line does not say so")
        self.journal = name
        self.head = tagged("s1:", utf8(f"tallystick journal {name}"))
        self.met_head = self.met_head or self.head == self.kept_head

    def check_entry(self, seq: int, entry: dict[str, Any], record: dict[str, Any]) -> None:
        if type(entry.get("seq")) is not int or entry["seq"] != seq:
            raise Broken(f"entry {seq} says that it is entry {str(entry.get('seq'))[:80]}")
        if type(entry.get("at")) is not int:
            raise Broken(f"entry {seq} has no time")
        if entry["at"] < self.last_time:
            raise Broken(f"entry {seq} is older than the entry before it")
        self.last_time = entry["at"]
        if entry.get("kind") == "body_erased":
            self.erased.update(erased_by(entry, seq))
        commitment = entry.get("commitment", "")
        if not commitment:
            if "body" in record:
                raise Broken(f"entry {seq} has a body that it does not commit to")
        elif "body" not in record:
            self.gone.add(seq)
        elif tagged("c1:", salted(record)) != commitment:
            raise Broken(f"the body of entry {seq} was altered")
        else:
            self.bodies += 1

    def finish(self) -> None:
        if not self.journal:
            raise Broken("the export is empty")
        missing = sorted(self.gone - self.erased)
        if missing:
            raise Broken(f"the body of entry {missing[0]} is gone, and no entry says that it was erased")
        if not self.met_head:
            raise Broken("the head that was kept outside is not in this export: entries were cut off or rewritten")


def erased_by(entry: dict[str, Any], seq: int) -> list[int]:
    facts = entry.get("facts")
    seqs = facts.get("seqs") if isinstance(facts, dict) else None
    if not isinstance(seqs, list) or any(type(each) is not int for each in seqs):
        raise Broken(f"entry {seq} does not say what was erased")
    return seqs


def salted(record: dict[str, Any]) -> bytes:
    """The bytes that an entry commits to; none when the body and its salt are not the texts that they should be."""
    body, salt = record["body"], record["salt"]
    try:
        raw = bytes.fromhex(salt)
        return raw + utf8(body) if raw.hex() == salt else b""
    except (TypeError, ValueError, AttributeError):
        return b""


def utf8(text: str) -> bytes:
    """A lone surrogate is in no export, and gives other bytes than anything that is."""
    return text.encode(errors="surrogatepass")


def no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of a name that stands twice each reader takes another one."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name stands twice")
    return dict(pairs)


def read_object(text: str, what: str) -> dict[str, Any]:
    try:
        found = json.loads(text, object_pairs_hook=no_twice)
    except (ValueError, RecursionError):
        raise Broken(f"{what} cannot be read") from None
    if not isinstance(found, dict):
        raise Broken(f"{what} is not an object")
    return found


def lines_of(path: str) -> Iterator[str]:
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            if line.strip():
                yield line.rstrip("\n")


def verify_file(path: str, kept_head: str = "") -> dict[str, Any]:
    """Verify an export on disk."""
    return Verifier(kept_head).run(lines_of(path))


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
