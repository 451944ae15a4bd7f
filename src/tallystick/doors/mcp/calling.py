"""One request that came through MCP: who asks, in which session, and how the operations are reached."""

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tallystick.calls import Local
from tallystick.core.errors import NotPermitted
from tallystick.core.model import Actor
from tallystick.operations import Operation
from tallystick.operations.desk import Asker
from tallystick.protocol.meta import call_of, plain, thread_of, trace_of

if TYPE_CHECKING:
    from tallystick.operations.access import Access


class Cancelled(Exception):
    """The client does not want the answer any more."""


class Asking(Struct, frozen=True, kw_only=True):
    """What a request says of itself, on whichever transport. With `access` it came to a server that answers for
    several journals: what it may do there, and in which `journal`."""

    request_id: str | int | None = None
    meta: Mapping[str, Any] = {}
    client: str = ""
    connection: str = ""
    modern: bool = False
    progress: Callable[[int, int], None] | None = None
    access: "Access | None" = None
    journal: str = ""

    @property
    def thread(self) -> str:
        """The conversation, if the client tells it."""
        return thread_of(self.meta)

    @property
    def call_id(self) -> str:
        """The model's own id of this call, if the client tells it."""
        return call_of(self.meta)

    @property
    def trace(self) -> str:
        return trace_of(self.meta)

    def asker(self, settled: Asker, *, session: str = "", conversation: str = "", request: str = "") -> Asker:
        """Who asks, for the journal: by the name of the credential, else by the name that the client gives itself."""
        name = plain(self.client)
        is_known = self.access is not None and self.access.name
        return replace(
            settled,
            actor=Actor(name=name) if name and not is_known else settled.actor,
            session=session,
            conversation=conversation,
            client=name,
            request=request,
            trace=self.trace,
        )

    def sent(self, session: str, tool: str, arguments: Any) -> str:
        """What is the same when a request is sent again, in a session that one client has for itself.

        The content is part of it: a client that begins to count anew says something else under an old number.
        """
        number = self.call_id or f"{self.connection} {self.request_id!r}"
        content = msgspec.json.encode([session, number, tool, arguments], order="sorted")
        return "rq." + blake2b(content, digest_size=12).hexdigest()


class Calling(Struct, frozen=True, kw_only=True):
    """The way to the operations for one request. `listed` are the tools that the client sees; all, when empty. Who
    has an `access` may do what it grants, and nothing else."""

    caller: Local
    access: "Access | None" = None
    progress: Callable[[int, int], None] | None = None
    listed: frozenset[str] = frozenset()

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        """Carry it out. A long read tells its progress, and ends when the client has cancelled it."""
        if self.access is not None:
            from tallystick.operations.access import may

            if not may(self.access, operation):
                raise beyond(self.access)
        if self.progress is not None:
            self.caller.desk.progress = self.progress
        return self.caller.call(operation, arguments)


def beyond(access: "Access") -> NotPermitted:
    """The error for what an access does not grant."""
    held = ", ".join(sorted(access.scopes))
    return NotPermitted(
        f"Your token does not permit this: it grants {held}.", hint="Ask whoever gave it to you for another one."
    )
