"""`GET /metrics`: what Prometheus asks for, of the journal that is served by default and of this process.

What is open is counted as it is now, up to a bound. What has ended is counted from the entries that landed since this
process was started, whoever wrote them. So a scrape costs the same in a journal of any length.
"""

import asyncio
import os
import platform
from collections.abc import Callable
from threading import Lock
from typing import Any

import msgspec
from starlette.requests import Request

from tallystick import operations
from tallystick.capture.hook import environment
from tallystick.capture.spool import file as spool_file
from tallystick.core.errors import NotPermitted
from tallystick.core.state import Approval, Execution
from tallystick.interfaces.journals import JournalContexts
from tallystick.interfaces.rest.counters import Counter, Labels, counted, gauge
from tallystick.interfaces.rest.dispatch import Dispatcher
from tallystick.interfaces.rest.endpoints import Endpoint
from tallystick.interfaces.rest.events import Events
from tallystick.interfaces.rest.requests import check_scope
from tallystick.interfaces.rest.responses import RestResponse
from tallystick.operations.entries import EntryView
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.progress import doubts_of
from tallystick.store.interface import Select, View
from tallystick.version import __version__

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
MOST = 1000
"""So many of what is open are counted, and no more."""
PAGES = 50
"""How many pages of 100 entries one scrape reads at most; the next one goes on."""


class Metrics(Endpoint):
    """The page that Prometheus reads."""

    def __init__(self, dispatcher: Dispatcher, events: Events) -> None:
        super().__init__(dispatcher)
        self._events = events
        self._tally = Tally(dispatcher.contexts)

    async def answer(self, request: Request) -> RestResponse:
        check_scope(request, operations.stats.get_stats)
        if request.state.access.tasks or request.state.journal != self.dispatcher.contexts.journal:
            hint = "Ask with a token of that journal."
            raise NotPermitted("These are the figures of the journal that is served by default.", hint=hint)
        text = await self.dispatcher.read(self._text)
        return RestResponse(body=text.encode(), media_type=MEDIA_TYPE)

    def _text(self) -> str:
        self._tally.catch_up()
        lines = [
            *gauge("tallystick_build_info", "Which program this is.", {_build(self.dispatcher.contexts): 1}),
            *self._standing(),
            *counted(self._tally.executions),
            *counted(self._tally.actions),
            *counted(self.dispatcher.requests),
            *counted(self.dispatcher.request_seconds),
            *counted(self.dispatcher.write_seconds),
            *gauge("tallystick_streams_open", "Clients of the event stream.", {(): self._events.open}),
        ]
        return "\n".join(lines) + "\n"

    def _standing(self) -> list[str]:
        """How things stand now."""
        context = self.dispatcher.contexts.caller.context
        open_executions, in_doubt, pending, entries = context.read(_standing)
        bound = f"at most {MOST} are counted"
        return [
            *gauge(
                "tallystick_executions_open", f"Executions that have not ended, by status; {bound}.", open_executions
            ),
            *gauge("tallystick_in_doubt", f"Actions in doubt; {bound}.", {(): in_doubt}),
            *gauge("tallystick_approvals_pending", f"Questions that nobody has answered; {bound}.", {(): pending}),
            *gauge("tallystick_entries", "Entries in the journal.", {(): entries}),
            *gauge(
                "tallystick_spool_behind_bytes",
                "Bytes that hooks have seen and that are not in the journal yet.",
                {(): context.principal.spool_behind},
            ),
        ]


