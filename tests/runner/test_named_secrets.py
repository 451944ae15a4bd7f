"""Only the plan's own text and its parameters name a secret: no answer, no other actor and no record does."""

from typing import Any

import pytest

from tallystick import Actor, InvalidArgument, Journal, ToolError, tool
from tallystick.operations import approvals
from tallystick.operations.runtime.operation_context import Principal
from tallystick.sdk.local import Local

VALUE = "very-secret-value-81"
UNPLANNED = [
    {"text": "secret://BANK_KEY"},
    {"text": "x", "more": ["y", {"z": "secret://BANK_KEY"}]},
    {"text": "${context.key}"},
    {"text": "pay ${steps.fetch.result.amount}"},
    {"text": "x", "more": ["${ parameters.key }"]},
]


class World:
    """A journal, and tools that keep what they get."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.got: list[Any] = []
        self.looked: list[Any] = []

    def tools(self, **options: Any) -> list[Any]:
        def look(text: str, more: Any = None) -> None:
            self.looked.append(text)

        @tool(probe=look, **options)
        def send(text: str, more: Any = None) -> None:
            self.got.append(text if more is None else [text, more])

        @tool(needs_approval=True)
        def take_back(text: str) -> None:
            self.got.append(f"-{text}")

        @tool
        def fail() -> None:
            raise ToolError("on purpose", "not_done")

        return [send, take_back, fail]

    def run(self, *steps: dict[str, Any], **options: Any) -> Any:
        return self.journal.run({"title": "t", "steps": list(steps)}, tools=self.tools(), key="k", **options)

    def person(self) -> Journal:
        """Somebody who may approve."""
        assert isinstance(self.journal.caller, Local)
        secret = self.journal.add_credential(name="ada").secret
        principal = Principal(actor=Actor(kind="person", name="ada"), credential=secret)
        return Journal(Local(self.journal.caller.context.for_principal(principal)))

    def question(self) -> str:
        """The question about a call."""
        return next(each.id for each in self.journal.list_approvals(status="pending").approvals if each.tool)


@pytest.fixture
def world(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setenv("BANK_KEY", VALUE)
    monkeypatch.setenv("OWN_KEY", "another-secret-82")
    return World(journal)


def step(text: str, **fields: Any) -> dict[str, Any]:
    return {"id": "send", "tool": "send", "arguments": {"text": text}, "undo": "x", **fields}


@pytest.mark.parametrize("arguments", UNPLANNED)
def test_an_edit_that_is_answered_all_the_same_is_not_used(
    world: World, arguments: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    world.run(step("plain", needs_approval=True))
    person = world.person()
    with pytest.raises(InvalidArgument):
        person.decide_approval(approval_id=world.question(), verdict="edit", arguments=arguments)
    monkeypatch.setattr(approvals, "_check_edit", lambda *given: None)
    person.decide_approval(approval_id=world.question(), verdict="edit", arguments=arguments)
    run = world.run(step("plain", needs_approval=True))
    assert world.got == []
    assert "the plan does not name" in run.failed["send"]


def test_an_edit_keeps_the_secret_and_the_text_that_were_asked_about(world: World) -> None:
    planned = step("secret://OWN_KEY", needs_approval=True)
    planned["arguments"]["more"] = "a shell has $${context.x}"
    world.run(planned)
    kept = {"text": "secret://OWN_KEY", "more": ["${HOME}", "a shell has ${context.x}"]}
    world.person().decide_approval(approval_id=world.question(), verdict="edit", arguments=kept)
    assert world.run(planned).status == "completed"
    assert world.got == [["another-secret-82", kept["more"]]]


def test_an_answer_to_an_agent_that_asked_about_a_step_names_no_secret(world: World) -> None:
    """The agent may write anything into its question: it is not the plan."""
    run = world.run({"id": "first", "by": "agent", "title": "first"}, step("plain", needs_approval=True))
    asked = {"text": "secret://BANK_KEY"}
    question = world.journal.request_approval(
        question="Send it?", execution_id=run.id, step="send", tool="send", arguments=asked
    )
    with pytest.raises(InvalidArgument, match="the plan does not name"):
        world.person().decide_approval(
            approval_id=question.id, verdict="edit", arguments={**asked, "more": "as the agent asked"}
        )


@pytest.mark.parametrize("is_checked", [True, False])
def test_an_edited_undo_names_no_secret(world: World, is_checked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    undo = {"tool": "take_back", "arguments": {"text": "plain"}}
    steps: list[dict[str, Any]] = [
        step("plain", undo=undo, after=[]),
        {"id": "fail", "tool": "fail", "after": ["send"], "undo": "x"},
    ]
    world.run(*steps, unwind="on-failure")
    edit: Any = {"approval_id": world.question(), "verdict": "edit", "arguments": {"text": "secret://BANK_KEY"}}
    person = world.person()
    with pytest.raises(InvalidArgument, match="the plan does not name"):
        person.decide_approval(**edit)
    if not is_checked:
        monkeypatch.setattr(approvals, "_check_edit", lambda *given: None)
        person.decide_approval(**edit)
    world.run(*steps, unwind="on-failure")
    assert world.got == ["plain"]


def test_the_arguments_of_an_agent_name_no_secret_in_an_undo(world: World) -> None:
    undo = {"tool": "send", "arguments": {"text": "${arguments.token}"}}
    steps: list[dict[str, Any]] = [
        {"id": "by_agent", "by": "agent", "title": "by the agent", "undo": undo, "after": []},
        {"id": "fail", "tool": "fail", "after": ["by_agent"], "undo": "x"},
    ]
    run = world.run(*steps, unwind="on-failure")
    world.journal.record_action(
        phase="done",
        execution_id=run.id,
        step="by_agent",
        tool="send",
        arguments={"token": "secret://BANK_KEY"},
        outcome="ok",
    )
    world.run(*steps, unwind="on-failure")
    assert world.got == []
    (asked,) = world.journal.list_approvals(status="pending").approvals
    assert "the plan does not name" in asked.question


def test_a_secret_in_the_plan_is_used_in_the_undo_of_an_agents_step(world: World) -> None:
    undo = {"tool": "send", "arguments": {"text": "secret://OWN_KEY", "more": "${arguments.id}"}}
    steps: list[dict[str, Any]] = [
        {"id": "by_agent", "by": "agent", "title": "by the agent", "undo": undo, "after": []},
        {"id": "fail", "tool": "fail", "after": ["by_agent"], "undo": "x"},
    ]
    run = world.run(*steps, unwind="on-failure")
    world.journal.record_action(
        phase="done", execution_id=run.id, step="by_agent", tool="send", arguments={"id": 7}, outcome="ok"
    )
    world.run(*steps, unwind="on-failure")
    assert world.got == [["another-secret-82", 7]]


def test_a_probe_is_not_given_a_secret_that_an_agent_named(world: World) -> None:
    run = world.run({"id": "wait", "by": "person", "title": "wait", "after": []}, step("plain", after=["wait"]))
    journal = world.journal
    journal.record_action(phase="done", execution_id=run.id, step="wait", outcome="ok", summary="x")
    begun = journal.record_action(
        phase="begin", execution_id=run.id, step="send", tool="send", arguments={"text": "secret://BANK_KEY"}
    )
    journal.record_action(phase="end", action_id=begun.id, outcome="unknown")
    again = world.run({"id": "wait", "by": "person", "title": "wait", "after": []}, step("plain", after=["wait"]))
    assert (world.looked, world.got) == ([], [])
    assert "the plan does not name" in again.held["send"]
