"""What would be different in which file: worked out whole before anything is written."""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from difflib import unified_diff
from pathlib import Path

from msgspec import Struct

from tallystick.capture.setup import desired, files
from tallystick.capture.setup.clients import NAME, NO_SETTINGS, Client, Places, Scope
from tallystick.capture.setup.desired import Text
from tallystick.capture.setup.edit.json import JsonText, Notes, NotThatKind
from tallystick.capture.setup.edit.json_positions import Unreadable
from tallystick.capture.setup.edit.toml import TomlText
from tallystick.capture.setup.manifest import Manifest, ManifestFolder, Touched, digest
from tallystick.core.errors import InvalidArgument

_SHOWN = 160
"""Characters of a line that stays: some clients keep a whole history in one. Of what is written, all is shown."""
_BESIDE = 40
"""Characters that are shown beside what is different within a long line."""

_AROUND = 2
"""Lines that are shown around a difference."""
_PLACE = re.compile(r"(?<=[-+])\d+")


STAYS_STRICT = "hooks stay strict, as they were set up; --no-strict ends that"


class Wish(Struct, frozen=True, kw_only=True):
    """What is to be set up, for every client alike. `start` are the words that start `tallystick`, `settings` the
    variables that it is to be started with. Where nobody says whether `strict`, what was chosen before stays."""

    scope: Scope
    start: Sequence[str]
    hooks: bool = True
    servers: bool = True
    strict: bool | None = None
    gateway: str = ""
    settings: Mapping[str, str] = NO_SETTINGS


class Change(Struct, frozen=True, kw_only=True):
    """One file: what it holds, what it is to hold (None: it goes), and what has to be known to take it back."""

    client: str
    path: Path
    before: bytes | None
    after: bytes | None
    notes: Notes
    remarks: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        return self.before == self.after

    def diff(self) -> str:
        """The change as a unified diff."""
        old, new = (_lines(self.path, each) for each in (self.before, self.after))
        names = (str(self.path) if self.before is not None else "/dev/null"), str(self.path)
        first, last = _apart(old, new)
        parts = old[first : len(old) - last], new[first : len(new) - last]
        lines = [_moved(line, first) for line in unified_diff(*parts, *names, n=_AROUND)]
        return "".join(map(_shown, lines[:2] + _narrowed(lines[2:])))


def opened(path: Path, content: bytes | None, notes: Notes | None = None) -> tuple[Text, str]:
    """The text of a file, ready to be changed, and the mark that may stand before it."""
    text = files.decoded(path, content or b"")
    mark = files.BOM if text.startswith(files.BOM) else ""
    try:
        return (TomlText if path.suffix == ".toml" else JsonText)(text[len(mark) :], notes), mark
    except Unreadable as error:
        raise InvalidArgument(
            f"{path}, line {error.line}: {error.what}.",
            hint="Nothing was changed. Mend that line, and try again; --print shows what to paste by hand.",
        ) from None


def to_set_up(client: Client, wish: Wish, places: Places, manifest: Manifest) -> list[Change]:
    """The changes in a client's files. A file that holds both hooks and servers is changed once."""
    hooks = client.hooks_file(wish.scope, places) if wish.hooks else None
    servers = client.servers_file(wish.scope, places) if wish.servers else None
    return [
        _changed(client, path, (path == hooks, path == servers), wish, places.env, manifest)
        for path in dict.fromkeys(filter(None, (hooks, servers)))
    ]


def to_remove(touched: Touched, room: ManifestFolder) -> Change:
    """The change that gives a file back: byte for byte if nobody changed it since, else without what is ours."""
    path = Path(touched.path)
    before = files.read(path)
    if before is None:
        after = None
    elif digest(before) == touched.after:
        after = None if touched.before is None else files.read(room.folder / "before" / touched.before)
        if after is None and touched.before is not None:  # the copy is gone
            after = without(touched.client, path, before, touched.notes)
    else:
        after = without(touched.client, path, before, touched.notes)
        if touched.before is None and nothing_in(path, after):
            after = None
    return Change(client=touched.client, path=path, before=before, after=after, notes=touched.notes)


def to_take_out(client: Client, path: Path, theirs: str = "") -> Change | None:
    """The change that takes ours out of a file of which nothing is known; None where nothing of ours is in it, or where
    it still is as `theirs`, the digest of what was given back."""
    before = files.read(path)
    if before is None or digest(before) == theirs:
        return None
    text, mark = opened(path, before)
    if not desired.is_in(text, client.name):
        return None
    desired.guess(text, client.name)
    desired.take_all(text, client.name)
    after = (mark + text.text).encode()
    named_for_us = path.stem == NAME and nothing_in(path, after)
    return Change(client=client.name, path=path, before=before, after=None if named_for_us else after, notes=text.notes)


def holds_ours(client: str, path: Path, content: bytes) -> bool:
    return desired.is_in(opened(path, content)[0], client)


def without(client: str, path: Path, content: bytes, notes: Notes) -> bytes:
    """A file without anything of ours, and with everything else."""
    text, mark = opened(path, content, deepcopy(notes))
    desired.take_all(text, client)
    return (mark + text.text).encode()


