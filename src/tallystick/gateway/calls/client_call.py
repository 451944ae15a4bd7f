"""The base of `ToolCall`: the request of a tools/call and the client connection that waits for the answer."""

from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from msgspec import Raw

from tallystick.core.errors import TallystickError
from tallystick.gateway.gateway import Gateway
from tallystick.gateway.io.loop import Future
from tallystick.gateway.recording import hooks
from tallystick.gateway.recording.call_request import CallRequest
from tallystick.gateway.upstream.server import Upstream
from tallystick.protocol.jsonrpc import Id

HOOK_DRAIN_WAIT_SECONDS = 0.5
"""How long a call waits for another process that drains what hooks have seen."""


class TaskRegistry(Protocol):
    """The tasks that servers made of a client's calls."""

    def on_accepted(self, call: Any, task_id: str, result: Raw) -> Raw: ...


class CallingClient(Protocol):
    """The parts of its client's connection that a call needs."""

    gateway: Gateway
    client: str
    client_key: str

    @property
    def is_modern(self) -> bool: ...
    @property
    def capabilities(self) -> dict[str, Any]: ...
    @property
    def tasks(self) -> TaskRegistry: ...
    def new_call_id(self) -> str: ...
    def parse_arguments(self, raw: Any) -> dict[str, Any]: ...
    def start(self, id: Id, coroutine: Coroutine[Future[Any], None, None]) -> None: ...
    def ask_person(
        self, method: str, params: dict[str, Any], related: Id, on_answer: Callable[[Raw | None], None]
    ) -> Callable[[], None]: ...
    def refusal(self, error: TallystickError) -> dict[str, Any]: ...
    def answer(self, id: Id, method: str, result: dict[str, Any]) -> None: ...
    def pass_on(self, id: Id, method: str, upstream: Upstream, result: Raw) -> None: ...
    def fail(self, id: Id | None, error: Raw | dict[str, Any]) -> None: ...


class ClientCall(CallRequest):
    """A requested call, with the client that waits for its answer."""

    def __init__(self, connection: CallingClient, id: Id, name: str, shown: str, params: dict[str, Any]) -> None:
        self.connection = connection
        self.gateway = connection.gateway
        self.id = id
        super().__init__(
            local=self.gateway.writer.local(params["_meta"], connection.client, connection.client_key),
            name=name,
            shown=shown,
            params=params,
            client_key=connection.client_key,
            new_call_id=connection.new_call_id,
        )

    def find_client_call_id(self) -> None:
        """Find the client's own id of the call, if it can be used."""
        self.gateway.spool.drain(HOOK_DRAIN_WAIT_SECONDS)  # what hooks have seen of the call comes first
        self.client_call_id = hooks.usable_call_id(self)

    def parse_arguments(self) -> None:
        self.arguments = self.connection.parse_arguments(self.params.get("arguments"))
