"""What a record cannot do without, and nothing else: checked, masked, hashed and committed, by our own functions.

No rule is asked, no session is kept, no row is folded and nobody else may write. So it tells how much of a pair is work
on its bytes, and how much is the journal.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b

import apsw
import msgspec

from bench.contenders.contender import Contestant, Waits, one_by_one, timed
from bench.payload import Half, begin_half, end_half
from tallystick import operations
from tallystick.core import chain
from tallystick.core.formats import canonical_json
from tallystick.core.redaction.masker import Masker

_encode = msgspec.json.Encoder().encode
_ENTRIES = "create table entries (place integer primary key, journal bigint, line text, hash text)"
_BODIES = "create table bodies (place integer primary key, journal bigint, salt blob, body text)"


@contextmanager
def entered(place: str) -> Iterator[Contestant]:
    connection = apsw.Connection(place)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.execute(_ENTRIES)
    connection.execute(_BODIES)
    writer = _Writer(connection)

    def pair(number: int, waits: Waits) -> None:
        asked, answered = begin_half(number), end_half(number)
        timed(waits, lambda: writer.write({"phase": "begin", "execution_id": "ex_a0aa", **asked}))
        timed(waits, lambda: writer.write({"phase": "end", "action_id": "ac_a0aa", **answered}))

    yield Contestant("SQLite, WAL, synchronous=FULL, one commit a record", one_by_one(pair))
    connection.close()


class _Writer:
    def __init__(self, connection: apsw.Connection) -> None:
        self._run = connection.execute
        self._check = operations.actions.record_action.validate
        self._is_clean = Masker().looks_clean
        self._secret = os.urandom(32)
        self._head = chain.genesis("bench")

    def write(self, given: Half) -> None:
        self._check(given)
        body = canonical_json.encode(
            {name: given[name] for name in ("summary", "arguments", "result") if name in given}
        )
        assert self._is_clean(body)  # what is measured holds no secret
        salt, seq = os.urandom(chain.SALT_BYTES), self._head.seq + 1
        line = _encode(
            {
                "seq": seq,
                "id": "ac_a0aa",
                "at": time.time_ns() // 1000,
                "kind": f"action_{given['phase']}",
                "actor": {"name": "agent"},
                "facts": self._facts(given),
                "session": "se_a0aa",
                "execution": "ex_a0aa",
                "commitment": chain.commit(body, salt),
            }
        )
        self._head = chain.Head(seq, chain.hash_line(self._head.hash, line))
        self._run("begin immediate")
        self._run("insert into entries values (?, 1, ?, ?)", (seq, line.decode(), self._head.hash))
        self._run("insert into bodies values (?, 1, ?, ?)", (seq, salt, body))
        self._run("commit")

    def _facts(self, given: Half) -> dict[str, str]:
        if given["phase"] == "end":
            return {"outcome": given["outcome"]}
        call = canonical_json.canonical([given["tool"], given["arguments"]])
        return {"tool": given["tool"], "effect_key": blake2b(call, digest_size=16, key=self._secret).hexdigest()}
