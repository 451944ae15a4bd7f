"""Whether a session is over: by its own word, by the death of its process, or by its lease.

| kind    | over when                                                                        |
| process | its process is gone; its lease counts only where its locks cannot be seen        |
| client  | the agent's process is gone; the lease only where that process cannot be seen    |
| handle  | its lease ran out                                                                |
"""

from collections.abc import Callable

from tallystick.core.state import Session
from tallystick.store.port import Lease
from tallystick.store.presence import Presence, process_started


def over(session: Session, lease_of: Callable[[str], Lease | None], now: int, presence: Presence | None) -> bool:
    """As of now, on the store's clock."""
    if session.status != "open":
        return True
    if presence is not None and session.host == presence.name:
        if session.session_kind == "process":
            return not presence.alive(session.lock)
        if session.session_kind == "client" and session.process:
            # Nothing is known of the start of one that was gone before its session was opened.
            return not session.process_started or process_started(session.process) != session.process_started
    lease = lease_of(session.id)
    return lease is None or lease.expires <= now
