"""Token formats: the prefilter lets each credential through, whatever part of its pattern it is made of."""

import random
import re
from re import _parser as parser  # type: ignore[attr-defined]  # what sre makes of a pattern

import pytest

from tallystick.core.redaction.masker import DEFAULT_MASKER
from tallystick.core.redaction.prefilter import may_hold_secret
from tallystick.core.redaction.token_formats import TOKEN_FORMATS
from tests.core.documented_formats import draw_parts
from tests.core.token_corpus import pem

EACH = 16
BEFORE = (
    "",
    "https://hooks.slack.com/",
    "https://hooks.zapier.com/hooks/",
    "https://a.example.com/api/webhooks/",
    "https://a.example.com/webhookb2/",
    "AccountKey=",
    "FlyV1 ",
    "_gitlab_session=",
)
"""Text that has to precede some credentials."""
SOURCES = [
    pytest.param(source, id=f"{kind}-{i}") for i, (kind, _, source) in enumerate(TOKEN_FORMATS) if kind != "private_key"
]


@pytest.mark.parametrize("source", SOURCES)
def test_every_match_of_a_token_format_has_an_anchor_and_is_masked(source: str) -> None:
    rng, pattern, tokens, made = random.Random(source), re.compile(source), parser.parse(source), 0
    for _ in range(40 * EACH):
        text = "".join(part for part, _ in draw_parts(tokens, rng))
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
