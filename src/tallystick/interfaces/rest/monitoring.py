"""`GET /metrics` for Prometheus, of the default journal and this process; and the probes /livez, /readyz, /version.

Open executions, doubts and approvals are counted as they are now, up to a bound. Ended ones are counted from the
entries that were appended, by any process, since this process started. So a scrape costs the same in a journal of any
length.
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
from tallystick.interfaces.rest.counters import Counter, Labels, gauge, metric_lines
from tallystick.interfaces.rest.dispatch import Dispatcher
from tallystick.interfaces.rest.endpoints import Endpoint
from tallystick.interfaces.rest.events import Events
from tallystick.interfaces.rest.requests import check_scope
from tallystick.interfaces.rest.responses import RestResponse
from tallystick.interfaces.rest.run_figures import run_lines
from tallystick.operations.notifications.documents import read_position, read_state, read_webhooks
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.progress import approval_status, doubts_of
from tallystick.operations.views.entries import EntryView
from tallystick.operations.views.figures.stats import count_interrupted
from tallystick.store.interface import Select, View
from tallystick.version import __version__

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
MAX_COUNTED = 1000
"""Open items are counted up to this number."""
MAX_PAGES = 50
"""The most pages of 100 entries that one scrape reads; the next one continues."""


class Metrics(Endpoint):
    """The page that Prometheus reads."""

    label = "metrics"

    def __init__(self, dispatcher: Dispatcher, events: Events) -> None:
        super().__init__(dispatcher)
        self._events = events
        self._entry_counters = EntryCounters(dispatcher.contexts)

    async def answer(self, request: Request) -> RestResponse:
        check_scope(request, operations.stats.get_stats)
        if request.state.access.tasks or request.state.journal != self.dispatcher.contexts.journal:
            hint = "Use a token of that journal that is not limited to tasks."
            raise NotPermitted("/metrics shows the default journal of this server only.", hint=hint)
        text = await self.dispatcher.read(self._text)
        return RestResponse(body=text.encode(), media_type=MEDIA_TYPE)

    def _text(self) -> str:
        self._entry_counters.catch_up()
        lines = [
            *gauge("tallystick_build_info", "The running version.", {_build(self.dispatcher.contexts): 1}),
            *self._current_state(),
            *run_lines(self.dispatcher.contexts.caller.context, MAX_COUNTED),
            *self.dispatcher.contexts.caller.context.read(_webhook_lines),
            *metric_lines(self._entry_counters.executions),
            *metric_lines(self._entry_counters.actions),
            *metric_lines(self.dispatcher.requests),
            *metric_lines(self.dispatcher.request_seconds),
            *metric_lines(self.dispatcher.write_seconds),
            *gauge("tallystick_streams_open", "Clients of the event stream.", {(): self._events.open}),
        ]
        return "\n".join(lines) + "\n"

    def _current_state(self) -> list[str]:
        context = self.dispatcher.contexts.caller.context
        open_executions, in_doubt, pending, entries = context.read(_count_open)
        bound = f"at most {MAX_COUNTED} are counted"
        return [
            *gauge(
                "tallystick_executions_open",
                f"Executions that have not ended, by status, or interrupted; {bound}.",
                open_executions,
            ),
            *gauge("tallystick_in_doubt", f"Actions in doubt; {bound}.", {(): in_doubt}),
            *gauge("tallystick_approvals_pending", f"Approvals without an answer; {bound}.", {(): pending}),
            *gauge("tallystick_entries", "Entries in the journal.", {(): entries}),
            *gauge(
                "tallystick_spool_behind_bytes",
                "Bytes that hooks have spooled and that are not in the journal yet.",
                {(): context.principal.spool_behind},
            ),
        ]


class EntryCounters:
    """Counts the entries that were appended since this process started."""

    def __init__(self, contexts: JournalContexts) -> None:
        self.executions = Counter("tallystick_executions_total", "Executions started, and ended by status.")
        self.actions = Counter("tallystick_actions_total", "Actions begun, doubted, and ended by outcome.")
        self._contexts = contexts
        self._lock = Lock()
        self._position: int | None = None

    def catch_up(self) -> None:
        """Read new entries, up to a bound."""
        context = self._contexts.caller.context
        with self._lock:
            if self._position is None:
                self._position = context.store.wait(context.journal, after=0, seconds=0)
            for _ in range(MAX_PAGES):
                page = operations.CATALOGUE["read_entries"](context, {"after": self._position, "limit": 100})
                for entry in page.entries:
                    self._count(entry)
                self._position = max(self._position, page.last_seq)
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


def _count_open(view: View) -> tuple[dict[Labels, float], int, int, int]:
    interrupted, _ = count_interrupted(view, MAX_COUNTED)
    executions: dict[Labels, float] = {
        (("status", status),): len(view.find(Execution, Select(where={"status": status}, limit=MAX_COUNTED)))
        - interrupted[status]
        for status in OPEN_STATUSES
    }
    executions[(("status", "interrupted"),)] = interrupted.total()
    approvals = view.find(Approval, Select(where={"status": "pending"}, limit=MAX_COUNTED))
    pending = [row for row in approvals if approval_status(view, row) == "pending"]
    return executions, len(doubts_of(view, limit=MAX_COUNTED)), len(pending), view.head().seq


def _webhook_lines(view: View) -> list[str]:
    """The figures of all webhooks together, whichever process delivers: they are kept in the store."""
    webhooks = read_webhooks(view)
    states = [read_state(view, each) for each in webhooks]
    deliveries = Counter(
        "tallystick_webhook_deliveries_total", "Attempts to deliver to webhooks that are there, by result."
    )
    deliveries.add(sum(each.delivered for each in states), result="delivered")
    deliveries.add(sum(each.failed for each in states), result="failed")
    now = view.now()
    words: dict[Labels, float] = {(("state", state),): 0 for state in ("active", "paused", "disabled")}
    for each in states:
        words[(("state", each.word(now)),)] += 1
    behind = [view.head().seq - read_position(view, each).seq for each in webhooks]
    return [
        *metric_lines(deliveries),
        *gauge("tallystick_webhooks", "Webhooks by state.", words),
        *gauge(
            "tallystick_webhook_waiting",
            "Deliveries to be tried again.",
            {(): sum(len(each.waiting) for each in states)},
        ),
        *gauge("tallystick_webhook_dead", "Deliveries that were given up.", {(): sum(each.dead for each in states)}),
        *gauge(
            "tallystick_webhook_behind",
            "Entries that the last webhook was not asked about yet.",
            {(): max(behind, default=0)},
        ),
    ]


def _build(contexts: JournalContexts) -> Labels:
    store = contexts.caller.context.settings.url.partition(":")[0]
    return (("version", __version__), ("python", platform.python_version()), ("store", store))


# ----------------------------------------------------------------------------------------------------------------------
# Probes.

CHECK_SECONDS = 5.0
"""A check that takes longer has failed."""


class Alive(Endpoint):
    """The process answers."""

    label = "alive"

    async def answer(self, request: Request) -> RestResponse:
        return _json({"alive": True})


class Version(Endpoint):
    """The version of the program and of the API."""

    label = "version"

    async def answer(self, request: Request) -> RestResponse:
        return _json({"name": "tallystick", "version": __version__, "api": "v1"})


class Ready(Endpoint):
    """Checks what the server needs; 503 if one fails. Concurrent requests share one run of the checks."""

    label = "ready"

    def __init__(self, dispatcher: Dispatcher) -> None:
        super().__init__(dispatcher)
        self._checking: asyncio.Task[dict[str, str]] | None = None

    async def answer(self, request: Request) -> RestResponse:
        if self._checking is None or self._checking.done():
            self._checking = asyncio.ensure_future(self._run_checks())
        problems = await asyncio.shield(self._checking)
        shows_problems = bool(request.state.access.scopes)  # an error may name a path or a host
        checks = {
            name: {"ok": not problem, **({"problem": problem} if problem and shows_problems else {})}
            for name, problem in problems.items()
        }
        is_ready = not any(problems.values())
        return _json({"ready": is_ready, "checks": checks}, 200 if is_ready else 503)

    async def _run_checks(self) -> dict[str, str]:
        context = self.dispatcher.contexts.caller.context
        return {name: await self._problem(check, context) for name, check in CHECKS.items()}

    async def _problem(self, check: Callable[[OperationContext], None], context: OperationContext) -> str:
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                await self.dispatcher.read(lambda: check(context))
        except TimeoutError:
            return f"no answer within {CHECK_SECONDS:g} seconds"
        except Exception as error:
            return str(error)[:400] or type(error).__name__
        return ""


def _check_read(context: OperationContext) -> None:
    context.read(lambda view: view.head())


def _check_write(context: OperationContext) -> None:
    context.store.write(context.journal, lambda ledger: ledger.head())  # takes the lock, and appends nothing


def _check_migrations(context: OperationContext) -> None:
    """A store of another version fails when it is opened; one that was migrated since then fails when it is read."""
    context.store.journals()


def _check_spool(context: OperationContext) -> None:
    env = environment.for_store(os.environ, context.settings.url)
    why = spool_file.spool_problem(spool_file.path(environment.spool_folder(env), context.journal))
    if why:
        raise OSError(why)


CHECKS: dict[str, Callable[[OperationContext], None]] = {
    "store_read": _check_read,
    "store_write": _check_write,
    "migrations": _check_migrations,
    "spool": _check_spool,
}


def _json(value: dict[str, Any], status: int = 200) -> RestResponse:
    return RestResponse(status=status, body=msgspec.json.encode(value))
