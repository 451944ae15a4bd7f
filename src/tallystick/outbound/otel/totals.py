"""Metrics: totals since the first entry that was counted. They are kept beside the position, in the same transaction.

So a process that is killed counts the same entries again from the same totals, and sends the same values: OTLP calls
that cumulative. A receiver that gets a value twice has it once. Attributes are bounded: beyond `MAX_SERIES` of a
metric, further ones are counted together, under the attribute that the SDK's specification has for it.
"""

from bisect import bisect_left

from msgspec import Struct, field

from tallystick.core.entries import ActionDoubted, ActionEnded, DecisionRecorded, Entry
from tallystick.outbound.otel import names
from tallystick.outbound.otel.records import Attributes, SpanRecord
from tallystick.outbound.otel.spans import is_settlement, outcome_of

MAX_SERIES = 200
"""Combinations of attributes of one metric."""
SHORT_SECONDS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)
LONG_SECONDS = (1.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0, 7200.0)
"""Bucket bounds of the GenAI conventions for operations and for workflows."""


class Metric(Struct, frozen=True):
    """What a metric is. Without `bounds` it is a counter."""

    unit: str
    description: str
    bounds: tuple[float, ...] = ()


METRICS: dict[str, Metric] = {
    names.TOOL_DURATION: Metric("s", "How long tool calls took that ended.", SHORT_SECONDS),
    names.AGENT_DURATION: Metric("s", "How long executions without a plan took.", LONG_SECONDS),
    names.WORKFLOW_DURATION: Metric("s", "How long executions of a plan took.", LONG_SECONDS),
    names.APPROVAL_DURATION: Metric("s", "How long questions to people waited for their answer.", LONG_SECONDS),
    names.ACTIONS: Metric("{action}", "Actions that ended or came into doubt, by tool and outcome."),
    names.SETTLEMENTS: Metric("{action}", "Doubts that were settled, and outcomes that were contradicted."),
    names.EXECUTIONS: Metric("{execution}", "Executions that ended, by status."),
    names.DECISIONS: Metric("{decision}", "Decisions, by what was decided."),
    names.APPROVALS: Metric("{approval}", "Answers of people, by verdict."),
    names.REJECTED: Metric("{record}", "Records that the receiver rejected, by signal."),
}


class MetricSeries(Struct, omit_defaults=True):
    """One combination of attributes, with what was counted and measured under it."""

    attributes: Attributes
    count: int = 0
    sum: float = 0.0
    min: float = 0.0
    max: float = 0.0
    buckets: list[int] = field(default_factory=list)


class Totals(Struct, omit_defaults=True):
    """All that was counted. `start`: the time of the first entry that was."""

    start: int = 0
    series: dict[str, list[MetricSeries]] = field(default_factory=dict)

    def add(self, metric: str, attributes: Attributes, value: float | None = None, *, count: int = 1) -> None:
        """Count something; `value` is what was measured of it."""
        series, bounds = self._series(metric, attributes), METRICS[metric].bounds
        if value is not None:
            series.min = min(series.min, value) if series.count else value
            series.max = max(series.max, value)
            series.sum += value
            series.buckets = series.buckets or [0] * (len(bounds) + 1)
            series.buckets[bisect_left(bounds, value)] += 1
        series.count += count

    def _series(self, metric: str, attributes: Attributes) -> MetricSeries:
        known = self.series.setdefault(metric, [])
        found = next((each for each in known if each.attributes == attributes), None)
        if found is None and len(known) >= MAX_SERIES - 1:
            attributes = {names.OVERFLOW: True}
            found = next((each for each in known if each.attributes == attributes), None)
        if found is None:
            found = MetricSeries(attributes)
            known.append(found)
        return found

    def count_entry(self, entry: Entry, span: SpanRecord | None) -> None:
        """Count an entry, and measure the span that it ended."""
        self.start = self.start or entry.at
        if isinstance(entry.facts, DecisionRecorded):
            self.add(names.DECISIONS, {names.DECISION: entry.facts.decision})
        elif isinstance(entry.facts, ActionEnded | ActionDoubted) and span:
            self._count_action(outcome_of(entry.facts), span)
        elif span and names.VERDICT in span.attributes:
            verdict = _picked(span, names.VERDICT)
            self.add(names.APPROVALS, verdict)
            self.add(names.APPROVAL_DURATION, verdict, span.seconds)
        elif span and names.OPERATION in span.attributes:
            self._count_execution(span)

    def _count_action(self, outcome: str, span: SpanRecord) -> None:
        metric = names.SETTLEMENTS if is_settlement(span) else names.ACTIONS
        self.add(metric, _picked(span, names.TOOL_NAME, names.ACTION_KIND, names.OUTCOME))
        if outcome in ("ok", "failed") and names.OPERATION in span.attributes:
            self.add(
                names.TOOL_DURATION, _picked(span, names.OPERATION, names.TOOL_NAME, names.ERROR_TYPE), span.seconds
            )

    def _count_execution(self, span: SpanRecord) -> None:
        if names.EXECUTION_STATUS not in span.attributes:
            return
        self.add(names.EXECUTIONS, _picked(span, names.EXECUTION_STATUS, names.OPERATION))
        is_agent = span.attributes[names.OPERATION] == names.INVOKE_AGENT
        metric = names.AGENT_DURATION if is_agent else names.WORKFLOW_DURATION
        name = names.AGENT_NAME if is_agent else names.WORKFLOW_NAME
        self.add(metric, _picked(span, names.OPERATION, name, names.ERROR_TYPE), span.seconds)


def _picked(span: SpanRecord, *wanted: str) -> Attributes:
    return {name: span.attributes[name] for name in wanted if name in span.attributes}
