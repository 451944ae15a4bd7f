"""Ends all processes that a test run started, however the run ends: Ctrl-C, SIGTERM or SIGKILL.

Each pytest process, xdist workers included, starts one supervisor and puts a mark into its environment, which its child
processes inherit. When the pytest process or its xdist controller is gone, the supervisor kills all marked processes
with their children, and stops PostgreSQL servers without a living holder. The supervisor has its own session, so that
Ctrl-C does not reach it, and imports only the standard library, so that it starts quickly.
"""

import fcntl
import json
import os
import select
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MARK = "TESTS_STARTED_BY"
"""The environment variable with the marks of all pytest processes above, as of a run inside a run."""
STOP_SECONDS = 30
POSTGRES = "tallystick-postgres-"


def start(folder: str) -> None:
    """Start the supervisor of this pytest process. In the folder are the PostgreSQL servers."""
    mark = f"{os.getpid()}-{os.urandom(8).hex()}"
    os.environ[MARK] = f"{os.environ.get(MARK, '')} {mark}".strip()
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    watched = [str(os.getpid()), *([str(os.getppid())] if is_worker else [])]
    # Without the mark, so that it does not kill itself.
    environment = {name: value for name, value in os.environ.items() if name != MARK}
    null = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (0, 1, 2)]
    command = [sys.executable, "-I", "-S", __file__, mark, folder, *watched]
    os.posix_spawn(sys.executable, command, environment, setsid=True, file_actions=null)


def main(mark: str, folder: str, process: str, *others: str) -> None:
    """Wait until one of the processes has ended; then end what `process` started, and itself."""
    with suppress(ProcessLookupError):
        _wait_for_any([os.pidfd_open(int(each)) for each in (process, *others)])
    while marked := {*_marked(mark), *_alive([int(process)])}:
        _kill(_with_children(marked))
    stop_orphaned_servers(folder)


def stop_orphaned_servers(folder: str) -> None:
    """Stop the PostgreSQL servers that no living process holds, and delete their folders."""
    with one_at_a_time(folder):
        for holders in Path(folder).glob(f"{POSTGRES}*/data/.handle_pids.json"):
            with suppress(OSError, ValueError):
                if not _alive(json.loads(holders.read_text() or "[]")):
                    _stop_server(holders.parent)


@contextmanager
def one_at_a_time(folder: str) -> Iterator[None]:
    """Hold the lock of all processes that start or stop PostgreSQL servers."""
    with (Path(folder) / f"{POSTGRES.rstrip('-')}.lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _stop_server(data: Path) -> None:
    with suppress(OSError, ValueError):
        server = int((data / "postmaster.pid").read_text().partition("\n")[0])
        if "postgres" in Path(f"/proc/{server}/comm").read_text():
            ended = os.pidfd_open(server)
            os.kill(server, signal.SIGQUIT)  # an immediate shutdown, which also ends its children
            if not _wait_for_any([ended], STOP_SECONDS):
                _kill(_with_children({server}))
    shutil.rmtree(data.parent, ignore_errors=True)


def _marked(mark: str) -> set[int]:
    found = set()
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if mark.encode() in path.read_bytes():
                found.add(int(path.parent.name))
    return found


def _with_children(processes: set[int]) -> set[int]:
    """The processes and all below them: some programs overwrite their environment, and so the mark."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            parents[int(path.parent.name)] = int(path.read_text(errors="replace").rpartition(")")[2].split()[1])
    found = set(processes)
    while more := {process for process, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def _alive(processes: list[int]) -> list[int]:
    """The processes that have not ended; an ended process that its parent has not collected yet is not alive."""
    found = []
    for process in processes:
        with suppress(OSError, IndexError):
            if Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] not in "ZX":
                found.append(process)
    return found


def _kill(processes: set[int]) -> None:
    """Kill processes, and wait until they have ended."""
    for process in processes:
        with suppress(OSError):
            ended = os.pidfd_open(process)
            os.kill(process, signal.SIGKILL)
            _wait_for_any([ended], STOP_SECONDS)
            os.close(ended)


def _wait_for_any(ended: list[int], seconds: float | None = None) -> bool:
    poller = select.poll()
    for each in ended:
        poller.register(each, select.POLLIN)
    return bool(poller.poll(None if seconds is None else seconds * 1000))


if __name__ == "__main__":
    main(*sys.argv[1:])
