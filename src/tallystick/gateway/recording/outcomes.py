"""Outcomes of calls on their way into the journal: what was seen is written, however late, in a form that it takes.

An outcome that cannot be written now is tried again until it is. What the journal would never take is left out, and
the outcome stays: that a call has succeeded is worth more than what it said.
"""

from collections import deque
from collections.abc import Callable
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from tallystick.core.errors import StorageUnavailable, TallystickError
from tallystick.core.types import Outcome
from tallystick.sdk.local import Local

if TYPE_CHECKING:
    from tallystick.gateway.gateway import Gateway

RETRY_SECONDS = 2.0
"""How often an outcome that could not be written is tried again."""
OWED = 10_000
"""How many such outcomes are kept."""
LAST_SECONDS = 1.5
"""How long the end of the gateway waits for a journal that another program holds. Clients that end us wait two seconds,
and then send a signal."""
LOOK_SECONDS = 0.05


class End(Struct, kw_only=True):
    """What came of one action, as it is to be recorded. The call itself, with all its arguments, is not kept for it."""

    local: Local
    tool: str
    call_id: str
    said: dict[str, Any]
    spools: bool
    """Whether it may wait in the spool, where nobody here can wait any more."""

    @property
    def action(self) -> str:
        return str(self.said["action_id"])

    def of(self, outcome: Outcome, said: dict[str, Any]) -> "End":
        """Another end of the same action."""
        return replace(self, said={"phase": "end", "action_id": self.action, "outcome": outcome, **said})

    def lighten(self, why: TallystickError) -> bool:
        """Leave out what the journal does not take: JSON such as a NUL, or words too long. Whether there was any."""
        words = f"could not be kept: {why.message}"
        if "result" in self.said:
            del self.said["result"]
            told = self.said.get("error", "")
            self.said["error"] = f"{told} The result {words}".strip()
            return True
        if self.said.get("error", words) == words:
            return False
        self.said["error"] = words
        return True


class Ends:
    """The outcomes that one gateway has to write."""

    def __init__(self, gateway: "Gateway") -> None:
        self._gateway = gateway
        self._owed: deque[End] = deque()
        self._retrying = False

    def put(self, end: End, then: Callable[[BaseException | None], None]) -> None:
        """Write it with the others of this turn, or later; `then` is told what is wrong where that is not done yet. One
        of a call that could not be recorded when it left goes where that is."""
        if not end.action:
            if end.spools:
                self._gateway.spooled.keep(end)
            then(None)
            return

        def ended(receipt: Any, error: BaseException | None) -> None:
            if _is_refused(error) and end.lighten(error):
                self.put(end, then)
                return
            if error is not None and not _is_refused(error):
                self._owe(end)
            then(error)

        self._gateway.writer.put(end.local, "record_action", end.said, ended)

    def finish(self) -> None:
        """The gateway ends. What cannot be written now is spooled where that is wanted; of the rest it is said what was
        seen: to the journal it is in doubt."""
        patience = 0.0 if all(end.spools for end in self._owed) else LAST_SECONDS
        if self._owed and not (self._is_free(patience) and self.catch_up()):
            self._spool()
        for end in self._owed:
            seen = end.said["outcome"]
            self._gateway.say(f"{end.action} is in doubt, though it was seen to be {seen}: that could not be recorded")

    def catch_up(self) -> bool:
        """Try again what could not be written. Whether nothing is left."""
        while self._owed:
            end = self._owed[0]
            try:
                self._gateway.writer.call(end.local, "record_action", end.said)
            except StorageUnavailable:
                return False
            except TallystickError as error:
                if end.lighten(error):
                    continue
                self._gateway.say(f"the outcome of {end.action} is not taken: {error}")
            except Exception:
                return False
            self._owed.popleft()
        return True

    def _owe(self, end: End) -> None:
        """Keep it; until it is written, the action stays open, and so in doubt."""
        if len(self._owed) < OWED:
            self._owed.append(end)
        if not self._retrying:
            self._retrying = True
            self._gateway.loop.later(RETRY_SECONDS, self._retry)

    def _retry(self) -> None:
        can = self._gateway.writer.patience.ready() and not self._gateway.writer.failing
        self._retrying = not (can and self.catch_up())
        if self._retrying:
            self._gateway.loop.later(RETRY_SECONDS, self._retry)

    def _spool(self) -> None:
        self._owed = deque(end for end in self._owed if not (end.spools and self._gateway.spooled.keep(end)))

    def _is_free(self, seconds: float) -> bool:
        """Whether the journal can be written without waiting for another program, or could be in that time."""
        deadline, store = monotonic() + seconds, self._gateway.caller.context.store
        while not store.is_free():
            if monotonic() >= deadline:
                return False
            sleep(LOOK_SECONDS)
        return True


def _is_refused(error: BaseException | None) -> TypeGuard[TallystickError]:
    """Whether the journal does not take it as it is, now or ever."""
    return isinstance(error, TallystickError) and not isinstance(error, StorageUnavailable)
