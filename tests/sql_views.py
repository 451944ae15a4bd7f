"""Reads a journal through its SQL views, as another program does, and compares them with what operations answer."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
from msgspec import json, to_builtins

from tallystick import Journal
from tallystick.core.formats import times
from tallystick.core.state import Action, Execution
from tallystick.core.types import FINAL_STATUSES
from tallystick.operations.runtime.lookup import ERASED
from tallystick.store.interface import Select, Store
from tallystick.store.postgres.store import PostgresStore
from tallystick.store.sqlite.store import SqliteStore

Row = dict[str, Any]
ALL = 1_000_000
JSON_COLUMNS = {"arguments", "result", "undo", "alternatives", "options", "value", "metadata", "facts", "body"} | {
    "plan_json",
    "before_state",
    "after_state",
    "context_value",
}


def query(store: SqliteStore | PostgresStore, sql: str) -> list[Row]:
    """The rows of a query, by a driver that is not ours: times as text, JSON decoded, yes and no as bool."""
    if isinstance(store, SqliteStore):
        with closing(sqlite3.connect(f"file:{store.path}?mode=ro", uri=True)) as file:
            cursor = file.execute(sql)
            names = [column[0] for column in cursor.description]
            found = [dict(zip(names, row, strict=True)) for row in cursor]
        return [{name: _decoded(name, value) for name, value in row.items()} for row in found]
    with psycopg.connect(store._address, row_factory=psycopg.rows.dict_row) as connection:
        return [{name: _plain(value) for name, value in row.items()} for row in connection.execute(sql.encode())]


def columns(store: SqliteStore | PostgresStore) -> dict[str, list[str]]:
    """The columns of each view, in order."""
    views = "select name from sqlite_master where type = 'view'"
    if isinstance(store, PostgresStore):
        views = "select viewname as name from pg_views where schemaname = current_schema()"
    sql = "select name from pragma_table_info('{}')"
    if isinstance(store, PostgresStore):
        sql = "select attname as name from pg_attribute where attrelid = '{}'::regclass and attnum > 0 order by attnum"
    return {
        row["name"]: [each["name"] for each in query(store, sql.format(row["name"]))] for row in query(store, views)
    }


def _decoded(name: str, value: Any) -> Any:
    return json.decode(value) if name in JSON_COLUMNS and isinstance(value, str) else value


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return times.iso((value - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1))
    return value


# ----------------------------------------------------------------------------------------------------------------------
# What the views show is what the operations answer, apart from what only the clock of now tells.


def check_views(store: SqliteStore | PostgresStore, journal: Journal, name: str) -> dict[str, int]:
    """Compare every view of a journal whose writers have paused; returns how many rows of each were compared."""
    store.flush(name)
    views = {view: query(store, f"select * from {view} where journal = '{name}'") for view in columns(store)}
    _check_executions(store, journal, name, views)
    _check_actions(store, journal, name, views)
    _check_entries(journal, views)
    remembered = {(each.scope, each.scope_id, each.key): each for each in _pages(journal, "list_context", "values")}
    for row in views["recorded_context"]:
        value = remembered[row["scope"], row["scope_id"], row["key"] or ERASED]
        assert (row["value"], row["metadata"], row["at"]) == (value.value, value.metadata, value.at)
        assert (row["type"], row["actor"], row["versions"]) == (value.type, value.actor, value.versions)
    assert len(remembered) == len(views["recorded_context"]) == len(views["agent_context_memory"])
    asked = {each.id: each for each in _pages(journal, "list_approvals", "approvals")}
    for row in views["recorded_approvals"]:
        question = asked.pop(row["id"])
        assert question.status in (row["status"], *(("expired", "closed") if row["status"] == "pending" else ()))
        texts = (row["question"] or ERASED, row["tool"], row["arguments"], row["asked"], row["decided"] or "")
        shown = (question.question, question.tool, question.arguments, question.asked, question.decided)
        assert texts == shown, (texts, shown)
        assert (row["reason"] or "", row["decided_by"]) == (question.reason.replace(ERASED, ""), question.decided_by), (
            row
        )
    assert not asked
    return {view: len(rows) for view, rows in views.items()}


def _pages(journal: Journal, operation: str, field: str, **arguments: Any) -> Iterator[Any]:
    """All items that an operation lists."""
    call: Callable[..., Any] = getattr(journal, operation)
    arguments |= {"include_expired": True} if operation == "list_context" else {}
    page = call(limit=100, **arguments)
    yield from getattr(page, field)
    while page.next_cursor:
        page = call(limit=100, cursor=page.next_cursor, **arguments)
        yield from getattr(page, field)


def _check_executions(store: Store, journal: Journal, name: str, views: dict[str, list[Row]]) -> None:
    shown = {each.id: each for each in _pages(journal, "list_executions", "executions")}
    assert {row["id"] for row in views["recorded_executions"]} == set(shown)
    steps: dict[str, list[Row]] = {}
    for row in views["recorded_steps"]:
        steps.setdefault(row["execution_id"], []).append(row)
    for row in views["recorded_executions"]:
        execution = shown[row["id"]]
        for column in ("status", "plan_id", "revision", "task_id", "actor", "client", "session", "started", "last"):
            assert row[column] == getattr(execution, column), (row, column)
        for column in ("done_steps", "skipped_steps", "undone_steps", "total_steps", "failed", "unplanned", "late"):
            assert row[column] == getattr(execution, column), (row, column)
        assert (row["title"] or "", row["ended"] or "") == (execution.title.replace(ERASED, ""), execution.ended)
        assert row["owed"] == execution.owed or (execution.interrupted and row["status"] not in FINAL_STATUSES)
        status = journal.get_status(execution_id=row["id"])
        listed = sorted(steps.get(row["id"], []), key=lambda step: (step["dropped"], step["position"] or 0))
        assert {step["id"] for step in listed if row["plan_id"]} == {step.id for step in status.steps}
        for step in status.steps:
            other = next(each for each in listed if each["id"] == step.id)
            assert other["status"] == step.actual or (other["status"], step.actual) == ("running", "in_doubt"), other
            assert (other["attempts"], other["action_id"], bool(other["dropped"])) == (
                step.attempts,
                step.action_id,
                step.dropped,
            )


def _check_actions(store: Store, journal: Journal, name: str, views: dict[str, list[Row]]) -> None:
    stored = {row.id: row for row in store.read(name, lambda view: view.find(Action, Select(limit=ALL)))}
    shown = {each.id: each for each in _pages(journal, "list_actions", "actions")}
    assert {row["id"] for row in views["recorded_actions"]} == set(stored) == set(shown)
    for row in views["recorded_actions"]:
        action = shown[row["id"]]
        assert row["state"] == action.state or (row["state"], action.state) == ("open", "in_doubt")
        for column in ("execution_id", "step", "kind", "tool", "actor", "witness", "session", "attempt", "undoes"):
            assert row[column] == getattr(action, column), (row, column)
        assert bool(row["temporary"]) == action.temporary
    doubted = {each.action_id: each for each in _pages(journal, "list_in_doubt", "in_doubt")}
    recorded = {id for id in doubted if stored[id].state != "open"}
    assert {row["action_id"] for row in views["recorded_in_doubt"]} == recorded
    for row in views["recorded_in_doubt"]:
        item = doubted[row["action_id"]]
        assert (row["since"], row["why"]) == (item.since, item.why.partition(";")[0])
        assert row["arguments"] == item.arguments
    executions = {row.id: row for row in store.read(name, lambda view: view.find(Execution, Select(limit=ALL)))}
    owed = {
        each.action_id: each
        for each in _pages(journal, "list_owed", "owed")
        if executions[each.execution_id].owes_all or executions[each.execution_id].status in FINAL_STATUSES
    }
    assert {row["action_id"] for row in views["recorded_owed"]} == set(owed)
    for row in views["recorded_owed"]:
        debt = owed[row["action_id"]]
        as_of_now = {"undoing": "in_doubt", "not_undone": "not_possible" if row["deadline"] else "not_undone"}
        assert debt.state in (row["state"], as_of_now.get(row["state"])), row
        assert bool(row["certain"]) == debt.certain
        assert (row["undo"] is None) == (debt.undo is None), row
        assert row["undo"] is None or isinstance(row["undo"], dict), row


def _check_entries(journal: Journal, views: dict[str, list[Row]]) -> None:
    entries = list(journal.read_entries(limit=1000).entries)
    rows = sorted(views["recorded_entries"], key=lambda row: int(row["place"]))
    assert [row["seq"] for row in rows[:1000]] == [entry.seq for entry in entries]
    for row, entry in zip(rows, entries, strict=False):
        for column in ("id", "at", "kind", "actor", "actor_kind", "witness", "session", "execution_id", "hash"):
            assert row[column] == getattr(entry, column), (row, column)
        assert (row["body"], bool(row["erased"])) == (to_builtins(entry.body), entry.erased)
    decided = {entry.id: entry for entry in entries if entry.kind == "decision_recorded"}
    assert {row["id"] for row in views["recorded_decisions"]} >= set(decided)
    for row in views["recorded_decisions"]:
        if made := decided.get(row["id"]):
            assert (row["why"], row["actor"], row["at"]) == ((made.body or {}).get("why"), made.actor, made.at)
            assert (row["decision"], row["status"]) == (made.facts["decision"], made.facts["status"])
