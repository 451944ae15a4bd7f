"""MCP over standard input and output: one JSON object on each line, without the SDK.

Every agent starts its own server, so the start must be quick: this module imports no SDK, and answers in the thread
that reads. A request that may take long is answered in another thread, so that records do not wait.
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
from msgspec.structs import replace

from tallystick import protocol
from tallystick.core.errors import InvalidArgument, TallystickError, TooLarge
from tallystick.core.formats import canonical_json
from tallystick.interfaces.journals import spool_upkeep
from tallystick.interfaces.mcp.errors import error_response
from tallystick.interfaces.mcp.resources import changes_list, is_resource
from tallystick.interfaces.mcp.server import McpServer
from tallystick.interfaces.mcp.sessions import CallInfo, Cancelled, ProcessSessions
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

MAX_REMEMBERED_RESPONSES = 256
"""How many responses to tool calls are kept, for a client that sends the same request again."""
PEEKED_BYTES = 4096
"""How much of either end of a line that is too long is searched for its id and method."""
MAX_SUBSCRIPTIONS = 256
MAX_URI_CHARACTERS = 400
MAX_LONG_READS = 8
"""How many long reads run at the same time. A further one blocks the connection: the number of threads is bounded."""


def serve(caller: Local, profile: str, env: Mapping[str, str]) -> int:
    """Answer until the input closes. Only protocol messages are written to standard output."""
    private = os.dup(1)
    os.dup2(2, 1)  # a stray print of any library goes to standard error
    sys.stdout = sys.stderr
    for stream in (0, private):  # a client may pass non-blocking pipes
        os.set_blocking(stream, True)
    with os.fdopen(private, "wb", buffering=0) as output:
        StdioConnection(caller, profile, env, output).run(sys.stdin.buffer)
    return 0


class StdioConnection:
    """The connection of one client. `_is_cancelled` holds the long reads that run, and whether each is cancelled."""

    def __init__(self, caller: Local, profile: str, env: Mapping[str, str], output: BinaryIO) -> None:
        if profile == "minimal":  # its instructions say that hooks record the calls
            caller.context.principal = replace(caller.context.principal, expects_hooks=True)
        self._server = McpServer(ProcessSessions(caller, env), profile, before_read=spool_upkeep(caller, env))
        self._watch = ChangeWatch(caller)
        self._output = output
        self._write_lock = RLock()
        self._version = ""
        self._client = ""
        self._is_cancelled: dict[Id, bool] = {}
        self._responses: OrderedDict[Id, tuple[bytes, bytes]] = OrderedDict()
        self._subscribed: set[str] = set()
        self._listening: set[Id] = set()

    def run(self, lines: BinaryIO) -> None:
        try:
            while line := lines.readline(MAX_LINE_BYTES + 1):
                if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                    self._skip_long_line(lines, line)
                elif line.strip():
                    self.take(line)
        finally:
            self.close()

    def close(self) -> None:
        """Stop the notifications of changes."""
        self._watch.close()

    def take(self, line: bytes) -> None:
        """Handle one line, whatever is in it."""
        try:
            message = decode(line)
        except RecursionError:
            self._send_error(scan_id(line), protocol.INVALID_REQUEST, TOO_DEEP)
            return
        except (msgspec.DecodeError, UnicodeDecodeError):
            self._reject_line(line)
            return
        if isinstance(message.method, UnsetType):
            if isinstance(message.id, UnsetType):
                self._send_error(None, protocol.INVALID_REQUEST, "This is neither a request nor a notification.")
            return  # a response, but this server sends no requests
        if isinstance(message.id, UnsetType):
            self._on_notification(message.method, message.params)
        elif message.id is None or message.jsonrpc != "2.0":
            self._send_error(message.id, protocol.INVALID_REQUEST, 'A request needs "jsonrpc": "2.0" and an id.')
        else:
            self._on_request(message.id, message.method, message.params)

    def _reject_line(self, line: bytes) -> None:
        """Reject a line that is no valid message. If it has an id, the error is sent for that id."""
        try:
            message = canonical_json.parse_leniently(line.decode())
        except (ValueError, RecursionError):
            self._send_error(None, protocol.PARSE_ERROR, "This line is not JSON.")
            return
        id, method = (message.get("id"), message.get("method")) if isinstance(message, dict) else (None, None)
        if isinstance(message, dict) and "id" in message and "method" not in message:
            return  # a response, but this server sends no requests
        if not is_id(id):
            id = None
        if id is None or not isinstance(method, str) or message.get("jsonrpc") != "2.0":
            self._send_error(id, protocol.INVALID_REQUEST, NOT_A_MESSAGE)
            return
        try:
            canonical_json.encode(_arguments(message.get("params")))  # first: its error names the argument
            canonical_json.parse(line.decode(), "params")
            canonical_json.encode(message.get("params"))
            self._send_error(id, protocol.INVALID_REQUEST, NOT_A_MESSAGE)
        except InvalidArgument as error:
            self._reject(id, method, error)

    def _skip_long_line(self, lines: BinaryIO, start: bytes) -> None:
        """Skip a line that is too long, and send an error for its id, which may be at either end."""
        last = b""
        while (rest := lines.readline(1 << 20)) and not rest.endswith(b"\n"):
            last = rest
        last = (last + rest)[-PEEKED_BYTES:]
        too_long = f"A line is longer than {MAX_LINE_BYTES:,} bytes."
        id = scan_id(start[:PEEKED_BYTES])
        id = scan_last_id(last) if id is None else id
        if id is not None and b'"tools/call"' in start[:PEEKED_BYTES] + last:
            error = TooLarge(too_long, hint="Record a summary and a digest, or a path to the full data.")
            self._reject(id, "tools/call", error)
        else:
            self._send_error(id, protocol.INVALID_REQUEST, too_long)

    def _on_request(self, id: Id, method: str, raw: Raw | UnsetType) -> None:
        content = b"" if isinstance(raw, UnsetType) else bytes(raw)
        digest = blake2b(content, digest_size=16).digest() if method == "tools/call" else b""
        if digest and (remembered := self._responses.get(id)) and remembered[0] == digest:
            self._write(remembered[1])
            return
        try:
            params = read_params(content)
        except InvalidArgument as error:
            self._reject(id, method, error)
            return
        if (
            self._server.is_long(method, params)
            and id not in self._is_cancelled
            and len(self._is_cancelled) < MAX_LONG_READS
        ):
            self._is_cancelled[id] = False
            Thread(target=self._answer, args=(id, method, params, digest), daemon=True).start()
        else:
            self._answer(id, method, params, digest)

    def _answer(self, id: Id, method: str, params: dict[str, Any], digest: bytes) -> None:
        try:
            result = self._result(id, method, params)
        except ProtocolError as error:
            self._send_error(id, error.code, error.message, error.data)
            return
        except TallystickError as error:  # not of a tool: those have results with isError
            self._send_error(id, protocol.INTERNAL_ERROR, str(error)[:400])
            return
        except Cancelled:
            return
        except Exception as error:
            from tallystick.interfaces.mcp.server import unexpected_error

            self._send_error(id, protocol.INTERNAL_ERROR, str(unexpected_error(method[:80], error)))
            return
        finally:
            self._is_cancelled.pop(id, None)
        if result is None:
            return
        line = encode({"jsonrpc": "2.0", "id": id, "result": result}) + b"\n"
        if digest and not result.get("isError"):  # a call that failed may succeed when it is sent again
            self._responses[id] = (digest, line)
            if len(self._responses) > MAX_REMEMBERED_RESPONSES:
                self._responses.popitem(last=False)
        self._write(line)

    def _result(self, id: Id, method: str, params: dict[str, Any]) -> dict[str, Any] | None:
        meta = _meta(params)
        if protocol.VERSION_KEY in meta and method != "initialize":
            return self._modern_result(id, method, params, meta)
        if method == "initialize":
            client = params.get("clientInfo")
            self._client = str(client.get("name", "")) if isinstance(client, dict) else ""
            self._version, result = protocol.initialize_result(params, self._server.instructions)
            return result
        if method == "ping":
            return {}
        if method in ("resources/subscribe", "resources/unsubscribe"):
            return self._subscribe(method, params)
        if method not in self._server.methods:
            raise _unknown_method(method)
        if not self._version:
            raise ProtocolError(
                protocol.INVALID_PARAMS, "Send initialize first, or 2026-07-28's _meta with each request."
            )
        return self._server.answer(method, params, self._call_info(id, meta, self._client, modern=False))

    def _modern_result(
        self, id: Id, method: str, params: dict[str, Any], meta: dict[str, Any]
    ) -> dict[str, Any] | None:
        if self._version:
            raise ProtocolError(
                protocol.INVALID_REQUEST, "This connection began with the handshake of an earlier version."
            )
        protocol.check_envelope(meta)
        client = meta.get(protocol.CLIENT_KEY)
        name = str(client.get("name", "")) if isinstance(client, dict) else ""
        if method == "server/discover":
            return protocol.add_modern_fields(method, protocol.discover_result(self._server.instructions))
        if method == "subscriptions/listen":
            self._listen(id, params)
            return None  # it is answered by notifications
        if method not in self._server.methods:
            raise _unknown_method(method)
        return protocol.add_modern_fields(
            method, self._server.answer(method, params, self._call_info(id, meta, name, modern=True))
        )

    def _call_info(self, id: Id, meta: dict[str, Any], client: str, *, modern: bool) -> CallInfo:
        return CallInfo(request_id=id, meta=meta, client=client, modern=modern, progress=self._progress(id, meta))

    def _progress(self, id: Id, meta: dict[str, Any]) -> Any:
        """The progress callback of a long read. It raises Cancelled when the client has cancelled the read."""
        token = meta.get("progressToken")

        def report(done: int, total: int) -> None:
            if self._is_cancelled.get(id):
                raise Cancelled
            if is_id(token):
                self._notify("notifications/progress", {"progressToken": token, "progress": done, "total": total})

        return report if id in self._is_cancelled else None

    def _subscribe(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        uri = params.get("uri")
        if not isinstance(uri, str) or not _are_uris([uri]):
            raise ProtocolError(
                protocol.INVALID_PARAMS, f"uri is missing, or not text of up to {MAX_URI_CHARACTERS} characters."
            )
        if method == "resources/unsubscribe":
            self._subscribed.discard(uri)
            if not self._subscribed:
                self._watch.remove("subscribed")
        elif not is_resource(uri):
            raise ProtocolError(protocol.RESOURCE_NOT_FOUND, f'There is no resource "{uri[:200]}".', {"uri": uri[:200]})
        elif len(self._subscribed) >= MAX_SUBSCRIPTIONS:
            raise ProtocolError(protocol.INVALID_PARAMS, f"There are {MAX_SUBSCRIPTIONS} subscriptions already.")
        else:
            self._watch.add("subscribed", self._notify_subscribed)
            self._subscribed.add(uri)
        return {}

    def _notify_subscribed(self, changed: set[str]) -> None:
        for uri in sorted(changed & self._subscribed):
            self._notify("notifications/resources/updated", {"uri": uri})

    def _listen(self, id: Id, params: dict[str, Any]) -> None:
        """Open a stream of changes. It ends, and is answered, with the connection."""
        wanted = params.get("notifications")
        uris = wanted.get("resourceSubscriptions") if isinstance(wanted, dict) else None
        if not isinstance(wanted, dict) or (uris is not None and not _are_uris(uris)):
            raise ProtocolError(
                protocol.INVALID_PARAMS,
                "notifications is missing, or its resourceSubscriptions is not a list of up to "
                f"{MAX_SUBSCRIPTIONS} URIs of up to {MAX_URI_CHARACTERS} characters.",
            )
        if len(self._listening) >= MAX_SUBSCRIPTIONS:
            raise ProtocolError(protocol.INVALID_PARAMS, f"There are {MAX_SUBSCRIPTIONS} subscriptions already.")
        stamp = {protocol.SUBSCRIPTION_KEY: id}
        accepted: dict[str, Any] = {"resourceSubscriptions": list(uris)} if uris else {}
        wants_list = wanted.get("resourcesListChanged") is True
        if wants_list:
            accepted["resourcesListChanged"] = True
        wanted_uris = set(uris or ())

        def notify(changed: set[str]) -> None:
            for uri in sorted(changed & wanted_uris):
                self._notify("notifications/resources/updated", {"uri": uri, "_meta": stamp})
            if wants_list and changes_list(changed):
                self._notify("notifications/resources/list_changed", {"_meta": stamp})

        with self._write_lock:  # the acknowledgement comes before the first change
            self._watch.add((id,), notify)
            self._listening.add(id)
            self._notify("notifications/subscriptions/acknowledged", {"notifications": accepted, "_meta": stamp})

    def _on_notification(self, method: str, raw: Raw | UnsetType) -> None:
        if method != "notifications/cancelled":
            return
        try:
            params = read_params(b"" if isinstance(raw, UnsetType) else bytes(raw))
        except InvalidArgument:
            return
        id = params.get("requestId")
        if isinstance(id, str | int) and id in self._is_cancelled:
            self._is_cancelled[id] = True
        if isinstance(id, str | int) and id in self._listening:
            self._listening.discard(id)
            self._watch.remove((id,))

    def _reject(self, id: Id, method: str, error: InvalidArgument) -> None:
        """Send the error for invalid JSON: for a tool call as a tool error, as for any other wrong argument."""
        if method != "tools/call":
            self._send_error(id, protocol.INVALID_PARAMS, str(error)[:400])
            return
        result = error_response(error, {}).as_result()
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

    def _send_error(self, id: Id | None, code: int, message: str, data: Any = None) -> None:
        error = ProtocolError(code, message, data).as_dict()
        self._write(encode({"jsonrpc": "2.0", "id": id, "error": error}) + b"\n")

    def _notify(self, method: str, params: dict[str, Any]) -> None:
        self._write(encode({"jsonrpc": "2.0", "method": method, "params": params}) + b"\n")

    def _write(self, line: bytes) -> None:
        with self._write_lock:
            while line:  # a pipe may take only a part
                line = line[self._output.write(line) :]


def _meta(params: dict[str, Any]) -> dict[str, Any]:
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def _arguments(params: Any) -> Any:
    return params.get("arguments") if isinstance(params, dict) else None


def _are_uris(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MAX_SUBSCRIPTIONS
        and all(isinstance(each, str) and len(each) <= MAX_URI_CHARACTERS for each in value)
    )


def _unknown_method(method: str) -> ProtocolError:
    return ProtocolError(protocol.METHOD_NOT_FOUND, f'There is no method "{method[:80]}".')
