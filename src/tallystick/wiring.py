"""The composition root: opens journals, and is the only module that imports the stores."""

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from msgspec.structs import replace

from tallystick import operations
from tallystick import settings as settings_module
from tallystick.core.errors import (
    InvalidArgument,
    StorageUnavailable,
    TallystickError,
    Unsupported,
    journal_closed_error,
    system_error,
)
from tallystick.core.formats.canonical_json import check_text
from tallystick.core.types import Actor, Witness
from tallystick.paths import is_sqlite, store_url
from tallystick.sdk.journal import Journal
from tallystick.sdk.local import Local
from tallystick.settings import Settings, sqlite_path
from tallystick.store.forks import computed_once, first_use

if TYPE_CHECKING:
    from tallystick.operations.runtime.operation_context import OperationContext
    from tallystick.sdk.local import GroupCaller
    from tallystick.store.interface import Store

T = TypeVar("T")


def open_store(url: str) -> "Store":
    """Open the store at a URL. Its driver is imported only now."""
    scheme = url.partition(":")[0].lower()
    if scheme == "memory":
        from tallystick.store.memory import MemoryStore

        return MemoryStore()
    if scheme == "sqlite":
        from tallystick.store.sqlite.store import SqliteStore

        return SqliteStore(sqlite_path(url))
    if scheme in ("postgresql", "postgres"):
        try:
            from tallystick.store.postgres.store import PostgresStore
        except ImportError:
            raise Unsupported(
                "The PostgreSQL driver is not installed.",
                hint="Install tallystick[postgres] (in a checkout: make install EXTRAS=postgres).",
            ) from None
        return PostgresStore(url)
    shown = f"{scheme}:..." if ":" in url else url  # what follows a colon may be a password
    raise InvalidArgument(
        f'"{shown}" is {"a folder, " if os.path.isdir(url) else ""}not the URL of a store.',
        hint="Use a file such as journal.db, sqlite:///path/to/journal.db, postgresql://user@host/database, "
        "http://host:port, or memory:.",
        field="url",
        allowed=("sqlite", "postgresql", "memory", "http", "https"),
    )


class LocalJournal(Local):
    """Calls operations in this process. It opens the store with the first call, and ends its session when closed."""

    def __init__(self, open_store: "Callable[[], Store]", settings: Settings, principal: dict[str, Any]) -> None:
        self._open_store = open_store
        self._settings = settings
        self._principal = principal

    @computed_once
    def store(self) -> "Store":
        with first_use:  # concurrent threads get the same store
            existing: Store | None = self.__dict__.get("store")
            return existing or self._open_store()

    @computed_once
    def context(self) -> "OperationContext":  # made with the first call
        from tallystick.operations.runtime.operation_context import (  # not needed to open a journal
            OperationContext,
            Principal,
        )

        with first_use:
            existing: OperationContext | None = self.__dict__.get("context")
            return existing or OperationContext(self.store, self._settings, Principal(**self._principal))

    def close(self) -> None:
        try:
            if "context" in self.__dict__:
                self._end_session()
        finally:
            self._open_store = _raise_closed
            if "store" in self.__dict__:
                self.store.close()

    def _end_session(self) -> None:
        own = self.context.own
        own.over = True  # a call in another thread does not open another session
        try:
            if own.id and own.process == os.getpid():
                operations.sessions.end_session(self.context, {"session_id": own.id})
        except TallystickError:
            pass  # without a store, the session ends by its lock and its lease
        own.id = ""


def open_caller(
    url: "str | os.PathLike[str] | None",
    journal: str | None,
    actor: Actor | str | None,
    witness: Witness,
    session: str | None,
    credential: str | None,
) -> "GroupCaller":
    """Open the caller of a `Journal`: in this process, or at a server for an `http(s):` URL."""
    if isinstance(url, os.PathLike):
        _plain_text(os.fspath(url), "url")
        url = store_url(url)
    url = _plain_text(url, "url")
    journal = _plain_text(journal, "journal")
    witness, session = _plain_text(witness, "witness"), _plain_text(session, "session")
    credential = _plain_text(credential, "credential")
    if isinstance(actor, Actor):
        actor = Actor(kind=_plain_text(actor.kind, "actor"), name=_plain_text(actor.name, "actor"))
    else:
        actor = _plain_text(actor, "actor")
    try:
        return _open_caller(url, journal, actor, witness, session, credential)
    except OSError as error:
        raise system_error(error) from error


