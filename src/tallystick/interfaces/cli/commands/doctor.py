"""The command `doctor`: checks the store, the journal and the hooks, and says what to do about each problem."""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from tallystick.core.errors import TallystickError
from tallystick.core.formats.times import SECOND, age, iso, parse_time
from tallystick.core.formats.visible import escape_line
from tallystick.interfaces import problems
from tallystick.interfaces.cli import tables
from tallystick.interfaces.cli.command import Command
from tallystick.interfaces.cli.commands import maintenance
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.interfaces.cli.shell_words import with_store
from tallystick.paths import is_sqlite
from tallystick.settings import sqlite_path, without_password
from tallystick.store.sqlite import inspect
from tallystick.store.sqlite.inspect import Finding

MAX_CLOCK_LAG_SECONDS = 5
MAX_JOURNALS_NAMED = 8
MAX_ENTRIES_VERIFIED = 20_000
"""Verifying so many takes less than a second."""
MAX_CLOCK_STEPS = 1000
MAX_CLOCK_STEPS_NAMED = 3
SPOOL_FIX = "free disk space or fix the permissions; if it is not a regular file, move it away: hooks make a new one"


def command() -> Command:
    return Command(
        "doctor",
        _doctor,
        """Check the store, the journal and the hooks, and say what to do about each problem.

        Exits with 1 when a check failed. A warning is not a failure.""",
        example="tallystick doctor",
    )


def _doctor(invocation: Invocation, arguments: dict[str, Any]) -> int:
    findings = list(examine(invocation))
    failed = any(finding.state == "fail" for finding in findings)
    terminal = invocation.terminal
    if terminal.json:
        terminal.print_json({"ok": not failed, "checks": [msgspec.to_builtins(finding) for finding in findings]})
    else:
        for finding in findings:
            if terminal.quiet and finding.state == "ok":
                continue
            state = terminal.style(f"{finding.state:<4}", tables.COLOURS.get(finding.state, ""))
            terminal.print(f"{state}  {finding.check:<12} {escape_line(finding.text)}")
            if finding.fix:
                terminal.print(f"{'':19}fix: {escape_line(with_store(finding.fix, invocation.options))}")
    return problems.FAILURE if failed else problems.OK


def examine(invocation: Invocation) -> Iterator[Finding]:
    """Every finding. A check that cannot run reports why, and the others still run."""
    url = invocation.settings.url
    if is_sqlite(url):
        yield from _guarded("file", lambda: list(inspect.check_file(Path(sqlite_path(url)))))
    store = list(_guarded("store", lambda: [_store(invocation, url)]))
    yield from store
    if store[0].state == "fail":
        return
    for name, check in (
        ("journals", _journals),
        ("entries", _entries),
        ("integrity", _integrity),
        ("sessions", _sessions),
        ("in doubt", _doubts),
        ("credentials", _credentials),
        ("erasures", _erasures),
        ("clock", _clock),
        ("spool", _spool),
    ):
        yield from _guarded(name, lambda check=check: [check(invocation)])  # type: ignore[misc]
    yield from _guarded("spool", lambda: list(_unclaimed_spools(invocation)))
    yield from _guarded("hooks", lambda: list(_hooks()))


def _guarded(name: str, check: Callable[[], list[Finding]]) -> Iterator[Finding]:
    try:
        yield from check()
    except TallystickError as error:
        yield Finding(check=name, state="fail", text=error.message, fix=error.hint)
    except OSError as error:
        yield Finding(check=name, state="fail", text=str(error), fix="check the path and its permissions")


def _store(invocation: Invocation, url: str) -> Finding:
    """Opening checks the schema and the library. An empty write checks the write lock and the permissions."""
    invocation.store.write(invocation.settings.journal, lambda ledger: None)
    invocation.store.secret(invocation.settings.journal)
    if getattr(invocation.store, "has_role", True) is False:
        return Finding(
            check="store",
            state="warn",
            text=f"{without_password(url)} can be written, but its user owns the tables and could drop the policies",
            fix="as an administrator: create role tallystick nologin; grant tallystick to that user",
        )
    return Finding(check="store", state="ok", text=f"{without_password(url)} can be written, its schema is current")


