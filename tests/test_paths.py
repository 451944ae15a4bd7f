"""The name of a project's journal is the same at every interface, and fit for a file; unsupported systems are named."""

import re
import subprocess
import sys
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallystick import paths
from tallystick.capture.hook import environment
from tallystick.settings import load

_NAME = re.compile(r"[a-z0-9._-]{1,40}-[0-9a-f]{8}")


def test_an_import_on_windows_fails_and_names_the_alternative() -> None:
    code = "import sys; sys.platform = 'win32'; import tallystick"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    [error] = [line for line in done.stderr.splitlines() if line.startswith("ImportError")]
    assert "does not support Windows" in error
    assert "use WSL or a Linux container" in error


def test_a_journal_is_named_from_the_repository_that_holds_the_folder(tmp_path: Path) -> None:
    (tmp_path / "My Project" / ".git").mkdir(parents=True)
    inner = tmp_path / "My Project" / "src" / "deep"
    inner.mkdir(parents=True)
    name = paths.journal_name(inner)
    assert name == paths.journal_name(tmp_path / "My Project")
    assert name.startswith("my-project-")
    assert load({}, inner).journal == name


@settings(deadline=None)
@given(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=60))
def test_any_folder_makes_a_plain_name_as_it_always_did(folder: str) -> None:
    path = f"/nowhere/{folder}"
    if folder in (".", ".."):
        return
    name = paths.journal_name(path)
    plain = re.sub(r"[^a-z0-9._-]+", "-", folder.lower()).strip("-.") or "root"
    assert name == f"{plain[:40]}-{crc32(path.encode()):08x}"
    assert _NAME.fullmatch(name)


def test_the_data_folder_is_the_one_of_the_desktop_standards() -> None:
    assert paths.data_folder({"XDG_DATA_HOME": "/data"}) == "/data/tallystick"
    assert paths.data_folder({}).endswith("/.local/share/tallystick")


def test_an_address_that_is_a_path_is_that_file_at_every_interface(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    url = f"sqlite://{tmp_path}/journal.db"
    spool = environment.spool_folder({"TALLYSTICK_URL": url})
    for address in (f"{tmp_path}/journal.db", "journal.db", "./journal.db", "~/journal.db", url):
        env = {"TALLYSTICK_URL": address}
        assert load(env).url == url
        assert environment.spool_folder(env) == spool
        assert environment.variables_to_save(env) == env | {"TALLYSTICK_URL": url}
    assert environment.variables_to_save({"TALLYSTICK_URL": "sqlite:journal.db"}) == {"TALLYSTICK_URL": url}
    for address in ("memory:", "postgresql://a@b/c.d", "http://127.0.0.1:1/x"):
        assert load({"TALLYSTICK_URL": address}).url == address
    assert load({"TALLYSTICK_URL": "/srv/a:b.db"}).url == "sqlite:///srv/a:b.db"
    assert load({}).url == paths.default_url({})
