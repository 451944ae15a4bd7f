"""What the tests of older names share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interfaces.mcp.legacy.client import Older


@pytest.fixture
def older(tmp_path: Path) -> Iterator[Older]:
    client = Older(tmp_path / "older.db")
    yield client
    client.close()
