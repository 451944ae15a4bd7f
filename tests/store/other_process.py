"""Another process on the same store: `python -m tests.store.other_process URL COMMAND`."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tallystick.core.errors import StorageUnavailable
from tests.store.drafts import note, open_session
from tests.store.sample_journal import append
from tests.stores import AnyStore, open_store

ROOT = Path(__file__).parents[2]


@contextmanager
def another(url: str, command: str) -> Iterator["subprocess.Popen[str]"]:
    """A process that runs a command when it gets a line, confirms it by a line, and lives until it is released."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.store.other_process", url, command],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def answer(process: "subprocess.Popen[str]") -> str:
    """Let the process go on, and wait for its line."""
    assert process.stdin
    assert process.stdout
    process.stdin.write("go on\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


def main(url: str, command: str) -> None:
    store = open_store(url)
    for _ in sys.stdin:
        print(_carry_out(store, command), flush=True)


def _carry_out(store: AnyStore, command: str) -> object:
    if command == "append":
        try:
            return append(store, note(f'"from process {os.getpid()}"'))[0].seq
        except StorageUnavailable:
            return "refused"
    assert command == "claim"
    host, lock = store.claim_process_lock()
    session = append(store, open_session("process", host=host, lock=lock))[0].id
    store.write("j", lambda ledger: ledger.renew(session, 3600))
    return session


if __name__ == "__main__":
    main(*sys.argv[1:])
