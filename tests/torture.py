"""The campaigns at full size: `make torture`, or `python -m tests.torture --only points --kills 20000 --seed 7`.

Each campaign is run in parts, two at a time, until its target is met or the time is over. The table at the end says
what was done, what was acknowledged meanwhile, and how many parts failed; a failed part is named with the seed that
repeats it.
"""

import argparse
import os
import resource
import secrets
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack
from functools import cache
from multiprocessing import get_context
from multiprocessing.util import Finalize
from random import Random

from msgspec import Struct, field

from tallystick.core.redaction.masker import DEFAULT_MASKER
from tallystick.store.sql import tail
from tests import hostile_text, supervisor
from tests.browser import test_untrusted
from tests.browser.server import Serving
from tests.chromium import launched
from tests.core import test_documented_formats, test_literals, test_masker
from tests.core.secret_corpus import planted_secrets
from tests.crash import campaigns, damage
from tests.crash.fork_server import ForkServer, start_fork_server
from tests.gateway import bypass
from tests.interfaces.mcp import test_hostile
from tests.interfaces.mcp.line_client import Era
from tests.interfaces.rest.fuzz import fuzz
from tests.memory_folders import quick_folder, quick_parent
from tests.postgres_server import Server, shared_server
from tests.properties import test_store_machine
from tests.properties.test_undo_list import live
from tests.runner import kill_campaigns, test_same_command
from tests.runner.temporal_server import temporal_server
from tests.runner.test_hostile_plans import attack_canaries
from tests.runner.test_unwinding_crashes import unwind
from tests.runner.test_wrong_plans import refuse_plans
from tests.runner.workers import workers_on
from tests.stores import Home

WORKERS = 2
MOST_FAILURES = 3
"""The number of failures after which a campaign stops: more of the same would show nothing new."""
Part = Callable[[str], Counter[str]]


@cache
def _held() -> ExitStack:
    """The resources that a worker holds until it ends."""
    stack = ExitStack()
    Finalize(None, stack.close, exitpriority=10)
    return stack


@cache
def _fork_server() -> ForkServer:
    return _held().enter_context(start_fork_server())


@cache
def _run_fork_server() -> ForkServer:
    return _held().enter_context(start_fork_server(kill_campaigns.JOBS))


@cache
def _command_fork_server() -> ForkServer:
    return _held().enter_context(start_fork_server(test_same_command.JOBS))


@cache
def _temporal() -> str:
    return _held().enter_context(temporal_server())


@cache
def _server() -> Server:
    """The same one for all workers."""
    return _held().enter_context(shared_server())


def plans(seed: str) -> Counter[str]:
    met: Counter[str] = Counter()
    for number in range(1000):
        met += live(f"{seed}/{number}")
    return Counter(done=1000, prefixes=met["prefixes"], crashes=met["crash"])


def unwound(seed: str) -> Counter[str]:
    """Random plans that a runner carries out and unwinds, killed anywhere."""
    met: Counter[str] = Counter()
    for number in range(200):
        met += unwind(f"{seed}/{number}")
    return Counter(done=met["killed"], acknowledged=met["compared undos"])


def wrong_plans(seed: str) -> Counter[str]:
    """Plans with a mistake, each of which a runner refuses before its first effect."""
    return Counter(done=refuse_plans(seed, 500).total())


def hostile_plans(seed: str) -> Counter[str]:
    """Hostile plans and values, against a tool, a file, an address and a secret that they may not reach."""
    with quick_folder() as folder:
        refused = attack_canaries(folder, seed, 500)["refused"]
    return Counter(done=500, acknowledged=500 - refused, refused=refused)


def runs_local(seed: str) -> Counter[str]:
    """Runs of one process each, which is killed and followed by the next."""
    with quick_folder() as folder, _server().database() as postgres:
        url = postgres if Random(seed).random() < 0.3 else f"sqlite://{folder}/journal.db"
        met = kill_campaigns.kill_local(_run_fork_server(), url, folder, 100, Random(seed))
    return Counter(done=met["killed"], acknowledged=met["done"])


def runs_queue(seed: str) -> Counter[str]:
    """Workers of a queue that are killed, stopped and replaced, with deliveries that are lost, doubled and late."""
    return _worker_kills(seed, "queue", 100)


def runs_temporal(seed: str) -> Counter[str]:
    return _worker_kills(seed, "temporal", 50)


