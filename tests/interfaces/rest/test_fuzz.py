"""Requests made from the OpenAPI document: a seeded tenth of what `make torture` makes."""

from pathlib import Path

from tests.interfaces.rest.fuzz import fuzz


def test_every_response_conforms_to_the_document(tmp_path: Path) -> None:
    assert fuzz(tmp_path, "tenth", "examples,fuzzing")["acknowledged"] > 500
