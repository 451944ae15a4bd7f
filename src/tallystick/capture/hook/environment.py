"""What `setup` left beside the hook program: the command that it starts, and the settings that were in force then.

A client starts hooks in an environment of its own. What was set in the terminal where `setup` ran is not in it, so it
is kept here; what the client's environment says itself goes first. Standard library only: the hook takes it along.
"""

from __future__ import annotations

import os

from tallystick.capture.spool import file as spool_file
from tallystick.core.formats.fast_json import parse
from tallystick.paths import data_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME = "home.json"
SPOOL = "TALLYSTICK_SPOOL"
KEPT_VARIABLES = (
    "TALLYSTICK_URL",
    "TALLYSTICK_JOURNAL",
    SPOOL,
    "TALLYSTICK_SECRET_NAMES",
    "TALLYSTICK_SECRET_PATTERNS",
)
"""What leads to a store, a journal and a spool, and what is a secret besides."""


def read(folder: str) -> dict[str, Any]:
    """What is told in a folder of the hook program; nothing where it cannot be read."""
    return _told(os.path.join(folder, NAME))


def _told(path: str) -> dict[str, Any]:
    content = spool_file.get(path)
    if not content:
        return {}
    try:
        found = parse(content.decode())
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def command(told: dict[str, Any]) -> list[str]:
    """The words that start `tallystick`; none where they are not told."""
    found = told.get("command")
    return [str(word) for word in found] if isinstance(found, list) else []


def kept(told: dict[str, Any]) -> dict[str, str]:
    """The settings that were in force at `setup`."""
    found = told.get("env")
    said = found if isinstance(found, dict) else {}
    return {name: said[name] for name in KEPT_VARIABLES if isinstance(said.get(name), str) and said[name]}


def former(told: dict[str, Any]) -> list[str]:
    """Where hooks spooled before they were told to spool elsewhere: one that ran then may have come late."""
    found = told.get("former")
    return [str(each) for each in found] if isinstance(found, list) else []


def of_now(env: Mapping[str, str]) -> dict[str, str]:
    """The settings to keep of this environment."""
    found = {name: env[name] for name in KEPT_VARIABLES if env.get(name)}
    return {**found, SPOOL: os.path.abspath(found[SPOOL])} if SPOOL in found else found  # hooks start anywhere


def of_server(env: Mapping[str, str]) -> dict[str, str]:
    """The settings that a server needs to look where hooks record: those, and the data folder if it was moved."""
    moved = data_folder(env) != data_folder({})
    return {**of_now(env), **({"XDG_DATA_HOME": env["XDG_DATA_HOME"]} if moved else {})}


def surroundings(folder: str, env: Mapping[str, str]) -> dict[str, str]:
    """The environment of a hook whose program lies in a folder, and of what it starts.

    The data folder is the one that the program lies in, wherever the client's environment would have it: else it would
    spool where nobody looks. A plugin, which lies elsewhere and names no absolute command, goes by the environment.
    """
    told = read(folder)
    data, name = os.path.split(folder)
    above, room = os.path.split(data)
    words = command(told)
    if name == "hook" and room == "tallystick" and (not words or os.path.isabs(words[0])):
        env = {**env, "XDG_DATA_HOME": above}
    return {**kept(told), **{name: value for name, value in env.items() if value or name not in KEPT_VARIABLES}}


def told_in(env: Mapping[str, str]) -> str:
    """The file in which `setup` leaves what it has to say to hooks of this user."""
    return os.path.join(data_folder(env), "hook", NAME)


def of_store(env: Mapping[str, str], url: str) -> dict[str, str]:
    """An environment as hooks have it that see something for a store."""
    return {**env, "TALLYSTICK_URL": url}


def left(env: Mapping[str, str]) -> list[str]:
    """The folders of spools that hooks of this user have left."""
    return former(_told(told_in(env)))


def spools(env: Mapping[str, str]) -> str:
    """Where hooks of this user spool: what is said here goes first, then what was said at `setup`."""
    return spool_file.folder(_in_force(env))


def all_spools(env: Mapping[str, str]) -> str:
    """The same for all stores: those of others than the user's own have folders there."""
    return spool_file.root(_in_force(env))


def _in_force(env: Mapping[str, str]) -> dict[str, str]:
    said = {name: value for name, value in env.items() if value or name not in KEPT_VARIABLES}
    return {**kept(_told(told_in(env))), **said}


# ----------------------------------------------------------------------------------------------------------------------
# In which folder a session began: for clients that tell only where the agent is now.
#
# Codex tells the folder of each command, Copilot that of its shell: a call elsewhere still belongs to the project in
# which its session began. So that is kept in a small file for each session, beside the spools. Where there is none, the
# folder that is told counts. Standard library only: the hook takes this file along, for such clients only.

MAX_SESSIONS_KEPT = 500
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
    known = os.fsdecode(spool_file.get(place))
    if known[:1] == "/" and event.lower() not in BEGINS:
        return known
    if told != known and event.lower() in TELLS:
        try:
            spool_file.put(place, os.fsencode(told))
            _forget_others(os.path.dirname(place))
        except OSError:
            pass  # it is then where it is told to be
    return told


def _forget_others(place: str) -> None:
    sessions = [os.path.join(place, name) for name in os.listdir(place)]
    if len(sessions) > MAX_SESSIONS_KEPT:
        for each in sorted(sessions, key=lambda each: spool_file.stamp(each)[1])[: len(sessions) - MAX_SESSIONS_KEPT]:
            os.unlink(each)
