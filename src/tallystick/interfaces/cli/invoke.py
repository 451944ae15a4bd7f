"""From a command to its operation: chooses the store, the journal, the actor and the session.

A command is a short process. Its records therefore belong to a `handle` session with a name that the next command can
find again: the calling shell, or the conversation that the shell works for. A script uses the session of the shell that
started it, if that has one; the lines of a Makefile share one. The first record opens the session; reads open none. Its
open actions are in doubt when its lease has run out, by default an hour after the last record.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

from msgspec.structs import replace

from tallystick import settings as settings_module
from tallystick.core.errors import InvalidArgument, NotPermitted, TallystickError, Unsupported, not_one_of
from tallystick.core.types import Actor, ActorKind
from tallystick.interfaces.cli.terminal import CommandLog, Level, Stopwatch, Terminal
from tallystick.operations import CATALOGUE, Operation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.paths import store_url
from tallystick.protocol.meta import conversation_in_environment
from tallystick.sdk.journal import Journal
from tallystick.sdk.local import Caller, Local
from tallystick.settings import Settings, without_password
from tallystick.store.interface import Store
from tallystick.store.liveness import process_ancestors, process_name, process_start_ticks

SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "busybox")
MAKES = ("make", "gmake", "just")
WRAPPERS = ("timeout", "xargs", "sudo")
"""Programs that a shell starts to run another command."""
_SESSION_DEFAULTS = {"execution_id", "session_id"}
"""Arguments that are taken from the session when they are omitted."""


class Invocation:
    """One run of a command. The store is opened at the first call.

    `options` are the values of the general options. A `caller` that is passed in is used instead of opening a store.
    `operation` is the one that was called last.
    """

    def __init__(self, terminal: Terminal, caller: Caller | None = None) -> None:
        self.terminal = terminal
        self.options: dict[str, Any] = {}
        self.log = CommandLog(terminal.print_stderr, None, "")
        self.operation: Operation[..., Any] | None = None
        self._passed_caller = caller
        self._passed_context = context_of(caller)
        self._opened: Caller | None = None
        self._caller: Caller | None = None
        self._settings: Settings | None = None
        self._session: str | None = None

    def apply_options(self) -> None:
        """Apply the general options to the terminal and the log. Called when all options are parsed."""
        terminal, options = self.terminal, self.options
        terminal.json = bool(options.get("json"))
        terminal.quiet = bool(options.get("quiet"))
        terminal.verbose = bool(options.get("verbose"))
        terminal.store = {name: options[name] for name in ("url", "journal") if options.get(name)}
        terminal.no_colour = terminal.no_colour or bool(options.get("no_color"))
        form = options.get("log") or terminal.env.get("TALLYSTICK_LOG", "")
        if form not in ("", "text", "json"):
            raise not_one_of(form, "log", ("text", "json"), what="a form of logging")
        level: Level | None = "debug" if terminal.verbose else "info" if form else None
        self.log = CommandLog(terminal.print_stderr, level, form)

    def use_own_session(self) -> None:
        """Never join the session of the calling shell: the death of this process has to be seen at once."""
        self._session = ""

    def start_log(self, default_level: str) -> None:
        """Log what this process does while it serves, as --log and --verbose say."""
        from tallystick import logs  # few commands serve

        level = "debug" if self.terminal.verbose else "info" if self.log.form else default_level
        logs.configure("json" if self.log.form == "json" else "text", level)

    def announce(self, text: str) -> None:
        """Tell the person at the terminal something, or with --log json the reader of the log."""
        if self.log.form != "json":
            self.terminal.print_stderr(text)
            return
        from logging import getLogger

        getLogger("tallystick.cli").info(text)

    def call(self, name: str, arguments: dict[str, Any] | None = None) -> Any:
        """Call an operation by its name and return its result."""
        operation, arguments = CATALOGUE[name], arguments or {}
        self.operation = operation
        watch = Stopwatch()
        try:
            operation.validate(arguments)  # an invalid call must not open or create a store
            result = self._caller_for(operation, arguments).call(operation, arguments)
        except TallystickError as error:
            self.log.write(
                "error",
                "call failed",
                operation=name,
                code=error.code,
                message=error.message,
                recorded="nothing",
                milliseconds=watch.milliseconds,
            )
            raise
        self.log.write("info", "call done", operation=name, milliseconds=watch.milliseconds)
        return result

    @property
    def settings(self) -> Settings:
        """The settings of the environment, overridden by the options."""
        if self._settings is None:
            settings = settings_module.load(self.terminal.env)
            if self._passed_context is not None:
                settings = replace(
                    self._passed_context.settings, session=settings.session, credential=settings.credential
                )
            given = {name: self.options[name] for name in ("url", "journal", "session") if self.options.get(name)}
            if "url" in given:
                given["url"] = store_url(given["url"])
            self._settings = replace(
                settings,
                **given,
                credential=self._credential(settings),
            )
        return self._settings

    @property
    def env(self) -> dict[str, str]:
        """The environment of hooks that record for this store."""
        from tallystick.capture.hook import environment  # few commands need it

        return environment.for_store(self.terminal.env, self.settings.url)

    @property
    def store(self) -> Store:
        """The store itself, for maintenance. Raises Unsupported when the store is reached through a server."""
        caller = self.caller
        if not isinstance(caller, Local):
            raise Unsupported(
                "This command needs direct access to the store.", hint="Run it there, with the store's own URL."
            )
        return caller.context.store

    @property
    def caller(self) -> Caller:
        if self._caller is None:
            self._caller = self._make_caller()
            self._drain_spool(self._caller)
        return self._caller

    def _drain_spool(self, caller: Caller) -> None:
        """Record what hooks have spooled. An unusable store is reported by the call that follows."""
        if not isinstance(caller, Local):
            return
        from tallystick.capture.ingest.drain import catch_up

        with suppress(TallystickError):
            drained = catch_up(caller, self.terminal.env)
            self.log.write("debug", "drained", recorded=drained.recorded, torn=drained.torn, waiting=drained.waiting)
            for text in filter(None, (drained.warning, drained.problem)):
                self.terminal.print_stderr(text)

    def show_progress(self, label: str) -> None:
        """Show the progress of the calls that follow."""
        if isinstance(self.caller, Local):
            self.caller.context.progress = lambda done, total: self.terminal.progress(label, done, total)

    def in_journal(self, journal: str) -> "Invocation":
        """An invocation with the same options for another journal of the store."""
        other = Invocation(self.terminal, self.caller)
        other.options = {**self.options, "journal": journal}
        other.log = self.log
        return other

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def _caller_for(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Caller:
        """The caller, after it has joined the session that the operation needs."""
        caller = self.caller
        join = getattr(caller, "join", None)  # a remote caller without it would end a session of its own
        if self._session is None and (join or isinstance(caller, Local)):
            session = self._session_for(caller, operation, arguments)
            if session:
                self._session = session
                if isinstance(caller, Local):
                    caller.context.principal = replace(caller.context.principal, session=session)
                elif join:
                    join(session)
                self.log.write("debug", "session", id=session)
        return caller

    def _session_for(self, caller: Caller, operation: Operation[..., Any], arguments: dict[str, Any]) -> str:
        """The id of the session for a call: named, found or opened. Empty when the call needs none."""
        named = self.settings.session or (self._passed_context.principal.session if self._passed_context else "")
        if named.startswith("se_"):
            return named
        opens = _opens_session(operation, caller)
        if not opens and not _SESSION_DEFAULTS & set(operation.arguments.__struct_fields__) - set(arguments):
            return ""
        named = named or conversation_in_environment(self.terminal.env)
        shells = [] if named else shell_chain()
        names = [named] if named else [shell_session_name(self.settings.actor, process) for process in shells]
        if not (named and opens):  # opening a named session finds it
            found = next(filter(None, (_find_open_session(caller, name) for name in names)), "")
            if found or not opens:
                return found
        name = named or shell_session_name(self.settings.actor, session_shell(shells))
        try:
            return str(caller.call(CATALOGUE["open_session"], {"name": name, "client": "tallystick cli"}).id)
        except NotPermitted:  # the credential of a person: the server records in a session of that person
            return ""

    def _make_caller(self) -> Caller:
        """A caller with the principal of this command. A remote caller that was passed in is used as it is."""
        settings, caller = self.settings, self._passed_caller
        principal = Principal(actor=self._actor(), credential=settings.credential)
        if caller is None:
            self.log.write("debug", "opening", url=without_password(settings.url), journal=settings.journal)
            is_remote = settings.url.startswith(("http:", "https:"))
            journal = self.options.get("journal") if is_remote else settings.journal  # a server has its own default
            caller = Journal.opener(
                settings.url, journal, principal.actor, principal.witness, None, settings.credential or None
            )
            self._opened = caller
        context = context_of(caller)
        if context is None:
            return caller
        return Local(
            OperationContext(
                context.store, settings, replace(principal, witness=context.principal.witness), context.own
            )
        )

    def _actor(self) -> Actor:
        kind, name = self.options.get("actor_kind"), self.options.get("actor")
        if self._passed_context is not None and not kind and not name:
            return self._passed_context.principal.actor
        kinds = get_args(ActorKind)
        if kind and kind not in kinds:
            raise not_one_of(kind, "actor_kind", kinds, what="a kind of actor")
        return Actor(kind=kind or ("person" if self.terminal.input_tty else "agent"), name=name or self.settings.actor)

    def _credential(self, settings: Settings) -> str:
        path = self.options.get("credential_file")
        if self.options.get("credential") or not path:
            return self.options.get("credential") or settings.credential
        try:
            return Path(path).expanduser().read_text().strip()
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "it is not text"
            raise InvalidArgument(
                f'The credential file "{path}" cannot be read: {why}.', hint="Check the path and its permissions."
            ) from None


def context_of(caller: Caller | None) -> OperationContext | None:
    """The operation context of a caller in this process; None for a remote one."""
    context = getattr(caller, "context", None)
    return context if isinstance(context, OperationContext) else None


def shell_chain() -> list[int]:
    """The processes whose session a command may use, the nearest first.

    The first is this process: a shell may replace itself with its last command (`exec`). Then come its parent, and the
    shells above that: a script uses the session of the shell that started it, if there is one.
    """
    chain = [os.getpid(), os.getppid()]
    for parent in process_ancestors(chain[-1]):
        if not _is_part_of_shell(chain[-1]) or not _is_part_of_shell(parent):
            break
        chain.append(parent)
    return chain


def session_shell(chain: list[int]) -> int:
    """The process for which a new session is opened: make for the lines of a Makefile, else the calling shell."""
    above = chain[1:]
    makes = [process for process in above if process_name(process) in MAKES]
    shells = [process for process in above if process_name(process) in SHELLS]
    return (makes[-1:] or shells[:1] or above)[0]


def _is_part_of_shell(process: int) -> bool:
    return process_name(process) in (*SHELLS, *MAKES, *WRAPPERS)


def shell_session_name(user: str, process: int) -> str:
    """The name of a shell's session. Process ids are reused; together with the start time the name is unique."""
    return f"cli:{user}@{os.uname().nodename}:{process}:{process_start_ticks(process)}"


def _opens_session(operation: Operation[..., Any], caller: Caller) -> bool:
    """Whether the operation opens a session if there is none.

    At a server, approvers and administrators may not open one, and need none.
    """
    if operation.scope != "agent" and not isinstance(caller, Local):
        return False
    return operation.kind == "record" and not operation.name.endswith("_session")


def _find_open_session(caller: Caller, name: str) -> str:
    """The id of the live handle session with this name. Hooks and servers may have sessions of the same name."""
    page = caller.call(CATALOGUE["list_sessions"], {"name": name, "status": "open", "limit": 20})
    return next((session.id for session in page.sessions if session.alive and session.kind == "handle"), "")
