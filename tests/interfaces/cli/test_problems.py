"""An error is one line with its code, a hint and a stable exit code; never a traceback."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tallystick import TallystickError
from tallystick.interfaces import cli, problems
from tallystick.interfaces.cli.shell_words import with_store
from tallystick.operations import Operation
from tests.interfaces.cli.conftest import Shell


def _errors(kind: type[TallystickError] = TallystickError) -> list[type[TallystickError]]:
    return [kind, *(each for below in kind.__subclasses__() for each in _errors(below))]


@pytest.mark.parametrize(("typed", "meant"), [("log", "tail"), ("undo", "undo-list"), ("approve", "decide approval")])
def test_a_command_of_other_programs_leads_to_ours(shell: Shell, typed: str, meant: str) -> None:
    result = shell(typed)
    assert result.exit_code == 2
    assert re.search(rf"Did you mean: .*\b{meant}\b", result.stderr)


def test_each_error_code_has_an_exit_code() -> None:
    assert {error.code for error in _errors()} == set(problems.ERROR_RESPONSES)


def test_the_exit_codes_are_those_that_are_documented() -> None:
    documented = [line.split()[0] for line in (problems.__doc__ or "").splitlines() if line.startswith("    ")]
    used = {problems.OK, problems.INTERRUPTED, problems.PIPE_CLOSED}
    used |= {answer.exit_code for answer in problems.ERROR_RESPONSES.values()}
    assert sorted(used) == sorted(map(int, documented))


@pytest.mark.parametrize(
    ("argv", "code", "exit_code"),
    [
        (["show", "ex_zzz"], "unknown_handle", 5),
        (["record", "action", "begin"], "unknown_handle", 5),
        (["record", "plan"], "invalid_argument", 2),
        (["record", "action", "nope"], "invalid_argument", 2),
        (["list", "plans", "--limit", "many"], "invalid_argument", 2),
        (["list", "plans", "--limit", "1000"], "invalid_argument", 2),
        (["list", "plans", "--bogus"], "invalid_argument", 2),
        (["record", "context", "k", "--value", '{"a":1,"a":2}'], "invalid_argument", 2),
        (["record", "context", "k", "--value", "NaN"], "invalid_argument", 2),
        (["record", "plan", "--title", "x", "--steps", "[{"], "invalid_argument", 2),
        (["record", "plan", "--title", "x", "--steps", "@/there/is/none"], "invalid_argument", 2),
        (["get", "plan", "pl_1", "--plan-id", "pl_1"], "invalid_argument", 2),
        (["erase", "--seqs", "1", "--reason", "x"], "not_permitted", 3),
        (["erase", "--seqs", "1", "--reason", "x", "--credential-file", "/there/is/none"], "invalid_argument", 2),
        (["verify", "--file", "/there/is/none"], "invalid_argument", 2),
        (["completion", "tcsh"], "invalid_argument", 2),
        (["status", "--log", "xml"], "invalid_argument", 2),
        (["status", "--actor-kind", "ghost", "--url", "memory:"], "invalid_argument", 2),
        (["--session", "se_zzz", "record", "execution-start"], "unknown_handle", 5),
    ],
)
def test_a_refusal_is_one_line_with_its_code_and_exit_code(
    shell: Shell, argv: list[str], code: str, exit_code: int
) -> None:
    result = shell(*argv)
    assert (result.exit_code, result.stdout) == (exit_code, "")
    assert result.stderr.startswith(f"tallystick: {code}: ")
    assert result.stderr.count("\n") == 1
    structured = shell(*argv, "--json")
    assert structured.exit_code == exit_code
    assert json.loads(structured.stderr)["code"] == code


def test_the_store_that_cannot_be_used_has_an_exit_code_of_its_own(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    other.write_text("this is no database at all, and far from one")
    result = cli.run(["status", "--url", f"sqlite://{other}"], env={})
    assert (result.exit_code, result.stdout) == (4, "")
    assert "is not a journal" in result.stderr


def test_a_wrong_call_opens_nothing(tmp_path: Path) -> None:
    result = cli.run(["record", "plan", "--url", f"sqlite://{tmp_path / 'new.db'}"], env={})
    assert result.exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["recrod", "plan"], "record"),
        (["record", "pln"], "plan"),
        (["plans"], "list plans"),
        (["stats"], "get stats"),
        (["list", "plans", "--statsu", "x"], "--status"),
    ],
)
def test_a_mistyped_command_gets_a_suggestion(shell: Shell, typed: list[str], expected: str) -> None:
    result = shell(*typed)
    assert result.exit_code == 2
    assert expected in result.stderr


class Broken:
    """A caller with a mistake in it."""

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        raise ZeroDivisionError("by nothing")

    def close(self) -> None:
        """There is nothing to let go of."""


def test_an_unexpected_error_shows_a_traceback_only_with_verbose() -> None:
    plain, verbose = cli.run(["status"], env={}, caller=Broken()), cli.run(["status", "-v"], env={}, caller=Broken())
    assert plain.exit_code == verbose.exit_code == 1
    assert "Traceback" not in plain.stderr
    assert plain.stderr.startswith("tallystick: failure: Unexpected error: ZeroDivisionError: by nothing.")
    assert "Traceback" in verbose.stderr


def test_the_log_shows_the_outcome_of_a_call_on_standard_error(shell: Shell) -> None:
    failed = shell("show", "ex_zzz", "--log", "json")
    noted = json.loads(failed.stderr.splitlines()[0])
    assert (noted["event"], noted["operation"], noted["code"]) == ("call failed", "get_status", "unknown_handle")
    assert noted["recorded"] == "nothing"
    done = shell("status", "--log", "text")
    assert "info call done operation=get_brief" in done.stderr
    assert shell("status").stderr == ""


def test_a_credential_is_never_echoed(shell: Shell, tmp_path: Path) -> None:
    shell.json("credential", "add", "ada")
    secret = "ts_a-secret-that-is-wrong"
    file = tmp_path / "credential"
    file.write_text(secret + "\n")
    for arguments in (["--credential", secret], ["--credential-file", str(file)]):
        result = shell("credential", "add", "bob", *arguments, "-v", "--log", "json")
        assert result.exit_code == 3
        assert secret not in result.stdout + result.stderr


def test_a_password_in_a_url_is_not_logged(tmp_path: Path) -> None:
    result = cli.run(["status", "-v", "--url", "nosuch://ada:hunter2@host/db"], env={})
    assert result.exit_code == 2
    assert "ada:***@host" in result.stderr
    assert "hunter2" not in result.stderr


@pytest.mark.parametrize(
    ("argv", "next_step"),
    [
        (["record", "action", "begin"], "`tallystick record execution-start --title TITLE`"),
        (["show"], "`tallystick record execution-start --title TITLE`"),
        (["show", "ex_zzz"], "`tallystick journals`"),
        (["credential", "add"], "Give NAME."),
        (["record", "plan", "--title", "x"], "Give --steps JSON."),
        (["tail", "-n", "-3"], "0 or more"),
        (["export", "--output", "/"], "/ is a folder. Name a file in it: -o /journal.jsonl"),
        (["verify", "journal.jsonl"], "`tallystick verify --file journal.jsonl`"),
        (["compare", "executions", "ex_1", "ex_2"], "`tallystick compare executions ex_a2v7 --b "),
    ],
)
def test_a_hint_is_a_command_that_works_at_the_command_line(shell: Shell, argv: list[str], next_step: str) -> None:
    assert next_step in shell(*argv).stderr


@pytest.mark.parametrize("scheme", ["", "sqlite://"])
def test_a_folder_is_named_as_such_when_a_store_was_expected(scheme: str, tmp_path: Path) -> None:
    assert f'"{tmp_path}" is a folder' in cli.run(["status", "--url", f"{scheme}{tmp_path}"], env={}).stderr


@pytest.mark.parametrize(
    ("argv", "shown"),
    [
        (["record", "action", "end", "--outcome", "ok"], "--action-id is missing."),
        (["record", "action", "end", "--action-id", "{action}"], "--outcome is missing."),
        (["record", "action", "begin", "--step", "copy"], "To repeat it, say why in --again."),
        (["record", "action", "begin", "--evidence", "x"], "--evidence does not go with begin."),
        (["record", "action", "begin", "--step", "pay"], "begin the step with its --approval-id."),
        (["record", "decision", "done"], "or end it so with --incomplete, and say why."),
        (["record", "plan", "--title", "t", "--steps", "[]", "--plan-id", "{plan}"], "A plan needs at least one step."),
    ],
)
def test_a_hint_names_options_as_the_shell_has_them(shell: Shell, argv: list[str], shown: str) -> None:
    steps = [
        {"id": "copy", "title": "Copy", "undo": "delete it"},
        {"id": "pay", "title": "Pay", "cancellable": "irreversible", "needs_approval": True},
    ]
    plan = shell.json("record", "plan", "--title", "Move", "--steps", json.dumps(steps))["id"]
    shell.output("record", "execution-start", "--plan-id", plan)
    action = shell.json("record", "action", "begin", "--step", "copy")["id"]
    shell.output("record", "action", "end", "--action-id", action, "--outcome", "ok")
    error = shell(*(word.format(action=action, plan=plan) for word in argv)).stderr
    assert shown in error
    assert "_id" not in error


def test_a_command_without_an_execution_says_how_to_name_one_and_how_to_share_a_session(shell: Shell) -> None:
    with shell.journal.execution("somebody's") as execution:
        session = {"TALLYSTICK_SESSION": "another shell"}
        error = shell("record", "action", "begin", "--tool", "a", env=session).stderr
    assert f"Make the same call with --execution-id: open are {execution.id}." in error
    assert "TALLYSTICK_SESSION, or --session" in error


def test_recorded_text_in_an_error_is_not_translated(shell: Shell) -> None:
    shell.output("record", "execution-start", "--title", "x")
    error = shell("record", "action", "end", "--action-id=action_id", "--outcome", "ok").stderr
    assert 'There is no action "action_id".' in error


def test_a_command_in_a_hint_has_the_store_and_the_journal_of_this_one(tmp_path: Path) -> None:
    store = ["--url", f"{tmp_path}/my journal.db", "--journal", "shop"]
    error = cli.run(["record", "action", "begin", *store], env={}).stderr
    wanted = f"`tallystick record execution-start --url '{tmp_path}/my journal.db' --journal shop --title TITLE`"
    assert wanted in error
    for command in ("record execution-start --title x", "record action begin --tool a", "end session"):
        assert cli.run([*command.split(), *store], env={}).exit_code == 0
    findings = cli.run(["doctor", *store], env={}).stdout
    assert f"tallystick list in-doubt --url '{tmp_path}/my journal.db' --journal shop" in findings


def test_a_password_in_a_url_is_not_in_a_copied_command() -> None:
    text = with_store("see `tallystick status`", {"url": "postgresql://ada:secret-word@host/db"})
    assert text == "see `tallystick status --url 'postgresql://ada:***@host/db'`"
    assert with_store("see `tallystick journals`", {"journal": "j"}) == "see `tallystick journals`"


@pytest.mark.parametrize("command", [("run",), ("template", "add")])
def test_an_error_in_a_plan_file_names_its_fields_as_the_file_has_them(
    shell: Shell, tmp_path: Path, command: tuple[str, ...]
) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text("title: x\ntaskid: T-1\nsteps:\n  - title: a\n    tool: shell\n")
    refused = shell(*command, str(path))
    assert refused.exit_code == 2
    assert "Did you mean task_id?" in refused.stderr
