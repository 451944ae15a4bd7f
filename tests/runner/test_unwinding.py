"""A runner that works off the undo list: order, values, doubts, failures, questions, and what it leaves alone."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tallystick import Journal
from tallystick.core.types import Retry, Step, Undo
from tallystick.runner.tools.python import tool
from tallystick.runner.tools.shell import shell_tool
from tallystick.runner.tools.tool import ToolError
from tests.runner.test_run import as_person


class World:
    """Its tools make and unmake things by name. `say` has the error of the next calls of a name, such as `lost`."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.there: set[str] = set()
        self.say: dict[str, list[str]] = {}

    def _happen(self, name: str) -> None:
        self.log.append(name)
        if self.say.get(name):
            category = self.say[name].pop(0)
            if category:
                raise ToolError(f"{category} on purpose", category)  # type: ignore[arg-type]

    def tools(self, *, undo: dict[str, Any] | None = None, **options: Any) -> list[Any]:
        def make(name: str) -> dict[str, str]:
            self._happen(name)
            self.there.add(name)
            return {"made": name}

        def unmake(name: str) -> None:
            self._happen(f"-{name}")
            self.there.discard(name)

        return [tool(**options)(make), tool(**(undo or {}))(unmake)]


def step(id: str, **fields: Any) -> dict[str, Any]:
    undo = {"tool": "unmake", "arguments": {"name": "${result.made}"}}
    return {"id": id, "tool": "make", "arguments": {"name": id}, "undo": undo, **fields}


CHAIN = [step("a", after=[]), step("b", after=["a"]), step("c", after=["b"])]


def run_and_unwind(journal: Journal, world: World, steps: list[dict[str, Any]], **tools: Any) -> Any:
    """Run a plan whose last step is left to an agent, decide unwind, and run it again with the same key."""
    ready = [each["id"] for each in steps]
    plan = {"title": "t", "steps": [*steps, step("agent", after=ready, by="agent")]}
    run = journal.run(plan, tools=world.tools(**tools), key="k")
    journal.record_decision(execution_id=run.id, decision="unwind", why="it was wrong")
    return again(journal, world, plan, **tools)


def again(journal: Journal, world: World, plan: Any = None, **tools: Any) -> Any:
    plan = plan or journal.list_plans().plans[0].id
    return journal.run(plan, tools=world.tools(**tools), key="k")


def undo_states(journal: Journal, run: Any) -> dict[str, str]:
    return {item.step: item.state for item in journal.get_undo_list(execution_id=run.id).items}


def question(journal: Journal, run: Any) -> Any:
    (found,) = journal.list_approvals(execution_id=run.id, status="pending").approvals
    return found


@pytest.fixture
def person(journal: Journal) -> Journal:
    return as_person(journal, journal.add_credential(name="ann").secret)


def answer(person: Journal, run: Any, word: str) -> None:
    person.decide_approval(approval_id=question(person, run).id, verdict="respond", answer=word)


def test_an_unwinding_execution_is_undone_in_order_and_ends_as_cancelled(journal: Journal) -> None:
    world = World()
    run = run_and_unwind(journal, world, CHAIN)
    assert world.log == ["a", "b", "c", "-c", "-b", "-a"]
    assert run.status == "cancelled"
    assert not journal.list_owed(execution_id=run.id).owed
    undos = [entry for entry in run if entry.kind == "action_begun" and entry.facts.get("action_kind") == "undo"]
    assert {(entry.actor_kind, entry.witness) for entry in undos} == {("runner", "observed")}


@pytest.mark.parametrize("is_planned", [False, True])
def test_an_undo_gets_the_secrets_that_the_plan_names_and_none_that_a_result_names(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, is_planned: bool
) -> None:
    monkeypatch.setenv("BANK_KEY", "blue moon rising")
    got: list[str] = []

    def pay(key: str = "") -> dict[str, str]:
        return {"id": "secret://BANK_KEY"}

    def refund(id: str) -> None:
        got.append(id)

    undo = {"tool": "refund", "arguments": {"id": "${arguments.key}" if is_planned else "${result.id}"}}
    arguments = {"key": "secret://BANK_KEY"} if is_planned else {}
    steps = [{"id": "pay", "tool": "pay", "arguments": arguments, "undo": undo}, {"id": "wait", "by": "agent"}]
    plan = {"title": "t", "steps": steps}
    run = journal.run(plan, tools=[pay, refund], key="k")
    journal.record_decision(execution_id=run.id, decision="unwind", why="it was wrong")
    journal.run(plan, tools=[pay, refund], key="k")
    assert got == (["blue moon rising"] if is_planned else [])


