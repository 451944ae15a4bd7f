"""Generated parts of documents are current, and documented filters work."""

from pathlib import Path
from typing import cast

import pytest

from tallystick import Journal
from tallystick.interfaces.mcp import client_snippets, query, server
from tallystick.interfaces.mcp.server import McpServer
from tallystick.interfaces.mcp.sessions import CallInfo, ProcessSessions
from tallystick.sdk.local import Local
from tools import generated_parts, mcp_pages, reference

ROOT = Path(__file__).parents[2]
VALUES = {
    "since": "2d",
    "until": "1h",
    "order": "oldest",
    "kind": "action_ended",
    "scope": "project",
    "include_expired": "true",
    "chain": "true",
    "most": "3",
    "key": "colour",
    "head": "s1:fKD4QZ3WRZGgH8q3aVq9iuNz102fVlAk9zMNn3mFFIg",
}


def test_the_page_of_mcp_has_the_instructions_word_for_word() -> None:
    text = generated_parts.MCP.read_text()
    assert server.instructions("all") in text
    assert server.instructions("minimal") in text


def test_a_page_of_a_client_that_is_not_current_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated_parts, "COMMAND", "/somewhere/else")
    stale = reference.stale()
    assert {f"docs/clients/{each.page}.md" for each in client_snippets.snippets("/t", generated_parts.URL)} <= set(
        stale
    )


def test_a_document_without_its_part_stops_the_generator() -> None:
    text = f"Words.\n\n{generated_parts.part('views', 'old')}\n"
    assert (
        generated_parts.replace_parts(text, {"views": "new"}) == f"Words.\n\n{generated_parts.part('views', 'new')}\n"
    )
    with pytest.raises(ValueError, match="should have"):
        generated_parts.replace_parts(text, {"views": "new", "bounds": "too"})


@pytest.mark.parametrize("view", query.VIEWS)
def test_a_view_takes_the_filters_that_its_page_names(view: str) -> None:
    """Unknown handles are allowed here; unknown filters are not."""
    with Journal.open("memory:", journal="filtered") as journal:
        caller = cast(Local, journal.caller)
        offer = McpServer(ProcessSessions(caller, {}))
        for name in query.filter_names(view):
            for spelt in {name, mcp_pages.SHORT_FILTERS.get(name, name)}:
                arguments = {"view": view, "filter": f"{spelt}:{VALUES.get(name, 'x')}"}
                params = {"name": query.NAME, "arguments": arguments}
                answer = offer.answer("tools/call", params, CallInfo())["content"][0]["text"]
                assert "cannot be narrowed" not in answer, arguments
                assert "expected" not in answer, arguments
