"""The two scripted agents. Each is a process of its own, in the folder of the site; they share only the journal.

python -m tallystick.demo.agents ROLE NAME URL JOURNAL PACE FOLDER
"""

import os
import sys
import time
from typing import Any

from msgspec import Struct, json

from tallystick.core.plans import Advice
from tallystick.core.types import FailurePolicy, Step, Undo
from tallystick.demo.world import SERVER_STATE, SPRING_PAGES, TOOLS, Failed, look_for_server
from tallystick.operations.runtime.progress import DoubtItem, OwedItem
from tallystick.sdk.journal import Journal

# ----------------------------------------------------------------------------------------------------------------------
# What an agent tells those who watch, beside what it records: what it asked the journal, and what it saw.
#
# Each message names the entry behind which it belongs. The agent goes on when it is answered, so that entries and
# messages are shown in the order in which they happened.


class Message(Struct, frozen=True, kw_only=True, tag=True):
    after: int
    """The sequence number of the last entry when it was sent."""


class InTheMiddle(Message, frozen=True, kw_only=True):
    """The effect of a step has happened, its end is not recorded, and the agent waits to be killed."""

    step: str
    seen: str


class GotBrief(Message, frozen=True, kw_only=True):
    text: str


class GotDoubts(Message, frozen=True, kw_only=True):
    items: tuple[DoubtItem, ...]


class Looked(Message, frozen=True, kw_only=True):
    tool: str
    seen: str


class GotAdvice(Message, frozen=True, kw_only=True):
    items: tuple[Advice, ...]


class GotOwed(Message, frozen=True, kw_only=True):
    items: tuple[OwedItem, ...]


AnyMessage = InTheMiddle | GotBrief | GotDoubts | Looked | GotAdvice | GotOwed

write = json.Encoder().encode
read = json.Decoder(AnyMessage).decode


# ----------------------------------------------------------------------------------------------------------------------
# The plan of the demonstration: put a release of a web site live. Every step that changes something says its undo.

TITLE = "Put the spring release live"
RELEASE = "releases/spring"
KILLED_IN = "start_server"
"""The step in which the first agent is killed."""

STEPS = (
    Step(
        id="make_release",
        title="make its folder",
        tool="make_folder",
        arguments={"path": RELEASE},
        cancellable="reversible",
        undo=Undo(tool="delete_folder", arguments={"path": "${result.path}"}),
    ),
    Step(
        id="write_pages",
        title="write the pages",
        tool="write_files",
        arguments={"folder": RELEASE, "files": SPRING_PAGES},
        cancellable="reversible",
        undo=Undo(tool="delete_files", arguments={"paths": "${result.paths}"}),
    ),
    Step(
        id=KILLED_IN,
        title="start a web server for them",
        tool="start_server",
        arguments={"folder": RELEASE, "state": SERVER_STATE},
        cancellable="reversible",
        effect="probeable",
        probe=Undo(tool="look_for_server", arguments={"state": SERVER_STATE}),
        undo=Undo(tool="stop_server", arguments={"process": "${result.server.process}", "state": "${arguments.state}"}),
    ),
    Step(
        id="go_live",
        title="point current at it",
        tool="point_link",
        arguments={"link": "current", "target": RELEASE},
        cancellable="reversible",
        undo=Undo(tool="point_link", arguments={"link": "current", "target": "${result.before}"}),
    ),
    Step(
        id="check_links",
        title="follow its links as visitors do",
        tool="check_links",
        arguments={"state": SERVER_STATE},
        cancellable="reversible",
        effect="read",
        failure_policy=FailurePolicy(action="cancel_all", reason="visitors must not meet a broken site"),
    ),
)


# ----------------------------------------------------------------------------------------------------------------------

READING = 4
"""A message takes so many times as long to read as an entry."""


