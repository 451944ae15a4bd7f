"""Folders in shared memory for tests that write much and need no disk: a killed process loses nothing there."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SHARED_MEMORY = "/dev/shm"


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A temporary folder in shared memory if the system has it, else on disk."""
    parent = SHARED_MEMORY if os.access(SHARED_MEMORY, os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="tallystick-", dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
