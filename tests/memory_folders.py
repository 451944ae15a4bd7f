"""Folders in shared memory for tests that write much and need no disk: a killed process loses nothing there."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SHARED_MEMORY = "/dev/shm"
MIN_FREE_BYTES = 2 << 30
"""Containers often have 64 MB of shared memory."""
_VARIABLE = "PYTEST_DEBUG_TEMPROOT"


def quick_parent() -> str:
    """The folder for temporary ones: shared memory if the system has enough of it, else one on disk.

    The first process of a run decides. The others inherit the variable, from which pytest takes it for `tmp_path`.
    """
    if _VARIABLE not in os.environ:
        is_roomy = os.access(SHARED_MEMORY, os.W_OK) and shutil.disk_usage(SHARED_MEMORY).free >= MIN_FREE_BYTES
        os.environ[_VARIABLE] = SHARED_MEMORY if is_roomy else tempfile.gettempdir()
    return os.environ[_VARIABLE]


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A temporary folder, in shared memory if possible."""
    folder = Path(tempfile.mkdtemp(prefix="tallystick-", dir=quick_parent()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
