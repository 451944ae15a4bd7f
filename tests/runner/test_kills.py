"""Runs never do anything twice and lose nothing, wherever their processes are killed: samples of the campaigns."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.crash.fork_server import ForkServer, start_fork_server
from tests.postgres_server import Server
from tests.runner import kill_campaigns
from tests.runner.test_engines import temporal_address

__all__ = ["temporal_address"]

SEED = 2026
RACES = 100
"""At each store. `make torture` has 10,000."""


@pytest.fixture(scope="module")
def fork_server() -> Iterator[ForkServer]:
    with start_fork_server(kill_campaigns.JOBS) as made:
        yield made


def test_a_local_run_that_is_killed_anywhere_does_nothing_twice_and_loses_nothing(
    fork_server: ForkServer, tmp_path: Path
) -> None:
    met = kill_campaigns.kill_local(fork_server, f"sqlite://{tmp_path}/journal.db", tmp_path, 20, Random(SEED))
    assert met["killed"] >= 20


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_a_step_for_which_eight_processes_race_is_begun_once(
    fork_server: ForkServer, tmp_path: Path, store: str, request: pytest.FixtureRequest
) -> None:
    with ExitStack() as stack:
        url = f"sqlite://{tmp_path}/journal.db"
        if store == "postgres":
            url = stack.enter_context(request.getfixturevalue("postgres").database())
        assert kill_campaigns.race(fork_server, url, tmp_path, RACES, Random(SEED))["begun"] == RACES


def test_workers_of_a_queue_that_are_killed_anywhere_do_nothing_twice_and_lose_nothing(
    fork_server: ForkServer, postgres: Server, tmp_path: Path
) -> None:
    with postgres.database() as url:
        met = kill_workers(fork_server, tmp_path, 10, url=url, engine="queue")
    assert met["killed"] >= 10


@pytest.mark.xdist_group("temporal")
def test_workers_of_a_cluster_that_are_killed_anywhere_do_nothing_twice_and_lose_nothing(
    fork_server: ForkServer, temporal_address: str, tmp_path: Path
) -> None:
    url = f"sqlite://{tmp_path}/journal.db"
    met = kill_workers(fork_server, tmp_path, 3, url=url, engine="temporal", address=temporal_address)
    assert met["killed"] >= 3


def kill_workers(fork_server: ForkServer, folder: Path, kills: int, **where: Any) -> Counter[str]:
    with kill_campaigns.as_person(where["url"]) as person:
        campaign = kill_campaigns.WorkerCampaign(fork_server, person, folder, Random(SEED), **where)
        return campaign.run(kills)
