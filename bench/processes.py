"""The near side of `bench.contenders`: contenders started in processes of their own and asked for turns."""

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
    """A contender's process ended before it answered; the message ends with what it printed last."""


class Contender:
    """One contender's process. `ask` and `answer` are apart: several can be asked before one is heard."""

    def __init__(self, name: str, place: str, python: str = sys.executable) -> None:
        self.name = name
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed by close()
        self._process = subprocess.Popen(
            [python, "-m", "bench.contenders", name, place],
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        self.durability: str = self.answer()["durability"]

    def take_turn(self, **asked: float) -> Waits:
        self.ask(**asked)
        waits: Waits = self.answer()
        return waits

    def ask(self, **asked: float) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()

    def answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ContenderFailed(f"contender {self.name} ended early:\n{self._last_words()}")
        return json.loads(line)

    def close(self) -> None:
        """End the process by ending its input; its own closing is not part of any figure."""
        self._process.communicate()
        self._errors.close()

    def _last_words(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")[-2000:]


@contextmanager
def entered(name: str, place: str, python: str = sys.executable) -> Iterator[Contender]:
    contender = Contender(name, place, python)
    try:
        yield contender
    finally:
        contender.close()


def compete(bench: Bench, figure: str, entries: Mapping[str, tuple[str, str]], rounds: int, pairs: int) -> Samples:
    """Seconds a pair for each contender and round. `entries` gives each name its place and its interpreter.

    Before the first round each takes one turn that is not counted, so that caches, statements and the WAL are
    warm.
    """
    with ExitStack() as stack:
        contenders = {
            name: stack.enter_context(entered(name, place, python)) for name, (place, python) in entries.items()
        }
        for name, contender in contenders.items():
            bench.durability[f"{figure}: {name}"] = contender.durability
            contender.take_turn(count=pairs)
        turns = {name: _turn(contender, pairs) for name, contender in contenders.items()}
        return interleave(turns, rounds)


def _turn(contender: Contender, pairs: int) -> Any:
    return lambda: mean([sum(waits) for waits in contender.take_turn(count=pairs)])
