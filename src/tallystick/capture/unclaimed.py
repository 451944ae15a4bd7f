"""Spools of journals that nobody has opened since: those of a folder that was deleted, say.

A spool is drained by whoever opens its journal. Where nobody does, it would lie there unseen.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from shlex import quote

from msgspec import Struct

from tallystick.capture import home, spool
from tallystick.capture.drain import APART

GLANCE = 64 << 10
"""Bytes of a spool that are read to see which journal it is for."""


class Unclaimed(Struct, frozen=True):
    """So many bytes wait for a journal."""

    journal: str
    waiting: int
    apart: str = ""
    """The folder, where a gateway spooled for another store than the hooks' one."""
    left: str = ""
    """The folder, where hooks do not spool any more."""

    @property
    def command(self) -> str:
        if self.left:
            return f"TALLYSTICK_SPOOL={quote(self.left)} tallystick capture drain --journal {quote(self.journal)}"
        store = " --url STORE_OF_THE_GATEWAY" if self.apart else ""
        return f"tallystick capture drain{store} --journal {quote(self.journal)}"

    def __str__(self) -> str:
        if self.apart:
            return f"{self.waiting} bytes that a gateway saw wait in {self.apart} for the journal {self.journal}"
        if self.left:
            return f"{self.waiting} bytes that hooks saw wait in {self.left}, which they have left, for {self.journal}"
        return f"{self.waiting} bytes that hooks saw wait for the journal {self.journal}, which nobody has opened since"


def unclaimed(env: Mapping[str, str], here: str) -> list[Unclaimed]:
    """All but that of this journal, by their names. What cannot be read is told by who checks the spools."""
    try:
        spools = Path(home.spools(env))
        places = [each for each in sorted(spools.glob("*.spool")) if str(each) != spool.path(spools, here)]
        found = [Unclaimed(_journal(each), spool.waiting(each)) for each in places]
        apart = sorted(spools.glob(f"{APART}*/*.spool"))
        found += [Unclaimed(_journal(each), spool.waiting(each), str(each.parent)) for each in apart]
        for folder in home.left(env):
            left = sorted(Path(folder).glob("*.spool"))
            found += [Unclaimed(_journal(each), spool.waiting(each), left=folder) for each in left]
        return [each for each in found if each.waiting]
    except OSError:
        return []


def _journal(place: Path) -> str:
    """As its records say; a long name is told by its digest in the name of the file."""
    records = spool.read(place, most=GLANCE).records
    named = next((each["journal"] for each in records if isinstance(each.get("journal"), str) and each["journal"]), "")
    return named or os.path.basename(place).removesuffix(".spool")