class Tally:
    """What has landed since this process was started."""

    def __init__(self, contexts: JournalContexts) -> None:
        self.executions = Counter("tallystick_executions_total", "Executions started, and ended by status.")
        self.actions = Counter("tallystick_actions_total", "Actions begun, doubted, and ended by outcome.")
        self._contexts = contexts
        self._lock = Lock()
        self._place: int | None = None

    def catch_up(self) -> None:
        """Read what is new, up to a bound."""
        context = self._contexts.caller.context
        with self._lock:
            if self._place is None:
                self._place = context.store.wait(context.journal, after=0, seconds=0)
            for _ in range(PAGES):
                page = operations.CATALOGUE["read_entries"](context, {"after": self._place, "limit": 100})
                for entry in page.entries:
                    self._count(entry)
                self._place = max(self._place, page.last_seq)
                if not page.more:
                    return

    def _count(self, entry: EntryView) -> None:
        if entry.kind == "execution_started":
            self.executions.add(status="started")
        elif entry.kind == "execution_ended":
            self.executions.add(status=str(entry.facts["status"]))
        elif entry.kind == "action_begun":
            self.actions.add(outcome="begun")
        elif entry.kind == "action_doubted":
            self.actions.add(outcome="doubted")
        elif entry.kind == "action_ended":
            self.actions.add(outcome=str(entry.facts["outcome"]))


def _standing(view: View) -> tuple[dict[Labels, float], int, int, int]:
    executions: dict[Labels, float] = {
        (("status", status),): len(view.find(Execution, Select(where={"status": status}, limit=MOST)))
        for status in OPEN_STATUSES
    }
    now = view.now()
    asked = view.find(Approval, Select(where={"status": "pending"}, limit=MOST))
    pending = [row for row in asked if not row.expires or row.expires > now]
    return executions, len(doubts_of(view, limit=MOST)), len(pending), view.head().seq


def _build(contexts: JournalContexts) -> Labels:
    store = contexts.caller.context.settings.url.partition(":")[0]
    return (("version", __version__), ("python", platform.python_version()), ("store", store))


# ----------------------------------------------------------------------------------------------------------------------
# Whether the server lives, whether it can do its work, and which one it is.

PATIENCE_SECONDS = 5.0
"""A check that takes longer has failed."""


class Alive(Endpoint):
    """It answers, so it lives."""

    async def answer(self, request: Request) -> RestResponse:
        return _said({"alive": True})


class Version(Endpoint):
    """Which program, and which of its interfaces."""

    async def answer(self, request: Request) -> RestResponse:
        return _said({"name": "tallystick", "version": __version__, "api": "v1"})


class Ready(Endpoint):
    """Each thing that it needs, by its name, and what is wrong with it. One look is shared by all who ask meanwhile."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        super().__init__(dispatcher)
        self._looking: asyncio.Task[dict[str, str]] | None = None

    async def answer(self, request: Request) -> RestResponse:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(self._looked())
        wrong = await asyncio.shield(self._looking)
        may_know = bool(request.state.access.scopes)  # an error may name a path or a host
        told = {name: {"ok": not why, **({"problem": why} if why and may_know else {})} for name, why in wrong.items()}
        ready = not any(wrong.values())
        return _said({"ready": ready, "checks": told}, 200 if ready else 503)

    async def _looked(self) -> dict[str, str]:
        context = self.dispatcher.contexts.caller.context
        return {name: await self._problem(check, context) for name, check in CHECKS.items()}

    async def _problem(self, check: Callable[[OperationContext], None], context: OperationContext) -> str:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self.dispatcher.read(lambda: check(context))
        except TimeoutError:
            return f"no answer within {PATIENCE_SECONDS:g} seconds"
        except Exception as error:
            return str(error)[:400] or type(error).__name__
        return ""


def _read(context: OperationContext) -> None:
    context.read(lambda view: view.head())


def _write(context: OperationContext) -> None:
    context.store.write(context.journal, lambda ledger: ledger.head())  # the lock is taken, and nothing is appended


def _migrated(context: OperationContext) -> None:
    """A store of another version is refused when it is opened, and one that was upgraded meanwhile when it is read."""
    context.store.journals()


def _spooled(context: OperationContext) -> None:
    env = environment.for_store(os.environ, context.settings.url)
    why = spool_file.spool_problem(spool_file.path(environment.spool_folder(env), context.journal))
    if why:
        raise OSError(why)


CHECKS: dict[str, Callable[[OperationContext], None]] = {
    "store_read": _read,
    "store_write": _write,
    "migrations": _migrated,
    "spool": _spooled,
}


def _said(value: dict[str, Any], status: int = 200) -> RestResponse:
    return RestResponse(status=status, body=msgspec.json.encode(value))
