"""Commands to copy: pasted into a real shell they are exactly what was recorded, and all of it can be seen."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallystick.core.formats.shell_text import call_as_command, join_words, quote_word
from tallystick.core.formats.visible import is_visible

SHELLS = ("dash", "bash")
HOSTILE = [
    *("", " ", "a b", "it's", "'", "''", '"', '\\"', "\\", "\\\\", "\\n", "\\0101", "\\c", "%s %b %%", "-n", "--"),
    *("$HOME", "${HOME}", "$(touch hacked)", "`touch hacked`", "; touch hacked", "&& touch hacked", "| sh", "> hacked"),
    *("!", "hello!world", "!!", "#no comment", "=ls", "X=1", "%1", "a\nb", "a\n", "\n", "\ntouch hacked\n"),
    *("a\r\ntouch hacked", "\t", "\x1b[31mred", "\x1b]0;title\x07", "\x1b[201~touch hacked\n", "\x7f", "\x9b31m"),
    *("\x08\x08", "\u202eabc", "\u2066x", "a\u200bb", "\u3164", "\u00a0", "\u2028touch hacked", "é ü 漢字 🙂"),
    *("~", "*", "\u2018quoted\u2019", "\u200d", "\ufeff", "e\u0301"),
]
WORDS_OF_SHELLS = [
    *("if", "eval", "exit", "cd", ".", ":", "time", "alias", "command", "!", "{", "[[", "source", "%1", "exec")
]
DUMP = "import json, os, sys; print(json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ), sys.stdin.read()]))"


def paste(shell: str, command: str, folder: Path) -> Any:
    """What a program gets that a command starts."""
    done = subprocess.run([shell], input=f"{command}\n", cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done)
    assert list(folder.glob("*hacked*")) == []
    return json.loads(done.stdout)


def dumped(*words: str) -> list[str]:
    return [sys.executable, "-c", DUMP, *words]


@pytest.mark.parametrize("shell", SHELLS)
def test_each_word_arrives_as_it_was_recorded(shell: str, tmp_path: Path) -> None:
    assert paste(shell, join_words(dumped(*HOSTILE)), tmp_path)[0] == HOSTILE
    names = [text for text in HOSTILE if not text.endswith("\n")]  # a substitution drops line ends
    assert paste(shell, f"{join_words(dumped())} {' '.join(map(quote_word, names))}", tmp_path)[0] == names


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.text(st.one_of(st.characters(codec="utf-8", exclude_characters="\0"), st.sampled_from("'\"\\$`!\n\t %{}()")))
    )
)
def test_any_text_arrives_as_it_is(words: list[str]) -> None:
    command = join_words(dumped(*words))
    assert is_visible(command), command
    done = subprocess.run(["dash"], input=f"{command}\n", capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)[0] == words


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_a_command_is_hidden(text: str) -> None:
    assert is_visible(join_words(["echo", text]))
    assert is_visible(quote_word(text))


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("program", WORDS_OF_SHELLS)
def test_a_program_is_no_word_of_the_shell(shell: str, program: str, tmp_path: Path) -> None:
    """Started by its path or found in a folder of PATH, and never taken for a word of the shell."""
    folder = tmp_path / "bin"
    folder.mkdir()
    path = f"{folder}:/usr/bin:/bin"
    if program != ".":
        (folder / program).write_text(f"#!/bin/sh\nexec {sys.executable} -c '{DUMP}' \"$@\"\n")
        (folder / program).chmod(0o755)
    command = call_as_command("shell", {"command": [program, "touch hacked"]})
    done = subprocess.run(
        [shell], input=f"{command}\n", cwd=tmp_path, env={"PATH": path}, capture_output=True, text=True, check=False
    )
    assert list(tmp_path.glob("*hacked*")) == []
    assert (done.returncode == 0) == (program != ".")  # there is no program of this name
    assert program == "." or json.loads(done.stdout)[0] == ["touch hacked"]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_call_of_the_shell_tool_is_run_as_the_runner_runs_it(shell: str, tmp_path: Path) -> None:
    (tmp_path / "-a b").mkdir()
    call = {
        "command": dumped("x"),
        "cwd": "-a b",
        "env": {"A": "it's", "B": "a\nb\n", "TALLY_VALUE_1": "$(touch hacked)", "N": 3},
        "stdin": "line 1\n!line 2\n\x1b",
    }
    command = call_as_command("shell", call)
    assert is_visible(command)
    words, folder, environment, stdin = paste(shell, command, tmp_path)
    assert (words, folder, stdin) == (["x"], str(tmp_path / "-a b"), call["stdin"])
    wanted = {"A": "it's", "B": "a\nb\n", "TALLY_VALUE_1": "$(touch hacked)", "N": "3"}
    assert {name: environment[name] for name in wanted} == wanted


@pytest.mark.parametrize("tool", ["shell", "Bash", "run_shell_command"])
def test_a_line_is_run_by_a_shell_of_its_own(tool: str, tmp_path: Path) -> None:
    line = f"cd / && X='a  b'; {join_words(dumped())} \"$X\" $((1 + 1)); exit 0"
    assert paste("dash", call_as_command(tool, {"command": line}) + "; true", tmp_path)[:2] == [["a  b", "2"], "/"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("send_mail", {"command": "x"}),
        ("shell", {}),
        ("shell", {"command": []}),
        ("shell", {"command": ["X=1", "sh"]}),
        ("shell", {"command": ["-i", "sh"]}),
        ("shell", {"command": ["a", {"b": 1}]}),
        ("shell", {"command": "echo \0"}),
        ("shell", {"command": "echo \ud800"}),
        ("shell", {"command": "echo [masked:token]"}),
        ("shell", {"command": ["login", "secret://KEY"]}),
        ("shell", {"command": "true", "env": {"A=B": "x"}}),
        ("shell", {"command": "true", "env": {"-i": "x"}}),
        ("shell", {"command": "true", "env": {"": "x"}}),
        ("shell", {"command": "true", "other": 1}),
        ("Bash", {"command": "true", "run_in_background": True}),
    ],
)
def test_what_cannot_be_copied_is_no_command(tool: str, arguments: dict[str, Any]) -> None:
    assert call_as_command(tool, arguments) == ""
