"""Starts contenders in their own processes and asks them for turns (the parent of `bench.contenders`)."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from bench.figure import Bench
from bench.rounds import Samples, interleave, mean

REPOSITORY = Path(__file__).resolve().parent.parent

Waits = list[list[float]]


class ContenderFailed(Exception):
    """The process of a contender ended early; the message has the end of its output."""


class Contender:
    """The process of one contender. `ask` and `answer` are separate, so that several can work at once."""

    def __init__(self, name: str, address: str, python: str = sys.executable) -> None:
        self.name = name
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed by close()
        self._process = subprocess.Popen(
            [python, "-m", "bench.contenders", name, address],
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        self.durability: str = self.answer()["durability"]

    def take_turn(self, **amount: float) -> Waits:
        self.ask(**amount)
        waits: Waits = self.answer()
        return waits

    def ask(self, **amount: float) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(amount) + "\n")
        self._process.stdin.flush()

    def answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ContenderFailed(f"contender {self.name} ended early:\n{self._error_output()}")
        return json.loads(line)

    def close(self) -> None:
        """End the process by closing its input; closing is not part of any figure."""
        self._process.communicate()
        self._errors.close()

    def _error_output(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")[-2000:]


@contextmanager
def contender_process(name: str, address: str, python: str = sys.executable) -> Iterator[Contender]:
    contender = Contender(name, address, python)
    try:
        yield contender
    finally:
        contender.close()


def compete(bench: Bench, figure: str, entries: Mapping[str, tuple[str, str]], rounds: int, pairs: int) -> Samples:
    """Return the seconds per pair of each contender and round. `entries` has address and interpreter by name.

    Each contender first takes one turn that is not counted, to warm up caches, statements and the WAL.
    """
    with ExitStack() as stack:
        contenders = {
            name: stack.enter_context(contender_process(name, address, python))
            for name, (address, python) in entries.items()
        }
        for name, contender in contenders.items():
            bench.durability[f"{figure}: {name}"] = contender.durability
            contender.take_turn(count=pairs)
        turns = {name: _turn(contender, pairs) for name, contender in contenders.items()}
        return interleave(turns, rounds)


def _turn(contender: Contender, pairs: int) -> Any:
    return lambda: mean([sum(waits) for waits in contender.take_turn(count=pairs)])
