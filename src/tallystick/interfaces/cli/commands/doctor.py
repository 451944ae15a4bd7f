"""`tallystick doctor`: is everything as it should be, and if not, what to do."""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from tallystick.core.errors import TallystickError
from tallystick.core.formats.times import SECOND, iso, parse_time
from tallystick.interfaces import problems
from tallystick.interfaces.cli import terminal as cli_terminal
from tallystick.interfaces.cli import text as cli_text
from tallystick.interfaces.cli.command import Command
from tallystick.interfaces.cli.commands import maintenance
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.settings import sqlite_path, without_password
from tallystick.store.sqlite import inspect
from tallystick.store.sqlite.inspect import Finding

CLOCK_SECONDS = 5


def command() -> Command:
    return Command(
        "doctor",
        _doctor,
        """Check the store, the journal and what belongs to them, and say what to do about what is wrong.

        Exits with 1 when a check failed. A warning is not a failure.""",
        example="tallystick doctor",
    )


def _doctor(invocation: Invocation, given: dict[str, Any]) -> int:
    findings = list(examine(invocation))
    failed = any(finding.state == "fail" for finding in findings)
    terminal = invocation.terminal
    if terminal.json:
        terminal.say_json({"ok": not failed, "checks": [msgspec.to_builtins(finding) for finding in findings]})
    else:
        shown = [each for each in findings if not terminal.quiet or each.state != "ok"]
        for finding in shown:
            state = terminal.painted(f"{finding.state:<4}", cli_text.COLOURS.get(finding.state, ""))
            terminal.say(f"{state}  {finding.check:<12} {cli_terminal.line(finding.text)}")
            if finding.fix:
                terminal.say(f"{'':19}fix: {cli_terminal.line(finding.fix)}")
    return problems.FAILURE if failed else problems.OK


def examine(invocation: Invocation) -> Iterator[Finding]:
    """Every finding. A check that cannot be made says why; the others are made all the same."""
    url = invocation.settings.url
    if url.startswith("sqlite:"):
        yield from _guarded("file", lambda: list(inspect.check_file(Path(sqlite_path(url)))))
    reached = list(_guarded("store", lambda: [_store(invocation, url)]))
    yield from reached
    if reached[0].state == "fail":
        return
    for name, check in (
        ("journals", _journals),
        ("sessions", _sessions),
        ("in doubt", _doubts),
        ("credentials", _credentials),
        ("erasures", _erasures),
        ("clock", _clock),
        ("spool", _spool),
    ):
        yield from _guarded(name, lambda check=check: [check(invocation)])  # type: ignore[misc]
    yield from _guarded("spool", lambda: list(_unclaimed(invocation)))
    yield from _guarded("hooks", lambda: list(_hooks()))


def _guarded(name: str, check: Callable[[], list[Finding]]) -> Iterator[Finding]:
    try:
        yield from check()
    except TallystickError as error:
        yield Finding(check=name, state="fail", text=error.message, fix=error.hint)
    except OSError as error:
        yield Finding(check=name, state="fail", text=str(error), fix="see what the system says about that place")


def _store(invocation: Invocation, url: str) -> Finding:
    """Opening checks the schema and the library; an empty write needs the turn and the rights to write."""
    invocation.store.write(invocation.settings.journal, lambda ledger: None)
    if getattr(invocation.store, "has_role", True) is False:
        return Finding(
            check="store",
            state="warn",
            text=f"{without_password(url)} can be written, by a user who owns the tables and could lift the policies",
            fix="as an administrator: create role tallystick nologin; grant tallystick to that user",
        )
    return Finding(check="store", state="ok", text=f"{without_password(url)} can be written, its schema is current")


def _journals(invocation: Invocation) -> Finding:
    sizes = maintenance.sizes(invocation)
    listed = ", ".join(f"{name} ({count:,})" for name, count in list(sizes.items())[:8])
    more = f" and {len(sizes) - 8} more" if len(sizes) > 8 else ""
    return Finding(
        check="journals", state="ok", text=f"{len(sizes)}: {listed}{more}; here {invocation.settings.journal}"
    )


def _sessions(invocation: Invocation) -> Finding:
    page = invocation.call("list_sessions", {"status": "open", "limit": 100})
    over = [session for session in page.sessions if not session.alive]
    left = sum(session.open_actions for session in over)
    text = f"{len(page.sessions) - len(over)} alive, {len(over)} over and not yet noted"
    if left:
        return Finding(
            check="sessions",
            state="warn",
            text=f"{text}, which left {left} actions open",
            fix="tallystick list in-doubt; the next record notes it",
        )
    return Finding(check="sessions", state="ok", text=text)


