"""The crash campaigns, of any size: `make test` runs them small, `make torture` large. Each returns its counts."""

import os
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.crash.acknowledged import Account, in_doubt
from tests.crash.fork_server import Child, ForkServer
from tests.crash.jobs import JOURNAL, journal_at
from tests.memory_folders import quick_folder
from tests.stores import open_store

POINTS = ("decided", "writing", "rows_flushed", "written", "before_commit", "after_commit")
"""The named points of the write path, the same for every SQL store."""
KILLS_PER_FILE = 25
"""Kills before a new file is begun: each check stays small, and creating a file is tested too."""


def kill_at_points(fork_server: ForkServer, urls: Iterator[str], kills: int, random: Random) -> Counter[str]:
    """One process after another dies at the nth passing of a named point."""
    counts: Counter[str] = Counter()
    for account, number in _accounts(urls, kills):
        point = POINTS[number % len(POINTS)]
        child = fork_server.start("write", url=account.url, seed=f"p{number}", point=point, nth=random.randint(1, 24))
        child.wait()
        _count_kill(account, child, counts)
        account.check()
        counts[point] += 1
    return counts


def kill_under_load(
    fork_server: ForkServer, urls: Iterator[str], kills: int, random: Random, writers: int = 4
) -> Counter[str]:
    """Several processes write, some with many threads; each dies at a random instant, and the rest write on."""
    counts: Counter[str] = Counter()
    for account, number in _accounts(urls, kills // writers):
        children = [
            fork_server.start("write", url=account.url, seed=f"l{number}/{index}", threads=random.choice((1, 1, 8)))
            for index in range(writers)
        ]
        for child in children:
            counts["acknowledged"] += account.add(_receive_receipts(child, random.randint(1, 12)))
            _wait_a_random_time(random)
            child.kill()
        for child in children:
            _count_kill(account, child, counts)
        account.check()
    return counts


def kill_and_restart(fork_server: ForkServer, url: str, kills: int, random: Random, writers: int = 32) -> Counter[str]:
    """Many processes write one file at once; each one that is killed is replaced."""
    counts: Counter[str] = Counter()
    account = Account(url)
    numbers = iter(range(1_000_000))
    alive = [fork_server.start("write", url=url, seed=f"r{next(numbers)}") for _ in range(writers)]
    for child in alive:
        counts["acknowledged"] += account.add(_receive_receipts(child, 1))
    for _ in range(kills):
        index = random.randrange(writers)
        counts["acknowledged"] += account.add(_receive_receipts(alive[index], random.randint(0, 3)))
        alive[index].kill()
        _count_kill(account, alive[index], counts)
        alive[index] = fork_server.start("write", url=url, seed=f"r{next(numbers)}")
    for child in alive:
        child.kill()
        _count_kill(account, child, counts)
    account.check()
    account.check_rows()
    return counts


def doubt(fork_server: ForkServer, url: str, rounds: int, random: Random) -> Counter[str]:
    """Kill between begin and end. A reader sees the action in doubt at once, and once; that of a stopped process is
    not."""
    counts: Counter[str] = Counter()
    store = open_store(url)
    reader = journal_at(store, "reader")
    lost: set[str] = set()
    for number in range(rounds):
        child = fork_server.start("begin", url=url, seed=f"d{number}", actions=random.randint(1, 4))
        begun = set(child.receive())
        if random.random() < 0.3:
            child.signal(signal.SIGSTOP)
            counts["stopped"] += 1
        assert sorted(in_doubt(reader)) == sorted(lost)
        if random.random() < 0.2:
            child.signal(signal.SIGCONT)
            child.resume()
            assert child.receive() == "ended"
            child.kill()
        else:
            child.kill()
            lost |= begun
            counts["in doubt"] += len(begun)
        counts["killed"] += 1
        assert sorted(in_doubt(reader)) == sorted(lost)
        child.close()
    reader.record_context(key="looked", value=True)
    assert sorted(in_doubt(reader)) == sorted(lost)
    store.close()
    return counts


def copy_under_load(
    fork_server: ForkServer, folder: Path, copies: int, random: Random, writers: int = 3
) -> Counter[str]:
    """Copy the file and its WAL at random instants, as a machine that stopped would leave them, and open the copy."""
    counts: Counter[str] = Counter()
    path = folder / "journal.db"
    account = Account(f"sqlite://{path}")
    children = [fork_server.start("write", url=account.url, seed=f"c{index}", threads=4) for index in range(writers)]
    for number in range(copies):
        for child in children:
            account.add(_receive_receipts(child, random.randint(1, 20)))
        _wait_a_random_time(random)
        copy = folder / f"copy{number}.db"
        _copy_at_once(children, path, copy)
        _check_copy(Account(f"sqlite://{copy}"), account, counts)
    for child in children:
        child.kill()
        _count_kill(account, child, counts)
    account.check()
    return counts


def fail_everywhere(
    fork_server: ForkServer,
    urls: Iterator[str],
    kind: str,
    *,
    first: int = 1,
    every: int = 1,
    lasting: bool,
    dies: bool,
) -> Counter[str]:
    """The disk fails at each use of it in turn, while the store is made and written: no loss, and a clear refusal.

    A sample begins with the use `first` and takes one of `every`.
    """
    counts: Counter[str] = Counter()
    uses = _fail_at(fork_server, next(urls), kind, 0, counts, lasting=lasting, dies=dies)
    assert not counts["refused"]
    for nth in range(first, uses + 1, every):
        _fail_at(fork_server, next(urls), kind, nth, counts, lasting=lasting, dies=dies)
        counts["failed"] += 1
    return counts


ERROR_TEXTS = {"full": "is full", "readonly": "may not be written", "broken": "failed"}
"""Words in the error for a disk of each kind."""


def _fail_at(
    fork_server: ForkServer, url: str, kind: str, nth: int, counts: Counter[str], *, lasting: bool, dies: bool
) -> int:
    account, uses = Account(url), 0
    child = fork_server.start("write_on_failing_disk", url=url, kind=kind, nth=nth, lasting=lasting)
    while (message := child.receive()) is not None:
        if isinstance(message, list):
            counts["acknowledged"] += account.add([(message[0], message[1], message[2])])
        elif "uses" in message:
            uses = int(message["uses"])
        else:
            assert message["code"] == "storage_unavailable"
            assert ERROR_TEXTS[kind] in message["message"]
            counts["refused"] += 1
            if dies:
                child.kill()
            else:
                child.resume()
    child.close()
    account.check()
    account.check_rows()
    stored = {entry.seq for entry in account.entries if entry.kind != "session_opened"}
    unacknowledged = len(stored - account.acknowledged.keys())
    # A disk that broke while a commit was synced is the one case in which the error says that the outcome is unknown.
    assert unacknowledged <= (1 if kind == "broken" and dies else 0)
    return uses


def new_files(folder: Path) -> Iterator[str]:
    """Addresses of SQLite files that do not exist yet; each is removed when the next one is requested."""
    number = 0
    while True:
        number += 1
        store_folder = folder / f"f{number}"
        store_folder.mkdir()
        yield f"sqlite://{store_folder / 'journal.db'}"
        shutil.rmtree(store_folder)


@contextmanager
def files() -> Iterator[Iterator[str]]:
    with quick_folder() as folder:
        yield new_files(folder)


def _accounts(urls: Iterator[str], rounds: int) -> Iterator[tuple[Account, int]]:
    """Rounds, each with the account of its file; when a file is done with, its rows are checked too."""
    account: Account | None = None
    for number in range(rounds):
        if account is None or number % KILLS_PER_FILE == 0:
            if account:
                account.check_rows()
            account = Account(next(urls))
        yield account, number
    if account:
        account.check_rows()


def _receive_receipts(child: Child, most: int) -> Iterator[tuple[int, str, str]]:
    """Receipts of a living process, as many as asked for."""
    for _ in range(most):
        message = child.receive()
        if message is None:
            return
        yield message


def _count_kill(account: Account, child: Child, counts: Counter[str]) -> None:
    counts["acknowledged"] += account.add_from(child)
    counts["killed"] += 1
    child.close()


def _wait_a_random_time(random: Random) -> None:
    """Wait so that the instant of the kill does not depend on the last receipt. Nothing waits for it."""
    for _ in range(random.randrange(20_000)):
        pass


def _copy_at_once(children: list[Child], path: Path, copy: Path) -> None:
    """Copy while all writers are stopped: the copy is the state of the disk at one instant."""
    for child in children:
        child.signal(signal.SIGSTOP)
    for child in children:
        _wait_until_stopped(child)
    for suffix in ("", "-wal"):
        shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
    for child in children:
        child.signal(signal.SIGCONT)


def _wait_until_stopped(child: Child) -> None:
    while Path(f"/proc/{child.process}/stat").read_text().rpartition(")")[2].split()[0] not in ("T", "t"):
        os.sched_yield()


def _check_copy(copied: Account, original: Account, counts: Counter[str]) -> None:
    """A copy verifies, holds all that had been acknowledged, and is a prefix of what was written on."""
    store = open_store(copied.url)
    assert journal_at(store).verify().ok
    hashes = {stored.seq: stored.hash for stored in store.stored_entries(JOURNAL, after=0, limit=1_000_000)}
    store.close()
    assert original.acknowledged.items() <= hashes.items()
    original.add((seq, "", hash) for seq, hash in hashes.items() if seq not in original.acknowledged)
    counts["copied"] += 1
    counts["entries in copies"] += len(hashes)
