"""The undo list: actions that are not undone yet, in the order to undo them."""

import pytest

from tallystick import InvalidArgument, Journal, Undo
from tallystick.core.formats import times
from tests.behaviour.scenarios import begin, do, end, fail, plan, planned, start, step, undo, undo_list
from tests.matrix import Cell
from tests.promises import promise


@promise("what-was-done-is-on-the-undo-list")
def test_a_done_action_is_listed_with_its_undo_or_way_unknown(journal: Journal) -> None:
    execution = start(journal)
    known = do(journal, "touch", undo="remove it", summary="make the file")
    unknown = do(journal, "hammer")
    second, first = undo_list(journal, execution)
    assert (first.action_id, first.way, first.summary) == (known, "known", "make the file")
    assert first.undo is not None
    assert first.undo.words == "remove it"
    assert (second.action_id, second.way, second.undo) == (unknown, "unknown", None)
    assert {first.execution_id, second.execution_id} == {execution}
    page = journal.get_undo_list(execution_id=execution)
    assert (page.execution_id, page.counts, page.owed) == (execution, {"not_undone": 2}, "nothing")
    assert journal.get_status(execution_id=execution).execution.undo_states == {"not_undone": 2}


@promise("what-was-done-is-on-the-undo-list")
def test_an_undone_action_is_no_longer_listed(journal: Journal) -> None:
    execution = start(journal)
    actions = [do(journal, f"touch {number}", undo="remove it") for number in range(3)]
    undo(journal, actions[1])
    assert [item.action_id for item in undo_list(journal, execution)] == [actions[2], actions[0]]
    page = journal.get_undo_list(execution_id=execution, state="undone")
    assert ([item.action_id for item in page.items], page.counts) == ([actions[1]], {"not_undone": 2, "undone": 1})


@promise("what-left-no-trace-is-not-on-the-undo-list")
def test_an_action_without_effect_is_not_listed(journal: Journal) -> None:
    execution = start(journal)
    do(journal, "look", effect="read")
    end(journal, begin(journal, "skip"), "skipped")
    end(journal, begin(journal, "try"), "failed", without_effect=True)
    end(journal, begin(journal, "look again", effect="read"), "failed")
    assert undo_list(journal, execution) == []


@promise("what-was-done-is-on-the-undo-list")
@pytest.mark.parametrize("effect", ["unsafe", "probeable", "idempotent"])
def test_a_failed_action_may_have_been_done_and_is_listed(journal: Journal, effect: str) -> None:
    execution = start(journal)
    failed = fail(journal, "put", effect=effect)
    assert [(item.action_id, item.certain) for item in undo_list(journal, execution)] == [(failed, False)]


@promise("the-undo-list-is-in-the-order-to-undo")
def test_the_list_is_in_reverse_order_of_begins(journal: Journal) -> None:
    execution = start(journal)
    begun = [begin(journal, f"touch {number}") for number in range(4)]
    for action in (begun[2], begun[0], begun[3], begun[1]):
        end(journal, action)
    assert [item.action_id for item in undo_list(journal, execution)] == begun[::-1]


@promise("the-undo-list-is-in-the-order-to-undo")
def test_known_dependants_come_first(journal: Journal) -> None:
    execution = planned(journal, step("base", after=()), step("free", after=()), step("top", after=("base",)))
    do(journal, step="base")
    top = do(journal, step="top")
    free = do(journal, step="free")
    base = do(journal, step="base", again="once more, behind what depends on it")
    listed = [item.action_id for item in undo_list(journal, execution)]
    assert listed.index(top) < listed.index(base)
    assert listed[0] == free


@promise("an-undo-is-filled-in")
def test_references_to_arguments_and_results_are_filled_in(journal: Journal) -> None:
    arguments = {
        "id": "${result.booking.id}",
        "room": "${arguments.rooms.1}",
        "note": "cancel ${result.booking.id} of ${arguments.who}",
        "plain": 7,
    }
    execution = planned(journal, step("book", undo=Undo(tool="cancel", arguments=arguments)))
    do(
        journal,
        "book",
        step="book",
        arguments={"rooms": ["a", "b"], "who": "ada"},
        result={"booking": {"id": 42}},
    )
    filled = undo_list(journal, execution)[0].undo
    assert filled is not None
    assert (filled.tool, filled.missing) == ("cancel", ())
    assert filled.arguments == {"id": 42, "room": "b", "note": "cancel 42 of ada", "plain": 7}


