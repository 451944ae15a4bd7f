"""The story, from the first entry to the last check: starts the agents, kills the first, and looks what came of it."""

import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Condition, Thread
from types import TracebackType
from typing import Protocol

from msgspec import Struct

from tallystick.core.errors import TallystickError
from tallystick.demo import agents, world
from tallystick.demo.agents import KILLED_IN, READING
from tallystick.demo.output import Screen
from tallystick.operations.entries import EntryView
from tallystick.sdk.journal import Journal

# ----------------------------------------------------------------------------------------------------------------------
# Following the journal from outside, and running the agents that write it.

PATIENCE_SECONDS = 60.0
"""How long an entry that an agent has recorded may take to be seen here before the story counts as broken."""


class Broken(Exception):
    """The story did not go as it should."""


class Shows(Protocol):
    def entry(self, entry: EntryView) -> None: ...


class Watcher:
    """Shows each entry as it lands, from a thread of its own."""

    def __init__(self, journal: Journal, screen: Shows) -> None:
        self._journal = journal
        self._screen = screen
        self._changed = Condition()
        self._over = False
        self.entries: list[EntryView] = []
        self._thread = Thread(target=self._follow, name="tallystick-demo", daemon=True)
        self._thread.start()

    def wait_for(self, seq: int) -> None:
        """Until the entry at `seq` has been shown."""
        with self._changed:
            self._changed.wait_for(lambda: len(self.entries) >= seq or self._over, PATIENCE_SECONDS)
            if len(self.entries) < seq:
                raise Broken(f"entry {seq} was recorded and did not turn up for those who follow the journal")

    def stop(self) -> None:
        """Closing the journal ends the following."""
        self._journal.close()
        self._thread.join(PATIENCE_SECONDS)

    def _follow(self) -> None:
        try:
            for entry in self._journal.follow(after=0):
                with self._changed:
                    self._screen.entry(entry)
                    self.entries.append(entry)
                    self._changed.notify_all()
        except TallystickError:
            pass  # closed, or a store that is gone: whoever waits for an entry will say so
        finally:
            with self._changed:
                self._over = True
                self._changed.notify_all()


class AgentProcess:
    """One agent as a real child process. Its standard input stays open until `let_go`, even when it is dead."""

    def __init__(self, role: str, name: str, *, url: str, journal: str, pace: float, folder: Path) -> None:
        self.name = name
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tallystick.demo.agents", role, name, url, journal, str(pace), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    @property
    def number(self) -> int:
        return self._process.pid

    def messages(self) -> Iterator[agents.AnyMessage]:
        """What it tells, until it ends."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield agents.read(line)

    def answer(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()

    def kill(self) -> int:
        """SIGKILL: it gets no chance to say anything. Returns how the system says that it ended."""
        self._process.send_signal(signal.SIGKILL)
        return self._process.wait()

    def wait(self) -> int:
        return self._process.wait()

    def let_go(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None and not stream.closed:
                stream.close()

    def __enter__(self) -> "AgentProcess":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self.kill()
        self.let_go()


# ----------------------------------------------------------------------------------------------------------------------

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
    world.build(stage.site)
    before = world.picture(stage.site)
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
        if isinstance(message, agents.InTheMiddle):
            ended = agent.kill()
            screen.killed(f"kill -9 {agent.number}: {agent.name} is dead (signal {-ended}, says the system)")
            return ended == -signal.SIGKILL
        agent.answer()
    raise Broken(f"{agent.name} ended before it was in the middle of a step")


def _second_act(agent: AgentProcess, screen: Screen, watcher: Watcher) -> list[Check]:
    told: list[agents.AnyMessage] = []
    for message in agent.messages():
        watcher.wait_for(message.after)
        screen.message(agent.name, message)
        told.append(message)
        agent.answer()
    ended = agent.wait()
    doubts = [item.step for message in told if isinstance(message, agents.GotDoubts) for item in message.items]
    owed = [len(message.items) for message in told if isinstance(message, agents.GotOwed)]
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
        ("the web server is gone, and nothing answers on its port", not world.answers(_port(watcher.entries))),
        ("the site is as it was, file by file and link by link", world.picture(stage.site) == before),
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
