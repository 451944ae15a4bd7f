"""The composition root: the only file that knows which stores there are."""

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from msgspec.structs import replace

from tallystick import settings as settings_module
from tallystick.core.errors import InvalidArgument, TallystickError, Unsupported
from tallystick.core.model import Actor, Witness
from tallystick.journal import Journal
from tallystick.operations.desk import Asker, Desk
from tallystick.operations.sessions import end_session
from tallystick.settings import Settings
from tallystick.store.port import Store
from tallystick.verbs import Local


def open_store(url: str) -> Store:
    """The store at a URL. Its driver is loaded only now."""
    scheme = urlsplit(url).scheme
    if scheme == "memory":
        from tallystick.store.memory import MemoryStore

        return MemoryStore()
    if scheme == "sqlite":
        from tallystick.store.sqlite import SqliteStore

        return SqliteStore(sqlite_path(url))
    if scheme in ("postgresql", "postgres"):
        try:
            from tallystick.store.postgres import PostgresStore
        except ImportError:
            raise Unsupported("The PostgreSQL driver is not installed.", hint="Install tallystick[postgres].") from None
        return PostgresStore(url)
    raise InvalidArgument(
        f'"{url}" is not the URL of a store.',
        hint="Use sqlite:///path/to/journal.db, postgresql://user@host/database, or memory:.",
        field="url",
        allowed=("sqlite", "postgresql", "memory"),
    )


def sqlite_path(url: str) -> Path:
    """`sqlite:///relative/or` `sqlite:////absolute` path, as other tools write it."""
    path = unquote(url.removeprefix("sqlite:").removeprefix("//"))
    if path.startswith("/") and not path.startswith("//") and not Path(path).parent.exists():
        relative = Path(path[1:])
        if relative.parent.exists():
            return relative
    return Path(path.replace("//", "/", 1) if path.startswith("//") else path)


class LocalJournal(Local):
    """Calls in this process; closing it ends the session that it opened."""

    def close(self) -> None:
        own = self.desk.own
        try:
            if own.id and own.process == os.getpid():
                end_session(self.desk, {"session_id": own.id})
        except TallystickError:
            pass  # a store that is gone ends the session by itself: the lock and the lease see to that
        finally:
            own.id = ""
            super().close()


def open_caller(
    url: str | None,
    journal: str | None,
    actor: Actor | str | None,
    witness: Witness,
    session: str | None,
    credential: str | None,
) -> LocalJournal:
    """What `Journal.open` asks for."""
    settings = settings_module.load()
    settings = replace(settings, url=url or settings.url, journal=journal or settings.journal)
    who = actor if isinstance(actor, Actor) else Actor(kind="agent", name=actor or settings.actor)
    asker = Asker(
        actor=who,
        witness=witness,
        session=session or settings.session,
        credential=credential or settings.credential,
    )
    return LocalJournal(open_desk(settings, asker))


def open_desk(settings: Settings, asker: Asker) -> Desk:
    return Desk(open_store(settings.url), settings, asker)


Journal.opener = staticmethod(open_caller)
