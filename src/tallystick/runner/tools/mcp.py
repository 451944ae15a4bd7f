"""Tools of MCP servers: those in the `mcpServers` of a configuration file, as every client and the gateway have it.

| what happened | category |
|---|---|
| the server could not be started or reached; the error codes -32600 to -32602 | `not_done` |
| any other error, or a result that says it is one | `failed` |
| no answer came within the timeout | `timed_out` |
| the connection broke before the answer | `lost` |
"""

from __future__ import annotations

import asyncio
import os
import re
from collections import Counter
from collections.abc import Coroutine, Iterable, Mapping
from os import PathLike
from threading import Thread
from typing import Any, TypeVar

from msgspec import Struct, ValidationError, convert

from tallystick.core.errors import InvalidArgument
from tallystick.core.redaction.jsonable import describe_error, to_json
from tallystick.runner.tools.structured_files import read_structured
from tallystick.runner.tools.tool import CallContext, RunnerTool, ToolAnswer, json_in

T = TypeVar("T")
CONNECT_SECONDS = 30.0
"""How long a server may take to start and to list its tools."""
NOT_DONE_CODES = (-32600, -32601, -32602)
"""Invalid request, unknown method, invalid params: the server did not carry the call out."""
KEY_IN_META = "tallystick/idempotencyKey"
_VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")


class McpServerConfig(Struct, frozen=True):
    """One server: a command that is started, or a URL. Fields of other programs are ignored."""

    command: str = ""
    args: list[str] = []
    env: dict[str, str] = {}
    cwd: str | None = None
    url: str = ""
    headers: dict[str, str] = {}


class McpConnection:
    """A connection to one server, made with the first call. It belongs to the event loop of that call."""

    def __init__(self, name: str, config: McpServerConfig) -> None:
        self.name = name
        self._config = config
        self._client: asyncio.Future[Any] | None = None
        self._stop = asyncio.Event()
        self._owner: asyncio.Task[None] | None = None

    async def client(self) -> Any:
        """The connected client; raises ConnectionError if there is none to be had. A broken one is made anew."""
        if self._owner is None or self._owner.done():
            self._client, self._stop = asyncio.get_running_loop().create_future(), asyncio.Event()
            self._owner = asyncio.create_task(self._hold(self._client, self._stop))
        assert self._client is not None
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await asyncio.shield(self._client)
        except TimeoutError:
            await self.close()
            raise ConnectionError(f"{self.name} did not answer within {CONNECT_SECONDS:g} s") from None

    async def _hold(self, connected: asyncio.Future[Any], stop: asyncio.Event) -> None:
        """Open the connection and keep it: it has to be closed by the task that opened it."""
        try:
            async with _make_client(self._config) as client:
                connected.set_result(client)
                await stop.wait()
        except BaseException as error:
            if not connected.done():
                connected.set_exception(ConnectionError(f"{self.name}: {describe_error(_cause(error))}"))
                connected.exception()
            elif isinstance(error, asyncio.CancelledError):
                raise

    async def close(self) -> None:
        self._stop.set()
        owner, self._owner = self._owner, None
        if owner is not None:
            _, pending = await asyncio.wait({owner}, timeout=5)
            for task in pending:
                task.cancel()
            await asyncio.gather(owner, return_exceptions=True)


def _make_client(config: McpServerConfig) -> Any:
    from mcp import Client, StdioServerParameters  # takes a second to load

    if config.url:
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        return Client(streamable_http_client(config.url, http_client=httpx2.AsyncClient(headers=config.headers)))
    return Client(
        StdioServerParameters(
            command=config.command, args=config.args, env={**os.environ, **config.env}, cwd=config.cwd
        )
    )


def load_mcp_tools(path: str | PathLike[str]) -> list[RunnerTool]:
    """The tools of all servers in a configuration file. Each server is connected to once, to list them."""
    content = read_structured(path)
    servers = content.get("mcpServers") if isinstance(content, dict) else None
    if not isinstance(servers, dict) or not servers:
        raise InvalidArgument(
            f"{path} has no mcpServers.", hint='Write {"mcpServers": {"name": {"command": "..."}}}.', field="mcpServers"
        )
    configs = {name: _config(name, given) for name, given in servers.items()}
    return _run(_list_all(configs))


