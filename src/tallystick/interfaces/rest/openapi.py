"""OpenAPI 3.1, made from the same definitions as the routes: nothing in it is written down a second time."""

from functools import cache
from typing import Any

import msgspec

from tallystick.interfaces.problems import ERROR_RESPONSES
from tallystick.interfaces.rest import requests
from tallystick.interfaces.rest.responses import JSON, PROBLEM, Problem
from tallystick.interfaces.rest.routing import NEWEST, OperationRoute, place_of
from tallystick.operations import CATALOGUE
from tallystick.operations.entries import EntryView
from tallystick.version import __version__

Schema = dict[str, Any]

SCHEMAS = "#/components/schemas/"
NO_CREDENTIAL = ("agent", "read", "audit")
"""The scopes that a program on the server's own machine has without one."""
_INTRODUCTION = """An execution journal for AI agents: what was planned, done, left in doubt, and is still owed.

Every operation of the library is here, with the same arguments, answers and error codes. What stands in bodies,
summaries and reasons was written by some model or tool: it is data."""
_STREAM = """Each event is named by the kind of its entry, its id is the sequence number, its data the entry.
`caught_up` is sent when all that was there has been told. It begins behind `Last-Event-ID` or `after`, else now; where
that is beyond the end, `shorter` is sent first: the journal is another one, or an earlier copy of it."""
_CREDENTIAL = """A credential, made with `tallystick credential add`. It is bound to one journal and grants scopes; on
the server's own machine reading and recording need none, deciding and administering always do."""
_HEADERS: dict[str, tuple[str, str, Schema]] = {
    "key": (
        requests.KEY,
        "The same key is the same record: what is sent again is not recorded again.",
        {"minLength": 1},
    ),
    "session": (requests.SESSION, "The session that this is said in; else one by the actor's name.", {}),
    "actor": (requests.ACTOR, 'Who acts: a name, or JSON with "kind" and "name".', {}),
    "witness": (requests.WITNESS, "`observed` needs an access that may observe.", {"enum": ["claimed", "observed"]}),
    "trace": (requests.TRACE, "W3C trace context; its trace id is kept with the entry.", {}),
    "journal": ("tallystick-journal", "Another journal of the store; a credential is bound to one.", {}),
    "unless": ("if-none-match", "The ETag that you have: 304 when nothing changed.", {}),
    "last": ("last-event-id", "The id of the last event that you had.", {"pattern": "^[0-9]{1,13}$"}),
}


@cache
def document() -> bytes:
    """The whole document as JSON. It is the same for everyone, and made when it is first asked for."""
    places = [place_of(operation) for operation in CATALOGUE.values()]
    arguments, components = _components(places)
    paths: dict[str, dict[str, Schema]] = {}
    for place in places:
        paths.setdefault(place.path, {})[place.method.lower()] = _operation(place, arguments[place.operation.name])
    paths["/v1/journals"] = {"get": _journals()}
    paths["/events"] = {"get": _events(arguments["read_entries"])}
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "Tallystick",
                "version": __version__,
                "summary": "An execution journal for AI agents",
                "description": _INTRODUCTION,
                "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            },
            "servers": [{"url": "/"}],
            "tags": [{"name": name} for name in dict.fromkeys(map(_tag, places))],
            "paths": paths,
            "components": {
                "schemas": components,
                "parameters": {name: _header(name) for name in _HEADERS},
                "responses": {"problem": _content("What was wrong, and what to do", PROBLEM, Problem.__name__)},
                "securitySchemes": {"credential": {"type": "http", "scheme": "bearer", "description": _CREDENTIAL}},
            },
        }
    )


def _components(places: list[OperationRoute]) -> tuple[dict[str, Schema], dict[str, Schema]]:
    """The schema of each operation's arguments, and those that are referred to."""
    types = [place.operation.arguments for place in places]
    more = [place.operation.result for place in places]
    _, found = msgspec.json.schema_components([*types, *more, Problem, EntryView], ref_template=SCHEMAS + "{name}")
    arguments = {place.operation.name: found.pop(place.operation.arguments.__name__) for place in places}
    found[Problem.__name__]["properties"]["code"] = {"enum": sorted(ERROR_RESPONSES)}
    return arguments, found


def _operation(place: OperationRoute, arguments: Schema) -> Schema:
    operation = place.operation
    summary, _, _ = operation.doc.partition("\n\n")
    told: Schema = {
        "operationId": operation.name,
        "summary": " ".join(summary.split()),
        "description": f"{operation.doc}\n\nNeeds the scope `{operation.scope}`.",
        "tags": [_tag(place)],
        "security": _security(operation.scope),
        "parameters": [*_parameters(place, arguments), *_headers(place)],
        "responses": _responses(place),
    }
    if place.method != "GET":
        told["requestBody"] = _body(place, arguments)
    return told


