"""The commands `backup` and `restore`: copy all journals of a store to one file, and put such a file in its place."""

import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from tallystick.core.chain import Head
from tallystick.core.errors import InvalidArgument, TallystickError, Unsupported, WrongState, journal_in_use_error
from tallystick.core.formats.visible import escape_line
from tallystick.interfaces import problems
from tallystick.interfaces.cli import tables
from tallystick.interfaces.cli.command import Command
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.operations import CATALOGUE
from tallystick.operations.audit import Verification
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.paths import is_sqlite
from tallystick.sdk.journal import Journal
from tallystick.sdk.local import local_caller
from tallystick.settings import sqlite_path, without_password
from tallystick.store.interface import Store
from tallystick.store.sqlite import backup as sqlite_backup

Verified = dict[str, Verification]
"""The result of the check of each journal, by its name."""


def backup() -> Command:
    return Command(
        "backup",
        _backup,
        """Copy all journals of the store to one file, while others use it, and verify the copy.

        The file is an SQLite store: `--url sqlite://FILE` opens it. It holds everything, also the keys by which
        arguments are compared, and hashes of credentials. Store a head that it prints where agents cannot write. Exits
        with 1 when a journal does not verify.""",
        example="tallystick backup journals-2026-11-18.db",
        params=[click.Argument(["file"], metavar="FILE")],
    )


def restore() -> Command:
    return Command(
        "restore",
        _restore,
        """Put a backup in the place of the store, after verifying it.

        A SQLite file that is replaced is renamed, not deleted. PostgreSQL must not have the journals yet: its entries
        cannot be deleted. This also moves journals from SQLite to PostgreSQL and back. Refused when the store, or a
        --head that you stored outside, has entries that the backup does not have.""",
        example="tallystick restore journals-2026-11-18.db --head s1:...",
        params=[
            click.Argument(["file"], metavar="FILE"),
            click.Option(["--head"], multiple=True, metavar="HASH", help="A hash that the backup must have."),
            click.Option(["--replace"], is_flag=True, help="Even if newer entries of the SQLite store are replaced."),
        ],
    )


def _backup(invocation: Invocation, arguments: dict[str, Any]) -> int:
    path = Path(arguments["file"]).expanduser()
    if path.exists():
        raise InvalidArgument(f"{path} exists already.", hint="Choose another name.", field="file")
    source = invocation.store
    with sqlite_backup.part_file(path) as part:
        with closing(_open(f"sqlite://{part.absolute()}", invocation)) as copy:
            for name in source.journals():
                copy.load(name, source)
        with closing(_open(f"sqlite://{part.absolute()}", invocation)) as copy:
            verified = _verify(copy, invocation)
        sqlite_backup.finish(part, path)
    return _show(invocation, verified, str(path), {"file": str(path)})


def _restore(invocation: Invocation, arguments: dict[str, Any]) -> int:
    file, url = Path(arguments["file"]).expanduser(), invocation.settings.url
    is_file = is_sqlite(url)
    if not is_file and not url.lower().startswith("postgres"):
        raise Unsupported("Only a SQLite file or a PostgreSQL database can be restored.", hint="Name one with --url.")
    target = Path(sqlite_path(url)).absolute() if is_file else Path(tempfile.gettempdir(), file.name)
    old: Path | None = None
    with sqlite_backup.part_file(target) as part:
        sqlite_backup.copy_backup(file, part)
        with closing(_open(f"sqlite://{part}", invocation)) as copy:
            verified = _verify(copy, invocation)
            _check_whole(verified)
            _check_heads(copy, invocation, arguments.get("head") or ())
            if not is_file:
                _load_all(copy, invocation)
        if is_file:
            old = _replace(invocation, part, target, is_told=bool(arguments.get("replace")))
    more = {"renamed": str(old)} if old else {}
    code = _show(invocation, verified, without_password(url), {"file": str(file), **more})
    if old and not invocation.terminal.json:
        invocation.terminal.print_stderr(f"tallystick: the file that was there is now {old}")
    return code


