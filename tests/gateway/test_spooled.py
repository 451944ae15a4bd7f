"""A journal that cannot be written: what is made meanwhile is spooled, and is never made twice for that reason."""

from pathlib import Path

from tests.gateway.test_policy import _locked as Unwritable
from tests.gateway.through import Behind, Through, configured, text_of


def _through(folder: Path, behind: Behind) -> Through:
    config = configured(behind, on_journal_failure="spool")
    return Through(folder, config, env={"TALLYSTICK_SPOOL": str(folder / "spool")})


def test_a_journal_that_was_never_written_holds_up_neither_reads_nor_what_is_spooled(tmp_path: Path) -> None:
    behind = Behind(tmp_path, "one")
    with _through(tmp_path, behind) as client:
        client.call("query_ledger")
        with Unwritable(tmp_path):
            looked, put = client.result("look", a=1), client.result("echo", a=1)
    assert [text_of(each).count("Warning: This call was not recorded") for each in (looked, put)] == [1, 1]
    assert (len(behind.calls("look")), len(behind.calls("echo"))) == (1, 1)


def test_what_was_spooled_is_answered_from_the_journal_once_it_was_taken_in(tmp_path: Path) -> None:
    behind = Behind(tmp_path, "one")
    with _through(tmp_path, behind) as client:
        client.call("query_ledger")
        with Unwritable(tmp_path):
            client.result("echo", a=1)
            assert client.refusal("echo", a=1)["code"] == "already_done"
        assert "recorded result" in text_of(client.result("echo", a=1))
        [action] = client.actions()
        client.call("record_decision", execution_id=action.execution_id, decision="retry", why="it is meant")
        assert "recorded result" not in text_of(client.result("echo", a=1))
    assert len(behind.calls("echo")) == 2


def test_a_gateway_that_comes_after_another_knows_what_that_has_spooled(tmp_path: Path) -> None:
    behind = Behind(tmp_path, "one")
    with _through(tmp_path, behind) as client:
        client.result("look")
        with Unwritable(tmp_path):
            client.result("echo", a=1)
            client.process.kill()
            with _through(tmp_path, behind) as another:
                assert another.refusal("echo", a=1)["code"] in ("already_done", "storage_unavailable")
    with _through(tmp_path, behind) as another:
        assert "recorded result" in text_of(another.result("echo", a=1))
    assert len(behind.calls("echo")) == 1
