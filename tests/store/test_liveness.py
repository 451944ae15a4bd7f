"""Whether a process is alive, by /proc."""

import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tallystick.store import liveness
from tallystick.store.liveness import known_ancestors, lives_since, process_ancestors, process_start_ticks

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


def test_the_end_of_a_process_that_was_seen_alive_is_seen_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        started = process_start_ticks(child.pid)
        assert lives_since(child.pid, started)
        assert not lives_since(child.pid, started + 1)
        with monkeypatch.context() as patched:
            patched.setattr(liveness, "process_start_ticks", None)  # it is not read again
            assert lives_since(child.pid, started)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not lives_since(child.pid, started)
    assert not lives_since(child.pid, started)


def test_a_process_that_nobody_can_watch_is_looked_for_in_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert lives_since(child.pid, process_start_ticks(child.pid))
        assert known_ancestors(child.pid) == process_ancestors(child.pid)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not lives_since(child.pid, process_start_ticks(os.getpid()))


def test_a_process_whose_parent_has_ended_has_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen(
        ["sh", "-c", "sleep 600 & echo $!; wait"], stdout=subprocess.PIPE, start_new_session=True
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        found = known_ancestors(child)
        assert found[:2] == (parent.pid, os.getpid())
        with monkeypatch.context() as patched:
            patched.setattr(liveness, "process_ancestors", None)  # it is not read again
            assert known_ancestors(child) == found
        parent.kill()
        parent.wait()
        assert known_ancestors(child) == process_ancestors(child) != found
        os.kill(child, signal.SIGKILL)


def test_few_processes_are_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(liveness, "MAX_WATCHED", 2)
    monkeypatch.setattr(liveness, "_watched", {})
    before = len(os.listdir("/proc/self/fd"))
    with ExitStack() as stack:
        start = [sys.executable, "-c", "input()"]
        children = [stack.enter_context(subprocess.Popen(start, stdin=subprocess.DEVNULL)) for _ in range(5)]
        own = process_start_ticks(os.getpid())
        assert not any(lives_since(child.pid, own - 1) for child in children)
    assert len(os.listdir("/proc/self/fd")) <= before + 2
