"""Tools for the tests, which note what they did: the journal is compared with that."""

import asyncio
from typing import Any

from msgspec import Struct

from tallystick import Journal
from tallystick.integrations.observer import CallObserver

TIMEOUT_SECONDS = 30


class RecordedAction(Struct, frozen=True, kw_only=True):
    """One action in the journal. `payload` is its result or its error."""

    tool: str
    arguments: dict[str, Any]
    outcome: str
    payload: Any
    actor: str
    kind: str
    call: str


class World:
    """Tools with effects. `done` has each call that was carried out, with its value, in the order of ends."""

    def __init__(self) -> None:
        self.done: list[tuple[str, dict[str, Any], Any]] = []
        self.hanging = asyncio.Event()
        self._meeting = asyncio.Barrier(2)

    def add(self, a: int, b: int) -> int:
        self.done.append(("add", {"a": a, "b": b}, a + b))
        return a + b

    def fail(self, why: str) -> None:
        self.done.append(("fail", {"why": why}, None))
        raise ValueError(why)

    async def meet(self, who: str) -> str:
        """Returns only when two are there at once."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await self._meeting.wait()
        self.done.append(("meet", {"who": who}, f"met {who}"))
        return f"met {who}"

    async def hang(self) -> None:
        """Never returns."""
        self.hanging.set()
        await asyncio.Event().wait()

    async def cut_off(self, work: Any) -> None:
        """Run until the tool hangs, and cancel it."""
        task = asyncio.ensure_future(work)
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await self.hanging.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()


def leave_in_doubt(journal: Journal, tool: str, arguments: dict[str, Any]) -> str:
    """A call whose outcome nobody knows."""
    with CallObserver(journal, "before").call(tool, arguments) as observed:
        observed.unknown("it was cut off")
    return observed.id


def actions_of(journal: Journal) -> list[RecordedAction]:
    """All actions of a journal, in the order of their begins. Each is witnessed, begun once and ended at most once."""
    entries = journal.read_entries(limit=100).entries
    begun = [entry for entry in entries if entry.kind == "action_begun"]
    ends = {entry.id: entry for entry in entries if entry.kind == "action_ended"}
    assert len(ends) == sum(entry.kind == "action_ended" for entry in entries)
    assert {entry.witness for entry in (*begun, *ends.values())} <= {"observed"}
    found = []
    for entry in begun:
        end = ends.get(entry.id)
        body, outcome = entry.body or {}, (end.body if end else None) or {}
        found.append(
            RecordedAction(
                tool=entry.facts["tool"],
                arguments=body.get("arguments", {}),
                outcome=end.facts["outcome"] if end else "open",
                payload=outcome.get("result", outcome.get("error", outcome.get("summary"))),
                actor=entry.actor,
                kind=entry.actor_kind,
                call=entry.facts.get("call", ""),
            )
        )
    return found


def facts(journal: Journal) -> list[tuple[str, dict[str, Any], str, Any]]:
    """The same, with only the fields that most tests compare."""
    return [(each.tool, each.arguments, each.outcome, each.payload) for each in actions_of(journal)]
