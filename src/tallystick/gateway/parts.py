"""What the gateway is handed by who starts it: parts of rooms that it does not know."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol

from msgspec import Struct

from tallystick.calls import Local
from tallystick.core.errors import TallystickError
from tallystick.journal import Journal


class OwnServer(Protocol):
    """Tallystick's own tools as a server in this process: it takes lines, and writes to what it was made with."""

    def take(self, line: bytes) -> None: ...
    def close(self) -> None: ...


class Parts(Struct, frozen=True, kw_only=True):
    """`own` makes a server of our tools, from the way to the journal, the profile of tools, and where its lines go.
    `refusal` is the result of a tool that says an error, from the way to the journal and the profile. `spool` keeps the
    begin or end of a call for the journal to take in later, and raises OSError when it cannot. `waiting` are the begins
    that gateways have left in the spool of a journal; `alone` tells the same, and keeps other gateways from spooling
    meanwhile. `drain` takes in what hooks have spooled, waits so many seconds for another who does, and says whether
    nothing is left. `guard` lets none but programs of this machine reach a web application, and nothing but messages.
    `late` is the journal at a URL, by its name, whose store cannot be opened yet."""

    own: Callable[[Local, str, Callable[[bytes], None]], OwnServer]
    refusal: Callable[[Local, str, TallystickError], dict[str, Any]]
    spool: Callable[[Local, str, dict[str, Any]], None] | None = None
    waiting: Callable[[Local], list[dict[str, Any]]] | None = None
    alone: Callable[[Local], AbstractContextManager[list[dict[str, Any]]]] | None = None
    drain: Callable[[Local, float], bool] | None = None
    guard: Callable[[Any], Any] | None = None
    late: Callable[[str, str], Journal] | None = None
