"""Fixtures for the tests of legacy tools."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interfaces.mcp.legacy.client import Older


@pytest.fixture
def older(tmp_path: Path) -> Iterator[Older]:
    client = Older(tmp_path / "older.db")
    yield client
    client.close()
