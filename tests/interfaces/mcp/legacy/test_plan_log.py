"""The plan-log-context family, from its old calls to what the journal then holds."""

from pathlib import Path
from typing import Any, cast

import pytest

from tallystick.interfaces.journals import JournalContexts
from tallystick.interfaces.mcp.server import McpServer
from tallystick.interfaces.mcp.sessions import CallInfo, HandleSessions
from tallystick.sdk.local import Local
from tallystick.server.authentication import loopback_access
from tests.interfaces.mcp.legacy.client import Older

STEPS: list[dict[str, Any]] = [
    {"step": 1, "action": "read", "description": "the code", "estimated_duration": 5},
    {"step": 2, "action": "write", "risk": "low"},
    {"step": 3, "action": "ship"},
]


@pytest.fixture
def plan(older: Older) -> str:
    found: str = older.result_of("create_plan", task_id="T-1", plan_type="change", steps=STEPS)["plan_id"]
    return found


def steps_of(older: Older, plan: str) -> list[str]:
    """How far the steps are in the newest execution."""
    execution = older.journal.list_executions(plan_id=plan).executions[0]
    return [step.actual for step in older.journal.get_status(execution_id=execution.id).steps]


def execution_of(older: Older, plan: str) -> str:
    return older.journal.list_executions(plan_id=plan).executions[0].status


def test_creating_a_plan_records_it_and_starts_it_in_one_commit(older: Older) -> None:
    result = older.result_of(
        "create_plan", task_id=17, plan_type="change", steps=STEPS, reasoning="asked for", team="red"
    )
    plan = older.journal.get_plan(plan_id=result["plan_id"]).revisions[0]
    assert (plan.title, plan.type, plan.task_id) == ("change for 17", "change", "17")
    assert [(step["id"], step["title"]) for step in plan.steps] == [
        ("1", "read: the code"),
        ("2", "write"),
        ("3", "ship"),
    ]
    assert plan.steps[0]["estimate"] == 300
    assert plan.reasoning == 'asked for\n\nAlso given: {"team":"red","steps":{"2":{"risk":"low"}}}'
    recorded, started = older.entries("plan_recorded", "execution_started")
    assert (started.id, started.at) == (result["execution_id"], recorded.at)
    assert (result["status"], result["next_steps"]) == ("in_progress", ["1"])
    assert (result["id"], result["total_steps"], result["current_step"]) == (plan.id, 3, 1)
    (read, *_) = result["plan_json"]["steps"]
    assert (read["step"], read["action"], read["description"], read["estimated_duration"]) == (1, "read", "the code", 5)
    assert result["notes"] == ["Recorded as text or data, without any effect: team, steps.2.risk."]
    assert older.journal.list_executions(task_id="17").executions[0].plan_id == result["plan_id"]


def test_a_plan_that_is_refused_starts_nothing(older: Older) -> None:
    older.refused("create_plan", task_id="T-1", steps=[{"step": 1, "action": "a"}, {"step": 1, "action": "b"}])
    assert older.entries() == []


def test_a_step_that_is_started_and_completed_is_one_action(older: Older, plan: str) -> None:
    begun = older.result_of(
        "add_log",
        plan_id=plan,
        step_number=1,
        action_type="start_step",
        description="reading",
        entity_type="file",
        entity_id=9,
        before_state={"lines": 10},
        agent_confidence=0.5,
        mood="calm",
    )
    assert begun["state"] == "open"
    assert "complete_step, step_number=1" in begun["next"]
    entry = older.last("action_begun")
    assert (entry.facts["step"], entry.facts["entity_type"], entry.facts["entity_id"]) == ("1", "file", "9")
    assert entry.facts["confidence"] == 0.5
    assert entry.body == {"summary": "reading", "before": {"lines": 10}, "arguments": {"mood": "calm"}}
    assert steps_of(older, plan) == ["running", "planned", "planned"]
    ended = older.result_of(
        "add_log",
        plan_id=plan,
        step_number=1,
        action_type="complete_step",
        description="read",
        after_state={"lines": 12},
        agent_confidence=1,
        pages=3,
    )
    assert (ended["action_id"], ended["state"]) == (begun["action_id"], "ok")
    assert older.last("action_ended").body == {"summary": "read", "after": {"lines": 12}, "result": {"pages": 3}}
    assert steps_of(older, plan) == ["done", "planned", "planned"]


