"""What is kept of a result, and whether what was kept can be answered again.

A result is kept as it came, with a keyed digest of it. One that was masked, cut or erased does not fit its digest any
more, and is never answered again: nobody would see that it is not what came.
"""

import codecs
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Raw

from tallystick.core.errors import StorageUnavailable
from tallystick.operations.runtime.operation_context import OperationContext

KEPT_BYTES = 64 << 10
"""Results up to this size are kept whole."""
BEGINNING = 2_000
"""Letters that are kept of a longer one."""
MAX_CHARACTERS_SCANNED = 256 << 10
"""Letters that are searched for secrets before a longer text is cut."""
EDGE = 8 << 10
"""Letters at the end of these in which half a secret may stand."""
ARGUMENT_BYTES = 256 << 10
PIECE = 1 << 20
"""Bytes of a long result that are read at once."""
DIGEST = "tallystick/digest"
RECORDED = "tallystick/recorded"


def stored_result(context: OperationContext, raw: Raw) -> Any:
    """A result as it goes into the journal."""
    if len(memoryview(raw)) > KEPT_BYTES:
        return _cut(context, memoryview(raw))
    try:
        found = msgspec.json.decode(raw)
        if isinstance(found, dict):
            meta = found.get("_meta")
            told = {name: value for name, value in meta.items() if name != DIGEST} if isinstance(meta, dict) else {}
            bare = {name: value for name, value in found.items() if name != "_meta"}
            return {**bare, "_meta": {**told, DIGEST: _digest(context, _whole(bare, told))}}
    except Exception:  # JSON that the journal does not take: it is kept as text
        return _cut(context, memoryview(raw))
    return found


def stored_arguments(context: OperationContext, arguments: dict[str, Any], size: int) -> dict[str, Any]:
    """Arguments as they go into the journal: long ones are cut, and their effect key is taken from the whole."""
    return arguments if size <= ARGUMENT_BYTES else _cut(context, memoryview(msgspec.json.encode(arguments)))


def arguments_as_text(context: OperationContext, raw: Raw) -> dict[str, Any]:
    """Arguments that cannot be kept as they are."""
    return _cut(context, memoryview(raw))


def replayable_result(context: OperationContext, kept: Any) -> dict[str, Any] | None:
    """The result that can be answered again, or None."""
    if not isinstance(kept, dict) or not isinstance(kept.get("_meta"), dict):
        return None
    meta = dict(kept["_meta"])
    digest = meta.pop(DIGEST, "")
    bare = {name: value for name, value in kept.items() if name != "_meta"}
    whole = _whole(bare, meta)
    return whole if digest and context.digest(whole) == digest and not bare.get("isError") else None


def mark_as_recorded(result: dict[str, Any], action: str, once_more: str) -> dict[str, Any]:
    """A recorded result that says of itself that it is one, and what has to be done to have it `once_more`."""
    said = (
        f"This is the recorded result of {action}: the call was not made again. "
        f"If it has to be, {once_more}, and call again."
    )
    content = result.get("content")
    blocks = [*(content if isinstance(content, list) else ()), {"type": "text", "text": said}]
    return {**result, "content": blocks, "_meta": {**result.get("_meta", {}), RECORDED: {"action_id": action}}}


def stored_beginning(context: OperationContext, text: str) -> str:
    """The beginning of a text as it may be kept: masked first and cut then, or half a secret would be left, which
    nobody knows for one."""
    masked = context.masker.mask_text(text[:MAX_CHARACTERS_SCANNED])
    return (masked if len(text) <= MAX_CHARACTERS_SCANNED else masked[:-EDGE])[:BEGINNING]


def _cut(context: OperationContext, raw: memoryview) -> dict[str, Any]:
    """What is kept of something long: it is read piece by piece, so that there is never a second one of it."""
    first = codecs.getincrementaldecoder("utf-8")("replace").decode(raw[: 4 * (MAX_CHARACTERS_SCANNED + 1)])
    try:
        digest = context.digest_text(_pieces(raw))
    except StorageUnavailable:
        digest = ""
    return {"truncated": True, "bytes": len(raw), "digest": digest, "beginning": stored_beginning(context, first)}


def _pieces(raw: memoryview) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for start in range(0, len(raw), PIECE):
        yield decoder.decode(raw[start : start + PIECE], final=start + PIECE >= len(raw))


def _digest(context: OperationContext, value: Any) -> str:
    """Nothing as long as the journal's secret cannot be read: then what is kept is never answered again."""
    try:
        return context.digest(value)
    except StorageUnavailable:
        return ""


def _whole(bare: dict[str, Any], meta: dict[str, Any]) -> dict[str, Any]:
    """What the digest is taken over: `_meta` too, which may be masked like the rest."""
    return {**bare, "_meta": meta} if meta else bare
