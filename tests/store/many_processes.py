"""Many processes that open one store at the same moment: `python -m tests.store.many_processes SIZE URL...`.

They are forked from a process that has imported all it needs, and let go together.
"""

import importlib
import os
import subprocess
import sys
import traceback

from tallystick.store.sql.migrations import migrations
from tests.store.drafts import note
from tests.store.other_process import ROOT
from tests.store.sample_journal import append
from tests.stores import open_store


def open_at_once(urls: list[str], size: int) -> str:
    """Have `size` processes open each store, append an entry and close it. Returns their error output."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.store.many_processes", str(size), *urls], cwd=ROOT, capture_output=True, text=True
    )
    return run.stderr if run.returncode else ""


def main(size: int, urls: list[str]) -> int:
    """How many failed, in all rounds."""
    if urls[0].startswith("sqlite"):
        migrations("sqlite")  # read once, for all
    else:
        importlib.import_module("tallystick.store.postgres.store")
        migrations("postgres")
    return sum(_round(url, size) for url in urls)


def _round(url: str, size: int) -> int:
    gate, let_go = os.pipe()
    children = [child for _ in range(size) if (child := _fork(url, gate, let_go))]
    os.close(gate)
    os.close(let_go)  # all read the end of the pipe at once
    return sum(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children)


def _fork(url: str, gate: int, let_go: int) -> int:
    child = os.fork()
    if not child:
        code = 1
        try:
            os.close(let_go)
            os.read(gate, 1)
            store = open_store(url)
            append(store, note('"of the crowd"'))
            store.close()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return child


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1]), sys.argv[2:]) else 0)
