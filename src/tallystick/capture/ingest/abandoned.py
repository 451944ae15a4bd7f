"""Spools that nobody drains: moves those in a folder that hooks have left, and lists those whose journal is not opened.

A moved record is appended in the new folder before it is removed from the old one. A process that is killed in between
leaves it in both, and the journal recognises it by its key.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from shlex import quote

from msgspec import Struct

from tallystick.capture.hook import environment, responses
from tallystick.capture.ingest.drain import LOCK_SECONDS, spool_lock
from tallystick.capture.spool import file as spool_file

_PROMPT_EVENTS = frozenset({"userpromptsubmit", "beforeagent", "beforesubmitprompt"})
_EVENTS_WITHOUT_CALLS = (
    responses.SESSION_START_EVENTS
    | responses.STOP_EVENTS
    | responses.SESSION_END_EVENTS
    | responses.COMPACTION_EVENTS
    | _PROMPT_EVENTS
    | {"postcompact"}
)
"""Every session leaves such events behind, since nobody drains when it ends. No call is missing if only these wait."""
GLANCE_BYTES = 64 << 10
"""How much of a spool is read to see which journal it is for."""


def move_spools(old_folder: str, new_folder: str) -> None:
    """Move waiting records to another folder of spools. A spool that cannot be moved is listed as unclaimed."""
    old = Path(old_folder)
    with suppress(OSError):
        for spool in sorted([*old.glob("*.spool"), *old.glob(f"{spool_file.OTHER_STORE_PREFIX}*/*.spool")]):
            if spool_file.waiting_bytes(spool):
                with spool_lock(str(spool), LOCK_SECONDS) as is_locked:
                    if is_locked:
                        _move_records(spool, new_folder / spool.relative_to(old))


def _move_records(source: Path, target: Path) -> None:
    part = spool_file.read(source)
    while part.records or part.torn:
        for record in part.records:
            spool_file.append(target, record)
        if spool_file.clear(source, part.mark):
            return
        part = spool_file.read(source, after=part.mark)


class UnclaimedSpool(Struct, frozen=True, rename={"other_store_folder": "apart", "former_folder": "left"}):
    """A spool with `waiting` bytes for a journal that nobody has opened since, such as that of a deleted folder.

    `other_store_folder` is set if the records are for another store; `former_folder` if hooks no longer spool there.
    """

    journal: str
    waiting: int
    other_store_folder: str = ""
    former_folder: str = ""

    @property
    def command(self) -> str:
        """The command that drains it."""
        drain = f"tallystick capture drain --journal {quote(self.journal)}"
        if self.former_folder:
            return f"TALLYSTICK_SPOOL={quote(self.former_folder)} {drain}"
        if os.path.basename(self.other_store_folder).startswith(spool_file.OTHER_STORE_PREFIX):
            return f"{drain} --url ITS_STORE"
        return f"TALLYSTICK_URL= {drain}" if self.other_store_folder else drain

    def __str__(self) -> str:
        if self.other_store_folder:
            return f"{self.waiting} bytes wait in {self.other_store_folder} for {self.journal} in another store"
        if self.former_folder:
            return f"{self.waiting} bytes wait for {self.journal} in {self.former_folder}, where hooks no longer spool"
        return f"{self.waiting} bytes wait for the journal {self.journal}, which nobody has opened since"


def find_unclaimed(env: Mapping[str, str], journal: str) -> list[UnclaimedSpool]:
    """All spools with calls, except that of `journal` in the environment's store.

    Returns none if a folder cannot be read: `doctor` and `capture health` report that by themselves.
    """
    try:
        own, root = environment.spool_folder(env), Path(environment.spool_root(env))
        found = []
        for folder in (root, *sorted(root.glob(f"{spool_file.OTHER_STORE_PREFIX}*"))):
            spools = _spools_with_calls(folder, exclude=spool_file.path(own, journal))
            other = str(folder) if str(folder) != own else ""
            found += [UnclaimedSpool(_journal_of(spool), spool_file.waiting_bytes(spool), other) for spool in spools]
        for former in environment.former_spool_folders(env):
            found += [
                UnclaimedSpool(_journal_of(spool), spool_file.waiting_bytes(spool), former_folder=former)
                for spool in _spools_with_calls(Path(former))
            ]
        return [spool for spool in found if spool.waiting]
    except OSError:
        return []


def _spools_with_calls(folder: Path, exclude: str = "") -> list[Path]:
    return [path for path in sorted(folder.glob("*.spool")) if str(path) != exclude and _may_have_calls(path)]


def _may_have_calls(spool: Path) -> bool:
    part = spool_file.read(spool, max_bytes=GLANCE_BYTES)
    events = {str(record.get("event")).lower() for record in part.records}
    return bool(events - _EVENTS_WITHOUT_CALLS or part.torn) or spool_file.waiting_bytes(spool) > GLANCE_BYTES


def _journal_of(spool: Path) -> str:
    """The journal that the records name. The file name is no substitute for a long name: it holds only a digest."""
    for record in spool_file.read(spool, max_bytes=GLANCE_BYTES).records:
        if isinstance(name := record.get("journal"), str) and name:
            return name
    return spool.name.removesuffix(".spool")
