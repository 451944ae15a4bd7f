"""What was touched, and how it was before: kept in the data folder, beside copies of the files."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct, field

from tallystick.capture.setup.edit.json import Notes
from tallystick.capture.setup.files import Write
from tallystick.core.errors import InvalidArgument


class Touched(Struct, kw_only=True):
    """One file. `before` names the copy of what it held, None if there was no file; `after` is the digest of what we
    left in it; `folders` were made for it, from the top."""

    path: str
    client: str
    before: str | None
    after: str
    folders: list[str] = []
    notes: Notes = field(default_factory=Notes)


class Manifest(Struct, kw_only=True, omit_defaults=True):
    """All files that were touched and not given back. `theirs` tells, by path, the digests of files that were given
    back with something like ours in it: it was there before us, so nobody takes it out."""

    version: int = 1
    touched: list[Touched] = []
    theirs: dict[str, str] = {}

    def of(self, path: Path) -> Touched | None:
        return next((each for each in self.touched if each.path == str(path)), None)

    def keep(self, touched: Touched) -> None:
        """Put in a record in place of the older one of the same file."""
        self.touched = [*(each for each in self.touched if each.path != touched.path), touched]

    def drop(self, path: str) -> None:
        self.touched = [each for each in self.touched if each.path != path]

    @property
    def empty(self) -> bool:
        return not (self.touched or self.theirs)


class ManifestFolder:
    """The folder with the manifest and the copies."""

    def __init__(self, data_folder: str) -> None:
        self.folder = Path(data_folder) / "setup"
        self.file = self.folder / "manifest.json"

    def load(self) -> Manifest:
        """What is known; nothing where nothing was set up."""
        try:
            return msgspec.json.decode(self.file.read_bytes(), type=Manifest)
        except FileNotFoundError:
            return Manifest()
        except msgspec.MsgspecError as error:
            raise InvalidArgument(
                f"{self.file} cannot be read ({error}).",
                hint="It says what setup touched. Move it away to go on without; the copies beside it stay.",
            ) from None

    def written(self, manifest: Manifest) -> Write:
        """The manifest as a file to write; none when there is nothing to tell."""
        content = msgspec.json.format(msgspec.json.encode(manifest)) + b"\n" if not manifest.empty else None
        return Write(self.file, content)

    def copy_of(self, path: Path, content: bytes) -> Write:
        """A copy of what a file held. Its name tells the file and the content, so the same is kept once."""
        name = f"{sha256(os.fsencode(path)).hexdigest()[:8]}-{digest(content)[:12]}-{path.name.lstrip('.')}"
        return Write(self.folder / "before" / name, content)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Two setups at once take turns."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(self.folder / "lock", "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()
