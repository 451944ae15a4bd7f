"""Sends to an OTLP receiver, with the official exporters; the only module that imports the SDK.

The exporters encode and compress, and read headers, certificates and timeouts from the OTEL_EXPORTER_OTLP_* variables.
They take a redirect for success, hide what a receiver rejects, and retry by themselves: so the session that is passed
to them keeps the answer, and lets nothing but a 2xx pass. Whether and when to try again decides the caller.
"""

import logging
import os
from collections.abc import Sequence
from typing import Any, Protocol

import requests
from google.protobuf.message import DecodeError
from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.sdk._logs import ReadableLogRecord
from opentelemetry.sdk.metrics.export import (
    AggregationTemporality,
    Gauge,
    Histogram,
    HistogramDataPoint,
    MetricsData,
    NumberDataPoint,
    ResourceMetrics,
    ScopeMetrics,
    Sum,
)
from opentelemetry.sdk.metrics.export import Metric as SdkMetric
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    set_span_in_context,
)

from tallystick.outbound.otel import names
from tallystick.outbound.otel.records import (
    SIGNALS,
    EventRecord,
    NotDelivered,
    OtlpRejection,
    Signal,
    SpanPlace,
    SpanRecord,
)
from tallystick.outbound.otel.totals import METRICS, MetricSeries, Totals
from tallystick.version import __version__

SCOPE = InstrumentationScope("tallystick", __version__, names.GENAI_SCHEMA)
MAX_MESSAGE_CHARACTERS = 200


class _KeptAnswer(requests.Session):
    """A session that follows no redirect, and keeps what the receiver answered."""

    def __init__(self) -> None:
        super().__init__()
        self.failure: NotDelivered | None = None
        self.content = b""

    def expect_request(self) -> None:
        """If the exporter sends none, it could not encode the batch."""
        self.failure = NotDelivered("the request could not be encoded", status=400)

    def request(self, *args: Any, **kwargs: Any) -> requests.Response:
        self.failure, self.content = None, b""
        kwargs["allow_redirects"] = False
        try:
            answer = super().request(*args, **kwargs)
        except requests.RequestException as error:
            self.failure = NotDelivered(f"the receiver cannot be reached ({type(error).__name__})")
            raise self.failure from None  # of a kind that the exporter does not repeat
        if not 200 <= answer.status_code < 300:
            moved = "; redirects are not followed" if 300 <= answer.status_code < 400 else ""
            self.failure = NotDelivered(
                f"the receiver answered {answer.status_code}{moved}",
                status=answer.status_code,
                retry_after=_seconds(answer.headers.get("retry-after", "")),
            )
            raise self.failure
        self.content = answer.content
        return answer


class _Exporter(Protocol):
    def export(self, batch: Any, /) -> Any:
        """Send a batch."""

    def shutdown(self) -> None:
        """Close the connection."""


class _Channel:
    """One signal: its exporter, and the answers of the receiver."""

    def __init__(self, signal: Signal, url: str) -> None:
        self.signal = signal
        self._session = _KeptAnswer()
        endpoint = os.environ.get(f"OTEL_EXPORTER_OTLP_{signal.upper()}_ENDPOINT") or f"{url}/v1/{signal}"
        self._exporter: _Exporter = _EXPORTERS[signal](endpoint=endpoint, session=self._session)

    def send(self, batch: Any) -> OtlpRejection | None:
        """Send a batch; raises NotDelivered. Returns what the receiver did not take of it."""
        self._session.expect_request()
        self._exporter.export(batch)
        if self._session.failure is not None:
            raise self._session.failure
        return _rejection(self.signal, self._session.content)

    def close(self) -> None:
        self._exporter.shutdown()


_EXPORTERS: dict[Signal, Any] = {"traces": OTLPSpanExporter, "logs": OTLPLogExporter, "metrics": OTLPMetricExporter}
_ANSWERS: dict[Signal, tuple[Any, str]] = {
    "traces": (ExportTraceServiceResponse, "rejected_spans"),
    "logs": (ExportLogsServiceResponse, "rejected_log_records"),
    "metrics": (ExportMetricsServiceResponse, "rejected_data_points"),
}


