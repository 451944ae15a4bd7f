"""The output of commands: for people, for programs, and escaped in both."""

import json
import re
from io import StringIO

import msgspec
import pytest

from tallystick.core.formats.visible import escape_block, escape_line
from tallystick.interfaces.cli import tables
from tallystick.interfaces.cli import terminal as cli_terminal
from tallystick.interfaces.cli.journal_text import EntryLines
from tallystick.interfaces.cli.terminal import Terminal
from tallystick.operations.approvals import ApprovalView
from tallystick.operations.views.coverage import SessionCoverage, SessionObserver
from tallystick.operations.views.entries import EntryView
from tests.interfaces.cli.conftest import Shell

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m red \u202e reversed \x00\r\x08 \U000e0041 [bold]markup[/bold]"


@pytest.mark.parametrize("text", ["\x1b[31m", "\x9b2J", "\u202egnp.exe", "a\x00b", "a\x08b", "\U000e0041", "\u2066"])
def test_control_characters_are_escaped(text: str) -> None:
    for shown in (
        escape_line(text),
        escape_block(text),
        cli_terminal.json_text({"text": text}),
    ):
        assert shown.isprintable()
        assert "\\" in shown
    assert json.loads(cli_terminal.json_text({"text": text})) == {"text": text}


def test_harmless_text_stays_as_it_is() -> None:
    assert escape_line("Grüße, 世界 👩‍💻 🎉") == "Grüße, 世界 👩‍💻 🎉"
    assert escape_line("two\n lines\tand\xa0a space") == "two lines and a space"
    assert escape_block("two\n\tlines") == "two\n\tlines"


def test_recorded_text_is_always_escaped(shell: Shell) -> None:
    text = HOSTILE.replace("\x00", "")
    steps = json.dumps([{"id": "copy", "title": text, "cancellable": "reversible", "undo": text}])
    plan = shell.json("record", "plan", "--title", text, "--goal", text, "--steps", steps)["id"]
    execution = shell.json("record", "execution-start", "--plan-id", plan, "--title", text)["id"]
    arguments = json.dumps({text: text})
    begin = ["record", "action", "begin", "--step", "copy", "--summary", text, "--arguments", arguments]
    action = shell.json(*begin, "--undo", json.dumps({"tool": "rm", "arguments": {"path": text}}))["id"]
    shell.output("record", "action", "end", "--action-id", action, "--outcome", "unknown", "--error", text)
    shell.output("record", "decision", "ask_human", "--why", text, "--question", text, "--alternatives", text)
    shell.output("record", "context", "k", "--value", json.dumps({"a": text}))
    for argv in (
        ["status"],
        ["show", execution],
        ["show", plan],
        ["show", action],
        ["tail"],
        ["owed"],
        ["get", "status"],
        ["get", "plan", plan],
        ["get", "context", "k"],
        ["list", "plans"],
        ["list", "executions"],
        ["list", "in-doubt"],
        ["list", "approvals"],
        ["list", "context"],
        ["read", "entries"],
        ["get", "stats"],
        ["tail", "--json"],
        ["show", execution, "--json"],
    ):
        shown = shell.output(*argv)
        bad = [letter for letter in shown if not (letter.isprintable() or letter == "\n")]
        assert not bad, (argv, bad)
    assert "[bold]markup[/bold]" in shell.output("show", execution)


def test_an_error_that_quotes_its_arguments_is_escaped(shell: Shell) -> None:
    for extra in ([], ["--json"]):
        result = shell("show", "ex_\x1b[31m\u202e", *extra)
        assert result.exit_code == 5
        assert result.stderr.rstrip("\n").isprintable()


def test_quiet_prints_ids_and_nothing_else(shell: Shell) -> None:
    plan, execution, action = shell.work()
    assert shell.output("list", "plans", "-q") == f"{plan}\n"
    assert shell.output("undo-list", "--quiet") == f"{action}\n"
    assert shell.output("show", execution, "-q") == f"{execution}\n"
    assert shell.output("record", "context", "k", "--value", "1", "-q").startswith("cx_")
    assert shell.output("verify", "-q") == ""


