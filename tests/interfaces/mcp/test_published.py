"""The published packages: the bundle and the registry's file are valid, current, and start the server.

The schemas are in tests/schemas, with their sources.
"""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import jsonschema
import pytest

from tallystick.interfaces.mcp.prompts import PROMPTS
from tallystick.interfaces.mcp.tools import PROFILES, tools
from tallystick.version import __version__
from tools import bundle
from tools.project_metadata import REGISTRY_NAME

ROOT = Path(__file__).parents[3]
SCHEMAS = ROOT / "tests" / "schemas"
ASKED = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "host", "version": "1"}},
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
)


def _registered() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "server.json").read_text())
    return found


def _check(value: Any, schema: str) -> None:
    loaded = json.loads((SCHEMAS / schema).read_text())
    jsonschema.Draft7Validator(loaded, format_checker=jsonschema.FormatChecker()).validate(value)


def test_the_registry_file_is_valid() -> None:
    _check(_registered(), "registry-server-2025-12-11.json")


@pytest.mark.parametrize("broken", [{"name": "tallystick"}, {"description": "x" * 101}, {"packages": [{}]}])
def test_an_invalid_registry_file_fails_validation(broken: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        _check({**_registered(), **broken}, "registry-server-2025-12-11.json")


def test_the_registry_file_names_this_very_version() -> None:
    found = _registered()
    assert [found["version"], *(package["version"] for package in found["packages"])] == [__version__] * 2


def test_the_registry_file_gives_an_agent_no_credential() -> None:
    variables = [each["name"] for package in _registered()["packages"] for each in package["environmentVariables"]]
    assert "TALLYSTICK_URL" in variables
    assert "TALLYSTICK_CREDENTIAL" not in variables


def test_the_readme_proves_ownership_to_the_registry() -> None:
    assert _registered()["name"] == REGISTRY_NAME
    assert f"mcp-name: {REGISTRY_NAME}" in (ROOT / "README.md").read_text()


def test_the_manifest_of_the_bundle_is_valid() -> None:
    _check(bundle.manifest(), "mcpb-manifest-0.4.json")


def test_an_invalid_manifest_fails_validation() -> None:
    with pytest.raises(jsonschema.ValidationError):
        _check({**bundle.manifest(), "manifest_version": "0.3"}, "mcpb-manifest-0.4.json")


def test_the_manifest_lists_the_tools_of_the_server() -> None:
    manifest = bundle.manifest()
    offered = {name: tools()[name].description for name in PROFILES["all"]}
    assert {each["name"]: each["description"] for each in manifest["tools"]} == offered
    assert [each["name"] for each in manifest["prompts"]] == list(PROMPTS)
    assert "${arguments.goal}" in manifest["prompts"][0]["text"]


def test_the_same_sources_make_the_same_bundle(tmp_path: Path) -> None:
    digests = {hashlib.sha256(bundle.write(tmp_path / name).read_bytes()).hexdigest() for name in ("a.mcpb", "b.mcpb")}
    assert len(digests) == 1


def test_the_bundle_builds_from_its_own_files_and_needs_no_tool_of_ours(tmp_path: Path) -> None:
    with ZipFile(bundle.write(tmp_path / "x.mcpb")) as archive:
        names = archive.namelist()
        project = archive.read("pyproject.toml").decode()
    assert {"manifest.json", "README.md", "LICENSE", "src/tallystick/interfaces/mcp/guide.md"} <= set(names)
    assert not [name for name in names if name.endswith(".pyc") or name.startswith("tests")]
    assert "hatchling" in project
    assert "pytest" not in project


def test_the_unpacked_bundle_serves_its_tools(tmp_path: Path) -> None:
    """The host's command with this interpreter in uv's place; what is unpacked answers, not the checkout."""
    folder = tmp_path / "unpacked folder"
    with ZipFile(bundle.write(tmp_path / "x.mcpb")) as archive:
        archive.extractall(folder)
    version = folder / "src" / "tallystick" / "version.py"
    version.write_text(version.read_text().replace(__version__, "9.9.9"))
    command, environment = _as_a_host_would(folder, {"journal": "desk"})
    done = subprocess.run(
        command,
        input="".join(json.dumps(each) + "\n" for each in ASKED),
        env={**environment, "PYTHONPATH": str(folder / "src"), "HOME": str(tmp_path), "PATH": os.environ["PATH"]},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    greeted, listed = [json.loads(line)["result"] for line in done.stdout.splitlines()]
    assert greeted["serverInfo"]["version"] == "9.9.9"
    assert [tool["name"] for tool in listed["tools"]] == list(PROFILES["all"])
    assert (tmp_path / ".local" / "share" / "tallystick" / "journal.db").exists()


def _as_a_host_would(folder: Path, chosen: dict[str, str]) -> tuple[list[str], dict[str, str]]:
    """The command and its environment, with the manifest's variables filled in."""
    manifest = json.loads((folder / "manifest.json").read_text())
    values = {name: each["default"] for name, each in manifest["user_config"].items()} | chosen
    config = json.dumps(manifest["server"]["mcp_config"]).replace("${__dirname}", str(folder))
    for name, value in values.items():
        config = config.replace(f"${{user_config.{name}}}", value)
    filled = json.loads(config)
    assert "${" not in config
    assert filled["command"] == "uv"
    assert (folder / manifest["server"]["entry_point"]).is_file()
    script = filled["args"].index("--project") + 2
    return [sys.executable, *filled["args"][script:]], filled["env"]
