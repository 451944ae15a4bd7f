"""What an answer says besides, where its call could not be recorded: a result, an error or a refusal alike."""

from typing import Any

import msgspec
from msgspec import Raw

from tallystick import protocol
from tallystick.protocol.messages import error_of, object_of


def on_result(result: Raw, warning: str) -> Raw:
    """A server's result, with the warning at its end. The rest stays as it came, also numbers that nobody here could
    hold; what is no object has no place for it."""
    if not warning:
        return result
    try:
        found: dict[str, Any] = msgspec.json.decode(result, type=dict[str, Raw])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return result
    try:
        blocks: list[Any] = msgspec.json.decode(found.get("content", Raw(b"[]")), type=list[Raw])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        blocks = []  # a place for it has to be there
    return Raw(msgspec.json.encode({**found, "content": [*blocks, _block(warning)]}))


def on_answer(result: dict[str, Any], warning: str) -> dict[str, Any]:
    """A result that was made here, with the warning at its end."""
    if not warning:
        return result
    content = result.get("content")
    return {**result, "content": [*(content if isinstance(content, list) else ()), _block(warning)]}


def on_error(error: Raw, warning: str) -> Raw | dict[str, Any]:
    """An error of the protocol, which has no other place than its message."""
    if not warning:
        return error
    found = object_of(error) or error_of(protocol.INTERNAL_ERROR, "The server failed.")
    return {**found, "message": f"{found.get('message', '')} Warning: {warning}".strip()}


def _block(warning: str) -> dict[str, str]:
    return {"type": "text", "text": f"Warning: {warning}"}