def test_a_step_that_was_never_started_is_begun_and_ended_in_one_commit(older: Older, plan: str) -> None:
    result = older.result_of(
        "add_log", plan_id=plan, step_number=1, action_type="complete_step", before_state=1, after_state=2, cost=3
    )
    begun, ended = older.entries("action_begun", "action_ended")
    assert (begun.id, ended.id, begun.at) == (result["action_id"], result["action_id"], ended.at)
    assert (begun.body, ended.body) == (
        {"summary": "read: the code", "before": 1},
        {"after": 2, "result": {"cost": 3}},
    )
    assert steps_of(older, plan)[0] == "done"


def test_an_error_message_makes_a_step_fail(older: Older, plan: str) -> None:
    older.result_of("add_log", plan_id=plan, step_number=1, action_type="complete_step", error_message="no such file")
    ended = older.last("action_ended")
    assert (ended.facts["outcome"], ended.body["error"]) == ("failed", "no such file")
    older.result_of("add_log", plan_id=plan, step_number=1, action_type="complete_step", description="found it")
    assert older.last("action_ended").facts["outcome"] == "ok"
    assert steps_of(older, plan)[0] == "done"


def test_a_step_can_be_skipped_or_failed_by_its_log(older: Older, plan: str) -> None:
    older.result_of("add_log", plan_id=plan, step_number=1, action_type="skip_step", description="known already")
    older.result_of("add_log", plan_id=plan, step_number=2, action_type="fail_step", description="it broke")
    assert steps_of(older, plan) == ["skipped", "failed", "planned"]


def test_any_other_log_is_a_note_on_its_step(older: Older, plan: str) -> None:
    begun = older.result_of("add_log", plan_id=plan, step_number=1, action_type="start_step")["action_id"]
    older.result_of(
        "add_log",
        plan_id=plan,
        step_number=1,
        action_type="create_subtask",
        description="one more",
        entity_id="S-2",
        after_state={"subtasks": 1},
        tags=["x"],
    )
    note = older.last("action_noted")
    assert (note.id, note.facts["step"], note.facts["tool"]) == (begun, "1", "create_subtask")
    assert note.facts["entity_id"] == "S-2"
    assert note.body == {"summary": "one more", "after": {"subtasks": 1}, "arguments": {"tags": ["x"]}}
    older.result_of("add_log", plan_id=plan, step_number=2, action_type="block", description="waiting for a key")
    assert older.last("action_noted").facts["step"] == "2"
    assert steps_of(older, plan) == ["running", "planned", "planned"]


def test_starting_a_step_that_is_under_way_is_a_note_on_it(older: Older, plan: str) -> None:
    begun = older.result_of("add_log", plan_id=plan, step_number=1, action_type="start_step")["action_id"]
    older.result_of("add_log", plan_id=plan, step_number=1, action_type="start_step", description="still at it")
    assert (older.last("action_noted").id, len(older.entries("action_begun"))) == (begun, 1)


def test_a_change_that_belongs_to_no_step_is_an_action_of_its_own_and_owed(older: Older, plan: str) -> None:
    arguments = {"plan_id": plan, "action_type": "create_subtask", "description": "one more", "entity_id": "S-2"}
    result = older.result_of("add_log", **arguments)
    assert (result["state"], older.last("action_begun").facts["tool"]) == ("ok", "create_subtask")
    assert [item.action_id for item in older.journal.get_undo_list().items] == [result["action_id"]]
    assert older.refused("add_log", **arguments)["code"] == "already_done"
    assert older.result_of("add_log", **arguments, again="it was wanted twice")["state"] == "ok"


