"""MCP over standard input and output: one JSON object a line, by a layer of our own.

Every agent starts its own server, so this is paid by everybody, every time: it imports no SDK, and answers in the
thread that reads. What may take long is answered in a thread beside it, so that records do not wait.
"""

import os
import sys
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import blake2b
from threading import RLock, Thread
from typing import Any, BinaryIO

import msgspec
from msgspec import Raw, UnsetType

from tallystick import protocol
from tallystick.core.errors import InvalidArgument, TallystickError, TooLarge
from tallystick.core.formats import canonical_json
from tallystick.interfaces.journals import spool_upkeep
from tallystick.interfaces.mcp.errors import of_error
from tallystick.interfaces.mcp.resources import is_one, relists
from tallystick.interfaces.mcp.server import McpServer
from tallystick.interfaces.mcp.sessions import CallInfo, Cancelled, OfProcess
from tallystick.interfaces.mcp.transport.changes import ChangeWatch
from tallystick.protocol import ProtocolError
from tallystick.protocol.jsonrpc import (
    MAX_LINE_BYTES,
    NOT_A_MESSAGE,
    TOO_DEEP,
    Id,
    decode,
    encode,
    is_id,
    read_params,
    scan_id,
    scan_last_id,
)
from tallystick.sdk.local import Local

REMEMBERED = 256
"""How many answers to tool calls are kept, for a client that sends the same request again."""
GLIMPSED = 4096
"""How much at either end of a line that is too long is looked at, for what it asks."""
SUBSCRIPTIONS = 256
URI_LENGTH = 400
LONG_READS = 8
"""How many long reads run beside each other; the next one is waited for, so that nobody can start threads at will."""


def serve(caller: Local, profile: str, env: Mapping[str, str]) -> int:
    """Answer until the input closes. Nothing but the protocol ever reaches standard output."""
    private = os.dup(1)
    os.dup2(2, 1)  # a stray print goes to standard error, whoever makes it
    sys.stdout = sys.stderr
    for stream in (0, private):  # a client may hand over pipes that do not wait
        os.set_blocking(stream, True)
    with os.fdopen(private, "wb", buffering=0) as output:
        StdioConnection(caller, profile, env, output).run(sys.stdin.buffer)
    return 0


