"""REST: every operation is a route, by one loop over the catalogue; and the journal as an event stream."""

from starlette.routing import BaseRoute, Route

from tallystick.doors.desks import Desks
from tallystick.doors.rest.door import Door
from tallystick.doors.rest.events import Events
from tallystick.doors.rest.metrics import Metrics
from tallystick.doors.rest.places import ANYTHING, places
from tallystick.doors.rest.probes import Alive, Ready, Version
from tallystick.doors.rest.resource import Description, Journals, Nowhere, Resource


class Rest:
    """The door over one store. Who asks, and for which journal, is found in `scope["state"]`: `access`, `journal`."""

    def __init__(self, desks: Desks) -> None:
        self._door = Door(desks)
        self._events = Events(self._door)

    def routes(self) -> list[BaseRoute]:
        """What is answered, and where."""
        found = [Route(path, Resource(self._door, by_method)) for path, by_method in places().items()]
        return [
            Route("/v1/journals", Journals(self._door)),
            *found,
            Route("/events", self._events),
            Route("/openapi.json", Description(self._door)),
            Route("/metrics", Metrics(self._door, self._events)),
            Route("/livez", Alive(self._door)),
            Route("/readyz", Ready(self._door)),
            Route("/version", Version(self._door)),
            Route(f"/v1/{{rest:{ANYTHING}}}", Nowhere(self._door)),
        ]

    def end(self) -> None:
        """End what would stay open: a server that stops waits for its answers."""
        self._door.end()


def routes(desks: Desks) -> list[BaseRoute]:
    """The routes over a store."""
    return Rest(desks).routes()
