"""What is named alike by everybody: the journal of a project, and the user's data folder.

Standard library only, and little of it: the hook takes this file along, and starts with every tool call.
"""

from __future__ import annotations

import os
from zlib import crc32

TYPE_CHECKING = False  # importing typing would take longer than all the rest
if TYPE_CHECKING:
    from collections.abc import Mapping

_IN_NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")


def data_folder(env: Mapping[str, str]) -> str:
    """The user's data folder, by the convention of the desktop standards."""
    home = env.get("XDG_DATA_HOME", "")
    if not os.path.isabs(home):  # "the path is invalid, and should be ignored", says their specification
        home = os.path.expanduser("~/.local/share")
    return os.path.join(home, "tallystick")


def default_url(env: Mapping[str, str]) -> str:
    """The user's own store."""
    return f"sqlite:///{data_folder(env)}/journal.db"


def sqlite_file(url: str) -> str:
    """The file that a URL of SQLite names, absolute; a leading `~` is the home folder."""
    path = url.removeprefix("sqlite:")
    if "%" in path:
        from urllib.parse import unquote  # rarely needed, and as slow to load as half of this package

        path = unquote(path)
    if path.startswith("//"):
        path = "/" + path.lstrip("/")
    return os.path.abspath(os.path.expanduser(path))  # a program may change its folder later


def journal_name(folder: str | os.PathLike[str]) -> str:
    """The journal of a project: named from its root (the repository, else the folder), the same for every door.

    The letters at the end keep two projects of the same name apart.
    """
    root = _root(os.path.realpath(folder))
    name = _plain(os.path.basename(root).lower()).strip("-.") or "root"
    return f"{name[:40]}-{crc32(os.fsencode(root)):08x}"


def _plain(name: str) -> str:
    """Each run of other characters as one dash."""
    spaced = "".join(c if c in _IN_NAME else " " for c in name)
    while "  " in spaced:
        spaced = spaced.replace("  ", " ")
    return spaced.replace(" ", "-")


def _root(start: str) -> str:
    place = start
    while not os.path.exists(os.path.join(place, ".git")):
        above = os.path.dirname(place)
        if above == place:
            return start
        place = above
    return place
