"""An OTLP receiver over real HTTP that decodes the official protobuf, can refuse and reject, and go away and return."""

import gzip
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Thread
from typing import Any

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest, ExportLogsServiceResponse
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

KINDS: dict[str, tuple[Any, Any]] = {
    "/v1/traces": (ExportTraceServiceRequest, ExportTraceServiceResponse),
    "/v1/logs": (ExportLogsServiceRequest, ExportLogsServiceResponse),
    "/v1/metrics": (ExportMetricsServiceRequest, ExportMetricsServiceResponse),
}
TIMEOUT_SECONDS = 60
Verdict = tuple[int, dict[str, str], bytes]


class Collector:
    """`judge` decides about a request by path and message; None takes it. Only what is taken is kept."""

    def __init__(self) -> None:
        self.port = 0
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.taken: list[tuple[str, Any]] = []
        self.judge: Callable[[str, Any], Verdict | None] = lambda path, message: None
        self._server: ThreadingHTTPServer | None = None
        self._arrived = Condition()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Listen: on the same port as before, if it has been away."""
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), self._handler())
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def stop(self) -> None:
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def take(self, path: str, headers: dict[str, str], body: bytes) -> Verdict:
        self.requests.append((path, headers))
        if path not in KINDS:
            return 404, {}, b""
        request, response = KINDS[path]
        assert headers["content-type"] == "application/x-protobuf"
        message = request.FromString(gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body)
        verdict = self.judge(path, message)
        if verdict is None or verdict[0] < 300:
            with self._arrived:
                self.taken.append((path, message))
                self._arrived.notify_all()
        return verdict or (200, {}, response().SerializeToString())

    def wait_for(self, is_there: Callable[[], bool]) -> None:
        """Wait until something has arrived."""
        with self._arrived:
            assert self._arrived.wait_for(is_there, TIMEOUT_SECONDS)

    def spans(self) -> list[Any]:
        """All spans in the order of their arrival, repetitions too."""
        return [
            span
            for path, message in self.taken
            if path == "/v1/traces"
            for resource in message.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def span(self, name: str) -> Any:
        """The only span of this name."""
        (found,) = (span for span in self.spans() if span.name == name)
        return found

    def logs(self) -> list[Any]:
        return [
            record
            for path, message in self.taken
            if path == "/v1/logs"
            for resource in message.resource_logs
            for scope in resource.scope_logs
            for record in scope.log_records
        ]

    def metrics(self) -> dict[str, Any]:
        """The newest of each metric."""
        return {
            metric.name: metric
            for path, message in self.taken
            if path == "/v1/metrics"
            for resource in message.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }

    def sequence_numbers(self) -> list[int]:
        """The entries whose log record arrived, repetitions too."""
        return [attributes(record)["tallystick.seq"] for record in self.logs()]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                status, more, content = collector.take(self.path, headers, body)
                self.send_response(status)
                for name, value in {**more, "content-length": str(len(content))}.items():
                    self.send_header(name, value)
                with suppress(ConnectionError):  # the sender may have been killed
                    self.end_headers()
                    self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        return Handler


def attributes(record: Any) -> dict[str, Any]:
    """The attributes of a span, a log record, a resource or a data point."""
    return {pair.key: getattr(pair.value, str(pair.value.WhichOneof("value"))) for pair in record.attributes}
