"""Sends any number of statements to PostgreSQL in one round trip.

It uses libpq directly (`psycopg.pq`): begin, lock, insert and commit then cost one round trip and a tenth of the time
in Python that a cursor for each would take.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from select import POLLIN, POLLOUT, poll
from typing import Any

import psycopg
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus
from psycopg.pq.abc import PGresult

from tallystick.store.postgres.errors import ConnectionLost, StatementFailed, Unreachable, first_line, translated_errors
from tallystick.store.sql.connection import Statement

ANSWER_SECONDS = 3.0
"""A server that sends nothing for so much longer than its own `statement_timeout` counts as away."""
MAX_PREPARED_STATEMENTS = 256
"""Per connection; further statements are sent in full each time."""
_LOADERS: dict[int, Callable[[bytes], Any]] = {
    16: lambda value: value == b"t",
    17: lambda value: bytes.fromhex(value[2:].decode()),
    20: int,
    21: int,
    23: int,
    701: float,
}
"""By the number of the type; any other type is text."""


class PipelineConnection:
    """One connection to the server. Once it is `lost` it stays lost."""

    def __init__(self, address: str, database: str) -> None:
        self.lost = False
        self.database = database
        try:
            # The driver must not prepare statements itself: its clean-up would drop the ones that we prepared.
            self.connection = psycopg.connect(address, autocommit=True, prepare_threshold=None)
        except psycopg.Error as error:
            raise Unreachable(database, first_line(str(error))) from error
        self._pg = self.connection.pgconn
        self._poll = poll()
        self._poll.register(self._pg.socket, POLLIN)
        self._prepared: dict[str, bytes] = {}
        self._prepared_count = 0
        self.statement_seconds: float | None = 12.0
        """The server's deadline for a statement; None if it has none."""

    def send(self, statements: Sequence[Statement]) -> list[list[tuple[Any, ...]]]:
        """Run statements in order; returns the rows of each. Raises the first error; later statements do not run."""
        if self.lost:
            raise ConnectionLost(self.database, "the connection is closed")
        try:
            with translated_errors(self.database):
                self._pg.enter_pipeline_mode()
                expected = [prepared for statement in statements for prepared in self._queue(*statement)]
                self._pg.pipeline_sync()
                self._flush()
                results, error = self._receive()
                self._pg.exit_pipeline_mode()
        except BaseException:
            self.close()  # results may still arrive, and could not be matched to statements
            raise
        if error is not None:
            for not_prepared in filter(None, expected[len(results) :]):
                self._prepared.pop(not_prepared)
            raise error
        return [rows for rows, prepared in zip(results, expected, strict=True) if not prepared]

    def server_info(self) -> tuple[int, str]:
        """The server's version as a number, and its text encoding."""
        return self._pg.server_version, (self._pg.parameter_status(b"server_encoding") or b"").decode()

    def is_stale(self) -> bool:
        """Whether the server sent something or closed the connection while no statement was running."""
        return self.lost or bool(self._poll.poll(0))

    def close(self) -> None:
        self.lost = True
        self.connection.close()

    def _queue(self, sql: str, values: Sequence[Any]) -> list[str]:
        """Send one statement. Returns an item per expected result: the SQL text if it is a preparation, else ""."""
        dumped = [_dump(value) for value in values]
        formats = [1 if isinstance(value, bytes) else 0 for value in values]
        name = self._prepared.get(sql)
        is_new = name is None and len(self._prepared) < MAX_PREPARED_STATEMENTS
        if is_new:
            self._prepared_count += 1
            name = self._prepared[sql] = b"t%d" % self._prepared_count
            self._pg.send_prepare(name, number_parameters(sql))
        if name is None:
            self._pg.send_query_params(number_parameters(sql), dumped, param_formats=formats)
        else:
            self._pg.send_query_prepared(name, dumped, param_formats=formats)
        return [sql, ""] if is_new else [""]

    def _flush(self) -> None:
        while self._pg.flush():
            self._poll.modify(self._pg.socket, POLLIN | POLLOUT)
            try:
                events = self._wait()
            finally:
                self._poll.modify(self._pg.socket, POLLIN)
            if events & ~POLLOUT:
                self._pg.consume_input()

    def _receive(self) -> tuple[list[list[tuple[Any, ...]]], StatementFailed | None]:
        found: list[list[tuple[Any, ...]]] = []
        error: StatementFailed | None = None
        while True:
            result = self._next_result()
            if result is None:
                if self._pg.status != ConnStatus.OK:
                    raise ConnectionLost(self.database, first_line(self._pg.get_error_message()))
            elif result.status == ExecStatus.PIPELINE_SYNC:
                return found, error
            elif result.status == ExecStatus.TUPLES_OK:
                found.append(_rows(result))
            elif result.status == ExecStatus.COMMAND_OK:
                found.append([])
            elif result.status != ExecStatus.PIPELINE_ABORTED:
                error = error or self._failure(result)

    def _next_result(self) -> PGresult | None:
        while self._pg.is_busy():
            self._wait()
            self._pg.consume_input()
        return self._pg.get_result()

    def _wait(self) -> int:
        """Wait for the socket, and return its events."""
        seconds = None if self.statement_seconds is None else self.statement_seconds + ANSWER_SECONDS
        ready = self._poll.poll(None if seconds is None else seconds * 1000)
        if not ready:
            raise ConnectionLost(self.database, f"the server has not answered for {seconds:g} seconds")
        return ready[0][1]

    def _failure(self, result: PGresult) -> StatementFailed:
        """The server's error; raises ConnectionLost if the server closes the connection."""
        reason = first_line((result.error_field(DiagnosticField.MESSAGE_PRIMARY) or result.error_message).decode())
        sqlstate = result.error_field(DiagnosticField.SQLSTATE)
        if sqlstate is None or result.error_field(DiagnosticField.SEVERITY_NONLOCALIZED) in (b"FATAL", b"PANIC"):
            raise ConnectionLost(self.database, reason)
        return StatementFailed(self.database, sqlstate.decode(), reason)


def join_statements(statements: Sequence[Statement]) -> list[Statement]:
    """Inserts and updates followed by a select, as one statement: this saves a tenth of a commit."""
    text = _join_texts(tuple(sql for sql, _ in statements))
    return [(text, [value for _, values in statements for value in values])]


@lru_cache(1024)
def _join_texts(texts: tuple[str, ...]) -> str:
    *changes, last = texts
    return f"with {', '.join(f's{number} as ({sql})' for number, sql in enumerate(changes))} {last}"


@lru_cache(1024)
def number_parameters(sql: str) -> bytes:
    """The SQL with each `?` as PostgreSQL writes it: $1, $2, ..."""
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
