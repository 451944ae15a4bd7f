"""The hook, installed once for all tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tallystick.capture.setup import hook_bundle
from tests.capture.hook.installed_hook import Hook
from tests.memory_folders import quick_folder


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hook_bundle.write(tmp_path_factory.mktemp("data") / "hook", ["/nowhere/tallystick"])


@pytest.fixture
def hook(run: Path) -> Iterator[Hook]:
    with quick_folder() as folder:
        yield Hook(run, folder)
