"""The name of a project's journal is the same for every door, and fit for a file."""

import re
from pathlib import Path
from zlib import crc32

from hypothesis import given, settings
from hypothesis import strategies as st

from tallystick import paths
from tallystick.settings import load

_NAME = re.compile(r"[a-z0-9._-]{1,40}-[0-9a-f]{8}")


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
    place = f"/nowhere/{folder}"
    if folder in (".", ".."):
        return
    name = paths.journal_name(place)
    plain = re.sub(r"[^a-z0-9._-]+", "-", folder.lower()).strip("-.") or "root"
    assert name == f"{plain[:40]}-{crc32(place.encode()):08x}"
    assert _NAME.fullmatch(name)


def test_the_data_folder_is_the_one_of_the_desktop_standards() -> None:
    assert paths.data_folder({"XDG_DATA_HOME": "/data"}) == "/data/tallystick"
    assert paths.data_folder({}).endswith("/.local/share/tallystick")
