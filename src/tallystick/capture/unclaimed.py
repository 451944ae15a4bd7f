"""Spools of journals that nobody has opened since: those of a folder that was deleted, say.

A spool is drained by whoever opens its journal. Where nobody does, it would lie there unseen.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from shlex import quote

from msgspec import Struct

from tallystick.capture import home, spool

GLANCE = 64 << 10
"""Bytes of a spool that are read to see which journal it is for."""


class Unclaimed(Struct, frozen=True):
    """So many bytes wait for a journal."""

    journal: str
    waiting: int

    @property
    def command(self) -> str:
        return f"tallystick capture drain --journal {quote(self.journal)}"

    def __str__(self) -> str:
        return f"{self.waiting} bytes that hooks saw wait for the journal {self.journal}, which nobody has opened since"


def unclaimed(env: Mapping[str, str], here: str) -> list[Unclaimed]:
    """All but that of this journal, by their names. What cannot be read is told by who checks the spools."""
    try:
        places = sorted(Path(home.spools(env)).glob("*.spool"))
        found = [(place, spool.waiting(place)) for place in places if str(place) != spool.path(place.parent, here)]
        return [Unclaimed(_journal(place), waiting) for place, waiting in found if waiting]
    except OSError:
        return []


def _journal(place: Path) -> str:
    """As its records say; a long name is told by its digest in the name of the file."""
    records = spool.read(place, most=GLANCE).records
    named = next((each["journal"] for each in records if isinstance(each.get("journal"), str) and each["journal"]), "")
    return named or os.path.basename(place).removesuffix(".spool")
