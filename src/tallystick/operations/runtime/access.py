"""Looks a token up: an unknown, revoked or expired one gives no access, any other its scopes.

In process no credential is needed to read: a process that may read the file may read the journal.
"""

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tallystick.store.interface import Credential, Store

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallystick.operations.runtime.operation import Operation

GRANTS: dict[str, frozenset[str]] = {
    "agent": frozenset({"agent", "read"}),
    "read": frozenset({"read"}),
    "approve": frozenset({"approve", "read"}),
    "audit": frozenset({"audit", "read"}),
    "admin": frozenset({"admin", "audit", "read"}),
    "run": frozenset({"run", "agent", "read"}),
}
"""The scopes of operations that each scope of a credential grants."""


class Access(Struct, frozen=True, kw_only=True):
    """The rights of a token, or of a call from this machine, in one journal; limited to `tasks` if there are any."""

    name: str
    journal: str
    scopes: frozenset[str]
    tasks: tuple[str, ...] = ()
    observes: bool = False
    secret: str = ""


def may_call(access: Access, operation: "Operation[..., Any]", arguments: "Mapping[str, Any] | None" = None) -> bool:
    """Whether one of the scopes grants the operation with these arguments; without them, with any."""
    if is_granted(access.scopes, operation.scope):
        return True
    if not operation.approver or not is_granted(access.scopes, "approve"):
        return False
    return arguments is None or all(arguments.get(name) in values for name, values in operation.approver.items())


def scope_needed(operation: "Operation[..., Any]") -> str:
    """The scope that an operation needs, in words: `agent`, or `approve` with decision=pause, resume."""
    values = [f"{name}={', '.join(values)}" for name, values in operation.approver.items()]
    return f"`{operation.scope}`" + (f", or `approve` with {' and '.join(values)}" if values else "")


def is_granted(scopes: "frozenset[str] | tuple[str, ...]", wanted: str) -> bool:
    return any(wanted in GRANTS.get(scope, ()) for scope in scopes)


def find_access(store: Store, secret: str) -> Access | None:
    """The access of a secret, in whatever journal it is; None when it is unknown, revoked or expired."""
    found = store.credential(credential_hash(secret)) if secret else None
    if found is None:
        return None
    journal, known = found
    if known.revoked or (known.expires and is_expired(known, store.read(journal, lambda view: view.now()))):
        return None
    return Access(
        name=known.name,
        journal=journal,
        scopes=frozenset(known.scopes),
        tasks=known.tasks,
        observes=known.observes,
        secret=secret,
    )


def is_expired(credential: Credential, now: int) -> bool:
    return bool(credential.expires) and credential.expires <= now


def credential_hash(secret: str) -> str:
    """The hash by which a credential is stored. Credentials are long and random, so a plain hash is enough."""
    import hmac  # not needed to record

    # A secret that is not valid text matches nothing, like any other wrong one.
    content = secret.encode(errors="surrogatepass")
    return "h1:" + hmac.digest(b"tallystick credential", content, "sha256").hex()
