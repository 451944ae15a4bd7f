"""A home of its own for each test."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.capture.setup.homes import Home

settings.register_profile("texts", max_examples=40, deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("texts")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Home:
    """An empty home, with no client in it and none on the PATH."""
    (tmp_path / "project").mkdir()
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.chdir(tmp_path / "project")
    return Home(tmp_path, capsys)
