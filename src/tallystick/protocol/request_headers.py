"""The header rules of MCP over HTTP in the modern era: headers repeat parts of the body, and have to agree with it.

An intermediary may route or refuse a request by its headers alone. So a request whose headers name another method, tool
or argument than its body is refused.
"""

import base64
import binascii
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tallystick.protocol import (
    CAPABILITIES_KEY,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MODERN_VERSIONS,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
    VERSION_KEY,
    ProtocolError,
)

HEADER_MISMATCH = -32020
MISSING_CAPABILITY = -32021
VERSION_HEADER = "mcp-protocol-version"
METHOD_HEADER = "mcp-method"
NAME_HEADER = "mcp-name"
PARAM_PREFIX = "Mcp-Param-"
"""Begins the name of a header that repeats an argument."""
STATUS_OF_CODE = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    MISSING_CAPABILITY: 400,
    UNSUPPORTED_VERSION: 400,
    METHOD_NOT_FOUND: 404,
}
"""The HTTP status of a JSON-RPC error; for others it is 200."""
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The methods whose requests repeat a param in the header Mcp-Name."""
_DECLARATION = "x-mcp-header"
"""The property of an argument's schema that names its header."""
_PRIMITIVES = ("string", "integer", "boolean")
_ENCODED = re.compile(r"=\?base64\?(.*)\?=")
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_DECIMAL = re.compile(r"(-?[0-9]+)(?:\.([0-9]+))?")
# The keywords of JSON Schema 2020-12 that hold other schemas, by the form of their value. `properties` stands apart.
_ONE_SCHEMA = frozenset(
    (
        *("items", "contains", "unevaluatedItems", "additionalProperties", "propertyNames", "unevaluatedProperties"),
        *("not", "if", "then", "else", "contentSchema"),
    )
)
_LISTED_SCHEMAS = frozenset(("allOf", "anyOf", "oneOf", "prefixItems"))
_NAMED_SCHEMAS = frozenset(("patternProperties", "dependentSchemas", "$defs", "definitions"))


class DeclaredHeader(NamedTuple):
    """A header that a tool's schema declares for one of its arguments."""

    path: tuple[str, ...]
    """The names that lead to the argument."""
    name: str
    type: str


def find_repeated(fields: Iterable[tuple[str, str]]) -> str:
    """The name of a routing header that a request has twice, or "": two readers could take different ones."""
    seen: set[str] = set()
    for name, _ in fields:
        if name in (VERSION_HEADER, METHOD_HEADER, NAME_HEADER):
            if name in seen:
                return name
            seen.add(name)
    return ""