class StdioConnection:
    """One client, from its first line to its last."""

    def __init__(self, caller: Local, profile: str, env: Mapping[str, str], output: BinaryIO) -> None:
        self._offer = McpServer(OfProcess(caller, env), profile, before=spool_upkeep(caller, env))
        self._watch = ChangeWatch(caller)
        self._output = output
        self._writing = RLock()
        self._version = ""
        self._client = ""
        self._running: dict[Id, bool] = {}
        self._answered: OrderedDict[Id, tuple[bytes, bytes]] = OrderedDict()
        self._subscribed: set[str] = set()
        self._listening: set[Id] = set()

    def run(self, lines: BinaryIO) -> None:
        try:
            while line := lines.readline(MAX_LINE_BYTES + 1):
                if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                    self._pass_over(lines, line)
                elif line.strip():
                    self.take(line)
        finally:
            self.close()

    def close(self) -> None:
        """Nobody is told of changes any more."""
        self._watch.close()

    def take(self, line: bytes) -> None:
        """Take one line, whatever is in it."""
        try:
            message = decode(line)
        except RecursionError:
            self._refuse(scan_id(line), protocol.INVALID_REQUEST, TOO_DEEP)
            return
        except (msgspec.DecodeError, UnicodeDecodeError):
            self._misread(line)
            return
        if isinstance(message.method, UnsetType):
            if isinstance(message.id, UnsetType):
                self._refuse(None, protocol.INVALID_REQUEST, "This is neither a request nor a notification.")
            return  # an answer, and nothing was asked
        if isinstance(message.id, UnsetType):
            self._notified(message.method, message.params)
        elif message.id is None or message.jsonrpc != "2.0":
            self._refuse(message.id, protocol.INVALID_REQUEST, 'A request needs "jsonrpc": "2.0" and an id.')
        else:
            self._requested(message.id, message.method, message.params)

    def _misread(self, line: bytes) -> None:
        """A line that is no message. Where an id can be read all the same, whoever waits for it is told why."""
        import json  # seldom needed, and slow to load

        try:
            found = json.loads(line.decode())
        except (ValueError, RecursionError):
            self._refuse(None, protocol.PARSE_ERROR, "This line is not JSON.")
            return
        id, method = (found.get("id"), found.get("method")) if isinstance(found, dict) else (None, None)
        if isinstance(found, dict) and "id" in found and "method" not in found:
            return  # an answer, and nothing was asked
        if not is_id(id):
            id = None
        if id is None or not isinstance(method, str) or found.get("jsonrpc") != "2.0":
            self._refuse(id, protocol.INVALID_REQUEST, NOT_A_MESSAGE)
            return
        try:
            canonical_json.encode(_arguments(found.get("params")))  # by the name of what is wrong
            canonical_json.parse(line.decode(), "params")
            canonical_json.encode(found.get("params"))
            self._refuse(id, protocol.INVALID_REQUEST, NOT_A_MESSAGE)
        except InvalidArgument as error:
            self._mistaken(id, method, error)

    def _pass_over(self, lines: BinaryIO, begun: bytes) -> None:
        """A line that is too long to be kept. Its id may stand at either end; whoever waits for it is told why."""
        last = b""
        while (rest := lines.readline(1 << 20)) and not rest.endswith(b"\n"):
            last = rest
        last = (last + rest)[-GLIMPSED:]
        too_long = f"A line is longer than {MAX_LINE_BYTES:,} bytes."
        id = scan_id(begun[:GLIMPSED])
        id = scan_last_id(last) if id is None else id
        if id is not None and b'"tools/call"' in begun[:GLIMPSED] + last:
            error = TooLarge(too_long, hint="Record a summary and a digest, or a path to the full data.")
            self._mistaken(id, "tools/call", error)
        else:
            self._refuse(id, protocol.INVALID_REQUEST, too_long)

    def _requested(self, id: Id, method: str, raw: Raw | UnsetType) -> None:
        sent = b"" if isinstance(raw, UnsetType) else bytes(raw)
        digest = blake2b(sent, digest_size=16).digest() if method == "tools/call" else b""
        if digest and (known := self._answered.get(id)) and known[0] == digest:
            self._write(known[1])
            return
        try:
            params = read_params(sent)
        except InvalidArgument as error:
            self._mistaken(id, method, error)
            return
        if self._offer.is_long(method, params) and id not in self._running and len(self._running) < LONG_READS:
            self._running[id] = False
            Thread(target=self._answer, args=(id, method, params, digest), daemon=True).start()
        else:
            self._answer(id, method, params, digest)

    def _answer(self, id: Id, method: str, params: dict[str, Any], digest: bytes) -> None:
        try:
            result = self._result(id, method, params)
        except ProtocolError as error:
            self._refuse(id, error.code, error.message, error.data)
            return
        except TallystickError as error:  # of what is no tool
            self._refuse(id, protocol.INTERNAL_ERROR, str(error)[:400])
            return
        except Cancelled:
            return
        except Exception as error:
            from tallystick.interfaces.mcp.server import unforeseen

            self._refuse(id, protocol.INTERNAL_ERROR, str(unforeseen(method[:80], error)))
            return
        finally:
            self._running.pop(id, None)
        if result is None:
            return
        line = encode({"jsonrpc": "2.0", "id": id, "result": result}) + b"\n"
        if digest and not result.get("isError"):  # what failed may succeed when it is tried again
            self._answered[id] = (digest, line)
            if len(self._answered) > REMEMBERED:
                self._answered.popitem(last=False)
        self._write(line)

    def _result(self, id: Id, method: str, params: dict[str, Any]) -> dict[str, Any] | None:
        meta = _meta(params)
        modern = protocol.VERSION_KEY in meta and method != "initialize"
        if modern:
            return self._modern(id, method, params, meta)
        if method == "initialize":
            client = params.get("clientInfo")
            self._client = str(client.get("name", "")) if isinstance(client, dict) else ""
            self._version, answer = protocol.initialize_result(params, self._offer.instructions)
            return answer
        if method == "ping":
            return {}
        if method in ("resources/subscribe", "resources/unsubscribe"):
            return self._subscribe(method, params)
        if method not in self._offer.methods:
            raise _unknown(method)
        if not self._version:
            raise ProtocolError(
                protocol.INVALID_PARAMS, "Send initialize first, or 2026-07-28's _meta with each request."
            )
        return self._offer.answer(method, params, self._asking(id, meta, self._client, modern=False))

    def _modern(self, id: Id, method: str, params: dict[str, Any], meta: dict[str, Any]) -> dict[str, Any] | None:
        if self._version:
            raise ProtocolError(
                protocol.INVALID_REQUEST, "This connection began with the handshake of an earlier version."
            )
        protocol.check_envelope(meta)
        client = meta.get(protocol.CLIENT_KEY)
        name = str(client.get("name", "")) if isinstance(client, dict) else ""
        if method == "server/discover":
            return protocol.add_modern_fields(method, protocol.discover_result(self._offer.instructions))
        if method == "subscriptions/listen":
            self._listen(id, params)
            return None  # the stream of changes is the answer
        if method not in self._offer.methods:
            raise _unknown(method)
        return protocol.add_modern_fields(
            method, self._offer.answer(method, params, self._asking(id, meta, name, modern=True))
        )

    def _asking(self, id: Id, meta: dict[str, Any], client: str, *, modern: bool) -> CallInfo:
        return CallInfo(request_id=id, meta=meta, client=client, modern=modern, progress=self._progress(id, meta))

    def _progress(self, id: Id, meta: dict[str, Any]) -> Any:
        """How far a long read is; it also ends the read when it was cancelled."""
        token = meta.get("progressToken")

        def tell(done: int, total: int) -> None:
            if self._running.get(id):
                raise Cancelled
            if is_id(token):
                self._notify("notifications/progress", {"progressToken": token, "progress": done, "total": total})

        return tell if id in self._running else None

    def _subscribe(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        uri = params.get("uri")
        if not isinstance(uri, str) or not _are_uris([uri]):
            raise ProtocolError(protocol.INVALID_PARAMS, f"uri is missing, or not text of up to {URI_LENGTH} letters.")
        if method == "resources/unsubscribe":
            self._subscribed.discard(uri)
            if not self._subscribed:
                self._watch.remove("subscribed")
        elif not is_one(uri):
            raise ProtocolError(protocol.RESOURCE_NOT_FOUND, f'There is no resource "{uri[:200]}".', {"uri": uri[:200]})
        elif len(self._subscribed) >= SUBSCRIPTIONS:
            raise ProtocolError(protocol.INVALID_PARAMS, f"There are {SUBSCRIPTIONS} subscriptions already.")
        else:
            self._watch.add("subscribed", self._tell_subscribed)
            self._subscribed.add(uri)
        return {}

    def _tell_subscribed(self, changed: set[str]) -> None:
        for uri in sorted(changed & self._subscribed):
            self._notify("notifications/resources/updated", {"uri": uri})

    def _listen(self, id: Id, params: dict[str, Any]) -> None:
        """Open a stream of changes. It has no answer until it ends, and it ends with the connection."""
        wanted = params.get("notifications")
        uris = wanted.get("resourceSubscriptions") if isinstance(wanted, dict) else None
        if not isinstance(wanted, dict) or (uris is not None and not _are_uris(uris)):
            raise ProtocolError(
                protocol.INVALID_PARAMS,
                f"notifications is missing, or its resourceSubscriptions is not a list of up to {SUBSCRIPTIONS} URIs "
                f"of up to {URI_LENGTH} letters.",
            )
        if len(self._listening) >= SUBSCRIPTIONS:
            raise ProtocolError(protocol.INVALID_PARAMS, f"There are {SUBSCRIPTIONS} subscriptions already.")
        stamp = {protocol.SUBSCRIPTION_KEY: id}
        honoured: dict[str, Any] = {"resourceSubscriptions": list(uris)} if uris else {}
        if wanted.get("resourcesListChanged") is True:
            honoured["resourcesListChanged"] = True
        listed = "resourcesListChanged" in honoured
        mine = set(uris or ())

        def tell(changed: set[str]) -> None:
            for uri in sorted(changed & mine):
                self._notify("notifications/resources/updated", {"uri": uri, "_meta": stamp})
            if listed and relists(changed):
                self._notify("notifications/resources/list_changed", {"_meta": stamp})

        with self._writing:  # what changes from here on is told, and told behind the acknowledgement
            self._watch.add((id,), tell)
            self._listening.add(id)
            self._notify("notifications/subscriptions/acknowledged", {"notifications": honoured, "_meta": stamp})

    def _notified(self, method: str, raw: Raw | UnsetType) -> None:
        if method != "notifications/cancelled":
            return
        try:
            params = read_params(b"" if isinstance(raw, UnsetType) else bytes(raw))
        except InvalidArgument:
            return
        id = params.get("requestId")
        if isinstance(id, str | int) and id in self._running:
            self._running[id] = True
        if isinstance(id, str | int) and id in self._listening:
            self._listening.discard(id)
            self._watch.remove((id,))

    def _mistaken(self, id: Id, method: str, error: InvalidArgument) -> None:
        """Arguments that are JSON only nearly: a tool says so like of any other wrong argument."""
        if method != "tools/call":
            self._refuse(id, protocol.INVALID_PARAMS, str(error)[:400])
            return
        result = of_error(error, {}).as_result()
        self._write(
            encode(
                {
                    "jsonrpc": "2.0",
                    "id": id,
                    "result": result if self._version else protocol.add_modern_fields(method, result),
                }
            )
            + b"\n"
        )

    def _refuse(self, id: Id | None, code: int, message: str, data: Any = None) -> None:
        error = ProtocolError(code, message, data).as_dict()
        self._write(encode({"jsonrpc": "2.0", "id": id, "error": error}) + b"\n")

    def _notify(self, method: str, params: dict[str, Any]) -> None:
        self._write(encode({"jsonrpc": "2.0", "method": method, "params": params}) + b"\n")

    def _write(self, line: bytes) -> None:
        with self._writing:
            while line:  # a pipe may take less than it is given
                line = line[self._output.write(line) :]


def _meta(params: dict[str, Any]) -> dict[str, Any]:
    found = params.get("_meta")
    return found if isinstance(found, dict) else {}


def _arguments(params: Any) -> Any:
    return params.get("arguments") if isinstance(params, dict) else None


def _are_uris(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= SUBSCRIPTIONS
        and all(isinstance(each, str) and len(each) <= URI_LENGTH for each in value)
    )


def _unknown(method: str) -> ProtocolError:
    return ProtocolError(protocol.METHOD_NOT_FOUND, f'There is no method "{method[:80]}".')
