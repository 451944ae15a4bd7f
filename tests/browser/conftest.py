"""Fixtures for tests in a browser: one browser and one server for each worker, one visitor for each test.

The fixtures have package scope, not session scope: playwright keeps an event loop in the thread, in which `asyncio.run`
fails. Tests are in a few groups (`loadgroup`), so that each worker starts a browser once.
"""

import re
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tallystick import Journal
from tests.browser.scene import fill
from tests.browser.server import Serving
from tests.browser.visitor import TIMEOUT_MILLISECONDS, Theme, Visit, Width, picture, visiting
from tests.chromium import launched
from tests.memory_folders import quick_folder

expect.set_options(timeout=TIMEOUT_MILLISECONDS)
_PICTURES = Path(tempfile.gettempdir()) / "tallystick-browser"
"""The folder for screenshots of failures."""
LARGE = 2000
"""Entries of the largest execution of the scene, far more than fit on a screen."""
_journals = count(1)
_failed = pytest.StashKey[bool]()

Arriving = Callable[..., Visit]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[_failed] = report.failed
    return report


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launched() as (_, browser):
        yield browser


@pytest.fixture(scope="package")
def serving() -> Iterator[Serving]:
    """A server over a file, shared by tests."""
    with quick_folder() as folder:
        served = Serving(f"sqlite://{folder}/journal.db", "served")
        yield served
        served.stop()


@pytest.fixture(scope="package")
def scene(serving: Serving) -> dict[str, str]:
    """Record a week of example work in the journal `shop`, shared by tests; return its handles."""
    return fill(Path(serving.url.removeprefix("sqlite://")), "shop", large=LARGE, small=60)


@pytest.fixture(scope="package")
def postgres_serving(request: pytest.FixtureRequest) -> Iterator[Serving]:
    """A server over PostgreSQL, shared by tests."""
    with request.getfixturevalue("postgres").database() as url:
        served = Serving(url, "served")
        yield served
        served.stop()


@pytest.fixture
def own_serving(tmp_path: Path) -> Iterator[Serving]:
    """A server that the test may stop."""
    served = Serving(f"sqlite://{tmp_path}/journal.db", "served")
    yield served
    served.stop()


@pytest.fixture
def own_plain_serving(tmp_path: Path) -> Iterator[Serving]:
    """A server that serves the page as plain modules."""
    served = Serving(f"sqlite://{tmp_path}/journal.db", "served", "--plain-page")
    yield served
    served.stop()


@pytest.fixture
def journal(serving: Serving) -> Iterator[Journal]:
    """A journal of this test on the shared server, written by this process."""
    with serving.open(f"test-{next(_journals)}") as journal:
        yield journal


@pytest.fixture
def arrive(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Arriving]:
    """Return a function that opens the page as a new visitor. The test fails if `Watch` reports a problem."""
    with ExitStack() as stack:
        visits: list[Visit] = []

        def arriving(served: Serving, journal: str = "", width: Width = "desktop", theme: Theme = "light") -> Visit:
            visits.append(stack.enter_context(visiting(browser, served.origin, journal, width=width, theme=theme)))
            return visits[-1]

        yield arriving
        if request.node.stash.get(_failed, False):
            _keep_pictures(request.node.name, visits)
        else:
            assert not [problem for visit in visits for problem in visit.watch.problems]


@pytest.fixture
def visit(arrive: Arriving, serving: Serving, journal: Journal) -> Visit:
    """A visitor of the journal of this test."""
    return arrive(serving, name_of(journal))


@pytest.fixture
def page(visit: Visit) -> Page:
    return visit.page


def _keep_pictures(test: str, visits: list[Visit]) -> None:
    _PICTURES.mkdir(exist_ok=True)
    plain = re.sub(r"\W+", "-", test)
    pages = [page for visit in visits for page in visit.context.pages]
    for number, page in enumerate(pages):
        print(f"{page.url} screenshot: {picture(page, _PICTURES, f'{plain}-{number}')}")
    for problem in (problem for visit in visits for problem in visit.watch.problems):
        print(f"problem: {problem}")


def name_of(journal: Journal) -> str:
    caller: Any = journal.caller
    return str(caller.context.journal)
