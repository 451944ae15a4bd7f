"""Prints what setup knows without changing anything: text to paste, the state of each client, and checks."""

from collections.abc import Sequence
from typing import Any

from tallystick.capture.setup import check, desired, health, hook_bundle
from tallystick.capture.setup.changes import SetupOptions, server_command, server_settings
from tallystick.capture.setup.clients import CLIENTS, SERVER_NAME, Client, Locations, Scope, server_entry, servers_key
from tallystick.capture.setup.hook_events import HOOKS
from tallystick.core.errors import TallystickError
from tallystick.core.formats import canonical_json

PROVED = (
    "Checked: the files are correct, their commands run, and the calls that they record are found in a journal.\n"
    "Not checked: that the client runs them. It may require that you trust them first. Once the agent has worked,\n"
    "`tallystick status` in the project shows what the hooks recorded."
)


def print_snippets(clients: Sequence[Client], options: SetupOptions, locations: Locations) -> int:
    """Print the text to paste by hand, file by file."""
    for client in clients:
        for path, value in _snippets(client, options, locations):
            print(f"{client.title}, in {path}:\n")
            print(_toml(value) if path.endswith(".toml") else canonical_json.to_readable(value, indent=2))
            print()
    print(f"`tallystick setup` writes the hook program itself to {hook_bundle.program_folder(locations.env)}.")
    return 0


def print_clients(locations: Locations, scope: Scope) -> int:
    """Print a table of all clients: whether each is installed, and what of ours its files contain."""
    rows = [
        ("client", "found", "hooks", "server", "files"),
        *(_row(each, scope, locations) for each in CLIENTS.values()),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        print("  ".join([*(cell.ljust(width) for cell, width in zip(row[:4], widths, strict=True)), row[4]]))
    hooked, problems = health.overview(locations)
    problems += filter(None, [health.started_command_problem(locations.env)] if hooked else [])
    for problem in problems:
        print(f"{problem.rstrip('.')}.")
    if problems:
        print(f"To repair it, run `{health.repair_command(locations)}`.")
    return 0


def print_checks(clients: Sequence[Client], scope: Scope, locations: Locations, *, named: bool) -> int:
    """Send a test call through each client; without names, through each that is set up."""
    chosen = [each for each in clients if named or _is_set_up(each, scope, locations)]
    if not chosen:
        print("No client is set up: run `tallystick setup` first.")
        return 1
    results = [check.check(each, scope, locations) for each in chosen]
    for result in results:
        print(f"{result.client}: {result.problem or 'ok, ' + ', '.join(result.passed)}")
    if not all(result.problem for result in results):
        print(PROVED)
    return 1 if any(result.problem for result in results) else 0


def _is_set_up(client: Client, scope: Scope, locations: Locations) -> bool:
    try:
        return bool(health.hook_lines(client, scope, locations) or check.configured_server(client, scope, locations))
    except TallystickError:
        return True  # the check then reports the problem


def _snippets(client: Client, options: SetupOptions, locations: Locations) -> list[tuple[str, dict[str, Any]]]:
    """The files of a client, with the value to paste into each."""
    found: dict[str, dict[str, Any]] = {}
    hooks, servers = client.hooks_file(options.scope, locations), client.servers_file(options.scope, locations)
    if hooks and options.hooks:
        elements = desired.desired_hooks(client.name, locations.env, strict=bool(options.strict))
        events = {event: [element] for event, element in elements.items()}
        found[str(hooks)] = {**HOOKS[client.name].file_fields, desired.HOOKS_KEY: events}
    if servers and options.servers:
        entry = server_entry(client.name, server_command(client, options), server_settings(options)[0])
        found.setdefault(str(servers), {})[servers_key(client.name)] = {SERVER_NAME: entry}
    return list(found.items())


def _row(client: Client, scope: Scope, locations: Locations) -> tuple[str, str, str, str, str]:
    paths = [client.hooks_file(scope, locations), client.servers_file(scope, locations)]
    files = ", ".join(dict.fromkeys(str(each) for each in paths if each))
    installed = "yes" if client.is_installed(locations) else "no"
    try:
        hooks, server = health.hook_lines(client, scope, locations), _server_state(client, scope, locations)
        strict = ", strict" if health.has_strict_hooks(client, scope, locations) else ""
    except TallystickError:
        return client.name, installed, "?", "?", files
    events = HOOKS[client.name].events if client.name in HOOKS else ()
    state = "-" if not events else f"{len(hooks)} of {len(events)}{strict}" if hooks else "no"
    return client.name, installed, state, server, files


def _server_state(client: Client, scope: Scope, locations: Locations) -> str:
    if client.servers_file(scope, locations) is None:
        return "-"
    if check.configured_server(client, scope, locations):
        return "yes"
    return "another's" if check.foreign_server(client, scope, locations) else "no"


def _toml(value: dict[str, Any]) -> str:
    import tomlkit

    return tomlkit.dumps(value).strip()
