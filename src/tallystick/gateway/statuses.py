"""What the status of an HTTP answer says of a call, where no message of the protocol came with it."""

from collections.abc import Mapping

import msgspec

from tallystick.protocol.messages import object_of

ACCEPTED = 202
NOT_FOUND = 404
REDIRECTS = (301, 302, 303, 307, 308)
_JSON = "application/json"
_MESSAGES = (_JSON, "text/event-stream")


def is_message(status: int, headers: Mapping[str, str]) -> bool:
    """Whether an answer is one in which a result is to be expected."""
    return 200 <= status < 300 and status != ACCEPTED and _kind(headers).startswith(_MESSAGES)


def may_hold_error(status: int, headers: Mapping[str, str]) -> bool:
    """Whether an error of the protocol may come in it: servers send these with statuses of failure too."""
    return status >= 400 and _kind(headers).startswith(_JSON)


def is_error(body: bytes) -> bool:
    try:
        return "code" in object_of(msgspec.json.decode(body, type=dict[str, msgspec.Raw]).get("error"))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return False


def not_taken(status: int, headers: Mapping[str, str]) -> bool:
    """Whether a server that says this cannot have done what it was asked, by RFC 9110: 401 is that it was not applied,
    403 that it is refused, and both count with the challenge that the protocol wants there, since a tool may fail with
    the status alone; 405 that nothing can be posted, if it tells what can be done instead; 307 and 308 that the
    same is to be asked elsewhere. 301 to 303 may follow upon what was done, and any other status too."""
    if status in (401, 403):
        return "www-authenticate" in headers
    if status == 405:
        return "POST" not in headers.get("allow", "POST").upper()
    return status in (307, 308)


def _kind(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").lower()
