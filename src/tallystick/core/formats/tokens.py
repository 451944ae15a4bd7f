"""Estimates how many tokens a text takes: an upper bound, without a tokenizer.

A tokenizer weighs megabytes and every model has its own. They have in common that words cost by the word, digits by
threes, syntax and mixed runs (hashes, base64, ids) by the letter, rare scripts by the byte. The weights were fitted to
o200k_base over prose, code, JSON, numbers, random letters and many scripts, as the least that none of them exceeds; the
tests count again. Prose, code and JSON are estimated at 1.2 to 1.75 times their cost, languages of other scripts at two
to five times. Everything is counted in C: 16 KB take a third to half of a millisecond.
"""

from bisect import bisect_right

CHARACTERS_PER_TOKEN = 4
"""No estimate is below one token for so many characters."""

_PER_TOKEN = 100
"""The weight of one token. Weights are integers, so that the parts of a text add up exactly."""
_LETTER = 5
"""The weight of a small letter: nearly all of the cost of a word is in _WORD."""
_LETTERS = {
    "v": (b"aeiou", _LETTER),
    "c": (b"bcdfghjklmnpqrstvwxyz", _LETTER),
    "U": (b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 75),
    "D": (b"0123456789", 35),
    "S": (b" ", 31),
    "Q": (b'",:', 50),
    "P": (b"!#$%&'()*+-./;<=>?@[\\]^_`{|}~", 77),
    "N": (bytes([*range(32), 127]), 136),
    ".": (bytes(range(0x80, 0xC0)), 0),  # the first byte of a character carries its cost
    "1": (b"\xd0\xd1", 100),
    "2": (b"\xce\xd7\xd8\xd9\xda\xdb", 125),
    "3": (b"\xc2\xc3\xc4\xc5\xe0", 150),
    "4": (bytes({*range(0xC0, 0xE0)} - {*b"\xc2\xc3\xc4\xc5\xcc\xcd\xce\xd0\xd1\xd7\xd8\xd9\xda\xdb"}), 200),
    "m": (b"\xcc\xcd", 230),  # marks above and below letters, which then stand alone
    "5": (bytes(range(0xE5, 0xEA)), 200),
    "6": (b"\xeb\xec\xed", 240),
    "7": (b"\xe1\xe2\xe3\xe4\xea\xee\xef", 300),
    "8": (bytes(range(0xF0, 0x100)), 400),
}
"""Kinds of bytes, each with its weight."""
_PATTERNS = {b"ccc": 226, b"vvv": 202, b"SD": 20}
"""Rare sequences, by kinds of bytes: letters that spell no word, and a number after a space."""
_CHEAPER = {b"\xe2\x80": 160, b"\xe3\x81": 160, b"\xe3\x82": 160, b"\xe3\x83": 160, b"\xf0\x9f": 100}
"""The discount for dashes and quotes, kana, and emoji against their rarer neighbours."""
_WORD, _NUMBER = 68, 125
"""The weight of a run of small letters beside its letters, and of a run of digits beside its digits."""


def _table(kinds: dict[str, bytes]) -> bytes:
    table = bytearray(b" " * 256)
    for kind, letters in kinds.items():
        for letter in letters:
            table[letter] = ord(kind)
    return bytes(table)


_KINDS = _table({kind: letters for kind, (letters, _) in _LETTERS.items()})
_RUNS = _table({"w": _LETTERS["v"][0] + _LETTERS["c"][0], "9": _LETTERS["D"][0]})
_OTHERS = {k.encode(): weight for k, (letters, weight) in _LETTERS.items() if weight > _LETTER and letters[0] < 0x80}
_BEYOND = {kind.encode(): weight for kind, (letters, weight) in _LETTERS.items() if letters[0] >= 0xC0}


def cost(text: str | bytes) -> float:
    """How many tokens a text takes at most. Bytes are UTF-8."""
    data = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    kinds = data.translate(_KINDS)
    characters = len(data)
    total = _LETTER * characters + sum([(weight - _LETTER) * kinds.count(kind) for kind, weight in _OTHERS.items()])
    total += sum([weight * kinds.count(pattern) for pattern, weight in _PATTERNS.items()])
    if not data.isascii():
        following = kinds.count(b".")
        characters -= following
        total -= _LETTER * following
        total += sum([(weight - _LETTER) * kinds.count(kind) for kind, weight in _BEYOND.items()])
        total -= sum([weight * data.count(start) for start, weight in _CHEAPER.items()])
    runs = b" " + data.translate(_RUNS)
    total += _WORD * (runs.count(b" w") + runs.count(b"9w")) + _NUMBER * (runs.count(b" 9") + runs.count(b"w9"))
    return max(total, characters * _PER_TOKEN // CHARACTERS_PER_TOKEN) / _PER_TOKEN


def fits(text: str | bytes, room: float) -> bool:
    """Whether a text takes at most `room` tokens. A very short or very long one is not counted.

    A token is at least one byte, and at most so many characters of up to four bytes.
    """
    data = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    most = room * CHARACTERS_PER_TOKEN * (1 if data.isascii() else 4)
    return len(data) <= room or (len(data) <= most and cost(data) <= room)


def shorten(text: str, room: float) -> str:
    """The text, or its beginning with an ellipsis, within `room` tokens."""
    if fits(text, room):
        return text
    most = min(len(text), int(max(room, 0)) * CHARACTERS_PER_TOKEN)
    length = bisect_right(range(most + 1), room, key=lambda end: cost(text[:end].rstrip() + "…")) - 1
    return text[:length].rstrip() + "…" if length >= 0 else ""
