"""A test driver over MCP: operations become tool calls, and results become typed values again."""

import json
import shlex
from functools import cache
from io import BytesIO
from itertools import count
from queue import SimpleQueue
from threading import Lock
from typing import Any

import msgspec
from jsonschema import Draft202012Validator

from tallystick import TallystickError, protocol
from tallystick.interfaces.mcp.tools import tools
from tallystick.interfaces.mcp.transport.stdio import StdioConnection
from tallystick.operations import Operation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.views.entries import read_entries
from tallystick.protocol.meta import SESSION_KEY
from tests.drivers import TIMEOUT_SECONDS, Local, typed_error

RECORDS = ("record_plan", "record_execution_start", "record_action", "record_decision", "record_context")
VIEWS = {
    "get_brief": "brief",
    "get_status": "status",
    "read_entries": "journal",
    "get_undo_list": "undo_list",
    "list_owed": "owed",
    "list_in_doubt": "in_doubt",
    "list_approvals": "approvals",
    "list_context": "context",
    "list_plans": "plans",
    "list_executions": "executions",
    "get_stats": "stats",
    "verify": "verify",
    "get_approval": "approvals",
    "get_context": "context",
    "get_plan": "plans",
    "get_execution": "executions",
}
"""The view that shows the result of an operation. An agent can ask for nothing that is neither here nor a record;
it cannot choose the length of the brief either.
"""
_FILTER_NAMES = {
    "get_approval": {"approval_id": "id"},
    "get_plan": {"plan_id": "id"},
    "get_execution": {"execution_id": "id"},
}
"""The name of an argument in a filter."""
MAX_CHARACTERS = {"concise": 4 * 4_000, "detailed": 4 * 12_000, "error": 4 * 80}
"""The most characters of an answer with any text: a token has at most four characters."""
_TOOL_FIELDS = ("view", "notice", "narrow", "next")
"""The fields that a tool adds for a model to the result of the operation."""


class Mcp:
    """One connection over stdio, its streams in memory. Operations that no agent can ask for run in this process."""

    def __init__(self, context: OperationContext, *, modern: bool) -> None:
        self._local = Local(context)
        self._lines = _Lines()
        self._connection = StdioConnection(self._local, "all", {}, self._lines)
        self._request_lock = Lock()
        self._ids = count(1)
        self._modern = modern
        self._initialized = False

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        if operation.name in RECORDS:
            receipt = self._call_tool(operation.name, arguments)
            return msgspec.convert({**receipt, "hash": self._hash(receipt["seq"])}, operation.result)
        if operation.name in VIEWS and "tokens" not in arguments:
            if seconds := arguments.get("wait_seconds"):
                context = self._local.context  # like a subscriber, which reads after the notification
                context.store.wait(context.journal, after=arguments.get("after", 0), seconds=seconds)
            found = self._call_tool("query_ledger", _query(operation, arguments))
            assert "cut" not in found, found["cut"]
            return msgspec.convert(_page(found) if operation.name == "read_entries" else found, operation.result)
        return self._local.call(operation, arguments)

    def close(self) -> None:
        """End the input, and with it the session."""
        self._connection.run(BytesIO())
        self._local.close()

    def ask(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The result of calling a tool, as a client gets it."""
        with self._request_lock:
            if not self._modern and not self._initialized:
                self._initialized = True
                client = self._client("clientInfo")
                self._request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, **client})
                self._send({"method": "notifications/initialized"})
            params = {"name": name, "arguments": arguments, "_meta": self._meta()}
            return _checked(name, arguments, self._request("tools/call", params))

    def _hash(self, seq: int) -> str:
        """The hash that a receipt leaves out unless it is asked for."""
        (entry,) = self._local.call(read_entries, {"after": seq - 1, "limit": 1}).entries
        return str(entry.hash)

    def _call_tool(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The structured content of a result, or its error."""
        answer = self.ask(name, arguments)
        content: dict[str, Any] = answer["structuredContent"]
        if answer["isError"]:
            raise _refusal(content["error"])
        own = ("next",) if content.get("view") == "brief" else ()  # of a brief, it is the operation's
        return {name: value for name, value in content.items() if name in own or name not in _TOOL_FIELDS}

    def _client(self, key: str) -> dict[str, Any]:
        """An agent is identified by its client's name; another actor by the context alone."""
        actor = self._local.context.principal.actor
        return {key: {"name": actor.name, "version": "1"}} if actor.kind == "agent" else {}

    def _meta(self) -> dict[str, Any]:
        principal = self._local.context.principal
        meta: dict[str, Any] = {SESSION_KEY: principal.session} if principal.session else {}
        if self._modern:
            meta |= {
                protocol.VERSION_KEY: "2026-07-28",
                protocol.CAPABILITIES_KEY: {},
                **self._client(protocol.CLIENT_KEY),
            }
        return meta

    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        id = next(self._ids)
        self._send({"id": id, "method": method, "params": params})
        while True:
            answer = json.loads(self._lines.sent.get(timeout=TIMEOUT_SECONDS))
            if answer.get("id") == id:
                result: dict[str, Any] = answer["result"]
                return result
            assert "method" in answer, answer  # a notification may come between; anything else is a mistake

    def _send(self, message: dict[str, Any]) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message}, default=msgspec.to_builtins)
        self._connection.take(line.encode() + b"\n")


