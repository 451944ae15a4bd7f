r"""Masks a secret again where it stands without its name: `{"password": "Zx9dkw02kdlw", "out": "with Zx9dkw02kdlw"}`.

Only a value that looks random is masked by its repetition: a password "production" must not mask every "production".
Standard library only: the hook bundle holds this module.
"""

from __future__ import annotations

from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MIN_CHARACTERS, MAX_CHARACTERS = 8, 512
MIN_LETTERS = 16
"""A value of letters alone is random only if it is this long, in one piece."""
MIN_ODD_PAIRS = 4
MAX_REMEMBERED = 64
"""Secrets that are looked for in later records. Each costs a search in every record."""
MAX_IN_RECORD = 4096
"""Secrets that are looked for in the rest of one record."""
MAX_PIECES = 64
"""Pieces of one masked text, such as a line of cookies, that are looked at."""
_SEPARATORS = frozenset("-_./:@,;=+")
_PIECES = {ord(sign): " " for sign in "\t\r\n;,\"'`\\"}
# The 200 pairs of letters that make 87 % of the pairs in the words of Python's standard library.
_COMMON = (
    "abacadagaialamanaparasataubabebiblbobrbsbucacechcickclcocrctcudadddedidldodsdueaecedeeefegelemenepeqeresetevewex"
    "fafefffifofrgeghgigrhahehihohtiaibicidieifigiliminioipirisitivixizkelaldlelilllolsltlulymamemimmmompmsnancndnenf"
    "ngninonsntnunvobocodogolomonoooporosotouovowpapepiplpoppprpsptqurarcrdrerirmrnrorrrsrtrurysascseshsislsospssstsu"
    "tatctethtitltotptrtstttutyuaubueuiulumunupurusutvaveviwawixtypze"
)
_PAIRS = frozenset(_COMMON[i : i + 2] for i in range(0, len(_COMMON), 2))
_NAMES = frozenset(("tool", "tool_name", "toolName", "hook_event_name", "transcript_path", "cwd"))


def is_distinctive(value: str) -> bool:
    """Whether a value looks random enough to be masked wherever it stands.

    At least half of the pairs of neighbours, and four of them, are odd: letters that rarely follow each other in words,
    or a letter beside a digit or a sign. Not counted are pairs of digits, pairs with a separator, twice the same
    character, and the humps of camelCase.
    """
    if not MIN_CHARACTERS <= len(value) <= MAX_CHARACTERS or not value.isascii() or not value.isprintable():
        return False
    pairs = odd = 0
    for one, other in pairwise(value):
        is_plain = one == other or (one.islower() and other.isupper())
        if is_plain or one in _SEPARATORS or other in _SEPARATORS or (one.isdigit() and other.isdigit()):
            continue
        pairs += 1
        odd += (one + other).lower() not in _PAIRS
    letters = sum(map(str.isalpha, value))
    if letters == 0 or odd < MIN_ODD_PAIRS or 2 * odd < pairs:
        return False
    is_alphabetic = letters == len(value) - sum(map(value.count, _SEPARATORS))
    return letters == len(value) >= MIN_LETTERS if is_alphabetic else True


class SeenSecrets:
    """Secrets that were masked, each with its kind. They are kept in memory only. Safe to use from several threads."""

    __slots__ = ("_kinds",)

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self._kinds)

    def add(self, value: str, kind: str) -> None:
        """Remember a masked value, and the values in it if it is a line of them, such as cookies."""
        for piece in value.translate(_PIECES).split(maxsplit=MAX_PIECES)[:MAX_PIECES]:
            name, sign, rest = piece.partition("=")
            for each in (piece, rest) if sign and name.strip("=") else (piece,):
                if "[masked:" not in each and len(self._kinds) < MAX_IN_RECORD and is_distinctive(each):
                    self._kinds.pop(each, None)
                    self._kinds[each] = kind

    def forget_oldest(self) -> None:
        """Keep the newest of them, for later records."""
        for value in list(self._kinds)[:-MAX_REMEMBERED]:
            self._kinds.pop(value, None)

    def is_in(self, text: str) -> bool:
        return bool(self._kinds) and any(map(text.__contains__, list(self._kinds)))

    def mask(self, text: str) -> str:
        """The text with these secrets masked; the longest first, since one may be a part of another."""
        found = [(value, kind) for value, kind in list(self._kinds.items()) if value in text]
        for value, kind in sorted(found, key=lambda each: -len(each[0])):
            text = text.replace(value, f"[masked:{kind}]")
        return text

    def mask_in(self, tree: list[object]) -> bool:
        """Mask these secrets in the texts of a tree, in place; returns whether there were any.

        Keys, ids and the names of tools stay.
        """
        todo: list[Any] = [tree] if self._kinds else []
        changed = False
        while todo:  # not recursive: no depth of nesting can fail
            node = todo.pop()
            for slot, item in list(node.items() if isinstance(node, dict) else enumerate(node)):
                if isinstance(item, (dict, list)):
                    todo.append(item)
                elif isinstance(item, str) and self.is_in(item) and not _names_thing(slot):
                    node[slot] = self.mask(item)
                    changed = True
        return changed


def _names_thing(key: object) -> bool:
    return isinstance(key, str) and (key in _NAMES or key == "id" or key[-3:] in ("_id", "-id") or key[-2:] == "Id")
