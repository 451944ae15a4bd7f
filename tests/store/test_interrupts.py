"""An interrupt (Ctrl-C, a timeout by a signal) in the middle of a record leaves a journal that works."""

import subprocess
import sys

import pytest

from tests.store.interrupted_writer import JOURNAL
from tests.stores import Home


@pytest.mark.parametrize("threads", [0, 2])
def test_a_process_that_is_interrupted_again_and_again_goes_on(shared_home: Home, threads: int) -> None:
    interrupts = 400 if threads == 0 else 100
    command = [
        sys.executable,
        "-m",
        "tests.store.interrupted_writer",
        shared_home.url,
        str(interrupts),
        "1",
        str(threads),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout.strip(), done.stderr) == (str(interrupts), "")
    store = shared_home.open()
    stored = store.stored_entries(JOURNAL, after=0, limit=100_000)
    bodies = [each.body for each in stored]
    assert [each.seq for each in stored] == [*range(1, len(stored) + 1)]
    assert bodies.count('"healthy"') >= interrupts
    assert bodies.count('"first"') == 1
