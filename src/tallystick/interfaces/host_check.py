"""Validates the Host and Origin headers of every request, before anything else.

On loopback any program of this user could read the file anyway. But a web page in this user's browser could not, so
the names in Host and Origin must be ours.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import ip_address
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from tallystick.interfaces.problems import problem, send_problem

LOOPBACK = ("127.0.0.1", "localhost", "::1")
SINGLE_HEADERS = ("host", "origin", "authorization", "cookie")
"""A request with two of these is rejected: a proxy may have read the other one."""
MAX_REMEMBERED = 256
"""Hosts whose canonical form is kept: clients send the same few."""
_ADDRESS = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s@:/?#\\\[\]]+)(?::[0-9]{0,5})?")


class HostCheck:
    """Middleware. `hosts` are the names that are accepted in Host and Origin."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = tuple(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (details := self._problem(scope)):
            await send_problem(send, details)
        else:
            await self._app(scope, receive, send)

    def _problem(self, scope: Scope) -> dict[str, Any] | None:
        fields = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]]
        return host_problem(fields, self._hosts)


def host_problem(fields: Sequence[tuple[str, str]], hosts: tuple[str, ...], hint: str = "") -> dict[str, Any] | None:
    """The problem with a request that names another host, or comes from a page of another origin. Names of headers are
    in small letters. `hint` is what to do instead, where no option permits more."""
    names = [name for name, _ in fields]
    for name in SINGLE_HEADERS:
        if names.count(name) > 1:
            return problem(400, "invalid_argument", f"There is more than one {name.capitalize()} header.")
    headers = dict(fields)
    if not is_among(headers.get("host", ""), hosts):
        host = _host_name(headers.get("host", ""))
        hint = hint or f"Start the server with --allow-host {host[:200] or 'NAME'}."
        return problem(421, "not_permitted", f'Host "{host[:200]}" is not served here.', hint=hint)
    origin = headers.get("origin", "")
    if origin and not is_among(origin.partition("://")[2], hosts):
        hint = hint or f"Start the server with --allow-origin {origin[:200]} to permit it."
        return problem(403, "not_permitted", f'Origin "{origin[:200]}" is not permitted.', hint=hint)
    return None


def is_among(address: str, names: Iterable[str]) -> bool:
    """Whether a host, with or without a port, is one of these names, in any notation."""
    return (name := _host_name(address)) != "" and name in map(_normalize, names)


def _host_name(address: str) -> str:
    """The host of an address with or without a port; empty if it is anything else."""
    match = _ADDRESS.fullmatch(address)
    return _normalize(match[1]) if match else ""


@lru_cache(MAX_REMEMBERED)
def _normalize(host: str) -> str:
    """A host in its canonical form: an IP address can be written in several ways."""
    bare = host.removeprefix("[").removesuffix("]").lower()
    try:
        return str(ip_address(bare))
    except ValueError:
        return bare
