"""The peers' own environment, `bench/.peers-venv`: made when it is missing or `peers.txt` has changed."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = HERE / ".peers-venv"
PYTHON = FOLDER / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
PINNED = HERE / "peers.txt"
MARK = FOLDER / "installed.sha256"


def interpreter(say: Callable[[str], None]) -> str:
    """The interpreter that can import every peer."""
    wanted = hashlib.sha256(PINNED.read_bytes()).hexdigest()
    if not MARK.exists() or MARK.read_text() != wanted:
        say("installing the peers into bench/.peers-venv (once)")
        uv("venv", "--clear", "--python", sys.executable, str(FOLDER))
        uv("pip", "install", "--no-deps", "--python", str(PYTHON), "-r", str(PINNED))
        MARK.write_text(wanted)
    return str(PYTHON)


def uv(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "uv", "--quiet", *arguments], check=True)
