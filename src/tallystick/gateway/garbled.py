"""Lines of servers that are not as they should be: what can still be made of them.

A client's connection must not break because a server of several writes bytes that are no text.
"""

import codecs
import re

import msgspec
from msgspec import Raw

PIECE = 1 << 20
"""Bytes of a long line that are read at once, so that there is never a second one of it."""
_MARK = codecs.BOM_UTF8
_ESCAPES = re.compile(rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..|\\.", re.DOTALL)
"""Pairs of halves, halves alone, and other escapes, of which two bytes are taken: a backslash may be escaped itself."""


def is_text(line: bytes) -> bool:
    """Whether it is UTF-8. What is inside a result is not read elsewhere, and passes through as it is."""
    if line.isascii():
        return True
    decoder, whole = codecs.getincrementaldecoder("utf-8")(), memoryview(line)
    try:
        for start in range(0, len(line), PIECE):
            decoder.decode(whole[start : start + PIECE], final=start + PIECE >= len(line))
    except UnicodeDecodeError:
        return False
    return True


def as_text(line: bytes) -> bytes:
    """The line with U+FFFD for bytes that are no text."""
    return line.decode(errors="replace").encode()


def messages(line: bytes) -> list[bytes]:
    """What a line that is no message holds all the same: the messages of a batch, or one behind a mark that editors
    write."""
    if line.startswith(_MARK):
        return [line.removeprefix(_MARK)]
    if line.lstrip()[:1] != b"[":
        return []
    try:
        batch = msgspec.json.decode(line, type=list[Raw])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return []
    return [bytes(each) for each in batch if bytes(each).lstrip()[:1] != b"["]


def mended(line: bytes) -> bytes:
    """The line with U+FFFD for escaped halves of characters, which servers make that cut a text in the middle."""
    return _ESCAPES.sub(lambda found: b"\\ufffd" if len(found[0]) == 6 else found[0], line)
