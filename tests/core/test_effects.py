"""Which calls only read. A wrong `read` would hide work, so everything that is not known is none."""

import os
import subprocess
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.effects.commands import is_reading_command
from tallystick.core.tools import CallRules, effect_of, is_ignored, is_named_like_read

LINES = [
    (line[0], line[2:].replace("⏎", "\n"))
    for line in Path(__file__).with_name("command_lines.txt").read_text(encoding="utf-8").splitlines()
    if line and line[0] != "#"
]
READING = [command for kind, command in LINES if kind == "r"]
WRITING = [command for kind, command in LINES if kind == "w"]
APPENDED: tuple[str, ...] = (
    "; rm x",
    "\nrm x",
    " && rm x",
    " || rm x",
    " & rm x",
    " | tee f",
    " |& tee f",
    " | xargs rm",
    " > f",
    " >> f",
)
APPENDED += (
    " 2> f",
    " &> f",
    " >| f",
    " >& f",
    "; $(touch f)",
    " $(touch f)",
    " `touch f`",
    ' "$(touch f)"',
    " <(touch f)",
)
APPENDED += (
    "; : > f",
    "; { rm x; }",
    "; (rm x)",
    "; if true; then rm x; fi",
    "; bash -c 'rm x'",
    "; env rm x",
    "; eval ls",
)
APPENDED += (
    "; cat <<EOF\n$(touch f)\nEOF",
    " [cut: 20 more characters]",
    "; X=$(touch f)",
    "; find . -delete",
    "; ls |",
)
PREPENDED: tuple[str, ...] = (
    "rm x; ",
    "rm x && ",
    "rm x\n",
    "touch f | ",
    "X=$(touch f); ",
    "! rm x; ",
    "{ rm x; }; ",
    "(rm x); ",
    "PATH=. ",
)
PREPENDED += ("LD_PRELOAD=./x ", "env PATH=. ", "eval ", "ls() { rm x; }; ", "alias ls=rm; ", "if rm x; then ls; fi; ")


def test_the_corpus_is_large_and_lists_no_line_twice() -> None:
    assert len(LINES) == len(set(LINES)) >= 1000
    assert not set(READING) & set(WRITING)


def test_no_line_that_may_write_is_a_read() -> None:
    assert [command for command in WRITING if effect_of("Bash", {"command": command})] == []
    assert [command for command in WRITING if is_reading_command(["bash", "-lc", command])] == []


def test_lines_that_only_read_are_reads() -> None:
    missed = [command for command in READING if not is_reading_command(command)]
    assert len(missed) <= 0.03 * len(READING), missed
    assert effect_of("Bash", {"command": "cat a; ls"}) == "read"
    assert effect_of("shell", {"command": ["bash", "-lc", "cd x && ls"]}) == "read"
    assert effect_of("exec_command", {"cmd": "git log | head"}) == "read"


@pytest.mark.parametrize("part", APPENDED)
def test_a_read_with_a_writing_part_after_it_is_not_a_read(part: str) -> None:
    passing = [command for command in READING if is_reading_command(_as_end(command) + part)]
    assert passing == []


@pytest.mark.parametrize("part", PREPENDED)
def test_a_read_with_a_writing_part_before_it_is_not_a_read(part: str) -> None:
    assert [command for command in READING if is_reading_command(part + command)] == []


def _as_end(command: str) -> str:
    """A command after which more can be written: without a comment, and with a line break after a document."""
    command = command.partition(" # ")[0]
    return f"{command}\n:" if "<<'EOF'" in command or "<<EOF" in command else command


@pytest.mark.parametrize(
    ("command", "option"),
    [
        *(("sort names", option) for option in ("-o f", "-of", "-uo f", "--output f", "--outp=f")),
        *(("sed -n 1p f", option) for option in ("-i", "-ni", "-i.bak", "--in-place", "-e 'w f'", "-f f")),
        *(("find . -name x", option) for option in ("-delete", "-exec rm {} +", "-fprint f", "-okdir rm {} ;")),
        *(("git diff", option) for option in ("--output f", "--output=f", "--outp=f", "--ext-diff")),
        *(
            ("curl -s http://h", option)
            for option in ("-o f", "-O", "-of", "-d a", "-XPOST", "-T f", "-c f", "--json {}")
        ),
        *(("pytest -q", option) for option in ("--junitxml=f", "--basetemp f", "-o cache_dir=f", "-p f")),
        *(("tree -a", option) for option in ("-o f", "-R", "-Lo 2")),
        *(("rg x", option) for option in ("--pre ./f", "--pre=./f")),
        *(("ruff check .", option) for option in ("--fix", "--add-noqa", "-o f")),
        *(("gh pr view 1", option) for option in ("--web", "-w")),
        *(("tar -tf f", option) for option in ("-x", "-I ./f", "--to-command=f")),
        *(("docker compose config", option) for option in ("-o f", "--output=f")),
        *(("awk '{print}' f", option) for option in ("-f f", "-i inplace")),
        *(("go test ./...", option) for option in ("-o f", "-coverprofile=f", "-exec ./f", "-c")),
        *(("npx jest", option) for option in ("-u", "--updateSnapshot", "--outputFile=f")),
        *(("terraform plan", option) for option in ("-out=f", "-out f")),
        *(("git grep x", option) for option in ("-O", "-Oless", "--open-files-in-pager")),
    ],
)
def test_a_read_with_a_writing_option_is_not_a_read(command: str, option: str) -> None:
    assert is_reading_command(command)
    program, _, rest = command.partition(" ")
    assert not is_reading_command(f"{command} {option}")
    assert not is_reading_command(f"{command} '{option.partition(' ')[0]}' {option.partition(' ')[2]}")
    assert not is_reading_command([*command.replace("'", "").split(), *option.replace("'", "").split()])
    assert not is_reading_command(f"{program} $OPTIONS {rest}")


