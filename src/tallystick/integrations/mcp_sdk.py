"""The official MCP SDK: calls that a client makes, and calls that a server is asked for.

The SDK says that the signature of its middleware may change in a minor release, so nothing here uses it. A client's
`call_tool`, a low-level server's handler and the `Extension` of an `MCPServer` are what it promises.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from mcp.server.extension import Extension
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT, CallToolResult, InputRequiredResult

from tallystick.core.redaction.jsonable import describe_error
from tallystick.integrations.observed_call import SeenCall
from tallystick.integrations.observer import Observer, Options
from tallystick.protocol.meta import call_id_in_meta

if TYPE_CHECKING:
    from mcp.client import Client
    from mcp.client.session import ClientSession
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp_types import CallToolRequestParams

    from tallystick.sdk.journal import AsyncJournal, Journal

    C = TypeVar("C", bound=Client | ClientSession)

FRAMEWORK = "mcp"
UNANSWERED = (CONNECTION_CLOSED, REQUEST_TIMEOUT)
"""What the SDK says when no answer came: nobody knows what the other side did."""
EXTENSION = "io.github.tallystick/journal"
Handler = Callable[["ServerRequestContext[Any, Any]", "CallToolRequestParams"], Awaitable[Any]]


def watch(
    client: C,
    journal: Journal | AsyncJournal,
    server: str = "",
    **options: Unpack[Options],
) -> C:
    """Record what a `Client` or a `ClientSession` calls, from now on. `server` is how to name what is called.

    With `strict` a call that cannot be recorded does not leave.
    """
    observer = Observer(journal, FRAMEWORK, shares_ids=True, **options)
    call_tool: Callable[..., Awaitable[Any]] = client.call_tool

    @wraps(call_tool)
    async def recorded(name: str, arguments: dict[str, Any] | None = None, *args: Any, **more: Any) -> Any:
        tool = f"mcp__{server}__{name}" if server else name
        seen = observer.call(tool, arguments, call_id=_named(more.get("meta")))
        async with seen:
            try:
                return await _answered(seen, call_tool(name, arguments, *args, **more))
            except Exception as problem:
                if not isinstance(problem, MCPError):  # an answer that cannot be read: the tool was called all the same
                    seen.unknown(describe_error(problem))
                    await seen.aend()
                raise

    vars(client)["call_tool"] = recorded
    return client


class JournalExtension(Extension):
    """`MCPServer(..., extensions=[JournalExtension(journal)])`: records the calls that the server carries out.

    Clients are told that there is one, under `capabilities.extensions`. With `strict` a call that cannot be recorded
    is answered with an error and not carried out.
    """

    identifier = EXTENSION

    def __init__(self, journal: Journal | AsyncJournal, **options: Unpack[Options]) -> None:
        self._observer = Observer(journal, FRAMEWORK, shares_ids=True, executes_calls=True, **options)

    async def intercept_tool_call(
        self, params: CallToolRequestParams, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        seen = _asked(self._observer, ctx, params)
        async with seen:
            result: HandlerResult = await _answered(seen, call_next(ctx))
        return result


def recorded(
    journal: Journal | AsyncJournal,
    **options: Unpack[Options],
) -> Callable[[Handler], Handler]:
    """A decorator for the handler that a low-level `Server` takes as `on_call_tool`."""
    observer = Observer(journal, FRAMEWORK, shares_ids=True, executes_calls=True, **options)

    def decorate(handler: Handler) -> Handler:
        @wraps(handler)
        async def handles(ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams) -> Any:
            seen = _asked(observer, ctx, params)
            async with seen:
                return await _answered(seen, handler(ctx, params))

        return handles

    return decorate


def _asked(observer: Observer, ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams) -> SeenCall:
    """A call that a server was asked for, by the client that says so of itself."""
    told = ctx.session.client_params
    client = told.client_info.name if told else ""
    return observer.call(params.name, params.arguments, call_id=_named(ctx.meta), agent=client)


async def _answered(seen: SeenCall, answer: Awaitable[Any]) -> Any:
    try:
        result = await answer
    except MCPError as problem:
        if problem.error.code in UNANSWERED:
            seen.unknown(str(problem))
            await seen.aend()
        raise
    if isinstance(result, CallToolResult) and result.is_error:
        seen.failed(" ".join(block.text for block in result.content if block.type == "text"))
    elif isinstance(result, InputRequiredResult):
        seen.skipped("it asks for more first, and is called again with the answer")
    elif isinstance(result, CallToolResult) and result.structured_content is not None:
        seen.result = result.structured_content
    else:
        seen.result = result
    return result


def _named(meta: Mapping[str, Any] | None) -> str:
    """The model's own id of the call, if the client tells it. A request's number says nothing: each client counts."""
    return call_id_in_meta(meta or {})