@promise("an-undo-is-filled-in")
def test_a_reference_that_cannot_be_resolved_is_named_and_left_as_it_is(cell: Cell) -> None:
    agent = cell.mortal()
    execution = start(agent)
    way = Undo(tool="rm", arguments={"path": "${result.path}", "as": "${arguments.token}", "from": "${arguments.at}"})
    begin(agent, "touch", undo=way, arguments={"token": "sk-ant-api03-" + "x" * 40, "at": "home"})
    cell.kill(agent)
    filled = undo_list(cell.journal, execution)[0].undo
    assert filled is not None
    assert filled.missing == ("${result.path}", "${arguments.token}")
    assert filled.arguments == {"path": "${result.path}", "as": "${arguments.token}", "from": "home"}


@promise("an-undo-has-a-state")
def test_each_state_of_an_undo_is_shown(journal: Journal) -> None:
    execution = start(journal)
    names = ("not_undone", "undoing", "in_doubt", "partly", "failed", "not_possible", "undone", "kept")
    actions = {}
    for name in names:
        cancellable = {"partly": "partially-reversible", "not_possible": "irreversible"}.get(name, "reversible")
        actions[name] = do(journal, f"tool {name}", undo="some way", cancellable=cancellable)
    begin(journal, kind="undo", undoes=actions["undoing"])
    end(journal, begin(journal, kind="undo", undoes=actions["in_doubt"]), "unknown")
    end(journal, begin(journal, kind="undo", undoes=actions["failed"]), "failed", error="the disk is full")
    journal.record_decision(decision="keep", action_id=actions["kept"], why="it is wanted")
    undo(journal, actions["partly"])
    undo(journal, actions["undone"])
    shown = {item.action_id: item.state for item in undo_list(journal, execution)}
    assert shown == {actions[name]: name for name in names[:6]}
    items = {
        name: journal.get_undo_list(execution_id=execution, state=name).items  # type: ignore[arg-type]
        for name in names
    }
    assert {name: [item.action_id for item in found] for name, found in items.items()} == {
        name: [actions[name]] for name in names
    }
    assert (items["failed"][0].error, items["kept"][0].why) == ("the disk is full", "it is wanted")


@promise("an-undo-has-a-state")
def test_a_failed_undo_can_be_tried_again(journal: Journal) -> None:
    execution = start(journal)
    action = do(journal, "touch", undo="remove it")
    end(journal, begin(journal, kind="undo", undoes=action), "failed")
    undo(journal, action)
    assert undo_list(journal, execution) == []


@promise("an-undo-can-run-out")
@pytest.mark.parametrize("planned_so", [True, False])
def test_an_undo_runs_out_at_its_deadline(cell: Cell, planned_so: bool) -> None:
    journal = cell.journal
    if planned_so:
        execution = planned(journal, step("book", undo_until="24h"))
        do(journal, step="book")
    else:
        execution = start(journal)
        do(journal, "book", undo="cancel it", undo_until="24h")
    before = undo_list(journal, execution)[0]
    assert (before.state, before.way) == ("not_undone", "known")
    journal.record_decision(decision="stop", why="no more", execution_id=execution)
    assert journal.list_owed(execution_id=execution).due == 1
    assert before.deadline
    cell.clock.advance(24 * 3600 + 1)
    after = undo_list(journal, execution)[0]
    assert (after.state, after.undo) == ("not_possible", None)
    assert "over" in after.way
    assert journal.list_owed(execution_id=execution).due == 0
    assert journal.list_owed().due == 0


