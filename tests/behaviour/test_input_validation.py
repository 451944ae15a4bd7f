"""Invalid arguments are refused with what is allowed; valid ones are read back unchanged."""

import math
from collections import UserString
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import force_setattr

from tallystick import (
    Actor,
    FailurePolicy,
    InvalidArgument,
    Journal,
    Record,
    Step,
    TallystickError,
    TooLarge,
    Undo,
    UnknownHandle,
)
from tallystick.core.formats.canonical_json import Limits
from tests.behaviour.scenarios import begin, do, plan, start, step
from tests.matrix import Cell
from tests.promises import promise


@promise("an-unknown-id-names-some-that-exist")
def test_an_unknown_id_is_answered_with_the_newest_five(journal: Journal) -> None:
    executions = [start(journal) for _ in range(7)]
    actions = [begin(journal, f"t{number}", execution_id=executions[0]) for number in range(7)]
    plans = [plan(journal, "one").id for _ in range(7)]
    approvals = [journal.request_approval(question="?", execution_id=executions[0]).id for _ in range(7)]
    sessions = [journal.open_session().id for _ in range(7)]
    unknown: list[tuple[Any, dict[str, Any], list[str]]] = [
        (journal.get_status, {"execution_id": "ex_none"}, executions),
        (journal.get_brief, {"execution_id": "ex_none"}, executions),
        (journal.list_owed, {"execution_id": "ex_none"}, executions),
        (journal.list_in_doubt, {"execution_id": "ex_none"}, executions),
        (journal.read_entries, {"execution_id": "ex_none"}, executions),
        (journal.record_decision, {"decision": "done", "execution_id": "ex_none"}, executions),
        (journal.record_context, {"key": "k", "value": 1, "execution_id": "ex_none"}, executions),
        (journal.request_approval, {"question": "?", "execution_id": "ex_none"}, executions),
        (journal.record_action, {"phase": "begin", "execution_id": "ex_none"}, executions),
        (journal.record_action, {"phase": "end", "action_id": "ac_none", "outcome": "ok"}, actions),
        (journal.record_action, {"phase": "begin", "kind": "undo", "undoes": "ac_none"}, actions),
        (journal.record_action, {"phase": "note", "action_id": "ac_none", "summary": "x"}, actions),
        (journal.get_plan, {"plan_id": "pl_none"}, plans),
        (journal.record_execution_start, {"plan_id": "pl_none"}, plans),
        (journal.retire_plan, {"plan_id": "pl_none", "status": "archived", "reason": "x"}, plans),
        (journal.record_plan, {"title": "t", "steps": [step("a")], "plan_id": "pl_none", "reason": "x"}, plans),
        (journal.read_entries, {"plan_id": "pl_none"}, plans),
        (journal.read_entries, {"id": "ac_none"}, actions),
        (journal.read_entries, {"id": "ap_none"}, approvals),
        (journal.list_actions, {"plan_id": "pl_none"}, plans),
        (journal.get_approval, {"approval_id": "ap_none"}, approvals),
        (journal.renew_session, {"session_id": "se_none"}, sessions),
        (journal.end_session, {"session_id": "se_none"}, sessions),
    ]
    length = journal.get_stats().entries
    for operation, arguments, known in unknown:
        with pytest.raises(UnknownHandle) as caught:
            operation(**arguments)
        assert caught.value.allowed == tuple(reversed(known[-5:])), arguments
        assert all(id in str(caught.value) for id in caught.value.allowed)
        assert caught.value.field in arguments
    assert journal.get_stats().entries == length


