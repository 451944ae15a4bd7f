r"""Secrets that were encoded: a text in base64, or with percent escapes, in which there is one.

What is encoded is decoded once, and masked when the masker finds a secret in it. What is encoded in that again is not
looked at. Standard library only: a hook takes this file along.
"""

from __future__ import annotations

from binascii import a2b_base64

from tallystick.core.anchors import BASE64, ESCAPE, QUAD, base64_starts
from tallystick.core.patterns import rx as _rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MARK = "[masked:encoded_secret]"
_LINE_END = r"(?<=[A-Za-z0-9+/_-]{60})\r?\n[ \t]{0,16}"  # as `base64` wraps its output
_LAST = rf"(?:{_LINE_END}[A-Za-z0-9+/_-]{{2,128}}={{0,2}}(?![\w.(:/-]))?"
_TOKEN = (
    rf"{BASE64}(?:{QUAD}){{0,16384}}(?:{_LINE_END}(?:{QUAD}){{15,32}}){{0,512}}{_LAST}[A-Za-z0-9+/_-]{{0,3}}={{0,2}}"
)
_URL_SAFE = {45: "+", 95: "/", 61: None, 10: None, 13: None, 32: None, 9: None}
_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~+*!$:/@(),-"
_UNIT = rf"{ESCAPE}|[A-Za-z0-9._~+*!$:/@(),-]"
_ESCAPED = rf"(?:{_UNIT}){{1,8192}}"
SOURCES = (_TOKEN, _UNIT, _ESCAPED)


def without_base64(text: str, mask: Callable[[str], str]) -> str:
    """The text without what stands for a secret. `mask` is given what is encoded, and changes it when there is one."""
    parts, done = [], 0
    for start in base64_starts(text):
        if start >= done and (token := _rx(_TOKEN).match(text, start)):
            parts += [text[done:start], MARK if _holds(token[0], mask) else token[0]]
            done = token.end()
    return "".join([*parts, text[done:]])


def _holds(token: str, mask: Callable[[str], str]) -> bool:
    letters = token.translate(_URL_SAFE)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]  # one character stands for no byte
    plain = a2b_base64(letters + "==").decode("latin-1")
    return "\0" not in plain and mask(plain) != plain


def without_escapes(text: str, mask: Callable[[str], str]) -> str:
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
            return "".join([*units[:start], MARK, *units[end:]])
    return "".join(units)


def _alike(one: str, other: str) -> int:
    """How many characters they have in common from the beginning."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
