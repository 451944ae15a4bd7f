"""The program `tallystick`: starts the quick commands at once, and the others through the command line."""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import click


def main() -> int:
    """Run the command of this process, and return its exit code."""
    name = sys.argv[1] if len(sys.argv) > 1 and sys.argv[2:3] not in (["-h"], ["--help"]) else ""
    if name in _QUICK:  # clients and hooks start these, so the command line is not loaded
        return _QUICK[name](sys.argv[2:])
    from tallystick.interfaces.cli import ExternalCommand, LazyCommand
    from tallystick.interfaces.cli import main as run

    return run(
        external={
            "capture": ExternalCommand(
                "Record what hooks spooled, and show it: drain, brief, stop, health.",
                _capture,
                "tallystick capture drain",
            ),
            "demo": LazyCommand("Watch an agent be killed and another one take over.", _demo_command),
            "gateway": ExternalCommand(
                "Record an agent's calls as a proxy in front of its MCP servers.",
                _gateway,
                "tallystick gateway --config mcp.json --check",
            ),
            "mcp": ExternalCommand(
                "Serve MCP on standard input and output.", _mcp, "tallystick mcp --journal my-project"
            ),
            "serve": LazyCommand("Serve the journal over HTTP.", _serve_command),
        }
    )


def _capture(arguments: list[str]) -> int:
    from tallystick.interfaces.capture_command import main

    return main(arguments)


def _gateway(arguments: list[str]) -> int:
    from tallystick import wiring
    from tallystick.capture.ingest import gateway_spool
    from tallystick.gateway.command import main
    from tallystick.gateway.dependencies import Dependencies
    from tallystick.interfaces.mcp import embedded

    dependencies = Dependencies(
        make_own_server=embedded.connect,
        open_late=wiring.open_late,
        error_result=embedded.error_result,
        http_guard=embedded.RequestGuard(),
        spool_call=gateway_spool.spool_call,
        spooled_begins=gateway_spool.waiting_calls,
        lock_spool=gateway_spool.lock_begins,
        drain_spool=gateway_spool.drain_spool,
    )
    return main(arguments, dependencies)


def _mcp(arguments: list[str]) -> int:
    from tallystick.interfaces.mcp.command import main

    return main(arguments)


_QUICK = {"capture": _capture, "gateway": _gateway, "mcp": _mcp}


def _serve_command() -> "click.Command":
    from tallystick.server.command import command

    return command()


def _demo_command() -> "click.Command":
    """The command `demo`. It is built here, since the package `demo` does not know the command line."""
    import click

    from tallystick.interfaces.cli.command import DISPLAY_OPTIONS, Command
    from tallystick.interfaces.cli.invoke import Invocation

    def run(invocation: Invocation, values: dict[str, Any]) -> int:
        from tallystick.demo.story import play

        url = values.get("url") or invocation.options.get("url")
        if url and url.startswith("memory:"):
            raise click.UsageError("The agents are separate processes, and cannot share a memory: store.")
        pace = values.get("pace", DEMO_PACE_SECONDS if invocation.terminal.out_tty else 0)
        return play(url=url, pace=pace, keep=values["keep"])

    return Command(
        "demo",
        run,
        "Watch an agent be killed and another one take over, in a temporary folder.",
        example="tallystick demo --pace 0.5",
        general=("url", *DISPLAY_OPTIONS),
        params=[
            click.Option(
                ["--pace"],
                type=click.FloatRange(0, 60),
                metavar="SECONDS",
                help=f"Pause before each action. Default: {DEMO_PACE_SECONDS} at a terminal, 0 in a pipe.",
            ),
            click.Option(["--keep"], is_flag=True, help="Keep the folder and the journal, to look at them later."),
            click.Option(["--url"], metavar="URL", help="The store. Default: a file in the temporary folder."),
        ],
    )


DEMO_PACE_SECONDS = 0.7

if __name__ == "__main__":
    sys.exit(main())