def test_an_empty_list_prints_a_sentence(shell: Shell) -> None:
    assert shell.output("list", "plans") == "No plans.\n"
    assert shell.output("list", "in-doubt") == "Nothing is in doubt.\n"
    assert shell.output("owed") == "Nothing is owed.\n"


def test_what_cannot_be_undone_stays_listed_until_it_is_kept(shell: Shell) -> None:
    shell.output("record", "execution-start", "--title", "mail")
    done = ["record", "action", "done", "--tool", "mail", "--summary", "mail all", "--outcome", "ok"]
    action = shell.output(*done, "--cancellable", "irreversible", "-q").strip()
    shell.output("record", "decision", "stop", "--why", "enough")
    first, second, *_ = shell.output("owed").splitlines()
    assert (first, second.strip()) == (
        "0 owed. These stay listed until they are kept:",
        f'tallystick record decision keep --action-id {action} --why "..."',
    )
    shell.output("record", "decision", "keep", "--action-id", action, "--why", "it is sent")
    assert "0 owed" not in shell.output("owed")


def test_a_page_that_is_not_the_last_prints_its_cursor(shell: Shell) -> None:
    for number in range(3):
        shell.output("record", "execution-start", "--title", f"number {number}")
    first = shell.output("list", "executions", "--limit", "2")
    cursor = first.splitlines()[-1].removeprefix("More: --cursor ")
    assert "number 0" not in first
    assert "number 0" in shell.output("list", "executions", "--limit", "2", "--cursor", cursor)


def test_a_table_in_a_pipe_is_neither_cut_nor_coloured(shell: Shell) -> None:
    title = "a title that is much longer than a terminal is wide, " * 3
    shell.output("record", "execution-start", "--title", title)
    assert title.strip() in shell.output("list", "executions")


def test_the_columns_of_a_table_are_fields_of_its_rows() -> None:
    for view, names in tables.COLUMNS.items():
        parts = {part for name in names for part in name.split("/")}
        fields = {field.name: field.type for field in msgspec.structs.fields(view)}
        for outer, _, inner in (part.partition(".") for part in parts):
            assert outer in fields
            assert not inner or inner in fields[outer].__struct_fields__


def test_a_table_of_coverage_marks_silent_observers() -> None:
    terminal = Terminal(StringIO(), StringIO(), str, {})
    seen = [
        SessionCoverage(observer=SessionObserver(session=f"se_{silent}", silent=silent), begun=1)
        for silent in (True, False)
    ]
    heading, first, second = tables.view_table(terminal, seen).splitlines()
    assert "silent" in heading
    assert "yes" in first[heading.index("silent") :]
    assert "silent" not in tables.view_table(terminal, seen[1:]), "a word is worth it only where it is so"
    assert second.startswith("se_False")


def test_a_table_of_approvals_marks_answers_that_came_in_a_client() -> None:
    terminal = Terminal(StringIO(), StringIO(), str, {})
    rows = [
        ApprovalView(id=f"ap_{at}", status="used", asked="2026-11-19T20:00:00Z", answered_in=at) for at in ("c", "")
    ]
    _, first, second = tables.view_table(terminal, rows).splitlines()
    assert "used (in a client)" in first
    assert "client" not in second


def test_an_entry_of_a_clock_that_was_set_back_says_so() -> None:
    lines = EntryLines(Terminal(StringIO(), StringIO(), str, {}))
    entry = EntryView(
        seq=7,
        id="ac_1",
        at="2026-11-18T04:26:49.669Z",
        kind="action_noted",
        actor="ada",
        witness="claimed",
        hash="s1:x",
        behind=3600,
    )
    assert "[clock 3,600 s behind]" in lines.format(entry)
    assert "clock" not in lines.format(msgspec.structs.replace(entry, behind=0))


def test_an_answer_that_a_client_could_have_given_by_itself_says_so() -> None:
    lines = EntryLines(Terminal(StringIO(), StringIO(), str, {}))
    entry = EntryView(
        seq=8,
        id="ap_1",
        at="2026-11-18T04:26:49.669Z",
        kind="approval_decided",
        actor="claude-code",
        witness="observed",
        hash="s1:x",
        facts={"verdict": "approve", "channel": "client"},
    )
    assert "approve [in a client that could have answered by itself]" in lines.format(entry)
    assert "client" not in lines.format(msgspec.structs.replace(entry, actor="ada", facts={"verdict": "approve"}))


