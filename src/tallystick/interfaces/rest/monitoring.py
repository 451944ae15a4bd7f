"""`GET /metrics`: what Prometheus asks for, of the journal that is served by default and of this process.

What is open is counted as it is now, up to a bound. What has ended is counted from the entries that landed since this
process was started, whoever wrote them. So a scrape costs the same in a journal of any length.
"""

import platform
from threading import Lock

from starlette.requests import Request

from tallystick import operations
from tallystick.core.errors import NotPermitted
from tallystick.core.state import Approval, Execution
from tallystick.core.version import __version__
from tallystick.doors.desks import Desks
from tallystick.doors.rest.answers import Answer
from tallystick.doors.rest.asking import check_scope
from tallystick.doors.rest.door import Door
from tallystick.doors.rest.events import Events
from tallystick.doors.rest.figures import Counter, Labels, counted, gauge
from tallystick.doors.rest.resource import Endpoint
from tallystick.operations.entries import EntryView
from tallystick.operations.handles import OPEN
from tallystick.operations.standing import doubts_of
from tallystick.store.port import Select, View

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
MOST = 1000
"""So many of what is open are counted, and no more."""
PAGES = 50
"""How many pages of 100 entries one scrape reads at most; the next one goes on."""


class Metrics(Endpoint):
    """The page that Prometheus reads."""

    def __init__(self, door: Door, events: Events) -> None:
        super().__init__(door)
        self._events = events
        self._tally = Tally(door.desks)

    async def answer(self, request: Request) -> Answer:
        check_scope(request, operations.stats.get_stats)
        if request.state.access.tasks or request.state.journal != self.door.desks.journal:
            hint = "Ask with a token of that journal."
            raise NotPermitted("These are the figures of the journal that is served by default.", hint=hint)
        text = await self.door.read(self._text)
        return Answer(body=text.encode(), media_type=MEDIA_TYPE)

    def _text(self) -> str:
        self._tally.catch_up()
        lines = [
            *gauge("tallystick_build_info", "Which program this is.", {_build(self.door.desks): 1}),
            *self._standing(),
            *counted(self._tally.executions),
            *counted(self._tally.actions),
            *counted(self.door.requests),
            *counted(self.door.request_seconds),
            *counted(self.door.write_seconds),
            *gauge("tallystick_streams_open", "Clients of the event stream.", {(): self._events.open}),
        ]
        return "\n".join(lines) + "\n"

    def _standing(self) -> list[str]:
        """How things stand now."""
        desk = self.door.desks.caller.desk
        open_executions, in_doubt, pending, entries = desk.read(_standing)
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
                {(): desk.asker.spool_behind},
            ),
        ]


class Tally:
    """What has landed since this process was started."""

    def __init__(self, desks: Desks) -> None:
        self.executions = Counter("tallystick_executions_total", "Executions started, and ended by status.")
        self.actions = Counter("tallystick_actions_total", "Actions begun, doubted, and ended by outcome.")
        self._desks = desks
        self._lock = Lock()
        self._place: int | None = None

    def catch_up(self) -> None:
        """Read what is new, up to a bound."""
        desk = self._desks.caller.desk
        with self._lock:
            if self._place is None:
                self._place = desk.store.wait(desk.journal, after=0, seconds=0)
            for _ in range(PAGES):
                page = operations.CATALOGUE["read_entries"](desk, {"after": self._place, "limit": 100})
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
        for status in OPEN
    }
    now = view.now()
    asked = view.find(Approval, Select(where={"status": "pending"}, limit=MOST))
    pending = [row for row in asked if not row.expires or row.expires > now]
    return executions, len(doubts_of(view, limit=MOST)), len(pending), view.head().seq


def _build(desks: Desks) -> Labels:
    store = desks.caller.desk.settings.url.partition(":")[0]
    return (("version", __version__), ("python", platform.python_version()), ("store", store))
