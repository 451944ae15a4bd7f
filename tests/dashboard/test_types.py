"""The types of the page: plain JavaScript, with what each function takes and gives said in its comments."""

import re
from pathlib import Path

from tallystick.doors.dashboard.files import FOLDER
from tests import node

TYPESCRIPT = node.MODULES / "typescript"
PROJECT = Path(__file__).with_name("types")

UNTYPED = {
    "approvals/answer.js",
    "approvals/rows.js",
    "diff/json.js",
    "diff/sequence.js",
    "embed/source.js",
    "pages/context.js",
    "plans/words.js",
    "replay/fold.js",
    "replay/owing.js",
}
"""Modules in which the checker still finds something. The list only grows shorter: one that is clean leaves it."""


def test_the_types_of_the_page_hold() -> None:
    done = node.run(node.program(TYPESCRIPT, "tsc"), "--project", ".", "--pretty", "false", cwd=PROJECT)
    told = [line for line in done.stdout.splitlines() if re.match(r"\S.*\(\d+,\d+\): error", line)]
    named = {str(Path(PROJECT, line.partition("(")[0]).resolve().relative_to(FOLDER.resolve())) for line in told}
    assert done.returncode in (0, 1, 2), done.stdout + done.stderr
    assert not [line for line in told if not any(name in line for name in UNTYPED)]
    assert UNTYPED - named == set()
