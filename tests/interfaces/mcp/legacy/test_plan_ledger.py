"""The plan-and-ledger family, from its old calls to what the journal then holds."""

from typing import Any

import pytest

from tests.interfaces.mcp.legacy.client import Older

STEPS: list[dict[str, Any]] = [
    {
        "id": "copy",
        "name": "Copy the files",
        "tool": "cp",
        "parameters": {"to": "b"},
        "cancellable": "reversible",
        "compensation": {"tool": "rm", "parameters": {"path": "${result.path}"}},
        "failure_policy": {"action": "cancel_dependent", "propagate_to": ["tell"], "reason": "no copy, no news"},
    },
    {
        "id": "tell",
        "name": "Tell them",
        "cancellable": False,
        "depends_on": ["copy"],
        "retry": {"max_attempts": 5, "jitter": 1},
        "condition": "x",
    },
]


@pytest.fixture
def running(older: Older) -> str:
    """An execution with its first step done, and the second under way."""
    plan = older.result_of("save_plan", name="Move", steps=STEPS)["id"]
    execution: str = older.result_of("execute_plan", plan_id=plan)["id"]
    older.result_of(
        "control", execution_id=execution, action="complete_step", step_id="copy", result={"path": "b"}, reason="copied"
    )
    return execution


def steps_of(older: Older, execution: str) -> list[str]:
    """How far the steps of an execution are."""
    return [step.actual for step in older.journal.get_status(execution_id=execution).steps]


def undo_of(older: Older, execution: str, step: str) -> str:
    """The action that undid a step."""
    steps = {each.id: each for each in older.journal.get_status(execution_id=execution).steps}
    return older.journal.get_action(action_id=steps[step].action_id).undone_by


@pytest.mark.parametrize("name", ["save_plan", "record_plan"])
def test_a_legacy_plan_is_recorded_as_a_current_plan(older: Older, name: str) -> None:
    result = older.result_of(name, name="Move", description="to the new host", steps=STEPS)
    assert result["steps"] == ["copy", "tell"]
    plan = older.journal.get_plan(plan_id=result["id"]).revisions[0]
    assert (plan.title, plan.goal) == ("Move", "to the new host")
    copy, tell = plan.steps
    assert copy["title"] == "Copy the files"
    assert (copy["tool"], copy["arguments"], copy["cancellable"]) == ("cp", {"to": "b"}, "reversible")
    assert copy["undo"] == {"tool": "rm", "arguments": {"path": "${result.path}"}}
    assert copy["failure_policy"] == {
        "action": "cancel_dependent",
        "propagate_to": ["tell"],
        "reason": "no copy, no news",
    }
    assert (tell["after"], tell["cancellable"], tell["retry"]) == (["copy"], "irreversible", {"attempts": 5})


def test_extra_fields_of_a_plan_are_recorded_in_its_reasoning(older: Older) -> None:
    result = older.result_of("save_plan", name="Move", steps=STEPS, owner="ada", reasoning="it is time")
    reasoning = older.journal.get_plan(plan_id=result["id"]).revisions[0].reasoning
    assert reasoning.startswith("it is time\n\nAlso given: ")
    assert '"owner":"ada"' in reasoning
    assert '"steps":{"tell":{"retry.jitter":1,"condition":"x"}}' in reasoning


@pytest.mark.parametrize(
    ("step", "cancellable"),
    [
        ({"cancellable": True}, "reversible"),
        ({"cancellable": False}, "irreversible"),
        ({"compensation": "put it back"}, "reversible"),
        ({"cancellable": "irreversible", "compensation": "write to them"}, "irreversible"),
        ({}, "partially-reversible"),
    ],
)
def test_a_step_can_declare_whether_it_can_be_cancelled_in_any_of_the_old_ways(
    older: Older, step: dict[str, Any], cancellable: str
) -> None:
    result = older.result_of("save_plan", name="One", steps=[{"name": "only", **step}])
    found = older.journal.get_plan(plan_id=result["id"]).revisions[0].steps[0]
    assert found["cancellable"] == cancellable
    assert found.get("undo") == step.get("compensation")


def test_old_steps_are_understood_under_todays_title(older: Older) -> None:
    result = older.result_of(
        "record_plan", title="Move", steps=[{"name": "a", "id": 1}, {"name": "b", "dependsOn": [1]}]
    )
    assert older.journal.get_plan(plan_id=result["id"]).revisions[0].steps[1]["after"] == ["1"]


