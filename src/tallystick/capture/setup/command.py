"""Carries out `tallystick setup`: changes the files of clients, shows or checks them, or restores them."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

from msgspec import Struct

from tallystick.capture.hook import environment
from tallystick.capture.setup import files, hook_bundle, show
from tallystick.capture.setup.changes import (
    Change,
    SetupOptions,
    contains_ours,
    is_blank,
    removal_change,
    remove_ours,
    restore_change,
    setup_changes,
)
from tallystick.capture.setup.clients import CLIENTS, SCOPES, Client, Locations, Scope
from tallystick.capture.setup.files import FileWrite
from tallystick.capture.setup.hook_events import HOOKS
from tallystick.capture.setup.manifest import ChangedFile, Manifest, ManifestFolder, digest
from tallystick.core.errors import InvalidArgument, StorageUnavailable, TallystickError, not_one_of
from tallystick.paths import data_folder

OK = 0


class SetupRequest(Struct, frozen=True, kw_only=True):
    """The arguments of the command. Without `clients`, it is about those that are installed."""

    clients: Sequence[str] = ()
    scope: Scope = "user"
    strict: bool | None = None
    no_hooks: bool = False
    no_mcp: bool = False
    gateway: str = ""
    yes: bool = False
    dry_run: bool = False
    print: bool = False
    list: bool = False
    check: bool = False
    remove: bool = False


def run(request: SetupRequest) -> int:
    """Carry the command out, and return its exit code."""
    _check_modes(request)
    locations = Locations(Path.home(), Path.cwd(), os.environ)
    folder = ManifestFolder(data_folder(os.environ))
    if request.remove:
        return _remove(request, folder, locations)
    if request.list:
        _named_clients(request.clients)
        return show.print_clients(locations, request.scope)
    clients = _chosen_clients(request.clients, locations)
    options = _setup_options(request)
    if request.check:
        return show.print_checks(clients, options.scope, locations, named=bool(request.clients))
    if request.print:
        return show.print_snippets(clients, options, locations)
    with _exclusive(folder, locations, request):
        return _set_up(clients, options, locations, folder, request)


def _check_modes(request: SetupRequest) -> None:
    if request.remove and (request.list or request.check or request.print):
        raise InvalidArgument(
            "--remove cannot be combined with --list, --check or --print.",
            hint="Nothing was changed. --dry-run shows what --remove would do.",
        )
    if sum((request.dry_run, request.print, request.list, request.check)) > 1:
        raise InvalidArgument(
            "Only one of --dry-run, --print, --list and --check can be given.", hint="Nothing was changed. Choose one."
        )


# ----------------------------------------------------------------------------------------------------------------------
# Set up.


def _set_up(
    clients: Sequence[Client],
    options: SetupOptions,
    locations: Locations,
    folder: ManifestFolder,
    request: SetupRequest,
) -> int:
    manifest = folder.load()
    computed = [each for client in clients for each in setup_changes(client, options, locations, manifest)]
    for change in computed:
        for remark in change.remarks:
            print(f"{change.path}: {remark}.")
    changes = [each for each in computed if not each.is_empty]
    _print_limits(clients, options, locations)
    if changes and not _is_confirmed(changes, request, f"Write {_count(changes)}?"):
        return OK
    files.check_unchanged(_file_writes(changes))
    if options.hooks and any(each.hooks for each in clients):
        hook_bundle.install(locations.env, options.command)
    if not changes:
        print("Nothing to change: the clients' files are set up already.")
        return OK
    write(changes, folder, manifest)
    print(f"Wrote {_count(changes)}.")
    if any(each.before is not None for each in changes):
        print(f"Copies of the former contents are in {folder.copies}.")
    for client in clients:
        if client.next_step and any(each.client == client.name for each in changes):
            print(f"{client.title}: {client.next_step}")
    print("Run `tallystick setup --check` to send a test call through the hooks.")
    return OK


def _print_limits(clients: Sequence[Client], options: SetupOptions, locations: Locations) -> None:
    """Say which clients cannot do what was asked for."""
    for client in clients:
        if not client.hooks_file(options.scope, locations) and not client.servers_file(options.scope, locations):
            print(f"{client.title} has no project files; set it up without --scope project.")
        if options.strict and client.name in HOOKS and HOOKS[client.name].strict_fields is None:
            print(f"{client.title} cannot refuse a call that was not recorded: it is set up without --strict.")


def write(changes: Sequence[Change], folder: ManifestFolder, manifest: Manifest) -> None:
    """Write the changes, with a copy and a record of each file, so that it can be restored."""
    copies: list[FileWrite] = []
    for change in changes:
        file, copy = _changed_file(change, folder, manifest.find(change.path))
        manifest.put(file)
        copies += [copy] if copy else []
    folder.copies.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.folder.chmod(0o700)  # settings, and so their copies, may contain secrets
    # The manifest is written before the files: if setup stops in between, it lists too much, never too little.
    files.write_all([*copies, folder.manifest_write(manifest), *_file_writes(changes)])


def _changed_file(
    change: Change, folder: ManifestFolder, known: ChangedFile | None
) -> tuple[ChangedFile, FileWrite | None]:
    """The record of a file, and the write of its copy. A known copy is kept unless the file was changed since."""
    assert change.after is not None
    new_folders = map(str, files.missing_folders(change.path))
    folders = [*dict.fromkeys([*(known.folders if known else []), *new_folders])]
    if known and change.before is not None and digest(change.before) == known.written:
        copy_name, copy = known.copy, None
    else:
        former = change.before
        if known and former is not None:
            former = remove_ours(change.client, change.path, former, known.notes)
            former = None if known.copy is None and is_blank(change.path, former) else former
        copy = folder.copy_write(change.path, former) if former is not None else None
        copy_name = copy.path.name if copy else None
    file = ChangedFile(
        path=str(change.path),
        client=change.client,
        copy=copy_name,
        written=digest(change.after),
        folders=folders,
        notes=change.notes,
    )
    return file, copy


def _file_writes(changes: Sequence[Change]) -> list[FileWrite]:
    return [FileWrite(each.path, each.after, each.before) for each in changes if not each.is_empty]


# ----------------------------------------------------------------------------------------------------------------------
# Remove.


def _remove(request: SetupRequest, folder: ManifestFolder, locations: Locations) -> int:
    """Restore files. Without names: all of them, also files with something of ours that the manifest does not list."""
    names = {_client(name).name for name in request.clients}
    with _exclusive(folder, locations, request):
        manifest = folder.load()
        known = [each for each in manifest.files if not names or each.client in names]
        changes = [restore_change(each, folder) for each in known]
        clients = [CLIENTS[name] for name in CLIENTS if not names or name in names]
        changes += _unlisted_changes(clients, locations, manifest)
        if not changes:
            print("Nothing to do: no file was changed by setup, and the clients' files contain nothing of ours.")
            return OK
        due = [each for each in changes if not each.is_empty]
        if not _is_confirmed(due, request, f"Restore {_count(changes)}?"):
            return OK
        restore(changes, folder, manifest)
        if not any(each.client in HOOKS for each in manifest.files):
            hook_bundle.uninstall(os.environ)
        files.remove_empty([folder.folder.parent])
    print(f"Restored {_count(changes)}.")
    return OK


def restore(changes: Sequence[Change], folder: ManifestFolder, manifest: Manifest) -> None:
    """Write the changes, delete the folders that setup made, and drop the records of the files."""
    folders: list[Path] = []
    for change in changes:
        known = manifest.find(change.path)
        folders += map(Path, known.folders if known else [])
        manifest.remove(str(change.path))
        if known and change.after is not None and contains_ours(change.client, change.path, change.after):
            manifest.restored = {**manifest.restored, str(change.path): digest(change.after)}
    files.write_all([*_file_writes(changes), folder.manifest_write(manifest)])
    files.remove_empty(sorted(set(folders), key=lambda each: len(each.parts), reverse=True))
    if manifest.is_empty:
        shutil.rmtree(folder.folder, ignore_errors=True)


def _unlisted_changes(clients: Iterable[Client], locations: Locations, manifest: Manifest) -> list[Change]:
    """The removal of ours from files that the manifest does not list, as when the data folder was deleted."""
    found: dict[Path, Change | None] = {}
    for client in clients:
        for path in _client_files([client], locations):
            if path not in found and manifest.find(path) is None:
                try:
                    found[path] = removal_change(client, path, manifest.restored.get(str(path), ""))
                except TallystickError as error:  # it may well contain nothing of ours
                    found[path] = None
                    print(f"Skipped: {error.message}")
    return [each for each in found.values() if each is not None]


# ----------------------------------------------------------------------------------------------------------------------
# Arguments and confirmation.


@contextmanager
def _exclusive(folder: ManifestFolder, locations: Locations, request: SetupRequest) -> Iterator[None]:
    """Keep other setups out, and turn errors of the data folder into one that names it.

    Errors in clients' files have messages of their own; those files are written after the data folder.
    """
    try:
        with nullcontext() if request.dry_run else folder.locked():
            for path in [] if request.dry_run else _client_files(CLIENTS.values(), locations):
                files.remove_leftovers(path)
            yield
    except BrokenPipeError:  # the reader of our output is gone
        raise
    except OSError as error:
        raise StorageUnavailable(
            f"{error.filename or folder.folder.parent} cannot be written ({error.strerror}).",
            hint="The clients' files were not changed. Check its permissions and the free disk space, and try again.",
        ) from None


def _client_files(clients: Iterable[Client], locations: Locations) -> list[Path]:
    """Every file that may contain something of ours, the user's and the project's."""
    both = [(client, scope) for client in clients for scope in SCOPES]
    found = [file(scope, locations) for client, scope in both for file in (client.hooks_file, client.servers_file)]
    return [*dict.fromkeys(filter(None, found))]


def _is_confirmed(changes: Sequence[Change], request: SetupRequest, question: str) -> bool:
    """Show the changes, and ask at a terminal unless `--yes` was given."""
    for each in changes:
        print(each.diff())
    if request.dry_run:
        print("Nothing was written.")
        return False
    if request.yes or not changes:
        return True
    if not sys.stdin.isatty():
        raise InvalidArgument(
            "There is no terminal to ask for confirmation.",
            hint="Nothing was written. Use --yes to write, or --dry-run to see the changes.",
        )
    try:
        answer = input(f"{question} [y/N] ")
    except EOFError:
        answer = ""
    if answer.strip().lower() in ("y", "yes"):
        return True
    print("Nothing was written.")
    return False


def _chosen_clients(names: Sequence[str], locations: Locations) -> list[Client]:
    if names:
        return _named_clients(names)
    installed = [each for each in CLIENTS.values() if each.is_installed(locations)]
    if not installed:
        raise InvalidArgument(
            "No client was found here, by its folder or by its command.",
            hint=f"Name the clients to set up, for example `tallystick setup codex`: {', '.join(CLIENTS)}.",
            field="client",
        )
    return installed


def _named_clients(names: Sequence[str]) -> list[Client]:
    return [_client(name) for name in dict.fromkeys(names)]


def _client(name: str) -> Client:
    if name not in CLIENTS:
        raise not_one_of(name, "client", CLIENTS, what="a client that can be set up")
    return CLIENTS[name]


def _setup_options(request: SetupRequest) -> SetupOptions:
    if request.no_hooks and request.no_mcp:
        raise InvalidArgument(
            "--no-hooks and --no-mcp together leave nothing to set up.", hint="Give only one of them."
        )
    gateway = os.path.abspath(request.gateway) if request.gateway else ""
    if gateway and not os.path.isfile(gateway):
        raise InvalidArgument(f"There is no file {gateway}.", hint="Name the file with mcpServers.", field="gateway")
    command = hook_bundle.tallystick_command()
    for path in (data_folder(os.environ), command[0], gateway):
        _check_encoding(path)
    return SetupOptions(
        scope=request.scope,
        command=command,
        hooks=not request.no_hooks,
        servers=not request.no_mcp,
        strict=request.strict,
        gateway=gateway,
        settings=environment.variables_for_server(os.environ),
    )


def _check_encoding(path: str) -> None:
    """Clients' files are UTF-8, so they cannot contain a path that is not."""
    try:
        path.encode()
    except UnicodeEncodeError:
        raise InvalidArgument(
            f"The path {path!r} is not UTF-8, and no client's file can contain it.",
            hint="Nothing was changed. XDG_DATA_HOME moves the data folder.",
        ) from None


def _count(changes: Sequence[Change]) -> str:
    return f"{len(changes)} file{'s' if len(changes) != 1 else ''}"