def takeovers(seed: str) -> Counter[str]:
    """How long it takes until others go on with the step of a killed worker: printed, as it depends on the machine."""
    engine = Random(seed).choice(("queue", "temporal"))
    met = _worker_kills(seed, engine, 20, is_measuring=True)
    return Counter(done=met["done"])


def _worker_kills(seed: str, engine: str, kills: int, *, is_measuring: bool = False) -> Counter[str]:
    with quick_folder() as folder, _server().database() as url, kill_campaigns.as_person(url) as person:
        campaign = kill_campaigns.WorkerCampaign(
            _run_fork_server(),
            person,
            folder,
            Random(seed),
            url=url,
            engine=engine,
            address=_temporal() if engine == "temporal" else "",
            is_measuring=is_measuring,
        )
        met = campaign.run(kills)
    if is_measuring:
        print(f"{engine}: {kill_campaigns.describe_takeovers(campaign)}", flush=True)
    return Counter(done=met["killed"], acknowledged=met["done"])


def races(seed: str) -> Counter[str]:
    """Eight processes race for one step."""
    with quick_folder() as folder, _server().database() as postgres:
        url = postgres if Random(seed).random() < 0.5 else f"sqlite://{folder}/journal.db"
        met = kill_campaigns.race(_run_fork_server(), url, folder, 200, Random(seed))
    return Counter(done=met["races"], acknowledged=met["begun"])


def same_runs(seed: str) -> Counter[str]:
    """Eight processes start the same run at once, by each engine in turn."""
    engine = Random(seed).choice(("local", "queue", "queue", "temporal"))
    options = ("--engine", "temporal", "--temporal", _temporal()) if engine == "temporal" else ()
    with quick_folder() as folder, _server().database() as url, workers_on(url, folder, *options) as workers:
        for _ in range(0 if engine == "local" else 2):
            workers.start()
        test_same_command.check(_command_fork_server(), workers, engine, 20)
    return Counter(done=20, acknowledged=20 * test_same_command.AT_ONCE)


def points(seed: str) -> Counter[str]:
    with quick_folder() as folder:
        return _kills(campaigns.kill_at_points(_fork_server(), campaigns.new_files(folder), 100, Random(seed)))


def load(seed: str) -> Counter[str]:
    with quick_folder() as folder:
        return _kills(campaigns.kill_under_load(_fork_server(), campaigns.new_files(folder), 100, Random(seed)))


def restart(seed: str) -> Counter[str]:
    with quick_folder() as folder:
        return _kills(campaigns.kill_and_restart(_fork_server(), f"sqlite://{folder}/journal.db", 200, Random(seed)))


def doubt(seed: str) -> Counter[str]:
    with quick_folder() as folder:
        return _kills(campaigns.doubt(_fork_server(), f"sqlite://{folder}/journal.db", 100, Random(seed)))


def copies(seed: str) -> Counter[str]:
    with quick_folder() as folder:
        met = campaigns.copy_under_load(_fork_server(), folder, 25, Random(seed))
    return Counter(done=met["copied"], acknowledged=met["entries in copies"])


def disk(seed: str) -> Counter[str]:
    random = Random(seed)
    kind, lasting, dies = random.choice(("full", "readonly", "broken")), random.random() < 0.5, random.random() < 0.5
    with quick_folder() as folder:
        urls = campaigns.new_files(folder)
        met = campaigns.fail_everywhere(_fork_server(), urls, kind, lasting=lasting, dies=dies)
    return Counter(done=met["failed"], acknowledged=met["acknowledged"], refused=met["refused"])


def damaged(seed: str) -> Counter[str]:
    """Copies of a journal's files with flipped bits, zeroed pages, noise and cuts."""
    with quick_folder() as folder:
        sample = damage.write_sample(folder)
        chances = [Random(f"{seed}/{number}") for number in range(100)]
        met = sum((damage.damage_and_read(sample, folder, chance) for chance in chances), Counter[str]())
    return Counter(done=met["done"], acknowledged=met["answers"], refused=met["errors"] + met["refused"])


def postgres(seed: str) -> Counter[str]:
    with _server().database() as url:
        met = campaigns.kill_at_points(_fork_server(), iter([url]), 25, Random(seed))
    with _server().database() as url:
        met += campaigns.kill_under_load(_fork_server(), iter([url]), 24, Random(seed))
    with _server().database() as url:
        met += campaigns.doubt(_fork_server(), url, 25, Random(seed))
    return _kills(met)


def machine(seed: str) -> Counter[str]:
    with quick_folder() as folder:
        return _histories(Home("sqlite", f"sqlite://{folder}/journal.db"), seed)


