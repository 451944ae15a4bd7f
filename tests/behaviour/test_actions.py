"""Actions: recorded before and after they are done."""

import pytest

from tallystick import Actor, AlreadyDone, InDoubtOpen, InvalidArgument, Journal, Record, WrongState
from tallystick.core.types import Outcome
from tests.behaviour.scenarios import (
    begin,
    do,
    end,
    entries,
    fail,
    plan,
    planned,
    start,
    step,
    steps_of,
    undo,
    undo_list,
)
from tests.matrix import Cell
from tests.promises import promise


@promise("an-action-keeps-what-was-said")
def test_every_argument_of_an_action_is_stored(journal: Journal) -> None:
    execution = planned(journal, "copy")
    begun = journal.record_action(
        phase="begin",
        step="copy",
        tool="cp",
        arguments={"from": "a", "to": ["b", 1.5, None, True]},
        summary="copy a to b",
        entity_type="file",
        entity_id="b",
        before={"b": None},
        confidence=0.75,
    )
    journal.record_action(
        phase="end",
        action_id=begun.id,
        outcome="failed",
        summary="no room",
        result={"written": 3},
        error="ENOSPC",
        after={"b": "half"},
        duration=2.5,
        confidence=1.0,
    )
    first, last = entries(journal, id=begun.id)
    assert (begun.execution_id, begun.attempt, begun.state) == (execution, 1, "open")
    assert first.facts["step"] == "copy"
    assert first.facts["tool"] == "cp"
    assert (first.facts["entity_type"], first.facts["entity_id"]) == ("file", "b")
    assert (first.facts["confidence"], last.facts["confidence"]) == (0.75, 1.0)
    assert first.body == {
        "summary": "copy a to b",
        "arguments": {"from": "a", "to": ["b", 1.5, None, True]},
        "before": {"b": None},
    }
    assert (last.facts["outcome"], last.facts["duration"]) == ("failed", 2.5)
    assert not {"late", "settles", "contradicts", "out_of_order", "again"} & {*first.facts, *last.facts}
    assert last.body == {
        "summary": "no room",
        "result": {"written": 3},
        "error": "ENOSPC",
        "after": {"b": "half"},
    }


@promise("an-intent-is-recorded-before-the-act")
def test_a_begun_action_is_open_and_owed_at_once(journal: Journal) -> None:
    execution = start(journal)
    action = begin(journal, "touch", undo="remove it")
    assert journal.get_status(execution_id=execution).execution.actions == {"open": 1}
    assert [(item.action_id, item.certain) for item in undo_list(journal, execution)] == [(action, False)]
    assert [entry.kind for entry in entries(journal, id=action)] == ["action_begun"]


@promise("an-action-ends-once")
@pytest.mark.parametrize("outcome", ["ok", "failed"])
def test_a_second_end_is_refused(journal: Journal, outcome: Outcome) -> None:
    start(journal)
    action = do(journal, "touch")
    with pytest.raises(WrongState) as caught:
        end(journal, action, outcome)
    assert caught.value.field == "evidence"
    assert len(entries(journal, id=action)) == 2


@promise("an-action-ends-once")
def test_an_end_needs_an_action_and_an_outcome(journal: Journal) -> None:
    start(journal)
    with pytest.raises(InvalidArgument) as nameless:
        journal.record_action(phase="end", outcome="ok")
    assert nameless.value.field == "action_id"
    action = begin(journal, "touch")
    with pytest.raises(InvalidArgument) as unsaid:
        journal.record_action(phase="end", action_id=action)
    assert unsaid.value.allowed == ("ok", "failed", "skipped", "unknown")


@promise("an-outcome-is-one-of-four")
def test_each_outcome_is_counted_and_unknown_is_in_doubt(journal: Journal) -> None:
    execution = start(journal)
    states = {}
    outcomes: tuple[Outcome, ...] = ("ok", "failed", "skipped", "unknown")
    for outcome in outcomes:
        states[outcome] = end(journal, begin(journal, f"tool {outcome}"), outcome).state
    assert states == {"ok": "ok", "failed": "failed", "skipped": "skipped", "unknown": "in_doubt"}
    assert journal.get_status(execution_id=execution).execution.actions == dict.fromkeys(states.values(), 1)
    assert [item.tool for item in journal.list_in_doubt().in_doubt] == ["tool unknown"]


