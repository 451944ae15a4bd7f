"""Runs the demo: starts the agents, kills the first one, and checks the journal, files and server at the end."""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from time import sleep

import click

from tallystick.core.errors import TallystickError
from tallystick.demo import output, world
from tallystick.demo.agents import KILLED_IN, MESSAGE_PAUSES
from tallystick.sdk.journal import Journal

FIRST, SECOND = "ada", "bo"
INTRODUCTION = f"""A bakery's web site is in {{site}}. The link current points to its winter release, and {FIRST} is to
put the spring release live. Each numbered line is an entry of the journal."""
Checks = list[tuple[str, bool]]


def play(*, url: str | None, pace: float, keep: bool) -> int:
    """Run the demo in a new folder, and return 0 only if everything went as planned."""
    folder = Path(tempfile.mkdtemp(prefix="tallystick-demo-"))
    url, name = (url, f"demo-{secrets.token_hex(3)}") if url else (f"sqlite:///{folder / 'journal.db'}", "demo")
    try:
        checks = _play(folder / "site", url, name, pace)
        output.print_title("Checked in the journal, the files and the processes")
        for sentence, holds in checks:
            click.secho(f"  ✔ {sentence}" if holds else f"  ✖ NOT SO: {sentence}", fg="green" if holds else "red")
        if keep:
            click.echo(f"\nThe folder {folder} is kept. To look at its journal:")
            click.echo(f"  export TALLYSTICK_URL={url} TALLYSTICK_JOURNAL={name}\n  tallystick show\n  tallystick tail")
        return 0 if all(holds for _, holds in checks) else 1
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def _play(site: Path, url: str, name: str, pace: float) -> Checks:
    world.build(site)
    before = world.picture(site)
    output.print_title("Tallystick: one agent is killed, another one takes over", INTRODUCTION.format(site=site))

    def start(role: str, agent: str, after: int) -> subprocess.Popen[bytes]:
        words = [
            sys.executable,
            "-m",
            "tallystick.demo.agents",
            role,
            agent,
            url,
            name,
            str(after),
            str(pace),
            str(site),
        ]
        return subprocess.Popen(words, stdin=subprocess.PIPE)  # the web server lives as long as this pipe

    with Journal.open(url, journal=name) as journal, start("first", FIRST, 0) as first:
        checks = [(f"{FIRST} was killed by SIGKILL", _kill_when_stopped(first))]
        doubts = [each.step for each in journal.list_in_doubt().in_doubt]
        checks.append((f"exactly {KILLED_IN} is in doubt, at once", doubts == [KILLED_IN]))
        sleep(pace * MESSAGE_PAUSES)
        click.echo(f"\n{SECOND} is started. It has the same tools, and knows only what is in the journal.\n")
        with start("second", SECOND, journal.read_entries(newest_first=True, limit=1).last_seq) as second:
            checks.append((f"{SECOND} ended by itself", second.wait() == 0))
        checks += _check_journal(journal)
    checks.append(("the site is as it was, file by file and link by link", world.picture(site) == before))
    return checks


def _kill_when_stopped(agent: subprocess.Popen[bytes]) -> bool:
    """Kill the agent with no warning, as soon as it has stopped in the middle of a step."""
    _, status = os.waitpid(agent.pid, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        raise TallystickError(f"The demo failed: {FIRST} ended before {KILLED_IN}.", hint="Run it again.")
    agent.kill()
    code = agent.wait()
    click.secho(f"      ✖ kill -9 {agent.pid}: {FIRST} is dead (signal {-code}, says the system)", fg="red")
    return code == -signal.SIGKILL


def _check_journal(journal: Journal) -> Checks:
    """Show the brief, what is owed and the verification, and check them."""
    verified, brief, owed = journal.verify(), journal.get_brief(), journal.list_owed()
    execution = journal.get_status(execution_id=brief.execution_id).execution
    output.print_title("The end")
    output.print_block("the brief", brief.text.splitlines())
    output.print_block("what is owed", output.describe_owed(owed.owed) or ["nothing is owed"])
    result = "every hash and every body holds" if verified.ok else verified.problem
    output.print_block("verify", [f"{verified.entries} entries, {verified.bodies} bodies: {result}"])
    entries = journal.read_entries(limit=100).entries
    ends = [each for each in entries if each.kind == "action_ended"]
    settled = [each for each in ends if each.facts.get("settles")]
    failed = [each.body.get("error", "") for each in ends if each.facts["outcome"] == "failed"]
    undone = [each for each in entries if each.facts.get("action_kind") == "undo"]
    ports = [each.body["result"]["server"]["port"] for each in settled]
    in_doubt = journal.list_in_doubt().in_doubt
    return [
        ("the doubt was settled by evidence", [each.actor for each in settled if each.body["evidence"]] == [SECOND]),
        ("a step really failed, and its reason is recorded", len(failed) == 1 and "404" in failed[0]),
        ("four actions were undone", len(undone) == 4),
        ("nothing is in doubt, nothing is owed", not in_doubt and not owed.owed and not owed.due),
        (
            "the execution is cancelled, with nothing left open",
            execution.status == "cancelled" and not execution.unfinished,
        ),
        ("the journal verifies, entry by entry", verified.ok and verified.entries == len(entries)),
        ("the web server is gone, and nothing answers on its port", not any(map(world.is_listening, ports))),
    ]