def _open_caller(
    url: str | None,
    journal: str | None,
    actor: Actor | str | None,
    witness: Witness,
    session: str | None,
    credential: str | None,
) -> "GroupCaller":
    settings = settings_module.load()
    settings = replace(settings, url=store_url(url) if url else settings.url, journal=journal or settings.journal)
    if settings.url.partition(":")[0].lower() in ("http", "https"):
        return _remote(settings, journal, actor, witness, session, credential)
    principal = {
        "actor": actor if isinstance(actor, Actor) else Actor(kind="agent", name=actor or settings.actor),
        "witness": witness,
        "session": session or settings.session,
        "credential": credential or settings.credential,
    }
    return LocalJournal(_opener(settings.url), settings, principal)


def _plain_text(value: T, field: str) -> T:
    """The text itself, for an instance of a subclass of str too. Raises for what no store can hold."""
    if value is None:
        return value
    if not isinstance(value, str):
        raise InvalidArgument(f"{field} is of type {type(value).__name__}.", hint="Give text.", field=field)
    text = str.__str__(value)
    check_text(text, field)
    return cast("T", text)


def open_late(url: str, journal: str) -> Journal:
    """A journal whose store cannot be opened now: each call tries to open it, and fails as long as that fails."""
    settings = settings_module.load()
    settings = replace(settings, url=store_url(url) if url else settings.url, journal=journal or settings.journal)
    principal = {
        "actor": Actor(kind="agent", name=settings.actor),
        "witness": "claimed",
        "session": settings.session,
        "credential": settings.credential,
    }
    late = LateStore(lambda: _opener(settings.url)())
    return Journal(LocalJournal(lambda: cast("Store", late), settings, principal))


def _remote(
    settings: Settings,
    journal: str | None,
    actor: Actor | str | None,
    witness: Witness,
    session: str | None,
    credential: str | None,
) -> "GroupCaller":
    """A caller at a server. Unless a journal is named, the credential or the server chooses it."""
    from tallystick.sdk.remote import LEASE_SECONDS, Remote, check_url

    check_url(settings.url)
    credential = credential or settings.credential or settings.token
    named = actor or ("" if credential else settings.actor)  # a credential has a name of its own
    return Remote(
        settings.url,
        journal or os.environ.get("TALLYSTICK_JOURNAL", ""),
        actor=Actor(kind="agent", name=named) if isinstance(named, str) and named else named or None,
        witness=witness,
        session=session or settings.session,
        credential=credential,
        lease_seconds=min(settings.lease_seconds, LEASE_SECONDS),
    )


def _opener(url: str) -> "Callable[[], Store]":
    """A function that opens a store, after a check now. A file is opened with the first call, which takes longer."""
    if is_sqlite(url):
        from tallystick.store.sqlite import file as sqlite_file

        sqlite_file.ensure_usable(sqlite_path(url))
        return partial(open_store, url)
    store = open_store(url)
    return lambda: store


def _raise_closed() -> "Store":
    raise journal_closed_error()


def run_plan(caller: "GroupCaller", plan: Any, *, is_awaited: bool = False, **options: Any) -> Any:
    """Carry out a plan in this process. The runner is imported only now."""
    from tallystick.runner import run

    return (run.run_plan_async if is_awaited else run.run_plan)(caller, plan, **options)


Journal.opener = staticmethod(open_caller)
Journal.runner = staticmethod(run_plan)


class LateStore:
    """A store that cannot be opened yet. Each use tries again, and raises the reason if that fails."""

    def __init__(self, open_store: "Callable[[], Store]") -> None:
        self._open_store = open_store
        self._store: Store | None = None

    def is_free(self) -> bool:
        """Whether a write would begin at once. True if the store cannot be opened: there is nothing to wait for."""
        try:
            return self._opened().is_free()
        except StorageUnavailable:
            return True

    def close(self) -> None:
        if self._store is not None:
            self._store.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opened(), name)

    def _opened(self) -> "Store":
        with first_use:  # concurrent threads get the same store
            self._store = self._store or self._open_store()
            return self._store
