"""The JSON codec of the journal: one reader, one writer, and the limits on both.

Every interface refuses the same: NaN, lone surrogates, NUL, duplicate or non-text names, values that are not JSON, too
deep, too large. `canonical` gives the bytes that effect keys are taken over; a program with nothing but the standard
library can compute the same.
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
    """Bounds on what one record may hold. `plan_bytes` is for the text of a plan: room for `steps` real steps."""

    body_bytes: int = 1 << 20
    depth: int = 64
    steps: int = 10_000
    plan_bytes: int = 8 << 20

    @property
    def of_plan(self) -> "Limits":
        return Limits(max(self.body_bytes, self.plan_bytes), self.depth, self.steps, self.plan_bytes)


DEFAULT_LIMITS = Limits()
ANY_DEPTH = 1 << 30


def encode(value: Any, limits: Limits = DEFAULT_LIMITS, *, around: int = 0) -> str:
    """The JSON text of a caller's value, checked against every rule above. `around`: levels that we put around it."""
    return encode_once(value, limits, around=around)[0]


def encode_once(value: Any, limits: Limits = DEFAULT_LIMITS, *, around: int = 0) -> tuple[str, bool]:
    """The same, and whether the value, with all in it, is simple: then `canonical` need not look at it again."""
    is_simple = _is_simple(value, limits.depth + around)
    if not is_simple and not _fits(value, limits.depth + around):
        _raise_why(value, "", limits.depth + around, limits)
    try:
        raw = _quick(value)
    except (ValueError, OverflowError):  # a lone surrogate, or a very large integer
        raw = _to_utf8(_encode_slowly(value))
    text = raw.decode()
    if "\\u0000" in text and _has_nul(text):
        raise InvalidArgument("A text holds a NUL character.", hint="Remove it, or encode the bytes as base64.")
    if len(raw) > limits.body_bytes:
        raise TooLarge(
            f"This record has {len(raw):,} bytes of text and JSON; the limit is {limits.body_bytes:,}.",
            hint="Record a summary and a digest, or a path to the full data.",
        )
    return text, is_simple


def _encode_slowly(value: Any) -> str:
    try:
        return _dump(sort_keys=False)(value)
    except ValueError:  # Python's own bound on the digits of an integer
        raise TooLarge("A number has too many digits.", hint="Give it as text.") from None


def canonical(value: Any, *, is_simple: bool = False) -> bytes:
    """The bytes that digests are taken over: names sorted, no spaces, UTF-8, whole floats as integers."""
    if is_simple or _is_simple(value, ANY_DEPTH):
        try:
            return _quick_sorted(value)  # writes the same bytes as the standard library does, several times as fast
        except OverflowError:
            pass  # an integer of more than 64 bits
    return _dump(sort_keys=True)(_with_whole_numbers(value)).encode()


def to_readable(value: Any, indent: int | None = None, *, ascii_only: bool = False) -> str:
    """JSON for people: with spaces, and with `indent` over several lines. NaN passes; nothing is checked."""
    import json  # rarely needed, and slow to load

    return json.dumps(value, ensure_ascii=ascii_only, indent=indent)


@cache
def _dump(*, sort_keys: bool) -> Callable[[Any], str]:
    import json  # rarely needed, and slow to load

    return json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=sort_keys).encode


def parse(text: str | bytes, field: str) -> Any:
    """The value of JSON text, refusing what other readers let pass: duplicate names, NaN. `field` is for the error."""
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


def parse_leniently(text: str | bytes) -> Any:
    """The value as most parsers read it, with duplicate names and NaN; ValueError if it is no JSON.

    It is for text that is not recorded as it is: to answer a message that `parse` refuses, or to read foreign text.
    """
    import json  # rarely needed, and slow to load

    return json.loads(text)


@cache
def _reader() -> Callable[[str], Any]:
    import json

    return json.JSONDecoder(object_pairs_hook=_no_duplicates, parse_constant=_no_constant).decode


def _to_utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise surrogate_error() from None


def surrogate_error() -> InvalidArgument:
    return InvalidArgument(
        "A text holds a lone surrogate, which is not valid Unicode.", hint="Decode the text properly first."
    )


