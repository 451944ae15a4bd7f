"""Statements to PostgreSQL, as many as wanted in one round trip.

It speaks through libpq itself (`psycopg.pq`): begin, lock, insert and commit then cost one round trip and a tenth of
the time in Python that a cursor for each would take.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from select import POLLIN, POLLOUT, poll
from typing import Any

import psycopg
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus
from psycopg.pq.abc import PGresult

from tallystick.store.postgres.errors import Failed, Lost, Unreachable, explained, first_line
from tallystick.store.sql.connection import Statement

PREPARED = 256
"""How many statements the server keeps ready for a connection; any more are sent in full each time."""
_LOADERS: dict[int, Callable[[bytes], Any]] = {
    16: lambda value: value == b"t",
    17: lambda value: bytes.fromhex(value[2:].decode()),
    20: int,
    21: int,
    23: int,
    701: float,
}
"""By the number of the type; any other is text."""


class Wire:
    """One connection. Once `lost` it stays so."""

    def __init__(self, address: str, database: str) -> None:
        self.lost = False
        self.database = database
        try:
            # The driver prepares nothing by itself: to forget that, it would have the server forget what we prepared.
            self.connection = psycopg.connect(address, autocommit=True, prepare_threshold=None)
        except psycopg.Error as error:
            raise Unreachable(database, first_line(str(error))) from error
        self._pg = self.connection.pgconn
        self._poll = poll()
        self._poll.register(self._pg.socket, POLLIN)
        self._names: dict[str, bytes] = {}
        self._named = 0

    def send(self, statements: Sequence[Statement]) -> list[list[tuple[Any, ...]]]:
        """Run them in order and return the rows of each. At the first error the rest is not run, and it is raised."""
        if self.lost:
            raise Lost(self.database, "the connection is closed")
        try:
            with explained(self.database):
                self._pg.enter_pipeline_mode()
                asked = [prepared for statement in statements for prepared in self._queue(*statement)]
                self._pg.pipeline_sync()
                self._flush()
                found, error = self._gather()
                self._pg.exit_pipeline_mode()
        except BaseException:
            self.close()  # answers may still be on their way: nobody could tell whose they are
            raise
        if error is not None:
            for never_made in filter(None, asked[len(found) :]):
                self._names.pop(never_made)
            raise error
        return [rows for rows, prepared in zip(found, asked, strict=True) if not prepared]

    def server(self) -> tuple[int, str]:
        """Its version, as a number, and how it keeps text."""
        return self._pg.server_version, (self._pg.parameter_status(b"server_encoding") or b"").decode()

    def stale(self) -> bool:
        """Whether the server has said something, or hung up, while nothing was asked of it."""
        return self.lost or bool(self._poll.poll(0))

    def close(self) -> None:
        self.lost = True
        self.connection.close()

    def _queue(self, sql: str, values: Sequence[Any]) -> list[str]:
        """Send one statement. For each answer that will come: the text that it says is prepared, or nothing."""
        dumped = [_dump(value) for value in values]
        formats = [1 if isinstance(value, bytes) else 0 for value in values]
        name = self._names.get(sql)
        fresh = name is None and len(self._names) < PREPARED
        if fresh:
            self._named += 1
            name = self._names[sql] = b"t%d" % self._named
            self._pg.send_prepare(name, numbered(sql))
        if name is None:
            self._pg.send_query_params(numbered(sql), dumped, param_formats=formats)
        else:
            self._pg.send_query_prepared(name, dumped, param_formats=formats)
        return [sql, ""] if fresh else [""]

    def _flush(self) -> None:
        while self._pg.flush():
            self._poll.modify(self._pg.socket, POLLIN | POLLOUT)
            try:
                ready = self._poll.poll()
            finally:
                self._poll.modify(self._pg.socket, POLLIN)
            if ready[0][1] & ~POLLOUT:
                self._pg.consume_input()

    def _gather(self) -> tuple[list[list[tuple[Any, ...]]], Failed | None]:
        found: list[list[tuple[Any, ...]]] = []
        error: Failed | None = None
        while True:
            result = self._next()
            if result is None:
                if self._pg.status != ConnStatus.OK:
                    raise Lost(self.database, first_line(self._pg.get_error_message()))
            elif result.status == ExecStatus.PIPELINE_SYNC:
                return found, error
            elif result.status == ExecStatus.TUPLES_OK:
                found.append(_rows(result))
            elif result.status == ExecStatus.COMMAND_OK:
                found.append([])
            elif result.status != ExecStatus.PIPELINE_ABORTED:
                error = error or self._failure(result)

    def _next(self) -> PGresult | None:
        while self._pg.is_busy():
            self._poll.poll()
            self._pg.consume_input()
        return self._pg.get_result()

    def _failure(self, result: PGresult) -> Failed:
        """The server's error; Lost when it says that it hangs up."""
        said = first_line((result.error_field(DiagnosticField.MESSAGE_PRIMARY) or result.error_message).decode())
        sqlstate = result.error_field(DiagnosticField.SQLSTATE)
        if sqlstate is None or result.error_field(DiagnosticField.SEVERITY_NONLOCALIZED) in (b"FATAL", b"PANIC"):
            raise Lost(self.database, said)
        return Failed(self.database, sqlstate.decode(), said)


def joined(statements: Sequence[Statement]) -> list[Statement]:
    """Inserts and updates, and a select behind them, as one statement: a tenth of a commit is saved."""
    text = _joined(tuple(sql for sql, _ in statements))
    return [(text, [value for _, values in statements for value in values])]


@lru_cache(1024)
def _joined(texts: tuple[str, ...]) -> str:
    *changes, last = texts
    return f"with {', '.join(f's{number} as ({sql})' for number, sql in enumerate(changes))} {last}"


@lru_cache(1024)
def numbered(sql: str) -> bytes:
    """`?` as PostgreSQL writes it: $1, $2, ..."""
    first, *rest = sql.split("?")
    return "".join([first, *(f"${number}{text}" for number, text in enumerate(rest, start=1))]).encode()


def _dump(value: Any) -> bytes | None:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytes) or value is None:
        return value
    return repr(value).encode()


def _rows(result: PGresult) -> list[tuple[Any, ...]]:
    loaders = [_LOADERS.get(result.ftype(column), bytes.decode) for column in range(result.nfields)]
    return [
        tuple(
            load(value) if (value := result.get_value(row, column)) is not None else None
            for column, load in enumerate(loaders)
        )
        for row in range(result.ntuples)
    ]