@promise("a-note-changes-nothing")
def test_notes_are_kept_and_change_no_state(journal: Journal) -> None:
    execution = planned(journal, "one")
    action = begin(journal, step="one")
    before = journal.get_status(execution_id=execution)
    notes = [
        journal.record_action(phase="note", summary="on the execution", after={"x": 1}),
        journal.record_action(phase="note", summary="on the step", step="one"),
        journal.record_action(phase="note", summary="on the action", action_id=action, entity_type="file"),
    ]
    assert [note.id for note in notes] == [execution, execution, action]  # a note is about something that is there
    assert {note.execution_id for note in notes} == {execution}
    found = [next(entry for entry in entries(journal, id=note.id) if entry.seq == note.seq) for note in notes]
    assert [entry.body["summary"] for entry in found] == ["on the execution", "on the step", "on the action"]
    assert found[0].body["after"] == {"x": 1}
    assert found[1].facts["step"] == "one"
    assert found[2].facts == {"about": action, "entity_type": "file"}
    assert {entry.execution_id for entry in found} == {execution}
    assert journal.get_status(execution_id=execution) == before


@promise("retry-makes-a-new-attempt")
def test_each_retry_is_a_new_attempt_and_all_stay(journal: Journal) -> None:
    execution = planned(journal, step("one", tool="post"))
    attempts = []
    for _ in range(2):
        attempts.append(fail(journal, "post", step="one", arguments={"n": 1}))
        journal.record_decision(decision="retry", step="one", why="it may work now")
        assert steps_of(journal, execution)["one"].actual == "failed"
    last = journal.record_action(phase="begin", step="one", tool="post", arguments={"n": 1})
    assert last.attempt == 3
    end(journal, last.id)
    assert len({*attempts, last.id}) == 3
    view = steps_of(journal, execution)["one"]
    assert (view.actual, view.attempts, view.action_id) == ("done", 3, last.id)
    begun = entries(journal, kind="action_begun")
    assert [entry.facts.get("attempt", 1) for entry in begun] == [1, 2, 3]
    assert journal.get_stats().retries == 2


@promise("an-older-attempt-does-not-speak-for-the-step")
def test_settling_an_older_attempt_leaves_a_done_step_done(journal: Journal) -> None:
    execution = planned(journal, "one", "two")
    old = begin(journal, step="one")
    end(journal, old, "unknown")
    new = do(journal, step="one", again="the first one may have got lost")
    end(journal, old, "failed", evidence="the server never saw it")
    view = steps_of(journal, execution)["one"]
    assert (view.actual, view.action_id) == ("done", new)
    assert journal.get_status(execution_id=execution).next_steps == ("two",)


@promise("a-repeated-effect-is-answered")
def test_an_effect_that_succeeded_is_answered_with_that_fact(journal: Journal) -> None:
    start(journal)
    action = do(journal, "pay", arguments={"amount": 40, "to": "x"})
    with pytest.raises(AlreadyDone, match=action):
        begin(journal, "pay", arguments={"to": "x", "amount": 40})


@promise("a-repeated-effect-is-answered")
def test_an_effect_in_doubt_is_answered_with_the_way_to_settle_it(journal: Journal) -> None:
    start(journal)
    action = begin(journal, "pay", arguments={"amount": 40})
    end(journal, action, "unknown")
    with pytest.raises(InDoubtOpen, match=action) as caught:
        begin(journal, "pay", arguments={"amount": 40})
    assert caught.value.next_call is not None
    assert caught.value.next_call[0] == "record_decision"
    assert caught.value.next_call[1]["decision"] == "settle"
    assert caught.value.next_call[1]["action_id"] == action


@promise("a-repeated-effect-is-answered")
def test_an_effect_that_is_under_way_is_answered_with_that_fact(journal: Journal) -> None:
    start(journal)
    action = begin(journal, "pay", arguments={"amount": 40})
    with pytest.raises(WrongState, match=action):
        begin(journal, "pay", arguments={"amount": 40})


