"""Creates the environments of other libraries, such as `bench/.peers-venv`, if missing or if their pins have changed.

Libraries that need different versions of the same package have separate environments.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent


def interpreter(log: Callable[[str], None], name: str = "peers") -> str:
    """Return the interpreter with all libraries that are pinned under this name."""
    folder, pinned = HERE / f".{name}-venv", HERE / f"{name}.txt"
    python, mark = (
        folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"),
        folder / "installed.sha256",
    )
    wanted = hashlib.sha256(pinned.read_bytes()).hexdigest()
    if not mark.exists() or mark.read_text() != wanted:
        log(f"installing into bench/.{name}-venv (once)")
        uv("venv", "--clear", "--python", sys.executable, str(folder))
        uv("pip", "install", "--compile-bytecode", "--no-deps", "--python", str(python), "-r", str(pinned))
        mark.write_text(wanted)
    return str(python)


def uv(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "uv", "--quiet", *arguments], check=True)
