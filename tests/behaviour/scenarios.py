"""Scenarios that many behaviour tests begin with."""

from typing import Any

from tallystick import Journal, Step
from tallystick.operations.runtime.receipts import ActionReceipt, PlanReceipt, UndoListItem
from tallystick.operations.views.entries import EntryView
from tallystick.operations.views.execution_status import StepView


def start(journal: Journal, title: str = "some work", **more: Any) -> str:
    """An execution of no plan."""
    return journal.record_execution_start(title=title, **more).id


def begin(journal: Journal, tool: str | None = None, **more: Any) -> str:
    return journal.record_action(phase="begin", tool=tool, **more).id


def end(journal: Journal, action_id: str, outcome: Any = "ok", **more: Any) -> ActionReceipt:
    return journal.record_action(phase="end", action_id=action_id, outcome=outcome, **more)


def do(journal: Journal, tool: str | None = None, result: Any = None, **more: Any) -> str:
    """An action that was begun and ended well."""
    action = begin(journal, tool, **more)
    end(journal, action, "ok", result=result)
    return action


def fail(journal: Journal, tool: str | None = None, error: str = "it broke", **more: Any) -> str:
    action = begin(journal, tool, **more)
    end(journal, action, "failed", error=error)
    return action


def undo(journal: Journal, action_id: str, **more: Any) -> str:
    """A compensation that was begun and ended well."""
    action = begin(journal, kind="undo", undoes=action_id, **more)
    end(journal, action)
    return action


def step(id: str, **more: Any) -> Step:
    """A step that can be undone, unless `more` changes that."""
    arguments: dict[str, Any] = {"cancellable": "reversible", "undo": f"take back {id}", **more}
    return Step(id=id, title=f"The step {id}", **arguments)


def plan(journal: Journal, *steps: str | Step, **more: Any) -> PlanReceipt:
    """A plan; a step that is only a name is one that can be undone."""
    made = [step(each) if isinstance(each, str) else each for each in steps]
    return journal.record_plan(**{"title": "a plan", "steps": made, **more})


def planned(journal: Journal, *steps: str | Step, **more: Any) -> str:
    """An execution of a fresh plan with these steps."""
    return journal.record_execution_start(plan_id=plan(journal, *steps, **more).id).id


def entries(journal: Journal, **filters: Any) -> tuple[EntryView, ...]:
    """All entries that fit, in order."""
    found: list[EntryView] = []
    after, more = 0, True
    while more:
        page = journal.read_entries(**{"after": after, "limit": 100, **filters})
        found += page.entries
        after, more = page.last_seq, page.more
    return tuple(found)


def entry_at(journal: Journal, seq: int) -> EntryView:
    (found,) = journal.read_entries(after=seq - 1, limit=1).entries
    return found


def kinds(journal: Journal, **filters: Any) -> list[str]:
    return [entry.kind for entry in entries(journal, **filters)]


def steps_of(journal: Journal, execution_id: str) -> dict[str, StepView]:
    return {view.id: view for view in journal.get_status(execution_id=execution_id).steps}


def undo_list(journal: Journal, execution_id: str | None = None) -> list[UndoListItem]:
    return list(journal.get_undo_list(execution_id=execution_id, limit=100).items)


def owed(journal: Journal, execution_id: str | None = None) -> list[UndoListItem]:
    return list(journal.list_owed(execution_id=execution_id, limit=100).owed)


def status(journal: Journal, execution_id: str) -> str:
    return journal.get_status(execution_id=execution_id).execution.status
