"""Writes the table of hooked events from the definitions that `setup` uses."""

from tallystick.capture.setup.clients import CLIENTS
from tallystick.capture.setup.hook_events import HOOKS


def table() -> str:
    """Return a table with one row per client: its file and its events."""
    rows = ["| client | file of the user | events |", "|---|---|---|"]
    for name, hooks in HOOKS.items():
        client = CLIENTS[name]
        file = f"~/{client.folder[1]}/{client.hooks['user']}"
        rows.append(f"| {client.title} | `{file}` | {', '.join(f'`{event.name}`' for event in hooks.events)} |")
    return "\n".join(rows)
