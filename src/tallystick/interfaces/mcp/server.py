"""Answers MCP requests, for both transports, in plain values: tools, resources, prompts and completions."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tallystick.core.errors import InvalidArgument, TallystickError
from tallystick.core.tools import snake_case
from tallystick.interfaces.mcp import legacy, prompts, resources
from tallystick.interfaces.mcp.errors import error_response
from tallystick.interfaces.mcp.sessions import CallInfo, Cancelled, RequestCaller, SessionLookup
from tallystick.interfaces.mcp.tools import PROFILES, Tool, run_tool, tools
from tallystick.operations.runtime.access import is_granted
from tallystick.protocol import INVALID_PARAMS, RESOURCE_NOT_FOUND, ProtocolError

# ----------------------------------------------------------------------------------------------------------------------
# The instructions, which an agent reads once at the start: only what the tools' own texts cannot say.

_ALWAYS = """\
This server is the journal of what you do. It records; it never runs, retries or undoes anything for you.
- On start, resume or after compaction call query_ledger: it returns the open execution, the next step,
  what is in doubt and answers to approvals.
- Before work with more than two side effects, record_plan; say for each step whether it can be undone and how."""
_ACTIONS = """\
- record_plan with start=true also opens its execution; work without a plan opens one with
  record_execution_start. Around each side effect call record_action: begin before it, end after it with
  the true outcome."""
_ACTIONS_IF_OBSERVED = """\
- A plan is begun as it is recorded. Your tool calls are journaled for you; add what only you know.
- To go on with what another session left, record_decision continue with its execution_id first."""
_CHOICES = """\
- record_decision with why at every choice, retry, skip or stop."""
_DOUBTS = """\
- An action without a result is in doubt: look at the real system before you act again, then decide
  settle with outcome and evidence.
- On failure decide unwind, then carry out what is owed in the order given, each as kind=undo."""
_DOUBTS_IF_OBSERVED = """\
- An action without a result is in doubt: look at the real system before you act again, then decide settle
  with action_id, outcome and evidence.
- On failure decide unwind, then carry out what is owed in the order given."""
_CONTEXT = """\
- Put facts that later sessions need into record_context."""
_LAST = """\
- Irreversible, costly or unclear: decide ask_human and do other work. No answer is not a yes.
- Never record secrets.
- Finish with record_decision done or stop, and say what is left open."""

_CLASSIC = """\
This server is the journal of what you do, under the names of its earlier designs. It records; it never runs, retries
or undoes anything for you.
- On start, resume or after compaction call status or get_plan: they show how far the work is.
- Before work with more than two side effects, save_plan or create_plan. execute_plan starts a plan and begins its first
  step; control(action=complete_step) ends it and begins the next.
