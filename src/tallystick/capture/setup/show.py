"""What `setup` shows without touching anything: what to paste, what is set up, whether it works."""

import json
from collections.abc import Sequence
from typing import Any

from tallystick.capture.setup import check, clients, desired, health, hook_bundle
from tallystick.capture.setup.changes import Wish, settings_of, start_of
from tallystick.capture.setup.clients import CLIENTS, Client, Places, Scope
from tallystick.capture.setup.hook_events import HOOKS
from tallystick.core.errors import TallystickError

PROVED = (
    "Proved: the files are as they should be, their commands run, and what they record is found in a journal.\n"
    "Not proved: that the client runs them. It may want them to be trusted first; once the agent has done something,\n"
    "`tallystick status` in the project says what was heard."
)


def printed(chosen: Sequence[Client], wish: Wish, places: Places) -> int:
    """What to paste by hand, file by file."""
    for client in chosen:
        for path, value in _to_paste(client, wish, places):
            print(f"{client.title}, in {path}:\n")
            print(_toml(value) if path.endswith(".toml") else json.dumps(value, indent=2, ensure_ascii=False))
            print()
    print(f"The hook program itself is written to {hook_bundle.program_folder(places.env)} by `tallystick setup`.")
    return 0


def listed(places: Places, scope: Scope) -> int:
    """Every client: whether it is here, and what of ours is in its files."""
    rows = [("client", "found", "hooks", "server", "files"), *(_row(each, scope, places) for each in CLIENTS.values())]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        print("  ".join([*(cell.ljust(width) for cell, width in zip(row[:4], widths, strict=True)), row[4]]))
    hooked, problems = health.overview(places)
    problems += filter(None, [health.home_of_hooks(places.env)] if hooked else [])
    for problem in problems:
        print(f"{problem.rstrip('.')}.")
    if problems:
        print(f"`{health.repair(places)}` writes what is ours anew.")
    return 0


def checked(chosen: Sequence[Client], scope: Scope, places: Places, named: bool) -> int:
    """Send a call through each; without names, through each that is set up."""
    due = [each for each in chosen if named or _is_set_up(each, scope, places)]
    if not due:
        print("Nothing of ours was found: run `tallystick setup` first.")
        return 1
    proofs = [check.check(each, scope, places) for each in due]
    for proof in proofs:
        print(f"{proof.client}: {proof.problem or 'ok, ' + ', '.join(proof.holds)}")
    if not all(proof.problem for proof in proofs):
        print(PROVED)
    return 1 if any(proof.problem for proof in proofs) else 0


def _is_set_up(client: Client, scope: Scope, places: Places) -> bool:
    try:
        return bool(health.hooks(client, scope, places) or check.configured_server(client, scope, places))
    except TallystickError:
        return True  # the check says what is wrong with it


def _to_paste(client: Client, wish: Wish, places: Places) -> list[tuple[str, dict[str, Any]]]:
    found: dict[str, dict[str, Any]] = {}
    hooks, entries = client.hooks_file(wish.scope, places), client.servers_file(wish.scope, places)
    if hooks and wish.hooks:
        elements = desired.hooks_of(client.name, places.env, strict=bool(wish.strict))
        events = {event: [element] for event, element in elements.items()}
        found[str(hooks)] = {**HOOKS[client.name].top, desired.HOOKS_AT: events}
    if entries and wish.servers:
        entry = {clients.NAME: clients.server(client.name, start_of(client, wish), settings_of(wish)[0])}
        found.setdefault(str(entries), {})[clients.under(client.name)] = entry
    return list(found.items())


def _row(client: Client, scope: Scope, places: Places) -> tuple[str, str, str, str, str]:
    paths = [client.hooks_file(scope, places), client.servers_file(scope, places)]
    files = ", ".join(dict.fromkeys(str(each) for each in paths if each))
    found = "yes" if client.found(places) else "no"
    try:
        hooks, server = health.hooks(client, scope, places), _server(client, scope, places)
        strict = ", strict" if health.strict(client, scope, places) else ""
    except TallystickError:
        return client.name, found, "?", "?", files
    events = HOOKS[client.name].events if client.name in HOOKS else ()
    told = "-" if not events else f"{len(hooks)} of {len(events)}{strict}" if hooks else "no"
    return client.name, found, told, server, files


def _server(client: Client, scope: Scope, places: Places) -> str:
    if client.servers_file(scope, places) is None:
        return "-"
    if check.configured_server(client, scope, places):
        return "yes"
    return "another's" if check.another_server(client, scope, places) else "no"


def _toml(value: dict[str, Any]) -> str:
    import tomlkit

    return tomlkit.dumps(value).strip()
