"""Workers as real processes, and a world in which their effects are counted: a log file outside of the journal."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from tallystick import Journal

LEASE_SECONDS = 2.0
WAIT_SECONDS = 40.0
TOOLS = """
import os, time
from tallystick import tool

LOG = os.environ["EFFECTS"]

def find(name: str, seconds: float = 0):
    return name in open(LOG).read().split() or None

def effect(name, seconds):
    time.sleep(seconds)
    with open(LOG, "a") as log:
        log.write(name + chr(10))
    time.sleep(seconds)
    return name

@tool(effect="probeable", probe=find)
def probed(name: str, seconds: float = 0) -> str:
    return effect(name, seconds)

@tool
def unsafe(name: str, seconds: float = 0) -> str:
    return effect(name, seconds)
"""


class Workers:
    """Worker processes of one journal. Each is on a machine of its own, as far as leases go, unless they are all on
    this one."""

    def __init__(self, url: str, folder: Path, *options: str, is_one_machine: bool = False) -> None:
        self.url = url
        self._is_one_machine = is_one_machine
        self._options = options
        self.folder = folder
        self.log = folder / "effects"
        self.log.touch()
        (folder / "tools.py").write_text(TOOLS)
        self.living: list[subprocess.Popen[bytes]] = []
        self._count = 0

    def start(self, *options: str) -> "subprocess.Popen[bytes]":
        self._count += 1
        env = {**os.environ, "EFFECTS": str(self.log)}
        if not self._is_one_machine:
            env["XDG_DATA_HOME"] = str(self.folder / f"home{self._count}")
        lease = ("--lease", str(LEASE_SECONDS), "--at-once", "4")
        command = [sys.executable, "-m", "tallystick", "worker", "--url", self.url, "--journal", "run"]
        with (self.folder / f"worker{self._count}.log").open("wb") as log:
            tools = ("--tools", str(self.folder / "tools.py"))
            process = subprocess.Popen([*command, *tools, *lease, *self._options, *options], env=env, stderr=log)
        self.living.append(process)
        return process

    def kill(self, process: "subprocess.Popen[bytes]") -> None:
        self.living.remove(process)
        process.kill()
        process.wait()

    def effects(self) -> Counter[str]:
        return Counter(self.log.read_text().split())

    def logs(self) -> str:
        return "\n".join(path.read_text() for path in sorted(self.folder.glob("worker*.log")))

    def close(self) -> None:
        for process in self.living:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()


@contextmanager
def workers_on(url: str, folder: Path, *options: str, is_one_machine: bool = False) -> Iterator[Workers]:
    """Workers that are all started with these options."""
    workers = Workers(url, folder, *options, is_one_machine=is_one_machine)
    try:
        yield workers
    finally:
        workers.close()


def step(id: str, tool: str = "probed", seconds: float = 0.0, **fields: Any) -> dict[str, Any]:
    return {"id": id, "title": id, "tool": tool, "arguments": {"name": id, "seconds": seconds}, "undo": "x", **fields}


def start_run(journal: Journal, *steps: dict[str, Any], engine: Any = "queue") -> str:
    made: Any = list(steps)
    return journal.run_plan(
        plan_id=journal.record_plan(title="t", steps=made).id, engine="caller" if engine == "local" else engine
    ).id


def wait_for(what: Any) -> Any:
    """Wait until `what` returns something true, and return that."""
    end = monotonic() + WAIT_SECONDS
    while not (found := what()):
        assert monotonic() < end, "it did not happen"
        sleep(0.05)
    return found


def wait_until_over(journal: Journal, execution: str, workers: Workers) -> str:
    """Wait for the end of a run; returns its status."""

    def status() -> str:
        found = journal.get_execution(execution_id=execution).status
        return found if found in ("completed", "failed", "cancelled") else ""

    try:
        return str(wait_for(status))
    except AssertionError:
        found = journal.get_run(execution_id=execution)
        raise AssertionError(f"{found}\n{workers.effects()}\n{workers.logs()[-4000:]}") from None
