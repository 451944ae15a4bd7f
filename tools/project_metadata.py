"""Reads the metadata of the project from pyproject.toml."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
REGISTRY_NAME = "io.github.tallystick/tallystick"
"""The name in the public MCP registry, which checks it against the README of the package."""


@cache
def project() -> dict[str, Any]:
    """Return the table `project` of pyproject.toml."""
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return found
