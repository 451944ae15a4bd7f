"""`tallystick worker`: several processes carry out runs of one journal in PostgreSQL."""

import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tallystick import Journal
from tests.postgres_server import Server
from tests.runner.test_engines import temporal_address
from tests.runner.workers import Workers, start_run, step, wait_for, wait_until_over, workers_on

__all__ = ["temporal_address"]


@pytest.fixture
def workers(postgres: Server, tmp_path: Path) -> Iterator[Workers]:
    with postgres.database() as url, workers_on(url, tmp_path) as found:
        yield found


@pytest.fixture
def journal(workers: Workers) -> Iterator[Journal]:
    with Journal.open(workers.url, journal="run") as opened:
        yield opened


def layers(depth: int, width: int) -> list[str]:
    return [f"s{layer}_{place}" for layer in range(depth) for place in range(width)]


def test_workers_share_the_steps_of_a_plan_and_each_is_done_once(workers: Workers, journal: Journal) -> None:
    before = start_run(journal, step("early"))
    for _ in range(2):
        workers.start()
    steps = [
        step(f"s{layer}_{place}", after=[f"s{layer - 1}_{other}" for other in range(4)] if layer else [])
        for layer in range(4)
        for place in range(4)
    ]
    execution = start_run(journal, *steps)
    assert wait_until_over(journal, execution, workers) == "completed"
    assert wait_until_over(journal, before, workers) == "completed"
    assert workers.effects() == Counter([*layers(4, 4), "early"])


def test_a_step_of_an_agent_and_an_answer_move_the_run_on(workers: Workers, journal: Journal) -> None:
    workers.start()
    execution = start_run(journal, step("a", after=[]), step("b", by="agent", after=["a"]), step("c", after=["b"]))
    wait_for(lambda: workers.effects()["a"])
    wait_for(lambda: "a" in {each.id for each in journal.get_run(execution_id=execution).steps if each.state == "done"})
    begun = journal.record_action(phase="begin", execution_id=execution, step="b")
    journal.record_action(phase="end", action_id=begun.id, outcome="ok")
    assert wait_until_over(journal, execution, workers) == "completed"
    assert workers.effects() == Counter(["a", "c"])


def test_a_worker_that_is_stopped_hands_back_what_it_cannot_finish(workers: Workers, journal: Journal) -> None:
    worker = workers.start("--grace", "0.2", "--at-once", "1")
    execution = start_run(journal, step("a", "unsafe", 30, after=[], priority=1), step("b", after=[]))
    wait_for(lambda: journal.get_run(execution_id=execution).counts.get("running"))
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(20) == 0, workers.logs()
    workers.start()
    wait_for(lambda: workers.effects()["b"])
    wait_for(lambda: journal.get_run(execution_id=execution).counts.get("done"))
    states = {each.id: each.state for each in journal.get_run(execution_id=execution).steps}
    assert states == {"a": "in_doubt", "b": "done"}
    assert workers.effects() == Counter(["b"])


def test_a_worker_is_listed_while_it_lives_and_stops_when_it_is_told_to(workers: Workers, journal: Journal) -> None:
    worker = workers.start("--queues", "default,gpu")

    def living() -> list[str]:
        found = journal.list_sessions(status="open").sessions
        return [each.name for each in found if each.alive and each.client == "tallystick worker"]

    (name,) = wait_for(living)
    assert name.endswith(f":{worker.pid} default,gpu")
    execution = start_run(journal, step("a", seconds=0.5))
    wait_for(lambda: journal.get_run(execution_id=execution).counts.get("running"))
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(60) == 0, workers.logs()
    assert living() == []
    assert [each.state for each in journal.get_run(execution_id=execution).steps] == ["done"]
    assert workers.effects() == Counter(["a"])


def test_a_step_whose_tool_no_worker_has_says_so_until_one_with_it_is_started(
    workers: Workers, journal: Journal, tmp_path: Path
) -> None:
    workers.start()
    execution = start_run(journal, {**step("a", "shell"), "arguments": {"command": ["echo", "hello"]}})
    told = "a waits: no living worker has shell."
    wait_for(lambda: told in journal.get_brief(execution_id=execution).text)
    wait_for(lambda: f"a of {execution} waits for a worker that can begin it" in workers.logs())
    (tmp_path / "policy.toml").write_text('[shell]\nonly = ["echo"]\n')
    workers.start("--policy", str(tmp_path / "policy.toml"))
    assert wait_until_over(journal, execution, workers) == "completed"
    assert told not in journal.get_brief(execution_id=execution).text


@pytest.mark.parametrize("tool", ["probed", "unsafe"])
def test_a_worker_that_was_stopped_for_longer_than_its_lease_writes_nothing_stale(
    workers: Workers, journal: Journal, tool: str
) -> None:
    stopped = workers.start()
    execution = start_run(journal, step("a", tool, seconds=1.0, after=[]), step("b", after=["a"]))
    wait_for(lambda: workers.effects()["a"])
    stopped.send_signal(signal.SIGSTOP)  # after the effect, and before its end
    workers.start()
    if tool == "probed":
        assert wait_until_over(journal, execution, workers) == "completed"
    else:
        wait_for(lambda: journal.list_in_doubt(execution_id=execution).in_doubt)
    stopped.send_signal(signal.SIGCONT)
    assert wait_until_over(journal, execution, workers) == "completed"

    def late_ends() -> list[str]:
        entries = journal.read_entries(execution_id=execution, limit=100).entries
        (first, *_) = [entry for entry in entries if entry.kind == "action_begun"]
        return [entry.facts["outcome"] for entry in entries if (entry.kind, entry.id) == ("action_ended", first.id)]

    assert wait_for(lambda: len(late_ends()) == (2 if tool == "probed" else 1) and late_ends())[-1] == "ok"
    assert workers.effects() == Counter(["a", "b"])
    assert journal.list_in_doubt().in_doubt == ()
    assert_nothing_begun_by_ended_sessions(journal)


def assert_nothing_begun_by_ended_sessions(journal: Journal) -> None:
    ended: set[str] = set()
    for entry in journal.read_entries(limit=500).entries:
        if entry.kind == "session_ended":
            ended.add(entry.id)
        assert entry.kind != "action_begun" or entry.session not in ended, entry


@pytest.mark.xdist_group("temporal")
def test_workers_of_a_temporal_cluster_carry_out_a_run_and_take_over_from_a_killed_one(
    temporal_address: str, tmp_path: Path
) -> None:
    url = f"sqlite://{tmp_path}/journal.db"
    with workers_on(url, tmp_path, "--engine", "temporal", "--temporal", temporal_address) as workers:
        killed = workers.start()
        with Journal.open(url, journal="run") as journal:
            steps = step("a", seconds=0.5, after=[]), step("b", after=["a"]), step("c", after=["a"], resource="bank")
            execution = start_run(journal, *steps, engine="temporal")
            wait_for(lambda: workers.effects()["a"])
            workers.kill(killed)
            workers.start()
            assert wait_until_over(journal, execution, workers) == "completed"
        assert workers.effects() == Counter(["a", "b", "c"])
