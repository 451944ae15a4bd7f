"""How a server is to answer."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from tallystick.interfaces.host_check import LOOPBACK
from tallystick.interfaces.mcp.tools import Tool
from tallystick.server.command import RATE


def _unseen(secret: str) -> None:
    """Nobody looks at the terminal."""


class ServerOptions(Struct, frozen=True, kw_only=True):
    """`hosts` are the names that it is asked by, `origins` the pages elsewhere that may ask with a token; `token` is
    one that all may share. With `login` nobody is let in without a token or a login, on this machine either. `rate` is
    how many requests a second a token is good for.

    `tools` names those that are listed over MCP, and `more` are answered there too. `clients` are the texts to paste
    into each client, `command` is how ours is typed, and `store` names the store to it, where that is needed. `renewed`
    is told the secret of the next link that logs in, when one was used.
    """

    hosts: tuple[str, ...] = LOOPBACK
    origins: tuple[str, ...] = ()
    token: str = ""
    login: bool = False
    tools: str = "all"
    more: tuple[Tool, ...] = ()
    rate: float = RATE
    clients: tuple[Mapping[str, Any], ...] = ()
    command: str = "tallystick"
    store: str = ""
    renewed: Callable[[str], None] = _unseen
