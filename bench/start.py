"""Compares importing Tallystick and opening a file with the start of a bare interpreter.

The environment has only Tallystick, because some libraries import others if they are installed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bench import peers_python
from bench.figure import Aim, Bench, Figure
from bench.rounds import interleave, ratio, run_program, spread

AIM = Aim(bound=5.0)
PROGRAMS = {
    "bare": "pass",
    "import": "import tallystick",
    "open": "import sys; from tallystick import Journal\nwith Journal.open(sys.argv[1]): pass",
}


def figures(bench: Bench) -> list[Figure]:
    url = f"sqlite:///{bench.folder / 'start.db'}"
    python = environment(bench.folder)
    turns = {name: run_program([python, "-I", "-c", program, url]) for name, program in PROGRAMS.items()}
    for turn in turns.values():
        turn()
    samples = interleave(turns, bench.amount(40, 8))
    opened, imported = ratio(samples, "open", "bare"), ratio(samples, "import", "bare")
    bare = spread([1000 * seconds for seconds in samples["bare"]])
    return [
        Figure(
            "start.open",
            "Import and open of an existing journal, compared with the start of a bare interpreter",
            opened.median,
            aim=AIM,
            low=opened.low,
            high=opened.high,
            notes=f"a bare interpreter starts and ends in {bare.median:.1f} ms here",
        ),
        Figure(
            "start.import",
            "The import alone, compared with the start of a bare interpreter",
            imported.median,
            low=imported.low,
            high=imported.high,
        ),
    ]


def environment(base: Path) -> str:
    """Return the interpreter of an environment made by `pip install`; the first call creates it."""
    folder = base / "clean-venv"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        project = Path(__file__).resolve().parent.parent
        peers_python.uv("venv", "--python", sys.executable, str(folder))
        peers_python.uv("pip", "install", "--compile-bytecode", "--python", str(python), str(project))
    return str(python)
