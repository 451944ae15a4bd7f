"""The tool `shell`: it ends with its command, whatever that leaves in the background, and a kill takes all of it."""

import asyncio
import os
import select
import signal
from pathlib import Path
from typing import Any

import pytest

from tallystick.runner.tools import processes, shell
from tallystick.runner.tools.tool import CallContext, ToolAnswer

pytestmark = pytest.mark.filterwarnings("error")


async def call(command: Any, seconds: float = 20, **arguments: Any) -> ToolAnswer:
    context = CallContext(execution="ex_1", step="a", attempt=1, idempotency_key="k", timeout=seconds)
    return await shell.shell_tool().call({"command": command, **arguments}, context)


def ends(pid: int, within_seconds: float) -> bool:
    """Whether a process ends in time, or has ended; a zombie has."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()  # select() takes no descriptor above 1023
        poll.register(process, select.POLLIN)
        return bool(poll.poll(within_seconds * 1000))
    finally:
        os.close(process)


def test_a_command_ends_when_a_process_in_the_background_goes_on(tmp_path: Path) -> None:
    answer = asyncio.run(call("echo before; sleep 60 & echo $!; echo late >&2", cwd=str(tmp_path)))
    assert answer.category is None
    before, pid = answer.result["stdout"].split()
    assert (before, answer.result["stderr"]) == ("before", "late\n")
    assert not ends(int(pid), 0)
    os.kill(int(pid), signal.SIGKILL)


def test_a_process_in_the_background_may_write_on(tmp_path: Path) -> None:
    go, done = tmp_path / "go", tmp_path / "done"
    for pipe in (go, done):
        os.mkfifo(pipe)

    async def work() -> tuple[ToolAnswer, str]:
        lines = "head -c 200000 /dev/zero; echo alive"
        answer = await call(f"echo first; (read x < go; {lines}; echo alive > done) &", cwd=str(tmp_path))
        await asyncio.to_thread(go.write_text, "go\n")
        return answer, await asyncio.to_thread(done.read_text)

    answer, said = asyncio.run(work())
    assert (answer.result["stdout"], said) == ("first\n", "alive\n")


def test_all_that_was_printed_is_in_the_result() -> None:
    answer = asyncio.run(call("head -c 60000 /dev/zero | tr '\\0' x; sleep 60 & echo; echo $!"))
    text, pid = answer.result["stdout"].split()
    assert text == "x" * 60_000
    os.kill(int(pid), signal.SIGKILL)


def test_a_timeout_kills_the_process_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "END_CHILDREN_AFTER_SECONDS", 0.05)
    stubborn = "(trap '' TERM; echo $$ > ready; exec sleep 60) & echo $! > pid; read x < never"
    os.mkfifo(tmp_path / "never")
    answer = asyncio.run(call(stubborn, seconds=0.5, cwd=str(tmp_path)))
    assert answer.category == "timed_out"
    assert ends(int((tmp_path / "pid").read_text()), 20)


def test_a_call_that_is_cancelled_kills_the_process_group(tmp_path: Path) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)

    async def work() -> int:
        task = asyncio.create_task(call("sleep 60 & echo $! > started; wait", cwd=str(tmp_path)))
        pid = int(await asyncio.to_thread(started.read_text))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return pid

    assert ends(asyncio.run(work()), 20)


@pytest.mark.parametrize(
    ("command", "category", "text"),
    [
        ("exit 3", "failed", "Exit code 3."),
        ("exit 75", "transient", "Exit code 75."),
        ("no-such-program-here", "not_done", "Exit code 127."),
        (["no-such-program-here"], "not_done", "could not be started"),
        ([""], "not_done", "The command is empty."),
        ("kill -9 $$", "lost", "killed by signal 9"),
    ],
)
def test_the_exit_says_what_came_of_it(command: Any, category: str, text: str) -> None:
    answer = asyncio.run(call(command))
    assert answer.category == category
    assert text in answer.error


def test_a_command_that_does_not_read_its_input_ends() -> None:
    assert asyncio.run(call("true", stdin="x" * 1_000_000)).category is None
    assert asyncio.run(call(["wc", "-c"], stdin="x" * 1_000_000)).result["stdout"].strip() == "1000000"


def test_no_file_stays_open_after_a_command() -> None:
    async def work() -> tuple[int, int]:
        await call("echo a")
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(5):
            await call("echo a; echo b >&2", stdin="x")
            await call(["no-such-program-here"])
        await asyncio.sleep(0)  # the loop sees the end of the last pipes
        return before, len(os.listdir("/proc/self/fd"))

    before, after = asyncio.run(work())
    assert after <= before + 2
