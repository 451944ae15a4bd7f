"""Doors bring the journal up to date with what hooks have seen: before they answer, and where they stay, when idle."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

from tallystick.calls import Local
from tallystick.core.errors import TallystickError

if TYPE_CHECKING:
    from tallystick.capture.drain import Lookout


def upkeep(caller: Local, env: Mapping[str, str]) -> Callable[[], None]:
    """What to do before a call is answered. It costs a look at the sizes of few files, unless something waits."""
    lookout: Lookout | None = None

    def before() -> None:
        nonlocal lookout
        from tallystick.capture.drain import Lookout  # not before a server was asked for something

        with suppress(TallystickError):  # a store that cannot be used says so when it is asked
            lookout = lookout or Lookout(caller, env)
            lookout.keep_up()

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
