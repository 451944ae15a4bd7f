"""In which session a record is made that names none: one by the actor's name, found again while it lives.

A request is no process that could be seen to die, so its session has a lease, an hour unless told otherwise, which
each record renews. What an actor leaves open is in doubt when its lease has run out.
"""

from msgspec.structs import replace

from tallystick import operations
from tallystick.calls import Local

CLIENT = "rest"


def in_session(local: Local) -> Local:
    """The same way to the operations, in the session of its actor; it is opened if none lives."""
    desk, name = local.desk, name_of(local)
    asked = {"name": name, "status": "open", "limit": 1}
    living = [each.id for each in operations.CATALOGUE["list_sessions"](desk, asked).sessions if each.alive]
    if not living:
        living = [operations.CATALOGUE["open_session"](desk, {"name": name, "client": CLIENT}).id]
    return Local(desk.for_asker(replace(desk.asker, session=living[0])))


def in_conversation(local: Local) -> Local:
    """For reading: what is open in the session of the actor is meant, and none is opened."""
    return Local(local.desk.for_asker(replace(local.desk.asker, conversation=name_of(local))))


def name_of(local: Local) -> str:
    """The name of an actor's session."""
    actor = local.desk.asker.actor
    return f"{CLIENT}:{actor.kind}:{actor.name}"[:200]
