"""Whose tool, prompt or resource a name is: the servers' names side by side, told apart by a prefix where needed."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import chain, count

from tallystick.core.errors import InvalidArgument
from tallystick.gateway.config import Configuration, plain
from tallystick.gateway.upstream.server import Upstream

BETWEEN = "__"
MAX_NAME = 200
"""The longest name of a tool that a journal takes."""


def in_journal(server: str, tool: str) -> str:
    """What a tool is called in the journal, as clients call it too. One that is cut ends with a digest of the whole:
    two tools never share a name, or one would be taken for the other."""
    whole = f"mcp{BETWEEN}{server}{BETWEEN}{tool}"
    if len(whole) <= MAX_NAME:
        return whole
    digest = blake2b(whole.encode(errors="surrogatepass"), digest_size=16).hexdigest()
    return f"{whole[: MAX_NAME - len(digest) - 1]}~{digest}"


def check(configuration: Configuration) -> None:
    """Refuse servers whose tools could have one name: `b__c` of `a`, and `c` of `a__b`."""
    servers = list(configuration.servers)
    prefixes = {name: configuration.prefix(name) for name in servers}
    for one in servers:
        for other in servers:
            pairs = ((one, other), (plain(one), plain(other)), (prefixes[one], prefixes[other]))
            if any(a and a != b and f"{b}{BETWEEN}".startswith(f"{a}{BETWEEN}") for a, b in pairs):
                raise InvalidArgument(
                    f'mcpServers.{one} and mcpServers.{other}: a tool "{one}{BETWEEN}..." could be of either.',
                    hint=f'Rename one of them, or change its prefix, so that none goes on with "{BETWEEN}" where the '
                    "other ends.",
                    field=f"mcpServers.{other}",
                )


class Names:
    """The names of one kind (tools, or prompts), as the client sees them."""

    def __init__(self, upstreams: Sequence[Upstream], prefixes: dict[str, str]) -> None:
        self._upstreams = upstreams
        self._prefixes = prefixes
        self._shown: dict[str, tuple[Upstream, str]] = {}

    def show(self, upstream: Upstream, name: str) -> str:
        """The name that the client sees. One that is taken gets the server's name in front, prefix or not; and a
        number, where somebody has that one too. Our own tools keep theirs."""
        prefix = self._prefixes.get(upstream.name, "")
        names = [f"{prefix}{BETWEEN}{name}" if prefix else name, f"{plain(upstream.name)}{BETWEEN}{name}"]
        further = (f"{names[1]}_{number}" for number in count(2))
        free = (each for each in chain(names, further) if self._shown.get(each, (upstream, name)) == (upstream, name))
        shown = names[0] if upstream.own else next(free)
        self._shown[shown] = (upstream, name)
        return shown

    def find(self, shown: str) -> tuple[Upstream, str] | None:
        """Whose it is and what it is called there; by the prefix, where it was never listed."""
        if shown in self._shown:
            return self._shown[shown]
        for upstream in self._upstreams:
            prefix = self._prefixes.get(upstream.name, "")
            if prefix and shown.startswith(prefix + BETWEEN):
                return upstream, shown[len(prefix) + len(BETWEEN) :]
        return None

    def unprefixed(self) -> Iterable[Upstream]:
        """Those whose names stand as they are, and so are found only by asking."""
        return (each for each in self._upstreams if not self._prefixes.get(each.name) and not each.own)
