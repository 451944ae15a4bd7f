"""`python -m tools.screenshots [FOLDER]` takes pictures of the page with a week of example work, for the README.

It uses the browser of the tests with its own fonts, so that pictures are the same on every machine.
"""

import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, expect

from tests.browser.scene import fill
from tests.browser.server import Serving
from tests.browser.visitor import Theme, Width, visiting
from tests.chromium import launched
from tools.project_metadata import ROOT

FOLDER = ROOT / "docs" / "pictures"
MAX_PICTURE_BYTES = 300_000
"""Everyone who clones the repository downloads all pictures."""


class Picture(NamedTuple):
    """A path with handles of the example in braces, a link to click there, and how the page is shown."""

    path: str
    link: str = ""
    width: Width = "desktop"
    theme: Theme = "light"


PICTURES = {
    "home": Picture("/"),
    "executions": Picture("/executions"),
    "execution": Picture("/x/{unwinding}", theme="dark"),
    "owed": Picture("/x/{unwinding}?tab=undo"),
    "approval": Picture("/approvals", "Refund", width="phone", theme="dark"),
}


def take(folder: Path) -> list[Path]:
    """Take all pictures, from a temporary store."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tallystick-pictures-") as temporary, launched() as (_, browser):
        path = Path(temporary) / "journal.db"
        handles = fill(path, "shop", large=2_000)
        served = Serving(f"sqlite://{path}", "shop")
        try:
            return [_take(browser, served, folder / f"{name}.png", each, handles) for name, each in PICTURES.items()]
        finally:
            served.stop()


def _take(browser: Browser, served: Serving, file: Path, picture: Picture, handles: dict[str, str]) -> Path:
    with visiting(browser, served.origin, width=picture.width, theme=picture.theme) as visit:
        visit.page.goto(served.origin + picture.path.format(**handles))
        expect(visit.page.get_by_role("heading", level=1)).to_be_visible()
        if picture.link:
            visit.page.get_by_role("link", name=picture.link).click()
        expect(visit.page.locator(".loading")).to_have_count(0)
        expect(visit.page.get_by_text("Live", exact=True)).to_be_visible()
        visit.page.screenshot(path=file, animations="disabled")
    size = file.stat().st_size
    assert size < MAX_PICTURE_BYTES, f"{file.name} has {size} bytes, at most {MAX_PICTURE_BYTES} are allowed"
    return file


if __name__ == "__main__":
    for made in take(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER):
        print(made)
