"""What we promise, and the mark by which a test says which promise it proves.

The promises stand in `promises.toml`. A door or store at which a promise cannot hold is named there with the reason;
a test is never skipped for it by hand.
"""

import tomllib
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct, convert

FILE = Path(__file__).with_name("promises.toml")


class Promise(Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence that holds. `not_at` names cells where it cannot, each with the reason."""

    sentence: str
    source: str
    not_at: dict[str, str] = {}


@cache
def promises() -> dict[str, Promise]:
    """Every promise by its id."""
    return convert(tomllib.loads(FILE.read_text()), dict[str, Promise])


def promise(id: str) -> pytest.MarkDecorator:
    """The mark of a test that would fail if the promise were broken."""
    return pytest.mark.promise(id)
