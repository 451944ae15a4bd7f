"""Changes carried out: copies first, then the manifest and the files together, all or none."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from tallystick.capture.setup import files
from tallystick.capture.setup.changes import Change, holds_ours, nothing_in, without
from tallystick.capture.setup.files import Write
from tallystick.capture.setup.manifest import Manifest, Room, Touched, digest


def refuse_changed(changes: Sequence[Change]) -> None:
    """Stop if somebody wrote to one of the files since the changes were worked out, as while a question was open."""
    files.refuse_changed(_writes(changes))


def write(changes: Sequence[Change], room: Room, manifest: Manifest) -> None:
    """Write what was worked out, and keep what is needed to give every file back."""
    copies: list[Write] = []
    for change in changes:
        touched, copy = _touched(change, room, manifest.of(change.path))
        manifest.keep(touched)
        copies += [copy] if copy else []
    _make_private(room)
    # The manifest comes before the files it tells of: who is stopped in between has told too much, never too little.
    files.write_all([*copies, room.written(manifest), *_writes(changes)])


def give_back(changes: Sequence[Change], room: Room, manifest: Manifest) -> None:
    """Write what was worked out, take the folders away that were made for it, and forget about the files."""
    folders: list[Path] = []
    for change in changes:
        known = manifest.of(change.path)
        folders += map(Path, known.folders if known else [])
        manifest.drop(str(change.path))
        if known and change.after is not None and holds_ours(change.client, change.path, change.after):
            manifest.theirs = {**manifest.theirs, str(change.path): digest(change.after)}
    files.write_all([*_writes(changes), room.written(manifest)])
    files.remove_empty(sorted(set(folders), key=lambda each: len(each.parts), reverse=True))
    if manifest.empty:
        shutil.rmtree(room.folder, ignore_errors=True)


def _writes(changes: Sequence[Change]) -> list[Write]:
    return [Write(each.path, each.after, each.before) for each in changes if not each.empty]


def _touched(change: Change, room: Room, known: Touched | None) -> tuple[Touched, Write | None]:
    """The record of a file. What it held before us is known already, unless others changed it since."""
    assert change.after is not None
    after = digest(change.after)
    new = map(str, files.missing_folders(change.path))
    folders = [*dict.fromkeys([*(known.folders if known else []), *new])]
    if known and change.before is not None and digest(change.before) == known.after:
        before, copy = known.before, None
    else:
        held = change.before
        if known and held is not None:
            held = without(change.client, change.path, held, known.notes)
            held = None if known.before is None and nothing_in(change.path, held) else held
        copy = room.copy_of(change.path, held) if held is not None else None
        before = copy.path.name if copy else None
    touched = Touched(
        path=str(change.path), client=change.client, before=before, after=after, folders=folders, notes=change.notes
    )
    return touched, copy


def _make_private(room: Room) -> None:
    """Copies of settings may hold secrets, as the settings do."""
    (room.folder / "before").mkdir(mode=0o700, parents=True, exist_ok=True)
    room.folder.chmod(0o700)