def machine_postgres(seed: str) -> Counter[str]:
    with _server().database() as url:
        return _histories(Home("postgres", url), seed)


def nonsense(seed: str) -> Counter[str]:
    """Messages to the MCP server: a tenth of them to a real process."""
    era: Era = "modern" if Random(seed).random() < 0.5 else "legacy"
    with quick_folder() as folder:
        met = test_hostile.by_pipes(folder, seed, 1000, era)
    met += test_hostile.in_process(f"{seed}/volume", 9000, era)
    return Counter(done=met["messages"], acknowledged=met["acknowledged"])


def gateway(seed: str) -> Counter[str]:
    """Messages through a gateway in this process, to servers that execute anything."""
    met = bypass.attack(seed, 5000, "modern" if Random(seed).random() < 0.5 else "legacy")
    return Counter(done=met["messages"], acknowledged=met["recorded"])


def masking(seed: str) -> Counter[str]:
    """Generated credentials in the places where they turn up, and the formats of public scanners."""
    masked = [(each, DEFAULT_MASKER.mask(each.value)) for each in planted_secrets(seed, each=8)]
    test_masker.assert_caught(masked)
    test_masker.assert_nothing_masked_looks_clean(masked)
    compared = test_literals.assert_finds_as_much(test_literals.sample_texts(seed, each=8))
    judged = test_documented_formats.assert_judged_formats_masked(seed, each=2)
    return Counter(done=len(masked) + judged, acknowledged=compared)


def page(seed: str) -> Counter[str]:
    """Hostile texts in every field, and every page that shows them in a browser. Each part has others."""
    start, _, part = seed.rpartition("/")
    first = (int(part) - 1) * test_untrusted.A_ROUND % test_untrusted.ALL
    texts = hostile_text.payloads(test_untrusted.ALL, Random(start).getrandbits(32))[
        first : first + test_untrusted.A_ROUND
    ]
    with quick_folder() as folder, launched() as (_, browser):
        served = Serving(f"sqlite://{folder}/journal.db", "served")
        try:
            shown = test_untrusted.count_shown_texts(browser, served, texts)
        finally:
            served.stop()
    return Counter(done=len(texts), acknowledged=shown)


def _histories(home: Home, seed: str) -> Counter[str]:
    tail.ENTRIES_PER_FLUSH = Random(seed).choice((1, 3, 16, 128))
    try:
        met = test_store_machine.run(home, 50, seed=seed)
    finally:
        home.close()
    refused = sum(count for name, count in met.items() if name.startswith("refused"))
    return Counter(done=50, acknowledged=sum(met.values()) - refused, refused=refused)


def _kills(met: Counter[str]) -> Counter[str]:
    return Counter(done=met["killed"], acknowledged=met["acknowledged"] + met["in doubt"])


def rest(seed: str) -> Counter[str]:
    """Requests made from the OpenAPI document; counted are the examples for each operation."""
    with quick_folder() as folder:
        return fuzz(folder, seed, "examples,coverage,fuzzing,stateful")


class Campaign(Struct):
    """A part of it, what it counts, and how much is wanted as a share of `--kills` or of `--plans`."""

    part: Part
    unit: str
    kills: float = 0
    plans: float = 0
    met: Counter[str] = field(default_factory=Counter)
    failures: int = 0
    seconds: float = 0

    def wanted(self, kills: int, plans: int) -> int:
        return int(self.kills * kills + self.plans * plans)


def all_campaigns() -> dict[str, Campaign]:
    return {
        "plans": Campaign(plans, "plans", plans=1),
        "machine": Campaign(machine, "histories", plans=0.002),
        "machine_postgres": Campaign(machine_postgres, "histories", plans=0.001),
        "unwound": Campaign(unwound, "kills", kills=1),
        "wrong_plans": Campaign(wrong_plans, "plans", plans=0.001),
        "hostile_plans": Campaign(hostile_plans, "plans", plans=0.001),
        "runs_local": Campaign(runs_local, "kills", kills=0.1),
        "runs_queue": Campaign(runs_queue, "kills", kills=0.1),
        "runs_temporal": Campaign(runs_temporal, "kills", kills=0.1),
        "takeovers": Campaign(takeovers, "kills", kills=0.005),
        "same_runs": Campaign(same_runs, "starts", kills=0.01),
        "races": Campaign(races, "races", kills=0.5),
        "points": Campaign(points, "kills", kills=0.3),
        "load": Campaign(load, "kills", kills=0.3),
        "restart": Campaign(restart, "kills", kills=0.2),
        "doubt": Campaign(doubt, "kills", kills=0.1),
        "postgres": Campaign(postgres, "kills", kills=0.1),
        "damaged": Campaign(damaged, "damages", kills=0.1),
        "copies": Campaign(copies, "copies", kills=0.05),
        "nonsense": Campaign(nonsense, "messages", plans=1),
        "gateway": Campaign(gateway, "messages", plans=0.1),
        "rest": Campaign(rest, "examples", kills=0.01),
        "disk": Campaign(disk, "failures", kills=0.5),
        "masking": Campaign(masking, "texts", plans=0.2),
        "page": Campaign(page, "texts", plans=0.002),
    }