@promise("a-wrong-value-names-the-allowed-ones")
@pytest.mark.parametrize(
    ("operation", "arguments", "field", "allowed"),
    [
        ("record_action", {"phase": "beginn"}, "phase", ("begin", "done", "end", "note")),
        ("record_action", {"phase": "begin", "kind": "redo"}, "kind", ("do", "undo")),
        (
            "record_action",
            {"phase": "begin", "effect": "safe"},
            "effect",
            ("idempotent", "probeable", "read", "unsafe"),
        ),
        (
            "record_action",
            {"phase": "begin", "cancellable": "yes"},
            "cancellable",
            ("irreversible", "partially-reversible", "reversible"),
        ),
        ("record_context", {"key": "k", "value": 1, "scope": "world"}, "scope", ("execution", "project", "task")),
        ("list_plans", {"status": "superseded"}, "status", ("active", "archived", "cancelled")),
        ("list_sessions", {"status": "alive"}, "status", ("ended", "open")),
    ],
)
def test_a_wrong_word_names_the_allowed_ones(
    journal: Journal, operation: str, arguments: dict[str, Any], field: str, allowed: tuple[str, ...]
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        getattr(journal, operation)(**arguments)
    assert (caught.value.field, tuple(sorted(caught.value.allowed))) == (field, allowed)
    assert all(word in str(caught.value) for word in allowed)


@promise("a-wrong-value-names-the-allowed-ones")
def test_a_wrong_word_deep_inside_names_its_path(journal: Journal) -> None:
    wrong = [{"title": "a", "cancellable": "reversible"}, {"title": "b", "cancellable": "maybe"}]
    with pytest.raises(InvalidArgument) as caught:
        journal.record_plan(title="x", steps=wrong)  # type: ignore[arg-type]
    assert caught.value.field == "steps[1].cancellable"
    assert set(caught.value.allowed) == {"reversible", "partially-reversible", "irreversible"}


TYPOS: list[tuple[str, Any, set[str]]] = [
    ("cancellable", "yes", {"reversible", "partially-reversible", "irreversible"}),
    ("effect", "write", {"read", "idempotent", "probeable", "unsafe"}),
    ("failure_policy", "abort", {"cancel_all", "cancel_dependent", "continue_others", "manual_decision"}),
    ("needs_approval", "yes", set()),
    ("undo", 3, set()),
    ("estimate", -1, set()),
    ("after", "copy", set()),
]


@promise("a-built-value-is-checked-when-built-and-when-recorded")
def test_a_typo_in_a_step_is_refused_when_built_and_when_recorded(journal: Journal) -> None:
    for field, typo, allowed in TYPOS:
        with pytest.raises(InvalidArgument) as built:
            Step(**{"title": "Copy", "cancellable": "reversible", field: typo})
        assert (built.value.field, set(built.value.allowed)) == (field, allowed)
        changed = Step(title="Copy", cancellable="reversible")
        force_setattr(changed, field, typo)
        with pytest.raises(InvalidArgument) as recorded:
            journal.record_plan(title="x", steps=[changed])
        assert (recorded.value.field, set(recorded.value.allowed)) == (f"steps[0].{field}", allowed)
    assert start(journal)
    assert journal.list_plans().plans == ()
    assert journal.verify().ok


@promise("a-built-value-is-checked-when-built-and-when-recorded")
def test_text_of_a_subclass_is_text_and_a_surrogate_is_refused_anywhere(journal: Journal) -> None:
    name = type("Name", (str,), {})
    with Journal.open("memory:") as local:
        kept = local.record_plan(title=name("Move"), steps=[Step(title=name("Copy"), cancellable="reversible")])
        assert local.get_plan(plan_id=kept.id).revisions[0].steps[0]["title"] == "Copy"
    for field in ("title", "cancellable", "after", "undo"):
        wrong: Any = {"title": "Copy", "cancellable": "reversible", field: "\ud800"}
        with pytest.raises(InvalidArgument):
            journal.record_plan(title="x", steps=[wrong])


@promise("a-built-value-is-checked-when-built-and-when-recorded")
def test_an_undo_a_policy_and_an_actor_are_checked_too(journal: Journal) -> None:
    for build, arguments, field in (
        (Undo, {"tool": 3}, "tool"),
        (Undo, {"arguments": "none"}, "arguments"),
        (Undo, {"arguments": UserString("none")}, None),
        (Undo, {"arguments": "\ud800"}, None),
        (Undo, {"arguments": {"a": _nested(5000)}}, "arguments"),
        (Step, {"title": "Copy", "cancellable": "\ud800"}, None),
        (FailurePolicy, {"action": "abort"}, "action"),
        (FailurePolicy, {"propagate_to": [3]}, "propagate_to[0]"),
        (Record, {"operation": 3}, "operation"),
        (Record, {"operation": "record_action", "arguments": []}, "arguments"),
    ):
        with pytest.raises(InvalidArgument) as caught:
            build(**arguments)
        assert caught.value.field == field
    changed = Undo(words="remove it")
    force_setattr(changed, "tool", 3)
    start(journal)
    with pytest.raises(InvalidArgument, match=r"undo\.tool"):
        journal.record_action(phase="begin", tool="copy", undo=changed)
    with pytest.raises(InvalidArgument, match=r'actor\.kind "robot"'):
        Journal.open("memory:", actor=Actor(kind="robot")).get_stats()  # type: ignore[arg-type]
    assert journal.list_actions().actions == ()


@promise("a-wrong-value-names-the-allowed-ones")
def test_a_long_wrong_value_is_shortened_in_its_error(journal: Journal) -> None:
    long: Any = "x" * 5000
    for call in (
        lambda: journal.list_actions(state=long),
        lambda: journal.record_context(key="k", value=1, expires=long),
        lambda: journal.record_decision(decision=long, why="w"),
    ):
        with pytest.raises(InvalidArgument) as caught:
            call()
        assert "xxx" in str(caught.value)
        assert len(str(caught.value)) < 500


@promise("a-wrong-value-names-the-allowed-ones")
def test_an_unknown_kind_of_entry_names_the_kinds(journal: Journal) -> None:
    with pytest.raises(InvalidArgument) as caught:
        journal.read_entries(kind="action_finished")
    assert "action_ended" in caught.value.allowed


@promise("a-wrong-value-names-the-allowed-ones")
def test_an_unknown_argument_is_refused_and_a_missing_one_is_named(journal: Journal) -> None:
    with pytest.raises(InvalidArgument) as unknown:
        journal.record_context(key="k", value=1, colour="red")  # type: ignore[call-arg]
    assert "colour" in str(unknown.value)
    with pytest.raises(InvalidArgument) as missing:
        journal.record_context(key="k")  # type: ignore[call-arg]
    assert (missing.value.field, missing.value.message) == ("value", "value is missing.")


@promise("a-wrong-value-names-the-allowed-ones")
@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"confidence": 1.5}, "confidence"),
        ({"confidence": -0.1}, "confidence"),
        ({"duration": -1}, "duration"),
        ({"tool": ""}, "tool"),
        ({"tool": "x" * 201}, "tool"),
        ({"undo_until": "next week"}, "undo_until"),
        ({"arguments": ["not", "an", "object"]}, "arguments"),
    ],
    ids=["over_one", "under_nil", "negative", "empty", "long", "no_time", "no_object"],
)
def test_a_value_out_of_bounds_names_its_field(journal: Journal, arguments: dict[str, Any], field: str) -> None:
    start(journal)
    with pytest.raises(InvalidArgument) as caught:
        journal.record_action(phase="begin", **arguments)
    assert caught.value.field == field