def check_request(body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
    """Raise ProtocolError unless a request has its envelope, its headers agree with it, and its version is known."""
    params = body.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    if not isinstance(params, dict) or not isinstance(meta, dict):
        raise ProtocolError(INVALID_PARAMS, f"params._meta lacks {VERSION_KEY}, {CAPABILITIES_KEY}.")
    if missing := [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in meta]:
        raise ProtocolError(INVALID_PARAMS, f"params._meta lacks {', '.join(missing)}.")
    version, method = meta[VERSION_KEY], body.get("method")
    _require(
        VERSION_HEADER in headers and headers[VERSION_HEADER] == version,
        VERSION_HEADER,
        "the protocol version in params._meta",
    )
    _require(headers.get(METHOD_HEADER) == method, METHOD_HEADER, "the method")
    named = _NAMED_BY.get(str(method))
    if named and params.get(named) is not None:
        _require(_decoded(headers.get(NAME_HEADER)) == params[named], NAME_HEADER, f"params.{named}")
    if version not in MODERN_VERSIONS:
        data = {"supported": list(MODERN_VERSIONS), "requested": version}
        raise ProtocolError(UNSUPPORTED_VERSION, "Unsupported protocol version", data)


def _require(agrees: bool, header: str, part: str) -> None:
    if not agrees:
        raise ProtocolError(HEADER_MISMATCH, f"The header {header} is not {part} of the body.")


def declared_headers(schema: Any) -> Sequence[DeclaredHeader]:
    """The headers that a tool's schema declares. If one of them is invalid, clients send none, and none is returned."""
    found: list[DeclaredHeader] = []
    for path, part in _schemas_in(schema):
        if _DECLARATION not in part:
            continue
        name, type = part[_DECLARATION], part.get("type")
        is_valid = path and isinstance(name, str) and _TOKEN.fullmatch(name) and type in _PRIMITIVES
        if not is_valid or name.lower() in (each.name.lower() for each in found):
            return ()
        found.append(DeclaredHeader(path or (), name, str(type)))
    return found


def check_arguments(
    declared: Collection[DeclaredHeader], arguments: Mapping[str, Any], fields: Iterable[tuple[str, str]]
) -> None:
    """Raise ProtocolError unless each declared header is there once if its argument is, and repeats it."""
    sent: dict[str, list[str]] = {}
    for name, value in fields:
        sent.setdefault(name, []).append(value)
    for each in declared:
        header, values = f"{PARAM_PREFIX}{each.name}", sent.get(f"{PARAM_PREFIX}{each.name}".lower(), [])
        argument = _value_at(arguments, each.path)
        if len(values) > 1:
            raise ProtocolError(HEADER_MISMATCH, f"The header {header} is there twice.")
        text = _as_header(argument)
        if text is None and not values:
            continue
        agrees = bool(values) and text is not None and _agrees(each.type, argument, text, _decoded(values[0]))
        _require(agrees, header, f"the argument {'.'.join(each.path)}")


def _schemas_in(root: Any) -> Iterator[tuple[tuple[str, ...] | None, dict[str, Any]]]:
    """All schemas in a schema, each with the names of the properties that lead there, or None where others do."""
    waiting: list[tuple[tuple[str, ...] | None, Any]] = [((), root)]
    while waiting:
        path, schema = waiting.pop()
        if not isinstance(schema, dict):
            continue
        yield path, schema
        for keyword, value in schema.items():
            if keyword == "properties" and isinstance(value, dict):
                waiting += (((*path, name) if path is not None else None, each) for name, each in value.items())
            elif keyword in _ONE_SCHEMA:
                waiting.append((None, value))
            elif keyword in _LISTED_SCHEMAS and isinstance(value, list):
                waiting += ((None, each) for each in value)
            elif keyword in _NAMED_SCHEMAS and isinstance(value, dict):
                waiting += ((None, each) for each in value.values())


def _value_at(arguments: Any, path: Iterable[str]) -> Any:
    for name in path:
        if not isinstance(arguments, dict):
            return None
        arguments = arguments.get(name)
    return arguments


def _as_header(value: Any) -> str | None:
    """An argument as a client writes it into its header; None if there is none, or it has no such form."""
    if isinstance(value, bool):
        return "true" if value else "false"
    try:
        return str(value) if isinstance(value, str | int | float) else None
    except ValueError:  # an integer of more digits than Python writes
        return None


def _agrees(type: str, argument: Any, text: str, header: str | None) -> bool:
    """Whether a header repeats an argument. An integer agrees with each of its spellings, such as `42.0`."""
    number = _DECIMAL.fullmatch(header or "")
    is_whole = isinstance(argument, int | float) and not isinstance(argument, bool) and argument == argument // 1
    if type != "integer" or number is None or not is_whole:
        return header == text
    try:
        return not (number[2] or "").strip("0") and int(number[1]) == int(argument)
    except (ValueError, OverflowError):
        return False


def _decoded(value: str | None) -> str | None:
    """The value of a header, which may be wrapped in base64; None if the wrapping is damaged."""
    wrapped = _ENCODED.fullmatch(value or "")
    if wrapped is None:
        return value
    try:
        decoded = base64.b64decode(wrapped[1], validate=True)
        return decoded.decode() if base64.b64encode(decoded).decode() == wrapped[1] else None
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None
