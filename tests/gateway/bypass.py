"""Messages that try to get past the gateway, in this process, to a server that executes anything it gets.

`attack` sends them, and checks that each execution has its entry, that no policy was circumvented, and that the gateway
still serves. The server splits its input at CR too, as Python does, and reads names without case, spaces or invisible
characters. Of two equal names in an object it takes the first, and then the last.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from tallystick import Journal
from tallystick.gateway.client.connection import ClientConnection
from tallystick.gateway.config import checked
from tallystick.gateway.dependencies import Dependencies
from tallystick.gateway.gateway import Gateway
from tallystick.gateway.io.loop import Loop
from tallystick.gateway.upstream.server import Upstream
from tallystick.interfaces.mcp import embedded
from tallystick.sdk.local import local_caller
from tests.interfaces.mcp.line_client import ENVELOPE, JOURNAL, Era

TOOLS = ("echo", "look", "pay", "write", "delete_all", "drop")
POLICIES = {"pay": "ask", "write": "plan", "delete_*": "refuse", "drop": "refuse"}
FORBIDDEN = ("pay", "write", "delete_all", "drop")
"""Tools that no policy lets through here: nobody approves, and there is no plan."""
REQUESTS = (
    *("initialize", "server/discover", "ping", "logging/setLevel", "completion/complete", "subscriptions/listen"),
    *("tools/list", "prompts/list", "prompts/get", "resources/list", "resources/templates/list", "resources/read"),
    *("resources/subscribe", "resources/unsubscribe", "tasks/list", "tasks/get", "tasks/result", "tasks/cancel"),
    *("tasks/update",),
)
NOTIFICATIONS = (
    *("notifications/initialized", "notifications/cancelled", "notifications/progress"),
    *("notifications/roots/list_changed", "notifications/tasks/status"),
)
DONE = [{"type": "text", "text": "done"}]
AT_ONCE = 50
"""So many lines are sent before their answers are awaited."""
QUIET_TURNS = 8
"""Everything happens in the loop's thread: after so many turns without a message, nothing is under way."""


def fold(text: object) -> str:
    """A name as a careless server compares it."""
    plain = unicodedata.normalize("NFKD", str(text)).casefold()
    return "".join(each for each in plain if unicodedata.category(each)[0] not in "CZM")


class Anything:
    """A server that executes whatever it gets, and remembers it. It is its own transport."""

    def __init__(self, loop: Loop, name: str, on_line: Callable[[bytes], None], chance: Random) -> None:
        self._loop = loop
        self._name = name
        self._on_line = on_line
        self._chance = chance
        self._questions = 0
        self.calls: list[tuple[str, str]] = []
        """The tool of each tools/call, and the key that came with it."""
        self.others: list[str] = []
        """What is no message of the protocol, or no call with an id."""
        self.received = 0

    def send(self, line: bytes) -> bool:
        for piece in line.decode().splitlines():
            self.received += 1
            for keep in (_first, _last):
                try:
                    message = json.loads(piece, object_pairs_hook=keep)
                except ValueError:
                    self.others.append(f"no JSON: {piece[:200]}")
                    return True
                self._execute(message, piece)
            self._answer(message)
        return True

    def _execute(self, message: Any, piece: str) -> None:
        fields = {fold(name): value for name, value in message.items()}
        method, params = fields.get("method"), fields.get("params") or {}
        if method is None and "id" in fields and ("result" in fields or "error" in fields):
            return
        if method == "tools/call" and "id" in fields and isinstance(params, dict):
            known = {fold(name): value for name, value in params.items()}
            key = (known.get("_meta") or {}).get("tallystick/key", "")
            self.calls.append((fold(known.get("name")), key))
        elif method not in (REQUESTS if "id" in fields else NOTIFICATIONS):
            self.others.append(piece[:200])

    def _answer(self, message: dict[str, Any]) -> None:
        id, method = message.get("id"), message.get("method")
        if id is None or method is None:
            return
        if method == "tools/call" and self._chance.random() < 0.1:
            self._questions += 1
            self._say({"id": f"q{self._questions}", "method": "sampling/createMessage", "params": {"messages": []}})
        result = self._result(method, message.get("params") or {})
        self._say({"id": id, **({"result": result} if result is not None else {"error": {"code": 1, "message": "x"}})})

    def _result(self, method: str, params: dict[str, Any]) -> dict[str, Any] | None:
        abilities: dict[str, Any] = {name: {} for name in ("tools", "prompts", "resources", "logging", "completions")}
        abilities["tasks"] = {"list": {}}
        info = {"capabilities": abilities, "serverInfo": {"name": self._name, "version": "1"}}
        if method == "initialize":
            return {"protocolVersion": "2025-11-25", **info}
        if method == "server/discover":
            return {"resultType": "complete", "supportedVersions": ["2026-07-28"], **info}
        if method == "tools/list":
            return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]}
        if method == "tools/call":
            return {"content": DONE, "isError": self._chance.random() < 0.2}
        return {} if self._chance.random() < 0.8 else None

    def _say(self, message: dict[str, Any]) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._loop.post(lambda: self._on_line(line))

    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def close(self) -> None: ...
    def end(self) -> None: ...


