"""A figure of the benchmarks: its title, its limit, and the measured value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

Verdict = Literal["met", "within", "missed", "context"]


@dataclass(frozen=True, slots=True)
class Aim:
    """The limit of a figure, and a better target value."""

    bound: float
    target: float | None = None
    higher_is_better: bool = False

    def verdict(self, measured: float) -> Verdict:
        if self._reaches(measured, self.bound if self.target is None else self.target):
            return "met"
        return "within" if self._reaches(measured, self.bound) else "missed"

    def __str__(self) -> str:
        limit = "at least" if self.higher_is_better else "at most"
        bound = f"{limit} {self.bound:.3g}"
        return bound if self.target is None else f"{bound}, target {self.target:.3g}"

    def _reaches(self, measured: float, value: float) -> bool:
        return measured >= value if self.higher_is_better else measured <= value


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. `low` and `high` are quartiles over the rounds, unless the notes say otherwise."""

    name: str
    title: str
    measured: float
    unit: str = "times"
    aim: Aim | None = None
    low: float | None = None
    high: float | None = None
    notes: str = ""

    @property
    def verdict(self) -> Verdict:
        return "context" if self.aim is None else self.aim.verdict(self.measured)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "aim": None if self.aim is None else str(self.aim), "verdict": self.verdict}


LARGE = 1_000_000


@dataclass(frozen=True, slots=True)
class Bench:
    """The argument of every benchmark: a folder for stores, whether to be quick, and a log function."""

    folder: Path
    quick: bool
    log: Callable[[str], None]
    entries: int = LARGE
    """In the large store of the growth figures, unless the run is quick."""
    durability: dict[str, str] = field(default_factory=dict)

    def amount(self, full: int, quick: int) -> int:
        return quick if self.quick else full
