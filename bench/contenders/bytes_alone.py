"""The minimum for a record, with our own functions: validate, redact, hash and commit.

There are no rules, sessions, derived rows or other writers. So it shows how much of a pair is work on its bytes, and
how much is the journal.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b

import apsw
import msgspec

from bench.contenders.contender import Contender, Waits, one_by_one, timed
from bench.payload import Half, begin_half, end_half
from tallystick import operations
from tallystick.core import chain
from tallystick.core.formats import canonical_json
from tallystick.core.redaction.masker import Masker

_encode = msgspec.json.Encoder().encode
_ENTRIES = "create table entries (seq integer primary key, journal bigint, line text, hash text)"
_BODIES = "create table bodies (seq integer primary key, journal bigint, salt blob, body text)"


@contextmanager
def open_contender(address: str) -> Iterator[Contender]:
    connection = apsw.Connection(address)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.execute(_ENTRIES)
    connection.execute(_BODIES)
    writer = _Writer(connection)

    def pair(number: int, waits: Waits) -> None:
        begin, answered = begin_half(number), end_half(number)
        timed(waits, lambda: writer.write({"phase": "begin", "execution_id": "ex_a0aa", **begin}))
        timed(waits, lambda: writer.write({"phase": "end", "action_id": "ac_a0aa", **answered}))

    yield Contender("SQLite, WAL, synchronous=FULL, one commit a record", one_by_one(pair))
    connection.close()


class _Writer:
    def __init__(self, connection: apsw.Connection) -> None:
        self._run = connection.execute
        self._check = operations.actions.record_action.validate
        self._is_clean = Masker().looks_clean
        self._secret = os.urandom(32)
        self._head = chain.genesis("bench")

    def write(self, arguments: Half) -> None:
        self._check(arguments)
        body = canonical_json.encode(
            {name: arguments[name] for name in ("summary", "arguments", "result") if name in arguments}
        )
        assert self._is_clean(body)  # the measured records have no secrets
        salt, seq = os.urandom(chain.SALT_BYTES), self._head.seq + 1
        line = _encode(
            {
                "seq": seq,
                "id": "ac_a0aa",
                "at": time.time_ns() // 1000,
                "kind": f"action_{arguments['phase']}",
                "actor": {"name": "agent"},
                "facts": self._facts(arguments),
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

    def _facts(self, arguments: Half) -> dict[str, str]:
        if arguments["phase"] == "end":
            return {"outcome": arguments["outcome"]}
        call = canonical_json.canonical([arguments["tool"], arguments["arguments"]])
        return {"tool": arguments["tool"], "effect_key": blake2b(call, digest_size=16, key=self._secret).hexdigest()}
