"""A process that carries out a run and is stopped (SIGSTOP, Ctrl-Z) on the same machine: it lives, so its call is not
repeated. Everything else goes on with others, and they say which step is held by whom."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tallystick import Journal
from tests.postgres_server import Server
from tests.runner.test_engines import temporal_address
from tests.runner.test_workers import assert_nothing_begun_by_ended_sessions
from tests.runner.workers import TOOLS, Workers, start_run, step, wait_for, wait_until_over, workers_on

__all__ = ["temporal_address"]
STEPS = [
    step("held", "unsafe", 1.5, after=[], priority=9),
    step("other", "unsafe", after=[]),
    step("next", "unsafe", after=["other"]),
    step("behind", "unsafe", after=["held"]),
]
ALL = Counter(["held", "other", "next", "behind"])


def states(journal: Journal, execution: str) -> dict[str, str]:
    return {each.id: each.state for each in journal.get_run(execution_id=execution).steps}


def silent(journal: Journal, execution: str) -> dict[str, str]:
    """The steps that are under way in a process that gives no sign of life."""
    return {each.id: each.silent for each in journal.get_status(execution_id=execution).steps if each.silent}


def assert_others_tell(journal: Journal, execution: str, frozen: "subprocess.Popen[Any]") -> None:
    """Everything but the frozen call and what waits for it is done, and status, brief and sessions name its process."""
    wait_for(lambda: states(journal, execution) == {"held": "running", "other": "done", "next": "done"})
    (text,) = wait_for(lambda: list(silent(journal, execution).values()))
    assert f"process {frozen.pid}" in text
    assert "no sign of life since 20" in text
    assert set(silent(journal, execution)) == {"held"}
    assert f"process {frozen.pid}" in journal.get_brief(execution_id=execution).text
    (session,) = [each for each in journal.list_sessions(status="open").sessions if each.silent_since]
    assert (session.alive, session.open_actions) == (True, 1)
    assert journal.list_in_doubt().in_doubt == ()


def freeze_and_go_on(journal: Journal, execution: str, workers: Workers, frozen: "subprocess.Popen[Any]") -> None:
    wait_for(lambda: states(journal, execution).get("held") == "running")
    frozen.send_signal(signal.SIGSTOP)
    workers.start()
    assert_others_tell(journal, execution, frozen)
    assert workers.effects()["held"] == 0
    wait_for(lambda: f"held of {execution} is under way" in workers.logs())
    frozen.send_signal(signal.SIGCONT)
    assert wait_until_over(journal, execution, workers) == "completed"
    assert silent(journal, execution) == {}
    assert workers.effects() == ALL
    assert_nothing_begun_by_ended_sessions(journal)


def test_a_frozen_worker_of_a_queue_keeps_its_call_and_nothing_else(postgres: Server, tmp_path: Path) -> None:
    with postgres.database() as url, workers_on(url, tmp_path, is_one_machine=True) as workers:
        frozen = workers.start("--at-once", "1")
        with Journal.open(url, journal="run") as journal:
            freeze_and_go_on(journal, start_run(journal, *STEPS), workers, frozen)


@pytest.mark.xdist_group("temporal")
def test_a_frozen_worker_of_a_cluster_keeps_its_call_and_nothing_else(temporal_address: str, tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path}/journal.db"
    options = ("--engine", "temporal", "--temporal", temporal_address)
    with workers_on(url, tmp_path, *options, is_one_machine=True) as workers:
        frozen = workers.start("--at-once", "1")
        with Journal.open(url, journal="run") as journal:
            freeze_and_go_on(journal, start_run(journal, *STEPS, engine="temporal"), workers, frozen)


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """The command that runs the plan in a folder."""
    (tmp_path / "tools.py").write_text(TOOLS)
    (tmp_path / "effects").touch()
    (tmp_path / "plan.json").write_text(json.dumps({"title": "t", "steps": STEPS}))
    return [sys.executable, "-m", "tallystick", "run", "--tools", "tools.py"]


def test_a_frozen_run_keeps_its_call_and_another_process_goes_on_with_the_rest(
    command: list[str], tmp_path: Path
) -> None:
    url = tmp_path / "journal.db"
    env = {**os.environ, "TALLYSTICK_URL": str(url), "TALLYSTICK_JOURNAL": "run", "EFFECTS": str(tmp_path / "effects")}

    def start(*words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen([*command, *words], cwd=tmp_path, env=env, text=True, stdout=-1, stderr=-1)

    frozen = start("plan.json", "--at-once", "1")
    with Journal.open(url, journal="run") as journal:
        try:
            wait_for(lambda: [each for each in journal.list_executions().executions if each.step == "held"])
            execution = journal.list_executions().executions[0].id
            frozen.send_signal(signal.SIGSTOP)
            out, err = start("--resume", execution).communicate(timeout=60)
            assert_others_tell(journal, execution, frozen)
            assert f"process {frozen.pid}" in out, err
            assert "Nothing repeats it" in out
            words = [sys.executable, "-m", "tallystick", "show", execution]
            shown = subprocess.run(words, cwd=tmp_path, env=env, text=True, stdout=-1, check=True).stdout
            assert "\nheld is under way since 20" in shown
            frozen.send_signal(signal.SIGCONT)
            out, err = frozen.communicate(timeout=60)
        finally:
            frozen.kill()
        assert (frozen.returncode, "completed, 4 of 4" in out) == (0, True), out + err
    assert Counter((tmp_path / "effects").read_text().split()) == ALL
