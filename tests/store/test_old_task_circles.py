"""A journal may hold a circle of tasks from before they were refused: it is read, and can be mended."""

import pytest

from tallystick import InvalidArgument, Journal
from tallystick.operations import tasks


def test_a_recorded_circle_is_read_and_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal.open("memory:") as journal:
        with monkeypatch.context() as before:
            before.setattr(tasks, "_check_parents", lambda *arguments: None)
            journal.record_task(task_id="a", parent="b")
            journal.record_task(task_id="b", parent="a")
        assert journal.get_task(task_id="a").parent == "b"
        assert [each.task_id for each in journal.list_tasks(parent="a").tasks] == ["b"]
        with pytest.raises(InvalidArgument, match="c is a part of a is a part of b is a part of a"):
            journal.record_task(task_id="c", parent="a")
        journal.record_task(task_id="b")
        assert journal.record_task(task_id="c", parent="a").task_id == "c"


def test_the_depth_of_tasks_is_bounded() -> None:
    with Journal.open("memory:") as journal:
        for number in range(tasks.MAX_TASK_LEVELS):
            journal.record_task(task_id=f"t{number + 1}", parent=f"t{number}")
        with pytest.raises(InvalidArgument, match="at most 100 others"):
            journal.record_task(task_id="last", parent=f"t{tasks.MAX_TASK_LEVELS}")