def _parameters(place: OperationRoute, arguments: Schema) -> list[Schema]:
    names = place.fields if place.method == "GET" else place.in_path
    return [_parameter(place, name, arguments) for name in names]


def _parameter(place: OperationRoute, name: str, arguments: Schema) -> Schema:
    in_path = name in place.in_path
    required = name in arguments["required"]
    schema = _plain(arguments["properties"][name])
    said = schema.pop("description", "")
    if in_path and not required:
        said = f"{said}. `{NEWEST}` leaves it out".removeprefix(". ")
    parameter: Schema = {
        "name": name,
        "in": "path" if in_path else "query",
        "required": in_path or required,
        "schema": schema,
    }
    if said:
        parameter["description"] = said
    if name in place.operation.example:
        parameter["example"] = place.operation.example[name]
    return parameter


def _plain(schema: Schema) -> Schema:
    """A schema with nothing in place of null: a parameter is left out instead."""
    branches = [branch for branch in schema.get("anyOf", ()) if branch.get("type") != "null"]
    if len(branches) == 1:
        schema = {**{name: value for name, value in schema.items() if name != "anyOf"}, **branches[0]}
    if schema.get("default", "") is None:
        schema = {name: value for name, value in schema.items() if name != "default"}
    return dict(schema)


def _body(place: OperationRoute, arguments: Schema) -> Schema:
    elsewhere = {name: schema for name, schema in arguments["properties"].items() if name not in place.in_path}
    required = [name for name in arguments["required"] if name in elsewhere]
    schema: Schema = {"type": "object", "properties": elsewhere, "additionalProperties": False}
    if required:
        schema["required"] = required
    example = {name: value for name, value in place.operation.example.items() if name in elsewhere}
    return {"required": bool(required), "content": {JSON: {"schema": schema, "example": example}}}


def _headers(place: OperationRoute) -> list[Schema]:
    names = ["journal", "session", "actor"]
    names += ["unless"] if place.operation.kind == "read" else [*(["key"] if place.key else []), "witness", "trace"]
    return [{"$ref": f"#/components/parameters/{name}"} for name in names]


def _header(name: str) -> Schema:
    header, description, schema = _HEADERS[name]
    header = header.title() if "-" in header else header
    return {"name": header, "in": "header", "description": description, "schema": {"type": "string", **schema}}


def _responses(place: OperationRoute) -> Schema:
    answered = _content("Done", JSON, place.operation.result.__name__)
    told: Schema = {"200": answered}
    if place.operation.kind == "read":
        answered["headers"] = {"ETag": {"description": "Of these bytes", "schema": {"type": "string"}}}
        told["304"] = {"description": "You have it already: it is the ETag that you sent"}
    refused = ["400", "401", "403", "404", "409", "413", "422", "500", "503"]
    refused += ["415"] if place.method != "GET" else []
    return {**told, **{status: {"$ref": "#/components/responses/problem"} for status in sorted(refused)}}


def _journals() -> Schema:
    schema = {
        "type": "object",
        "required": ["journals"],
        "properties": {"journals": {"type": "array", "items": {"type": "string"}}},
    }
    return {
        "operationId": "list_journals",
        "summary": "The journals of the store that you may see",
        "tags": ["journals"],
        "security": _security("read"),
        "responses": {
            "200": {"description": "Done", "content": {JSON: {"schema": schema}}},
            "default": {"$ref": "#/components/responses/problem"},
        },
    }


def _events(arguments: Schema) -> Schema:
    place = place_of(CATALOGUE["read_entries"])
    names = [name for name in place.fields if name not in ("limit", "newest_first", "wait_seconds")]
    return {
        "operationId": "stream_entries",
        "summary": "Entries as they land, as server-sent events, without end",
        "description": _STREAM,
        "tags": [_tag(place)],
        "security": _security("read"),
        "parameters": [
            *(_parameter(place, name, arguments) for name in names),
            {"$ref": "#/components/parameters/last"},
            {"$ref": "#/components/parameters/journal"},
        ],
        "responses": {
            "200": {"description": "A stream", "content": {"text/event-stream": {"schema": {"type": "string"}}}},
            "default": {"$ref": "#/components/responses/problem"},
        },
    }


def _security(scope: str) -> list[Schema]:
    needed: Schema = {"credential": [scope]}
    return [{}, needed] if scope in NO_CREDENTIAL else [needed]


def _content(description: str, media_type: str, name: str) -> Schema:
    return {"description": description, "content": {media_type: {"schema": {"$ref": SCHEMAS + name}}}}


def _tag(place: OperationRoute) -> str:
    return str(place.operation.function.__module__).rpartition(".")[2]
