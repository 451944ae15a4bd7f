"""The names of the earlier designs: who finds them, how they are spelt, and what is refused."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.mcp.legacy.client import Older

LEDGER = {
    "record_plan": ("name", "description", "steps"),
    "save_plan": ("name", "description", "steps"),
    "record_execution_start": ("plan_id", "notes"),
    "execute_plan": ("plan_id", "notes", "task_id", "plan_type", "steps", "reasoning"),
    "control": ("execution_id", "action", "step_id", "reason", "plan_id"),
    "record_decision": ("execution_id", "action", "reason", "details"),
    "record_action": ("execution_id", "step_id", "action_type", "description"),
    "record_compensation": ("execution_id", "step_id", "description", "tool", "parameters", "result", "status"),
    "status": ("execution_id", "include_step_details", "include_events"),
    "query_ledger": (
        *("execution_id", "include_step_details", "include_events", "query_type", "status_filter", "limit", "offset"),
    ),
    "query_history": (
        *("execution_id", "include_step_details", "include_events", "query_type", "status_filter", "limit", "offset"),
    ),
    "cleanup_history": ("older_than_days", "dry_run"),
}
LOGS = {
    "create_plan": ("task_id", "plan_type", "steps", "reasoning"),
    "update_plan": ("plan_id", "current_step", "status", "agent_reasoning"),
    "add_log": (
        *("plan_id", "step_number", "action_type", "description", "entity_id", "entity_type", "before_state"),
        *("after_state", "agent_confidence", "error_message"),
    ),
    "set_context": ("task_id", "plan_id", "context_type", "context_key", "context_value", "metadata"),
    "get_context": ("task_id", "plan_id", "context_type", "context_key", "query"),
    "query_context": ("task_id", "plan_id", "context_type", "context_key", "query"),
    "get_plan": ("plan_id", "include_logs", "include_context"),
    "query_plans": ("task_id", "status", "plan_type", "limit"),
    "query_logs": ("plan_id", "task_id", "action_type", "start_date", "end_date", "limit"),
}
CONTROLS = ["start", "complete_step", "fail_step", "pause", "resume", "cancel"]
CURRENT = [
    "record_plan",
    "record_execution_start",
    "record_action",
    "record_decision",
    "record_context",
    "query_ledger",
]
STEPS = [
    {"step": 1, "action": "read", "description": "the code", "estimated_duration": 5},
    {"step": 2, "action": "write"},
]


@pytest.fixture
def listing(tmp_path: Path) -> Iterator[Older]:
    client = Older(tmp_path / "older.db", profile="classic")
    yield client
    client.close()


def test_the_profile_lists_the_older_names_with_their_older_arguments(listing: Older) -> None:
    tools = listing.ask("tools/list")["tools"]
    assert {tool["name"]: tuple(tool["inputSchema"]["properties"]) for tool in tools} == LEDGER | LOGS


def test_tools_of_the_profile_are_described_and_annotated_like_any_tool(listing: Older) -> None:
    for tool in listing.ask("tools/list")["tools"]:
        assert tool["description"].endswith("."), tool["name"]
        assert tool["outputSchema"]["type"] == "object", tool["name"]
        assert set(tool["inputSchema"].get("required", ())) <= set(tool["inputSchema"]["properties"]), tool["name"]
        assert len(tool["annotations"]) == 4
        assert tool["annotations"]["destructiveHint"] is False


def test_the_closed_lists_of_words_stand_in_the_schemas(listing: Older) -> None:
    tools = {tool["name"]: tool["inputSchema"]["properties"] for tool in listing.ask("tools/list")["tools"]}
    assert tools["control"]["action"] == {"enum": list(CONTROLS)}
    assert tools["record_decision"]["action"] == {"enum": ["stop", "continue"]}
    assert tools["update_plan"]["status"]["enum"] == [
        *("pending", "in_progress", "blocked", "completed", "failed", "cancelled"),
    ]
    assert tools["record_action"]["action_type"] == {"type": "string"}
    step = tools["save_plan"]["steps"]["description"]
    assert all(word in step for word in ("cancel_all", "cancel_dependent", "continue_others", "manual_decision"))


def test_a_server_loads_no_translation_before_an_older_name_is_called() -> None:
    looked = (
        "import sys, tallystick.interfaces.mcp.transport.stdio; "
        "print([name for name in sys.modules if '.legacy.' in name])"
    )
    done = subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_classic_profile_has_its_own_instructions(listing: Older) -> None:
    result = listing.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={})["instructions"]
    assert "under the names of its earlier designs" in result
    assert len(result) < 1_200


def test_by_default_none_of_them_is_listed_and_all_of_them_answer(older: Older) -> None:
    assert [tool["name"] for tool in older.ask("tools/list")["tools"]] == CURRENT
    for name in {*LEDGER, *LOGS} - set(CURRENT):
        result = older.call(name, {})
        assert "content" in result, result
        assert "unexpectedly" not in result["content"][0]["text"], name


def test_current_arguments_work_as_usual_in_the_classic_profile(listing: Older) -> None:
    plan = listing.result_of("record_plan", title="Today", steps=[{"title": "do", "cancellable": "irreversible"}])
    execution = listing.result_of("record_execution_start", plan_id=plan["id"])
    action = listing.result_of("record_action", phase="begin", step="do", summary="now")
    listing.result_of("record_action", phase="end", action_id=action["id"], outcome="ok")
    assert listing.result_of("record_decision", decision="done", why="")["status"] == "completed"
    assert (
        listing.result_of("query_ledger", view="status", execution_id=execution["id"])["execution"]["done_steps"] == 1
    )


@pytest.mark.parametrize("spelt", ["createPlan", "create_plan"])
def test_names_and_arguments_answer_in_camel_case_too(older: Older, spelt: str) -> None:
    arguments: dict[str, Any] = {
        "taskId": "T-1",
        "planType": "change",
        "steps": [{"action": "go", "estimatedDuration": 2}],
    }
    if spelt == "create_plan":
        arguments = {"task_id": "T-1", "plan_type": "change", "steps": [{"action": "go", "estimated_duration": 2}]}
    plan = older.result_of(spelt, **arguments)["plan_id"]
    found = older.journal.get_plan(plan_id=plan).revisions[0]
    assert (found.task_id, found.type, found.steps[0]["estimate"]) == ("T-1", "change", 120)


def test_every_older_name_has_a_camel_case_one(older: Older) -> None:
    for name in {*LEDGER, *LOGS} - set(CURRENT):
        first, *others = name.split("_")
        spelt = first + "".join(other.capitalize() for other in others)
        assert older.call(spelt, {"limit": 0}) == older.call(name, {"limit": 0})
    assert older.result_of("queryPlans") == older.result_of("query_plans")


def test_names_inside_a_value_keep_their_spelling(older: Older) -> None:
    plan = older.result_of("createPlan", taskId="T-1", steps=STEPS)["plan_id"]
    older.result_of(
        "addLog", planId=plan, stepNumber=1, actionType="look", beforeState={"itemCount": 1}, moreThings={"aB": 1}
    )
    body = older.last("action_noted").body
    assert body["before"] == {"itemCount": 1}
    assert body["arguments"] == {"moreThings": {"aB": 1}}


def test_history_is_not_cleaned_up_by_an_agent(older: Older) -> None:
    older.result_of("create_plan", task_id="T-1", steps=STEPS)
    before = older.entries()
    error = older.refused("cleanup_history", older_than_days=30, dry_run=True)
    assert error["code"] == "not_permitted"
    assert "tallystick erase" in error["hint"]
    assert older.entries() == before


@pytest.mark.parametrize(
    ("name", "arguments", "field", "allowed"),
    [
        ("control", {"action": "explode"}, "action", CONTROLS),
        ("record_compensation", {"step_id": "a", "status": "odd"}, "status", None),
        ("record_action", {"action_type": ""}, "action_type", []),
        ("update_plan", {"plan_id": "pl_x", "status": "odd"}, "status", None),
        ("query_plans", {"status": "odd"}, "status", None),
        ("query_history", {"query_type": "odd"}, "query_type", None),
        ("status", {"include_events": "yes"}, "include_events", []),
        ("get_plan", {"plan_id": "pl_x", "limit": 1000}, "limit", []),
        ("query_history", {"offset": -1}, "offset", []),
        ("save_plan", {"steps": []}, "name", []),
        ("save_plan", {"name": "x", "steps": [{"tool": "t"}]}, "steps[0].name", []),
        ("save_plan", {"name": "x", "steps": [{"name": "a", "cancellable": "maybe"}]}, "steps[0].cancellable", None),
        ("save_plan", {"name": "x", "steps": [{"name": "a", "parameters": 1}]}, "steps[0].parameters", []),
        ("save_plan", {"name": "x", "steps": "none"}, "steps", []),
        ("save_plan", {"name": 7, "steps": [{"name": "a"}]}, "name", []),
        ("execute_plan", {}, "plan_id", []),
        ("create_plan", {"task_id": "T", "steps": [{"step": 1}]}, "steps[0].action", []),
        ("create_plan", {"task_id": "T", "steps": [{"action": "a", "estimated_duration": "long"}]}, None, []),
        ("add_log", {"action_type": "look"}, "plan_id", []),
        ("add_log", {"plan_id": "pl_x", "action_type": "start_step"}, "step_number", []),
        ("add_log", {"plan_id": "pl_x", "action_type": ["look"]}, "action_type", []),
        ("set_context", {"context_key": "k"}, "context_value", []),
        ("query_logs", {"start_date": "soon"}, "start_date", []),
        ("query_logs", {"colour": "red"}, "colour", None),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_that_the_caller_used(
    older: Older, name: str, arguments: dict[str, Any], field: str | None, allowed: list[str] | None
) -> None:
    error = older.refused(name, **arguments)
    assert error["code"] == "invalid_argument", error
    if field:
        assert error["field"] == field
        assert field in error["message"] + error.get("hint", "")
    if allowed is None:
        assert len(error["allowed"]) > 1
    else:
        assert error.get("allowed", []) == allowed
    assert older.entries() == []


def test_a_wrong_decision_under_its_older_name_is_refused_with_all_that_is_allowed(older: Older) -> None:
    older.result_of("create_plan", task_id="T-1", steps=STEPS)
    error = older.refused("record_decision", action="give_up", reason="tired")
    assert (error["code"], error["field"]) == ("invalid_argument", "action")
    assert {"stop", "continue"} <= set(error["allowed"])


def test_an_unknown_handle_is_answered_with_those_that_exist(older: Older) -> None:
    plan = older.result_of("create_plan", task_id="T-1", steps=STEPS)["plan_id"]
    error = older.refused("add_log", plan_id="pl_none", action_type="look", description="x")
    assert (error["code"], error["allowed"]) == ("unknown_handle", [plan])


@pytest.mark.parametrize("name", sorted({*LEDGER, *LOGS}))
def test_nonsense_is_rejected_or_answered_but_never_an_unexpected_error(older: Older, name: str) -> None:
    arguments = {**LEDGER, **LOGS}[name]
    plan = older.result_of("create_plan", task_id="T-1", steps=STEPS)["plan_id"]
    for value in (7, "x", True, [1, [2]], {"a": {"b": 1}}, 1.5, "{0}", "", "@0", None):
        everywhere = dict.fromkeys(arguments, value)
        for call_arguments in (
            everywhere,
            {**everywhere, "plan_id": plan},
            {**everywhere, "steps": [value, {"step": value}]},
        ):
            result = older.call(name, call_arguments)
            assert "unexpectedly" not in result["content"][0]["text"], (call_arguments, result)
