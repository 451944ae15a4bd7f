"""Recognizes tokens of services that are not listed: a prefix, a separator and a random tail (`acme_live_4fZ...`).

Ids look alike (`call_...`, `toolu_...`). So the prefix must have a telling word (`key`, `pat`, `live`), or the tail
must be longer than ids are. Standard library only: the hook bundle holds this module.
"""

from __future__ import annotations

from tallystick.core.redaction.repeats import is_distinctive

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

KIND = "service_token"
MIN_TAIL = 16
MIN_TAIL_AFTER_WEAK_WORD = 20
MIN_HEX_AFTER_WEAK_WORD = 32
MIN_MIXED_TAIL = 30
"""Characters of a tail in both cases after any prefix. The ids of well-known services have at most 28."""
MIN_LOWER_TAIL = 36
"""The same for a tail in one case, which is not hexadecimal: that may be a digest."""
MIN_PIECE = 10
"""Letters and digits of a tail in one piece: those of names are shorter."""
_MAX_LEADING_WORDS = 4
_MAX_WORD_CHARACTERS = 16


def _split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_STRONG = _split_words("key apikey token tok tkn secret sec sk rk pk pat password pw pass credential")
_ENDINGS = ("key", "token", "secret", "tkn", "pat")
_WEAK = _split_words("api live test prod production sandbox oauth auth access refresh at rt oat aat sat acs ort out")
"""Words of names of other things too."""
_WEAK_LATER = _split_words("client server mobile admin sdk root cli personal application")
"""The same behind another word. Alone they begin ids."""
_NEVER = _split_words(
    "pub public publishable sha sha1 sha256 sha384 sha512 md5 blake2b cs msg req resp call toolu srvtoolu run thread"
    " asst file batch evt event chatcmpl cmpl gen conv step item ws fc rs mcp mcpl mcpr pi ch cus sub seti price acct"
    " ac ex pl ap se commit build layer image img cache trace span session sess chunk asset index vendor main etag"
)
"""Words before public keys, digests and ids."""
_UUID = [8, 4, 4, 4, 12]
_HEX = frozenset("0123456789abcdefABCDEF-_")
TOKEN = (
    r"[A-Za-z][A-Za-z0-9]{1,19}[_-](?=[A-Za-z_/+-]{0,60}(?:[0-9]|[a-z][A-Z]))(?=[A-Za-z0-9_/+-]{16})"
    r"[A-Za-z0-9_-]{1,400}(?:[+/][A-Za-z0-9_+/-]{0,400})?"
)
TOKEN_INSIDE = rf"[/+](?P<token>{TOKEN})"
PATTERNS = (TOKEN, TOKEN_INSIDE)
"""The patterns of this module. The hook bundle compiles them ahead: list every new one here."""


def find_prefixed_tokens(
    rx: Callable[[str], re.Pattern[str]], text: str, start: int, end: int
) -> Iterator[tuple[int, int]]:
    """The spans of such tokens in a run of letters, digits and + / _ -."""
    if _is_path(text[start:end]):
        return
    for at in _starts(text, start):
        if (m := rx(TOKEN).match(text, at, end)) and (length := _token_length(m[0])):
            yield at, at + length
            start = at + length
            break
    for m in rx(TOKEN_INSIDE).finditer(text, start, end):
        if length := _token_length(m["token"]):
            yield m.start("token"), m.start("token") + length


def _starts(text: str, start: int) -> tuple[int, ...]:
    """Where a token at the beginning of a run may begin: behind an escape of JSON or of a terminal, or a dash."""
    before = text[start - 1 : start] if start else ""
    if before and before in "\\[;%":
        return tuple(start + more for more in (0, 1, 2, 3, 5))
    return (start, start + 1) if text[start] == "-" else (start,)


def _token_length(text: str) -> int:
    """The length of the token that a text begins with; 0 if there is none."""
    word, slash, rest = text.partition("/")
    if slash and all(len(part) < 4 or _is_mixed(part) for part in rest.split("/")):
        word = text  # a slash of base64, not of a path
    return len(word) if is_prefixed_token(word) else 0


def _is_path(run: str) -> bool:
    """Whether a run is a path of short names, which holds no token: its last name shows that its slashes separate."""
    names = run.split("/")
    last = names[-1]
    # 400: a longer run may hold a token that ends before the last name, see TOKEN.
    return len(run) <= 400 and len(last) >= 4 and not _is_mixed(last) and max(map(len, names)) < MIN_TAIL + 2


def is_prefixed_token(word: str) -> bool:
    leading, tail = _split(word)
    if not leading or len(tail) < MIN_TAIL or not _NEVER.isdisjoint(leading):
        return False
    if not is_distinctive(tail) or not (any(map(str.isdigit, tail)) or _is_mixed(tail)):
        return False
    lengths = [len(piece) for piece in tail.replace("-", "_").split("_")]
    if max(lengths) < MIN_PIECE:
        return False
    if not _STRONG.isdisjoint(leading) or leading[-1].endswith(_ENDINGS):
        return True
    if lengths[-5:] == _UUID:
        return False
    is_mixed, is_hex = _is_mixed(tail), _HEX.issuperset(tail)
    if not _WEAK.isdisjoint(leading) or not _WEAK_LATER.isdisjoint(leading[1:]):
        return len(tail) >= (MIN_HEX_AFTER_WEAK_WORD if is_hex else MIN_TAIL_AFTER_WEAK_WORD) or is_mixed
    return not is_hex and len(tail) >= (MIN_MIXED_TAIL if is_mixed else MIN_LOWER_TAIL)


def _is_mixed(text: str) -> bool:
    return text.lower() != text != text.upper()


def _split(word: str) -> tuple[list[str], str]:
    """The plain words that a token begins with, in lower case, and the rest."""
    leading, at = [], 0
    for part in word.replace("-", "_").split("_")[:_MAX_LEADING_WORDS]:
        if not _is_plain(part):
            break
        leading.append(part.lower())
        at += len(part) + 1
    return leading, word[at:]


def _is_plain(part: str) -> bool:
    if not part.isalpha():
        return 0 < len(part) <= 3
    return len(part) <= _MAX_WORD_CHARACTERS and (part.islower() or part.isupper() or part.istitle())
