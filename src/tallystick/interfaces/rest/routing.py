"""The method and path of each operation, and which of its arguments are in the path."""

import re
from functools import cache
from typing import Any

from msgspec import Struct
from starlette.convertors import Convertor, register_url_convertor

from tallystick.interfaces.fields import Field, fields_of
from tallystick.operations import CATALOGUE, Operation

_IN_PATH = re.compile(r"\{(\w+)\}")
_READS_ITEM = re.compile(r"GET (/v1/\w+)/\{\w+_id\}")
NEWEST = "-"
"""Stands in a path for an argument that is left out."""
MAX_HANDLE_LENGTH = 64
"""A field of up to this length is a handle, which contains no slash. A longer one is a name, which may."""
ANYTHING = "anything"
"""The converter for names in a path. Starlette's own `path` does not match a line break."""


class _Anything(Convertor[str]):
    regex = r"[\s\S]*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor(ANYTHING, _Anything())


class OperationRoute(Struct, frozen=True, kw_only=True):
    """The route of one operation. `path` is the documented one; `key` is the argument that `Idempotency-Key` sets;
    `item` is the path of one that it creates, without its id, if one is read by its id.
    """

    operation: Operation[..., Any]
    method: str
    path: str
    fields: dict[str, Field]
    in_path: tuple[str, ...]
    key: str
    item: str


@cache
def route_of(operation: Operation[..., Any]) -> OperationRoute:
    method, _, path = operation.http.partition(" ")
    fields = {field.name: field for field in fields_of(operation)}
    keys = [name for name in ("idempotency_key", "key") if name in fields and operation.kind == "record"]
    return OperationRoute(
        operation=operation,
        method=method,
        path=path,
        fields=fields,
        in_path=tuple(_IN_PATH.findall(path)),
        key=keys[0] if keys else "",
        item=f"{path}/" if path in _collections() else "",
    )


@cache
def _collections() -> frozenset[str]:
    """The paths below which one item is read by its id."""
    return frozenset(match[1] for each in CATALOGUE.values() if (match := _READS_ITEM.fullmatch(each.http)))


def routes_by_path() -> dict[str, dict[str, OperationRoute]]:
    """All routes by path pattern, then by method. Patterns with more fixed words come first, so that none is hidden
    by an argument."""
    by_path: dict[str, dict[str, OperationRoute]] = {}
    for operation in CATALOGUE.values():
        route = route_of(operation)
        by_path.setdefault(_pattern(route), {})[route.method] = route
    return dict(sorted(by_path.items(), key=lambda pair: (-_fixed_words(pair[0]), pair[0])))


def _pattern(route: OperationRoute) -> str:
    def converted(match: re.Match[str]) -> str:
        longest = route.fields[match[1]].longest
        return match[0] if longest is not None and longest <= MAX_HANDLE_LENGTH else f"{{{match[1]}:{ANYTHING}}}"

    return _IN_PATH.sub(converted, route.path)


def _fixed_words(path: str) -> int:
    return sum(not part.startswith("{") for part in path.split("/"))
