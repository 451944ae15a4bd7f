"""Every page at each width and in each theme has no accessibility problems and no horizontal scrolling."""

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import barriers
from tests.browser.conftest import Arriving
from tests.browser.server import Serving
from tests.browser.visitor import SIZES

pytestmark = pytest.mark.xdist_group("browser 2")

PAGES = {
    "home": ("/", "Needs you"),
    "executions": ("/executions", "Executions"),
    "executions by task": ("/executions?group=task&q=status:open", "Executions"),
    "work": ("/x/{unwinding}", "Upgrade PostgreSQL"),
    "work by time": ("/x/{moved}?view=time", "Move the site"),
    "folded work": ("/x/{large}", "Import the catalogue"),
    "journal": ("/x/{large}?tab=journal", "Import the catalogue"),
    "graph": ("/x/{running}?view=graph", "Release 4.2.0"),
    "owed": ("/x/{unwinding}?tab=undo", "Upgrade PostgreSQL"),
    "in doubt": ("/x/{in_doubt}?tab=doubt", "Clean the image bucket"),
    "context of an execution": ("/x/{moved}?tab=context", "Move the site"),
    "coverage": ("/x/{moved}?tab=coverage", "Move the site"),
    "a step": ("/x/{moved}?step=switch", "Move the site"),
    "approvals": ("/approvals", "Approvals"),
    "history of approvals": ("/approvals?tab=history", "Approvals"),
    "context": ("/context", "Context"),
    "plans": ("/plans", "Plans"),
    "alerts": ("/alerts", "Alerts"),
    "webhooks": ("/webhooks", "Webhooks"),
    "stats": ("/stats", "Stats"),
    "compare": ("/compare?a={moved}&b={unwinding}", "Compare"),
    "replay": ("/replay/{moved}", "Replay of"),
    "import": ("/import", "Open an export"),
    "nothing here": ("/x/ex_none", ""),
}
"""Path and heading of each page, with handles of the scene in braces."""
LOOKS: tuple[tuple[Literal["desktop", "phone"], Literal["light", "dark"]], ...] = (
    ("desktop", "light"),
    ("phone", "dark"),
)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_at_each_width_and_in_each_theme(
    arrive: Arriving, serving: Serving, scene: dict[str, str], name: str
) -> None:
    path, heading = PAGES[name]
    visit = arrive(serving, "shop")
    if name == "nothing here":
        visit.watch.allows(404)
    page = visit.page
    page.goto(f"{visit.origin}{path.format(**scene)}{'&' if '?' in path else '?'}journal=shop")
    if heading:
        expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0)
    found = {}
    # Colours depend on the theme and the layout on the width, so two of the four combinations show all problems.
    for width, theme in LOOKS:
        page.set_viewport_size(SIZES[width])
        page.emulate_media(color_scheme=theme)
        found[f"{width}, {theme}"] = [*barriers(page), *_sticks_out(page)]
    assert not {look: lines for look, lines in found.items() if lines}


def _sticks_out(page: Page) -> list[str]:
    """Return elements that are wider than the page."""
    wide = page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")
    return [f"the page is {wide} pixels wider than the screen"] if wide > 0 else []
