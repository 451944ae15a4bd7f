"""A real web server in a thread: REST over a store, with the access that a server in front would set."""

from collections.abc import Callable
from socket import AF_INET, IPPROTO_TCP, SOCK_STREAM, socket
from threading import Thread
from typing import Self
from urllib.parse import parse_qsl

import httpx2
import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from tallystick.interfaces.journals import JournalContexts
from tallystick.interfaces.problems import problem, send_problem
from tallystick.interfaces.rest import Rest
from tallystick.operations.runtime.access import Access, find_access
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.local import Local
from tallystick.settings import Settings
from tallystick.store.interface import Store

TIMEOUT_SECONDS = 30
LOCAL = frozenset({"agent", "read", "audit"})


class FakeAuthentication:
    """Sets the access of a request: that of its bearer token, else that of a program on this machine."""

    def __init__(self, app: ASGIApp, contexts: JournalContexts) -> None:
        self._app = app
        self._contexts = contexts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = dict(scope["headers"])
            secret = headers.get(b"authorization", b"").decode().removeprefix("Bearer ")
            access = find_access(self._contexts.caller.context.store, secret) if secret else None
            query = dict(parse_qsl(scope["query_string"].decode()))
            named = headers.get(b"tallystick-journal", b"").decode() or query.get("journal", "")
            if secret and access is None:
                await send_problem(
                    send, problem(401, "not_permitted", "This token is unknown, revoked or has expired.")
                )
                return
            if access is None:
                access = Access(name="", journal=self._contexts.journal, scopes=LOCAL, observes=True)
            journal = access.journal if access.name else named or access.journal
            seen = self._contexts.journals if not access.name else lambda: [journal]
            scope.setdefault("state", {}).update(access=access, journal=journal, person=False, journals=seen)
        await self._app(scope, receive, send)


class ThreadedServer:
    """A server of one application, in a thread. Use it in a `with` block."""

    def __init__(self, app: ASGIApp, ends: Callable[[], None] = lambda: None) -> None:
        self._server = _Server(app, ends)
        self._socket = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP)  # asyncio sends at once only where TCP is named
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen(1024)
        self._thread = Thread(target=self._server.run, args=([self._socket],), name="test-server", daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def stop(self) -> None:
        """Begin to stop, as a signal would have it."""
        self._server.should_exit = True

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._thread.join(TIMEOUT_SECONDS)
        self._socket.close()

    def client(self, **headers: str) -> httpx2.Client:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx2.Client(base_url=self.url, headers=named, timeout=TIMEOUT_SECONDS, trust_env=False)


class StoreServer(ThreadedServer):
    """A server of one store."""

    def __init__(self, store: Store, settings: Settings) -> None:
        app, self.rest = served(store, settings)
        super().__init__(app, self.rest.end)
        self.store = store
        self.settings = settings


class MultiStoreServer(ThreadedServer):
    """A server that is started once for many stores, each below its own path."""

    def __init__(self) -> None:
        self._folders: dict[str, ASGIApp] = {}
        super().__init__(self._answer)

    def open(self, store: Store, settings: Settings) -> str:
        """Serve a store; returns its address."""
        folder = f"/{len(self._folders)}"
        self._folders[folder], _ = served(store, settings)
        return self.url + folder

    def shut(self, address: str) -> None:
        """Stop serving a store."""
        self._folders[address.removeprefix(self.url)] = Starlette()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            folder = "/" + scope["path"].split("/")[1]
            await self._folders[folder]({**scope, "root_path": folder}, receive, send)


def served(store: Store, settings: Settings) -> tuple[ASGIApp, Rest]:
    """The application over a store."""
    contexts = JournalContexts(Local(OperationContext(store, settings, Principal())))
    rest = Rest(contexts)
    return FakeAuthentication(Starlette(routes=rest.routes()), contexts), rest


class _Server(uvicorn.Server):
    def __init__(self, app: ASGIApp, ends: Callable[[], None]) -> None:
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=3,
            lifespan="off",
            ws="none",
            interface="asgi3",
        )
        super().__init__(config)
        self._ends = ends

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        self._ends()
        await super().shutdown(sockets)