class OtlpReceiver:
    """An OTLP receiver at a base URL, such as http://localhost:4318. OTEL_LOGS_EXPORTER=none and its like turn a signal
    off."""

    def __init__(self, url: str, journal: str, instance: str) -> None:
        # Its messages name neither what to do nor when it is tried again: ours do.
        logging.getLogger("opentelemetry.exporter.otlp").setLevel(logging.CRITICAL)
        self._channels = {
            signal: _Channel(signal, url)
            for signal in SIGNALS
            if os.environ.get(f"OTEL_{signal.upper()}_EXPORTER", "otlp") != "none"
        }
        own = {
            names.SERVICE_NAME: "tallystick",
            names.SERVICE_VERSION: __version__,
            names.SERVICE_INSTANCE: instance,
            names.JOURNAL: journal,
        }
        self._resource = Resource(own).merge(OTELResourceDetector().detect())  # OTEL_RESOURCE_ATTRIBUTES counts more

    def sends(self, signal: Signal) -> bool:
        return signal in self._channels

    def drop(self, signal: Signal) -> None:
        """Send no more of a signal."""
        self._channels.pop(signal).close()

    def send_spans(self, spans: Sequence[SpanRecord]) -> OtlpRejection | None:
        return self._send("traces", [self._sdk_span(span) for span in spans])

    def send_events(self, events: Sequence[EventRecord]) -> OtlpRejection | None:
        return self._send("logs", [self._sdk_log(event) for event in events])

    def send_totals(self, totals: Totals, doubts: int, now: int) -> OtlpRejection | None:
        metrics = [_sdk_metric(name, series, totals.start, now) for name, series in totals.series.items()]
        gauge = Gauge([NumberDataPoint({}, 0, now * 1000, doubts)])
        metrics.append(SdkMetric(names.DOUBTS_NOW, "Actions in doubt now.", "{action}", gauge))
        scopes = [ScopeMetrics(SCOPE, metrics, names.GENAI_SCHEMA)]
        return self._send("metrics", MetricsData([ResourceMetrics(self._resource, scopes, "")]))

    def takes_empty(self, signal: Signal) -> bool:
        """Whether a request with nothing in it is taken: then the last one was refused for its content."""
        empty: Any = MetricsData([]) if signal == "metrics" else []
        try:
            self._send(signal, empty)
        except NotDelivered:
            return False
        return True

    def close(self) -> None:
        for channel in self._channels.values():
            channel.close()

    def _send(self, signal: Signal, batch: Any) -> OtlpRejection | None:
        channel = self._channels.get(signal)
        return channel.send(batch) if channel else None

    def _sdk_span(self, span: SpanRecord) -> ReadableSpan:
        parent = SpanPlace(span.place.trace, span.parent) if span.parent else None
        return ReadableSpan(
            name=span.name,
            context=_context(span.place),
            parent=_context(parent, is_remote=span.is_remote) if parent else None,
            resource=self._resource,
            attributes=span.attributes,
            events=[Event(event.name, event.attributes, event.at * 1000) for event in span.events],
            links=[Link(_context(link.to), {names.LINK: link.role}) for link in span.links],
            kind=SpanKind.INTERNAL,
            instrumentation_scope=SCOPE,
            status=Status(StatusCode[span.status.upper()], span.message or None),
            start_time=span.start * 1000,
            end_time=span.end * 1000,
        )

    def _sdk_log(self, event: EventRecord) -> ReadableLogRecord:
        severity = SeverityNumber.WARN if event.is_warning else SeverityNumber.INFO
        about = NonRecordingSpan(_context(event.place or SpanPlace(0)))
        record = LogRecord(
            timestamp=event.at * 1000,
            observed_timestamp=event.at * 1000,
            context=set_span_in_context(about),
            severity_number=severity,
            severity_text=severity.name,
            body=event.text,
            attributes=event.attributes,
            event_name=event.name,
        )
        return ReadableLogRecord(record, self._resource, SCOPE)


def _context(place: SpanPlace, *, is_remote: bool = False) -> SpanContext:
    return SpanContext(place.trace, place.span, is_remote, TraceFlags(TraceFlags.SAMPLED))


def _sdk_metric(name: str, series: Sequence[MetricSeries], start: int, now: int) -> SdkMetric:
    metric, start, now = METRICS[name], start * 1000, now * 1000
    data: Histogram | Sum
    if metric.bounds:
        points = [
            HistogramDataPoint(
                attributes=each.attributes,
                start_time_unix_nano=start,
                time_unix_nano=now,
                count=each.count,
                sum=each.sum,
                bucket_counts=each.buckets,
                explicit_bounds=metric.bounds,
                min=each.min,
                max=each.max,
            )
            for each in series
        ]
        data = Histogram(points, AggregationTemporality.CUMULATIVE)
    else:
        numbers = [NumberDataPoint(each.attributes, start, now, each.count) for each in series]
        data = Sum(numbers, AggregationTemporality.CUMULATIVE, is_monotonic=True)
    return SdkMetric(name, metric.description, metric.unit, data)


def _rejection(signal: Signal, content: bytes) -> OtlpRejection | None:
    kind, counted = _ANSWERS[signal]
    try:
        part = kind.FromString(content).partial_success
    except DecodeError:  # the status was 2xx, and that decides
        return None
    count = int(getattr(part, counted))
    return OtlpRejection(signal, count, part.error_message[:MAX_MESSAGE_CHARACTERS]) if count else None


def _seconds(text: str) -> float:
    return min(float(text), 3600.0) if text.isdecimal() else 0.0
