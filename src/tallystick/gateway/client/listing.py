"""Lists of several servers as one: asked for at the same time, joined, with one cursor for all that have more."""

import base64
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Raw

from tallystick import protocol
from tallystick.gateway.policy import Hints, hints
from tallystick.gateway.upstream.server import Upstream, UpstreamAnswer
from tallystick.protocol.jsonrpc import Id, decode_raw, error_object

if TYPE_CHECKING:
    from tallystick.gateway.client.connection import ClientConnection

PAGES = 100
"""How many pages of tools are read to learn what they are."""
MISSED_SECONDS = 0.5
"""How long a list waits for a server that an earlier one has waited for in vain."""
REMEMBERED = 10_000
"""How many resources are remembered to be whose; others are asked for at each server in turn."""


class Kind(NamedTuple):
    """One kind of list: the method's result field, what names an item, and the capability that it needs."""

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
    """One list that a client has asked for."""

    def __init__(self, connection: "ClientConnection", id: Id, method: str, params: dict[str, Any]) -> None:
        self._connection = connection
        self._id = id
        self._method = method
        self._kind = KINDS[method]
        self._params = params
        self._found: dict[str, dict[str, Raw]] = {}
        self._errors: list[Raw] = []
        self._left: set[str] = set()
        cursor = params.pop("cursor", None)
        self._cursors: dict[str, Any] | None = _read(cursor) if cursor is not None else None

    def begin(self) -> None:
        """Ask all that have such a list; whoever is not there in time is left out, and told of when it comes."""
        if self._cursors is not None and not self._cursors:
            self._connection.fail(self._id, error_object(protocol.INVALID_PARAMS, "cursor is not one of ours."))
            return
        asked = [each for each in self._connection.upstreams if self._cursors is None or each.name in self._cursors]
        self._left = {each.name for each in asked}
        for upstream in asked:
            seconds = self._seconds(upstream)
            upstream.when_ready(seconds, self._principal(upstream, seconds))
        self._finish()

    def _seconds(self, upstream: Upstream) -> float:
        """How long it is waited for. One that has never answered, from when the client came: what has been waited for
        it then counts."""
        whole = self._connection.gateway.configuration.patience(upstream.name)
        if not upstream.lives:
            return min(whole, max(MISSED_SECONDS, self._connection.met_at + whole - monotonic()))
        return min(whole, MISSED_SECONDS) if upstream.name in self._connection.missed else whole

    def _principal(self, upstream: Upstream, seconds: float) -> Callable[[str], None]:
        def ask(problem: str) -> None:
            if problem:
                self._leave_out(upstream)
                return
            if self._kind.capability not in upstream.capabilities:  # nothing is missed
                self._left.discard(upstream.name)
                self._finish()
                return
            more = {"cursor": self._cursors[upstream.name]} if self._cursors else {}
            sent = upstream.request(self._method, {**self._params, **more}, lambda answer: self._take(upstream, answer))
            if not sent:
                self._leave_out(upstream)
            elif not upstream.own:
                self._connection.gateway.loop.later(seconds, lambda: self._leave_out(upstream))

        return ask

    def _take(self, upstream: Upstream, answer: UpstreamAnswer) -> None:
        if upstream.name not in self._left:  # it took too long: the client may ask again
            if answer.result is not None and upstream.name in self._connection.missed:
                self._connection.missed.discard(upstream.name)
                self._connection.voices.announce(upstream)
            return
        try:
            if answer.result is not None:
                self._found[upstream.name] = msgspec.json.decode(answer.result, type=dict[str, Raw])
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            self._connection.gateway.say(f"{upstream.name} answered {self._method} with what is no object")
        if answer.error is not None:
            self._errors.append(answer.error)
        self._leave_out(upstream)

    def _leave_out(self, upstream: Upstream) -> None:
        if upstream.name in self._left:
            self._left.discard(upstream.name)
            if upstream.name not in self._found:
                self._connection.missed.add(upstream.name)
            self._finish()

    def _finish(self) -> None:
        if self._left:
            return
        self._left = {"over"}
        if self._method == "tasks/list" and not self._found and not self._errors:  # few servers have any
            self._connection.fail(
                self._id, error_object(protocol.METHOD_NOT_FOUND, f'There is no method "{self._method}".')
            )
            return
        if self._errors and not any(name != self._connection.own_name for name in self._found):
            self._connection.fail(self._id, self._errors[0])
            return
        items: list[Any] = []
        following: dict[str, Any] = {}
        for upstream in self._connection.upstreams:
            if (found := self._found.get(upstream.name)) is not None:
                items += named(self._connection, self._method, upstream, found)
                if (
                    cursor := decode_raw(found.get("nextCursor"))
                ) is not None:  # null, or what nobody can read, is none
                    following[upstream.name] = cursor
        result: dict[str, Any] = {self._kind.field: items}
        if following:
            result["nextCursor"] = _written(following)
        holds = [_hold(found) for found in self._found.values()] or [(0, "private")]
        scope = "public" if all(scope == "public" for _, scope in holds) else "private"
        self._connection.answer(self._id, self._method, result, hold=(min(time for time, _ in holds), scope))


