"""Lists of several servers as one: requested at the same time, joined, with one cursor for all that have more."""

import base64
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Raw

from tallystick import protocol
from tallystick.gateway.io.loop import Future, describe_unexpected, start
from tallystick.gateway.policy.rulings import Hints, read_hints
from tallystick.gateway.upstream.server import Upstream, UpstreamAnswer
from tallystick.protocol.jsonrpc import Id, decode_raw, error_object

if TYPE_CHECKING:
    from tallystick.gateway.client.connection import ClientConnection

MAX_TOOL_PAGES = 100
"""How many pages of tools are read to learn their hints."""
MISSED_SECONDS = 0.5
"""How long a list waits for a server for which an earlier list waited without success."""
MAX_RESOURCES = 10_000
"""How many resources are remembered with their server; for others each server is asked in turn."""


class Kind(NamedTuple):
    """One kind of list: the field of the result, the field that names an item, and the capability that it needs."""

    field: str
    names: str
    capability: str


KINDS = {
    "tools/list": Kind("tools", "name", "tools"),
    "prompts/list": Kind("prompts", "name", "prompts"),
    "resources/list": Kind("resources", "uri", "resources"),
    "resources/templates/list": Kind("resourceTemplates", "uriTemplate", "resources"),
    "tasks/list": Kind("tasks", "taskId", "tasks"),
}


class Listing:
    """One list that a client has requested."""

    def __init__(self, connection: "ClientConnection", id: Id, method: str, params: dict[str, Any]) -> None:
        self._connection = connection
        self._id = id
        self._method = method
        self._kind = KINDS[method]
        self._params = params
        self._pages: dict[str, dict[str, Raw]] = {}
        self._errors: list[Raw] = []
        self._pending: set[str] = set()
        self._is_answered = False
        cursor = params.pop("cursor", None)
        self._cursors: dict[str, Any] | None = _decode_cursor(cursor) if cursor is not None else None

    def begin(self) -> None:
        """Ask all servers that have such a list. A server that is late is left out, and announced when it comes."""
        if self._cursors is not None and not self._cursors:
            self._connection.fail(self._id, error_object(protocol.INVALID_PARAMS, "cursor is not one of ours."))
            return
        asked = [each for each in self._connection.upstreams if self._cursors is None or each.name in self._cursors]
        self._pending = {each.name for each in asked}
        for upstream in asked:
            start(self._ask(upstream, self._seconds_for(upstream)), self._on_unexpected)
        self._answer_if_complete()

    def _seconds_for(self, upstream: Upstream) -> float:
        """How long to wait for a server. For one that was never ready, the wait counts from the client's greeting."""
        full = self._connection.gateway.configuration.list_seconds(upstream.name)
        if not upstream.lives:
            return min(full, max(MISSED_SECONDS, self._connection.met_at + full - monotonic()))
        return min(full, MISSED_SECONDS) if upstream.name in self._connection.missed else full

    async def _ask(self, upstream: Upstream, seconds: float) -> None:
        if await upstream.wait_ready(seconds):
            self._settle(upstream)
            return
        if self._kind.capability not in upstream.capabilities:  # nothing is missed
            self._pending.discard(upstream.name)
            self._answer_if_complete()
            return
        cursor = {"cursor": self._cursors[upstream.name]} if self._cursors else {}
        received: Future[UpstreamAnswer] = Future()
        if not upstream.request(self._method, {**self._params, **cursor}, received.resolve):
            self._settle(upstream)
            return
        if not upstream.own:
            self._connection.gateway.loop.later(seconds, lambda: self._settle(upstream))
        self._take(upstream, await received)

    def _on_unexpected(self, error: Exception) -> None:
        self._connection.gateway.log(describe_unexpected(error))

    def _take(self, upstream: Upstream, answer: UpstreamAnswer) -> None:
        if upstream.name not in self._pending:  # it was left out: notify the client that it may ask again
            if answer.result is not None and upstream.name in self._connection.missed:
                self._connection.missed.discard(upstream.name)
                self._connection.server_messages.announce(upstream)
            return
        try:
            if answer.result is not None:
                self._pages[upstream.name] = msgspec.json.decode(answer.result, type=dict[str, Raw])
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            self._connection.gateway.log(f"{upstream.name} answered {self._method} with what is no object")
        if answer.error is not None:
            self._errors.append(answer.error)
        self._settle(upstream)

    def _settle(self, upstream: Upstream) -> None:
        """Wait for this server no longer, and note if it is missing from the list."""
        if upstream.name in self._pending:
            self._pending.discard(upstream.name)
            if upstream.name not in self._pages:
                self._connection.missed.add(upstream.name)
            self._answer_if_complete()

    def _answer_if_complete(self) -> None:
        if self._pending or self._is_answered:
            return
        self._is_answered = True
        error = self._error()
        if error is not None:
            self._connection.fail(self._id, error)
            return
        items: list[Any] = []
        cursors: dict[str, Any] = {}
        for upstream in self._connection.upstreams:
            if (page := self._pages.get(upstream.name)) is not None:
                tools = self._connection.tools.setdefault(upstream.name, {})
                items += take_items(self._connection, self._method, upstream, page, tools)
                if (cursor := decode_raw(page.get("nextCursor"))) is not None:  # a null or unreadable cursor is none
                    cursors[upstream.name] = cursor
        result: dict[str, Any] = {self._kind.field: items}
        if cursors:
            result["nextCursor"] = _encode_cursor(cursors)
        self._connection.answer(self._id, self._method, result, hold=_shortest_cache_time(list(self._pages.values())))

    def _error(self) -> Raw | dict[str, Any] | None:
        """The error to answer with, if no server but our own has such a list."""
        if self._method == "tasks/list" and not self._pages and not self._errors:  # few servers have tasks
            return error_object(protocol.METHOD_NOT_FOUND, f'There is no method "{self._method}".')
        if self._errors and not any(name != self._connection.own_name for name in self._pages):
            return self._errors[0]
        return None


