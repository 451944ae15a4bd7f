"""Unwinding equals the undo list at each crash point: random plans, killed anywhere, against an independent model."""

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.runner.unwinding_lives import UnwoundLife

LIVES = 300
CHUNKS = 3
"""A sample. `make torture` goes through as many as there is time for."""
SEED = 2026


def unwind(seed: str) -> Counter[str]:
    """One random life; returns how often each thing was met."""
    try:
        return UnwoundLife(seed).live()
    except AssertionError as error:
        raise AssertionError(f"seed {seed}: {error}") from error


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_runner_unwinds_in_the_order_of_the_undo_list_wherever_it_is_killed(chunk: int) -> None:
    met: Counter[str] = Counter()
    lives = range(chunk * LIVES // CHUNKS, (chunk + 1) * LIVES // CHUNKS)
    for number in lives:
        met += unwind(f"{SEED}/{number}")
    print(f"seed {SEED}: {dict(met)}")
    assert met["lives"] == len(lives)
    assert all(met[name] > len(lives) // 4 for name in ("killed", "undone", "compared undos", "settled", "asked")), met
    assert met["probed"] > 5


KILLED = """
import os, sys
from tallystick import Journal, ToolError, tool

FILE, LOG, KILL, EFFECT = sys.argv[1:]

def log(name):
    with open(LOG, "a") as file:
        file.write(name + "\\n")

def happened(name):
    return f"-{name}" in open(LOG).read().split()

@tool
def make(name: str) -> dict:
    log(name)
    if name == "c":
        raise ToolError("it cannot be made", "not_done")
    return {"made": name}

@tool(effect=EFFECT, probe=happened if EFFECT == "probeable" else None)
def unmake(name: str) -> None:
    if (name, KILL) == ("b", "before"):
        os.kill(os.getpid(), 9)
    log(f"-{name}")
    if (name, KILL) == ("b", "after"):
        os.kill(os.getpid(), 9)

undo = {"tool": "unmake", "arguments": {"name": "${result.made}"}}
step = {"tool": "make", "undo": undo, "failure_policy": "cancel_all"}
steps = [{**step, "id": name, "arguments": {"name": name}} for name in "abc"]
with Journal.open(FILE) as journal:
    run = journal.run({"title": "t", "steps": steps}, tools=[make, unmake], key="k", unwind="on-failure")
    print(run.status, sorted(run.held))
"""


@pytest.mark.parametrize("effect", ["unsafe", "probeable", "idempotent"])
@pytest.mark.parametrize("kill", ["before", "after"])
def test_a_run_that_is_killed_while_it_unwinds_goes_on_with_the_same_key(
    tmp_path: Path, kill: str, effect: str
) -> None:
    script, log = tmp_path / "run.py", tmp_path / "log"
    script.write_text(KILLED)

    def start(mode: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, str(script), str(tmp_path / "journal.db"), str(log), mode, effect]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ, check=False)

    assert start(kill).returncode == -signal.SIGKILL
    again = start("never")
    undone = log.read_text().split()[3:]
    if effect == "unsafe":
        assert again.stdout.strip() == "unwinding ['undo of b']", again.stderr
        assert undone == (["-b"] if kill == "after" else [])
    else:
        assert again.stdout.strip() == "cancelled []", again.stderr
        assert undone == (["-b", "-b", "-a"] if (kill, effect) == ("after", "idempotent") else ["-b", "-a"])
