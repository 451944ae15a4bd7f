"""The far side of `bench.processes`: one contender in its own process, asked over standard input.

It first prints a line with its durability. Then each line asks for a turn, `{"count": 100}` or
`{"seconds": 5.0}`, and is answered by one line: the waits of each pair. The end of the input ends it.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from typing import Any, TextIO

from bench.contenders.contender import Contestant, Waits


def main(name: str, place: str) -> None:
    answers = _keep_standard_output_for_answers()
    module = importlib.import_module(f"bench.contenders.{name}")
    with module.entered(place) as contestant:
        _answer(answers, {"durability": contestant.durability})
        reached = 0
        for line in sys.stdin:
            waits = _take_turn(contestant, reached, json.loads(line))
            reached += len(waits)
            _answer(answers, waits)


def _take_turn(contestant: Contestant, reached: int, asked: dict[str, float]) -> list[Waits]:
    if "count" in asked:
        return contestant.run(range(reached, reached + int(asked["count"])))
    until = time.perf_counter() + asked["seconds"]
    waits: list[Waits] = []
    while time.perf_counter() < until:
        number = reached + len(waits)
        waits += contestant.run(range(number, number + 1))
    return waits


def _keep_standard_output_for_answers() -> TextIO:
    """Peers print to standard output as they like; that goes to standard error, and answers stay readable."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _answer(answers: TextIO, value: Any) -> None:
    answers.write(json.dumps(value) + "\n")
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
