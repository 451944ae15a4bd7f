"""Policy `plan`: what was planned goes through under each of its names, and what was not does not."""

from pathlib import Path
from typing import Any

import pytest

from tallystick import Journal
from tallystick.core.tools import same_call, same_tool
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, refusal_of
from tests.interfaces.mcp.line_client import JOURNAL


def _held_to(folder: Path, *steps: dict[str, Any], prefix: str | None = None, policy: str = "plan") -> GatewayClient:
    """A client with a plan of these steps that is under way."""
    server = [ScriptedServer(folder, name) for name in ("one", "two")]
    ours: dict[str, Any] = {"tools": {"*": policy}, **({"prefix": prefix} if prefix else {})}
    client = GatewayClient(folder, config_for(*server, servers={"one": ours}))
    results = [{"title": "A step", "cancellable": "irreversible", **step} for step in steps]
    plan = client.call("record_plan", title="Steps", steps=results)["id"]
    client.call("record_execution_start", plan_id=plan)
    return client


def test_a_part_of_a_tools_name_is_another_tool() -> None:
    assert same_tool("mcp__one__do", "do")
    assert same_tool("mcp__one__do", "one__do")
    assert same_tool("mcp__a__b__c", "b__c")
    assert not same_tool("mcp__a__b__c", "c")
    assert not same_tool("b__c", "c")


def test_values_match_by_type_too() -> None:
    assert same_call({"a": [{"b": 1}], "more": 2}, {"a": [{"b": 1.0}]})
    assert not same_call({"a": True}, {"a": 1})
    assert not same_call({"a": [{"b": False}]}, {"a": [{"b": 0}]})


def test_true_does_not_match_one_and_a_masked_secret_matches_nothing(tmp_path: Path) -> None:
    known = {"id": "known", "tool": "echo", "arguments": {"a": 1}, "after": []}
    secret = {"id": "secret", "tool": "put", "arguments": {"password": "hunter2hunter2"}, "after": []}
    with _held_to(tmp_path, known, secret) as client:
        assert "fits no step" in client.refusal("one__echo", a=True)["message"]
        assert "fits no step" in client.refusal("one__put", password="another1another1")["message"]
        assert "fits no step" in client.refusal("one__put", password="[masked:password]")["message"]
        assert "fits no step" in client.refusal("one__put", password="hunter2hunter2")["message"]
        client.result("one__echo", a=1)
        assert [each.tool for each in client.actions()] == ["mcp__one__echo"]


def test_while_unwinding_the_policy_makes_undos_and_refuses_steps(tmp_path: Path) -> None:
    undo = {"tool": "put", "arguments": {"a": 1}}
    steps = [
        {"id": "first", "tool": "echo", "arguments": {"a": 1}, "cancellable": "reversible", "undo": undo},
        {"id": "second", "tool": "echo", "arguments": {"a": 2}},
    ]
    with _held_to(tmp_path, *steps) as client:
        client.result("one__echo", a=1)
        client.call("record_decision", decision="unwind", why="start over")
        for refused in ({"a": 2}, {"a": 3}):
            refusal = client.refusal("one__echo", **refused)
            assert "is unwinding" in refusal["message"]
            assert "undo" in refusal["hint"]
        client.result("one__put", a=1)
        assert [(each.kind, each.undo_state) for each in client.actions()] == [("do", "undone"), ("undo", "")]


@pytest.mark.parametrize("is_open", [False, True])
def test_after_the_end_the_policy_makes_the_undos_of_the_plan(tmp_path: Path, is_open: bool) -> None:
    undo = {"tool": "put", "arguments": {"a": 1}}
    step = {"id": "first", "tool": "echo", "arguments": {"a": 1}, "cancellable": "reversible", "undo": undo}
    with _held_to(tmp_path, step) as client:
        client.result("one__echo", a=1)
        client.call("record_decision", decision="done", why="it is there")
        if is_open:
            client.call("record_plan", title="another", steps=[{**step, "title": "x"}], start=True)
        assert client.refusal("one__put", a=2)
        client.result("one__put", a=1)
        assert [(each.kind, each.undo_state) for each in client.actions()] == [("do", "undone"), ("undo", "")]


@pytest.mark.parametrize(
    ("tool", "prefix"),
    [
        ("one__echo", None),
        ("mcp__tallystick__one__echo", None),
        ("o__echo", "o"),
        ("mcp__tallystick__o__echo", "o"),
        ("mcp__one__echo", "o"),
        ("echo", "o"),
    ],
)
def test_a_step_names_its_tool_as_the_agent_sees_it(tool: str, prefix: str | None, tmp_path: Path) -> None:
    with _held_to(tmp_path, {"id": "first", "tool": tool, "arguments": {"a": 1}}, prefix=prefix) as client:
        assert not client.result(f"{prefix or 'one'}__echo", a=1).get("isError")
        assert [each.step for each in client.actions()] == ["first"]


def test_a_step_that_the_agent_has_begun_itself_fits(tmp_path: Path) -> None:
    with _held_to(tmp_path, {"id": "first", "tool": "one__echo", "arguments": {"a": 1}}) as client:
        begun = client.call("record_action", phase="begin", step="first", tool="one__echo", arguments={"a": 1})
        assert not client.result("one__echo", a=1).get("isError")
        (action,) = client.actions()
    assert (action.id, action.step, action.state) == (begun["id"], "first", "ok")


