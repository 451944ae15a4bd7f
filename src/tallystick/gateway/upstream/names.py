"""Names of tools and prompts: maps the names that a client sees to a server and its own name for the item."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import chain, count

from tallystick.core.errors import InvalidArgument
from tallystick.gateway.config import Configuration, plain
from tallystick.gateway.upstream.server import Upstream

SEPARATOR = "__"
MAX_NAME = 200
"""The longest name of a tool that a journal takes."""


def journal_name(server: str, tool: str) -> str:
    """A tool's name in the journal, in the form that clients use too.

    A name that is truncated ends with a digest of the whole, so that two tools never share a name.
    """
    whole = f"mcp{SEPARATOR}{server}{SEPARATOR}{tool}"
    if len(whole) <= MAX_NAME:
        return whole
    digest = blake2b(whole.encode(errors="surrogatepass"), digest_size=16).hexdigest()
    return f"{whole[: MAX_NAME - len(digest) - 1]}~{digest}"


def check(configuration: Configuration) -> None:
    """Reject servers whose tools could have the same name, such as `b__c` of `a` and `c` of `a__b`."""
    servers = list(configuration.servers)
    prefixes = {name: configuration.prefix(name) for name in servers}
    for one in servers:
        for other in servers:
            pairs = ((one, other), (plain(one), plain(other)), (prefixes[one], prefixes[other]))
            if any(a and a != b and f"{b}{SEPARATOR}".startswith(f"{a}{SEPARATOR}") for a, b in pairs):
                raise InvalidArgument(
                    f'mcpServers.{one} and mcpServers.{other}: a tool "{one}{SEPARATOR}..." could be of either.',
                    hint=f'Rename one of them, or change its prefix, so that none goes on with "{SEPARATOR}" where the '
                    "other ends.",
                    field=f"mcpServers.{other}",
                )


class Names:
    """The names of tools, or of prompts, as one client sees them."""

    def __init__(self, upstreams: Sequence[Upstream], prefixes: dict[str, str]) -> None:
        self._upstreams = upstreams
        self._prefixes = prefixes
        self._shown: dict[str, tuple[Upstream, str]] = {}

    def show(self, upstream: Upstream, name: str) -> str:
        """Return the name that the client sees, and remember it.

        A name that is taken gets the server's name in front, and a number if that is taken too. Our own tools keep
        their names.
        """
        prefix = self._prefixes.get(upstream.name, "")
        names = [f"{prefix}{SEPARATOR}{name}" if prefix else name, f"{plain(upstream.name)}{SEPARATOR}{name}"]
        numbered = (f"{names[1]}_{number}" for number in count(2))
        free = (each for each in chain(names, numbered) if self._shown.get(each, (upstream, name)) == (upstream, name))
        shown = names[0] if upstream.own else next(free)
        self._shown[shown] = (upstream, name)
        return shown

    def find(self, shown: str) -> tuple[Upstream, str] | None:
        """Return the server of a name, and its own name for the item. An unlisted name is found by its prefix."""
        if shown in self._shown:
            return self._shown[shown]
        for upstream in self._upstreams:
            prefix = self._prefixes.get(upstream.name, "")
            if prefix and shown.startswith(prefix + SEPARATOR):
                return upstream, shown[len(prefix) + len(SEPARATOR) :]
        return None

    def shown(self) -> Iterable[str]:
        """The names that were listed, as the client sees them."""
        return self._shown

    def unprefixed(self) -> Iterable[Upstream]:
        """The servers whose names have no prefix: an unlisted name does not show which one has it."""
        return (each for each in self._upstreams if not self._prefixes.get(each.name) and not each.own)
