"""Messages that no client should send, made from a seed, and what a server may answer to each.

`messages` makes them; `expected` says independently of the server, with nothing but the standard library, which answer
a line must get.
"""

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

from tests.interfaces.mcp.line_client import ENVELOPE, Era, request

LINE_BYTES = 8 << 20
_NEWLINES = bytes.maketrans(b"\n", b" ")

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 1e300, 2**53, 2**63, 2**64, -(2**70), 10**400),
    *("", " ", "x", "x" * 3000, "\0", "a\0b", "\ud800", "\udfff tail", "\u2028Next: rm -rf", "\x1b[31m", "é" * 500),
    *("ex_zzzz", "ac_zzzz", "pl_zzzz", "se_zzzz", "ap_zzzz", "../../etc", "'; drop table entries; --", "%s%n{0}"),
    *([], [[]], [None], ["a"] * 2000, list(range(3000)), {}, {"": ""}, {"a": {"b": [1, {"c": None}]}}),
    *({"$ref": "#"}, {"__class__": "x"}, {"tool": 1, "arguments": []}, {"a": "\ud800"}),
)
_METHODS = (
    *("tools/call", "tools/list", "resources/list", "resources/read", "resources/templates/list", "prompts/list"),
    *("prompts/get", "completion/complete", "ping", "server/discover", "resources/subscribe", "subscriptions/listen"),
)
_CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("record_plan", {"title": "t", "steps": [{"id": "a", "title": "s", "cancellable": "reversible", "undo": "rm"}]}),
    ("record_execution_start", {"title": "t", "key": "k"}),
    ("record_action", {"phase": "begin", "tool": "cp", "arguments": {"a": 1}, "summary": "s", "undo": {"tool": "rm"}}),
    ("record_action", {"phase": "end", "action_id": "ac_1", "outcome": "ok", "result": {"a": 1}, "confidence": 0.5}),
    ("record_action", {"phase": "note", "summary": "s", "before": {}, "after": {"a": [1]}}),
    ("record_decision", {"decision": "continue", "why": "w", "options": ["a"], "arguments": {"a": 1}}),
    ("record_decision", {"decision": "ask_human", "why": "w", "question": "q", "tool": "pay", "arguments": {"a": 1}}),
    ("record_context", {"key": "k", "value": {"a": 1}, "type": "finding", "scope": "project"}),
    ("query_ledger", {"view": "brief", "detail": "detailed"}),
    ("query_ledger", {"view": "journal", "q": "a", "filter": "since:2d tool:cp", "limit": 3, "cursor": "7"}),
    ("query_ledger", {"view": "context", "filter": "key:k", "execution_id": "ex_1"}),
    ("query_ledger", {"view": "verify"}),
    ("query_ledger", {"view": "status"}),
)


class Expected(NamedTuple):
    """How many answers, to which id (its JSON; None is an answer to nobody). With several, it may be any of them;
    `perhaps`: one more to nobody would be right too."""

    answers: int
    ids: tuple[str | None, ...] = (None,)
    perhaps: bool = False


def messages(seed: str, count: int, era: Era = "modern") -> Iterator[bytes]:
    """Lines, without their newline. The rarest are the largest."""
    source = Source(seed, era)
    for number in range(count):
        yield source.line(number).translate(_NEWLINES)


def expected(line: bytes) -> Expected:
    """The responses that a server must send for this line."""
    if not line.strip():
        return Expected(0)
    if len(line) > LINE_BYTES:
        return Expected(1, (None, *_glimpsed(line)))
    try:
        message = json.loads(line.decode(), parse_int=_whole)
    except UnicodeDecodeError:
        return Expected(1, (None, found)) if (found := _found(line)) else Expected(0, perhaps=True)
    except RecursionError:
        return Expected(1, (None, *_glimpsed(line)))
    except ValueError:
        return Expected(1)
    if not isinstance(message, dict):
        return Expected(1)
    id, method = message.get("id"), message.get("method")
    if "method" not in message:
        return Expected(0 if "id" in message else 1)
    if "id" not in message:
        return Expected(0 if isinstance(method, str) and _is_sound(line) else 1)
    return Expected(1, (json.dumps(id),) if is_usable(id) else (None,))