def test_an_undo_in_doubt_is_held_and_what_its_step_depends_on_stays(journal: Journal) -> None:
    world = World()
    world.say["-b"] = ["lost"]
    other = step("other", after=[])
    run = run_and_unwind(journal, world, [*CHAIN, other])
    assert world.log[-3:] == ["-c", "-b", "-other"]
    assert set(run.held) == {"undo of b"}
    assert (run.status, undo_states(journal, run)) == ("unwinding", {"b": "in_doubt", "a": "not_undone"})
    assert not journal.list_approvals(execution_id=run.id).approvals
    again(journal, world)
    assert world.log.count("-b") == 1
    (doubt,) = journal.list_in_doubt(execution_id=run.id).in_doubt
    journal.record_decision(decision="settle", action_id=doubt.action_id, outcome="ok", evidence="looked")
    assert again(journal, world).status == "cancelled"
    assert world.log[-2:] == ["-other", "-a"]


@pytest.mark.parametrize("happened", [True, False])
def test_an_undo_in_doubt_is_settled_by_the_probe_of_its_tool(journal: Journal, happened: bool) -> None:
    world = World()
    world.say["-b"] = ["lost"]
    undo = {"effect": "probeable", "probe": lambda name: happened}
    run = run_and_unwind(journal, world, CHAIN, undo=undo)
    assert world.log[3:] == (["-c", "-b", "-a"] if happened else ["-c", "-b", "-b", "-a"])
    assert run.status == "cancelled"
    assert not journal.list_in_doubt().in_doubt


def test_an_idempotent_undo_without_an_answer_is_repeated(journal: Journal) -> None:
    world = World()
    world.say["-b"] = ["lost"]
    run = run_and_unwind(journal, world, CHAIN, undo={"effect": "idempotent"})
    assert world.log[3:] == ["-c", "-b"]
    assert set(run.held) == {"undo of b"}
    assert again(journal, world, undo={"effect": "idempotent"}).status == "cancelled"
    assert world.log[3:] == ["-c", "-b", "-b", "-a"]
    assert not journal.list_in_doubt().in_doubt


def test_the_retry_policy_of_a_tool_holds_for_undos(journal: Journal) -> None:
    world = World()
    world.say["-b"] = ["transient", "transient"]
    run = run_and_unwind(journal, world, CHAIN, undo={"retry": Retry(3, backoff=0.001)})
    assert world.log[3:] == ["-c", "-b", "-b", "-b", "-a"]
    assert run.status == "cancelled"


LEFT: dict[str, dict[str, Any]] = {
    "words": step("b", after=["a"], undo="take it back"),
    "missing": step("b", after=["a"], undo={"tool": "unmake", "arguments": {"name": "${result.nothing}"}}),
    "irreversible": step("b", after=["a"], undo=None, cancellable="irreversible"),
    "failed": step("b", after=["a"]),
}


@pytest.mark.parametrize("kind", LEFT)
def test_what_no_tool_can_undo_is_asked_about_once_and_the_rest_goes_on(journal: Journal, kind: str) -> None:
    world = World()
    world.say["-b"] = ["failed"] if kind == "failed" else []
    run = run_and_unwind(journal, world, [step("a", after=[]), LEFT[kind], step("c", after=["b"]), step("d", after=[])])
    undone = [name for name in world.log[4:] if name != "-b"]
    assert undone == (["-c", "-d", "-a"] if kind == "irreversible" else ["-c", "-d"])
    assert set(run.waiting) == {"unwinding"}
    assert (run.status, question(journal, run).options) == ("unwinding", ("retry", "keep", "done"))
    again(journal, world)
    assert len(journal.list_approvals(execution_id=run.id).approvals) == 1
    assert world.log.count("-b") == (kind == "failed")


