"""Whether the server lives, whether it can do its work, and which one it is."""

import asyncio
import os
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.requests import Request

from tallystick.capture import home, spool
from tallystick.core.version import __version__
from tallystick.doors.rest.answers import Answer
from tallystick.doors.rest.door import Door
from tallystick.doors.rest.resource import Endpoint
from tallystick.operations.desk import Desk

PATIENCE_SECONDS = 5.0
"""A check that takes longer has failed."""


class Alive(Endpoint):
    """It answers, so it lives."""

    async def answer(self, request: Request) -> Answer:
        return _said({"alive": True})


class Version(Endpoint):
    """Which program, and which of its interfaces."""

    async def answer(self, request: Request) -> Answer:
        return _said({"name": "tallystick", "version": __version__, "api": "v1"})


class Ready(Endpoint):
    """Each thing that it needs, by its name, and what is wrong with it. One look is shared by all who ask meanwhile."""

    def __init__(self, door: Door) -> None:
        super().__init__(door)
        self._looking: asyncio.Task[dict[str, str]] | None = None

    async def answer(self, request: Request) -> Answer:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(self._looked())
        wrong = await asyncio.shield(self._looking)
        may_know = bool(request.state.access.scopes)  # an error may name a path or a host
        told = {name: {"ok": not why, **({"problem": why} if why and may_know else {})} for name, why in wrong.items()}
        ready = not any(wrong.values())
        return _said({"ready": ready, "checks": told}, 200 if ready else 503)

    async def _looked(self) -> dict[str, str]:
        desk = self.door.desks.caller.desk
        return {name: await self._problem(check, desk) for name, check in CHECKS.items()}

    async def _problem(self, check: Callable[[Desk], None], desk: Desk) -> str:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self.door.read(lambda: check(desk))
        except TimeoutError:
            return f"no answer within {PATIENCE_SECONDS:g} seconds"
        except Exception as error:
            return str(error)[:400] or type(error).__name__
        return ""


def _read(desk: Desk) -> None:
    desk.read(lambda view: view.head())


def _write(desk: Desk) -> None:
    desk.store.write(desk.journal, lambda ledger: ledger.head())  # the lock is taken, and nothing is appended


def _migrated(desk: Desk) -> None:
    """A store of another version is refused when it is opened, and one that was upgraded meanwhile when it is read."""
    desk.store.journals()


def _spooled(desk: Desk) -> None:
    env = home.of_store(os.environ, desk.settings.url)
    why = spool.unusable(spool.path(home.spools(env), desk.journal))
    if why:
        raise OSError(why)


CHECKS: dict[str, Callable[[Desk], None]] = {
    "store_read": _read,
    "store_write": _write,
    "migrations": _migrated,
    "spool": _spooled,
}


def _said(value: dict[str, Any], status: int = 200) -> Answer:
    return Answer(status=status, body=msgspec.json.encode(value))
