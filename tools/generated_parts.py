"""Generated parts of documents that people write: each between two markers that name it."""

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
"""What stands in the documents for the reader's own."""
PART = re.compile(r"<!-- (?P<name>[a-z ]+): written by `make reference` -->\n.*?<!-- /(?P=name) -->", re.DOTALL)

OFFERED: Mapping[str, Callable[[], str]] = {
    "instructions": lambda: mcp_pages.instructions_block("all"),
    "instructions minimal": lambda: mcp_pages.instructions_block("minimal"),
    "views": mcp_pages.views,
    "limits": mcp_pages.limits,
    "error example": mcp_pages.error_example,
    "versions": mcp_pages.versions,
    "legacy names": mcp_pages.legacy_names,
}


def documents() -> dict[Path, str]:
    """The documents with such parts, each as it should be."""
    found = {MCP: placed(MCP.read_text(), {name: make() for name, make in OFFERED.items()})}
    found[CAPTURE] = placed(CAPTURE.read_text(), {"hooked events": hook_tables.table()})
    found[README] = placed(README.read_text(), {"key figures": figure_tables.key_figures()})
    found[BENCHMARKS] = placed(BENCHMARKS.read_text(), {"figures": figure_tables.all_figures()})
    told = snippets(COMMAND, URL)
    for page in dict.fromkeys(each.page for each in told):
        path = CLIENTS / f"{page}.md"
        found[path] = placed(path.read_text(), _parts([each for each in told if each.page == page]))
    return found


def placed(text: str, parts: Mapping[str, str]) -> str:
    """A document with its parts renewed: all of them must stand in it, and no others."""
    names = [found["name"] for found in PART.finditer(text)]
    if sorted(names) != sorted(parts):
        raise ValueError(f"a document has the generated parts {names}, and should have {list(parts)}")
    return PART.sub(lambda found: part(found["name"], parts[found["name"]]), text)


def part(name: str, content: str) -> str:
    return f"<!-- {name}: written by `make reference` -->\n{content}\n<!-- /{name} -->"


def _parts(told: list[Snippet]) -> dict[str, str]:
    """What to paste over stdio, and over HTTP where the client can."""
    ways = dict.fromkeys(each.over for each in told)
    return {way: "\n\n".join(_block(each) for each in told if each.over == way) for way in ways}


def _block(snippet: Snippet) -> str:
    prompt = "$ " if snippet.language == "console" else ""
    where = f"{snippet.where[0].upper()}{snippet.where[1:]}:"
    return f"{where}\n\n```{snippet.language}\n{prompt}{snippet.text}\n```"
