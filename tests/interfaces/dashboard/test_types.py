"""TypeScript checks the JSDoc types of the page."""

import re
from pathlib import Path

from tests import node

TYPESCRIPT = node.MODULES / "typescript"
PROJECT = Path(__file__).with_name("types")


def test_the_types_of_the_page_hold() -> None:
    done = node.run(node.program(TYPESCRIPT, "tsc"), "--project", ".", "--pretty", "false", cwd=PROJECT)
    errors = [line for line in done.stdout.splitlines() if re.search(r"\berror TS\d+", line)]
    assert done.returncode in (0, 1, 2), done.stdout + done.stderr
    assert not errors
