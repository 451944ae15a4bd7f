"""Commands that outlive their runner: no step is repeated, or probed for good, while an earlier attempt still runs."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tallystick import Journal
from tallystick.runner.tools import processes
from tests.postgres_server import Server

TIMEOUT_SECONDS = 40
WORK = """
echo start >> log
echo $$ >> begun
while [ ! -e go ]; do sleep 0.02; done
echo effect >> log
"""
PROBE = ["grep", "-q", "effect", "log"]
COMMANDS = {
    "itself": "sh work.sh",
    "a child": "sh work.sh; true",
    "a session of its own": "echo $$ > main; setsid sh work.sh & wait",
    "what it inherits is closed": f"""echo $$ > main; {sys.executable} -c 'import os; os.closerange(3, 64)
os.execlp("sh", "sh", "work.sh")' & wait""",
}


class Machine:
    """A folder in which commands leave their log, and `tallystick run` as a process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.runs: list[subprocess.Popen[str]] = []
        (path / "work.sh").write_text(WORK)
        (path / "log").touch()
        self._env = {
            **os.environ,
            "TALLYSTICK_URL": str(path / "journal.db"),
            "TALLYSTICK_JOURNAL": "run",
            "XDG_DATA_HOME": str(path / "data"),
        }

    def plan(self, command: str, *, probe: Any = PROBE, **fields: Any) -> None:
        """A plan with one command, and its probe."""
        step = {"id": "pay", "tool": "shell", "effect": "probeable", "arguments": {"command": command}, "undo": "x"}
        if probe:
            step["probe"] = {"tool": "shell", "arguments": {"command": probe}}
        (self.path / "plan.json").write_text(json.dumps({"steps": [step | fields]}))

    def start(self, *more: str, **env: str) -> "subprocess.Popen[str]":
        return self.start_words([sys.executable, "-m", "tallystick", "run", "plan.json", *more], **env)

    def start_words(self, words: list[str], **env: str) -> "subprocess.Popen[str]":
        given = {**self._env, **env}
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        started = subprocess.Popen(words, cwd=self.path, env=given, stdout=pipe, stderr=pipe, stdin=null, text=True)
        self.runs.append(started)
        return started

    def killed(self, *more: str) -> None:
        """Start a run, and kill it as soon as its command is under way."""
        run = self.start(*more)
        self.until(self.started(1))
        self.until(self.is_session_named)
        run.kill()
        run.communicate()

    def is_session_named(self) -> bool:
        """Whether the runner has noted the session of its command: without that, it is not known what was started."""
        locks = (self.path / "data" / "tallystick" / "commands").glob("[0-9a-f]" * 16)
        return any(lock.stat().st_size for lock in locks)

    def started(self, times: int) -> Callable[[], bool]:
        begun = self.path / "begun"
        return lambda: begun.exists() and len(begun.read_text().split()) >= times

    def until(self, holds: Callable[[], bool]) -> None:
        for _ in range(TIMEOUT_SECONDS * 100):
            if holds():
                return
            if all(run.poll() is not None for run in self.runs):
                raise AssertionError([run.communicate() for run in self.runs])
            signal.sigtimedwait([], 0.01)
        raise AssertionError("it takes too long")

    def line(self, run: "subprocess.Popen[str]", *words: str) -> str:
        """The first line of its progress with one of the words; empty at its end."""
        assert run.stderr is not None
        return next((line for line in run.stderr if any(word in line for word in words)), "")

    def go(self) -> None:
        (self.path / "go").touch()

    def end(self, run: "subprocess.Popen[str]") -> tuple[int, str]:
        out, err = run.communicate(timeout=TIMEOUT_SECONDS)
        return run.returncode, out + err

    @property
    def log(self) -> list[str]:
        return (self.path / "log").read_text().split()

    def journal(self) -> Journal:
        return Journal.open(self.path / "journal.db", journal="run")

    def close(self) -> None:
        self.go()
        for run in self.runs:
            if run.poll() is None:
                run.send_signal(signal.SIGCONT)
                run.kill()
                run.communicate()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_command_that_outlives_its_runner_is_waited_for_and_not_repeated(machine: Machine, command: str) -> None:
    machine.plan(command)
    machine.killed()
    if (machine.path / "main").exists():
        os.kill(int((machine.path / "main").read_text()), signal.SIGKILL)
    run = machine.start()
    waits = machine.line(run, "still run", "begun")
    machine.go()
    code, said = machine.end(run)
    assert "still runs: process " in waits, waits + said
    assert (code, machine.log) == (0, ["start", "effect"]), said


def test_a_command_that_did_nothing_is_repeated_once_it_is_gone(machine: Machine) -> None:
    machine.plan("sh work.sh")
    machine.killed()
    run = machine.start()
    assert "still run" in machine.line(run, "still run", "begun")
    os.kill(int((machine.path / "begun").read_text()), signal.SIGKILL)
    machine.until(machine.started(2))
    machine.go()
    code, said = machine.end(run)
    assert (code, machine.log) == (0, ["start", "start", "effect"]), said


def test_an_idempotent_command_is_repeated_only_after_the_first_one(machine: Machine) -> None:
    machine.plan("sh work.sh", probe=None, effect="idempotent")
    machine.killed()
    run = machine.start()
    assert "still run" in machine.line(run, "still run", "begun")
    machine.go()
    code, said = machine.end(run)
    assert (code, machine.log) == (0, ["start", "effect", "start", "effect"]), said


def test_an_undo_is_repeated_only_after_the_first_one(machine: Machine) -> None:
    (machine.path / "policy.toml").write_text('[tools.shell]\neffect = "idempotent"\n')
    undo = {"tool": "shell", "arguments": {"command": "sh work.sh"}}
    steps = [
        {"id": "a", "tool": "shell", "arguments": {"command": "true"}, "undo": undo},
        {"id": "b", "tool": "shell", "arguments": {"command": "exit 1"}, "undo": "x"},
    ]
    (machine.path / "plan.json").write_text(json.dumps({"steps": steps, "unwind": "on-failure"}))
    machine.killed("--policy", "policy.toml")
    run = machine.start("--policy", "policy.toml")
    assert "still run" in machine.line(run, "still run", "begun")
    machine.go()
    code, said = machine.end(run)
    assert (code, machine.log) == (1, ["start", "effect", "start", "effect"]), said
    assert "Undone: 1" in said


def test_a_command_of_another_machine_is_held(machine: Machine) -> None:
    machine.plan("sh work.sh")
    machine.killed()
    elsewhere = {"XDG_DATA_HOME": str(machine.path / "elsewhere")}
    code, said = machine.end(machine.start(**elsewhere))
    assert (code, machine.log) == (5, ["start"]), said
    assert "may still run there" in said
    machine.go()
    assert machine.end(machine.start())[0] == 0
    assert machine.log == ["start", "effect"]


def test_a_step_without_a_probe_is_held_and_says_that_its_command_still_runs(machine: Machine) -> None:
    machine.plan("sh work.sh", probe=None)
    machine.killed()
    code, said = machine.end(machine.start())
    assert (code, machine.log) == (5, ["start"]), said
    assert "still runs: process " in said


def test_a_retry_that_a_person_decides_waits_for_the_first_attempt(machine: Machine) -> None:
    machine.plan("sh work.sh", probe=None)
    machine.killed()
    with machine.journal() as journal:
        (doubt,) = journal.list_in_doubt().in_doubt
        wrong: Any = {"outcome": "failed", "without_effect": True, "evidence": "the log has none"}
        journal.record_decision(decision="settle", action_id=doubt.action_id, **wrong)
        journal.record_decision(execution_id=doubt.execution_id, decision="retry", step="pay", why="it did not happen")
    run = machine.start()
    assert "still run" in machine.line(run, "still run", "begun")
    machine.go()
    assert machine.end(run)[0] == 0
    assert machine.log == ["start", "effect", "start", "effect"]


def test_a_command_that_is_settled_meanwhile_is_not_waited_for(machine: Machine) -> None:
    machine.plan("sh work.sh")
    machine.killed()
    run = machine.start()
    assert "still run" in machine.line(run, "still run", "begun")
    with machine.journal() as journal:
        (doubt,) = journal.list_in_doubt().in_doubt
        journal.record_decision(decision="settle", action_id=doubt.action_id, outcome="ok", evidence="it will end well")
    code, said = machine.end(run)
    assert (code, machine.log) == (0, ["start"]), said


def test_the_timeout_of_a_step_holds_after_its_runner(machine: Machine) -> None:
    machine.plan("setsid sh work.sh & wait", timeout=3)
    machine.killed()
    run = machine.start()
    machine.until(machine.started(2))
    machine.go()
    code, said = machine.end(run)
    assert (code, machine.log) == (0, ["start", "start", "effect"]), said


def test_a_timeout_leaves_nothing_of_a_command_behind(machine: Machine) -> None:
    machine.plan("setsid sh work.sh & wait", timeout=0.5)
    run = machine.start()
    machine.until(machine.started(2))
    machine.go()
    code, said = machine.end(run)
    assert (code, machine.log.count("effect")) == (0, 1), said


def test_what_a_killed_command_has_started_is_waited_for(machine: Machine) -> None:
    machine.plan("echo $$ > main; sh work.sh & wait")
    run = machine.start()
    machine.until(machine.started(1))
    os.kill(int((machine.path / "main").read_text()), signal.SIGKILL)
    assert "still run" in machine.line(run, "still run", "attempt 2")
    machine.go()
    code, said = machine.end(run)
    assert (code, machine.log) == (0, ["start", "effect"]), said


def test_a_command_whose_runner_is_stopped_is_not_repeated(machine: Machine) -> None:
    machine.plan("sh work.sh")
    stopped = machine.start()
    machine.until(machine.started(1))
    stopped.send_signal(signal.SIGSTOP)
    assert machine.end(machine.start())[0] == 5
    machine.go()
    stopped.send_signal(signal.SIGCONT)
    assert machine.end(stopped)[0] == 0
    assert machine.log == ["start", "effect"]


def test_a_lock_that_nothing_was_started_with_is_free(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert processes.find_left(processes.new_lock()).is_running is False


LOOKER = """import sys
from tallystick.runner.tools.processes import find_left
while True:
    find_left(sys.argv[1])
    print(flush=True)
