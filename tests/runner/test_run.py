"""`journal.run` in one process: what is called, what is recorded, and what follows from each kind of failure."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tallystick import AsyncJournal, Conflict, InvalidArgument, Journal, Retry, ToolError, tool
from tallystick.runner.run import local_run
from tallystick.runner.tools.named_secrets import hide_secrets
from tallystick.runner.tools.shell import shell_tool
from tallystick.sdk.local import local_caller


class World:
    """Counts the effects of its tools. Each answers as its arguments say."""

    def __init__(self) -> None:
        self.effects: list[str] = []
        self.seen: set[str] = set()

    def tools(self, **options: Any) -> list[Any]:
        def act(name: str, errors: list[str] | None = None, value: Any = None) -> Any:
            self.effects.append(name)
            error = (errors or [])[self.effects.count(name) - 1 : self.effects.count(name)]
            if error and error[0] in ("not_done", "transient", "failed", "lost"):
                raise ToolError(f"{error[0]} on purpose", error[0])  # type: ignore[arg-type]
            self.seen.add(name)
            return value

        return [tool(name="act", **options)(act)]


def step(id: str, **fields: Any) -> dict[str, Any]:
    arguments = {"name": id} | fields.pop("arguments", {})
    return {"id": id, "tool": "act", "arguments": arguments, "undo": "take it back", **fields}


def states(journal: Journal, execution: str) -> dict[str, str]:
    return {each.id: each.actual for each in journal.get_status(execution_id=execution).steps}


def test_steps_are_carried_out_in_order_with_values_of_earlier_ones(journal: Journal) -> None:
    world = World()
    steps = [
        step("a", after=[], arguments={"value": {"n": 2, "text": "x"}}),
        step("b", after=["a"], arguments={"value": "${steps.a.result.n}"}),
        step("c", after=["b"], arguments={"value": "${parameters.who} got ${steps.b.result} of $${n}"}),
    ]
    run = journal.run({"title": "t", "steps": steps}, tools=world.tools(), parameters={"who": "Ann"})
    assert world.effects == ["a", "b", "c"]
    assert run.status == "completed"
    assert run.results == {"a": {"n": 2, "text": "x"}, "b": 2, "c": "Ann got 2 of ${n}"}
    ended = [entry for entry in run if entry.kind == "action_ended"]
    assert {(entry.actor_kind, entry.witness) for entry in ended} == {("runner", "observed")}


def test_a_condition_that_is_false_skips_its_step_with_the_condition_as_the_reason(journal: Journal) -> None:
    world = World()
    steps = [
        step("a", after=[], arguments={"value": 3}),
        step("b", after=["a"], when="steps.a.result > 5"),
        step("c", after=["b"], when="steps.a.result == 3"),
    ]
    run = journal.run({"title": "t", "steps": steps}, tools=world.tools())
    assert world.effects == ["a", "c"]
    assert states(journal, run.id) == {"a": "done", "b": "skipped", "c": "done"}
    (why,) = [entry.body["why"] for entry in run if entry.kind == "decision_recorded" and entry.body]
    assert "steps.a.result > 5" in why


def test_independent_steps_run_at_once_and_limits_hold(journal: Journal) -> None:
    active = most = 0

    @tool(at_most=3)
    async def work(number: int) -> int:
        nonlocal active, most
        active += 1
        most = max(most, active)
        await asyncio.sleep(0.01)
        active -= 1
        return number

    steps = [
        {"id": f"s{n}", "tool": "work", "arguments": {"number": n}, "undo": "none", "after": []} for n in range(12)
    ]
    run = journal.run({"title": "t", "steps": steps}, tools=[work], at_once=8)
    assert run.status == "completed"
    assert most == 3


def test_steps_that_wait_for_a_resource_leave_room_for_others(journal: Journal) -> None:
    began: list[str] = []
    others = asyncio.Event()

    @tool
    async def work(name: str) -> None:
        began.append(name)
        if name == "o3":
            others.set()
        if name == "b0":
            await others.wait()

    own: list[dict[str, Any]] = [{"id": f"b{n}", "resource": "bank", "priority": 5} for n in range(4)]
    own += [{"id": f"o{n}"} for n in range(4)]
    steps = [{**each, "tool": "work", "arguments": {"name": each["id"]}, "undo": "x", "after": []} for each in own]
    run = journal.run({"title": "t", "steps": steps}, tools=[work], at_once=2)
    assert run.status == "completed"
    assert began == ["b0", "o0", "o1", "o2", "o3", "b1", "b2", "b3"]


@pytest.mark.parametrize(
    ("errors", "effect", "calls", "state"),
    [
        (["transient", "transient"], "unsafe", 3, "done"),
        (["transient"] * 3, "unsafe", 3, "failed"),
        (["not_done"], "unsafe", 1, "failed"),
        (["failed"], "unsafe", 1, "failed"),
        (["failed"], "idempotent", 2, "done"),
        (["lost"], "idempotent", 2, "done"),
        (["lost"], "read", 2, "done"),
        (["lost"], "unsafe", 1, "in_doubt"),
    ],
)
def test_only_what_is_safe_is_repeated(
    journal: Journal, errors: list[str], effect: str, calls: int, state: str
) -> None:
    world = World()
    tools = world.tools(effect=effect, retry=Retry(3, backoff=0.001))
    run = journal.run({"title": "t", "steps": [step("a", arguments={"errors": errors})]}, tools=tools)
    assert len(world.effects) == calls
    assert states(journal, run.id) == {"a": state}
    assert set(run.held) == ({"a"} if state == "in_doubt" else set())
    assert set(run.failed) == ({"a"} if state == "failed" else set())


def test_news_of_others_do_not_bring_a_retry_forward(journal: Journal) -> None:
    world = World()

    def tell(entry: Any) -> None:
        if entry.kind == "action_ended":
            journal.record_decision(decision="continue", execution_id=entry.execution_id, why="I am watching")

    tools = world.tools(retry=Retry(2, backoff=2.0))
    steps = [step("a", after=[], arguments={"errors": ["transient"]}), step("b", after=[], by="agent")]
    run = journal.run({"title": "t", "steps": steps}, tools=tools, on_entry=tell)
    assert world.effects == ["a", "a"]
    first, second = [datetime.fromisoformat(entry.at) for entry in run if entry.kind == "action_begun"]
    assert second - first >= timedelta(seconds=1)
    assert set(run.waiting) == {"b"}


@pytest.mark.parametrize("happened", [True, False, None])
def test_a_lost_call_is_settled_by_its_probe_or_held(journal: Journal, happened: bool | None) -> None:
    world = World()

    def look(name: str, errors: Any = (), value: Any = None) -> Any:
        if happened is None:
            raise RuntimeError("cannot tell")
        return {"found": name} if happened else None

    tools = world.tools(effect="probeable", probe=look)
    steps = [step("a", after=[], arguments={"errors": ["lost"]}), step("b", after=["a"])]
    run = journal.run({"title": "t", "steps": steps}, tools=tools)
    assert world.effects == {True: ["a", "b"], False: ["a", "a", "b"], None: ["a"]}[happened]
    assert run.status == ("running" if happened is None else "completed")
    if happened:
        assert run.results["a"] == {"found": "a"}
    if happened is None:
        assert "cannot tell" in run.held["a"]


def test_the_probe_of_a_plan_gets_the_values_of_its_step(journal: Journal) -> None:
    world, looked = World(), []

    @tool(effect="read")
    def look(for_name: str, who: str) -> Any:
        looked.append((for_name, who))
        return {"found": True}

    probe = {"tool": "look", "arguments": {"for_name": "${arguments.name}", "who": "${parameters.who}"}}
    plan = {"title": "t", "steps": [step("a", arguments={"errors": ["lost"]}, probe=probe)]}
    run = journal.run(plan, tools=[*world.tools(), look], parameters={"who": "Ann"})
    assert (looked, run.status) == ([("a", "Ann")], "completed")


def test_a_timeout_leaves_the_outcome_unknown_and_holds_the_step(journal: Journal) -> None:
    @tool(timeout=0.02)
    async def slow() -> None:
        await asyncio.sleep(30)

    run = journal.run({"title": "t", "steps": [{"id": "a", "tool": "slow", "undo": "none"}]}, tools=[slow])
    assert set(run.held) == {"a"}
    assert journal.list_in_doubt().in_doubt[0].step == "a"


def test_the_same_key_goes_on_without_repeating_what_is_done_or_unknown(journal: Journal) -> None:
    world = World()
    plan = {"title": "t", "steps": [step("a", after=[]), step("b", after=[], arguments={"errors": ["lost"]})]}
    first = journal.run(plan, tools=world.tools(), key="k")
    again = journal.run(plan, tools=world.tools(), key="k")
    assert first.id == again.id
    assert sorted(world.effects) == ["a", "b"]
    (doubt,) = journal.list_in_doubt().in_doubt
    journal.record_decision(
        decision="settle", action_id=doubt.action_id, outcome="failed", without_effect=True, evidence="looked"
    )
    assert states(journal, first.id)["b"] == "failed"
    journal.record_decision(decision="retry", execution_id=first.id, step="b", why="it did not happen")
    third = journal.run(plan, tools=world.tools(), key="k")
    assert sorted(world.effects) == ["a", "b", "b"]
    assert third.status == "completed"


def test_a_held_step_that_did_not_happen_is_carried_out_by_the_next_run(journal: Journal) -> None:
    world = World()
    plan = {"title": "t", "steps": [step("a", after=[], arguments={"errors": ["lost"]}), step("b", after=["a"])]}
    assert set(journal.run(plan, tools=world.tools(), key="k").held) == {"a"}
    (doubt,) = journal.list_in_doubt().in_doubt
    journal.record_decision(decision="settle", action_id=doubt.action_id, outcome="skipped", evidence="looked")
    assert journal.run(plan, tools=world.tools(), key="k").status == "completed"
    assert world.effects == ["a", "a", "b"]


def test_an_approval_is_asked_for_once_and_permits_the_call_when_it_is_given(journal: Journal) -> None:
    world, person = World(), journal.add_credential(name="ann").secret
    plan = {"title": "t", "steps": [step("a", after=[], needs_approval=True), step("b", after=[])]}
    run = journal.run(plan, tools=world.tools(), key="k")
    assert world.effects == ["b"]
    assert set(run.waiting) == {"a"}
    journal.run(plan, tools=world.tools(), key="k")
    (question,) = journal.list_approvals().approvals
    assert (question.tool, question.arguments) == ("act", {"name": "a"})
    assert world.effects == ["b"]
    as_person(journal, person).decide_approval(approval_id=question.id, verdict="approve", reason="fine")
    last = journal.run(plan, tools=world.tools(), key="k")
    assert world.effects == ["b", "a"]
    assert last.status == "completed"


def as_person(journal: Journal, secret: str) -> Journal:
    from msgspec.structs import replace

    from tallystick.sdk.local import Local

    context = journal.caller.context  # type: ignore[attr-defined]
    return Journal(Local(context.for_principal(replace(context.principal, credential=secret))))


@pytest.mark.parametrize(
    ("policy", "effects", "status"),
    [
        ("cancel_all", ["a"], "failed"),
        ("cancel_dependent", ["a", "c"], "failed"),
        ("continue_others", ["a", "c"], "failed"),
        ("manual_decision", ["a", "c"], "running"),
    ],
)
def test_a_failure_does_what_its_policy_says(journal: Journal, policy: str, effects: list[str], status: str) -> None:
    world = World()
    steps = [
        step("a", after=[], arguments={"errors": ["not_done"]}, failure_policy=policy, priority=1),
        step("b", after=["a"]),
        step("c", after=[]),
    ]
    run = journal.run({"title": "t", "steps": steps}, tools=world.tools(), at_once=1)
    assert world.effects == effects
    assert run.status == status
    assert "on purpose" in run.failed["a"]


def test_a_step_of_an_agent_is_left_to_it_and_the_run_goes_on_after_it(journal: Journal) -> None:
    world = World()
    plan = {"title": "t", "steps": [step("a", after=[], by="agent"), step("b", after=["a"])]}
    run = journal.run(plan, tools=world.tools(), key="k")
    assert (world.effects, set(run.waiting)) == ([], {"a"})
    begun = journal.record_action(phase="begin", execution_id=run.id, step="a")
    journal.record_action(phase="end", action_id=begun.id, outcome="ok")
    again = journal.run(plan, tools=world.tools(), key="k")
    assert (world.effects, again.status) == (["b"], "completed")


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("${1.0 / 0.0}", "Infinity is not JSON"),
        ("${dyn(b'x')}", "not JSON"),
        (["${steps.a.result}"] * 300, "limit"),
    ],
)
def test_values_that_cannot_be_recorded_fail_their_step_alone(journal: Journal, value: Any, error: str) -> None:
    world = World()
    steps = [
        step("a", after=[], arguments={"value": "x " * 10_000}),
        step("b", after=["a"], arguments={"value": value}),
        step("c", after=["a"]),
    ]
    run = journal.run({"title": "t", "steps": steps}, tools=world.tools())
    assert world.effects == ["a", "c"]
    assert error in run.failed["b"]
    assert run.status == "running"


def test_a_masked_value_stops_the_step_before_anything_is_called(journal: Journal) -> None:
    world = World()

    def login() -> Any:
        return {"password": "hunter2hunter2"}

    steps = [
        {"id": "a", "tool": "login", "after": []},
        step("b", after=["a"], arguments={"value": "${steps.a.result.password}"}),
    ]
    run = journal.run({"title": "t", "steps": steps}, tools=[*world.tools(), login])
    assert world.effects == []
    assert "masked" in run.failed["b"]
    assert "secret://" in run.failed["b"]


def test_a_secret_goes_to_the_tool_by_name_and_is_not_recorded(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BANK_KEY", "very-secret-value-81")
    got = []

    @tool
    def pay(token: str) -> str:
        got.append(token)
        return "paid"

    plan = {"title": "t", "steps": [{"id": "a", "tool": "pay", "arguments": {"token": "secret://BANK_KEY"}}]}
    run = journal.run(plan, tools=[pay])
    assert (got, run.status) == (["very-secret-value-81"], "completed")
    assert not any("very-secret-value-81" in repr(entry) for entry in run)


def test_a_secret_that_a_tool_says_again_is_masked(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANK_KEY", "blue moon rising")

    @tool
    def echo(token: str) -> dict[str, Any]:
        return {"said": [f"with {token}."], token: 1}

    @tool
    def fail(token: str) -> str:
        raise ToolError(f"refused {token}", "failed")

    def look(token: str) -> str:
        return f"found {token}"

    @tool(effect="probeable", probe=look)
    def lose(token: str) -> str:
        raise ToolError(f"lost {token}", "lost")

    key = {"token": "secret://BANK_KEY"}
    line = {"command": "echo $KEY; echo $KEY >&2; exit 3", "env": {"KEY": "secret://BANK_KEY"}}
    calls: dict[str, dict[str, Any]] = {"echo": key, "fail": key, "lose": key, "shell": line}
    steps = [{"id": name, "tool": name, "after": [], "arguments": given} for name, given in calls.items()]
    run = journal.run({"title": "t", "steps": steps}, tools=[echo, fail, lose, shell_tool()])
    assert run.results["echo"]["said"] == ["with [masked:secret]."]
    assert run.results["lose"] == "found [masked:secret]"
    assert run.failed["fail"] == "refused [masked:secret]"
    assert "blue moon" not in repr([list(run), run.results, run.failed])


@pytest.mark.parametrize("said", [str, repr, json.dumps, quote, lambda text: b64encode(text.encode()).decode()])
def test_a_secret_of_several_lines_is_masked_in_each_form(said: Callable[[str], str]) -> None:
    secret = '{"client": "x",\n "pin_value": "Zx81-kkq-99"}\n'
    shown = str(hide_secrets({"error": " ".join(f"cannot parse {said(secret)}".split())}, {secret}))
    assert "[masked:secret]" in shown
    assert "kkq" not in shown


@pytest.mark.parametrize("answer", ["secret://BANK_KEY", {"deep": ["secret://BANK_KEY"]}])
def test_no_result_or_context_names_a_secret(journal: Journal, monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    monkeypatch.setenv("BANK_KEY", "blue moon rising")
    world = World()

    def fetch() -> Any:
        return answer

    journal.record_context(key="note", value=answer)
    steps = [
        {"id": "a", "tool": "fetch", "after": []},
        step("b", after=["a"], arguments={"value": "${steps.a.result}"}),
        step("c", after=["a"], arguments={"value": "${context.note}"}),
        {"id": "d", "tool": "shell", "after": ["a"], "arguments": {"command": "echo ${steps.a.result}"}},
        step("e", after=["a"], arguments={"name": "${parameters.key}"}),
    ]
    tools = [*world.tools(), fetch, shell_tool()]
    run = journal.run({"title": "t", "steps": steps}, tools=tools, parameters={"key": "secret://BANK_KEY"})
    assert set(run.failed) == {"b", "c", "d"}
    assert all("name a secret" in error for error in run.failed.values())
    assert world.effects == ["blue moon rising"]


def test_values_reach_a_command_as_words_and_never_as_code(journal: Journal, tmp_path: Path) -> None:
    bad = "'; touch hacked; echo \"$(touch hacked2)` touch hacked3`"
    line = f"cd {tmp_path} && printf '%s|' ${{parameters.bad}} \"in ${{parameters.bad}}\""
    plan = {"title": "t", "steps": [{"id": "a", "tool": "shell", "arguments": {"command": line}}]}
    run = journal.run(plan, tools=[shell_tool()], parameters={"bad": bad})
    assert run.results["a"]["stdout"] == f"{bad}|in {bad}|"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "category"),
    [
        (["/no/such/program"], "not_done"),
        ("no-such-program", "not_done"),
        ("exit 3", "failed"),
        ("exit 75", "transient"),
        ("kill -9 $$", "lost"),
    ],
)
def test_a_command_that_does_not_end_well_has_the_category_of_its_end(
    journal: Journal, command: Any, category: str
) -> None:
    plan = {"title": "t", "steps": [{"id": "a", "tool": "shell", "arguments": {"command": command}}]}
    run = journal.run(plan, tools=[shell_tool()])
    (end,) = [entry for entry in run if entry.kind == "action_ended"]
    assert end.body["error"].startswith(f"{category}:")
    assert end.facts["outcome"] == ("unknown" if category == "lost" else "failed")


def test_an_async_journal_runs_a_plan_too() -> None:
    world = World()

    async def main() -> str:
        async with AsyncJournal.open("memory:") as journal:
            run = await journal.run({"title": "t", "steps": [step("a")]}, tools=world.tools())
            return run.status

    assert asyncio.run(main()) == "completed"
    assert world.effects == ["a"]


def test_a_tool_that_does_not_exist_is_named_with_those_that_do(journal: Journal) -> None:
    with pytest.raises(InvalidArgument, match=r'There is no tool "atc"\. Did you mean act\?'):
        journal.run({"title": "t", "steps": [step("a", tool="atc")]}, tools=World().tools())
    with pytest.raises(InvalidArgument, match=r'There is no tool "quote"\. Registered are: act\. '):
        journal.run({"title": "t", "steps": [step("a", tool="quote")]}, tools=World().tools())
    with pytest.raises(InvalidArgument, match="Two tools are named"):
        journal.run({"title": "t", "steps": [step("a")]}, tools=World().tools() * 2)


KILLED = """
import os, sys
from tallystick import Journal, tool

