"""Everything recorded arrives, at least once, whatever becomes of the receiver or the sender."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from tallystick.core.errors import InvalidArgument, StorageUnavailable, WrongState
from tallystick.outbound.otel import export as export_module
from tallystick.outbound.otel.export import checked_url, otlp_parts, position_since
from tallystick.outbound.otel.totals import MAX_SERIES, Totals
from tallystick.store.memory import MemoryStore
from tests.behaviour.scenarios import begin, do, end, entries, fail, start
from tests.outbound.collector import Collector, Verdict, attributes
from tests.outbound.otel_scene import OtlpScene, running_collector
from tests.stores import AnyStore, Clock

TIMEOUT_SECONDS = 60


@pytest.fixture
def collector() -> Iterator[Collector]:
    with running_collector() as collector:
        yield collector


@pytest.fixture
def scene(clock: Clock, collector: Collector) -> OtlpScene:
    return OtlpScene(MemoryStore(clock), clock, collector)


@pytest.fixture
def stored(store: AnyStore, clock: Clock, collector: Collector) -> OtlpScene:
    """The same on every store."""
    return OtlpScene(store, clock, collector)


@contextmanager
def live(scene: OtlpScene, **options: Any) -> Iterator[None]:
    """A journal that is sent while it is recorded."""
    stop = Event()
    (part,) = otlp_parts(scene.context(), scene.collector.url, **options)
    thread = Thread(target=part.run, args=[stop], daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(TIMEOUT_SECONDS)


def recorded(scene: OtlpScene) -> list[int]:
    return [entry.seq for entry in entries(scene.journal)]


def wait_for_all(scene: OtlpScene) -> None:
    seqs = set(recorded(scene))
    scene.collector.wait_for(lambda: seqs <= set(scene.collector.sequence_numbers()))


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_module, "FIRST_PAUSE_SECONDS", 0.02)
    monkeypatch.setattr(export_module, "WAIT_SECONDS", 0.05)


@pytest.mark.usefixtures("_impatient")
def test_what_is_recorded_while_the_collector_is_away_arrives_when_it_is_back(stored: OtlpScene) -> None:
    collector = stored.collector
    with live(stored):
        start(stored.journal)
        wait_for_all(stored)
        collector.stop()
        for number in range(5):
            do(stored.journal, f"tool{number}")
        collector.start()
        do(stored.journal, "last")
        wait_for_all(stored)
    tools = {span.name for span in collector.spans()}
    assert {f"execute_tool tool{number}" for number in range(5)} | {"execute_tool last"} <= tools


@pytest.mark.usefixtures("_impatient")
def test_a_death_is_seen_though_nobody_records_any_more(stored: OtlpScene) -> None:
    agent = stored.mortal()
    start(agent)
    begin(agent, "pay")
    with live(stored):
        wait_for_all(stored)
        stored.kill(agent)
        stored.collector.wait_for(lambda: bool(stored.collector.spans()))
    assert stored.outcome_of(stored.collector.span("execute_tool pay")) == "in_doubt"


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("only", [False, True])
def test_all_journals_of_the_store_are_sent_and_a_new_one_from_its_beginning(scene: OtlpScene, only: bool) -> None:
    start(scene.journal)
    sent = set[tuple[str, str]]()

    def has_come(journal: str, event: str) -> bool:
        for record in scene.collector.logs():
            sent.add((attributes(record)["tallystick.journal"], record.event_name))
        return (journal, f"tallystick.{event}") in sent

    with live(scene, since="now", only=only):
        start(scene.another("agent", journal="other"))
        scene.journal.record_context(key="k", value=1)
        scene.collector.wait_for(lambda: has_come("shop", "context_recorded"))
        if not only:
            scene.collector.wait_for(lambda: has_come("other", "execution_started"))
    assert has_come("other", "execution_started") is not only
    assert not has_come("shop", "execution_started")


def test_a_second_sender_waits_and_goes_on_where_the_first_stopped(scene: OtlpScene) -> None:
    start(scene.journal)
    first = scene.exporter()
    first.send_all()
    with pytest.raises(WrongState, match="Another process"):
        scene.exporter().send_all(patience=0)
    first.close()
    do(scene.journal, "pay")
    scene.send()
    assert scene.collector.sequence_numbers() == recorded(scene)


@pytest.mark.parametrize("status", [307, 401, 403, 404, 429, 500, 503])
def test_nothing_moves_while_the_receiver_does_not_take_it(scene: OtlpScene, status: int) -> None:
    elsewhere = Collector()
    elsewhere.start()
    start(scene.journal)
    scene.collector.judge = lambda path, message: (status, {"location": f"{elsewhere.url}{path}"}, b"")
    with pytest.raises(StorageUnavailable, match=f"answered {status}"):
        scene.send()
    scene.collector.judge = lambda path, message: None
    scene.send()
    elsewhere.stop()
    assert scene.collector.sequence_numbers() == recorded(scene)
    assert elsewhere.requests == []


def test_an_entry_that_the_receiver_will_never_take_stops_nobody(scene: OtlpScene) -> None:
    start(scene.journal)
    do(scene.journal, "poison")
    do(scene.journal, "pay")

    def judge(path: str, message: Any) -> Verdict | None:
        return (400, {}, b"") if b"poison" in message.SerializeToString() and path == "/v1/traces" else None

    scene.collector.judge = judge
    sent = scene.send()
    assert sent.rejected == {"traces": 1}
    assert [span.name for span in scene.collector.spans()] == ["execute_tool pay"]
    assert set(scene.collector.sequence_numbers()) == set(recorded(scene))
    do(scene.journal, "later")
    scene.send()
    (point,) = scene.collector.metrics()["tallystick.export.rejected"].sum.data_points
    assert (attributes(point), point.as_int) == ({"tallystick.signal": "traces"}, 1)


def test_a_receiver_that_refuses_everything_loses_nothing(scene: OtlpScene) -> None:
    start(scene.journal)
    scene.collector.judge = lambda path, message: (400, {}, b"not OTLP")
    with pytest.raises(StorageUnavailable, match="answered 400"):
        scene.send()
    scene.collector.judge = lambda path, message: None
    scene.send()
    assert scene.collector.sequence_numbers() == recorded(scene)


def test_a_partial_success_is_counted_and_not_sent_again(scene: OtlpScene) -> None:
    start(scene.journal)
    do(scene.journal, "pay")
    answer = ExportTraceServiceResponse()
    answer.partial_success.rejected_spans = 1
    answer.partial_success.error_message = "too old"
    scene.collector.judge = lambda path, message: (
        (200, {}, answer.SerializeToString()) if path == "/v1/traces" else None
    )
    sent = scene.send()
    assert (sent.rejected, sent.message, sent.last_seq) == ({"traces": 1}, "too old", recorded(scene)[-1])
    assert len(scene.collector.spans()) == 1


def test_a_receiver_of_traces_alone_gets_them(scene: OtlpScene) -> None:
    start(scene.journal)
    do(scene.journal, "pay")
    scene.collector.judge = lambda path, message: None if path == "/v1/traces" else (405, {}, b"")
    sent = scene.send()
    assert (sent.rejected, sent.left_out) == ({}, ("logs", "metrics"))
    assert [span.name for span in scene.collector.spans()] == ["execute_tool pay"]


def test_headers_and_signals_come_from_the_standard_variables(
    scene: OtlpScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20abc")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
    monkeypatch.setenv("OTEL_METRICS_EXPORTER", "none")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "service.name=shop-agents,deployment.environment.name=test")
    start(scene.journal)
    do(scene.journal, "pay")
    scene.send()
    assert {path for path, _ in scene.collector.requests} == {"/v1/traces", "/v1/logs"}
    assert {headers["authorization"] for _, headers in scene.collector.requests} == {"Bearer abc"}
    resource = attributes(scene.collector.taken[0][1].resource_spans[0].resource)
    assert (resource["service.name"], resource["deployment.environment.name"]) == ("shop-agents", "test")


@pytest.mark.parametrize("url", ["ftp://host", "localhost:4318", "", "http://user:secret@host:4318"])
def test_an_address_that_is_none_is_refused_and_not_repeated_with_its_secret(scene: OtlpScene, url: str) -> None:
    with pytest.raises(InvalidArgument) as error:
        checked_url(url)
    assert "secret" not in str(error.value)
    assert checked_url("http://host:4318/v1/traces/") == "http://host:4318"


@pytest.mark.parametrize(("since", "position"), [("0", 0), ("2", 2), ("now", 3), ("90s", 0), ("30s", 2), ("1s", 3)])
def test_a_position_is_a_number_a_time_or_now(scene: OtlpScene, since: str, position: int) -> None:
    start(scene.journal)  # which opens a session too
    scene.clock.advance(60)
    scene.journal.record_context(key="k", value=1)
    scene.clock.advance(2)
    assert recorded(scene) == [1, 2, 3]
    assert position_since(scene.context(), since) == position


def test_a_new_receiver_may_begin_with_what_is_new(scene: OtlpScene) -> None:
    start(scene.journal)
    now = position_since(scene.context(), "now")
    scene.send(start=now)
    do(scene.journal, "pay")
    scene.send(start=0)  # its position is kept by now
    assert scene.collector.sequence_numbers() == [seq for seq in recorded(scene) if seq > now]


# ----------------------------------------------------------------------------------------------------------------------
# Log records and metrics


def test_each_entry_is_one_log_record_about_its_span(scene: OtlpScene) -> None:
    agent = scene.mortal()
    start(agent)
    begin(agent, "pay")
    scene.kill(agent)
    scene.send()
    logs = scene.collector.logs()
    assert scene.collector.sequence_numbers() == recorded(scene)
    (doubt,) = (record for record in logs if record.event_name == "tallystick.action_doubted")
    span = scene.collector.span("execute_tool pay")
    assert (doubt.trace_id, doubt.span_id) == (span.trace_id, span.span_id)
    assert (doubt.severity_text, doubt.body.string_value) == ("WARN", "action doubted: in_doubt")
    assert attributes(doubt)["log.record.uid"] == f"shop/{attributes(doubt)['tallystick.seq']}"
    (begun,) = (record for record in logs if record.event_name == "tallystick.action_begun")
    assert (begun.span_id, begun.severity_text) == (span.span_id, "INFO")


def test_totals_are_the_same_however_often_they_are_sent(stored: OtlpScene) -> None:
    start(stored.journal)
    for _ in range(3):
        action = begin(stored.journal, "pay", effect="read")
        stored.clock.advance(2)
        end(stored.journal, action)
    fail(stored.journal, "mail")
    stored.collector.judge = lambda path, message: (503, {}, b"") if path == "/v1/metrics" else None
    with pytest.raises(StorageUnavailable):
        stored.send()  # spans and log records arrived, and will again
    stored.collector.judge = lambda path, message: None
    stored.send()
    do(stored.journal, "pay", effect="read")
    stored.send()
    metrics = stored.collector.metrics()
    counts = {_key(point): point.as_int for point in metrics["tallystick.actions"].sum.data_points}
    assert counts == {("pay", "ok"): 4, ("mail", "failed"): 1}
    (pay, _) = metrics["gen_ai.execute_tool.duration"].histogram.data_points
    assert (pay.count, pay.sum, pay.max) == (4, 6.0, 2.0)
    assert metrics["gen_ai.execute_tool.duration"].histogram.aggregation_temporality == 2  # cumulative
    assert metrics["tallystick.in_doubt"].gauge.data_points[0].as_int == 0


def test_many_tools_share_one_series() -> None:
    totals = Totals()
    for number in range(MAX_SERIES + 50):
        totals.add("tallystick.actions", {"gen_ai.tool.name": f"tool{number}"})
    series = totals.series["tallystick.actions"]
    assert len(series) == MAX_SERIES
    assert (series[-1].attributes, series[-1].count) == ({"otel.metric.overflow": True}, 51)


def _key(point: Any) -> tuple[str, str]:
    found = attributes(point)
    return found["gen_ai.tool.name"], found["tallystick.outcome"]
