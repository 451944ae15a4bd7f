"""Probes and metrics for operators."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tallystick import Journal
from tallystick.interfaces.rest import monitoring
from tallystick.operations.notifications.documents import read_webhooks
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.outbound.webhooks.delivery import WebhookDelivery
from tallystick.outbound.webhooks.sender import SendResult
from tallystick.sdk.local import Local
from tallystick.version import __version__
from tests.interfaces.rest.rest_server import StoreServer
from tests.interfaces.rest.stream_client import stream
from tests.interfaces.rest.test_operations import start

SERVING = Path(__file__).parents[3] / "docs" / "serving.md"


def figures(client: httpx2.Client) -> dict[tuple[str, str], float]:
    """Every figure by its name and the value of its own label."""
    answer = client.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    found: dict[tuple[str, str], float] = {}
    for family in text_string_to_metric_families(answer.text):
        assert family.name.startswith("tallystick_")
        assert family.documentation
        for sample in family.samples:
            found[sample.name, " ".join(sample.labels.values())] = sample.value
    return found


def test_a_server_reports_its_health_and_version(client: httpx2.Client) -> None:
    assert client.get("/livez").json() == {"alive": True}
    assert client.get("/version").json()["version"] == __version__


def test_a_server_is_ready_when_each_thing_that_it_needs_is(client: httpx2.Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert {name: check["ok"] for name, check in answer.json()["checks"].items()} == {
        "store_read": True,
        "store_write": True,
        "migrations": True,
        "spool": True,
    }
    assert client.get("/v1/stats").json()["entries"] == 0


def test_a_missing_argument_is_named(
    client: httpx2.Client, server: StoreServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TALLYSTICK_SPOOL", str(tmp_path / "file" / "spool"))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"]) == (503, False)
    assert answer.json()["checks"]["spool"]["problem"]
    assert answer.json()["checks"]["store_read"] == {"ok": True}
    server.store.close()
    checks = client.get("/readyz").json()["checks"]
    assert not checks["store_read"]["ok"]
    assert not checks["store_write"]["ok"]


def test_the_metrics_match_the_journal(client: httpx2.Client, server: StoreServer) -> None:
    start(client)
    figures(client)  # from now on it is counted
    start(client)
    begun = client.post("/v1/actions", json={"phase": "begin", "tool": "rm", "execution_id": start(client)}).json()
    client.post("/v1/actions", json={"phase": "end", "action_id": begun["id"], "outcome": "unknown"})
    client.post("/v1/approvals", json={"question": "?", "execution_id": begun["execution_id"]})
    with server.client() as other, stream(other) as events:
        next(events)
        found = figures(client)
    assert found["tallystick_executions_open", "running"] == 3
    assert found["tallystick_executions_open", "blocked"] == 0
    assert found["tallystick_executions_total", "started"] == 2
    assert found["tallystick_actions_total", "begun"] == 1
    assert found["tallystick_actions_total", "unknown"] == 1
    assert found["tallystick_in_doubt", ""] == 1
    assert found["tallystick_approvals_pending", ""] == 1
    assert found["tallystick_streams_open", ""] == 1
    assert found["tallystick_store_write_seconds_count", ""] == 6
    assert found["tallystick_requests_total", "record_execution_start 201"] == 3
    assert found["tallystick_request_seconds_count", "record_execution_start"] == 3
    assert found["tallystick_build_info", next(label for name, label in found if "build" in name)] == 1


def test_deliveries_of_webhooks_are_counted_whichever_process_makes_them(
    client: httpx2.Client, server: StoreServer
) -> None:
    context = OperationContext(server.store, server.settings, Principal())
    secret = Journal(Local(context)).add_credential(name="ada").secret
    admin = Journal(Local(context.for_principal(Principal(credential=secret))))
    admin.add_webhook(name="ops", address="https://hooks.example/")
    for number in range(3):
        start(client, title=f"work {number}")
    answers = iter([SendResult("delivered"), SendResult("rejected", "status 400"), SendResult("away", "status 500")])

    async def send(url: str, headers: Mapping[str, str], body: bytes) -> SendResult:
        return next(answers, SendResult("away", "status 500"))

    (webhook,) = server.store.read(context.journal, read_webhooks)
    asyncio.run(WebhookDelivery(context, webhook, send).run_once())
    found = figures(client)
    assert found["tallystick_webhook_deliveries_total", "delivered"] == 1
    assert found["tallystick_webhook_deliveries_total", "failed"] >= 2
    assert [found["tallystick_webhooks", word] for word in ("active", "paused", "disabled")] == [0, 1, 0]
    assert found["tallystick_webhook_waiting", ""] >= 2
    assert (found["tallystick_webhook_dead", ""], found["tallystick_webhook_behind", ""]) == (0, 0)


def test_what_was_interrupted_is_counted_as_such(client: httpx2.Client) -> None:
    session = client.post("/v1/sessions", json={"name": "worker"}).json()["id"]
    start(client)
    client.post("/v1/executions", json={"title": "left"}, headers={"Tallystick-Session": session})
    found = figures(client)
    assert [found["tallystick_executions_open", word] for word in ("running", "interrupted")] == [2, 0]
    client.post(f"/v1/sessions/{session}/end", json={})
    found = figures(client)
    assert [found["tallystick_executions_open", word] for word in ("running", "interrupted")] == [1, 1]


def test_runs_their_steps_and_workers_are_counted_as_of_now(client: httpx2.Client, server: StoreServer) -> None:
    steps = [{"id": name, "title": name, "tool": "x", "cancellable": "irreversible"} for name in "abc"]
    plan = client.post("/v1/plans", json={"title": "t", "steps": steps}).json()["id"]
    worker = client.post("/v1/sessions", json={"name": "w", "client": "tallystick worker"}).json()["id"]
    journal = Journal(Local(OperationContext(server.store, server.settings, Principal())))
    journal.run_plan(plan_id=plan, engine="caller")
    journal.run_plan(plan_id=plan, engine="temporal")
    execution = client.get("/v1/executions").json()["executions"][0]["id"]
    at_work = Journal(Local(OperationContext(server.store, server.settings, Principal(session=worker))))
    at_work.record_action(phase="begin", execution_id=execution, step="a")
    found = figures(client)
    assert found["tallystick_runs_open", "local running"] == found["tallystick_runs_open", "temporal running"] == 1
    assert found["tallystick_workers_alive", ""] == 1
    assert [found["tallystick_run_steps", state] for state in ("not_begun", "running", "held")] == [5, 1, 0]
    client.post(f"/v1/sessions/{worker}/end", json={}).raise_for_status()
    found = figures(client)
    assert found["tallystick_workers_alive", ""] == 0
    assert [found["tallystick_run_steps", state] for state in ("not_begun", "running", "held")] == [5, 0, 1]


def test_every_figure_is_in_the_document(client: httpx2.Client) -> None:
    text = SERVING.read_text()
    names = {family.name for family in text_string_to_metric_families(client.get("/metrics").text)}
    assert len(names) > 10
    assert [name for name in sorted(names) if name.removeprefix("tallystick") not in text] == []


def test_a_path_makes_no_label(client: httpx2.Client) -> None:
    for number in range(20):
        client.get(f"/v1/nothing/{number}")
        client.get(f"/v1/plans/pl_{number}")
    labels = {label for name, label in figures(client) if name == "tallystick_requests_total"}
    assert labels == {"nowhere 404", "get_plan 404"}


def test_a_scrape_reads_no_more_than_it_may(client: httpx2.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitoring, "MAX_PAGES", 1)
    monkeypatch.setattr(monitoring, "MAX_COUNTED", 3)
    figures(client)
    records = [{"operation": "record_execution_start", "arguments": {}} for _ in range(150)]
    client.post("/v1/batches", json={"records": records})
    first, second = figures(client), figures(client)
    assert first["tallystick_executions_open", "running"] == 3
    assert first["tallystick_executions_total", "started"] < 100
    assert second["tallystick_executions_total", "started"] == 150
