"""Every way in which the gateway refuses a call, provoked for real: one call for each, after its preparation."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tallystick import Journal
from tests.gateway.gateway_client import GatewayClient
from tests.gateway.test_policy import LockedJournal
from tests.interfaces.mcp.line_client import request

Way = Callable[[GatewayClient], dict[str, Any]]
"""Leads a fresh journal to where a call is refused, and makes that call."""
RULES = {"put": "refuse", "echo": "ask", "break": "ask", "large": "plan"}
"""Tools that need approval, are held to the plan or are refused; the others are let through."""


def _died(client: GatewayClient) -> dict[str, Any]:
    return client.result("die", a=1)


def _in_doubt(client: GatewayClient) -> dict[str, Any]:
    client.result("die", a=1)
    return client.result("die", a=1)


def _in_doubt_elsewhere(client: GatewayClient) -> dict[str, Any]:
    with client.journal() as journal:
        execution = journal.record_execution_start(title="before").id
        begun = journal.record_action(phase="begin", tool="mcp__one__hang", arguments={"a": 1}, execution_id=execution)
        journal.record_action(phase="end", action_id=begun.id, outcome="unknown")
        journal.record_decision(decision="fail", why="it hung", execution_id=execution)
    return client.result("hang", a=1)


def _under_way(client: GatewayClient) -> dict[str, Any]:
    client.start("h", "tools/call", {"name": "hang", "arguments": {"a": 1}})
    return client.result("hang", a=1)


def _done(client: GatewayClient) -> dict[str, Any]:
    client.result("secret")
    return client.result("secret")  # its result is masked: it cannot be answered again


def _pending(client: GatewayClient) -> dict[str, Any]:
    return client.result("echo", a=1)


def _decided(verdict: str, **more: Any) -> Way:
    def way(client: GatewayClient) -> dict[str, Any]:
        client.result("echo", a=1)
        client.decide(client.approvals()[0].id, verdict, **more)
        return client.result("echo", a=1)

    return way


def _done_otherwise(client: GatewayClient) -> dict[str, Any]:
    _decided("edit", arguments={"a": 2})(client)
    client.result("echo", a=2)
    return client.result("echo", a=1)


def _granted_and_in_doubt(client: GatewayClient) -> dict[str, Any]:
    client.result("break")
    client.decide(client.approvals()[0].id, "approve")
    client.ask("tools/call", {"name": "break", "arguments": {}})
    return client.result("break")


def _without_a_plan(client: GatewayClient) -> dict[str, Any]:
    return client.result("large", size=1)


@contextmanager
def planned(client: GatewayClient, *steps: dict[str, Any]) -> Iterator[tuple[Journal, str]]:
    """While another client has started a plan and reports no conversation either."""
    with client.journal() as journal:
        written = [{"title": each["id"], "cancellable": "irreversible", **each} for each in steps]
        plan = journal.record_plan(title="Steps", steps=written)  # type: ignore[arg-type]
        yield journal, journal.record_execution_start(plan_id=plan.id).id


def _departing(client: GatewayClient) -> dict[str, Any]:
    with planned(client, {"id": "look", "tool": "look"}):
        return client.result("large", size=1)


def _too_early(client: GatewayClient) -> dict[str, Any]:
    with planned(client, {"id": "look", "tool": "look"}, {"id": "draw", "tool": "large"}):
        return client.result("large", size=1)


def _behind_a_doubt(client: GatewayClient) -> dict[str, Any]:
    with planned(client, {"id": "risk", "tool": "die"}, {"id": "draw", "tool": "large"}):
        client.result("die")
        return client.result("large", size=1)


def _step_in_doubt(client: GatewayClient) -> dict[str, Any]:
    with planned(client, {"id": "draw", "tool": "large"}) as (journal, execution):
        begun = journal.record_action(phase="begin", step="draw", tool="large", execution_id=execution)
        journal.record_action(phase="end", action_id=begun.id, outcome="unknown")
        return client.result("large", size=1)


def _needing_approval(client: GatewayClient) -> dict[str, Any]:
    with planned(client, {"id": "send", "tool": "fail", "arguments": {"a": 1}, "needs_approval": True}):
        return client.result("fail", a=1)


def _asked_by_the_agent(client: GatewayClient) -> dict[str, Any]:
    step = {"id": "send", "tool": "fail", "arguments": {"a": 1}, "needs_approval": True}
    with planned(client, step) as (journal, execution):
        journal.request_approval(question="May I?", step="send", execution_id=execution)
        return client.result("fail", a=1)


def _paused(client: GatewayClient) -> dict[str, Any]:
    with planned(client, {"id": "look", "tool": "look"}) as (journal, execution):
        journal.record_decision(decision="pause", why="lunch", execution_id=execution)
        return client.result("fail", a=1)


def _unwritten(client: GatewayClient) -> dict[str, Any]:
    client.result("look")
    with LockedJournal(client.folder):
        return client.result("fail", a=1)


def _misspelt(client: GatewayClient) -> dict[str, Any]:
    line = json.dumps(request("twice", "tools/call", {"name": "fail", "arguments": {}}))
    client.send(line.replace('"arguments": {}', '"arguments": {"b": 1, "b": 2}').encode())
    result: dict[str, Any] = client.until(lambda message: message.get("id") == "twice")["result"]
    return result


WAYS: dict[str, Way] = {
    "the policy refuses it": lambda client: client.result("put"),
    "its server died": _died,
    "it is in doubt": _in_doubt,
    "it is in doubt elsewhere": _in_doubt_elsewhere,
    "it is under way": _under_way,
    "it was done": _done,
    "a person has not answered": _pending,
    "a person has said no": _decided("reject", reason="too dear"),
    "a person has said something": _decided("respond", answer="Which one?"),
    "a person has granted something else": _decided("edit", arguments={"a": 2}),
    "something else was granted and done": _done_otherwise,
    "it was granted and is in doubt": _granted_and_in_doubt,
    "there is no plan": _without_a_plan,
    "it departs from the plan": _departing,
    "its step comes later": _too_early,
    "the step before is in doubt": _behind_a_doubt,
    "its step is in doubt": _step_in_doubt,
    "its step needs approval": _needing_approval,
    "its step waits for approval": _asked_by_the_agent,
    "its execution is paused": _paused,
    "the journal cannot be written": _unwritten,
    "its arguments cannot be read": _misspelt,
}
