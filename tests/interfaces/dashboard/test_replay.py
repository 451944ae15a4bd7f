"""The replay of the page computes the same state at each entry as the journal had."""

import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec

import tallystick
from tallystick import Journal, Step, Undo
from tallystick.core.types import Choice, Outcome
from tests import node

FOLD = Path(tallystick.__file__).parent / "interfaces" / "dashboard" / "static" / "replay" / "fold.js"
SCRIPT = """
import { readFileSync } from "node:fs";
const { Replay, openAt, undoListAt } = await import(process.argv[1]);
const { entries, counts } = JSON.parse(readFileSync(0, "utf8"));
const replay = new Replay(entries);
const standing = (count) => {
  const state = replay.at(count);
  return {
    status: state.status, revision: state.revision,
    steps: Object.fromEntries([...state.steps].map(([id, step]) => [id, [step.status, step.attempts, step.decided]])),
    open: openAt(state).map((action) => action.id).sort(),
    owed: Object.fromEntries(undoListAt(state).map(({ action, word }) => [action.id, word])),
  };
};
const there = counts.map(standing);
const back = counts.toReversed().map(standing).toReversed();
console.log(JSON.stringify({ there, back }));
"""
STEPS = [
    Step(id="copy", title="Copy", cancellable="reversible", undo="delete it", after=()),
    Step(id="mail", title="Mail", cancellable="irreversible", after=()),
    Step(id="switch", title="Switch", cancellable="partially-reversible", undo="back", after=("copy",)),
    Step(id="look", title="Look", cancellable="reversible", effect="read", after=()),
]
EXTRA = Step(id="tell", title="Tell", cancellable="irreversible", after=("switch",))


class RecordedStory:
    """Records, and stores the state of the journal after each record."""

    def __init__(self, journal: Journal) -> None:
        self.journal, self.execution = journal, ""
        self.counts: list[int] = []
        self.states: list[dict[str, Any]] = []

    def store_state(self) -> None:
        status = self.journal.get_status(execution_id=self.execution)
        touched = {step.id: [step.actual, step.attempts, step.decided] for step in status.steps}
        actions = {each.id for each in self.entries() if each.kind == "action_begun"}
        states = {id: self.journal.get_action(action_id=id).state for id in actions}
        self.counts.append(len(self.entries()))
        self.states.append(
            {
                "status": status.execution.status,
                "revision": status.execution.revision,
                "steps": {id: word for id, word in touched.items() if word != ["planned", 0, ""]},
                "open": sorted(id for id, state in states.items() if state in ("open", "in_doubt", "unknown")),
                "owed": {item.action_id: item.state for item in self.journal.get_undo_list(limit=100).items},
            }
        )

    def entries(self) -> list[Any]:
        return list(self.journal.read_entries(execution_id=self.execution, limit=100).entries)

    def begin(self, **arguments: Any) -> str:
        action = self.journal.record_action(phase="begin", summary="an act", **arguments).id
        self.store_state()
        return action

    def end(self, action: str, outcome: Outcome, **arguments: Any) -> None:
        self.journal.record_action(phase="end", action_id=action, outcome=outcome, **arguments)
        self.store_state()

    def decide(self, decision: Choice, **arguments: Any) -> None:
        self.journal.record_decision(decision=decision, why="so it is", **arguments)
        self.store_state()


def test_the_replay_has_the_state_of_the_journal_at_each_entry() -> None:
    with Journal.open("memory:") as journal:
        story = _record(RecordedStory(journal))
        entries = msgspec.to_builtins(story.entries())
    done = subprocess.run(
        [node.NODE, "--input-type=module", "-e", SCRIPT, FOLD.as_uri()],
        input=json.dumps({"entries": entries, "counts": story.counts}),
        env=node.environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=node.TIMEOUT_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    folded = json.loads(done.stdout)
    assert folded["there"] == story.states
    assert folded["back"] == story.states, "going back starts again from the first entry"
    assert {"failed", "skipped", "in_doubt", "done", "running"} <= {
        word[0] for state in story.states for word in state["steps"].values()
    }, "the story must contain every state"


def _record(story: RecordedStory) -> RecordedStory:
    journal = story.journal
    plan = journal.record_plan(title="Move", steps=STEPS)
    story.execution = journal.record_execution_start(plan_id=plan.id).id
    story.store_state()
    copy = story.begin(step="copy", tool="cp")
    story.end(copy, "failed", error="disk full", without_effect=True)
    story.decide("retry", step="copy")
    copy = story.begin(step="copy", tool="cp")
    story.end(copy, "ok", result={"path": "new"})
    mail = story.begin(step="mail", tool="mail")
    story.end(mail, "unknown")
    story.decide("settle", action_id=mail, outcome="skipped", evidence="nobody got it")
    mail = story.begin(step="mail", tool="mail")
    story.end(mail, "unknown")
    story.end(mail, "ok")
    look = story.begin(step="look", tool="ls", effect="read")
    story.end(look, "failed", error="no such file")
    story.decide("skip", step="look")
    journal.record_plan(title="Move", plan_id=plan.id, reason="one more", steps=[*STEPS, EXTRA])
    story.decide("replan")
    switch = story.begin(step="switch", tool="ln")
    story.end(switch, "ok")
    unplanned = story.begin(tool="rm", cancellable="reversible", undo=Undo(words="from the backup"))
    story.end(unplanned, "failed", error="half of it")
    told = story.begin(tool="letter")
    story.end(told, "ok")
    story.decide("continue", step="tell", action_id=told)
    story.decide("ask_human", question="Go on?")
    story.decide("unwind")
    story.decide("keep", action_id=unplanned)
    undo = story.begin(kind="undo", undoes=switch, tool="ln")
    story.end(undo, "ok")
    story.decide("keep", step="switch")
    story.end(undo, "failed", evidence="it is still switched")
    other = story.begin(tool="link")
    story.end(other, "ok")
    story.decide("continue", undoes=switch, action_id=other)
    story.decide("settle", action_id=other, outcome="ok", evidence="a look")
    undo = story.begin(kind="undo", undoes=copy, tool="rm")
    story.end(undo, "failed", error="not allowed")
    story.decide("keep", step="copy")
    undo = story.begin(kind="undo", undoes=unplanned, tool="cp")
    story.end(undo, "skipped")
    story.end(copy, "failed", error="it was never there", evidence="a look at the disk")
    story.decide("done", incomplete=True)
    return story