def test_a_log_finds_the_newest_open_execution_of_its_plan_or_starts_one(older: Older, plan: str) -> None:
    newer = older.result_of("execute_plan", plan_id=plan)["id"]
    assert older.result_of("add_log", plan_id=plan, action_type="look", description="x")["execution_id"] == newer
    for execution in older.journal.list_executions(plan_id=plan).executions:
        older.result_of("control", execution_id=execution.id, action="cancel")
    result = older.result_of("add_log", plan_id=plan, step_number=1, action_type="complete_step", description="anew")
    started, begun, ended = older.entries("execution_started", "action_begun", "action_ended")[-3:]
    assert started.id == result["execution_id"]
    assert {entry.execution_id for entry in (begun, ended)} == {started.id}
    assert started.at == ended.at


def test_a_step_that_is_not_in_the_plan_or_not_its_turn_is_refused(older: Older, plan: str) -> None:
    error = older.refused("add_log", plan_id=plan, step_number=9, action_type="start_step")
    assert (error["field"], error["allowed"]) == ("step_number", ["1", "2", "3"])
    assert older.refused("add_log", plan_id=plan, step_number=3, action_type="start_step")["code"] == "wrong_state"
    error = older.refused("add_log", plan_id=plan, step_number=1, action_type="start_step", agent_confidence=3)
    assert (error["code"], error["field"]) == ("invalid_argument", "agent_confidence")
    assert older.entries("action_begun", "action_noted") == []


def test_a_step_that_a_dead_agent_left_open_is_completed_only_with_evidence(tmp_path: Path) -> None:
    first = Older(tmp_path / "older.db")
    plan = first.result_of("create_plan", task_id="T-1", steps=STEPS)["plan_id"]
    first.result_of("add_log", plan_id=plan, step_number=1, action_type="start_step")
    first.close()
    second = Older(tmp_path / "older.db")
    arguments = {"plan_id": plan, "step_number": 1, "action_type": "complete_step"}
    error = second.refused("add_log", **arguments)
    assert (error["code"], error["field"]) == ("in_doubt_open", "evidence")
    assert second.result_of("add_log", **arguments, evidence="the file is there")["state"] == "ok"
    second.close()


def test_reaching_a_step_ends_the_one_before_and_begins_it(older: Older, plan: str) -> None:
    older.result_of("update_plan", plan_id=plan, current_step=1, status="in_progress")
    assert steps_of(older, plan) == ["running", "planned", "planned"]
    older.result_of("update_plan", plan_id=plan, current_step=2)
    assert steps_of(older, plan) == ["done", "running", "planned"]
    older.result_of("update_plan", plan_id=plan, current_step=3, agent_reasoning="that was quick", hint="x")
    assert steps_of(older, plan) == ["done", "done", "running"]
    decision = older.last("decision_recorded")
    assert (decision.facts["decision"], decision.facts["step"]) == ("continue", "3")
    assert decision.body["why"] == 'that was quick\n\nAlso given: {"hint":"x"}'
    result = older.result_of("update_plan", plan_id=plan, status="completed")
    assert result["status"] == "completed"
    assert "unfinished" not in result
    assert steps_of(older, plan) == ["done", "done", "done"]


def test_a_step_out_of_turn_is_not_begun_and_the_response_names_the_reason(older: Older, plan: str) -> None:
    result = older.result_of("update_plan", plan_id=plan, current_step=3)
    assert result["notes"] == ["Step 3 was not begun: it comes after 2."]
    assert older.last("decision_recorded").facts["step"] == "3"
    assert steps_of(older, plan) == ["planned", "planned", "planned"]


@pytest.mark.parametrize(
    ("word", "status", "decision"),
    [
        ("pending", "blocked", "pause"),
        ("in_progress", "in_progress", "continue"),
        ("blocked", "blocked", "pause"),
        ("failed", "failed", "fail"),
        ("cancelled", "cancelled", "stop"),
    ],
)
def test_a_status_is_a_decision(older: Older, plan: str, word: str, status: str, decision: str) -> None:
    assert older.result_of("update_plan", plan_id=plan, status=word, agent_reasoning="so it is")["status"] == status
    entry = older.last("decision_recorded")
    assert (entry.facts["decision"], entry.body["why"]) == (decision, "so it is")


