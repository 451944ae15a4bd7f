"""The command `tallystick setup`."""

import os
import shutil
import sys
from argparse import ArgumentParser, BooleanOptionalAction, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path

from tallystick.capture.hook import environment
from tallystick.capture.setup import files, hook_bundle, show
from tallystick.capture.setup.changes import (
    Change,
    Wish,
    holds_ours,
    nothing_in,
    to_remove,
    to_set_up,
    to_take_out,
    without,
)
from tallystick.capture.setup.clients import CLIENTS, Client, Places, Scope
from tallystick.capture.setup.files import Write, remove_empty, sweep
from tallystick.capture.setup.hook_events import HOOKS
from tallystick.capture.setup.manifest import Manifest, ManifestFolder, Touched, digest
from tallystick.core.errors import InvalidArgument, StorageUnavailable, TallystickError, not_one_of
from tallystick.paths import data_folder

# ----------------------------------------------------------------------------------------------------------------------
# Changes carried out: copies first, then the manifest and the files together, all or none.


def refuse_changed(changes: Sequence[Change]) -> None:
    """Stop if somebody wrote to one of the files since the changes were worked out, as while a question was open."""
    files.refuse_changed(_writes(changes))


def write(changes: Sequence[Change], room: ManifestFolder, manifest: Manifest) -> None:
    """Write what was worked out, and keep what is needed to give every file back."""
    copies: list[Write] = []
    for change in changes:
        touched, copy = _touched(change, room, manifest.of(change.path))
        manifest.keep(touched)
        copies += [copy] if copy else []
    _make_private(room)
    # The manifest comes before the files it tells of: who is stopped in between has told too much, never too little.
    files.write_all([*copies, room.written(manifest), *_writes(changes)])


def give_back(changes: Sequence[Change], room: ManifestFolder, manifest: Manifest) -> None:
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


def _touched(change: Change, room: ManifestFolder, known: Touched | None) -> tuple[Touched, Write | None]:
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


def _make_private(room: ManifestFolder) -> None:
    """Copies of settings may hold secrets, as the settings do."""
    (room.folder / "before").mkdir(mode=0o700, parents=True, exist_ok=True)
    room.folder.chmod(0o700)


# ----------------------------------------------------------------------------------------------------------------------

OK, FAILURE = 0, 1
_MORE = """examples:
  tallystick setup                     the clients that are found here
  tallystick setup claude-code --check
  tallystick setup --remove
"""


def main(arguments: Sequence[str]) -> int:
    """Set clients up, look at how they are set up, or give their files back."""
    said = _parser().parse_args(arguments)
    places = Places(Path.home(), Path.cwd(), os.environ)
    room = ManifestFolder(data_folder(os.environ))
    if said.remove:
        if said.list or said.check or said.print:
            raise InvalidArgument(
                "--remove cannot look.", hint="Nothing was changed. --dry-run shows what it would do."
            )
        return _remove(said, room, places)
    if said.list:
        _named(said.client)
        return show.listed(places, said.scope)
    chosen = _chosen(said.client, places)
    wish = _wish(said)
    if said.check:
        return show.checked(chosen, wish.scope, places, bool(said.client))
    if said.print:
        return show.printed(chosen, wish, places)
    with _alone(room, places, said):
        return _set_up(chosen, wish, places, room, said)


