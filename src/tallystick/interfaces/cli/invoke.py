"""The way from a command to its operation: which store, which journal, who asks, in which session.

A process of the command line is short, so its records belong to a session of the shell that it was started from, or of
the conversation that the shell works for: a `handle` session, found again by its name. The first record opens it;
reading opens nothing. What a session leaves open is in doubt once its lease has run out, an hour after its last record
unless told otherwise.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

from msgspec.structs import replace

from tallystick import settings as settings_module
from tallystick.core.errors import InvalidArgument, TallystickError, Unsupported, one_of
from tallystick.core.types import Actor, ActorKind
from tallystick.interfaces.cli.terminal import CommandLog, Stopwatch, Terminal
from tallystick.operations import CATALOGUE, Operation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.protocol.meta import conversation_of
from tallystick.sdk.journal import Journal
from tallystick.sdk.local import Caller, Local
from tallystick.settings import Settings, without_password
from tallystick.store.interface import Store
from tallystick.store.liveness import process_start_ticks

_USES_SESSION = {"execution_id", "session_id"}
"""Arguments that the session stands in for when they are left out."""


class Invocation:
    """One command's way in. Nothing is opened before the first call."""

    def __init__(self, terminal: Terminal, given: Caller | None = None) -> None:
        self.terminal = terminal
        self.wishes: dict[str, Any] = {}
        self.log = CommandLog(terminal.remark, None, "text")
        self._given = given
        self._at = desk_of(given)
        self._opened: Caller | None = None
        self._caller: Caller | None = None
        self._settings: Settings | None = None
        self._session: str | None = None

    def begin(self) -> None:
        """Take up the options that hold for every command, now that all are read."""
        terminal, wishes = self.terminal, self.wishes
        terminal.json = bool(wishes.get("json"))
        terminal.quiet = bool(wishes.get("quiet"))
        terminal.verbose = bool(wishes.get("verbose"))
        terminal.no_colour = terminal.no_colour or bool(wishes.get("no_color"))
        form = wishes.get("log") or terminal.env.get("TALLYSTICK_LOG", "")
        if form not in ("", "text", "json"):
            raise one_of(form, "log", ("text", "json"), what="a form of logging")
        self.log = CommandLog(terminal.remark, "debug" if terminal.verbose else "info" if form else None, form)

    def call(self, name: str, arguments: dict[str, Any] | None = None) -> Any:
        """Ask for an operation by its name."""
        operation, given = CATALOGUE[name], arguments or {}
        watch = Stopwatch()
        try:
            operation.read_arguments(given)  # before anything is opened
            result = self._caller_for(operation, given).call(operation, given)
        except TallystickError as error:
            self.log.note(
                "error",
                "call failed",
                operation=name,
                code=error.code,
                message=error.message,
                recorded="nothing",
                milliseconds=watch.milliseconds,
            )
            raise
        self.log.note("info", "call done", operation=name, milliseconds=watch.milliseconds)
        return result

    @property
    def settings(self) -> Settings:
        """What the environment says, with what the options say on top."""
        if self._settings is None:
            found = settings_module.load(self.terminal.env)
            if self._at is not None:
                found = replace(self._at.settings, session=found.session, credential=found.credential)
            names = ("url", "journal", "session")
            self._settings = replace(
                found,
                **{name: self.wishes[name] for name in names if self.wishes.get(name)},
                credential=self._credential(found),
            )
        return self._settings

    @property
    def env(self) -> dict[str, str]:
        """The environment as hooks have it that see something for this store."""
        from tallystick.capture.hook import environment  # few commands ask

        return environment.for_store(self.terminal.env, self.settings.url)

    @property
    def store(self) -> Store:
        """The store itself, for its upkeep; only a caller in this process has one."""
        caller = self.caller
        if not isinstance(caller, Local):
            raise Unsupported("This works only where the store is.", hint="Run it there, with the store's own URL.")
        return caller.context.store

    @property
    def caller(self) -> Caller:
        if self._caller is None:
            self._caller = self._found()
            self._keep_up(self._caller)
        return self._caller

    def _keep_up(self, caller: Caller) -> None:
        """Bring the journal up to date with what hooks have seen. A store that cannot be used says so when asked."""
        if not isinstance(caller, Local):
            return
        from tallystick.capture.ingest.drain import catch_up

        with suppress(TallystickError):
            drained = catch_up(caller, self.terminal.env)
            self.log.note("debug", "drained", recorded=drained.recorded, torn=drained.torn, waiting=drained.waiting)
            for text in filter(None, (drained.warning, drained.problem)):
                self.terminal.remark(text)

    def watch_progress(self, what: str) -> None:
        """Show how far the calls that follow are."""
        if isinstance(self.caller, Local):
            self.caller.context.progress = lambda done, total: self.terminal.progress(what, done, total)

    def in_journal(self, journal: str) -> "Invocation":
        """The same way in, to another journal of the store."""
        other = Invocation(self.terminal, self.caller)
        other.wishes = {**self.wishes, "journal": journal}
        other.log = self.log
        return other

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def _caller_for(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Caller:
        caller = self.caller
        join = getattr(caller, "join", None)  # one over a wire would end a session of its own
        if self._session is None and (join or isinstance(caller, Local)):
            found = self._session_for(caller, operation, arguments)
            if found:
                self._session = found
                if isinstance(caller, Local):
                    caller.context.principal = replace(caller.context.principal, session=found)
                elif join:
                    join(found)
                self.log.note("debug", "session", id=found)
        return caller

    def _session_for(self, caller: Caller, operation: Operation[..., Any], arguments: dict[str, Any]) -> str:
        given = self.settings.session or (self._at.principal.session if self._at else "")
        if given.startswith("se_"):
            return given
        opens = operation.kind == "record" and not operation.name.endswith("_session")
        if operation.scope != "agent" and not isinstance(caller, Local):
            opens = False  # who decides or administers may not open one at a server, and needs none
        if not opens and not _USES_SESSION & set(operation.arguments.__struct_fields__) - set(arguments):
            return ""
        user = self.settings.actor
        given = given or conversation_of(self.terminal.env)
        # A shell may turn into the last command that it starts: then this process is the shell.
        found = "" if given else _living(caller, shell_name(user, os.getpid()))
        name = given or shell_name(user, os.getppid())
        if found or not opens:
            return found or _living(caller, name)
        return str(caller.call(CATALOGUE["open_session"], {"name": name, "client": "tallystick cli"}).id)

    def _found(self) -> Caller:
        """A caller with a desk for who asks now; one that is not in this process is taken as it is."""
        settings, caller = self.settings, self._given
        principal = Principal(actor=self._actor(), credential=settings.credential)
        if caller is None:
            self.log.note("debug", "opening", url=without_password(settings.url), journal=settings.journal)
            far = settings.url.startswith(("http:", "https:"))  # the server says which journal, unless one is named
            journal = self.wishes.get("journal") if far else settings.journal
            caller = Journal.opener(
                settings.url, journal, principal.actor, principal.witness, None, settings.credential or None
            )
            self._opened = caller
        context = desk_of(caller)
        if context is None:
            return caller
        return Local(
            OperationContext(
                context.store, settings, replace(principal, witness=context.principal.witness), context.own
            )
        )

    def _actor(self) -> Actor:
        kind, name = self.wishes.get("actor_kind"), self.wishes.get("actor")
        if self._at is not None and not kind and not name:
            return self._at.principal.actor
        kinds = get_args(ActorKind)
        if kind and kind not in kinds:
            raise one_of(kind, "actor_kind", kinds, what="a kind of actor")
        return Actor(kind=kind or ("person" if self.terminal.input_tty else "agent"), name=name or self.settings.actor)

    def _credential(self, settings: Settings) -> str:
        path = self.wishes.get("credential_file")
        if self.wishes.get("credential") or not path:
            return self.wishes.get("credential") or settings.credential
        try:
            return Path(path).expanduser().read_text().strip()
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "it is not text"
            raise InvalidArgument(
                f'The credential file "{path}" cannot be read: {why}.', hint="Check the path and its rights."
            ) from None


def desk_of(caller: Caller | None) -> OperationContext | None:
    """The desk of a caller in this process; one over a wire has none."""
    found = getattr(caller, "context", None)
    return found if isinstance(found, OperationContext) else None


def shell_name(user: str, process: int) -> str:
    """The name of a shell's session. A process number is used again some day; with the time of its start it is not."""
    return f"cli:{user}@{os.uname().nodename}:{process}:{process_start_ticks(process)}"


def _living(caller: Caller, name: str) -> str:
    """The id of the session of that name, if one lives. Of a conversation, hooks and servers have sessions too."""
    page = caller.call(CATALOGUE["list_sessions"], {"name": name, "status": "open", "limit": 20})
    return next((session.id for session in page.sessions if session.alive and session.kind == "handle"), "")
