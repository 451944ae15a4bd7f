"""The command `tallystick setup`."""

import os
import sys
from argparse import ArgumentParser, BooleanOptionalAction, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path

from tallystick.capture import home
from tallystick.capture.setup import carrying, program, showing
from tallystick.capture.setup.changes import Change, Wish, to_remove, to_set_up, to_take_out
from tallystick.capture.setup.clients import CLIENTS, Client, Places, Scope
from tallystick.capture.setup.events import HOOKS
from tallystick.capture.setup.files import remove_empty, sweep
from tallystick.capture.setup.manifest import Manifest, Room
from tallystick.core.errors import InvalidArgument, StorageUnavailable, TallystickError, one_of
from tallystick.naming import data_folder

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
    room = Room(data_folder(os.environ))
    if said.remove:
        if said.list or said.check or said.print:
            raise InvalidArgument(
                "--remove cannot look.", hint="Nothing was changed. --dry-run shows what it would do."
            )
        return _remove(said, room, places)
    if said.list:
        _named(said.client)
        return showing.listed(places, said.scope)
    chosen = _chosen(said.client, places)
    wish = _wish(said)
    if said.check:
        return showing.checked(chosen, wish.scope, places, bool(said.client))
    if said.print:
        return showing.printed(chosen, wish, places)
    with _alone(room, places, said):
        return _set_up(chosen, wish, places, room, said)


def _set_up(chosen: Sequence[Client], wish: Wish, places: Places, room: Room, said: Namespace) -> int:
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
    carrying.refuse_changed(due)
    if wish.hooks and any(each.hooks for each in chosen):
        program.install(places.env, wish.start)
    if not due:
        print("Nothing to change in the files of clients: all of it stands there already.")
        return OK
    carrying.write(due, room, manifest)
    print(f"Wrote {_counted(due)}.")
    if any(each.before is not None for each in due):
        print(f"What they held before is kept in {room.folder / 'before'}.")
    for client in chosen:
        if client.after and any(each.client == client.name for each in due):
            print(f"{client.title}: {client.after}")
    print("`tallystick setup --check` sends a made-up call through the hooks and looks for it in a journal.")
    return OK


def _remove(said: Namespace, room: Room, places: Places) -> int:
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
        carrying.give_back(changes, room, manifest)
        if not any(each.client in HOOKS for each in manifest.touched):
            program.uninstall(os.environ)
        remove_empty([room.folder.parent])
    print(f"Gave back {_counted(changes)}.")
    return OK


@contextmanager
def _alone(room: Room, places: Places, said: Namespace) -> Iterator[None]:
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
        raise one_of(name, "client", CLIENTS, what="a client that can be set up")
    return CLIENTS[name]


def _wish(said: Namespace) -> Wish:
    if said.no_hooks and said.no_mcp:
        raise InvalidArgument("Without hooks and without the server nothing is left.", hint="Leave one of them out.")
    gateway = os.path.abspath(said.gateway) if said.gateway else ""
    if gateway and not os.path.isfile(gateway):
        raise InvalidArgument(f"There is no file {gateway}.", hint="Name the file with mcpServers.", field="gateway")
    start = program.starter()
    for path in (data_folder(os.environ), start[0], gateway):
        _refuse_odd(path)
    return Wish(
        scope=said.scope,
        start=start,
        hooks=not said.no_hooks,
        servers=not said.no_mcp,
        strict=said.strict,
        gateway=gateway,
        settings=home.of_server(os.environ),
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
