"""Records the outcomes of calls: retries until the journal takes them, and drops content that it never takes.

An outcome is recorded however late. If the journal rejects its content, the outcome is recorded without: that a call
has succeeded matters more than its result.
"""

from collections import deque
from time import monotonic, sleep
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from tallystick.core.errors import StorageUnavailable, TallystickError
from tallystick.core.types import Outcome
from tallystick.gateway.io.log import LOG
from tallystick.gateway.io.loop import Loop
from tallystick.gateway.recording.writer import JournalWriter
from tallystick.sdk.local import Local

RETRY_SECONDS = 2.0
"""How often an outcome that could not be written is tried again."""
MAX_UNWRITTEN = 10_000
"""How many such outcomes are kept."""
LAST_WAIT_SECONDS = 1.5
"""How long the gateway's end waits for a locked journal. Clients that end us wait two seconds, then send a signal."""
POLL_SECONDS = 0.05


class CallEnd(Struct, kw_only=True):
    """The end record of one action. It does not hold the call itself, whose arguments may be large."""

    local: Local
    tool: str
    call_id: str
    fields: dict[str, Any]
    may_spool: bool
    """Whether it goes into the spool if the gateway ends before it could be written."""

    @property
    def action(self) -> str:
        return str(self.fields["action_id"])

    def with_outcome(self, outcome: Outcome, fields: dict[str, Any]) -> "CallEnd":
        """Another end of the same action."""
        return replace(self, fields={"phase": "end", "action_id": self.action, "outcome": outcome, **fields})

    def drop_content(self, error: TallystickError) -> bool:
        """Remove content that the journal rejects, such as a NUL or a text too long. Returns whether any was left."""
        reason = f"could not be kept: {error.message}"
        if "result" in self.fields:
            del self.fields["result"]
            before = self.fields.get("error", "")
            self.fields["error"] = f"{before} The result {reason}".strip()
            return True
        if self.fields.get("error", reason) == reason:
            return False
        self.fields["error"] = reason
        return True


class EndSpool(Protocol):
    """Stores ends that the journal cannot take now. Returns whether one was stored."""

    def store_end(self, end: CallEnd) -> bool: ...


class Outcomes:
    """The outcomes that one gateway has to record."""

    def __init__(self, loop: Loop, writer: JournalWriter, spool: EndSpool) -> None:
        self._loop = loop
        self._writer = writer
        self._spool = spool
        self._unwritten: deque[CallEnd] = deque()
        self._is_retrying = False

    async def record(self, end: CallEnd) -> Exception | None:
        """Record an end with this turn's commit. Returns the error if it is not in the journal yet.

        The end of a call whose begin could not be recorded goes into the spool, where that begin is.
        """
        if not end.action:
            if end.may_spool:
                self._spool.store_end(end)
            return None
        while True:
            try:
                await self._writer.record(end.local, "record_action", end.fields)
                return None
            except TallystickError as error:
                if isinstance(error, StorageUnavailable):
                    self._retry_later(end)
                    return error
                if not end.drop_content(error):
                    return error
            except Exception as error:
                self._retry_later(end)
                return error

    def finish(self) -> None:
        """Write what is left as the gateway ends. Spool what cannot be written, and log what cannot be spooled."""
        wait = 0.0 if all(end.may_spool for end in self._unwritten) else LAST_WAIT_SECONDS
        if self._unwritten and not (self._becomes_free(wait) and self._write_all()):
            self._unwritten = deque(
                end for end in self._unwritten if not (end.may_spool and self._spool.store_end(end))
            )
        for end in self._unwritten:
            LOG.log(f"{end.action} is in doubt: its outcome {end.fields['outcome']} was seen but could not be recorded")

    def _write_all(self) -> bool:
        """Try again what could not be written. Returns whether nothing is left."""
        while self._unwritten:
            end = self._unwritten[0]
            try:
                self._writer.call(end.local, "record_action", end.fields)
            except StorageUnavailable:
                return False
            except TallystickError as error:
                if end.drop_content(error):
                    continue
                LOG.log(f"the journal rejects the outcome of {end.action}: {error}")
            except Exception:
                return False
            self._unwritten.popleft()
        return True

    def _retry_later(self, end: CallEnd) -> None:
        """Keep an end. Until it is written the action stays open, and so in doubt."""
        if len(self._unwritten) < MAX_UNWRITTEN:
            self._unwritten.append(end)
        if not self._is_retrying:
            self._is_retrying = True
            self._loop.later(RETRY_SECONDS, self._retry)

    def _retry(self) -> None:
        is_writable = self._writer.availability.is_known() and not self._writer.failure
        self._is_retrying = not (is_writable and self._write_all())
        if self._is_retrying:
            self._loop.later(RETRY_SECONDS, self._retry)

    def _becomes_free(self, seconds: float) -> bool:
        """Whether the journal can be written without waiting for another program, now or within some seconds."""
        deadline, store = monotonic() + seconds, self._writer.context.store
        while not store.is_free():
            if monotonic() >= deadline:
                return False
            sleep(POLL_SECONDS)
        return True
