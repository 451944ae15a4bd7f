"""Times and spans as people write them."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import times

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
moments = st.datetimes(datetime(1900, 1, 1), datetime(2900, 1, 1))
zones = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timedelta(minutes=minutes))


@given(st.integers(0, 5000), st.sampled_from(sorted(UNITS)))
def test_a_span_is_its_number_of_its_unit(number: int, unit: str) -> None:
    micros = number * UNITS[unit] * 1_000_000
    assert times.parse_span(f" {number}{unit} ") == micros
    assert times.resolve(f"{number}{unit}", "f", start=10) == 10 + micros
    assert times.resolve(f"{number}{unit}", "f", start=10, forward=False) == 10 - micros


@given(moments)
def test_a_time_that_is_shown_is_read_as_the_same_time_to_the_millisecond(moment: datetime) -> None:
    micros = (moment - datetime(1970, 1, 1)) // timedelta(microseconds=1)
    assert times.parse_time(times.iso(micros), "f") == micros - micros % 1000


@given(moments, zones)
def test_a_time_means_the_same_in_every_zone(moment: datetime, offset: timedelta) -> None:
    aware = moment.replace(tzinfo=UTC)
    there = aware.astimezone(timezone(offset))
    assert times.parse_time(there.isoformat(), "f") == times.parse_time(moment.isoformat(), "f")


@given(st.text(max_size=30))
def test_any_text_is_a_time_a_span_or_refused(text: str) -> None:
    with suppress(InvalidArgument):
        assert times.iso(times.resolve(text, "f", start=0))


@pytest.mark.parametrize("text", ["999999999w", "0001-01-01T00:00:00+23:59", "9999-12-31", "40000d"])
def test_a_time_beyond_the_calendar_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        times.resolve(text, "f", start=1_800_000_000_000_000)


@given(st.integers(-(2**80), 2**80))
def test_every_number_can_be_shown_as_a_time_and_as_an_age(micros: int) -> None:
    assert times.iso(micros).endswith("Z")
    assert times.age(micros)[-1] in UNITS


@given(st.integers(0, 10**12))
def test_an_age_is_never_shown_as_more_than_it_is(micros: int) -> None:
    shown = times.age(micros)
    assert int(shown[:-1]) * UNITS[shown[-1]] * 1_000_000 <= micros
