r"""Secrets that were encoded: a text in base64, or with percent escapes, in which there is one.

What is encoded is decoded once, and masked when the masker finds a secret in it. What is encoded in that again is not
looked at. Standard library only: a hook takes this file along.
"""

from __future__ import annotations

from binascii import a2b_base64

from tallystick.core.formats.fast_json import dump, dump_text, parse, parse_whole
from tallystick.core.redaction.prefilter import BASE64, ESCAPE, QUAD, base64_starts, may_hold_secret
from tallystick.core.redaction.prefilter import rx as _rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ENCODED_MASK = "[masked:encoded_secret]"
_LINE_END = r"(?<=[A-Za-z0-9+/_-]{60})\r?\n[ \t]{0,16}"  # as `base64` wraps its output
_LAST = rf"(?:{_LINE_END}[A-Za-z0-9+/_-]{{2,128}}={{0,2}}(?![\w.(:/-]))?"
_TOKEN = (
    rf"{BASE64}(?:{QUAD}){{0,16384}}(?:{_LINE_END}(?:{QUAD}){{15,32}}){{0,512}}{_LAST}[A-Za-z0-9+/_-]{{0,3}}={{0,2}}"
)
_URL_SAFE = {45: "+", 95: "/", 61: None, 10: None, 13: None, 32: None, 9: None}
_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~+*!$:/@(),-"
_UNIT = rf"{ESCAPE}|[A-Za-z0-9._~+*!$:/@(),-]"
_ESCAPED = rf"(?:{_UNIT}){{1,8192}}"


def mask_base64(text: str, mask: Callable[[str], str]) -> str:
    """The text without what stands for a secret. `mask` is given what is encoded, and changes it when there is one."""
    parts, done = [], 0
    for start in base64_starts(text):
        if start >= done and (token := _rx(_TOKEN).match(text, start)):
            parts += [text[done:start], ENCODED_MASK if _holds(token[0], mask) else token[0]]
            done = token.end()
    return "".join([*parts, text[done:]])


def _holds(token: str, mask: Callable[[str], str]) -> bool:
    letters = token.translate(_URL_SAFE)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]  # one character stands for no byte
    plain = a2b_base64(letters + "==").decode("latin-1")
    return "\0" not in plain and mask(plain) != plain


def mask_escapes(text: str, mask: Callable[[str], str]) -> str:
    """The same, of percent escapes."""
    parts, done = [], 0
    for start, end in _runs(text):
        run = text[start:end]
        fresh = _opened(_rx(_UNIT).findall(run), mask)
        if fresh != run:
            parts += [text[done:start], fresh]
            done = end
    return "".join([*parts, text[done:]])


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Where escapes stand, with what stands around them and may belong to the same value."""
    at = 0
    while found := _rx(ESCAPE).search(text, at):
        before = text[max(at, found.start() - 512) : found.start()]
        run = _rx(_ESCAPED).match(text, found.start() - len(before) + len(before.rstrip(_CHARACTERS)))
        at = run.end() if run else found.end()
        if run:
            yield run.span()


def _opened(units: list[str], mask: Callable[[str], str]) -> str:
    """A run with the part masked that stands for a secret. A plus may be itself, or a blank."""
    plain = "".join(chr(int(unit[1:], 16)) if len(unit) == 3 else unit for unit in units)
    blanks = "".join(" " if unit == "+" else char for unit, char in zip(units, plain, strict=True))
    for each in dict.fromkeys((plain, blanks)):
        after = mask(each)
        if after != each:
            start = _alike(each, after)
            end = len(each) - _alike(each[start:][::-1], after[start:][::-1])
            return "".join([*units[:start], ENCODED_MASK, *units[end:]])
    return "".join(units)


def _alike(one: str, other: str) -> int:
    """How many characters they have in common from the beginning."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


# ----------------------------------------------------------------------------------------------------------------------
# What stands inside a text and is more than text: JSON, as the whole of it or as one of its lines, and lists of words.
#
# Tools answer with JSON as text, and what a name says of the value below it is seen in the value only, not in the text.
# Errors name the command that failed as the list it was given as: `Command '['git', 'push']' returned 1`.

