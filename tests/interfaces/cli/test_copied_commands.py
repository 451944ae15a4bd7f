"""Commands that people copy from lists, summaries and reports: a real shell runs them as they are recorded."""

import json
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tallystick.core.formats.visible import is_visible
from tallystick.interfaces.cli import _run
from tallystick.interfaces.cli.app import Root
from tallystick.interfaces.cli.shell_words import with_store
from tallystick.interfaces.cli.terminal import Terminal
from tests.interfaces.cli.conftest import Shell

WORDS = ["a  b", "it's", "$HOME", "x\ny\n", "\x1b[31mred", "\u202eabc", "`touch hacked`", "!!", "é"]
NAME = "it's tallystick owed $(touch hacked)"
"""The name of a step that looks like a command."""


def undo_of(folder: Path) -> dict[str, Any]:
    script = f"import json, sys; open({str(folder / 'undone')!r}, 'w').write(json.dumps(sys.argv[1:]))"
    return {"tool": "shell", "arguments": {"command": [sys.executable, "-c", script, *WORDS]}}


def record_work(shell: Shell, folder: Path) -> str:
    execution = shell.journal.record_execution_start(title="Move").id
    undo = undo_of(folder)
    shell.journal.record_action(
        phase="done",
        execution_id=execution,
        tool="shell",
        summary="moved",
        outcome="ok",
        undo=undo,  # type: ignore[arg-type]
    )
    return execution


@pytest.mark.parametrize("command", ["undo-list", "owed", "show", "report", "record decision unwind --why x"])
def test_the_undo_of_a_command_can_be_pasted(shell: Shell, tmp_path: Path, command: str) -> None:
    execution = record_work(shell, tmp_path)
    if not command.startswith("record"):
        shell.journal.record_decision(execution_id=execution, decision="unwind", why="x")
    option = ["--execution-id", execution] if command.startswith("record") else [execution]
    printed = shell.output(*command.split(), *option)
    (line,) = [line for line in printed.splitlines() if line.lstrip().startswith(("eval ", sys.executable, "env "))]
    assert is_visible(line)
    subprocess.run(["sh"], input=f"{line}\n", cwd=tmp_path, text=True, check=True)
    assert json.loads((tmp_path / "undone").read_text()) == WORDS
    assert not list(tmp_path.glob("hacked"))


def test_a_terminal_does_not_break_a_command_into_lines(shell: Shell, tmp_path: Path) -> None:
    execution = record_work(shell, tmp_path)
    terminal = Terminal(_Tty(), _Tty(), lambda: "", {"COLUMNS": "40", "NO_COLOR": "1"})
    _run(Root({}), ["undo-list", execution], terminal, shell.journal.caller)
    assert isinstance(terminal.out, _Tty)
    (line,) = [line for line in terminal.out.getvalue().splitlines() if line.lstrip().startswith("eval ")]
    assert line.endswith("')\"")


class _Tty(StringIO):
    def isatty(self) -> bool:
        return True


def test_an_undo_that_is_too_long_to_copy_is_no_command(shell: Shell) -> None:
    undo = {"tool": "shell", "arguments": {"command": ["echo", "x" * 5000]}}
    execution = shell.journal.record_execution_start(title="Move").id
    shell.journal.record_action(phase="done", execution_id=execution, tool="x", outcome="ok", undo=undo)  # type: ignore[arg-type]
    printed = shell.output("undo-list", execution)
    assert "call shell" in printed
    assert "env echo" not in printed


def argv(command: str, folder: Path) -> list[str]:
    """The words that `tallystick` gets from a command that is pasted."""
    dump = f"tallystick() {{ {sys.executable} -c 'import json, sys; print(json.dumps(sys.argv[1:]))' \"$@\"; }}"
    done = subprocess.run(["sh"], input=f"{dump}\n{command}\n", cwd=folder, capture_output=True, text=True, check=True)
    assert not list(folder.glob("hacked"))
    found: list[str] = json.loads(done.stdout)
    return found


def test_the_commands_of_a_summary_name_steps_and_stores_as_they_are(tmp_path: Path) -> None:
    plan = {"steps": [{"id": NAME, "title": "x", "tool": "shell", "arguments": {"command": "exit 1"}, "undo": "x"}]}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    store = tmp_path / "it's a journal.db"
    words = ["run", "plan.json", "--url", str(store), "--journal", "run"]
    done = subprocess.run(
        [sys.executable, "-m", "tallystick", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done
    (command,) = re.findall(r"try it again: (tallystick .*)", done.stdout)
    told = argv(command, tmp_path)
    assert told[told.index("--step") + 1] == NAME
    assert told[told.index("--url") + 1] == f"sqlite://{store}" or told[told.index("--url") + 1] == str(store)
    assert [word for word in told if not word.startswith("-")][:2] == ["record", "decision"]
    assert "retry" in told


def test_a_store_is_named_outside_of_quoted_words() -> None:
    options = {"url": "/tmp/it's.db", "journal": "a b"}
    text = "Undo it: tallystick owed 'x tallystick owed y' \"tallystick owed\", or tallystick show EX. Don't wait."
    named = "--url '/tmp/it'\"'\"'s.db' --journal 'a b'"
    assert with_store(text, options) == (
        f"Undo it: tallystick owed {named} 'x tallystick owed y' \"tallystick owed\", or tallystick show {named} EX. "
        "Don't wait."
    )


def test_a_report_in_html_has_the_command(shell: Shell, tmp_path: Path) -> None:
    execution = record_work(shell, tmp_path)
    shell.journal.record_decision(execution_id=execution, decision="unwind", why="x")
    printed = shell.output("report", execution, "--form", "html")
    assert "<pre>eval &quot;$(printf" in printed or '<pre>eval "$(printf' in printed
