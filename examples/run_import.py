"""An import of 1,000 files with `for_each`, a limit and a killed process: the next one goes on where it stopped.

Each file is imported by one call of a tool, at most eight at once. The first process is killed in the middle. What was
under way then is unknown: the probe looks whether the file is there, so nothing is imported twice and nothing is lost.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tallystick import Journal, tool

FILES = 1000
KILL_AFTER = 300
FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()
PLAN: dict[str, Any] = {
    "title": "Import",
    "steps": [
        {"id": "list", "tool": "list_files"},
        {"id": "import", "tool": "import_file", "for_each": "${steps.list.result}", "arguments": {"name": "${item}"}},
        {"id": "count", "tool": "count"},
    ],
}


@tool(effect="read")
def list_files() -> list[str]:
    return sorted(path.name for path in (FOLDER / "in").iterdir())


def find_import(name: str) -> bool:
    return (FOLDER / "out" / name).exists()


@tool(effect="probeable", probe=find_import, at_most=8)
def import_file(name: str) -> None:
    written = FOLDER / f"{name}.{os.getpid()}"
    written.write_text((FOLDER / "in" / name).read_text().upper())
    os.link(written, FOLDER / "out" / name)  # in one step; it fails for a file that was imported before
    if len(sys.argv) > 2 and len(list((FOLDER / "out").iterdir())) >= KILL_AFTER:
        os.kill(os.getpid(), signal.SIGKILL)


@tool(effect="read")
def count() -> int:
    return len(list((FOLDER / "out").iterdir()))


def carry_out() -> None:
    with Journal.open(FOLDER / "journal.db", journal="import", actor="ci") as journal:
        run = journal.run(PLAN, tools=[list_files, import_file, count], key="import")
        print(f"{run.status}: {run.results['count']} files")


def main(folder: Path) -> None:
    (folder / "in").mkdir()
    (folder / "out").mkdir()
    for number in range(FILES):
        (folder / "in" / f"{number:04}.txt").write_text(f"file {number}")
    killed = subprocess.run([sys.executable, __file__, str(folder), "kill"], check=False)
    assert killed.returncode == -signal.SIGKILL
    done = len(list((folder / "out").iterdir()))
    print(f"the first process was killed after {done} files")
    subprocess.run([sys.executable, __file__, str(folder)], check=True)
    assert all((folder / "out" / f"{number:04}.txt").read_text() == f"FILE {number}" for number in range(FILES))
    print("each file was imported once")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        carry_out()
    else:
        with TemporaryDirectory() as made:
            main(Path(made))
