"""Whether a place is fit to hold a journal: what can be said of a SQLite file from outside, before it is opened."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

CheckState = Literal["ok", "warn", "fail"]

ENOUGH_BYTES = 1 << 30
TOO_FEW_BYTES = 64 << 20
SHARED = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "fuse.sshfs", "fuse.glusterfs", "lustre"}
)
"""File systems on which other machines may write the same file; SQLite's locks do not hold there."""


class Finding(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What one check found, and what to do about it."""

    check: str
    state: CheckState
    text: str
    fix: str = ""


def check_file(path: Path) -> Iterator[Finding]:
    """Every check of the file and of where it lies."""
    yield library()
    yield rights(path)
    yield file_system(path)
    yield space(path)


def library() -> Finding:
    import apsw

    return Finding(check="sqlite", state="ok", text=f"SQLite {apsw.sqlite_lib_version()}, bundled by apsw")


def rights(path: Path) -> Finding:
    """The journal holds what was recorded: only its owner should read it."""
    folder = _there(path.parent)
    if not path.exists():
        if os.access(folder, os.W_OK | os.X_OK):
            return Finding(check="rights", state="ok", text=f"{path} is not there yet; its folder can be written")
        return Finding(
            check="rights", state="fail", text=f"{folder} cannot be written", fix=f"chmod u+rwx {folder}, or use --url"
        )
    if not path.is_file():
        return Finding(
            check="rights", state="fail", text=f"{path} is not a file", fix="choose another place with --url"
        )
    for place, mode in ((path, os.R_OK | os.W_OK), (path.parent, os.W_OK | os.X_OK)):
        if not os.access(place, mode):
            return Finding(check="rights", state="fail", text=f"{place} cannot be written", fix=f"chmod u+rw {place}")
    bits = path.stat().st_mode & 0o777
    if bits & 0o077:
        return Finding(
            check="rights", state="warn", text=f"{path} has mode {bits:o}: others may read it", fix=f"chmod 600 {path}"
        )
    return Finding(check="rights", state="ok", text=f"{path} is its owner's alone")


def file_system(path: Path) -> Finding:
    kind = file_system_of(_there(path.parent).resolve(), _mounts())
    if kind in SHARED:
        return Finding(
            check="file system",
            state="fail",
            text=f"{path} lies on a network file system ({kind}), where locks do not hold",
            fix="keep the file on a local disk, or use PostgreSQL",
        )
    return Finding(check="file system", state="ok", text=kind or "not known here")


def space(path: Path) -> Finding:
    free = shutil.disk_usage(_there(path.parent)).free
    text = f"{free / (1 << 30):,.1f} GiB free"
    if free < TOO_FEW_BYTES:
        return Finding(check="disk", state="fail", text=text, fix="free some space: a full disk refuses records")
    if free < ENOUGH_BYTES:
        return Finding(check="disk", state="warn", text=text, fix="free some space before it is full")
    return Finding(check="disk", state="ok", text=text)


def file_system_of(path: Path, mounts: str) -> str:
    """The kind of file system that a path lies on, by the longest mount point above it."""
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        place = fields[1].replace("\\040", " ")
        above = str(path) == place or str(path).startswith(place.rstrip("/") + "/")
        if above and len(place) >= len(best):
            best, kind = place, fields[2]
    return kind


def _mounts() -> str:
    try:
        return Path("/proc/mounts").read_text(errors="replace")
    except OSError:
        return ""


def _there(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    return next((place for place in (folder, *folder.parents) if place.exists()), Path("/"))
