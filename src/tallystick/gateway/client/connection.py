"""One client's connection: answers its requests, or sends them to the server that they belong to.

Request ids and progress tokens are the gateway's own towards a server, and the client's towards the client. Messages
that the gateway does not need to understand pass through unchanged.
"""

import os
from collections.abc import Callable, Coroutine
from itertools import count
from time import monotonic
from typing import Any, ParamSpec

import msgspec
from msgspec import Raw, UnsetType

from tallystick import protocol
from tallystick.core.errors import InvalidArgument, TallystickError
from tallystick.core.formats import canonical_json
from tallystick.gateway.calls import not_sent
from tallystick.gateway.calls.call import ToolCall
from tallystick.gateway.calls.client_call import ClientCall
from tallystick.gateway.client import requests
from tallystick.gateway.client.listing import KINDS, Listing, learn_tools
from tallystick.gateway.client.requests import encode, encode_lines, unique_id
from tallystick.gateway.client.routing import Routes
from tallystick.gateway.client.server_messages import Emit, HoldUntilReady, ServerMessages
from tallystick.gateway.client.tasks import Tasks
from tallystick.gateway.gateway import Gateway
from tallystick.gateway.io.loop import Future, describe_unexpected, start
from tallystick.gateway.messages import no_such_tool, not_listed, server_unavailable
from tallystick.gateway.policy.rulings import Hints
from tallystick.gateway.upstream.names import MAX_NAME, Names
from tallystick.gateway.upstream.server import Hello, Upstream, UpstreamAnswer
from tallystick.operations.runtime.correlation import GATEWAY_ID_PREFIX
from tallystick.protocol.jsonrpc import (
    NOT_A_MESSAGE,
    TOO_DEEP,
    Id,
    Message,
    decode,
    decode_raw,
    error_object,
    is_id,
    one_line,
    scan_id,
)

P = ParamSpec("P")
OnAnswer = Callable[[UpstreamAnswer], None]
NEEDS_VERSION_AND_ID = 'A request needs "jsonrpc": "2.0" and an id.'
MAX_SCHEMAS = 1000
SCHEMA_HOLD_SECONDS = 60.0
"""How long the schema of a tool is used that its server has not said to have changed."""
ServerLife = tuple[str, int]
"""A server's name, and the number of its life: a restarted server may have other tools."""


