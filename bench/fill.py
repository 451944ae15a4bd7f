"""Fills a store through `record_batch`, for the figures about large journals and about the page."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from bench import recording
from bench.payload import Half, read_pair
from tallystick import Actor, Journal, Record
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.operation_context import Principal
from tallystick.sdk.local import Local

OWED_ACTIONS = 100
PAIRS_A_BATCH = 500
PAIRS_OF_OTHERS = 500
EXECUTIONS_A_BATCH = 500
RUNNING_EXECUTIONS = 20


@dataclass(frozen=True, slots=True)
class Subject:
    """A filled store: the measured execution, an observed one, and a sequence number amid its entries."""

    journal: Journal
    execution: str
    observed: str
    middle: int
    entries: int
    of_subject: int


def fill(journal: Journal, entries: int, of_subject: int, seconds: float, owed: int = OWED_ACTIONS) -> Subject:
    """Fill the store up to `entries`: half of the other executions, the measured one, then the rest.

    The measured execution is always complete. The others stop when the time is over; the result has the real size.
    """
    until = time.perf_counter() + seconds
    others = (entries - of_subject) // (2 * PAIRS_OF_OTHERS)
    for _ in range(others // 2):
        if time.perf_counter() > until - seconds / 2:
            break
        _fill_other(journal)
    execution = journal.record_execution_start(title="the subject").id
    first = _head(journal)
    _act(journal, execution, owed, _owed)
    _act(journal, execution, of_subject // 2 - owed, read_pair)
    journal.record_decision(execution_id=execution, decision="unwind", why="so that all of it is owed")
    middle = (first + _head(journal)) // 2
    for _ in range(others - others // 2):
        if time.perf_counter() > until:
            break
        _fill_other(journal)
    return Subject(journal, execution, _record_observed(journal), middle, _head(journal), of_subject)


def fill_executions(journal: Journal, count: int) -> None:
    """Record executions without actions; all but the newest few are ended."""
    for first in range(0, count, EXECUTIONS_A_BATCH):
        records: list[Record] = []
        for number in range(first, min(first + EXECUTIONS_A_BATCH, count)):
            started = f"@{len(records)}"
            arguments = {"title": f"Rotate the keys of shop {number}", "task_id": f"shop-{number % 500}"}
            records.append(Record("record_execution_start", arguments))
            if number < count - RUNNING_EXECUTIONS:
                records.append(Record("record_decision", {"execution_id": started, "decision": "done"}))
        journal.record_batch(records=tuple(records))


def fill_one(journal: Journal, entries: int) -> str:
    """Record one running execution with this many entries."""
    execution = journal.record_execution_start(title="Move the archive").id
    _act(journal, execution, entries // 2, read_pair)
    return execution


def _fill_other(journal: Journal) -> None:
    execution = journal.record_execution_start(title="over").id
    _act(journal, execution, PAIRS_OF_OTHERS, read_pair)
    journal.record_decision(execution_id=execution, decision="done")


def fill_varied(journal: Journal, actions: int) -> str:
    """Record an execution of this many actions of which no two in a row are alike, so that none are folded."""
    execution = journal.record_execution_start(title="Move every product").id
    _act(journal, execution, actions, _varied)
    return execution


def _varied(number: int) -> tuple[Half, Half]:
    fields = {"tool": f"tool_{number % 7}", "arguments": {"product": number}, "summary": f"product {number}"}
    return {**fields, "effect": "idempotent"}, {"outcome": "ok", "result": {"bytes": number}}


def _act(journal: Journal, execution: str, count: int, pair: Callable[[int], tuple[Half, Half]]) -> None:
    """Record this many actions, in batches."""
    numbers = iter(range(count))
    while taken := list(islice(numbers, PAIRS_A_BATCH)):
        journal.record_batch(records=recording.batch_of(execution, map(pair, taken)))


def _owed(number: int) -> tuple[Half, Half]:
    """Return begin and end of an action that is owed afterwards."""
    path = f"/data/{number}.csv"
    fields = {"tool": "create_file", "arguments": {"path": path}, "cancellable": "reversible", "undo": f"delete {path}"}
    return fields, {"outcome": "ok", "result": {"bytes": 1000 + number}}


def _record_observed(journal: Journal) -> str:
    """Start an execution in a conversation in which a hook observes a call."""
    assert isinstance(journal.caller, Local)
    context = journal.caller.context
    agent = Principal(actor=Actor(name="claude-code"), conversation="claude-code:1")
    opened = Local(context.for_principal(agent)).call(CATALOGUE["open_session"], {"name": "claude-code:1"}).id
    agent = Principal(actor=agent.actor, conversation=agent.conversation, session=opened)
    started = Local(context.for_principal(agent)).call(CATALOGUE["record_execution_start"], {"title": "watched"}).id
    hook = Principal(actor=Actor(kind="hook", name="claude-code"), witness="observed")
    session = {"kind": "client", "name": "claude-code:1", "client": "claude-code", "process": os.getpid()}
    opened = Local(context.for_principal(hook)).call(CATALOGUE["open_session"], session).id
    hook = Principal(actor=hook.actor, witness="observed", session=opened)
    call = {"phase": "begin", "tool": "Bash", "arguments": {"command": "make"}, "call_id": "1"}
    Local(context.for_principal(hook)).call(CATALOGUE["record_action"], call)
    return str(started)


def _head(journal: Journal) -> int:
    """Return the number of entries: sequence numbers are dense."""
    return journal.read_entries(newest_first=True, limit=1).entries[0].seq