def _set_up(chosen: Sequence[Client], wish: Wish, places: Places, room: ManifestFolder, said: Namespace) -> int:
    manifest = room.load()
    changes = [each for client in chosen for each in to_set_up(client, wish, places, manifest)]
    _remark(changes)
    due = [each for each in changes if not each.empty]
    for client in chosen:
        if not client.hooks_file(wish.scope, places) and not client.servers_file(wish.scope, places):
            print(f"{client.title} has no files of a project; leave --scope out for it.")
        if wish.strict and client.name in HOOKS and HOOKS[client.name].strict is None:
            print(f"{client.title} cannot hold back a call that was not recorded: it is set up without --strict.")
    if due and not _agreed(due, said, f"Write {_counted(due)}?"):
        return OK
    refuse_changed(due)
    if wish.hooks and any(each.hooks for each in chosen):
        hook_bundle.install(places.env, wish.start)
    if not due:
        print("Nothing to change in the files of clients: all of it stands there already.")
        return OK
    write(due, room, manifest)
    print(f"Wrote {_counted(due)}.")
    if any(each.before is not None for each in due):
        print(f"What they held before is kept in {room.folder / 'before'}.")
    for client in chosen:
        if client.after and any(each.client == client.name for each in due):
            print(f"{client.title}: {client.after}")
    print("`tallystick setup --check` sends a made-up call through the hooks and looks for it in a journal.")
    return OK


def _remove(said: Namespace, room: ManifestFolder, places: Places) -> int:
    """Give files back. Without names: all of them, also those with something of ours of which nothing is known."""
    names = {_client(name).name for name in said.client}
    with _alone(room, places, said):
        manifest = room.load()
        mine = [each for each in manifest.touched if not names or each.client in names]
        changes = [to_remove(each, room) for each in mine]
        changes += _unknown([CLIENTS[name] for name in CLIENTS if not names or name in names], places, manifest)
        if not changes:
            print("Nothing to do: no file is known that was set up, and nothing of ours is in the clients' files.")
            return OK
        if not _agreed([each for each in changes if not each.empty], said, f"Give back {_counted(changes)}?"):
            return OK
        give_back(changes, room, manifest)
        if not any(each.client in HOOKS for each in manifest.touched):
            hook_bundle.uninstall(os.environ)
        remove_empty([room.folder.parent])
    print(f"Gave back {_counted(changes)}.")
    return OK


@contextmanager
def _alone(room: ManifestFolder, places: Places, said: Namespace) -> Iterator[None]:
    """With no other setup at the same time. A data folder without room or rights is told of as what it is: the files of
    clients say so themselves, and come after it."""
    try:
        with nullcontext() if said.dry_run else room.locked():
            for path in [] if said.dry_run else _files(CLIENTS.values(), places):
                sweep(path)
            yield
    except BrokenPipeError:  # who reads this has gone
        raise
    except OSError as error:
        raise StorageUnavailable(
            f"{error.filename or room.folder.parent} cannot be written ({error.strerror}).",
            hint="The files of clients are as they were. See to its rights and the space on the disk, and try again.",
        ) from None


def _unknown(chosen: Iterable[Client], places: Places, manifest: Manifest) -> list[Change]:
    """What to take out of files that nobody kept a record of, as when the data folder was deleted."""
    found: dict[Path, Change | None] = {}
    for client in chosen:
        for path in _files([client], places):
            if path not in found and manifest.of(path) is None:
                try:
                    found[path] = to_take_out(client, path, manifest.theirs.get(str(path), ""))
                except TallystickError as error:  # it need not hold anything of ours
                    found[path] = None
                    print(f"It was not looked at: {error.message}")
    return [each for each in found.values() if each is not None]


def _files(clients: Iterable[Client], places: Places) -> list[Path]:
    """Every file that something of ours may be in, the user's and the project's."""
    scopes: tuple[Scope, ...] = ("user", "project")
    both = [(client, scope) for client in clients for scope in scopes]
    found = [file(scope, places) for client, scope in both for file in (client.hooks_file, client.servers_file)]
    return [*dict.fromkeys(filter(None, found))]


def _agreed(changes: Sequence[Change], said: Namespace, question: str) -> bool:
    """Whether to go on: told beforehand, or asked at a terminal with the differences in sight."""
    for each in changes:
        print(each.diff())
    if said.dry_run:
        print("Nothing was written.")
        return False
    if said.yes or not changes:
        return True
    if not sys.stdin.isatty():
        raise InvalidArgument("Nobody is there to ask.", hint="Nothing was written. Say --yes, or --dry-run to look.")
    try:
        answer = input(f"{question} [y/N] ")
    except EOFError:
        answer = ""
    if answer.strip().lower() in ("y", "yes"):
        return True
    print("Nothing was written.")
    return False


