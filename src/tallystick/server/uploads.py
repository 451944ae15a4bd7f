"""Uploaded exports: each is a read-only journal in memory, visible to its uploader only, for an hour."""

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
from tallystick.store.archive import ImportedJournal

PATH = "/v1/imports"
MEDIA_TYPE = "application/x-ndjson"
MAX_EXPORT_BYTES = 32 << 20
"""The largest export. In memory it takes several times as much."""
MAX_IMPORTS_PER_OWNER = 4
MAX_BYTES_PER_OWNER = 64 << 20
MAX_TOTAL_BYTES = 128 << 20
IMPORT_SECONDS = 3600.0
"""How long an import is available."""
IMPORT_NAME = re.compile(r"import-[0-9a-f]{16}")


class Upload(Struct, frozen=True, kw_only=True):
    """One imported export and its owner."""

    owner: str
    size: int
    expires: float
    context: OperationContext
    imported: ImportedJournal


class Imports:
    """All uploads of a server. They are added to the journal contexts, so that every interface finds them by name."""

    def __init__(self, contexts: JournalContexts, now: Callable[[], float] = monotonic) -> None:
        self._contexts = contexts
        self._now = now
        self._uploads: dict[str, Upload] = {}
        self._one_at_a_time: CapacityLimiter | None = None

    def routes(self) -> list[BaseRoute]:
        return [Route(PATH, self._upload, methods=["POST"]), Route(PATH, self._list, methods=["GET"])]

    def names(self, owner: str) -> list[str]:
        """The names of an owner's imports."""
        self._drop_expired()
        return [name for name, upload in self._uploads.items() if upload.owner == owner]

    def access(self, name: str, owner: str, access: Access) -> Access | None:
        """The owner's access to an import: reading only, whatever they may do elsewhere."""
        if name not in self.names(owner):
            return None
        return replace(access, journal=name, scopes=frozenset({"read", "audit"}), tasks=(), secret="")

    def close(self) -> None:
        for name in list(self._uploads):
            self._drop(name)

    async def _upload(self, request: Request) -> Response:
        """Import an export. One is read at a time, because verifying takes long."""
        text = await _text(request)
        if self._one_at_a_time is None:
            self._one_at_a_time = CapacityLimiter(1)
        imported = await to_thread.run_sync(_read, text, limiter=self._one_at_a_time)
        name = self.add(request.state.owner, len(text), imported)
        return JSONResponse(_summary(name, imported))

    async def _list(self, request: Request) -> Response:
        """The imports of the caller."""
        summaries = [_summary(name, self._uploads[name].imported) for name in self.names(request.state.owner)]
        return JSONResponse({"imports": summaries}, headers={"cache-control": "no-store"})

    def add(self, owner: str, size: int, imported: ImportedJournal) -> str:
        """Add an import under a new name, dropping the owner's oldest ones if needed; returns the name."""
        own = self.names(owner)
        while own and (len(own) >= MAX_IMPORTS_PER_OWNER or self._size(owner) + size > MAX_BYTES_PER_OWNER):
            self._drop(own.pop(0))
        if self._size() + size > MAX_TOTAL_BYTES:
            raise Busy("Too many imports are open.", hint="Each is dropped after an hour at most; try again later.")
        name = f"import-{secrets.token_hex(8)}"
        settings = Settings(url="memory:", journal=imported.journal, actor="import")
        context = OperationContext(imported.store, settings, Principal())
        self._uploads[name] = Upload(
            owner=owner, size=size, expires=self._now() + IMPORT_SECONDS, context=context, imported=imported
        )
        self._contexts.add_import(name, context)
        return name

    def _size(self, owner: str = "") -> int:
        return sum(upload.size for upload in self._uploads.values() if not owner or upload.owner == owner)

    def _drop_expired(self) -> None:
        for name, upload in list(self._uploads.items()):
            if upload.expires < self._now():
                self._drop(name)

    def _drop(self, name: str) -> None:
        self._contexts.remove_import(name)
        self._uploads.pop(name).context.store.close()


def _summary(name: str, imported: ImportedJournal) -> dict[str, Any]:
    """`journal` is the name here, `of` the journal's name in the file."""
    return {
        "journal": name,
        "of": imported.journal,
        "entries": imported.entries,
        "verified": imported.verified,
        "problem": imported.problem,
    }


def _read(text: bytes) -> ImportedJournal:
    try:
        return archive.read_export(text.decode("utf-8-sig").split("\n"))
    except UnicodeDecodeError:
        raise InvalidArgument("This is not an export: it is not UTF-8 text.", hint="Choose another file.") from None


async def _text(request: Request) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != MEDIA_TYPE:
        raise InvalidArgument(f"Content-Type is {kind or 'missing'}.", hint=f"Send {MEDIA_TYPE}.", field="content-type")
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        parts.append(part)
        size += len(part)
        if size > MAX_EXPORT_BYTES:
            raise TooLarge(
                f"An export has at most {MAX_EXPORT_BYTES:,} bytes here.", hint="Look at it with `tallystick verify`."
            )
    return b"".join(parts)
