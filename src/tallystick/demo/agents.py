"""The two scripted agents. Each is a process of its own; they share only the journal and the site.

python -m tallystick.demo.agents ROLE NAME URL JOURNAL AFTER PACE FOLDER
"""

import os
import signal
import sys
import time
from importlib import resources
from typing import Any

from msgspec import json

from tallystick.core.types import Step, Undo
from tallystick.demo.output import EntryPrinter, describe_owed, print_block
from tallystick.demo.world import SPRING_PAGES, Tools
from tallystick.sdk.journal import Journal

KILLED_IN = "start_server"  # the step in which the first agent is killed
MESSAGE_PAUSES = 4  # a message takes this many times as long to read as an entry


class Agent:
    """The base of both agents: uses tools, and shows the audience new entries, questions and observations."""

    def __init__(self, name: str, journal: Journal, printer: EntryPrinter, pace: float, tools: Tools) -> None:
        self.name, self.journal, self.printer, self.pace, self.tools = name, journal, printer, pace, tools

    def pause(self, times: float = 1) -> None:
        self.printer.print_new(self.journal)
        time.sleep(self.pace * times)

    def use(self, tool: str, arguments: dict[str, Any]) -> Any:
        self.pause()
        return getattr(self.tools, tool)(**arguments)

    def show(self, heading: str, lines: list[str]) -> None:
        self.printer.print_new(self.journal)
        print_block(f"{self.name} {heading}", lines)
        self.pause(MESSAGE_PAUSES)


class First(Agent):
    """Records the plan and carries it out, until it is killed."""

    def work(self) -> None:
        plan = json.decode(resources.files("tallystick.demo").joinpath("plan.json").read_bytes())
        plan["steps"][1]["arguments"]["files"] = SPRING_PAGES
        recorded = self.journal.record_plan(**plan)
        self.pause(MESSAGE_PAUSES)
        self.journal.carry_out(recorded, self.do)

    def do(self, step: Step) -> Any:
        result = self.use(step.tool, step.arguments)
        if step.id == KILLED_IN:
            seen = self.tools.look_for_server(step.arguments["state"])["seen"]
            self.show(f"is in the middle of {KILLED_IN}: it is done, and its end is not recorded", [seen])
            os.kill(os.getpid(), signal.SIGSTOP)  # the demo kills it now
        return result


class Second(Agent):
    """Knows only the journal: settles what is in doubt, goes on, and undoes everything when a step fails."""

    def work(self) -> None:
        brief = self.journal.get_brief()
        self.execution = brief.execution_id
        self.show("asks for the brief (get_brief)", brief.text.splitlines())
        self.settle_doubts()
        succeeded = self.continue_plan()
        if not succeeded:
            self.unwind()
        self.pause()
        self.decide("done", "all steps are done" if succeeded else "everything is undone: the site is as it was")

    def decide(self, decision: Any, why: str, **more: Any) -> None:
        self.journal.record_decision(execution_id=self.execution, decision=decision, why=why, **more)

    def settle_doubts(self) -> None:
        """Settle each doubt by looking, with the probe that the plan names; never by repeating the step."""
        doubts = self.journal.list_in_doubt(execution_id=self.execution).in_doubt
        lines = [f"{each.action_id} {each.step}: {each.why}" for each in doubts]
        self.show("asks what is in doubt (list_in_doubt)", lines)
        for item in doubts:
            assert isinstance(item.probe, Undo)
            found = self.use(item.probe.tool, item.probe.arguments)
            self.show(f"looks for itself ({item.probe.tool})", [found["seen"]])
            end: Any = {"outcome": "ok", "result": found} if found["server"] else {"outcome": "failed"}
            self.journal.record_action(phase="end", action_id=item.action_id, evidence=found["seen"], **end)

    def continue_plan(self) -> bool:
        """Do the steps that are left, and return False when one fails."""
        status = self.journal.get_status(execution_id=self.execution)
        plan = self.journal.get_plan(plan_id=status.execution.plan_id)
        steps = {step["id"]: step for step in plan.revisions[0].steps}
        while status.next_steps:
            step = steps[status.next_steps[0]]
            call = {"tool": step["tool"], "arguments": step["arguments"]}
            try:
                with self.journal.step(step["id"], step["title"], execution_id=self.execution, **call) as action:
                    action.result = self.use(**call)
            except RuntimeError:
                return False
            status = self.journal.get_status(execution_id=self.execution)
        return True

    def unwind(self) -> None:
        """Ask what the plan says about the failure, decide, and undo in the order that the journal gives."""
        advice = self.journal.get_status(execution_id=self.execution).advice
        self.show("asks what the plan says about it (get_status)", [each.text for each in advice])
        finding: Any = {"type": "finding", "scope": "task", "execution_id": self.execution}
        self.journal.record_context(key="spring.missing_page", value="prices.html", **finding)
        self.pause()
        why = "a link of the first page is broken, and the plan says to cancel everything"
        rejected = "the page was never written, so the check would fail again, and visitors would see the error"
        self.decide("unwind", why, alternatives=("retry", "skip"), rejected=rejected)
        owed = self.journal.list_owed(execution_id=self.execution).owed
        self.show("asks what is owed, in the order to undo it (list_owed)", describe_owed(owed))
        for item in owed:
            assert item.undo is not None
            call: dict[str, Any] = {"tool": item.undo.tool, "arguments": item.undo.arguments}
            undo = {"execution_id": self.execution, "kind": "undo", "undoes": item.action_id}
            with self.journal.action(f"undo {item.step}", **undo, **call) as action:
                action.result = self.use(**call)


if __name__ == "__main__":
    role, name, url, journal_name, after, pace, folder = sys.argv[1:]
    printer = EntryPrinter(int(after))
    with Journal.open(url, journal=journal_name, actor=name) as journal:
        (First if role == "first" else Second)(name, journal, printer, float(pace), Tools(folder)).work()
    with Journal.open(url, journal=journal_name) as journal:  # the end of the session is an entry too
        printer.print_new(journal)