@promise("a-wrong-value-names-the-allowed-ones")
def test_a_list_takes_at_most_a_hundred(journal: Journal) -> None:
    for operation in (journal.list_plans, journal.list_executions, journal.list_owed, journal.list_in_doubt):
        for limit in (0, 101):
            with pytest.raises(InvalidArgument) as caught:
                operation(limit=limit)
            assert caught.value.field == "limit"


def _nested(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth - 1):
        value = {"a": value}
    return value


@promise("too-large-says-the-limit")
@pytest.mark.parametrize("depth", [65, 300, 800])
def test_json_that_is_too_deep_is_refused_with_the_limit(journal: Journal, depth: int) -> None:
    start(journal)
    calls: list[tuple[Any, dict[str, Any]]] = [
        (journal.record_action, {"phase": "begin", "tool": "t", "arguments": _nested(depth)}),
        (journal.record_context, {"key": "k", "value": _nested(depth), "idempotency_key": "once"}),
        (journal.record_context, {"key": "k", "value": [_nested(depth)]}),
    ]
    for operation, arguments in calls:
        with pytest.raises(TooLarge, match="64"):
            operation(**arguments)


@promise("too-large-says-the-limit")
def test_json_at_the_limit_is_taken(journal: Journal) -> None:
    journal.record_context(key="k", value=_nested(64))
    assert journal.get_context(key="k").values[0].value == _nested(64)


