"""Credentials: what their holders may do in a journal and through a server. An agent's credential never decides."""

import os
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from tallystick.core.entries import CredentialAdded, CredentialRevoked, Entry
from tallystick.core.errors import InvalidArgument, UnknownHandle, WrongState
from tallystick.core.formats import times
from tallystick.core.types import Key, Name
from tallystick.operations.runtime.access import credential_hash, is_expired, is_granted
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Transaction, receipt_only
from tallystick.operations.runtime.receipts import Receipt
from tallystick.store.interface import Credential, View


class CredentialReceipt(Receipt, frozen=True, kw_only=True):
    """`secret` is shown this once: only its hash is stored. A repeated call does not show it again."""

    name: str
    secret: str


class CredentialView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    name: str
    scopes: tuple[str, ...]
    expires: str = ""
    expired: bool = False
    tasks: tuple[str, ...] = ()
    observes: bool = False
    revoked: bool = False


class CredentialList(Struct, frozen=True, kw_only=True):
    credentials: tuple[CredentialView, ...]


@operation("record", "POST /v1/credentials", scope="admin", example={"name": "ada"})
def add_credential(
    context: OperationContext,
    *,
    name: Name,
    scopes: Annotated[
        tuple[Literal["agent", "read", "approve", "audit", "admin", "run"], ...],
        Meta(min_length=1, description="The scopes of its holder, besides reading; agent goes with no other of them"),
    ] = ("approve", "admin"),
    expires: Annotated[str, Meta(description="When it ends: a time, or a span such as 30d")] = "",
    tasks: Annotated[
        tuple[Name, ...], Meta(max_length=100, description="With read and approve: only what belongs to these tasks")
    ] = (),
    observes: Annotated[
        bool, Meta(description="With agent or run: for a gateway, a hook or a runner, which see the calls")
    ] = False,
    key: Key | None = None,
) -> CredentialReceipt:
    """Make a credential, which is also the token that a server asks for. Its secret is shown once.

    Store a person's secret where no agent can read it. The first credential for a person has the scope admin, and any
    user who can write to the journal can create it; that is recorded. Every further one needs such a credential.
    """
    _check_scopes(scopes, tasks, observes)
    secret = "ts_" + urlsafe_b64encode(os.urandom(33)).decode()
    label = context.masked_name(name)
    added = CredentialAdded(
        name=label,
        secret_hash=credential_hash(secret),
        scopes=tuple(dict.fromkeys(scopes)),
        tasks=tuple(dict.fromkeys(map(context.masked_name, tasks))),
        observes=observes,
    )

    def work(transaction: Transaction) -> Entry:
        known = {each.name: each for each in transaction.ledger.credentials()}
        maker = _require_maker(transaction, known.values(), scopes)
        if label in known and not known[label].revoked:
            raise WrongState(f'There is a credential "{label}" already.', hint="Revoke it first, or choose a name.")
        made = replace(added, expires=_expiry(expires, transaction.ledger.now()))
        if made.expires and "admin" in scopes and not _lasting_admins(known.values()):
            raise WrongState(
                "The first credential with the scope admin cannot expire: nobody could make another one.",
                hint="Make one that does not expire, then those that do.",
            )
        return transaction.write(replace(made, credential=maker))

    def describe(view: View, receipt: Receipt) -> CredentialReceipt:
        return CredentialReceipt(**asdict(receipt), name=label, secret="" if receipt.repeated else secret)

    content = ["credential", name, list(scopes), expires, list(tasks), observes]
    return context.record(key, content, work, describe)


def _require_maker(transaction: Transaction, known: Iterable[Credential], scopes: tuple[str, ...]) -> str:
    """The name of the credential that allows to make it, or "" for a first one.

    Raises if there is none, or if it is a first one after which nobody could make or revoke any.
    """
    held = {scope for each in known for scope in ("admin", "approve") if is_granted(each.scopes, scope)}
    if held:  # journals of an earlier version may have an approver and no admin
        return transaction.context.require(transaction.ledger, "admin" if "admin" in held else "approve")
    if "approve" in scopes and "admin" not in scopes:
        raise WrongState(
            "The first person's credential of a journal needs the scope admin: else nobody could make or revoke any.",
            hint="Make one with the scopes approve and admin, as it is when none are named; then those with less.",
        )
    return ""


def _check_scopes(scopes: tuple[str, ...], tasks: tuple[str, ...], observes: bool) -> None:
    """Raise for scopes that would let an agent decide, or that cannot be limited to tasks."""
    not_for_agents = [scope for scope in scopes if scope not in ("agent", "read")]
    if "agent" in scopes and not_for_agents:
        raise InvalidArgument(
            f"An agent's credential cannot also have the scope {not_for_agents[0]}.",
            hint="Make two: one for the agent, and one for the person, which no agent reads.",
            field="scopes",
        )
    not_for_tasks = [scope for scope in scopes if scope not in ("read", "approve")]
    if tasks and not_for_tasks:
        raise InvalidArgument(
            f"A credential for some tasks cannot have the scope {not_for_tasks[0]}, which is for the whole journal.",
            hint="Give tasks with the scopes read and approve.",
            field="tasks",
        )
    if observes and not {"agent", "run"} & set(scopes):
        raise InvalidArgument(
            "observes needs the scope agent or run: this credential could not record anything.",
            hint="Give it with the scope agent, or for a runner with run.",
            field="observes",
        )


def _expiry(expires: str, now: int) -> int:
    end = times.resolve(expires, "expires", start=now) if expires else 0
    if expires and end <= now:
        raise InvalidArgument(
            f'expires "{expires}" is in the past.', hint="Give a time in the future.", field="expires"
        )
    return end


def _lasting_admins(known: Iterable[Credential]) -> list[str]:
    """The holders of the scope admin that do not expire."""
    return [each.name for each in known if "admin" in each.scopes and not each.revoked and not each.expires]


@operation("record", "POST /v1/credentials/{name}/revocation", scope="admin", example={"name": "ada"})
def revoke_credential(context: OperationContext, *, name: Name, key: Key | None = None) -> Receipt:
    """Make a credential worthless, at once."""

    def work(transaction: Transaction) -> Entry:
        maker = context.require(transaction.ledger, "admin")
        known = {each.name: each for each in transaction.ledger.credentials()}
        if name not in known or known[name].revoked:
            names = [each.name for each in known.values() if not each.revoked]
            raise UnknownHandle(f'There is no credential "{name}".', hint=f"There are: {', '.join(names[:5])}.")
        if _lasting_admins(known.values()) == [name]:
            raise WrongState(
                f'"{name}" is the last credential with the scope admin that does not expire.',
                hint="Add another one first, then revoke it.",
            )
        return transaction.write(CredentialRevoked(name=name, credential=maker))

    return context.record(key, ["revoke", name], work, receipt_only)


@operation("read", "GET /v1/credentials", scope="audit", example={})
def list_credentials(context: OperationContext) -> CredentialList:
    """The credentials, with their holders and scopes. Secrets are not kept, so they are not shown."""
    return context.read(
        lambda view: CredentialList(
            credentials=tuple(_credential_view(each, view.now()) for each in view.credentials())
        )
    )


def _credential_view(known: Credential, now: int) -> CredentialView:
    return CredentialView(
        name=known.name,
        scopes=known.scopes,
        expires=times.iso(known.expires) if known.expires else "",
        expired=is_expired(known, now),
        tasks=known.tasks,
        observes=known.observes,
        revoked=known.revoked,
    )
