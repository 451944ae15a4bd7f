"""Many records in one commit, all or none."""

import re
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from tallystick.core.errors import Conflict, InvalidArgument, TallystickError, not_one_of
from tallystick.core.state import IdempotencyKey
from tallystick.core.types import Key, Record
from tallystick.operations.runtime.operation import Operation, operation
from tallystick.operations.runtime.operation_context import OperationContext, Transaction
from tallystick.operations.runtime.receipts import BatchReceipt, Receipt
from tallystick.store.interface import View

T = TypeVar("T")

_EARLIER = re.compile(r"@([0-9]{1,5})")


@operation(
    "record",
    "POST /v1/batches",
    example={
        "records": [
            {"operation": "record_execution_start", "arguments": {"title": "Import"}},
            {"operation": "record_action", "arguments": {"phase": "note", "execution_id": "@0", "summary": "hello"}},
        ]
    },
)
def record_batch(
    context: OperationContext,
    *,
    records: Annotated[Sequence[Record], Meta(min_length=1, max_length=10_000)],
    key: Key | None = None,
) -> BatchReceipt:
    """Make many records in one commit, all or none. `@2` as an argument stands for the id that record 2 returned.

    With a key, each record that has none of its own gets one from it, so that the whole can be repeated.
    """
    shared = key or context.principal.request

    def work(transaction: Transaction) -> BatchReceipt:
        if key:
            _check_same(transaction.ledger, key, records)
        inner = context.in_transaction(transaction.ledger)
        inner.principal = replace(
            context.principal, request=""
        )  # it is the batch's; each record gets a key made from it
        receipts: list[Receipt] = []
        for position, record in enumerate(records):
            try:
                receipts.append(_carried_out(inner, record, receipts, f"{shared}#{position}" if shared else ""))
            except TallystickError as error:
                error.message = f"records[{position}]: {error.message}"
                raise
        last = receipts[-1]
        repeated = all(receipt.repeated for receipt in receipts)
        return BatchReceipt(seq=last.seq, id=last.id, hash=last.hash, repeated=repeated, receipts=tuple(receipts))

    return context.write(work)


def _check_same(view: View, key: str, records: Sequence[Record]) -> None:
    """Refuse a batch that is shorter or longer than the one that its key stands for: it was not what was meant."""
    keyed = [place for place, record in enumerate(records) if _is_nameless(record)]
    longer = len({_is_known(view, key, place) for place in (*keyed[:1], *keyed[-1:])}) == 2
    if longer or _is_known(view, key, len(records)):
        raise Conflict(
            f'The key "{key}" was used for a batch of {"fewer" if longer else "more"} than {len(records)} records.',
            hint="Use a new key for a new batch; the same key repeats the same one.",
            field="key",
        )


def _is_nameless(record: Record) -> bool:
    """Whether a record is known by the key of its batch: it has none of its own, and no id of a call."""
    found = _catalogue().get(record.operation)
    return found is not None and {_key_of(found), "call_id"}.isdisjoint(record.arguments)


def _key_of(found: Operation[..., Any]) -> str:
    """What an operation calls its key."""
    return "idempotency_key" if "idempotency_key" in found.arguments.__struct_fields__ else "key"


def _is_known(view: View, key: str, place: int) -> bool:
    return view.get(IdempotencyKey, f"{key}#{place}") is not None


def _catalogue() -> dict[str, Operation[..., Any]]:
    """All operations, loaded now; the package loads them on demand, and this module is one of them."""
    found: dict[str, Operation[..., Any]] = import_module("tallystick.operations").CATALOGUE
    return found


def _carried_out(context: OperationContext, record: Record, earlier: list[Receipt], key: str) -> Receipt:
    found = _catalogue().get(record.operation)
    if found is None or not found.is_groupable:
        allowed = [each.name for each in _catalogue().values() if each.is_groupable]
        raise not_one_of(record.operation, "operation", allowed, what="a record for a batch")
    given = {
        name: _filled(value, earlier) if name.endswith("_id") or name == "undoes" else value
        for name, value in record.arguments.items()
    }
    if key:
        given.setdefault(_key_of(found), key)
    receipt: Receipt = found(context, given)
    return receipt


def _filled(value: Any, earlier: list[Receipt]) -> Any:
    match = _EARLIER.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return value
    if int(match[1]) >= len(earlier):
        raise InvalidArgument(f"{value} names no earlier record.", hint="Name one that comes before it in the batch.")
    return earlier[int(match[1])].id