def _config(name: str, given: Any) -> McpServerConfig:
    try:
        config = convert(_with_variables(given), McpServerConfig)
    except ValidationError as error:
        raise InvalidArgument(f"mcpServers.{name}: {error}.", hint="Give command and args, or url.") from None
    if not config.command and not config.url:
        raise InvalidArgument(f"mcpServers.{name} has neither command nor url.", hint="Give one of them.")
    return config


def _with_variables(value: Any) -> Any:
    """Texts with `${NAME}` and `${NAME:-default}` replaced from the environment."""
    if isinstance(value, str):
        return _VARIABLE.sub(lambda match: os.environ.get(match[1], match[2] or ""), value)
    if isinstance(value, Mapping):
        return {name: _with_variables(item) for name, item in value.items()}
    return [_with_variables(item) for item in value] if isinstance(value, list) else value


async def _list_all(configs: Mapping[str, McpServerConfig]) -> list[RunnerTool]:
    found: list[tuple[str, McpServerConfig, Any]] = []
    for name, config in configs.items():
        connection = McpConnection(name, config)
        try:
            client = await connection.client()
            found += [(name, config, tool) for tool in await _list_tools(client)]
        except ConnectionError as error:
            raise InvalidArgument(
                f"The MCP server cannot be used: {error}.",
                hint="Start it by hand to see why.",
                field=f"mcpServers.{name}",
            ) from None
        finally:
            await connection.close()
    return _tools(found)


async def _list_tools(client: Any) -> list[Any]:
    tools: list[Any] = []
    cursor: str | None = None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if not cursor:
            return tools


def _tools(found: Iterable[tuple[str, McpServerConfig, Any]]) -> list[RunnerTool]:
    """A tool is known by its name if no other server has it too; always as SERVER__NAME and mcp__SERVER__NAME."""
    listed = list(found)
    counts = Counter(tool.name for _, _, tool in listed)
    connections = {server: McpConnection(server, config) for server, config, _ in listed}
    return [
        RunnerTool(
            name=tool.name if counts[tool.name] == 1 else f"{server}__{tool.name}",
            aliases=(f"{server}__{tool.name}", f"mcp__{server}__{tool.name}"),
            call=_caller(connections[server], tool.name),
            close=connections[server].close,
            source=f"MCP server {server}",
            description=(tool.description or "").strip().partition("\n")[0],
            input_schema=tool.input_schema,
            output_schema=tool.output_schema,
        )
        for server, _, tool in listed
    ]


def _caller(connection: McpConnection, tool: str) -> Any:
    async def call(arguments: dict[str, Any], context: CallContext) -> ToolAnswer:
        try:
            client = await connection.client()
        except ConnectionError as error:
            return ToolAnswer(error=str(error), category="not_done")
        answer = await _call(client, tool, arguments, context)
        if answer.category == "lost":
            await connection.close()  # the next call connects anew
        return answer

    return call


async def _call(client: Any, tool: str, arguments: dict[str, Any], context: CallContext) -> ToolAnswer:
    from mcp import MCPError

    try:
        result = await client.call_tool(
            tool, arguments, read_timeout_seconds=context.timeout, meta={KEY_IN_META: context.idempotency_key}
        )
    except MCPError as error:
        code = error.error.code
        if code == -32001:
            return ToolAnswer(error=f"No answer came: {error}", category="timed_out")
        category: Any = "not_done" if code in NOT_DONE_CODES else "lost" if code == -32000 else "failed"
        return ToolAnswer(error=f"Error {code}: {error}", category=category)
    except (ConnectionError, OSError, RuntimeError) as error:
        return ToolAnswer(error=f"The connection broke: {describe_error(error)}", category="lost")
    text = "\n".join(each.text for each in result.content if getattr(each, "text", None))
    if result.is_error:
        return ToolAnswer(error=text or "The tool answered with an error.", category="failed")
    structured = result.structured_content
    return ToolAnswer(result=to_json(structured if structured is not None else {"text": text, **json_in(text)}))


def _cause(error: BaseException) -> BaseException:
    """The first error inside a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, also where an event loop runs already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    outcome: list[Any] = []

    def in_thread() -> None:
        try:
            outcome.append((asyncio.run(work), None))
        except BaseException as error:
            outcome.append((None, error))

    thread = Thread(target=in_thread)
    thread.start()
    thread.join()
    result: T
    result, error = outcome[0]
    if error is not None:
        raise error
    return result
