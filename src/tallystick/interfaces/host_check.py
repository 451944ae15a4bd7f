"""By which names a web server may be asked, and from which pages: checked before anything else, for every path.

On loopback any program of this user could read the file anyway. But a web page in this user's browser could not, so
the names in Host and Origin must be ours.
"""

import re
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from tallystick.interfaces.problems import problem, send_problem

LOOPBACK = ("127.0.0.1", "localhost", "::1")
ONCE = ("host", "origin", "authorization", "cookie")
"""Of these there is one, or who stands before us may have read another than we do."""
_ADDRESS = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s@:/?#\\\[\]]+)(?::[0-9]{0,5})?")


class HostCheck:
    """Wraps an application. `hosts` are the names that this server is asked by."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = tuple(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (wrong := self._problem(scope)):
            await send_problem(send, wrong)
        else:
            await self._app(scope, receive, send)

    def _problem(self, scope: Scope) -> dict[str, Any] | None:
        told = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]]
        names = [name for name, _ in told]
        for name in ONCE:
            if names.count(name) > 1:
                return problem(400, "invalid_argument", f"There is more than one {name.capitalize()} header.")
        headers = dict(told)
        if not is_among(headers.get("host", ""), self._hosts):
            host = _name(headers.get("host", ""))
            hint = f"Start with --allow-host {host[:200] or 'NAME'}."
            return problem(421, "not_permitted", f'Host "{host[:200]}" is not served here.', hint=hint)
        origin = headers.get("origin", "")
        if origin and not is_among(origin.partition("://")[2], self._hosts):
            hint = f"Start with --allow-origin {origin[:200]} to let it."
            return problem(403, "not_permitted", f'Origin "{origin[:200]}" may not ask.', hint=hint)
        return None


def is_among(address: str, names: Iterable[str]) -> bool:
    """Whether a host, with or without a port, is one of these names, however either is written."""
    return (name := _name(address)) != "" and name in map(_plain, names)


def _name(address: str) -> str:
    """The name in a host with or without a port; nothing when it is not just that."""
    found = _ADDRESS.fullmatch(address)
    return _plain(found[1]) if found else ""


def _plain(host: str) -> str:
    """A name as it is compared: addresses can be written in several ways."""
    bare = host.removeprefix("[").removesuffix("]").lower()
    try:
        return str(ip_address(bare))
    except ValueError:
        return bare
