"""A process with records that are interrupted at any line: it goes on, and so does every other writer.

Run as `python -m tests.store.interrupted_writer URL INTERRUPTS SEED THREADS KIND`; prints how many there were.
"""

import random
import signal
import sys
from threading import Event, Thread
from types import FrameType

from tallystick import StorageUnavailable
from tallystick.core.entries import Draft
from tests.store.drafts import note
from tests.stores import AnyStore, open_store

JOURNAL = "interrupted"


class Interrupted(BaseException):
    """Raised by the signal handler, as Ctrl-C does."""


class TimeIsUp(Exception):
    """Raised by the signal handler, as the time limit of a task queue does."""


KINDS: dict[str, type[BaseException]] = {"interrupt": Interrupted, "timeout": TimeIsUp}


def _write(store: AnyStore, draft: Draft) -> None:
    store.write(JOURNAL, lambda ledger: ledger.append(draft))


def _write_beside(store: AnyStore, stop: Event) -> None:
    """Write in another thread. Its record may be in the group commit of the interrupted thread, and then fails."""
    while not stop.is_set():
        try:
            _write(store, note('"beside"'))
        except StorageUnavailable as error:
            if "interrupted" not in str(error):
                raise


def main(url: str, interrupts: int, chance: random.Random, threads: int, kind: type[BaseException]) -> int:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise kind

    store, stop, interrupted = open_store(url), Event(), 0
    _write(store, note('"first"'))
    beside = [Thread(target=_write_beside, args=(store, stop), daemon=True) for _ in range(threads)]
    for thread in beside:
        thread.start()
    signal.signal(signal.SIGALRM, interrupt)
    while interrupted < interrupts:
        try:
            signal.setitimer(signal.ITIMER_REAL, chance.uniform(0.00002, 0.0008))
            try:
                _write(store, note('"struck"'))
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.pthread_sigmask(signal.SIG_BLOCK, ())  # runs a handler that is due: other threads may delay it
        except kind:
            interrupted += 1
        _write(store, note('"healthy"'))
    stop.set()
    for thread in beside:
        thread.join(20)
        assert not thread.is_alive()
    store.close()
    return interrupted


if __name__ == "__main__":
    print(main(sys.argv[1], int(sys.argv[2]), random.Random(sys.argv[3]), int(sys.argv[4]), KINDS[sys.argv[5]]))
