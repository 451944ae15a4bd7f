"""Routes a client's requests: answers some for all servers together, and sends the others to the server they belong to.

Calls and lists are handled in `connection` and `listing`.
"""

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from msgspec import Raw

from tallystick import protocol
from tallystick.gateway.client import tasks
from tallystick.gateway.client.listing import learn_tools
from tallystick.gateway.io.loop import Future
from tallystick.gateway.messages import no_such_method
from tallystick.gateway.upstream.server import Hello, Upstream, UpstreamAnswer
from tallystick.protocol.jsonrpc import Id, decode_raw, error_object

if TYPE_CHECKING:
    from tallystick.gateway.client.connection import ClientConnection

FIND_TOOL_SECONDS = 8.0
"""How long an unlisted tool is looked for at a server that is ready."""
SET_LEVEL_SECONDS = 2.0
"""How long the gateway waits for servers when the client sets their log level."""
PASSED_NOTIFICATIONS = ("notifications/roots/list_changed", "notifications/tasks/status")
OWN_SCHEME = "journal://"
_LISTED = ("tools", "prompts", "resources")
Handler = Callable[[Id, str, dict[str, Any]], Coroutine[Future[Any], None, None]]


class Routes:
    """The routes of one client."""

    def __init__(self, connection: "ClientConnection") -> None:
        self._connection = connection
        self._handlers: dict[str, Handler] = {
            "initialize": self._initialize,
            "server/discover": self._discover,
            "logging/setLevel": self._set_level,
            "prompts/get": self._get_prompt,
            "completion/complete": self._complete,
            "resources/read": self._by_uri,
        }

    def take(self, id: Id, method: str, params: dict[str, Any]) -> None:
        """Answer a request, or forward it."""
        connection = self._connection
        if method in self._handlers:
            connection.start(id, self._handlers[method](id, method, params))
        elif method == "ping" and not connection.is_modern:
            connection.answer(id, method, {})
        elif method == "subscriptions/listen" and connection.is_modern:
            connection.server_messages.open_stream(id, params)
        elif method in ("resources/subscribe", "resources/unsubscribe") and not connection.is_modern:
            connection.start(id, self._by_uri(id, method, params))
        elif method in tasks.METHODS:
            connection.tasks.take(id, method, params)
        elif len(allowed := self._allowing(method)) == 1:
            connection.forward(id, method, allowed[0], params)
        else:
            connection.fail(id, error_object(protocol.METHOD_NOT_FOUND, no_such_method(method)))

    def notify(self, method: str, params: dict[str, Any]) -> bool:
        """Pass a notification on to the servers, if it may be. Returns whether it is one that they may get."""
        is_known = method in PASSED_NOTIFICATIONS
        allowing = self._connection.upstreams if is_known else self._allowing(method)
        for upstream in allowing:
            if upstream.state == "ready":
                upstream.notify(method, {name: value for name, value in params.items() if name != "_meta" or value})
        return is_known or bool(allowing)

    def _allowing(self, method: str) -> list[Upstream]:
        """The servers for which the configuration allows a method that the protocol does not have."""
        settings_of = self._connection.gateway.configuration.settings_of
        return [
            each
            for each in self._connection.upstreams
            if not each.own and any(method in settings.methods for settings in settings_of(each.name))
        ]

    async def find_tool(self, shown: str) -> tuple[Upstream, str] | None:
        """Return a tool's server and its name there, or None.

        A name without prefix that was never listed is looked for at each server whose names have no prefix.
        """
        connection = self._connection
        names = connection.tool_names
        if found := names.find(shown):
            return found
        unprefixed = list(names.unprefixed())
        for upstream in connection.upstreams:
            may_have_it = upstream.own or (len(unprefixed) > 1 and upstream in unprefixed and upstream.state == "ready")
            if may_have_it:
                await upstream.wait_ready(FIND_TOOL_SECONDS)
                await learn_tools(connection, upstream, again=True)
                if found := names.find(shown):
                    return found
        return (unprefixed[0], shown) if len(unprefixed) == 1 else None

    async def call_own(self, id: Id, upstream: Upstream, tool: str, params: dict[str, Any]) -> None:
        """Call one of our own tools. They write in this thread, so a locked journal is waited for first."""
        connection, availability = self._connection, self._connection.gateway.writer.availability
        await availability.wait()
        if availability.is_waiting and (failure := availability.failure):
            connection.answer(id, "tools/call", connection.refusal(failure))
        else:
            connection.forward(id, "tools/call", upstream, {**params, "name": tool})

    def owner(self, uri: str) -> Upstream | None:
        """The server whose lists contain a resource, or None."""
        connection = self._connection
        if uri.startswith(OWN_SCHEME) and connection.own_name:
            return connection.upstreams[0]
        if uri in connection.resource_owners:
            return connection.resource_owners[uri]
        matches = [
            (len(template.partition("{")[0]), each)
            for template, each in connection.resource_owners.items()
            if _matches(uri, template)
        ]
        if matches:  # the template with the longest literal start
            return max(matches, key=lambda each: each[0])[1]
        servers = [each for each in connection.upstreams if not each.own]
        return servers[0] if len(servers) == 1 else None

    # -- Requests that concern all servers

    async def _initialize(self, id: Id, method: str, params: dict[str, Any]) -> None:
        connection = self._connection
        if connection.hello is not None:
            connection.fail(id, error_object(protocol.INVALID_REQUEST, "This connection has begun already."))
            return
        names = ("protocolVersion", "capabilities", "clientInfo")
        wanted, capabilities, client = (decode_raw(params.get(name)) for name in names)
        client = client if isinstance(client, dict) else {"name": "unknown", "version": ""}
        version = str(wanted if wanted in protocol.HANDSHAKE_VERSIONS else protocol.HANDSHAKE_VERSIONS[-1])
        connection.client = str(client.get("name", ""))
        capabilities = capabilities if isinstance(capabilities, dict) else {}
        connection.on_client_hello(Hello(era="handshake", version=version, capabilities=capabilities, client=client))
        await self._wait_for_servers()
        spoken = [each.version for each in connection.upstreams if each.state == "ready" and each.era == "handshake"]
        oldest = min((each for each in spoken if each in protocol.HANDSHAKE_VERSIONS), default=version)
        result = {
            "protocolVersion": min(oldest, version),
            "capabilities": self._capabilities(),
            "serverInfo": protocol.SERVER,
            "instructions": self._instructions(),
        }
        connection.answer(id, "initialize", result)
        connection.notifications.on_greeted()

    async def _discover(self, id: Id, method: str, params: dict[str, Any]) -> None:
        await self._wait_for_servers()
        result = {
            "supportedVersions": list(protocol.MODERN_VERSIONS),
            "capabilities": self._capabilities(),
            "instructions": self._instructions(),
        }
        self._connection.answer(id, method, result)

    async def _wait_for_servers(self) -> None:
        """Wait until every server is ready, each up to its greeting timeout. A late one is announced when it comes."""
        connection = self._connection
        waiting: list[tuple[Upstream, Future[str]]] = []
        for upstream in list(connection.upstreams):
            ready: Future[str] = Future()
            waiting.append((upstream, ready))
            upstream.when_ready(connection.gateway.configuration.seconds(upstream.name, "greeting"), ready.resolve)
        for upstream, ready in waiting:
            if await ready:
                connection.missed.add(upstream.name)

    def _capabilities(self) -> dict[str, Any]:
        """The capabilities of all servers together. A server that is not ready may have anything that is listed."""
        merged: dict[str, Any] = {}
        for upstream in self._connection.upstreams:
            if upstream.state == "ready":
                _merge(merged, upstream.capabilities)
            else:
                _merge(merged, {name: {} for name in _LISTED})
        if not self._connection.is_modern:
            for name in _LISTED:
                if name in merged:
                    merged[name]["listChanged"] = True  # a restarted server may have other items
        return merged

    def _instructions(self) -> str:
        parts = []
        for upstream in self._connection.upstreams:
            if upstream.instructions:
                parts.append(upstream.instructions if upstream.own else f"# {upstream.name}\n{upstream.instructions}")
        return "\n\n".join(parts)

    async def _set_level(self, id: Id, method: str, params: dict[str, Any]) -> None:
        """Set the log level at every server that has one; a server that hangs does not hold up the others."""
        connection = self._connection
        able = self._ready_with("logging")
        if not able:
            connection.fail(id, error_object(protocol.METHOD_NOT_FOUND, f'There is no method "{method}".'))
            return
        answers: list[Future[UpstreamAnswer | None]] = []
        for upstream in able:
            answer: Future[UpstreamAnswer | None] = Future()
            if upstream.request(method, params, answer.resolve):
                answers.append(answer)

        def stop_waiting() -> None:
            for each in answers:
                each.resolve(None)

        connection.gateway.loop.later(SET_LEVEL_SECONDS, stop_waiting)
        received = [await each for each in answers]
        errors = [each.error for each in received if each is not None and each.error is not None]
        if errors:
            connection.fail(id, errors[0])
        else:
            connection.server_messages.level = params
            connection.answer(id, method, {})

    # -- Requests for one server

    async def _by_uri(self, id: Id, method: str, params: dict[str, Any]) -> None:
        uri = _text(params.get("uri"))
        if not uri:
            self._connection.fail(id, error_object(protocol.INVALID_PARAMS, "uri is missing or not text."))
            return
        owner = self.owner(uri)
        if owner is not None:
            self._connection.server_messages.on_subscription(method, uri, owner)
            self._connection.forward(id, method, owner, params)
        else:
            await self._ask_in_turn(id, method, params, self._ready_with("resources"))

    async def _get_prompt(self, id: Id, method: str, params: dict[str, Any]) -> None:
        await self._by_prompt(id, method, params, _text(params.get("name")), lambda name: {**params, "name": name})

    async def _complete(self, id: Id, method: str, params: dict[str, Any]) -> None:
        value = decode_raw(params.get("ref"))
        ref: dict[str, Any] = value if isinstance(value, dict) else {}
        if ref.get("type") == "ref/prompt":
            name = str(ref.get("name", ""))
            await self._by_prompt(id, method, params, name, lambda name: {**params, "ref": {**ref, "name": name}})
            return
        owner = self.owner(str(ref.get("uri", "")))
        if owner is not None and "completions" in owner.capabilities:
            self._connection.forward(id, method, owner, params)
        else:
            await self._ask_in_turn(id, method, params, self._ready_with("completions"))

    async def _by_prompt(
        self, id: Id, method: str, params: dict[str, Any], shown: str, renamed: Callable[[str], dict[str, Any]]
    ) -> None:
        """Send a request to the server of a prompt: by its list or prefix, else to each server until one knows it."""
        connection = self._connection
        found = connection.prompt_names.find(shown)
        unprefixed = list(connection.prompt_names.unprefixed())
        if found is None and len(unprefixed) == 1 and not connection.own_name:
            found = (unprefixed[0], shown)
        if found is not None:
            connection.forward(id, method, found[0], renamed(found[1]))
            return
        able = [each for each in self._ready_with("prompts") if each.own or each in unprefixed]
        await self._ask_in_turn(id, method, params, able[::-1])  # our own server is the first, and asked last

    async def _ask_in_turn(self, id: Id, method: str, params: dict[str, Any], upstreams: list[Upstream]) -> None:
        """Ask one server after the other, until one has a result."""
        error: Raw | None = None
        for upstream in upstreams:
            received: Future[UpstreamAnswer] = Future()
            if upstream.request(method, params, received.resolve, related=id):
                answer = await received
                if answer.result is not None:
                    self._connection.pass_on(id, method, upstream, answer.result)
                    return
                error = answer.error
        self._connection.fail(
            id, error if error is not None else error_object(protocol.INVALID_PARAMS, "No server has this resource.")
        )

    def _ready_with(self, capability: str) -> list[Upstream]:
        return [
            each for each in self._connection.upstreams if each.state == "ready" and capability in each.capabilities
        ]


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    for name, value in more.items():
        if isinstance(value, dict):
            held = into.setdefault(name, {})
            if isinstance(held, dict):
                _merge(held, value)
        elif isinstance(value, bool):
            into[name] = bool(into.get(name)) or value
        else:
            into.setdefault(name, value)


def _matches(uri: str, template: str) -> bool:
    """Whether a URI begins as a template does, up to its first variable."""
    start, brace, _ = template.partition("{")
    return bool(brace) and bool(start) and uri.startswith(start)


def _text(raw: Any) -> str:
    value = decode_raw(raw)
    return value if isinstance(value, str) else ""
