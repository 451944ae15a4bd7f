"""Modules of the page that need no browser, run by Node: diffs, charts, the replay."""

import subprocess
from pathlib import Path

import pytest

import tallystick
from tests import node

MODULES = Path(__file__).with_name("modules")
STATIC = Path(tallystick.__file__).parent / "doors" / "dashboard" / "static"


@pytest.mark.parametrize("script", sorted(MODULES.glob("*.test.mjs")), ids=lambda path: path.name.partition(".")[0])
def test_a_module_of_the_page_does_what_its_tests_say(script: Path) -> None:
    done = subprocess.run(
        [node.NODE, "--test", "--test-reporter=tap", script],
        env=node.environment({"STATIC": str(STATIC)}),
        capture_output=True,
        text=True,
        check=False,
        timeout=node.PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\n# pass 0" not in done.stdout
