"""An effect in doubt is refused in the whole journal, and a start names what the first one left."""

import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tallystick import AlreadyDone, Conflict, InDoubtOpen, Journal
from tallystick.store.sql.tail import MAX_UNSETTLED_EFFECTS
from tests.behaviour.scenarios import begin, do, end, entries, plan, start, step
from tests.matrix import Cell
from tests.promises import promise

PAY: dict[str, Any] = {"tool": "pay", "arguments": {"invoice": 17}}


@promise("a-doubt-counts-in-the-whole-journal")
def test_an_effect_in_doubt_is_refused_in_every_execution_until_it_is_settled(cell: Cell) -> None:
    agent, heir = cell.mortal(), cell.another("heir")
    first = start(agent, "Pay the bills")
    action = begin(agent, **PAY)
    cell.kill(agent)
    other = start(heir, "Something else")
    with pytest.raises(InDoubtOpen, match=f"{action} of {first}") as caught:
        begin(heir, execution_id=other, **PAY)
    assert "again" in caught.value.hint
    assert caught.value.next_call is not None
    assert caught.value.next_call[1]["action_id"] == action
    begin(heir, "pay", arguments={"invoice": 18}, execution_id=other)
    end(heir, action, "failed", evidence="the bank has no such payment")
    begin(heir, execution_id=other, **PAY)


@promise("a-doubt-counts-in-the-whole-journal")
def test_a_doubt_of_an_ended_execution_counts_and_again_repeats_it(journal: Journal) -> None:
    first = start(journal)
    end(journal, begin(journal, **PAY), "unknown")
    journal.record_decision(decision="stop", why="enough", execution_id=first)
    second = start(journal, "another")
    with pytest.raises(InDoubtOpen):
        begin(journal, execution_id=second, **PAY)
    begin(journal, execution_id=second, again="the bank says that it never came", **PAY)


@promise("a-doubt-counts-in-the-whole-journal")
@pytest.mark.parametrize("name", ["key", "call_id"])
def test_a_begin_in_doubt_that_is_sent_again_under_its_key_is_refused(cell: Cell, name: str) -> None:
    agent, heir = cell.mortal(), cell.another("heir")
    execution = start(agent, "Pay the bills")
    paid: dict[str, Any] = {"execution_id": execution, name: "pay-17", **PAY}
    looked: dict[str, Any] = {"execution_id": execution, name: "look-17"}
    action, reading = begin(agent, **paid), begin(agent, "look", effect="read", **looked)
    cell.kill(agent)
    with pytest.raises(InDoubtOpen, match=action):
        begin(heir, **paid)
    again = heir.record_action(phase="begin", tool="look", effect="read", **looked)
    assert (again.id, again.repeated, again.state) == (reading, True, "in_doubt")
    end(heir, action, "failed", evidence="the bank has no such payment")
    settled = heir.record_action(phase="begin", **paid)
    assert (settled.id, settled.repeated, settled.state) == (action, True, "failed")


@promise("a-doubt-counts-in-the-whole-journal")
def test_the_key_of_an_action_in_doubt_is_refused_as_a_doubt_in_another_execution_too(cell: Cell) -> None:
    agent, heir = cell.mortal(), cell.another("heir")
    start(agent, "Pay the bills")
    action = begin(agent, key="pay-17", **PAY)
    cell.kill(agent)
    other = start(heir, "Pay the bills again")
    with pytest.raises(InDoubtOpen, match=action):
        begin(heir, execution_id=other, key="pay-17", **PAY)
    with pytest.raises(Conflict):
        begin(heir, "mail", arguments={"to": "all"}, execution_id=other, key="pay-17")
    end(heir, action, "failed", evidence="the bank has no such payment")
    with pytest.raises(Conflict):
        begin(heir, execution_id=other, key="pay-17", **PAY)


@promise("a-script-that-is-started-again-repeats-nothing-in-doubt")
def test_a_scope_with_the_key_of_an_action_that_has_begun_before_is_not_entered(journal: Journal) -> None:
    done: list[str] = []

    def work(key: str, outcome: str, **more: Any) -> None:
        with journal.action(key, tool=key, key=key, execution_id=execution, **more) as action:
            done.append(key)
            if outcome == "unknown":
                action.unknown("the line went dead")
            if outcome == "failed":
                raise ValueError

    execution = start(journal)
    for key, outcome, refusal in (
        ("a", "ok", AlreadyDone),
        ("b", "failed", AlreadyDone),
        ("c", "unknown", InDoubtOpen),
    ):
        with suppress(ValueError):
            work(key, outcome)
        with pytest.raises(refusal):
            work(key, "ok")
    assert done == ["a", "b", "c"]
    work("d", "unknown", effect="idempotent")
    work("d", "ok", effect="idempotent")
    assert done[3:] == ["d", "d"]
    assert [(each.tool, each.state) for each in journal.list_actions(tool="d").actions] == [("d", "ok")]


