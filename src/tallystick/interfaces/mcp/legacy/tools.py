"""The table of all legacy tools: names, descriptions, parameters, and the functions that translate them."""

from collections.abc import Iterable

from tallystick.interfaces.mcp.legacy import plan_ledger, plan_log, steps
from tallystick.interfaces.mcp.legacy.translate import LegacyCall, Recorded
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
    LegacyCall(
        name="record_plan",
        description="Save a plan: for each step what it depends on, whether it can be cancelled, and how to undo it.",
        parameters=("name", "description", "steps"),
        required=("name", "steps"),
        schemas={"steps": steps.LEDGER},
        nested={"steps": steps.LEDGER_NAMES},
        renamed=_PLAN_NAMES,
        run=plan_ledger.save_plan,
        current_name="record_plan",
        result=PlanReceipt,
    ),
    LegacyCall(
        name="save_plan",
        description="Save a plan before acting. Returns its handle, step ids and warnings.",
        parameters=("name", "description", "steps"),
        required=("name", "steps"),
        schemas={"steps": steps.LEDGER},
        nested={"steps": steps.LEDGER_NAMES},
        renamed=_PLAN_NAMES,
        run=plan_ledger.save_plan,
        current_name="record_plan",
        result=PlanReceipt,
    ),
    LegacyCall(
        name="record_execution_start",
        description="Record that an execution of a plan starts. Nothing is run.",
        parameters=("plan_id", "notes"),
        run=plan_ledger.record_execution_start,
        current_name="record_execution_start",
        result=ExecutionReceipt,
    ),
    LegacyCall(
        name="execute_plan",
        description="Record that a plan is carried out now. Nothing is run: carry out the steps yourself.",
        parameters=("plan_id", "notes"),
        required=("plan_id",),
        run=plan_ledger.execute_plan,
        current_name="record_execution_start",
        result=ExecutionReceipt,
    ),
    LegacyCall(
        name="control",
        description="Start (also by plan_id), pause, resume or cancel an execution. It records, and runs nothing.",
        parameters=("execution_id", "action", "reason", "plan_id"),
        required=("action",),
        schemas={"action": _one_of(plan_ledger.CONTROLS)},
        renamed={"why": "reason"},
        run=plan_ledger.control,
        current_name="record_execution_start",
        result=Recorded,
    ),
    LegacyCall(
        name="record_decision",
        description="Record a decision to stop or to continue, with the reason.",
        parameters=("execution_id", "action", "reason", "details"),
        required=("action", "reason"),
        schemas={"action": _one_of(("stop", "continue"))},
        renamed={"decision": "action", "why": "reason", "step": "step_id"},
        run=plan_ledger.record_decision,
        current_name="record_decision",
        result=DecisionReceipt,
    ),
    LegacyCall(
        name="record_action",
        description="Record something that was done about a step, such as a clean-up or a rollback.",
        parameters=("execution_id", "step_id", "action_type", "description"),
        required=("action_type", "description"),
        schemas={"action_type": _one_of(plan_ledger.ACTIONS)},
        renamed={"summary": "description", "step": "step_id", "arguments": "parameters"},
        run=plan_ledger.record_action,
        current_name="record_action",
        result=ActionReceipt,
    ),
    LegacyCall(
        name="record_compensation",
        description="Record that a step was undone, or that its undo began (status in_progress).",
        parameters=("execution_id", "step_id", "description", "tool", "parameters", "result", "status"),
        required=("step_id", "description"),
        schemas={"status": _one_of(plan_ledger.OUTCOMES)},
        renamed={"summary": "description", "step": "step_id", "arguments": "parameters"},
        run=plan_ledger.record_compensation,
        current_name="record_action",
        result=Recorded,
    ),
    LegacyCall(
        name="status",
        description="How far an execution is: its steps, what is in doubt, what is owed.",
        parameters=("execution_id", "include_step_details", "include_events"),
        run=plan_ledger.status,
        current_name="query_ledger",
    ),
    LegacyCall(
        name="query_ledger",
        description="Read the journal: one execution, or a list of executions, plans or events.",
        parameters=plan_ledger.HISTORY_PARAMETERS,
        schemas={"query_type": _one_of(plan_ledger.TYPES)},
        renamed={"status": "status_filter"},
        run=plan_ledger.query_history,
        current_name="query_ledger",
    ),
    LegacyCall(
        name="query_history",
        description="Read the journal: one execution, or a list of executions, plans or events.",
        parameters=plan_ledger.HISTORY_PARAMETERS,
        schemas={"query_type": _one_of(plan_ledger.TYPES)},
        renamed={"status": "status_filter"},
        run=plan_ledger.query_history,
        current_name="query_ledger",
    ),
    LegacyCall(
        name="cleanup_history",
        description="Refused: an agent deletes nothing from an audit record. It says who can erase, and how.",
        parameters=("older_than_days", "dry_run"),
        run=plan_ledger.cleanup_history,
        current_name="query_ledger",
    ),
)
"""The plan-and-ledger family."""
LOGS = (
    LegacyCall(
        name="create_plan",
        description="Save a plan for a task, and start an execution of it.",
        parameters=("task_id", "plan_type", "steps", "reasoning"),
        required=("task_id", "steps"),
        schemas={"steps": steps.NUMBERED},
        nested={"steps": steps.NUMBERED_NAMES},
        renamed={"type": "plan_type", "estimate": "estimated_duration", "title": "action"},
        run=plan_log.create_plan,
        current_name="record_execution_start",
        result=Recorded,
    ),
    LegacyCall(
        name="update_plan",
        description="Say where a plan is: the step reached, its status, and why.",
        parameters=("plan_id", "current_step", "status", "agent_reasoning"),
        required=("plan_id",),
        schemas={"status": _one_of(plan_log.DECISIONS)},
        nested={"steps": steps.NUMBERED_NAMES},
        renamed={"step": "current_step", "why": "agent_reasoning", "reason": "agent_reasoning"},
        run=plan_log.update_plan,
        current_name="record_action",
        result=Recorded,
    ),
    LegacyCall(
        name="add_log",
        description="Log what is done on a plan: start_step before a step, complete_step after it (with error_message "
        "when it failed), or any other type as a note.",
        parameters=(
            *("plan_id", "step_number", "action_type", "description", "entity_id", "entity_type", "before_state"),
            *("after_state", "agent_confidence", "error_message"),
        ),
        required=("plan_id", "action_type"),
        renamed=_LOG_NAMES,
        run=plan_log.add_log,
        current_name="record_action",
        result=Recorded,
    ),
    LegacyCall(
        name="set_context",
        description="Remember a value for a task. The newest wins, old values stay in history.",
        parameters=("task_id", "plan_id", "context_type", "context_key", "context_value", "metadata"),
        required=("context_key", "context_value"),
        schemas={"context_type": {"type": "string", "description": "e.g. research, decisions, blockers, files"}},
        renamed=_CONTEXT_NAMES,
        run=plan_log.set_context,
        current_name="record_context",
        result=ContextReceipt,
    ),
    LegacyCall(
        name="get_context",
        description="Read what is remembered for a task: one value by its key, or all.",
        parameters=plan_log.CONTEXT_PARAMETERS,
        renamed=_CONTEXT_NAMES,
        run=plan_log.get_context,
        current_name="query_ledger",
    ),
    LegacyCall(
        name="query_context",
        description="Find what is remembered, by task, type or words.",
        parameters=plan_log.CONTEXT_PARAMETERS,
        renamed=_CONTEXT_NAMES,
        run=plan_log.get_context,
        current_name="query_ledger",
    ),
    LegacyCall(
        name="get_plan",
        description="Read a plan and how far it is, with its logs and context if wanted.",
        parameters=("plan_id", "include_logs", "include_context"),
        required=("plan_id",),
        run=plan_log.get_plan,
        current_name="query_ledger",
    ),
    LegacyCall(
        name="query_plans",
        description="List plans, by task, status or type.",
        parameters=("task_id", "status", "plan_type", "limit"),
        schemas={"status": _one_of(plan_log.DECISIONS)},
        renamed={"type": "plan_type"},
        run=plan_log.query_plans,
        current_name="query_ledger",
    ),
    LegacyCall(
        name="query_logs",
        description="List what was logged, the newest first, by plan, task, type or time.",
        parameters=("plan_id", "task_id", "action_type", "start_date", "end_date", "limit"),
        renamed={"since": "start_date", "until": "end_date", "tool": "action_type"},
        run=plan_log.query_logs,
        current_name="query_ledger",
    ),
)
"""The plan-log-context family."""