def _open(url: str, invocation: Invocation) -> Store:
    """A store that holds or gets a copy. Unlike the store of the command, it gets nothing that hooks spooled."""
    caller = Journal.opener(url, invocation.settings.journal, None, "claimed", None, None)
    return local_caller(caller).context.store


def _verify(store: Store, invocation: Invocation, head: str = "") -> Verified:
    """Verify each journal of a store."""
    terminal, verified = invocation.terminal, {}
    for name in store.journals():
        context = OperationContext(store, replace(invocation.settings, journal=name), Principal())
        context.progress = lambda done, total: terminal.progress("verifying", done, total)
        verified[name] = CATALOGUE["verify"](context, {"head": head})
    terminal.end_progress()
    return verified


def _check_whole(verified: Verified) -> None:
    for name, result in verified.items():
        if not result.ok:
            raise WrongState(
                f'The backup of the journal "{name}" does not verify: {result.problem}',
                hint="Restore another backup. To look into this one, open a copy of it with --url sqlite://COPY.",
            )


def _check_heads(copy: Store, invocation: Invocation, heads: Sequence[str]) -> None:
    """Raise unless each head is the hash of an entry of the backup."""
    for head in heads:
        if not any(result.ok for result in _verify(copy, invocation, head).values()):
            raise WrongState(
                f"The backup does not have the entry {head}: it is older, or of another store.",
                hint="Restore a newer backup, or leave out --head.",
            )


def _load_all(copy: Store, invocation: Invocation) -> None:
    with closing(_open(invocation.settings.url, invocation)) as target:
        names = copy.journals()
        taken = [name for name in names if name in target.journals() and _newest(target, name).seq]
        if taken:
            raise journal_in_use_error(taken[0])
        for name in names:
            target.load(name, copy)


def _replace(invocation: Invocation, part: Path, target: Path, *, is_told: bool) -> Path | None:
    if not target.exists():
        return sqlite_backup.replace_store(part, target, lambda: None)
    try:
        opened = _open(invocation.settings.url, invocation)
    except TallystickError as error:
        if not is_told:
            raise WrongState(
                f"The present store cannot be compared with the backup: {error.message}",
                hint="Restore with --replace: the file that is there is renamed, not deleted.",
            ) from error
        return sqlite_backup.replace_store(part, target, lambda: None)
    with closing(opened) as present:

        def check() -> None:
            with closing(_open(f"sqlite://{part}", invocation)) as copy:
                lost = None if is_told else _find_newer(present, copy)
            if lost:
                raise WrongState(
                    f'The journal "{lost}" of the store has entries that the backup does not have.',
                    hint="Back the store up first, then restore with --replace; or restore a newer backup.",
                )
            present.close()

        return sqlite_backup.replace_store(part, target, check)


def _find_newer(present: Store, copy: Store) -> str:
    """The first journal of the present store whose newest entry the copy does not have."""
    for name in present.journals():
        end = _newest(present, name)
        stored = copy.stored_entries(name, after=end.seq - 1, limit=1) if end.seq else ()
        if end.seq and [each.hash for each in stored] != [end.hash]:
            return name
    return ""


def _newest(store: Store, journal: str) -> Head:
    return store.read(journal, lambda view: view.head())


def _show(invocation: Invocation, verified: Verified, place: str, more: dict[str, str]) -> int:
    terminal = invocation.terminal
    entries = sum(result.entries for result in verified.values())
    if terminal.json:
        journals = [{"name": name, **msgspec.to_builtins(result)} for name, result in verified.items()]
        terminal.print_json({**more, "journals": journals})
    elif not terminal.quiet:
        rows = [
            [escape_line(name), f"{result.entries:,}", result.head, result.problem or "ok"]
            for name, result in verified.items()
        ]
        terminal.print(tables.draw_table(terminal, ["journal", "entries", "head", ""], rows))
        terminal.print(f"{len(rows)} journals, {entries:,} entries: {escape_line(place)}")
    return problems.OK if all(result.ok for result in verified.values()) else problems.FAILURE
