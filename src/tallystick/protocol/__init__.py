"""The fixed parts of MCP: versions, error codes, and the fields around a result in each generation of the protocol.

Two generations are supported; the code calls them eras. In the handshake era, up to 2025-11-25, a connection begins
with a handshake. In the modern era, from 2026-07-28, there is no session: every request carries its version and the
client's capabilities in `_meta`, and a result names the server and how long to cache it.
"""

from typing import Any

from tallystick.core.formats.visible import escape_block
from tallystick.version import __version__

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN_VERSIONS = ("2026-07-28",)

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002
"""Up to 2025-11-25; from 2026-07-28 it is INVALID_PARAMS."""
UNSUPPORTED_VERSION = -32022

_PREFIX = "io.modelcontextprotocol/"
VERSION_KEY = _PREFIX + "protocolVersion"
CLIENT_KEY = _PREFIX + "clientInfo"
CAPABILITIES_KEY = _PREFIX + "clientCapabilities"
SERVER_KEY = _PREFIX + "serverInfo"
SUBSCRIPTION_KEY = _PREFIX + "subscriptionId"

SERVER: dict[str, Any] = {"name": "tallystick", "title": "Tallystick", "version": __version__}

HOUR_MILLISECONDS = 3_600_000
CACHE_HINTS: dict[str, tuple[int, str]] = {
    "server/discover": (HOUR_MILLISECONDS, "public"),
    "tools/list": (HOUR_MILLISECONDS, "public"),
    "prompts/list": (HOUR_MILLISECONDS, "public"),
    "resources/templates/list": (HOUR_MILLISECONDS, "public"),
    "resources/list": (0, "private"),
    "resources/read": (0, "private"),
}
"""For how many milliseconds a result may be cached, and by whom. The journal may change at any moment."""


CLIENT_REQUESTS = frozenset(
    (
        *("initialize", "ping", "server/discover", "logging/setLevel", "completion/complete", "subscriptions/listen"),
        *("tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list", "resources/templates/list"),
        *("resources/read", "resources/subscribe", "resources/unsubscribe"),
        *("tasks/list", "tasks/get", "tasks/result", "tasks/cancel", "tasks/update"),
    )
)
"""What a client may request, in either era."""
CLIENT_NOTIFICATIONS = frozenset(
    (
        *("notifications/initialized", "notifications/cancelled", "notifications/progress"),
        *("notifications/roots/list_changed", "notifications/tasks/status"),
    )
)
MCP_METHODS = frozenset(each.casefold() for each in CLIENT_REQUESTS | CLIENT_NOTIFICATIONS)
"""Both, as they look without case."""


class ProtocolError(Exception):
    """A request that cannot be answered with a result."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def as_dict(self) -> dict[str, Any]:
        error: dict[str, Any] = {"code": self.code, "message": escape_block(self.message)}
        if self.data is not None:
            error["data"] = self.data
        return error


def capabilities(*, modern: bool) -> dict[str, Any]:
    """The capabilities of this server. Its tools and prompts never change while it runs."""
    return {
        "tools": {"listChanged": False},
        "prompts": {"listChanged": False},
        "resources": {"subscribe": True, "listChanged": modern},
        "completions": {},
    }


def initialize_result(params: dict[str, Any], instructions: str) -> tuple[str, dict[str, Any]]:
    """The version that a handshake agrees on, and the result of `initialize`."""
    requested = params.get("protocolVersion")
    version = requested if requested in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
    return str(version), {
        "protocolVersion": version,
        "capabilities": capabilities(modern=False),
        "serverInfo": SERVER,
        "instructions": instructions,
    }


def discover_result(instructions: str) -> dict[str, Any]:
    """The result of `server/discover`."""
    return {
        "supportedVersions": list(MODERN_VERSIONS),
        "capabilities": capabilities(modern=True),
        "instructions": instructions,
    }


def check_envelope(meta: dict[str, Any]) -> None:
    """Raise ProtocolError for a modern request without its required fields, or of an unknown version."""
    missing = [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in meta]
    if missing:
        raise ProtocolError(INVALID_PARAMS, f"params._meta lacks {', '.join(missing)}.")
    version = meta[VERSION_KEY]
    if not isinstance(version, str):
        raise ProtocolError(INVALID_PARAMS, f"{VERSION_KEY} is not text.")
    if version not in MODERN_VERSIONS:
        data = {"supported": list(MODERN_VERSIONS), "requested": version[:80]}
        raise ProtocolError(UNSUPPORTED_VERSION, "Unsupported protocol version.", data)


def add_modern_fields(method: str, result: dict[str, Any]) -> dict[str, Any]:
    """A result with the fields that a modern request requires."""
    complete = {"resultType": "complete", **result}
    if method in CACHE_HINTS:
        complete["ttlMs"], complete["cacheScope"] = CACHE_HINTS[method]
    complete["_meta"] = {**result.get("_meta", {}), SERVER_KEY: SERVER}
    return complete
