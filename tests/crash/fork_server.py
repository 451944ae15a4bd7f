"""A process that has everything imported and forks the processes that tests kill: a kill costs no interpreter start.

Run as a module it is that process. It dies with the test that started it, and its children die with it.
"""

import ctypes
import json
import os
import select
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

TIMEOUT_SECONDS = 120
"""How long to wait for a process before the test fails."""
ROOT = Path(__file__).resolve().parents[2]
Report = Callable[[Any], None]
_PR_SET_PDEATHSIG = 1


class Child:
    """A forked process that does one job, reports on it, and can be killed at any instant."""

    def __init__(self, process: int, channel: socket.socket) -> None:
        self.process = process
        self._handle = os.pidfd_open(process)
        self._channel = channel
        self._unread = b""

    def receive(self) -> Any:
        """Its next report; None when it is dead and there are no more."""
        while b"\n" not in self._unread:
            self._wait_for(self._channel.fileno())
            try:
                part = self._channel.recv(1 << 16)
            except ConnectionResetError:  # it died before it had read that it may begin
                part = b""
            if not part:
                return None
            self._unread += part
        line, _, self._unread = self._unread.partition(b"\n")
        message = json.loads(line)
        if isinstance(message, dict) and "broke" in message:
            raise AssertionError(f"a child broke:\n{message['broke']}")
        return message

    def receive_all(self) -> Iterator[Any]:
        while (message := self.receive()) is not None:
            yield message

    def has_output(self) -> bool:
        """Whether a report, or its death, can be read without waiting."""
        return b"\n" in self._unread or _ready(self._channel.fileno(), 0)

    def resume(self) -> None:
        """Let it continue after `wait_until_resumed`."""
        self._channel.sendall(b".")

    def signal(self, number: signal.Signals) -> None:
        signal.pidfd_send_signal(self._handle, number)

    def is_stopped(self) -> bool:
        """Whether SIGSTOP holds it."""
        try:
            return Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()[0] == "T"
        except OSError:
            return False

    def kill(self) -> None:
        """SIGKILL, and wait until it is gone with all its locks."""
        with suppress(ProcessLookupError):  # it is dead already
            self.signal(signal.SIGKILL)
        self.wait()

    def wait(self) -> None:
        self._wait_for(self._handle)

    def close(self) -> None:
        self._channel.close()
        os.close(self._handle)

    def _wait_for(self, file: int) -> None:
        if not _ready(file, TIMEOUT_SECONDS):
            raise TimeoutError(f"process {self.process} neither reports nor ends")


class ForkServer:
    """Starts children for the jobs of a module. They are forked from a process with one thread, where forking is
    safe."""

    def __init__(self, jobs: str) -> None:
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-m", "tests.crash.fork_server", str(theirs.fileno()), jobs]
            self._server = subprocess.Popen(command, pass_fds=[theirs.fileno()], cwd=ROOT)

    def start(self, job: str, **arguments: Any) -> Child:
        """Fork a process for a function of the module of jobs."""
        ours, theirs = socket.socketpair()
        with theirs:
            message = json.dumps([job, arguments]).encode()
            socket.send_fds(self._channel, [message], [theirs.fileno()])
        child = Child(int(self._channel.recv(64)), ours)
        child.resume()  # only now: its number cannot have passed to another process before
        return child

    def close(self) -> None:
        self._channel.close()
        self._server.wait(TIMEOUT_SECONDS)


@contextmanager
def start_fork_server(jobs: str = "tests.crash.jobs") -> Iterator[ForkServer]:
    made = ForkServer(jobs)
    try:
        yield made
    finally:
        made.close()


def _ready(file: int, seconds: float) -> bool:
    waiting = select.poll()  # not select: a long campaign has more than 1024 files open
    waiting.register(file, select.POLLIN)
    return bool(waiting.poll(seconds * 1000))


def wait_until_resumed(channel: socket.socket) -> None:
    if not channel.recv(1):
        os._exit(0)


def serve(channel: socket.socket, module: str) -> None:
    jobs = import_module(module)
    _die_with_parent()
    jobs.warm_up()
    while True:
        message, files, _, _ = socket.recv_fds(channel, 1 << 16, 1)
        if not message:
            return
        _reap()
        process = os.fork()
        if process == 0:
            channel.close()
            job, arguments = json.loads(message)
            _be_child(jobs.JOBS[job], arguments, socket.socket(fileno=files[0]))
        os.close(files[0])
        channel.send(str(process).encode())


def _be_child(job: Callable[..., None], arguments: dict[str, Any], channel: socket.socket) -> NoReturn:
    _die_with_parent()

    def report(message: Any) -> None:
        channel.sendall(json.dumps(message).encode() + b"\n")

    try:
        wait_until_resumed(channel)
        job(report, channel, **arguments)
    except BaseException:
        report({"broke": traceback.format_exc()})
    finally:
        os._exit(0)


def _reap() -> None:
    """Collect the exit status of dead children."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])
