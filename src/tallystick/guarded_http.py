"""Connects only to addresses that are allowed. The address is checked at the connection, whatever its name resolves to.

Private, loopback, link-local and other special addresses are refused, unless their host is allowed by name. No proxy of
the environment is used, and no redirect is followed: both would connect to another address than the checked one.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

import httpcore2
import httpx2

SPECIAL_IPV4 = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "168.63.129.16/32",  # a public number at which Azure serves its virtual machines
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",
        ),
    )
)
"""What IANA keeps for special purposes. Python's own `is_global` differs between versions: 3.11 takes site-local
addresses and 192.0.0.192, at which a cloud serves its metadata, for public ones."""
GLOBAL_IPV6 = ip_network("2000::/3")
SPECIAL_IPV6 = tuple(map(ip_network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
"""Parts of it for tunnels, examples and tests. A tunnel's address stands for an IPv4 address, which may be private."""
NAT64 = ip_network("64:ff9b::/96")
"""The prefix behind which a public IPv4 address stands, for networks without IPv4."""


class AddressRefused(httpcore2.ConnectError):
    """A connection that was not made, because its address is not allowed."""


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet, also if it stands for an IPv4 address."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        inner = IPv4Address(int(found) & 0xFFFFFFFF) if found in NAT64 else found.ipv4_mapped
        if inner is None:
            return found in GLOBAL_IPV6 and not any(found in network for network in SPECIAL_IPV6)
        found = inner
    return not any(found in network for network in SPECIAL_IPV4)


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Resolves a name once, checks every address that it gives, and connects to one of those."""

    def __init__(
        self,
        allowed: Collection[str],
        only: Collection[str] | None = None,
        *,
        how_to_allow: str = "",
        network: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        self._allowed = frozenset(each.lower() for each in allowed)
        self._only = None if only is None else frozenset(each.lower() for each in only)
        self._how_to_allow = how_to_allow
        self._network = network or httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  # the library hands it over
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore2.AsyncNetworkStream:
        name = host.lower().rstrip(".")
        if self._only is not None and not is_allowed(name, port, self._only):
            raise AddressRefused(f"{host} is not one of the hosts that are allowed here")
        if is_allowed(name, port, self._allowed):
            return await self._network.connect_tcp(host, port, timeout, local_address, socket_options)
        address = await self._public_address(host, port)
        return await self._network.connect_tcp(address, port, timeout, local_address, socket_options)

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)

    async def _public_address(self, host: str, port: int) -> str:
        """An address of a host, all of whose addresses are public."""
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise httpcore2.ConnectError(f"{host} cannot be resolved: {error}") from error
        addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
        refused = [each for each in addresses if not is_public(each)]
        if refused or not addresses:
            hint = self._how_to_allow.format(host=f"{in_brackets(host)}:{port}")
            raise AddressRefused(
                f"{host} is at {', '.join(refused) or 'no address'}, which is not public." + (hint and f" {hint}")
            )
        return addresses[0]


def is_allowed(host: str, port: int | None, allowed: Collection[str]) -> bool:
    """Whether a host, without a dot at its end, is allowed by its name, with or without the port. An IPv6 address may
    have brackets, as in a URL; with a port it needs them."""
    written = in_brackets(host)
    return host in allowed or written in allowed or f"{written}:{port}" in allowed


def in_brackets(host: str) -> str:
    """A host as it stands in a URL."""
    return f"[{host}]" if ":" in host else host


def guarded_transport(
    allowed: Collection[str] = (), only: Collection[str] | None = None, *, how_to_allow: str = ""
) -> httpx2.AsyncHTTPTransport:
    """A transport that connects to public addresses and to the hosts (`name` or `name:port`) that are allowed. With
    `only`, to no others than these. `how_to_allow` is a hint with `{host}` in it, for the error."""
    transport = httpx2.AsyncHTTPTransport(trust_env=False)
    transport._pool = httpcore2.AsyncConnectionPool(
        ssl_context=ssl.create_default_context(),
        network_backend=GuardedBackend(allowed, only, how_to_allow=how_to_allow),
        max_connections=None,
    )
    return transport
