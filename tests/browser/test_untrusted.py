"""Everything shown was written by a model or a tool. Hostile texts in every field there is: none runs, none is fetched,
all are shown as the text that they are."""

import re
from collections.abc import Sequence
from functools import partial
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from tallystick import Journal
from tests import hostile_text
from tests.browser.hostile_journal import Tainted, mark, taint
from tests.browser.server import Serving
from tests.browser.visitor import Visit, visiting

pytestmark = pytest.mark.xdist_group("browser 1")

ALL = 2000
A_ROUND = 200
"""Texts that one journal of the campaign holds: more of them would only take longer."""
TABS = ("journal", "undo", "doubt", "context", "coverage")
VIEWS = ("plan", "time", "newest", "graph")
FOREIGN = (
    "iframe, object, embed, base, marquee, form[action*='//'], img:not([src^='data:']), [onerror], [onload], [onfocus],"
    " [src*='invalid'], [style*='invalid'], script:not([src^='/'])"
)
"""Elements that no page of ours has."""
_FOUND = """(foreign) => [
  ...document.querySelectorAll(foreign),
  ...[...document.querySelectorAll("[href]")].filter((each) => new URL(each.href, location).origin !== location.origin),
].map((each) => each.outerHTML)"""


def test_hostile_texts_in_all_fields_are_shown_as_text_and_do_nothing(browser: Browser, serving: Serving) -> None:
    some = Random("sample").sample(hostile_text.payloads(ALL), A_ROUND)
    shown = count_shown_texts(browser, serving, some)
    assert shown > 0.75 * A_ROUND, shown


def count_shown_texts(browser: Browser, serving: Serving, texts: Sequence[str]) -> int:
    """Record the texts, look at every page there is, and count the texts that could be read on some page."""
    tainted = taint(partial(Journal.open, serving.url, journal="hostile"), texts)
    with visiting(browser, serving.origin, "hostile") as visit:
        visit.watch.allows(404)
        shown: set[int] = set()
        for address in addresses(visit, tainted):
            shown |= _look(visit, address)
    return len(shown)


def addresses(visit: Visit, tainted: Tainted) -> list[str]:
    """Every page, with what was recorded on it."""
    first, second = tainted.executions
    return [
        visit.address("/"),
        *(visit.address(f"/x/{first}", view=view) for view in VIEWS),
        *(visit.address(f"/x/{first}", tab=tab) for tab in TABS),
        visit.address(f"/x/{second}"),
        *(visit.address(f"/x/{second}", tab=tab) for tab in ("journal", "doubt")),
        *(visit.address(f"/x/{first}", tab="journal", entry=entry) for entry in (3, 4, 5, 6)),
        visit.address("/approvals"),
        visit.address("/approvals", tab="history"),
        visit.address(f"/approvals/{tainted.approval}"),
        visit.address("/context"),
        visit.address("/plans"),
        visit.address(f"/plans/{tainted.plan}"),
        visit.address(f"/plans/{tainted.plan}", **{"from": 1, "to": 2}),
        visit.address("/stats"),
        visit.address("/compare", a=first, b=second),
        visit.address(f"/replay/{first}"),
    ]


def _look(visit: Visit, address: str) -> set[int]:
    """The numbers of the texts that a page shows. Fails if a text does anything but be shown."""
    page = visit.page
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_be_attached()
    expect(page.locator(".loading")).to_have_count(0)
    _unfold(page)
    assert page.evaluate("[window.owned, ({}).owned, document.cookie]") == [None, None, ""], address
    assert page.evaluate(_FOUND, FOREIGN) == [], address
    assert visit.watch.problems == [], address
    assert page.url.startswith(visit.origin), address
    return {int(number) for number in re.findall(mark(0).replace("00000", r"(\d{5})"), page.evaluate(_TEXT))}


def _unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)")


_TEXT = "document.body.textContent"
