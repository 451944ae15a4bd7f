"""Addresses that lead, or might lead, to a place that is not public: spellings, wrappers, names and tunnels."""

from collections.abc import Iterator
from ipaddress import IPv4Address

PRIVATE_IPV4 = (
    "127.0.0.1",
    "127.255.255.254",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "0.0.0.0",
    "192.0.0.192",
    "198.18.0.1",
    "168.63.129.16",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
)
PRIVATE_IPV6 = ("::1", "::", "fe80::1", "fe80::1%25lo", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "100::1")
NAMES = ("localhost", "LOCALHOST", "localhost.", "metadata.google.internal", "rebinding.example", "intranet", "x.local")
"""The resolver of the test gives private addresses for all names."""


def tricks(port: int) -> list[str]:
    """More than a thousand addresses, none of which may be connected to."""
    hosts = [*NAMES, *(f"[{each}]" for each in PRIVATE_IPV6)]
    for number, address in enumerate(PRIVATE_IPV4):
        hosts += _spellings(address, number)
    found = [f"{scheme}://{host}:{port}/hook" for host in hosts for scheme in ("http", "https")]
    found += [each for host in hosts[::3] for each in _wrapped(host, port)]
    return list(dict.fromkeys(found))


def _spellings(text: str, number: int) -> Iterator[str]:
    """The ways in which resolvers, browsers and libraries have read an IPv4 address."""
    value = int(IPv4Address(text))
    a, b, c, d = IPv4Address(text).packed
    yield from (text, f"{text}.", str(value), f"{value:#x}", f"{value:#X}", f"0{value:o}")
    yield from (f"{a}.{value & 0xFFFFFF}", f"{a}.{b}.{value & 0xFFFF}", f"{a:#x}.{b:#x}.{c:#x}.{d:#x}")
    yield from (f"0{a:o}.0{b:o}.0{c:o}.0{d:o}", f"{a:#x}.{b}.0{c:o}.{d}", f"00{a}.{b}.{c}.{d}", str(value + (1 << 32)))
    yield from (text.replace(".", "\u3002"), _other_digits(text, 0xFF10), _other_digits(text, 0x1D7CE))
    yield from (f"[::ffff:{text}]", f"[::ffff:{value >> 16:x}:{value & 0xFFFF:x}]", f"[0:0:0:0:0:FFFF:{text}]")
    yield from (f"[::{text}]", f"[::ffff:0:{text}]", f"[64:ff9b::{text}]", f"[64:ff9b:1::{text}]")
    yield from (f"[2002:{value >> 16:x}:{value & 0xFFFF:x}::1]", f"[2001:0:{value >> 16:x}:{value & 0xFFFF:x}::1]")
    yield from (f"[fe80::5efe:{text}]", f"{text}.nip.example", f"{text.replace('.', '-')}.{number}.example")


def _other_digits(text: str, zero: int) -> str:
    """The text with the digits of another script, which some libraries turn into ASCII."""
    return "".join(chr(zero + int(letter)) if letter.isdigit() else letter for letter in text)


def _wrapped(host: str, port: int) -> Iterator[str]:
    """Addresses whose host is easily read as another one."""
    yield from (f"http://user@{host}:{port}/", f"http://user:password@{host}:{port}/", f"http://{host}:{port}@{host}/")
    yield from (f"http://example.org@{host}:{port}/", f"http://{host}:{port}#@example.org/")
    yield from (f"http://{host}:{port}\\@example.org/", f"http://example.org\\@{host}:{port}/")
    yield from (
        f"HTTP://{host}:{port}/",
        f"http:\\\\{host}:{port}/",
        f"http:///{host}:{port}/",
        f"http:/{host}:{port}/",
    )
    yield from (
        f" http://{host}:{port}/",
        f"http://{host}:{port}\t/",
        f"http://{host}\r\n:{port}/",
        f"//{host}:{port}/",
    )
    yield from (f"gopher://{host}:{port}/", f"file://{host}/etc/passwd", f"ftp://{host}:{port}/", f"unix://{host}/s")
    yield from (f"https://{host}:{port}/?@example.org", f"http://{host}%00.example.org:{port}/", f"http://%{host}/")
    yield from (f"https://{host}:{port}:443/", f"https://{host}:+{port}/", f"ws://{host}:{port}/", f"{host}:{port}/")
