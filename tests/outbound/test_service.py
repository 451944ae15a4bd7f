"""The background service: a part that fails is started again, and neither it nor a wrong option harms the others."""

import logging
from threading import Event

import pytest

from tallystick.core.errors import InvalidArgument
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.outbound.service import FollowedJournals, OutboundService, outbound_options
from tallystick.settings import Settings
from tallystick.store.memory import MemoryStore
from tests.store.drafts import note
from tests.store.sample_journal import append
from tests.stores import Clock

SETTINGS = Settings(url="", journal="main", actor="agent")


class Waits(Event):
    """A stop that notes how long it is waited for, and does not let anybody wait."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.seconds: list[float | None] = []
        self._most = most

    def wait(self, timeout: float | None = None) -> bool:
        self.seconds.append(timeout)
        if len(self.seconds) == self._most:
            self.set()
        return self.is_set()


class Failing:
    name = "failing"

    def __init__(self, seconds: float = 0) -> None:
        self.starts = 0
        self.now = 0.0
        self._seconds = seconds

    def run(self, stop: Event) -> None:
        self.starts += 1
        self.now += self._seconds
        raise RuntimeError("the secret text of a model")


class Working:
    name = "working"

    def __init__(self) -> None:
        self.running = Event()
        self.was_stopped = False

    def run(self, stop: Event) -> None:
        self.running.set()
        self.was_stopped = stop.wait(30)


def test_a_part_that_fails_is_started_again_later_and_later(caplog: pytest.LogCaptureFixture) -> None:
    part, stop = Failing(), Waits(9)
    with caplog.at_level(logging.INFO, "tallystick.outbound"):
        OutboundService([part], lambda: part.now).keep_running(part, stop)
    assert stop.seconds == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert part.starts == 9
    errors = [record.__dict__["fields"]["error"] for record in caplog.records]
    assert errors == ["RuntimeError"] * 9
    assert "secret text" not in caplog.text


def test_a_part_that_had_run_for_long_is_started_again_soon() -> None:
    part, stop = Failing(seconds=3600), Waits(3)
    OutboundService([part], lambda: part.now).keep_running(part, stop)
    assert stop.seconds == [1, 1, 1]


def test_the_other_parts_go_on_and_all_end_with_the_service() -> None:
    failing, working = Failing(), Working()
    with OutboundService([failing, working]).running():
        assert working.running.wait(30)
    assert working.was_stopped


def test_a_part_that_ends_by_itself_is_not_started_again() -> None:
    starts = []

    class Ending:
        name = "ending"

        def run(self, stop: Event) -> None:
            starts.append(stop)

    OutboundService([]).keep_running(Ending(), Event())
    assert len(starts) == 1


def test_all_journals_are_followed_or_one(clock: Clock) -> None:
    store = MemoryStore(clock)
    append(store, note(), journal="other")
    context = OperationContext(store, SETTINGS, Principal())
    everything, one = FollowedJournals(context), FollowedJournals(context, only=True)
    assert [each.journal for each in everything.contexts()] == ["main", "other"]
    append(store, note(), journal="third")
    assert [each.journal for each in everything.contexts()] == ["main", "other", "third"]
    assert [each.journal for each in one.contexts()] == ["main"]


def test_options_come_from_the_settings_and_the_command() -> None:
    settings = Settings(url="", journal="j", actor="a", deliver_to=("a.example",), public_url="https://page.example")
    options = outbound_options(settings, ["B.example:80"])
    assert (options.deliver_to, options.public_url) == (("a.example", "b.example:80"), "https://page.example")
    assert outbound_options(settings, (), "http://other.example/base").public_url == "http://other.example/base"
    for wrong in ("page.example", "ftp://page.example", "https://page.example/?x=1", "https://a b"):
        with pytest.raises(InvalidArgument, match="not an address of a page"):
            outbound_options(settings, (), wrong)
