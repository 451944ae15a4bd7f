"""The command `tallystick setup`: its options. `tallystick.capture.setup` carries it out."""

from typing import Any

import click

from tallystick.capture.setup.clients import CLIENTS, SCOPES
from tallystick.capture.setup.command import SetupRequest, run
from tallystick.interfaces.cli.command import DISPLAY_OPTIONS, Command
from tallystick.interfaces.cli.invoke import Invocation


def command() -> Command:
    return Command(
        "setup",
        _run,
        f"""Add hooks and the MCP server to the configuration of your agents' clients, or remove them again.

        Without a name, it sets up the clients that are installed. Clients: {", ".join(CLIENTS)}.""",
        example="tallystick setup claude-code --dry-run\ntallystick setup\ntallystick setup --check\n"
        "tallystick setup --remove",
        general=DISPLAY_OPTIONS,
        params=[
            click.Argument(["client"], nargs=-1),
            click.Option(["--scope"], type=click.Choice(SCOPES), help="For all your projects, or for this folder."),
            click.Option(
                ["--strict/--no-strict"],
                default=None,
                help="Refuse a call that cannot be recorded, in clients that support it. Default: as it was set up.",
            ),
            click.Option(["--no-hooks"], is_flag=True, help="Set up the MCP server only."),
            click.Option(["--no-mcp"], is_flag=True, help="Set up the hooks only."),
            click.Option(
                ["--gateway"],
                metavar="MCP.JSON",
                help="Set up the gateway with this file of servers, in place of our server alone.",
            ),
            click.Option(["--yes", "-y"], is_flag=True, help="Do not ask."),
            click.Option(["--dry-run"], is_flag=True, help="Show the changes, and write nothing."),
            click.Option(["--print"], is_flag=True, help="Show what to paste by hand, and write nothing."),
            click.Option(["--list"], is_flag=True, help="List the clients, and what is set up for them."),
            click.Option(["--check"], is_flag=True, help="Send a test call through the hooks, and look for it."),
            click.Option(["--remove"], is_flag=True, help="Restore the files as they were before."),
        ],
    )


def _run(invocation: Invocation, values: dict[str, Any]) -> int:
    return run(SetupRequest(clients=values.pop("client", ()), **values))