def _has_nul(text: str) -> bool:
    r"""Whether there is an escaped NUL in the text, and not just the letters `u0000` behind two backslashes."""
    at = text.find("\\u0000")
    while at >= 0:
        slashes = at - len(text[:at].rstrip("\\")) + 1
        if slashes % 2:
            return True
        at = text.find("\\u0000", at + 1)
    return False


def _fits(value: Any, depth: int) -> bool:
    """Whether a value is JSON, and not too deep: checked for every record. `_raise_why` then names the reason."""
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


def is_json(value: Any) -> bool:
    """Whether a value is JSON. Its size and depth are checked when it is recorded."""
    return _fits(value, ANY_DEPTH)


def explain_not_json(value: Any, field: str) -> None:
    """Raise InvalidArgument that names the first part of a value that is not JSON."""
    _raise_why(value, field, ANY_DEPTH, DEFAULT_LIMITS)


def _raise_why(value: Any, path: str, depth: int, limits: Limits) -> None:
    """Raise the error for the first part of a value that does not fit; `path` leads to the value."""
    kind = type(value)
    if kind in (dict, list, tuple):
        if not depth:
            raise _too_deep(path, limits)
        for name, item in value.items() if kind is dict else enumerate(value):
            if kind is dict and type(name) is not str:
                raise _not_json(path, f": the name {name!r} is not text.", "JSON names are text.")
            if type(item) not in _PLAIN:
                member = f"{path}[{name}]" if kind is not dict else f"{path}.{name}" if path else str(name)
                _raise_why(item, member, depth - 1, limits)
    elif kind is float and not isfinite(value):
        name = "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
        raise _not_json(path, f": {name} is not JSON.", "Use null or text.")
    elif kind is not float and kind not in _PLAIN:
        message = f" is of type {kind.__name__}, which is not JSON."
        raise _not_json(path, message, "Give text, numbers, true, false, null, lists and objects.")


def _not_json(path: str, message: str, hint: str) -> InvalidArgument:
    return InvalidArgument(f"{path or 'value'}{message}", hint=hint, field=path or None)


def _too_deep(path: str, limits: Limits) -> TooLarge:
    return too_deep_error("The JSON of this record", path.partition(".")[0].partition("[")[0], limits)


def too_deep_error(what: str, field: str = "", limits: Limits = DEFAULT_LIMITS) -> TooLarge:
    """The error for a value that is nested more deeply than the limits allow."""
    return TooLarge(
        f"{what} is nested too deeply; the limit is {limits.depth} levels.", hint="Flatten it.", field=field or None
    )


def check_text(text: str, field: str) -> None:
    """Raise InvalidArgument for text that a store or an interface cannot carry."""
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


def _is_simple(value: Any, depth: int) -> bool:
    """Whether a value fits, and holds nothing that the two encoders write differently: no floats."""
    kind = type(value)
    if kind is dict:
        if depth <= 0:
            return False
        for name, item in value.items():
            if type(name) is not str or (type(item) not in _PLAIN and not _is_simple(item, depth - 1)):
                return False
        return True
    if kind is list or kind is tuple:
        if depth <= 0:
            return False
        for item in value:  # noqa: SIM110  # a generator for each list takes twice the time
            if type(item) not in _PLAIN and not _is_simple(item, depth - 1):
                return False
        return True
    return kind in _PLAIN


def _with_whole_numbers(value: Any) -> Any:
    """1.0 as 1: JSON has one kind of number, and languages write it differently."""
    kind = type(value)
    if kind is float and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if kind is dict:
        return {name: _with_whole_numbers(item) for name, item in value.items()}
    if kind is list or kind is tuple:
        return [_with_whole_numbers(item) for item in value]
    return value


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        message = f'the name "{twice[:80]}" occurs twice in one object.'
        raise InvalidArgument(message, hint="Keep one of them.", field=twice[:80])
    return members


def _no_constant(constant: str) -> Any:
    raise InvalidArgument(f"{constant} is not JSON.", hint="Use null or text.")
