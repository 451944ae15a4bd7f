"""How complete the record is, in a journal that many others use too."""

import os

from tests.behaviour.test_correlation import HOOK, seen
from tests.matrix import Cell
from tests.promises import promise


@promise("coverage-is-stated")
def test_observers_are_listed_after_any_number_of_unobserved_sessions(cell: Cell) -> None:
    hook = cell.another(HOOK, witness="observed")
    opened = hook.open_session(kind="client", name="claude-code:1", client="claude-code", process=os.getpid()).id
    seen(cell.another(HOOK, witness="observed", session=opened), "a")
    for number in range(25):
        cell.journal.open_session(name=f"other:{number}")
    for client in (None, "claude-code"):
        (found,) = cell.journal.get_coverage(client=client).seen
        assert (found.observer.session, found.begun) == (opened, 1)
    assert cell.journal.get_coverage(client="codex").seen == ()
    assert cell.journal.get_stats().coverage["claude-code"].begun == 1
