"""The settings of a web server."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tallystick.interfaces.host_check import LOOPBACK

if TYPE_CHECKING:  # the command line loads this module for its defaults
    from tallystick.interfaces.mcp.tools import Tool
    from tallystick.operations.runtime.operation_context import ServerRuns

REQUESTS_PER_SECOND = 100.0
"""The rate of each token over time; four times as many in a burst."""


def _ignore_link(secret: str) -> None:
    """The default of `on_new_link`."""


class ServerOptions(Struct, frozen=True, kw_only=True):
    hosts: tuple[str, ...] = LOOPBACK
    """Names that are accepted in the Host header."""
    origins: tuple[str, ...] = ()
    """Pages of other sites that may send requests with a token."""
    token: str = ""
    """One token that all clients may share."""
    login: bool = False
    """Whether a token or a login is required on this machine too."""
    tools: str = "all"
    """The profile of tools that MCP lists."""
    more: tuple["Tool", ...] = ()
    """Further tools over MCP."""
    rate: float = REQUESTS_PER_SECOND
    """Requests per second for each token."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` count."""
    runs: "ServerRuns | None" = None
    """What carries out the plans that clients ask this server to run."""
    clients: tuple[Mapping[str, Any], ...] = ()
    """The snippets to paste into each client, for the page."""
    command: str = "tallystick"
    """How this program is typed in a shell, for the page."""
    store: str = ""
    """The URL of the store for that command, if it is not the default."""
    plain_page: bool = False
    """Serve the page as plain modules instead of the bundle."""
    on_new_link: Callable[[str], None] = _ignore_link
    """Called with the secret of the next one-time login link when one was used."""
