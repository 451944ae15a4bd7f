"""The examples of the earlier designs, word for word: over stdio, over HTTP in both protocols, and as Python."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tallystick import AsyncJournal, InvalidArgument, Journal
from tests.interfaces.mcp.http_client import Served, served
from tests.interfaces.mcp.legacy.client import Older

Say = Callable[..., dict[str, Any]]
"""Makes a call by its name, and returns its answer."""
STEPS: list[dict[str, Any]] = [
    {"step": 1, "action": "search", "description": "find the sources", "estimated_duration": 5},
    {"step": 2, "action": "read", "description": "read them", "estimated_duration": 30},
    {"step": 3, "action": "write", "description": "write it down"},
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(f"sqlite:///{tmp_path_factory.mktemp('flows') / 'journal.db'}") as found:
        yield found


def _over_stdio(path: Path, server: Served) -> Iterator[Say]:
    older = Older(path / "flows.db")
    yield older.result_of
    older.close()


def _over_http(path: Path, server: Served) -> Iterator[Say]:
    def say(name: str, /, **arguments: Any) -> dict[str, Any]:
        result = server.call(name, **arguments)
        assert result["isError"] is False, result["content"]
        answer: dict[str, Any] = result["structuredContent"]
        return answer

    yield say


def _over_http_with_handshake(path: Path, server: Served) -> Iterator[Say]:
    headers = server.handshake()
    numbers = iter(range(1, 1000))

    def say(name: str, /, **arguments: Any) -> dict[str, Any]:
        params = {"name": name, "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": next(numbers), "method": "tools/call", "params": params}
        result = server.post(body, headers).message["result"]
        assert result["isError"] is False, result["content"]
        answer: dict[str, Any] = result["structuredContent"]
        return answer

    yield say


def _as_python(path: Path, server: Served) -> Iterator[Say]:
    with Journal.open("memory:", journal="flows") as journal:
        yield lambda name, /, **arguments: getattr(journal.classic, name)(**arguments)


INTERFACES = {
    "stdio": _over_stdio,
    "http": _over_http,
    "http-handshake": _over_http_with_handshake,
    "python": _as_python,
}


@pytest.fixture(params=INTERFACES)
def say(request: pytest.FixtureRequest, tmp_path: Path, server: Served) -> Iterator[Say]:
    yield from INTERFACES[request.param](tmp_path, server)


@pytest.fixture
def task(request: pytest.FixtureRequest) -> str:
    """A task of this test only: the tests over HTTP share a journal."""
    return str(request.node.name)


def steps_of(say: Say, execution: str) -> dict[str, str]:
    """How far the steps are, as `status` shows it."""
    return {step["id"]: step["actual"] for step in say("status", execution_id=execution)["steps"]}


def test_five_tools_carry_a_plan_from_its_start_to_a_recorded_compensation(say: Say) -> None:
    steps = [
        {"id": "copy", "name": "Copy", "tool": "cp", "parameters": {"to": "b"}, "compensation": {"tool": "rm"}},
        {"id": "link", "name": "Link", "cancellable": True, "compensation": "unlink", "depends_on": ["copy"]},
        {"id": "tell", "name": "Tell", "cancellable": False, "depends_on": ["link"]},
    ]
    plan = say("save_plan", name="Move", description="to the new host", steps=steps)["id"]
    started = say("execute_plan", plan_id=plan)
    execution = started["execution_id"]
    assert steps_of(say, execution) == {"copy": "running", "link": "planned", "tell": "planned"}
    say("control", execution_id=execution, action="complete_step", step_id="copy")
    assert steps_of(say, execution) == {"copy": "done", "link": "running", "tell": "planned"}
    assert say("control", execution_id=execution, action="pause", reason="lunch")["status"] == "paused"
    assert say("control", execution_id=execution, action="resume")["status"] == "running"
    say("control", execution_id=execution, action="fail_step", step_id="link", reason="no rights")
    say("control", execution_id=execution, action="start", step_id="link")
    say("control", execution_id=execution, action="complete_step", step_id="link")
    assert steps_of(say, execution) == {"copy": "done", "link": "done", "tell": "running"}
    say("control", execution_id=execution, action="fail_step", step_id="tell", reason="nobody there")
    cancelled = say("control", execution_id=execution, action="cancel", reason="too late")
    assert cancelled["status"] == "cancelled"
    undone = [
        say("record_compensation", execution_id=execution, step_id=step, description="undone")["state"]
        for step in ("link", "copy")
    ]
    assert undone == ["ok", "ok"]


def test_a_plan_whose_steps_are_all_completed_is_completed_and_can_still_be_compensated(say: Say) -> None:
    steps = [{"id": "a", "name": "A", "compensation": "undo a"}, {"id": "b", "name": "B", "compensation": "undo b"}]
    execution = say("execute_plan", plan_id=say("save_plan", name="Two", steps=steps)["id"])["execution_id"]
    say("control", execution_id=execution, action="complete_step", step_id="a")
    done = say("control", execution_id=execution, action="complete_step", step_id="b")
    assert done["status"] == "completed"
    assert say("record_compensation", execution_id=execution, step_id="b", description="not wanted")["state"] == "ok"
    assert say("status", execution_id=execution)["execution"]["status"] == "completed"


def test_a_step_that_waits_for_a_person_is_not_begun_and_the_answer_says_so(say: Say) -> None:
    steps = [{"id": "a", "name": "A"}, {"id": "b", "name": "B", "cancellable": False, "needs_approval": True}]
    execution = say("execute_plan", plan_id=say("save_plan", name="Ask", steps=steps)["id"])["execution_id"]
    answer = say("control", execution_id=execution, action="complete_step", step_id="a")
    assert steps_of(say, execution) == {"a": "done", "b": "planned"}
    assert "needs a person's approval" in answer["notes"][0]


def test_dependencies_and_any_word_for_an_action(say: Say) -> None:
    steps = [{"id": "a", "name": "a"}, {"id": "b", "name": "b"}, {"id": "c", "name": "c", "dependencies": ["a", "b"]}]
    plan = say("record_plan", name="Wide", steps=steps)["id"]
    execution = say("record_execution_start", plan_id=plan, notes="")["id"]
    for step, word in (("b", "deployed"), ("a", "completed"), ("c", "stopped")):
        say("record_action", execution_id=execution, step_id=step, action_type=word, description="so it was")
    say("record_action", execution_id=execution, step_id="b", action_type="rolled_back", description="put back")
    say("record_action", execution_id=execution, step_id="a", action_type="notified", description="told them")
    assert steps_of(say, execution) == {"a": "done", "b": "done", "c": "failed"}
    say("record_decision", execution_id=execution, action="stop", reason="c failed")
    assert say("query_ledger", execution_id=execution, include_step_details=True)["execution"]["status"] == "cancelled"


def test_the_research_loop(say: Say, task: str) -> None:
    plan = say("createPlan", task_id=task, plan_type="research", steps=STEPS, reasoning="asked for")
    assert [step["action"] for step in plan["plan_json"]["steps"]] == ["search", "read", "write"]
    assert (plan["total_steps"], plan["current_step"], plan["status"]) == (3, 1, "in_progress")
    for step in (1, 2, 3):
        say(
            "addLog",
            plan_id=plan["id"],
            step_number=step,
            action_type="complete_step",
            description=f"step {step}",
            after_state={"found": step},
        )
        moved = say("updatePlan", plan_id=plan["id"], current_step=step + 1)
        assert moved["current_step"] == step + 1
    say("setContext", task_id=task, context_type="research", context_key="key_findings", context_value=["a", "b"])
    assert say("updatePlan", plan_id=plan["id"], status="completed")["status"] == "completed"
    found = say("getPlan", planId=plan["id"], includeLogs=True, includeContext=True)
    assert (found["status"], found["current_step"]) == ("completed", 4)
    done = [log for log in found["logs"] if log["action_type"] == "complete_step"]
    assert [(log["step_number"], log["after_state"]) for log in done] == [
        (3, {"found": 3}),
        (2, {"found": 2}),
        (1, {"found": 1}),
    ]
    (value,) = found["context"]
    assert (value["context_key"], value["context_type"], value["context_value"]) == (
        "key_findings",
        "research",
        ["a", "b"],
    )
    assert say("getContext", task_id=task, context_key="key_findings")["context"][0]["context_value"] == ["a", "b"]


def test_the_step_behind_the_last_means_that_all_steps_are_done(say: Say, task: str) -> None:
    plan = say("create_plan", task_id=task, plan_type="x", steps=STEPS)["id"]
    moved = say("update_plan", plan_id=plan, current_step=4)
    assert [step["status"] for step in moved["plan_json"]["steps"]] == ["done", "done", "done"]
    assert moved["status"] == "in_progress"
    assert say("update_plan", plan_id=plan, status="completed")["status"] == "completed"


def test_subtasks_are_found_by_their_parent(say: Say, task: str) -> None:
    plan = say("createPlan", task_id=task, plan_type="subtask_breakdown", steps=STEPS)["id"]
    for step in STEPS:
        say(
            "addLog",
            plan_id=plan,
            step_number=step["step"],
            action_type="create_subtask",
            entity_id=f"S-{step['step']}",
            description=step["action"],
        )
    logs = say("queryLogs", task_id=task, action_type="create_subtask")["logs"]
    assert [(log["step_number"], log["entity_id"]) for log in logs] == [(3, "S-3"), (2, "S-2"), (1, "S-1")]
    assert say("queryLogs", task_id=task, action_type="start_step")["logs"] == []


def test_an_error_blocks_a_plan_which_is_then_found(say: Say, task: str) -> None:
    plan = say("createPlan", task_id=task, plan_type="implementation", steps=STEPS)["id"]
    say(
        "addLog",
        plan_id=plan,
        step_number=1,
        action_type="block",
        description="no key",
        error_message="401",
        agent_confidence=0,
    )
    say("updatePlan", plan_id=plan, status="blocked", agent_reasoning="waiting for a key")
    say("setContext", task_id=task, context_type="blockers", context_key="auth", context_value="401")
    assert [each["id"] for each in say("queryPlans", task_id=task, status="blocked")["plans"]] == [plan]
    log = say("queryLogs", plan_id=plan, action_type="block")["logs"][0]
    assert (log["error_message"], log["agent_confidence"]) == ("401", 0)


def test_executing_steps_without_an_executor_starts_them_and_says_what_to_do_next(say: Say, task: str) -> None:
    arguments = {"task_id": task, "plan_type": "implementation", "steps": STEPS}
    plan = say("executePlan", **arguments)
    assert [step["status"] for step in plan["plan_json"]["steps"]] == ["running", "planned", "planned"]
    assert (plan["status"], plan["task_id"], plan["current_step"]) == ("in_progress", task, 1)
    if "next" in plan:  # in Python the answer is the plan alone
        assert f"add_log(plan_id={plan['id']}, step_number=..., action_type=complete_step" in plan["next"]


def test_in_python_a_plan_is_executed_by_a_function() -> None:
    with Journal.open("memory:", journal="flows") as journal:

        def executor(step: dict[str, Any], plan_id: str) -> dict[str, Any]:
            journal.classic.set_context(
                plan_id=plan_id, context_type="research", context_key=step["action"], context_value=step["step"]
            )
            return {"did": step["description"]}

        plan = journal.execute_plan("T-1", "implementation", STEPS, executor)
        assert (plan.status, plan.plan_json.steps[2]["status"], plan.current_step) == ("completed", "done", 4)
        results = [log["after_state"] for log in plan.logs if log["action_type"] == "complete_step"]
        assert results == [{"did": step["description"]} for step in reversed(STEPS)]
        assert {each["context_key"] for each in plan.context} == {"search", "read", "write"}


def test_an_executor_that_raises_fails_its_step_and_blocks_the_plan_until_it_is_run_again() -> None:
    with Journal.open("memory:", journal="flows") as journal:
        done: list[int] = []

        def executor(step: dict[str, Any], plan_id: str) -> None:
            if step["step"] == 2 and len(done) == 1:
                done.append(-2)
                raise OSError("the disk is full")
            done.append(step["step"])

        with pytest.raises(OSError, match="the disk is full"):
            journal.execute_plan("T-1", "implementation", STEPS, executor, key="once")
        (plan,) = journal.classic.query_plans(status="blocked")["plans"]
        statuses = [step["status"] for step in journal.classic.get_plan(plan["id"]).plan_json.steps]
        assert statuses == ["done", "failed", "planned"]
        (failure,) = journal.classic.query_logs(action_type="fail_step")["logs"]
        assert failure["error_message"] == "OSError: the disk is full"
        again = journal.execute_plan("T-1", "implementation", STEPS, executor, key="once")
        assert (again.id, again.status, done) == (plan["id"], "completed", [1, -2, 2, 3])


def test_a_journal_that_waits_takes_no_coroutine_function() -> None:
    async def executor(step: dict[str, Any], plan_id: str) -> None: ...

    with Journal.open("memory:", journal="flows") as journal:
        with pytest.raises(InvalidArgument, match="Use AsyncJournal"):
            journal.execute_plan("T-1", "implementation", STEPS, executor)
        assert journal.get_stats().entries == 0
        with pytest.raises(TypeError, match="use AsyncJournal"):
            journal.execute_plan("T-1", "implementation", STEPS, lambda step, plan_id: executor(step, plan_id))
        (plan,) = journal.classic.query_plans(status="blocked")["plans"]
        statuses = [step["status"] for step in journal.classic.get_plan(plan["id"]).plan_json.steps]
        assert statuses == ["failed", "planned", "planned"]


async def _executed(journal: AsyncJournal) -> Any:
    async def executor(step: dict[str, Any], plan_id: str) -> str:
        await journal.classic.setContext(
            {"plan_id": plan_id, "context_key": step["action"], "context_value": step["step"]}
        )
        return f"did {step['action']}"

    return await journal.execute_plan("T-1", "implementation", STEPS, executor)


def test_an_asynchronous_journal_awaits_the_executor() -> None:
    import asyncio

    async def run() -> Any:
        async with AsyncJournal.open("memory:", journal="flows") as journal:
            return await _executed(journal)

    plan = asyncio.run(run())
    assert plan.status == "completed"
    results = [log["after_state"] for log in plan.logs if log["action_type"] == "complete_step"]
    assert results == ["did write", "did read", "did search"]
    assert len(plan.context) == 3


def test_legacy_names_answer_on_a_journal_by_name_by_position_and_by_mapping() -> None:
    with Journal.open("memory:", journal="flows") as journal:
        names: Any = journal
        plan = names.createPlan({"task_id": "T-1", "plan_type": "x", "steps": STEPS})
        assert names.getPlan(plan.id, True).logs == []
        names.set_context(plan_id=plan.id, context_key="k", context_value=1)
        assert names.getContext("T-1")["context"][0]["context_key"] == "k"
        with pytest.raises(AttributeError, match="has no attribute 'creatPlan'"):
            names.creatPlan()


def test_the_next_step_is_begun_by_a_resume_if_none_is_under_way(say: Say) -> None:
    steps = [{"id": "p", "name": "P"}, {"id": "q", "name": "Q", "depends_on": ["p"]}]
    execution = say("execute_plan", plan_id=say("save_plan", name="Two", steps=steps)["id"])["execution_id"]
    say("control", execution_id=execution, action="pause")
    say("control", execution_id=execution, action="complete_step", step_id="p")
    resumed = say("control", execution_id=execution, action="resume")
    assert resumed["status"] == "running"
    assert steps_of(say, execution) == {"p": "done", "q": "running"}
    assert say("control", execution_id=execution, action="complete_step")["status"] == "completed"


def test_a_cancel_names_only_steps_that_are_to_be_undone(say: Say) -> None:
    steps = [
        {"id": "p", "name": "P", "compensation": "undo p"},
        {"id": "q", "name": "Q", "cancellable": False, "depends_on": ["p"]},
        {"id": "r", "name": "R", "depends_on": ["q"]},
    ]
    execution = say("execute_plan", plan_id=say("save_plan", name="Three", steps=steps)["id"])["execution_id"]
    for step in ("p", "q"):
        say("control", execution_id=execution, action="complete_step", step_id=step)
    say("control", execution_id=execution, action="fail_step", step_id="r")
    cancelled = say("control", execution_id=execution, action="cancel")
    assert cancelled["next"].endswith("step_id=...) for each of: r, p")


def test_a_note_is_given_once(say: Say) -> None:
    steps = [{"id": name, "name": name, "compensation": f"undo {name}"} for name in ("a", "b")]
    execution = say("execute_plan", plan_id=say("save_plan", name="Two", steps=steps)["id"])["execution_id"]
    for step in ("a", "b"):
        say("control", execution_id=execution, action="complete_step", step_id=step)
    undone = say("record_compensation", execution_id=execution, step_id="a", description="not wanted")
    assert "Its execution had ended: it is recorded as late." in undone["notes"]
    assert len(set(undone["notes"])) == len(undone["notes"])