def test_a_mistake_in_the_current_form_is_still_rejected(older: Older) -> None:
    error = older.refused("record_plan", titel="Move", steps=[{"title": "a", "cancellable": "reversible"}])
    assert error["message"] == 'There is no argument "titel".'
    assert older.refused("record_action", phase="note", summary="x", step_id="a")["field"] == "step_id"


@pytest.mark.parametrize(("name", "begun"), [("execute_plan", ["copy"]), ("record_execution_start", [])])
def test_executing_a_plan_records_its_start_and_reports_that_nothing_is_run(
    older: Older, name: str, begun: list[str]
) -> None:
    plan = older.result_of("save_plan", name="Move", steps=STEPS)["id"]
    result = older.result_of(name, plan_id=plan, notes="at night", window="02:00")
    assert (result["plan_id"], result["status"], result["next_steps"]) == (plan, "running", ["copy"])
    assert result["next"].startswith("nothing ")
    assert older.last("execution_started").body["notes"] == 'at night\n\nAlso given: {"window":"02:00"}'
    assert [entry.facts["step"] for entry in older.entries("action_begun")] == begun


def test_control_steers_an_execution_by_decisions(older: Older, running: str) -> None:
    assert older.result_of("control", execution_id=running, action="pause", reason="lunch")["status"] == "paused"
    assert older.result_of("control", execution_id=running, action="start")["status"] == "running"
    assert older.result_of("control", execution_id=running, action="pause")["status"] == "paused"
    assert older.result_of("control", execution_id=running, action="resume", ticket=7)["status"] == "running"
    result = older.result_of("control", execution_id=running, action="cancel", reason="too late")
    assert result["status"] == "cancelled"
    assert "copy" in [item["step"] for item in result["owed"]]
    assert "record_compensation" in result["next"]
    decisions = older.entries("decision_recorded")
    assert [(entry.facts["decision"], entry.body["why"]) for entry in decisions] == [
        ("pause", "lunch"),
        ("resume", "No reason was given."),
        ("pause", "No reason was given."),
        ("resume", 'No reason was given.\n\nAlso given: {"ticket":7}'),
        ("stop", "too late"),
    ]


def test_control_starts_an_execution_of_a_plan(older: Older) -> None:
    plan = older.result_of("save_plan", name="Move", steps=STEPS)["id"]
    first = older.result_of("control", action="start", plan_id=plan, reason="now")
    second = older.result_of("control", action="start", plan_id=plan)
    started = older.entries("execution_started")
    assert [entry.id for entry in started] == [first["execution_id"], second["execution_id"]]
    assert {entry.facts["plan_id"] for entry in started} == {plan}
    assert "nothing is run" in first["next"]
    assert "complete_step, step_id=copy" in first["next"]


def test_an_old_decision_is_recorded_with_its_details(older: Older, running: str) -> None:
    result = older.result_of(
        "record_decision", execution_id=running, action="continue", reason="fine", details="as planned"
    )
    assert result["status"] == "running"
    assert older.last("decision_recorded").body["why"] == "fine\nas planned"
    older.result_of("record_decision", action="stop", reason="enough", details={"cost": 3}, by="ada")
    found = older.last("decision_recorded")
    assert found.facts["decision"] == "stop"
    assert found.body["why"] == 'enough\n\nAlso given: {"by":"ada","details":{"cost":3}}'


def test_an_old_decision_without_a_reason_is_refused_by_the_old_name(older: Older, running: str) -> None:
    error = older.refused("record_decision", execution_id=running, action="continue", details="")
    assert (error["field"], error["message"]) == ("reason", "reason is missing.")


def test_a_compensation_without_its_step_is_refused_with_the_steps_that_were_begun(older: Older, running: str) -> None:
    error = older.refused("record_compensation", execution_id=running, description="removed the copy")
    assert (error["field"], error["message"]) == ("step_id", "step_id is missing.")


@pytest.mark.parametrize("name", ["after", "depends_on"])
def test_a_step_that_waits_for_none_is_refused_by_the_name_that_was_given(older: Older, name: str) -> None:
    error = older.refused("save_plan", name="x", steps=[{"id": "a", "name": "a", name: ["b"]}])
    other = {"after": "depends_on", "depends_on": "after"}[name]
    assert error["field"] == f"steps.a.{name}"
    assert other not in error["message"] + error["hint"]


