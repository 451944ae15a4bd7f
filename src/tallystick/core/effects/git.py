"""Commands of git that only read, with the options that make them write.

The configuration of a repository may name programs that git runs, for example to show differences. It is the user's
own, so it is trusted here; options that name a program (`-c`, `--ext-diff`, `--upload-pack`) are not.
"""

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from tallystick.core.effects.options import (
    Arguments,
    allows,
    has_no_writing_option,
    names,
    parse_arguments,
    parse_spec,
)
from tallystick.core.effects.shell import Word

_GLOBAL = parse_spec("-P -C: -c: --no-pager --git-dir= --work-tree= --no-optional-locks --literal-pathspecs --bare")
_HARMLESS_SETTING = re.compile(
    r"(?i)core\.pager=cat|pager\.[a-z-]+=(?:cat|false)|core\.quotepath=\w+|(?:color|advice|log)\.[\w.]+=[\w-]+"
)
_WRITING_NAMES = (
    "--output",
    "--ext-diff",
    "--textconv",
    "--upload-pack",
    "--exec",
    "--filters",
    "--open-files-in-pager",
)
_READING = names(
    """
    status diff log show ls-files rev-parse blame annotate describe shortlog rev-list cat-file ls-tree merge-base
    name-rev for-each-ref show-ref diff-tree diff-index diff-files whatchanged count-objects check-ignore check-attr
    cherry range-diff show-branch verify-commit get-tar-commit-id version
    """
)
"""Commands that write nothing without one of `_WRITING_NAMES`."""
_LISTING_VERBS = {
    "worktree": ("list",),
    "stash": ("list", "show"),
    "notes": ("list", "show"),
    "submodule": ("status", "summary"),
    "bisect": ("log",),
    "remote": ("show", "get-url"),
    "reflog": ("show", "exists"),
    "lfs": ("ls-files", "status", "env"),
    "bundle": ("verify", "list-heads"),
}
"""Commands of which only these verbs read."""
_LISTS = (
    "-a -r -v -i --all --remotes --list --show-current --contains= --no-contains= --merged --no-merged --sort="
    " --format="
    " --points-at= --color --no-color --column --no-column --abbrev --ignore-case --verbose"
)
_SELECTING = {"--list", "--merged", "--no-merged"}
_SELECTING_VALUES = {"--contains", "--no-contains", "--points-at"}


def judge_git(words: Sequence[Word]) -> bool:
    """Whether git only reads with these arguments."""
    found = parse_arguments(words, _GLOBAL, stop=True)
    if found is None or not found.rest or not found.rest[0].is_plain:
        return False
    if not all(_HARMLESS_SETTING.fullmatch(value.text) for name, value in found.values if name == "-c"):
        return False
    command, arguments = found.rest[0].text, found.rest[1:]
    if command in _READING:
        return has_no_writing_option(arguments, "", _WRITING_NAMES)
    if command in _LISTING_VERBS:
        return _judge_listing(command, arguments)
    return command in _JUDGES and _JUDGES[command](arguments)


def _judge_listing(command: str, words: Sequence[Word]) -> bool:
    if not words:
        return command in ("submodule", "remote", "reflog", "notes")
    if command == "remote" and words[0].text in ("-v", "--verbose"):
        return len(words) == 1
    if command == "reflog" and words[0].text[:1] != "-" and words[0].text not in ("show", "exists"):
        return words[0].is_plain and words[0].text not in ("expire", "delete", "drop", "write") and len(words) == 1
    if command == "reflog" and words[0].text[:1] == "-":
        return allows(words, "-n: -# --oneline --date= --format= --all --pretty=", most=0)
    is_reading = words[0].text in _LISTING_VERBS[command]
    return is_reading and has_no_writing_option(words, "", _WRITING_NAMES)


def _judge_grep(words: Sequence[Word]) -> bool:
    """`git grep -O` opens the files in a program."""
    return has_no_writing_option(words, "O", _WRITING_NAMES)


