"""Damages the file of a SQLite journal, and looks at what every reader and writer makes of it.

No raw exception, and no silent loss: each call answers or raises one of our errors, and `verify` notices every
acknowledged entry that is missing or changed.
"""

import shutil
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import apsw

from tallystick import Journal, Step, TallystickError
from tallystick.interfaces import cli
from tallystick.operations.views.entries import EntryView

PAGE = 4096
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("get_brief", {}),
    ("get_stats", {}),
    ("list_executions", {}),
    ("list_actions", {}),
    ("list_owed", {}),
    ("list_in_doubt", {}),
    ("list_plans", {}),
    ("list_context", {}),
    ("list_approvals", {}),
    ("list_sessions", {}),
    ("list_credentials", {}),
    ("read_entries", {"limit": 1000}),
    ("read_entries", {"text": "copy"}),
    ("export", {}),
)
COMMANDS = ("doctor", "tail", "verify", "status")


def write_sample(folder: Path) -> tuple[EntryView, ...]:
    """A journal of which the newest entries are in the WAL only; returns what it shows."""
    source, target = folder / "source", folder / "sample"
    with _open(source / "journal.db") as journal:
        _record(journal, range(30))
    with closing(apsw.Connection(str(source / "journal.db"))) as file:
        file.execute("pragma wal_checkpoint(truncate)").fetchall()
    with _open(source / "journal.db") as journal:
        _record(journal, range(30, 34))
        shutil.copytree(source, target)
        return journal.read_entries(limit=1000).entries


def _record(journal: Journal, numbers: range) -> None:
    for number in numbers:
        step = Step(title="Copy", cancellable="reversible", undo="remove it", tool="cp")
        execution = journal.record_plan(title=f"Plan {number}", steps=[step], start=True).execution_id
        begun = journal.record_action(phase="begin", step="copy", execution_id=execution, arguments={"n": number})
        journal.record_action(phase="end", action_id=begun.id, outcome="ok", result={"copied": number})
        journal.record_decision(decision="done", execution_id=execution)
        journal.record_context(key=f"key {number}", value={"n": number}, scope="project")


def damage(data: bytearray, chance: Random) -> str:
    """Change bytes in place, in one of the ways in which disks and copies fail; returns which."""
    kind = chance.choice(("flip", "flips", "zeroed", "cut", "noise"))
    start = chance.randrange(len(data))
    page = start // PAGE * PAGE
    if kind == "flip":
        data[start] ^= 1 << chance.randrange(8)
    elif kind == "flips":
        for _ in range(20):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif kind == "zeroed":
        data[page : page + PAGE] = bytes(len(data[page : page + PAGE]))
    elif kind == "cut":
        del data[start:]
    else:
        data[start : start + 64] = chance.randbytes(len(data[start : start + 64]))
    return kind


def damage_and_read(sample: tuple[EntryView, ...], folder: Path, chance: Random) -> Counter[str]:
    """Damage a copy of the sample once, call everything, and check the promises above."""
    target = folder / "damaged"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(folder / "sample", target)
    path = target / "journal.db"
    victim = chance.choice((path, path.with_name("journal.db-wal")))
    data = bytearray(victim.read_bytes())
    met = Counter({"done": 1, damage(data, chance): 1})
    victim.write_bytes(data)
    met += _call_all(path, sample)
    for command in COMMANDS:
        result = cli.run([command], env={"TALLYSTICK_URL": f"sqlite://{path}", "TALLYSTICK_JOURNAL": "j"})
        assert "Unexpected" not in result.stderr, f"{command}: {result.stderr}"
    return met


def _call_all(path: Path, sample: tuple[EntryView, ...]) -> Counter[str]:
    try:
        journal = _open(path)
    except TallystickError:
        return Counter(refused=1)
    met: Counter[str] = Counter()
    with journal:
        for name, arguments in CALLS:
            met["answers" if _answer(journal, name, arguments) else "errors"] += 1
        verified = _answer(journal, "verify", {"head": sample[-1].hash})
        shown = _answer(journal, "read_entries", {"limit": 1000})
        if verified is not None and verified.ok:
            assert shown is not None
            assert shown.entries[: len(sample)] == sample, "an entry was changed or lost, and verify found nothing"
            met["unharmed"] += 1
        _answer(journal, "record_context", {"key": "after", "value": 1, "scope": "project"})
    return met


def _answer(journal: Journal, name: str, arguments: dict[str, Any]) -> Any:
    """The result of a call, or None after one of our errors. Any other error ends the campaign."""
    try:
        return getattr(journal, name)(**arguments)
    except TallystickError:
        return None


def _open(path: Path) -> Journal:
    return Journal.open(f"sqlite://{path}", journal="j", actor="ada")