- In a plan of create_plan, say when a step starts and how it ended: add_log with start_step, then complete_step.
- A step without an end is in doubt: look at the real system before you act again.
- On failure record each undo with record_compensation; status shows what is left.
- record_decision, control and update_plan take the reason: give it. Put facts that later sessions need into
  set_context. Never record secrets."""


_NEVER_RUNS = "it never runs, retries or undoes anything for you."
_RUNS_IF_ASKED = "it carries out a plan only if you ask for it with run_plan, and may."


def instructions(profile: str, *, has_runs: bool = False) -> str:
    """The instructions for a profile: with fewer tools there is less to say. `has_runs`: the server carries out
    plans."""
    if has_runs:
        return instructions(profile).replace(_NEVER_RUNS, _RUNS_IF_ASKED)
    if profile == legacy.PROFILE:
        return _CLASSIC
    if profile == "minimal":
        return "\n".join((_ALWAYS, _ACTIONS_IF_OBSERVED, _CHOICES, _DOUBTS_IF_OBSERVED, _LAST))
    return "\n".join((_ALWAYS, _ACTIONS, _CHOICES, _DOUBTS, _CONTEXT, _LAST))


# ----------------------------------------------------------------------------------------------------------------------

Params = dict[str, Any]


class McpServer:
    """The tools, resources, prompts and completions of one journal.

    `extra_tools` are listed beside the profile's. `before_read` is called before the journal is used. `has_runs`: the
    server carries out plans for those who may ask for it.
    """

    def __init__(
        self,
        sessions: SessionLookup,
        profile: str = "all",
        extra_tools: tuple[Tool, ...] = (),
        before_read: Callable[[], object] = lambda: None,
        *,
        has_runs: bool = False,
    ) -> None:
        self.profile = profile
        self.instructions = instructions(profile, has_runs=has_runs)
        self._sessions = sessions
        self._before_read = before_read
        self._run_tool: Tool | None = run_tool() if has_runs else None
        of_runs = (self._run_tool,) if self._run_tool else ()
        self._tools: dict[str, Tool] = {**tools(), **{tool.name: tool for tool in (*of_runs, *extra_tools)}}
        if profile == legacy.PROFILE:
            listed = list(legacy.all_tools().values())
        else:
            listed = [self._tools[name] for name in PROFILES[profile]]
        self._listed = [tool.describe() for tool in (*listed, *extra_tools)]
        self._listed_names = frozenset(entry["name"] for entry in self._listed)
        self._methods: dict[str, Callable[[Params, CallInfo], dict[str, Any]]] = {
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
            "resources/list": self._list_resources,
            "resources/templates/list": lambda params, info: {"resourceTemplates": resources.TEMPLATES},
            "resources/read": self._read_resource,
            "prompts/list": lambda params, info: {"prompts": prompts.list_prompts()},
            "prompts/get": self._get_prompt,
            "completion/complete": self._complete,
        }
        self.methods = tuple(self._methods)
        """The methods that are answered here; the transport answers the others."""

    def is_long(self, method: str, params: Params) -> bool:
        """Whether a request may take so long that other requests should not wait for it."""
        arguments = params.get("arguments")
        return (
            method == "tools/call"
            and isinstance(arguments, dict)
            and "verify" in (arguments.get("view"), arguments.get("query_type"))
        )

    def answer(self, method: str, params: Params, info: CallInfo) -> dict[str, Any]:
        """The result of a request. Raises ProtocolError."""
        if not method.endswith("/list"):
            self._before_read()
        return self._methods[method](params, info)

    def end_connection(self, info: CallInfo) -> None:
        """End the session of a connection that the client has closed."""
        self._sessions.end(info)

    def _list_tools(self, params: Params, info: CallInfo) -> dict[str, Any]:
        may_run = info.access is not None and is_granted(info.access.scopes, "run")
        of_runs = [self._run_tool.describe()] if self._run_tool and may_run else []
        return {"tools": [*self._listed, *of_runs]}

    def _call_tool(self, params: Params, info: CallInfo) -> dict[str, Any]:
        arguments = params.get("arguments")
        tool = self._find_tool(_text_param(params, "name"), arguments)
        if tool is None:
            names = ", ".join(entry["name"] for entry in self._listed)
            raise ProtocolError(INVALID_PARAMS, f'There is no tool "{params["name"][:80]}". Tools: {names}.')
        try:
            if arguments is not None and not isinstance(arguments, dict):
                raise InvalidArgument("arguments is not an object.", hint="Give names and values.", field="arguments")
            arguments = tool.normalize(arguments or {})
            caller = self._sessions.caller_for(info, tool.current_name or tool.name, arguments)
            response = tool.run(replace(caller, listed_tools=self._listed_names), arguments)
        except TallystickError as error:
            response = error_response(error, self._listed_names, tool.name)
        except (Cancelled, ProtocolError):
            raise
        except Exception as error:
            response = error_response(unexpected_error(tool.name, error), self._listed_names)
        return response.as_result()

    def _find_tool(self, name: str, arguments: Any) -> Tool | None:
        """The tool with a name. Legacy names, and legacy arguments under current names, are looked up last."""
        tool = self._tools.get(name)
        if tool is None or (
            isinstance(arguments, dict)
            and legacy.is_legacy_call(tool, arguments, is_listed=self.profile == legacy.PROFILE)
        ):
            return legacy.all_tools().get(snake_case(name))
        return tool

    def _reader(self, info: CallInfo) -> RequestCaller:
        return replace(self._sessions.caller_for(info, "query_ledger", {}), listed_tools=self._listed_names)

    def _list_resources(self, params: Params, info: CallInfo) -> dict[str, Any]:
        return {"resources": self._as_protocol_errors(lambda: resources.list_resources(self._reader(info)))}

    def _read_resource(self, params: Params, info: CallInfo) -> dict[str, Any]:
        uri = _text_param(params, "uri")
        content = self._as_protocol_errors(lambda: resources.read_resource(self._reader(info), uri))
        if content is None:
            code = INVALID_PARAMS if info.modern else RESOURCE_NOT_FOUND
            raise ProtocolError(code, f'There is no resource "{uri[:200]}".', {"uri": uri[:200]})
        return {"contents": [content]}

    def _get_prompt(self, params: Params, info: CallInfo) -> dict[str, Any]:
        arguments = params.get("arguments") or {}
        if not isinstance(arguments, dict):
            raise ProtocolError(INVALID_PARAMS, "arguments is not an object.")
        name = _text_param(params, "name")
        prompt: dict[str, Any] = self._as_protocol_errors(
            lambda: prompts.get_prompt(self._reader(info), name, arguments)
        )
        return prompt

    def _complete(self, params: Params, info: CallInfo) -> dict[str, Any]:
        values = self._as_protocol_errors(lambda: resources.complete_argument(self._reader(info), params))
        return {"completion": {"values": values[:100], "total": len(values), "hasMore": len(values) > 100}}

    def _as_protocol_errors(self, work: Callable[[], Any]) -> Any:
        """Do the work, and raise its errors as protocol errors: only tools have tool errors."""
        try:
            return work()
        except TallystickError as error:
            raise ProtocolError(INVALID_PARAMS, str(error)[:400], {"code": error.code}) from None


def _text_param(params: Params, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise ProtocolError(INVALID_PARAMS, f"{name} is missing or not text.")
    return value


def unexpected_error(tool: str, error: Exception) -> TallystickError:
    """An exception that no rule covers, as an error of one sentence.

    The traceback goes to the log on standard error, never to the model: it would cost tokens and help it with nothing.
    """
    import logging

    logging.getLogger("tallystick.mcp").error("%s failed", tool, exc_info=error)
    return TallystickError(
        f"{tool} failed unexpectedly ({type(error).__name__}).",
        hint="query_ledger(view=journal) shows whether it was recorded.",
    )
