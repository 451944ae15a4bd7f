"""Who asks, as a request says it, and what its access lets it say."""

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
from tallystick.interfaces.rest.responses import UNPROCESSABLE, HttpRefusal
from tallystick.interfaces.rest.routing import NEWEST, OperationRoute
from tallystick.operations import Operation
from tallystick.operations.runtime.access import Access, may_call

KEY = "idempotency-key"
SESSION = "tallystick-session"
ACTOR = "tallystick-actor"
WITNESS = "tallystick-witness"
TRACE = "traceparent"


class RequestInfo(Struct, frozen=True, kw_only=True):
    """What a request says of itself."""

    access: Access
    journal: str
    actor: Actor | None = None
    session: str = ""
    witness: Witness = "claimed"
    key: str = ""
    trace: str = ""


def asking_of(request: Request) -> RequestInfo:
    """What the server knows of a request, and what its headers add."""
    access: Access = request.state.access
    return RequestInfo(
        access=access,
        journal=request.state.journal,
        actor=_actor(request.headers.get(ACTOR, ""), access),
        session=request.headers.get(SESSION, "").strip(),
        witness=_witness(request.headers.get(WITNESS, "claimed"), access),
        key=_key(request.headers),
        trace=request.headers.get(TRACE, ""),
    )


def check_scope(request: Request, operation: Operation[..., Any]) -> None:
    """Refuse what the access does not grant. Who showed no credential is asked for one; a person in a browser has shown
    theirs when they logged in."""
    access: Access = request.state.access
    if may_call(access, operation):
        return
    refusal = NotPermitted(
        f'{operation.name} needs the scope "{operation.scope}", which this access does not have.',
        hint="Send a credential that has it: Authorization: Bearer ts_...",
    )
    if request.state.person or "authorization" in request.headers:
        raise refusal
    raise HttpRefusal(refusal, 401, {"www-authenticate": "Bearer"})


def _key(headers: Mapping[str, str]) -> str:
    said = headers.get(KEY)
    if said is None:
        return ""
    if not said.strip():
        raise InvalidArgument("Idempotency-Key is empty.", hint="Give a key, or leave it out.", field="idempotency-key")
    return _unicode(said.strip())


def _actor(said: str, access: Access) -> Actor | None:
    """Who acts: as the header says, a name or JSON with kind and name; else the credential's own."""
    if not said:
        return None
    usual = actor_of(access)
    try:
        told = msgspec.json.decode(said.encode("latin-1"), type=Actor) if said.lstrip().startswith("{") else None
    except (msgspec.DecodeError, UnicodeEncodeError):
        wrong = InvalidArgument(
            "Tallystick-Actor is neither a name nor JSON with kind and name.",
            hint=f"The kinds are: {', '.join(get_args(ActorKind))}.",
            field="actor",
        )
        raise HttpRefusal(wrong, UNPROCESSABLE) from None
    actor = told or Actor(kind=usual.kind if usual else "agent", name=_unicode(said))
    if actor.kind == "person" and "agent" in access.scopes and access.name:
        raise NotPermitted("An agent's credential does not act as a person.", hint="Leave Tallystick-Actor out.")
    return actor


def _unicode(said: str) -> str:
    """A header's bytes are UTF-8 where they can be; the server hands them over as Latin-1."""
    try:
        return said.encode("latin-1").decode()
    except UnicodeError:
        return said


def _witness(said: str, access: Access) -> Witness:
    if said not in get_args(Witness):
        raise not_one_of(said, "witness", get_args(Witness))
    if said == "observed" and not access.observes:
        raise NotPermitted(
            "This access does not let record what was observed.",
            hint="A gateway's or a hook's credential does; what you say yourself is claimed.",
        )
    return "observed" if said == "observed" else "claimed"


# ----------------------------------------------------------------------------------------------------------------------
# From a request to the arguments of its operation. Their types are checked by the operation itself, as at every
# door; what is only text here is read by what the field is.

JOURNAL = "journal"
"""The query parameter that names the journal; it is read before the request comes here."""
_FLAGS = {"true": True, "false": False}


def from_path(place: OperationRoute, found: Mapping[str, str]) -> dict[str, Any]:
    """The arguments in the path."""
    return {
        name: text
        for name, text in found.items()
        if place.fields[name].required or text != NEWEST  # then it is left out: the newest is meant
    }


def from_query(place: OperationRoute, pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
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


def from_body(place: OperationRoute, body: bytes) -> dict[str, Any]:
    """The arguments in the body, one JSON object; no body is an empty one."""
    if not body.strip():
        return {}
    given = canonical_json.parse(body, "body")
    if not isinstance(given, dict):
        raise InvalidArgument(
            "The body is not a JSON object.", hint="Give the arguments as names and values.", field="body"
        )
    for name in place.in_path:
        if name in given:
            raise twice(name)
    numbers = [name for name in given if name in place.fields and _is_number(place.fields[name])]
    return {**given, **{name: _whole(given[name]) for name in numbers}}


def with_key(place: OperationRoute, given: dict[str, Any], key: str) -> dict[str, Any]:
    """The arguments with the key of the header `Idempotency-Key`; reads have none, and need none."""
    if not key or not place.key:
        return given
    if given.get(place.key) not in (None, key):
        differing = InvalidArgument(
            f"{place.key} and Idempotency-Key differ.", hint="Give one of them, or both alike.", field=place.key
        )
        raise HttpRefusal(differing, UNPROCESSABLE)
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
            raise not_one_of(text, field.name, _FLAGS)
        return _FLAGS[text]
    if field.kind == "number":
        return _number(field, text)
    return canonical_json.parse(text, field.name) if field.kind == "json" else text


def _item(field: Field, text: str) -> Any:
    return _number(field, text) if field.items == "number" else text


def _number(field: Field, text: str) -> Any:
    try:
        value = canonical_json.parse(text, field.name)
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