def test_a_compensation_is_an_undo_of_the_steps_action_in_one_commit(older: Older, running: str) -> None:
    result = older.result_of(
        "record_compensation",
        execution_id=running,
        step_id="copy",
        description="removed the copy",
        tool="rm",
        parameters={"path": "b"},
        result={"files": 3},
        ticket="T-9",
    )
    action = older.journal.get_action(action_id=result["action_id"])
    assert (action.kind, action.state, action.tool) == ("undo", "ok", "rm")
    assert action.begin_body["arguments"] == {"path": "b"}
    assert action.begin_body["summary"] == "removed the copy"
    assert action.end_body["result"] == {"files": 3, "ticket": "T-9"}
    assert undo_of(older, running, "copy") == result["action_id"]
    begun, ended = older.entries("action_begun", "action_ended")[-2:]
    assert (begun.seq + 1, begun.at) == (ended.seq, ended.at)


def test_a_compensation_that_began_is_ended_by_the_next_call(older: Older, running: str) -> None:
    begun = older.result_of("record_compensation", step_id="copy", description="removing", status="in_progress")
    assert begun["state"] == "open"
    ended = older.result_of(
        "record_compensation", step_id="copy", description="gone", status="failed", error="no rights"
    )
    assert (ended["action_id"], ended["state"]) == (begun["action_id"], "failed")
    assert older.journal.get_action(action_id=ended["action_id"]).end_body == {"summary": "gone", "error": "no rights"}


def test_a_step_that_was_not_begun_cannot_be_compensated(older: Older) -> None:
    plan = older.result_of("save_plan", name="Move", steps=STEPS)["id"]
    execution = older.result_of("execute_plan", plan_id=plan)["id"]
    error = older.refused("record_compensation", execution_id=execution, step_id="tell", description="x")
    assert (error["field"], error["allowed"]) == ("step_id", ["copy"])
    assert f"control(execution_id={execution}, action=start, step_id=tell)" in error["hint"]
    assert "next" not in error
    assert older.refused("record_compensation", execution_id=execution, description="x")["field"] == "step_id"


def test_a_compensation_that_was_done_is_repeated_only_with_a_reason(older: Older, running: str) -> None:
    arguments = {"execution_id": running, "step_id": "copy", "description": "removed"}
    older.result_of("record_compensation", **arguments)
    error = older.refused("record_compensation", **arguments)
    assert error["code"] == "already_done"
    assert "`again`" in error["hint"]
    older.result_of("record_compensation", **arguments, again="it came back")
    assert len(older.entries("action_begun")) == 4


@pytest.mark.parametrize("kind", ["notified", "other"])
def test_an_old_action_is_a_note_on_its_step(older: Older, running: str, kind: str) -> None:
    older.result_of(
        "record_action", execution_id=running, step_id="tell", action_type=kind, description="did it", who="me"
    )
    note = older.last("action_noted")
    assert (note.facts["tool"], note.facts["step"], note.execution_id) == (kind, "tell", running)
    assert note.body == {"summary": "did it", "arguments": {"who": "me"}}
    assert steps_of(older, running) == ["done", "running"]


@pytest.mark.parametrize(
    ("kind", "actual"),
    [
        ("stopped", "failed"),
        ("failed", "failed"),
        ("skipped", "skipped"),
        ("completed", "done"),
        ("deployed", "done"),
        ("started", "running"),
    ],
)
@pytest.mark.parametrize("is_begun", [True, False])
def test_an_old_action_moves_its_step_by_its_word(older: Older, kind: str, actual: str, is_begun: bool) -> None:
    plan = older.result_of("save_plan", name="One", steps=[{"id": "one", "name": "do it"}])["id"]
    name = "execute_plan" if is_begun and kind != "started" else "record_execution_start"
    execution = older.result_of(name, plan_id=plan, notes="")["id"]
    older.result_of("record_action", execution_id=execution, step_id="one", action_type=kind, description="so it was")
    assert steps_of(older, execution) == [actual]
    assert older.entries("action_noted") == []


def test_a_word_on_a_step_that_is_done_is_a_note(older: Older, running: str) -> None:
    older.result_of("record_action", execution_id=running, step_id="copy", action_type="verified", description="seen")
    assert older.last("action_noted").facts["tool"] == "verified"
    assert steps_of(older, running) == ["done", "running"]


@pytest.mark.parametrize("kind", ["rolled_back", "cleaned_up"])
def test_a_rollback_or_cleanup_is_an_undo(older: Older, running: str, kind: str) -> None:
    result = older.result_of(
        "record_action", execution_id=running, step_id="copy", action_type=kind, description="undone"
    )
    action = older.journal.get_action(action_id=result["id"])
    assert (action.kind, action.state) == ("undo", "ok")
    assert action.begin_body["summary"] == "undone"
    assert action.end_body["result"] == {"action_type": kind}
    assert undo_of(older, running, "copy") == result["id"]