@given(st.text() | st.lists(st.text()) | st.none() | st.integers())
def test_any_command_gets_an_answer(command: object) -> None:
    assert is_reading_command(command) in (True, False)


WRITING_PIECES = ["touch f", "> f", "2>f", "&>f", ">&f", "tee f", "-o f", "'-o f'", "-i", "w f", "'w f'", "-delete"]
READING_PIECES = [
    "ls",
    "cat a",
    "echo x",
    "sort a",
    "sed -n 1p a",
    "awk '{print}' a",
    "find .",
    "-exec",
    "{}",
    "xargs",
    "uniq a",
]
SYNTAX = [
    *(
        "<<E",
        "<<'E'",
        "\nE\n",
        "\n",
        ";",
        "&",
        "&&",
        "||",
        "|",
        "(",
        ")",
        "{ ",
        "}",
        "$(",
        "`",
        "$((",
        "))",
        "${x:-",
        "${",
    ),
    *(
        "'",
        '"',
        "\\",
        "$'",
        " #",
        "x=",
        "x='-o f'",
        "$x",
        '"$x"',
        "for x in a '-o f'",
        "do ",
        "done",
        "if ",
        "then ",
        "fi",
    ),
    *(
        "while ",
        "! ",
        "[ ",
        "[[ ",
        " ]",
        "*",
        "<(",
        ">(",
        "env ",
        "bash -c ",
        "eval ",
        "time ",
        "read x",
        "{-o,f}",
        "case x in x)",
    ),
]


def test_no_random_line_that_passes_as_a_read_writes_in_a_real_shell(tmp_path: Path) -> None:
    """The lines that pass are run by bash in an empty folder, which stays as it was."""
    random = Random(7)
    pieces = WRITING_PIECES + 2 * READING_PIECES + SYNTAX
    lines = (
        "".join(random.choice(pieces) + random.choice(["", " "]) for _ in range(random.randint(2, 8)))
        for _ in range(20_000)
    )
    passing = [line for line in lines if is_reading_command(line)][:60]
    assert len(passing) == 60, "nothing is tested"
    (tmp_path / "a").write_text("touch f\n")
    for line in passing:
        environment = {"PATH": os.defpath, "HOME": str(tmp_path), "x": "-o f"}
        subprocess.run(
            ["bash", "-c", line],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=20,
        )
        assert [path.name for path in tmp_path.iterdir()] == ["a"], line


def test_tools_are_reads_by_their_names_and_unknown_ones_are_not() -> None:
    for tool in ("Read", "Grep", "WebFetch", "read_file", "google_web_search", "view", "SemanticSearch"):
        assert effect_of(tool, {}) == "read"
    for tool in ("Write", "Edit", "write_file", "apply_patch", "mcp__x__write", "Task", "reader"):
        assert effect_of(tool, {}) is None


@pytest.mark.parametrize(
    ("tool", "is_read"),
    [
        ("mcp__github__list_issues", True),
        ("mcp__claude_ai_Atlassian__getJiraIssue", True),
        ("mcp__slack__slack_search_messages", True),
        ("mcp__fs__directory_tree", True),
        ("mcp__gitlab__get_merge_request", True),
        ("mcp__github__get_commit", True),
        ("MCP:list_issues", True),
        ("github-mcp-server-get_file_contents", True),
        ("mcp__db__query", False),
        ("mcp__db__find_and_modify", False),
        ("mcp__queue__get_next_job", False),
        ("mcp__slack__slack_post_message", False),
        ("mcp__x__slack_list_channels", False),
        ("mcp__list_issues", False),
        ("mcp__x__", False),
        ("list_issues", False),
        ("tool-list_issues", False),
    ],
)
def test_a_servers_tool_is_a_read_by_its_name(tool: str, is_read: bool) -> None:
    assert (effect_of(tool, {}) == "read") is is_read


def test_the_users_rules_take_precedence() -> None:
    rules = CallRules(ignore=("mcp__noise__*",), read=("mcp__*__get_*",), effects={"Read": "unsafe", "R*": "read"})
    assert effect_of("mcp__shop__get_order", {}, rules) == "read"
    assert effect_of("Read", {}, rules) == "unsafe"
    assert effect_of("Rest", {}, rules) == "read"
    assert is_ignored("mcp__noise__x", rules)
    assert not is_ignored("a.b", CallRules(ignore=("a?c", "a+b", "A.B")))
    assert is_ignored("a.b", CallRules(ignore=("a?b",)))
    assert not is_ignored("mcp__shop__x", rules)


def test_our_own_command_is_recognized_by_its_path() -> None:
    rules = CallRules(commands=("tallystick", "/opt/bin/tallystick"))
    assert effect_of("Bash", {"command": "/opt/bin/tallystick record decision done --why x"}, rules) == "read"
    assert effect_of("shell", {"command": ["bash", "-lc", "/opt/bin/tallystick status"]}, rules) == "read"
    assert effect_of("Bash", {"command": "/opt/tallystick status"}, rules) is None


@pytest.mark.parametrize("tool", ["get_issue", "listFiles", "search-code", "describe", "queryLedger", "HTTPGet_"])
def test_a_name_with_a_reading_verb_is_named_like_a_read(tool: str) -> None:
    assert is_named_like_read(tool) is (tool != "HTTPGet_")


@pytest.mark.parametrize("tool", ["find_and_replace", "get_or_create", "getNextJob", "delete", "", "42", "list_delete"])
def test_a_name_with_a_writing_word_is_not_named_like_a_read(tool: str) -> None:
    assert not is_named_like_read(tool)
