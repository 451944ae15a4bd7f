"""The session of `tallystick run`: its own process, so that its death is seen at once."""

from tests.interfaces.cli.test_run import Folder, folder, step

__all__ = ["folder"]


def test_a_run_records_in_a_session_of_its_own_process_whatever_its_shell_recorded_before(folder: Folder) -> None:
    folder.shell.output("record", "note", "prompt", "--summary", "opens the session of this shell")
    plan = folder.plan(step("a"), title="Own")
    assert folder.run(plan).exit_code == 0
    assert folder.run(plan).exit_code == 0
    journal = folder.shell.journal
    kinds = {each.id: each.kind for each in journal.list_sessions(limit=100).sessions}
    entries = journal.read_entries(kind="action_begun", limit=100).entries
    assert [kinds[entry.session] for entry in entries] == ["process"] * len(entries)
    assert "handle" in kinds.values()
