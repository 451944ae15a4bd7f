"""The servers behind one client: those of the configuration, and our own tools before them."""

from functools import partial

from tallystick.gateway.configuration import Server
from tallystick.gateway.hub import Hub
from tallystick.gateway.inside import Inside
from tallystick.gateway.process import Child
from tallystick.gateway.upstream import Listener, Make, Transport, Upstream

OWN = "tallystick"


def behind(hub: Hub, listener: Listener) -> tuple[list[Upstream], str]:
    """All of them, and the name of our own, if it is among them."""
    found: list[Upstream] = []
    profile = hub.configuration.ours.tools
    if profile != "none":

        def inside(take: object, lost: object, unanswered: object) -> Transport:
            return Inside(hub.loop, partial(hub.parts.own, hub.caller, profile), take)  # type: ignore[arg-type]

        own = Upstream(hub.loop, OWN, inside, listener, 60.0, hub.say)
        own.own = True
        found.append(own)
    for name, server in hub.configuration.servers.items():
        seconds = hub.configuration.seconds(name, "start")
        found.append(Upstream(hub.loop, name, _make(hub, name, server), listener, seconds, hub.say))
    return found, OWN if profile != "none" else ""


def _make(hub: Hub, name: str, server: Server) -> Make:
    if server.url:
        from tallystick.gateway.web import Web  # with what it needs, it takes a second to load

        return lambda take, lost, unanswered: Web(hub.loop, name, server, take, lost, unanswered)
    mask = hub.scribe.desk.masker.mask_text
    return lambda take, lost, _: Child(hub.loop, name, server, hub.env, mask, take, lost)
