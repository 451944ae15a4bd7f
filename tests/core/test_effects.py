"""Which calls only read. A wrong `read` would hide work, so everything that is not known is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.tools import CallRules, effect_of, is_ignored, is_named_like_read, is_reading_command

READING = (
    "ls -la /tmp",
    "cat a.txt | grep 'x; rm y' | wc -l",
    "git status",
    "git -C /w --no-pager log --oneline -5",
    "find . -name '*.py' -newer x",
    'grep -r "two words" src 2>/dev/null',
    "head -5 *.md",
    "sort -u names.txt",
    "sort --check names",
    "git diff --stat --exit-code HEAD~1 -- src",
    "git log --oneline --topo-order --extended-regexp --grep x",
    "tree -aL 2 src",
    "file -b x.png",
    "find . -type f -print0",
    "rg -n pattern src 2>&1 | head",
    "tallystick record action end --action-id ac_1 --outcome ok --evidence 'looked'",
)
WRITING = (
    "",
    "rm -rf x",
    "ls > listing",
    "ls; rm x",
    "ls && rm x",
    "ls || rm x",
    "ls & rm x",
    "ls |& tee x",
    "cat a | tee b",
    "cat $(rm x)",
    'echo "`rm x`"',
    'echo "$(rm x)"',
    "ls\nrm x",
    "find . -delete",
    "find . -exec rm {} +",
    "find . -name *.py",  # a file may be named -delete
    "sort names -o names",
    "sort -uo names names",
    "rg --pre ./script x",
    "git push",
    "git -c core.fsmonitor=./script status",
    "git diff --output=x",
    "git diff --out x",
    "git log --oneline --ou=x",
    "git show --ext",
    "tree -o x",
    "tree -ao x",
    "tree -a -ofile",
    "tree -aR -L 1 -H .",
    "file -bC -m x",
    "file --comp -m x",
    "file --c",
    "sort -ruo names names",
    "sort --outp=x y",
    "sort --comp=./script y",
    "sort -k1 -T/tmp/x y",
    "find . -name x -fprint0 y",
    "find . -okdir rm x",
    "rg --pre=./script x",
    "rg --pre-glob=x --pre ./script x",
    "LESSOPEN=x cat y",
    "env rm x",
    "xargs rm",
    "sed -i s/a/b/ x",
    "sed -n 'w x' y",
    "awk 'BEGIN { system(1) }'",
    "tar -tf x -I ./script",
    "curl -sO https://example.com/x",
    "wget -qO- https://example.com",
    "fd -x rm",
    "yq -i .a=1 x",
    "uniq x y",
    "dd if=x of=y",
    "less x",
    "man -P ./script x",
    "vim -c ':w x' y",
    "tee x",
    "date -s tomorrow",
    "hostname x",
    "ls 'unfinished",
    "tallystick erase --seqs 1",
    "tallystick",
    "./tallystick status",  # whatever that is
    "/tmp/tallystick status",
    "cat a 2>b",
    "| ls",
    "ls |",
)


@pytest.mark.parametrize("command", READING)
def test_a_plain_command_that_only_reads_is_a_read(command: str) -> None:
    assert is_reading_command(command)
    assert effect_of("Bash", {"command": command}) == "read"
    assert effect_of("shell", {"command": ["bash", "-lc", command]}) == "read"


@pytest.mark.parametrize("command", WRITING)
def test_any_other_shell_command_is_not_a_read(command: str) -> None:
    assert not is_reading_command(command)
    assert effect_of("Bash", {"command": command}) is None


@given(st.sampled_from(READING), st.sampled_from([";", "&", ">", "<", "`", "$(", "\n", "&&"]), st.text(max_size=5))
def test_a_read_with_shell_syntax_after_it_is_not_a_read(command: str, sign: str, rest: str) -> None:
    assert not is_reading_command(f"{command} {sign} {rest}")


@given(st.text() | st.lists(st.text()) | st.none() | st.integers())
def test_any_command_gets_an_answer(command: object) -> None:
    assert is_reading_command(command) in (True, False)


def test_tools_are_reads_by_their_names_and_unknown_ones_are_not() -> None:
    for tool in ("Read", "Grep", "WebFetch", "read_file", "google_web_search", "view", "SemanticSearch"):
        assert effect_of(tool, {}) == "read"
    for tool in ("Write", "Edit", "write_file", "apply_patch", "mcp__x__read", "Task", "reader"):
        assert effect_of(tool, {}) is None


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
