"""A call that a client has asked for, whether or not it can be made: what it is, who asks, and how it is held back."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tallystick.core.errors import TallystickError
from tallystick.core.tools import SeenTool, bare_name
from tallystick.core.types import Effect
from tallystick.gateway.calls import not_sent
from tallystick.gateway.messages import followable
from tallystick.gateway.recording import hooks
from tallystick.gateway.upstream.names import MAX_NAME
from tallystick.protocol.jsonrpc import Id

if TYPE_CHECKING:
    from tallystick.gateway.client.connection import ClientConnection

SOON = 0.5
"""Seconds that a call waits for another one who drains what hooks have seen."""
CANCELLED = "It was cancelled before it left."


class Requested:
    """A call as it came. `name` is what the journal calls its tool, `shown` what the client calls it."""

    def __init__(self, connection: "ClientConnection", id: Id, name: str, shown: str, params: dict[str, Any]) -> None:
        self.connection = connection
        self.gateway = connection.gateway
        self.id = id
        self.name = name
        self.shown = shown
        self.params = params
        self.meta: dict[str, Any] = params["_meta"]
        self.local = self.gateway.writer.local(self.meta, connection.client, connection.apart)
        self.arguments: dict[str, Any] = {}
        self.effect: Effect = "unsafe"
        self.named = ""
        """The client's id of the call."""

    @property
    def seen(self) -> SeenTool:
        """The tool, by all the names that an agent may have for it."""
        return SeenTool(self.name, self.shown_as, behind_gateway=True)

    @property
    def shown_as(self) -> str:
        """What the client calls the tool, where that does not follow from its name."""
        return "" if self.shown == bare_name(self.name) else self.shown[:MAX_NAME]

    def reject(self, error: TallystickError, then: Callable[[], None]) -> None:
        """It cannot be made at all. That is told like any refusal; `then` answers it."""
        if self._is_known(lambda: self.reject(error, then)):
            self.gateway.note_refusal(self, error)
            not_sent.record_not_sent(self, f"The gateway could not make it: {error.message}", then)

    def call_off(self) -> None:
        """The client has cancelled it before anything of it was written."""
        if self._is_known(self.call_off):
            self.gateway.note(self, "other", f"{self.name} was not called. {CANCELLED}", {"tool": self.name})
            not_sent.record_not_sent(self, CANCELLED, _nothing)

    def refuse(self, error: TallystickError) -> None:
        """It is not let through."""
        error = followable(error, self.gateway.configuration.ours.tools)
        self.gateway.note_refusal(self, error)
        told = f"The gateway refused it: {error.message}"
        not_sent.record_not_sent(
            self, told, lambda: self.connection.answer(self.id, "tools/call", self.connection.refusal(error))
        )

    def _is_known(self, then: Callable[[], None]) -> bool:
        """Whether what hooks have seen of it can be looked up now; else `then` is done when it can."""
        if not self.gateway.writer.patience.ready(self.connection.guarded(self.id, then)):
            return False
        self.gateway.drain(SOON)
        self.named = hooks.usable_call_id(self)
        with suppress(TallystickError):
            self.arguments = self.connection.arguments(self.params.get("arguments"))
        return True


def _nothing() -> None:
    """Nobody waits for an answer."""
