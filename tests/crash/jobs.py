"""The jobs of the processes that are killed: they record without pause, and report each acknowledged call."""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from threading import Lock, Thread
from typing import Any

from tallystick import Actor, Journal
from tallystick.core.errors import TallystickError
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.receipts import Receipt
from tallystick.sdk.local import Local
from tallystick.settings import Settings
from tallystick.store.interface import Store
from tallystick.store.sql import tail
from tests.capture.harness import Watched
from tests.crash import faults
from tests.crash.fork_server import Report, wait_until_resumed
from tests.memory_folders import quick_folder
from tests.stores import open_store

JOURNAL = "crash"
NOBODY = 65534
ENTRIES_PER_BATCH = 3
"""All entries of a batch are stored, or none."""


def journal_at(store: Store, name: str = "writer") -> Journal:
    return Journal(
        Local(OperationContext(store, Settings(url="", journal=JOURNAL, actor=name), Principal(actor=Actor(name=name))))
    )


def write(
    report: Report, channel: socket.socket, url: str, seed: str, point: str = "", nth: int = 0, threads: int = 1
) -> None:
    """Record until killed; at the nth passing of a named point the process kills itself."""
    tail.ENTRIES_PER_FLUSH = Random(seed).choice((1, 3, 8)) if point else Random(seed).choice((1, 16, 128))
    store = open_store(url, fault=_killing(point, nth) if point else None)
    one_at_a_time = Lock()

    def acknowledge(receipt: Receipt) -> None:
        with one_at_a_time:
            report([receipt.seq, receipt.id, receipt.hash])

    def work(number: int) -> None:
        for receipt in _work(journal_at(store), Random(f"{seed}/{number}"), f"{seed}/{number}"):
            acknowledge(receipt)

    crowd = [Thread(target=work, args=(number,)) for number in range(1, threads)]
    for thread in crowd:
        thread.start()
    work(0)


def begin(report: Report, channel: socket.socket, url: str, seed: str, actions: int) -> None:
    """Begin some actions and report them; when resumed, end them all."""
    journal = journal_at(open_store(url))
    journal.record_execution_start(title=seed)
    begun = [journal.record_action(phase="begin", tool="act", arguments={"n": n, "by": seed}) for n in range(actions)]
    report([receipt.id for receipt in begun])
    wait_until_resumed(channel)
    for receipt in begun:
        journal.record_action(phase="end", action_id=receipt.id, outcome="ok")
    report("ended")
    wait_until_resumed(channel)


def fill(report: Report, channel: socket.socket, url: str, pages: int = 0, body: int = 4000) -> None:
    """Record until the store refuses, and report the error; when resumed, record once more."""
    store = open_store(url)
    if pages:
        store._writer.rows(f"pragma max_page_count = {pages}")  # type: ignore[union-attr]
    journal = journal_at(store)
    execution = journal.record_execution_start(title="fill")
    report([execution.seq, execution.id, execution.hash])
    for number in range(100_000):
        try:
            receipt = journal.record_action(phase="note", summary=f"{number} " + "x" * body)
        except TallystickError as error:
            report({"code": error.code, "message": str(error)})
            break
        report([receipt.seq, receipt.id, receipt.hash])
    wait_until_resumed(channel)
    if pages:
        store._writer.rows("pragma max_page_count = 1000000")  # type: ignore[union-attr]
    receipt = journal.record_action(phase="note", summary="there is room again")
    report([receipt.seq, receipt.id, receipt.hash])


def write_on_failing_disk(report: Report, channel: socket.socket, url: str, kind: str, nth: int, lasting: bool) -> None:
    """A short script on a disk that fails at its nth use: reports what was acknowledged, and each error.

    After an error it waits to be resumed or killed. At the end the disk is repaired and it writes once more.
    """
    tail.ENTRIES_PER_FLUSH = 4  # so that flushing rows fails too
    disk = faults.Disk(kind, nth, lasting=lasting)
    disk.arm()
    try:
        journal = journal_at(open_store(url))
    except TallystickError as error:
        report({"code": error.code, "message": str(error)})
        wait_until_resumed(channel)
        disk.mend()
        journal = journal_at(open_store(url))
    for step in _script(journal):
        try:
            receipt = step()
        except TallystickError as error:
            report({"code": error.code, "message": str(error)})
            wait_until_resumed(channel)
        else:
            report([receipt.seq, receipt.id, receipt.hash])
    disk.mend()
    report({"uses": disk.uses})
    receipt = journal.record_context(key="mended", value=nth)
    report([receipt.seq, receipt.id, receipt.hash])