@pytest.mark.parametrize("over", ["rolled_back", "cleaned_up", "skipped"])
def test_a_step_that_is_done_after_it_was_undone_or_skipped_is_a_new_attempt(
    older: Older, running: str, over: str
) -> None:
    step = "tell" if over == "skipped" else "copy"
    for kind in (over, "started", "executed"):
        older.result_of("record_action", execution_id=running, step_id=step, action_type=kind, description=kind)
    views = {each.id: each for each in older.journal.get_status(execution_id=running).steps}
    assert (views[step].actual, views[step].attempts) == ("done", 2)
    assert step in [item.step for item in older.journal.get_undo_list(execution_id=running).items]
    assert older.entries("action_noted") == []


def test_a_step_that_was_undone_and_is_reported_done_again_can_be_undone_again(older: Older, running: str) -> None:
    for kind in ("rolled_back", "executed", "rolled_back", "executed"):
        older.result_of("record_action", execution_id=running, step_id="copy", action_type=kind, description=kind)
    assert steps_of(older, running) == ["done", "running"]
    assert [item.step for item in older.journal.get_undo_list(execution_id=running).items] == ["tell", "copy"]


@pytest.mark.parametrize("cancellable", ["reversible", "partially-reversible", "irreversible"])
def test_a_step_that_was_undone_in_part_can_be_done_again(older: Older, cancellable: str) -> None:
    steps = [{"id": "one", "name": "do it", "cancellable": cancellable}]
    plan = older.result_of("save_plan", name="One", steps=steps)["id"]
    execution = older.result_of("record_execution_start", plan_id=plan, notes="")["id"]
    for kind in ("executed", "rolled_back", "executed"):
        older.result_of("record_action", execution_id=execution, step_id="one", action_type=kind, description=kind)
    (view,) = older.journal.get_status(execution_id=execution).steps
    assert (view.actual, view.attempts, older.entries("action_noted")) == ("done", 2, [])


def test_a_cleanup_with_no_action_to_undo_is_a_note(older: Older, running: str) -> None:
    older.result_of("record_action", action_type="cleaned_up", description="swept")
    plan = older.result_of("save_plan", name="One", steps=[{"id": "one", "name": "do it"}])["id"]
    other = older.result_of("record_execution_start", plan_id=plan, notes="")["id"]
    older.result_of(
        "record_action", execution_id=other, step_id="one", action_type="rolled_back", description="not begun"
    )
    assert [note.facts["tool"] for note in older.entries("action_noted")] == ["cleaned_up", "rolled_back"]


def test_status_shows_the_requested_parts(older: Older, running: str) -> None:
    whole = older.result_of("status", execution_id=running)
    assert (whole["view"], whole["execution"]["id"]) == ("status", running)
    assert [step["actual"] for step in whole["steps"]] == ["done", "running"]
    assert "entries" not in whole
    short = older.result_of("status", include_step_details=False)
    assert "steps" not in short
    assert short["execution"] == whole["execution"]
    events = older.result_of("status", execution_id=running, include_events=True)
    kinds = [entry["kind"] for entry in events["entries"]]
    assert kinds == ["action_begun", "action_ended", "action_begun", "execution_started"]


@pytest.mark.parametrize("name", ["query_history", "query_ledger"])
def test_history_is_read_in_the_old_words(older: Older, running: str, name: str) -> None:
    assert older.result_of(name, execution_id=running, include_events=True)["entries"]
    found = older.result_of(name, status_filter="in_progress")
    assert (found["view"], [each["id"] for each in found["executions"]]) == ("executions", [running])
    assert older.result_of(name, status_filter="completed")["executions"] == []
    assert older.result_of(name, query_type="plan")["plans"][0]["title"] == "Move"
    assert older.result_of(name, query_type="events", limit=1)["entries"][0]["kind"] == "action_begun"
    owed = older.result_of(name, query_type="compensations", execution_id=running)["items"]
    assert "copy" in [item["step"] for item in owed]
    assert older.refused(name, status_filter="odd")["field"] == "status_filter"


def test_an_offset_begins_later_and_ends_with_an_empty_page(older: Older) -> None:
    started = [older.result_of("record_execution_start", notes=str(number))["id"] for number in range(5)]
    shown = [
        older.result_of("query_history", query_type="executions", limit=2, offset=offset) for offset in (0, 2, 4, 5, 9)
    ]
    pages = [[each["id"] for each in page["executions"]] for page in shown]
    assert pages == [started[:2:-1], [started[2], started[1]], [started[0]], [], []]
    assert older.refused("query_history", query_type="stats", offset=2)["field"] == "offset"


