"""`tallystick`: the command line, with the commands of other rooms plugged in."""

import sys


def main() -> int:
    """Run the command of this process."""
    name = sys.argv[1] if len(sys.argv) > 1 and sys.argv[2:3] not in (["-h"], ["--help"]) else ""
    if name == "mcp":  # before anything else is loaded: every agent starts one of these
        return _mcp(sys.argv[2:])
    if name == "capture":  # a hook asks at the start of every session
        return _capture(sys.argv[2:])
    if name == "gateway":
        return _gateway(sys.argv[2:])
    from tallystick.interfaces import cli

    external = {
        "capture": cli.ExternalCommand(
            "What hooks have seen: drain, brief, stop, health.", _capture, "tallystick capture drain"
        ),
        "demo": cli.ExternalCommand(
            "Watch an agent be killed and another one take over.", _demo, "tallystick demo --pace 0.5"
        ),
        "gateway": cli.ExternalCommand(
            "Stand between an agent and its MCP servers, and record its calls.",
            _gateway,
            "tallystick gateway --config mcp.json --check",
        ),
        "mcp": cli.ExternalCommand(
            "Serve MCP on standard input and output.", _mcp, "tallystick mcp --journal my-project"
        ),
        "serve": cli.ExternalCommand("Serve the journal over HTTP.", _serve, "tallystick serve --port 8080"),
    }
    return cli.main(external=external)


def _capture(arguments: list[str]) -> int:
    from tallystick.interfaces.capture_command import main

    return main(arguments)


def _demo(arguments: list[str]) -> int:
    from tallystick import demo

    return demo.main(arguments)


def _gateway(arguments: list[str]) -> int:
    from tallystick import wiring
    from tallystick.capture.ingest import gateway_spool
    from tallystick.gateway.command import main
    from tallystick.gateway.gateway import Parts
    from tallystick.interfaces.mcp import embedded

    parts = Parts(
        own=embedded.connect,
        late=wiring.open_late,
        refusal=embedded.error_result,
        guard=embedded.guard_app,
        spool=gateway_spool.spool_call,
        waiting=gateway_spool.waiting_calls,
        alone=gateway_spool.lock_begins,
        drain=gateway_spool.drain_spool,
    )
    return main(arguments, parts)


def _mcp(arguments: list[str]) -> int:
    from tallystick.interfaces.mcp.command import main

    return main(arguments)


def _serve(arguments: list[str]) -> int:
    from tallystick.server.command import main

    return main(arguments)


if __name__ == "__main__":
    sys.exit(main())