class Trial:
    """A gateway in this process, with servers that execute anything, and one client."""

    def __init__(self, journal: Journal, era: Era, chance: Random, names: tuple[str, ...], **settings: Any) -> None:
        ours = {"servers": {"*": {"tools": POLICIES}}, "tools": "none", **settings}
        configuration = checked({"mcpServers": {name: {"command": "x"} for name in names}, "tallystick": ours}, {})
        dependencies = Dependencies(make_own_server=embedded.connect, error_result=embedded.error_result)
        self.loop = Loop()
        self.servers: dict[str, Anything] = {}
        self.answers: list[Any] = []
        self.gateway = Gateway(self.loop, configuration, local_caller(journal.caller), {}, dependencies)
        self.client = ClientConnection(self.gateway, lambda line, related: self.answers.append(json.loads(line)))
        upstreams = [
            Upstream(self.loop, name, self._maker(name, chance), self.client.server_messages, 60.0, self.gateway.log)
            for name in names
        ]
        self.client.attach(upstreams, "")
        self._journal = journal
        # The first request decides the era of a connection: an attack's own could be an `initialize`.
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        method, params = ("initialize", hello) if era == "legacy" else ("server/discover", {"_meta": dict(ENVELOPE)})
        (answer,) = self.send(_line({"jsonrpc": "2.0", "id": "hello", "method": method, "params": params}))
        assert "result" in answer, answer

    def _maker(self, name: str, chance: Random) -> Callable[..., Anything]:
        def make(on_line: Callable[[bytes], None], on_lost: object, on_unanswered: object) -> Anything:
            self.servers[name] = Anything(self.loop, name, on_line, chance)
            return self.servers[name]

        return make

    def send(self, *lines: bytes) -> list[Any]:
        """Send lines to the gateway, wait until nothing happens any more, and return the answers."""
        self.answers.clear()
        for line in lines:
            self.loop.post(lambda line=line: self.client.take(line))  # type: ignore[misc]
        before, quiet = (0, 0), 0

        def stop_when_idle() -> bool:
            nonlocal before, quiet
            seen = len(self.answers), sum(each.received for each in self.servers.values())
            before, quiet = seen, quiet + 1 if seen == before else 0
            if quiet > QUIET_TURNS:
                self.loop.stop()
            self.loop.post(lambda: None)
            return False

        self.loop.turn_ends.append(stop_when_idle)
        self.loop.run()
        self.loop.turn_ends.remove(stop_when_idle)
        self.loop._is_stopped = False  # it runs again with the next lines
        return list(self.answers)

    def check(self, forbidden: tuple[str, ...] = FORBIDDEN) -> Counter[str]:
        """Check that each execution has its entry, and that none was forbidden."""
        begun: dict[str, str] = {}
        after = 0
        while page := self._journal.read_entries(kind="action_begun", after=after, limit=1000).entries:
            after = page[-1].seq
            begun |= {entry.id: entry.facts["tool"] for entry in page}
        met: Counter[str] = Counter()
        for name, server in self.servers.items():
            assert server.others == [], server.others[:5]
            for tool, key in server.calls:
                assert tool not in forbidden, f"{tool} was executed"
                assert begun.get(key.partition(".")[0]) == f"mcp__{name}__{tool}", (tool, key)
            met += Counter(executed=len(server.calls), received=server.received)
        return met + Counter(recorded=len(begun))


