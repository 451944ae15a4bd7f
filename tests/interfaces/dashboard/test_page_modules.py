"""Tests of page modules that need no browser, run by Node."""

import re
import subprocess
from pathlib import Path

import pytest

import tallystick
from tests import node

MODULES = Path(__file__).with_name("modules")
STATIC = Path(tallystick.__file__).parent / "interfaces" / "dashboard" / "static"


@pytest.mark.parametrize("script", sorted(MODULES.glob("*.test.mjs")), ids=lambda path: path.name.partition(".")[0])
def test_a_module_of_the_page_passes_its_tests(script: Path) -> None:
    done = subprocess.run(
        [node.NODE, "--test", "--test-reporter=tap", script],
        env=node.environment({"STATIC": str(STATIC)}),
        capture_output=True,
        text=True,
        check=False,
        timeout=node.TIMEOUT_SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\n# pass 0" not in done.stdout


STARTS = {"app.js", "initial_theme.js", "embed/example.js"}
"""Modules that act when they are loaded: the page, the initial theme, and the example."""


def test_a_module_of_the_page_listens_to_nothing_when_it_is_imported() -> None:
    """Embedded elements load these modules into other pages, and must not handle their clicks and keys."""
    listens = re.compile(
        r"^(?:(?:window|document|globalThis)\.)?(?:addEventListener|setInterval|setTimeout)\(", re.MULTILINE
    )
    names = {str(path.relative_to(STATIC)): path for path in STATIC.rglob("*.js") if "vendor" not in path.parts}
    assert set(names) >= STARTS
    assert not [name for name, path in names.items() if name not in STARTS and listens.search(path.read_text())]


def test_a_module_of_the_page_has_at_most_300_lines() -> None:
    lengths = {
        str(path.relative_to(STATIC)): len(path.read_text().splitlines())
        for path in STATIC.rglob("*.js")
        if "vendor" not in path.parts
    }
    assert not {name: lines for name, lines in lengths.items() if lines > 300}
