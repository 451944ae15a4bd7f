"""The configuration to paste into each client: printed by `serve`, and shown in docs/clients."""

import shlex
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct

from tallystick.capture.setup.clients import SERVER_NAME, server_entry, servers_key
from tallystick.core.formats import canonical_json

TOKEN = "TALLYSTICK_TOKEN"
"""The environment variable that holds the bearer token, for `serve` and for clients that read it from there."""

Over = Literal["stdio", "http"]
TITLES: dict[Over, str] = {
    "stdio": "One server for each agent (its open actions are in doubt as soon as it dies):",
    "http": "All agents through this one server:",
}


class Snippet(Struct, frozen=True, kw_only=True):
    """One text to paste. `page` is the client's page in docs/clients. A client's first snippet is its shortest."""

    client: str
    page: str
    over: Over
    where: str
    language: Literal["console", "json", "toml"]
    text: str


def snippets(command: str, url: str, token: str = "", more: Sequence[str] = ()) -> tuple[Snippet, ...]:
    """The snippets of every client: to start `command`, an absolute path, and to reach the server at `url`.

    `more` are the options with which a stdio server uses the same journal.
    """
    start = (command, "mcp", *more)
    return tuple(
        Snippet(client=client, page=page, over=over, where=where, language=language, text=text)
        for client, page, parts in (
            ("Claude Code", "claude-code", _claude_code(start, url, token)),
            ("Claude Desktop", "claude-desktop", _claude_desktop(start)),
            ("Codex", "codex", _codex(start, url, token)),
            ("Cursor", "cursor", _cursor(start, url, token)),
            ("VS Code", "vscode", _vscode(start, url, token)),
            ("Gemini CLI", "gemini-cli", _gemini(start, url, token)),
            ("GitHub Copilot", "copilot", _copilot(start, url, token)),
        )
        for over, where, language, text in parts
    )


Start = tuple[str, ...]
SnippetParts = Iterator[tuple[Over, str, Literal["console", "json", "toml"], str]]
TERMINAL = "in a terminal"


def _claude_code(start: Start, url: str, token: str) -> SnippetParts:
    yield (
        "stdio",
        TERMINAL,
        "console",
        _shell_command("claude", "mcp", "add", "--scope", "user", SERVER_NAME, "--", *start),
    )
    yield "stdio", "in `.mcp.json` of a project", "json", _stdio_config("claude-code", start)
    header = ["--header", _bearer(token)] if token else []
    command = ("claude", "mcp", "add", "--scope", "user", "--transport", "http", SERVER_NAME, url, *header)
    yield "http", TERMINAL, "console", _shell_command(*command)


def _claude_desktop(start: Start) -> SnippetParts:
    """It cannot reach a URL of this machine: its vendor's servers call its connectors."""
    where = "in `claude_desktop_config.json` (Settings, Developer, Edit Config)"
    yield "stdio", where, "json", _stdio_config("claude-desktop", start)


def _codex(start: Start, url: str, token: str) -> SnippetParts:
    yield "stdio", TERMINAL, "console", _shell_command("codex", "mcp", "add", SERVER_NAME, "--", *start)
    text = f"[{servers_key('codex')}.{SERVER_NAME}]\ncommand = {_json(start[0])}\nargs = {_json(start[1:])}"
    yield "stdio", "in `~/.codex/config.toml`, or `.codex/config.toml` of a trusted project", "toml", text
    variable = ["--bearer-token-env-var", TOKEN] if token else []
    where = f"{TERMINAL}, with the token in {TOKEN}" if token else TERMINAL
    yield "http", where, "console", _shell_command("codex", "mcp", "add", SERVER_NAME, "--url", url, *variable)


def _cursor(start: Start, url: str, token: str) -> SnippetParts:
    where = "in `.cursor/mcp.json` of a project, or `~/.cursor/mcp.json` for all"
    yield "stdio", where, "json", _stdio_config("cursor", start)
    yield "http", where, "json", _config({"url": url, **_headers(token)})


def _vscode(start: Start, url: str, token: str) -> SnippetParts:
    remote: dict[str, Any] = {"type": "http", "url": url, **_headers(token)}
    servers: dict[Over, dict[str, Any]] = {"stdio": server_entry("vscode", start), "http": remote}
    for over, entry in servers.items():
        yield over, TERMINAL, "console", _shell_command("code", "--add-mcp", _json({"name": SERVER_NAME, **entry}))
        yield over, "in `.vscode/mcp.json` of a project", "json", _config(entry, servers_key("vscode"))


def _gemini(start: Start, url: str, token: str) -> SnippetParts:
    yield "stdio", TERMINAL, "console", _shell_command("gemini", "mcp", "add", "--scope", "user", SERVER_NAME, *start)
    where = "in `~/.gemini/settings.json`, or `.gemini/settings.json` of a project"
    yield "stdio", where, "json", _stdio_config("gemini-cli", start)
    header = ["--header", _bearer(token)] if token else []
    command = ("gemini", "mcp", "add", "--scope", "user", "--transport", "http", *header, SERVER_NAME, url)
    yield "http", TERMINAL, "console", _shell_command(*command)


def _copilot(start: Start, url: str, token: str) -> SnippetParts:
    yield "stdio", TERMINAL, "console", _shell_command("copilot", "mcp", "add", SERVER_NAME, "--", *start)
    where = "in `~/.copilot/mcp-config.json`, or `.github/mcp.json` of a project"
    yield "stdio", where, "json", _stdio_config("copilot", start)
    header = ["--header", _bearer(token)] if token else []
    yield (
        "http",
        TERMINAL,
        "console",
        _shell_command("copilot", "mcp", "add", "--transport", "http", *header, SERVER_NAME, url),
    )


def _bearer(token: str) -> str:
    return f"Authorization: Bearer {token}"


def _headers(token: str) -> dict[str, Any]:
    return {"headers": {"Authorization": f"Bearer {token}"}} if token else {}


def _shell_command(*words: str) -> str:
    """A command line, quoted where a shell needs it."""
    return shlex.join(words)


def _stdio_config(client: str, start: Start) -> str:
    return _config(server_entry(client, start), servers_key(client))


def _config(entry: dict[str, Any], key: str = "mcpServers") -> str:
    """The server on one line, so that it is easy to add to a list of others."""
    return f'{{\n  "{key}": {{\n    "{SERVER_NAME}": {_json(entry)}\n  }}\n}}'


def _json(value: object) -> str:
    return canonical_json.to_readable(value, ascii_only=True)
