"""What tools print: it never reaches the standard output of a command, and does not break the block at a terminal."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tallystick import Journal
from tests.interfaces.mcp.http_client import served
from tests.postgres_server import Server
from tests.runner.workers import wait_for

TIMEOUT_SECONDS = 60
TOOLS = """
import atexit, os, subprocess, sys, threading, time
from tallystick import tool

def speak(name):
    print(f"{name} printed")
    os.write(1, f"{name} written\\n".encode())
    subprocess.run(["sh", "-c", "echo $0 echoed", name], check=True)

def speak_for_ever():
    while True:
        print("a thread that was left printed")
        time.sleep(0.001)

speak("load")
atexit.register(speak, "exit")

def look(seconds: float = 0):
    speak("probe")
    return True

@tool(effect="probeable", probe=look)
def noisy(seconds: float = 0) -> int:
    "Make noise."
    speak("call")
    threading.Thread(target=speak_for_ever, daemon=True).start()
    time.sleep(seconds)
    return 1
"""
SAID = ("printed", "written", "echoed")
PLAN = {"title": "Noise", "steps": [{"id": "a", "title": "a", "tool": "noisy", "undo": "x"}]}


class Noisy:
    """A folder with a plan and tools that print, and the program in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.env = {
            **os.environ,
            "TALLYSTICK_URL": str(path / "journal.db"),
            "TALLYSTICK_JOURNAL": "run",
            "TERM": "xterm",
            "COLUMNS": "200",
            "LINES": "40",
        }
        (path / "tools.py").write_text(TOOLS)
        (path / "plan.json").write_text(json.dumps(PLAN))

    def words(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "tallystick", *words]

    def __call__(self, *words: str, code: int = 0, **more: Any) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            self.words(*words),
            cwd=self.path,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_SECONDS,
            **more,
        )
        assert done.returncode == code, done
        return done


@pytest.fixture
def noisy(tmp_path: Path) -> Noisy:
    return Noisy(tmp_path)


@pytest.mark.parametrize(
    "words",
    [
        ("run", "plan.json"),
        ("run", "plan.json", "--check"),
        ("run", "plan.json", "--dry-run"),
        ("tools",),
        ("template", "add", "plan.json"),
    ],
    ids=" ".join,
)
def test_standard_output_is_one_json_object_whatever_tools_print(noisy: Noisy, words: tuple[str, ...]) -> None:
    done = noisy(*words, "--tools", "tools.py", "--json")
    assert isinstance(json.loads(done.stdout), dict)
    assert all(f"load {word}" in done.stderr for word in SAID)
    assert all(f"exit {word}" in done.stderr for word in SAID)
    assert ("call printed" in done.stderr) == (words == ("run", "plan.json"))


def test_a_template_prints_one_json_object_whatever_tools_print(noisy: Noisy) -> None:
    noisy("template", "add", "plan.json", "--tools", "tools.py")
    done = noisy("template", "run", "plan", "--tools", "tools.py", "--json")
    assert json.loads(done.stdout)["status"] == "completed"
    assert all(f"call {word}" in done.stderr for word in SAID)


def test_a_script_gets_the_id_of_a_run_and_nothing_else(noisy: Noisy) -> None:
    done = noisy("run", "plan.json", "--tools", "tools.py", "-q")
    assert re.fullmatch(r"ex_\w+\n", done.stdout)
    summary = noisy("run", "plan.json", "--tools", "tools.py").stdout.splitlines()
    assert len(summary) == 1
    assert "completed, 1 of 1 steps done" in summary[0]


def test_without_standard_error_what_tools_print_is_dropped(noisy: Noisy) -> None:
    words = " ".join(noisy.words("run", "plan.json", "--tools", "tools.py", "--json"))
    done = subprocess.run(
        ["sh", "-c", f"exec {words} 2>&-"], cwd=noisy.path, env=noisy.env, stdout=subprocess.PIPE, text=True, check=True
    )
    assert json.loads(done.stdout)["status"] == "completed"


