"""A person at the page: one browser context, with what they see it do."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from tests.browser.violations import Watch

Width = Literal["desktop", "phone"]
Theme = Literal["light", "dark"]
SIZES: dict[Width, ViewportSize] = {
    "desktop": {"width": 1280, "height": 720},
    "phone": {"width": 390, "height": 844},
}
PATIENCE = 15_000
"""Milliseconds: for what should be there at once, on a machine that has other things to do."""


class Visit:
    """A context with one page. Paths are those of the page; the journal is named in each address."""

    def __init__(self, context: BrowserContext, origin: str, journal: str) -> None:
        self.context = context
        self.origin = origin
        self.journal = journal
        self.watch = Watch(context, origin)
        self.page = context.new_page()

    def address(self, path: str = "/", **query: object) -> str:
        given = {**query, "journal": self.journal} if self.journal else query
        return f"{self.origin}{path}?{urlencode(given)}" if given else f"{self.origin}{path}"

    def open(self, path: str = "/", **query: object) -> Page:
        self.page.goto(self.address(path, **query))
        return self.page

    def another_tab(self, path: str = "/", **query: object) -> Page:
        tab = self.context.new_page()
        tab.goto(self.address(path, **query))
        return tab


@contextmanager
def visiting(
    browser: Browser, origin: str, journal: str = "", *, width: Width = "desktop", theme: Theme = "light"
) -> Iterator[Visit]:
    """Somebody who was never here before."""
    context = browser.new_context(
        viewport=SIZES[width],
        color_scheme=theme,
        has_touch=width == "phone",
        accept_downloads=True,
        locale="en-GB",
        timezone_id="UTC",
        service_workers="block",
    )
    context.set_default_timeout(PATIENCE)
    try:
        yield Visit(context, origin, journal)
    finally:
        context.close()


def picture(page: Page, folder: Path, name: str) -> Path:
    """What the page looks like now, for whoever has to find out why a test failed."""
    path = folder / f"{name}.png"
    page.screenshot(path=path, full_page=True)
    return path
