"""Handles: `ac_b1fq7`. They show their kind, sort by time and are short enough for a model to copy.

A handle is the kind's prefix, the sequence number of the entry that made it, and two check letters taken from the
hash of the entry before. The number is written in base 32 with its length in front, so that text order is number
order. The check letters make a guessed neighbour, or a handle from before a restored backup, an unknown one.
"""

PLAN = "pl"
EXECUTION = "ex"
ACTION = "ac"
DECISION = "de"
CONTEXT = "cx"
APPROVAL = "ap"
SESSION = "se"
JOURNAL = "jo"

# Crockford's alphabet, in ASCII order: no i, l, o or u to misread.
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
CHECK_LETTERS = 2
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_LETTERS = {letter: ALPHABET[value & 31] for value, letter in enumerate(_BASE64)}


def mint(prefix: str, seq: int, before: str) -> str:
    """The handle for what entry `seq` makes; `before` is the hash of the entry before it."""
    return f"{prefix}_{_ordered(seq)}{_LETTERS[before[3]]}{_LETTERS[before[4]]}"


def seq_of(handle: str) -> int | None:
    """The sequence number inside a handle; None when it is not one."""
    _, _, tail = handle.partition("_")
    digits = tail[1:-CHECK_LETTERS]
    if len(tail) < 2 + CHECK_LETTERS or ord(tail[0]) - 96 != len(digits):
        return None
    number = 0
    for letter in digits:
        value = ALPHABET.find(letter)
        if value < 0:
            return None
        number = number * 32 + value
    return number


def before(prefix: str, seq: int) -> str:
    """What sorts before every handle that entry `seq` or a later one made, and behind those of earlier ones."""
    return f"{prefix}_{_ordered(seq)}"


def _ordered(number: int) -> str:
    digits = ""
    while True:
        number, rest = divmod(number, 32)
        digits = ALPHABET[rest] + digits
        if not number:
            return chr(96 + len(digits)) + digits
