"""Which events of which client are hooked, as a table of the tables that `setup` uses."""

from tallystick.capture.setup.clients import CLIENTS
from tallystick.capture.setup.hook_events import HOOKS


def table() -> str:
    """A row for each client: its files, its events, how long a hook may take."""
    rows = ["| client | file of the user | events |", "|---|---|---|"]
    for name, hooks in HOOKS.items():
        client = CLIENTS[name]
        file = f"~/{client.folder[1]}/{client.hooks['user']}"
        rows.append(f"| {client.title} | `{file}` | {', '.join(f'`{event.name}`' for event in hooks.events)} |")
    return "\n".join(rows)
