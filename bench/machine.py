"""Describes the machine: figures mean nothing without it."""

from __future__ import annotations

import os
import platform
import sqlite3
import time
from pathlib import Path
from typing import Any

import apsw

from bench.rounds import percentile

PAGE = b"\0" * 4096


def facts(folder: Path) -> dict[str, Any]:
    return {
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "sqlite_of_apsw": apsw.sqlite_lib_version(),
        "sqlite_of_python": sqlite3.sqlite_version,
        "file_system": _file_system(folder),
        "fsync_p50_ms": round(fsync_p50(folder) * 1000, 3),
    }


def is_busy(facts: dict[str, Any]) -> bool:
    """Whether other programs used more than half of the cores."""
    return bool(facts["load"][0] > (facts["cores"] or 1) / 2)


def fsync_p50(folder: Path, times: int = 200) -> float:
    """Return the median seconds to write and sync 4 KB."""
    path = folder / "fsync"
    waits = []
    with path.open("wb", buffering=0) as file:
        for _ in range(times):
            started = time.perf_counter()
            file.write(PAGE)
            os.fsync(file.fileno())
            waits.append(time.perf_counter() - started)
    path.unlink()
    return percentile(waits, 0.5)


def _file_system(folder: Path) -> str:
    """Return the type of the file system. On tmpfs a sync costs nothing, and ratios mean little."""
    mounts = Path("/proc/mounts")
    if not mounts.exists():
        return "unknown"
    longest = ("", "unknown")
    for line in mounts.read_text().splitlines():
        _, mounted, kind, *_ = line.split()
        if folder.resolve().is_relative_to(mounted) and len(mounted) >= len(longest[0]):
            longest = (mounted, kind)
    return longest[1]
