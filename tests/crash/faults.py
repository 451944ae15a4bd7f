"""A disk that fails on purpose: a layer of SQLite's file access that counts each use and fails some."""

from typing import Any

import apsw

ERRORS: dict[str, type[apsw.Error]] = {
    "full": apsw.FullError,
    "readonly": apsw.ReadOnlyError,
    "broken": apsw.IOError,
}


class Disk(apsw.VFS):
    """The default file access of this process from now on. The nth use after `arm` fails; with `lasting` all later too.

    A use is a write, a sync or a truncation, of any file of the database. With n = 0 none fails.
    """

    def __init__(self, kind: str, nth: int, *, lasting: bool) -> None:
        super().__init__("failing", "unix", makedefault=True)
        self._error = ERRORS[kind]
        self._nth = nth
        self._lasting = lasting
        self._armed = False
        self.uses = 0

    def arm(self) -> None:
        self._armed = True

    def mend(self) -> None:
        self._armed = False

    def use(self, *, writes: bool) -> None:
        """Count one use, and fail if it is its turn. A disk that is full or may not be written fails to write only."""
        if not self._armed or not (writes or self._error is apsw.IOError):
            return
        self.uses += 1
        if self.uses == self._nth or (self._lasting and self.uses > self._nth > 0):
            raise self._error("the disk failed")

    def xOpen(self, name: Any, flags: list[int]) -> "File":
        return File(self, name, flags)


class File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._disk = disk

    def xWrite(self, data: Any, offset: int) -> None:
        self._disk.use(writes=True)
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        self._disk.use(writes=False)
        super().xSync(flags)

    def xTruncate(self, newsize: int) -> None:
        self._disk.use(writes=False)
        super().xTruncate(newsize)
