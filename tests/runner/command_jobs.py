"""The job of processes that start the same command at the same moment."""

import io
import os
import socket
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

from tallystick.__main__ import main
from tallystick.interfaces.cli.commands import run, worker
from tallystick.runner import run as runner_run
from tests.crash.fork_server import Report, wait_until_resumed


def warm_up() -> None:
    """Nothing is left to import when the commands start."""
    assert all((run, worker, runner_run))


def start_command(report: Report, channel: socket.socket, words: list[str], env: dict[str, str], folder: str) -> None:
    """Carry out a command line when told to; reports its exit code and what it printed."""
    os.chdir(folder)
    os.environ.update(env)
    report("ready")
    wait_until_resumed(channel)
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed), patch.object(sys, "argv", ["tallystick", *words]):
        try:
            code = main()
        except SystemExit as end:
            code = int(end.code or 0)
    report([code, printed.getvalue()])


JOBS = {"start_command": start_command}