@promise("too-large-says-the-limit")
def test_a_body_that_is_too_large_is_refused_with_the_limit(journal: Journal) -> None:
    with pytest.raises(TooLarge, match="1,048,576"):
        journal.record_context(key="k", value="ü" * 600_000)


@promise("a-plan-has-room-for-ten-thousand-steps")
def test_a_plan_of_ten_thousand_real_steps_is_recorded_read_started_verified_and_exported(journal: Journal) -> None:
    steps = [
        Step(
            id=f"move-{number}",
            title=f"Move the table orders_{number} to the new cluster, and compare the number of its rows",
            tool="migrate",
            arguments={"table": f"orders_{number}", "rows": number * 17, "options": {"batch": 500, "verify": True}},
            after=tuple(f"move-{other}" for other in {number - 1, number - 7} if other >= 0),
            undo=Undo(tool="drop", arguments={"table": f"orders_{number}"}),
            effect="idempotent",
        )
        for number in range(10_000)
    ]
    receipt = journal.record_plan(title="Move the shop", steps=steps)
    (revision,) = journal.get_plan(plan_id=receipt.id).revisions
    assert [each["title"] for each in revision.steps] == [each.title for each in steps]
    execution = journal.record_execution_start(plan_id=receipt.id)
    assert execution.next_steps == ("move-0",)
    begun = journal.record_action(phase="begin", execution_id=execution.id, step="move-0")
    journal.record_action(phase="end", action_id=begun.id, outcome="ok")
    status = journal.get_status(execution_id=execution.id)
    assert (status.execution.total_steps, status.execution.done_steps) == (10_000, 1)
    assert status.next_steps == ("move-1",)
    assert journal.verify().ok
    assert len(journal.export(limit=100).lines) >= 5


@promise("a-body-of-the-limit-comes-back-whole")
def test_a_body_within_the_limit_is_read_back_whole(journal: Journal) -> None:
    journal.record_context(key="k", value="x" * 1_048_500)
    assert len(journal.get_context(key="k").values[0].value) == 1_048_500


@promise("too-large-says-the-limit")
def test_a_plan_with_too_many_steps_is_refused_with_the_limit(journal: Journal) -> None:
    steps = [Step(id=f"s{number}", title="s", cancellable="irreversible", after=()) for number in range(10_001)]
    with pytest.raises(TooLarge, match="10,000"):
        journal.record_plan(title="x", steps=steps)


@promise("too-large-says-the-limit")
def test_the_limits_can_be_configured(cell: Cell) -> None:
    agent = cell.another("small", limits=Limits(body_bytes=100, depth=3, steps=2))
    agent.record_context(key="k", value={"a": "b"})
    with pytest.raises(TooLarge, match="100"):
        agent.record_context(key="k", value="x" * 100)
    with pytest.raises(TooLarge, match="3"):
        agent.record_context(key="k", value=_nested(4))
    with pytest.raises(TooLarge, match="2"):
        plan(agent, "a", "b", "c")


BAD_TEXT = ["a\x00b", "\ud800", "a\udfffb"]
BAD_NUMBERS = [math.nan, math.inf, -math.inf]