@promise("a-repeated-effect-is-answered")
@pytest.mark.parametrize("tool", [None, "pay"])
def test_a_step_that_is_done_or_in_doubt_is_answered_too(journal: Journal, tool: str | None) -> None:
    planned(journal, step("sure", tool="pay", after=()), step("unsure", tool="pay", after=()))
    done = do(journal, tool, step="sure")
    doubtful = begin(journal, tool, step="unsure", arguments={"other": True})
    end(journal, doubtful, "unknown")
    with pytest.raises(AlreadyDone, match=done):
        begin(journal, tool, step="sure")
    with pytest.raises(InDoubtOpen, match=doubtful):
        begin(journal, tool, step="unsure", arguments={"other": True})


@promise("again-repeats-with-a-reason")
@pytest.mark.parametrize("outcome", ["ok", "unknown"])
def test_again_repeats_an_effect_and_keeps_the_reason(journal: Journal, outcome: Outcome) -> None:
    start(journal)
    end(journal, begin(journal, "pay", arguments={"amount": 40}), outcome)
    repeated = begin(journal, "pay", arguments={"amount": 40}, again="they ordered twice")
    entry = entries(journal, id=repeated)[0]
    assert entry.facts["again"] is True
    assert entry.body["again"] == "they ordered twice"


@promise("read-and-idempotent-may-repeat")
@pytest.mark.parametrize("effect", ["read", "idempotent"])
@pytest.mark.parametrize("outcome", ["ok", "unknown"])
def test_read_and_idempotent_effects_may_repeat(journal: Journal, effect: str, outcome: Outcome) -> None:
    execution = start(journal)
    for _ in range(2):
        end(journal, begin(journal, "look", arguments={"at": "x"}, effect=effect), outcome)
    assert journal.get_status(execution_id=execution).execution.actions == {"ok" if outcome == "ok" else "in_doubt": 2}


@promise("read-and-idempotent-may-repeat")
@pytest.mark.parametrize("effect", ["read", "idempotent"])
def test_a_done_step_that_is_read_or_idempotent_may_repeat(journal: Journal, effect: str) -> None:
    execution = planned(journal, step("look", effect=effect))
    do(journal, step="look")
    do(journal, step="look")
    assert steps_of(journal, execution)["look"].attempts == 2


@promise("an-effect-is-its-tool-arguments-and-execution")
def test_other_arguments_tools_and_executions_are_other_effects(journal: Journal) -> None:
    execution = start(journal)
    do(journal, "pay", arguments={"amount": 40})
    do(journal, "pay", arguments={"amount": 41})
    do(journal, "bill", arguments={"amount": 40})
    other = start(journal, "another day")
    do(journal, "pay", arguments={"amount": 40}, execution_id=other)
    counts = [journal.get_status(execution_id=each).execution.actions for each in (execution, other)]
    assert counts == [{"ok": 3}, {"ok": 1}]


@promise("an-effect-is-its-tool-arguments-and-execution")
def test_the_same_number_written_otherwise_is_the_same_effect(journal: Journal) -> None:
    start(journal)
    do(journal, "pay", arguments={"amount": 40.0})
    with pytest.raises(AlreadyDone):
        begin(journal, "pay", arguments={"amount": 40})


@promise("an-effect-is-its-tool-arguments-and-execution")
def test_a_failed_effect_may_be_tried_again(journal: Journal) -> None:
    start(journal)
    fail(journal, "pay", arguments={"amount": 40})
    assert do(journal, "pay", arguments={"amount": 40})


@promise("an-effect-is-its-tool-arguments-and-execution")
def test_an_undo_is_not_the_effect_of_the_same_call(journal: Journal) -> None:
    start(journal)
    made = do(journal, "mkdir", arguments={"path": "x"})
    undo(journal, made, tool="rmdir", arguments={"path": "x"})
    assert do(journal, "rmdir", arguments={"path": "x"})


@promise("steps-begin-in-order")
def test_a_step_that_comes_too_early_is_refused_with_the_first_one_that_may_begin(journal: Journal) -> None:
    execution = planned(journal, "copy", "check", "tell")
    with pytest.raises(WrongState, match='"tell" comes after "check"') as caught:
        begin(journal, step="tell")
    first = {"phase": "begin", "execution_id": execution, "step": "copy", "summary": "..."}
    assert caught.value.next_call == ("record_action", first)
    begun = begin(journal, step="copy")
    with pytest.raises(WrongState) as caught:
        begin(journal, step="tell")
    assert caught.value.next_call is not None
    assert caught.value.next_call[1]["action_id"] == begun


