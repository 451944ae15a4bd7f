"""A journal to record in, and one that cannot be written."""

import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tallystick import Journal
from tallystick.integrations import observed_call
from tallystick.integrations.in_flight import InFlightCalls
from tests.integrations.world import World


@pytest.fixture(autouse=True)
def nothing_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start with no calls in flight: another test may have left some in this process."""
    monkeypatch.setattr(observed_call, "_IN_FLIGHT", InFlightCalls())


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(f"sqlite://{tmp_path}/journal.db") as journal:
        yield journal


@pytest.fixture
def unwritable(tmp_path: Path) -> Iterator[Journal]:
    """A journal that cannot be written: its folder was replaced by a file before the first record."""
    folder = tmp_path / "folder"
    with Journal.open(f"sqlite://{folder}/journal.db") as journal:
        shutil.rmtree(folder, ignore_errors=True)
        folder.write_text("no folder")
        yield journal


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """The warnings that the adapters log."""
    handler, log = _Kept(), logging.getLogger("tallystick.capture")
    log.addHandler(handler)
    yield handler.messages
    log.removeHandler(handler)


@pytest.fixture
def no_processors() -> Iterator[None]:
    """Remove the default trace processor of OpenAI Agents, which would send traces to a server."""
    from agents import set_trace_processors

    set_trace_processors([])
    yield
    set_trace_processors([])
