"""Token formats: the prefilter lets each credential through, whatever part of its pattern it is made of."""

import random
import re
import string
from re import _constants as codes  # type: ignore[attr-defined]  # what sre makes of a pattern
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from tallystick.core.redaction.masker import DEFAULT_MASKER
from tallystick.core.redaction.prefilter import may_hold_secret
from tallystick.core.redaction.token_formats import TOKEN_FORMATS
from tests.core.token_corpus import pem

EACH = 60
BEFORE = (
    "",
    "https://hooks.slack.com/",
    "https://a.example.com/api/webhooks/",
    "https://a.example.com/webhookb2/",
    "AccountKey=",
)
"""Text that has to precede some credentials."""
_CATEGORIES = {
    codes.CATEGORY_WORD: string.ascii_letters + string.digits + "_",
    codes.CATEGORY_DIGIT: string.digits,
    codes.CATEGORY_SPACE: "\n",
}
SOURCES = [
    pytest.param(source, id=f"{kind}-{i}") for i, (kind, _, source) in enumerate(TOKEN_FORMATS) if kind != "private_key"
]


@pytest.mark.parametrize("source", SOURCES)
def test_every_match_of_a_token_format_has_an_anchor_and_is_masked(source: str) -> None:
    rng, pattern, made = random.Random(source), re.compile(source), 0
    for _ in range(40 * EACH):
        text = _made(parser.parse(source), rng)
        whole = next((before + text for before in BEFORE if pattern.search(before + text)), None)
        found = whole and pattern.search(whole)
        if whole is None or found is None or found[0] not in text:
            continue
        made += 1
        assert may_hold_secret(whole), whole
        assert found[0] not in DEFAULT_MASKER.mask_text(whole), whole
        if made == EACH:
            return
    assert made > EACH // 4


@pytest.mark.parametrize(
    "before", ["k.pem-", "keys/id-rsa.pem-{}-", "key.pem:{}:", "    {}→", "+", '    "', '    + "', "k.pem-  "]
)
@pytest.mark.parametrize("cut", [0, 1, 4])
def test_a_private_key_is_masked_with_something_before_each_of_its_lines(before: str, cut: int) -> None:
    lines = pem(random.Random(before), "RSA ").split("\n")
    lines = lines[: len(lines) - cut]
    after = '\\n"' if '"' in before else ""
    text = "\n".join(before.replace("{}", str(i)) + line + after for i, line in enumerate(lines))
    masked = DEFAULT_MASKER.mask_text(f"see\n{text}\n")
    assert not [line for line in lines[1:-1] if line[:20] in masked or line[-20:] in masked]


def _made(tokens: Any, rng: random.Random) -> str:
    """A text that a pattern may match. Its context is left out, so it need not match."""
    return "".join(_piece(op, value, rng) for op, value in tokens)


def _piece(op: Any, value: Any, rng: random.Random) -> str:
    if op in (codes.LITERAL, codes.NOT_LITERAL):
        return chr(value) if op is codes.LITERAL else "a"
    if op is codes.IN:
        return rng.choice(_characters(value))
    if op in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        low, high, inner = value
        return "".join(_made(inner, rng) for _ in range(rng.randint(low, min(high, low + 20))))
    if op is codes.SUBPATTERN:
        return _made(value[3], rng)
    return _made(rng.choice(value[1]), rng) if op is codes.BRANCH else ""


def _characters(members: Any) -> str:
    chars = ""
    for op, value in members:
        if op is codes.LITERAL:
            chars += chr(value)
        elif op is codes.RANGE:
            chars += "".join(map(chr, range(value[0], value[1] + 1)))
        elif op is codes.CATEGORY:
            chars += _CATEGORIES[value]
    negated = members[0][0] is codes.NEGATE
    return "".join(c for c in string.ascii_letters + string.digits if c not in chars) if negated else chars
