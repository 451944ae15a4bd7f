"""What the server offers, in plain values. Whichever transport carries a request, the answer is decided here."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tallystick.core.errors import InvalidArgument, TallystickError
from tallystick.interfaces.mcp import legacy, prompts, resources
from tallystick.interfaces.mcp.errors import of_error
from tallystick.interfaces.mcp.sessions import CallInfo, Calling, Cancelled, SessionLookup
from tallystick.interfaces.mcp.tools import PROFILES, Tool, tools
from tallystick.protocol import INVALID_PARAMS, RESOURCE_NOT_FOUND, ProtocolError

# ----------------------------------------------------------------------------------------------------------------------
# What an agent is told once, at the start: only what the tools cannot say of themselves.

_ALWAYS = """\
This server is the journal of what you do. It records; it never runs, retries or undoes anything for you.
- On start, resume or after compaction call query_ledger: it tells the open execution, the next step,
  what is in doubt and answers to approvals.
- Before work with more than two side effects, record_plan; say for each step whether it can be undone and how."""
_ACTIONS = """\
- Then record_execution_start, and pass its handle on later calls. Around each side effect call
  record_action: begin before it, end after it with the true outcome."""
_CAPTURED = """\
- A plan is begun as it is recorded. Your tool calls are journaled for you; add what only you know.
- To go on with what another session left, record_decision continue with its execution_id first."""
_FORKS = """\
- record_decision with why at every fork, retry, skip or stop."""
_RECORDED = """\
- What has no result is in doubt: look at the real system before you act again, then record the end with evidence.
- On failure decide unwind, then carry out what is owed in the order given, each as kind=undo."""
_SEEN = """\
- What has no result is in doubt: look at the real system before you act again, and say in `why` what you found.
- On failure decide unwind, then carry out what is owed in the order given."""
_CONTEXT = """\
- Put facts that later sessions need into record_context."""
_LAST = """\
- Irreversible, costly or unclear: decide ask_human and do other work. No answer is not a yes.
- Never record secrets.
- Finish with record_decision done or stop, and say what is left open."""


def instructions(profile: str) -> str:
    """The text for a profile: with few tools there is less to say."""
    if profile == "minimal":
        return "\n".join((_ALWAYS, _CAPTURED, _FORKS, _SEEN, _LAST))
    return "\n".join((_ALWAYS, _ACTIONS, _FORKS, _RECORDED, _CONTEXT, _LAST))


# ----------------------------------------------------------------------------------------------------------------------

Params = dict[str, Any]


class McpServer:
    """The tools, resources, prompts and completions of one journal."""

    def __init__(
        self,
        sessions: SessionLookup,
        profile: str = "all",
        more: tuple[Tool, ...] = (),
        before: Callable[[], object] = lambda: None,
    ) -> None:
        self.profile = profile
        self.instructions = legacy.INSTRUCTIONS if profile == legacy.PROFILE else instructions(profile)
        self._sessions = sessions
        self._before = before
        self._tools = {**tools(), **{tool.name: tool for tool in more}}
        shown = legacy.listed() if profile == legacy.PROFILE else [self._tools[name] for name in PROFILES[profile]]
        self._listed = [tool.listed() for tool in (*shown, *more)]
        self._names = frozenset(entry["name"] for entry in self._listed)
        self._methods: dict[str, Callable[[Params, CallInfo], dict[str, Any]]] = {
            "tools/list": lambda params, asking: {"tools": self._listed},
            "tools/call": self._call,
            "resources/list": self._resources,
            "resources/templates/list": lambda params, asking: {"resourceTemplates": resources.TEMPLATES},
            "resources/read": self._read,
            "prompts/list": lambda params, asking: {"prompts": prompts.listed()},
            "prompts/get": self._prompt,
            "completion/complete": self._complete,
        }
        self.methods = tuple(self._methods)
        """The methods that are answered here; the rest is the transport's."""

    def is_long(self, method: str, params: Params) -> bool:
        """Whether an answer may take so long that others should not wait for it."""
        arguments = params.get("arguments")
        return (
            method == "tools/call"
            and isinstance(arguments, dict)
            and "verify" in (arguments.get("view"), arguments.get("query_type"))
        )

    def answer(self, method: str, params: Params, asking: CallInfo) -> dict[str, Any]:
        """The result of a request, or ProtocolError. What looks into the journal has it brought up to date before."""
        if not method.endswith("/list"):
            self._before()
        return self._methods[method](params, asking)

    def _call(self, params: Params, asking: CallInfo) -> dict[str, Any]:
        arguments = params.get("arguments")
        tool = self._tool(_text(params, "name"), arguments)
        if tool is None:
            names = ", ".join(entry["name"] for entry in self._listed)
            raise ProtocolError(INVALID_PARAMS, f'There is no tool "{params["name"][:80]}". Tools: {names}.')
        try:
            if arguments is not None and not isinstance(arguments, dict):
                raise InvalidArgument("arguments is not an object.", hint="Give names and values.", field="arguments")
            given = tool.spelt(arguments or {})
            calling = self._sessions.calling(asking, tool.stands_for or tool.name, given)
            answer = tool.run(replace(calling, listed=self._names), given)
        except TallystickError as error:
            answer = of_error(error, self._names, tool.name)
        except (Cancelled, ProtocolError):
            raise
        except Exception as error:
            answer = of_error(unforeseen(tool.name, error), self._names)
        return answer.as_result()

    def _tool(self, name: str, arguments: Any) -> Tool | None:
        """The tool by a name; older names, and older arguments under today's names, are looked up last."""
        found = self._tools.get(name)
        if found is None or (isinstance(arguments, dict) and legacy.is_old_form(name, arguments)):
            return legacy.all_tools().get(name)
        return found

    def _reading(self, asking: CallInfo) -> Calling:
        return replace(self._sessions.calling(asking, "query_ledger", {}), listed=self._names)

    def _resources(self, params: Params, asking: CallInfo) -> dict[str, Any]:
        return {"resources": self._safely(lambda: resources.listed(self._reading(asking)))}

    def _read(self, params: Params, asking: CallInfo) -> dict[str, Any]:
        uri = _text(params, "uri")
        text = self._safely(lambda: resources.read(self._reading(asking), uri))
        if text is None:
            code = INVALID_PARAMS if asking.modern else RESOURCE_NOT_FOUND
            raise ProtocolError(code, f'There is no resource "{uri[:200]}".', {"uri": uri[:200]})
        return {"contents": [text]}

    def _prompt(self, params: Params, asking: CallInfo) -> dict[str, Any]:
        given = params.get("arguments") or {}
        if not isinstance(given, dict):
            raise ProtocolError(INVALID_PARAMS, "arguments is not an object.")
        found: dict[str, Any] = self._safely(lambda: prompts.get(self._reading(asking), _text(params, "name"), given))
        return found

    def _complete(self, params: Params, asking: CallInfo) -> dict[str, Any]:
        values = self._safely(lambda: resources.completed(self._reading(asking), params))
        return {"completion": {"values": values[:100], "total": len(values), "hasMore": len(values) > 100}}

    def _safely(self, work: Callable[[], Any]) -> Any:
        """What is no tool has no tool error: a refusal is an error of the protocol, in our words."""
        try:
            return work()
        except TallystickError as error:
            raise ProtocolError(INVALID_PARAMS, str(error)[:400], {"code": error.code}) from None


def _text(params: Params, name: str) -> str:
    found = params.get(name)
    if not isinstance(found, str):
        raise ProtocolError(INVALID_PARAMS, f"{name} is missing or not text.")
    return found


# ----------------------------------------------------------------------------------------------------------------------
# What goes wrong inside is said on standard error, never to the model: a stack would cost it tokens and tell it
# nothing that it could do.


def unforeseen(tool: str, error: Exception) -> TallystickError:
    """An error that nobody foresaw, logged in full and told in a sentence."""
    import logging
    import traceback

    logging.getLogger("tallystick.mcp").error("%s failed: %s", tool, "".join(traceback.format_exception(error)))
    return TallystickError(
        f"{tool} failed unexpectedly ({type(error).__name__}).",
        hint="query_ledger(view=journal) tells whether it was recorded.",
    )
