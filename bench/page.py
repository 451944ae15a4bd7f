"""Measures the page in a real browser: first useful paint, time from a write to the screen, and scrolling.

Each is compared with something simpler from the same server: a page without script, or a client that only reads the
event stream.
"""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Queue
from threading import Thread

from playwright.sync_api import Browser, Page

from bench.figure import Aim, Bench, Figure
from bench.fill import fill_executions, fill_one
from bench.recording import url_of
from bench.rounds import interleave, percentile, ratio, spread
from tallystick import Journal
from tests.browser.server import Serving
from tests.browser.visitor import visiting
from tests.chromium import launched

LIST, LONG = "many-executions", "one-execution"
BARE = "/static/login.html"
LIST_ROW = "main .exec-link"
BAR = "main [data-testid=timeline] [data-action]"
ENTRY = "main .journal-list .line"
"""The first useful content of each page: a row, or a bar."""
SCROLLER = "main .journal-list .virtual"
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
    with _serving(url) as served, launched() as (_, browser):
        return [
            *_paints(bench, browser, served, long, f"{executions:,} executions", f"{entries:,} entries"),
            *_reaching(bench, browser, served),
            *_scrolling(bench, browser, served, long),
        ]


@contextmanager
def _serving(url: str) -> Iterator[Serving]:
    served = Serving(url, LIST)
    try:
        yield served
    finally:
        served.stop()


def _paints(bench: Bench, browser: Browser, served: Serving, long: str, many: str, much: str) -> list[Figure]:
    turns = {
        "bare": _painting(browser, served, BARE, "form"),
        "list": _painting(browser, served, f"/?journal={LIST}", LIST_ROW),
        "execution": _painting(browser, served, f"/x/{long}?journal={LONG}", BAR),
        "journal": _painting(browser, served, f"/x/{long}?journal={LONG}&tab=journal", ENTRY),
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


def _painting(browser: Browser, served: Serving, path: str, selector: str) -> Callable[[], float]:
    """Return a turn that opens the page with an empty cache, and returns the milliseconds until it was painted."""

    def paint() -> float:
        with visiting(browser, served.origin) as visit:
            visit.page.goto(served.origin + path, wait_until="commit")
            return float(visit.page.evaluate(_SEEN, [selector, ""])[0])

    return paint


def _reaching(bench: Bench, browser: Browser, served: Serving) -> list[Figure]:
    """Measure the time from a commit in another process to the row on the screen."""
    pixels, arrivals = [], []
    with visiting(browser, served.origin) as visit, served.open(LIST) as journal, _Stream(served) as stream:
        page = visit.page
        page.goto(f"{served.origin}/?journal={LIST}")
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


def _scrolling(bench: Bench, browser: Browser, served: Serving, long: str) -> list[Figure]:
    with visiting(browser, served.origin) as visit:
        visit.page.goto(f"{served.origin}/x/{long}?journal={LONG}&tab=journal")
        visit.page.evaluate(_SEEN, [ENTRY, ""])
        frames: list[float] = visit.page.evaluate(_SCROLL, [SCROLLER, bench.amount(SCROLL_FRAMES, 120)])
    late = [frame for frame in frames if frame > 2 * FRAME_MILLISECONDS]
    notes = f"p50 {percentile(frames, 0.5):.1f} ms a frame, the longest {max(frames):.0f} ms, of {len(frames)}"
    what = "Scrolling that journal: frames that took longer than 33 ms"
    return [Figure("page.scroll", what, len(late) / len(frames), "of all frames", SMOOTH, notes=notes)]