def test_tallystick_alone_prints_its_help_with_an_example_first(shell: Shell) -> None:
    alone = shell.output()
    assert alone == shell.output("--help")
    assert alone.index("Example:") < alone.index("Usage:")
    for word in ("status", "record", "--json", "Exit codes"):
        assert word in alone


def test_the_version_is_the_installed_one(shell: Shell) -> None:
    assert shell.output("--version") == shell.output("version")
    assert shell.json("version")["version"] in shell.output("--version")


@pytest.mark.parametrize(
    "value",
    [{"id": 42, "amount": 500}, {"force": True, "n": 0}, {}, {"a": {"b": [1, None]}, "at": "2026-01-01T00:00:00Z"}],
)
def test_arguments_are_shown_as_json_whatever_they_hold(shell: Shell, value: dict[str, object]) -> None:
    written = json.dumps(value)
    shell.output("record", "execution-start", "--title", "x")
    asked = shell.json("request", "approval", "--question", "ok?", "--tool", "pay", "--arguments", written)["id"]
    assert json.loads(_field(shell.output("get", "approval", asked), "arguments")) == value
    secret = shell("-q", "credential", "add", "eve").stdout.strip()
    edit = ("--verdict", "edit", "--arguments", json.dumps({**value, "n": 1}), "--reason", "so", "--credential", secret)
    assert json.loads(_field(shell.output("decide", "approval", asked, *edit), "arguments")) == {**value, "n": 1}
    assert json.loads(_field(shell.output("get", "approval", asked), "edited")) == {**value, "n": 1}
    assert "  - granted instead: `{" in shell.output("report")


@pytest.mark.parametrize("value", ['{"a":1,"b":2}', "true", "0", "false", '"true"', '"2026-01-01T00:00:00Z"', "[1,2]"])
def test_values_are_shown_as_json_whatever_they_hold(shell: Shell, value: str) -> None:
    execution = shell.json("record", "execution-start", "--title", "x")["id"]
    shell.output("record", "context", "k", "--value", value, "--scope", "execution")
    shell.output("record", "action", "done", "--tool", "look", "--result", value, "--outcome", "ok")
    shown = json.dumps(json.loads(value))
    for command in (("get", "context", "k"), ("list", "context")):
        assert re.search(rf"\bk +{re.escape(shown)} +execution ", shell.output(*command, "--scope", "execution"))
    assert f" execution k {shown} (" in shell.output("tail")
    assert f'"value":{value}' in shell.output("report", execution)
    assert f"&quot;value&quot;:{value}".replace('"', "&quot;") in shell.output("report", execution, "--form", "html")


def test_counts_are_shown_as_counts(shell: Shell) -> None:
    _, execution, _ = shell.work()
    assert "actions  1 ok" in shell.output("show", execution)
    assert _field(shell.output("get", "execution", execution), "actions") == "1 ok"
    assert _field(shell.output("get", "stats"), "tools") == "1 cp"


def test_skipped_and_undone_steps_are_counted_apart(shell: Shell) -> None:
    _, execution, action = shell.work()
    shell.output("record", "decision", "skip", "--step", "pay", "--why", "no money")
    assert "1/2 (1 skipped)" in shell.output("list", "executions")
    assert "running, 1 done, 1 skipped of 2 steps" in shell.output("show", execution)
    shell.output("record", "action", "done", "--kind", "undo", "--undoes", action, "--outcome", "ok")
    assert "1/2 (1 undone, 1 skipped)" in shell.output("list", "executions")
    shown = shell.output("show", execution)
    assert "running, 1 done, of which 1 undone, 1 skipped of 2 steps" in shown
    assert re.search(r"^copy +undone ", shown, re.MULTILINE)


def _field(text: str, name: str) -> str:
    return next(line.split(maxsplit=1)[1] for line in text.split("\n") if line.split(maxsplit=1)[:1] == [name])