@promise("steps-begin-in-order")
def test_a_step_waits_for_those_before_it(journal: Journal) -> None:
    execution = planned(journal, "one", "two", "three")
    with pytest.raises(WrongState, match='"one", which is not begun'):
        begin(journal, step="two")
    first = begin(journal, step="one")
    with pytest.raises(WrongState, match="running"):
        begin(journal, step="two")
    with pytest.raises(WrongState, match="under way"):
        begin(journal, step="one")
    end(journal, first, "unknown")
    with pytest.raises(InDoubtOpen, match=first):
        begin(journal, step="two")
    end(journal, first, "failed", evidence="looked")
    with pytest.raises(WrongState, match="failed"):
        begin(journal, step="two")
    journal.record_decision(decision="skip", step="one", why="not needed")
    do(journal, step="two")
    assert journal.get_status(execution_id=execution).next_steps == ("three",)


@promise("steps-begin-in-order")
def test_steps_that_wait_for_the_same_one_are_free_together(journal: Journal) -> None:
    execution = planned(journal, step("base", after=()), step("left", after=("base",)), step("right", after=("base",)))
    assert journal.get_status(execution_id=execution).next_steps == ("base",)
    do(journal, step="base")
    assert journal.get_status(execution_id=execution).next_steps == ("left", "right")
    do(journal, step="right")
    assert journal.get_status(execution_id=execution).next_steps == ("left",)


@promise("steps-begin-in-order")
def test_a_step_that_does_not_exist_is_refused_with_those_that_do(journal: Journal) -> None:
    planned(journal, "one", "two")
    with pytest.raises(InvalidArgument) as caught:
        begin(journal, step="tow")
    assert (caught.value.field, caught.value.allowed) == ("step", ("one", "two"))
    start(journal)
    with pytest.raises(InvalidArgument, match="follows no plan"):
        begin(journal, step="one", execution_id=journal.list_executions(limit=1).executions[0].id)


@promise("an-undo-is-an-action")
def test_an_undo_names_the_action_that_it_undoes(journal: Journal) -> None:
    execution = start(journal)
    action = do(journal, "touch", undo="remove it")
    receipt = journal.record_action(phase="begin", kind="undo", undoes=action, tool="rm", arguments={"path": "x"})
    entry = entries(journal, id=receipt.id)[0]
    assert (entry.facts["action_kind"], entry.facts["undoes"]) == ("undo", action)
    assert receipt.execution_id == execution
    end(journal, receipt.id)
    assert journal.get_status(execution_id=execution).execution.undos == {"ok": 1}


@promise("an-undo-is-an-action")
def test_an_undo_is_refused_where_it_makes_no_sense(journal: Journal) -> None:
    start(journal)
    opened = begin(journal, "touch")
    with pytest.raises(InvalidArgument) as caught:
        begin(journal, kind="undo")
    assert caught.value.field == "undoes"
    with pytest.raises(WrongState, match="under way"):
        begin(journal, kind="undo", undoes=opened)
    end(journal, opened)
    undone = undo(journal, opened)
    with pytest.raises(AlreadyDone, match=undone):
        begin(journal, kind="undo", undoes=opened)
    with pytest.raises(InvalidArgument, match="itself an undo"):
        begin(journal, kind="undo", undoes=undone)
    assert begin(journal, kind="undo", undoes=opened, again="it came back")


@promise("an-observation-is-always-recorded")
def test_an_observation_is_recorded_where_a_claim_is_refused(cell: Cell) -> None:
    hook = cell.another("hook", witness="observed")
    execution = planned(cell.journal, "one", "two")
    do(cell.journal, "pay", arguments={"amount": 40})
    refused: list[dict[str, object]] = [
        {"tool": "pay", "arguments": {"amount": 40}},
        {"step": "two"},
    ]
    for call in refused:
        with pytest.raises((AlreadyDone, WrongState)):
            cell.journal.record_action(phase="begin", execution_id=execution, **call)  # type: ignore[arg-type]
        seen = hook.record_action(phase="begin", execution_id=execution, **call)  # type: ignore[arg-type]
        marked = entries(hook, id=seen.id)[0].facts
        late = "step" in call  # the other is a repetition, and in order
        assert (marked.get("out_of_order", False), marked.get("again", False)) == (late, not late)
        assert any("out of order" in note for note in seen.notes) is late
        end(hook, seen.id)


