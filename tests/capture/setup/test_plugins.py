"""The plugin of Claude Code and the extension of Gemini CLI: they work from any folder."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tallystick.capture.setup.check import SyntheticCall
from tallystick.capture.setup.hook_events import HOOKS
from tallystick.capture.spool import file as spool_file
from tallystick.paths import journal_name
from tools import plugins


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist with a space")
    plugins.write(folder)
    return folder


@pytest.mark.parametrize(("name", "client"), [("claude", "claude-code"), ("gemini", "gemini-cli")])
def test_the_hooks_of_a_plugin_record_from_its_own_folder(
    written: Path, tmp_path: Path, name: str, client: str
) -> None:
    root = written / name / "tallystick"
    hooks = json.loads((root / "hooks/hooks.json").read_text())["hooks"]
    assert list(hooks) == [event.name for event in HOOKS[client].events]
    call = SyntheticCall(client, "feedfeed", str(tmp_path))
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data"), "CLAUDE_PLUGIN_ROOT": str(root)}
    line = hooks[call.payload("before")["hook_event_name"]][0]["hooks"][0]["command"]
    done = subprocess.run(
        line.replace("${extensionPath}", str(root)),  # Gemini fills it in itself; Claude Code sets a variable
        shell=True,
        input=json.dumps(call.payload("before")),
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("{}\n", "")
    found = spool_file.read(spool_file.path(spool_file.folder(env), journal_name(tmp_path)))
    assert [record["payload"]["tool_input"]["command"] for record in found.records] == [call.argument]


def test_the_plugin_manifests_have_the_required_fields(written: Path) -> None:
    claude, gemini = written / "claude", written / "gemini" / "tallystick"
    market = json.loads((claude / ".claude-plugin/marketplace.json").read_text())
    assert [plugin["source"] for plugin in market["plugins"]] == ["./tallystick"]
    assert json.loads((claude / "tallystick/.claude-plugin/plugin.json").read_text())["name"] == "tallystick"
    extension = json.loads((gemini / "gemini-extension.json").read_text())
    assert (gemini / extension["contextFileName"]).read_text().startswith("# Tallystick")
    servers = json.loads((claude / "tallystick/.mcp.json").read_text())["mcpServers"], extension["mcpServers"]
    assert [each["tallystick"]["args"] for each in servers] == [["mcp", "--tools=minimal"]] * 2
    assert "trust" not in servers[1]["tallystick"]


def test_the_same_sources_give_the_same_bytes_and_nothing_that_was_compiled(written: Path, tmp_path: Path) -> None:
    plugins.write(tmp_path)
    for name in plugins.PLUGINS:
        paths = sorted(path.relative_to(tmp_path) for path in (tmp_path / name).rglob("*") if path.is_file())
        assert len(paths) > 15
        assert not [path for path in paths if path.suffix not in (".py", ".json", ".md")]
        assert [path for path in paths if (written / path).read_bytes() != (tmp_path / path).read_bytes()] == []