@pytest.mark.parametrize("word", ["retry", "keep", "done"])
def test_the_answer_of_a_person_is_carried_out_by_the_next_look(journal: Journal, person: Journal, word: str) -> None:
    world = World()
    world.say["-b"] = ["failed"]
    run = run_and_unwind(journal, world, CHAIN)
    answer(person, run, word)
    assert again(journal, world).status == "cancelled"
    undone = {"retry": ["-b", "-a"], "keep": ["-a"], "done": []}
    assert world.log[5:] == undone[word]
    assert world.there == {"retry": set(), "keep": {"b"}, "done": {"a", "b"}}[word]
    owed = {"retry": [], "keep": [], "done": ["b", "a"]}
    assert [item.step for item in journal.list_owed(execution_id=run.id).owed] == owed[word]


def test_an_undo_that_fails_again_is_asked_about_again(journal: Journal, person: Journal) -> None:
    world = World()
    world.say["-b"] = ["failed", "failed"]
    run = run_and_unwind(journal, world, CHAIN)
    answer(person, run, "retry")
    again(journal, world)
    assert world.log.count("-b") == 2
    answer(person, run, "keep it")
    assert again(journal, world).status == "cancelled"
    assert world.log.count("-b") == 2


@pytest.mark.parametrize("happened", [True, False, None])
def test_a_step_that_failed_is_undone_if_its_probe_finds_an_effect(journal: Journal, happened: bool | None) -> None:
    world = World()
    world.say["b"] = ["failed"]

    def look(name: str) -> Any:
        if happened is None:
            raise RuntimeError("cannot tell")
        return {"made": name} if happened else None

    undo = {"tool": "unmake", "arguments": {"name": "${arguments.name}"}}
    steps = [step("a", after=[]), step("b", after=["a"], undo=undo)]
    run = run_and_unwind(journal, world, steps, effect="probeable", probe=look)
    assert world.log[2:] == {True: ["-b", "-a"], False: ["-a"], None: ["-a"]}[happened]
    assert run.status == ("unwinding" if happened is None else "cancelled")


def test_a_step_in_doubt_stays_and_holds_what_it_depends_on_until_it_is_settled(journal: Journal) -> None:
    world = World()
    world.say["b"] = ["lost"]
    run = run_and_unwind(journal, world, [step("a", after=[]), step("b", after=["a"]), step("c", after=[])])
    assert world.log[3:] == ["-c"]
    assert set(run.held) == {"undo of b"}
    (doubt,) = journal.list_in_doubt(execution_id=run.id).in_doubt
    settled: dict[str, Any] = {"outcome": "failed", "without_effect": True, "evidence": "looked"}
    journal.record_decision(decision="settle", action_id=doubt.action_id, **settled)
    assert again(journal, world).status == "cancelled"
    assert world.log[3:] == ["-c", "-a"]


def test_a_step_that_an_agent_is_doing_holds_what_it_depends_on_and_nobody_is_asked(journal: Journal) -> None:
    world = World()
    steps = [step("a", after=[]), step("b", after=["a"], by="agent"), step("c", after=[])]
    plan = {"title": "t", "steps": steps}
    run = journal.run(plan, tools=world.tools(), key="k")
    begun = journal.record_action(phase="begin", execution_id=run.id, step="b")
    journal.record_decision(execution_id=run.id, decision="unwind", why="it was wrong")
    assert again(journal, world, plan).status == "unwinding"
    assert world.log[2:] == ["-c"]
    assert not journal.list_approvals(execution_id=run.id).approvals
    journal.record_action(phase="end", action_id=begun.id, outcome="skipped", summary="not needed")
    assert again(journal, world, plan).status == "cancelled"
    assert world.log[2:] == ["-c", "-a"]


