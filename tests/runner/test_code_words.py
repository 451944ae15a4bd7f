"""References in what another program reads as code: refused before the start, in a line and in a list of words."""

import shlex
from typing import Any

import pytest

from tallystick import InvalidArgument, Journal
from tallystick.runner.tools.shell import shell_tool

CODE = (
    'bash -c "ls X"',
    'sudo -u bob bash -lc "ls X"',
    "X=1 timeout 5 sh -euo pipefail -c X a",
    "sh -c -- X",
    "env -i A=b /usr/bin/zsh -c X",
    "su bob -c X",
    "xargs -I{} sh -c X",
    "find . -exec dash -c X ;",
    "docker exec box sh -c X",
    "python3 -Ic X",
    "python3 -cX",
    "perl -MFile::Temp -e A -ne X",
    "ruby -e X",
    "node -r esm --eval=X",
    "eval X",
    "ssh -p 22 host ls X",
    "nohup ssh host X",
)
LINES = (
    "echo a; bash -c X",
    "if true; then bash -c X; fi",
    "echo a >f 2>&1 | bash 2>&1 -c X",
    "true && ! eval X",
    "echo a\nbash -c X",
    "(cd /tmp && exec sh -c X)",
)
FINE = (
    "sh -c 'ls \"$1\"' sh X",
    "bash script.sh -c X",
    "python3 -m pytest -c X",
    "perl script.pl -e X",
    "ssh X uptime",
    "grep bash -c X",
    "echo eval X",
    "ls -c X",
)


def carry_out(journal: Journal, command: Any) -> Any:
    step = {"id": "a", "tool": "shell", "arguments": {"command": command}}
    return journal.run({"title": "t", "steps": [step]}, tools=[shell_tool()], parameters={"x": "a"}, unwind="never")


def filled(text: str) -> str:
    return text.replace("X", "${parameters.x}").replace("${parameters.x}=1", "X=1")


@pytest.mark.parametrize("text", CODE + LINES)
def test_a_reference_in_code_in_a_line_is_refused_before_the_start(journal: Journal, text: str) -> None:
    with pytest.raises(InvalidArgument, match=r"would run as code.*(in `env`|stdin)"):
        carry_out(journal, filled(text))
    assert not journal.list_executions().executions


@pytest.mark.parametrize("text", CODE)
def test_a_reference_in_code_in_a_list_is_refused_before_the_start(journal: Journal, text: str) -> None:
    with pytest.raises(InvalidArgument, match="would run as code"):
        carry_out(journal, [filled(word) for word in shlex.split(text.removeprefix("X=1 "))])


@pytest.mark.parametrize("text", FINE)
def test_other_words_of_such_a_command_take_references(text: str) -> None:
    tool = shell_tool()
    assert tool.check is not None
    for command in (filled(text), [filled(word) for word in shlex.split(text)]):
        tool.check({"command": command}, "steps.a.arguments")


def test_a_value_reaches_an_inner_shell_as_a_word_or_in_a_variable(journal: Journal) -> None:
    bad = "'; echo hacked; \"$(echo hacked)"
    steps: list[dict[str, Any]] = [
        {"id": "word", "command": ["sh", "-c", 'printf %s "$1"', "sh", "${parameters.x}"]},
        {"id": "variable", "command": "sh -c 'printf %s \"$V\"'", "env": {"V": "${parameters.x}"}},
    ]
    steps = [{"id": each.pop("id"), "tool": "shell", "arguments": each} for each in steps]
    run = journal.run({"title": "t", "steps": steps}, tools=[shell_tool()], parameters={"x": bad})
    assert [result["stdout"] for result in run.results.values()] == [bad, bad]


def test_an_undo_is_held_to_the_same_rule(journal: Journal) -> None:
    undo = {"tool": "shell", "arguments": {"command": ["sh", "-c", "rm ${result.stdout}"]}}
    step = {"id": "a", "tool": "shell", "arguments": {"command": ["echo", "a"]}, "undo": undo}
    with pytest.raises(InvalidArgument, match="would run as code"):
        journal.run({"title": "t", "steps": [step]}, tools=[shell_tool()])


def test_a_name_in_braces_that_may_be_a_variable_of_the_shell_is_named_with_how_to_write_one(journal: Journal) -> None:
    with pytest.raises(InvalidArgument, match=r"variable of the shell write \$HOME or \$\$\{HOME\}"):
        carry_out(journal, "ls ${HOME}")
