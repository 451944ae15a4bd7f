"""What a credential grants to whoever shows it at a door. In process nobody shows one to read: who may read the
file may read the file."""

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tallystick.store.interface import Credential, Store

if TYPE_CHECKING:
    from tallystick.operations.runtime.operation import Operation

GRANTS: dict[str, frozenset[str]] = {
    "agent": frozenset({"agent", "read"}),
    "read": frozenset({"read"}),
    "approve": frozenset({"approve", "read"}),
    "audit": frozenset({"audit", "read"}),
    "admin": frozenset({"admin", "audit", "read"}),
}
"""What each scope of a credential lets do, in the scopes of operations."""


class Access(Struct, frozen=True, kw_only=True):
    """What a token, or being on this machine, grants: in one journal, and if there are `tasks` only of those."""

    name: str
    journal: str
    scopes: frozenset[str]
    tasks: tuple[str, ...] = ()
    observes: bool = False
    secret: str = ""


def may_call(access: Access, operation: "Operation[..., Any]") -> bool:
    """Whether one of the scopes grants what the operation needs."""
    return is_granted(access.scopes, operation.scope)


def is_granted(scopes: "frozenset[str] | tuple[str, ...]", wanted: str) -> bool:
    return any(wanted in GRANTS.get(scope, ()) for scope in scopes)


def find_access(store: Store, secret: str) -> Access | None:
    """Whose secret it is, in whatever journal; None when it is nobody's, or revoked, or has expired."""
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
    """Credentials are long and random, so that a plain hash is enough to keep them by."""
    import hmac  # recording needs none

    # What is no text is nobody's: it is not told apart from what is merely wrong.
    content = secret.encode(errors="surrogatepass")
    return "h1:" + hmac.digest(b"tallystick credential", content, "sha256").hex()
