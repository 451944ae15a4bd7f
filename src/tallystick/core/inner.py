"""What stands inside a text and is more than text: JSON, as the whole of it or as one of its lines, and lists of words.

Tools answer with JSON as text, and what a name says of the value below it is seen in the value only, not in the text.
Errors name the command that failed as the list it was given as: `Command '['git', 'push']' returned 1`.
"""

from __future__ import annotations

from tallystick.core.anchors import suspicious
from tallystick.core.patterns import rx as _rx
from tallystick.core.quickjson import dump, dump_text, parse, parse_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ENDS = {"{": "}", "[": "]", '"': '"'}
_WORD = r"'[^'\n]{0,512}'|\"[^\"\n]{0,512}\""
_BEGINNING = r"(?:\"|\{\s*[\"}]|\[\s*[\[\]{\"tfnNI\d-])"  # of JSON; code begins otherwise, and to read it costs more
_LINE = rf"\n([^\S\n]*(?={_BEGINNING}).*[\]}}\"][^\S\n]*)(?=\n|\Z)"  # one that may be JSON by itself
_LEAF = r"\"[^\"\\]*(?:\\[\s\S][^\"\\]*)*\"|[^\s\[\]{},:\"]+"  # a key or a plain value of JSON
_LIST = rf"\[(?:{_WORD})(?:, ?(?:{_WORD})){{2,63}}"


def with_inner(text: str, change: Callable[[object], object]) -> str:
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
        if text[at : at + 1] != "]" or not suspicious(m[0]):
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
