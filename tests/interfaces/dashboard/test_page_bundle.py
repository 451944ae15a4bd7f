"""The committed bundle of the page."""

from filecmp import cmpfiles
from pathlib import Path
from shutil import copytree

import pytest

from tallystick.interfaces.dashboard.files import BUNDLE, FOLDER
from tests import node
from tools import page_bundle

MAX_COMPRESSED_BYTES = 120_000
"""All that the first page loads."""
STALE = "The bundle is not that of the sources. Run `make page`, and commit what it writes."
_DECOMPRESSED = """
const { brotliDecompressSync } = require("zlib"), { readFileSync, readdirSync } = require("fs");
const wrong = readdirSync(process.argv[1]).filter((name) => name.endsWith(".br")).filter((name) => {
  const path = `${process.argv[1]}/${name}`;
  return !brotliDecompressSync(readFileSync(path)).equals(readFileSync(path.slice(0, -3)));
});
console.log(wrong.join());
"""


def test_the_bundle_is_that_of_the_sources(tmp_path: Path) -> None:
    source, built = tmp_path / "another folder", tmp_path / "built"
    copytree(FOLDER, source)
    built.mkdir()
    page_bundle.build(built, source)
    made, kept = ({path.name for path in folder.iterdir()} for folder in (built, BUNDLE))
    fitting, _, _ = cmpfiles(built, BUNDLE, made, shallow=False)
    assert made == kept == set(fitting), STALE


def test_compressed_files_have_the_content_of_those_beside_them() -> None:
    assert node.evaluate(_DECOMPRESSED, str(BUNDLE)).stdout.strip() == ""


def test_the_first_page_is_small() -> None:
    first = [path for kind in ("app-*.js.br", "index-*.css.br", "index.html") for path in BUNDLE.glob(kind)]
    assert len(first) == 3
    assert sum(path.stat().st_size for path in first) < MAX_COMPRESSED_BYTES


@pytest.mark.parametrize("library", ["dagre", "uplot"])
def test_a_large_library_that_few_views_need_is_not_part_of_the_first_page(library: str) -> None:
    (file,) = BUNDLE.glob(f"{library}-*.js")
    app = next(BUNDLE.glob("app-*.js")).read_text()
    assert f'import("./{file.name}")' in app
