"""Measures the page in a real browser: files, first useful paint, time from a write to the screen, and scrolling.

Each time is compared with something simpler: a page without script, a page of the same bytes that does nothing, or a
client that only reads the event stream.
"""

from __future__ import annotations

import http.client
import re
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from random import randbytes
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, Page

from bench.figure import Aim, Bench, Figure
from bench.fill import fill_executions, fill_one, fill_varied
from bench.recording import url_of
from bench.rounds import interleave, percentile, ratio, spread
from tallystick import Journal
from tests.browser.server import Serving
from tests.browser.visitor import visiting
from tests.chromium import launched

LIST, LONG, VARIED = "many-executions", "one-execution", "varied-actions"
BARE = "/static/login.html"
HOME = "main .page-head h1:not(.visually-hidden)"
LIST_ROW = "main .exec-link"
BAR = "main [data-testid=waterfall] [data-row]"
FILE_TYPES = ("Document", "Stylesheet", "Script", "Font", "Image")
ENTRY = "main .journal-list .line"
"""The first useful content of each page: a row, or a bar."""
SCROLLER = "main .journal-list .virtual"
ROWS_SCROLLER = "main .waterfall .virtual"
FRAME_MILLISECONDS = 1000 / 60
SCROLL_FRAMES = 300
"""Each frame scrolls by a third of a screen."""
REST_FACTOR = 4
"""The page waits after each request, in proportion to its duration. The next write waits longer than that."""
TIMEOUT_SECONDS = 30

TO_THE_SCREEN = "Time from a commit in another process to the row on the screen"
PAINTED = Aim(bound=8.0, target=4.0)
REACHED = Aim(bound=10.0, target=4.0)
SMOOTH = Aim(bound=0.05, target=0.01)
ROUND_TRIP_MILLISECONDS = 40
AS_QUICK_AS_BARE = Aim(bound=1.5)
FEW_REQUESTS = Aim(bound=8)
FEW_BYTES = Aim(bound=120_000)
ONE_REQUEST = Aim(bound=1)

_SEEN = """([selector, text]) => new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error(`${selector} ${text} was not painted in time`)), 30000);
  const look = () => {
    const found = [...document.querySelectorAll(selector)].some((each) => !text || each.textContent.includes(text));
    if (found) requestAnimationFrame(() => setTimeout(() => resolve([performance.now(), Date.now()])));
    else requestAnimationFrame(look);
  };
  look();
})"""
"""Resolves with the time after the frame in which the selected text was painted."""
_SCROLL = """([selector, frames]) => new Promise((resolve) => {
  const list = document.querySelector(selector), times = [];
  const step = (now) => {
    times.push(now);
    list.scrollTop += list.clientHeight / 3;
    if (times.length <= frames) requestAnimationFrame(step);
    else resolve(times.slice(1).map((time, index) => time - times[index]));
  };
  requestAnimationFrame(step);
})"""


def figures(bench: Bench) -> list[Figure]:
    executions, entries = bench.amount(100_000, 2_000), bench.amount(20_000, 2_000)
    url = url_of(bench.folder / "page.db")
    with Journal.open(url, journal=LIST) as journal:
        fill_executions(journal, executions)
    with Journal.open(url, journal=LONG) as journal:
        long = fill_one(journal, entries)
    actions = bench.amount(20_000, 1_000)
    with Journal.open(url, journal=VARIED) as journal:
        varied = fill_varied(journal, actions)
    with _serving(url) as served, launched() as (_, browser):
        return [
            *_loads(browser, served),
            *_paints_far_away(bench, browser, served),
            *_paints(bench, browser, served, long, f"{executions:,} executions", f"{entries:,} entries"),
            *_reaching(bench, browser, served),
            _scrolling(
                bench,
                browser,
                served,
                "page.scroll",
                "that journal",
                f"/x/{long}?journal={LONG}&tab=journal",
                (ENTRY, SCROLLER),
            ),
            _scrolling(
                bench,
                browser,
                served,
                "page.scroll_work",
                f"the rows of {actions:,} actions",
                f"/x/{varied}?journal={VARIED}",
                (BAR, ROWS_SCROLLER),
            ),
        ]


def _loads(browser: Browser, served: Serving) -> list[Figure]:
    """Count the files of the page that a first and a second visit load, and their bytes with headers."""
    with visiting(browser, served.origin) as visit:
        cold = _loaded(visit.page, f"{served.origin}/?journal={LIST}")
        warm = _loaded(visit.page, f"{served.origin}/?journal={LIST}")
    whats = (
        "Files that the first visit loads",
        "Their bytes, compressed, with headers",
        "Files that a later visit asks for",
    )
    return [
        Figure("page.files_cold", whats[0], len(cold), "requests", FEW_REQUESTS),
        Figure("page.bytes_cold", whats[1], sum(cold.values()), "bytes", FEW_BYTES),
        Figure("page.files_warm", whats[2], len(warm), "requests", ONE_REQUEST),
    ]


