"""Format, lint, types and import contracts, as tests: `make test` cannot pass without them."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


def test_every_file_is_formatted() -> None:
    _check("ruff", "format", "--check", ".")


def test_the_linter_finds_nothing() -> None:
    _check("ruff", "check", ".")


def test_the_types_hold() -> None:
    _check("mypy")


def test_the_arrows_between_the_rooms_hold() -> None:
    _check("lint-imports")


def _check(command: str, *arguments: str) -> None:
    """Run a tool of the venv that runs the tests; its output is the failure message."""
    done = subprocess.run([BIN / command, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"\n{done.stdout}{done.stderr}"
