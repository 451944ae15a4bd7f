"""Turns arguments and results into what the journal stores, and decides whether a stored result can be returned again.

A result is stored as it came, with a keyed digest. One that was masked, cut or erased no longer matches its digest, and
is never returned again: its receiver could not see that it is incomplete.
"""

import codecs
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Raw

from tallystick.core.errors import StorageUnavailable
from tallystick.core.redaction.sanitize import mask_and_cut
from tallystick.operations.runtime.operation_context import OperationContext

RESULT_BYTES = 64 << 10
"""A result up to this size is stored whole."""
ARGUMENT_BYTES = 256 << 10
"""Arguments up to this size are stored whole."""
BEGINNING_CHARACTERS = 2_000
"""Stored of a longer one."""
SCANNED_CHARACTERS = 256 << 10
"""Searched for secrets before a longer text is cut."""
MARGIN_CHARACTERS = 8 << 10
"""Dropped at the end of these: half a secret may stand there."""
CHUNK_BYTES = 1 << 20
"""Bytes of a long result that are decoded at once."""
DIGEST = "tallystick/digest"
RECORDED = "tallystick/recorded"


def stored_result(context: OperationContext, raw: Raw) -> Any:
    """A result as it goes into the journal."""
    if len(memoryview(raw)) > RESULT_BYTES:
        return _cut(context, memoryview(raw))
    try:
        result = msgspec.json.decode(raw)
        if not isinstance(result, dict):
            return result
        meta = result.get("_meta")
        others = {name: value for name, value in meta.items() if name != DIGEST} if isinstance(meta, dict) else {}
        bare = {name: value for name, value in result.items() if name != "_meta"}
        return {**bare, "_meta": {**others, DIGEST: _digest(context, _digested(bare, others))}}
    except Exception:  # JSON that the journal does not take: it is stored as text
        return _cut(context, memoryview(raw))


def stored_arguments(context: OperationContext, arguments: dict[str, Any], size: int) -> dict[str, Any]:
    """Arguments as they go into the journal. Long ones are cut; their effect key is taken from the whole."""
    return arguments if size <= ARGUMENT_BYTES else _cut(context, memoryview(msgspec.json.encode(arguments)))


def arguments_as_text(context: OperationContext, raw: Raw) -> dict[str, Any]:
    """Arguments that the journal cannot store as JSON."""
    return _cut(context, memoryview(raw))


def replayable_result(context: OperationContext, stored: Any) -> dict[str, Any] | None:
    """The result if it can be returned again; None if it was an error, or does not match its digest."""
    if not isinstance(stored, dict) or not isinstance(stored.get("_meta"), dict):
        return None
    meta = dict(stored["_meta"])
    digest = meta.pop(DIGEST, "")
    bare = {name: value for name, value in stored.items() if name != "_meta"}
    result = _digested(bare, meta)
    return result if digest and context.digest(result) == digest and not bare.get("isError") else None


def mark_as_recorded(result: dict[str, Any], action: str, how_to_repeat: str) -> dict[str, Any]:
    """A recorded result that says that it is one, and what to do to make the call again."""
    note = (
        f"This is the recorded result of {action}: the call was not made again. "
        f"If it has to be, {how_to_repeat}, and call again."
    )
    content = result.get("content")
    blocks = [*(content if isinstance(content, list) else ()), {"type": "text", "text": note}]
    return {**result, "content": blocks, "_meta": {**result.get("_meta", {}), RECORDED: {"action_id": action}}}


def stored_beginning(context: OperationContext, text: str) -> str:
    """The beginning of a text, masked before it is cut."""
    return mask_and_cut(
        text,
        BEGINNING_CHARACTERS,
        context.recording_masker,
        scan=SCANNED_CHARACTERS,
        margin=MARGIN_CHARACTERS,
        at_word=False,
    )


def _cut(context: OperationContext, raw: memoryview) -> dict[str, Any]:
    """The size, digest and beginning of something long, read in chunks so that it is never copied whole."""
    first = codecs.getincrementaldecoder("utf-8")("replace").decode(raw[: 4 * (SCANNED_CHARACTERS + 1)])
    try:
        digest = context.digest_text(_chunks(raw))
    except StorageUnavailable:
        digest = ""
    return {"truncated": True, "bytes": len(raw), "digest": digest, "beginning": stored_beginning(context, first)}


def _chunks(raw: memoryview) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for start in range(0, len(raw), CHUNK_BYTES):
        yield decoder.decode(raw[start : start + CHUNK_BYTES], final=start + CHUNK_BYTES >= len(raw))


def _digest(context: OperationContext, value: Any) -> str:
    """The keyed digest; empty while the journal's secret cannot be read, so that the result is never returned again."""
    try:
        return context.digest(value)
    except StorageUnavailable:
        return ""


def _digested(bare: dict[str, Any], meta: dict[str, Any]) -> dict[str, Any]:
    """The content that the digest covers: with `_meta`, which may be masked like the rest."""
    return {**bare, "_meta": meta} if meta else bare