def _changed(
    client: Client, path: Path, holds: tuple[bool, bool], wish: Wish, env: Mapping[str, str], manifest: Manifest
) -> Change:
    hooks, servers = holds
    before = files.read(path)
    known = manifest.of(path)
    text, mark = opened(path, before, deepcopy(known.notes) if known else None)
    remarks: list[str] = []
    try:
        if hooks and isinstance(text, JsonText):
            if desired.plugin_in(text) or (path.parent / "extensions" / "tallystick").exists():
                remarks.append("our plugin is installed too, and every hook would run twice: uninstall one of the two")
            was = desired.is_strict(text, client.name)
            remarks += [STAYS_STRICT] if was and wish.strict is None else []
            strict = was if wish.strict is None else wish.strict
            desired.put_hooks(text, client.name, desired.hooks_of(client.name, env, strict=strict))
        if servers:
            settings, remark = settings_of(wish)
            remarks += [remark, desired.put_server(text, client.name, start_of(client, wish), settings)]
    except NotThatKind as error:
        raise InvalidArgument(
            f"{path}: {error}.", hint="Nothing was changed. Mend that, and try again; --print shows what to paste."
        ) from None
    return Change(
        client=client.name,
        path=path,
        before=before,
        after=before if text.get(()) == opened(path, before)[0].get(()) else (mark + text.text).encode(),
        notes=text.notes,
        remarks=tuple(filter(None, remarks)),
    )


def start_of(client: Client, wish: Wish) -> list[str]:
    """The words that start the server. Beside hooks the agent needs only the tools that say why."""
    if wish.gateway:
        return [*wish.start, desired.GATEWAY, "--config", wish.gateway]
    return [*wish.start, "mcp", *(["--tools=minimal"] if client.hooks and wish.hooks else [])]


def settings_of(wish: Wish) -> tuple[Mapping[str, str], str]:
    """The variables of the server, and a remark if some were left out: files of a project are shared with others."""
    if wish.scope == "user" or "@" not in wish.settings.get("TALLYSTICK_URL", ""):
        return wish.settings, ""
    left = {name: value for name, value in wish.settings.items() if name != "TALLYSTICK_URL"}
    return left, "TALLYSTICK_URL may hold a password and was left out: give it to the server in another way"


def nothing_in(path: Path, content: bytes) -> bool:
    """Whether a file says nothing at all."""
    text, _ = opened(path, content)
    return not text.text.strip() or text.get(()) == {}


def _lines(path: Path, content: bytes | None) -> list[str]:
    return files.decoded(path, content or b"").splitlines(keepends=True)


def _apart(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many lines need not be compared at the start and at the end: comparing takes the square of their number."""
    first = _shared(old, new)
    last = _shared(old[first:][::-1], new[first:][::-1])
    return max(0, first - _AROUND), max(0, last - _AROUND)


def _shared(old: Sequence[str], new: Sequence[str]) -> int:
    """How much is the same from the start on."""
    shorter = min(len(old), len(new))
    return next((place for place in range(shorter) if old[place] != new[place]), shorter)


def _moved(line: str, by: int) -> str:
    """The head of a difference with its places in the whole file."""
    return _PLACE.sub(lambda place: str(int(place[0]) + by), line, count=2) if line.startswith("@@") and by else line


def _narrowed(lines: list[str]) -> list[str]:
    """The same, but of long lines that were changed only the part that is different."""
    found: list[str] = []
    taken: list[int] = []
    for line in lines:
        if line.startswith("-"):
            taken.append(len(found))
        elif not line.startswith("+"):
            taken = []
        elif taken:
            place = taken.pop(0)
            found[place], line = _differing(found[place], line)
        found.append(line)
    return found


def _differing(old: str, new: str) -> tuple[str, str]:
    """Two lines, each after its sign, without most of what they share at both ends."""
    if len(old) <= _SHOWN or len(new) <= _SHOWN:
        return old, new
    bare = [line[1:].rstrip("\r\n") for line in (old, new)]
    before = _shared(*bare)
    after = _shared(*(line[before:][::-1] for line in bare))
    short = [_without(line, max(0, before - _BESIDE), max(0, after - _BESIDE)) for line in bare]
    return old[0] + short[0] + old[1 + len(bare[0]) :], new[0] + short[1] + new[1 + len(bare[1]) :]


def _without(line: str, first: int, last: int) -> str:
    start = f"({first} characters) ... " if first else ""
    end = f" ... ({last} characters)" if last else ""
    return start + line[first : len(line) - last] + end


def _shown(line: str) -> str:
    bare = line.rstrip("\r\n")
    stays = line.startswith(" ") and len(bare) > _SHOWN
    cut = f"{bare[:_SHOWN]} ... ({len(bare)} characters)" if stays else bare
    told = "" if line.endswith("\n") or line.startswith(("---", "+++", "@@")) else "\n\\ No newline at end of file"
    return f"{cut}{told}\n"
