"""One client of the gateway: what it asks is answered here, or goes to the server that it belongs to.

Ids are ours on the way to a server and the client's on the way back; so are names of progress. What is not ours to
understand passes through as it came.
"""

import os
from collections.abc import Callable
from itertools import count
from time import monotonic
from typing import Any, ParamSpec

import msgspec
from msgspec import Raw, UnsetType

from tallystick import protocol
from tallystick.core.errors import InvalidArgument, TallystickError, UnknownHandle
from tallystick.core.formats import canonical_json
from tallystick.gateway.calls.call import ToolCall
from tallystick.gateway.calls.request import Requested
from tallystick.gateway.client import requests
from tallystick.gateway.client.listing import KINDS, Listing, learn_tools
from tallystick.gateway.client.requests import encode, encode_lines, own
from tallystick.gateway.client.routing import Routes
from tallystick.gateway.client.server_messages import Emit, HoldUntilReady, ServerMessages
from tallystick.gateway.client.tasks import Tasks
from tallystick.gateway.gateway import Gateway
from tallystick.gateway.io.loop import trouble
from tallystick.gateway.messages import not_now
from tallystick.gateway.policy import Hints
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
    scan_id,
)

P = ParamSpec("P")
Done = Callable[[UpstreamAnswer], None]


class ClientConnection:
    """A connection with a client, from its first message to its last."""

    arguments = staticmethod(requests.arguments)

    def __init__(self, gateway: Gateway, emit: Emit, apart: str = "") -> None:
        self.gateway = gateway
        self.emit = emit
        self.early = HoldUntilReady(emit, gateway.say)
        self.apart = apart
        self.client = ""
        self.hello: Hello | None = None
        self.met_at = 0.0
        self.own_name = ""
        self.upstreams: list[Upstream] = []
        self.missed: set[str] = set()
        self.tools: dict[str, dict[str, Hints]] = {}
        self.learnt: set[tuple[str, int]] = set()
        self.complete: set[tuple[str, int]] = set()
        """The lives of servers all of whose tools were read: what is not among them does not exist."""
        self.places: dict[str, Upstream] = {}
        self.tasks = Tasks(self)
        self.voices = ServerMessages(self)
        self._routes = Routes(self)
        self._active: dict[Id, tuple[Id, Callable[[str], None]]] = {}
        self._token = os.urandom(6).hex()
        self._calls = count(1)

    def attach(self, upstreams: list[Upstream], own_name: str) -> None:
        """The servers behind; our own tools are one of them."""
        self.upstreams, self.own_name = upstreams, own_name
        self.gateway.fronts.append(self)
        prefixes = {each.name: self.gateway.configuration.prefix(each.name) for each in upstreams if not each.own}
        self.tool_names = Names(upstreams, prefixes)
        self.prompt_names = Names(upstreams, prefixes)

    @property
    def modern(self) -> bool:
        return self.hello is not None and self.hello.era == "modern"

    @property
    def busy(self) -> bool:
        """Whether a request waits for its answer."""
        return any(not self.voices.listens(id) for id in self._active)

    def take(self, line: bytes) -> None:
        """Take one line from the client, whatever is in it."""
        try:
            message = decode(line)
        except RecursionError:
            self._emit_answer(scan_id(line), {"error": error_object(protocol.INVALID_REQUEST, TOO_DEEP)})
            return
        except (msgspec.DecodeError, UnicodeDecodeError):
            self.guarded(None, lambda: self._misread(line))()
            return
        if isinstance(message.id, str | int):
            message.id = own(message.id)
        self.guarded(message.id, lambda: self._take(message))()

    def guarded(self, id: Id | UnsetType | None, work: Callable[P, None]) -> Callable[P, None]:
        """Work for one request: an error that nobody foresaw fails that request, and nothing else."""

        def do(*args: P.args, **named: P.kwargs) -> None:
            try:
                work(*args, **named)
            except Exception as error:
                self.gateway.say(trouble(error))
                if isinstance(id, str | int):
                    self.fail(
                        id, error_object(protocol.INTERNAL_ERROR, "The gateway has failed here; its log says where.")
                    )

        return do

    def waits(self, id: Id) -> bool:
        """Whether the client still waits for the answer of this very request, and not of another with the same id."""
        return id in self._active and self._active[id][0] is id

    def _take(self, message: Message) -> None:
        if isinstance(message.method, UnsetType):
            if isinstance(message.id, str | int):
                self.voices.answered(message)
            elif isinstance(message.id, UnsetType):
                self.fail(None, error_object(protocol.INVALID_REQUEST, "This is neither a request nor a notification."))
            return
        try:
            params = requests.params(message.params)
        except InvalidArgument as error:
            if isinstance(message.id, str | int):
                self.fail(message.id, error_object(protocol.INVALID_PARAMS, str(error)[:400]))
            return
        if isinstance(message.id, UnsetType):
            self._notified(message.method, params)
        elif message.id is None or message.jsonrpc != "2.0":
            self.fail(message.id, error_object(protocol.INVALID_REQUEST, 'A request needs "jsonrpc": "2.0" and an id.'))
        elif message.id in self._active:
            twice = error_object(protocol.INVALID_REQUEST, "A request with this id is under way.")
            self._emit_answer(message.id, {"error": twice})
        else:
            self._requested(message.id, message.method, params)

    def call_id(self) -> str:
        """A name for a call that the client has not named."""
        return f"{GATEWAY_ID_PREFIX}{self._token}:{next(self._calls)}"

    def answer(self, id: Id, method: str, result: dict[str, Any], *, hold: tuple[int, str] | None = None) -> None:
        """Answer with a result that was made here."""
        if self.modern:
            result = protocol.add_modern_fields(method, result)
            if hold is not None and method in protocol.CACHE_HINTS:
                result["ttlMs"], result["cacheScope"] = hold
        self._respond(id, {"result": result})

    def pass_on(self, id: Id, method: str, upstream: Upstream, result: Raw) -> None:
        """Answer with a server's result: as it came, when it speaks as the client does."""
        if self.modern and upstream.era != "modern":
            try:
                found: dict[str, Any] = msgspec.json.decode(result, type=dict[str, Raw])
                meta = msgspec.json.decode(found["_meta"], type=dict[str, Any]) if "_meta" in found else {}
            except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
                self.fail(
                    id, error_object(protocol.INTERNAL_ERROR, f"{upstream.name} answered with what is no object.")
                )
                return
            stamped = protocol.add_modern_fields(method, {**found, "_meta": {**meta}})
            if method in protocol.CACHE_HINTS:
                stamped["ttlMs"], stamped["cacheScope"] = 0, "private"
            stamped["_meta"] = {**meta, protocol.SERVER_KEY: upstream.info}
            self._respond(id, {"result": stamped})
            return
        self._respond(id, {"result": result})

    def fail(self, id: Id | None, error: Raw | dict[str, Any]) -> None:
        self._respond(id, {"error": error})

    def refusal(self, error: TallystickError) -> dict[str, Any]:
        return self.gateway.parts.refusal(self.gateway.caller, self.gateway.configuration.ours.tools, error)

    def notify(self, method: str, params: dict[str, Any], related: Id | None = None) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if params:
            message["params"] = params
        self.early.emit(encode(message) + b"\n", related)

    def ask(self, id: Id, method: str, params: dict[str, Any], related: Id | None) -> None:
        """Ask the client something, for a server."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": id, "method": method}
        if params:
            message["params"] = params
        self.early.emit(encode(message) + b"\n", related)

    def owner(self, uri: str) -> Upstream | None:
        return self._routes.owner(uri)

    def forward(
        self, id: Id, method: str, upstream: Upstream, params: dict[str, Any], done: Done | None = None
    ) -> None:
        """Pass a request on, once the server can be asked. Its answer is passed back, unless `done` sees to that."""
        answered = done or self.guarded(id, lambda answer: self.answered(id, method, upstream, answer))

        def ask(problem: str) -> None:
            if not self.waits(id):
                return  # cancelled meanwhile
            if problem:
                self.fail(id, error_object(protocol.INTERNAL_ERROR, str(not_now(upstream.name, problem))))
                return
            token = params.get("_meta", {}).get("progressToken")
            sent = upstream.request(
                method,
                params,
                answered,
                related=id,
                token=token if is_id(token) else None,
            )
            if sent:
                self._active[id] = id, lambda reason: upstream.cancel(sent, reason)
            else:
                self.fail(id, error_object(protocol.INTERNAL_ERROR, str(not_now(upstream.name, "does not read"))))

        upstream.when_ready(self.gateway.configuration.seconds(upstream.name, "start"), self.guarded(id, ask))

    def schema_of(self, shown: str, params: dict[str, Any], done: Callable[[Any], None]) -> None:
        """What a tool's arguments look like, asked of its server; None when nobody knows."""
        if self.hello is None:
            self._meet_modern(params["_meta"])  # nobody has asked anything before
        found, bare = self.tool_names.find(shown), list(self.tool_names.unprefixed())
        if found is None and len(bare) == 1:
            found = (bare[0], shown)
        if found is None:
            done(None)
            return
        upstream, tool = found

        def listed(answer: UpstreamAnswer) -> None:
            result = decode_raw(answer.result)
            tools = result.get("tools") if isinstance(result, dict) else None
            named = [each for each in tools or () if isinstance(each, dict) and each.get("name") == tool]
            done(named[0].get("inputSchema") if named else None)

        def ask(problem: str) -> None:
            if problem or not upstream.request("tools/list", params, listed):
                done(None)

        upstream.when_ready(self.gateway.configuration.seconds(upstream.name, "list"), ask)

    def leave(self) -> None:
        """The client is gone. What it left under way is given time, and nobody else waits for that."""
        for _, cancel in list(self._active.values()):
            cancel("The client is gone.")
        self.gateway.unfinished.leave(self)
        self.gateway.fronts.remove(self)
        for upstream in self.upstreams:
            upstream.close(wait=False)

    def close(self) -> None:
        for upstream in self.upstreams:
            upstream.close(wait=True)

    def answered(self, id: Id, method: str, upstream: Upstream, answer: UpstreamAnswer) -> None:
        if answer.lost:
            why = f'The server "{upstream.name}" {answer.lost} while this was asked.'
            self.fail(id, error_object(protocol.INTERNAL_ERROR, why))
        elif answer.error is not None:
            self.fail(id, answer.error)
        else:
            assert answer.result is not None
            self.pass_on(id, method, upstream, answer.result)

    def _respond(self, id: Id | None, said: dict[str, Any]) -> None:
        """Answer once: who has been answered, or has cancelled, waits for nothing more."""
        if id is not None:
            if not self.waits(id):
                return
            self._active.pop(id)
        self._emit_answer(id, said)

    def _emit_answer(self, id: Id | None, said: dict[str, Any]) -> None:
        self.emit(encode_lines([{"jsonrpc": "2.0", "id": id, **said}]), id)  # in one piece: it may be long

    def _requested(self, id: Id, method: str, params: dict[str, Any]) -> None:
        meta: dict[str, Any] = params["_meta"]
        self._active[id] = id, _nothing
        if protocol.VERSION_KEY in meta and method != "initialize":
            if self.hello is not None and not self.modern:
                said = "This connection began with the handshake of an earlier version."
                self.fail(id, error_object(protocol.INVALID_REQUEST, said))
                return
            try:
                protocol.check_envelope(meta)
            except protocol.ProtocolError as error:
                self.fail(id, error.as_dict())
                return
            self._meet_modern(meta)
        elif method not in ("initialize", "ping") and self.hello is None:
            said = "Send initialize first, or 2026-07-28's _meta with each request."
            self.fail(id, error_object(protocol.INVALID_PARAMS, said))
            return
        if method not in ("initialize", "ping"):
            self.early.ready()
        if method == "tools/call":
            self._call(id, params)
        elif method in KINDS:
            Listing(self, id, method, params).begin()
        else:
            self._routes.take(id, method, params)

    def _meet_modern(self, meta: dict[str, Any]) -> None:
        client = meta.get(protocol.CLIENT_KEY)
        client = client if isinstance(client, dict) else {}
        self.client = str(client.get("name", ""))
        if self.hello is None:
            capabilities = meta[protocol.CAPABILITIES_KEY]
            self.meet(
                Hello(
                    era="modern",
                    version=meta[protocol.VERSION_KEY],
                    capabilities=capabilities if isinstance(capabilities, dict) else {},
                    client=client or protocol.SERVER,
                )
            )

    def meet(self, hello: Hello) -> None:
        """The client is known from here on, and the servers are spoken to as it speaks."""
        self.hello, self.met_at = hello, monotonic()
        if self.modern:
            self.early.greeted()
        for upstream in self.upstreams:
            upstream.greet(hello)

    def _call(self, id: Id, params: dict[str, Any]) -> None:
        try:
            shown = msgspec.json.decode(params.get("name", Raw(b"null")), type=str)
        except (msgspec.DecodeError, UnicodeDecodeError):
            self.fail(id, error_object(protocol.INVALID_PARAMS, "name is missing or not text."))
            return

        def found(upstream: Upstream, tool: str) -> None:
            self._called(id, upstream, tool, shown, params)

        def on_unknown_tool() -> None:
            error = UnknownHandle(f'There is no tool "{shown[:80]}".', hint="Call one that is listed.")
            said = error_object(protocol.INVALID_PARAMS, error.message)
            Requested(self, id, shown[:MAX_NAME], shown, params).reject(error, lambda: self.fail(id, said))

        self._routes.find_tool(shown, found, on_unknown_tool)

    def _called(self, id: Id, upstream: Upstream, tool: str, shown: str, params: dict[str, Any]) -> None:
        call = None if upstream.own else ToolCall(self, id, upstream, tool, shown, params)
        if not self.waits(id):  # cancelled while it was looked for
            if call is not None:
                call.call_off()
            return
        if call is None:
            self._routes.call_own(id, upstream, tool, params)
            return
        self._active[id] = id, call.cancel

        def ready(problem: str) -> None:
            if not self.waits(id):
                return
            if problem:
                error = not_now(upstream.name, problem)
                call.reject(error, lambda: self.answer(id, "tools/call", self.refusal(error)))
                return
            learn_tools(self, upstream, self.guarded(id, known))

        def known(tools: dict[str, Hints]) -> None:
            ruling = self.gateway.policies.ruling(upstream.name, tool, tools.get(tool, Hints()))
            whole = (upstream.name, upstream.life) in self.learnt & self.complete
            call.begin(ruling, listed=tool in tools or not whole)

        upstream.when_ready(self.gateway.configuration.seconds(upstream.name, "start"), self.guarded(id, ready))

    def _notified(self, method: str, params: dict[str, Any]) -> None:
        if method == "notifications/cancelled":
            id, reason = (decode_raw(params.get(name)) for name in ("requestId", "reason"))
            if isinstance(id, str | int):
                listened = self.voices.stop_listening(id)
                _, cancel = self._active.pop(id, (id, None))
                if cancel and not listened:
                    cancel(reason if isinstance(reason, str) else "")
        elif method == "notifications/progress":
            self.voices.progressed(params)
        elif method == "notifications/initialized":  # each server has had its own
            self.early.ready()
        else:
            for upstream in self.upstreams:
                if upstream.state == "ready":
                    upstream.notify(method, {name: value for name, value in params.items() if name != "_meta" or value})

    def _misread(self, line: bytes) -> None:
        """A line that is no message. Where an id can be read all the same, whoever waits for it is told why."""
        if line.lstrip()[:1] == b"[":
            try:
                for each in msgspec.json.decode(line, type=list[dict[str, Raw]]):
                    self.take(encode(each))
                return
            except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
                pass
        try:
            found = canonical_json.parse(line.decode(errors="replace"), "line")
        except TallystickError:
            self.fail(None, error_object(protocol.PARSE_ERROR, "This line is not JSON as it should be."))
            return
        id = found.get("id") if isinstance(found, dict) else None
        self._emit_answer(id if is_id(id) else None, {"error": error_object(protocol.INVALID_REQUEST, NOT_A_MESSAGE)})


def _nothing(reason: str) -> None:
    """What is done about a request that is cancelled before it went anywhere."""