def _loaded(page: Page, address: str) -> dict[str, float]:
    """Open an address; return the bytes of each document, script and style that came over the network."""
    devtools = page.context.new_cdp_session(page)
    urls: dict[str, str] = {}
    sizes: dict[str, float] = {}
    kept: set[str] = set()

    def asked(event: dict[str, Any]) -> None:
        if event["type"] in FILE_TYPES:
            urls[event["requestId"]] = event["request"]["url"]

    def answered(event: dict[str, Any]) -> None:
        if event["response"]["fromDiskCache"]:
            kept.add(event["requestId"])

    def reused(event: dict[str, Any]) -> None:
        kept.add(event["requestId"])

    def finished(event: dict[str, Any]) -> None:
        sizes[event["requestId"]] = event["encodedDataLength"]

    devtools.on("Network.requestWillBeSent", asked)
    devtools.on("Network.requestServedFromCache", reused)
    devtools.on("Network.responseReceived", answered)
    devtools.on("Network.loadingFinished", finished)
    devtools.send("Network.enable")
    page.goto(address)
    page.evaluate(_SEEN, [HOME, ""])
    devtools.detach()
    return {url: sizes.get(request, 0.0) for request, url in urls.items() if request not in kept}


def _paints_far_away(bench: Bench, browser: Browser, served: Serving) -> list[Figure]:
    """Measure the first useful paint when each response takes a round trip of 40 ms."""
    with _bare_page(served) as bare:
        turns = {
            "bare": _painting(browser, bare, "/", "main", ROUND_TRIP_MILLISECONDS),
            "page": _painting(browser, served.origin, f"/?journal={LIST}", HOME, ROUND_TRIP_MILLISECONDS),
        }
        interleave(turns, 1)
        samples = interleave(turns, bench.amount(15, 4))
    times, page, plain = ratio(samples, "page", "bare"), spread(samples["page"]).median, spread(samples["bare"]).median
    what = "First useful paint at a round trip of 40 ms, compared with a bare page of the same bytes"
    notes = f"{page:.0f} ms; the bare page {plain:.0f} ms"
    return [
        Figure("page.paint_far", what, times.median, "times", AS_QUICK_AS_BARE, times.low, times.high, notes=notes),
    ]


