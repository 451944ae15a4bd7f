"""The prefilter: it answers the same for a long text by its words, and excludes no text that a pattern finds."""

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from tallystick.core.redaction import assignments, commands, prefilter, token_formats
from tallystick.core.redaction.prefilter import rx
from tests.core.secret_corpus import planted_secrets
from tests.core.secret_fragments import FRAGMENTS

_PARTS = st.sampled_from([*FRAGMENTS, "\u0130", "\u212aey", "\u03a3", "\x85", "\u2028", "\t", "--", "-e ", "é"])
_TEXTS = st.lists(st.text(max_size=8) | _PARTS, min_size=1, max_size=12).map("".join)
_CARRIERS = [row[:3] for row in assignments.CONTEXT_RULES]
_GATES = {
    row[1] for row in (*_CARRIERS, *commands.COMMAND_RULES, *commands.POSITION_RULES, *token_formats.TOKEN_FORMATS)
}


@settings(deadline=None)
@given(text=_TEXTS, more=st.data())
def test_the_word_index_of_a_long_text_finds_the_same_pieces(text: str, more: st.DataObject) -> None:
    long = f"{text}\n" * (prefilter.LONG_TEXT_CHARACTERS // (len(text) + 1) + 1)
    searched, at = prefilter.searchable(long), more.draw(st.integers(0, len(text)))
    assert isinstance(searched, prefilter.WordIndex)
    drawn = (text[at:], text[at : at + 3], text[:at].strip(), f"{text[at:]}\n{text[:at]}")
    for piece in (*_GATES, *filter(str.isascii, drawn)):
        assert (piece in searched) == (piece in long)
        assert (piece in searched.lower()) == (piece in long.lower())


def test_a_short_text_is_searched_itself() -> None:
    assert prefilter.searchable("short") == "short"


def test_every_match_of_a_context_rule_passes_its_gate() -> None:
    texts = {text for each in planted_secrets(each=1) for text in _texts(each.value)}
    closed = [
        (gate, text)
        for text in texts
        for _, gate, source in _CARRIERS
        if gate not in text.lower() and rx(source).search(text)
    ]
    assert closed == []
    assert len(texts) > 500


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in (*value, *value.values()):
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
