"""What `serve` prints when it is ready: where it is, and the shortest way for each client to reach it."""

from collections.abc import Sequence

from tallystick.doors.mcp.clients import TITLES, snippets
from tallystick.settings import without_password


def greeting(command: str, url: str, link: str, token: str, store: str, journal: str, more: Sequence[str] = ()) -> str:
    """`url` is where MCP is, `link` the page for the person who reads this, `more` the options of `snippets`."""
    lines = [
        f"Open:           {link}",
        f"MCP over HTTP:  {url}",
        *([f"Bearer token:   {token}"] if token else []),
        f"Journal:        {journal} ({without_password(store)})",
    ]
    told = snippets(command, url, token, [without_password(each) for each in more])
    for over, title in TITLES.items():
        lines += ["", title]
        for client in dict.fromkeys(each.client for each in told if each.over == over):
            first = next(each for each in told if each.client == client and each.over == over)
            lines += [
                "",
                f"  {client}, {first.where.replace('`', '')}",
                *(f"    {line}" for line in first.text.splitlines()),
            ]
    lines += ["", "Ready. Stop it with Ctrl-C."]
    return "\n".join(lines)
