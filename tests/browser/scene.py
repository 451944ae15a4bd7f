"""Records a week of example work in a shop, with something of everything that the page shows.

`python -m tests.browser.scene FILE [JOURNAL]` fills a file. The clock of the store is moved, so that the week takes
seconds; everything else is recorded through `Journal`.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from tallystick import Journal, settings
from tallystick.core.types import Actor, ActorKind, Choice, Outcome, Witness
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.local import Local
from tallystick.store.interface import Store
from tallystick.store.sqlite.store import SqliteStore
from tests.browser import scene_plans

HOUR, DAY = 3600.0, 86400.0
LEASE_SECONDS = 40 * DAY
"""Longer than anybody looks at the scene, so that sessions stay alive."""


class Clock:
    """A clock that is moved by hand, and never into the future."""

    def __init__(self, seconds_ago: float) -> None:
        self.now = time.time() - seconds_ago

    def __call__(self) -> int:
        return int(self.now * 1_000_000)

    def wait(self, seconds: float) -> None:
        self.now = min(self.now + seconds, time.time())

    def until(self, seconds_ago: float) -> None:
        self.now = max(self.now, time.time() - seconds_ago)


class Agent:
    """An agent with its own session and journal."""

    def __init__(
        self, scene: "Scene", name: str, client: str, kind: ActorKind = "agent", witness: Witness = "claimed"
    ) -> None:
        self.clock = scene.clock
        principal = Principal(actor=Actor(kind=kind, name=name), witness=witness)
        context = OperationContext(scene.store, replace(settings.load(), journal=scene.journal), principal)
        opened = Journal(Local(context)).open_session(
            name=f"{client}:{name}", client=client, lease_seconds=LEASE_SECONDS
        )
        self.session = opened.id
        self.journal = Journal(Local(context.for_principal(replace(principal, session=opened.id))))

    def begin(self, execution: str, tool: str, summary: str = "", **more: Any) -> str:
        begun = self.journal.record_action(phase="begin", execution_id=execution, tool=tool, summary=summary, **more)
        return begun.id

    def end(self, action: str, outcome: Outcome = "ok", **more: Any) -> None:
        self.journal.record_action(phase="end", action_id=action, outcome=outcome, **more)

    def do(
        self, execution: str, tool: str, summary: str = "", *, takes: float = 2, result: Any = None, **more: Any
    ) -> str:
        """Record an action from begin to end; `result` is its result, or the error of a failure."""
        action = self.begin(execution, tool, summary, **more)
        self.clock.wait(takes)
        if isinstance(result, Exception):
            self.end(action, "failed", error=str(result))
        else:
            self.end(action, result=result)
        self.clock.wait(takes / 5)
        return action

    def carry_out(self, execution: str, step: dict[str, Any], **more: Any) -> str:
        """Record a step of a plan with its planned arguments."""
        planned = {"step": step["id"], "arguments": step["arguments"]}
        return self.do(
            execution, step["tool"], step["title"], **{"takes": 45, "result": {"ok": True}, **planned, **more}
        )

    def decide(self, execution: str, decision: Choice, why: str, **more: Any) -> None:
        self.journal.record_decision(execution_id=execution, decision=decision, why=why, **more)
        self.clock.wait(3)

    def die(self) -> None:
        """End the session, so that open actions are in doubt."""
        self.journal.end_session(session_id=self.session, reason="the process was killed")


class Scene:
    """The store, its clock, and the recorded executions by name."""

    def __init__(self, store: Store, clock: Clock, journal: str) -> None:
        self.store, self.clock, self.journal = store, clock, journal
        self.executions: dict[str, str] = {}
        self.random = Random(5)

    def agent(self, name: str, client: str, kind: ActorKind = "agent", witness: Witness = "claimed") -> Agent:
        return Agent(self, name, client, kind, witness)

    def start(self, name: str, agent: Agent, **more: Any) -> str:
        self.executions[name] = agent.journal.record_execution_start(**more).id
        self.clock.wait(4)
        return self.executions[name]


@contextmanager
def open_scene(path: Path, journal: str = "shop") -> Iterator[Scene]:
    clock = Clock(7 * DAY)
    store = SqliteStore(path, clock=clock)
    try:
        yield Scene(store, clock, journal)
    finally:
        store.close()


def fill(path: Path, journal: str = "shop", *, large: int = 20_000, small: int = 140) -> dict[str, str]:
    """Record the week; return the handles of its executions by name. `large` is the size of the largest in entries."""
    with open_scene(path, journal) as scene:
        for part in (
            small_executions(small),
            context_values,
            completed_move,
            killed_cleanup,
            stopped_archive,
            paused_rotation,
            large_import(large),
            unwinding_upgrade,
        ):
            part(scene)
        for part in (waiting_refund, running_release, ad_hoc_fix):
            part(scene)
        return scene.executions


def small_executions(count: int) -> Callable[[Scene], None]:
    """Record many short executions of several agents, most of which succeed."""

    def play(scene: Scene) -> None:
        rest = (6.5 * DAY - 6 * HOUR) / max(count, 1)
        agents = [scene.agent(name, client) for name, client in scene_plans.AGENTS]
        for number in range(count):
            agent = agents[number % len(agents)]
            title, task, tool = scene_plans.CHORES[number % len(scene_plans.CHORES)]
            began = scene.clock.now
            id = agent.journal.record_execution_start(title=title, task_id=task).id
            scene.clock.wait(2)
            for attempt in range(1 + number % 4):
                failed = RuntimeError("the host did not answer") if number % 9 == 5 and attempt == 0 else None
                arguments = {"run": number, "attempt": attempt}
                takes = scene.random.uniform(1, 40)
                agent.do(
                    id,
                    tool,
                    title.lower(),
                    takes=takes,
                    result=failed or {"ok": True},
                    arguments=arguments,
                    effect="read",
                )
            if number % 9 == 5 and number % 2:
                agent.decide(id, "fail", "the host is still down, somebody has to look at it")
            else:
                agent.decide(id, "done", "nothing left to do")
            scene.clock.wait(max(1, rest - (scene.clock.now - began)))

    return play


def context_values(scene: Scene) -> None:
    """Record context values, with some history."""
    agent = scene.agent("claude", "claude-code")
    for region in ("eu-1", "eu-2"):
        agent.journal.record_context(key="deploy.target", value=region, type="finding")
        scene.clock.wait(HOUR)
    for key, value, kind in scene_plans.CONTEXT:
        agent.journal.record_context(key=key, value=value, type=kind)


def completed_move(scene: Scene) -> None:
    """Record a completed plan, with a retried failure and a revision."""
    scene.clock.until(40 * HOUR)
    agent = scene.agent("claude", "claude-code")
    plan = agent.journal.record_plan(**scene_plans.MOVE)
    id = scene.start("moved", agent, plan_id=plan.id, task_id="SHOP-412")
    for step in scene_plans.MOVE["steps"][:3]:
        agent.carry_out(id, step)
    steps = [*scene_plans.MOVE["steps"][:4], scene_plans.WARM, *scene_plans.MOVE["steps"][4:]]
    revised = {**scene_plans.MOVE, "steps": steps}
    agent.journal.record_plan(plan_id=plan.id, reason="the cache has to be warm before the name is switched", **revised)
    agent.decide(id, "replan", "the first visitors would have met a cold cache", alternatives=("switch at night",))
    switch = steps[3]
    agent.carry_out(id, switch, takes=15, result=RuntimeError("SERVFAIL from ns2.example.net"))
    agent.decide(id, "retry", "ns2 was restarting; its own log says so", step=switch["id"])
    agent.carry_out(id, switch, takes=12, result={"ttl": 60}, again="the name server is back")
    for step in steps[4:]:
        action = agent.begin(
            id,
            step["tool"],
            step["title"],
            step=step["id"],
            arguments=step["arguments"],
            before={"region": "eu-1", "replicas": 2, "flags": ["cdn"]},
        )
        scene.clock.wait(70)
        agent.end(action, result={"ok": True}, after={"region": "eu-2", "replicas": 3, "flags": ["cdn", "http3"]})
    agent.journal.record_context(key="site.region", value="eu-2", scope="execution", execution_id=id, type="finding")
    agent.decide(id, "done", "the site answers from eu-2 and the old one has had no request for ten minutes")


def killed_cleanup(scene: Scene) -> None:
    """Record ad hoc work of a killed agent, which is in doubt."""
    scene.clock.until(30 * HOUR)
    agent = scene.agent("codex", "codex-cli")
    id = scene.start("in_doubt", agent, title="Clean the image bucket", task_id="SHOP-398")
    agent.do(id, "Bash", "list unused files", takes=12, result={"files": 1843}, effect="read",
             arguments={"command": "s3 ls s3://shop-images --recursive"})  # fmt: skip
    agent.do(id, "Bash", "delete the thumbnails of 2023", takes=30, result={"deleted": 912},
             arguments={"command": "s3 rm s3://shop-images/thumbs/2023 --recursive"},
             cancellable="reversible", undo="restore them from the versioned bucket")  # fmt: skip
    agent.begin(id, "Bash", "delete the originals of 2021", cancellable="irreversible",
                arguments={"command": "s3 rm s3://shop-images/originals/2021 --recursive"})  # fmt: skip
    scene.clock.wait(20)
    agent.die()


def stopped_archive(scene: Scene) -> None:
    """Record a stopped execution that still owes something."""
    scene.clock.until(26 * HOUR)
    agent = scene.agent("gemini", "gemini-cli")
    id = scene.start("stopped", agent, title="Archive the invoices of 2019", task_id="FIN-77")
    agent.do(id, "move_folder", "move January to March", takes=8, result={"moved": 311}, cancellable="reversible",
             undo={"tool": "move_folder", "arguments": {"from": "archive/2019", "to": "invoices/2019"}})  # fmt: skip
    agent.decide(id, "stop", "the auditors still need them where they are")


def paused_rotation(scene: Scene) -> None:
    """Record a paused execution with a skipped step."""
    scene.clock.until(22 * HOUR)
    agent = scene.agent("cursor", "cursor")
    plan = agent.journal.record_plan(**scene_plans.ROTATE)
    id = scene.start("paused", agent, plan_id=plan.id, task_id="SEC-12")
    first, second, *_ = scene_plans.ROTATE["steps"]
    agent.carry_out(id, first, takes=6)
    action = agent.begin(id, second["tool"], second["title"], step=second["id"], arguments=second["arguments"])
    agent.end(action, "skipped", summary="the staging shop has no key of its own")
    agent.decide(id, "skip", "there is nothing to rotate in staging", step=second["id"])
    agent.decide(id, "pause", "the payment provider has maintenance until tomorrow")


def large_import(entries: int) -> Callable[[Scene], None]:
    """Record the largest execution: an import by a main agent and three sub-agents."""

    def play(scene: Scene) -> None:
        scene.clock.until(18 * HOUR)
        main = scene.agent("claude", "claude-code")
        others = [scene.agent(f"claude/reader-{number}", "claude-code", "sub-agent") for number in (1, 2, 3)]
        id = scene.start("large", main, title="Import the catalogue of the supplier", task_id="SHOP-420")
        for part in range(entries // 80):
            agent = [main, *others][part % 4]
            scene.clock.wait(scene.random.uniform(0.3, 3) if part % 45 else 240)
            begins: list[Any] = [_page_begin(id, part * 40 + number) for number in range(40)]
            begun = agent.journal.record_batch(records=begins).receipts
            scene.clock.wait(scene.random.uniform(0.5, 4))
            ends: list[Any] = [_page_end(each.id, part * 40 + number) for number, each in enumerate(begun)]
            agent.journal.record_batch(records=ends)
        main.decide(id, "done", "every page is in; the rejected ones are listed in the report")

    return play


def _page_begin(execution: str, number: int) -> dict[str, Any]:
    arguments = {
        "phase": "begin",
        "execution_id": execution,
        "tool": "import_page" if number % 7 else "fetch_page",
        "summary": f"page {number} of the catalogue",
        "arguments": {"page": number, "size": 50},
        "effect": "idempotent",
        "cancellable": "reversible",
        "undo": {"tool": "remove_page", "arguments": {"page": number}},
    }
    return {"operation": "record_action", "arguments": arguments}


def _page_end(action: str, number: int) -> dict[str, Any]:
    failed = number % 137 == 61
    outcome: dict[str, Any] = {"outcome": "failed", "error": "row 17 has no price"} if failed else {"outcome": "ok"}
    arguments = {"phase": "end", "action_id": action, **outcome, "result": None if failed else {"rows": 50}}
    return {"operation": "record_action", "arguments": arguments}


def unwinding_upgrade(scene: Scene) -> None:
    """Record an unwinding execution with undone, owed and irreversible actions, and an undo in doubt."""
    scene.clock.until(5 * HOUR)
    agent, helper = scene.agent("claude", "claude-code"), scene.agent("claude/dba", "claude-code", "sub-agent")
    plan = agent.journal.record_plan(**scene_plans.UPGRADE)
    id = scene.start("unwinding", agent, plan_id=plan.id, task_id="OPS-31")
    done: dict[str, str] = {}
    for step in scene_plans.UPGRADE["steps"][:4]:
        who = helper if step["id"] in ("replica", "snapshot") else agent
        done[step["id"]] = who.carry_out(id, step, takes=95, result={"id": f"{step['id']}-17"})
    agent.do(id, "Bash", "check the disk of the primary", takes=4, effect="read", result={"free": "11%"})
    done["notify"] = helper.do(id, "send_mail", "tell the team about the upgrade", takes=3, cancellable="irreversible")
    switch = scene_plans.UPGRADE["steps"][4]
    failed = RuntimeError("replication slot is 42 GB behind; the new primary refuses writes")
    agent.carry_out(id, switch, takes=140, result=failed)
    agent.decide(id, "unwind", "writes fail, and the plan says to go back when they do", alternatives=("wait for it",))
    undo = helper.begin(id, "pg_promote", "make the old primary write again", kind="undo", undoes=done["freeze"])
    scene.clock.wait(35)
    helper.end(undo, result={"writes": True})
    helper.begin(id, "drop_replica", "remove the replica of version 17", kind="undo", undoes=done["replica"])
    scene.clock.wait(50)
    helper.die()


def waiting_refund(scene: Scene) -> None:
    """Record an execution that waits for a person, with an expired question."""
    scene.clock.until(2 * HOUR)
    agent = scene.agent("codex", "codex-cli")
    plan = agent.journal.record_plan(**scene_plans.REFUND)
    id = scene.start("waiting", agent, plan_id=plan.id, task_id="CARE-9")
    agent.do(id, "query_orders", "find double charges", takes=9, step="find", effect="read", result={"orders": 14})
    agent.journal.request_approval(
        question="May the draft be sent to legal?", execution_id=id, expires="10m", options=("yes", "no")
    )
    scene.clock.wait(20 * 60)
    refund = {"orders": [f"A-{number}" for number in range(1001, 1015)], "amount": 412.5, "currency": "EUR"}
    agent.decide(id, "ask_human", "money leaves the shop, and it cannot be called back", step="refund",
                 question="Refund 412.50 EUR to 14 customers who were charged twice?", tool="refund", arguments=refund,
                 options=("all of them", "only those over 20 EUR", "none"), expires="8h")  # fmt: skip


def running_release(scene: Scene) -> None:
    """Record a running execution observed by hooks, with parallel sub-agents."""
    scene.clock.until(26 * 60)
    agent, hook = scene.agent("claude", "claude-code"), scene.agent("claude", "claude-code-hooks", "hook", "observed")
    testers = [scene.agent(f"claude/{name}", "claude-code", "sub-agent") for name in ("tester", "reviewer")]
    plan = agent.journal.record_plan(**scene_plans.RELEASE)
    id = scene.start("running", agent, plan_id=plan.id, task_id="SHOP-431")
    for step in scene_plans.RELEASE["steps"][:4]:
        agent.carry_out(id, step)
    for number in range(6):
        hook.do(id, "Bash", "", takes=7, effect="read", arguments={"command": f"git diff HEAD~{number} --stat"})
    open_ones = [
        tester.begin(id, "run_suite", f"the {name} suite", arguments={"suite": name})
        for tester, name in zip(testers, ("browser", "api"), strict=True)
    ]
    scene.clock.wait(150)
    testers[1].end(open_ones[1], result={"passed": 812, "failed": 0})
    agent.do(id, "publish", "publish the packages", takes=30, step="publish",
             result=RuntimeError("403: the token may not publish"))  # fmt: skip
    agent.decide(id, "retry", "the token was for the old registry; there is a new one", step="publish")
    agent.begin(id, "publish", "publish the packages", step="publish", again="with the new token")
    agent.journal.request_approval(question="Announce 4.2.0 on the front page?", execution_id=id, tool="post_banner",
                                   arguments={"text": "4.2.0 is here", "days": 3})  # fmt: skip
    scene.clock.until(20)


def ad_hoc_fix(scene: Scene) -> None:
    """Record ad hoc work from a moment ago."""
    agent = scene.agent("copilot", "github-copilot")
    id = scene.start("ad_hoc", agent, title="Fix the flaky checkout test", task_id="SHOP-433")
    agent.do(id, "edit", "wait for the basket instead of sleeping", takes=2, result={"lines": 4},
             arguments={"path": "tests/checkout.ts"}, cancellable="reversible", undo="git checkout it")  # fmt: skip
    agent.begin(id, "run_tests", "the checkout tests, fifty times", effect="read")


if __name__ == "__main__":
    file = Path(sys.argv[1])
    for name, handle in fill(file, *sys.argv[2:3]).items():
        print(name, handle)
