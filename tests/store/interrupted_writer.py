"""A process whose records are interrupted at any line: it goes on, and so does everybody else.

Run as `python -m tests.store.interrupted_writer URL INTERRUPTS SEED THREADS`; prints how many interrupts there were.
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


class Struck(BaseException):
    """Raised by the signal handler."""


def _strike(number: int, frame: FrameType | None) -> None:
    raise Struck


def _write(store: AnyStore, draft: Draft) -> None:
    store.write(JOURNAL, lambda ledger: ledger.append(draft))


def _beside(store: AnyStore, stop: Event) -> None:
    """Another thread, which may be written for by the one that is struck, and is told so."""
    while not stop.is_set():
        try:
            _write(store, note('"beside"'))
        except StorageUnavailable as error:
            if "interrupted" not in str(error):
                raise


def main(url: str, interrupts: int, chance: random.Random, threads: int) -> int:
    store, stop, struck = open_store(url), Event(), 0
    _write(store, note('"first"'))
    beside = [Thread(target=_beside, args=(store, stop), daemon=True) for _ in range(threads)]
    for thread in beside:
        thread.start()
    signal.signal(signal.SIGALRM, _strike)
    while struck < interrupts:
        try:
            signal.setitimer(signal.ITIMER_REAL, chance.uniform(0.00002, 0.0008))
            try:
                _write(store, note('"struck"'))
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except Struck:
            struck += 1
        _write(store, note('"healthy"'))
    stop.set()
    for thread in beside:
        thread.join(20)
        assert not thread.is_alive()
    store.close()
    return struck


if __name__ == "__main__":
    print(main(sys.argv[1], int(sys.argv[2]), random.Random(sys.argv[3]), int(sys.argv[4])))
