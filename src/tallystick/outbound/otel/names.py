"""The names that are sent: those of the OpenTelemetry conventions, and our own namespace for the rest.

The GenAI conventions have a repository of their own (open-telemetry/semantic-conventions-genai). It has no release yet:
its names are of status Development, and may change. The names here are of its schema `GENAI_SCHEMA`, as of October
2026, on top of the general conventions `GENERAL_CONVENTIONS`. A test compares them with the package
opentelemetry-semantic-conventions, as far as that has them.
"""

GENAI_SCHEMA = "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev"
GENERAL_CONVENTIONS = "1.44.0"

# ----------------------------------------------------------------------------------------------------------------------
# Conventions: attributes

OPERATION = "gen_ai.operation.name"
AGENT_NAME = "gen_ai.agent.name"
WORKFLOW_NAME = "gen_ai.workflow.name"
CONVERSATION_ID = "gen_ai.conversation.id"
TOOL_NAME = "gen_ai.tool.name"
TOOL_CALL_ID = "gen_ai.tool.call.id"
TOOL_ARGUMENTS = "gen_ai.tool.call.arguments"
TOOL_RESULT = "gen_ai.tool.call.result"
ERROR_TYPE = "error.type"
LOG_UID = "log.record.uid"
OVERFLOW = "otel.metric.overflow"
SERVICE_NAME = "service.name"
SERVICE_VERSION = "service.version"
SERVICE_INSTANCE = "service.instance.id"

# Conventions: values of gen_ai.operation.name, which begin the names of their spans
INVOKE_AGENT = "invoke_agent"
INVOKE_WORKFLOW = "invoke_workflow"
EXECUTE_TOOL = "execute_tool"
PLAN = "plan"
OTHER_ERROR = "_OTHER"
"""The value of error.type that the conventions have for an error without a class."""

# Conventions: metrics
TOOL_DURATION = "gen_ai.execute_tool.duration"
AGENT_DURATION = "gen_ai.invoke_agent.duration"
WORKFLOW_DURATION = "gen_ai.invoke_workflow.duration"

# ----------------------------------------------------------------------------------------------------------------------
# Our own

PREFIX = "tallystick."
JOURNAL = "tallystick.journal"
SEQ = "tallystick.seq"
ENTRY_ID = "tallystick.id"
EXECUTION_ID = "tallystick.execution.id"
EXECUTION_STATUS = "tallystick.execution.status"
LEFT = "tallystick.left."
"""Counts of what was unfinished when an execution ended, such as `tallystick.left.in_doubt`."""
ENGINE = "tallystick.engine"
PLAN_ID = "tallystick.plan.id"
PLAN_REVISION = "tallystick.plan.revision"
PLAN_STEPS = "tallystick.plan.steps"
TASK_ID = "tallystick.task.id"
SESSION_ID = "tallystick.session.id"
ACTOR_KIND = "tallystick.actor.kind"
ACTOR_NAME = "tallystick.actor.name"
WITNESS = "tallystick.witness"
ACTION_ID = "tallystick.action.id"
ACTION_KIND = "tallystick.action.kind"
STEP_ID = "tallystick.step.id"
OUTCOME = "tallystick.outcome"
REASON = "tallystick.reason"
ATTEMPT = "tallystick.attempt"
EFFECT = "tallystick.effect"
CANCELLABLE = "tallystick.cancellable"
PERMISSION = "tallystick.permission"
UNDOES = "tallystick.undoes"
SETTLES = "tallystick.settles"
CONTRADICTS = "tallystick.contradicts"
LATE = "tallystick.late"
AFTER_THE_FACT = "tallystick.after_the_fact"
OUT_OF_ORDER = "tallystick.out_of_order"
DECISION = "tallystick.decision"
APPROVAL_ID = "tallystick.approval.id"
VERDICT = "tallystick.verdict"
CREDENTIAL = "tallystick.credential"
CHANNEL = "tallystick.channel"
TITLE = "tallystick.title"
BODY = "tallystick.body"
LINK = "tallystick.link"
SIGNAL = "tallystick.signal"

IN_DOUBT = "in_doubt"
"""The outcome of an action of which nobody knows what came, and the last part of the name of its event."""
IN_DOUBT_EVENT = "tallystick.in_doubt"

# Our own metrics
ACTIONS = "tallystick.actions"
SETTLEMENTS = "tallystick.settlements"
EXECUTIONS = "tallystick.executions"
DECISIONS = "tallystick.decisions"
APPROVALS = "tallystick.approvals"
APPROVAL_DURATION = "tallystick.approval.duration"
DOUBTS_NOW = "tallystick.in_doubt"
REJECTED = "tallystick.export.rejected"