def test_nothing_is_undone_while_it_is_paused_or_after_it_was_stopped(journal: Journal) -> None:
    world = World()
    plan = {"title": "t", "steps": [*CHAIN, step("agent", after=["c"], by="agent")]}
    run = journal.run(plan, tools=world.tools(), key="k")

    def decide(decision: Any) -> None:
        journal.record_decision(execution_id=run.id, decision=decision, why="test")

    tools = _deciding_tools(world, {"-c": lambda: decide("pause"), "-b": lambda: decide("stop")})
    decide("unwind")
    journal.run(plan, tools=tools, key="k")
    assert world.log[3:] == ["-c"]
    decide("resume")
    stopped = journal.run(plan, tools=tools, key="k")
    assert world.log[3:] == ["-c", "-b"]
    assert stopped.status == "cancelled"
    assert [item.step for item in journal.list_owed(execution_id=run.id).owed] == ["a"]


def _deciding_tools(world: World, then: dict[str, Callable[[], Any]]) -> list[Any]:
    make, _ = world.tools()

    def unmake(name: str) -> None:
        world.log.append(f"-{name}")
        then.get(f"-{name}", lambda: None)()

    return [make, tool(unmake)]


def test_an_undo_that_another_actor_recorded_is_left_to_it(journal: Journal, person: Journal) -> None:
    world = World()
    steps = [step("a", after=[]), step("b", after=["a"], by="agent"), step("c", after=["b"], by="agent")]
    plan = {"title": "t", "steps": [*steps, step("d", after=["c"], by="agent")]}
    run = journal.run(plan, tools=world.tools(), key="k")
    for name, undo in (("b", None), ("c", Undo(tool="unmake", arguments={"name": "everything"}))):
        begun = journal.record_action(phase="begin", execution_id=run.id, step=name, undo=undo)
        journal.record_action(phase="end", action_id=begun.id, outcome="ok", result={"made": name})
    journal.record_decision(execution_id=run.id, decision="unwind", why="it was wrong")
    run = again(journal, world, plan)
    assert world.log == ["a"]
    assert "has to carry it out" in question(journal, run).question
    answer(person, run, "keep")
    assert again(journal, world, plan).status == "cancelled"
    assert world.log == ["a", "-b", "-a"]


def test_an_undo_whose_tool_needs_an_approval_waits_for_it(journal: Journal, person: Journal) -> None:
    world = World()
    run_and_unwind(journal, world, [step("a", after=[])], undo={"needs_approval": True})
    assert world.log == ["a"]
    asked = next(each for each in journal.list_approvals(status="pending").approvals if each.tool == "unmake")
    assert asked.arguments == {"name": "a"}
    person.decide_approval(approval_id=asked.id, verdict="approve")
    assert again(journal, world, undo={"needs_approval": True}).status == "cancelled"
    assert world.log == ["a", "-a"]


def test_values_reach_the_command_of_an_undo_as_words_and_never_as_code(journal: Journal, tmp_path: Path) -> None:
    bad = "'; touch hacked; echo \"$(touch hacked2)` touch hacked3` $${x} ${result.json.x"
    undo = {
        "tool": "shell",
        "arguments": {
            "command": f"cd {tmp_path} && printf '%s|' ${{parameters.bad}} \"x${{result.json.v}}y\" $${{HOME}} > out"
        },
    }
    make = {"id": "a", "tool": "shell", "arguments": {"command": ["printf", "%s", "${parameters.json}"]}, "undo": undo}
    plan = {"title": "t", "steps": [make, {"id": "b", "tool": "shell", "by": "agent", "undo": "x", "after": ["a"]}]}
    given = {"bad": bad, "json": '{"v": "$(touch hacked4); touch hacked5"}'}
    run = journal.run(plan, tools=[shell_tool()], parameters=given, key="k")
    journal.record_decision(execution_id=run.id, decision="unwind", why="it was wrong")
    again = journal.run(plan, tools=[shell_tool()], parameters=given, key="k")
    assert again.status == "cancelled", again.waiting
    assert [each.name for each in tmp_path.iterdir()] == ["out"]
    home = str(Path.home())
    assert (tmp_path / "out").read_text() == f"{bad}|x$(touch hacked4); touch hacked5y|{home}|"