def attack(seed: str, count: int, era: Era) -> Counter[str]:
    """Send `count` messages, and check what became of them."""
    chance = Random(f"{seed}/{era}")
    names = ("one",) if chance.random() < 0.5 else ("one", "two")
    settings = {"unlisted": chance.choice(("refuse", "refuse", "ask")), "prefix": chance.random() < 0.5}
    with Journal.open("memory:", journal=JOURNAL) as journal:
        trial = Trial(journal, era, chance, names, **settings)
        source = Attacker(chance, era, names if settings["prefix"] else ())
        for first in range(0, count, AT_ONCE):
            trial.send(*(source.line() for _ in range(min(AT_ONCE, count - first))))
            answer = trial.send(_line(source.valid_call("echo")))[-1]  # the server's questions come before it
            assert answer["result"]["content"] == DONE, f"no longer served after message {first + AT_ONCE}: {answer}"
        met = trial.check()
        trial.loop.close()
    return met + Counter(messages=count)


class Attacker:
    """Makes messages: valid ones, and ones that are bent until they might slip through."""

    def __init__(self, chance: Random, era: Era, prefixes: tuple[str, ...]) -> None:
        self._chance = chance
        self._era = era
        self._prefixes = prefixes
        self._number = 0

    def line(self) -> bytes:
        self._number += 1
        message = self._message()
        if self._chance.random() < 0.3:
            return _line(self.valid_call(self._chance.choice(TOOLS)))
        bend = self._chance.choice((None, None, _twice, _batch, _split, _nested, _damaged, _spaced))
        return bend(message, self._chance) if bend else _line(message)

    def valid_call(self, tool: str) -> dict[str, Any]:
        self._number += 1
        prefix = f"{self._chance.choice(self._prefixes)}__" if self._prefixes else ""
        meta = {"_meta": dict(ENVELOPE)} if self._era == "modern" else {}
        params = {"name": prefix + tool, "arguments": {"n": self._number}, **meta}
        return {"jsonrpc": "2.0", "id": self._number, "method": "tools/call", "params": params}

    def _message(self) -> dict[str, Any]:
        pick = self._chance.choice
        kind = pick(("call", "call", "call", "request", "notification", "answer"))
        message: dict[str, Any] = {"jsonrpc": pick(("2.0",) * 8 + ("1.0", 2, None))}
        if kind == "answer":
            id = f"tallystick-{self._chance.randrange(1, 40)}"
            message |= {"id": id, pick(("result", "error")): self._call_params()}
            if self._chance.random() < 0.5:
                message["method"] = self._bent("tools/call")
            return message
        method = {"call": "tools/call", "request": pick(REQUESTS), "notification": pick(NOTIFICATIONS)}[kind]
        message["method"] = self._bent(method) if self._chance.random() < 0.4 else method
        if kind != "notification" or self._chance.random() < 0.3:
            message["id"] = pick((self._number,) * 6 + (f"r{self._number}", None, 1.0, True, {}, [], -0.5, 2**70))
        if kind == "call" and self._chance.random() < 0.2:
            del message["id"]
        message["params"] = self._call_params() if kind == "call" else self._other_params()
        if self._chance.random() < 0.05:
            message["params"] = pick((None, [], [message["params"]], "x", 7))
        if self._chance.random() < 0.05:  # what a careless server reads as the method
            message[pick(("Method", "METHOD", "method\u200b", "params ", "Params"))] = pick(("tools/call", {}))
        return message

    def _call_params(self) -> dict[str, Any]:
        pick = self._chance.choice
        tool = pick(TOOLS)
        if self._chance.random() < 0.4:
            tool = self._bent(tool)
        prefix = f"{pick(self._prefixes)}__" if self._prefixes and self._chance.random() < 0.9 else ""
        arguments: Any = pick(({}, {"n": self._number}, {"n": self._number}, [], None, "x", {"name": "drop"}))
        params: dict[str, Any] = {"name": prefix + tool, "arguments": arguments}
        if self._era == "modern":
            params["_meta"] = dict(ENVELOPE)
        if self._chance.random() < 0.15:
            params[pick(("Name", "NAME", "name ", "ARGUMENTS", "tool", "_META", "task"))] = pick(("drop", {"n": 1}))
        if self._chance.random() < 0.05:
            params[pick(("requestState", "inputResponses"))] = {"name": "drop"}
        return params

    def _other_params(self) -> dict[str, Any]:
        pick = self._chance.choice
        params: dict[str, Any] = {"_meta": dict(ENVELOPE)} if self._era == "modern" else {}
        if self._chance.random() < 0.7:
            params |= {pick(("uri", "name", "taskId", "requestId", "progressToken")): pick(("x", "tallystick-1", 1))}
        if self._chance.random() < 0.2:
            params |= {"notifications": {"toolsListChanged": True}, "ref": {"type": "ref/prompt", "name": "drop"}}
        return params

    def _bent(self, text: str) -> str:
        """The text spelt in a way that a careless server may take for the same."""
        pick = self._chance.choice
        at = self._chance.randrange(len(text) + 1)
        odd = pick((" ", "\t", "\n", "\r", "\0", "\u200b", "\u00a0", "\u202e", "\ufeff", "\u0301", "\U000e0041"))
        wide = "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in text)
        return pick(
            (
                *(text.upper(), text.title(), text.swapcase(), text + odd, odd + text, text[:at] + odd + text[at:]),
                *(wide, text.replace("s", "\u017f"), text.replace("a", "\u0430"), text.replace("/", "\\/"), "x" + text),
                *(text.replace("/", "//"), "/" + text, text + "/", text.replace("_", "-"), "vendor/" + text, ""),
            )
        )


