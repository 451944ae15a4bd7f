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

FILE_NAME = "home.json"
SPOOL_VARIABLE = "TALLYSTICK_SPOOL"
SAVED_VARIABLES = (
    "TALLYSTICK_URL",
    "TALLYSTICK_JOURNAL",
    SPOOL_VARIABLE,
    "TALLYSTICK_SECRET_NAMES",
    "TALLYSTICK_SECRET_PATTERNS",
)
"""What leads to a store, a journal and a spool, and what is a secret besides."""


def load_settings(folder: str) -> dict[str, Any]:
    """What is told in a folder of the hook program; nothing where it cannot be read."""
    return _load_json(os.path.join(folder, FILE_NAME))


def _load_json(path: str) -> dict[str, Any]:
    content = spool_file.read_file(path)
    if not content:
        return {}
    try:
        found = parse(content.decode())
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def start_command(told: dict[str, Any]) -> list[str]:
    """The words that start `tallystick`; none where they are not told."""
    found = told.get("command")
    return [str(word) for word in found] if isinstance(found, list) else []


def saved_variables(told: dict[str, Any]) -> dict[str, str]:
    """The settings that were in force at `setup`."""
    found = told.get("env")
    said = found if isinstance(found, dict) else {}
    return {name: said[name] for name in SAVED_VARIABLES if isinstance(said.get(name), str) and said[name]}


def former_folders(told: dict[str, Any]) -> list[str]:
    """Where hooks spooled before they were told to spool elsewhere: one that ran then may have come late."""
    found = told.get("former")
    return [str(each) for each in found] if isinstance(found, list) else []


def variables_to_save(env: Mapping[str, str]) -> dict[str, str]:
    """The settings to keep of this environment."""
    found = {name: env[name] for name in SAVED_VARIABLES if env.get(name)}
    return (
        {**found, SPOOL_VARIABLE: os.path.abspath(found[SPOOL_VARIABLE])} if SPOOL_VARIABLE in found else found
    )  # hooks start anywhere


def variables_for_server(env: Mapping[str, str]) -> dict[str, str]:
    """The settings that a server needs to look where hooks record: those, and the data folder if it was moved."""
    moved = data_folder(env) != data_folder({})
    return {**variables_to_save(env), **({"XDG_DATA_HOME": env["XDG_DATA_HOME"]} if moved else {})}


def hook_environment(folder: str, env: Mapping[str, str]) -> dict[str, str]:
    """The environment of a hook whose program lies in a folder, and of what it starts.

    The data folder is the one that the program lies in, wherever the client's environment would have it: else it would
    spool where nobody looks. A plugin, which lies elsewhere and names no absolute command, goes by the environment.
    """
    told = load_settings(folder)
    data, name = os.path.split(folder)
    above, room = os.path.split(data)
    words = start_command(told)
    if name == "hook" and room == "tallystick" and (not words or os.path.isabs(words[0])):
        env = {**env, "XDG_DATA_HOME": above}
    return {
        **saved_variables(told),
        **{name: value for name, value in env.items() if value or name not in SAVED_VARIABLES},
    }


def settings_file(env: Mapping[str, str]) -> str:
    """The file in which `setup` leaves what it has to say to hooks of this user."""
    return os.path.join(data_folder(env), "hook", FILE_NAME)


def for_store(env: Mapping[str, str], url: str) -> dict[str, str]:
    """An environment as hooks have it that see something for a store."""
    return {**env, "TALLYSTICK_URL": url}


def former_spool_folders(env: Mapping[str, str]) -> list[str]:
    """The folders of spools that hooks of this user have left."""
    return former_folders(_load_json(settings_file(env)))


def spool_folder(env: Mapping[str, str]) -> str:
    """Where hooks of this user spool: what is said here goes first, then what was said at `setup`."""
    return spool_file.folder(_in_force(env))


def spool_root(env: Mapping[str, str]) -> str:
    """The same for all stores: those of others than the user's own have folders there."""
    return spool_file.root(_in_force(env))


def _in_force(env: Mapping[str, str]) -> dict[str, str]:
    said = {name: value for name, value in env.items() if value or name not in SAVED_VARIABLES}
    return {**saved_variables(_load_json(settings_file(env))), **said}


# ----------------------------------------------------------------------------------------------------------------------
# In which folder a session began: for clients that tell only where the agent is now.
#
# Codex tells the folder of each command, Copilot that of its shell: a call elsewhere still belongs to the project in
# which its session began. So that is kept in a small file for each session, beside the spools. Where there is none, the
# folder that is told counts. Standard library only: the hook takes this file along, for such clients only.

MAX_SESSIONS = 500
"""So many sessions are remembered, those that began last."""
SESSION_STARTS = frozenset({"sessionstart"})
FOLDER_EVENTS = SESSION_STARTS | {"userpromptsubmit", "userpromptsubmitted", "beforesubmitprompt"}
"""Events that tell the folder of the session, and not of a call. A session that starts again may do so elsewhere."""
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def session_folder(spools: str, session: str, event: str, told: str) -> str:
    """The folder of a session: that in which it began, else the one that is told."""
    if not session or len(session) > 100 or not _PLAIN.issuperset(session):
        return told
    place = os.path.join(spools, "begun", session)
    known = os.fsdecode(spool_file.read_file(place))
    if known[:1] == "/" and event.lower() not in SESSION_STARTS:
        return known
    if told != known and event.lower() in FOLDER_EVENTS:
        try:
            spool_file.replace_file(place, os.fsencode(told))
            _delete_oldest(os.path.dirname(place))
        except OSError:
            pass  # it is then where it is told to be
    return told


def _delete_oldest(place: str) -> None:
    sessions = [os.path.join(place, name) for name in os.listdir(place)]
    if len(sessions) > MAX_SESSIONS:
        for each in sorted(sessions, key=lambda each: spool_file.file_stamp(each)[1])[: len(sessions) - MAX_SESSIONS]:
            os.unlink(each)