def _chosen(names: Sequence[str], places: Places) -> list[Client]:
    if names:
        return _named(names)
    found = [each for each in CLIENTS.values() if each.found(places)]
    if not found:
        raise InvalidArgument(
            "No client was found here, by its folder or by its command.",
            hint=f"Name the ones you want: {', '.join(CLIENTS)}.",
            field="client",
        )
    return found


def _named(names: Sequence[str]) -> list[Client]:
    return [_client(name) for name in dict.fromkeys(names)]


def _client(name: str) -> Client:
    if name not in CLIENTS:
        raise not_one_of(name, "client", CLIENTS, what="a client that can be set up")
    return CLIENTS[name]


def _wish(said: Namespace) -> Wish:
    if said.no_hooks and said.no_mcp:
        raise InvalidArgument("Without hooks and without the server nothing is left.", hint="Leave one of them out.")
    gateway = os.path.abspath(said.gateway) if said.gateway else ""
    if gateway and not os.path.isfile(gateway):
        raise InvalidArgument(f"There is no file {gateway}.", hint="Name the file with mcpServers.", field="gateway")
    start = hook_bundle.tallystick_command()
    for path in (data_folder(os.environ), start[0], gateway):
        _refuse_odd(path)
    return Wish(
        scope=said.scope,
        start=start,
        hooks=not said.no_hooks,
        servers=not said.no_mcp,
        strict=said.strict,
        gateway=gateway,
        settings=environment.variables_for_server(os.environ),
    )


def _refuse_odd(path: str) -> None:
    """Files of clients are UTF-8, so a path that is not cannot stand in them."""
    try:
        path.encode()
    except UnicodeEncodeError:
        raise InvalidArgument(
            f"The path {path!r} is not UTF-8, and no client's file can name it.",
            hint="Nothing was changed. XDG_DATA_HOME moves the data folder.",
        ) from None


def _remark(changes: Iterable[Change]) -> None:
    for change in changes:
        for remark in change.remarks:
            print(f"{change.path}: {remark}.")


def _counted(changes: Sequence[Change]) -> str:
    return f"{len(changes)} file{'s' if len(changes) != 1 else ''}"


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        "tallystick setup",
        description="Put hooks and the MCP server into the configuration of your agents' clients, and out of it again.",
        epilog=_MORE,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("client", nargs="*", help=f"those that are found, unless named: {', '.join(CLIENTS)}")
    add("--scope", choices=("user", "project"), default="user", help="for all projects of yours, or for this folder")
    strict = "a call that cannot be recorded does not happen, where a client can that; as it was, unless said"
    add("--strict", action=BooleanOptionalAction, help=strict)
    add("--no-hooks", action="store_true", help="only the MCP server")
    add("--no-mcp", action="store_true", help="only the hooks")
    gateway = find_spec("tallystick.gateway") is not None
    about = "the gateway with this file of servers, in place of our server alone"
    add("--gateway", default="", metavar="MCP.JSON", help=about if gateway else "not in this version")
    add("--yes", "-y", action="store_true", help="do not ask")
    instead = parser.add_argument_group("instead of writing").add_mutually_exclusive_group()
    instead.add_argument("--dry-run", action="store_true", help="show the differences")
    instead.add_argument("--print", action="store_true", help="show what to paste by hand")
    instead.add_argument("--list", action="store_true", help="the clients, and what is set up for them")
    instead.add_argument("--check", action="store_true", help="send a made-up call through the hooks and look for it")
    parser.add_argument("--remove", action="store_true", help="give the files back as they were")
    return parser
