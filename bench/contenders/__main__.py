"""Runs one contender in its own process (the child of `bench.processes`).

It first prints a line with its durability. Each line of standard input asks for a turn, `{"count": 100}` or
`{"seconds": 5.0}`, and is answered by one line: the waits of each pair. It ends with its input.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from typing import Any, TextIO

from bench.contenders.contender import Contender, Waits


def main(name: str, address: str) -> None:
    answers = _keep_standard_output_for_answers()
    module = importlib.import_module(f"bench.contenders.{name}")
    with module.open_contender(address) as contender:
        _answer(answers, {"durability": contender.durability})
        reached = 0
        for line in sys.stdin:
            waits = _take_turn(contender, reached, json.loads(line))
            reached += len(waits)
            _answer(answers, waits)


def _take_turn(contender: Contender, reached: int, amount: dict[str, float]) -> list[Waits]:
    if "count" in amount:
        return contender.run(range(reached, reached + int(amount["count"])))
    until = time.perf_counter() + amount["seconds"]
    waits: list[Waits] = []
    while time.perf_counter() < until:
        number = reached + len(waits)
        waits += contender.run(range(number, number + 1))
    return waits


def _keep_standard_output_for_answers() -> TextIO:
    """Redirect what libraries print to standard error, so that only answers are on standard output."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _answer(answers: TextIO, value: Any) -> None:
    answers.write(json.dumps(value) + "\n")
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
