"""What `status`, `owed`, `undo-list` and the summary say about a run: who acts, what it waits for, how it goes on."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tallystick import Journal, ToolError, tool
from tallystick.core.types import Actor
from tallystick.interfaces.cli.shell_words import brief_as_commands
from tallystick.operations import CATALOGUE
from tallystick.operations.runs import WORKER_CLIENT
from tallystick.operations.views.brief import RUNNER_UNDOES
from tests.behaviour.scenarios import do, start
from tests.interfaces.cli.conftest import Shell
from tests.interfaces.cli.test_run import Folder, command, step


@tool
def act(name: str, error: str = "") -> str:
    if error:
        raise ToolError("on purpose", error)  # type: ignore[arg-type]
    return name


class Runs:
    """Runs whose process has ended, and readers of the same journal."""

    def __init__(self, path: Path) -> None:
        self._url = f"sqlite:///{path / 'journal.db'}"

    def open(self) -> Journal:
        return Journal.open(self._url, journal="tests", actor="ada")

    def run(self, *steps: dict[str, Any], **options: Any) -> str:
        with self.open() as journal:
            return str(journal.run({"title": "Move", "steps": list(steps)}, tools=[act], **options).id)


@pytest.fixture
def folder(tmp_path: Path, shell: Shell) -> Folder:
    return Folder(tmp_path, shell)


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


@pytest.fixture
def reader(runs: Runs) -> Iterator[Journal]:
    with runs.open() as journal:
        journal.open_session(name="claude-code:two")
        yield journal


TELL = {"id": "tell", "by": "agent", "after": ["b"], "title": "Tell them"}
WAITING = [step("a"), step("b", after=["a"], needs_approval=True), step("c", after=["b"])]
UNWIND = {"unwind": "on-failure"}
THE_RUNNER_UNDOES = "The runner undoes what it can of these, and asks a person about the rest"
UNDO = {"tool": "act", "arguments": {"name": "back", "error": "lost"}}
UNWINDING = [step("a", undo=UNDO), step("b", after=["a"], arguments={"error": "failed"})]


def test_a_run_that_waits_for_an_approval_says_so_and_how_it_goes_on(runs: Runs, reader: Journal) -> None:
    execution = runs.run(*WAITING)
    brief = reader.get_brief(execution_id=execution)
    (asked,) = brief.approvals
    assert brief.next == f"Waiting for a person to answer {asked}."
    assert f"No runner is at work on it. To go on: tallystick run --resume {execution}" in brief.text
    for untrue in ("No step can begin", "Another conversation", "decision=continue", "Take it up"):
        assert untrue not in brief.text


def test_the_command_below_a_pending_approval_answers_it(runs: Runs, reader: Journal) -> None:
    shell = Shell(reader)
    execution = runs.run(*WAITING)
    secret = shell.json("credential", "add", "ann")["secret"]
    shown = shell.output("status", execution)
    shell.output(*command(shown, "decide approval"), "--credential", secret)
    assert reader.list_approvals(status="approve").approvals


def test_the_command_below_a_question_with_options_takes_one_of_them(runs: Runs, reader: Journal) -> None:
    shell = Shell(reader)
    execution = runs.run(*UNWINDING, unwind="ask")
    shown = shell.output("status", execution)
    assert 'pending (one of "retry, skip, unwind, stop")' in shown
    assert "--verdict respond --answer ..." in shown


def test_the_command_below_a_question_with_options_is_the_same_where_the_question_is_cut() -> None:
    for line in ("- ap_b5b7z pending (one…", '- ap_b5b7z pending (one of "retr…"', "- ap_b5b7z pending (o…"):
        assert "--verdict respond --answer ..." in brief_as_commands(line, "ex_a2ab")
    for line in ('- ap_b5b7z pending: "May I?"', '- ap_b5b7z pending for "pay 40": "May I?"'):
        assert "--verdict approve" in brief_as_commands(line, "ex_a2ab")
    assert brief_as_commands("- ap_b5b7z pending…", "ex_a2ab") == "- ap_b5b7z pending…"


def test_a_run_that_unwinds_is_gone_on_with_by_the_runner(runs: Runs, reader: Journal) -> None:
    execution = runs.run(*UNWINDING)
    reader.record_decision(decision="unwind", execution_id=execution, why="not wanted")
    brief = reader.get_brief(execution_id=execution)
    assert brief.status == "unwinding"
    assert brief.next == RUNNER_UNDOES
    assert f"tallystick run --resume {execution}" in brief.text
    shown = Shell(reader).output("status", execution)
    assert "record decision continue" not in shown
    assert "record decision done" not in shown
    assert f"To go on: tallystick run --resume {execution}" in shown


def test_a_run_that_stopped_at_a_failed_step_is_an_alert_with_its_own_commands(runs: Runs, reader: Journal) -> None:
    execution = runs.run(step("a", arguments={"error": "failed"}), step("b", after=["a"]))
    first, to_do, command = Shell(reader).output("alerts").splitlines()
    assert first.startswith('run_failed: a failed: the run waits for a decision in "Move", since ')
    assert to_do.endswith(f"Its runner is gone: `tallystick run --resume {execution}` goes on.")
    assert command == f"  tallystick show {execution}"


def test_a_run_whose_undoing_waits_for_a_person_says_so(runs: Runs, reader: Journal) -> None:
    execution = runs.run(step("a", undo="by hand"), step("b", after=["a"], arguments={"error": "failed"}), **UNWIND)
    brief = reader.get_brief(execution_id=execution)
    assert brief.next == f"Unwinding: waiting for a person to answer {brief.approvals[0]}."
    shown = Shell(reader).output("owed", execution)
    assert f"asks a person about the rest: tallystick run --resume {execution}" in shown


def test_an_undo_that_a_person_records_makes_nobody_the_runner(runs: Runs, reader: Journal) -> None:
    execution = runs.run(step("a", undo="by hand"), step("b", after=["a"], arguments={"error": "failed"}), **UNWIND)
    *_, owed = reader.list_owed(execution_id=execution).owed
    with runs.open() as person:
        person.open_session(name="a shell", client="tallystick cli")
        person.record_action(
            phase="begin", execution_id=execution, kind="undo", undoes=owed.action_id, summary="undo it"
        )
        assert f"To go on: tallystick run --resume {execution}" in reader.get_brief(execution_id=execution).text


def test_a_worker_is_not_named_as_an_observer_of_the_run_that_it_carries_out(runs: Runs, reader: Journal) -> None:
    execution = runs.run(*WAITING)
    with runs.open() as journal:
        worker = journal.caller.as_observer(Actor(kind="runner", name="runner"), WORKER_CLIENT)  # type: ignore[attr-defined]
        call = {"phase": "begin", "execution_id": execution, "tool": "look", "summary": "look"}
        worker.call(CATALOGUE["record_action"], call)
        coverage = journal.get_status(execution_id=execution).coverage
        assert coverage is not None
        assert coverage.observers
        assert "is observed" not in reader.get_brief(execution_id=execution).text


def test_a_run_whose_process_lives_is_carried_out_by_a_runner(runs: Runs, reader: Journal) -> None:
    with runs.open() as journal:
        run = journal.run({"title": "Move", "steps": WAITING}, tools=[act])
        text = reader.get_brief(execution_id=run.id).text
    assert "A runner carries it out." in text
    assert "Another conversation" not in text


def test_what_is_owed_by_a_run_that_unwinds_is_undone_by_the_runner(runs: Runs, reader: Journal) -> None:
    execution = runs.run(*UNWINDING, unwind="on-failure")
    shell = Shell(reader)
    for words in ("owed", "undo-list"):
        shown = shell.output(words, execution)
        assert f"{THE_RUNNER_UNDOES}: tallystick run --resume {execution}" in shown
        assert "Nothing is undone for you" not in shown
    start(reader)
    do(reader, "cp", undo="delete the copy")
    reader.record_decision(decision="unwind", why="not wanted")
    both = shell.output("owed")
    assert "Nothing is undone for you" in both
    assert f"{THE_RUNNER_UNDOES}: tallystick run --resume {execution}" in both


@pytest.mark.parametrize(
    ("steps", "following"),
    [
        ([step("b", needs_approval=True)], "Next: b with act, by the runner."),
        ([step("b"), TELL], 'Next: tell "Tell them", by the agent.'),
    ],
)
def test_the_next_step_of_a_run_says_who_carries_it_out(
    runs: Runs, reader: Journal, steps: list[dict[str, Any]], following: str
) -> None:
    execution = runs.run(*steps)
    shell = Shell(reader)
    secret = shell.json("credential", "add", "ann")["secret"]
    for asked in reader.get_brief(execution_id=execution).approvals:
        shell.output("decide", "approval", asked, "--verdict", "approve", "--credential", secret)
    assert following in reader.get_brief(execution_id=execution).text


def test_a_step_that_an_agent_has_begun_is_ended_with_the_command_that_is_printed(folder: Folder, shell: Shell) -> None:
    plan = folder.plan({"id": "a", "by": "agent", "title": "Tell them"}, step("b", after=["a"]))
    execution = json.loads(folder.run(plan, "--json").stdout)["execution_id"]
    shell.output("record", "action", "begin", "--execution-id", execution, "--step", "a")
    begun = folder.run(plan)
    assert (begun.exit_code, folder.effects) == (5, [])
    assert "under way by the agent" in begun.stdout
    assert "in another process" not in begun.stdout
    shell.output(*command(begun.stdout, "when it is done"))
    assert (folder.run(plan).exit_code, folder.effects) == (0, ["b"])


def test_a_question_about_what_cannot_be_undone_says_what_each_answer_does(folder: Folder) -> None:
    plan = folder.plan(step("a", undo="take it back"), step("b", after=["a"], arguments={"error": "failed"}))
    asked = folder.run(plan, "--unwind", "on-failure")
    assert "to done" not in asked.stdout
    assert command(asked.stdout, "to end and leave it owed:")[-1] == "done"


def test_a_step_that_a_dead_agent_left_is_held_with_why_its_outcome_is_unknown(folder: Folder, shell: Shell) -> None:
    plan = folder.plan({"id": "a", "by": "agent", "title": "Tell them"}, step("b", after=["a"]))
    execution = json.loads(folder.run(plan, "--json").stdout)["execution_id"]
    begin = ("record", "action", "begin", "--execution-id", execution, "--step", "a")
    shell.output(*begin, "--session", "agent")
    shell.output("end", "session", "--session", "agent")
    (held,) = json.loads(folder.run(plan, "--json").stdout)["held"]
    assert (held["step"], held["text"]) == ("a", "its session is over and no end is recorded")
