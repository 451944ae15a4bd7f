"""Answers that a client could not read, or the gateway could not: nobody is left waiting, and nothing is taken for done."""

from pathlib import Path

from tests.gateway.through import Behind, Through, configured, refused


def test_a_client_that_does_not_know_what_more_is_asked_for_is_told_that_the_call_is_in_doubt(tmp_path: Path) -> None:
    behind = Behind(tmp_path, "one", "modern")
    with Through(tmp_path, configured(behind), "legacy") as client:
        result = client.result("input")
        (action,) = client.actions()
    assert "resultType" not in result
    assert refused(result)["code"] == "in_doubt_open"
    assert "cannot be asked" in refused(result)["message"]
    assert action.state == "in_doubt"
