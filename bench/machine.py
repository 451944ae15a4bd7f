"""The facts of the machine, without which no figure means anything."""

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


def facts(place: Path) -> dict[str, Any]:
    return {
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "sqlite_of_apsw": apsw.sqlite_lib_version(),
        "sqlite_of_python": sqlite3.sqlite_version,
        "file_system": _file_system(place),
        "fsync_p50_ms": round(fsync_p50(place) * 1000, 3),
    }


def is_busy(facts: dict[str, Any]) -> bool:
    """Whether others were at work when the facts were taken: fewer than one core in two was free."""
    return bool(facts["load"][0] > (facts["cores"] or 1) / 2)


def fsync_p50(place: Path, times: int = 200) -> float:
    """The median seconds of writing 4 KB and syncing it."""
    path = place / "fsync"
    waits = []
    with path.open("wb", buffering=0) as file:
        for _ in range(times):
            started = time.perf_counter()
            file.write(PAGE)
            os.fsync(file.fileno())
            waits.append(time.perf_counter() - started)
    path.unlink()
    return percentile(waits, 0.5)


def _file_system(place: Path) -> str:
    """The file system under the place: on tmpfs a sync costs nothing, and no ratio is worth quoting."""
    mounts = Path("/proc/mounts")
    if not mounts.exists():
        return "unknown"
    found = ("", "unknown")
    for line in mounts.read_text().splitlines():
        _, mounted, kind, *_ = line.split()
        if place.resolve().is_relative_to(mounted) and len(mounted) >= len(found[0]):
            found = (mounted, kind)
    return found[1]
