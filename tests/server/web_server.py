"""The whole web application in a thread of this process, behind a real socket, and a browser's and a program's way to
ask it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from threading import Thread
from typing import Any

from tallystick import Journal
from tallystick.core.types import Actor
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.runner.tools.registry import Policy, ToolRegistry
from tallystick.runner.worker import ServerWorker, WorkerOptions
from tallystick.sdk.local import Local
from tallystick.server.application import Application
from tallystick.server.command import open_listener
from tallystick.server.connections import WebServer
from tallystick.server.options import ServerOptions
from tallystick.settings import Settings
from tallystick.store.memory import MemoryStore
from tests.stores import Clock

TIMEOUT_SECONDS = 60
NAME = "test"
OTHER = "other"


class Answer:
    """A response."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.status = status
        self.headers = {name.lower(): value for name, value in headers.items()}
        self.body = body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Browser:
    """Keeps the cookie, and what a page has to send beside it."""

    def __init__(self, **more: str) -> None:
        self.cookie = ""
        self.csrf = ""
        self.more = more

    @property
    def headers(self) -> dict[str, str]:
        cookie = {"cookie": f"theme=dark; {self.cookie}"} if self.cookie else {}
        return {**cookie, **({"tallystick-csrf": self.csrf} if self.csrf else {}), **self.more}

    def store_cookie(self, answer: Answer) -> None:
        if cookie := answer.headers.get("set-cookie"):
            self.cookie = cookie.partition(";")[0]


class RunningServer:
    """One server over a store in memory, with the journals `test` and `other`. With `run_tools`, it carries out plans
    with these functions, under `run_policy`."""

    def __init__(self, *, run_tools: Iterable[Any] = (), run_policy: Policy | None = None, **options: Any) -> None:
        self.clock = Clock()
        self.links: list[str] = []
        self.store = MemoryStore(self.clock)
        self.context = OperationContext(self.store, Settings(url="memory:", journal=NAME, actor="server"), Principal())
        self.runs: ServerWorker | None = None
        if run_tools or run_policy:
            registry = ToolRegistry(run_tools, (run_policy or Policy()).closed(), is_closed=True)
            self.runs = ServerWorker(Local(self.context), registry, WorkerOptions(grace=0))
        given: dict[str, Any] = {"on_new_link": self.links.append, "runs": self.runs, **options}
        self.app = Application(Local(self.context), ServerOptions(**given), lambda: None)
        self._admins: dict[str, str] = {}
        self._stack = ExitStack()
        self._listener = open_listener("127.0.0.1", 0)
        self._server = WebServer(self.app)
        self._thread = Thread(target=self._server.run, args=([self._listener],), name="test-site", daemon=True)

    @property
    def port(self) -> int:
        port: int = self._listener.getsockname()[1]
        return port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def remote(self, token: str) -> Journal:
        """The journal of a token, over REST."""
        return Journal.open(self.url, credential=token)

    def journal(self, name: str = NAME, credential: str = "") -> Journal:
        """A journal as a program on this machine opens it."""
        principal = Principal(actor=Actor(name="program"), credential=credential)
        return Journal(Local(self.context.for_journal(name, principal)))

    def token(self, *scopes: str, journal: str = NAME, **more: Any) -> str:
        """A new credential. The first one of a journal is its administrator's, who makes the others."""
        if journal not in self._admins:
            self._admins[journal] = self.journal(journal).add_credential(name="admin", scopes=("admin",)).secret
        number = len(self.journal(journal).list_credentials().credentials)
        name = more.pop("name", f"{'-'.join(scopes)}-{number}")
        made = self.administrator(journal).add_credential(name=name, scopes=scopes, **more)  # type: ignore[arg-type]
        return made.secret

    def administrator(self, journal: str = NAME) -> Journal:
        return self.journal(journal, self._admins[journal])

    def ask(
        self,
        path: str,
        body: Any = None,
        *,
        method: str = "",
        token: str = "",
        browser: Browser | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request, a GET if there is no body; returns the response."""
        sent = {**({"authorization": f"Bearer {token}"} if token else {}), **(browser.headers if browser else {})}
        answer = ask(self.port, path, body, method=method, headers={**sent, **(headers or {})})
        if browser:
            browser.store_cookie(answer)
        return answer

    def __enter__(self) -> "RunningServer":
        self._thread.start()
        if self.runs:
            self._stack.enter_context(self.runs.running())
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        self._server.should_exit = True
        self._thread.join(TIMEOUT_SECONDS)
        self._listener.close()
        assert not self._thread.is_alive()


def ask(
    port: int, path: str, body: Any = None, *, method: str = "", headers: Mapping[str, str] | None = None
) -> Answer:
    """Send a request to a server on this machine; returns the response, for a stream only its headers."""
    sent = {"accept": "*/*"}
    if body is not None and not isinstance(body, bytes):
        body, sent = json.dumps(body).encode(), {**sent, "content-type": "application/json"}
    connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
    try:
        connection.request(method or ("GET" if body is None else "POST"), path, body, {**sent, **(headers or {})})
        response = connection.getresponse()
        is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
        return Answer(response.status, dict(response.getheaders()), b"" if is_stream else response.read())
    finally:
        connection.close()


@contextmanager
def running_server(**options: Any) -> Iterator[RunningServer]:
    """A server with these options, as long as the block lasts."""
    with RunningServer(**options) as found:
        yield found