"""


def test_runners_that_look_at_a_command_at_once_do_not_take_each_other_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    name = processes.new_lock()
    with ExitStack() as stack:
        with processes.hold_lock(name) as lock:
            command = subprocess.Popen(["sleep", "600"], pass_fds=[lock.file])
            stack.callback(command.wait)
            stack.callback(command.kill)
        looker = stack.enter_context(subprocess.Popen([sys.executable, "-c", LOOKER, name], stdout=subprocess.PIPE))
        stack.callback(looker.kill)
        assert looker.stdout is not None
        looker.stdout.readline()
        found = {processes.find_left(name).ids for _ in range(5)}
    assert found == {frozenset([command.pid])}


@pytest.mark.parametrize("name", ["", "host", "a:b:c", "host:{}:../name", "host:{}:" + "0" * 15])
def test_a_lock_that_is_not_of_this_machine_says_nothing(name: str) -> None:
    folder = processes.new_lock().split(":")[1]
    assert processes.find_left(name.format(folder)).is_running is None


def test_a_worker_waits_for_the_command_of_a_killed_worker_on_its_machine(machine: Machine, postgres: Server) -> None:
    (machine.path / "policy.toml").write_text('[shell]\nonly = ["sh", "grep"]\n')
    with postgres.database() as url, Journal.open(url, journal="run") as journal:
        words = [sys.executable, "-m", "tallystick", "worker", "--url", url, "--policy", "policy.toml", "--lease", "2"]
        step: Any = {"id": "pay", "title": "pay", "tool": "shell", "effect": "probeable", "undo": "x"}
        step |= {
            "arguments": {"command": ["sh", "work.sh"]},
            "probe": {"tool": "shell", "arguments": {"command": PROBE}},
        }
        run = journal.run_plan(plan_id=journal.record_plan(title="t", steps=[step]).id, engine="queue").id

        def entries(kind: str) -> list[Any]:
            return [each for each in journal.read_entries(execution_id=run, limit=500).entries if each.kind == kind]

        first = machine.start_words(words)
        machine.until(machine.started(1))
        first.kill()
        first.communicate()
        machine.start_words(words)
        machine.until(lambda: bool(entries("action_noted")))
        machine.go()
        machine.until(lambda: journal.get_execution(execution_id=run).status == "completed")
    assert machine.log == ["start", "effect"]
