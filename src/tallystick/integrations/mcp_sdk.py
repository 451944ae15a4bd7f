"""The official MCP SDK: records the calls that a client makes, and the calls that a server carries out.

The SDK says that the signature of its middleware may change in a minor release, so it is not used here. A client's
`call_tool`, a low-level server's handler and the `Extension` of an `MCPServer` are stable.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from mcp.server.extension import Extension
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT, CallToolResult, InputRequiredResult

from tallystick.core.errors import InvalidArgument
from tallystick.core.redaction.jsonable import describe_error
from tallystick.integrations.observed_call import ObservedCall
from tallystick.integrations.observer import CallObserver, ObserverOptions
from tallystick.protocol.meta import call_id_in_meta
from tallystick.sdk.requests import require_function

if TYPE_CHECKING:
    from mcp.client import Client
    from mcp.client.session import ClientSession
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp_types import CallToolRequestParams

    from tallystick.sdk.journal import AsyncJournal, Journal

    C = TypeVar("C", bound=Client | ClientSession)

FRAMEWORK = "mcp"
NO_RESPONSE_CODES = (CONNECTION_CLOSED, REQUEST_TIMEOUT)
"""The SDK's error codes if no response came: the server may have done the work or not."""
EXTENSION = "io.github.tallystick/journal"
Handler = Callable[["ServerRequestContext[Any, Any]", "CallToolRequestParams"], Awaitable[Any]]


def watch(
    client: C,
    journal: Journal | AsyncJournal,
    server: str = "",
    **options: Unpack[ObserverOptions],
) -> C:
    """Record the calls of a `Client` or a `ClientSession` from now on. `server` is a name for the called server.

    With `strict` a call that cannot be recorded or is in doubt is not sent.
    """
    observer = CallObserver(journal, FRAMEWORK, shares_ids=True, **options)
    call_tool: Callable[..., Awaitable[Any]] | None = getattr(client, "call_tool", None)
    if call_tool is None:
        raise InvalidArgument(
            f"client is of type {type(client).__name__}.", hint="Give a Client or a ClientSession.", field="client"
        )

    @wraps(call_tool)
    async def recorded(name: str, arguments: dict[str, Any] | None = None, *args: Any, **more: Any) -> Any:
        tool = f"mcp__{server}__{name}" if server else name
        observed = observer.call(tool, arguments, call_id=_call_id(more.get("meta")))
        async with observed:
            try:
                return await _record_result(observed, call_tool(name, arguments, *args, **more))
            except Exception as problem:
                if not isinstance(problem, MCPError):  # the response is unreadable, but the tool was called
                    observed.unknown(describe_error(problem))
                    await observed.aend()
                raise

    vars(client)["call_tool"] = recorded
    return client


class JournalExtension(Extension):
    """`MCPServer(..., extensions=[JournalExtension(journal)])`: records the calls that the server carries out.

    It is listed to clients under `capabilities.extensions`. With `strict` a call that cannot be recorded or is in
    doubt gets an error response, and is not carried out.
    """

    identifier = EXTENSION

    def __init__(self, journal: Journal | AsyncJournal, **options: Unpack[ObserverOptions]) -> None:
        self._observer = CallObserver(journal, FRAMEWORK, shares_ids=True, executes_calls=True, **options)

    async def intercept_tool_call(
        self, params: CallToolRequestParams, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        observed = _requested_call(self._observer, ctx, params)
        async with observed:
            result: HandlerResult = await _record_result(observed, call_next(ctx))
        return result


def recorded(
    journal: Journal | AsyncJournal,
    **options: Unpack[ObserverOptions],
) -> Callable[[Handler], Handler]:
    """A decorator for the handler that a low-level `Server` takes as `on_call_tool`."""
    observer = CallObserver(journal, FRAMEWORK, shares_ids=True, executes_calls=True, **options)

    def decorate(handler: Handler) -> Handler:
        require_function(handler, "handler", "Decorate the function that a Server takes as on_call_tool.")

        @wraps(handler)
        async def handle(ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams) -> Any:
            observed = _requested_call(observer, ctx, params)
            async with observed:
                return await _record_result(observed, handler(ctx, params))

        return handle

    return decorate


def _requested_call(
    observer: CallObserver, ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams
) -> ObservedCall:
    """A call that a client requested; the client's own name counts as the agent."""
    client_params = ctx.session.client_params
    client = client_params.client_info.name if client_params else ""
    return observer.call(params.name, params.arguments, call_id=_call_id(ctx.meta), agent=client)


async def _record_result(observed: ObservedCall, response: Awaitable[Any]) -> Any:
    """Wait for a response, set the outcome of the call from it, and return it."""
    try:
        result = await response
    except MCPError as problem:
        if problem.error.code in NO_RESPONSE_CODES:
            observed.unknown(str(problem))
            await observed.aend()
        raise
    if isinstance(result, CallToolResult) and result.is_error:
        observed.failed(" ".join(block.text for block in result.content if block.type == "text"))
    elif isinstance(result, InputRequiredResult):
        observed.skipped("it asks for more input first, and is called again with the answer")
    elif isinstance(result, CallToolResult) and result.structured_content is not None:
        observed.result = result.structured_content
    else:
        observed.result = result
    return result


def _call_id(meta: Mapping[str, Any] | None) -> str:
    """The model's id of the call, if the client sends it. The number of a request is not unique: each client counts."""
    return call_id_in_meta(meta or {})