@promise("an-undo-can-run-out")
def test_the_time_counts_from_the_end_and_from_the_begin_when_that_is_unknown(cell: Cell) -> None:
    journal, agent = cell.journal, cell.mortal(lease_seconds=7200)
    begun, lost = start(journal), start(agent)
    slow = begin(journal, "book", undo="cancel it", undo_until="24h", execution_id=begun)
    begin(agent, "book", undo="cancel it", undo_until="24h", execution_id=lost)
    began = cell.clock()
    cell.clock.advance(3600)
    end(journal, slow)
    cell.kill(agent)
    (doubtful,) = undo_list(journal, lost)
    end(journal, doubtful.action_id, "ok", evidence="it is booked")
    assert undo_list(journal, begun)[0].deadline == times.iso(began + (3600 + 86400) * 1_000_000)
    assert undo_list(journal, lost)[0].deadline == times.iso(began + 86400 * 1_000_000)


@promise("an-undo-can-run-out")
def test_a_deadline_that_is_no_time_is_refused(journal: Journal) -> None:
    start(journal)
    with pytest.raises(InvalidArgument) as caught:
        begin(journal, "book", undo="cancel it", undo_until="soon")
    assert caught.value.field == "undo_until"
    with pytest.raises(InvalidArgument, match="undo_until"):
        plan(journal, step("book", undo_until="soon"))


@promise("an-irreversible-action-is-not-possible-to-undo")
def test_an_irreversible_action_is_listed_and_not_due(journal: Journal) -> None:
    execution = planned(journal, step("send", cancellable="irreversible", undo=None))
    sent = do(journal, step="send")
    assert [(item.action_id, item.state, item.way) for item in undo_list(journal, execution)] == [
        (sent, "not_possible", "irreversible")
    ]
    journal.record_decision(decision="unwind", why="start over")
    assert journal.list_owed(execution_id=execution).due == 0
    assert journal.get_status(execution_id=execution).execution.owed == 0


@promise("an-unplanned-action-carries-its-own-undo")
def test_an_unplanned_action_is_listed_with_its_own_undo(journal: Journal) -> None:
    execution = planned(journal, "one")
    do(
        journal,
        "mkdir",
        arguments={"path": "out"},
        cancellable="partially-reversible",
        undo=Undo(tool="rmdir", arguments={"path": "${arguments.path}"}),
    )
    item = undo_list(journal, execution)[0]
    assert item.undo is not None
    assert (item.undo.tool, item.undo.arguments) == ("rmdir", {"path": "out"})
    undo(journal, item.action_id)
    assert [each.state for each in undo_list(journal, execution)] == ["partly"]


@promise("an-unplanned-action-carries-its-own-undo")
def test_the_undo_of_an_action_takes_precedence_over_that_of_its_step(journal: Journal) -> None:
    execution = planned(journal, step("one", undo="as planned"))
    do(journal, step="one", undo="as it turned out")
    found = undo_list(journal, execution)[0].undo
    assert found is not None
    assert found.words == "as it turned out"


@promise("beginning-pins-the-undo")
def test_a_later_revision_does_not_change_how_a_begun_step_is_undone(journal: Journal) -> None:
    made = plan(journal, step("one", undo="the old way"), step("two", undo="the old way"))
    execution = journal.record_execution_start(plan_id=made.id).id
    do(journal, step="one")
    steps = [step("one", undo="the new way"), step("two", undo="the new way")]
    journal.record_plan(title="better", steps=steps, plan_id=made.id, reason="learnt something")
    journal.record_decision(decision="replan", why="there is a better way")
    do(journal, step="two")
    ways = {item.step: item.undo.words for item in undo_list(journal, execution) if item.undo}
    assert ways == {"one": "the old way", "two": "the new way"}


@promise("beginning-pins-the-undo")
def test_a_step_that_a_later_revision_dropped_is_still_listed_as_it_was_planned(journal: Journal) -> None:
    made = plan(journal, step("one", undo="the old way"), "two")
    execution = journal.record_execution_start(plan_id=made.id).id
    action = do(journal, step="one")
    journal.record_plan(title="better", steps=[step("two")], plan_id=made.id, reason="one was a mistake")
    journal.record_decision(decision="replan", why="go on without it")
    (item,) = undo_list(journal, execution)
    assert item.undo is not None
    assert (item.action_id, item.step, item.undo.words) == (action, "one", "the old way")
    undo(journal, action)
    assert undo_list(journal, execution) == []
    do(journal, step="two")
    assert journal.record_decision(decision="done").unfinished == {}
