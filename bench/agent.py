"""Counts what three jobs cost an agent over MCP: its calls, and the tokens of their arguments and answers.

The agent of a job knows nothing but what the tools told it. A job is driven through `tallystick mcp`, and tokens are
counted with a real tokenizer (o200k_base). Before, the same jobs took 14, 17 and 5 calls, and 1,073, 1,215 and 342
tokens.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from bench.figure import Aim, Bench, Figure
from bench.mcp_client import Client
from tallystick import Journal
from tests import node

JOURNAL = "bench"


class Job(NamedTuple):
    """A job, with the most calls and tokens that it may take."""

    name: str
    title: str
    work: Callable[[Agent], None]
    max_calls: int
    max_tokens: int


class Agent:
    """An agent on one journal; `texts` has the arguments and the answer of each call."""

    def __init__(self, folder: Path) -> None:
        self.url = f"sqlite://{folder / 'journal.db'}"
        self._folder = folder
        self.texts: list[str] = []
        self.start()

    def start(self) -> None:
        """Start a server, as the client of a new conversation does."""
        env = {**os.environ, "TALLYSTICK_URL": self.url, "TALLYSTICK_JOURNAL": JOURNAL}
        self._client = Client([sys.executable, "-m", "tallystick", "mcp"], env, self._folder)

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The structure of an answer. Raises if the call is refused: a job has no dead end."""
        result = self._client.call(tool, arguments).result
        self.texts += [json.dumps(arguments, separators=(",", ":")), result["content"][0]["text"]]
        content: dict[str, Any] = result["structuredContent"]
        return content

    def do(self, step: str, outcome: str = "ok", error: str = "", **more: Any) -> str:
        """Begin a step, and end it."""
        action: str = self.call("record_action", phase="begin", step=step, summary=f"{step} now", **more)["id"]
        failure = {"error": error} if error else {}
        self.call("record_action", phase="end", action_id=action, outcome=outcome, summary="over", **failure)
        return action

    def is_killed(self) -> None:
        self._client.kill()

    def close(self) -> None:
        self._client.close()


def figures(bench: Bench) -> list[Figure]:
    measured = [figure for job in JOBS for figure in _figures_of(job, bench.folder)]
    return [*measured, _tools(bench.folder)]


def _figures_of(job: Job, folder: Path) -> list[Figure]:
    home = folder / job.name
    home.mkdir()
    agent = Agent(home)
    job.work(agent)
    agent.close()
    calls, tokens = len(agent.texts) // 2, sum(node.count_tokens(agent.texts))
    return [
        Figure(f"agent.{job.name}.calls", f"{job.title}: calls", calls, "calls", Aim(job.max_calls)),
        Figure(f"agent.{job.name}.tokens", f"{job.title}: tokens", tokens, "tokens", Aim(job.max_tokens)),
    ]


def _tools(folder: Path) -> Figure:
    """The tokens that every conversation pays once: tools and instructions."""
    home = folder / "tools"
    home.mkdir()
    agent = Agent(home)
    listed = [{name: tool[name] for name in ("name", "description", "inputSchema")} for tool in agent._client.tool_list]
    texts = [json.dumps(tool, separators=(",", ":")) for tool in listed] + [agent._client.instructions]
    agent.close()
    title = "Tools and instructions, once for each conversation: tokens"
    return Figure("agent.tools.tokens", title, sum(node.count_tokens(texts)), "tokens", Aim(1450))


def _release(agent: Agent) -> None:
    """A deployment in which a person approves the last step but one."""
    agent.call("query_ledger")
    agent.call("record_plan", title="Release 4.2", steps=RELEASE, start=True)
    agent.do("build")
    agent.do("migrate")
    asked = agent.call(
        "record_decision", decision="ask_human", step="switch", why="irreversible", question="Switch the traffic?"
    )
    with Journal.open(agent.url, journal=JOURNAL) as journal:
        secret = journal.add_credential(name="ada").secret
    with Journal.open(agent.url, journal=JOURNAL, credential=secret) as person:
        person.decide_approval(approval_id=asked["approval_id"], verdict="approve")
    agent.call("query_ledger", view="approvals", filter=f"id:{asked['approval_id']}")
    agent.do("switch", approval_id=asked["approval_id"])
    agent.call("record_action", phase="done", step="smoke", outcome="ok", summary="all pages answer")
    agent.call("record_decision", decision="done", why="4.2 is live")


def _migration(agent: Agent) -> None:
    """A migration that fails and is unwound."""
    agent.call("query_ledger")
    agent.call("record_plan", title="Move to the new schema", steps=MIGRATION, start=True)
    agent.do("lock")
    agent.do("backup")
    agent.do("migrate", "failed", "column users.mail is missing")
    owed = agent.call("record_decision", decision="unwind", why="the migration failed")["owed"]
    for item in owed:
        undone = {"kind": "undo", "undoes": item["action_id"], "outcome": "ok", "summary": "undone"}
        agent.call("record_action", phase="done", **undone)
    agent.call("record_decision", decision="done", why="all is undone")


def _takeover(agent: Agent) -> None:
    """An agent takes over from one that was killed in the middle of a step."""
    agent.call("record_plan", title="Release 4.2", steps=RELEASE[:2], start=True)
    agent.call("record_action", phase="begin", step="build", summary="build the image")
    agent.is_killed()
    agent.texts.clear()
    agent.start()
    brief = agent.call("query_ledger")
    (doubtful,) = brief["in_doubt"]
    settled = {"action_id": doubtful, "outcome": "ok", "evidence": "docker images lists it"}
    agent.call("record_decision", decision="settle", why="the image is there", **settled)
    migrated = {"execution_id": brief["execution_id"], "step": "migrate", "outcome": "ok", "summary": "migrated"}
    agent.call("record_action", phase="done", **migrated)
    agent.call("record_decision", decision="done", why="all steps are done")


RELEASE: list[dict[str, Any]] = [
    {
        "id": "build",
        "title": "Build the image",
        "tool": "docker_build",
        "cancellable": "reversible",
        "undo": "delete it",
    },
    {
        "id": "migrate",
        "title": "Migrate the database",
        "tool": "migrate",
        "arguments": {"to": 42},
        "cancellable": "reversible",
        "undo": {"tool": "migrate", "arguments": {"to": 41}},
    },
    {
        "id": "switch",
        "title": "Switch the traffic",
        "tool": "switch_traffic",
        "arguments": {"to": "4.2"},
        "cancellable": "irreversible",
        "needs_approval": True,
    },
    {"id": "smoke", "title": "Smoke test", "tool": "smoke", "cancellable": "reversible", "undo": "nothing"},
]
MIGRATION: list[dict[str, Any]] = [
    {"id": "lock", "title": "Lock writes", "tool": "lock", "cancellable": "reversible", "undo": {"tool": "unlock"}},
    {"id": "backup", "title": "Back up", "tool": "backup", "cancellable": "reversible", "undo": "delete the backup"},
    {**RELEASE[1], "title": "Migrate"},
    {"id": "check", "title": "Check", "tool": "check", "cancellable": "reversible", "undo": "nothing"},
]
JOBS = (
    Job("release", "A deployment with an approval", _release, 12, 778),
    Job("migration", "A migration that is unwound", _migration, 13, 800),
    Job("takeover", "Taking over from a killed agent", _takeover, 4, 257),
)
