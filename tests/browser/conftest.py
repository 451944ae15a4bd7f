"""What the tests in a browser share: one browser and one server for all of a worker, a person for each test.

The fixtures are of the package and not of the session: playwright keeps an event loop in the thread as long as it
runs, and whoever calls `asyncio.run` there is refused. Tests stand in a few groups (`loadgroup`), so that both workers
have their part and each starts a browser once.
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
from tests.browser.visitor import PATIENCE, Theme, Visit, Width, picture, visiting
from tests.chromium import launched
from tests.memory_folders import quick_folder

expect.set_options(timeout=PATIENCE)
_PICTURES = Path(tempfile.gettempdir()) / "tallystick-browser"
"""Where pictures of failures are kept."""
LARGE = 2000
"""Entries of the scene's largest execution: far more than a screen holds."""
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
    """A server over a file, which no test stops."""
    with quick_folder() as folder:
        served = Serving(f"sqlite://{folder}/journal.db", "served")
        yield served
        served.stop()


@pytest.fixture(scope="package")
def scene(serving: Serving) -> dict[str, str]:
    """A week of work in the journal `shop` of the server, which no test changes: the handles of what there is."""
    return fill(Path(serving.url.removeprefix("sqlite://")), "shop", large=LARGE, small=60)


@pytest.fixture(scope="package")
def postgres_serving(request: pytest.FixtureRequest) -> Iterator[Serving]:
    """A server over PostgreSQL, which no test stops."""
    with request.getfixturevalue("postgres").database() as url:
        served = Serving(url, "served")
        yield served
        served.stop()


@pytest.fixture
def own_serving(tmp_path: Path) -> Iterator[Serving]:
    """A server to be stopped at will."""
    served = Serving(f"sqlite://{tmp_path}/journal.db", "served")
    yield served
    served.stop()


@pytest.fixture
def journal(serving: Serving) -> Iterator[Journal]:
    """A journal of the test's own at the server, written by this process. Its name is `journal.name`."""
    with serving.open(f"test-{next(_journals)}") as journal:
        yield journal


@pytest.fixture
def arrive(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Arriving]:
    """Let a person come to the page of a server. Nobody's page may do what `Watch` forbids."""
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
    """A person who looks at the test's own journal."""
    return arrive(serving, name_of(journal))


@pytest.fixture
def page(visit: Visit) -> Page:
    return visit.page


def _keep_pictures(test: str, visits: list[Visit]) -> None:
    _PICTURES.mkdir(exist_ok=True)
    plain = re.sub(r"\W+", "-", test)
    pages = [page for visit in visits for page in visit.context.pages]
    for number, page in enumerate(pages):
        print(f"{page.url} looked like {picture(page, _PICTURES, f'{plain}-{number}')}")
    for problem in (problem for visit in visits for problem in visit.watch.problems):
        print(f"meanwhile: {problem}")


def name_of(journal: Journal) -> str:
    caller: Any = journal.caller
    return str(caller.context.journal)
