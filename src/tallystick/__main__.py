"""`tallystick`: the command line, with the commands of other rooms plugged in."""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tallystick.calls import Local


def main() -> int:
    """Run the command of this process."""
    if sys.argv[1:2] == ["mcp"]:  # before anything else is loaded: every agent starts one of these
        return _mcp(sys.argv[2:])
    if sys.argv[1:2] == ["capture"]:  # a hook asks at the start of every session
        return _capture(sys.argv[2:])
    if sys.argv[1:2] == ["gateway"]:
        return _gateway(sys.argv[2:])
    from tallystick.doors import cli

    more = {
        "capture": cli.Elsewhere("What hooks have seen: drain, brief, stop, health.", _capture),
        "demo": cli.Elsewhere("Watch an agent be killed and another one take over.", _demo),
        "gateway": cli.Elsewhere("Stand between an agent and its MCP servers, and record its calls.", _gateway),
        "mcp": cli.Elsewhere("Serve MCP on standard input and output.", _mcp),
        "serve": cli.Elsewhere("Serve the journal over HTTP.", _serve),
        "setup": cli.Elsewhere("Put hooks and the MCP server into your agents' clients.", _setup),
    }
    return cli.main(more=more)


def _capture(arguments: list[str]) -> int:
    from tallystick.doors.capturing import main

    return main(arguments)


def _demo(arguments: list[str]) -> int:
    from tallystick import demo

    return demo.main(arguments)


def _gateway(arguments: list[str]) -> int:
    from tallystick.doors.mcp import beside
    from tallystick.gateway.command import main
    from tallystick.gateway.parts import Parts

    return main(
        arguments, Parts(own=beside.own, refusal=beside.refusal, guard=beside.guard, spool=_spool, drain=_drain)
    )


def _drain(caller: "Local", patience: float) -> bool:
    """Take in what hooks have seen. Whether nothing is left."""
    import os

    from tallystick.capture.drain import keep_up

    return keep_up(caller, os.environ, patience).waiting == 0


def _spool(event: str, payload: dict[str, Any]) -> None:
    """Keep what the gateway saw and could not record, beside what hooks have seen."""
    import os
    import time

    from tallystick.capture import home, spool

    journal = payload.pop("journal")
    record = {
        "v": 1,
        "id": os.urandom(16).hex(),
        "at": time.time_ns() // 1000,
        "client": "gateway",
        "event": event,
        "journal": journal,
        "cwd": os.getcwd(),
        "pid": os.getpid(),
        "payload": payload,
    }
    spool.append(spool.path(home.spools(os.environ), journal), record)


def _mcp(arguments: list[str]) -> int:
    from tallystick.doors.mcp.command import main

    return main(arguments)


def _serve(arguments: list[str]) -> int:
    from tallystick.server.command import main

    return main(arguments)


def _setup(arguments: list[str]) -> int:
    from tallystick.capture.setup.command import main

    return main(arguments)


if __name__ == "__main__":
    sys.exit(main())
