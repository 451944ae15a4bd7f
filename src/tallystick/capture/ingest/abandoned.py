"""Spools that hooks have left: what waits there goes along to where they spool now.

A record is appended in the new place before it leaves the old one. Whoever is killed in between leaves it in both, and
the journal knows it again by its key.
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


def move_spools(old: str, new: str) -> None:
    """Move what waits in a folder of spools to another. What cannot be moved stays, and is named as waiting."""
    with suppress(OSError):
        for place in sorted([*Path(old).glob("*.spool"), *Path(old).glob(f"{spool_file.OTHER_STORE_PREFIX}*/*.spool")]):
            if spool_file.waiting_bytes(place):
                with spool_lock(str(place), LOCK_SECONDS) as nobody_else:
                    if nobody_else:
                        _move(place, Path(new) / place.relative_to(old))


def _move(place: Path, to: Path) -> None:
    found = spool_file.read(place)
    while found.records or found.torn:
        for record in found.records:
            spool_file.append(to, record)
        if spool_file.clear(place, found.mark):
            return
        found = spool_file.read(place, after=found.mark)


# ----------------------------------------------------------------------------------------------------------------------
# Spools of journals that nobody has opened since: those of a folder that was deleted, say.
#
# A spool is drained by whoever opens its journal. Where nobody does, it would lie there unseen.

_PROMPTED = frozenset({"userpromptsubmit", "beforeagent", "beforesubmitprompt"})
_ABOUT_NO_CALL = (
    responses.SESSION_START_EVENTS
    | responses.STOP_EVENTS
    | responses.SESSION_END_EVENTS
    | responses.COMPACTION_EVENTS
    | _PROMPTED
    | {"postcompact"}
)
"""What every session leaves behind, since nobody drains when it ends: no call is missing where only that waits."""
GLANCE = 64 << 10
"""Bytes of a spool that are read to see which journal it is for."""


class UnclaimedSpool(Struct, frozen=True):
    """So many bytes wait for a journal."""

    journal: str
    waiting: int
    apart: str = ""
    """The folder, where it was seen for another store than this one."""
    left: str = ""
    """The folder, where hooks do not spool any more."""

    @property
    def command(self) -> str:
        if self.left:
            return f"TALLYSTICK_SPOOL={quote(self.left)} tallystick capture drain --journal {quote(self.journal)}"
        drain = f"tallystick capture drain --journal {quote(self.journal)}"
        if os.path.basename(self.apart).startswith(spool_file.OTHER_STORE_PREFIX):
            return f"{drain} --url ITS_STORE"
        return f"TALLYSTICK_URL= {drain}" if self.apart else drain

    def __str__(self) -> str:
        if self.apart:
            return f"{self.waiting} bytes wait in {self.apart}, for {self.journal} in another store than this"
        if self.left:
            return f"{self.waiting} bytes that hooks saw wait in {self.left}, which they have left, for {self.journal}"
        return f"{self.waiting} bytes that hooks saw wait for the journal {self.journal}, which nobody has opened since"


def find_unclaimed(env: Mapping[str, str], here: str) -> list[UnclaimedSpool]:
    """All but that of this journal in the store that the environment names. What cannot be read is told by who checks
    the spools."""
    try:
        own, root = environment.spool_folder(env), Path(environment.spool_root(env))
        found = []
        for folder in (root, *sorted(root.glob(f"{spool_file.OTHER_STORE_PREFIX}*"))):
            places = _of_calls(folder, but=spool_file.path(own, here))
            apart = str(folder) if str(folder) != own else ""
            found += [UnclaimedSpool(_journal(each), spool_file.waiting_bytes(each), apart) for each in places]
        for left in environment.former_spool_folders(env):
            found += [
                UnclaimedSpool(_journal(each), spool_file.waiting_bytes(each), left=left)
                for each in _of_calls(Path(left))
            ]
        return [each for each in found if each.waiting]
    except OSError:
        return []


def _of_calls(folder: Path, but: str = "") -> list[Path]:
    """The spools of a folder in which calls may wait."""
    places = (each for each in sorted(folder.glob("*.spool")) if str(each) != but)
    return [each for each in places if not _is_about_no_call(each)]


def _is_about_no_call(place: Path) -> bool:
    found = spool_file.read(place, max_bytes=GLANCE)
    events = {str(each.get("event")).lower() for each in found.records}
    return events <= _ABOUT_NO_CALL and not found.torn and spool_file.waiting_bytes(place) <= GLANCE


def _journal(place: Path) -> str:
    """As its records say; a long name is told by its digest in the name of the file."""
    records = spool_file.read(place, max_bytes=GLANCE).records
    named = next((each["journal"] for each in records if isinstance(each.get("journal"), str) and each["journal"]), "")
    return named or os.path.basename(place).removesuffix(".spool")
