"""The conversation that a process speaks for, where its client has told it one at its start."""

import os
from collections.abc import Mapping
from time import monotonic
from typing import TYPE_CHECKING

from tallystick.core.errors import TallystickError
from tallystick.operations.handles import open_in
from tallystick.protocol.meta import conversation_of, is_other
from tallystick.store.presence import ancestors

if TYPE_CHECKING:
    from tallystick.operations.desk import Desk

PAUSE_SECONDS = 30.0
"""For so long after the store could not be read, nobody asks it which conversation is open."""


class AtStart:
    """What Claude Code has told a server in its environment, and what has become of that.

    It goes on with other conversations in the same process (`/clear`, `/resume`), or has told one that is none
    (`--continue` with `-p`). So hooks count for more: the one that they see open in the process that has started this
    one.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self.told = conversation_of(env)
        self._kind = self.told.partition(":")[0]
        self._above = ancestors(os.getpid()) if self.told else ()
        self._last = self.told
        self._asks_from = 0.0

    def now(self, desk: "Desk", client: str = "") -> str:
        """The conversation as of now; empty where none was told, or it was told to whoever started the client. It
        is the last that was known where the store cannot be used: that says so when it is asked, and is not waited for
        here again and again."""
        if is_other(client):
            return ""
        if self.told and monotonic() >= self._asks_from:
            try:
                self._last = desk.read(lambda view: open_in(view, self._above, self._kind)) or self.told
            except TallystickError:
                self._asks_from = monotonic() + PAUSE_SECONDS
        return self._last
