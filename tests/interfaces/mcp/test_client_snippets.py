"""The snippets for clients: each, parsed as its client would, starts or reaches a server that answers."""

import json
import os
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tallystick.capture.setup.clients import DESKTOP_JOURNAL
from tallystick.interfaces.mcp.client_snippets import TOKEN, Snippet, snippets
from tallystick.interfaces.mcp.tools import PROFILES
from tallystick.server.command import greeting
from tests.interfaces.mcp.http_client import COMMAND, served

ROOT = Path(__file__).parents[3]
URL = "http://127.0.0.1:4747/mcp"
LINK = "http://127.0.0.1:4747/login?once=abc"
SECRET = "s3cret'token"
CLIENTS = ("Claude Code", "Claude Desktop", "Codex", "Cursor", "VS Code", "Gemini CLI", "GitHub Copilot")
ASKED = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}},
    },
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
)


def _server(snippet: Snippet) -> dict[str, Any]:
    """The server that a client understands, as one shape for all: `command` and `args`, or `url` and `headers`."""
    if snippet.language != "console":
        read = tomllib.loads if snippet.language == "toml" else json.loads
        (servers,) = read(snippet.text).values()
        return dict(servers["tallystick"])
    words = shlex.split(snippet.text)
    if words[:2] == ["code", "--add-mcp"]:
        return dict(json.loads(words[2]))
    header = words[words.index("--header") + 1].partition(": ") if "--header" in words else ("", "", "")
    variable = words[words.index("--bearer-token-env-var") + 1] if "--bearer-token-env-var" in words else ""
    url = next((word for word in words if word.startswith("http://")), "")
    behind = words[words.index("tallystick") + 1 :]
    behind = behind[1:] if behind[:1] == ["--"] else behind
    started = {} if url else {"command": behind[0], "args": behind[1:]}
    return {"url": url, "headers": {header[0]: header[2]}, "bearer_token_env_var": variable, **started}


def _name(snippet: Snippet) -> str:
    return f"{snippet.page}-{snippet.language}-{snippet.over}"


@pytest.mark.parametrize("shown", [each for each in snippets("/t", URL) if each.over == "stdio"], ids=_name)
def test_a_pasted_snippet_starts_a_server_that_lists_its_tools(shown: Snippet, tmp_path: Path) -> None:
    folder = tmp_path / "a folder's name"
    folder.mkdir()
    (folder / "tallystick").symlink_to(COMMAND)
    pasted = next(each for each in snippets(str(folder / "tallystick"), URL) if _name(each) == _name(shown))
    server = _server(pasted)
    done = subprocess.run(
        [server["command"], *server["args"]],
        input="".join(json.dumps(each) + "\n" for each in ASKED),
        env={"HOME": str(tmp_path), "PATH": os.defpath},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    listed = json.loads(done.stdout.splitlines()[1])["result"]["tools"]
    assert [tool["name"] for tool in listed] == list(PROFILES["all"])


@pytest.mark.parametrize("shown", [each for each in snippets("/t", URL, SECRET) if each.over == "http"], ids=_name)
def test_a_snippet_for_http_has_the_url_and_the_token(shown: Snippet) -> None:
    server = _server(shown)
    assert server["url"] == URL
    if server.get("bearer_token_env_var"):
        assert server["bearer_token_env_var"] == TOKEN
        assert SECRET not in shown.text
    else:
        assert server["headers"] == {"Authorization": f"Bearer {SECRET}"}


@pytest.mark.parametrize("shown", [each for each in snippets("/t", URL) if each.over == "http"], ids=_name)
def test_a_snippet_without_a_token_mentions_none(shown: Snippet) -> None:
    assert "Bearer" not in shown.text
    assert TOKEN not in shown.text


def test_every_client_can_start_the_server_and_has_a_page() -> None:
    result = snippets("/t", URL)
    assert tuple(dict.fromkeys(each.client for each in result if each.over == "stdio")) == CLIENTS
    pages = {path.stem for path in (ROOT / "docs" / "clients").glob("*.md")} - {"README"}
    assert {each.page for each in result} == pages


def test_a_client_that_is_in_no_project_names_its_journal() -> None:
    (desktop,) = [each for each in snippets("/t", URL) if each.page == "claude-desktop"]
    assert _server(desktop)["args"] == ["mcp", "--journal", DESKTOP_JOURNAL]


def test_the_greeting_has_a_snippet_for_every_client() -> None:
    text = greeting("/opt/tallystick", URL, LINK, SECRET, "sqlite:///j.db", "site-1")
    assert all(f"  {client}, " in text for client in CLIENTS)
    assert SECRET in text
    assert "site-1" in text


def test_the_greeting_does_not_show_the_password_of_the_store() -> None:
    text = greeting("/t", URL, LINK, "", "postgresql://ada:hidden@db.example/journals", "j")
    assert "postgresql://ada:***@db.example/journals" in text
    assert "hidden" not in text


def test_a_server_prints_snippets_with_its_own_path_port_and_journal(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'journal.db'}"
    with served(store) as server:
        for each in snippets(str(COMMAND), server.url, more=("--url", store, "--journal", "test")):
            if each.language == "console":
                assert each.text in server.greeting