def is_usable(id: Any) -> bool:
    """Whether an answer can be sent to it: text that is Unicode, or an integer."""
    if isinstance(id, str):
        return not any("\ud800" <= letter <= "\udfff" for letter in id)
    return isinstance(id, int) and not isinstance(id, bool) and abs(id) < 10**4000


def _found(line: bytes) -> str:
    """The id of a request with broken text, as JSON: the server may have found it, or not."""
    try:
        message = json.loads(line.decode(errors="replace"))
    except (ValueError, RecursionError):
        return ""
    is_request = isinstance(message, dict) and "method" in message and is_usable(message.get("id"))
    return json.dumps(message["id"]) if is_request else ""


def _glimpsed(line: bytes) -> tuple[str, ...]:
    """The id of a request that is nested too deeply, if it comes before the nested part."""
    found = re.match(rb'\{[^{\[]*?"id": ?("(?:[^"\\]|\\.)*"|-?\d+)', line)
    return (json.dumps(json.loads(found[1])),) if found else ()


def _is_sound(line: bytes) -> bool:
    """Whether a notification is one at all: JSON by the letter, of the right types."""
    try:
        message = json.loads(line, parse_constant=_refused)
        json.dumps(message, ensure_ascii=False).encode()
    except ValueError:
        return False
    return isinstance(message.get("jsonrpc", ""), str)


def _whole(digits: str) -> int | float:
    """Python reads no integer of more than 4,300 digits; a server may."""
    return int(digits) if len(digits) < 4000 else 1.5


def _refused(constant: str) -> None:
    raise ValueError(constant)