@promise("an-observation-is-always-recorded")
@pytest.mark.parametrize("decision", ["pause", "stop"])
def test_an_observation_is_recorded_when_nothing_may_begin(cell: Cell, decision: str) -> None:
    hook = cell.another("hook", witness="observed")
    execution = start(cell.journal)
    cell.journal.record_decision(decision=decision, why="so")  # type: ignore[arg-type]
    seen = hook.record_action(phase="begin", tool="rm", execution_id=execution)
    facts = entries(hook, id=seen.id)[0].facts
    assert facts["out_of_order"] is True
    assert facts.get("late", False) is (decision == "stop")
    assert [item.action_id for item in undo_list(hook, execution)] == [seen.id]


@promise("an-observation-is-always-recorded")
def test_an_action_in_order_is_not_marked(cell: Cell) -> None:
    hook = cell.another("hook", witness="observed")
    seen = begin(hook, "rm", execution_id=start(cell.journal))
    assert "out_of_order" not in entries(hook, id=seen)[0].facts


@promise("an-observation-is-always-recorded")
def test_an_observed_end_that_contradicts_needs_no_evidence(cell: Cell) -> None:
    hook = cell.another("hook", witness="observed")
    start(cell.journal)
    action = do(cell.journal, "rm")
    assert end(hook, action, "failed").state == "in_doubt"
    assert entries(hook, id=action)[-1].facts["contradicts"] is True


@promise("claimed-and-observed-stay-apart")
def test_entries_name_their_actor_and_their_witness(cell: Cell) -> None:
    hook = cell.another(Actor(kind="hook", name="post-tool"), witness="observed")
    execution = start(cell.journal)
    claimed = begin(cell.journal, "rm")
    observed = begin(hook, "mv", execution_id=execution)
    first, second = entries(hook, id=claimed)[0], entries(hook, id=observed)[0]
    assert (first.witness, first.actor, first.actor_kind) == ("claimed", "agent", "agent")
    assert (second.witness, second.actor, second.actor_kind) == ("observed", "post-tool", "hook")


@promise("ids-sort-by-time")
def test_ids_sort_by_time_and_are_short(journal: Journal) -> None:
    ids: list[str] = []
    for _ in range(12):
        batch = journal.record_batch(records=[Record("record_execution_start", {"title": "x"}) for _ in range(100)])
        ids += [receipt.id for receipt in batch.receipts]
    assert ids == sorted(ids)
    assert len(set(ids)) == 1200
    assert max(map(len, ids)) <= 10


@promise("an-entry-carries-who-when-and-what")
def test_entries_are_dense_and_their_ids_show_their_kind(cell: Cell) -> None:
    journal = cell.journal
    made = plan(journal, "one")
    execution = journal.record_execution_start(plan_id=made.id)
    cell.clock.advance(1)
    do(journal, step="one")
    journal.request_approval(question="Well?")
    found = entries(journal)
    prefixes = {entry.kind: entry.id.partition("_")[0] for entry in found}
    assert [entry.seq for entry in found] == list(range(1, len(found) + 1))
    assert prefixes["plan_recorded"] == "pl"
    assert prefixes["execution_started"] == "ex"
    assert prefixes["action_begun"] == "ac"
    assert prefixes["approval_requested"] == "ap"
    assert prefixes["session_opened"] == "se"
    assert {entry.execution_id for entry in found if entry.kind.startswith("action")} == {execution.id}
    assert {entry.session for entry in found} >= {found[0].id}
    assert [entry.at for entry in found] == sorted(entry.at for entry in found)
    assert found[-1].at > found[0].at
    assert len({entry.hash for entry in found}) == len(found)


@promise("an-end-may-name-no-action")
def test_an_end_without_an_action_ends_the_only_open_one_of_the_session(journal: Journal) -> None:
    start(journal)
    first = begin(journal, "copy")
    assert journal.record_action(phase="end", outcome="ok", summary="copied").id == first
    with pytest.raises(InvalidArgument, match="No action of this session is open"):
        journal.record_action(phase="end", outcome="ok")
    second, third = begin(journal, "move"), begin(journal, "link")
    with pytest.raises(InvalidArgument, match="several actions are open") as refused:
        journal.record_action(phase="end", outcome="ok")
    assert set(refused.value.allowed) == {second, third}


