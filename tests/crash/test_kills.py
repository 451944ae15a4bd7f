"""Real processes die by SIGKILL: what was acknowledged is there, nothing is torn, what was open is in doubt.

It shows what a killed process leaves, not what a lost machine leaves. The campaigns count what was acknowledged, so
that they cannot pass by doing nothing.
"""

import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.crash import campaigns
from tests.crash.acknowledged import Account, in_doubt
from tests.crash.fork_server import ForkServer
from tests.crash.jobs import journal_at
from tests.memory_folders import quick_folder
from tests.postgres_server import Server
from tests.stores import Clock, open_store

SEED = 2026
"""The campaigns are samples: `make torture` runs them whole, with other seeds."""


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as made:
        yield made


def test_nothing_acknowledged_is_lost_when_a_process_dies_at_a_named_point(
    fork_server: ForkServer, folder: Path
) -> None:
    met = campaigns.kill_at_points(fork_server, campaigns.new_files(folder), 60, Random(SEED))
    print(dict(met))
    assert met["killed"] == 60
    assert all(met[point] == 10 for point in campaigns.POINTS)
    assert met["acknowledged"] > 250


def test_nothing_acknowledged_is_lost_when_processes_die_at_random_under_load(
    fork_server: ForkServer, folder: Path
) -> None:
    met = campaigns.kill_under_load(fork_server, campaigns.new_files(folder), 60, Random(SEED))
    print(dict(met))
    assert met["killed"] == 60
    assert met["acknowledged"] > 400


def test_32_processes_write_one_file_while_they_are_killed_and_restarted(fork_server: ForkServer, folder: Path) -> None:
    met = campaigns.kill_and_restart(fork_server, f"sqlite://{folder / 'journal.db'}", 40, Random(SEED))
    print(dict(met))
    assert met["killed"] == 40 + 32
    assert met["acknowledged"] > 250


@pytest.mark.parametrize("point", ["migrating", "before_commit", "after_commit"])
def test_a_store_with_an_interrupted_creation_opens_the_next_time(
    fork_server: ForkServer, folder: Path, point: str
) -> None:
    url = f"sqlite://{folder / 'journal.db'}"
    child = fork_server.start("open_once", url=url, point=point, nth=1)
    child.wait()
    assert child.receive() is None
    child.close()
    store = open_store(url)
    receipt = journal_at(store).record_context(key="here", value=1)
    store.close()
    account = Account(url)
    account.add([(receipt.seq, receipt.id, receipt.hash)])
    account.check()
    account.check_rows()


def test_open_actions_of_a_killed_process_are_in_doubt_at_once_and_once(fork_server: ForkServer, folder: Path) -> None:
    met = campaigns.doubt(fork_server, f"sqlite://{folder / 'journal.db'}", 50, Random(SEED))
    print(dict(met))
    assert met["killed"] == 50
    assert met["in doubt"] > 50
    assert met["stopped"] > 5


def test_a_stopped_process_is_not_in_doubt_long_after_its_lease(fork_server: ForkServer, folder: Path) -> None:
    url = f"sqlite://{folder / 'journal.db'}"
    child = fork_server.start("begin", url=url, seed="s", actions=2)
    begun = child.receive()
    child.signal(signal.SIGSTOP)
    clock = Clock(2_000_000_000_000_000)
    store = open_store(url, clock=clock)
    clock.advance(30 * 86_400)
    assert in_doubt(journal_at(store)) == []
    child.kill()
    assert in_doubt(journal_at(store)) == begun
    store.close()
    child.close()


def test_a_copy_of_the_file_and_its_wal_under_load_verifies_and_is_a_prefix(
    fork_server: ForkServer, folder: Path
) -> None:
    met = campaigns.copy_under_load(fork_server, folder, 20, Random(SEED))
    print(dict(met))
    assert met["copied"] == 20
    assert met["entries in copies"] > 1000


def test_nothing_acknowledged_is_lost_when_a_client_of_postgresql_dies_at_a_named_point(
    fork_server: ForkServer, postgres: Server
) -> None:
    with postgres.database() as first, postgres.database() as second:
        met = campaigns.kill_at_points(fork_server, iter([first, second]), 40, Random(SEED))
    print(dict(met))
    assert met["killed"] == 40
    assert met["acknowledged"] > 200


def test_nothing_acknowledged_is_lost_when_clients_of_postgresql_die_at_random_under_load(
    fork_server: ForkServer, postgres: Server
) -> None:
    with postgres.database() as url:
        met = campaigns.kill_under_load(fork_server, iter([url]), 40, Random(SEED))
    print(dict(met))
    assert met["killed"] == 40
    assert met["acknowledged"] > 250


def test_open_actions_of_a_killed_postgresql_client_are_in_doubt_at_once_and_once(
    fork_server: ForkServer, postgres: Server
) -> None:
    with postgres.database() as url:
        met = campaigns.doubt(fork_server, url, 30, Random(SEED))
    print(dict(met))
    assert met["killed"] == 30
    assert met["in doubt"] > 30
