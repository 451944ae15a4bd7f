"""A journal on a store in memory, its clock, agents that can die, and what is sent of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

from tallystick import Actor, Journal
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.outbound.otel.export import OtlpExport, OtlpSummary
from tallystick.settings import Settings
from tests.matrix import Cell, local_interface
from tests.outbound.collector import Collector, attributes
from tests.stores import AnyStore, Clock

JOURNAL = "shop"
CALLER_TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
CALLER_SPAN = "00f067aa0ba902b7"


class OtlpScene(Cell):
    """The journal, and a collector that it is sent to."""

    def __init__(self, store: AnyStore, clock: Clock, collector: Collector) -> None:
        settings = Settings(url="memory:", journal=JOURNAL, actor="agent")
        super().__init__("local", store, clock, settings, local_interface(store))
        self.collector = collector

    def traced(self, trace: str = CALLER_TRACE, span: str = CALLER_SPAN, actor: str = "agent") -> Journal:
        """An agent that sends a traceparent."""
        principal = Principal(actor=Actor(name=actor), trace=f"00-{trace}-{span}-01")
        return Journal(self._interface(replace(self.settings, actor=actor), principal))

    def talking(self, conversation: str) -> Journal:
        """An agent in a conversation of its client."""
        principal = Principal(actor=Actor(name="agent"), conversation=conversation)
        return Journal(self._interface(self.settings, principal))

    def exporter(self, **options: Any) -> OtlpExport:
        return OtlpExport(self.context(), self.collector.url, **options)

    def context(self) -> OperationContext:
        return OperationContext(self.store, self.settings, Principal(actor=Actor(kind="runner", name="exporter")))

    def send(self, since: int | None = None, **options: Any) -> OtlpSummary:
        """Send everything in one go."""
        exporter = self.exporter(**options)
        try:
            return exporter.send_all(since)
        finally:
            exporter.close()

    def spans(self, **options: Any) -> dict[str, Any]:
        """What is sent now, by the name of the span."""
        self.send(**options)
        return {span.name: span for span in self.collector.spans()}

    def outcome_of(self, span: Any) -> str:
        return str(attributes(span).get("tallystick.outcome"))


@contextmanager
def running_collector() -> Iterator[Collector]:
    collector = Collector()
    collector.start()
    try:
        yield collector
    finally:
        collector.stop()