_ENDS = {"{": "}", "[": "]", '"': '"'}
_WORD = r"'[^'\n]{0,512}'|\"[^\"\n]{0,512}\""
_BEGINNING = r"(?:\"|\{\s*[\"}]|\[\s*[\[\]{\"tfnNI\d-])"  # of JSON; code begins otherwise, and to read it costs more
_LINE = rf"\n([^\S\n]*(?={_BEGINNING}).*[\]}}\"][^\S\n]*)(?=\n|\Z)"  # one that may be JSON by itself
_LEAF = r"\"[^\"\\]*(?:\\[\s\S][^\"\\]*)*\"|[^\s\[\]{},:\"]+"  # a key or a plain value of JSON
_LIST = rf"\[(?:{_WORD})(?:, ?(?:{_WORD})){{2,63}}"
PATTERNS = (ESCAPE, _TOKEN, _UNIT, _ESCAPED, _LINE, _LIST, _WORD, _LEAF)
"""The patterns of this module. The hook bundle compiles them ahead: list every new one here."""


def change_inner(text: str, change: Callable[[object], object]) -> str:
    """The text with what is in it changed, and all else as it was; the very same when nothing changed."""
    whole = _changed(text, change)
    if whole is not text:
        return whole
    if "\n" in text:
        lines = _rx(_LINE).sub(lambda m: "\n" + _line(m[1], change), "\n" + text)[1:]
        text = text if lines == text else lines
    return _with_lists(text, change) if "['" in text or '["' in text else text


def _line(line: str, change: Callable[[object], object]) -> str:
    """One line changed, unless it is a piece of a private key that is written as several texts: it is one secret."""
    return line if "PRIVATE KEY-----" in line and line.lstrip()[0] == '"' else _changed(line, change)


def _with_lists(text: str, change: Callable[[object], object]) -> str:
    """The lists of words in it changed. Two are too few for a command: code is full of pairs."""
    parts, done, at = [], 0, 0
    while m := _rx(_LIST).search(text, at):
        at = m.end()  # also when it is no list: no character is looked at twice
        if text[at : at + 1] != "]" or not may_hold_secret(m[0]):
            continue
        words = [found[0][1:-1] for found in _rx(_WORD).finditer(m[0])]
        after = change(words)
        if isinstance(after, list) and after is not words:
            spans = [found.span() for found in _rx(_WORD).finditer(text, m.start(), at)]
            for (start, end), old, new in zip(spans, words, after, strict=True):
                if new != old and (old[:2] != "--" or "=" in old):  # options by their names, as programs list them
                    parts += [text[done : start + 1], str(new)]
                    done = end - 1
    return "".join([*parts, text[done:]]) if parts else text


def _changed(text: str, change: Callable[[object], object]) -> str:
    bare = text.strip()
    if len(bare) < 2 or _ENDS.get(bare[0]) != bare[-1]:
        return text
    try:
        value = parse(bare)
    except (ValueError, RecursionError):
        return text
    after = change(value)
    if after is value:
        return text
    fresh = _respelt(text, change)
    return dump(after) if fresh is None else fresh


def _respelt(text: str, change: Callable[[object], object]) -> str | None:
    """The text with those of its keys and values spelt anew that change, and all else as it was: blanks, numbers, the
    order, and keys that are there twice. None where that cannot be told."""
    try:
        value = parse_whole(text)
    except (ValueError, RecursionError):
        return None
    old, new = list(_leaves(value)), list(_leaves(change(value)))
    spans = [found.span() for found in _rx(_LEAF).finditer(text)]
    if not len(old) == len(new) == len(spans):
        return None
    parts, done = [], 0
    for (start, end), before, after in zip(spans, old, new, strict=True):
        if after is not before and (type(after) is not type(before) or str(after) != str(before)):
            parts += [text[done:start], _spelling(text[start:end], before, after)]
            done = end
    return "".join([*parts, text[done:]])


def _spelling(raw: str, before: object, after: object) -> str:
    """A new leaf: what was written with no escape needs none for its part that stays."""
    if isinstance(before, str) and isinstance(after, str) and raw == f'"{before}"':
        return f'"{after}"'
    return dump(after) if raw.isascii() else dump_text(str(after))


def _leaves(value: object) -> Iterator[object]:
    """The keys and plain values of a tree in the order in which they are written. Not recursive: no depth can fail."""
    todo: list[Iterator[object]] = [iter((value,))]
    while todo:
        for node in todo[-1]:
            if isinstance(node, dict):
                todo.append(iter([part for pair in node.items() for part in pair]))
                break
            if isinstance(node, list):
                todo.append(iter(node))
                break
            yield node
        else:
            todo.pop()
