"""The next call of an answer: after a takeover, about what is in doubt, after the end, and to an answered question."""

from pathlib import Path
from typing import Any

import pytest

from tallystick import Actor, Journal
from tests.interfaces.mcp.in_process_client import lines

STEPS = [{"title": "Copy", "cancellable": "reversible", "undo": "delete it"}]


def _begin(number: int, execution: str) -> dict[str, Any]:
    return {"phase": "begin", "execution_id": execution, "tool": f"t{number}", "summary": "do it", "undo": "undo it"}


@pytest.mark.parametrize("way", ["settle", "end"])
@pytest.mark.parametrize("profile", ["all", "minimal"])
def test_after_settling_what_another_agent_left_the_next_call_names_its_execution(
    tmp_path: Path, way: str, profile: str
) -> None:
    url = f"sqlite:///{tmp_path / 'j.db'}"
    with lines(url) as first:
        execution = first.result_of("record_plan", title="Move", steps=STEPS, start=True)["execution_id"]
        action = first.result_of("record_action", phase="begin", step="copy", summary="copy")["id"]
    with lines(url, profile=profile) as second:
        about = {"action_id": action, "outcome": "ok", "evidence": "it is there"}
        if way == "settle":
            settled = second.result_of("record_decision", decision="settle", why="looked", **about)
        else:
            settled = second.result_of("record_action", phase="end", **about)
        call = f"record_decision(decision=done, execution_id={execution}, why=...)"
        assert settled["next"] == f"all steps are done: {call}"
        done = second.result_of("record_decision", decision="done", execution_id=execution, why="all is there")
        assert done["status"] == "completed"


def test_after_settling_what_another_agent_left_the_next_step_names_its_execution(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'j.db'}"
    steps = [*STEPS, {"id": "switch", "title": "Switch", "undo": "switch it back"}]
    with lines(url) as first:
        execution = first.result_of("record_plan", title="Move", steps=steps, start=True)["execution_id"]
        action = first.result_of("record_action", phase="begin", step="copy", summary="copy")["id"]
    with lines(url) as second:
        about = {"action_id": action, "outcome": "ok", "evidence": "it is there"}
        settled = second.result_of("record_decision", decision="settle", why="looked", **about)
        assert settled["next"] == f'switch "Switch", in execution_id={execution}'


def test_the_next_call_about_paused_work_of_another_agent_names_its_execution(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'j.db'}"
    with lines(url) as first:
        execution = first.result_of("record_plan", title="Move", steps=STEPS, start=True)["execution_id"]
        action = first.result_of("record_action", phase="begin", step="copy", summary="copy")["id"]
        first.result_of("record_decision", decision="pause", why="wait")
    with lines(url) as second:
        about = {"action_id": action, "outcome": "ok", "evidence": "it is there"}
        settled = second.result_of("record_decision", decision="settle", why="looked", **about)
        assert f"record_decision(decision=resume, execution_id={execution}, why=...)" in settled["next"]


@pytest.mark.parametrize("way", ["done", "end", "actions", "settle"])
def test_a_doubt_without_a_plan_is_followed_by_the_call_that_settles_it(tmp_path: Path, way: str) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        execution = client.result_of("record_execution_start", title="work")["id"]
        if way == "done":
            found = client.result_of("record_action", phase="done", summary="x", outcome="unknown")
        elif way == "actions":
            actions = [{"summary": "x", "outcome": "unknown"}, {"summary": "y"}]
            found = client.result_of("record_action", phase="done", summary="both", actions=actions)
            found = {**found, "id": found["receipts"][0]["id"]}
        else:
            action = client.result_of("record_action", **_begin(1, execution))["id"]
            outcome = "unknown" if way == "end" else "ok"
            found = client.result_of("record_action", phase="end", action_id=action, outcome=outcome)
        if way == "settle":
            about = {"action_id": found["id"], "outcome": "failed", "evidence": "it is not there"}
            found = client.result_of("record_decision", decision="settle", why="looked", **about)
            assert found["notes"][0].startswith("It contradicts the outcome that was settled")
        settle = f"record_decision(decision=settle, action_id={found['id']}, outcome=..., evidence=...)"
        assert found["next"] == f"look first, then {settle}"


def test_after_the_end_each_answer_names_the_next_undo(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        execution = client.result_of("record_execution_start", title="work")["id"]
        actions = []
        for number in range(3):
            actions.append(client.result_of("record_action", **_begin(number, execution))["id"])
            client.call("record_action", phase="end", action_id=actions[-1], outcome="ok")
        client.call("record_decision", decision="stop", why="wrong")
        undo = {"phase": "done", "kind": "undo", "summary": "undo it"}
        failed = client.result_of("record_action", **undo, undoes=actions[2], outcome="failed", error="locked")
        assert failed["next"].startswith(f"undo {actions[2]} t2")
        kept = client.result_of("record_decision", decision="keep", action_id=actions[2], why="it is wanted")
        assert kept["next"].startswith(f"undo {actions[1]} t1")
        unknown = client.result_of("record_action", **undo, undoes=actions[1], outcome="unknown")
        assert unknown["next"].startswith(
            f"look first, then record_decision(decision=settle, action_id={unknown['id']}"
        )
        about = {"action_id": unknown["id"], "outcome": "ok", "evidence": "it is gone"}
        settled = client.result_of("record_decision", decision="settle", why="looked", **about)
        assert settled["next"].startswith(f"undo {actions[0]} t0")
        assert "next" not in client.result_of("record_action", **undo, undoes=actions[0], outcome="ok")


@pytest.mark.parametrize(
    ("verdict", "said"), [("approve", {}), ("reject", {"reason": "no"}), ("respond", {"answer": "monday"})]
)
def test_an_answer_that_permits_no_call_is_followed_by_what_the_brief_names(
    tmp_path: Path, verdict: Any, said: dict[str, Any]
) -> None:
    url = f"sqlite:///{tmp_path / 'j.db'}"
    with lines(url) as client, Journal.open(url, journal="tests") as admin:
        client.result_of("record_plan", title="Move", steps=STEPS, start=True)
        asked = client.result_of("record_decision", decision="ask_human", question="Now?", why="so")["approval_id"]
        secret = admin.add_credential(name="ada").secret
        with Journal.open(url, journal="tests", actor=Actor(kind="person", name="ada"), credential=secret) as person:
            person.decide_approval(approval_id=asked, verdict=verdict, **said)
        shown = client.result_of("query_ledger", view="approvals", filter=f"id:{asked}")
        assert shown["next"].startswith("copy")
