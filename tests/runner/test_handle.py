"""The handle that `journal.run` returns, and what a run does when it is stopped or called in a wrong way."""

import asyncio
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tallystick import InvalidArgument, Journal, ToolError, tool
from tests.interfaces.mcp.http_client import served


@pytest.fixture
def journal() -> Iterator[Journal]:
    with Journal.open("memory:", journal="handle") as opened:
        yield opened


@tool
def act(name: str, error: str = "") -> str:
    if error:
        raise ToolError("on purpose", error)  # type: ignore[arg-type]
    return name


STEPS: list[dict[str, Any]] = [
    {"id": "fine", "tool": "act", "arguments": {"name": "a"}, "after": [], "undo": "take it back"},
    {"id": "ask", "tool": "act", "arguments": {"name": "b"}, "after": [], "needs_approval": True},
    {"id": "lost", "tool": "act", "arguments": {"name": "c", "error": "lost"}, "after": []},
    {"id": "bad", "tool": "act", "arguments": {"name": "d", "error": "failed"}, "after": []},
]


def test_a_handle_shows_in_one_line_how_its_run_stands(journal: Journal) -> None:
    run = journal.run({"title": "t", "steps": STEPS}, tools=[act])
    assert repr(run) == f"<Run {run.id}: running, 1 of 4 steps done; failed: bad; held: lost; waiting: ask>"
    assert not run.is_over
    over = journal.run({"title": "t", "steps": STEPS[:1]}, tools=[act])
    assert repr(over) == f"<Run {over.id}: completed, 1 of 1 steps done>"
    assert over.is_over


def test_a_handle_lists_what_its_run_owes(journal: Journal) -> None:
    steps = [STEPS[0], {**STEPS[3], "after": ["fine"], "failure_policy": "cancel_all", "undo": "nothing"}]
    run = journal.run({"title": "t", "steps": steps}, tools=[act])
    assert run.status == "failed"
    assert [item.step for item in run.owed] == ["bad", "fine"]
    assert run.owed[1].undo is not None
    assert run.owed[1].undo.words == "take it back"


def test_a_call_that_timed_out_does_not_keep_the_run_from_returning(journal: Journal) -> None:
    release, ended = threading.Event(), []

    @tool(timeout=0.02)
    def slow() -> None:
        ended.append(release.wait(3))

    run = journal.run({"title": "t", "steps": [{"id": "a", "tool": "slow"}]}, tools=[slow])
    assert (set(run.held), ended) == ({"a"}, [])
    release.set()


def test_a_tool_that_ends_its_program_has_failed(journal: Journal) -> None:
    @tool
    def leave() -> None:
        raise SystemExit(3)

    @tool
    async def leave_too() -> None:
        raise SystemExit("gone")

    steps: list[dict[str, Any]] = [{"id": name, "tool": name, "after": []} for name in ("leave", "leave_too")]
    run = journal.run({"title": "t", "steps": steps}, tools=[leave, leave_too])
    assert run.failed == {"leave": "SystemExit: 3", "leave_too": "SystemExit: gone"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"att_once": 3}, 'There is no argument "att_once". Did you mean at_once?'),
        ({"at_once": 0}, "at_once"),
        ({"unwind": "sometimes"}, "unwind"),
        ({"engine": "steam"}, "engine"),
        ({"tools": 5}, "tools"),
        ({"parameters": [1]}, "parameters"),
        ({"plan": "no-such-file.yaml"}, "no-such-file.yaml"),
        ({"plan": 17}, "plan"),
    ],
)
def test_a_wrong_call_reaches_the_users_own_line_with_the_fix(
    journal: Journal, arguments: dict[str, object], said: str
) -> None:
    plan = arguments.pop("plan", {"title": "t", "steps": STEPS[:1]})
    with pytest.raises(InvalidArgument) as caught:
        journal.run(plan, **{"tools": [act], **arguments})  # type: ignore[arg-type]
    assert said in str(caught.value)
    assert caught.value.hint
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert len([frame for frame in frames if "tallystick" in frame.filename and "tests" not in frame.filename]) <= 1


def test_a_run_can_be_called_where_a_loop_runs(journal: Journal) -> None:
    async def main() -> str:
        return journal.run({"title": "t", "steps": STEPS[:1]}, tools=[act]).status

    assert asyncio.run(main()) == "completed"


def test_what_failed_is_named_with_the_same_error_in_a_later_process(journal: Journal) -> None:
    plan = {"title": "t", "steps": STEPS[3:]}
    first = journal.run(plan, tools=[act], key="k")
    again = journal.run(plan, tools=[act], key="k")
    assert first.failed == again.failed == {"bad": "on purpose"}


def test_a_plan_is_carried_out_here_with_the_journal_at_a_server(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    with Journal.open(url, journal="served") as owner:
        admin = owner.add_credential(name="ann").secret
    with Journal.open(url, journal="served", credential=admin) as owner:
        runner = owner.add_credential(name="worker", scopes=("run",), observes=True).secret
    steps = [{**STEPS[0], "id": f"s{number}", "arguments": {"name": str(number)}} for number in range(5)]
    with (
        served(url) as server,
        Journal.open(f"http://127.0.0.1:{server.port}", credential=runner) as journal,
    ):
        run = journal.run({"title": "t", "steps": steps}, tools=[act])
        assert (run.status, run.results) == ("completed", {f"s{number}": str(number) for number in range(5)})
        assert {entry.witness for entry in run if entry.kind == "action_ended"} == {"observed"}


def test_the_entries_of_a_run_can_be_read_in_an_asynchronous_loop(journal: Journal) -> None:
    async def main() -> None:
        run = journal.run({"title": "t", "steps": [{"id": "a", "by": "person", "title": "t"}]})
        assert [entry.seq async for entry in run] == [entry.seq for entry in run]

    asyncio.run(main())
