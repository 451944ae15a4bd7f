"""Credentials of people: who may decide approvals and erase. An agent has none."""

import os
from base64 import urlsafe_b64encode
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from tallystick.core.entries import CredentialAdded, CredentialRevoked, Entry
from tallystick.core.errors import UnknownHandle, WrongState
from tallystick.core.model import Key, Name
from tallystick.operations.desk import Desk, Sheet, credential_hash, plain
from tallystick.operations.operation import operation
from tallystick.operations.receipts import Receipt
from tallystick.store.port import Credential, View


class CredentialReceipt(Receipt, frozen=True, kw_only=True):
    """`secret` is shown this once, and kept nowhere: only its hash is. A repeated call does not show it again."""

    name: str
    secret: str


class CredentialView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    name: str
    scopes: tuple[str, ...]
    revoked: bool = False


class CredentialList(Struct, frozen=True, kw_only=True):
    credentials: tuple[CredentialView, ...]


@operation("record", "POST /v1/credentials", scope="admin", example={"name": "ada", "scopes": ["approve"]})
def add_credential(
    desk: Desk,
    *,
    name: Name,
    scopes: Annotated[tuple[Literal["approve", "admin"], ...], Meta(min_length=1)] = ("approve", "admin"),
    key: Key | None = None,
) -> CredentialReceipt:
    """Make a credential for a person. Its secret is shown once: keep it where no agent reads.

    The first one of a journal can be made by whoever may write the journal; it is an entry, so that everybody sees
    it. Further ones need a credential with the scope admin.
    """
    secret = "ts_" + urlsafe_b64encode(os.urandom(33)).decode()
    label = desk.name(name)

    def work(sheet: Sheet) -> Entry:
        known = {each.name: each for each in sheet.ledger.credentials()}
        if known:
            desk.require(sheet.ledger, "admin")
        if label in known and not known[label].revoked:
            raise WrongState(f'There is a credential "{label}" already.', hint="Revoke it first, or choose a name.")
        sheet.ledger.keep_credential(Credential(label, credential_hash(secret), tuple(scopes)))
        return sheet.write(CredentialAdded(name=label, scopes=tuple(scopes)))

    def describe(view: View, receipt: Receipt) -> CredentialReceipt:
        return CredentialReceipt(**asdict(receipt), name=label, secret="" if receipt.repeated else secret)

    return desk.record(key, ["credential", name, list(scopes)], work, describe)


@operation("record", "POST /v1/credentials/{name}/revocation", scope="admin", example={"name": "ada"})
def revoke_credential(desk: Desk, *, name: Name, key: Key | None = None) -> Receipt:
    """Make a credential worthless, at once."""

    def work(sheet: Sheet) -> Entry:
        desk.require(sheet.ledger, "admin")
        known = {each.name: each for each in sheet.ledger.credentials()}
        if name not in known or known[name].revoked:
            names = [each.name for each in known.values() if not each.revoked]
            raise UnknownHandle(f'There is no credential "{name}".', hint=f"There are: {', '.join(names[:5])}.")
        admins = [each.name for each in known.values() if not each.revoked and "admin" in each.scopes]
        if admins == [name]:
            raise WrongState(
                f'"{name}" is the last credential with the scope admin.', hint="Add another one first, then revoke it."
            )
        sheet.ledger.keep_credential(replace(known[name], revoked=True))
        return sheet.write(CredentialRevoked(name=name))

    return desk.record(key, ["revoke", name], work, plain)


@operation("read", "GET /v1/credentials", example={})
def list_credentials(desk: Desk) -> CredentialList:
    """Who holds a credential, and for what. Secrets are not kept, so they are not shown."""
    found = desk.read(lambda view: view.credentials())
    return CredentialList(
        credentials=tuple(CredentialView(name=each.name, scopes=each.scopes, revoked=each.revoked) for each in found)
    )