def _journals(invocation: Invocation) -> Finding:
    orphans = invocation.store.orphans()
    if orphans:
        return Finding(
            check="journals",
            state="fail",
            text=f"{len(orphans)} journals have entries and no row in the table journals, so nobody can read them "
            f"(number {', '.join(map(str, orphans[:MAX_JOURNALS_NAMED]))})",
            fix="restore a backup; or tallystick rebuild --journal NAME, with the name that the journal had",
        )
    counts = maintenance.count_entries(invocation)
    size = _size(invocation.settings.url, sum(counts.values()))
    names = ", ".join(f"{name} ({count:,})" for name, count in list(counts.items())[:MAX_JOURNALS_NAMED])
    more = f" and {len(counts) - MAX_JOURNALS_NAMED} more" if len(counts) > MAX_JOURNALS_NAMED else ""
    return Finding(
        check="journals", state="ok", text=f"{len(counts)}: {names}{more}; current: {invocation.settings.journal}{size}"
    )


def _size(url: str, entries: int) -> str:
    if not is_sqlite(url) or not entries:
        return ""
    size = os.path.getsize(sqlite_path(url))
    return f"; {size / (1 << 20):,.1f} MiB, {size // entries:,} bytes an entry"


def _entries(invocation: Invocation) -> Finding:
    """Entries that cannot be read, among the newest. Those of a newer version fail the check of the store."""
    found = invocation.call("read_entries", {"kind": "unreadable", "newest_first": True, "limit": 20}).entries
    if not found:
        return Finding(check="entries", state="ok", text="the newest entries can be read")
    numbers = ", ".join(str(entry.seq) for entry in reversed(found))
    return Finding(
        check="entries",
        state="warn",
        text=f"cannot be read: {numbers}; all others can, and recording goes on",
        fix="tallystick verify says whether they were changed: if so, restore them from a backup or an export; if not, "
        "record again what they said (tallystick export shows their text)",
    )


def _integrity(invocation: Invocation) -> Finding:
    newest = invocation.call("read_entries", {"newest_first": True, "limit": 1}).entries
    if newest and newest[0].seq > MAX_ENTRIES_VERIFIED:
        text = f"not checked here: with {newest[0].seq:,} entries it takes a while"
        return Finding(check="integrity", state="ok", text=text, fix="tallystick verify")
    result = invocation.call("verify")
    if not result.ok:
        return Finding(check="integrity", state="fail", text=result.problem, fix="look at all of `tallystick verify`")
    return Finding(check="integrity", state="ok", text=f"{result.entries:,} entries and what is derived from them hold")


def _sessions(invocation: Invocation) -> Finding:
    page = invocation.call("list_sessions", {"status": "open", "limit": 100})
    over = [session for session in page.sessions if not session.alive]
    open_actions = sum(session.open_actions for session in over)
    text = f"{len(page.sessions) - len(over)} alive, {len(over)} over but not yet recorded as ended"
    if open_actions:
        return Finding(
            check="sessions",
            state="warn",
            text=f"{text}, with {open_actions} open actions",
            fix="tallystick list in-doubt; the next record of any session ends them",
        )
    return Finding(check="sessions", state="ok", text=text)


def _doubts(invocation: Invocation) -> Finding:
    stats = invocation.call("get_stats")
    owed = stats.owed
    if stats.in_doubt:
        return Finding(
            check="in doubt",
            state="warn",
            text=f"{stats.in_doubt} actions in doubt, {owed} owed",
            fix="look at the real system (tallystick list in-doubt), then record how each ended",
        )
    return Finding(check="in doubt", state="ok", text=f"nothing in doubt, {owed} owed")


def _spool(invocation: Invocation) -> Finding:
    """The spool file, through which hooks record."""
    from tallystick.capture.hook import environment
    from tallystick.capture.spool import file as spool_file

    path = spool_file.path(environment.spool_folder(invocation.env), invocation.settings.journal)
    why, torn = spool_file.spool_problem(path), spool_file.count_torn(path)
    if why:
        return Finding(check="spool", state="fail", text=f"{path} cannot be used: {why}", fix=SPOOL_FIX)
    missed, at = spool_file.read_missed(path)
    losses = {
        "missed": f"{missed} events could not be kept, the last at {iso(at)}" if missed else "",
        "torn": f"{torn} records could not be read or recorded" if torn else "",
    }
    files = {spool_file.sibling(path, kind): text for kind, text in losses.items() if text}
    if files:
        fix = f"look at {' and '.join(files)}, then delete it"
        return Finding(check="spool", state="warn", text="; ".join(files.values()), fix=fix)
    return Finding(check="spool", state="ok", text="hooks can record, and no record of theirs is damaged")