def test_a_masked_value_in_an_undo_is_left_to_a_person(journal: Journal) -> None:
    world = World()
    undo = {"tool": "unmake", "arguments": {"name": "${parameters.password}"}}
    plan = {"title": "t", "steps": [step("a", after=[], undo=undo), step("b", after=["a"], by="agent")]}
    run = journal.run(plan, tools=world.tools(), key="k", parameters={"password": "hunter2hunter2"})
    journal.record_decision(execution_id=run.id, decision="unwind", why="it was wrong")
    run = journal.run(plan, tools=world.tools(), key="k", parameters={"password": "hunter2hunter2"})
    assert world.log == ["a"]
    assert "not recorded" in question(journal, run).question


def test_calls_under_way_end_before_anything_is_undone(journal: Journal) -> None:
    log: list[str] = []

    @tool(undo=Undo(tool="unmake", arguments={"name": "${arguments.name}"}))
    async def make(name: str) -> None:
        log.append(name)
        if name == "slow":
            journal.record_decision(execution_id=journal.list_executions().executions[0].id, decision="unwind", why="x")
            await asyncio.sleep(0.8)
            log.append("slow is over")

    @tool
    def unmake(name: str) -> None:
        log.append(f"-{name}")

    steps: list[Any] = [
        {"id": name, "tool": "make", "arguments": {"name": name}, "after": []} for name in ("a", "slow")
    ]
    run = journal.run({"title": "t", "steps": steps}, tools=[make, unmake])
    assert log[-3:] == ["slow is over", "-slow", "-a"]
    assert run.status == "cancelled"


def by_hand(id: str, **fields: Any) -> dict[str, Any]:
    return {**step(id, **fields), "undo": "by hand"}


def listed(id: str, **fields: Any) -> dict[str, Any]:
    return step(id, for_each=[f"{id}1", f"{id}2"], **fields) | {"arguments": {"name": "${item}"}}


LISTS = {
    "in the order written": [listed("b"), by_hand("c"), step("t")],
    "by after": [step("a", after=[]), listed("b", after=["a"]), by_hand("c", after=["b"]), step("t", after=["c"])],
    "the dependant too": [listed("b"), {**listed("c"), "undo": "by hand"}, step("t")],
}


@pytest.mark.parametrize("steps", LISTS.values(), ids=LISTS.keys())
def test_items_of_a_list_stay_while_a_step_after_them_is_not_undone(
    journal: Journal, steps: list[dict[str, Any]]
) -> None:
    world = World()
    world.say = {"t": ["failed"]}
    run = journal.run({"title": "t", "steps": steps, "unwind": "on-failure"}, tools=world.tools())
    assert run.status == "unwinding"
    assert [each for each in world.log if each.startswith("-b")] == []
    assert "comes after it and is not undone" not in question(journal, run).question  # it asks about the dependant


def test_items_of_a_list_stay_so_after_a_revision_of_the_plan(journal: Journal) -> None:
    world = World()
    plan = {"title": "t", "steps": [listed("b"), by_hand("c"), step("d", by="agent")]}
    run = journal.run(plan, tools=world.tools(), key="k")
    plan_id = journal.get_run(execution_id=run.id).plan_id
    revised = [listed("b", title="b"), by_hand("c", title="c"), step("e", title="e", by="agent")]
    steps = [msgspec.convert(each, Step) for each in revised]
    journal.record_plan(title="t", steps=steps, plan_id=plan_id, reason="e, not d")
    journal.record_decision(execution_id=run.id, decision="replan", why="e, not d")
    journal.record_decision(execution_id=run.id, decision="unwind", why="it was wrong")
    again(journal, world, plan)
    assert world.log == ["b1", "b2", "c"]


def test_functions_of_a_caller_leave_the_items_of_a_list_so_too(journal: Journal) -> None:
    world = World()
    plan = {"title": "t", "steps": [listed("b"), by_hand("c"), step("d", by="agent")]}
    run = journal.run(plan, tools=world.tools())
    plan_id = journal.get_run(execution_id=run.id).plan_id
    journal.record_plan(title="t", steps=[Step(title="e", cancellable="reversible")], plan_id=plan_id, reason="e only")
    journal.record_decision(execution_id=run.id, decision="replan", why="e only")
    left = journal.unwind(run.id, tools={"unmake": lambda name: world.log.append(f"-{name}")}, why="it was wrong").left
    assert world.log == ["b1", "b2", "c"]
    assert [each.item.step for each in left] == ["c", "b.2", "b.1"]