def _checked(name: str, arguments: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    """The result, after checking that it is bounded, fits the output schema, and has its error on one line."""
    (part,) = answer["content"]
    size = max(len(part["text"]), len(msgspec.json.encode(answer["structuredContent"])))
    assert size <= MAX_CHARACTERS["detailed" if arguments.get("detail") == "detailed" else "concise"], size
    if answer["isError"]:
        assert len(part["text"]) <= MAX_CHARACTERS["error"], part["text"]
        assert part["text"].isprintable(), part["text"]
    else:
        _output_validator(name).validate(answer["structuredContent"])
    return answer


@cache
def _output_validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(tools()[name].output_schema)


class _Lines(BytesIO):
    """An output that stores each line until it is read."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: SimpleQueue[bytes] = SimpleQueue()

    def write(self, line: Any, /) -> int:
        self.sent.put(bytes(line))
        return len(line)


def _query(operation: Operation[..., Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """The tool call that an agent would make for an operation."""
    request: dict[str, Any] = {"view": VIEWS[operation.name], "detail": "detailed"}
    filters: list[str] = []
    if operation.name == "read_entries" and not arguments.get("newest_first"):
        filters.append("order:oldest")
    for name, value in arguments.items():
        if value is None or name in ("newest_first", "wait_seconds"):
            continue
        if name in ("execution_id", "limit", "cursor") and name not in _FILTER_NAMES.get(operation.name, {}):
            request[name] = value
        elif name == "text":
            request["q"] = value
        elif name == "after":
            request["cursor"] = str(value)
        else:
            text = (
                value if isinstance(value, str) else ",".join(value) if isinstance(value, tuple) else json.dumps(value)
            )
            filters.append(f"{_FILTER_NAMES.get(operation.name, {}).get(name, name)}:{text}")
    if filters:
        request["filter"] = shlex.join(filters)
    return request


def _page(found: dict[str, Any]) -> dict[str, Any]:
    """A page of the journal with its place: its cursor while there is more, else where the journal ends."""
    cursor = found.pop("next_cursor", "")
    entries = found["entries"]
    end = found.get("last_seq") or (entries[-1]["seq"] if entries else 0)
    return {**found, "last_seq": int(cursor or end), "more": bool(cursor)}


def _refusal(problem: dict[str, Any]) -> TallystickError:
    following = problem.get("next")
    if problem.get("field") == "q":
        problem["field"] = "text"
    return typed_error(problem, _operation_for(following["tool"], following["arguments"]) if following else None)


def _operation_for(tool: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The operation that matches a next call: an agent has fewer tools than there are operations."""
    if tool == "record_decision" and arguments.get("decision") == "ask_human":
        return "request_approval", {name: value for name, value in arguments.items() if name not in ("decision", "why")}
    if tool == "query_ledger" and arguments.get("view") == "brief":
        return "open_session", {}  # an agent opens none: it looks at what the session that is over has left
    if tool == "query_ledger" and arguments.get("view") == "approvals":
        _, _, id = arguments.get("filter", "").partition("id:")
        return ("get_approval", {"approval_id": id}) if id else ("list_approvals", arguments)
    return tool, arguments
