"""What the page loads: few files, once; and the first requests early."""

import re

import pytest
from playwright.sync_api import Page, expect

from tallystick import Journal
from tallystick.interfaces.dashboard.routes import EARLY
from tests.behaviour import scenarios
from tests.browser.conftest import Arriving
from tests.browser.server import Serving
from tests.browser.visitor import Visit

pytestmark = pytest.mark.xdist_group("browser 4")

MAX_FILES = 8
RECORDING = "window.asked = []; const send = fetch; fetch = (...all) => (asked.push(String(all[0])), send(...all));"
FILES = """() => performance.getEntriesByType("resource").filter((each) => each.name.includes("/static/"))
  .map((each) => [each.name, each.transferSize])"""
PRELOAD = re.compile(r"<([^>]+)>; rel=preload; as=fetch; crossorigin")


def _is_live(page: Page) -> None:
    expect(page.get_by_text("Live", exact=True)).to_be_visible()


def test_a_first_visit_loads_few_files_and_a_later_one_has_them_all(visit: Visit) -> None:
    page = visit.open("/")
    _is_live(page)
    cold = page.evaluate(FILES)
    assert 3 <= len(cold) <= MAX_FILES
    assert all(size for _, size in cold)
    page = visit.open("/plans")
    _is_live(page)
    assert [size for _, size in page.evaluate(FILES)] == [0] * len(cold)


@pytest.mark.parametrize("path", EARLY)
def test_the_server_names_the_first_requests_that_the_page_sends(visit: Visit, journal: Journal, path: str) -> None:
    scenarios.start(journal)
    visit.page.add_init_script(RECORDING)
    answer = visit.page.goto(visit.address(path))
    _is_live(visit.page)
    assert answer
    early = PRELOAD.findall(answer.all_headers()["link"])
    assert len(early) == len(EARLY[path])
    assert set(early) <= set(visit.page.evaluate("asked"))
    with_filter = visit.page.goto(visit.address(path, q="status:failed"))
    assert with_filter
    assert "link" not in with_filter.all_headers()


def test_graph_and_charts_load_when_they_are_first_shown(visit: Visit, journal: Journal) -> None:
    scenarios.planned(journal, "copy", "move")
    page = visit.open("/")
    _is_live(page)
    assert not [name for name, _ in page.evaluate(FILES) if "uplot-" in name and name.endswith(".js")]
    visit.open("/stats")
    expect(page.locator(".plot-canvas canvas").first).to_be_visible()
    assert [name for name, _ in page.evaluate(FILES) if re.search(r"uplot-\w+\.js$", name)]


def test_the_page_also_works_as_plain_modules(arrive: Arriving, own_plain_serving: Serving) -> None:
    page = arrive(own_plain_serving).open("/plans")
    _is_live(page)
    assert [name for name, _ in page.evaluate(FILES) if name.endswith("/static/live.js")]