def effect(name):
    with open(sys.argv[2], "a") as log:
        log.write(name + "\\n")

def look(name):
    return name in open(sys.argv[2]).read().split() or None

@tool(effect="probeable", probe=look)
def act(name: str) -> str:
    effect(name)
    if name == "b" and sys.argv[3] == "kill":
        os.kill(os.getpid(), 9)
    return name

def bare(name: str) -> str:
    return act(name)

tools = [act] if sys.argv[4] == "probe" else [tool(name="act")(bare)]
steps = [{"id": n, "tool": "act", "arguments": {"name": n}, "undo": "x"} for n in "abc"]
with Journal.open(sys.argv[1]) as journal:
    run = journal.run({"title": "t", "steps": steps}, tools=tools, key="k")
    print(run.status, sorted(run.held))
"""


@pytest.mark.parametrize("probe", ["probe", "none"])
def test_a_killed_run_goes_on_with_the_same_key_and_repeats_nothing_unknown(tmp_path: Path, probe: str) -> None:
    script, log = tmp_path / "run.py", tmp_path / "log"
    script.write_text(KILLED)

    def start(mode: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, str(script), str(tmp_path / "journal.db"), str(log), mode, probe]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ, check=False)

    assert start("kill").returncode == -signal.SIGKILL
    again = start("go")
    assert again.stdout.strip() == ("completed []" if probe == "probe" else "running ['b']"), again.stderr
    assert log.read_text().split() == (["a", "b", "c"] if probe == "probe" else ["a", "b"])


def test_the_result_of_a_step_that_somebody_else_did_meanwhile_is_used(journal: Journal) -> None:
    world = World()
    tools = world.tools()

    @tool(effect="read")
    def wait_for_the_other(execution: str) -> int:
        begun = journal.record_action(
            phase="begin", execution_id=execution, step="b", tool="act", arguments={"name": "b"}
        )
        journal.record_action(phase="end", action_id=begun.id, outcome="ok", result={"by": "another"})
        return 1

    steps = [
        {
            "id": "a",
            "tool": "wait_for_the_other",
            "arguments": {"execution": "${context.execution}"},
            "after": [],
            "priority": 1,
        },
        step("b", after=[]),
        step("c", after=["b"], arguments={"value": "${steps.b.result.by}"}),
    ]
    titled: Any = [{"title": each["id"], "cancellable": "reversible", **each} for each in steps]
    plan = journal.record_plan(title="t", steps=titled)
    execution = journal.run_plan(plan_id=plan.id, engine="caller").id
    journal.record_context(key="execution", value=execution, scope="execution", execution_id=execution)
    run = journal.run(plan, tools=[*tools, wait_for_the_other], execution=execution, at_once=1)
    assert (run.status, run.failed) == ("completed", {})
    assert run.results["c"] == "another"
    assert world.effects == ["c"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": {"tools": {}}}, "policy is of type dict. Give the path of a policy file"),
        ({"on_entry": 5}, "on_entry is of type int, not a function. Give a function that takes one entry"),
    ],
)
def test_an_option_of_another_type_is_refused_before_anything_is_recorded(
    journal: Journal, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidArgument, match=message):
        journal.run({"title": "t", "steps": [step("a")]}, tools=World().tools(), **options)
    assert journal.get_stats().entries == 0


def test_a_key_with_a_plan_that_has_changed_names_its_run_and_how_it_goes_on(journal: Journal) -> None:
    world = World()
    first = journal.run({"title": "t", "steps": [step("a", needs_approval=True)]}, tools=world.tools(), key="k")
    changed = {"title": "t", "steps": [step("a", needs_approval=True), step("b")]}
    with pytest.raises(
        Conflict, match=f'The plan has changed since {first.id} was started with the key "k"'
    ) as refused:
        journal.run(changed, tools=world.tools(), key="k")
    assert f'execution="{first.id}"' in str(refused.value)
    assert journal.run(changed, tools=world.tools(), execution=first.id).id == first.id


@pytest.mark.parametrize(
    "fields", [{"arguments": {"errors": "${steps.a.result}"}}, {"when": "steps.a.result.exit_code == 0"}]
)
def test_a_reference_to_the_result_of_a_skipped_step_says_that_it_was_skipped(
    journal: Journal, fields: dict[str, Any]
) -> None:
    steps = [step("a", after=[], when="1 > 2"), step("b", after=["a"], **fields)]
    run = journal.run({"title": "t", "steps": steps}, tools=World().tools())
    assert 'the step "a", which was skipped and has no result' in run.failed["b"]


def test_a_run_counts_the_steps_that_are_under_way(journal: Journal) -> None:
    seen: list[int] = []

    @tool
    async def act() -> None:
        await asyncio.sleep(0)
        seen.append(local.steps_under_way)

    steps = [{"id": name, "tool": "act", "after": [], "undo": "x"} for name in "ab"]
    local = local_run(local_caller(journal.caller), tools=[act])
    assert local.steps_under_way == 0
    asyncio.run(local.carry_out(local.start({"title": "t", "steps": steps})))
    assert (seen[0], local.steps_under_way) == (2, 0)
