"""Plans that a server carries out: with which tools, for whom, and who may say what such a run does."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from time import monotonic, sleep
from typing import Any

import pytest

from tallystick import InvalidArgument, NotPermitted, Step, ToolError, Undo, WrongState, tool
from tallystick.runner.stepper import FindNext, StepCall, Stepper, StepResult
from tallystick.runner.tools.registry import Policy
from tests.promises import promise
from tests.server.web_server import RunningServer, running_server

TIMEOUT_SECONDS = 30


class Site:
    """A server that carries out plans with the tool `act`, an operator with `run`, an agent, and a person."""

    def __init__(self, server: RunningServer, log: list[str], released: Event) -> None:
        self.server = server
        self.log = log
        self.released = released
        """Calls with a name that begins with "slow" wait for it."""
        self.operator = server.remote(server.token("run"))
        self.agents_token = server.token("agent")
        self.agent = server.remote(self.agents_token)
        self.person = server.remote(server.token("approve"))

    def plan(self, *steps: Step, **fields: Any) -> str:
        return str(self.operator.record_plan(title="Publish", steps=steps, **fields).id)

    def run(self, *steps: Step, **fields: Any) -> str:
        return str(self.operator.run_plan(plan_id=self.plan(*steps, **fields)).id)

    def wait(self, is_so: Callable[[], Any]) -> None:
        ends = monotonic() + TIMEOUT_SECONDS
        while not is_so():
            assert monotonic() < ends, self.log
            sleep(0.01)

    def status(self, execution: str) -> str:
        return str(self.operator.get_execution(execution_id=execution).status)

    def wait_for(self, execution: str, status: str) -> None:
        self.wait(lambda: self.status(execution) == status)


@contextmanager
def site(policy: Policy | None = None) -> Iterator[Site]:
    log: list[str] = []
    released = Event()

    @tool
    def act(name: str) -> dict[str, str]:
        log.append(name)
        if name.startswith("slow"):
            released.wait(TIMEOUT_SECONDS)
        if name == "lost":
            raise ToolError("the line went dead", "lost")
        return {"name": name}

    with running_server(run_tools=[act], run_policy=policy) as server:
        found = Site(server, log, released)
        try:
            yield found
        finally:
            released.set()
            for journal in (found.operator, found.agent, found.person):
                journal.close()


@pytest.fixture
def at() -> Iterator[Site]:
    with site() as found:
        yield found


def step(id: str, *after: str, **fields: Any) -> Step:
    undo = Undo(tool="act", arguments={"name": f"-{id}"})
    given: dict[str, Any] = {"tool": "act", "arguments": {"name": id}, "undo": undo, **fields}
    return Step(id=id, title=id, after=after, **given)


@promise("a-server-carries-out-plans-with-its-own-tools")
def test_a_run_that_a_server_is_asked_for_is_carried_out_there_and_recorded_as_observed(at: Site) -> None:
    execution = at.run(step("a"), step("b", "a", arguments={"name": "after ${steps.a.result.name}"}))
    at.wait_for(execution, "completed")
    assert at.log == ["a", "after a"]
    run = at.operator.get_run(execution_id=execution)
    action = at.operator.get_action(action_id=run.steps[0].action_id)
    assert (run.engine, action.actor_kind, action.witness) == ("server", "runner", "observed")


@promise("a-server-carries-out-plans-with-its-own-tools")
def test_a_server_without_tools_refuses_a_run_and_names_what_to_do() -> None:
    with running_server() as server, server.remote(server.token("run")) as operator:
        plan = operator.record_plan(title="Publish", steps=[step("a")]).id
        with pytest.raises(InvalidArgument, match=r"--run-tools .*tallystick run.*engine=queue") as refused:
            operator.run_plan(plan_id=plan)
        assert (refused.value.field, operator.list_executions().executions) == ("engine", ())
        for engine, recorded in {"temporal": "temporal", "caller": "local"}.items():
            run = operator.run_plan(plan_id=plan, engine=engine)  # type: ignore[arg-type]
            assert operator.get_run(execution_id=run.id).engine == recorded


@promise("a-run-that-nobody-can-carry-out-is-refused")
def test_a_plan_for_an_engine_that_the_server_does_not_have_is_not_recorded_there() -> None:
    @tool
    def act() -> None: ...

    with running_server() as server, server.remote(server.token("run")) as operator:
        given: Any = {"title": "Publish", "steps": [{"id": "a", "tool": "act"}]}
        with pytest.raises(InvalidArgument, match="needs a journal in PostgreSQL"):
            operator.run(given, tools=[act], engine="queue")
        assert operator.list_plans().plans == ()
        assert operator.run(given, tools=[act], engine="temporal").status == "running"


@promise("a-server-carries-out-plans-with-its-own-tools")
def test_a_plan_that_calls_something_else_is_refused_before_its_first_effect(at: Site) -> None:
    calls = {
        "steps.b.tool: There is no tool": step("b", "a", tool="other"),
        r'steps.b.tool: There is no tool "shell".*`only` under \[shell\]': step("b", "a", tool="shell"),
        r'steps.b.undo.tool: There is no tool "http"': step("b", "a", undo=Undo(tool="http")),
        "steps.b.arguments.name: The secret PATH is not allowed": step("b", "a", arguments={"name": "secret://PATH"}),
        "context.where: plans may not use the context": step("b", "a", arguments={"name": "${context.where}"}),
    }
    for problem, called in calls.items():
        with pytest.raises(InvalidArgument, match=problem):
            at.run(step("a"), called)
    assert at.log == []


@promise("a-server-carries-out-plans-with-its-own-tools")
def test_another_journal_of_the_server_does_not_have_its_tools(at: Site) -> None:
    token = at.server.token("run", journal="other")
    with at.server.remote(token) as other:
        plan = other.record_plan(title="Publish", steps=[step("a")]).id
        with pytest.raises(InvalidArgument, match="no plans in this journal"):
            other.run_plan(plan_id=plan)


@promise("a-run-is-controlled-from-everywhere")
def test_a_run_at_a_server_is_paused_replanned_resumed_approved_and_stopped(at: Site) -> None:
    execution = at.run(step("slow"), step("b", "slow", needs_approval=True), step("c", "b"))
    at.wait(lambda: at.log == ["slow"])
    at.agent.record_decision(execution_id=execution, decision="pause", why="wait")
    plan = at.operator.get_execution(execution_id=execution).plan_id
    longer = [step("slow"), step("b", "slow", needs_approval=True), step("slow2", "b"), step("d", "slow2")]
    at.operator.record_plan(plan_id=plan, title="Publish", steps=longer, reason="better")
    at.operator.record_decision(execution_id=execution, decision="replan", why="better")
    at.released.set()
    at.wait(lambda: at.operator.get_run(execution_id=execution).counts.get("done") == 1)
    assert at.log == ["slow"]
    at.released.clear()
    at.person.record_decision(execution_id=execution, decision="resume", why="go on")
    at.wait(lambda: at.person.list_approvals(status="pending").approvals)
    question = at.person.list_approvals(status="pending").approvals[0]
    at.person.decide_approval(approval_id=question.id, verdict="approve")
    at.wait(lambda: at.log == ["slow", "b", "slow2"])
    at.person.record_decision(execution_id=execution, decision="stop", why="enough")
    at.released.set()
    at.wait(lambda: not at.operator.get_run(execution_id=execution).counts.get("running"))
    assert (at.status(execution), at.log) == ("cancelled", ["slow", "b", "slow2"])


# ----------------------------------------------------------------------------------------------------------------------
# What an agent may not do to a run


def _replan(at: Site, run: str) -> None:
    at.agent.record_decision(execution_id=run, decision="replan", why="mine is better")


def _revise_and_replan(at: Site, run: str) -> None:
    plan = at.operator.get_execution(execution_id=run).plan_id
    steps = [step("slow"), step("evil", "slow")]
    at.agent.record_plan(plan_id=plan, title="Publish", steps=steps, reason="mine is better")


def _claim_a_result(at: Site, run: str) -> None:
    at.agent.record_action(
        phase="done", execution_id=run, step="b", outcome="ok", result={"name": "evil"}, summary="I did it"
    )


def _claim_a_result_in_a_batch(at: Site, run: str) -> None:
    begun = {"phase": "begin", "execution_id": run, "step": "b", "summary": "I do it"}
    at.agent.record_batch(records=[{"operation": "record_action", "arguments": begun}])  # type: ignore[list-item]


def _end_the_call_of_the_runner(at: Site, run: str) -> None:
    (open_action,) = [each.action_id for each in at.agent.get_run(execution_id=run).steps]
    at.agent.record_action(
        phase="end", action_id=open_action, outcome="ok", result={"name": "evil"}, evidence="I looked"
    )


def _end_it_in_the_session_of_the_runner(at: Site, run: str) -> None:
    (open_action,) = [each.action_id for each in at.agent.get_run(execution_id=run).steps]
    session = at.agent.get_action(action_id=open_action).session
    body = {"phase": "end", "action_id": open_action, "outcome": "ok", "result": {"name": "evil"}}
    headers = {"tallystick-session": session}
    answer = at.server.ask("/v1/actions", body, token=at.agents_token, headers=headers)
    assert answer.status == 403, answer.json
    raise NotPermitted(answer.json["detail"])


def _end_the_session_of_the_runner(at: Site, run: str) -> None:
    (open_action,) = [each.action_id for each in at.agent.get_run(execution_id=run).steps]
    at.agent.end_session(session_id=at.agent.get_action(action_id=open_action).session)


def _unwind(at: Site, run: str) -> None:
    at.agent.record_decision(execution_id=run, decision="unwind", why="undo it")


def _skip(at: Site, run: str) -> None:
    at.agent.record_decision(execution_id=run, decision="skip", step="b", why="not needed")


def _say_that_own_work_was_a_step_of_the_runner(at: Site, run: str) -> None:
    done = at.agent.record_action(phase="done", execution_id=run, tool="x", summary="x", result={"name": "evil"}).id
    at.agent.record_decision(execution_id=run, decision="continue", step="b", action_id=done, why="it was b")


def _act_as_a_runner(at: Site, run: str) -> None:
    undo = {"tool": "act", "arguments": {"name": "evil"}}
    body = {"phase": "done", "execution_id": run, "tool": "x", "summary": "x", "outcome": "ok", "undo": undo}
    headers = {"tallystick-actor": '{"kind": "runner", "name": "runner"}'}
    answer = at.server.ask("/v1/actions", body, token=at.agents_token, headers=headers)
    assert answer.status == 403, answer.json
    raise NotPermitted(answer.json["detail"])


def _ask_about_a_step_of_the_runner(at: Site, run: str) -> None:
    at.agent.record_decision(execution_id=run, decision="ask_human", step="b", question="May I look?", why="to look")


def _ask_about_the_call_of_a_step_of_the_runner(at: Site, run: str) -> None:
    call: dict[str, Any] = {"tool": "act", "arguments": {"name": "b"}}
    at.agent.record_decision(
        execution_id=run, decision="ask_human", question="Shall I write a summary?", why="x", **call
    )


def _ask_about_a_later_call_of_the_runner(at: Site, run: str) -> None:
    call: dict[str, Any] = {"tool": "act", "arguments": {"name": "of the step c"}}
    at.agent.request_approval(execution_id=run, question="Shall I write a summary?", **call)


def _record_items(at: Site, run: str) -> None:
    at.agent.record_items(execution_id=run, items={"b": ["evil"]})


def _record_a_template(at: Site, run: str) -> None:
    at.agent.record_plan(title="Deploy", template="deploy", for_tasks="deploy", steps=[step("evil")])


def _retire_a_template(at: Site, run: str) -> None:
    plan = at.operator.record_plan(title="Count", template="count", steps=[step("a")]).id
    at.agent.retire_plan(plan_id=plan, status="archived", reason="not needed")


def _run_it(at: Site, run: str) -> None:
    at.agent.run_plan(plan_id=at.agent.record_plan(title="mine", steps=[step("evil")]).id)


ATTACKS = (
    *(_revise_and_replan, _replan, _claim_a_result, _claim_a_result_in_a_batch, _end_the_call_of_the_runner),
    *(_end_it_in_the_session_of_the_runner, _end_the_session_of_the_runner, _unwind, _skip, _act_as_a_runner),
    *(_ask_about_the_call_of_a_step_of_the_runner, _ask_about_a_later_call_of_the_runner),
    *(_ask_about_a_step_of_the_runner, _record_items, _record_a_template, _retire_a_template, _run_it),
    _say_that_own_work_was_a_step_of_the_runner,
)


@promise("an-agent-does-not-say-what-a-runner-does")
def test_an_agent_neither_undoes_what_a_runner_did_nor_does_the_step_of_a_person(at: Site) -> None:
    run = at.run(step("a"), step("sign", "a", tool="", arguments={}, by="person"), step("c", "sign"))
    at.wait(lambda: at.log == ["a"] and at.operator.get_run(execution_id=run).counts == {"done": 1})
    (done,) = [each.action_id for each in at.agent.get_run(execution_id=run).steps]
    claims: tuple[dict[str, Any], ...] = (
        {"phase": "done", "kind": "undo", "undoes": done, "outcome": "ok", "summary": "undone"},
        {"phase": "done", "step": "sign", "outcome": "ok", "summary": "signed"},
    )
    for claim in claims:
        with pytest.raises(NotPermitted, match="scope `run`"):
            at.agent.record_action(execution_id=run, **claim)
    with pytest.raises(NotPermitted, match="scope `run`"):
        at.agent.record_decision(execution_id=run, decision="skip", step="sign", why="not needed")
    assert at.log == ["a"]


@promise("an-agent-does-not-say-what-a-runner-does")
def test_an_agent_cannot_take_a_key_of_the_runner_and_so_hold_a_run_up(at: Site) -> None:
    run = at.run(step("slow"), step("b", "slow", when="1 > 2"), step("c", "b"), step("d", "c", needs_approval=True))
    at.wait(lambda: at.log == ["slow"])
    for key in (f"skip:{run}:b", f"run:{run}:c:1", f"ask:{run}:d:0:", f"unwind:{run}", "ask:undo:ac_a2:", "ap_a2:c"):
        with pytest.raises(NotPermitted, match="scope `run`"):
            at.agent.record_decision(execution_id=run, decision="continue", why="hello", key=key)
    at.released.set()
    at.wait(lambda: at.person.list_approvals(status="pending").approvals)
    assert at.log == ["slow", "c"]


@promise("an-agent-does-not-say-what-a-runner-does")
def test_an_agent_cannot_make_a_run_do_what_its_plan_does_not_say(at: Site) -> None:
    run = at.run(step("slow"), step("b", "slow"), step("c", "b", arguments={"name": "${steps.b.result.name}"}))
    at.wait(lambda: at.log == ["slow"])
    for attack in ATTACKS:
        with pytest.raises(NotPermitted, match="scope `run`"):
            attack(at, run)
    at.released.set()
    at.wait_for(run, "completed")
    assert at.log == ["slow", "b", "b"]


@promise("an-agent-does-not-say-what-a-runner-does")
def test_a_paused_or_held_run_goes_on_only_for_an_operator_or_an_approver(at: Site) -> None:
    run = at.run(step("slow"), step("lost", "slow"), step("b", "lost"))
    at.wait(lambda: at.log == ["slow"])
    at.person.record_decision(execution_id=run, decision="pause", why="wait")
    at.released.set()
    for decision in ("resume", "done", "keep", "retry"):
        with pytest.raises(NotPermitted, match="scope `run`"):
            at.agent.record_decision(execution_id=run, decision=decision, why="go on")
    at.operator.record_decision(execution_id=run, decision="resume", why="go on")
    at.wait(lambda: at.agent.list_in_doubt(execution_id=run).in_doubt)
    doubt = at.agent.list_in_doubt(execution_id=run).in_doubt[0].action_id
    settle: Any = {"decision": "settle", "action_id": doubt, "outcome": "ok", "evidence": "I looked"}
    with pytest.raises(NotPermitted, match="scope `run`"):
        at.agent.record_decision(**settle)
    with pytest.raises(NotPermitted, match="scope `run`"):
        at.agent.record_action(phase="end", action_id=doubt, outcome="ok", evidence="I looked")
    at.person.record_decision(**settle)
    at.wait_for(run, "completed")
    assert at.log == ["slow", "lost", "b"]


@promise("an-agent-does-not-say-what-a-runner-does")
def test_an_agent_does_its_own_steps_of_a_run_and_its_undo_is_not_called(at: Site) -> None:
    run = at.run(step("a"), step("mine", "a", by="agent", undo="by hand"), step("c", "mine"))
    at.wait(lambda: at.agent.get_status(execution_id=run).next_steps == ("mine",))
    evil = Undo(tool="act", arguments={"name": "evil"})
    begun = at.agent.record_action(phase="begin", execution_id=run, step="mine", summary="mine", undo=evil)
    at.agent.record_action(phase="end", action_id=begun.id, outcome="failed", error="no")
    at.agent.record_decision(execution_id=run, decision="retry", step="mine", why="it may work now")
    begun = at.agent.record_action(phase="begin", execution_id=run, step="mine", summary="mine", undo=evil)
    at.agent.record_action(phase="end", action_id=begun.id, outcome="ok")
    at.agent.record_action(phase="done", execution_id=run, tool="act", summary="beside it", outcome="ok", undo=evil)
    at.wait(lambda: "c" in at.log)
    at.wait_for(run, "completed")
    again = at.run(step("a"), step("mine", "a", by="agent", undo="by hand"))
    at.wait(lambda: at.agent.get_status(execution_id=again).next_steps == ("mine",))
    begun = at.agent.record_action(phase="begin", execution_id=again, step="mine", summary="mine", undo=evil)
    at.agent.record_action(phase="end", action_id=begun.id, outcome="failed", error="no")
    at.operator.record_decision(execution_id=again, decision="unwind", why="undo it")
    at.wait(lambda: at.person.list_approvals(execution_id=again).approvals)
    at.person.record_decision(execution_id=again, decision="keep", why="as it is", action_id=begun.id)
    at.wait_for(again, "cancelled")
    assert "evil" not in at.log


@promise("an-agent-does-not-say-what-a-runner-does")
def test_a_call_that_an_agent_claims_to_have_made_is_no_step_that_is_done_and_is_not_tried_all_the_time(
    at: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    attempt = Stepper.attempt

    async def counted(stepper: Stepper, due: StepCall, find_next: FindNext) -> StepResult:
        tried.append(due.name)
        return await attempt(stepper, due, find_next)

    monkeypatch.setattr(Stepper, "attempt", counted)
    run = at.run(step("slow"), step("b", "slow"), step("c", "b"))
    at.wait(lambda: at.log == ["slow"])
    at.agent.record_action(
        phase="done", execution_id=run, tool="act", arguments={"name": "b"}, outcome="ok", summary="I did it"
    )
    at.released.set()
    at.wait(lambda: tried.count("b") == 3)
    assert (at.log, tried[:4]) == (["slow"], ["slow", "b", "b", "b"])
    other = at.run(step("d"))  # what follows it is not held up
    at.wait_for(other, "completed")
    assert tried.count("b") < 10
    at.operator.record_decision(execution_id=run, decision="skip", step="b", why="it was done")
    at.wait_for(run, "completed")


@promise("an-agent-does-not-say-what-a-runner-does")
def test_a_plan_that_was_revised_since_it_was_looked_at_is_not_run(at: Site) -> None:
    plan = at.agent.record_plan(title="Publish", steps=[step("a")])
    at.agent.record_plan(plan_id=plan.id, title="Publish", steps=[step("evil")], reason="better")
    with pytest.raises(WrongState, match="is at revision 2, not 1"):
        at.operator.run_plan(plan_id=plan.id, revision=plan.revision)
    run = at.operator.run_plan(plan_id=at.agent.record_plan(title="Publish", steps=[step("b")]).id, revision=1, key="k")
    assert at.operator.run_plan(plan_id=run.plan_id, revision=1, key="k").id == run.id
    at.wait_for(run.id, "completed")
    assert at.log == ["b"]


@promise("an-agent-does-not-say-what-a-runner-does")
def test_a_policy_may_let_plans_use_the_context_and_named_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEPLOY_KEY", "a-secret-of-the-operator")
    with site(Policy(context=True, secrets=("DEPLOY_KEY",))) as at:
        at.agent.record_context(key="where", value="there")
        run = at.run(
            step("a", arguments={"name": "${context.where}"}), step("b", "a", arguments={"name": "secret://DEPLOY_KEY"})
        )
        at.wait_for(run, "completed")
        assert at.log == ["there", "a-secret-of-the-operator"]
        assert "a-secret-of-the-operator" not in str(
            [each.body for each in at.operator.read_entries(limit=500).entries]
        )


@promise("a-server-carries-out-plans-with-its-own-tools")
def test_a_run_over_rest_that_the_caller_carries_out_itself_is_recorded_as_a_runners(at: Site) -> None:
    @tool
    def own(name: str) -> str:
        at.log.append(f"own {name}")
        return name

    token = at.server.token("run", observes=True, name="worker")
    plan = {"title": "mine", "steps": [{"id": "a", "tool": "own", "arguments": {"name": "a"}}]}
    with at.server.remote(token) as journal:
        run = journal.run(plan, tools=[own])
    assert (at.status(run.id), at.log) == ("completed", ["own a"])
    (step_of_run,) = at.operator.get_run(execution_id=run.id).steps
    assert at.operator.get_action(action_id=step_of_run.action_id).actor_kind == "runner"
