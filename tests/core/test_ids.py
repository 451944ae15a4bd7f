"""Handles sort by time, show where they come from, and are hard to mistake."""

from hypothesis import given
from hypothesis import strategies as st

from tallystick.core import entries

numbers = st.integers(min_value=0, max_value=2**63)
hashes = st.text("ABCDEFXYZabcxyz0189-_", min_size=43, max_size=43).map("s1:{}".format)


@given(numbers, hashes)
def test_the_sequence_number_in_a_handle_can_be_read_back(seq: int, before: str) -> None:
    assert entries.seq_of(entries.mint("ac", seq, before)) == seq


@given(numbers, numbers, hashes, hashes)
def test_handles_sort_as_text_in_the_order_of_their_numbers(a: int, b: int, one: str, other: str) -> None:
    if a != b:
        assert (entries.mint("ex", a, one) < entries.mint("ex", b, other)) == (a < b)


@given(st.text(max_size=20))
def test_any_text_is_read_as_a_handle_or_as_none(text: str) -> None:
    found = entries.seq_of(text)
    assert found is None or found >= 0


@given(
    numbers, st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"), st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef")
)
def test_another_history_gives_another_handle(seq: int, one: str, other: str) -> None:
    handles = {entries.mint("pl", seq, f"s1:{one}{one}"), entries.mint("pl", seq, f"s1:{other}{other}")}
    assert len(handles) == len({one, other})


def test_a_handle_of_the_first_million_entries_is_short_enough_to_copy() -> None:
    assert len(entries.mint("ac", 1_000_000, "s1:zz")) <= 10
