"""Executors of shell tools of OpenAI Agents, which run a command in this process.

The SDK's hooks are told neither the command nor the id of such a call, and nothing of one that raised. The executor is:
so it is one of ours that calls the user's, for each call that the hooks have announced.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agents import LocalShellTool, ShellTool
from agents.tool import ShellResult

from tallystick.core.keepsakes import as_json

if TYPE_CHECKING:
    from tallystick.capture.frameworks.sightings import SeenCall

Begin = Callable[[dict[str, Any], str], "SeenCall"]
"""Takes the arguments and the id of a call."""


class Executors:
    """The calls that were announced, by the context of the run and the tool."""

    def __init__(self) -> None:
        self._announced: dict[tuple[int, int], list[tuple[Any, Begin]]] = {}

    def announce(self, context: Any, tool: LocalShellTool | ShellTool, begin: Begin) -> None:
        """The tool is about to be called; its call is to be begun like this."""
        self._announced.setdefault((id(context), id(tool)), []).append((context, begin))
        known: Any = tool.executor
        while isinstance(known, Executor):
            if known.executors is self:
                return
            known = known.own
        tool.executor = Executor(self, tool, tool.executor)

    def announced(self, context: Any, tool: object) -> Begin | None:
        """How to begin the call. None: this run has no hooks of ours."""
        key = (id(context), id(tool))
        waiting = self._announced.get(key, [])
        found = waiting.pop(0)[1] if waiting else None
        if not waiting:
            self._announced.pop(key, None)
        return found


class Executor:
    """Stands in the place of the user's own."""

    def __init__(self, executors: Executors, tool: object, own: Any) -> None:
        self.executors = executors
        self.own = own
        self._tool = tool

    async def __call__(self, request: Any) -> Any:
        begin = self.executors.announced(request.ctx_wrapper, self._tool)
        if begin is None:
            return await self._run(request)
        async with begin(_command(request.data.action), request.data.call_id) as seen:
            result = await self._run(request)
            _came(seen, result)
        return result

    async def _run(self, request: Any) -> Any:
        result = self.own(request)
        return await result if inspect.isawaitable(result) else result


def _command(action: Any) -> dict[str, Any]:
    said = as_json(action)
    if not isinstance(said, dict):
        return {"input": said}
    return {name: value for name, value in said.items() if name not in ("type", "raw") and value not in (None, {})}


def _came(seen: SeenCall, result: Any) -> None:
    """A command is `ok` if each exit code says so. An executor that tells none leaves it in doubt."""
    told = list(result.output) if isinstance(result, ShellResult) else []
    codes = [each.exit_code for each in told]
    failed = next((each for each in told if each.exit_code), None)
    if any(each.status == "timeout" for each in told):
        seen.unknown(f"the command ran into its timeout; it printed: {told[-1].stdout}")
    elif failed:
        seen.failed(f"exit code {failed.exit_code}: {failed.stderr or failed.stdout}")
    elif codes and all(code == 0 for code in codes):
        seen.result = result
    else:
        seen.unknown(f"the executor told no exit code; it returned: {result}")
