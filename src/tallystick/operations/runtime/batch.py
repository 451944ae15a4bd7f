"""record_batch: many records in one commit, all or none."""

import re
from collections.abc import Sequence
from functools import cache
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
            _check_same_length(transaction.ledger, key, records)
        inner = context.in_transaction(transaction.ledger)
        # The request is the batch's: each record gets a key made from it.
        inner.principal = replace(context.principal, request="")
        receipts: list[Receipt] = []
        for position, record in enumerate(records):
            try:
                receipts.append(_record(inner, record, receipts, f"{shared}#{position}" if shared else ""))
            except TallystickError as error:
                error.message = f"records[{position}]: {error.message}"
                raise
        last = receipts[-1]
        repeated = all(receipt.repeated for receipt in receipts)
        return BatchReceipt(seq=last.seq, id=last.id, hash=last.hash, repeated=repeated, receipts=tuple(receipts))

    return context.write(work)


def _check_same_length(view: View, key: str, records: Sequence[Record]) -> None:
    """Raise Conflict if the key was used for a shorter or longer batch."""
    keyed = [index for index, record in enumerate(records) if _has_batch_key(record)]
    is_longer = len({_is_used(view, key, index) for index in (*keyed[:1], *keyed[-1:])}) == 2
    if is_longer or _is_used(view, key, len(records)):
        raise Conflict(
            f'The key "{key}" was used for a batch of {"fewer" if is_longer else "more"} than {len(records)} records.',
            hint="Use a new key for a new batch; the same key repeats the same one.",
            field="key",
        )


def _has_batch_key(record: Record) -> bool:
    """Whether a record gets its key from the batch: it has neither a key of its own nor the id of a call."""
    operation = _catalogue().get(record.operation)
    return operation is not None and {_key_name(operation), "call_id"}.isdisjoint(record.arguments)


def _key_name(operation: Operation[..., Any]) -> str:
    """The name of an operation's key argument."""
    return "idempotency_key" if "idempotency_key" in operation.arguments.__struct_fields__ else "key"


def _is_used(view: View, key: str, index: int) -> bool:
    return view.get(IdempotencyKey, f"{key}#{index}") is not None


@cache
def _catalogue() -> dict[str, Operation[..., Any]]:
    """All operations. They are loaded now, since this module is one of those that the package loads on demand."""
    catalogue: dict[str, Operation[..., Any]] = import_module("tallystick.operations").CATALOGUE
    return catalogue


def _record(context: OperationContext, record: Record, earlier: list[Receipt], key: str) -> Receipt:
    operation = _catalogue().get(record.operation)
    if operation is None or not operation.is_groupable:
        allowed = [each.name for each in _catalogue().values() if each.is_groupable]
        raise not_one_of(record.operation, "operation", allowed, what="a record for a batch")
    arguments = {
        name: _resolved_id(value, earlier) if str(name).endswith("_id") or name == "undoes" else value
        for name, value in record.arguments.items()
    }
    if key:
        arguments.setdefault(_key_name(operation), key)
    receipt: Receipt = operation(context, arguments)
    return receipt


def _resolved_id(value: Any, earlier: list[Receipt]) -> Any:
    """An id of an earlier record in place of `@2`."""
    match = _EARLIER.fullmatch(value) if isinstance(value, str) and value.startswith("@") else None
    if match is None:
        return value
    if int(match[1]) >= len(earlier):
        raise InvalidArgument(f"{value} names no earlier record.", hint="Name one that comes before it in the batch.")
    return earlier[int(match[1])].id
