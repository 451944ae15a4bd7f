"""Handles sort by time, show where they come from, and are hard to mistake."""

from hypothesis import given
from hypothesis import strategies as st

from tallystick.core import ids

numbers = st.integers(min_value=0, max_value=2**63)
entropy = st.binary(min_size=2, max_size=8)


@given(numbers, entropy)
def test_the_sequence_number_in_a_handle_can_be_read_back(seq: int, before: bytes) -> None:
    assert ids.seq_of(ids.mint("ac", seq, before)) == seq


@given(numbers, numbers, entropy, entropy)
def test_handles_sort_as_text_in_the_order_of_their_numbers(a: int, b: int, one: bytes, other: bytes) -> None:
    if a != b:
        assert (ids.mint("ex", a, one) < ids.mint("ex", b, other)) == (a < b)


@given(st.text(max_size=20))
def test_any_text_is_read_as_a_handle_or_as_none(text: str) -> None:
    found = ids.seq_of(text)
    assert found is None or found >= 0


@given(numbers, st.integers(0, 31), st.integers(0, 31))
def test_another_history_gives_another_handle(seq: int, one: int, other: int) -> None:
    handles = {ids.mint("pl", seq, bytes([one, one])), ids.mint("pl", seq, bytes([other, other]))}
    assert len(handles) == len({one, other})


def test_a_handle_of_the_first_million_entries_is_short_enough_to_copy() -> None:
    assert len(ids.mint("ac", 1_000_000, b"zz")) <= 10
