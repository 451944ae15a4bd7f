"""Writes `server.json`, from which clients of the public MCP registry know how to start the server."""

import json
from typing import Any

from tallystick.version import __version__
from tools.project_metadata import REGISTRY_NAME, project
from tools.reference_pages import MEANINGS

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
VARIABLES = ("TALLYSTICK_URL", "TALLYSTICK_JOURNAL", "TALLYSTICK_SECRET_NAMES", "TALLYSTICK_SECRET_PATTERNS")
"""Variables that a client may ask its user for. Credentials are not for agents, so they are left out."""
SECRET_VARIABLES = ("TALLYSTICK_URL",)
"""The URL of a PostgreSQL store may hold a password."""


def server() -> dict[str, Any]:
    """Return the content of the file."""
    return {
        "$schema": SCHEMA,
        "name": REGISTRY_NAME,
        "title": "Tallystick",
        "description": project()["description"],
        "version": __version__,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": project()["name"],
                "version": __version__,
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "packageArguments": [{"type": "positional", "value": "mcp"}],
                "environmentVariables": [_variable(name) for name in VARIABLES],
            }
        ],
    }


def page() -> str:
    return json.dumps(server(), indent=2, ensure_ascii=False) + "\n"


def _variable(name: str) -> dict[str, Any]:
    about = MEANINGS[name].replace("`", "")
    return {"name": name, "description": about, **({"isSecret": True} if name in SECRET_VARIABLES else {})}