def take_items(
    connection: "ClientConnection", method: str, upstream: Upstream, page: dict[str, Raw], tools: dict[str, Hints]
) -> list[Any]:
    """Return the items of one server under the names that the client sees, and remember them: tools in `tools`."""
    kind = KINDS[method]
    try:
        items = msgspec.json.decode(page[kind.field], type=list[dict[str, Raw]])
    except (KeyError, msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return []
    shown = []
    for item in items:
        try:
            name = msgspec.json.decode(item.get(kind.names, Raw(b"null")), type=str)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue  # an item without a name cannot be used
        _remember(connection, method, upstream, name, item)
        if method == "tools/list":
            tools[name] = read_hints(item.get("annotations"))
        shown.append(item)
    return shown


def _remember(connection: "ClientConnection", method: str, upstream: Upstream, name: str, item: dict[str, Raw]) -> None:
    """Remember whose item it is, and put the name that the client sees into it."""
    capability = KINDS[method].capability
    if capability == "resources":
        if len(connection.resource_owners) < MAX_RESOURCES:
            connection.resource_owners[name] = upstream
    elif capability == "tasks":
        item["taskId"] = Raw(msgspec.json.encode(connection.tasks.show(upstream, name)))
    else:
        names = connection.tool_names if method == "tools/list" else connection.prompt_names
        item["name"] = Raw(msgspec.json.encode(names.show(upstream, name)))


async def learn_tools(connection: "ClientConnection", upstream: Upstream, *, again: bool = False) -> dict[str, Hints]:
    """Return the hints of a server's tools. They are requested once in each life of the server, and `again` if told."""
    life = (upstream.name, upstream.life)
    if again or (life not in connection.learnt and "tools" in upstream.capabilities):
        connection.complete.discard(life)
        learnt: Future[None] = Future()
        start(
            _read_tools(connection, upstream, learnt),
            lambda error: connection.gateway.log(describe_unexpected(error)),
        )
        # Reading goes on after the timeout: the next call knows more.
        connection.gateway.loop.later(
            connection.gateway.configuration.seconds(upstream.name, "list"), lambda: learnt.resolve(None)
        )
        await learnt
    return connection.tools.get(upstream.name, {})


async def _read_tools(connection: "ClientConnection", upstream: Upstream, learnt: Future[None]) -> None:
    """Read all pages of a server's tools."""
    life, cursor, has_tools, is_answered = (upstream.name, upstream.life), None, False, False
    tools: dict[str, Hints] = {}
    for number in range(MAX_TOOL_PAGES):
        received: Future[UpstreamAnswer] = Future()
        if not upstream.request("tools/list", {"cursor": cursor} if cursor else {}, received.resolve):
            if not number:  # nothing was asked: the next call asks
                learnt.resolve(None)
                return
            break
        answer = await received
        cursor, has_tools = _take_tools(connection, upstream, answer, tools)
        is_answered = answer.result is not None
        if not cursor:
            break
    connection.learnt.add(life)
    if has_tools and not cursor:
        connection.complete.add(life)
        connection.tools[upstream.name] = tools  # a tool that is listed no more is unknown
    else:
        connection.tools.setdefault(upstream.name, {}).update(tools)
    if is_answered and not cursor:
        for pattern in connection.gateway.policies.unmatched(upstream.name, tools):
            rule = f'tallystick.servers.{upstream.name}.tools."{pattern}"'
            connection.gateway.log(f"{rule} fits none of its {len(tools)} tools")
    learnt.resolve(None)


def _take_tools(
    connection: "ClientConnection", upstream: Upstream, answer: UpstreamAnswer, tools: dict[str, Hints]
) -> tuple[Any, bool]:
    """Remember one page of tools. Returns the cursor of the next page, and whether this one could be read."""
    try:
        page = msgspec.json.decode(answer.result, type=dict[str, Raw]) if answer.result is not None else {}
        take_items(connection, "tools/list", upstream, page, tools)
        return msgspec.json.decode(page["nextCursor"]) if "nextCursor" in page else None, "tools" in page
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None, False


def _shortest_cache_time(pages: list[dict[str, Raw]]) -> tuple[int, str]:
    """How long, and for whom, a client may cache the joined list."""
    times = [_cache_time(page) for page in pages] or [(0, "private")]
    scope = "public" if all(scope == "public" for _, scope in times) else "private"
    return min(time for time, _ in times), scope


def _cache_time(page: dict[str, Raw]) -> tuple[int, str]:
    """How long, and for whom, a server lets a list be cached. The default is not at all."""
    try:
        time, scope = msgspec.json.decode(page["ttlMs"], type=int), msgspec.json.decode(page["cacheScope"], type=str)
    except (KeyError, msgspec.DecodeError, UnicodeDecodeError):
        return 0, "private"
    return time, scope


def _encode_cursor(cursors: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(cursors)).decode()


def _decode_cursor(cursor: Raw) -> dict[str, Any]:
    """The cursors of the servers, or {} if it is not one of ours."""
    try:
        cursors = msgspec.json.decode(base64.urlsafe_b64decode(msgspec.json.decode(cursor, type=str)))
    except (ValueError, msgspec.DecodeError):
        return {}
    return cursors if isinstance(cursors, dict) else {}
