"""In which folder a session began: for clients that tell only where the agent is now.

Codex tells the folder of each command, Copilot that of its shell: a call elsewhere still belongs to the project in
which its session began. So that is kept in a small file for each session, beside the spools. Where there is none, the
folder that is told counts. Standard library only: the hook takes this file along, for such clients only.
"""

from __future__ import annotations

import os

from tallystick.capture import spool

KEPT = 500
"""So many sessions are remembered, those that began last."""
BEGINS = frozenset({"sessionstart"})
TELLS = BEGINS | {"userpromptsubmit", "userpromptsubmitted", "beforesubmitprompt"}
"""Events that tell the folder of the session, and not of a call. A session that starts again may do so elsewhere."""
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def folder(spools: str, session: str, event: str, told: str) -> str:
    """The folder of a session: that in which it began, else the one that is told."""
    if not session or len(session) > 100 or not _PLAIN.issuperset(session):
        return told
    place = os.path.join(spools, "begun", session)
    known = os.fsdecode(spool.get(place))
    if known[:1] == "/" and event.lower() not in BEGINS:
        return known
    if told != known and event.lower() in TELLS:
        try:
            spool.put(place, os.fsencode(told))
            _forget_others(os.path.dirname(place))
        except OSError:
            pass  # it is then where it is told to be
    return told


def _forget_others(place: str) -> None:
    sessions = [os.path.join(place, name) for name in os.listdir(place)]
    if len(sessions) > KEPT:
        for each in sorted(sessions, key=lambda each: spool.stamp(each)[1])[: len(sessions) - KEPT]:
            os.unlink(each)