def _unclaimed_spools(invocation: Invocation) -> Iterator[Finding]:
    """Records of hooks for journals that no program opens."""
    from tallystick.capture.ingest.abandoned import find_unclaimed

    for spool in find_unclaimed(invocation.env, invocation.settings.journal):
        yield Finding(check="spool", state="warn", text=str(spool), fix=spool.command)


def _credentials(invocation: Invocation) -> Finding:
    valid = [each for each in invocation.call("list_credentials").credentials if not each.revoked]
    if not any("approve" in each.scopes for each in valid):
        return Finding(
            check="credentials",
            state="warn",
            text="no credential can decide approvals in this journal",
            fix="run `tallystick credential add NAME` yourself, and store the secret where no agent can read it",
        )
    return Finding(check="credentials", state="ok", text=", ".join(each.name for each in valid))


def _erasures(invocation: Invocation) -> Finding:
    """Bytes of erased text stay in the files while another program reads. This check removes them if it can."""
    newest = invocation.call("read_entries", {"kind": "body_erased", "newest_first": True, "limit": 1}).entries
    if newest and invocation.store.scrub(invocation.settings.journal) == "pending":
        return Finding(
            check="erasures",
            state="warn",
            text="bytes of erased text may remain in the store's files: a program still reads an older state",
            fix="end the programs that read the journal, then run tallystick doctor again",
        )
    return Finding(check="erasures", state="ok", text="no erased text is left in the store's files")


def _hooks() -> Iterator[Finding]:
    """The hooks of this user's clients, if there are any. Hooks report no problems themselves, so it is done here."""
    from tallystick.capture.ingest import user_rules
    from tallystick.capture.setup import health, hook_bundle
    from tallystick.capture.setup.clients import Locations

    locations = Locations(Path.home(), Path.cwd(), os.environ)
    hooked, problems = health.overview(locations)
    if hooked and hook_bundle.refresh(hook_bundle.program_folder(os.environ), hook_bundle.tallystick_command()):
        yield Finding(check="hooks", state="ok", text="the hook program was of another version and has been updated")
    repair = f"{health.repair_command(locations)}, then tallystick setup --check"
    fixes = dict.fromkeys(problems, repair)
    if hooked:
        fixes[health.started_command_problem(os.environ)] = repair
        fixes[health.spool_problem(os.environ)] = SPOOL_FIX
        fixes[user_rules.load_rules(os.environ)[1]] = f"correct or remove {user_rules.rules_file(os.environ)}"
        fixes.pop("", None)
    for problem, fix in fixes.items():
        yield Finding(check="hooks", state="warn", text=problem, fix=fix)
    if hooked and not fixes:
        yield Finding(check="hooks", state="ok", text=f"{', '.join(hooked)}: their hooks are installed")


def _clock(invocation: Invocation) -> Finding:
    """Whether this machine's clock is behind the journal, and whether the clock of a writer was wrong once."""
    newest, steps = invocation.store.read(
        invocation.settings.journal, lambda view: (view.head().at, view.clock_steps(MAX_CLOCK_STEPS))
    )
    now = datetime.now(UTC)
    ahead = (newest - parse_time(now.isoformat(), "now")) // SECOND
    if ahead > MAX_CLOCK_LAG_SECONDS:
        return Finding(
            check="clock",
            state="warn",
            text=f"the newest entry is {ahead} seconds ahead of this machine's clock",
            fix="set the clock of this machine, or of the one that recorded; the order of entries is not affected",
        )
    if steps:
        named = ", ".join(f"entry {entry.seq} by {age(entry.behind)}" for entry in steps[:MAX_CLOCK_STEPS_NAMED])
        count = f"more than {MAX_CLOCK_STEPS - 1}" if len(steps) == MAX_CLOCK_STEPS else str(len(steps))
        return Finding(
            check="clock",
            state="warn",
            text=f"{count} entries are behind the entry before them: {named}",
            fix="set the clocks of the machines that record; the order of entries is not affected",
        )
    return Finding(check="clock", state="ok", text=f"{now:%Y-%m-%d %H:%M:%S} UTC, not behind the journal")
