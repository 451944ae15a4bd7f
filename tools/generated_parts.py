"""Renews the generated parts of hand-written documents: each part is between two markers with its name."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from tallystick.interfaces.mcp.client_snippets import Snippet, snippets
from tools import figure_tables, hook_tables, mcp_pages

ROOT = Path(__file__).parents[1]
MCP = ROOT / "docs" / "mcp.md"
README = ROOT / "README.md"
BENCHMARKS = ROOT / "docs" / "benchmarks.md"
CAPTURE = ROOT / "docs" / "capture.md"
CLIENTS = ROOT / "docs" / "clients"
COMMAND, URL = "/opt/tallystick/bin/tallystick", "http://127.0.0.1:4747/mcp"
"""Placeholders for the reader's own command and URL."""
PART = re.compile(r"<!-- (?P<name>[a-z ]+): written by `make reference` -->\n.*?<!-- /(?P=name) -->", re.DOTALL)

MCP_PARTS: Mapping[str, Callable[[], str]] = {
    "instructions": lambda: mcp_pages.instructions_block("all"),
    "instructions minimal": lambda: mcp_pages.instructions_block("minimal"),
    "views": mcp_pages.views,
    "limits": mcp_pages.limits,
    "error example": mcp_pages.error_example,
    "versions": mcp_pages.versions,
    "legacy names": mcp_pages.legacy_names,
}


def documents() -> dict[Path, str]:
    """Return the documents with generated parts, each with its expected text."""
    texts = {MCP: replace_parts(MCP.read_text(), {name: make() for name, make in MCP_PARTS.items()})}
    texts[CAPTURE] = replace_parts(CAPTURE.read_text(), {"hooked events": hook_tables.table()})
    texts[README] = replace_parts(README.read_text(), {"key figures": figure_tables.key_figures()})
    texts[BENCHMARKS] = replace_parts(BENCHMARKS.read_text(), {"figures": figure_tables.all_figures()})
    client_snippets = snippets(COMMAND, URL)
    for page in dict.fromkeys(each.page for each in client_snippets):
        path = CLIENTS / f"{page}.md"
        texts[path] = replace_parts(
            path.read_text(), _snippet_parts([each for each in client_snippets if each.page == page])
        )
    return texts


def replace_parts(text: str, parts: Mapping[str, str]) -> str:
    """Return a document with new parts. Raise ValueError unless it has exactly these parts."""
    names = [match["name"] for match in PART.finditer(text)]
    if sorted(names) != sorted(parts):
        raise ValueError(f"The document has the parts {names}; it should have {list(parts)}. Add or remove markers.")
    return PART.sub(lambda match: part(match["name"], parts[match["name"]]), text)


def part(name: str, content: str) -> str:
    return f"<!-- {name}: written by `make reference` -->\n{content}\n<!-- /{name} -->"


def _snippet_parts(of_page: list[Snippet]) -> dict[str, str]:
    """Return the snippets for stdio, and for HTTP if the client supports it."""
    transports = dict.fromkeys(each.over for each in of_page)
    return {name: "\n\n".join(_block(each) for each in of_page if each.over == name) for name in transports}


def _block(snippet: Snippet) -> str:
    prompt = "$ " if snippet.language == "console" else ""
    where = f"{snippet.where[0].upper()}{snippet.where[1:]}:"
    return f"{where}\n\n```{snippet.language}\n{prompt}{snippet.text}\n```"
