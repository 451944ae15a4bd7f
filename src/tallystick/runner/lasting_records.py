"""Records of calls that outlast an outage of the store: only this process knows what came of its calls."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tallystick.core.errors import StorageUnavailable
from tallystick.operations.actions import get_action, record_action

if TYPE_CHECKING:
    from tallystick.operations import Operation
    from tallystick.runner.stepper import AsyncCall, CallInOrder
    from tallystick.sdk.local import OperationCall
    from tallystick.store.interface import Outcome

log = logging.getLogger("tallystick.worker")
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 2.0
"""Between two attempts to reach the store: twice as long each time."""


class LastingRecords:
    """Calls operations as the runner. What is recorded or read of a call is tried again until the store answers; an
    attempt that is cancelled meanwhile leaves its action open, and it is in doubt when the process ends.

    `session` returns the id of this process's session, or an empty text if it is not known.
    """

    def __init__(self, call: AsyncCall, call_in_order: CallInOrder | None, session: Callable[[], str]) -> None:
        self._call = call
        self._call_in_order = call_in_order
        self._session = session

    async def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        if operation is get_action or arguments.get("phase") in ("begin", "end"):
            return await self._call_until_answered(operation, arguments)
        return await self._call(operation, arguments)

    async def call_in_order(self, calls: Sequence[OperationCall]) -> list[Outcome]:
        """Make an end and a begin in one commit; each by itself if the store does not answer."""
        assert self._call_in_order is not None
        outcomes = await self._call_in_order(calls)
        for place, (call, (_, error)) in enumerate(zip(calls, outcomes, strict=True)):
            if isinstance(error, StorageUnavailable):
                try:
                    outcomes[place] = await self._call_until_answered(*call, failure=error), None
                except Exception as later:
                    outcomes[place] = None, later
        return outcomes

    async def _call_until_answered(
        self, operation: Operation[..., Any], arguments: dict[str, Any], failure: StorageUnavailable | None = None
    ) -> Any:
        """The answer of the store, however long it takes. `failure` is that of an attempt which was made before."""
        pause = FIRST_PAUSE_SECONDS
        while True:
            try:
                if failure is None:
                    return await self._call(operation, arguments)
                return await self._call_again(operation, arguments)
            except StorageUnavailable as error:
                failure = error
            log.warning("the %s is tried again in %g s: %s", _name(operation, arguments), pause, failure)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    async def _call_again(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        """Repeat a call that may have been recorded without an answer."""
        if operation is record_action and arguments["phase"] == "end":
            action = await self._call(get_action, {"action_id": arguments["action_id"]})
            outcome = arguments["outcome"]
            if action.ended and action.state == ("in_doubt" if outcome == "unknown" else outcome):
                return None
        found = await self._call(operation, arguments)
        if operation is record_action and arguments["phase"] == "begin" and found.repeated:
            action = await self._call(get_action, {"action_id": found.id})
            if action.session == self._session():  # it is the claim of this process, and nobody has made the call
                return replace(found, repeated=False)
        return found


def _name(operation: Operation[..., Any], arguments: dict[str, Any]) -> str:
    about = arguments.get("action_id") or arguments.get("step") or arguments.get("undoes", "")
    return f"{arguments.get('phase', 'look')} of {about}"
