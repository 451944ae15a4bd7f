"""The user's data folder and default store, and the journal name of a project: one rule for every interface.

Standard library only, and little of it: the hook program uses this module at every tool call.
"""

from __future__ import annotations

import os
from zlib import crc32

TYPE_CHECKING = False  # importing typing would take longer than the rest of this module
if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")


def data_folder(env: Mapping[str, str]) -> str:
    """The user's data folder, by the XDG base directory specification."""
    home = env.get("XDG_DATA_HOME", "")
    if not os.path.isabs(home):  # the specification: a relative path is invalid and should be ignored
        home = os.path.expanduser("~/.local/share")
    return os.path.join(home, "tallystick")


def default_url(env: Mapping[str, str]) -> str:
    """The URL of the user's own store."""
    return f"sqlite:///{data_folder(env)}/journal.db"


def is_sqlite(url: str) -> bool:
    """Whether a URL names a SQLite file. Schemes are compared without case."""
    return url[: len("sqlite:")].lower() == "sqlite:"


def sqlite_file(url: str) -> str:
    """The absolute path in a SQLite URL; a leading `~` is the home folder.

    Links are followed: programs that open one file by two names have to share its lock files, which lie beside it.
    """
    path = url[len("sqlite:") :]
    if "%" in path:
        from urllib.parse import unquote  # rarely needed, and slow to load

        path = unquote(path)
    if path.startswith("//"):
        path = "/" + path.lstrip("/")
    return os.path.realpath(os.path.expanduser(path))  # absolute: the process may change its folder later


def store_url(place: str | os.PathLike[str]) -> str:
    """The URL of a store that is given as a URL, as a path object, or as text that is a path: it has a `/` or a `.`."""
    path = os.fspath(place)
    is_path = not isinstance(place, str) or path[:1] in ("/", ".", "~")
    if not is_path and (":" in path or not ("/" in path or "." in path)):
        return path
    return f"sqlite://{os.path.abspath(os.path.expanduser(path)).replace('%', '%25')}"


def journal_name(folder: str | os.PathLike[str]) -> str:
    """The journal of a project, named from its root (the repository, else the folder), the same for every interface.

    The checksum at the end keeps two projects of the same name apart.
    """
    root = _project_root(os.path.realpath(folder))
    name = _slug(os.path.basename(root).lower()).strip("-.") or "root"
    return f"{name[:40]}-{crc32(os.fsencode(root)):08x}"


def _slug(name: str) -> str:
    """Replace each run of other characters by one dash."""
    spaced = "".join(c if c in _NAME_CHARACTERS else " " for c in name)
    while "  " in spaced:
        spaced = spaced.replace("  ", " ")
    return spaced.replace(" ", "-")


def _project_root(start: str) -> str:
    """The nearest folder above with a repository, else the folder itself."""
    folder = start
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return start
        folder = parent
    return folder
