"""The checks themselves: forbidden behaviour of a page is reported, so that other tests can fail."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser

from tests.browser.axe import barriers
from tests.browser.visitor import Visit, visiting

POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; img-src * data:; require-trusted-types-for 'script'"
PAGES = {
    "/calm": "<p>nothing happens</p>",
    "/console": "<script>console.error('spilt')</script>",
    "/error": "<script>throw new Error('spilt')</script>",
    "/policy": "<style>p { color: red }</style>",
    "/trusted-types": "<script>try { document.body.innerHTML = '<b>' } catch {}</script>",
    "/request": "<img src=http://elsewhere.invalid/x>",
    "/dialog": "<script>alert('spilt')</script>",
}

pytestmark = pytest.mark.xdist_group("browser 1")


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        title = "<!doctype html><html lang=en><title>A page</title><link rel=icon href=data:,><body>"
        self.wfile.write((title + PAGES.get(self.path, "")).encode())

    def log_message(self, *ignored: object) -> None:
        """Nothing: the requests are known ones."""


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """A visitor of a server with such pages."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    with visiting(browser, f"http://127.0.0.1:{server.server_port}") as visit:
        yield visit
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_page_that_does_nothing_wrong_is_not_reported(visit: Visit) -> None:
    visit.open("/calm")
    assert visit.watch.problems == []


@pytest.mark.parametrize("path", sorted(set(PAGES) - {"/calm"}))
def test_each_thing_that_no_page_may_do_is_reported(visit: Visit, path: str) -> None:
    visit.open(path)
    visit.page.evaluate("1")  # what the page reported before is heard by now
    assert visit.watch.problems


def test_an_accessibility_problem_is_reported_with_its_location(visit: Visit) -> None:
    page = visit.open("/calm")
    page.evaluate("document.body.append(document.createElement('button'))")
    found = barriers(page)
    assert any(line.startswith("button-name at button") for line in found), found
