"""The state that all clients of one gateway share: configuration, journal writer, spool, and calls under way."""

from collections.abc import Mapping
from time import monotonic
from typing import Protocol

from tallystick.core.errors import TallystickError
from tallystick.core.formats.visible import escape_block
from tallystick.gateway.config import Configuration
from tallystick.gateway.dependencies import Dependencies
from tallystick.gateway.io.log import LOG
from tallystick.gateway.io.loop import Loop, Timer, describe_unexpected, start
from tallystick.gateway.policy.approvals import Approvals
from tallystick.gateway.policy.rulings import Policies
from tallystick.gateway.recording.call_request import CallRequest
from tallystick.gateway.recording.continuations import Continuations
from tallystick.gateway.recording.outcomes import Outcomes
from tallystick.gateway.recording.spool import CallSpool
from tallystick.gateway.recording.writer import JournalWriter
from tallystick.gateway.upstream.server import Upstream
from tallystick.sdk.local import Local

DRAIN_INTERVAL_SECONDS = 5.0
MAX_NOTE_CHARACTERS = 2000


class CallUnderWay(Protocol):
    """A call that was sent to its server and has no answer yet."""

    @property
    def deadline(self) -> float: ...
    def time_out(self) -> None: ...
    def on_gateway_end(self, reason: str) -> None: ...


class ConnectedClient(Protocol):
    """A client, and the servers behind it."""

    upstreams: list[Upstream]

    def close(self) -> None: ...


class Gateway:
    """One gateway."""

    def __init__(
        self,
        loop: Loop,
        configuration: Configuration,
        caller: Local,
        env: Mapping[str, str],
        dependencies: Dependencies,
    ) -> None:
        self.loop = loop
        self.configuration = configuration
        self.caller = caller
        self.env = env
        self.dependencies = dependencies
        self.policies = Policies(configuration)
        self.approvals = Approvals()
        self.writer = JournalWriter(loop, caller, env)
        self.continuations = Continuations(loop)
        self.spool = CallSpool(dependencies, caller, self.writer)
        self.outcomes = Outcomes(loop, self.writer, self.spool)
        self.clients: list[ConnectedClient] = []
        self._calls: set[CallUnderWay] = set()
        self._timer: Timer | None = None
        self._next_deadline = float("inf")
        loop.turn_ends.append(self.writer.commit)
        if dependencies.drain_spool:
            loop.later(0, self._drain_regularly)

    def log(self, text: str) -> None:
        """Write a line to standard error."""
        LOG.log(text)

    def on_sent(self, call: CallUnderWay) -> None:
        """Watch the deadline of a call."""
        self._calls.add(call)
        if call.deadline < self._next_deadline:
            self._watch_deadline(call.deadline)

    def on_answered(self, call: CallUnderWay) -> None:
        self._calls.discard(call)

    def end_calls(self, reason: str) -> None:
        """Record the calls under way as unknown, and everything that is not written yet: the gateway ends."""
        for call in list(self._calls):
            call.on_gateway_end(reason)
        self._calls.clear()
        self.writer.finish()
        self.outcomes.finish()

    @property
    def is_busy(self) -> bool:
        return bool(self._calls)

    def note_refusal(self, call: CallRequest, error: TallystickError) -> None:
        """Record that a call was refused."""
        details = {"tool": call.name, "code": error.code}
        self.note(call, "denied", f"{call.name} was not called: {error.message}", details)

    def note(self, call: CallRequest, event: str, summary: str, details: dict[str, str]) -> None:
        """Record a note with this turn's commit. Nothing waits for it."""
        shown = {name: escape_block(text) for name, text in details.items()}  # no record holds a NUL
        fields = {"event": event, "summary": escape_block(summary)[:MAX_NOTE_CHARACTERS], "details": shown}

        async def record() -> None:
            try:
                await self.writer.record(call.local, "record_note", fields)
            except Exception as error:
                self.log(f"a note could not be recorded: {error}")

        start(record(), lambda error: self.log(describe_unexpected(error)))

    def _watch_deadline(self, deadline: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._next_deadline = deadline
        self._timer = self.loop.later(max(0.0, deadline - monotonic()), self._time_out_calls)

    def _time_out_calls(self) -> None:
        self._next_deadline, now = float("inf"), monotonic()
        for call in [each for each in self._calls if each.deadline <= now]:
            self._calls.discard(call)
            call.time_out()
        deadline = min((call.deadline for call in self._calls), default=float("inf"))
        if deadline < float("inf"):
            self._watch_deadline(deadline)

    def _drain_regularly(self) -> None:
        if self.writer.availability.is_known():
            self.spool.drain(0.0)  # does not wait for another process that drains
        self.loop.later(DRAIN_INTERVAL_SECONDS, self._drain_regularly)
