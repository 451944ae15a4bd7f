"""What all clients of one gateway share: its configuration, its hand in the journal, and the calls under way."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from tallystick.core.errors import TallystickError
from tallystick.gateway.calls.call import ToolCall
from tallystick.gateway.calls.continuation import Unfinished
from tallystick.gateway.calls.request import Requested
from tallystick.gateway.config import Configuration
from tallystick.gateway.io.log import LOG
from tallystick.gateway.io.loop import Loop, Timer
from tallystick.gateway.policy import Policies
from tallystick.gateway.recording.outcomes import Ends
from tallystick.gateway.recording.spool import CallSpool
from tallystick.gateway.recording.writer import JournalWriter
from tallystick.sdk.journal import Journal
from tallystick.sdk.local import Local

if TYPE_CHECKING:
    from tallystick.gateway.client.connection import ClientConnection


# ----------------------------------------------------------------------------------------------------------------------
# What the gateway is handed by who starts it: parts of rooms that it does not know.


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


# ----------------------------------------------------------------------------------------------------------------------

DRAIN_SECONDS = 5.0
PATIENCE = 5.0
"""Seconds to wait for another one who drains."""


class Gateway:
    """One gateway."""

    def __init__(
        self, loop: Loop, configuration: Configuration, caller: Local, env: Mapping[str, str], parts: Parts
    ) -> None:
        self.loop = loop
        self.configuration = configuration
        self.caller = caller
        self.env = env
        self.parts = parts
        self.policies = Policies(configuration)
        self.writer = JournalWriter(loop, caller, env)
        self.questions: dict[tuple[str, str], int] = {}
        """How often a call was asked about before, by execution and effect."""
        self.inherited: dict[tuple[str, str], str] = {}
        """The grants of gateways before this one that were taken up here, by asker and effect."""
        self.unfinished = Unfinished()
        self.spooled = CallSpool(self)
        self.ends = Ends(self)
        self._calls: set[ToolCall] = set()
        self._timer: Timer | None = None
        self._due = float("inf")
        self.fronts: list[ClientConnection] = []
        loop.turn_ends += [self.writer.write, self._flush]
        if parts.drain:
            loop.later(0, self._drain)

    def _flush(self) -> bool:
        """Send what has been written down. Not `any`: each has its turn."""
        return sum(upstream.flush() for connection in self.fronts for upstream in connection.upstreams) > 0

    def say(self, text: str) -> None:
        """Tell whoever reads standard error."""
        LOG.say(text)

    def under_way(self, call: ToolCall) -> None:
        self._calls.add(call)
        if call.deadline < self._due:
            self._watch(call.deadline)

    def finished(self, call: ToolCall) -> None:
        self._calls.discard(call)

    def end_calls(self, why: str) -> None:
        for call in list(self._calls):
            call.leave_behind(why)
        self._calls.clear()
        self.writer.finish()
        self.ends.finish()

    @property
    def busy(self) -> bool:
        return bool(self._calls)

    def note_refusal(self, call: Requested, error: TallystickError) -> None:
        """What was held back is in the journal too."""
        details = {"tool": call.name, "code": error.code}
        self.note(call, "denied", f"{call.name} was not called: {error.message}", details)

    def note(self, call: Requested, event: str, summary: str, details: dict[str, str]) -> None:
        said = {"event": event, "summary": summary[:2000], "details": details}
        self.writer.put(call.local, "record_note", said, self._noted)

    def _noted(self, receipt: Any, error: BaseException | None) -> None:
        if error is not None:
            self.say(f"a note could not be recorded: {error}")

    def _watch(self, due: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._due = due
        self._timer = self.loop.later(max(0.0, due - monotonic()), self._sweep)

    def _sweep(self) -> None:
        """Give up the calls whose time is over."""
        self._due, now = float("inf"), monotonic()
        for call in [each for each in self._calls if each.deadline <= now]:
            self._calls.discard(call)
            call.time_out()
        due = min((call.deadline for call in self._calls), default=float("inf"))
        if due < float("inf"):
            self._watch(due)

    def drain(self, patience: float = PATIENCE) -> None:
        """Have the journal take in what was spooled, if it can be written again: also what hooks have seen, before a
        call is recorded that they may have seen begin."""
        if self.writer.failing:
            self.spooled.left = True
            return
        with suppress(Exception):  # it stays where it is, and the next one tries
            self.spooled.left = True
            if self.parts.drain is None or self.parts.drain(self.caller, patience):
                self.spooled.left = False
                self.spooled.taken_in()

    def _drain(self) -> None:
        if self.writer.patience.ready():
            self.drain(0.0)  # another who drains does the same
        self.loop.later(DRAIN_SECONDS, self._drain)