def test_dependencies_are_read_like_depends_on(older: Older) -> None:
    steps = [{"id": "a", "name": "a"}, {"id": "b", "name": "b"}, {"id": "c", "name": "c", "dependencies": ["a"]}]
    result = older.result_of("record_plan", name="Wide", steps=steps)
    found = older.journal.get_plan(plan_id=result["id"]).revisions[0]
    assert [step["after"] for step in found.steps] == [[], [], ["a"]]
    assert (found.reasoning, "notes" in result) == ("", False)


def test_fields_without_an_effect_are_named(older: Older) -> None:
    result = older.result_of("save_plan", name="Move", steps=STEPS, owner="ada")
    assert result["notes"] == [
        "Recorded as text or data, without any effect: owner, steps.tell.retry.jitter, steps.tell.condition."
    ]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("record_decision", {"action": "continue", "reason": "fine"}),
        ("control", {"action": "pause"}),
        ("control", {"action": "complete_step"}),
        ("control", {"action": "fail_step", "step_id": "tell"}),
        ("record_action", {"step_id": "tell", "action_type": "deployed"}),
        ("record_action", {"step_id": "tell", "action_type": "notified"}),
        ("record_action", {"step_id": "copy", "action_type": "rolled_back"}),
        ("record_compensation", {"step_id": "copy"}),
        ("record_execution_start", {"plan_id": None, "notes": "again"}),
        ("execute_plan", {"plan_id": None}),
        ("add_log", {"plan_id": None, "action_type": "look"}),
        ("update_plan", {"plan_id": None, "current_step": "tell", "agent_reasoning": "on"}),
        ("set_context", {"context_key": "k", "context_value": 1}),
    ],
)
def test_an_argument_that_no_field_takes_is_kept_and_named_in_the_answer(
    older: Older, running: str, name: str, arguments: dict[str, Any]
) -> None:
    if "plan_id" in arguments:
        plan = older.journal.get_status(execution_id=running).execution.plan_id
        arguments = {**arguments, "plan_id": plan}
    result = older.result_of(name, **arguments, ticket="T-9")
    assert "Recorded as text or data, without any effect: ticket." in result["notes"]
    assert "T-9" in str([entry.body for entry in older.entries()])


def test_a_second_name_for_the_same_argument_is_kept_and_named(older: Older) -> None:
    steps = [{"id": "a", "name": "a"}, {"id": "b", "name": "b", "depends_on": ["a"], "dependencies": []}]
    result = older.result_of("record_plan", name="Old", title="New", steps=steps)
    plan = older.journal.get_plan(plan_id=result["id"]).revisions[0]
    assert (plan.title, plan.steps[1]["after"]) == ("New", ["a"])
    assert result["notes"] == ["Recorded as text or data, without any effect: name, steps.b.dependencies."]
    assert '"name":"Old"' in plan.reasoning


def test_every_current_decision_is_taken_by_its_older_name_too(older: Older, running: str) -> None:
    assert older.result_of("record_decision", action="unwind", reason="no")["status"] == "unwinding"


def test_a_whole_old_story_ends_with_nothing_owed(older: Older) -> None:
    plan = older.result_of("savePlan", name="Move", steps=STEPS)["id"]
    execution = older.result_of("executePlan", planId=plan)["id"]
    older.result_of("control", execution_id=execution, action="fail_step", step_id="copy", reason="disk full")
    undone = older.result_of("recordCompensation", executionId=execution, stepId="copy", description="removed the rest")
    older.result_of("record_decision", execution_id=execution, action="stop", reason="the disk is full")
    assert older.journal.get_status(execution_id=execution).execution.status == "cancelled"
    assert undo_of(older, execution, "copy") == undone["action_id"]
    assert older.journal.verify().ok


def test_without_a_step_under_way_a_refusal_names_the_action_that_begins_one(older: Older) -> None:
    plan = older.result_of("save_plan", name="One", steps=[{"id": "a", "name": "A"}])["id"]
    execution = older.result_of("execute_plan", plan_id=plan)["execution_id"]
    older.result_of("control", execution_id=execution, action="fail_step", step_id="a")
    error = older.refused("control", execution_id=execution, action="complete_step")
    assert error["hint"] == "Name a step with action=start."
    assert older.result_of("control", execution_id=execution, action="start", step_id="a")["state"] == "open"
