"""The story, from the first entry to the last check: starts the agents, kills the first, and looks what came of it."""

import secrets
import shutil
import signal
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from msgspec import Struct

from tallystick.core.errors import TallystickError
from tallystick.demo import messages, site, tools
from tallystick.demo.agents import READING
from tallystick.demo.plan import KILLED_IN
from tallystick.demo.screen import Screen
from tallystick.demo.watching import AgentProcess, Broken, Watcher
from tallystick.journal import Journal
from tallystick.operations.entries import EntryView

FIRST, SECOND = "ada", "bo"
Check = tuple[str, bool]


class Stage(Struct, frozen=True, kw_only=True):
    """Where it is played."""

    folder: Path
    url: str
    journal: str
    pace: float

    @property
    def site(self) -> Path:
        return self.folder / "site"

    def agent(self, role: str, name: str) -> AgentProcess:
        return AgentProcess(role, name, url=self.url, journal=self.journal, pace=self.pace, folder=self.site)


def play(*, url: str | None, pace: float, keep: bool) -> int:
    """Play it in a new folder; 0 only if everything went as it should."""
    folder = Path(tempfile.mkdtemp(prefix="tallystick-demo-"))
    stage = Stage(
        folder=folder,
        url=url or f"sqlite:///{folder / 'journal.db'}",
        journal=f"demo-{secrets.token_hex(3)}" if url else "demo",
        pace=pace,
    )
    screen = Screen()
    try:
        held = _play(stage, screen)
        if keep:
            _how_to_look(stage, screen)
        return 0 if held else 1
    except (Broken, TallystickError) as problem:
        screen.say(f"The story did not go as it should: {problem}")
        return 1
    except KeyboardInterrupt:
        screen.say("\nStopped; nothing is left behind.")
        return 130
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def _play(stage: Stage, screen: Screen) -> bool:
    site.build(stage.site)
    before = site.picture(stage.site)
    screen.title("Tallystick: one agent is killed, another one takes over")
    screen.narrate(
        f"A bakery's web site stands in {stage.site}, and current points to its winter release. {FIRST} is to put the "
        "spring release live. Each numbered line is an entry of the journal, shown as it lands."
    )
    with ExitStack() as stack:
        watcher = Watcher(Journal.open(stage.url, journal=stage.journal), screen)
        stack.callback(watcher.stop)
        first = stack.enter_context(stage.agent("first", FIRST))
        killed = _first_act(first, screen, watcher)
        time.sleep(stage.pace * READING)
        screen.narrate(
            f"{SECOND} is started. It has the same tools and knows nothing else; what the first one knew died with it."
        )
        second = stack.enter_context(stage.agent("second", SECOND))
        ended = _second_act(second, screen, watcher)
        return _last_act(stage, screen, watcher, [(f"{FIRST} was killed by SIGKILL", killed), *ended], before)


def _first_act(agent: AgentProcess, screen: Screen, watcher: Watcher) -> bool:
    """Until the agent is in the middle of a step: then it is killed, by its process number, with no warning."""
    for message in agent.messages():
        watcher.wait_for(message.after)
        screen.message(agent.name, message)
        if isinstance(message, messages.InTheMiddle):
            ended = agent.kill()
            screen.killed(f"kill -9 {agent.number}: {agent.name} is dead (signal {-ended}, says the system)")
            return ended == -signal.SIGKILL
        agent.answer()
    raise Broken(f"{agent.name} ended before it was in the middle of a step")


def _second_act(agent: AgentProcess, screen: Screen, watcher: Watcher) -> list[Check]:
    told: list[messages.AnyMessage] = []
    for message in agent.messages():
        watcher.wait_for(message.after)
        screen.message(agent.name, message)
        told.append(message)
        agent.answer()
    ended = agent.wait()
    doubts = [item.step for message in told if isinstance(message, messages.GotDoubts) for item in message.items]
    owed = [len(message.items) for message in told if isinstance(message, messages.GotOwed)]
    return [
        (f"{agent.name} found exactly {KILLED_IN} in doubt, at once", doubts == [KILLED_IN]),
        (f"{agent.name} was told of four things to undo, and ended by itself", owed == [4] and ended == 0),
    ]


def _last_act(stage: Stage, screen: Screen, watcher: Watcher, checks: list[Check], before: dict[str, str]) -> bool:
    """What the journal and the world say now."""
    with Journal.open(stage.url, journal=stage.journal) as journal:
        found = journal.verify()
        watcher.wait_for(found.entries)
        brief, owed = journal.get_brief(), journal.list_owed()
        doubts = journal.list_in_doubt().in_doubt
        execution = journal.get_status(execution_id=brief.execution_id).execution
    screen.title("How things stand now")
    screen.block("the brief", brief.text.splitlines())
    screen.owed("what is owed", owed.owed)
    screen.verification(found)
    checks += [
        ("what was in doubt was settled by evidence from the world", _settled(watcher.entries)),
        ("a step really failed, and its reason is recorded", _failed(watcher.entries)),
        ("nothing is in doubt, nothing is owed", not doubts and not owed.owed and not owed.due),
        ("the execution is cancelled, with nothing left open", execution.status == "cancelled" and not execution.left),
        ("the journal verifies, entry by entry", found.ok and found.entries == len(watcher.entries)),
        ("the web server is gone, and nothing answers on its port", not tools.answers(_port(watcher.entries))),
        ("the site is as it was, file by file and link by link", site.picture(stage.site) == before),
    ]
    screen.title("Checked against the journal and the world")
    screen.checks(checks)
    screen.say()
    return all(held for _, held in checks)


def _port(entries: list[EntryView]) -> int:
    """The port of the web server, from what was recorded when the doubt about it was settled."""
    results = [entry.body["result"] for entry in entries if entry.facts.get("settles")]
    return int(results[0]["server"]["port"])


def _settled(entries: list[EntryView]) -> bool:
    ends = [entry for entry in entries if entry.kind == "action_ended" and entry.facts.get("settles")]
    return len(ends) == 1 and bool(ends[0].body.get("evidence")) and ends[0].actor == SECOND


def _failed(entries: list[EntryView]) -> bool:
    ends = [entry for entry in entries if entry.kind == "action_ended" and entry.facts["outcome"] == "failed"]
    return len(ends) == 1 and "404" in ends[0].body.get("error", "")


def _how_to_look(stage: Stage, screen: Screen) -> None:
    screen.say(f"The folder {stage.folder} is kept. To look at its journal:")
    screen.say(f"  export TALLYSTICK_URL={stage.url} TALLYSTICK_JOURNAL={stage.journal}")
    for command in ("tallystick show", "tallystick tail", "tallystick verify"):
        screen.say(f"  {command}")
