"""An interrupted test run leaves no process behind."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import interrupted_run

TESTS = 2
"""The tests of the small run: as many lines are reported."""
SECONDS = 90


@pytest.mark.parametrize(("how", "workers"), [(signal.SIGINT, 2), (signal.SIGKILL, 2)])
def test_an_interrupted_run_leaves_no_process_behind(tmp_path: Path, how: signal.Signals, workers: int) -> None:
    reports = tmp_path / "reports"
    os.mkfifo(reports)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", str(workers)]
    env = {**os.environ, "INTERRUPTED_RUN_REPORTS": str(reports)}
    run = subprocess.Popen(
        [*command, interrupted_run.__file__], env=_own(env), stdout=subprocess.DEVNULL, preexec_fn=_heed_interrupts
    )
    try:
        with reports.open() as lines:
            started = [int(process) for _ in range(TESTS) for process in lines.readline().split()]
        ends = [os.pidfd_open(process) for process in started]
        run.send_signal(how)
        run.wait(SECONDS)
        assert [process for process, end in zip(started, ends, strict=True) if not _has_ended(end)] == []
    finally:
        run.kill()
        run.wait()


def _heed_interrupts() -> None:
    """A shell starts what runs in its background with SIGINT ignored, and that is inherited."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _own(env: dict[str, str]) -> dict[str, str]:
    """The environment without the variables of xdist: the run has workers and a PostgreSQL of its own."""
    return {name: value for name, value in env.items() if not name.startswith("PYTEST_XDIST")}


def _has_ended(process: int) -> bool:
    poller = select.poll()
    poller.register(process, select.POLLIN)
    return bool(poller.poll(SECONDS * 1000))
