"""What of a plan an observed call is: its step, its undo, its approval; and what the agent says of it later."""

from typing import Any

import pytest

from tallystick import AlreadyDone, ApprovalPending, InvalidArgument, Journal, Step, Undo, WrongState
from tests.behaviour.scenarios import begin, do, end, entries, owed, planned, step, steps_of, undo, undo_list
from tests.behaviour.test_correlation import GATEWAY, agent_in, over, seen, watched
from tests.matrix import Cell
from tests.promises import promise


def _shell(name: str, command: str = "", **more: Any) -> Step:
    call: dict[str, Any] = {"arguments": {"command": command}} if command else {}
    return step(name, tool="Bash", **call, **more)


def _done(hook: Journal, call: str, command: str, outcome: str = "ok", **more: Any) -> str:
    action = seen(hook, call, arguments={"command": command, "description": "so"}, **more).id
    over(hook, call, outcome)
    return str(action)


def _started(agent: Journal, *steps: Step) -> str:
    return agent.record_plan(title="Work", steps=list(steps), start=True).execution_id


def _actual(journal: Journal, execution: str) -> dict[str, str]:
    return {name: each.actual for name, each in steps_of(journal, execution).items()}


# ----------------------------------------------------------------------------------------------------------------------
# The step of a call


@promise("a-made-call-takes-a-step-by-what-it-did")
def test_a_general_tool_takes_no_step_by_its_name(cell: Cell) -> None:
    agent, hook, tool = agent_in(cell), watched(cell), "mcp__shell__run_command"
    execution = _started(agent, step("build", tool=tool), step("tell", tool="notify"))
    seen(hook, "1", tool, arguments={"command": "touch scratch"})
    over(hook, "1")
    assert _actual(agent, execution) == {"build": "planned", "tell": "planned"}
    assert agent.get_status(execution_id=execution).execution.unplanned == 1


@promise("a-made-call-takes-a-step-by-what-it-did")
@pytest.mark.parametrize(
    ("more", "actual"),
    [
        ({}, "done"),
        ({"needs_approval": True}, "planned"),
        ({"cancellable": "irreversible", "undo": None}, "planned"),
    ],
)
def test_a_specific_tool_takes_a_step_by_its_name_unless_it_is_guarded(cell: Cell, more: Any, actual: str) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = _started(agent, step("release", tool="deploy", **more))
    seen(hook, "1", "mcp__ci__deploy", arguments={"to": "prod"})
    over(hook, "1")
    assert _actual(agent, execution) == {"release": actual}


@promise("a-made-call-takes-a-step-by-what-it-did")
@pytest.mark.parametrize("hook_first", [False, True])
def test_the_gateway_holds_back_a_call_that_the_name_alone_makes_a_guarded_step(cell: Cell, hook_first: bool) -> None:
    agent, gateway, hook = agent_in(cell), watched(cell, actor=GATEWAY), watched(cell)
    execution = _started(agent, step("release", tool="deploy", needs_approval=True))
    if hook_first:
        seen(hook, "1", "mcp__ci__deploy", arguments={"to": "prod"})
    with pytest.raises(ApprovalPending):
        seen(gateway, "1", "mcp__ci__deploy", arguments={"to": "prod"})
    asked = agent.request_approval(question="Release?", step="release").id
    cell.person().decide_approval(approval_id=asked, verdict="approve")
    seen(gateway, "1", "mcp__ci__deploy", arguments={"to": "prod"}, approval_id=asked)
    over(gateway, "1")
    assert _actual(agent, execution) == {"release": "done"}
    assert agent.get_approval(approval_id=asked).status == "used"


# ----------------------------------------------------------------------------------------------------------------------
# Which step a call was, by a decision


