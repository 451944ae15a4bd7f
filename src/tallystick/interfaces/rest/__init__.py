"""REST: every operation is a route, by one loop over the catalogue; and the journal as an event stream."""

from starlette.routing import BaseRoute, Route

from tallystick.interfaces.journals import JournalContexts
from tallystick.interfaces.rest.dispatch import Dispatcher
from tallystick.interfaces.rest.endpoints import Description, Journals, Nowhere, Resource
from tallystick.interfaces.rest.events import Events
from tallystick.interfaces.rest.monitoring import Alive, Metrics, Ready, Version
from tallystick.interfaces.rest.routing import ANYTHING, places


class Rest:
    """The door over one store. Who asks, and for which journal, is found in `scope["state"]`: `access`, `journal`."""

    def __init__(self, contexts: JournalContexts) -> None:
        self._dispatcher = Dispatcher(contexts)
        self._events = Events(self._dispatcher)

    def routes(self) -> list[BaseRoute]:
        """What is answered, and where."""
        found = [Route(path, Resource(self._dispatcher, by_method)) for path, by_method in places().items()]
        return [
            Route("/v1/journals", Journals(self._dispatcher)),
            *found,
            Route("/events", self._events),
            Route("/openapi.json", Description(self._dispatcher)),
            Route("/metrics", Metrics(self._dispatcher, self._events)),
            Route("/livez", Alive(self._dispatcher)),
            Route("/readyz", Ready(self._dispatcher)),
            Route("/version", Version(self._dispatcher)),
            Route(f"/v1/{{rest:{ANYTHING}}}", Nowhere(self._dispatcher)),
        ]

    def end(self) -> None:
        """End what would stay open: a server that stops waits for its answers."""
        self._dispatcher.end()


def routes(contexts: JournalContexts) -> list[BaseRoute]:
    """The routes over a store."""
    return Rest(contexts).routes()
