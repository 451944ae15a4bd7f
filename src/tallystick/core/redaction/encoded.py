r"""Masks secrets inside other formats: base64, percent escapes, JSON, and lists such as `['git', 'push']`.

Encoded text is decoded once, and masked when the masker finds a secret in it; what is encoded twice is not decoded
again. Standard library only: the hook bundle holds this module.
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
    """The text with each base64 masked that encodes a secret: `mask` changes the decoded text when there is one."""
    parts, done = [], 0
    for start in base64_starts(text):
        if start >= done and (token := _rx(_TOKEN).match(text, start)):
            parts += [text[done:start], ENCODED_MASK if _encodes_secret(token[0], mask) else token[0]]
            done = token.end()
    return "".join([*parts, text[done:]])


def _encodes_secret(token: str, mask: Callable[[str], str]) -> bool:
    letters = token.translate(_URL_SAFE)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]  # one character alone encodes no byte
    plain = a2b_base64(letters + "==").decode("latin-1")
    return "\0" not in plain and mask(plain) != plain


def mask_escapes(text: str, mask: Callable[[str], str]) -> str:
    """The text with percent escapes masked that stand for a secret."""
    parts, done = [], 0
    for start, end in _runs(text):
        run = text[start:end]
        fresh = _mask_run(_rx(_UNIT).findall(run), mask)
        if fresh != run:
            parts += [text[done:start], fresh]
            done = end
    return "".join([*parts, text[done:]])


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """The spans of escapes, with the characters around them that may belong to the same value."""
    at = 0
    while escape := _rx(ESCAPE).search(text, at):
        before = text[max(at, escape.start() - 512) : escape.start()]
        run = _rx(_ESCAPED).match(text, escape.start() - len(before) + len(before.rstrip(_CHARACTERS)))
        at = run.end() if run else escape.end()
        if run:
            yield run.span()


def _mask_run(units: list[str], mask: Callable[[str], str]) -> str:
    """A run of characters and escapes with the secret in it masked. A plus may be itself, or a blank."""
    plain = "".join(chr(int(unit[1:], 16)) if len(unit) == 3 else unit for unit in units)
    blanks = "".join(" " if unit == "+" else char for unit, char in zip(units, plain, strict=True))
    for decoded in dict.fromkeys((plain, blanks)):
        after = mask(decoded)
        if after != decoded:
            start = _common_prefix(decoded, after)
            end = len(decoded) - _common_prefix(decoded[start:][::-1], after[start:][::-1])
            return "".join([*units[:start], ENCODED_MASK, *units[end:]])
    return "".join(units)


def _common_prefix(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


# ----------------------------------------------------------------------------------------------------------------------
# JSON and lists of words in a text
#
# Tools return JSON as text, as a whole or line by line; the parsed value shows which name a value has, the text does
# not. Errors quote the command that failed as a list: `Command '['git', 'push']' returned 1`.

_ENDS = {"{": "}", "[": "]", '"': '"'}
_WORD = r"'[^'\n]{0,512}'|\"[^\"\n]{0,512}\""
_BEGINNING = r"(?:\"|\{\s*[\"}]|\[\s*[\[\]{\"tfnNI\d-])"  # of JSON; most source code, dear to parse, begins otherwise
_LINE = rf"\n([^\S\n]*(?={_BEGINNING}).*[\]}}\"][^\S\n]*)(?=\n|\Z)"  # one that may be JSON by itself
_LEAF = r"\"[^\"\\]*(?:\\[\s\S][^\"\\]*)*\"|[^\s\[\]{},:\"]+"  # a key or a plain value of JSON
_LIST = rf"\[(?:{_WORD})(?:, ?(?:{_WORD})){{2,63}}"
PATTERNS = (ESCAPE, _TOKEN, _UNIT, _ESCAPED, _LINE, _LIST, _WORD, _LEAF)
"""The patterns of this module. The hook bundle compiles them ahead: list every new one here."""


def mask_embedded_values(text: str, change: Callable[[object], object]) -> str:
    """The text with the values inside it changed, and all else as it was; the very same object if nothing changed."""
    changed = _change_json(text, change)
    if changed is not text:
        return changed
    if "\n" in text:
        lines = _rx(_LINE).sub(lambda m: "\n" + _line(m[1], change), "\n" + text)[1:]
        text = text if lines == text else lines
    return _with_lists(text, change) if "['" in text or '["' in text else text


def _line(line: str, change: Callable[[object], object]) -> str:
    """One line changed, unless it is a piece of a private key that code writes as several texts: that is one secret."""
    return line if "PRIVATE KEY-----" in line and line.lstrip()[0] == '"' else _change_json(line, change)


def _with_lists(text: str, change: Callable[[object], object]) -> str:
    """The text with its lists of words changed. Two words are too few for a command: code is full of pairs."""
    parts, done, at = [], 0, 0
    while m := _rx(_LIST).search(text, at):
        at = m.end()  # also when it is no list: no character is searched twice
        if text[at : at + 1] != "]" or not may_hold_secret(m[0]):
            continue
        words = [word[0][1:-1] for word in _rx(_WORD).finditer(m[0])]
        after = change(words)
        if isinstance(after, list) and after is not words:
            spans = [word.span() for word in _rx(_WORD).finditer(text, m.start(), at)]
            for (start, end), old, new in zip(spans, words, after, strict=True):
                if new != old and (old[:2] != "--" or "=" in old):  # a list of option names stays
                    parts += [text[done : start + 1], str(new)]
                    done = end - 1
    return "".join([*parts, text[done:]]) if parts else text


def _change_json(text: str, change: Callable[[object], object]) -> str:
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
    fresh = _replace_leaves(text, change)
    return dump(after) if fresh is None else fresh


def _replace_leaves(text: str, change: Callable[[object], object]) -> str | None:
    """The text with only the changed keys and values written anew; blanks, numbers, order and duplicate keys stay.

    None where the parts of the text cannot be matched with those of the value.
    """
    try:
        value = parse_whole(text)
    except (ValueError, RecursionError):
        return None
    old, new = list(_leaves(value)), list(_leaves(change(value)))
    spans = [leaf.span() for leaf in _rx(_LEAF).finditer(text)]
    if not len(old) == len(new) == len(spans):
        return None
    parts, done = [], 0
    for (start, end), before, after in zip(spans, old, new, strict=True):
        if after is not before and (type(after) is not type(before) or str(after) != str(before)):
            parts += [text[done:start], _write_leaf(text[start:end], before, after)]
            done = end
    return "".join([*parts, text[done:]])


def _write_leaf(raw: str, before: object, after: object) -> str:
    """A new leaf as JSON. One that was written without escapes needs none: the mask has nothing to escape."""
    if isinstance(before, str) and isinstance(after, str) and raw == f'"{before}"':
        return f'"{after}"'
    return dump(after) if raw.isascii() else dump_text(str(after))


def _leaves(value: object) -> Iterator[object]:
    """The keys and plain values of a tree in the order of its JSON. Not recursive: no depth can fail."""
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
