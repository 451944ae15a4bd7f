"""Every way in which a tool refuses an agent, provoked for real: one call for each, after its preparation."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from tallystick import Journal
from tallystick.core.types import Verdict
from tests.interfaces.mcp.in_process_client import Lines

Refusal = Callable[[Lines], dict[str, Any]]
"""Leads a fresh journal to where a call is refused, and makes that call."""

LONG = "x" * 5_000
STEPS = [{"id": "copy", "title": "Copy the files", "cancellable": "reversible", "undo": "delete the copy"}]
DENSE = "日本語の引数名" * 700
"""A text of which each character is a token or more."""


def _call(tool: str, /, **arguments: Any) -> Refusal:
    return lambda lines: lines.call(tool, **arguments)


def _begun(lines: Lines, **more: Any) -> str:
    action: str = lines.result_of("record_action", phase="begin", summary="copying", **more)["id"]
    return action


def _done(lines: Lines, **more: Any) -> str:
    action = _begun(lines, **more)
    lines.result_of("record_action", phase="end", action_id=action, outcome="ok", summary="copied")
    return action


def _planned(lines: Lines, **more: Any) -> str:
    steps = [
        {"id": "copy", "title": "Copy the files", "cancellable": "reversible", "undo": "delete the copy", **more},
        {"id": "switch", "title": "Switch over", "cancellable": "irreversible", "tool": "switch"},
    ]
    execution: str = lines.result_of("record_plan", title="Move the site", steps=steps, start=True)["execution_id"]
    return execution


def _started(lines: Lines) -> str:
    execution: str = lines.result_of("record_execution_start", title="some work")["id"]
    return execution


def _retries_one_of_two(lines: Lines) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [
        {"id": id, "title": id, "undo": "take it back", "after": []} for id in ("copy", "move")
    ]
    lines.result_of("record_plan", title="Move the site", steps=steps, start=True)
    for id in ("copy", "move"):
        lines.result_of("record_action", phase="done", step=id, outcome="failed", summary="it broke")
    return lines.call("record_decision", decision="retry", why="the network is back")


def _missing_phase(lines: Lines) -> dict[str, Any]:
    _started(lines)
    return lines.call("record_action", summary="copying")


def _end_of_nothing(lines: Lines) -> dict[str, Any]:
    _started(lines)
    return lines.call("record_action", phase="end", outcome="ok", summary="copied")


def _too_large(lines: Lines) -> dict[str, Any]:
    _started(lines)
    return lines.call("record_action", phase="begin", summary="copying", arguments={"text": "x" * (2 << 20)})


def _no_execution_of_that_name(lines: Lines) -> dict[str, Any]:
    for _ in range(7):
        _started(lines)
    return lines.call("record_decision", execution_id="ex_zzzz", decision="continue", why="it goes well")


def _several_are_open(lines: Lines) -> dict[str, Any]:
    for _ in range(7):
        _started(lines)
    return lines.call("record_action", phase="begin", summary="copying", tool="cp")


def _has_ended(lines: Lines) -> dict[str, Any]:
    execution = _started(lines)
    lines.result_of("record_decision", decision="stop", why="enough")
    return lines.call("record_action", execution_id=execution, phase="begin", summary="copying", tool="cp")


def _is_paused(lines: Lines) -> dict[str, Any]:
    _started(lines)
    lines.result_of("record_decision", decision="pause", why="lunch")
    return lines.call("record_action", phase="begin", summary="copying", tool="cp")


def _resumes_what_runs(lines: Lines) -> dict[str, Any]:
    _started(lines)
    return lines.call("record_decision", decision="resume", why="lunch is over")


def _comes_later(lines: Lines) -> dict[str, Any]:
    _planned(lines)
    return lines.call("record_action", phase="begin", step="switch", summary="switching")


def _is_under_way(lines: Lines) -> dict[str, Any]:
    _planned(lines)
    _begun(lines, step="copy", tool="cp")
    return lines.call("record_action", phase="begin", step="copy", tool="cp", summary="copying")


def _is_not_all_done(lines: Lines) -> dict[str, Any]:
    _planned(lines)
    _begun(lines, step="copy", tool="cp")
    return lines.call("record_decision", decision="done", why="it is good enough")


def _is_not_put_back(lines: Lines) -> dict[str, Any]:
    _started(lines)
    _done(lines, tool="lock", undo="open it", temporary=True)
    return lines.call("record_decision", decision="done", why="it is good enough")


def _ends_twice(lines: Lines) -> dict[str, Any]:
    _started(lines)
    action = _done(lines, tool="cp")
    return lines.call("record_action", phase="end", action_id=action, outcome="failed", summary="it was not")


def _was_done(lines: Lines) -> dict[str, Any]:
    _started(lines)
    _done(lines, tool="cp", arguments={"from": "a", "to": "b"})
    return lines.call("record_action", phase="begin", tool="cp", arguments={"from": "a", "to": "b"}, summary="copying")


def _step_was_done(lines: Lines) -> dict[str, Any]:
    _planned(lines)
    _done(lines, step="copy", tool="cp")
    return lines.call("record_action", phase="begin", step="copy", tool="cp", summary="copying")


def _was_undone(lines: Lines) -> dict[str, Any]:
    _started(lines)
    action = _done(lines, tool="cp", undo="delete the copy")
    _done(lines, tool="rm", kind="undo", undoes=action)
    return lines.call("record_action", phase="begin", tool="rm", kind="undo", undoes=action, summary="deleting")


def _unknown_outcome(lines: Lines, **more: Any) -> str:
    action = _begun(lines, **more)
    lines.result_of("record_action", phase="end", action_id=action, outcome="unknown", summary="the line went dead")
    return action


def _is_in_doubt(lines: Lines) -> dict[str, Any]:
    _started(lines)
    _unknown_outcome(lines, tool="cp")
    return lines.call("record_action", phase="begin", tool="cp", summary="copying")


def _step_is_in_doubt(lines: Lines) -> dict[str, Any]:
    _planned(lines)
    _unknown_outcome(lines, step="copy", tool="cp")
    return lines.call("record_action", phase="begin", step="switch", tool="switch", summary="switching")


def _needs_approval(lines: Lines) -> dict[str, Any]:
    _planned(lines, needs_approval=True)
    return lines.call("record_action", phase="begin", step="copy", tool="cp", summary="copying")


def _is_not_answered(lines: Lines) -> dict[str, Any]:
    _started(lines)
    arguments = {"question": "May I pay?", "tool": "pay", "arguments": {"amount": 1200}}
    lines.result_of("record_decision", decision="ask_human", why="it costs money", **arguments)
    return lines.call("record_action", phase="begin", tool="pay", arguments={"amount": 1200}, summary="paying")


def _answered(lines: Lines, verdict: Verdict, **more: Any) -> str:
    """A step that a person was asked about, and answered."""
    execution = _planned(lines, needs_approval=True, tool="cp", arguments={"to": "b"})
    asked = {"decision": "ask_human", "step": "copy", "why": "costly", "question": "May I?"}
    approval: str = lines.result_of("record_decision", execution_id=execution, **asked)["approval_id"]
    if not lines.journal.list_credentials().credentials:
        lines.secret = lines.journal.add_credential(name="ada").secret
    with Journal.open(lines.url, journal="tests", credential=lines.secret) as person:
        person.decide_approval(approval_id=approval, verdict=verdict, **more)
    return approval


def _is_answered(lines: Lines) -> dict[str, Any]:
    _answered(lines, "approve")
    return lines.call("record_action", phase="begin", step="copy", summary="copying")


def _is_answered_with_an_edit(lines: Lines) -> dict[str, Any]:
    approval = _answered(lines, "edit", arguments={"to": "c"})
    return lines.call("record_action", phase="begin", step="copy", summary="copying", approval_id=approval)


def _approval_is_used(lines: Lines) -> dict[str, Any]:
    approval = _answered(lines, "approve")
    action = _begun(lines, step="copy", approval_id=approval)
    lines.result_of("record_action", phase="end", action_id=action, outcome="failed", summary="no")
    lines.result_of("record_decision", decision="retry", step="copy", why="it was down")
    return lines.call("record_action", phase="begin", step="copy", summary="copying", approval_id=approval)


def _approval_is_for_another(lines: Lines) -> dict[str, Any]:
    approval = _answered(lines, "approve")
    about = {"execution_id": _planned(lines, needs_approval=True), "step": "copy", "approval_id": approval}
    return lines.call("record_action", phase="begin", summary="copying", **about)


def _undoes_what_is_under_way(lines: Lines) -> dict[str, Any]:
    _planned(lines)
    action = _begun(lines, step="copy")
    return lines.call("record_action", phase="begin", kind="undo", undoes=action, summary="deleting")


def _undoes_nothing(lines: Lines) -> dict[str, Any]:
    _planned(lines)
    return lines.call("record_action", phase="begin", kind="undo", summary="deleting")


def _undoes_an_undo(lines: Lines) -> dict[str, Any]:
    _planned(lines)
    undo = _done(lines, kind="undo", undoes=_done(lines, step="copy"))
    return lines.call("record_action", phase="begin", kind="undo", undoes=undo, summary="deleting")


def _is_being_undone(lines: Lines) -> dict[str, Any]:
    _planned(lines)
    action = _done(lines, step="copy")
    _begun(lines, kind="undo", undoes=action)
    return lines.call("record_action", phase="begin", kind="undo", undoes=action, summary="deleting")


def _several_can_end(lines: Lines) -> dict[str, Any]:
    _started(lines)
    for tool in ("cp", "mv"):
        _begun(lines, tool=tool)
    return lines.call("record_action", phase="end", outcome="ok", summary="copied")


def _step_before_is_under_way(lines: Lines) -> dict[str, Any]:
    _planned(lines)
    _begun(lines, step="copy")
    return lines.call("record_action", phase="begin", step="switch", summary="switching")


def _no_revision(lines: Lines) -> dict[str, Any]:
    _planned(lines)
    return lines.call("record_decision", decision="replan", why="it is slow")


def _no_plan(lines: Lines) -> dict[str, Any]:
    _started(lines)
    return lines.call("record_decision", decision="replan", why="it is slow")


def _starts_while_open(lines: Lines) -> dict[str, Any]:
    plan = lines.result_of("record_plan", title="Move", steps=STEPS, start=True)["id"]
    return lines.call("record_plan", title="Move", steps=STEPS, plan_id=plan, reason="slow", start=True)


def _plan_is_retired(lines: Lines) -> dict[str, Any]:
    plan = lines.result_of("record_plan", title="Move", steps=STEPS)["id"]
    lines.journal.retire_plan(plan_id=plan, status="cancelled", reason="no need")
    return lines.call("record_execution_start", plan_id=plan)


def _recorded_plan_is_not_open(lines: Lines) -> dict[str, Any]:
    lines.result_of("record_plan", title="Move", steps=STEPS)
    return lines.call("record_action", phase="begin", step="copy", summary="copying")


def _unknown_key(lines: Lines) -> dict[str, Any]:
    lines.result_of("record_context", key="deploy.target", value="eu-1")
    return lines.call("query_ledger", view="context", filter="key:deploy.targt")


def _same_key(lines: Lines) -> dict[str, Any]:
    lines.result_of("record_execution_start", title="some work", key="monday")
    return lines.call("record_execution_start", title="other work", key="monday")


def _store_is_broken(lines: Lines) -> dict[str, Any]:
    _started(lines)
    with apsw.Connection(lines.url.removeprefix("sqlite://")) as database:
        database.execute("drop table bodies")
    return lines.call("record_action", phase="begin", tool="cp", summary="copying")


def _file_was_replaced(lines: Lines) -> dict[str, Any]:
    _started(lines)
    database = Path(lines.url.removeprefix("sqlite://"))
    for file in (database, database.with_name(f"{database.name}-wal")):
        with file.open("r+b") as open_file:
            open_file.write(b"a letter to the bank " * (file.stat().st_size // 21))
    return lines.call("query_ledger", view="journal")


def _journal_is_closed(lines: Lines) -> dict[str, Any]:
    lines.journal.close()
    return lines.call("query_ledger")


REFUSALS: dict[str, dict[str, Refusal]] = {
    "invalid_argument": {
        "a view that is none": _call("query_ledger", view="nope"),
        "a view of a dense script": _call("query_ledger", view=DENSE),
        "an argument that is none": _call("record_action", phase="begin", summary="copying", sumary="again"),
        "an argument with a long name": _call("record_action", phase="begin", summary="copying", **{LONG: 1}),
        "an argument in a dense script": _call("record_plan", **{DENSE: 1}),
        "a phase that is none": _call("record_action", phase="middle", summary="copying"),
        "no phase": _missing_phase,
        "a number for a text": _call("record_context", key=5, value="x"),
        "a text for a list": _call("record_plan", title="Move", steps="copy it"),
        "a step with no title": _call("record_plan", title="Move", steps=[{"cancellable": "reversible"}]),
        "a step that says maybe": _call("record_plan", title="Move", steps=[{"title": "x", "cancellable": "maybe"}]),
        "an outcome without an action": _end_of_nothing,
        "a limit over the largest": _call("query_ledger", view="journal", limit=1_000),
        "a filter that the view lacks": _call("query_ledger", view="plans", filter="colour:red"),
        "a filter with no value": _call("query_ledger", view="journal", filter="failed"),
        "a filter with an open quote": _call("query_ledger", view="journal", filter='tool:"Bash'),
        "a cursor of nowhere": _call("query_ledger", view="journal", cursor="last week"),
        "a decision that is none": _call("record_decision", decision="perhaps", why="who knows"),
        "a reason that is called so": _call("record_decision", decision="continue", reason="all is well"),
        "a step that is text": _call("record_plan", title="Move", steps=["copy it"]),
        "an undo of nothing": _undoes_nothing,
        "an undo of an undo": _undoes_an_undo,
        "an end where several are open": _several_can_end,
        "a retry where several have failed": _retries_one_of_two,
    },
    "too_large": {"two megabytes of arguments": _too_large},
    "unknown_handle": {
        "nothing is open": _call("record_action", phase="begin", summary="copying", tool="cp"),
        "no such execution": _no_execution_of_that_name,
        "no such plan": _call("record_execution_start", plan_id="pl_zzzz"),
        "no such action": _call("record_action", phase="end", action_id="ac_zzzz", outcome="ok", summary="copied"),
        "a handle of a dense script": _call("record_execution_start", plan_id=DENSE[:60]),
        "a plan is not started": _recorded_plan_is_not_open,
        "no plan to revise": _no_plan,
        "no such key": _unknown_key,
    },
    "ambiguous_execution": {"seven are open": _several_are_open},
    "wrong_state": {
        "it has ended": _has_ended,
        "it is paused": _is_paused,
        "it runs already": _resumes_what_runs,
        "another step comes first": _comes_later,
        "it is under way": _is_under_way,
        "it is not all done": _is_not_all_done,
        "something temporary is left": _is_not_put_back,
        "it ends twice": _ends_twice,
        "the step before is under way": _step_before_is_under_way,
        "it is answered": _is_answered,
        "it is answered with an edit": _is_answered_with_an_edit,
        "the approval is used": _approval_is_used,
        "the approval is for another": _approval_is_for_another,
        "what is undone is under way": _undoes_what_is_under_way,
        "it is being undone": _is_being_undone,
        "the plan has no revision": _no_revision,
        "the plan has an open execution": _starts_while_open,
        "the plan is retired": _plan_is_retired,
    },
    "already_done": {"the same call": _was_done, "the same step": _step_was_done, "the same undo": _was_undone},
    "in_doubt_open": {
        "the same call": _is_in_doubt,
        "the step before": _step_is_in_doubt,
    },
    "approval_pending": {"the step needs it": _needs_approval, "nobody has answered": _is_not_answered},
    "conflict": {"the same key with other content": _same_key},
    "storage_unavailable": {
        "a broken store": _store_is_broken,
        "a closed journal": _journal_is_closed,
        "another file in its place": _file_was_replaced,
    },
}