def named(connection: "ClientConnection", method: str, upstream: Upstream, found: dict[str, Raw]) -> list[Any]:
    """The items of one server, under the names that the client sees; what they say is remembered."""
    kind = KINDS[method]
    try:
        items = msgspec.json.decode(found[kind.field], type=list[dict[str, Raw]])
    except (KeyError, msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return []
    shown = []
    for item in items:
        try:
            name = msgspec.json.decode(item.get(kind.names, Raw(b"null")), type=str)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue  # it cannot be called
        if kind.capability == "resources":
            if len(connection.places) < REMEMBERED:
                connection.places[name] = upstream
        elif kind.capability == "tasks":
            item["taskId"] = Raw(msgspec.json.encode(connection.tasks.show(upstream, name)))
        else:
            names = connection.tool_names if method == "tools/list" else connection.prompt_names
            item["name"] = Raw(msgspec.json.encode(names.show(upstream, name)))
            if method == "tools/list":
                connection.tools.setdefault(upstream.name, {})[name] = hints(item.get("annotations"))
        shown.append(item)
    return shown


def learn_tools(connection: "ClientConnection", upstream: Upstream, done: Callable[[dict[str, Hints]], None]) -> None:
    """What a server says of its tools, asked for once in each of its lives: a call's policy may follow from it."""
    life = (upstream.name, upstream.life)
    if life in connection.learnt or "tools" not in upstream.capabilities:
        done(connection.tools.get(upstream.name, {}))
        return
    pages = 0
    told = False
    connection.complete.discard(life)

    def tell() -> None:
        nonlocal told
        if not told:
            told = True
            done(connection.tools.get(upstream.name, {}))

    def take(answer: UpstreamAnswer) -> None:
        nonlocal pages
        pages += 1
        cursor, read = None, False
        try:
            found = msgspec.json.decode(answer.result, type=dict[str, Raw]) if answer.result is not None else {}
            named(connection, "tools/list", upstream, found)
            cursor = msgspec.json.decode(found["nextCursor"]) if "nextCursor" in found else None
            read = "tools" in found
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            pass
        if cursor and pages < PAGES and upstream.request("tools/list", {"cursor": cursor}, take):
            return
        connection.learnt.add(life)
        if read and not cursor:
            connection.complete.add(life)
        if answer.result is not None and not cursor:
            gateway, tools = connection.gateway, connection.tools.get(upstream.name, {})
            for pattern in gateway.policies.unmatched(upstream.name, tools):
                gateway.say(f'tallystick.servers.{upstream.name}.tools."{pattern}" fits none of its {len(tools)} tools')
        tell()

    if upstream.request("tools/list", {}, take):
        connection.gateway.loop.later(connection.gateway.configuration.seconds(upstream.name, "list"), tell)
    else:
        tell()


def _hold(found: dict[str, Raw]) -> tuple[int, str]:
    """For how long a list holds, and for whom; what does not say so holds for nobody else, and no time."""
    try:
        time, scope = msgspec.json.decode(found["ttlMs"], type=int), msgspec.json.decode(found["cacheScope"], type=str)
    except (KeyError, msgspec.DecodeError, UnicodeDecodeError):
        return 0, "private"
    return time, scope


def _written(cursors: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(cursors)).decode()


def _read(cursor: Raw) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(base64.urlsafe_b64decode(msgspec.json.decode(cursor, type=str)))
    except (ValueError, msgspec.DecodeError):
        return {}
    return found if isinstance(found, dict) else {}
