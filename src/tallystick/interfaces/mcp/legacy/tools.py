"""All calls of the earlier designs: their names, their arguments as they were, and what translates them."""

from collections.abc import Iterable

from tallystick.interfaces.mcp.legacy import plan_ledger, plan_log, steps
from tallystick.interfaces.mcp.legacy.translate import Old, Recorded
from tallystick.interfaces.mcp.schemas import Schema
from tallystick.operations.runtime.receipts import (
    ActionReceipt,
    ContextReceipt,
    DecisionReceipt,
    ExecutionReceipt,
    PlanReceipt,
)

_PLAN_NAMES = {
    "title": "name",
    "goal": "description",
    "arguments": "parameters",
    "after": "depends_on",
    "undo": "compensation",
}
_LOG_NAMES = {
    "step": "step_number",
    "summary": "description",
    "confidence": "agent_confidence",
    "before": "before_state",
    "after": "after_state",
    "error": "error_message",
}
_CONTEXT_NAMES = {"key": "context_key", "value": "context_value", "type": "context_type", "text": "query"}


def _one_of(words: Iterable[str]) -> Schema:
    return {"enum": list(words)}


LEDGER = (
    Old(
        name="record_plan",
        description="Save a plan: for each step what it depends on, whether it can be cancelled, and how to undo it.",
        takes=("name", "description", "steps"),
        requires=("name", "steps"),
        schemas={"steps": steps.LEDGER},
        within={"steps": steps.LEDGER_NAMES},
        ours=_PLAN_NAMES,
        run=plan_ledger.save_plan,
        stands_for="record_plan",
        result=PlanReceipt,
    ),
    Old(
        name="save_plan",
        description="Save a plan before acting. Returns its handle, step ids and warnings.",
        takes=("name", "description", "steps"),
        requires=("name", "steps"),
        schemas={"steps": steps.LEDGER},
        within={"steps": steps.LEDGER_NAMES},
        ours=_PLAN_NAMES,
        run=plan_ledger.save_plan,
        stands_for="record_plan",
        result=PlanReceipt,
    ),
    Old(
        name="record_execution_start",
        description="Record that an execution of a plan starts. Nothing is run.",
        takes=("plan_id", "notes"),
        run=plan_ledger.record_execution_start,
        stands_for="record_execution_start",
        result=ExecutionReceipt,
    ),
    Old(
        name="execute_plan",
        description="Record that a plan is carried out now. Nothing is run: carry out the steps yourself.",
        takes=("plan_id", "notes"),
        requires=("plan_id",),
        run=plan_ledger.execute_plan,
        stands_for="record_execution_start",
        result=ExecutionReceipt,
    ),
    Old(
        name="control",
        description="Start (also by plan_id), pause, resume or cancel an execution. It records, and runs nothing.",
        takes=("execution_id", "action", "reason", "plan_id"),
        requires=("action",),
        schemas={"action": _one_of(plan_ledger.CONTROLS)},
        ours={"why": "reason"},
        run=plan_ledger.control,
        stands_for="record_execution_start",
        result=Recorded,
    ),
    Old(
        name="record_decision",
        description="Record a decision to stop or to continue, with the reason.",
        takes=("execution_id", "action", "reason", "details"),
        requires=("action", "reason"),
        schemas={"action": _one_of(("stop", "continue"))},
        ours={"decision": "action", "why": "reason", "step": "step_id"},
        run=plan_ledger.record_decision,
        stands_for="record_decision",
        result=DecisionReceipt,
    ),
    Old(
        name="record_action",
        description="Record something that was done about a step, such as a clean-up or a rollback.",
        takes=("execution_id", "step_id", "action_type", "description"),
        requires=("action_type", "description"),
        schemas={"action_type": _one_of(plan_ledger.ACTIONS)},
        ours={"summary": "description", "step": "step_id", "arguments": "parameters"},
        run=plan_ledger.record_action,
        stands_for="record_action",
        result=ActionReceipt,
    ),
    Old(
        name="record_compensation",
        description="Record that a step was undone, or that its undo began (status in_progress).",
        takes=("execution_id", "step_id", "description", "tool", "parameters", "result", "status"),
        requires=("step_id", "description"),
        schemas={"status": _one_of(plan_ledger.OUTCOMES)},
        ours={"summary": "description", "step": "step_id", "arguments": "parameters"},
        run=plan_ledger.record_compensation,
        stands_for="record_action",
        result=Recorded,
    ),
    Old(
        name="status",
        description="How far an execution is: its steps, what is in doubt, what is owed.",
        takes=("execution_id", "include_step_details", "include_events"),
        run=plan_ledger.status,
        stands_for="query_ledger",
    ),
    Old(
        name="query_ledger",
        description="Read the journal: one execution, or a list of executions, plans or events.",
        takes=plan_ledger.TAKES,
        schemas={"query_type": _one_of(plan_ledger.TYPES)},
        ours={"status": "status_filter"},
        run=plan_ledger.query_history,
        stands_for="query_ledger",
    ),
    Old(
        name="query_history",
        description="Read the journal: one execution, or a list of executions, plans or events.",
        takes=plan_ledger.TAKES,
        schemas={"query_type": _one_of(plan_ledger.TYPES)},
        ours={"status": "status_filter"},
        run=plan_ledger.query_history,
        stands_for="query_ledger",
    ),
    Old(
        name="cleanup_history",
        description="Refused: an agent deletes nothing from an audit record. It says who can erase, and how.",
        takes=("older_than_days", "dry_run"),
        run=plan_ledger.cleanup_history,
        stands_for="query_ledger",
    ),
)
"""The plan-and-ledger family."""
LOGS = (
    Old(
        name="create_plan",
        description="Save a plan for a task, and start an execution of it.",
        takes=("task_id", "plan_type", "steps", "reasoning"),
        requires=("task_id", "steps"),
        schemas={"steps": steps.NUMBERED},
        within={"steps": steps.NUMBERED_NAMES},
        ours={"type": "plan_type", "estimate": "estimated_duration", "title": "action"},
        run=plan_log.create_plan,
        stands_for="record_execution_start",
        result=Recorded,
    ),
    Old(
        name="update_plan",
        description="Say where a plan is: the step reached, its status, and why.",
        takes=("plan_id", "current_step", "status", "agent_reasoning"),
        requires=("plan_id",),
        schemas={"status": _one_of(plan_log.DECISIONS)},
        within={"steps": steps.NUMBERED_NAMES},
        ours={"step": "current_step", "why": "agent_reasoning", "reason": "agent_reasoning"},
        run=plan_log.update_plan,
        stands_for="record_action",
        result=Recorded,
    ),
    Old(
        name="add_log",
        description="Log what is done on a plan: start_step before a step, complete_step after it (with error_message "
        "when it failed), or any other type as a note.",
        takes=(
            *("plan_id", "step_number", "action_type", "description", "entity_id", "entity_type", "before_state"),
            *("after_state", "agent_confidence", "error_message"),
        ),
        requires=("plan_id", "action_type"),
        ours=_LOG_NAMES,
        run=plan_log.add_log,
        stands_for="record_action",
        result=Recorded,
    ),
    Old(
        name="set_context",
        description="Remember a value for a task. The newest wins, old values stay in history.",
        takes=("task_id", "plan_id", "context_type", "context_key", "context_value", "metadata"),
        requires=("context_key", "context_value"),
        schemas={"context_type": {"type": "string", "description": "e.g. research, decisions, blockers, files"}},
        ours=_CONTEXT_NAMES,
        run=plan_log.set_context,
        stands_for="record_context",
        result=ContextReceipt,
    ),
    Old(
        name="get_context",
        description="Read what is remembered for a task: one value by its key, or all.",
        takes=plan_log.CONTEXT,
        ours=_CONTEXT_NAMES,
        run=plan_log.get_context,
        stands_for="query_ledger",
    ),
    Old(
        name="query_context",
        description="Find what is remembered, by task, type or words.",
        takes=plan_log.CONTEXT,
        ours=_CONTEXT_NAMES,
        run=plan_log.get_context,
        stands_for="query_ledger",
    ),
    Old(
        name="get_plan",
        description="Read a plan and how far it is, with its logs and context if wanted.",
        takes=("plan_id", "include_logs", "include_context"),
        requires=("plan_id",),
        run=plan_log.get_plan,
        stands_for="query_ledger",
    ),
    Old(
        name="query_plans",
        description="List plans, by task, status or type.",
        takes=("task_id", "status", "plan_type", "limit"),
        schemas={"status": _one_of(plan_log.DECISIONS)},
        ours={"type": "plan_type"},
        run=plan_log.query_plans,
        stands_for="query_ledger",
    ),
    Old(
        name="query_logs",
        description="List what was logged, the newest first, by plan, task, type or time.",
        takes=("plan_id", "task_id", "action_type", "start_date", "end_date", "limit"),
        ours={"since": "start_date", "until": "end_date", "tool": "action_type"},
        run=plan_log.query_logs,
        stands_for="query_ledger",
    ),
)
"""The plan-log-context family."""
