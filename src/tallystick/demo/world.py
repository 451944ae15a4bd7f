"""The world of the demonstration: a bakery's web site, as real files in a folder."""

import hashlib
import os
from pathlib import Path

SERVER_STATE = "run/server.json"
"""Where a running web server says its process and port; it holds a lock on this file for as long as it lives."""

_WINTER = '<h1>Winter at the bakery</h1><p><a href="menu.html">Menu</a></p>\n'
SPRING_PAGES = {
    "index.html": '<h1>Spring at the bakery</h1><p><a href="menu.html">Menu</a> <a href="prices.html">Prices</a></p>\n',
    "menu.html": "<h1>Menu</h1><p>Rhubarb tart, wild garlic bread</p>\n",
}
"""What the agent writes. It links to prices.html and forgets to write it: an ordinary mistake."""


def build(folder: Path) -> None:
    """The site as the agents find it: the winter release is live."""
    winter = folder / "releases" / "winter"
    winter.mkdir(parents=True)
    (winter / "index.html").write_text(_WINTER)
    (winter / "menu.html").write_text("<h1>Menu</h1><p>Ginger bread, rye bread</p>\n")
    (folder / "run").mkdir()
    (folder / "current").symlink_to("releases/winter")


def picture(folder: Path) -> dict[str, str]:
    """Everything in a folder: each folder, each link and where it points, each file by its content."""
    found: dict[str, str] = {}
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place, name)
            found[str(path.relative_to(folder))] = _kind(path)
    return found


def _kind(path: Path) -> str:
    if path.is_symlink():
        return f"link to {path.readlink()}"
    if path.is_dir():
        return "folder"
    return f"file {hashlib.sha256(path.read_bytes()).hexdigest()}"
