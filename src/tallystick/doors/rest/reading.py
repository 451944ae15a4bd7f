"""From a request to the arguments of its operation. Their types are checked by the operation itself, as at every
door; what is only text here is read by what the field is."""

from collections.abc import Iterable, Mapping
from typing import Any

from tallystick.core import canonical
from tallystick.core.errors import InvalidArgument, one_of
from tallystick.doors.fields import Field
from tallystick.doors.rest.answers import UNPROCESSABLE, Refusal
from tallystick.doors.rest.places import NEWEST, Place

JOURNAL = "journal"
"""The query parameter that names the journal; it is read before the request comes here."""
_FLAGS = {"true": True, "false": False}


def from_path(place: Place, found: Mapping[str, str]) -> dict[str, Any]:
    """The arguments in the path."""
    return {
        name: text
        for name, text in found.items()
        if place.fields[name].required or text != NEWEST  # then it is left out: the newest is meant
    }


def from_query(place: Place, pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The arguments in the query string: a list repeats its name, an object is JSON."""
    texts: dict[str, list[str]] = {}
    for name, text in pairs:
        if name != JOURNAL or name in place.fields:
            texts.setdefault(name, []).append(text)
    given: dict[str, Any] = {}
    for name, found in texts.items():
        if name in place.in_path:
            raise twice(name)
        field = place.fields.get(name)
        given[name] = found if field is None else _value(field, found)  # the operation says that there is none
    return given


def from_body(place: Place, body: bytes) -> dict[str, Any]:
    """The arguments in the body, one JSON object; no body is an empty one."""
    if not body.strip():
        return {}
    given = canonical.parse(body, "body")
    if not isinstance(given, dict):
        raise InvalidArgument(
            "The body is not a JSON object.", hint="Give the arguments as names and values.", field="body"
        )
    for name in place.in_path:
        if name in given:
            raise twice(name)
    numbers = [name for name in given if name in place.fields and _is_number(place.fields[name])]
    return {**given, **{name: _whole(given[name]) for name in numbers}}


def with_key(place: Place, given: dict[str, Any], key: str) -> dict[str, Any]:
    """The arguments with the key of the header `Idempotency-Key`; reads have none, and need none."""
    if not key or not place.key:
        return given
    if given.get(place.key) not in (None, key):
        differing = InvalidArgument(
            f"{place.key} and Idempotency-Key differ.", hint="Give one of them, or both alike.", field=place.key
        )
        raise Refusal(differing, UNPROCESSABLE)
    return {**given, place.key: key}


def twice(name: str) -> InvalidArgument:
    return InvalidArgument(f"{name} was given twice.", hint="Give it once: it stands in the path.", field=name)


def _is_number(field: Field) -> bool:
    return field.kind == "number" or (field.kind == "list" and field.items == "number")


def _value(field: Field, found: list[str]) -> Any:
    if field.kind == "list":
        return [_item(field, text) for text in found]
    if len(found) > 1:
        raise InvalidArgument(f"{field.name} was given {len(found)} times.", hint="Give it once.", field=field.name)
    (text,) = found
    if field.kind == "flag":
        if text not in _FLAGS:
            raise one_of(text, field.name, _FLAGS)
        return _FLAGS[text]
    if field.kind == "number":
        return _number(field, text)
    return canonical.parse(text, field.name) if field.kind == "json" else text


def _item(field: Field, text: str) -> Any:
    return _number(field, text) if field.items == "number" else text


def _number(field: Field, text: str) -> Any:
    try:
        value = canonical.parse(text, field.name)
    except InvalidArgument:
        value = None
    if type(value) not in (int, float):
        raise InvalidArgument(
            f'{field.name} "{text[:80]}" is not a number.', hint="Write it like 20.", field=field.name
        )
    return _whole(value)


def _whole(value: Any) -> Any:
    """1.0 as 1: to JSON they are one number."""
    if type(value) is list:
        return [_whole(each) for each in value]
    return int(value) if type(value) is float and value.is_integer() and abs(value) < 2**53 else value