def _doubts(invocation: Invocation) -> Finding:
    stats = invocation.call("get_stats")
    owed = stats.owed.get("owed", 0)
    if stats.in_doubt:
        return Finding(
            check="in doubt",
            state="warn",
            text=f"{stats.in_doubt} actions in doubt, {owed} owed",
            fix="look at the real system (tallystick list in-doubt), then record how each ended",
        )
    return Finding(check="in doubt", state="ok", text=f"nothing in doubt, {owed} owed")


def _spool(invocation: Invocation) -> Finding:
    """What hooks see comes by way of the spool."""
    from tallystick.capture.hook import environment
    from tallystick.capture.spool import file as spool_file

    place = spool_file.path(environment.spool_folder(invocation.env), invocation.settings.journal)
    why, torn = spool_file.spool_problem(place), spool_file.count_torn(place)
    if why:
        fix = "make room or rights for it; if it is no plain file, move it away: hooks make a new one"
        return Finding(check="spool", state="fail", text=f"{place} cannot be used: {why}", fix=fix)
    missed, at = spool_file.read_missed(place)
    lost = {
        "missed": f"{missed} events could not be kept, the last at {iso(at)}" if missed else "",
        "torn": f"{torn} records could not be read or recorded" if torn else "",
    }
    told = {spool_file.sibling(place, kind): text for kind, text in lost.items() if text}
    if told:
        fix = f"look at {' and '.join(told)}; delete when it is known"
        return Finding(check="spool", state="warn", text="; ".join(told.values()), fix=fix)
    return Finding(check="spool", state="ok", text="what hooks see can be recorded, and nothing of it was torn")


def _unclaimed(invocation: Invocation) -> Iterator[Finding]:
    """What hooks saw for journals that nobody opens."""
    from tallystick.capture.ingest.abandoned import find_unclaimed

    for each in find_unclaimed(invocation.env, invocation.settings.journal):
        yield Finding(check="spool", state="warn", text=str(each), fix=each.command)


def _credentials(invocation: Invocation) -> Finding:
    known = [each for each in invocation.call("list_credentials").credentials if not each.revoked]
    if not any("approve" in each.scopes for each in known):
        return Finding(
            check="credentials",
            state="warn",
            text="nobody can decide approvals in this journal",
            fix="tallystick credential add NAME, as a person, and keep the secret where no agent reads",
        )
    return Finding(check="credentials", state="ok", text=", ".join(each.name for each in known))


def _erasures(invocation: Invocation) -> Finding:
    """What was erased may be left in the files while somebody reads: it is finished here, if it can be."""
    newest = invocation.call("read_entries", {"kind": "body_erased", "newest_first": True, "limit": 1}).entries
    if newest and invocation.store.scrub(invocation.settings.journal) == "pending":
        return Finding(
            check="erasures",
            state="warn",
            text="bytes of what was erased may remain in the files of the store: a program reads an older state",
            fix="let the programs that read the journal come to their end, then run tallystick doctor again",
        )
    return Finding(check="erasures", state="ok", text="nothing that was erased is left in the files of the store")


def _hooks() -> Iterator[Finding]:
    """The hooks of this user's clients, if there are any. They keep silent about what they miss, so it is told here."""
    from tallystick.capture.ingest import user_rules
    from tallystick.capture.setup import health, hook_bundle
    from tallystick.capture.setup.clients import Places

    places = Places(Path.home(), Path.cwd(), os.environ)
    hooked, problems = health.overview(places)
    if hooked and hook_bundle.refresh(hook_bundle.program_folder(os.environ), hook_bundle.tallystick_command()):
        yield Finding(
            check="hooks", state="ok", text="the hook program was of another version, and was brought up to date"
        )
    if hooked:
        told = user_rules.load_rules(os.environ)[1]
        problems += filter(None, [health.home_of_hooks(os.environ), health.spools(os.environ), told])
    for problem in problems:
        yield Finding(
            check="hooks", state="warn", text=problem, fix=f"{health.repair(places)}, then tallystick setup --check"
        )
    if hooked and not problems:
        yield Finding(check="hooks", state="ok", text=f"{', '.join(hooked)}: what they name is there")


def _clock(invocation: Invocation) -> Finding:
    entries = invocation.call("read_entries", {"newest_first": True, "limit": 1}).entries
    now = parse_time(datetime.now(UTC).isoformat(), "now")
    ahead = (parse_time(entries[0].at, "at") - now) // SECOND if entries else 0
    if ahead > CLOCK_SECONDS:
        return Finding(
            check="clock",
            state="warn",
            text=f"the newest entry is {ahead} seconds ahead of this machine's clock",
            fix="set the clock of this machine; entries keep their order all the same",
        )
    return Finding(check="clock", state="ok", text=f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC, not behind the journal")
