"""The SQL views show what the operations answer, in both SQL stores."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from tallystick import Journal
from tallystick.core.errors import TallystickError
from tallystick.core.types import Choice
from tallystick.store.postgres.store import PostgresStore
from tallystick.store.sqlite.store import SqliteStore
from tests.behaviour.scenarios import begin, do, end, planned, start, step, undo
from tests.matrix import Cell
from tests.promises import promise
from tests.sql_views import check_views, query


def _store(cell: Cell) -> SqliteStore | PostgresStore:
    assert isinstance(cell.store, SqliteStore | PostgresStore)
    return cell.store


def _rows(cell: Cell, view: str) -> list[dict[str, Any]]:
    cell.store.flush(cell.settings.journal)
    return query(_store(cell), f"select * from {view} where journal = '{cell.settings.journal}'")


def _something(journal: Journal, chance: Random, executions: list[str], actions: list[str]) -> None:
    """One random record, which may be refused."""
    if not executions or chance.random() < 0.06:
        executions.append(planned(journal, "a", "b", step("c", temporary=True)))
    execution, action = chance.choice(executions[-2:]), chance.choice(actions[-8:] or ["ac_none"])
    what = chance.randrange(8)
    if what < 3:
        more = {"step": chance.choice("abc")} if chance.random() < 0.6 else {"undo": "take it back"}
        temporary = chance.random() < 0.4
        actions.append(
            begin(journal, "tool", execution_id=execution, temporary=temporary, summary=f"{chance.random()}", **more)
        )
    elif what < 5:
        end(journal, action, chance.choice(["ok", "ok", "ok", "failed", "skipped", "unknown"]), result={"n": 1})
    elif what == 5:
        actions.append(begin(journal, kind="undo", undoes=action))
    elif what == 6:
        decision: Choice = chance.choice(["keep", "unwind", "stop", "fail", "done", "pause", "resume", "settle"])
        about: dict[str, Any] = {"action_id": action} if decision in ("keep", "settle") else {"execution_id": execution}
        about |= {"outcome": "ok", "evidence": "seen"} if decision == "settle" else {}
        about |= {"incomplete": "enough"} if decision == "done" else {}
        journal.record_decision(decision=decision, why="so", **about)
    else:
        journal.record_context(key=chance.choice("xy"), value={"n": 1}, scope="execution", execution_id=execution)


@promise("sql-views-show-what-is-recorded")
@pytest.mark.parametrize("seed", range(4))
def test_the_views_show_what_the_operations_answer(cell: Cell, seed: int) -> None:
    chance, met = Random(seed), Counter[str]()
    executions: list[str] = []
    actions: list[str] = []
    for _ in range(120):
        try:
            _something(cell.journal, chance, executions, actions)
        except TallystickError as error:
            met[error.code] += 1
    met += Counter(check_views(_store(cell), cell.journal, cell.settings.journal))
    empty = [
        view
        for view in ("executions", "steps", "actions", "owed", "decisions", "entries")
        if not met[f"recorded_{view}"]
    ]
    assert empty == [], met


@promise("sql-views-show-what-is-recorded")
def test_owed_and_in_doubt_are_views(cell: Cell) -> None:
    journal = cell.journal
    execution = planned(journal, "a", "b")
    done, again = (do(journal, step=name, summary=f"of {name}") for name in "ab")
    unknown = begin(journal, "mail", arguments={"to": "ada"}, undo={"tool": "recall", "arguments": {"n": 1}})
    end(journal, unknown, "unknown")
    assert _rows(cell, "recorded_owed") == []
    journal.record_decision(decision="fail", why="no")
    undo(journal, again)
    owed = {row["action_id"]: row for row in _rows(cell, "recorded_owed")}
    assert {id: (row["state"], row["undo"], bool(row["certain"])) for id, row in owed.items()} == {
        done: ("not_undone", {"words": "take back a"}, True),
        unknown: ("not_undone", {"tool": "recall", "arguments": {"n": 1}}, False),
    }
    (doubt,) = _rows(cell, "recorded_in_doubt")
    assert (doubt["action_id"], doubt["arguments"], doubt["execution_id"]) == (unknown, {"to": "ada"}, execution)
    check_views(_store(cell), journal, cell.settings.journal)


@promise("sql-views-show-what-is-recorded")
def test_an_erased_text_is_in_no_view(cell: Cell) -> None:
    journal = cell.journal
    start(journal, "the canary's work", task_id="T-1")
    do(journal, "tool", summary="a canary sang", arguments={"who": "canary"}, result={"heard": "canary"})
    journal.record_context(key="k", value="canary", scope="execution")
    journal.record_decision(decision="continue", why="the canary is well")
    assert "canary" in str(_rows(cell, "recorded_actions"))
    cell.person().erase(task_id="T-1", reason="asked to", force=True)
    views = (*(f"recorded_{name}" for name in ("executions", "actions", "decisions", "context", "entries")),)
    for view in (*views, "agent_execution_plans", "agent_execution_logs", "agent_context_memory"):
        assert "canary" not in str(_rows(cell, view)), view
    assert any(row["erased"] for row in _rows(cell, "recorded_entries"))


def _work_as_before(journal: Journal) -> Any:
    """A plan with its logs and its context, by the calls of the earlier design; returns it as they read it back."""
    classic = journal.classic
    read = {"step": 1, "action": "Read", "description": "all of it", "estimated_duration": 5}
    steps = [read, {"step": 2, "action": "Write"}]
    made = classic.create_plan(task_id="T-9", plan_type="implementation", steps=steps, reasoning="it is needed")
    log = {"plan_id": made["plan_id"], "step_number": 1}
    classic.add_log(**log, action_type="start_step", description="reading")
    seen = {"before_state": {"n": 0}, "after_state": {"n": 1}, "agent_confidence": 0.5, "entity_id": "file-1"}
    classic.add_log(**log, action_type="complete_step", description="read", **seen)
    finding = {"context_type": "research", "context_key": "found", "context_value": 7}
    classic.set_context(task_id="T-9", plan_id=made["plan_id"], **finding)
    return classic.get_plan(plan_id=made["plan_id"], include_logs=True, include_context=True)


@promise("sql-views-show-what-is-recorded")
def test_the_plans_of_the_earlier_design_have_the_newest_reason_that_was_given(cell: Cell) -> None:
    classic = cell.journal.classic
    step = {"step": 1, "action": "Read"}
    plan = classic.create_plan(task_id="T-9", plan_type="research", steps=[step], reasoning="it is needed")["plan_id"]

    def shown() -> set[str]:
        (row,) = _rows(cell, "agent_execution_plans")
        (listed,) = classic.query_plans(task_id="T-9")["plans"]
        return {row["agent_reasoning"], listed["agent_reasoning"], classic.get_plan(plan)["agent_reasoning"]}

    assert shown() == {"it is needed"}
    said: list[tuple[dict[str, Any], str]] = [
        ({"current_step": 1, "agent_reasoning": "it begins"}, "it begins"),
        ({"status": "in_progress"}, "it begins"),
        ({"status": "blocked", "agent_reasoning": "no key"}, "no key"),
        ({"status": "blocked", "agent_reasoning": "still no key"}, "still no key"),
        ({"status": "failed", "agent_reasoning": "it broke"}, "it broke"),
    ]
    for more, reason in said:
        assert classic.update_plan(plan_id=plan, **more)["agent_reasoning"] == reason
        assert shown() == {reason}


@promise("sql-views-show-what-is-recorded")
def test_a_plan_of_the_earlier_design_that_was_cancelled_has_the_reason(cell: Cell) -> None:
    steps = [{"id": "a", "name": "A"}]
    saved = cell.journal.classic.save_plan(name="D", steps=steps, reasoning="worth a try")["id"]
    cell.journal.classic.update_plan(plan_id=saved, status="cancelled", agent_reasoning="not needed")
    (row,) = _rows(cell, "agent_execution_plans")
    assert row["agent_reasoning"] == cell.journal.classic.get_plan(saved)["agent_reasoning"] == "not needed"


@promise("sql-views-show-what-is-recorded")
def test_the_views_of_the_earlier_design_show_what_its_calls_answer(cell: Cell) -> None:
    answer = _work_as_before(cell.journal)
    plan = answer["id"]
    (row,) = _rows(cell, "agent_execution_plans")
    for column in ("id", "task_id", "plan_type", "current_step", "total_steps", "status", "agent_reasoning", "title"):
        assert row[column] == answer[column], column
    steps = [{name: value for name, value in each.items() if value is not None} for each in row["plan_json"]["steps"]]
    assert steps == answer["plan_json"]["steps"]
    logs = {str(log["id"]): log for log in _rows(cell, "agent_execution_logs")}
    assert set(logs) == {log["id"] for log in answer["logs"]}
    shared = (
        "step_number",
        "action_type",
        "description",
        "after_state",
        "before_state",
        "agent_confidence",
        "entity_id",
    )
    for log in answer["logs"]:
        row = logs[log["id"]]
        assert row["plan_id"] == plan
        assert {name: row[name] for name in shared if name in log} == {
            name: log[name] for name in shared if name in log
        }
    (value,) = _rows(cell, "agent_context_memory")
    assert (value["task_id"], value["plan_id"], value["context_type"]) == ("T-9", plan, "research")
    assert (value["context_key"], value["context_value"]) == ("found", 7)
