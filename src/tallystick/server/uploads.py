"""Exports that somebody has uploaded to look at: each a journal of its own in this process's memory, for who uploaded
it alone, and for a while."""

import re
import secrets
from collections.abc import Callable
from time import monotonic
from typing import Any

from anyio import CapacityLimiter, to_thread
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tallystick.core.errors import Busy, InvalidArgument, TooLarge
from tallystick.interfaces.journals import JournalContexts
from tallystick.operations.runtime.access import Access
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.settings import Settings
from tallystick.store import archive
from tallystick.store.archive import Imported

PATH = "/v1/imports"
MEDIA_TYPE = "application/x-ndjson"
BYTES = 32 << 20
"""The largest export. In memory it takes several times as much."""
OF_ONE = 4
BYTES_OF_ONE = 64 << 20
BYTES_OF_ALL = 128 << 20
"""How many one asker may keep, and how large all of theirs and all of everybody's may be together."""
SECONDS = 3600.0
"""How long one is kept."""
NAME = re.compile(r"import-[0-9a-f]{16}")


class Upload(Struct, frozen=True, kw_only=True):
    """One that is looked at."""

    owner: str
    size: int
    until: float
    context: OperationContext
    imported: Imported


class Imports:
    """All of them. They are lent to the desks, so that every door finds them by their names."""

    def __init__(self, contexts: JournalContexts, now: Callable[[], float] = monotonic) -> None:
        self._contexts = contexts
        self._now = now
        self._kept: dict[str, Upload] = {}
        self._turn: CapacityLimiter | None = None

    def routes(self) -> list[BaseRoute]:
        return [Route(PATH, self._upload, methods=["POST"]), Route(PATH, self._list, methods=["GET"])]

    def names(self, owner: str) -> list[str]:
        """Those that somebody may look at."""
        self._sweep()
        return [name for name, kept in self._kept.items() if kept.owner == owner]

    def access(self, name: str, owner: str, access: Access) -> Access | None:
        """What somebody may do with an import of theirs: read it, whatever they may do elsewhere."""
        if name not in self.names(owner):
            return None
        return replace(access, journal=name, scopes=frozenset({"read", "audit"}), tasks=(), secret="")

    def close(self) -> None:
        for name in list(self._kept):
            self._drop(name)

    async def _upload(self, request: Request) -> Response:
        """Take an export in. One is read at a time: it is checked as it is read, which takes long."""
        text = await _text(request)
        if self._turn is None:
            self._turn = CapacityLimiter(1)
        imported = await to_thread.run_sync(_read, text, limiter=self._turn)
        name = self.keep(request.state.owner, len(text), imported)
        return JSONResponse(_told(name, imported))

    async def _list(self, request: Request) -> Response:
        """Those that the asker looks at, and what is known of each."""
        told = [_told(name, self._kept[name].imported) for name in self.names(request.state.owner)]
        return JSONResponse({"imports": told}, headers={"cache-control": "no-store"})

    def keep(self, owner: str, size: int, imported: Imported) -> str:
        """Under a new name, in place of the oldest ones of the same owner if need be."""
        own = self.names(owner)
        while own and (len(own) >= OF_ONE or self._size(owner) + size > BYTES_OF_ONE):
            self._drop(own.pop(0))
        if self._size() + size > BYTES_OF_ALL:
            raise Busy("Too many imports are looked at.", hint="Each is kept for an hour at most; try again later.")
        name = f"import-{secrets.token_hex(8)}"
        settings = Settings(url="memory:", journal=imported.journal, actor="import")
        context = OperationContext(imported.store, settings, Principal())
        self._kept[name] = Upload(
            owner=owner, size=size, until=self._now() + SECONDS, context=context, imported=imported
        )
        self._contexts.add_import(name, context)
        return name

    def _size(self, owner: str = "") -> int:
        return sum(kept.size for kept in self._kept.values() if not owner or kept.owner == owner)

    def _sweep(self) -> None:
        for name, kept in list(self._kept.items()):
            if kept.until < self._now():
                self._drop(name)

    def _drop(self, name: str) -> None:
        self._contexts.remove_import(name)
        self._kept.pop(name).context.store.close()


def _told(name: str, imported: Imported) -> dict[str, Any]:
    """`of` is what the journal is called in the file."""
    return {
        "journal": name,
        "of": imported.journal,
        "entries": imported.entries,
        "verified": imported.verified,
        "problem": imported.problem,
    }


def _read(text: bytes) -> Imported:
    try:
        return archive.read(text.decode("utf-8-sig").split("\n"))
    except UnicodeDecodeError:
        raise InvalidArgument("This is not an export: it is no text.", hint="Choose another file.") from None


async def _text(request: Request) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != MEDIA_TYPE:
        raise InvalidArgument(f"Content-Type is {kind or 'missing'}.", hint=f"Send {MEDIA_TYPE}.", field="content-type")
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        parts.append(part)
        size += len(part)
        if size > BYTES:
            raise TooLarge(f"An export has at most {BYTES:,} bytes here.", hint="Look at it with `tallystick verify`.")
    return b"".join(parts)