@promise("what-is-not-json-is-refused-alike")
@pytest.mark.parametrize("bad", [*BAD_TEXT, *BAD_NUMBERS], ids=["nul", "high", "low", "nan", "inf", "minus_inf"])
def test_a_value_that_is_not_json_is_refused_in_every_body(journal: Journal, bad: Any) -> None:
    start(journal)
    length = journal.get_stats().entries
    calls: list[tuple[Any, dict[str, Any]]] = [
        (journal.record_context, {"key": "k", "value": bad}),
        (journal.record_context, {"key": "k", "value": {"deep": [1, {"x": bad}]}}),
        (journal.record_context, {"key": "k", "value": 1, "metadata": {"x": bad}, "idempotency_key": "once"}),
        (journal.record_action, {"phase": "begin", "tool": "t", "arguments": {"x": bad}}),
        (journal.record_action, {"phase": "note", "before": [bad]}),
        (journal.request_approval, {"question": "?", "arguments": {"x": bad}}),
        (
            journal.record_plan,
            {"title": "t", "steps": [{"title": "a", "cancellable": "irreversible", "arguments": {"x": bad}}]},
        ),
    ]
    assert [wrong for operation, arguments in calls if (wrong := _not_refused(operation, arguments))] == []
    assert journal.get_stats().entries == length


@promise("what-is-not-json-is-refused-alike")
@pytest.mark.parametrize("bad", BAD_TEXT, ids=["nul", "high", "low"])
def test_text_that_no_store_can_hold_is_refused_in_every_argument(cell: Cell, bad: str) -> None:
    journal, person = cell.journal, cell.person()
    start(journal)
    calls = [*_records(journal, bad), *_plans(journal, bad), *_words_of_people(journal, person, bad)]
    calls += [(getattr(journal, reader), {name: bad}) for reader, names in READS.items() for name in names]
    length = journal.get_stats().entries
    assert [wrong for operation, arguments in calls if (wrong := _not_refused(operation, arguments))] == []
    assert journal.get_stats().entries == length


Calls = list[tuple[Any, dict[str, Any]]]


def _each(operation: Any, arguments: dict[str, Any], bad: str, *names: str) -> Calls:
    """The same call once for each name, with a bad text under it."""
    return [(operation, {**arguments, name: bad}) for name in names]


def _records(journal: Journal, bad: str) -> Calls:
    action = do(journal, "t")
    decision = {"decision": "continue", "why": "so"}
    context = {"key": "k", "value": 1, "scope": "task", "task_id": "T"}
    begun = ("summary", "step", "tool", "again", "approval_id", "entity_type", "entity_id", "undo", "key")
    ended = {"phase": "end", "action_id": action, "outcome": "failed"}
    return [
        *_each(journal.record_action, {"phase": "begin"}, bad, "execution_id", *begun),
        *_each(journal.record_action, ended, bad, "summary", "error", "evidence", "result", "key", "action_id"),
        *_each(journal.record_execution_start, {}, bad, "plan_id", "title", "task_id", "notes", "key"),
        *_each(journal.record_decision, decision, bad, "execution_id", "step", "tool", "rejected", "key", "why"),
        (journal.record_decision, {**decision, "alternatives": (bad,)}),
        *_each(journal.record_context, context, bad, "key", "type", "task_id", "execution_id", "expires"),
        *_each(journal.record_context, context, bad, "idempotency_key"),
        (journal.record_context, {**context, "derived_from": (bad,)}),
    ]


def _plans(journal: Journal, bad: str) -> Calls:
    made = plan(journal, "one")
    arguments = {"title": "t", "steps": [step("a")]}
    steps: list[dict[str, Any]] = [
        {"title": bad, "cancellable": "irreversible"},
        {"title": "x", "id": bad, "cancellable": "irreversible"},
        {"title": "x", "tool": bad, "cancellable": "irreversible"},
        {"title": "x", "undo": bad, "cancellable": "reversible"},
        {"title": "x", "undo": {"tool": bad}, "cancellable": "reversible"},
        {"title": "x", "after": [bad], "cancellable": "irreversible"},
        {"title": "x", "undo_until": bad, "cancellable": "irreversible"},
    ]
    return [
        *((journal.record_plan, {"title": "t", "steps": [each]}) for each in steps),
        *_each(journal.record_plan, arguments, bad, "title", "goal", "type", "task_id", "reasoning", "plan_id", "key"),
        *_each(journal.record_plan, {**arguments, "plan_id": made.id}, bad, "reason"),
        *_each(journal.retire_plan, {"plan_id": made.id, "status": "archived"}, bad, "reason"),
    ]


