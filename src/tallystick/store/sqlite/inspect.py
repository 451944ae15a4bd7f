"""Checks of a SQLite file and its folder before it is opened, for `tallystick doctor`."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

CheckState = Literal["ok", "warn", "fail"]

WARN_BELOW_BYTES = 1 << 30
FAIL_BELOW_BYTES = 64 << 20
NETWORK_FILE_SYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "fuse.sshfs", "fuse.glusterfs", "lustre"}
)
"""Other machines may write a file on these; SQLite's locks do not work there."""


class Finding(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The result of one check, and how to fix it."""

    check: str
    state: CheckState
    text: str
    fix: str = ""


def check_file(path: Path) -> Iterator[Finding]:
    """All checks of the file and its folder."""
    yield check_library()
    yield check_rights(path)
    yield check_file_system(path)
    yield check_space(path)


def check_library() -> Finding:
    import apsw

    return Finding(check="sqlite", state="ok", text=f"SQLite {apsw.sqlite_lib_version()}, bundled by apsw")


def check_rights(path: Path) -> Finding:
    """Only the owner should be able to read the journal."""
    folder = _nearest_existing(path.parent)
    if not path.exists():
        if os.access(folder, os.W_OK | os.X_OK):
            return Finding(check="rights", state="ok", text=f"{path} does not exist yet; its folder can be written")
        return Finding(
            check="rights", state="fail", text=f"{folder} cannot be written", fix=f"chmod u+rwx {folder}, or use --url"
        )
    if not path.is_file():
        return Finding(
            check="rights", state="fail", text=f"{path} is not a file", fix="choose another place with --url"
        )
    for target, mode in ((path, os.R_OK | os.W_OK), (path.parent, os.W_OK | os.X_OK)):
        if not os.access(target, mode):
            return Finding(check="rights", state="fail", text=f"{target} cannot be written", fix=f"chmod u+rw {target}")
    bits = path.stat().st_mode & 0o777
    if bits & 0o077:
        return Finding(
            check="rights", state="warn", text=f"{path} has mode {bits:o}: others may read it", fix=f"chmod 600 {path}"
        )
    return Finding(check="rights", state="ok", text=f"only the owner can read {path}")


def check_file_system(path: Path) -> Finding:
    kind = file_system_of(_nearest_existing(path.parent).resolve(), _mounts())
    if kind in NETWORK_FILE_SYSTEMS:
        return Finding(
            check="file system",
            state="fail",
            text=f"{path} is on a network file system ({kind}), where locks do not work",
            fix="keep the file on a local disk, or use PostgreSQL",
        )
    return Finding(check="file system", state="ok", text=kind or "unknown")


def check_space(path: Path) -> Finding:
    free = shutil.disk_usage(_nearest_existing(path.parent)).free
    text = f"{free / (1 << 30):,.1f} GiB free"
    if free < FAIL_BELOW_BYTES:
        return Finding(check="disk", state="fail", text=text, fix="free some space: on a full disk nothing is recorded")
    if free < WARN_BELOW_BYTES:
        return Finding(check="disk", state="warn", text=text, fix="free some space before it is full")
    return Finding(check="disk", state="ok", text=text)


def file_system_of(path: Path, mounts: str) -> str:
    """The type of the file system of a path, by its longest mount point."""
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        mount = fields[1].replace("\\040", " ")
        is_above = str(path) == mount or str(path).startswith(mount.rstrip("/") + "/")
        if is_above and len(mount) >= len(best):
            best, kind = mount, fields[2]
    return kind


def _mounts() -> str:
    try:
        return Path("/proc/mounts").read_text(errors="replace")
    except OSError:
        return ""


def _nearest_existing(folder: Path) -> Path:
    """The folder, or its nearest parent that exists."""
    return next((each for each in (folder, *folder.parents) if each.exists()), Path("/"))
