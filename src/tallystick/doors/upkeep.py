"""Doors bring the journal up to date with what hooks have seen: before they answer, and where they stay, when idle."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Thread

from tallystick.calls import Local
from tallystick.core.errors import TallystickError


def upkeep(caller: Local, env: Mapping[str, str]) -> Callable[[], None]:
    """What to do before a call is answered. It costs one look at a file's size, unless something waits."""

    def before() -> None:
        from tallystick.capture.drain import keep_up  # not before a server was asked for something

        with suppress(TallystickError):  # a store that cannot be used says so when it is asked
            keep_up(caller, env)

    return before


@contextmanager
def now_and_then(work: Callable[[], None], seconds: float) -> Iterator[None]:
    """Do it every so many seconds, beside what is done meanwhile."""
    over = Event()

    def look() -> None:
        while not over.wait(seconds):
            work()

    thread = Thread(target=look, name="upkeep", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
