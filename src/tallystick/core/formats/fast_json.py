"""The JSON codec of the hook, which starts with every tool call.

It uses the C functions of the standard library without the package around them: importing `json` imports `re` too, and
takes as long as starting the interpreter. If they are missing, `json` is imported after all.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SPACE = " \t\n\r"


class NotJson(ValueError):
    """A text that is not JSON. (For some texts the C reader raises the error of `json`, which it then imports.)"""


class _Context:
    """The attributes that the C reader needs: the plain types of `json.loads`."""

    strict = False  # accept a line end in a text
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int

    @staticmethod
    def parse_constant(name: str) -> float:
        return float(name.replace("Infinity", "inf"))


class _LongNumbersContext(_Context):
    """For the rare text with a number of more digits than Python converts: such a number stays text."""

    @staticmethod
    def parse_int(digits: str) -> int | str:  # type: ignore[override]
        try:
            return int(digits)
        except ValueError:
            return digits


class _DuplicateKey(str):
    """A key that its object has twice. It equals nothing but itself, so that a `dict` keeps both."""

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other


class _AllKeysContext(_Context):
    """For a value that must keep both of two equal keys."""

    @staticmethod
    def object_pairs_hook(pairs: list[tuple[str, Any]]) -> dict[str, Any]:  # type: ignore[override]
        members = dict(pairs)
        if len(members) == len(pairs):
            return members
        last = {key: i for i, (key, _) in enumerate(pairs)}
        return {key if last[key] == i else _DuplicateKey(key): value for i, (key, value) in enumerate(pairs)}


def parse_whole(text: str) -> Any:
    """The value of a JSON text, with keys that an object has more than once."""
    return _parse(text, _AllKeysContext)


def parse(text: str) -> Any:
    """The value of a JSON text. ValueError when it is none, RecursionError when it is too deep."""
    try:
        return _parse(text, _Context)
    except ValueError as error:
        if type(error) is not ValueError:  # invalid JSON raises a subclass
            raise
    return _parse(text, _LongNumbersContext)


def _parse(text: str, context: type[_Context]) -> Any:
    try:
        from _json import make_scanner

        start = len(text) - len(text.lstrip(_SPACE))
        value, end = make_scanner(context)(text, start)  # type: ignore[arg-type]  # any object with these attributes will do
    except StopIteration:
        raise NotJson("there is no JSON value") from None
    except (ImportError, AttributeError, TypeError, SystemError):
        import json  # an interpreter without the C reader

        hook = context.object_pairs_hook
        return json.loads(text, strict=False, parse_int=context.parse_int, object_pairs_hook=hook)
    if text[end:].strip(_SPACE):
        raise NotJson("more than one JSON value")
    return value


def dump(value: Any) -> str:
    """JSON in ASCII on one line, whatever the value holds: lone surrogates and NaN as `json.dumps` writes them."""
    return _writer(sort=False, ascii_only=True)(value)


def dump_text(text: str) -> str:
    """JSON of a text, with characters beyond ASCII as they are."""
    return _writer(sort=False, ascii_only=False)(text)


def canonical(value: Any) -> bytes:
    """The same bytes as `canonical_json.canonical` gives. Raises ValueError for what that refuses."""
    return _writer(sort=True, ascii_only=False)(_with_whole_numbers(value)).encode()


def _writer(sort: bool, ascii_only: bool) -> Callable[[Any], str]:
    try:
        from _json import encode_basestring, encode_basestring_ascii, make_encoder

        encode = encode_basestring_ascii if ascii_only else encode_basestring
        chunks = make_encoder(None, _refuse, encode, None, ":", ",", sort, False, ascii_only)
    except (ImportError, TypeError):
        import json

        return json.JSONEncoder(
            ensure_ascii=ascii_only, allow_nan=ascii_only, separators=(",", ":"), sort_keys=sort
        ).encode
    return lambda value: "".join(chunks(value, 0))


def _refuse(value: object) -> Any:
    raise TypeError(f"{type(value).__name__} is not JSON")


def _with_whole_numbers(value: Any) -> Any:
    """1.0 as 1: JSON has one kind of number, and languages write it differently."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, dict):
        return {name: _with_whole_numbers(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_with_whole_numbers(item) for item in value]
    return value
