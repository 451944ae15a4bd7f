"""The parts of other packages that `__main__` hands to the gateway, since the gateway may not import them."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from msgspec import Struct

from tallystick.core.errors import TallystickError
from tallystick.sdk.journal import Journal
from tallystick.sdk.local import Local

PendingBegin = dict[str, Any]
"""The begin of a call that a gateway has spooled, as `record_action` takes it."""


class EmbeddedServer(Protocol):
    """Tallystick's own MCP server in this process. Its answers go to the callback that it was made with."""

    def take(self, line: bytes) -> None: ...
    def close(self) -> None: ...


Rejection = tuple[int, str, bytes]
"""The response to a request that is rejected: its status, media type and body."""


class HttpGuard(Protocol):
    """Rejects HTTP requests of other machines and of web pages, and bodies that are no MCP message."""

    def check_headers(self, fields: Sequence[tuple[str, str]]) -> Rejection | None: ...
    def check_body(self, body: bytes, *, modern: bool) -> Rejection | None: ...


class Dependencies(Struct, frozen=True, kw_only=True):
    """Functions of other packages. Those that are None switch a feature off, as tests do."""

    make_own_server: Callable[[Local, str, Callable[[bytes], None]], EmbeddedServer]
    """Makes the server of our own tools, from the journal, the profile of tools and the callback for its lines."""

    error_result: Callable[[Local, str, TallystickError], dict[str, Any]]
    """Makes the tool result that reports an error to an agent, from the journal, the profile of tools and the error."""

    spool_call: Callable[[Local, str, dict[str, Any]], None] | None = None
    """Stores the begin or end of a call until the journal can be written. Raises OSError if it cannot."""

    spooled_begins: Callable[[Local], list[PendingBegin]] | None = None
    """Lists the begins in the spool of a journal, of all gateways."""

    lock_spool: Callable[[Local], AbstractContextManager[list[PendingBegin]]] | None = None
    """Lists the same under a lock: meanwhile no other gateway spools."""

    drain_spool: Callable[[Local, float], bool] | None = None
    """Ingests the spool, of hooks too. Waits so many seconds for another drain. Returns whether nothing is left."""

    http_guard: HttpGuard | None = None
    """Checks the requests of clients over HTTP."""

    open_late: Callable[[str, str], Journal] | None = None
    """Makes the journal of a URL and a name whose store cannot be opened yet."""
