"""`server.json`: how the public MCP registry tells clients to start the server. Written by `make reference`."""

import json
from typing import Any

from tallystick.version import __version__
from tools.project_metadata import REGISTRY_NAME, project
from tools.reference_pages import MEANINGS

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
VARIABLES = ("TALLYSTICK_URL", "TALLYSTICK_JOURNAL", "TALLYSTICK_SECRET_NAMES", "TALLYSTICK_SECRET_PATTERNS")
"""What a client may ask its user for. A credential is not among them: it is not for agents."""
SECRET = ("TALLYSTICK_URL",)
"""The URL of a PostgreSQL store may hold a password."""


def server() -> dict[str, Any]:
    """The whole file, as values."""
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
    return {"name": name, "description": about, **({"isSecret": True} if name in SECRET else {})}
