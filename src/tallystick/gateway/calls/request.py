"""A call that a client has asked for, whether or not it can be made: what it is, who asks, and how it is held back."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tallystick.core.errors import TallystickError
from tallystick.core.model import Effect
from tallystick.core.toolnames import SeenTool, own_name
from tallystick.gateway import never, watched
from tallystick.gateway.names import MAX_NAME
from tallystick.gateway.refusals import followable
from tallystick.protocol.messages import Id

if TYPE_CHECKING:
    from tallystick.gateway.front import Front

SOON = 0.5
"""Seconds that a call waits for another one who drains what hooks have seen."""
CANCELLED = "It was cancelled before it left."


class Requested:
    """A call as it came. `name` is what the journal calls its tool, `shown` what the client calls it."""

    def __init__(self, front: "Front", id: Id, name: str, shown: str, params: dict[str, Any]) -> None:
        self.front = front
        self.hub = front.hub
        self.id = id
        self.name = name
        self.shown = shown
        self.params = params
        self.meta: dict[str, Any] = params["_meta"]
        self.local = self.hub.scribe.local(self.meta, front.client, front.apart)
        self.arguments: dict[str, Any] = {}
        self.effect: Effect = "unsafe"
        self.named = ""
        """The client's id of the call."""

    @property
    def seen(self) -> SeenTool:
        """The tool, by all the names that an agent may have for it."""
        return SeenTool(self.name, self.shown_as, behind=True)

    @property
    def shown_as(self) -> str:
        """What the client calls the tool, where that does not follow from its name."""
        return "" if self.shown == own_name(self.name) else self.shown[:MAX_NAME]

    def reject(self, error: TallystickError, then: Callable[[], None]) -> None:
        """It cannot be made at all. That is told like any refusal; `then` answers it."""
        if self._is_known(lambda: self.reject(error, then)):
            self.hub.note_refusal(self, error)
            never.left(self, f"The gateway could not make it: {error.message}", then)

    def call_off(self) -> None:
        """The client has cancelled it before anything of it was written."""
        if self._is_known(self.call_off):
            self.hub.note(self, "other", f"{self.name} was not called. {CANCELLED}", {"tool": self.name})
            never.left(self, CANCELLED, _nothing)

    def refuse(self, error: TallystickError) -> None:
        """It is not let through."""
        error = followable(error, self.hub.configuration.ours.tools)
        self.hub.note_refusal(self, error)
        told = f"The gateway refused it: {error.message}"
        never.left(self, told, lambda: self.front.answer(self.id, "tools/call", self.front.refusal(error)))

    def _is_known(self, then: Callable[[], None]) -> bool:
        """Whether what hooks have seen of it can be looked up now; else `then` is done when it can."""
        if not self.hub.scribe.patience.ready(self.front.guarded(self.id, then)):
            return False
        self.hub.drain(SOON)
        self.named = watched.id_of(self)
        with suppress(TallystickError):
            self.arguments = self.front.arguments(self.params.get("arguments"))
        return True


def _nothing() -> None:
    """Nobody waits for an answer."""