def test_a_call_that_a_hook_has_begun_fits_and_its_order_counts(tmp_path: Path) -> None:
    steps = ({"id": "first", "tool": "echo", "arguments": {"a": 1}}, {"id": "then", "tool": "put", "arguments": {}})
    with _held_to(tmp_path, *steps) as client:
        with Journal.open(client.url, journal=JOURNAL, witness="observed") as hook:
            execution = hook.list_executions().executions[0].id
            for id, tool, step in (("c1", "mcp__one__echo", "first"), ("c2", "put_it", None)):
                hook.record_action(
                    phase="begin", tool=tool, arguments={"a": 1}, call_id=id, execution_id=execution, step=step
                )
        early = client.result("one__put", meta={"claudecode/toolUseId": "c2"}, a=1)
        assert "comes after" in refusal_of(early)["message"]
        assert not client.result("one__echo", meta={"claudecode/toolUseId": "c1"}, a=1).get("isError")
        assert next((each.step, each.state) for each in client.actions()) == ("first", "ok")


@pytest.mark.parametrize("policy", ["plan", "record"])
@pytest.mark.parametrize("bound", ["call", "step"])
def test_a_step_that_needs_approval_goes_through_once_it_is_granted(policy: str, bound: str, tmp_path: Path) -> None:
    step = {"id": "first", "tool": "one__echo", "arguments": {"password": "hunter2hunter2"}, "needs_approval": True}
    with _held_to(tmp_path, step, policy=policy) as client:
        error = client.refusal("one__echo", password="hunter2hunter2")
        assert error["code"] == "approval_pending"
        assert "mcp__one__echo" in str(error)
        of_call = {"tool": "mcp__one__echo", "arguments": {"password": "hunter2hunter2"}}
        with client.journal() as journal:
            execution = journal.list_executions().executions[0].id
            request: dict[str, Any] = of_call if bound == "call" else {"step": "first"}
            approval = journal.request_approval(question="May it?", execution_id=execution, **request).id
        assert client.refusal("one__echo", password="hunter2hunter2")["code"] == "approval_pending"
        with client.journal() as journal:
            secret = journal.add_credential(name="boss", scopes=("approve", "admin")).secret
        with Journal.open(client.url, journal=JOURNAL, credential=secret) as journal:
            journal.decide_approval(approval_id=approval, verdict="approve")
        assert not client.result("one__echo", password="hunter2hunter2").get("isError")
        with client.journal() as journal:
            assert journal.get_approval(approval_id=approval).status == "used"
        assert client.actions()[-1].step == "first"


def test_a_step_that_was_done_is_answered_again_and_made_again_once_that_is_decided(tmp_path: Path) -> None:
    with _held_to(tmp_path, {"id": "first", "tool": "one__echo", "arguments": {"a": 1}}) as client:
        client.result("one__echo", a=1)
        (done,) = client.actions()
        repeated = client.result("one__echo", a=1)
        assert repeated["_meta"]["tallystick/recorded"] == {"action_id": done.id}
        assert "fits no step" in client.refusal("one__echo", a=1, b=2)["message"]
        client.call("record_decision", decision="retry", why="it is meant")
        assert "tallystick/recorded" not in client.result("one__echo", a=1).get("_meta", {})
        assert [(each.step, each.state) for each in client.actions()] == [("first", "ok"), ("first", "ok")]


def test_a_step_that_is_idempotent_is_made_again_as_any_such_call(tmp_path: Path) -> None:
    with _held_to(tmp_path, {"id": "first", "tool": "one__put", "arguments": {"a": 1}}) as client:
        for _ in range(2):
            assert not client.result("one__put", a=1).get("isError")
        assert "fits no step" in client.refusal("one__put", a=2)["message"]
        assert [(each.step, each.state) for each in client.actions()] == [("first", "ok"), ("first", "ok")]


def test_a_decision_about_a_step_is_used_at_that_step_before_one_about_none(tmp_path: Path) -> None:
    first = {"id": "first", "tool": "one__echo", "arguments": {"a": 1}}
    with _held_to(tmp_path, first, {"id": "second", "tool": "one__echo", "arguments": {"a": 2}}) as client:
        for number in (1, 2):
            client.result("one__echo", a=number)
        client.call("record_decision", decision="retry", why="the first again", step="first")
        client.call("record_decision", decision="retry", why="whatever comes first")
        for number in (1, 2):
            client.result("one__echo", a=number)
        steps = [(each.step, each.begin_body.get("again", "")) for each in client.actions()][2:]
    assert steps == [("first", "the first again"), ("second", "whatever comes first")]


def test_a_step_in_doubt_is_named_so_and_not_done_again(tmp_path: Path) -> None:
    with _held_to(tmp_path, {"id": "first", "tool": "one__die"}) as client:
        client.refusal("one__die")
        (doubted,) = client.actions()
        for arguments in ({}, {"other": 1}):
            error = client.refusal("one__die", **arguments)
            assert error["code"] == "in_doubt_open"
            assert doubted.id in error["message"]
        assert len(client.actions()) == 1


def test_the_repetition_of_a_removed_step_is_refused_as_unplanned(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    step = {"id": "s1", "title": "Say it", "tool": "echo", "arguments": {"a": 1}, "cancellable": "irreversible"}
    other = {**step, "id": "s2", "arguments": {"a": 2}}
    with GatewayClient(tmp_path, config_for(server, servers={"one": {"tools": {"echo": "plan"}}})) as client:
        plan = client.call("record_plan", title="Say", steps=[step, other], start=True)
        client.result("echo", a=1)
        client.call("record_plan", plan_id=plan["id"], title="Say", steps=[other], reason="the first is done")
        client.call("record_decision", decision="replan", why="the first is done")
        client.call("record_decision", decision="retry", why="once more")
        refusal = client.refusal("echo", a=1)
    assert refusal["code"] == "wrong_state"
    assert 'Due: "s2"' in refusal["message"]
    assert len(server.calls("echo")) == 1
