"""Whose tool, prompt or resource a name is: the servers' names side by side, told apart by a prefix where needed."""

from collections.abc import Iterable, Sequence

from tallystick.gateway.configuration import plain
from tallystick.gateway.upstream import Upstream

BETWEEN = "__"


class Names:
    """The names of one kind (tools, or prompts), as the client sees them."""

    def __init__(self, upstreams: Sequence[Upstream], prefixes: dict[str, str]) -> None:
        self._upstreams = upstreams
        self._prefixes = prefixes
        self._shown: dict[str, tuple[Upstream, str]] = {}

    def show(self, upstream: Upstream, name: str) -> str:
        """The name that the client sees. One that is taken gets the server's name in front, prefix or not."""
        prefix = self._prefixes.get(upstream.name, "")
        shown = f"{prefix}{BETWEEN}{name}" if prefix else name
        owner = self._shown.get(shown)
        if owner is not None and owner != (upstream, name) and not upstream.own:
            shown = f"{plain(upstream.name)}{BETWEEN}{name}"
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
