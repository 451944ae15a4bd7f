"""JSON as the journal keeps it: one reading, one writing, and the limits on both.

What is refused here is refused alike at every door: NaN, lone surrogates, NUL, duplicate or non-text names, values
that are not JSON, too deep, too large. `canonical` is the form that effect keys are taken over; a program with
nothing but the standard library can compute the same.
"""

from collections.abc import Callable
from functools import cache
from math import isfinite
from typing import Any

import msgspec
from msgspec import Struct

from tallystick.core.errors import InvalidArgument, TooLarge

_quick = msgspec.json.Encoder().encode
_quick_sorted = msgspec.json.Encoder(order="sorted").encode
_PLAIN = frozenset({str, int, bool, type(None)})


class Limits(Struct, frozen=True):
    """Bounds on what one record may hold."""

    body_bytes: int = 1 << 20
    depth: int = 64
    steps: int = 10_000


DEFAULT_LIMITS = Limits()


def encode(value: Any, limits: Limits = DEFAULT_LIMITS, *, around: int = 0) -> str:
    """The JSON text of a caller's value, checked against every rule above. So many levels `around` it are ours."""
    if not _fits(value, limits.depth + around):
        _explain(value, "", limits.depth + around, limits)
    try:
        raw = _quick(value)
    except (ValueError, OverflowError):  # a lone surrogate, or a very large integer
        raw = _encoded(_written_out(value))
    text = raw.decode()
    if "\\u0000" in text and _has_nul(text):
        raise InvalidArgument("A text holds a NUL character.", hint="Remove it, or encode the bytes as base64.")
    if len(raw) > limits.body_bytes:
        raise TooLarge(
            f"This record has {len(raw):,} bytes of text and JSON; the limit is {limits.body_bytes:,}.",
            hint="Record a summary and a digest, or a path to the full data.",
        )
    return text


def _written_out(value: Any) -> str:
    try:
        return _dump(sort_keys=False)(value)
    except ValueError:  # Python's own bound on the digits of an integer
        raise TooLarge("A number has too many digits.", hint="Give it as text.") from None


def canonical(value: Any) -> bytes:
    """The bytes that digests are taken over: names sorted, no spaces, UTF-8, whole floats as integers."""
    if _is_simple(value):
        try:
            return _quick_sorted(value)  # writes the same bytes as the standard library does, several times as fast
        except OverflowError:
            pass  # an integer of more than 64 bits
    return _dump(sort_keys=True)(_whole(value)).encode()


@cache
def _dump(*, sort_keys: bool) -> Callable[[Any], str]:
    import json  # rarely needed, and slow to load

    return json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=sort_keys).encode


def parse(text: str | bytes, field: str) -> Any:
    """Read JSON that a person or program wrote, refusing what JSON readers usually let pass."""
    try:
        return _reader()(text if isinstance(text, str) else text.decode("utf-8-sig"))
    except InvalidArgument as error:
        raise InvalidArgument(f"{field}: {error.message}", hint=error.hint, field=error.field or field) from None
    except RecursionError:
        raise too_deep_error(field, field) from None
    except ValueError as error:
        where = "" if isinstance(error, UnicodeDecodeError) else f" ({error})"
        raise InvalidArgument(
            f"{field} is not JSON{where}.", hint="Give one JSON value, in UTF-8.", field=field
        ) from None


@cache
def _reader() -> Callable[[str], Any]:
    import json

    return json.JSONDecoder(object_pairs_hook=_no_duplicates, parse_constant=_no_constant).decode


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise InvalidArgument(
            "A text holds a lone surrogate, which is not valid Unicode.",
            hint="Decode the text properly first.",
        ) from None


def _has_nul(text: str) -> bool:
    r"""Whether an escaped NUL stands in the text, as opposed to the letters `\u0000` behind a backslash."""
    at = text.find("\\u0000")
    while at >= 0:
        slashes = at - len(text[:at].rstrip("\\")) + 1
        if slashes % 2:
            return True
        at = text.find("\\u0000", at + 1)
    return False


