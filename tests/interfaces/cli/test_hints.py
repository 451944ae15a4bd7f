"""Hints of what a person reads at a shell are commands: copied, they do what the hint says."""

import json
import re
import shlex
from pathlib import Path

from tallystick import Journal
from tallystick.interfaces import cli
from tallystick.interfaces.cli.shell_words import command_of_call
from tests.interfaces.cli.conftest import Shell

FILLED_IN = {'"..."': "because", "--outcome ...": "--outcome ok"}
CALL = re.compile(r"\b(record|get|list|decide|open|end)_\w+\(|\b\w+_id=|\bview=")


def _command(text: str, part: str) -> list[str]:
    """The words of the command with this part, after the program's name, filled in."""
    found = re.search(rf"tallystick ({re.escape(part)}[^`\n]*)", text)
    assert found, text
    assert not CALL.search(text), text
    command = found[1]
    for place, value in FILLED_IN.items():
        command = command.replace(place, value)
    return shlex.split(command)


def test_the_brief_settles_each_doubt_with_a_command(shell: Shell) -> None:
    shell.output("record", "execution-start", "--title", "x")
    first = shell.json("record", "action", "begin", "--tool", "cp", "--summary", "copy record_plan(a=b)")["id"]
    second = shell.json("record", "action", "begin", "--tool", "mv", "--summary", "move")["id"]
    shell.output("end", "session")
    shown = shell.output("status", "--journal", "tests")
    assert 'cp "copy record_plan(a=b)"' in shown  # recorded text stays as it is
    for action in (first, second):
        settle = f"record decision --journal tests settle --action-id {action}"
        assert shell(*_command(shown.replace("record_plan(a=b)", ""), settle)).exit_code == 0
    assert "In doubt" not in shell.output("status")


def test_the_brief_names_the_command_that_lists_what_others_owe(shell: Shell) -> None:
    left = shell.json("record", "execution-start", "--title", "x")["id"]
    done = ("--tool", "cp", "--outcome", "ok", "--undo", "delete it")
    action = shell.json("record", "action", "done", "--execution-id", left, *done)["id"]
    shell.output("record", "decision", "stop", "--execution-id", left, "--why", "no time")
    shell.output("record", "execution-start", "--title", "y")
    shown = shell.output("status")
    assert f'Owed in other executions (1), see `tallystick owed`:\n- {action} cp in {left}: "delete it"' in shown
    assert action in shell.output(*_command(shown, "owed"))


def test_brief_and_account_name_the_command_that_lists_unplanned_work(shell: Shell) -> None:
    _, execution, _ = shell.work()
    action = shell.json("record", "action", "done", "--tool", "look")["id"]
    for shown in (shell.output("status"), shell.output("show")):
        listed = _command(shown.replace("\n", "` "), f"list actions --execution-id {execution} --only unplanned")
        assert shell.output(*listed, "--quiet") == f"{action}\n"


def test_a_hint_for_python_is_python(shell: Shell) -> None:
    refused = shell("run-plan", "--template", "release")
    assert '`tallystick run PLAN_ID`, `journal.run("PLAN_ID")` in Python' in refused.stderr


def test_a_brief_with_commands_keeps_its_limit(shell: Shell) -> None:
    from tallystick.core.formats.tokens import cost

    shell.output("record", "execution-start", "--title", "x")
    for number in range(5):
        shell.output("record", "action", "begin", "--tool", f"tool{number}", "--summary", "many words " * 30)
    shell.output("end", "session")
    assert cost(shell.output("status", "--tokens", "400")) <= 400


def test_the_brief_says_with_a_command_how_an_interrupted_execution_is_taken_up(shell: Shell) -> None:
    execution = shell.json("record", "execution-start", "--title", "x", "--session", "other")["id"]
    shell.output("end", "session", "--session", "other")
    assert (
        shell(*_command(shell.output("status"), f"record decision continue --execution-id {execution}")).exit_code == 0
    )


def test_the_brief_names_the_command_for_each_status(shell: Shell) -> None:
    _, execution, _ = shell.work()
    about = f"--execution-id {execution}"
    asked = json.loads(shell(*_command(shell.output("status"), f"record decision ask_human {about}"), "--json").stdout)
    secret = shell("-q", "credential", "add", "eve").stdout.strip()
    answer = ("--verdict", "approve", "--reason", "yes", "--credential", secret)
    shell.output("decide", "approval", asked["approval_id"], *answer)
    begun = _command(shell.output("status"), f"record action begin {about} --step pay --tool pay --approval-id ap_")
    action = shell.json(*begun)["id"]
    ended = shell.output("record", "action", "end", "--action-id", action, "--outcome", "failed")
    assert shell(*_command(ended, f"record decision retry {about} --step pay")).exit_code == 0
    shell.output("record", "decision", "pause", "--why", "lunch")
    assert shell(*_command(shell.output("status"), f"record decision resume {about}")).exit_code == 0
    shell.output("record", "decision", "skip", "--step", "pay", "--why", "no")
    assert shell(*_command(shell.output("status"), f"record decision done {about}")).exit_code == 0


def test_failed_steps_come_with_the_command_that_decides_on_them(shell: Shell) -> None:
    plan = json.dumps([{"id": "copy", "title": "Copy", "cancellable": "irreversible"}])
    shell.output("record", "plan", "--title", "x", "--steps", plan, "--start")
    action = shell.json("record", "action", "begin", "--step", "copy")["id"]
    shell.output("record", "action", "end", "--action-id", action, "--outcome", "failed", "--error", "no: space")
    for command in ("status", "show"):
        assert _command(shell.output(command), "record decision retry")[-4:] == ["--step", "copy", "--why", "because"]