def carry_out(name: str, seed: str) -> tuple[str, str, Counter[str], str, float]:
    """One part of a campaign, in a worker; an error comes back as text."""
    start = time.monotonic()
    try:
        met, error = all_campaigns()[name].part(seed), ""
    except BaseException:
        met, error = Counter(), traceback.format_exc()
    return name, seed, met, error, time.monotonic() - start


class Torture:
    """Hands out parts until all is done or the time is over."""

    def __init__(self, chosen: dict[str, Campaign], arguments: argparse.Namespace) -> None:
        self.chosen = chosen
        self.targets = {name: each.wanted(arguments.kills, arguments.plans) for name, each in chosen.items()}
        self.seed: str = arguments.seed
        self.ends = time.monotonic() + arguments.minutes * 60 if arguments.minutes else float("inf")
        self.parts: Counter[str] = Counter()

    def run(self) -> None:
        _allow_many_files()
        with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn"), initializer=_allow_many_files) as pool:
            running: set[Future[tuple[str, str, Counter[str], str, float]]] = set()
            while True:
                while len(running) < WORKERS and (name := self._next()):
                    self.parts[name] += 1
                    running.add(pool.submit(carry_out, name, f"{self.seed}/{name}/{self.parts[name]}"))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for each in done:
                    self._take(*each.result())

    def _next(self) -> str | None:
        """The campaign that has had the least time, if there is time and anything left to do."""
        if time.monotonic() > self.ends:
            return None
        left = [
            name
            for name, each in self.chosen.items()
            if each.met["done"] < self.targets[name] and each.failures < MOST_FAILURES
        ]
        return min(left, key=lambda name: self.chosen[name].seconds) if left else None

    def _take(self, name: str, seed: str, met: Counter[str], error: str, seconds: float) -> None:
        campaign = self.chosen[name]
        campaign.met += met
        campaign.seconds += seconds
        print(f"{name:18} {campaign.met['done']:>9,} of {self.targets[name]:,} {campaign.unit}", flush=True)
        if error:
            campaign.failures += 1
            print(f"FAILED {name}, seed {seed}\n{error}", flush=True)

    def table(self) -> str:
        lines = [f"{'campaign':18} {'done':>10} {'unit':10} {'acknowledged':>13} {'failed parts':>13} {'seconds':>8}"]
        for name, each in self.chosen.items():
            counted = each.met["acknowledged"] or each.met["prefixes"]
            lines.append(
                f"{name:18} {each.met['done']:>10,} {each.unit:10} {counted:>13,} {each.failures:>13} "
                f"{each.seconds:>8.0f}"
            )
        return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=20_000, help="processes to kill, over all campaigns")
    parser.add_argument("--plans", type=int, default=1_000_000, help="random plans to unwind")
    parser.add_argument("--minutes", type=float, default=0, help="stop after so long, whatever is left")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="the same seed gives the same plans and kills")
    parser.add_argument("--only", action="append", choices=sorted(all_campaigns()), help="may be given several times")
    arguments = parser.parse_args()
    supervisor.start(quick_parent())
    os.environ.setdefault("PYTEST_XDIST_TESTRUNUID", f"torture{os.getpid()}")  # so that the workers share one server
    chosen = {name: each for name, each in all_campaigns().items() if name in (arguments.only or all_campaigns())}
    torture = Torture(chosen, arguments)
    print(f"seed {arguments.seed}")
    torture.run()
    print(f"\nseed {arguments.seed}\n{torture.table()}")
    return 1 if any(each.failures for each in chosen.values()) else 0


def _allow_many_files() -> None:
    """A process keeps one file open for each store it ever looked at."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


if __name__ == "__main__":
    sys.exit(main())
