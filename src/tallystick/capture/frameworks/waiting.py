"""Calls that were put off until a person has answered: another process may take them up, on another day.

The journal is what the two have in common. So it is noted there that a call waits, under a key that both can make.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from tallystick.core.state import Action, Keyed
from tallystick.operations.presence import UNSETTLED

if TYPE_CHECKING:
    from tallystick.store.port import View

SAID = "It asked a person, and goes on with the answer."


def key_of(thread: str, run: str, call_id: str) -> str:
    """The key of a call that waits in a thread of a graph; its task there is the same when it is taken up."""
    named = "\n".join((thread, run, call_id)).encode(errors="replace")
    return f"waits:{blake2b(named, digest_size=16).hexdigest()}"


def note(action_id: str, key: str) -> dict[str, Any]:
    """What is recorded of a call that waits; the same however often it asks."""
    return {"phase": "note", "action_id": action_id, "summary": SAID, "key": key}


def waits(view: View, key: str) -> str:
    """The id by which a call that waits is known in the journal; empty when none does, or its end was told."""
    known = view.get(Keyed, key)
    noted = view.entry(known.seq) if known else None
    action = view.get(Action, noted.id) if noted else None
    return action.call if action and action.state in UNSETTLED else ""
