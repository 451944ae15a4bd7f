"""What the server offers, in plain values. Whichever transport carries a request, the answer is decided here."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tallystick.core.errors import InvalidArgument, TallystickError
from tallystick.doors.mcp import classic, prompts, resources
from tallystick.doors.mcp.calling import Asking, Calling, Cancelled
from tallystick.doors.mcp.instructions import instructions
from tallystick.doors.mcp.refusal import of_error
from tallystick.doors.mcp.sessions import Sessions
from tallystick.doors.mcp.tools import PROFILES, Tool, tools
from tallystick.protocol import INVALID_PARAMS, RESOURCE_NOT_FOUND, ProtocolError

Params = dict[str, Any]


class Offer:
    """The tools, resources, prompts and completions of one journal."""

    def __init__(
        self,
        sessions: Sessions,
        profile: str = "all",
        more: tuple[Tool, ...] = (),
        before: Callable[[], object] = lambda: None,
    ) -> None:
        self.profile = profile
        self.instructions = classic.INSTRUCTIONS if profile == classic.PROFILE else instructions(profile)
        self._sessions = sessions
        self._before = before
        self._tools = {**tools(), **{tool.name: tool for tool in more}}
        shown = classic.listed() if profile == classic.PROFILE else [self._tools[name] for name in PROFILES[profile]]
        self._listed = [tool.listed() for tool in (*shown, *more)]
        self._names = frozenset(entry["name"] for entry in self._listed)
        self._methods: dict[str, Callable[[Params, Asking], dict[str, Any]]] = {
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

    def answer(self, method: str, params: Params, asking: Asking) -> dict[str, Any]:
        """The result of a request, or ProtocolError. What looks into the journal has it brought up to date before."""
        if not method.endswith("/list"):
            self._before()
        return self._methods[method](params, asking)

    def _call(self, params: Params, asking: Asking) -> dict[str, Any]:
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
            from tallystick.doors.mcp.log import unforeseen

            answer = of_error(unforeseen(tool.name, error), self._names)
        return answer.as_result()

    def _tool(self, name: str, arguments: Any) -> Tool | None:
        """The tool by a name; older names, and older arguments under today's names, are looked up last."""
        found = self._tools.get(name)
        if found is None or (isinstance(arguments, dict) and classic.is_old_form(name, arguments)):
            return classic.tools().get(name)
        return found

    def _reading(self, asking: Asking) -> Calling:
        return replace(self._sessions.calling(asking, "query_ledger", {}), listed=self._names)

    def _resources(self, params: Params, asking: Asking) -> dict[str, Any]:
        return {"resources": self._safely(lambda: resources.listed(self._reading(asking)))}

    def _read(self, params: Params, asking: Asking) -> dict[str, Any]:
        uri = _text(params, "uri")
        text = self._safely(lambda: resources.read(self._reading(asking), uri))
        if text is None:
            code = INVALID_PARAMS if asking.modern else RESOURCE_NOT_FOUND
            raise ProtocolError(code, f'There is no resource "{uri[:200]}".', {"uri": uri[:200]})
        return {"contents": [text]}

    def _prompt(self, params: Params, asking: Asking) -> dict[str, Any]:
        given = params.get("arguments") or {}
        if not isinstance(given, dict):
            raise ProtocolError(INVALID_PARAMS, "arguments is not an object.")
        found: dict[str, Any] = self._safely(lambda: prompts.get(self._reading(asking), _text(params, "name"), given))
        return found

    def _complete(self, params: Params, asking: Asking) -> dict[str, Any]:
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