def _judge_ls_remote(words: Sequence[Word]) -> bool:
    """An address such as `ext::sh -c ...` would run a program."""
    is_plain_address = not any("::" in word.text for word in words)
    return is_plain_address and allows(words, "-h -t -q --heads --tags --branches --refs --symref --sort= --exit-code")


def _judge_branch(words: Sequence[Word]) -> bool:
    """A name creates a branch, unless an option selects branches by a pattern."""
    return _judge_selection(words, f"{_LISTS} -l")


def _judge_tag(words: Sequence[Word]) -> bool:
    return _judge_selection(
        words,
        "-l -n -# -i --list --contains= --no-contains= --merged --no-merged --points-at="
        " --sort= --format= --color --column --ignore-case",
        selecting={"l"},
    )


def _judge_selection(words: Sequence[Word], spec: str, selecting: AbstractSet[str] = frozenset()) -> bool:
    found = parse_arguments(words, parse_spec(spec))
    return found is not None and (not found.operands or _selects(found, selecting))


def _selects(found: Arguments, selecting: AbstractSet[str]) -> bool:
    return bool(found.flags & (_SELECTING | selecting)) or any(name in _SELECTING_VALUES for name, _ in found.values)


def _judge_config(words: Sequence[Word]) -> bool:
    """One name is read; a name and a value are written."""
    found = parse_arguments(
        words,
        parse_spec(
            "-l -z -f: --get --get-all --get-regexp --get-urlmatch --list --global --local --system --worktree"
            " --show-origin --show-scope --name-only --type= --bool --int --path --null --file= --blob="
            " --default= --includes"
        ),
    )
    if found is None:
        return False
    texts = [word.text for word in found.operands]
    if found.flags & {"--get", "--get-all", "--get-regexp", "--get-urlmatch"}:
        return 1 <= len(texts) <= 2
    if found.flags & {"l", "--list"}:
        return not texts
    if len(texts) == 1:
        return "." in texts[0] or texts == ["list"]
    return len(texts) == 2 and texts[0] == "get"


def _judge_apply(words: Sequence[Word]) -> bool:
    return allows(
        words, "-v -p: -R --check --stat --numstat --summary --reverse", needs="--check --stat --numstat --summary"
    )


def _judge_format_patch(words: Sequence[Word]) -> bool:
    return allows(words, "-# -n -s --stdout --no-stat --no-signature", needs="--stdout")


def _judge_clean(words: Sequence[Word]) -> bool:
    return allows(words, "-n -d -x -X --dry-run", needs="n --dry-run")


def _judge_hash_object(words: Sequence[Word]) -> bool:
    return allows(words, "-t: --stdin --no-filters")


def _judge_archive(words: Sequence[Word]) -> bool:
    """To standard output only."""
    return allows(words, "-# -v -l --format= --prefix= --list --verbose")


def _judge_symbolic_ref(words: Sequence[Word]) -> bool:
    return allows(words, "-q --short --quiet", most=1)


def _judge_fsck(words: Sequence[Word]) -> bool:
    return allows(words, "--full --strict --no-dangling --unreachable --connectivity-only --no-progress")


def _judge_help(words: Sequence[Word]) -> bool:
    return allows(words, "-a -g --all --guides", most=0)


_JUDGES: dict[str, Callable[[Sequence[Word]], bool]] = {
    "grep": _judge_grep,
    "ls-remote": _judge_ls_remote,
    "branch": _judge_branch,
    "tag": _judge_tag,
    "config": _judge_config,
    "apply": _judge_apply,
    "format-patch": _judge_format_patch,
    "clean": _judge_clean,
    "hash-object": _judge_hash_object,
    "archive": _judge_archive,
    "symbolic-ref": _judge_symbolic_ref,
    "fsck": _judge_fsck,
    "help": _judge_help,
}