@contextmanager
def _bare_page(served: Serving) -> Iterator[str]:
    """Serve a page of the same bytes: text, the style sheet, and a script of the same size that does nothing."""
    files: dict[str, tuple[str, bytes]] = {}
    for path in _files_of(served):
        with urlopen(Request(served.origin + path, headers={"Accept-Encoding": "br"})) as answer:
            content = answer.read()
            kind = str(answer.headers["Content-Type"])
        filler = b64encode(randbytes(len(content)))[: len(content) - 4]
        files[path] = (kind, b"/*" + filler + b"*/")
    links = "".join(
        f'<link rel="stylesheet" href="{path}">'
        if path.endswith(".css")
        else f'<script type="module" src="{path}"></script>'
        for path in files
    )
    files["/"] = ("text/html", f"<!doctype html><title>Bare</title>{links}<main>Nothing else.</main>".encode())

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            kind, content = files.get(self.path, ("text/plain", b""))
            self.send_response(200 if content else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def _files_of(served: Serving) -> list[str]:
    with urlopen(served.origin + "/") as answer:
        document = answer.read().decode()
    return [path for path in re.findall(r'(?:src|href)="(/static/[^"]+)"', document) if not path.endswith(".svg")]


@contextmanager
def _serving(url: str) -> Iterator[Serving]:
    served = Serving(url, LIST)
    try:
        yield served
    finally:
        served.stop()


def _paints(bench: Bench, browser: Browser, served: Serving, long: str, many: str, much: str) -> list[Figure]:
    turns = {
        "bare": _painting(browser, served.origin, BARE, "form"),
        "list": _painting(browser, served.origin, f"/executions?journal={LIST}", LIST_ROW),
        "execution": _painting(browser, served.origin, f"/x/{long}?journal={LONG}", BAR),
        "journal": _painting(browser, served.origin, f"/x/{long}?journal={LONG}&tab=journal", ENTRY),
    }
    interleave(turns, 1)
    samples = interleave(turns, bench.amount(15, 4))
    whats = {
        "list": f"First useful paint of the list of {many}, compared with a page without script",
        "execution": f"First useful paint of an execution of {much}, compared with a page without script",
        "journal": "First useful paint of its journal, compared with a page without script",
    }
    found = []
    for name, what in whats.items():
        times, milliseconds = ratio(samples, name, "bare"), spread(samples[name]).median
        notes = f"{milliseconds:.0f} ms; the page without script {spread(samples['bare']).median:.0f} ms"
        found.append(Figure(f"page.paint_{name}", what, times.median, "times", PAINTED, times.low, times.high, notes))
    return found


def _painting(browser: Browser, origin: str, path: str, selector: str, milliseconds: int = 0) -> Callable[[], float]:
    """Return a turn that opens the page with an empty cache, and returns the milliseconds until it was painted."""

    def paint() -> float:
        with visiting(browser, origin) as visit:
            if milliseconds:
                devtools = visit.context.new_cdp_session(visit.page)
                devtools.send("Network.enable")
                limits = {"latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1, "offline": False}
                devtools.send("Network.emulateNetworkConditions", limits)
            visit.page.goto(origin + path, wait_until="commit")
            return float(visit.page.evaluate(_SEEN, [selector, ""])[0])

    return paint


def _reaching(bench: Bench, browser: Browser, served: Serving) -> list[Figure]:
    """Measure the time from a commit in another process to the row on the screen."""
    pixels, arrivals = [], []
    with visiting(browser, served.origin) as visit, served.open(LIST) as journal, _Stream(served) as stream:
        page = visit.page
        page.goto(f"{served.origin}/executions?journal={LIST}")
        page.evaluate(_SEEN, [LIST_ROW, ""])
        for number in range(bench.amount(40, 10)):
            pixel, arrival = _reach(page, journal, stream, f"write {number} of this turn")
            pixels.append(pixel)
            arrivals.append(arrival)
            time.sleep(REST_FACTOR * pixel / 1000)
    over = spread([pixel / arrival for pixel, arrival in zip(pixels, arrivals, strict=True)])
    middle = percentile(pixels, 0.5)
    notes = f"p50 {middle:.0f} ms, p99 {percentile(pixels, 0.99):.0f} ms; the stream {percentile(arrivals, 0.5):.0f} ms"
    return [
        Figure(
            "page.write_to_pixel",
            f"{TO_THE_SCREEN}, compared with the event's arrival at a bare client",
            over.median,
            "times",
            REACHED,
            over.low,
            over.high,
            notes,
        ),
        Figure("page.write_to_pixel_ms", TO_THE_SCREEN, middle, "ms"),
    ]


def _reach(page: Page, journal: Journal, stream: _Stream, title: str) -> tuple[float, float]:
    """Return the milliseconds to the screen, and to the bare client."""
    seen = page.evaluate_handle(f"(arguments) => ({{ promise: ({_SEEN})(arguments) }})", [LIST_ROW, title])
    receipt = journal.record_execution_start(title=title)
    written = time.time()
    arrived = stream.arrival(receipt.seq)
    _, at = page.evaluate("(held) => held.promise", seen)
    return max(at / 1000 - written, 0.0005) * 1000, max(arrived - written, 0.0005) * 1000


class _Stream:
    """A client that only records when each event arrives."""

    def __init__(self, served: Serving) -> None:
        self._connection = http.client.HTTPConnection(served.origin.removeprefix("http://"), timeout=TIMEOUT_SECONDS)
        self._arrived: Queue[tuple[int, float]] = Queue()

    def __enter__(self) -> _Stream:
        self._connection.request("GET", f"/events?journal={LIST}", headers={"Accept": "text/event-stream"})
        self._answer = self._connection.getresponse()
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._connection.close()

    def arrival(self, seq: int) -> float:
        """Return when the event of this entry arrived."""
        while True:
            received, at = self._arrived.get(timeout=TIMEOUT_SECONDS)
            if received >= seq:
                return at

    def _read(self) -> None:
        with suppress(AttributeError, OSError, ValueError):  # closed by __exit__ while it is read
            for line in self._answer:
                if line.startswith(b"id:"):
                    self._arrived.put((int(line[3:]), time.time()))


def _scrolling(
    bench: Bench, browser: Browser, served: Serving, name: str, of: str, path: str, selectors: tuple[str, str]
) -> Figure:
    """Scroll through a list, given by its first row and what scrolls, and count the long frames."""
    first, scroller = selectors
    with visiting(browser, served.origin) as visit:
        visit.page.goto(served.origin + path)
        visit.page.evaluate(_SEEN, [first, ""])
        frames: list[float] = visit.page.evaluate(_SCROLL, [scroller, bench.amount(SCROLL_FRAMES, 120)])
    late = [frame for frame in frames if frame > 2 * FRAME_MILLISECONDS]
    notes = f"p50 {percentile(frames, 0.5):.1f} ms a frame, the longest {max(frames):.0f} ms, of {len(frames)}"
    what = f"Scrolling {of}: frames that took longer than 33 ms"
    return Figure(name, what, len(late) / len(frames), "of all frames", SMOOTH, notes=notes)