class Source:
    """One seed's worth of nonsense."""

    def __init__(self, seed: str, era: Era) -> None:
        self.chance = Random(seed)
        self.era: Era = era
        self._sent: list[bytes] = []
        self._kinds: tuple[tuple[Callable[[], bytes], int], ...] = (
            (self._no_json, 12),
            (self._no_object, 8),
            (self._wrong_types, 40),
            (self._wrong_text, 12),
            (self._wrong_method, 8),
            (self._wrong_envelope, 8),
            (self._out_of_turn, 10),
            (self._subscription, 6),
            (self._twice, 4),
            (self._deep, 1),
            (self._long, 1),
        )

    def line(self, number: int) -> bytes:
        if number % 1000 == 999:
            return self._enormous()
        if number % 2000 == 1500:
            return self._bytes(request(self._id(), "initialize", {"protocolVersion": "2025-11-25"}, "legacy"))
        kinds, weights = zip(*self._kinds, strict=True)
        made: bytes = self.chance.choices(kinds, weights)[0]()
        if len(made) < 2000 and self.chance.random() < 0.1:
            self._sent = [*self._sent[-50:], made]
        return made

    def _id(self) -> Any:
        return self.chance.choice((self.chance.getrandbits(48), f"n-{self.chance.getrandbits(48):x}"))

    def _good(self) -> dict[str, Any]:
        """A request that would be answered, or nearly so."""
        method = self.chance.choice((*_METHODS, *["tools/call"] * 12))
        era: Era = self.era if self.chance.random() < 0.9 else "modern" if self.era == "legacy" else "legacy"
        return request(self._id(), method, self._params(method), era)

    def _params(self, method: str) -> dict[str, Any]:
        if method == "tools/call":
            name, arguments = self.chance.choice(_CALLS)
            return {"name": name, "arguments": json.loads(json.dumps(arguments))}
        uri = f"journal://{self.chance.choice(('brief', 'context/task', 'executions/ex_1', 'nowhere', ''))}"
        known: dict[str, dict[str, Any]] = {
            "resources/read": {"uri": uri},
            "resources/subscribe": {"uri": uri},
            "subscriptions/listen": {"notifications": {"resourceSubscriptions": [uri]}},
            "prompts/get": {"name": "resume", "arguments": {"execution_id": "ex_1"}},
            "completion/complete": {"ref": {"type": "ref/prompt"}, "argument": {"name": "id", "value": "e"}},
        }
        return known.get(method, {})

    def _bytes(self, message: Any) -> bytes:
        return json.dumps(message, ensure_ascii=self.chance.random() < 0.5).encode(errors="surrogatepass")

    def _no_json(self) -> bytes:
        good = self._bytes(self._good())
        cut = self.chance.randrange(len(good))
        return self.chance.choice(
            (
                good[:cut],
                good[cut:],
                good + b"}",
                good + good,
                good.replace(b'"', b"'"),
                b"\xef\xbb\xbf" + good,
                good.decode(errors="replace").encode("utf-16"),
                b"// " + good,
                good.replace(b":", b"=", 1),
                good.replace(b": ", b": NaN", 1),
                good[:cut] + b"\0" + good[cut:],
                self.chance.randbytes(self.chance.randrange(1, 200)),
                self.chance.choice(
                    (b"", b" ", b"\r", b"\t\x0b", b"nul", b"+1", b"01", b'"', b"{", b"[,]", b'{"a":1,}')
                ),
                b"Content-Length: 120\r",
                b"GET / HTTP/1.1\r",
            )
        )

    def _no_object(self) -> bytes:
        batch = [self._good() for _ in range(self.chance.randrange(4))]
        return self._bytes(
            self.chance.choice((batch, batch, [batch], 7, "ping", None, True, 1.5, [1, 2], {}, {"a": 1}))
        )

    def _wrong_types(self) -> bytes:
        """A good request with one, two or three things in it replaced, removed or added."""
        message: Any = self._good()
        for _ in range(self.chance.randrange(1, 4)):
            node = message
            while True:
                keys = list(node) if isinstance(node, dict) else list(range(len(node)))
                key = self.chance.choice(keys) if keys else None
                if key is None or not isinstance(node[key], dict | list) or self.chance.random() < 0.25:
                    break
                node = node[key]
            self._break(node, key)
        return self._bytes(message)

    def _break(self, node: Any, key: Any) -> None:
        turn = self.chance.random()
        odd = deepcopy(self.chance.choice(ODD))  # it may be broken in turn
        if key is None or (turn < 0.1 and isinstance(node, dict)):
            if isinstance(node, dict):
                node[self.chance.choice(("", "x", "session_id", "_meta", "execution_id", "key", "\ud800", "\0"))] = odd
            else:
                node.append(odd)
        elif turn < 0.25:
            del node[key]
        else:
            node[key] = odd

    def _wrong_text(self) -> bytes:
        """Invalid text in the line: broken bytes, lone surrogates, duplicate names, NaN."""
        good = self._bytes(self._good())
        quotes = [at for at in range(len(good)) if good[at : at + 1] == b'"'] or [0]
        at = self.chance.choice(quotes) + 1
        splice = self.chance.choice(
            (
                b"\xff",
                b"\xc3",
                b"\xed\xa0\x80",
                b"\\ud800",
                b"\\udc00",
                b"\0",
                b"\\u0000",
                b"\x1f",
                b"\\x",
                b"\\",
                b"\xf5\x80",
            )
        )
        doubled = good.replace(b'"jsonrpc"', b'"id": 5, "jsonrpc"', 1)
        inside = good.replace(b'"params": {', b'"params": {"a": 1, "a": 2, ', 1)
        odd = self.chance.choice((b"NaN", b"-Infinity", b"1e999", b"-", b"1" * 5000, b"0x1", b'{"a":1,"a":2}'))
        number = good.replace(b'"arguments": {', b'"arguments": {"value": ' + odd + b", ", 1)
        return self.chance.choice((good[:at] + splice + good[at:], doubled, inside, number))

    def _wrong_method(self) -> bytes:
        message = self._good()
        message["method"] = self.chance.choice(
            (
                *("", "tools", "tools/Call", "tools/call ", "rpc.discover", "__init__", "logging/setLevel", "x" * 5000),
                *(
                    "notifications/initialized",
                    "sampling/createMessage",
                    "roots/list",
                    "tasks/get",
                    "\x1b",
                    "é",
                    "a\nb",
                ),
                *("elicitation/create", "notifications/cancelled", "resources/unsubscribe", "notifications/progress"),
            )
        )
        if self.chance.random() < 0.3:
            message["params"]["name"] = self.chance.choice(("nope", "rm", "__call__", "x" * 5000, "record_plan "))
        return self._bytes(message)

    def _wrong_envelope(self) -> bytes:
        """Fields of one protocol in the other, or of neither."""
        message = self._good()
        meta = deepcopy(ENVELOPE)
        name = self.chance.choice(list(meta))
        turn = self.chance.randrange(5)
        if turn == 0:
            meta[name] = self.chance.choice((*ODD, "2025-11-25", "2099-01-01", "DRAFT"))
        elif turn == 1:
            del meta[name]
        elif turn == 2:
            result = (
                "threadId",
                "callId",
                "traceparent",
                "progressToken",
                "x-codex-turn-metadata",
                "tallystick/session",
            )
            meta[self.chance.choice(result)] = self.chance.choice(ODD)
        elif turn == 3:
            message["jsonrpc"] = self.chance.choice(("1.0", "", "2", 2, 2.0, None, [], "2.0 "))
        else:
            message["params"]["_meta"] = self.chance.choice(ODD)
            return self._bytes(message)
        message["params"]["_meta"] = meta
        return self._bytes(message)

    def _out_of_turn(self) -> bytes:
        """Answers to nothing, notifications of nothing, requests that ask for no answer, cancels of what never ran."""
        message = self._good()
        nobody: Any = self.chance.choice((f"never-{self._id()}", -5, None, [], {"a": 1}, True, 1.5, "x" * 3000))
        return self._bytes(
            self.chance.choice(
                (
                    {"jsonrpc": "2.0", "id": self._id(), "result": {"a": self.chance.choice(ODD)}},
                    {"jsonrpc": "2.0", "id": self._id(), "error": {"code": 1, "message": "m"}},
                    {"jsonrpc": "2.0", "id": None, "error": self.chance.choice(ODD)},
                    {name: value for name, value in message.items() if name != "id"},
                    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": nobody}},
                    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": self.chance.choice(ODD)},
                    {"jsonrpc": "2.0", "method": "notifications/initialized", "params": self.chance.choice(ODD)},
                    {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": nobody}},
                )
            )
        )

    def _subscription(self) -> bytes:
        uri = f"journal://executions/ex_{self.chance.getrandbits(20):x}" + "x" * self.chance.choice((0, 0, 0, 5000))
        wanted = self.chance.choice(([uri], [uri] * 50, uri, None, [5], [], {"a": 1}))
        method, params = self.chance.choice(
            (
                ("resources/subscribe", {"uri": uri}),
                ("resources/unsubscribe", {"uri": uri}),
                ("subscriptions/listen", {"notifications": {"resourceSubscriptions": wanted}}),
                ("subscriptions/listen", {"notifications": {"resourcesListChanged": True}}),
                ("subscriptions/listen", {"notifications": wanted}),
            )
        )
        return self._bytes(request(self._id(), method, params, self.era))

    def _twice(self) -> bytes:
        return self.chance.choice(self._sent) if self._sent else b""

    def _deep(self) -> bytes:
        if self.chance.random() < 0.8:
            depth, opened, closed = self.chance.choice((60, 70, 400)), b'{"a":', b"}"
        else:
            depth, opened, closed = 100_000, b"[", b"]"
        nest = opened * depth + b"1" + closed * (depth if self.chance.random() < 0.7 else 0)
        outside = self.chance.random() < 0.3
        return (
            nest
            if outside
            else self._bytes(self._good()).replace(b'"params": {', b'"params": {"a": ' + nest + b", ", 1)
        )

    def _long(self) -> bytes:
        """Up to a megabyte: more than a record may hold, less than a line."""
        name, arguments = self.chance.choice(_CALLS)
        field = self.chance.choice(list(arguments))
        text = self.chance.choice("xé\u2028\0\ud800") * self.chance.choice((10_000, 200_000, 1_100_000))
        return self._bytes(
            request(self._id(), "tools/call", {"name": name, "arguments": {**arguments, field: text}}, self.era)
        )

    def _enormous(self) -> bytes:
        """Around the longest line that is read."""
        about = LINE_BYTES + self.chance.choice((-(1 << 19), 1, 1 << 20))
        return self._bytes(request(self._id(), "ping", {"pad": "x" * about}, self.era))[: about + 4000]
