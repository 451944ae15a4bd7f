"""The plug-in package in examples/plugin: installed as a user would, its tool and its notifier are found."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tallystick import Journal
from tests.behaviour import scenarios
from tests.docs.test_examples import ROOT
from tests.runner.workers import wait_for

SEND = """
import sys
from tallystick.outbound.alerts.channels import open_channels
from tallystick.outbound.alerts.messages import sample_message
(channel,) = open_channels([sys.argv[1]])
channel.notifier.send(sample_message("work", ["in_doubt"]))
print(channel.name)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plugin")
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", sys.executable]
    more = ["--target", str(folder), "--no-deps", "--no-build-isolation", str(ROOT / "examples" / "plugin")]
    subprocess.run([*command, *more], check=True)
    return folder


def environment(installed: Path, cwd: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(installed), "HOME": str(cwd), "PATH": "/usr/bin:/bin"}


def run(installed: Path, *words: str, cwd: Path) -> str:
    env = environment(installed, cwd)
    done = subprocess.run([sys.executable, *words], env=env, cwd=cwd, capture_output=True, text=True, check=True)
    return done.stdout


def test_its_notifier_takes_messages(installed: Path, tmp_path: Path) -> None:
    file = tmp_path / "alerts.jsonl"
    name = run(installed, "-c", SEND, f"logfile://{file}", cwd=tmp_path)
    assert name.startswith("logfile-")
    assert json.loads(file.read_text())["title"] == "Tallystick work: a test"


def test_its_tool_is_listed_and_called_by_a_plan(installed: Path, tmp_path: Path) -> None:
    assert "count_lines" in run(installed, "-m", "tallystick", "tools", cwd=tmp_path)
    (tmp_path / "letters.txt").write_text("a\nb\nc\n")
    plan = {"title": "Count", "steps": [{"id": "count", "tool": "count_lines", "arguments": {"path": "letters.txt"}}]}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    shown = run(installed, "-m", "tallystick", "run", "plan.json", "--json", cwd=tmp_path)
    assert (json.loads(shown)["status"], json.loads(shown)["done"]) == ("completed", 1)


@pytest.mark.parametrize("command", [["notify"], ["serve", "--port", "0"]])
def test_a_process_sends_alerts_through_it(installed: Path, tmp_path: Path, command: list[str]) -> None:
    url, file = f"sqlite:///{tmp_path}/journal.db", tmp_path / "alerts.jsonl"
    with Journal.open(url, journal="work") as journal:
        scenarios.start(journal, "Book the trip")
        scenarios.do(journal, "book", summary="a room", cancellable="reversible", undo="cancel it", undo_until="30m")
    words = [*command, "--url", url, "--journal", "work", "--alert", f"logfile://{file}"]
    words += ["--public-url", "https://journal.example", "--log", "json"]
    env, log = environment(installed, tmp_path), tmp_path / "log"
    with (
        log.open("w") as stderr,
        subprocess.Popen([sys.executable, "-m", "tallystick", *words], env=env, cwd=tmp_path, stderr=stderr) as process,
    ):
        try:
            wait_for(file.exists)
            wait_for(lambda: file.read_text().endswith("\n"))
        finally:
            process.terminate()
    (line,) = file.read_text().splitlines()
    message = json.loads(line)
    assert message["title"] == "Tallystick work: An undo expires"
    assert "https://journal.example/x/ex_" in message["text"]
    logged = [json.loads(line) for line in log.read_text().splitlines()]  # each line is JSON
    assert [line["alerts"] for line in logged if line["event"] == "message sent"] == [1]
