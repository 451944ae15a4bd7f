"""The reference is current, and links between documents work."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tallystick.operations import CATALOGUE
from tools import operation_errors, reference, reference_pages

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
ANCHOR = re.compile(r'<a id="([^"]+)">')
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]


def test_the_reference_is_current() -> None:
    """In a separate process, so that other imports do not matter."""
    done = subprocess.run(
        [sys.executable, "-m", "tools.reference", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_every_variable_that_the_source_reads_is_in_the_settings_page() -> None:
    sources = (ROOT / "src").rglob("*.py")
    read = {name for path in sources for name in re.findall(r"(?<!_)TALLYSTICK_[A-Z_]+", path.read_text())}
    assert len(read) > 10
    assert [name for name in sorted(read) if f"| `{name}` |" not in reference_pages.environment_variables()] == []


def test_a_page_that_is_not_current_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_pages, "index", lambda: "something else\n")
    assert "docs/reference/README.md" in reference.stale()


def test_the_errors_of_an_operation_are_found_in_the_source() -> None:
    assert {"already_done", "in_doubt_open", "approval_pending", "wrong_state"} <= set(
        operation_errors.codes(CATALOGUE["record_action"])
    )
    assert {"missing_undo", "not_permitted"} <= set(operation_errors.codes(CATALOGUE["erase"]))
    assert "missing_undo" not in operation_errors.codes(CATALOGUE["record_context"])
    assert operation_errors.codes(CATALOGUE["list_credentials"]) == ("unknown_handle",)  # of the caller's session


def test_every_link_between_the_documents_leads_somewhere() -> None:
    assert not [
        f"{path.relative_to(ROOT)}: {target}"
        for path in DOCUMENTS
        for target in _links(path)
        if not _leads(path, target)
    ]


def _links(path: Path) -> Iterator[str]:
    return (target for target in LINK.findall(path.read_text()) if "://" not in target)


def _leads(path: Path, target: str) -> bool:
    name, _, anchor = target.partition("#")
    found = (path.parent / name).resolve() if name else path
    return found.exists() and (not anchor or anchor in _anchors(found))


def _anchors(path: Path) -> set[str]:
    text = path.read_text()
    return {_slug(heading) for heading in HEADING.findall(text)} | set(ANCHOR.findall(text))


def _slug(heading: str) -> str:
    """Return the anchor of a heading, as Markdown renderers make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
