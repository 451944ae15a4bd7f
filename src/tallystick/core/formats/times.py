"""Times and spans of time as people write them: `2026-11-15T10:00:00Z`, `24h`, `7d`. All in microseconds."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats.canonical_json import check_text

SECOND = 1_000_000
_UNITS = {"s": SECOND, "m": 60 * SECOND, "h": 3600 * SECOND, "d": 86400 * SECOND, "w": 7 * 86400 * SECOND}
_SPAN = re.compile(r"([0-9]{1,9})\s*([smhdw])")
_MILLISECONDS = re.compile(r"[.,][0-9]{3}(?![0-9])")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MAX_SPAN_MICROS = 100 * 366 * _UNITS["d"]
"""A hundred years: a longer span is a mistake, and would leave the calendar."""
_FIRST, _LAST = ((datetime(year, 1, 1, tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1) for year in (1000, 9000))
_FORM = "Write a time such as 2026-11-15T10:00:00Z, or a span such as 30m, 24h, 7d."


def parse_span(text: str) -> int | None:
    """The microseconds in `24h`; None when it is not a span."""
    match = _SPAN.fullmatch(text.strip())
    return int(match[1]) * _UNITS[match[2]] if match else None


def parse_time(text: str, field: str) -> int:
    """The microseconds since 1970 of a time; a time without a zone is in UTC."""
    check_text(text, field)
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InvalidArgument(f'{field} "{text[:80]}" is not a time.', hint=_FORM, field=field) from None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    micros = (aware - _EPOCH) // timedelta(microseconds=1)
    if not _FIRST <= micros <= _LAST:
        raise InvalidArgument(f'{field} "{text[:80]}" is too far away.', hint=_FORM, field=field)
    return micros


def resolve(text: str, field: str, *, start: int, forward: bool = True) -> int:
    """The microseconds of a time, or of a span counted from `start` (backwards unless `forward`)."""
    span = parse_span(text)
    if span is None:
        return parse_time(text, field)
    if span > MAX_SPAN_MICROS:
        raise InvalidArgument(f'{field} "{text[:80]}" is longer than a hundred years.', hint=_FORM, field=field)
    return start + span if forward else start - span


def until_bound(text: str, start: int) -> int:
    """The exclusive end of a range `until` a time. A time to the millisecond, as it is shown, includes all of it."""
    end = resolve(text, "until", start=start, forward=False)
    return end + 1000 if _MILLISECONDS.search(text) else end


def iso(micros: int) -> str:
    """The time as text, to the millisecond, in UTC; a time beyond the calendar becomes its first or last one."""
    second, rest = divmod(min(max(micros, _FIRST), _LAST), SECOND)
    return f"{_iso_second(second)}.{rest // 1000:03d}Z"


@lru_cache(1024)
def _iso_second(second: int) -> str:
    """A page of a journal shows few different seconds."""
    return (_EPOCH + timedelta(seconds=second)).replace(tzinfo=None).isoformat()


def age(micros: int) -> str:
    """A span as a number and a unit: `3s`, `12m`, `5h`, `2d`."""
    seconds = max(micros, 0) // SECOND
    for size, letter in ((86400, "d"), (3600, "h"), (60, "m")):
        if seconds >= 2 * size or (seconds >= size and size > 60):
            return f"{seconds // size}{letter}"
    return f"{seconds}s"


def time_or_zero(text: str) -> int:
    """A time in microseconds; 0 if the text is not a time."""
    try:
        return parse_time(text, "time")
    except InvalidArgument:
        return 0
