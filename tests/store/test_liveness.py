"""Whether a process is alive, by /proc."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tallystick.store.liveness import process_start_ticks

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="the system shows no processes")
WITHOUT_ITS_FIRST_THREAD = """
import ctypes, sys, threading
threading.Thread(target=sys.stdin.read).start()
ctypes.CDLL(None).pthread_exit(None)
"""


def test_a_killed_process_that_was_not_collected_counts_as_ended() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert process_start_ticks(child.pid)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert os.path.exists(f"/proc/{child.pid}/stat")
        assert process_start_ticks(child.pid) == 0


def test_a_process_lives_after_its_first_thread_has_ended() -> None:
    with subprocess.Popen([sys.executable, "-c", WITHOUT_ITS_FIRST_THREAD], stdin=subprocess.PIPE) as child:
        started = process_start_ticks(child.pid)
        while ") Z " not in Path(f"/proc/{child.pid}/stat").read_text():
            assert child.poll() is None
        assert process_start_ticks(child.pid) == started != 0
        child.kill()