def test_owed_and_undo_list_have_the_command_that_records_an_undo(shell: Shell) -> None:
    shell.work()
    undo = _command(shell.output("undo-list"), "record action done --kind undo")
    shell.output("record", "decision", "unwind", "--why", "wrong folder")
    assert _command(shell.output("owed"), "record action done --kind undo") == undo
    assert shell(*undo).exit_code == 0
    assert shell(*_command(shell.output("status"), "record decision done")).exit_code == 0


def test_the_receipt_of_what_may_be_an_undo_has_the_command_that_says_so(shell: Shell) -> None:
    shell.output("record", "execution-start", "--title", "x")
    made = shell.json("record", "action", "done", "--tool", "touch", "--undo", "remove it")["id"]
    shell.output("record", "decision", "unwind", "--why", "wrong")
    shown = shell.output("record", "action", "done", "--tool", "rm")
    assert shell(*_command(shown, "record decision continue")).exit_code == 0
    assert made not in shell.output("owed")


def test_a_done_that_is_refused_names_the_command_that_settles_what_is_left(shell: Shell) -> None:
    _, execution, _ = shell.work()
    done = ("record", "decision", "done", "--why", "good enough")
    refused = shell(*done)
    assert refused.exit_code == 5
    assert "1 steps not done (pay)" in refused.stderr
    assert "or end it so with --incomplete, and say why." in refused.stderr
    ended = shell.json(*done, "--incomplete")
    assert (ended["execution_id"], ended["unfinished"]) == (execution, {"steps_not_done": 1})


def test_the_commands_of_refused_ends_lead_to_an_end(shell: Shell) -> None:
    shell.work()
    done = ("record", "decision", "done", "--why", "good enough")
    shell.output("record", "action", "done", "--tool", "lock", "--undo", "open it", "--temporary")
    shell.output("record", "action", "begin", "--tool", "cp")
    for part in ("record decision settle", "request approval", "record action done"):
        assert shell(*_command(shell(*done).stderr, part)).exit_code == 0
        if part == "request approval":
            shell.output("record", "decision", "skip", "--step", "pay", "--why", "not needed")
    assert "unfinished" not in shell.json(*done)


def test_a_start_names_the_commands_for_what_the_same_work_has_left(shell: Shell) -> None:
    shell.output("record", "execution-start", "--title", "x")
    action = shell.json("record", "action", "begin", "--tool", "cp")["id"]
    shell.output("end", "session")
    started = shell.output("record", "execution-start", "--title", "x")
    assert shell(*_command(started, "record decision continue --execution-id")).exit_code == 0
    assert shell(*_command(started, f"record decision settle --action-id {action}")).exit_code == 0


def test_a_refusal_names_the_command_of_its_next_call(shell: Shell) -> None:
    shell.output("record", "execution-start", "--title", "x")
    pay = ("--tool", "pay", "--arguments", '{"to": "the \'clerk\'"}')
    shell.output("record", "action", "begin", *pay)
    shell.output("end", "session")
    shell.output("record", "execution-start", "--title", "y")
    refused = shell("record", "action", "begin", *pay)
    assert refused.stderr.startswith("tallystick: in_doubt_open: ")
    assert shell(*_command(refused.stderr, "record decision settle --action-id")).exit_code == 0
    shell.output("record", "action", "begin", *pay)
    under_way = shell("record", "action", "begin", *pay)
    assert shell(*_command(under_way.stderr, "get action")).exit_code == 0


def test_the_command_of_a_next_call_has_its_arguments_as_json() -> None:
    call = {"question": "...", "tool": "pay", "arguments": {"to": "the 'clerk'"}, "execution_id": "ex_a2v8"}
    words = shlex.split(command_of_call("request_approval", call))
    assert words[:5] == ["tallystick", "request", "approval", "--question", "..."]
    assert json.loads(words[words.index("--arguments") + 1]) == {"to": "the 'clerk'"}
    assert command_of_call("record_plan", {"title": "...", "steps": "..."}) == ""


def test_show_has_the_command_that_settles_a_doubt(shell: Shell) -> None:
    execution = shell.json("record", "execution-start", "--title", "x")["id"]
    shell.output("record", "action", "begin", "--tool", "cp")
    shell.output("end", "session")
    assert shell(*_command(shell.output("show", execution), "record decision settle")).exit_code == 0


def test_a_cut_brief_has_no_part_of_a_call(shell: Shell) -> None:
    _, _, _ = shell.work()
    for tokens in range(100, 400, 20):
        assert not CALL.search(shell.output("status", "--tokens", str(tokens)))


def test_programs_get_the_brief_as_agents_read_it(tmp_path: Path) -> None:
    with Journal.open(f"sqlite://{tmp_path / 'j.db'}", journal="tests") as journal, journal.execution("x") as execution:
        execution.decide("pause", "lunch")
        text = journal.get_brief().text
        printed = cli.run(["status", "--json"], env={}, caller=journal.caller).stdout
    assert "record_decision(decision=resume, why=...)" in text
    assert json.loads(printed)["text"].partition("Record:")[0] == text.partition("Record:")[0]
