"""Spools that hooks have left: what waits there goes along to where they spool now.

A record is appended in the new place before it leaves the old one. Whoever is killed in between leaves it in both, and
the journal knows it again by its key.
"""

from contextlib import suppress
from pathlib import Path

from tallystick.capture import spool
from tallystick.capture.drain import PATIENCE, alone


def carry_over(old: str, new: str) -> None:
    """Move what waits in a folder of spools to another. What cannot be moved stays, and is named as waiting."""
    with suppress(OSError):
        for place in sorted([*Path(old).glob("*.spool"), *Path(old).glob(f"{spool.APART}*/*.spool")]):
            if spool.waiting(place):
                with alone(str(place), PATIENCE) as nobody_else:
                    if nobody_else:
                        _move(place, Path(new) / place.relative_to(old))


def _move(place: Path, to: Path) -> None:
    found = spool.read(place)
    while found.records or found.torn:
        for record in found.records:
            spool.append(to, record)
        if spool.clear(place, found.upto):
            return
        found = spool.read(place, after=found.upto)
