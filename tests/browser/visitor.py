"""A visitor of the page: one browser context, with its reported problems."""

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
TIMEOUT_MILLISECONDS = 15_000
"""Generous, because the machine may be busy."""


class Visit:
    """A browser context with one page. Every address names the journal."""

    def __init__(self, context: BrowserContext, origin: str, journal: str) -> None:
        self.context = context
        self.origin = origin
        self.journal = journal
        self.watch = Watch(context, origin)
        self.page = context.new_page()

    def address(self, path: str = "/", **query: object) -> str:
        parameters = {**query, "journal": self.journal} if self.journal else query
        return f"{self.origin}{path}?{urlencode(parameters)}" if parameters else f"{self.origin}{path}"

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
    """Open a new browser context, with an empty cache and no cookies."""
    context = browser.new_context(
        viewport=SIZES[width],
        color_scheme=theme,
        has_touch=width == "phone",
        accept_downloads=True,
        locale="en-GB",
        timezone_id="UTC",
        service_workers="block",
    )
    context.set_default_timeout(TIMEOUT_MILLISECONDS)
    try:
        yield Visit(context, origin, journal)
    finally:
        context.close()


def picture(page: Page, folder: Path, name: str) -> Path:
    """Take a screenshot, to find out why a test failed."""
    path = folder / f"{name}.png"
    page.screenshot(path=path, full_page=True)
    return path
