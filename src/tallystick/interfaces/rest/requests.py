"""Who asks, as a request says it, and what its access lets it say."""

from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from msgspec import Struct
from starlette.requests import Request

from tallystick.core.errors import InvalidArgument, NotPermitted, one_of
from tallystick.core.model import Actor, ActorKind, Witness
from tallystick.doors.desks import actor_of
from tallystick.doors.rest.answers import UNPROCESSABLE, Refusal
from tallystick.operations import Operation
from tallystick.operations.access import Access, may

KEY = "idempotency-key"
SESSION = "tallystick-session"
ACTOR = "tallystick-actor"
WITNESS = "tallystick-witness"
TRACE = "traceparent"


class Asking(Struct, frozen=True, kw_only=True):
    """What a request says of itself."""

    access: Access
    journal: str
    actor: Actor | None = None
    session: str = ""
    witness: Witness = "claimed"
    key: str = ""
    trace: str = ""


def asking_of(request: Request) -> Asking:
    """What the server knows of a request, and what its headers add."""
    access: Access = request.state.access
    return Asking(
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
    if may(access, operation):
        return
    refusal = NotPermitted(
        f'{operation.name} needs the scope "{operation.scope}", which this access does not have.',
        hint="Send a credential that has it: Authorization: Bearer ts_...",
    )
    if request.state.person or "authorization" in request.headers:
        raise refusal
    raise Refusal(refusal, 401, {"www-authenticate": "Bearer"})


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
        raise Refusal(wrong, UNPROCESSABLE) from None
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
        raise one_of(said, "witness", get_args(Witness))
    if said == "observed" and not access.observes:
        raise NotPermitted(
            "This access does not let record what was observed.",
            hint="A gateway's or a hook's credential does; what you say yourself is claimed.",
        )
    return "observed" if said == "observed" else "claimed"