def test_a_closed_pipe_ends_the_command_as_before(noisy: Noisy) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    words = noisy.words("run", "plan.json", "--tools", "tools.py", "--json")
    done = subprocess.run(words, cwd=noisy.path, env=noisy.env, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert done.returncode == 141, done


def test_a_server_prints_only_its_own_words(noisy: Noisy, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'server.db'}"
    with Journal.open(url, journal="test") as journal:
        admin = journal.add_credential(name="admin").secret
    log = tmp_path / "stderr"
    with log.open("wb") as errors, served(url, "--run-tools", str(tmp_path / "tools.py"), errors=errors) as server:
        with Journal.open(url, journal="test", credential=admin) as journal:
            operator = journal.add_credential(name="operator", scopes=("run",)).secret
            plan = journal.record_plan(**PLAN)  # type: ignore[arg-type]
        with Journal.open(f"http://127.0.0.1:{server.port}", journal="test", credential=operator) as journal:
            run = journal.run_plan(plan_id=plan.id).id
            wait_for(lambda: journal.get_execution(execution_id=run).status == "completed")
        assert server.process is not None
        server.process.terminate()
        assert server.process.stdout is not None
        said = server.greeting + server.process.stdout.read()
    assert not [word for word in SAID if word in said]
    assert all(f"call {word}" in log.read_text() for word in SAID)


def test_a_worker_prints_nothing_to_standard_output(noisy: Noisy, postgres: Server, tmp_path: Path) -> None:
    with postgres.database() as url, Journal.open(url, journal="run") as journal:
        words = noisy.words("worker", "--url", url, "--tools", "tools.py")
        pipe = subprocess.PIPE
        with subprocess.Popen(words, cwd=tmp_path, env=noisy.env, stdout=pipe, stderr=pipe, text=True) as worker:
            try:
                run = journal.run_plan(plan_id=journal.record_plan(**PLAN).id, engine="queue").id  # type: ignore[arg-type]
                wait_for(lambda: journal.get_execution(execution_id=run).status == "completed")
            finally:
                worker.terminate()
            out, err = worker.communicate(timeout=TIMEOUT_SECONDS)
    assert out == ""
    assert all(f"call {word}" in err for word in SAID)


# ----------------------------------------------------------------------------------------------------------------------
# At a terminal


class Screen:
    """The lines that a terminal shows, as far as the live block needs one."""

    def __init__(self) -> None:
        self.lines = [""]
        self._row = self._column = 0

    def write(self, text: str) -> None:
        for control, letter in re.findall(r"\x1b\[([?\d;]*[A-Za-z])|(.|\n|\r)", text):
            if letter:
                self._letter(letter)
            elif control.endswith("A"):
                self._row = max(self._row - int(control[:-1] or 1), 0)
            elif control in ("2K", "K", "0K"):
                self.lines[self._row] = "" if control == "2K" else self.lines[self._row][: self._column]

    def _letter(self, letter: str) -> None:
        if letter == "\r":
            self._column = 0
        elif letter == "\n":
            self._row += 1
            self.lines += [""] * (self._row + 1 - len(self.lines))
        else:
            line = self.lines[self._row].ljust(self._column)
            self.lines[self._row] = line[: self._column] + letter + line[self._column + 1 :]
            self._column += 1


def at_terminal(words: list[str], noisy: Noisy) -> Screen:
    """What a terminal shows of the standard error of a program."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        words, cwd=noisy.path, env=noisy.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs
    )
    os.close(theirs)
    read = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # nobody has the terminal open any more
            break
        read += piece
    os.close(ours)
    assert process.wait(TIMEOUT_SECONDS) == 0, read
    screen = Screen()
    screen.write(read.decode())
    return screen


def test_what_tools_print_stands_above_the_live_block(noisy: Noisy) -> None:
    plan = {"steps": [{**PLAN["steps"][0], "arguments": {"seconds": 0.5}}]}  # type: ignore[dict-item]
    (noisy.path / "plan.json").write_text(json.dumps(plan))
    screen = at_terminal(noisy.words("run", "plan.json", "--tools", "tools.py"), noisy)
    assert [line for line in screen.lines if line.startswith("call ")] == [
        "call printed",
        "call written",
        "call echoed",
    ]
    left = [line for line in screen.lines if "running;" in line or line.lstrip().startswith("a  ")]
    assert not left, "\n".join(screen.lines)


def test_control_characters_that_a_tool_prints_do_not_reach_the_terminal(noisy: Noisy) -> None:
    text = "import os, time\nfrom tallystick import tool\n@tool\ndef noisy() -> None:\n    "
    (noisy.path / "tools.py").write_text(text + r"os.write(1, b'half\rwhole \x1b[2J\x1b]0;title\x07\n')" + "\n")
    screen = at_terminal(noisy.words("run", "plan.json", "--tools", "tools.py"), noisy)
    assert [line for line in screen.lines if line.startswith("whole ")] == [r"whole \x1b[2J\x1b]0;title\x07"]
