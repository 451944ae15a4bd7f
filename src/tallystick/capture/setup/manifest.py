"""The manifest of setup: which files were changed, and copies of what they held before, in the data folder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct, field

from tallystick.capture.setup.edit.json import Notes
from tallystick.capture.setup.files import FileWrite
from tallystick.core.errors import InvalidArgument


class ChangedFile(Struct, kw_only=True):
    """A file that setup changed.

    `copy` is the name of the copy of its former content, None if there was no file. `written` is the digest of what
    setup wrote. `folders` were made for it, from the top.
    """

    path: str
    client: str
    copy: str | None = field(name="before")
    written: str = field(name="after")
    folders: list[str] = []
    notes: Notes = field(default_factory=Notes)


class Manifest(Struct, kw_only=True, omit_defaults=True):
    """The files that setup changed and did not restore.

    `restored` has the digests, by path, of restored files that still contain something like ours. It was there before
    setup, so that `--remove` leaves it.
    """

    version: int = 1
    files: list[ChangedFile] = field(name="touched", default_factory=list)
    restored: dict[str, str] = field(name="theirs", default_factory=dict)

    def find(self, path: Path) -> ChangedFile | None:
        return next((each for each in self.files if each.path == str(path)), None)

    def put(self, file: ChangedFile) -> None:
        """Add a record, in place of an older one of the same file."""
        self.files = [*(each for each in self.files if each.path != file.path), file]

    def remove(self, path: str) -> None:
        self.files = [each for each in self.files if each.path != path]

    @property
    def is_empty(self) -> bool:
        return not (self.files or self.restored)


class ManifestFolder:
    """The folder with the manifest and the copies."""

    def __init__(self, data_folder: str) -> None:
        self.folder = Path(data_folder) / "setup"
        self.file = self.folder / "manifest.json"
        self.copies = self.folder / "before"

    def load(self) -> Manifest:
        """The manifest; an empty one where nothing was set up."""
        try:
            return msgspec.json.decode(self.file.read_bytes(), type=Manifest)
        except FileNotFoundError:
            return Manifest()
        except msgspec.MsgspecError as error:
            raise InvalidArgument(
                f"{self.file} cannot be read ({error}).",
                hint="It lists the files that setup changed. Move it away to continue; the copies beside it stay.",
            ) from None

    def manifest_write(self, manifest: Manifest) -> FileWrite:
        """The write that stores the manifest; it deletes the file if the manifest is empty."""
        content = msgspec.json.format(msgspec.json.encode(manifest)) + b"\n" if not manifest.is_empty else None
        return FileWrite(self.file, content)

    def copy_write(self, path: Path, content: bytes) -> FileWrite:
        """The write that stores a copy. Its name depends on path and content, so equal copies are stored once."""
        name = f"{sha256(os.fsencode(path)).hexdigest()[:8]}-{digest(content)[:12]}-{path.name.lstrip('.')}"
        return FileWrite(self.copies / name, content)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold a lock against another setup at the same time."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(self.folder / "lock", "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()
