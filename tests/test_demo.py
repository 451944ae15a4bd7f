"""The demo, run for real: its output, its journal, and the files and processes that it leaves."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tallystick import Journal
from tallystick.demo import world
from tallystick.operations.views.entries import EntryView

JOURNAL_NAME = re.compile(r"TALLYSTICK_JOURNAL=(\S+)")
NUMBERED = re.compile(r"^ {0,3}(\d+)  (?:ada|bo|tallystick) ", re.MULTILINE)
PAGE_THAT_WAS_FORGOTTEN = """
import sys
if any(part.startswith("tallystick.demo") for part in sys.orig_argv):
    from tallystick.demo import world
    world.SPRING_PAGES["prices.html"] = "<h1>Prices</h1>"
"""


@dataclass(frozen=True)
class Played:
    code: int
    output: str
    folder: Path
    entries: tuple[EntryView, ...]

    def of(self, kind: str) -> list[EntryView]:
        return [entry for entry in self.entries if entry.kind == kind]


def _play(folder: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tallystick", "demo", "--pace", "0", *options],
        env={**os.environ, "TMPDIR": str(folder), "PYTHONUTF8": "1", "COLUMNS": "130", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder = tmp_path_factory.mktemp("demo")
    done = _play(folder, "--keep", "--url", f"sqlite:///{folder}/journal.db")
    named = JOURNAL_NAME.search(done.stdout)
    assert named, done.stdout + done.stderr
    with Journal.open(f"sqlite:///{folder}/journal.db", journal=named[1]) as journal:
        entries = journal.read_entries(limit=100).entries
        (store_folder,) = folder.glob("tallystick-demo-*")
        yield Played(done.returncode, done.stdout, store_folder, entries)


def test_every_check_of_the_demo_holds(played: Played) -> None:
    assert played.code == 0
    assert "NOT SO" not in played.output


def test_every_entry_is_shown_once_and_in_order(played: Played) -> None:
    shown = [int(number) for number in NUMBERED.findall(played.output)]
    assert shown == [entry.seq for entry in played.entries]
    assert len(shown) > 25


def test_a_pipe_gets_no_colours(played: Played) -> None:
    assert "\x1b" not in played.output


def test_the_killed_step_is_in_doubt_and_then_settled_by_the_other_agent_with_evidence(played: Played) -> None:
    (doubt,) = played.of("action_doubted")
    begun = next(entry for entry in played.of("action_begun") if entry.id == doubt.id)
    (settled,) = [entry for entry in played.of("action_ended") if entry.id == doubt.id]
    assert (begun.facts["step"], begun.actor) == ("start_server", "ada")
    assert settled.facts["settles"]
    assert settled.actor == "bo"
    assert 'answers 200 "Spring at the bakery"' in settled.body["evidence"]


def test_the_step_that_was_in_doubt_is_not_repeated(played: Played) -> None:
    starts = [entry for entry in played.of("action_begun") if entry.facts["tool"] == "start_server"]
    assert len(starts) == 1


def test_the_failing_step_fails_for_a_real_reason(played: Played) -> None:
    (failed,) = [entry for entry in played.of("action_ended") if entry.facts["outcome"] == "failed"]
    assert "GET /prices.html answers 404" in failed.body["error"]


def test_it_is_undone_in_the_order_that_the_journal_gave(played: Played) -> None:
    undos = [entry for entry in played.of("action_begun") if entry.facts.get("action_kind") == "undo"]
    assert [entry.facts["tool"] for entry in undos] == ["point_link", "stop_server", "delete_files", "delete_folder"]
    assert undos[0].body["arguments"] == {"link": "current", "target": "releases/winter"}


def test_the_site_is_as_it_was(played: Played, tmp_path: Path) -> None:
    world.build(tmp_path / "site")
    assert world.picture(played.folder / "site") == world.picture(tmp_path / "site")


def test_a_demo_that_goes_otherwise_fails(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(PAGE_THAT_WAS_FORGOTTEN)
    done = _play(tmp_path, PYTHONPATH=str(tmp_path))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "NOT SO: a step really failed" in done.stdout


def test_nothing_is_left_behind_unless_it_is_asked_for(tmp_path: Path) -> None:
    assert _play(tmp_path).returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_processes_cannot_share_is_refused(tmp_path: Path) -> None:
    done = _play(tmp_path, "--url", "memory:")
    assert done.returncode == 2
    assert "cannot share a memory: store" in done.stderr


def test_the_readme_shows_lines_that_the_demo_prints(played: Played) -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text()
    shown = readme.partition("```text\n")[2].partition("```")[0].splitlines()
    printed = [_without_numbers(line) for line in played.output.splitlines()]
    assert len(shown) >= 9
    assert [line for line in shown if not any(each.startswith(_without_numbers(line)) for each in printed)] == []


def _without_numbers(line: str) -> str:
    """A line without what differs from run to run: ids, process ids, ports, seconds and the journal's name."""
    return re.sub(r"\b(?:(ex|ac|pl|se)_\w+|\d{3,5}\b|\d+s ago|(Journal) \S+)", r"\1\2", line).strip()
