"""Connections with a Claude Code, which may end without a word: it was killed, or who listened was cancelled.

The SDK tells hooks nothing of that. It takes its callbacks once for each connection, though, and lets go of them with
it. So each connection gets a callback of its own, and when that is gone, so is what was under way there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any
from weakref import finalize

from tallystick.store.forking import process

if TYPE_CHECKING:
    from claude_agent_sdk.types import HookCallback, HookContext, HookInput, HookJSONOutput

    Key = tuple[str, str]
    Told = Callable[[HookInput, str | None, HookContext], Awaitable[HookJSONOutput]]


class PerConnection(list["HookCallback"]):
    """The hooks of one event. `under_way` tells what is, by conversation and call; `cut_off` takes what was when a
    connection ended."""

    def __init__(self, told: Told, under_way: Callable[[], set[Key]], cut_off: Callable[[set[Key]], None]) -> None:
        super().__init__([told])
        self._parts = (told, under_way, cut_off)

    def __iter__(self) -> Iterator[HookCallback]:
        return iter([_Connection(*self._parts).told])


class _Connection:
    def __init__(self, told: Told, under_way: Callable[[], set[Key]], cut_off: Callable[[set[Key]], None]) -> None:
        self._told = told
        self._under_way = under_way
        self._mine: set[Key] = set()
        finalize(self, _hand_over, cut_off, self._mine).atexit = False  # then the whole session is over

    async def told(self, payload: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        answer = await self._told(payload, tool_use_id, context)
        fields: Any = payload
        open_now = self._under_way()
        self._mine &= open_now
        self._mine |= {key for key in open_now if key[1] and key[1] == fields.get("tool_use_id")}
        return answer


_lock = Lock()
_gone: SimpleQueue[tuple[Callable[[set[Key]], None], set[Key]]] = SimpleQueue()
_watched_in = 0


def watch() -> None:
    """Let what is handed over be worked on, by a thread of this process."""
    global _watched_in
    with _lock:
        if _watched_in != process():
            _watched_in = process()
            Thread(target=_work, name="tallystick-connections", daemon=True).start()


def _hand_over(cut_off: Callable[[set[Key]], None], mine: set[Key]) -> None:
    """Called by the collector of garbage, wherever that runs: it may wait for no lock, so another thread goes on."""
    if mine:
        _gone.put((cut_off, mine))


def _work() -> None:
    while True:
        cut_off, mine = _gone.get()
        cut_off(mine)
