"""REST: a route for every operation, made by one loop over the catalogue, and the journal as an event stream."""

from starlette.routing import BaseRoute, Route

from tallystick.interfaces.journals import JournalContexts
from tallystick.interfaces.rest.dispatch import Dispatcher
from tallystick.interfaces.rest.endpoints import Journals, NotFound, OpenApiDocument, Resource
from tallystick.interfaces.rest.events import Events
from tallystick.interfaces.rest.monitoring import Alive, Metrics, Ready, Version
from tallystick.interfaces.rest.routing import ANYTHING, routes_by_path


class Rest:
    """REST over one store. The server puts `access` and `journal` of each request into `scope["state"]`."""

    def __init__(self, contexts: JournalContexts) -> None:
        self._dispatcher = Dispatcher(contexts)
        self._events = Events(self._dispatcher)

    def routes(self) -> list[BaseRoute]:
        operations = [
            Route(path, Resource(self._dispatcher, by_method)) for path, by_method in routes_by_path().items()
        ]
        return [
            Route("/v1/journals", Journals(self._dispatcher)),
            *operations,
            Route("/events", self._events),
            Route("/openapi.json", OpenApiDocument(self._dispatcher)),
            Route("/metrics", Metrics(self._dispatcher, self._events)),
            Route("/livez", Alive(self._dispatcher)),
            Route("/readyz", Ready(self._dispatcher)),
            Route("/version", Version(self._dispatcher)),
            Route(f"/v1/{{rest:{ANYTHING}}}", NotFound(self._dispatcher)),
        ]

    def end(self) -> None:
        """End streams and long polls: a server that stops waits for its responses."""
        self._dispatcher.end()


def routes(contexts: JournalContexts) -> list[BaseRoute]:
    """The routes over a store."""
    return Rest(contexts).routes()
