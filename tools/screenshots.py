"""`python -m tools.screenshots [FOLDER]`: pictures of the page with a week of work in it, for the README.

Taken in the browser that the tests use, with its own fonts: the same on every machine.
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
LARGEST = 300_000
"""Bytes of a picture: whoever clones the repository has all of them."""


class Picture(NamedTuple):
    """Where to look, and how. Handles of the scene stand in braces; `follows` is a link to be followed there."""

    path: str
    follows: str = ""
    width: Width = "desktop"
    theme: Theme = "light"


PICTURES = {
    "executions": Picture("/"),
    "timeline": Picture("/x/{unwinding}", theme="dark"),
    "owed": Picture("/x/{unwinding}?tab=owed"),
    "approval": Picture("/approvals", "Refund", width="phone", theme="dark"),
}


def take(folder: Path) -> list[Path]:
    """All pictures, from a store of their own."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tallystick-pictures-") as place, launched() as (_, browser):
        path = Path(place) / "journal.db"
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
        if picture.follows:
            visit.page.get_by_role("link", name=picture.follows).click()
        expect(visit.page.locator(".loading")).to_have_count(0)
        expect(visit.page.get_by_text("Live", exact=True)).to_be_visible()
        visit.page.screenshot(path=file, animations="disabled")
    size = file.stat().st_size
    assert size < LARGEST, f"{file.name} has {size} bytes"
    return file


if __name__ == "__main__":
    for made in take(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER):
        print(made)
