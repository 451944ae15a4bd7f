"""Texts are stored whole or refused: blank reasons, arguments without use, and characters that cannot be stored."""

from typing import Any

import pytest

from tallystick import Actor, AlreadyDone, InvalidArgument, Journal, NotPermitted, TallystickError, TooLarge, WrongState
from tests.behaviour.scenarios import begin, do, end, entries, plan, start
from tests.matrix import Cell
from tests.promises import promise


@promise("a-decision-says-why")
def test_a_blank_reason_is_none(cell: Cell) -> None:
    journal, execution = cell.journal, start(cell.journal)
    action = do(journal, "touch", execution_id=execution)
    with pytest.raises(AlreadyDone):
        begin(journal, "touch", execution_id=execution, again="  ")
    with pytest.raises(WrongState):
        end(journal, action, "failed", evidence="\t ")
    for refused, arguments in (
        (journal.retire_plan, {"plan_id": plan(journal, "one").id, "status": "cancelled", "reason": " "}),
        (cell.person().erase, {"seqs": (1,), "reason": " "}),
    ):
        with pytest.raises(InvalidArgument) as caught:
            refused(**arguments)
        assert caught.value.field == "reason"


@promise("nothing-said-is-lost-with-a-receipt")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("question", "Shall I?"),
        ("options", ("yes", "no")),
        ("expires", "2h"),
        ("tool", "pay"),
        ("arguments", {"amount": 4}),
    ],
)
def test_an_argument_that_only_a_question_can_hold_is_refused_elsewhere(
    journal: Journal, field: str, value: Any
) -> None:
    start(journal)
    with pytest.raises(InvalidArgument, match="ask_human") as caught:
        journal.record_decision(decision="continue", why="so", **{field: value})
    assert caught.value.field == field


@promise("nothing-said-is-lost-with-a-receipt")
def test_arguments_without_a_tool_are_no_call_to_ask_about(journal: Journal) -> None:
    start(journal)
    with pytest.raises(InvalidArgument, match="no call") as caught:
        journal.request_approval(question="May I?", arguments={"amount": 4})
    assert caught.value.field == "tool"
    with pytest.raises(InvalidArgument, match="no call"):
        journal.record_decision(decision="ask_human", why="so", question="May I?", arguments={"amount": 4})


@promise("nothing-said-is-lost-with-a-receipt")
def test_an_end_that_names_another_execution_is_refused(journal: Journal) -> None:
    execution, other = start(journal), start(journal)
    action = begin(journal, "touch", execution_id=execution)
    with pytest.raises(InvalidArgument, match="right action_id") as caught:
        end(journal, action, execution_id=other)
    assert caught.value.field == "execution_id"
    assert end(journal, action, execution_id=execution).state == "ok"


@promise("nothing-said-is-lost-with-a-receipt")
def test_a_session_of_no_time_is_refused(journal: Journal) -> None:
    session = journal.open_session().id
    with pytest.raises(InvalidArgument) as opening:
        journal.open_session(lease_seconds=0)
    with pytest.raises(InvalidArgument) as renewing:
        journal.renew_session(session_id=session, lease_seconds=0)
    assert (opening.value.field, renewing.value.field) == ("lease_seconds", "lease_seconds")


@promise("what-python-has-beyond-json-is-refused")
@pytest.mark.parametrize("depth", [65, 1200, 100_000])
def test_a_value_that_is_too_deep_is_refused_with_the_limit(journal: Journal, depth: int) -> None:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    start(journal)
    for refused in (
        lambda: journal.record_context(key="k", value=value),
        lambda: begin(journal, "touch", arguments={"a": value}),
    ):
        with pytest.raises(TooLarge, match="limit is 64 levels"):
            refused()


@promise("what-python-has-beyond-json-is-refused")
def test_a_value_that_cannot_be_written_is_named_by_its_path(journal: Journal) -> None:
    start(journal)
    circle: dict[str, Any] = {}
    circle["circle"] = circle
    with pytest.raises(TooLarge, match="limit is 64 levels"):
        begin(journal, "touch", arguments=circle)
    with pytest.raises(TallystickError, match="digits"):
        journal.record_context(key="k", value=10**5000)
    with pytest.raises(InvalidArgument, match=r"^arguments\.a\[0\]: NaN is not JSON") as caught:
        begin(journal, "touch", arguments={"a": [float("nan")]})
    assert caught.value.field == "arguments.a[0]"
    with pytest.raises(InvalidArgument, match=r"^value\[0\]"):
        journal.record_context(key="k", value=[float("nan")])


@promise("secrets-are-masked-before-writing")
def test_a_secret_in_the_name_of_an_actor_is_masked(cell: Cell) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    other = cell.another(Actor(name=f"agent {secret}"))
    execution = start(other)
    assert secret not in str(entries(cell.journal))
    assert secret not in cell.journal.get_status(execution_id=execution).execution.actor


@promise("deciding-needs-a-credential")
def test_a_wrong_credential_is_distinguished_from_none(cell: Cell) -> None:
    seq = cell.journal.record_context(key="k", value="v").seq
    cell.person()
    messages = []
    for secret in ("", "wrong", "\udcff"):
        with pytest.raises(NotPermitted) as caught:
            cell.another("ada", credential=secret).erase(seqs=(seq,), reason="so")
        messages.append(caught.value.message)
    assert messages[0] not in messages[1:]


@promise("hidden-characters-are-shown")
def test_the_brief_shows_hidden_characters_as_escapes_and_the_entry_keeps_them(cell: Cell) -> None:
    title = "Move\x1b[2J \u202e\U000e0041 a\u200bb"
    cell.journal.record_execution_start(title=title)
    text = cell.journal.get_brief().text
    assert "Move\\x1b[2J \\u202e\\U000e0041 a\\u200bb" in text
    assert not set(title) & set("\x1b\u202e\U000e0041\u200b") & set(text)
    assert cell.journal.list_executions().executions[0].title == title
