"""Loads the promises of `promises.toml`, and marks tests with the promise that they prove.

An interface or store at which a promise cannot hold is listed there with the reason; tests never skip it by hand.
"""

import tomllib
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct, convert

FILE = Path(__file__).with_name("promises.toml")


class Promise(Struct, frozen=True, forbid_unknown_fields=True):
    """One promise. `not_at` lists interfaces and stores where it cannot hold, each with the reason."""

    sentence: str
    source: str
    not_at: dict[str, str] = {}


@cache
def promises() -> dict[str, Promise]:
    """Return every promise by its id."""
    return convert(tomllib.loads(FILE.read_text()), dict[str, Promise])


def promise(id: str) -> pytest.MarkDecorator:
    """Return the mark of a test that proves a promise."""
    return pytest.mark.promise(id)
