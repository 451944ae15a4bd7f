"""Reads a request: its headers, checked against its access, and the arguments of its operation."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

import msgspec
from msgspec import Struct
from starlette.requests import Request

from tallystick.core.errors import InvalidArgument, NotPermitted, not_one_of
from tallystick.core.formats import canonical_json
from tallystick.core.types import Actor, ActorKind, Witness
from tallystick.interfaces.fields import Field
from tallystick.interfaces.journals import actor_of
from tallystick.interfaces.rest.responses import UNPROCESSABLE, HttpError
from tallystick.interfaces.rest.routing import NEWEST, OperationRoute
from tallystick.operations import Operation
from tallystick.operations.runtime.access import Access, is_granted, may_call, scope_needed

KEY = "idempotency-key"
SESSION = "tallystick-session"
ACTOR = "tallystick-actor"
WITNESS = "tallystick-witness"
TRACE = "traceparent"


class RequestInfo(Struct, frozen=True, kw_only=True):
    """The access of a request, and what its headers say. `is_page`: the page sent it, or somebody who is logged in."""

    access: Access
    journal: str
    journal_in_query: str = ""
    actor: Actor | None = None
    session: str = ""
    witness: Witness = "claimed"
    key: str = ""
    trace: str = ""
    accept: str = ""
    is_page: bool = False


def request_info(request: Request) -> RequestInfo:
    access: Access = request.state.access
    return RequestInfo(
        access=access,
        journal=request.state.journal,
        journal_in_query=request.query_params.get(JOURNAL, ""),
        actor=_actor(request.headers.get(ACTOR, ""), access),
        session=request.headers.get(SESSION, "").strip(),
        witness=_witness(request.headers.get(WITNESS, "claimed"), access),
        key=_key(request.headers),
        trace=request.headers.get(TRACE, ""),
        accept=request.headers.get("accept", ""),
        is_page=request.state.person or request.headers.get("sec-fetch-site") == "same-origin",
    )


def check_scope(request: Request, operation: Operation[..., Any], arguments: Mapping[str, Any] | None = None) -> None:
    """Raise if the access lacks the operation's scope: 403 with a token or login, else 401. Without arguments, raise
    only if it lacks the scope with any."""
    access: Access = request.state.access
    if may_call(access, operation, arguments):
        return
    error = NotPermitted(
        f"{operation.name} needs the scope {scope_needed(operation)}, which this access does not have.",
        hint="Give one that has it: --credential, Journal.open(credential=...) or Authorization: Bearer ts_...",
    )
    if request.state.person or "authorization" in request.headers:
        raise error
    raise HttpError(error, 401, {"www-authenticate": "Bearer"})


def _key(headers: Mapping[str, str]) -> str:
    key = headers.get(KEY)
    if key is None:
        return ""
    if not key.strip():
        raise InvalidArgument("Idempotency-Key is empty.", hint="Give a key, or leave it out.", field="idempotency-key")
    return _decode_header(key.strip())


def _actor(header: str, access: Access) -> Actor | None:
    """The actor in the header, a name or JSON with kind and name; None for the credential's own. What a person's
    credential records is always recorded as that person."""
    if not header:
        return None
    own = actor_of(access)
    try:
        actor = msgspec.json.decode(header.encode("latin-1"), type=Actor) if header.lstrip().startswith("{") else None
    except (msgspec.DecodeError, UnicodeEncodeError):
        error = InvalidArgument(
            "Tallystick-Actor is neither a name nor JSON with kind and name.",
            hint=f"The kinds are: {', '.join(get_args(ActorKind))}.",
            field="actor",
        )
        raise HttpError(error, UNPROCESSABLE) from None
    actor = actor or Actor(kind=own.kind if own else "agent", name=_decode_header(header))
    if actor.kind == "person" and own and own.kind == "agent":
        raise NotPermitted("An agent's credential cannot act as a person.", hint="Leave Tallystick-Actor out.")
    if actor.kind == "runner" and not is_granted(access.scopes, "run"):  # a runner calls the undos of runners
        raise NotPermitted("Only a credential with the scope `run` can act as a runner.", hint="Name another kind.")
    return own if own and own.kind == "person" else actor


def _decode_header(header: str) -> str:
    """The header as UTF-8 if it is valid; Starlette decodes headers as Latin-1."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header


