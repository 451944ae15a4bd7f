"""Truncation: no part of a secret at the cut is left."""

import random

import pytest

from tallystick.capture.spool import records
from tallystick.core.formats.canonical_json import Limits
from tallystick.core.redaction.jsonable import LINE_CHARACTERS, SCANNED_CHARACTERS, describe_error, to_json, to_line
from tallystick.core.redaction.masker import DEFAULT_MASKER, Masker
from tallystick.core.redaction.sanitize import MARGIN_CHARACTERS, cut_at_word, mask_and_cut
from tests.core.secret_corpus import password
from tests.core.token_corpus import TOKEN_MAKERS


class _Shown:
    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _salvaged(text: str) -> str:
    return str(records.repair_payload(text, Limits(body_bytes=2 * (LINE_CHARACTERS + 100))))


def _secrets() -> dict[str, str]:
    made = {kind: make(random.Random(kind)) for kind, make in TOKEN_MAKERS.items()}
    return {**made, "url": f"postgres://app:{password(random.Random(1)).replace('@', '')}@db.internal/prod"}


@pytest.mark.parametrize("kind", _secrets())
def test_nothing_is_left_of_a_secret_at_the_cut(kind: str) -> None:
    secret = _secrets()[kind]
    telling = secret[DEFAULT_MASKER.mask_text(secret).index("[masked:") :][:10]
    for behind in range(0, len(secret) + 1, 9):
        text = "e" * (LINE_CHARACTERS - behind - 20) + f" {secret} " + "f " * LINE_CHARACTERS
        for shortened in (to_line(text), describe_error(ValueError(text)), to_json(_Shown(text)), _salvaged(text)):
            assert "eeeee" in shortened
            assert telling not in shortened, behind


def test_of_a_very_long_text_a_bounded_part_is_masked_and_its_end_discarded() -> None:
    secret = TOKEN_MAKERS["github ghp"](random.Random(3))
    for behind in range(-2, len(secret) + 2):
        text = " " * (SCANNED_CHARACTERS + MARGIN_CHARACTERS - behind) + secret + " " + "x" * 100_000
        assert secret[:8] not in to_line(text)
        assert secret[:8] not in mask_and_cut(text, SCANNED_CHARACTERS, DEFAULT_MASKER)


def test_a_word_that_only_another_masker_knows_is_not_halved() -> None:
    masker = Masker(extra_patterns=("customer-[0-9]{8}",))
    text = "x " * 20 + "customer-12345678 and more"
    shortened = cut_at_word(text, 52)
    assert shortened == ("x " * 20).rstrip()
    assert masker.mask_text(shortened) == shortened


def test_a_short_text_is_not_cut() -> None:
    assert to_line("one\n two") == "one two"
    assert cut_at_word("abc", 3) == "abc"
    assert cut_at_word("abc def", 3) == "abc"
    assert cut_at_word("a" * 600, 500) == "a" * 500


def test_of_a_value_of_very_many_parts_only_the_beginning_is_shown() -> None:
    class Row:
        shown = 0

        def __repr__(self) -> str:
            Row.shown += 1
            return "row"

    shortened = to_json({"rows": [{"row": Row()} for _ in range(500_000)]})["rows"]
    assert shortened.startswith("[{'row': row}, {'row': row}")
    assert len(shortened) <= LINE_CHARACTERS
    assert Row.shown < 2000
