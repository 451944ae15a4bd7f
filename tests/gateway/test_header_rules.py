"""The header rules of the modern era, held to those of the MCP SDK: both accept and refuse the same requests."""

from random import Random
from typing import Any

import pytest
from mcp.shared import inbound
from starlette.datastructures import Headers

from tallystick import protocol
from tallystick.protocol import CAPABILITIES_KEY, MODERN_VERSIONS, VERSION_KEY, ProtocolError, request_headers

NAMES = ("one", "two", "Three", "x y", "")
VALUES: tuple[Any, ...] = (
    *("a", "", " a", "é", "42", "42.0", "042", "-0", "=?base64?YQ==?=", "=?base64?YR==?=", "=?base64?!?=", None, True),
    *(0, 42, -7, 10**400, 10**5000, 42.0, 1.5, 1e300, float("inf"), [], {}, {"one": "a"}, {"one": {"two": 42}}),
)
TYPES = ("string", "integer", "boolean", "number", ["string"], None)


def _schema(chance: Random, depth: int = 0) -> Any:
    schema: dict[str, Any] = {}
    if chance.random() < 0.8:
        schema["type"] = chance.choice(TYPES[:3] if chance.random() < 0.8 else TYPES)
    if depth and chance.random() < 0.7:
        schema["x-mcp-header"] = chance.choice(("One", "two", "Three") if chance.random() < 0.9 else (*NAMES, 7, None))
    if depth < 3 and chance.random() < 0.9:
        schema["properties"] = {chance.choice(NAMES): _schema(chance, depth + 1) for _ in range(chance.randrange(3))}
    if chance.random() < 0.1:
        keyword = chance.choice(("items", "allOf", "$defs", "default", "not", "patternProperties"))
        inner = _schema(chance, depth + 1)
        schema[keyword] = chance.choice((inner, [inner], {"one": inner}))
    return schema


def _fields(chance: Random, arguments: dict[str, Any]) -> list[tuple[str, str]]:
    fields: list[tuple[str, str]] = []
    for name in chance.sample(("One", "two", "Three"), chance.randrange(4)):
        value = chance.choice((*arguments.values(), *VALUES))
        text = inbound._render_header_scalar(value) if chance.random() < 0.9 else "x"
        fields += [(f"mcp-param-{name.lower()}", inbound.encode_header_value(text or ""))] * chance.choice((1, 1, 1, 2))
    return fields


def _code(check: Any, *arguments: Any) -> int:
    try:
        check(*arguments)
    except ProtocolError as error:
        return error.code
    return 0


@pytest.mark.parametrize("seed", range(10))
def test_headers_and_arguments_are_compared_as_by_the_sdk(seed: int) -> None:
    chance = Random(seed)
    refused = compared = 0
    for _ in range(2000):
        schema = _schema(chance)
        arguments = {chance.choice(NAMES): chance.choice(VALUES) for _ in range(chance.randrange(4))}
        fields = _fields(chance, arguments)
        headers = Headers(raw=[(name.encode(), value.encode("latin-1")) for name, value in fields])
        theirs = inbound.validate_mcp_param_headers(schema, arguments, headers)
        declared = request_headers.declared_headers(schema)
        ours = _code(request_headers.check_arguments, declared, arguments, fields)
        assert ours == (theirs.code if theirs else 0), (schema, arguments, fields, theirs)
        refused, compared = refused + bool(ours), compared + bool(declared)
    assert min(refused, compared, compared - refused) > 50


@pytest.mark.parametrize("seed", range(5))
def test_a_request_and_its_headers_are_compared_as_by_the_sdk(seed: int) -> None:
    chance = Random(seed)
    met = set()
    for _ in range(3000):
        version = chance.choice((*MODERN_VERSIONS * 8, "2027-01-01", 7, None))
        meta: Any = {VERSION_KEY: version, CAPABILITIES_KEY: {}}
        if chance.random() < 0.1:
            meta.pop(chance.choice((VERSION_KEY, CAPABILITIES_KEY)))
        params: Any = {"_meta": chance.choice((meta,) * 9 + ([],)), "name": "é", "uri": "x"}
        if chance.random() < 0.1:
            params["name"] = chance.choice(("", None, 7))
        if chance.random() < 0.1:
            del params[chance.choice(("_meta", "name", "uri"))]
        method = chance.choice(("tools/call", "prompts/get", "resources/read", "tools/list"))
        body: dict[str, Any] = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": method,
            "params": chance.choice((params,) * 15 + ([],)),
        }
        name = inbound.encode_header_value("é" if method != "resources/read" else "x")
        fields = [("mcp-protocol-version", str(version)), ("mcp-method", method), ("mcp-name", name)]
        if chance.random() < 0.3:
            at = chance.randrange(3)
            fields[at] = fields[at][0], chance.choice(("x", "tools/list", MODERN_VERSIONS[0]))
        fields = [each for each in fields if chance.random() < 0.97]
        theirs = inbound.classify_inbound_request(body, headers=dict(fields))
        ours = _code(request_headers.check_request, body, dict(fields))
        assert ours == (theirs.code if isinstance(theirs, inbound.InboundLadderRejection) else 0), (body, fields)
        twice = fields * chance.choice((1, 1, 2))
        assert (request_headers.find_repeated(twice) or None) == inbound.find_duplicated_routing_header(twice)
        met.add(ours)
    assert met == {0, protocol.INVALID_PARAMS, request_headers.HEADER_MISMATCH, protocol.UNSUPPORTED_VERSION}


def test_the_status_of_an_error_is_that_of_the_sdk() -> None:
    assert dict(inbound.ERROR_CODE_HTTP_STATUS) == request_headers.STATUS_OF_CODE