def open_once(report: Report, channel: socket.socket, url: str, point: str, nth: int) -> None:
    """Open a new store and die while it is created."""
    journal_at(open_store(url, fault=_killing(point, nth))).record_context(key="opened", value=nth)


def open_as_nobody(report: Report, channel: socket.socket, url: str) -> None:
    """Open and write a store without the rights to, and report the error."""
    if os.getuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    try:
        journal_at(open_store(url)).record_context(key="written", value=True)
    except TallystickError as error:
        report({"code": error.code, "message": str(error)})


def _script(journal: Journal) -> Iterator[Callable[[], Receipt]]:
    """Calls that do not need each other, so that each one may be refused alone."""
    for number in range(4):
        yield partial(journal.record_execution_start, title="x" * 1500)
        yield partial(journal.record_context, key=f"k{number}", value="y" * 3000)


def _work(journal: Journal, random: Random, tag: str) -> Iterator[Receipt]:
    """Records of all sorts, one after another, without end; yields each receipt once it is acknowledged."""
    execution = journal.record_execution_start(title=tag)
    yield execution
    mine: list[str] = []
    number = 0
    while True:
        number += 1
        what = random.random()
        if what < 0.45:
            begun = journal.record_action(
                phase="begin", execution_id=execution.id, tool="act", arguments={"tag": tag, "n": number}
            )
            mine.append(begun.id)
            yield begun
        elif what < 0.8 and mine:
            action = mine.pop(random.randrange(len(mine)))
            yield journal.record_action(phase="end", action_id=action, outcome="ok", result={"n": number})
        elif what < 0.9:
            yield from _batch(journal, f"{tag}/{number}")
        elif what < 0.95:
            yield journal.record_decision(decision="stop", execution_id=execution.id, why="enough")
            execution = journal.record_execution_start(title=tag)
            mine.clear()
            yield execution
        else:
            yield journal.record_plan(title=tag, steps=[{"title": "one", "cancellable": "reversible"}])  # type: ignore[list-item]


def _batch(journal: Journal, tag: str) -> tuple[Receipt, ...]:
    records: Any = [
        {"operation": "record_context", "arguments": {"key": f"batch/{tag}/{part}", "value": part}}
        for part in range(ENTRIES_PER_BATCH)
    ]
    return tuple(journal.record_batch(records=records).receipts)


def _killing(point: str, nth: int) -> Callable[[str], None]:
    left = nth

    def fault(name: str) -> None:
        nonlocal left
        if name == point:
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    return fault


def warm_up() -> None:
    """Load and compile once, before the forks, what every child would load for itself."""
    import tallystick.store.postgres.store  # noqa: F401

    with quick_folder() as folder:
        for url in ("memory:", f"sqlite://{folder / 'journal.db'}"):
            store = open_store(url)
            for _, _ in zip(range(60), _work(journal_at(store), Random(0), "warm"), strict=False):
                pass
            store.close()


def drain(
    report: Report, channel: socket.socket, url: str, folder: str, journal: str, point: str = "", nth: int = 0
) -> None:
    """Drain what hooks have spooled; at the nth passing of a named point the process kills itself."""
    from tallystick.capture.ingest import spool_drainer

    spool_drainer.RECORDS_PER_COMMIT = 3
    watched = Watched(open_store(url), Path(folder), journal)
    report("ready")
    wait_until_resumed(channel)
    drained = watched.drain(on_crash_point=_killing(point, nth))
    report([drained.recorded, drained.waiting])


JOBS: dict[str, Callable[..., None]] = {
    job.__name__: job for job in (write, begin, fill, write_on_failing_disk, open_once, open_as_nobody, drain)
}