def _witness(header: str, access: Access) -> Witness:
    if header not in get_args(Witness):
        raise not_one_of(header, "witness", get_args(Witness))
    if header == "observed" and not access.observes:
        raise NotPermitted(
            "This access may not record with the witness observed.",
            hint="Leave Tallystick-Witness out, or use a credential made with --observes, as for a gateway or a hook.",
        )
    return "observed" if header == "observed" else "claimed"


# ----------------------------------------------------------------------------------------------------------------------
# The arguments of an operation. The operation validates their types; here, text in paths and queries is converted by
# the type of its field.

JOURNAL = "journal"
"""The query parameter that names the journal; the server has read it already."""
_FLAGS = {"true": True, "false": False}


def from_path(route: OperationRoute, path_params: Mapping[str, str]) -> dict[str, Any]:
    """The arguments in the path; an optional one given as `-` is left out, which means the newest."""
    return {name: text for name, text in path_params.items() if route.fields[name].required or text != NEWEST}


def from_query(route: OperationRoute, pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The arguments in the query string: a list repeats its name, an object is JSON."""
    texts: dict[str, list[str]] = {}
    for name, text in pairs:
        if name != JOURNAL or name in route.fields:
            texts.setdefault(name, []).append(text)
    arguments: dict[str, Any] = {}
    for name, values in texts.items():
        if name in route.in_path:
            raise duplicate_argument(name)
        field = route.fields.get(name)
        arguments[name] = values if field is None else _parse(field, values)  # the operation rejects unknown names
    return arguments


def from_body(route: OperationRoute, body: bytes) -> dict[str, Any]:
    """The arguments in the body, one JSON object; an empty body is an empty object."""
    if not body.strip():
        return {}
    arguments = canonical_json.parse(body, "body")
    if not isinstance(arguments, dict):
        raise InvalidArgument(
            "The body is not a JSON object.", hint="Give the arguments as names and values.", field="body"
        )
    for name in route.in_path:
        if name in arguments:
            raise duplicate_argument(name)
    numbers = [name for name in arguments if name in route.fields and _is_number(route.fields[name])]
    return {**arguments, **{name: _as_integer(arguments[name]) for name in numbers}}


def with_key(route: OperationRoute, arguments: dict[str, Any], key: str) -> dict[str, Any]:
    """The arguments with the key of the header `Idempotency-Key`, which reads ignore."""
    if not key or not route.key:
        return arguments
    if arguments.get(route.key) not in (None, key):
        error = InvalidArgument(
            f"{route.key} and Idempotency-Key differ.", hint="Give one of them, or the same value.", field=route.key
        )
        raise HttpError(error, UNPROCESSABLE)
    return {**arguments, route.key: key}


def duplicate_argument(name: str) -> InvalidArgument:
    return InvalidArgument(f"{name} was given twice.", hint="Give it once: it is in the path.", field=name)


def _is_number(field: Field) -> bool:
    return field.kind == "number" or (field.kind == "list" and field.items == "number")


def _parse(field: Field, texts: list[str]) -> Any:
    if field.kind == "list":
        return [_number(field, text) if field.items == "number" else text for text in texts]
    if len(texts) > 1:
        raise InvalidArgument(f"{field.name} was given {len(texts)} times.", hint="Give it once.", field=field.name)
    (text,) = texts
    if field.kind == "flag":
        if text not in _FLAGS:
            raise not_one_of(text, field.name, _FLAGS)
        return _FLAGS[text]
    if field.kind == "number":
        return _number(field, text)
    return canonical_json.parse(text, field.name) if field.kind == "json" else text


def _number(field: Field, text: str) -> Any:
    try:
        value = canonical_json.parse(text, field.name)
    except InvalidArgument:
        value = None
    if type(value) not in (int, float):
        raise InvalidArgument(
            f'{field.name} "{text[:80]}" is not a number.', hint="Write it like 20.", field=field.name
        )
    return _as_integer(value)


def _as_integer(value: Any) -> Any:
    """1.0 as 1: in JSON they are the same number."""
    if type(value) is list:
        return [_as_integer(each) for each in value]
    return int(value) if type(value) is float and value.is_integer() and abs(value) < 2**53 else value