def _words_of_people(journal: Journal, person: Journal, bad: str) -> Calls:
    seq = journal.record_context(key="k", value=1).seq
    return [
        *_each(journal.request_approval, {"question": "?"}, bad, "question", "step", "tool", "expires", "key"),
        (journal.request_approval, {"question": "?", "options": (bad,)}),
        *_each(journal.open_session, {}, bad, "name", "client", "key"),
        *_each(journal.end_session, {}, bad, "session_id", "reason"),
        *_each(journal.renew_session, {}, bad, "session_id"),
        *_each(person.decide_approval, {"verdict": "approve"}, bad, "approval_id"),
        *_each(person.add_credential, {}, bad, "name"),
        *_each(person.revoke_credential, {}, bad, "name"),
        *_each(person.erase, {"reason": "x"}, bad, "task_id"),
        *_each(person.erase, {"seqs": (seq,)}, bad, "reason"),
    ]


def _not_refused(operation: Any, arguments: dict[str, Any]) -> str:
    """The call that was not refused as expected, in ASCII: a report with a lone surrogate could not be sent."""
    try:
        operation(**arguments)
    except InvalidArgument as error:
        return "" if error.code == "invalid_argument" and str(error).isprintable() else ascii((arguments, error))
    except Exception as error:
        return ascii((arguments, error))
    return ascii((arguments, "was taken"))


READS = {
    "get_brief": ("execution_id",),
    "get_status": ("execution_id",),
    "get_execution": ("execution_id",),
    "get_plan": ("plan_id",),
    "get_context": ("key",),
    "get_approval": ("approval_id",),
    "get_stats": ("execution_id", "tool", "actor", "since"),
    "list_plans": ("task_id", "type", "actor", "since", "text", "cursor"),
    "list_executions": ("task_id", "plan_id", "actor", "until", "text", "cursor"),
    "list_owed": ("execution_id", "tool", "cursor"),
    "list_in_doubt": ("execution_id", "cursor"),
    "list_approvals": ("execution_id", "text", "cursor"),
    "list_context": ("execution_id", "task_id", "type", "actor", "text", "cursor"),
    "list_sessions": ("cursor",),
    "read_entries": ("execution_id", "plan_id", "task_id", "kind", "tool", "actor", "session", "id", "text"),
    "verify": ("head",),
}


@promise("what-is-not-json-is-refused-alike")
def test_a_duplicate_name_is_refused(cell: Cell) -> None:
    """Only where JSON is read from text; a Python dict cannot hold a name twice."""
    from tallystick.interfaces.cli import run
    from tallystick.operations.runtime.operation_context import OperationContext, Principal
    from tallystick.sdk.local import Local

    caller = Local(OperationContext(cell.store, cell.settings, Principal()))
    left = run(["record", "context", "k", "--value", '{"a": 1, "a": 2}', "--json"], env={}, caller=caller)
    assert left.exit_code == 2
    assert "occurs twice" in left.stderr
    assert cell.journal.list_context().values == ()


NOT_JSON = [{1, 2}, b"bytes", object(), Path("a"), {1: "a"}, {"x": {None: 1}}, 1j]


def _undone_with(value: Any) -> Any:
    undo = {"tool": "u", "arguments": {"x": value}}
    return {"title": "a", "cancellable": "reversible", "undo": undo}


@promise("what-python-has-beyond-json-is-refused")
@pytest.mark.parametrize("bad", NOT_JSON, ids=["set", "bytes", "object", "path", "number_name", "none_name", "complex"])
def test_values_that_are_not_json_are_refused(journal: Journal, bad: Any) -> None:
    start(journal)
    for call in (
        lambda: journal.record_context(key="k", value=bad),
        lambda: journal.record_context(key="k", value=[{"deep": bad}], idempotency_key="once"),
        lambda: journal.record_action(phase="begin", tool="t", arguments={"x": bad}),
        lambda: journal.record_action(phase="begin", tool="t", arguments=bad),
        lambda: journal.record_action(phase="begin", tool="t", undo=_undone_with(bad)["undo"]),
        lambda: journal.record_plan(title="p", steps=[_undone_with(bad)]),
        lambda: Undo(tool="u", arguments={"x": [bad]}),
        lambda: Step(title="a", cancellable="irreversible", arguments={"x": [bad]}),
    ):
        with pytest.raises(InvalidArgument):
            call()
    assert (journal.list_context().values, journal.list_actions().actions, journal.list_plans().plans) == ((), (), ())


VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    2**53 + 1,
    2**63,
    -(2**64),
    10**40,
    0.1,
    -0.0,
    1e300,
    5e-324,
    "",
    "plain",
    "two\nlines\tand \\ \" ' / </script>",
    "\\u0000 written out, and \\\\u0000",
    "ünï 漢字 🜚 \u200b \ufeff \uffff",
    "@file - --option=1 {not json",
    "123",
    "null",
    "[1",
    "\x01\x1f\x7f",
    [],
    {},
    [[], {}, [None]],
    {"": 1, " ": 2, "ü": 3, "a.b[0]": 4, "__class__": 5},
    [1, "1", 1.5, True, None, {"x": [{"y": "z"}]}],
]


@promise("what-is-json-comes-back")
def test_any_json_value_comes_back(journal: Journal) -> None:
    for value in VALUES:
        journal.record_context(key="k", value=value)
        found = journal.get_context(key="k").values[0].value
        assert (found, repr(found)) == (value, repr(value))
    assert journal.verify().ok


@promise("what-is-json-comes-back")
def test_any_json_value_can_be_an_argument_and_a_result(journal: Journal) -> None:
    start(journal)
    action = do(journal, "t", arguments={"all": VALUES}, result=VALUES, before=VALUES)
    begun, ended = journal.read_entries(id=action).entries
    assert begun.body["arguments"] == {"all": VALUES}
    assert begun.body["before"] == VALUES
    assert ended.body["result"] == VALUES


@promise("an-error-says-what-to-do")
def test_every_refusal_has_a_code_and_a_hint_and_records_nothing(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    execution = start(journal)
    approval_id = journal.request_approval(question="Are you there?").id
    person.decide_approval(approval_id=approval_id, verdict="respond", answer="I am, and my session is open")
    action = do(journal, "pay", undo="give it back", arguments={"amount": 4})
    doubtful = begin(journal, "doubt")
    journal.record_action(phase="end", action_id=doubtful, outcome="unknown")
    approval = journal.request_approval(question="?", tool="wait").id
    journal.record_context(key="k", value=1, idempotency_key="once")
    length = journal.get_stats().entries
    refusals: dict[str, Any] = {
        "invalid_argument": lambda: journal.record_decision(decision="continue"),
        "too_large": lambda: journal.record_context(key="k", value="x" * 2_000_000),
        "unknown_handle": lambda: journal.get_plan(plan_id="pl_none"),
        "wrong_state": lambda: journal.record_decision(decision="resume", why="x", execution_id=execution),
        "already_done": lambda: begin(journal, "pay", arguments={"amount": 4}, execution_id=execution),
        "in_doubt_open": lambda: begin(journal, "doubt", execution_id=execution),
        "missing_undo": lambda: person.erase(
            seqs=(journal.read_entries(id=action).entries[0].seq,), reason="x"
        ),
        "approval_pending": lambda: begin(journal, "wait", approval_id=approval, execution_id=execution),
        "conflict": lambda: journal.record_context(key="k", value=2, idempotency_key="once"),
        "not_permitted": lambda: journal.decide_approval(approval_id=approval, verdict="approve"),
    }  # fmt: skip
    for code, refused in refusals.items():
        with pytest.raises(TallystickError) as caught:
            refused()
        assert (caught.value.code, caught.value.as_dict()["code"]) == (code, code)
        assert caught.value.message.endswith(".")
        assert caught.value.hint.endswith(".")
        assert "http" not in str(caught.value)
    assert journal.get_stats().entries == length
