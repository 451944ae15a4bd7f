"""The conversation that a process speaks for, where its client has told it one at its start."""

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from tallystick.core.errors import TallystickError
from tallystick.operations.handles import open_in
from tallystick.protocol.meta import conversation_of, is_other
from tallystick.store.presence import ancestors

if TYPE_CHECKING:
    from tallystick.operations.desk import Desk


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
        self._known = self.told

    def now(self, desk: "Desk", client: str = "") -> str:
        """The conversation as of now; empty where none was told, or it was told to whoever has started the client. As
        long as the journal cannot be read, the one that was known last: what is spooled meanwhile belongs there."""
        if is_other(client):
            return ""
        if self.told:
            with suppress(TallystickError):  # a store that cannot be used says so when it is asked
                self._known = desk.read(lambda view: open_in(view, self._above, self._kind)) or self.told
        return self._known
