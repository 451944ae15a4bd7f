"""Computes what setup would change in each file, before anything is written, and shows it as a diff."""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from difflib import unified_diff
from pathlib import Path

from msgspec import Struct

from tallystick.capture.setup import desired, files
from tallystick.capture.setup.clients import NO_SETTINGS, SERVER_NAME, Client, Locations, Scope
from tallystick.capture.setup.desired import ConfigText
from tallystick.capture.setup.edit.json import JsonText, Notes, WrongKind
from tallystick.capture.setup.edit.json_positions import ConfigSyntaxError
from tallystick.capture.setup.edit.toml import TomlText
from tallystick.capture.setup.manifest import ChangedFile, Manifest, ManifestFolder, digest
from tallystick.core.errors import InvalidArgument

STAYS_STRICT = "hooks stay strict, as they were set up; --no-strict changes that"
_LINE_CHARACTERS = 160
"""Limit for an unchanged line in a diff: some clients keep a whole history in one. Changed text is shown in full."""
_CONTEXT_CHARACTERS = 40
"""Unchanged characters that are shown beside a change within a long line."""
_CONTEXT_LINES = 2
_LINE_NUMBER = re.compile(r"(?<=[-+])\d+")


class SetupOptions(Struct, frozen=True, kw_only=True):
    """The options of `setup`, the same for every client.

    `command` starts `tallystick`, `settings` are the variables for its server. `strict` None keeps what is set up.
    """

    scope: Scope
    command: Sequence[str]
    hooks: bool = True
    servers: bool = True
    strict: bool | None = None
    gateway: str = ""
    settings: Mapping[str, str] = NO_SETTINGS


class Change(Struct, frozen=True, kw_only=True):
    """One file: its content now, its new content (None deletes it), and the notes that undo the change."""

    client: str
    path: Path
    before: bytes | None
    after: bytes | None
    notes: Notes
    remarks: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return self.before == self.after

    def diff(self) -> str:
        """The change as a unified diff."""
        old, new = (_lines(self.path, each) for each in (self.before, self.after))
        names = (str(self.path) if self.before is not None else "/dev/null"), str(self.path)
        first, last = _equal_ends(old, new)
        parts = old[first : len(old) - last], new[first : len(new) - last]
        lines = [_shift_line_numbers(line, first) for line in unified_diff(*parts, *names, n=_CONTEXT_LINES)]
        return "".join(map(_shown_line, lines[:2] + _shorten_changed_lines(lines[2:])))


def open_text(path: Path, content: bytes | None, notes: Notes | None = None) -> tuple[ConfigText, str]:
    """The text of a file, ready to be edited, and its byte order mark or an empty text."""
    text = files.decode(path, content or b"")
    mark = files.BOM if text.startswith(files.BOM) else ""
    try:
        return (TomlText if path.suffix == ".toml" else JsonText)(text[len(mark) :], notes), mark
    except ConfigSyntaxError as error:
        raise InvalidArgument(
            f"{path}, line {error.line}: {error.problem}.",
            hint="Nothing was changed. Fix that line, and try again; --print shows what to paste by hand.",
        ) from None


def setup_changes(client: Client, options: SetupOptions, locations: Locations, manifest: Manifest) -> list[Change]:
    """The changes in a client's files. A file with both hooks and servers is changed once."""
    hooks = client.hooks_file(options.scope, locations) if options.hooks else None
    servers = client.servers_file(options.scope, locations) if options.servers else None
    return [
        _change(client, path, (path == hooks, path == servers), options, locations.env, manifest)
        for path in dict.fromkeys(filter(None, (hooks, servers)))
    ]


def restore_change(file: ChangedFile, folder: ManifestFolder) -> Change:
    """The change that restores a file: byte for byte if nobody changed it since, else by removing what is ours."""
    path = Path(file.path)
    before = files.read(path)
    if before is None:
        after = None
    elif digest(before) == file.written:
        after = None if file.copy is None else files.read(folder.copies / file.copy)
        if after is None and file.copy is not None:  # the copy is gone
            after = remove_ours(file.client, path, before, file.notes)
    else:
        after = remove_ours(file.client, path, before, file.notes)
        if file.copy is None and is_blank(path, after):
            after = None
    return Change(client=file.client, path=path, before=before, after=after, notes=file.notes)


def removal_change(client: Client, path: Path, restored: str = "") -> Change | None:
    """The change that removes ours from a file that the manifest does not list.

    None if nothing of ours is in it, or if its digest is `restored`: what is there was there before setup.
    """
    before = files.read(path)
    if before is None or digest(before) == restored:
        return None
    text, mark = open_text(path, before)
    if not desired.has_ours(text, client.name):
        return None
    desired.assume_notes(text, client.name)
    desired.remove_all(text, client.name)
    after = (mark + text.text).encode()
    is_our_file = path.stem == SERVER_NAME and is_blank(path, after)
    return Change(client=client.name, path=path, before=before, after=None if is_our_file else after, notes=text.notes)


def contains_ours(client: str, path: Path, content: bytes) -> bool:
    return desired.has_ours(open_text(path, content)[0], client)


def remove_ours(client: str, path: Path, content: bytes, notes: Notes) -> bytes:
    """The content of a file without anything of ours, and with everything else."""
    text, mark = open_text(path, content, deepcopy(notes))
    desired.remove_all(text, client)
    return (mark + text.text).encode()


def is_blank(path: Path, content: bytes) -> bool:
    """Whether a file contains no value, or only an empty object."""
    text, _ = open_text(path, content)
    return not text.text.strip() or text.get(()) == {}


