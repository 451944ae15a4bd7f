"""What all clients of one gateway share: its configuration, its hand in the journal, and the calls under way."""

from collections.abc import Mapping
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from tallystick.calls import Local
from tallystick.core.errors import TallystickError
from tallystick.gateway.configuration import Configuration
from tallystick.gateway.ends import Ends
from tallystick.gateway.log import LOG
from tallystick.gateway.loop import Loop, Timer
from tallystick.gateway.parts import Parts
from tallystick.gateway.policy import Policies
from tallystick.gateway.requested import Requested
from tallystick.gateway.scribe import Scribe
from tallystick.gateway.spooled import Spooled
from tallystick.gateway.toolcall import ToolCall
from tallystick.gateway.unfinished import Unfinished

if TYPE_CHECKING:
    from tallystick.gateway.front import Front

DRAIN_SECONDS = 5.0
PATIENCE = 5.0
"""Seconds to wait for another one who drains."""


class Hub:
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
        self.scribe = Scribe(loop, caller, env)
        self.questions: dict[tuple[str, str], int] = {}
        """How often a call was asked about before, by execution and effect."""
        self.inherited: dict[tuple[str, str], str] = {}
        """The grants of gateways before this one that were taken up here, by asker and effect."""
        self.unfinished = Unfinished()
        self.spooled = Spooled(self)
        self.ends = Ends(self)
        self._calls: set[ToolCall] = set()
        self._timer: Timer | None = None
        self._due = float("inf")
        self.fronts: list[Front] = []
        loop.turn_ends += [self.scribe.write, self._flush]
        if parts.drain:
            loop.later(0, self._drain)

    def _flush(self) -> bool:
        """Send what has been written down. Not `any`: each has its turn."""
        return sum(upstream.flush() for front in self.fronts for upstream in front.upstreams) > 0

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
        self.scribe.finish()
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
        self.scribe.put(call.local, "record_note", said, self._noted)

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
        if self.scribe.failing:
            self.spooled.left = True
            return
        with suppress(Exception):  # it stays where it is, and the next one tries
            self.spooled.left = True
            if self.parts.drain is None or self.parts.drain(self.caller, patience):
                self.spooled.left = False
                self.spooled.taken_in()

    def _drain(self) -> None:
        if self.scribe.patience.ready():
            self.drain(0.0)  # another who drains does the same
        self.loop.later(DRAIN_SECONDS, self._drain)