class Agent:
    """What both agents can do: think, use a tool, and tell those who watch."""

    def __init__(self, journal: Journal, pace: float) -> None:
        self.journal = journal
        self.pace = pace

    def use(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        self.think()
        return TOOLS[tool](**arguments)

    def think(self, times: float = 1) -> None:
        time.sleep(self.pace * times)

    def tell(self, message: AnyMessage) -> None:
        """Send a message and go on when it has been shown."""
        sys.stdout.buffer.write(write(message) + b"\n")
        sys.stdout.flush()
        if not sys.stdin.readline():
            raise SystemExit("nobody is watching any more")
        self.think(READING)

    def head(self) -> int:
        return self.journal.read_entries(newest_first=True, limit=1).last_seq


class First(Agent):
    """Records the plan and carries it out, until it is killed."""

    def work(self) -> None:
        plan = self.journal.record_plan(
            title=TITLE, goal="Visitors of the bakery's site see the spring menu", steps=STEPS, task_id="bakery-spring"
        )
        self.think(READING)
        self.journal.carry_out(plan, self.do)

    def do(self, step: dict[str, Any]) -> dict[str, Any]:
        result = self.use(step["tool"], step["arguments"])
        if step["id"] == KILLED_IN:
            seen = look_for_server(SERVER_STATE)["seen"]
            self.tell(InTheMiddle(after=self.head(), step=step["id"], seen=seen))  # the answer is SIGKILL
        return result


class Second(Agent):
    """Knows nothing but the journal: settles what is in doubt, goes on, and unwinds when a step fails."""

    def work(self) -> None:
        brief = self.journal.get_brief()
        self.tell(GotBrief(after=brief.seq, text=brief.text))
        self.execution = brief.execution_id
        self.settle_doubts()
        well = self.go_on()
        if not well:
            self.unwind()
        self.think()
        why = "all steps are done" if well else "everything is undone: the site is as it was"
        self.journal.record_decision(execution_id=self.execution, decision="done", why=why)

    def settle_doubts(self) -> None:
        doubts = self.journal.list_in_doubt(execution_id=self.execution).in_doubt
        self.tell(GotDoubts(after=self.head(), items=doubts))
        for item in doubts:
            self.settle(item)

    def settle(self, item: DoubtItem) -> None:
        """By looking at the world, with the probe that the plan names; never by doing it again."""
        assert isinstance(item.probe, Undo)
        found = self.use(item.probe.tool, item.probe.arguments)
        self.tell(Looked(after=self.head(), tool=item.probe.tool, seen=found["seen"]))
        self.journal.record_action(
            phase="end",
            action_id=item.action_id,
            outcome="ok" if found["running"] else "failed",
            result={"server": found["server"]} if found["running"] else None,
            evidence=found["seen"],
        )

    def go_on(self) -> bool:
        """Do the steps that are left; False when one fails."""
        status = self.journal.get_status(execution_id=self.execution)
        planned = self.journal.get_plan(plan_id=status.execution.plan_id).revisions[0].steps
        steps = {step["id"]: step for step in planned}
        while status.next_steps:
            self.think()
            try:
                self.do(steps[status.next_steps[0]])
            except Failed:
                return False
            status = self.journal.get_status(execution_id=self.execution)
        return True

    def do(self, step: dict[str, Any]) -> None:
        tool, arguments = step["tool"], step["arguments"]
        with self.journal.step(
            step["id"], step["title"], execution_id=self.execution, tool=tool, arguments=arguments
        ) as action:
            action.result = self.use(tool, arguments)

    def unwind(self) -> None:
        """Ask what the plan says about the failure, decide, and undo in the order that the journal gives."""
        advice = self.journal.get_status(execution_id=self.execution).advice
        self.tell(GotAdvice(after=self.head(), items=advice))
        self.journal.record_context(
            key="spring.missing_page", value="prices.html", type="finding", scope="task", execution_id=self.execution
        )
        self.think()
        self.journal.record_decision(
            execution_id=self.execution,
            decision="unwind",
            why="a link of the first page is broken, and the plan says to cancel everything",
            alternatives=("retry", "skip"),
            rejected="the page was never written, so the check would fail again; visitors would meet the broken link",
        )
        owed = self.journal.list_owed(execution_id=self.execution).owed
        self.tell(GotOwed(after=self.head(), items=owed))
        for item in owed:
            self.undo(item)

    def undo(self, item: OwedItem) -> None:
        assert item.undo is not None
        tool, arguments = item.undo.tool, item.undo.arguments
        with self.journal.action(
            f"undo {item.step}",
            execution_id=self.execution,
            kind="undo",
            undoes=item.action_id,
            tool=tool,
            arguments=arguments,
        ) as action:
            action.result = self.use(tool, arguments)
        self.think()


ROLES: dict[str, type[First | Second]] = {"first": First, "second": Second}


def run(role: str, name: str, url: str, journal: str, pace: str, folder: str) -> None:
    with Journal.open(url, journal=journal, actor=name) as opened:
        os.chdir(folder)
        ROLES[role](opened, float(pace)).work()


if __name__ == "__main__":
    run(*sys.argv[1:])
