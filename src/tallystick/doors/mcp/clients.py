"""What to paste into each client, so that it finds this server."""


def greeting(command: str, url: str, token: str, store: str, journal: str) -> str:
    """What `serve` prints when it is ready."""
    lines = [
        f"Tallystick serves the journal {journal} ({store})",
        f"MCP over HTTP:  {url}",
    ]
    if token:
        lines.append(f"Bearer token:   {token}")
    lines += [
        "",
        "Claude Code:    claude mcp add tallystick -- " + command + " mcp",
        "          or:   claude mcp add --transport http tallystick " + url,
    ]
    lines += ["", "Ready. Stop it with Ctrl-C."]
    return "\n".join(lines)
