"""The estimated cost of a text: never less than a real tokenizer counts, and for plain text not much more."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.formats.tokens import CHARACTERS_PER_TOKEN, cost, fits, shorten
from tests import node
from tests.sample_texts import KINDS, MORE, OTHER_LANGUAGES, text

ROOT = Path(__file__).parents[2]
PLAIN = 1.75
"""How many times too high the cost of plain text may be: what is more makes answers shorter for nothing."""
texts = st.text(st.characters(codec="utf-8") | st.sampled_from("abcdefgh 0123"), max_size=300)


def _pages() -> list[str]:
    """Prose and code as people write them, in parts."""
    files = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("src/tallystick/core/*.py"))]
    whole = [file.read_text() for file in files]
    return [page[at : at + 2_000] for page in whole for at in range(0, len(page), 2_000)]


@pytest.mark.parametrize("length", [60, 400, 4_000])
def test_no_text_takes_more_tokens_than_estimated(length: int) -> None:
    made = {(kind, seed): text(kind, length, seed) for kind in (*KINDS, *MORE) for seed in range(5)}
    counted = zip(made, node.count_tokens([*made.values()]), strict=True)
    # Of a few letters some are always unlucky: the bounds are on hundreds, and on those nothing may be missing.
    slack = 4 if length < 100 else 0
    over = {key: (tokens, cost(made[key])) for key, tokens in counted if tokens > cost(made[key]) + slack}
    assert not over


def test_the_estimate_for_prose_code_and_json_is_close() -> None:
    plain = [*_pages(), json.dumps(_pages()[:3], separators=(",", ":")), text("english", 4_000)]
    rates = [cost(each) / tokens for each, tokens in zip(plain, node.count_tokens(plain), strict=True)]
    assert min(rates) >= 1
    assert sum(rates) / len(rates) <= PLAIN


def test_no_other_language_takes_more_tokens_than_estimated() -> None:
    for sentence, tokens in zip(OTHER_LANGUAGES, node.count_tokens(OTHER_LANGUAGES), strict=True):
        assert tokens <= cost(sentence), sentence


@given(texts)
def test_a_text_costs_at_least_a_token_for_four_characters_and_the_same_as_bytes(written: str) -> None:
    assert cost(written) >= len(written) / CHARACTERS_PER_TOKEN
    assert cost(written) == cost(written.encode())


@given(st.lists(texts, max_size=5))
def test_lines_cost_together_no_more_than_alone(lines: list[str]) -> None:
    assert cost("".join(f"{line}\n" for line in lines)) <= sum(cost(f"{line}\n") for line in lines) + 1e-6


@given(texts, st.floats(0, 200))
def test_a_shortened_text_costs_no_more_than_there_is_room_and_is_the_beginning(written: str, room: float) -> None:
    short = shorten(written, room)
    assert fits(short, room)
    assert short == written or not short or written.startswith(short.removesuffix("…"))


@given(texts, st.floats(0, 200))
def test_what_fits_is_what_costs_no_more_also_where_it_is_not_counted(written: str, room: float) -> None:
    assert fits(written, room) == (cost(written) <= room or len(written.encode()) <= room)


@given(texts, st.integers(0, 200))
def test_a_text_is_cut_no_shorter_than_it_must_be(written: str, room: int) -> None:
    short = shorten(written, room)
    if short != written and short:
        longer = written[: len(short.removesuffix("…")) + 1]
        assert longer[-1:].isspace() or cost(f"{longer}…") > room


def test_a_lone_half_of_a_character_costs_something_too() -> None:
    assert cost("\ud800") >= 1
