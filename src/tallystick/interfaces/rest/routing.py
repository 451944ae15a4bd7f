"""Where each operation is found: its method and its path, with its arguments in the path."""

import re
from functools import cache
from typing import Any

from msgspec import Struct
from starlette.convertors import Convertor, register_url_convertor

from tallystick.interfaces.fields import Field, fields_of
from tallystick.operations import CATALOGUE, Operation

_IN_PATH = re.compile(r"\{(\w+)\}")
NEWEST = "-"
"""Stands in a path for an argument that may be left out."""
HANDLE = 64
"""Up to this length a text is a handle, which holds no slash. A name may hold some."""


ANYTHING = "anything"
"""What a name in a path is read by. Starlette's own `path` holds no line break, and then nothing would be found."""


class _Anything(Convertor[str]):
    regex = r"[\s\S]*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor(ANYTHING, _Anything())


class OperationRoute(Struct, frozen=True, kw_only=True):
    """One operation at REST. `path` is as it is documented; `key` is the argument that `Idempotency-Key` gives."""

    operation: Operation[..., Any]
    method: str
    path: str
    fields: dict[str, Field]
    in_path: tuple[str, ...]
    key: str

    @property
    def elsewhere(self) -> list[Field]:
        """The arguments that stand in the query or in the body."""
        return [field for field in self.fields.values() if field.name not in self.in_path]


@cache
def place_of(operation: Operation[..., Any]) -> OperationRoute:
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
    )


def places() -> dict[str, dict[str, OperationRoute]]:
    """All of them by the pattern of their path, then by method; what has more words comes before what has fewer, so
    that none is hidden by an argument."""
    found: dict[str, dict[str, OperationRoute]] = {}
    for operation in CATALOGUE.values():
        place = place_of(operation)
        found.setdefault(_pattern(place), {})[place.method] = place
    return dict(sorted(found.items(), key=lambda pair: (-_words(pair[0]), pair[0])))


def _pattern(place: OperationRoute) -> str:
    def converted(match: re.Match[str]) -> str:
        longest = place.fields[match[1]].longest
        return match[0] if longest is not None and longest <= HANDLE else f"{{{match[1]}:{ANYTHING}}}"

    return _IN_PATH.sub(converted, place.path)


def _words(path: str) -> int:
    return sum(not part.startswith("{") for part in path.split("/"))