def _first(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(reversed(pairs))


def _last(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(pairs)


def _line(message: Any) -> bytes:
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode()


def _twice(message: dict[str, Any], chance: Random) -> bytes:
    """One of its names a second time, with another value."""
    name = chance.choice(("method", "params", "id", "jsonrpc", "name", "arguments", "_meta"))
    values: dict[str, Any] = {"method": "tools/call", "name": "drop", "id": 7, "params": {"name": "drop"}}
    extra = f'"{name}":{json.dumps(values.get(name, {"n": 1}))}'.encode()
    line = _line(message)
    at = line.index(b"{", chance.choice((0, 0, 1)) if line.count(b"{") > 1 else 0) + 1
    if chance.random() < 0.5:
        return line[:at] + extra + (b"," if line[at : at + 1] != b"}" else b"") + line[at:]
    return line[:-1] + b"," + extra + b"}"


def _batch(message: dict[str, Any], chance: Random) -> bytes:
    return _line([message] * chance.randrange(1, 3))


def _split(message: dict[str, Any], chance: Random) -> bytes:
    """With a line of its own inside, for a server that ends lines at CR."""
    hidden = _line({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "drop"}})
    end = chance.choice((b"\r", b"\n", b"\r\n"))
    params = message.get("params")
    if not isinstance(params, dict):
        return _line(message) + end + hidden
    field = chance.choice(("arguments", "x", "_meta", "notifications"))
    inner = (
        b"{" + end + hidden[1:-1] + b"," + end + b'"n":1}'
        if chance.random() < 0.3
        else b"[" + end + hidden + end + b"]"
    )
    return _line({**message, "params": {**params, field: "@"}}).replace(b'"@"', b'{"n":' + inner + b"}")


def _nested(message: dict[str, Any], chance: Random) -> bytes:
    depth = chance.choice((10, 70, 500, 5000))
    return _line({**message, "x": "@"}).replace(b'"@"', b"[" * depth + b"]" * depth)


def _damaged(message: dict[str, Any], chance: Random) -> bytes:
    line = bytearray(_line(message))
    for _ in range(chance.randrange(1, 4)):
        line[chance.randrange(len(line))] = chance.choice(b'\x00\xff"{}[],:\\ \rtT1')
    return bytes(line)


def _spaced(message: dict[str, Any], chance: Random) -> bytes:
    """As some clients write it: with spaces and escapes, and with a byte order mark."""
    bom = chance.choice((b"", b"", b"\xef\xbb\xbf"))
    return bom + json.dumps(message, indent=chance.choice((None, None, 1))).encode().replace(b"\n", b"\r")
