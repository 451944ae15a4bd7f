"""Where each request goes: what is answered for all servers together, and whose the rest is."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Raw

from tallystick import protocol
from tallystick.gateway.client import tasks
from tallystick.gateway.client.listing import learn_tools
from tallystick.gateway.upstream.server import Hello, Upstream, UpstreamAnswer
from tallystick.protocol.jsonrpc import Id, decode_raw, error_object

if TYPE_CHECKING:
    from tallystick.gateway.client.connection import ClientConnection

LOOKING_SECONDS = 8.0
"""How long a tool is looked for at a server that can be asked."""
LEVEL_SECONDS = 2.0
"""How long servers are waited for when the client sets the level of their logs."""
OWN_SCHEME = "journal://"
_LISTED = ("tools", "prompts", "resources")


class Routes:
    """The methods of one client, but for calls and lists."""

    def __init__(self, connection: "ClientConnection") -> None:
        self._connection = connection

    def take(self, id: Id, method: str, params: dict[str, Any]) -> None:
        connection = self._connection
        if method == "ping" and not connection.modern:
            connection.answer(id, method, {})
        elif method == "initialize":
            self._initialize(id, params)
        elif method == "server/discover":
            self._together(lambda: connection.answer(id, method, self._discovered()))
        elif method == "subscriptions/listen" and connection.modern:
            connection.voices.listen(id, params)
        elif method == "logging/setLevel":
            self._set_level(id, params)
        elif method.startswith("resources/") and "uri" in params:
            self._by_uri(id, method, params, _text(params["uri"]))
        elif method == "prompts/get":
            self._prompt(id, method, params)
        elif method == "completion/complete":
            self._complete(id, method, params)
        elif method.startswith(tasks.METHODS):
            connection.tasks.take(id, method, params)
        else:
            self._unknown(id, method, params)

    def call_own(self, id: Id, upstream: Upstream, tool: str, params: dict[str, Any]) -> None:
        """Call one of our own tools: they write in this thread."""
        connection, patience = self._connection, self._connection.gateway.writer.patience
        if not patience.ready(connection.guarded(id, lambda: self.call_own(id, upstream, tool, params))):
            return
        if patience.held and (failing := patience.failing):
            connection.answer(id, "tools/call", connection.refusal(failing))
            return
        connection.forward(id, "tools/call", upstream, {**params, "name": tool})

    def find_tool(self, shown: str, done: Callable[[Upstream, str], None], on_unknown_tool: Callable[[], None]) -> None:
        """Whose tool it is. A name that was never listed is looked for where names have no prefix."""
        connection = self._connection
        found = connection.tool_names.find(shown)
        if found is not None:
            done(*found)
            return
        bare = list(connection.tool_names.unprefixed())
        left = [each for each in connection.upstreams if each.own or (len(bare) > 1 and each in bare)]

        def next_one(_: object = None) -> None:
            while left and left[0].state != "ready" and not left[0].own:
                left.pop(0)
            found = connection.tool_names.find(shown)
            if found is not None:
                done(*found)
            elif left:
                upstream = left.pop(0)
                upstream.when_ready(LOOKING_SECONDS, lambda problem: learn_tools(connection, upstream, next_one))
            elif len(bare) == 1:
                done(bare[0], shown)
            else:
                on_unknown_tool()

        next_one()

    def _initialize(self, id: Id, params: dict[str, Any]) -> None:
        connection = self._connection
        if connection.hello is not None:
            connection.fail(id, error_object(protocol.INVALID_REQUEST, "This connection has begun already."))
            return
        said = {name: decode_raw(params.get(name)) for name in ("protocolVersion", "capabilities", "clientInfo")}
        client, capabilities = said["clientInfo"], said["capabilities"]
        client = client if isinstance(client, dict) else {"name": "unknown", "version": ""}
        wanted = said["protocolVersion"]
        version = wanted if wanted in protocol.HANDSHAKE_VERSIONS else protocol.HANDSHAKE_VERSIONS[-1]
        connection.client = str(client.get("name", ""))
        capabilities = capabilities if isinstance(capabilities, dict) else {}
        connection.meet(Hello(era="handshake", version=str(version), capabilities=capabilities, client=client))

        def answer() -> None:
            spoken = [
                each.version for each in connection.upstreams if each.state == "ready" and each.era == "handshake"
            ]
            oldest = min((each for each in spoken if each in protocol.HANDSHAKE_VERSIONS), default=str(version))
            result = {
                "protocolVersion": min(oldest, str(version)),
                "capabilities": self._capabilities(),
                "serverInfo": protocol.SERVER,
                "instructions": self._instructions(),
            }
            connection.answer(id, "initialize", result)
            connection.early.greeted()

        self._together(answer)

    def _together(self, done: Callable[[], None]) -> None:
        """Go on when every server can be asked, or after a moment without those that cannot: these announce themselves
        when they come."""
        connection = self._connection
        left = {each.name for each in connection.upstreams}

        def one(upstream: Upstream) -> Callable[[str], None]:
            def ready(problem: str) -> None:
                if problem:
                    connection.missed.add(upstream.name)
                left.discard(upstream.name)
                if not left:
                    done()

            return ready

        for upstream in list(connection.upstreams):
            upstream.when_ready(connection.gateway.configuration.seconds(upstream.name, "greeting"), one(upstream))

    def _capabilities(self) -> dict[str, Any]:
        """What any of the servers can do. One that is not there yet may have anything that is listed."""
        merged: dict[str, Any] = {}
        for upstream in self._connection.upstreams:
            if upstream.state == "ready":
                _merge(merged, upstream.capabilities)
            else:
                _merge(merged, {name: {} for name in _LISTED})
        if not self._connection.modern:
            for name in _LISTED:
                if name in merged:
                    merged[name]["listChanged"] = True  # a server that is started anew may have others
        return merged

    def _discovered(self) -> dict[str, Any]:
        return {
            "supportedVersions": list(protocol.MODERN_VERSIONS),
            "capabilities": self._capabilities(),
            "instructions": self._instructions(),
        }

    def _instructions(self) -> str:
        said = []
        for upstream in self._connection.upstreams:
            if upstream.instructions:
                said.append(upstream.instructions if upstream.own else f"# {upstream.name}\n{upstream.instructions}")
        return "\n\n".join(said)

    def _set_level(self, id: Id, params: dict[str, Any]) -> None:
        connection = self._connection
        able = [each for each in connection.upstreams if each.state == "ready" and "logging" in each.capabilities]
        left = {each.name for each in able}
        errors: list[Raw] = []
        told = False

        def one(upstream: Upstream) -> Callable[[UpstreamAnswer], None]:
            def answered(answer: UpstreamAnswer) -> None:
                left.discard(upstream.name)
                if answer.error is not None:
                    errors.append(answer.error)
                if not left:
                    finish()

            return answered

        def finish() -> None:
            nonlocal told
            if told:
                return
            told = True
            if errors:
                connection.fail(id, errors[0])
            else:
                connection.voices.level = params
                connection.answer(id, "logging/setLevel", {})

        for upstream in able:
            if not upstream.request("logging/setLevel", params, one(upstream)):
                left.discard(upstream.name)
        if not able:
            connection.fail(id, error_object(protocol.METHOD_NOT_FOUND, 'There is no method "logging/setLevel".'))
        elif left:
            connection.gateway.loop.later(LEVEL_SECONDS, finish)  # one that hangs does not hold the others
        else:
            finish()

    def owner(self, uri: str) -> Upstream | None:
        """Whose resource it is, as far as that is known from what was listed."""
        connection = self._connection
        if uri.startswith(OWN_SCHEME) and connection.own_name:
            return connection.upstreams[0]
        if uri in connection.places:
            return connection.places[uri]
        literal = [
            (len(place.partition("{")[0]), each) for place, each in connection.places.items() if _fits(uri, place)
        ]
        if literal:
            return max(literal, key=lambda each: each[0])[1]
        able = [each for each in connection.upstreams if not each.own]
        return able[0] if len(able) == 1 else None

    def _by_uri(self, id: Id, method: str, params: dict[str, Any], uri: str) -> None:
        owner = self.owner(uri)
        if owner is not None:
            self._connection.voices.subscribed(method, uri, owner)
            self._connection.forward(id, method, owner, params)
            return
        left = [
            each for each in self._connection.upstreams if each.state == "ready" and "resources" in each.capabilities
        ]
        self._in_turn(id, method, params, left, None)

    def _in_turn(self, id: Id, method: str, params: dict[str, Any], left: list[Upstream], error: Raw | None) -> None:
        """Ask one server after the other, until one knows it."""
        connection = self._connection
        while left:
            upstream = left.pop(0)

            def answered(answer: UpstreamAnswer, upstream: Upstream = upstream) -> None:
                if answer.result is not None:
                    connection.pass_on(id, method, upstream, answer.result)
                else:
                    self._in_turn(id, method, params, left, answer.error)

            if upstream.request(method, params, answered, related=id):
                return
        connection.fail(
            id, error if error is not None else error_object(protocol.INVALID_PARAMS, "Nobody has this resource.")
        )

    def _prompt(self, id: Id, method: str, params: dict[str, Any]) -> None:
        self._named(id, method, params, _text(params.get("name")), lambda name: {**params, "name": name})

    def _complete(self, id: Id, method: str, params: dict[str, Any]) -> None:
        ref = decode_raw(params.get("ref"))
        ref = ref if isinstance(ref, dict) else {}
        if ref.get("type") == "ref/prompt":
            renamed: Callable[[str], dict[str, Any]] = lambda name: {**params, "ref": {**ref, "name": name}}  # noqa: E731
            self._named(id, method, params, str(ref.get("name", "")), renamed)
        else:
            owner = self.owner(str(ref.get("uri", "")))
            able = [
                each
                for each in self._connection.upstreams
                if "completions" in each.capabilities and each.state == "ready"
            ]
            if owner is not None and "completions" in owner.capabilities:
                self._connection.forward(id, method, owner, params)
            else:
                self._in_turn(id, method, params, able, None)

    def _named(
        self, id: Id, method: str, params: dict[str, Any], shown: str, renamed: Callable[[str], dict[str, Any]]
    ) -> None:
        """By the name of a prompt: one that was listed, or whose prefix tells, or else whoever knows it."""
        connection = self._connection
        found = connection.prompt_names.find(shown)
        bare = list(connection.prompt_names.unprefixed())
        if found is None and len(bare) == 1 and not connection.own_name:
            found = (bare[0], shown)
        if found is not None:
            connection.forward(id, method, found[0], renamed(found[1]))
            return
        able = [each for each in connection.upstreams if each.own or each in bare]
        ready = [each for each in reversed(able) if each.state == "ready" and "prompts" in each.capabilities]
        self._in_turn(id, method, params, ready, None)

    def _unknown(self, id: Id, method: str, params: dict[str, Any]) -> None:
        """A method that is not known here passes through where it can only mean one server."""
        others = [each for each in self._connection.upstreams if not each.own]
        if len(others) == 1 and method != "ping":
            self._connection.forward(id, method, others[0], params)
        else:
            self._connection.fail(id, error_object(protocol.METHOD_NOT_FOUND, f'There is no method "{method[:80]}".'))


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


def _fits(uri: str, place: str) -> bool:
    start, brace, _ = place.partition("{")
    return bool(brace) and bool(start) and uri.startswith(start)


def _text(raw: Any) -> str:
    found = decode_raw(raw)
    return found if isinstance(found, str) else ""
