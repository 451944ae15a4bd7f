"""CPU seconds of processes that a figure uses beside its contenders, such as a database server."""

from __future__ import annotations

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def of_tree(pid: int) -> float:
    """The CPU seconds of a process and of its children, those that have ended among them."""
    return sum(_with_ended_children(each) for each in (pid, *_children(pid)))


def of_process(pid: int) -> float:
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / TICKS


def postmaster(folder: Path) -> int:
    """The process of the PostgreSQL server that `bench.postgres` started in this folder."""
    return int((folder / "postgres" / "postmaster.pid").read_text().split()[0])


def _with_ended_children(pid: int) -> float:
    fields = _stat(pid)
    return sum(map(int, fields[11:15])) / TICKS


def _children(pid: int) -> list[int]:
    ids = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
    return [each for each in ids if _stat(each)[1] == str(pid)]


def _stat(pid: int) -> list[str]:
    """The fields of a process behind its name, from its state on; zeros if it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ["0"] * 50
