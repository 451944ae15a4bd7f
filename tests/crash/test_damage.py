"""Damaged files and missing file descriptors: a clear error or an answer, and no entry is lost in silence."""

import os
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from tallystick import Journal, StorageUnavailable
from tallystick.interfaces import cli
from tests.crash import damage
from tests.memory_folders import quick_folder

SAMPLES = 25
FILES = 64
WITHOUT_MODULES = """
import os, resource, sys
from tallystick import Journal
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
opened = Journal.open(sys.argv[1]) if sys.argv[1].startswith("sqlite") else None
try:
    while True:
        os.open(os.devnull, os.O_RDONLY)
except OSError:
    pass
try:
    (opened or Journal.open(sys.argv[1])).get_report(execution_id="ex_none")
except Exception as error:
    print(type(error).__name__, str(error).partition(" Nothing")[0])
sys.stdout.flush()
os._exit(0)
"""


def test_a_damaged_file_gives_clear_errors_and_loses_nothing_in_silence() -> None:
    met: Counter[str] = Counter()
    with quick_folder() as folder:
        sample = damage.write_sample(folder)
        for number in range(SAMPLES):
            met += damage.damage_and_read(sample, folder, Random(f"sample/{number}"))
    assert met["done"] == SAMPLES
    assert min(met["answers"], met["errors"], met["refused"], met["unharmed"]) > 0


def test_without_file_descriptors_every_call_says_so(tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path}/journal.db"
    env = {"TALLYSTICK_URL": url, "TALLYSTICK_JOURNAL": "j"}
    with Journal.open(url, journal="j", actor="ada") as journal:
        journal.record_execution_start(title="x")
    refused = 0
    for free in range(12):
        with _descriptors_left(free):
            refused += _call_some(url)
            result = cli.run(["status"], env=env)
        assert (result.exit_code, "Unexpected" in result.stderr) in ((0, False), (4, False))
    assert refused


@pytest.mark.parametrize("url", ["memory:", "sqlite", "http://127.0.0.1:1", "postgresql://127.0.0.1:1/x"])
def test_without_file_descriptors_for_its_own_modules_a_program_is_told_so(url: str, tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path}/journal.db" if url == "sqlite" else url
    done = subprocess.run([sys.executable, "-c", WITHOUT_MODULES, url], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("StorageUnavailable No file descriptors are left.\n", "")


def _call_some(url: str) -> int:
    refused = 0
    try:
        with Journal.open(url, journal="j", actor="ada") as journal:
            for call in (journal.get_brief, journal.verify, lambda: journal.record_context(key="k", value=1)):
                try:
                    call()
                except StorageUnavailable:
                    refused += 1
    except StorageUnavailable:
        refused += 1
    return refused


@contextmanager
def _descriptors_left(free: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(map(int, os.listdir("/proc/self/fd")))
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + FILES, hard))
    held: list[int] = []
    try:
        while True:
            try:
                held.append(os.open(os.devnull, os.O_RDONLY))
            except OSError:
                break
        for _ in range(free):
            os.close(held.pop())
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for each in held:
            os.close(each)