def _fits(value: Any, depth: int) -> bool:
    """Whether a value is JSON, and not too deep. It is asked of every record: `_explain` then says what is wrong."""
    kind = type(value)
    if kind is dict:
        if depth <= 0:
            return False
        for name, item in value.items():
            if type(name) is not str or (type(item) not in _PLAIN and not _fits(item, depth - 1)):
                return False
        return True
    if kind is list or kind is tuple:
        if depth <= 0:
            return False
        for item in value:  # noqa: SIM110  # a generator for each list takes twice the time
            if type(item) not in _PLAIN and not _fits(item, depth - 1):
                return False
        return True
    return kind in _PLAIN or (kind is float and isfinite(value))


def _explain(value: Any, path: str, depth: int, limits: Limits) -> None:
    kind = type(value)
    if kind in _PLAIN:
        return
    if kind is dict:
        if not depth:
            raise _too_deep(path, limits)
        for name, item in value.items():
            if type(name) is not str:
                raise InvalidArgument(
                    f"{path or 'value'}: the name {name!r} is not text.",
                    hint="JSON names are text.",
                    field=path or None,
                )
            if type(item) not in _PLAIN:
                _explain(item, f"{path}.{name}" if path else name, depth - 1, limits)
    elif kind is list or kind is tuple:
        if not depth:
            raise _too_deep(path, limits)
        for position, item in enumerate(value):
            if type(item) not in _PLAIN:
                _explain(item, f"{path}[{position}]", depth - 1, limits)
    elif kind is float:
        if not isfinite(value):
            name = "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
            said = f"{path or 'value'}: {name} is not JSON."
            raise InvalidArgument(said, hint="Use null or text.", field=path or None)
    else:
        raise InvalidArgument(
            f"{path or 'value'} is of type {kind.__name__}, which is not JSON.",
            hint="Give text, numbers, true, false, null, lists and objects.",
            field=path or None,
        )


def _too_deep(path: str, limits: Limits) -> TooLarge:
    return too_deep_error("The JSON of this record", path.partition(".")[0].partition("[")[0], limits)


def too_deep_error(what: str, field: str = "", limits: Limits = DEFAULT_LIMITS) -> TooLarge:
    return TooLarge(
        f"{what} is nested too deeply; the limit is {limits.depth} levels.", hint="Flatten it.", field=field or None
    )


def check_text(text: str, field: str) -> None:
    """Refuse text that a store or a door could not carry."""
    if "\x00" in text:
        raise InvalidArgument(f"A text holds a NUL character: {field}.", hint="Remove it.", field=field)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise InvalidArgument(
                f"A text holds a lone surrogate, which is not valid Unicode: {field}.",
                hint="Decode the text properly first.",
                field=field,
            ) from None


def _is_simple(value: Any) -> bool:
    """Whether a value holds nothing that the two encoders write differently: no floats, and nothing but JSON."""
    kind = type(value)
    if kind is dict:
        for name, item in value.items():
            if type(name) is not str or (type(item) not in _PLAIN and not _is_simple(item)):
                return False
        return True
    if kind is list or kind is tuple:
        for item in value:  # noqa: SIM110  # a generator for each list takes twice the time
            if type(item) not in _PLAIN and not _is_simple(item):
                return False
        return True
    return kind in _PLAIN


def _whole(value: Any) -> Any:
    """1.0 as 1: JSON has one kind of number, and languages write it differently."""
    kind = type(value)
    if kind is float and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if kind is dict:
        return {name: _whole(item) for name, item in value.items()}
    if kind is list or kind is tuple:
        return [_whole(item) for item in value]
    return value


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        said = f'the name "{twice[:80]}" stands twice in one object.'
        raise InvalidArgument(said, hint="Keep one of them.", field=twice[:80])
    return found


def _no_constant(constant: str) -> Any:
    raise InvalidArgument(f"{constant} is not JSON.", hint="Use null or text.")