def server_command(client: Client, options: SetupOptions) -> list[str]:
    """The words that start the server. Beside hooks, the agent needs only the tools that record reasons."""
    if options.gateway:
        return [*options.command, desired.GATEWAY, "--config", options.gateway]
    return [*options.command, "mcp", *(["--tools=minimal"] if client.hooks and options.hooks else [])]


def server_settings(options: SetupOptions) -> tuple[Mapping[str, str], str]:
    """The variables of the server, and a remark if some were left out: a project's files are shared with others."""
    if options.scope == "user" or "@" not in options.settings.get("TALLYSTICK_URL", ""):
        return options.settings, ""
    shared = {name: value for name, value in options.settings.items() if name != "TALLYSTICK_URL"}
    return shared, "TALLYSTICK_URL may contain a password and was left out: give it to the server in another way"


def _change(
    client: Client,
    path: Path,
    holds: tuple[bool, bool],
    options: SetupOptions,
    env: Mapping[str, str],
    manifest: Manifest,
) -> Change:
    """The change of one file. `holds` says whether hooks and whether servers belong into it."""
    has_hooks, has_servers = holds
    before = files.read(path)
    known = manifest.find(path)
    text, mark = open_text(path, before, deepcopy(known.notes) if known else None)
    remarks: list[str] = []
    try:
        if has_hooks and isinstance(text, JsonText):
            remarks += _put_hooks(text, client, path, options, env)
        if has_servers:
            settings, remark = server_settings(options)
            remarks += [remark, desired.put_server(text, client.name, server_command(client, options), settings)]
    except WrongKind as error:
        raise InvalidArgument(
            f"{path}: {error}.", hint="Nothing was changed. Fix that, and try again; --print shows what to paste."
        ) from None
    return Change(
        client=client.name,
        path=path,
        before=before,
        after=before if text.get(()) == open_text(path, before)[0].get(()) else (mark + text.text).encode(),
        notes=text.notes,
        remarks=tuple(filter(None, remarks)),
    )


def _put_hooks(text: JsonText, client: Client, path: Path, options: SetupOptions, env: Mapping[str, str]) -> list[str]:
    """Put our hooks into a text, and return remarks for the user."""
    remarks: list[str] = []
    if desired.has_plugin(text) or (path.parent / "extensions" / "tallystick").exists():
        remarks.append("our plugin is installed too, and every hook would run twice: uninstall one of the two")
    was_strict = desired.is_strict(text, client.name)
    if was_strict and options.strict is None:
        remarks.append(STAYS_STRICT)
    strict = was_strict if options.strict is None else options.strict
    desired.put_hooks(text, client.name, desired.desired_hooks(client.name, env, strict=strict))
    return remarks


# ----------------------------------------------------------------------------------------------------------------------
# Diffs.


def _lines(path: Path, content: bytes | None) -> list[str]:
    return files.decode(path, content or b"").splitlines(keepends=True)


def _equal_ends(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many lines to skip at the start and at the end: comparing takes time quadratic in the number of lines."""
    first = _equal_length(old, new)
    last = _equal_length(old[first:][::-1], new[first:][::-1])
    return max(0, first - _CONTEXT_LINES), max(0, last - _CONTEXT_LINES)


def _equal_length(old: Sequence[str], new: Sequence[str]) -> int:
    """How many items are equal from the start on."""
    shorter = min(len(old), len(new))
    return next((index for index in range(shorter) if old[index] != new[index]), shorter)


def _shift_line_numbers(line: str, by: int) -> str:
    """The header of a hunk, with the line numbers of the whole file."""
    if not line.startswith("@@") or not by:
        return line
    return _LINE_NUMBER.sub(lambda number: str(int(number[0]) + by), line, count=2)


def _shorten_changed_lines(lines: list[str]) -> list[str]:
    """The lines of a diff, with only the different part of long lines that were changed."""
    shown: list[str] = []
    removed: list[int] = []
    for line in lines:
        if line.startswith("-"):
            removed.append(len(shown))
        elif not line.startswith("+"):
            removed = []
        elif removed:
            index = removed.pop(0)
            shown[index], line = _different_parts(shown[index], line)
        shown.append(line)
    return shown


def _different_parts(old: str, new: str) -> tuple[str, str]:
    """Two lines of a diff without most of the text that they share at both ends."""
    if len(old) <= _LINE_CHARACTERS or len(new) <= _LINE_CHARACTERS:
        return old, new
    bare = [line[1:].rstrip("\r\n") for line in (old, new)]
    before = _equal_length(*bare)
    after = _equal_length(*(line[before:][::-1] for line in bare))
    cuts = max(0, before - _CONTEXT_CHARACTERS), max(0, after - _CONTEXT_CHARACTERS)
    short = [_cut_ends(line, *cuts) for line in bare]
    return old[0] + short[0] + old[1 + len(bare[0]) :], new[0] + short[1] + new[1 + len(bare[1]) :]


def _cut_ends(line: str, first: int, last: int) -> str:
    start = f"({first} characters) ... " if first else ""
    end = f" ... ({last} characters)" if last else ""
    return start + line[first : len(line) - last] + end


def _shown_line(line: str) -> str:
    bare = line.rstrip("\r\n")
    is_cut = line.startswith(" ") and len(bare) > _LINE_CHARACTERS
    shown = f"{bare[:_LINE_CHARACTERS]} ... ({len(bare)} characters)" if is_cut else bare
    note = "" if line.endswith("\n") or line.startswith(("---", "+++", "@@")) else "\n\\ No newline at end of file"
    return f"{shown}{note}\n"