@promise("a-doubt-counts-in-the-whole-journal")
def test_an_open_action_of_a_living_session_is_no_doubt(cell: Cell) -> None:
    start(cell.journal, "one")
    begin(cell.journal, **PAY)
    other = cell.another("other")
    assert begin(other, execution_id=start(other, "two"), **PAY)


@promise("a-doubt-counts-in-the-whole-journal")
@pytest.mark.parametrize("effect", ["read", "idempotent"])
def test_a_repeatable_effect_in_doubt_is_not_refused_elsewhere(journal: Journal, effect: str) -> None:
    start(journal)
    end(journal, begin(journal, effect=effect, **PAY), "unknown")
    assert begin(journal, effect=effect, execution_id=start(journal, "another"), **PAY)


@promise("a-doubt-counts-in-the-whole-journal")
def test_a_doubt_among_more_than_are_cached_is_found(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/journal.db"
    with Journal.open(url) as journal:
        execution = start(journal, "Pay")
        for number in range(MAX_UNSETTLED_EFFECTS + 60):
            begin(journal, "pay", arguments={"n": number}, execution_id=execution)
    with Journal.open(url) as journal:
        end(journal, journal.list_in_doubt(limit=1).in_doubt[0].action_id, "ok", evidence="looked")
        other = start(journal, "Other")
        for number in (1, 100, MAX_UNSETTLED_EFFECTS + 50):
            with pytest.raises(InDoubtOpen):
                begin(journal, "pay", arguments={"n": number}, execution_id=other)
        begin(journal, "pay", arguments={"n": -1}, execution_id=other)


@promise("a-doubt-without-arguments-counts-for-the-same-work")
@pytest.mark.parametrize("call", [{"tool": "rm"}, {"tool": "rm", "summary": "delete logs"}, {"summary": "delete logs"}])
def test_without_arguments_the_same_tool_and_summary_count_in_the_same_work(
    journal: Journal, call: dict[str, Any]
) -> None:
    start(journal, "Clean up", task_id="T-1")
    action = begin(journal, **call)
    end(journal, action, "unknown")
    same = start(journal, "Clean up", task_id="T-1")
    with pytest.raises(InDoubtOpen, match=action):
        begin(journal, execution_id=same, **call)
    for free in (start(journal, "Clean up", task_id="T-2"), start(journal, "Build", task_id="T-1"), start(journal, "")):
        begin(journal, execution_id=free, **call)
    begin(journal, execution_id=same, **{**call, "summary": "delete the cache"})
    if call.get("tool"):
        begin(journal, execution_id=start(journal, "Clean up", task_id="T-1"), arguments={}, **call)


@promise("a-doubt-without-arguments-counts-for-the-same-work")
def test_a_step_in_doubt_is_refused_in_another_execution_of_its_plan(journal: Journal) -> None:
    made = plan(journal, step("pay", tool="pay", after=()), step("ship", after=()))
    calls: tuple[dict[str, Any], ...] = (PAY, {})
    for call in calls:
        journal.record_execution_start(plan_id=made.id, title=f"with {len(call)}")
        action = begin(journal, step="pay", execution_id=newest(journal), **call)
        end(journal, action, "unknown")
        second = journal.record_execution_start(plan_id=made.id)
        assert action in second.in_doubt
        assert journal.get_brief(execution_id=second.id).next_steps == ("ship",)
        with pytest.raises(InDoubtOpen):
            begin(journal, step="pay", execution_id=second.id)
        end(journal, action, "failed", evidence="looked")


def newest(journal: Journal) -> str:
    return journal.list_executions(limit=1).executions[0].id


@promise("a-start-names-the-same-work")
def test_a_start_names_the_doubts_and_the_open_executions_of_the_same_work(cell: Cell) -> None:
    agent, heir = cell.mortal(), cell.another("heir")
    first = start(agent, "Release", task_id="T-1")
    action = begin(agent, **PAY)
    assert heir.record_execution_start(title="Another", task_id="T-1").open_executions == ()
    cell.kill(agent)
    receipt = heir.record_execution_start(title="Release", task_id="T-1")
    assert (receipt.in_doubt, receipt.open_executions) == ((action,), (first,))
    assert [name in note for name, note in zip((first, action), receipt.notes, strict=True)] == [True, True]
    made = plan(heir, "one", title="Release", task_id="T-1", start=True)
    assert (made.in_doubt, set(made.open_executions)) == ((action,), {first, receipt.id})


@promise("a-start-names-the-same-work")
def test_an_ended_execution_without_doubt_is_not_named(journal: Journal) -> None:
    made = plan(journal, "one")
    execution = journal.record_execution_start(plan_id=made.id).id
    do(journal, step="one", execution_id=execution)
    journal.record_decision(decision="done", execution_id=execution)
    receipt = journal.record_execution_start(plan_id=made.id)
    assert (receipt.in_doubt, receipt.open_executions, receipt.notes) == ((), (), ())


@promise("a-start-names-the-same-work")
def test_the_names_in_a_receipt_are_bounded(journal: Journal) -> None:
    for number in range(8):
        end(journal, begin(journal, "pay", arguments={"n": number}, execution_id=start(journal, "Pay")), "unknown")
    receipt = journal.record_execution_start(title="Pay")
    assert (len(receipt.in_doubt), len(receipt.open_executions)) == (5, 5)


SCRIPT = """
import os, signal, sys
from pathlib import Path
from tallystick import InDoubtOpen, Journal
way, url, paid, dies = sys.argv[1:]

def pay(invoice):
    with open(paid, "a") as file:
        file.write(f"{invoice}\\n")
    if dies == "yes" and invoice == 17:
        os.kill(os.getpid(), signal.SIGKILL)

with Journal.open(url, journal="shop") as journal:
    if way == "action":
        with journal.execution("Pay the bills") as execution:
            with execution.action("pay invoice 17", tool="pay") as action:
                pay(17)
    elif way == "decorator":
        with journal.execution("Pay the bills"):
            journal.recorded(pay)(17)
    else:
        shown = {"title": "pay", "cancellable": "irreversible", "tool": "pay"}
        steps = [{"id": f"pay-{n}", "arguments": {"invoice": n}, **shown} for n in (16, 17, 18)]
        plan = journal.record_plan(title="Pay the bills", steps=steps, key="bills-plan")
        key = {"key": "bills"} if way == "carry_out" else {}
        journal.carry_out(plan, lambda step: pay(step.arguments["invoice"]), **key)
"""


@promise("a-script-that-is-started-again-repeats-nothing-in-doubt")
@pytest.mark.parametrize(
    ("way", "once", "settled"),
    [
        ("action", ["17"], ["17", "17"]),
        ("decorator", ["17"], ["17", "17"]),
        ("carry_out", ["16", "17"], ["16", "17", "17", "18"]),
        ("carry_out without key", ["16", "17", "16"], ["16", "17", "16", "16", "17", "18"]),
    ],
)
def test_a_killed_script_that_is_started_again_does_not_repeat_what_is_in_doubt(
    tmp_path: Path, way: str, once: list[str], settled: list[str]
) -> None:
    url, paid = f"sqlite:{tmp_path}/journal.db", tmp_path / "paid"

    def run(dies: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", SCRIPT, way, url, str(paid), dies]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    assert run("yes").returncode == -signal.SIGKILL
    again = run("no")
    assert again.returncode == 1
    with Journal.open(url, journal="shop") as journal:
        (doubt,) = journal.list_in_doubt().in_doubt
        assert f"InDoubtOpen: The same call is in doubt as {doubt.action_id}" in again.stderr or (
            f'InDoubtOpen: Step "pay-17" is in doubt as {doubt.action_id}' in again.stderr
        )
        assert paid.read_text().split() == once
        end(journal, doubt.action_id, "failed", evidence="the bank has no such payment")
        if way == "carry_out":
            journal.record_decision(
                decision="retry", step="pay-17", why="it was not paid", execution_id=doubt.execution_id
            )
        assert [entry.facts.get("again", False) for entry in entries(journal, kind="action_begun")].count(True) == 0
    done = run("no")
    assert done.returncode == 0, done.stderr
    assert paid.read_text().split() == settled
