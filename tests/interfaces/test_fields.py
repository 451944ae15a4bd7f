"""Shell commands in hints: they work when copied, and show no secret."""

import shlex
import sys
from pathlib import Path

import pytest

from tallystick.interfaces import cli
from tallystick.interfaces.fields import shell_command
from tallystick.paths import default_url
from tallystick.settings import Settings

GIVEN = {"phase": "end", "action_id": "ac_1", "outcome": "ok or failed", "evidence": "..."}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["tallystick"])


def _settings(url: str, journal: str = "shop") -> Settings:
    return Settings(url=url, journal=journal, actor="me")


def test_the_users_own_store_is_not_named_and_the_journal_is(tmp_path: Path) -> None:
    typed = shell_command(_settings(default_url({"XDG_DATA_HOME": str(tmp_path)})), "record_action", GIVEN)
    assert (
        typed == "tallystick record action end --action-id ac_1 --outcome 'ok or failed' --evidence ... --journal shop"
    )


def test_another_store_is_named_unless_that_would_tell_its_password() -> None:
    assert shell_command(_settings("sqlite:///a b.db"), "get_brief", {}).endswith("--url 'sqlite:///a b.db'")
    assert shell_command(_settings("postgresql://me@host/j"), "get_brief", {}).endswith("--url postgresql://me@host/j")
    assert "--url" not in shell_command(_settings("postgresql://me:hunter2@host/j"), "get_brief", {})


def test_a_copied_command_is_refused_until_the_outcome_is_filled_in(tmp_path: Path) -> None:
    words = shlex.split(shell_command(_settings(f"sqlite:///{tmp_path}/j.db", "a journal's"), "record_action", GIVEN))
    done = cli.run(words[1:])
    assert done.exit_code == 2
    assert "outcome" in done.stderr


def test_a_program_outside_the_path_is_shown_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "my tools" / "tallystick"
    program.parent.mkdir()
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(program)])
    assert shell_command(_settings("memory:"), "get_brief", {}).startswith(f"'{program}' get brief")
    monkeypatch.setenv("PATH", str(program.parent))
    assert shell_command(_settings("memory:"), "get_brief", {}).startswith("tallystick get brief")
