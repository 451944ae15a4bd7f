"""Options of programs: which words of a command are options, and whether all of them are known to write nothing.

A specification is text: `-abc` are letters without a value, `-n:` is one with a value, `-#` is a number such as `-20`,
`--long` is a name (a value after `=` is allowed), `--name=` is a name with a value, in the same word or in the next.
"""

from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from tallystick.core.effects.shell import Word


def names(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


class OptionSpec(Struct, frozen=True):
    """The options that are allowed. `single_dash`: names have one dash or two (`-run X`), and there are no clusters."""

    letters: frozenset[str]
    valued_letters: frozenset[str]
    names: frozenset[str]
    valued_names: frozenset[str]
    numbers: bool = False
    single_dash: bool = False

    def match(self, word: str) -> "tuple[str, str | None, str] | None":
        """The flags in an option word, the option in it that takes a value, and that value; None if not allowed."""
        if self.numbers and word[1:].isdigit():
            return "", None, ""
        if self.single_dash or word[:2] == "--":
            name, _, value = ("--" + word.lstrip("-")).partition("=")
            if name in self.valued_names:
                return "", name, value
            return (name, None, "") if name in self.names else None
        for at, letter in enumerate(word[1:], 1):
            if letter in self.valued_letters:
                return word[1:at], f"-{letter}", word[at + 1 :]
            if letter not in self.letters:
                return None
        return word[1:], None, ""


class Arguments(Struct, frozen=True):
    """The words of a command by their kind. `flags` holds letters and long names; `rest` is what follows the first
    operand, if reading stopped there."""

    operands: list[Word]
    flags: set[str]
    values: list[tuple[str, Word]]
    rest: list[Word]


@cache
def parse_spec(text: str, *, single_dash: bool = False) -> OptionSpec:
    """A specification, from its text."""
    letters, valued_letters, names, valued_names = set(""), set(""), set(""), set("")
    for token in text.split():
        if token[:2] == "--" or (single_dash and token != "-#"):
            name = "--" + token.lstrip("-")
            (valued_names if name[-1] == "=" else names).add(name.removesuffix("="))
        elif token[-1] == ":":
            valued_letters.add(token[1])
        else:
            letters.update(token[1:])
    return OptionSpec(
        frozenset(letters - {"#"}),
        frozenset(valued_letters),
        frozenset(names),
        frozenset(valued_names),
        numbers="-#" in text.split(),
        single_dash=single_dash,
    )


def parse_arguments(words: Sequence[Word], spec: OptionSpec, *, stop: bool = False) -> Arguments | None:
    """The arguments of a program; None if an option is not allowed, or may turn out to be another one.

    With `stop`, the first operand and all words after it are `rest`, not read.
    """
    found = Arguments([], set(), [], [])
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word.may_be_option:
            return None
        if word.text == "--":
            (found.rest if stop else found.operands).extend(words[at:])
            return None if not stop and any(each.splits for each in words[at:]) else found
        if word.text[:1] != "-" or word.text == "-":
            if stop:
                found.rest.extend(words[at - 1 :])
                return found
            found.operands.append(word)
            continue
        taken = _take_option(words, at, spec, found)
        if taken is None:
            return None
        at += taken
    return found


def _take_option(words: Sequence[Word], at: int, spec: OptionSpec, found: Arguments) -> int | None:
    """Note the option before position `at`; returns how many words its value takes, or None if it is not allowed."""
    matched = spec.match(words[at - 1].text)
    if matched is None:
        return None
    flags, name, text = matched
    found.flags.update([flags] if flags[:2] == "--" else flags)
    if name is None:
        return 0
    if text or "=" in words[at - 1].text:
        found.values.append((name, Word(text)))
        return 0
    value = words[at] if at < len(words) else None
    if value is None or value.splits or (value.text[:1] == "-" and not _is_harmless_value(value.text)):
        return None
    found.values.append((name, value))
    return 1


def _is_harmless_value(text: str) -> bool:
    """Whether a value that begins with a dash cannot be an option that writes: standard output, or a number."""
    return text == "-" or text[1:].isdigit()


def allows(words: Sequence[Word], spec: str, *, most: int = 1000, needs: str = "", single_dash: bool = False) -> bool:
    """Whether all options are allowed, there are at most so many operands, and one of the needed options is there."""
    found = parse_arguments(words, parse_spec(spec, single_dash=single_dash))
    if found is None or len(found.operands) > most:
        return False
    return not needs or bool(found.flags & set(needs.split()))


def may_write(word: Word, letters: str, names: tuple[str, ...]) -> bool:
    """Whether a word may be one of the writing options: in full, abbreviated, with a value, or inside a cluster."""
    if word.may_be_option:
        return True
    option = word.text.partition("=")[0]
    if option[:1] != "-" or len(option) < 2 or option == "--":
        return False
    if option.startswith(names) or (option[:2] == "--" and any(name.startswith(option) for name in names)):
        return True
    return option[:2] != "--" and any(letter in word.text for letter in letters)


def has_no_writing_option(words: Sequence[Word], letters: str, names: tuple[str, ...]) -> bool:
    """Whether none of the words may be one of the writing options. After `--` there are none."""
    for word in words:
        if word.text == "--" and not word.splits:
            return not any(each.splits for each in words)
        if may_write(word, letters, names):
            return False
    return True