@promise("an-agent-says-which-step-a-call-was")
def test_a_call_in_other_words_is_given_its_step(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = _started(agent, _shell("one", "echo 1 > one"), _shell("two", "echo 2 > two"))
    _done(hook, "1", "echo 1 > one")
    call = _done(hook, "2", "echo   2 > two")
    brief = agent.get_brief(execution_id=execution).text
    assert f"record_decision(decision=continue, action_id={call}, step=two, why=...)" in brief
    placed = agent.record_decision(decision="continue", step="two", action_id=call, why="it wrote the file")
    assert (placed.execution_id, placed.action_id, placed.status) == (execution, call, "running")
    assert _actual(agent, execution) == {"one": "done", "two": "done"}
    assert agent.get_status(execution_id=execution).execution.unplanned == 0
    assert [(item.step, getattr(item.undo, "words", "")) for item in undo_list(agent, execution)] == [
        ("two", "take back two"),
        ("one", "take back one"),
    ]
    after = agent.get_brief(execution_id=execution).text
    assert "All steps are done" in after
    assert "nplanned" not in after
    assert agent.get_action(action_id=call).step == "two"


@promise("an-agent-says-which-step-a-call-was")
def test_the_call_may_be_left_out_if_only_one_was_made_since_the_step_was_due(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = _started(agent, step("one"), step("two"), step("three"))
    first = _done(hook, "1", "make one")
    assert agent.record_decision(decision="continue", step="one", why="made").action_id == first
    _done(hook, "look", "ls -la", effect="read")
    second = _done(hook, "2", "make two")
    assert agent.record_decision(decision="continue", step="two", why="made").action_id == second
    others = [_done(hook, name, f"make {name}") for name in ("3a", "3b")]
    with pytest.raises(InvalidArgument, match="one of 2 actions") as refused:
        agent.record_decision(decision="continue", step="three", why="made")
    assert set(refused.value.allowed or ()) == set(others)
    assert _actual(agent, execution) == {"one": "done", "two": "done", "three": "planned"}


@promise("an-agent-says-which-step-a-call-was")
def test_a_call_keeps_its_state_under_its_step(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = _started(agent, step("one", temporary=True), step("two"))
    failed = _done(hook, "1", "make one", "failed")
    agent.record_decision(decision="continue", step="one", action_id=failed, why="that was it")
    assert _actual(agent, execution) == {"one": "failed", "two": "planned"}
    assert "decide" in agent.get_brief(execution_id=execution).text
    again = seen(hook, "2", arguments={"command": "make one again"}).id
    agent.record_decision(decision="continue", step="one", action_id=again, why="the retry")
    assert steps_of(agent, execution)["one"].attempts == 2
    assert _actual(agent, execution)["one"] == "running"
    over(hook, "2")
    assert _actual(agent, execution)["one"] == "done"
    agent.record_decision(decision="skip", step="two", why="not needed")
    with pytest.raises(WrongState, match="2 temporary"):
        agent.record_decision(execution_id=execution, decision="done", why="")


@promise("an-agent-says-which-step-a-call-was")
def test_what_makes_no_sense_is_refused_with_the_reason(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    _started(agent, _shell("one", "echo 1"), step("two"))
    one = _done(hook, "1", "echo 1")
    other = _done(hook, "2", "echo 2")
    with pytest.raises(WrongState, match="is step one"):
        agent.record_decision(decision="continue", step="two", action_id=one, why="so")
    with pytest.raises(AlreadyDone, match="was done by"):
        agent.record_decision(decision="continue", step="one", action_id=other, why="so")
    with pytest.raises(InvalidArgument, match="not said what"):
        agent.record_decision(decision="continue", action_id=other, why="so")
    with pytest.raises(InvalidArgument, match="There is no step"):
        agent.record_decision(decision="continue", step="three", action_id=other, why="so")
    with pytest.raises(InvalidArgument, match="began before"):
        agent.record_decision(decision="continue", action_id=other, undoes=_done(hook, "3", "echo 3"), why="so")


@promise("an-agent-says-which-step-a-call-was")
def test_a_step_that_puts_another_back_does_so_when_it_is_given_its_call(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    lock = step("lock", temporary=True)
    execution = _started(agent, lock, step("unlock", undoes="lock", cancellable="irreversible", undo=None))
    locked = _done(hook, "1", "touch lock")
    agent.record_decision(decision="continue", step="lock", action_id=locked, why="it is locked")
    unlocked = _done(hook, "2", "rm lock")
    agent.record_decision(decision="continue", step="unlock", action_id=unlocked, why="it is open again")
    assert undo_list(agent, execution) == []
    assert agent.record_decision(execution_id=execution, decision="done", why="").status == "completed"


# ----------------------------------------------------------------------------------------------------------------------
# What a call undid


def _unwinding(agent: Journal, hook: Journal) -> tuple[str, str, str]:
    undo = Undo(tool="Bash", arguments={"command": "rm copy.db"})
    execution = _started(agent, _shell("copy", "cp a copy.db", undo=undo), _shell("write", "echo > report.txt"))
    copied, wrote = _done(hook, "1", "cp a copy.db"), _done(hook, "2", "echo > report.txt")
    agent.record_decision(execution_id=execution, decision="unwind", why="it is wrong")
    return execution, copied, wrote


@promise("an-agent-says-which-step-a-call-was")
def test_a_decision_to_continue_that_attaches_no_action_to_its_step_says_so(cell: Cell) -> None:
    journal = cell.journal
    planned(journal, "one", "two")
    (note,) = journal.record_decision(decision="continue", step="one", why="that was it").notes
    assert note.startswith(
        "No action was recorded as step one: record_decision(decision=continue, step=one, action_id="
    )
    do(journal, step="one")
    assert journal.record_decision(decision="continue", step="one", why="it is fine").notes == ()


@promise("an-agent-says-what-a-call-undid")
def test_what_is_seen_while_unwinding_is_listed_last_and_not_owed(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution, copied, wrote = _unwinding(agent, hook)
    removed = _done(hook, "3", "rm report.txt")
    listed = [(item.action_id, item.state) for item in owed(agent, execution)]
    assert listed == [(wrote, "not_undone"), (copied, "not_undone"), (removed, "may_be_undo")]
    assert [item.action_id for item in undo_list(agent, execution)] == [wrote, copied, removed]
    assert agent.get_status(execution_id=execution).execution.owed == 2
    brief = agent.get_brief(execution_id=execution)
    assert brief.next.startswith(f"Next: undo {wrote}")
    assert f"record_decision(decision=continue, action_id={removed}, undoes=..., why=...)" in brief.text
    assert agent.get_action(action_id=removed).undo_state == "may_be_undo"
    pages, cursor = [], None
    while cursor != "":
        page = agent.get_undo_list(execution_id=execution, limit=1, cursor=cursor)
        pages += [item.action_id for item in page.items]
        cursor = page.next_cursor
    assert pages == [wrote, copied, removed]
    assert agent.get_undo_list(execution_id=execution, state="may_be_undo").items[0].action_id == removed
    assert (page.owed, page.due) == ("some", 2)
    undo(agent, wrote)
    undo(agent, copied)
    page = agent.get_undo_list(execution_id=execution)
    assert ([item.action_id for item in page.items], page.owed, page.due) == ([removed], "nothing", 0)


@promise("an-agent-says-what-a-call-undid")
def test_a_decision_says_what_a_call_undid(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution, copied, wrote = _unwinding(agent, hook)
    removed = _done(hook, "3", "rm report.txt")
    agent.record_decision(decision="continue", undoes=wrote, why="the file is gone")
    assert agent.get_action(action_id=wrote).undone_by == removed
    forced = _done(hook, "4", "rm -f copy.db")
    call = f"record_decision(decision=continue, action_id={forced}, undoes={copied}, why=...)"
    assert call in agent.get_brief(execution_id=execution).text
    agent.record_decision(decision="continue", action_id=forced, undoes=copied, why="the file is gone")
    assert owed(agent, execution) == []
    shown = agent.get_status(execution_id=execution).execution
    assert (shown.owed, shown.undos, shown.unplanned) == (0, {"ok": 2}, 0)
    assert agent.get_brief(execution_id=execution).next.startswith("Nothing is left to undo")
    assert agent.record_decision(execution_id=execution, decision="done", why="").status == "cancelled"


@promise("an-agent-says-what-a-call-undid")
def test_a_failed_call_leaves_what_it_was_to_undo(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution, copied, wrote = _unwinding(agent, hook)
    failed = _done(hook, "3", "rm report.txt", "failed")
    agent.record_decision(decision="continue", action_id=failed, undoes=wrote, why="it was to remove it")
    assert [item.state for item in owed(agent, execution)] == ["failed", "not_undone"]
    again = _done(hook, "4", "rm -f report.txt")
    agent.record_decision(decision="continue", action_id=again, undoes=wrote, why="it is gone now")
    assert [item.action_id for item in owed(agent, execution)] == [copied]
    with pytest.raises(WrongState, match="an undo of"):
        agent.record_decision(decision="continue", action_id=again, undoes=copied, why="so")
    unknown, last = _done(hook, "5", "rm copy.db", "unknown"), _done(hook, "6", "rm -f copy.db")
    assert agent.get_action(action_id=copied).undone_by == unknown
    agent.record_decision(decision="continue", action_id=last, undoes=copied, why="it is gone now")
    assert owed(agent, execution) == []
    with pytest.raises(AlreadyDone, match="was undone by"):
        agent.record_decision(
            decision="continue", action_id=_done(hook, "7", "rm -rf copy.db"), undoes=copied, why="so"
        )


@promise("an-agent-says-what-a-call-undid")
def test_a_decision_says_it_after_the_end_too(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = _started(agent, _shell("write", "echo > report.txt"))
    wrote = _done(hook, "1", "echo > report.txt")
    agent.record_decision(execution_id=execution, decision="stop", why="no more")
    removed = _done(hook, "2", "rm report.txt")
    receipt = agent.record_decision(decision="continue", action_id=removed, undoes=wrote, why="it is gone")
    assert (receipt.execution_id, receipt.status) == (execution, "cancelled")
    assert owed(agent, execution) == []
    assert agent.get_action(action_id=wrote).undo_state == "undone"


@promise("an-agent-says-what-a-call-undid")
def test_what_was_done_while_unwinding_can_be_kept(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution, *_ = _unwinding(agent, hook)
    noted = _done(hook, "3", "echo undone >> log")
    agent.record_decision(decision="keep", action_id=noted, why="the log stays")
    assert noted not in [item.action_id for item in undo_list(agent, execution)]


# ----------------------------------------------------------------------------------------------------------------------
# The approval of a call


def _asked(cell: Cell, agent: Journal, verdict: str, **more: Any) -> str:
    asked = str(agent.record_decision(decision="ask_human", step="drop", question="Drop it?", why="risky").approval_id)
    cell.person().decide_approval(approval_id=asked, verdict=verdict, **more)  # type: ignore[arg-type]
    return asked


DROP = _shell("drop", "dropdb old", needs_approval=True, cancellable="irreversible", undo=None)


@promise("an-observed-call-uses-its-approval")
def test_an_observed_call_uses_its_approval(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = _started(agent, DROP)
    asked = _asked(cell, agent, "approve")
    call = _done(hook, "1", "dropdb old")
    begun = entries(agent, id=call, kind="action_begun")[0].facts
    assert (begun["approval_id"], begun.get("out_of_order", False)) == (asked, False)
    used = agent.get_approval(approval_id=asked)
    assert (used.status, used.used_by) == ("used", call)
    assert _actual(agent, execution) == {"drop": "done"}
    assert agent.get_status(execution_id=execution).unpermitted == ()
    assert "ermitted" not in agent.get_brief(execution_id=execution).text
    second = _done(hook, "2", "dropdb old")
    assert agent.get_approval(approval_id=asked).used_by == call
    assert entries(agent, id=second, kind="action_begun")[0].facts["again"]


@promise("an-observed-call-uses-its-approval")
def test_an_edited_call_is_the_step_that_was_asked_about(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = _started(agent, DROP)
    asked = _asked(cell, agent, "edit", arguments={"command": "dropdb old_copy"})
    _done(hook, "1", "dropdb old_copy")
    assert agent.get_approval(approval_id=asked).status == "used"
    assert _actual(agent, execution) == {"drop": "done"}


@promise("an-observed-call-uses-its-approval")
def test_another_call_than_the_granted_leaves_the_approval(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = _started(agent, DROP)
    asked = _asked(cell, agent, "approve")
    seen(hook, "1", arguments={"command": "dropdb old", "workdir": "/srv/other"})
    assert steps_of(agent, execution)["drop"].permission == ""  # not known to be made yet
    over(hook, "1")
    assert agent.get_approval(approval_id=asked).status == "approve"
    assert steps_of(agent, execution)["drop"].permission == "carried out without approval"


@promise("an-unpermitted-call-is-named")
@pytest.mark.parametrize(
    ("verdict", "words"), [(None, "carried out without approval"), ("reject", "carried out against a rejection")]
)
def test_a_call_that_nobody_permitted_is_named(cell: Cell, verdict: str | None, words: str) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = _started(agent, DROP)
    if verdict:
        _asked(cell, agent, verdict)
    call = _done(hook, "1", "dropdb old")
    status = agent.get_status(execution_id=execution)
    assert (status.unpermitted, status.steps[0].permission) == ((call,), words)
    assert f"{call} drop: {words}" in agent.get_brief(execution_id=execution).text
    assert agent.get_action(action_id=call).permission == words
    for form in ("markdown", "html"):
        assert words in agent.get_report(execution_id=execution, form=form).text


@promise("an-observed-call-uses-its-approval")
@pytest.mark.parametrize("has_gateway", [False, True])
def test_a_call_on_its_way_to_the_gateway_leaves_the_approval_to_it(cell: Cell, has_gateway: bool) -> None:
    agent, hook, gateway = agent_in(cell), watched(cell), watched(cell, actor=GATEWAY)
    call: dict[str, Any] = {"arguments": {"db": "old"}}
    execution = _started(agent, step("drop", tool="mcp__db__drop", needs_approval=True, **call))
    if has_gateway:
        seen(gateway, "0", "mcp__db__vacuum", arguments={"all": True})
    seen(hook, "1", "mcp__ours__drop", **call)
    with pytest.raises(ApprovalPending):
        seen(gateway, "1", "mcp__db__drop", **call)
    assert agent.get_status(execution_id=execution).unpermitted == ()
    over(gateway, "1", "skipped", without_effect=True)
    assert agent.get_status(execution_id=execution).unpermitted == ()
    asked = _asked(cell, agent, "approve")
    made = seen(hook, "2", "mcp__db__drop", **call).id
    assert seen(gateway, "2", "mcp__db__drop", approval_id=asked, **call).id == made
    over(gateway, "2")
    assert agent.get_approval(approval_id=asked).used_by == made
    assert agent.get_status(execution_id=execution).unpermitted == ()


@promise("an-unpermitted-call-is-named")
def test_a_call_that_is_given_a_guarded_step_uses_its_approval_or_is_named(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = _started(agent, step("drop", needs_approval=True), step("mail", needs_approval=True))
    asked = _asked(cell, agent, "approve")
    dropped, mailed = _done(hook, "1", "dropdb  old"), _done(hook, "2", "sendmail all")
    agent.record_decision(decision="continue", step="drop", action_id=dropped, why="that was it")
    receipt = agent.record_decision(decision="continue", step="mail", action_id=mailed, why="that was it")
    assert agent.get_approval(approval_id=asked).used_by == dropped
    assert receipt.notes == ("It was carried out without approval.",)
    assert agent.get_status(execution_id=execution).unpermitted == (mailed,)


# ----------------------------------------------------------------------------------------------------------------------
# The end of a call, told twice


@promise("an-end-is-told-once")
@pytest.mark.parametrize("by_hook", [False, True])
def test_settling_what_has_ended_changes_nothing_and_says_so(cell: Cell, by_hook: bool) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = agent.record_execution_start(title="work").id
    call = seen(hook, "1", arguments={"command": "make"}).id if by_hook else begin(agent, "make")
    cell.clock.advance(5)
    over(hook, "1") if by_hook else end(agent, call)
    (line,) = agent.list_actions(execution_id=execution).actions
    before = len(entries(agent))
    cell.clock.advance(60)
    again = agent.record_decision(decision="settle", action_id=call, outcome="ok", evidence="I looked", why="sure")
    assert (again.state, again.notes) == ("ok", ("It had ended before: ok. Nothing was changed.",))
    assert len(entries(agent)) == before
    assert agent.list_actions(execution_id=execution).actions == (line,)
    other = agent.record_decision(decision="settle", action_id=call, outcome="failed", evidence="I looked", why="hm")
    assert other.state == "in_doubt"


@promise("an-end-is-told-once")
@pytest.mark.parametrize("by_hook", [False, True])
def test_what_a_later_end_adds_leaves_the_time_of_the_first(cell: Cell, by_hook: bool) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = agent.record_execution_start(title="work").id
    call = seen(hook, "1", arguments={"command": "make"}).id if by_hook else begin(agent, "make")
    over(hook, "1", "failed") if by_hook else end(agent, call, "failed")
    (line,) = agent.list_actions(execution_id=execution).actions
    cell.clock.advance(60)
    settle = {"outcome": "failed", "evidence": "nothing is there", "without_effect": True}
    agent.record_decision(decision="settle", action_id=call, why="no trace", **settle)  # type: ignore[arg-type]
    assert agent.list_actions(execution_id=execution).actions[0].ended == line.ended
    assert undo_list(agent, execution) == []


@promise("coverage-is-stated")
def test_the_observer_of_the_conversation_that_took_over_is_named(cell: Cell) -> None:
    first = watched(cell, "claude-code:1")
    agent = agent_in(cell, "claude-code:1")
    execution = _started(agent, _shell("one", "echo 1"), _shell("two", "echo 2"))
    _done(first, "1", "echo 1")
    first.end_session(session_id=first.get_coverage().seen[0].observer.session)
    hook, other = watched(cell, "claude-code:2"), agent_in(cell, "claude-code:2")
    other.record_decision(decision="continue", execution_id=execution, why="the first one is gone")
    _done(hook, "2", "echo 2")
    text = other.get_brief(execution_id=execution).text
    assert "claude-code is observed" in text
    assert "claude-code has ended" not in text


@promise("an-agent-says-which-step-a-call-was")
def test_the_rows_are_those_that_the_entries_give(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution, copied, _ = _unwinding(agent, hook)
    forced = _done(hook, "3", "rm -f copy.db")
    agent.record_decision(decision="continue", action_id=forced, undoes=copied, why="the file is gone")
    do(agent, "mail", execution_id=execution)
    assert cell.journal.verify().ok