def test_a_blocked_plan_goes_on_when_it_is_in_progress_again(older: Older, plan: str) -> None:
    older.result_of("update_plan", plan_id=plan, status="blocked", agent_reasoning="no key")
    older.result_of("update_plan", plan_id=plan, status="blocked", agent_reasoning="still none")
    assert older.last("action_noted").body["summary"] == "still none"
    assert older.refused("add_log", plan_id=plan, step_number=1, action_type="start_step")["code"] == "wrong_state"
    result = older.result_of("update_plan", plan_id=plan, status="in_progress", current_step=1)
    assert (result["status"], result["state"]) == ("in_progress", "open")
    assert [entry.facts["decision"] for entry in older.entries("decision_recorded")] == ["pause", "resume"]


def test_a_step_that_fails_with_its_plan_ends_as_failed(older: Older, plan: str) -> None:
    older.result_of("add_log", plan_id=plan, step_number=1, action_type="start_step")
    older.result_of("update_plan", plan_id=plan, current_step=1, status="failed", agent_reasoning="it broke")
    assert older.last("action_ended").body["error"] == "it broke"
    assert (execution_of(older, plan), steps_of(older, plan)[0]) == ("failed", "failed")


def test_completing_an_unfinished_plan_needs_a_reason_and_shows_it(older: Older, plan: str) -> None:
    error = older.refused("update_plan", plan_id=plan, status="completed")
    assert (error["code"], error["field"]) == ("wrong_state", "agent_reasoning")
    assert "3 steps not done (1, 2, 3)" in error["message"]
    assert "say in agent_reasoning why it may end so" in error["hint"]
    result = older.result_of("update_plan", plan_id=plan, status="completed", agent_reasoning="no need for the rest")
    assert (result["status"], result["unfinished"]) == ("completed", {"steps_not_done": 3})


def test_a_plan_that_has_ended_stays_ended(older: Older, plan: str) -> None:
    older.result_of("update_plan", plan_id=plan, status="cancelled")
    assert older.refused("update_plan", plan_id=plan, status="completed", agent_reasoning="x")["code"] == "wrong_state"
    assert len(older.entries("execution_started")) == 1


def test_cancelling_a_plan_that_was_never_started_retires_it(older: Older) -> None:
    plan = older.result_of("save_plan", name="Later", steps=[{"name": "a"}])["id"]
    older.result_of("update_plan", plan_id=plan, status="cancelled", agent_reasoning="not needed")
    found = older.journal.get_plan(plan_id=plan)
    assert (found.status, found.revisions[0].retired_reason) == ("cancelled", "not needed")
    assert older.result_of("query_plans", status="cancelled")["plans"][0]["id"] == plan


def test_an_empty_update_is_refused(older: Older, plan: str) -> None:
    error = older.refused("update_plan", plan_id=plan)
    assert (error["field"], "in_progress" in error["allowed"]) == ("status", True)


def test_a_plan_is_read_with_its_logs_and_context(older: Older, plan: str) -> None:
    older.result_of("add_log", plan_id=plan, step_number=1, action_type="start_step", description="reading")
    older.result_of("set_context", plan_id=plan, context_key="finding", context_value="it is old")
    short = older.result_of("get_plan", plan_id=plan)
    assert (short["title"], short["status"], short["total_steps"]) == ("change for T-1", "in_progress", 3)
    assert [step["status"] for step in short["plan_json"]["steps"]] == ["running", "planned", "planned"]
    assert short["execution_id"] == older.journal.list_executions(plan_id=plan).executions[0].id
    assert not {"logs", "context"} & set(short)
    whole = older.result_of("get_plan", plan_id=plan, include_logs=True, include_context=True)
    assert [(log["action_type"], log["step_number"]) for log in whole["logs"]] == [("start_step", 1)]
    assert [(each["context_key"], each["context_value"]) for each in whole["context"]] == [("finding", "it is old")]
    assert older.refused("get_plan", plan_id="pl_none")["allowed"] == [plan]


