"""Connects only to addresses that are allowed. The address is checked at the connection, whatever its name resolves to.

Private, loopback, link-local and other special addresses are refused, unless their host is allowed by name. No proxy of
the environment is used, and no redirect is followed: both would connect to another address than the checked one.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Collection, Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

import httpcore2
import httpx2

_NAT64 = ip_network("64:ff9b::/96")
"""The prefix behind which a public IPv4 address stands, for networks without IPv4."""


class AddressRefused(httpcore2.ConnectError):
    """A connection that was not made, because its address is not allowed."""


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet, also if it wraps an IPv4 address."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return all(map(_is_global, _wrapped(found)))


def _wrapped(address: IPv4Address | IPv6Address) -> Iterable[IPv4Address | IPv6Address]:
    """The address, and the IPv4 addresses that it stands for."""
    yield address
    if isinstance(address, IPv6Address):
        yield from filter(None, (address.ipv4_mapped, address.sixtofour, *(address.teredo or ())))
        if address in _NAT64:
            yield IPv4Address(int(address) & 0xFFFFFFFF)
        if int(address) >> 32 == 0 and int(address) > 1:  # IPv4-compatible, long deprecated
            yield IPv4Address(int(address) & 0xFFFFFFFF)


def _is_global(address: IPv4Address | IPv6Address) -> bool:
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Resolves a name once, checks every address that it gives, and connects to one of those."""

    def __init__(self, allowed: Collection[str], only: Collection[str] | None = None) -> None:
        self._allowed = frozenset(each.lower() for each in allowed)
        self._only = None if only is None else frozenset(each.lower() for each in only)
        self._network = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  # the library hands it over
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore2.AsyncNetworkStream:
        name = host.lower().rstrip(".")
        if self._only is not None and self._only.isdisjoint((name, f"{name}:{port}")):
            raise AddressRefused(f"{host} is not one of the hosts that are allowed here")
        if name in self._allowed or f"{name}:{port}" in self._allowed:
            return await self._network.connect_tcp(host, port, timeout, local_address, socket_options)
        address = await _public_address(host, port)
        return await self._network.connect_tcp(address, port, timeout, local_address, socket_options)

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)


async def _public_address(host: str, port: int) -> str:
    """An address of a host, all of whose addresses are public."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore2.ConnectError(f"{host} cannot be resolved: {error}") from error
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    refused = [each for each in addresses if not is_public(each)]
    if refused or not addresses:
        raise AddressRefused(
            f"{host} is at {', '.join(refused) or 'no address'}, which is not public. "
            f'To allow it: allow = ["{host}:{port}"] under [http] in the policy'
        )
    return addresses[0]


def guarded_transport(allowed: Collection[str] = (), only: Collection[str] | None = None) -> httpx2.AsyncHTTPTransport:
    """A transport that connects to public addresses and to the hosts (`name` or `name:port`) that are allowed. With
    `only`, to no others than these."""
    transport = httpx2.AsyncHTTPTransport(trust_env=False)
    transport._pool = httpcore2.AsyncConnectionPool(
        ssl_context=ssl.create_default_context(), network_backend=GuardedBackend(allowed, only), max_connections=None
    )
    return transport
