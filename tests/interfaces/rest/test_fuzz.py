"""Requests made from the OpenAPI document: a seeded tenth of what `make torture` makes."""

from pathlib import Path

from tests.interfaces.rest.fuzz import fuzz


def test_no_request_is_answered_in_another_way_than_the_document_says(tmp_path: Path) -> None:
    assert fuzz(tmp_path, "tenth", "examples,fuzzing")["acknowledged"] > 500
