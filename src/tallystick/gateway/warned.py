"""What an answer says besides, where its call could not be recorded: a result, an error or a refusal alike."""

from typing import Any

import msgspec
from msgspec import Raw

from tallystick import protocol
from tallystick.protocol.messages import error_of, object_of


def on_result(result: Raw, warning: str) -> Raw:
    """A server's result, with the warning at its end. What is no object has no place for it."""
    if not warning:
        return result
    found = object_of(result)
    is_empty = bytes(result).strip(b"{} \t\r\n") == b""
    return Raw(msgspec.json.encode(on_answer(found, warning))) if found or is_empty else result


def on_answer(result: dict[str, Any], warning: str) -> dict[str, Any]:
    if not warning:
        return result
    content = result.get("content")
    block = {"type": "text", "text": f"Warning: {warning}"}
    return {**result, "content": [*(content if isinstance(content, list) else ()), block]}


def on_error(error: Raw, warning: str) -> Raw | dict[str, Any]:
    """An error of the protocol, which has no other place than its message."""
    if not warning:
        return error
    found = object_of(error) or error_of(protocol.INTERNAL_ERROR, "The server failed.")
    return {**found, "message": f"{found.get('message', '')} Warning: {warning}".strip()}