@promise("an-end-may-name-no-action")
def test_an_end_without_an_action_never_ends_that_of_another_session(cell: Cell) -> None:
    execution = start(cell.journal)
    action = begin(cell.journal, "copy")
    other = cell.another()
    for named in (None, execution):
        with pytest.raises(InvalidArgument, match="no action of this session is open") as refused:
            other.record_action(phase="end", outcome="ok", execution_id=named)
        assert f"Open is {action} of session se_" in refused.value.hint
        assert refused.value.next_call is not None
        assert refused.value.next_call[1]["action_id"] == "..."  # it may be the action of another program
    second = start(cell.journal)
    begin(cell.journal, "move", execution_id=second)
    with pytest.raises(InvalidArgument, match="No action of this session is open"):
        other.record_action(phase="end", outcome="ok")
    assert cell.journal.get_action(action_id=action).state == "open"


@promise("an-end-may-name-no-action")
def test_an_end_without_an_action_is_refused_in_a_session_with_several_executions(journal: Journal) -> None:
    first = start(journal)
    action = begin(journal, "copy")
    second = start(journal)
    for _ in range(2):
        with pytest.raises(InvalidArgument, match="several executions are or were open") as refused:
            journal.record_action(phase="end", outcome="ok")
        assert refused.value.allowed == (action,)
        assert f"{action} ({first})" in refused.value.hint
        assert refused.value.next_call is not None
        assert refused.value.next_call[1]["action_id"] == "..."  # it may be the action of another program
        if journal.get_execution(execution_id=second).status == "running":
            journal.record_decision(decision="done", execution_id=second, why="nothing to do")
    assert journal.record_action(phase="end", outcome="ok", execution_id=first).id == action
    third = begin(journal, "move")
    assert journal.record_action(phase="end", outcome="ok").id == third


@promise("a-finished-action-is-recorded-in-one-call")
def test_a_finished_action_is_recorded_in_one_call(journal: Journal) -> None:
    execution = planned(journal, "one", "two")
    receipt = journal.record_action(
        phase="done", step="one", tool="touch", summary="made it", result={"path": "a"}, duration=3, key="once"
    )
    assert (receipt.state, receipt.execution_id) == ("ok", execution)
    begun, ended = entries(journal, id=receipt.id)
    assert (begun.facts["after_the_fact"], ended.facts["outcome"], ended.body) == (
        True,
        "ok",
        {"result": {"path": "a"}},
    )
    assert (begun.body, ended.seq) == ({"summary": "made it"}, receipt.seq)
    assert journal.get_action(action_id=receipt.id).after_the_fact
    assert not journal.get_action(action_id=do(journal, step="two")).after_the_fact
    again = journal.record_action(
        phase="done", step="one", tool="touch", summary="made it", result={"path": "a"}, duration=3, key="once"
    )
    assert (again.repeated, again.id, again.seq) == (True, receipt.id, receipt.seq)
    assert [each.actual for each in steps_of(journal, execution).values()] == ["done", "done"]
    failed = journal.record_action(phase="done", tool="rm", error="no such file", outcome="failed", without_effect=True)
    assert (failed.state, failed.id in {item.action_id for item in undo_list(journal)}) == ("failed", False)


@promise("a-finished-action-is-recorded-in-one-call")
def test_what_is_over_is_recorded_even_where_a_begin_would_be_refused(journal: Journal) -> None:
    execution = planned(journal, "one", "two")
    early = journal.record_action(phase="done", step="two")
    journal.record_decision(decision="pause", why="it is late")
    paused = journal.record_action(phase="done", tool="touch")
    assert all("out of order" in receipt.notes[0] for receipt in (early, paused))
    journal.record_decision(decision="stop", why="enough")
    late = journal.record_action(phase="done", tool="paint", execution_id=execution)
    assert any("late" in note for note in late.notes)
    undone = journal.record_action(phase="done", kind="undo", undoes=paused.id, execution_id=execution)
    assert journal.get_action(action_id=paused.id).undone_by == undone.id


@promise("a-finished-action-is-recorded-in-one-call")
@pytest.mark.parametrize("field", ["action_id", "call_id", "evidence"])
def test_a_finished_action_takes_nothing_of_another_one(journal: Journal, field: str) -> None:
    start(journal)
    with pytest.raises(InvalidArgument) as caught:
        journal.record_action(phase="done", tool="touch", **{field: "ac_a1"})  # type: ignore[arg-type]
    assert caught.value.field == field