class ClientConnection:
    """A connection with a client, from its first message to its last."""

    parse_arguments = staticmethod(requests.arguments)

    def __init__(self, gateway: Gateway, emit: Emit, client_key: str = "") -> None:
        self.gateway = gateway
        self.emit = emit
        self.notifications = HoldUntilReady(emit, gateway.log)
        self.client_key = client_key
        """Tells clients apart where several share the gateway."""
        self.client = ""
        self.hello: Hello | None = None
        self.met_at = 0.0
        self.own_name = ""
        self.upstreams: list[Upstream] = []
        self.missed: set[str] = set()
        """Servers that a list or a greeting did not wait for any longer."""
        self.tools: dict[str, dict[str, Hints]] = {}
        self.learnt: set[ServerLife] = set()
        """The server lives whose tools were asked for."""
        self.complete: set[ServerLife] = set()
        """The server lives of which all tools are known: another name does not exist."""
        self.schemas: dict[tuple[str, int, str], tuple[float, Any]] = {}
        """The schemas that were asked for, by server, life and tool, each with the time until it is used."""
        self.resource_owners: dict[str, Upstream] = {}
        self.tasks = Tasks(self)
        self.server_messages = ServerMessages(self)
        self._routes = Routes(self)
        self._active: dict[Id, tuple[Id, Callable[[str], None]]] = {}
        """Requests without an answer, each with what cancels it."""
        self._token = os.urandom(6).hex()
        self._call_numbers = count(1)

    def attach(self, upstreams: list[Upstream], own_name: str) -> None:
        """Set the servers behind this client. Our own tools are one of them."""
        self.upstreams, self.own_name = upstreams, own_name
        self.gateway.clients.append(self)
        prefixes = {each.name: self.gateway.configuration.prefix(each.name) for each in upstreams if not each.own}
        self.tool_names = Names(upstreams, prefixes)
        self.prompt_names = Names(upstreams, prefixes)

    @property
    def is_modern(self) -> bool:
        return self.hello is not None and self.hello.era == "modern"

    @property
    def capabilities(self) -> dict[str, Any]:
        """What the client said in its greeting that it can do."""
        return self.hello.capabilities if self.hello is not None else {}

    @property
    def is_busy(self) -> bool:
        """Whether a request waits for its answer. A stream of changes does not count."""
        return any(not self.server_messages.is_stream(id) for id in self._active)

    # -- Messages of the client

    def take(self, line: bytes) -> None:
        """Handle one line from the client, whatever is in it."""
        line = one_line(line)
        try:
            message = decode(line)
        except RecursionError:
            self._emit_answer(scan_id(line), {"error": error_object(protocol.INVALID_REQUEST, TOO_DEEP)})
            return
        except (msgspec.DecodeError, UnicodeDecodeError):
            self.guarded(None, lambda: self._take_unreadable(line))()
            return
        try:
            requests.check_line(line)
        except TallystickError as error:
            self._refuse_line(message, error)
            return
        if isinstance(message.id, str | int):
            message.id = unique_id(message.id)
        self.guarded(message.id, lambda: self._take(message))()

    def _refuse_line(self, message: Message, error: TallystickError) -> None:
        """Refuse JSON that two parsers could read differently; a call with a result that the agent gets to see."""
        id = message.id if isinstance(message.id, str | int) else None
        if id is not None and message.method == "tools/call":
            result = self.refusal(error)
            answer = protocol.add_modern_fields("tools/call", result) if self.is_modern else result
            self._emit_answer(id, {"result": answer})
        else:
            self._emit_answer(id, {"error": error_object(protocol.INVALID_REQUEST, str(error)[:400])})

    def _take(self, message: Message) -> None:
        if isinstance(message.method, UnsetType):
            if isinstance(message.id, str | int):
                self.server_messages.on_client_answer(message)
            elif isinstance(message.id, UnsetType):
                self.fail(None, error_object(protocol.INVALID_REQUEST, "This is neither a request nor a notification."))
            return
        try:
            params = requests.params(message.params)
        except InvalidArgument as error:
            if isinstance(message.id, str | int):
                self._emit_answer(message.id, {"error": error_object(protocol.INVALID_PARAMS, str(error)[:400])})
            return
        if message.id is None or message.jsonrpc != "2.0":
            id = None if isinstance(message.id, UnsetType) else message.id
            self._emit_answer(id, {"error": error_object(protocol.INVALID_REQUEST, NEEDS_VERSION_AND_ID)})
        elif isinstance(message.id, UnsetType):
            self._on_notification(message.method, params)
        elif message.id in self._active:
            duplicate = error_object(protocol.INVALID_REQUEST, "A request with this id is under way.")
            self._emit_answer(message.id, {"error": duplicate})
        else:
            self._on_request(message.id, message.method, params)

    def _take_unreadable(self, line: bytes) -> None:
        """Refuse a line that is no message, such as a batch, with the id that can be read."""
        try:
            parsed = canonical_json.parse(line.decode(errors="replace"), "line")
        except TallystickError:
            self.fail(None, error_object(protocol.PARSE_ERROR, "This line is not JSON as it should be."))
            return
        id = parsed.get("id") if isinstance(parsed, dict) else None
        self._emit_answer(id if is_id(id) else None, {"error": error_object(protocol.INVALID_REQUEST, NOT_A_MESSAGE)})

    def _on_request(self, id: Id, method: str, params: dict[str, Any]) -> None:
        self._active[id] = id, _ignore
        error = self._check_greeting(method, params["_meta"])
        if error is not None:
            self.fail(id, error)
            return
        if method not in ("initialize", "ping"):
            self.notifications.on_ready()
        if method == "tools/call":
            self.start(id, self._call_tool(id, params))
        elif method in KINDS:
            Listing(self, id, method, params).begin()
        else:
            self._routes.take(id, method, params)

    def _check_greeting(self, method: str, meta: dict[str, Any]) -> dict[str, Any] | None:
        """Return the error of a request that does not fit the era in which this connection began, or None."""
        if protocol.VERSION_KEY in meta and method != "initialize":
            if self.hello is not None and not self.is_modern:
                message = "This connection began with the handshake of an earlier version."
                return error_object(protocol.INVALID_REQUEST, message)
            try:
                protocol.check_envelope(meta)
            except protocol.ProtocolError as error:
                return error.as_dict()
            self._meet_modern(meta)
        elif method not in ("initialize", "ping") and self.hello is None:
            message = "Send initialize first, or 2026-07-28's _meta with each request."
            return error_object(protocol.INVALID_PARAMS, message)
        return None

    def _meet_modern(self, meta: dict[str, Any]) -> None:
        client = meta.get(protocol.CLIENT_KEY)
        client = client if isinstance(client, dict) else {}
        self.client = str(client.get("name", ""))
        if self.hello is None:
            capabilities = meta[protocol.CAPABILITIES_KEY]
            self.on_client_hello(
                Hello(
                    era="modern",
                    version=meta[protocol.VERSION_KEY],
                    capabilities=capabilities if isinstance(capabilities, dict) else {},
                    client=client or protocol.SERVER,
                )
            )

    def on_client_hello(self, hello: Hello) -> None:
        """Greet the servers in the client's era, now that the client is known."""
        self.hello, self.met_at = hello, monotonic()
        if self.is_modern:
            self.notifications.on_greeted()
        for upstream in self.upstreams:
            upstream.greet(hello)

    def _on_notification(self, method: str, params: dict[str, Any]) -> None:
        if method == "notifications/cancelled":
            id, reason = (decode_raw(params.get(name)) for name in ("requestId", "reason"))
            if isinstance(id, str | int):
                was_stream = self.server_messages.close_stream(id)
                _, cancel = self._active.pop(id, (id, None))
                if cancel and not was_stream:
                    cancel(reason if isinstance(reason, str) else "")
        elif method == "notifications/progress":
            self.server_messages.on_client_progress(params)
        elif method == "notifications/initialized":  # the gateway has sent its own to each server
            self.notifications.on_ready()
        elif not self._routes.notify(method, params):
            self.gateway.log(f"{method[:80]!a} was not passed on: it has no id, and is no notification of MCP")

    # -- Calls

    async def _call_tool(self, id: Id, params: dict[str, Any]) -> None:
        """Find the server of a tool, and run the call there."""
        try:
            requests.check_call(params)
            shown = msgspec.json.decode(params.get("name", Raw(b"null")), type=str)
        except (InvalidArgument, msgspec.DecodeError, UnicodeDecodeError) as error:
            problem = str(error) if isinstance(error, InvalidArgument) else "name is missing or not text."
            self.fail(id, error_object(protocol.INVALID_PARAMS, problem))
            return
        found = await self._routes.find_tool(shown)
        if found is None:
            unknown = no_such_tool(shown, self.tool_names.shown())
            await not_sent.record_rejected(ClientCall(self, id, shown[:MAX_NAME], shown, params), unknown)
            self.fail(id, error_object(protocol.INVALID_PARAMS, unknown.message))
            return
        upstream, tool = found
        if upstream.own:
            if self.waits(id):
                await self._routes.call_own(id, upstream, tool, params)
            return
        call = ToolCall(self, id, upstream, tool, shown, params)
        if not self.waits(id):  # cancelled while the tool was looked up
            await not_sent.record_cancelled(call)
            return
        self._active[id] = id, call.cancel
        await self._run_call(call)

    async def _run_call(self, call: ToolCall) -> None:
        """Wait until the server is ready, learn the tool's hints, and run the call if the tool may be called."""
        upstream, tool, policies = call.upstream, call.tool, self.gateway.policies
        problem = await upstream.wait_ready(self.gateway.configuration.seconds(upstream.name, "start"))
        if not self.waits(call.id):  # cancelled meanwhile: `cancel` has recorded it
            return
        if problem:
            await self._reject(call, server_unavailable(upstream.name, problem))
            return
        hints = await learn_tools(self, upstream)
        if tool not in hints:  # the list may have changed
            hints = await learn_tools(self, upstream, again=True)
        is_listed = tool in hints
        if is_listed or policies.may_be_unlisted(upstream.name, tool, hints):
            ruling = policies.ruling(upstream.name, tool, hints.get(tool, Hints()), is_listed=is_listed)
            all_known = (upstream.name, upstream.life) in self.learnt & self.complete
            await call.run(ruling, is_listed=is_listed or not all_known)
        elif self.waits(call.id):
            await self._reject(call, not_listed(upstream.name, tool, hints))

    async def _reject(self, call: ToolCall, error: TallystickError) -> None:
        """Record that a call cannot be made, then answer it."""
        await not_sent.record_rejected(call, error)
        self.answer(call.id, "tools/call", self.refusal(error))

    def new_call_id(self) -> str:
        """Make an id for a call that the client gave none."""
        return f"{GATEWAY_ID_PREFIX}{self._token}:{next(self._call_numbers)}"

    def refusal(self, error: TallystickError) -> dict[str, Any]:
        """The tool result that reports an error to the agent."""
        return self.gateway.dependencies.error_result(
            self.gateway.caller, self.gateway.configuration.settings.tools, error
        )

    def fetch_schema(self, shown: str, params: dict[str, Any], on_schema: Callable[[Any], None]) -> None:
        """Ask a tool's server for the schema of its arguments; None if it is not known."""
        if self.hello is None:
            self._meet_modern(params["_meta"])  # this is the client's first request
        found, unprefixed = self.tool_names.find(shown), list(self.tool_names.unprefixed())
        if found is None and len(unprefixed) == 1:
            found = (unprefixed[0], shown)
        if found is None:
            on_schema(None)
            return
        upstream, tool = found
        key = upstream.name, upstream.life, tool
        until, schema = self.schemas.get(key, (0.0, None))
        if monotonic() < until:
            on_schema(schema)
            return

        def on_list(answer: UpstreamAnswer) -> None:
            result = decode_raw(answer.result)
            tools = result.get("tools") if isinstance(result, dict) else None
            named = [each for each in tools or () if isinstance(each, dict) and each.get("name") == tool]
            schema = named[0].get("inputSchema") if named else None
            if answer.result is not None:
                if len(self.schemas) >= MAX_SCHEMAS:
                    self.schemas.clear()
                self.schemas[key] = monotonic() + SCHEMA_HOLD_SECONDS, schema
            on_schema(schema)

        def ask(problem: str) -> None:
            if problem or not upstream.request("tools/list", params, on_list):
                on_schema(None)

        upstream.when_ready(self.gateway.configuration.seconds(upstream.name, "list"), ask)

    # -- Other requests

    def forward(
        self, id: Id, method: str, upstream: Upstream, params: dict[str, Any], on_answer: OnAnswer | None = None
    ) -> None:
        """Forward a request when its server is ready. The answer is passed back, unless `on_answer` handles it."""
        pass_back = on_answer or self.guarded(id, lambda answer: self.pass_answer(id, method, upstream, answer))

        def ask(problem: str) -> None:
            if not self.waits(id):
                return  # cancelled meanwhile
            if problem:
                self.fail(id, error_object(protocol.INTERNAL_ERROR, str(server_unavailable(upstream.name, problem))))
                return
            token = params.get("_meta", {}).get("progressToken")
            sent = upstream.request(
                method,
                params,
                pass_back,
                related=id,
                token=token if is_id(token) else None,
            )
            if sent:
                self._active[id] = id, lambda reason: upstream.cancel(sent, reason)
            else:
                self.fail(
                    id,
                    error_object(
                        protocol.INTERNAL_ERROR, str(server_unavailable(upstream.name, "is not reading its input"))
                    ),
                )

        upstream.when_ready(self.gateway.configuration.seconds(upstream.name, "start"), self.guarded(id, ask))

    def pass_answer(self, id: Id, method: str, upstream: Upstream, answer: UpstreamAnswer) -> None:
        """Answer a forwarded request with the server's result or error."""
        if answer.lost:
            reason = f'The server "{upstream.name}" {answer.lost} while this was asked.'
            self.fail(id, error_object(protocol.INTERNAL_ERROR, reason))
        elif answer.error is not None:
            self.fail(id, answer.error)
        else:
            assert answer.result is not None
            self.pass_on(id, method, upstream, answer.result)

    def owner(self, uri: str) -> Upstream | None:
        return self._routes.owner(uri)

    # -- Messages to the client

    def answer(self, id: Id, method: str, result: dict[str, Any], *, hold: tuple[int, str] | None = None) -> None:
        """Answer with a result that the gateway made. `hold` is how long, and for whom, a client may cache it."""
        if self.is_modern:
            result = protocol.add_modern_fields(method, result)
            if hold is not None and method in protocol.CACHE_HINTS:
                result["ttlMs"], result["cacheScope"] = hold
        self._respond(id, {"result": result})

    def pass_on(self, id: Id, method: str, upstream: Upstream, result: Raw) -> None:
        """Answer with a server's result: unchanged, if the server is of the client's era."""
        if self.is_modern and upstream.era != "modern":
            try:
                fields: dict[str, Any] = msgspec.json.decode(result, type=dict[str, Raw])
                meta = msgspec.json.decode(fields["_meta"], type=dict[str, Any]) if "_meta" in fields else {}
            except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
                self.fail(
                    id, error_object(protocol.INTERNAL_ERROR, f"{upstream.name} answered with what is no object.")
                )
                return
            stamped = protocol.add_modern_fields(method, {**fields, "_meta": {**meta}})
            if method in protocol.CACHE_HINTS:
                stamped["ttlMs"], stamped["cacheScope"] = 0, "private"
            stamped["_meta"] = {**meta, protocol.SERVER_KEY: upstream.info}
            self._respond(id, {"result": stamped})
            return
        self._respond(id, {"result": result})

    def fail(self, id: Id | None, error: Raw | dict[str, Any]) -> None:
        """Answer with a JSON-RPC error."""
        self._respond(id, {"error": error})

    def notify(self, method: str, params: dict[str, Any], related: Id | None = None) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if params:
            message["params"] = params
        self.notifications.emit(encode(message) + b"\n", related)

    def ask(self, id: Id, method: str, params: dict[str, Any], related: Id | None) -> None:
        """Send a server's request to the client."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": id, "method": method}
        if params:
            message["params"] = params
        self.notifications.emit(encode(message) + b"\n", related)

    def ask_person(
        self, method: str, params: dict[str, Any], related: Id, on_answer: Callable[[Raw | None], None]
    ) -> Callable[[], None]:
        """Send a request of the gateway itself to a client of the handshake era. Returns what takes it back."""
        return self.server_messages.ask_client(method, params, related, on_answer)

    def waits(self, id: Id) -> bool:
        """Whether the client waits for this request's answer. Another request with an equal id does not count."""
        return id in self._active and self._active[id][0] is id

    def _respond(self, id: Id | None, fields: dict[str, Any]) -> None:
        """Answer a request once: one that was answered or cancelled gets no second answer."""
        if id is not None:
            if not self.waits(id):
                return
            self._active.pop(id)
        self._emit_answer(id, fields)

    def _emit_answer(self, id: Id | None, fields: dict[str, Any]) -> None:
        self.emit(encode_lines([{"jsonrpc": "2.0", "id": id, **fields}]), id)  # encoded with its newline: no copy

    # -- Errors and the end

    def start(self, id: Id, coroutine: Coroutine[Future[Any], None, None]) -> None:
        """Run a coroutine for one request. An unexpected error fails that request, and nothing else."""
        start(coroutine, lambda error: self._on_unexpected(id, error))

    def guarded(self, id: Id | UnsetType | None, work: Callable[P, None]) -> Callable[P, None]:
        """Wrap work for one request: an unexpected error fails that request, and nothing else."""

        def do(*args: P.args, **named: P.kwargs) -> None:
            try:
                work(*args, **named)
            except Exception as error:
                self._on_unexpected(id, error)

        return do

    def _on_unexpected(self, id: Id | UnsetType | None, error: Exception) -> None:
        self.gateway.log(describe_unexpected(error))
        if isinstance(id, str | int):
            self.fail(id, error_object(protocol.INTERNAL_ERROR, "The gateway has failed here; its log says where."))

    def on_input_end(self) -> None:
        """The client sends no more, and so answers nothing."""
        self.server_messages.on_input_end()

    def on_client_gone(self) -> None:
        """The client has disconnected. Its calls under way get time to end, but nobody else waits for that."""
        for _, cancel in list(self._active.values()):
            cancel("The client is gone.")
        self.gateway.continuations.on_client_gone(self)
        self.gateway.clients.remove(self)
        for upstream in self.upstreams:
            upstream.close(wait=False)

    def close(self) -> None:
        for upstream in self.upstreams:
            upstream.close(wait=True)


def _ignore(reason: str) -> None:
    """Cancel a request that was not sent anywhere yet."""
