"""Starts a Temporal dev server with a database file, for the figures that compare with it."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

START_SECONDS = 60


@contextmanager
def server(folder: Path) -> Iterator[tuple[str, int]]:
    """Start a server, and yield its address and the id of its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    command = [str(Path(sys.executable).with_name("temporal")), "server", "start-dev", "--headless", "--log-level"]
    command += ["never", "--ip", "127.0.0.1", "--port", address.rpartition(":")[2]]
    process = subprocess.Popen(
        [*command, "--db-filename", str(folder / "temporal.db")], stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    )
    try:
        asyncio.run(_until_up(address))
        yield address, process.pid
    finally:
        process.terminate()
        process.wait()


async def _until_up(address: str) -> None:
    from temporalio.client import Client

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
