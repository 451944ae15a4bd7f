"""A process may be forked while another thread uses something for the first time."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import os, sys, time
from threading import Thread
from tallystick import Journal

path, delay, warm = sys.argv[1], float(sys.argv[2]), sys.argv[3] == "warm"
journal = Journal.open(path)
if warm:
    journal.record_execution_start(title="work")
first = journal.get_brief if warm else lambda: journal.record_context(key="thread", value=1)
thread = Thread(target=first)
thread.start()
time.sleep(delay)
child = os.fork()
if not child:
    first()
    os._exit(0)
thread.join()
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.parametrize("delay", ["0", "0.02", "0.05"])
@pytest.mark.parametrize("how", ["new", "warm"])
def test_a_child_that_is_forked_during_a_first_call_can_make_the_same_call(
    tmp_path: Path, delay: str, how: str
) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "j.db"), delay, how]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert (done.stdout, done.stderr) == ("0\n", "")
