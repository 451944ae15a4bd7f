"""Steps whose effect may be repeated, and that got no answer: until the retries are used up, and not beyond."""

from typing import Any, cast

import pytest

from tallystick import Journal, Retry, ToolError, tool
from tallystick.interfaces.cli.run_summary import describe_run
from tallystick.runner.run import Run

PLAN = {"title": "t", "steps": [{"id": "a", "tool": "act", "undo": "x", "failure_policy": "manual_decision"}]}


class World:
    """A tool that gets no answer, as often as it is told."""

    def __init__(self, lost: int) -> None:
        self.lost = lost
        self.calls = 0

    def tools(self) -> list[Any]:
        @tool(effect="idempotent", retry=Retry(3, backoff=0.001))
        def act() -> None:
            self.calls += 1
            if self.calls <= self.lost:
                raise ToolError("no answer", "lost")

        return [act]


@pytest.mark.parametrize("lost", [1, 2])
def test_a_step_that_was_repeated_and_is_done_leaves_nothing_undecided(journal: Journal, lost: int) -> None:
    run = journal.run(PLAN, tools=World(lost).tools())
    execution = journal.get_execution(execution_id=run.id)
    assert (run.status, execution.unfinished) == ("completed", {})
    assert not journal.list_in_doubt(execution_id=run.id).in_doubt


def test_news_of_others_and_another_process_do_not_repeat_a_step_whose_retries_are_used_up(journal: Journal) -> None:
    world = World(lost=100)

    def tell(entry: Any) -> None:
        if entry.kind == "action_ended":
            journal.record_decision(decision="continue", execution_id=entry.execution_id, why="I am watching")

    for _ in range(2):
        run = journal.run(PLAN, tools=world.tools(), key="k", on_entry=tell)
        assert (world.calls, run.status, set(run.failed), set(run.held)) == (3, "running", {"a"}, set())
    journal.record_decision(decision="retry", execution_id=run.id, step="a", why="the network is back")
    assert journal.run(PLAN, tools=world.tools(), key="k").status == "running"
    assert world.calls == 6


def test_such_a_step_stands_once_in_the_summary_with_its_last_attempt(journal: Journal) -> None:
    run = journal.run(PLAN, tools=World(lost=100).tools())
    summary = describe_run(journal.caller, cast(Run, run), 1.0, "")
    (note,) = summary.failed
    (last,) = [step.action_id for step in journal.get_run(execution_id=run.id).steps]
    assert (note.id, summary.held) == (last, ())
    assert note.text == "no answer. After 3 attempts nobody knows whether it happened. Its effect may be repeated."
    assert set(note.commands) == {"try it again", "leave it out", "if it happened", "if it did not"}