def test_plans_are_found_by_task_type_and_status_in_old_words(older: Older, plan: str) -> None:
    other = older.result_of("create_plan", task_id="T-2", plan_type="study", steps=STEPS)["plan_id"]
    waiting = older.result_of("save_plan", name="Later", steps=[{"name": "a"}])["id"]
    older.result_of("update_plan", plan_id=other, status="blocked")

    def found(**arguments: Any) -> list[str]:
        return [each["id"] for each in older.result_of("query_plans", **arguments)["plans"]]

    assert found() == [waiting, other, plan]
    assert (found(task_id="T-1"), found(plan_type="study")) == ([plan], [other])
    assert (found(status="in_progress"), found(status="blocked")) == ([plan], [other])
    assert (found(status="pending"), found(status="completed")) == ([waiting], [])
    first = older.result_of("query_plans", limit=2)
    assert older.result_of("query_plans", limit=2, cursor=first["next_cursor"])["plans"][0]["id"] == plan
    assert "next_cursor" not in older.result_of("query_plans", limit=3)


def test_logs_are_found_by_plan_task_type_and_time(older: Older, plan: str) -> None:
    other = older.result_of("create_plan", task_id="T-2", steps=STEPS)["plan_id"]
    older.result_of("add_log", plan_id=other, step_number=1, action_type="complete_step")
    older.result_of("add_log", plan_id=plan, step_number=1, action_type="block", description="no key")

    def found(**arguments: Any) -> list[str]:
        return [each["action_type"] for each in older.result_of("query_logs", **arguments)["logs"]]

    assert found(plan_id=plan) == ["block"]
    assert found(task_id="T-2") == ["complete_step"]
    assert found(action_type="block") == ["block"]
    assert found(action_type="complete_step", plan_id=other) == ["complete_step"]
    assert found(action_type="complete_step", plan_id=plan) == []
    assert found(end_date="2020-01-01") == []
    first = older.result_of("query_logs", start_date="2020-01-01", limit=1)
    assert [each["action_type"] for each in first["logs"]] == ["block"]
    assert found(cursor=first["next_cursor"]) == ["complete_step"]


def test_a_search_for_started_steps_shows_no_subtasks(older: Older, plan: str) -> None:
    older.result_of("add_log", plan_id=plan, action_type="create_subtask", description="one", entity_id="S-1")
    older.result_of("add_log", plan_id=plan, step_number=1, action_type="start_step", description="reading")
    older.result_of("add_log", plan_id=plan, step_number=1, action_type="create_subtask", entity_id="S-2")
    started = older.result_of("query_logs", action_type="start_step")["logs"]
    assert [(log["step_number"], log["description"]) for log in started] == [(1, "reading")]
    subtasks = older.result_of("query_logs", task_id="T-1", action_type="create_subtask")["logs"]
    assert [log["entity_id"] for log in subtasks] == ["S-2", "S-1"]


def test_context_is_remembered_for_its_task_with_its_history(older: Older, plan: str) -> None:
    where = {"task_id": "T-1", "context_type": "research", "context_key": "host"}
    older.result_of("set_context", **where, context_value="a1", plan_id=plan, metadata={"by": "ada"}, source="mail")
    assert older.result_of("set_context", **where, context_value={"name": "b2"})["version"] == 2
    older.result_of("set_context", task_id="T-1", context_type="decisions", context_key="host", context_value="keep it")
    stored = older.journal.get_context(key="research.host", scope="task", task_id="T-1", limit=5).values
    assert [each.value for each in stored] == [{"name": "b2"}, "a1"]
    assert (stored[1].metadata, stored[1].derived_from) == ({"by": "ada", "source": "mail"}, (plan,))
    assert (stored[0].type, stored[0].scope_id) == ("research", "T-1")
    (newest,) = older.result_of("get_context", **where)["context"]
    assert (newest["context_key"], newest["context_value"]) == ("host", {"name": "b2"})
    both = older.result_of("get_context", task_id="T-1", context_key="host")["context"]
    assert {each["context_type"] for each in both} == {"research", "decisions"}


