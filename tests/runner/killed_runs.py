"""A random plan that processes carry out while they are killed, the person who helps it on, and what must hold."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from random import Random
from typing import Any

from tallystick import Journal
from tallystick.core.errors import Refused
from tallystick.core.types import FINAL_STATUSES
from tallystick.operations.views.entries import EntryView
from tests.runner.kill_jobs import World

TOOLS = ("probed", "probed", "unsafe", "unsafe", "idempotent", "read")
ONCE = ("probed", "unsafe")
"""Tools whose effect must not happen twice."""
FAILS = ("",) * 20 + ("not_done", "failed", "transient", "lost", "lost, and done")
POLICIES = ("cancel_all", "cancel_dependent", "continue_others", "manual_decision")
MODES = ("never", "never", "never", "on-failure", "on-failure", "ask")
MAX_STEPS = 7


def random_steps(tag: str, chance: Random, longest: float) -> list[dict[str, Any]]:
    """A chain, a wide plan, or anything between."""
    shape = chance.choice(("chain", "wide", "graph", "graph"))
    names = [f"s{number}" for number in range(chance.randint(2, MAX_STEPS))]
    steps = []
    for place, name in enumerate(names):
        before = {"chain": names[:place][-1:], "wide": []}.get(
            shape, [each for each in names[:place] if chance.random() < 0.4]
        )
        fails = chance.choice(FAILS)
        full_name = f"{tag}.{name}"
        step: dict[str, Any] = {
            "id": name,
            "title": name,
            "tool": chance.choice(TOOLS),
            "arguments": {"name": full_name, "seconds": chance.uniform(0, longest), "fails": fails},
            "after": before,
            "failure_policy": chance.choice(POLICIES),
            "undo": {"tool": "undo", "arguments": {"name": full_name}},
        }
        optional = {
            "retry": (fails == "transient", {"attempts": 3, "backoff": 0.05}),
            "needs_approval": (chance.random() < 0.08, True),
            "resource": (chance.random() < 0.15, "bank"),
        }
        steps.append(step | {field: value for field, (is_given, value) in optional.items() if is_given})
    return steps


class KilledRun:
    """One run. `person` is a journal of somebody who may approve. A call takes at most `longest` seconds before its
    effect, and after it."""

    def __init__(
        self, person: Journal, world: World, tag: str, engine: Any, chance: Random, longest: float = 0.02
    ) -> None:
        self.person = person
        self.world = world
        self.tag = tag
        self.chance = chance
        self.steps = {step["id"]: step for step in random_steps(tag, chance, longest)}
        plan = person.record_plan(title=tag, steps=tuple(self.steps.values()))  # type: ignore[arg-type]
        mode: Any = chance.choice(MODES)
        self.id = person.run_plan(plan_id=plan.id, engine="caller" if engine == "local" else engine, unwind=mode).id
        self.met: Counter[str] = Counter()

    @property
    def status(self) -> str:
        return self.person.get_execution(execution_id=self.id).status

    @property
    def is_over(self) -> bool:
        """Whether it has ended, and nobody waits for a dead worker's lease any more to see what it left."""
        run = self.person.get_run(execution_id=self.id)
        return run.status in FINAL_STATUSES and all(row.state != "running" for row in run.steps)

    # ------------------------------------------------------------------------------------------------------------------
    # The person

    def help(self) -> None:
        """Settle what is held by what is true, answer questions, and decide on failures."""
        with suppress(Refused):  # a worker has moved on meanwhile
            self._settle()
            self._answer()
            self._decide()

    def _settle(self) -> None:
        state = self.person.get_run(execution_id=self.id)
        left_to_people = ("unsafe", "idempotent") if state.status == "unwinding" else ("unsafe",)
        for doubt in self.person.list_in_doubt(execution_id=self.id).in_doubt:
            if doubt.tool not in left_to_people:
                continue  # the runner finds it out
            is_newest = doubt.action_id in {row.action_id for row in state.steps}  # attempts are one effect
            happened = is_newest and self.world.count("effect", doubt.arguments["name"])
            outcome: dict[str, Any] = {"outcome": "ok"} if happened else {"outcome": "failed", "without_effect": True}
            self.person.record_decision(decision="settle", action_id=doubt.action_id, evidence="looked", **outcome)
            self.met["held"] += 1

    def _answer(self) -> None:
        for asked in self.person.list_approvals(execution_id=self.id, status="pending").approvals:
            answer: dict[str, Any] = {"verdict": "approve" if self.chance.random() < 0.8 else "reject"}
            if not asked.tool:
                words = ("keep", "done") if self.status == "unwinding" else ("skip", "unwind", "stop")
                answer = {"verdict": "respond", "answer": self.chance.choice(words)}
            self.person.decide_approval(approval_id=asked.id, **answer)
            self.met["answered"] += 1

    def _decide(self) -> None:
        """Skip a failed step: with the policy manual_decision a run waits for that."""
        rows = self.person.get_run(execution_id=self.id)
        for row in rows.steps:
            if row.state == "failed" and rows.status == "running" and self._waits_for_decision(row.id, row.answer):
                self.person.record_decision(execution_id=self.id, decision="skip", step=row.id, why="not needed")
                self.met["skipped"] += 1
            elif row.answer == "reject" and row.state in ("", "in_doubt") and rows.status == "running":
                self.person.record_decision(execution_id=self.id, decision="skip", step=row.id, why="it was rejected")

    def _waits_for_decision(self, step: str, answer: str) -> bool:
        return self.steps[step]["failure_policy"] == "manual_decision" and self._may_fail(step, answer)

    # ------------------------------------------------------------------------------------------------------------------
    # What must hold

    def check(self) -> None:
        """What must hold at any time: nothing is done twice, and nothing is undone that was not done."""
        for name, step in self.steps.items():
            full_name = step["arguments"]["name"]
            effects, undone = (self.world.count(what, full_name) for what in ("effect", "undo"))
            if step["tool"] in ONCE:
                assert effects <= 1, f"{name} was done {effects} times"
            assert undone <= 1, f"{name} was undone {undone} times"

    def check_end(self) -> None:
        """Status, undo list and owed agree with the world, and every step that is not done has its reason."""
        self.check()
        self._check_begins()
        rows = {row.id: row for row in self.person.get_run(execution_id=self.id).steps}
        doubts = {each.step for each in self.person.list_in_doubt(execution_id=self.id).in_doubt}
        for name, step in self.steps.items():
            state = rows[name].state if name in rows else ""
            effects = self.world.count("effect", step["arguments"]["name"])
            assert state != "running", f"{name} is running in a run that is {self.status}"
            assert state != "in_doubt" or name in doubts, f"nobody names the doubt about {name}"
            if state == "done":
                assert effects, f"{name} is done, and never happened"
            elif state in ("failed", "skipped", "") and step["tool"] != "read":
                assert not effects or name in doubts, f"{name} is {state or 'not begun'}, and has happened"
            self.met[state or "not begun"] += 1
        failed = [name for name, row in rows.items() if row.state == "failed"]
        reasons = [name for name, row in rows.items() if self._may_fail(name, row.answer)]
        assert reasons or not failed, f"{failed} failed for no reason"  # with one, what was to be repeated is left
        if self.status == "completed":
            left = {name for name in self.steps if name not in rows or rows[name].state not in ("done", "skipped")}
            assert not left, f"it is completed without {left}"
        self._check_undo_list()

    def _may_fail(self, name: str, answer: str) -> bool:
        """Whether a step may be over as failed: its tool says so, a person settled or refused it, or a lost call may be
        repeated and has no retries."""
        step = self.steps[name]
        fails = step["arguments"]["fails"]
        is_lost = fails.startswith("lost") and step["tool"] in ("idempotent", "read")
        return fails in ("not_done", "failed") or step["tool"] == "unsafe" or is_lost or answer == "reject"

    def _check_undo_list(self) -> None:
        listed = self.person.get_undo_list(execution_id=self.id, limit=100).items
        kept = self.person.get_undo_list(execution_id=self.id, limit=100, state="kept").items
        there = {
            name
            for name, step in self.steps.items()
            if step["tool"] != "read"
            and self.world.count("effect", step["arguments"]["name"])
            and not self.world.count("undo", step["arguments"]["name"])
        }
        certain = {item.step for item in (*listed, *kept) if item.certain}
        assert certain <= there <= {item.step for item in (*listed, *kept)}, f"{certain}, really {there}"
        owed = {item.step for item in self.person.list_owed(execution_id=self.id, limit=100).owed}
        wanted = set() if self.status == "completed" else {item.step for item in listed if item.state != "kept"}
        assert owed == wanted, f"{owed} are owed instead of {wanted}"

    def entries(self) -> list[EntryView]:
        return list(self.person.read_entries(execution_id=self.id, limit=500).entries)

    def _check_begins(self) -> None:
        """No step is begun while an attempt at it is open or unknown, unless it may be repeated."""
        unsettled: dict[str, str] = {}
        for entry in self.entries():
            step = str(entry.facts.get("step", ""))
            if entry.kind == "action_begun" and entry.facts.get("action_kind", "do") == "do":
                assert step not in unsettled or self.steps[step]["tool"] not in ONCE, f"{step} was begun twice"
                unsettled[step] = entry.id
            elif entry.kind == "action_ended" and entry.facts.get("outcome") != "unknown":
                unsettled = {name: action for name, action in unsettled.items() if action != entry.id}

    def takeovers(self, deaths: Mapping[str, float]) -> list[float]:
        """The seconds from the death of a session with an open attempt to the next thing that became of its step."""
        open_steps: dict[str, tuple[str, str]] = {}
        found = []
        for entry in self.entries():
            step = str(entry.facts.get("step", ""))
            for name, (action, session) in list(open_steps.items()):
                if (entry.kind, entry.id) == ("action_ended", action) or (entry.kind, step) == ("action_begun", name):
                    del open_steps[name]
                    if entry.session != session and session in deaths:
                        found.append(datetime.fromisoformat(entry.at).timestamp() - deaths[session])
            if entry.kind == "action_begun" and step in self.steps and self.steps[step]["tool"] != "unsafe":
                open_steps[step] = (entry.id, entry.session)
        return found

    def describe(self) -> str:
        """The run for a message of a failure."""
        lines = [f"{self.tag} {self.id} is {self.status}"]
        lines += [f"  {step}" for step in self.steps.values()]
        for entry in self.entries():
            lines.append(f"  {entry.seq} {entry.at} {entry.session} {entry.kind} {entry.id} {entry.facts} {entry.body}")
        lines.append(str(self.person.get_run(execution_id=self.id)))
        return "\n".join(lines)
