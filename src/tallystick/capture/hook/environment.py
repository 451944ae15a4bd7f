"""The hook's settings: saved variables, spool folders, and the start folder of each session.

A client starts hooks in an environment of its own, without the variables of the terminal where `setup` ran. So `setup`
saves them in `home.json`; a variable of the client's environment takes precedence. Standard library only.
"""

from __future__ import annotations

import os

from tallystick.capture.spool import file as spool_file
from tallystick.core.formats.fast_json import parse
from tallystick.paths import data_folder, is_sqlite, sqlite_file, store_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FILE_NAME = "home.json"
SPOOL_VARIABLE = "TALLYSTICK_SPOOL"
URL_VARIABLE = "TALLYSTICK_URL"
SAVED_VARIABLES = (
    URL_VARIABLE,
    "TALLYSTICK_JOURNAL",
    SPOOL_VARIABLE,
    "TALLYSTICK_SECRET_NAMES",
    "TALLYSTICK_SECRET_PATTERNS",
)
"""The variables for the store, the journal, the spool and further secrets."""
MAX_SESSIONS = 500
"""How many sessions' folders are remembered, the newest ones."""
SESSION_STARTS = frozenset({"sessionstart"})
FOLDER_EVENTS = SESSION_STARTS | {"userpromptsubmit", "userpromptsubmitted", "beforesubmitprompt"}
"""Events with the folder of the session, not that of a call. A session that starts again may do so elsewhere."""
_FILE_NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def load_settings(folder: str) -> dict[str, Any]:
    """The settings that `setup` saved in a folder of the hook program; empty if they cannot be read."""
    return _load_json(os.path.join(folder, FILE_NAME))


def _load_json(path: str) -> dict[str, Any]:
    content = spool_file.read_file(path)
    if not content:
        return {}
    try:
        value = parse(content.decode())
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def start_command(settings: dict[str, Any]) -> list[str]:
    """The words that start `tallystick`; none if they were not saved."""
    words = settings.get("command")
    return [str(word) for word in words] if isinstance(words, list) else []


def saved_variables(settings: dict[str, Any]) -> dict[str, str]:
    """The variables that were set at `setup`."""
    env = settings.get("env")
    if not isinstance(env, dict):
        return {}
    return {name: env[name] for name in SAVED_VARIABLES if isinstance(env.get(name), str) and env[name]}


def former_folders(settings: dict[str, Any]) -> list[str]:
    """The folders that hooks used before `setup` moved the spool: a hook that ran then may have written late."""
    folders = settings.get("former")
    return [str(folder) for folder in folders] if isinstance(folders, list) else []


def variables_to_save(env: Mapping[str, str]) -> dict[str, str]:
    """The variables that `setup` saves."""
    variables = {name: env[name] for name in SAVED_VARIABLES if env.get(name)}
    if SPOOL_VARIABLE in variables:
        variables[SPOOL_VARIABLE] = os.path.abspath(variables[SPOOL_VARIABLE])  # hooks start in any folder
    if URL_VARIABLE in variables:
        url = store_url(variables[URL_VARIABLE])
        is_relative = is_sqlite(url) and not url.startswith("/", len("sqlite:"))
        variables[URL_VARIABLE] = store_url(sqlite_file(url)) if is_relative else url
    return variables


def variables_for_server(env: Mapping[str, str]) -> dict[str, str]:
    """The variables with which a server uses the hooks' store, with the data folder if it was moved."""
    is_moved = data_folder(env) != data_folder({})
    return {**variables_to_save(env), **({"XDG_DATA_HOME": env["XDG_DATA_HOME"]} if is_moved else {})}


def hook_environment(folder: str, env: Mapping[str, str]) -> dict[str, str]:
    """The environment of the hook program in a folder, and of the commands that it starts.

    The data folder is the one that contains the program, whatever the client's environment says: otherwise it would
    spool where nothing drains. A plugin lies elsewhere and saves no absolute command: for it the environment counts.
    """
    settings = load_settings(folder)
    data, name = os.path.split(folder)
    data_home, data_name = os.path.split(data)
    words = start_command(settings)
    if name == "hook" and data_name == "tallystick" and (not words or os.path.isabs(words[0])):
        env = {**env, "XDG_DATA_HOME": data_home}
    return {**saved_variables(settings), **_set_variables(env)}


def settings_file(env: Mapping[str, str]) -> str:
    """The file in which `setup` saves the settings for this user's hooks."""
    return os.path.join(data_folder(env), "hook", FILE_NAME)


def for_store(env: Mapping[str, str], url: str) -> dict[str, str]:
    """The environment of hooks that record for a store."""
    return {**env, URL_VARIABLE: url}


def former_spool_folders(env: Mapping[str, str]) -> list[str]:
    """The folders in which this user's hooks no longer spool."""
    return former_folders(_load_json(settings_file(env)))


def spool_folder(env: Mapping[str, str]) -> str:
    """The spool folder of this user's hooks for a store. The environment takes precedence over the saved variables."""
    return spool_file.folder(_effective(env))


def spool_root(env: Mapping[str, str]) -> str:
    """The folder of all stores' spools: each store other than the user's own has a subfolder."""
    return spool_file.root(_effective(env))


def _effective(env: Mapping[str, str]) -> dict[str, str]:
    return {**saved_variables(_load_json(settings_file(env))), **_set_variables(env)}


def _set_variables(env: Mapping[str, str]) -> dict[str, str]:
    """An environment without saved variables that are empty: those do not take precedence."""
    return {name: value for name, value in env.items() if value or name not in SAVED_VARIABLES}


def session_folder(spools: str, session: str, event: str, current: str) -> str:
    """The folder in which a session began, else the current one. A session's first events store it beside the spools.

    Codex reports the folder of each command, and Copilot that of its shell. A call elsewhere still belongs to the
    project in which its session began.
    """
    if not session or len(session) > 100 or not _FILE_NAME_CHARACTERS.issuperset(session):
        return current
    path = os.path.join(spools, "begun", session)
    known = os.fsdecode(spool_file.read_file(path))
    if known[:1] == "/" and event.lower() not in SESSION_STARTS:
        return known
    if current != known and event.lower() in FOLDER_EVENTS:
        try:
            spool_file.replace_file(path, os.fsencode(current))
            _delete_oldest(os.path.dirname(path))
        except OSError:
            pass  # the current folder counts then
    return current


def _delete_oldest(folder: str) -> None:
    paths = [os.path.join(folder, name) for name in os.listdir(folder)]
    if len(paths) > MAX_SESSIONS:
        for path in sorted(paths, key=lambda path: spool_file.file_stamp(path)[1])[: len(paths) - MAX_SESSIONS]:
            os.unlink(path)