def test_context_of_a_plan_is_that_of_its_task(older: Older, plan: str) -> None:
    older.result_of("set_context", plan_id=plan, context_key="k", context_value=None)
    assert older.last("context_recorded").facts["scope_id"] == "T-1"
    (null,) = older.result_of("get_context", task_id="T-1", context_type="notes", context_key="k")["context"]
    assert "context_value" not in null
    alone = older.result_of("save_plan", name="Alone", steps=[{"name": "a"}])["id"]
    older.result_of("set_context", plan_id=alone, context_key="k", context_value="mine")
    found = older.result_of("get_context", plan_id=alone)["context"]
    assert [(each["task_id"], each["context_value"]) for each in found] == [(alone, "mine")]


def test_context_is_found_by_words_type_and_todays_keys(older: Older) -> None:
    older.result_of("set_context", task_id="T-1", context_type="files", context_key="a", context_value="the red file")
    older.result_of("set_context", task_id="T-2", context_type="notes", context_key="b", context_value="the blue file")
    older.result_of("set_context", context_key="c", context_value="for all")
    older.result_of("record_context", key="plain", value="today", type="finding")

    def found(**arguments: Any) -> list[str]:
        return [each["context_key"] for each in older.result_of("query_context", **arguments)["context"]]

    assert (found(query="red"), found(query="file", task_id="T-2")) == (["a"], ["b"])
    assert found(context_type="files") == ["a"]
    assert len(found()) == 4
    assert found(context_key="c") == ["c"]
    assert found(context_type="finding", context_key="plain") == ["plain"]
    error = older.refused("get_context", task_id="T-1", context_type="files", context_key="none")
    assert error["code"] == "unknown_handle"


def _sessions(older: Older) -> HandleSessions:
    contexts = JournalContexts(cast(Local, older.journal.caller))
    return HandleSessions(contexts, loopback_access(contexts.journal), contexts.journal)


def test_a_request_that_is_sent_again_is_answered_and_recorded_once(older: Older) -> None:
    offer = McpServer(_sessions(older))

    def send(call: str, name: str, **arguments: Any) -> dict[str, Any]:
        asking = CallInfo(request_id=1, meta={"threadId": "t", "callId": call}, modern=True)
        result = offer.answer("tools/call", {"name": name, "arguments": arguments}, asking)
        assert not result["isError"], result
        found: dict[str, Any] = result["structuredContent"]
        return found

    created = send("a", "create_plan", task_id="T-1", steps=STEPS)
    plan, started = created["plan_id"], created["execution_id"]
    calls: list[dict[str, Any]] = [
        {"name": "create_plan", "task_id": "T-2", "steps": STEPS},
        {"name": "save_plan", "title": "Other", "steps": [{"name": "a"}]},
        {"name": "add_log", "plan_id": plan, "step_number": 1, "action_type": "start_step"},
        {"name": "add_log", "plan_id": plan, "step_number": 1, "action_type": "complete_step"},
        {"name": "update_plan", "plan_id": plan, "current_step": 2},
        {"name": "update_plan", "plan_id": plan, "current_step": 3, "agent_reasoning": "on"},
        {"name": "record_compensation", "execution_id": started, "step_id": "1", "description": "undone"},
        {"name": "update_plan", "plan_id": plan, "status": "completed"},
    ]
    for number, call_arguments in enumerate(calls):
        first = send(str(number), **call_arguments)
        before = older.entries()
        again = send(str(number), **call_arguments)
        assert older.entries() == before, call_arguments
        assert again["repeated"] is True, call_arguments
        handles = ("seq", "id", "plan_id", "execution_id", "action_id")
        assert {name: again.get(name) for name in handles} == {name: first.get(name) for name in handles}, (
            call_arguments
        )


def test_reading_over_http_by_an_old_name_opens_no_session(older: Older) -> None:
    offer = McpServer(_sessions(older))
    for name in ("query_plans", "query_logs", "query_history", "getContext"):
        result = offer.answer("tools/call", {"name": name, "arguments": {}}, CallInfo(modern=True))
        assert not result["isError"], result
    assert older.entries() == []
