"""Executions, actions, decisions and approvals as spans, as a receiver that decodes the official protobuf sees them."""

from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from tallystick import Journal, Undo
from tallystick.core.entries import ExecutionStarted
from tallystick.core.types import Actor
from tallystick.operations.approvals import record_client_answer
from tallystick.operations.runtime.operation_context import Principal
from tallystick.sdk.local import Local
from tallystick.store.interface import Ledger
from tallystick.store.memory import MemoryStore
from tests.behaviour.scenarios import begin, do, end, entries, fail, kinds, planned, start
from tests.outbound.collector import Collector, attributes
from tests.outbound.otel_scene import CALLER_SPAN, CALLER_TRACE, JOURNAL, OtlpScene, running_collector
from tests.store.drafts import draft, end_session, open_session
from tests.stores import Clock

OK, ERROR, UNSET = Status.STATUS_CODE_OK, Status.STATUS_CODE_ERROR, Status.STATUS_CODE_UNSET


@pytest.fixture
def collector() -> Iterator[Collector]:
    with running_collector() as collector:
        yield collector


@pytest.fixture
def scene(clock: Clock, collector: Collector) -> OtlpScene:
    return OtlpScene(MemoryStore(clock), clock, collector)


def leave_unknown(journal: Journal, tool: str) -> str:
    action = begin(journal, tool)
    end(journal, action, "unknown")
    return action


def roles(span: Any) -> dict[str, tuple[bytes, bytes]]:
    """The links of a span, by what they link to."""
    return {attributes(link)["tallystick.link"]: (link.trace_id, link.span_id) for link in span.links}


def test_an_execution_and_its_tool_calls_are_one_trace(scene: OtlpScene) -> None:
    execution = start(scene.journal, "Refund")
    ok = begin(scene.journal, "pay")
    scene.clock.advance(2)
    end(scene.journal, ok)
    fail(scene.journal, "mail", "no such address")
    scene.journal.record_decision(decision="done", why="paid")
    spans = scene.spans()
    root, pay, mail = spans["invoke_agent agent"], spans["execute_tool pay"], spans["execute_tool mail"]
    assert {span.trace_id for span in spans.values()} == {root.trace_id}
    assert root.parent_span_id == b""
    assert {pay.parent_span_id, mail.parent_span_id, spans["decision done"].parent_span_id} == {root.span_id}
    assert (pay.status.code, mail.status.code, root.status.code) == (OK, ERROR, OK)
    assert pay.end_time_unix_nano - pay.start_time_unix_nano == 2_000_000_000
    assert pay.kind == Span.SPAN_KIND_INTERNAL
    expected = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "pay",
        "gen_ai.agent.name": "agent",
        "tallystick.journal": "shop",
        "tallystick.execution.id": execution,
        "tallystick.action.id": ok,
        "tallystick.outcome": "ok",
        "tallystick.witness": "claimed",
    }
    assert expected.items() <= attributes(pay).items()
    assert attributes(mail)["error.type"] == "_OTHER"
    assert attributes(root)["tallystick.execution.status"] == "completed"


def test_in_doubt_is_neither_ok_nor_an_error_and_settling_it_is_a_span_below(scene: OtlpScene) -> None:
    agent = scene.mortal()
    start(agent, "Refund")
    action = begin(agent, "pay")
    scene.kill(agent)
    doubted = scene.spans()["execute_tool pay"]
    assert (doubted.name, doubted.status.code, scene.outcome_of(doubted)) == ("execute_tool pay", UNSET, "in_doubt")
    assert [(event.name, attributes(event)) for event in doubted.events] == [
        ("tallystick.in_doubt", {"tallystick.reason": "session lapsed"})
    ]
    assert "error.type" not in attributes(doubted)
    scene.journal.record_action(phase="end", action_id=action, outcome="ok", evidence="the bank shows it")
    scene.send()
    settled = scene.collector.spans()[-1]
    assert (settled.name, settled.status.code, scene.outcome_of(settled)) == ("settle pay", OK, "ok")
    assert (settled.trace_id, settled.parent_span_id) == (doubted.trace_id, doubted.span_id)
    assert settled.span_id != doubted.span_id
    assert attributes(settled)["tallystick.settles"] is True


def test_a_doubt_that_was_settled_before_anybody_recorded_it_is_one_span(scene: OtlpScene) -> None:
    agent, settler = scene.mortal(lease_seconds=10), scene.another("settler")
    start(agent)
    action = begin(agent, "pay")
    scene.clock.advance(9.6)
    settler.record_context(key="k", value=1)
    scene.clock.advance(0.6)  # a writer looks for deaths once a second
    settler.record_action(phase="end", action_id=action, outcome="failed", evidence="looked")
    assert "action_doubted" not in kinds(settler)
    (pay,) = (span for span in scene.spans().values() if span.name.endswith(" pay"))
    assert (pay.name, pay.status.code, attributes(pay)["tallystick.settles"]) == ("execute_tool pay", ERROR, True)


def test_an_unknown_outcome_and_a_contradiction_are_in_doubt(scene: OtlpScene) -> None:
    start(scene.journal)
    leave_unknown(scene.journal, "pay")
    sure = do(scene.journal, "mail")
    scene.another("other").record_action(phase="end", action_id=sure, outcome="failed", evidence="it bounced")
    spans = scene.spans()
    for name in ("execute_tool pay", "contradict mail"):
        assert (spans[name].status.code, scene.outcome_of(spans[name])) == (UNSET, "in_doubt")
    assert spans["execute_tool mail"].status.code == OK
    assert spans["contradict mail"].parent_span_id == spans["execute_tool mail"].span_id


def test_an_execution_that_ends_with_a_doubt_is_not_ok(scene: OtlpScene) -> None:
    start(scene.journal)
    leave_unknown(scene.journal, "pay")
    scene.journal.record_decision(decision="done", why="the bank is closed", incomplete=True)
    root = scene.spans()["invoke_agent agent"]
    assert (root.status.code, scene.outcome_of(root)) == (UNSET, "in_doubt")
    assert attributes(root)["tallystick.left.in_doubt"] == 1


def test_an_agent_that_is_gone_leaves_a_root_though_its_execution_never_ends(scene: OtlpScene) -> None:
    agent = scene.mortal()
    execution = start(agent)
    begin(agent, "pay")
    scene.kill(agent)
    spans = scene.spans()
    left, pay = spans["unfinished mortal"], spans["execute_tool pay"]
    assert (left.parent_span_id, left.trace_id, left.status.code) == (b"", pay.trace_id, UNSET)
    assert attributes(left)["tallystick.outcome"] == "unfinished"
    assert attributes(left)["tallystick.reason"] == "lapsed"
    scene.another("heir").record_decision(decision="stop", why="enough", execution_id=execution)
    root = scene.spans()["invoke_agent mortal"]
    assert roles(left) == {"execution": (root.trace_id, root.span_id)}
    assert pay.parent_span_id == root.span_id


def test_a_session_that_ends_after_its_execution_leaves_nothing(scene: OtlpScene) -> None:
    agent = scene.mortal()
    start(agent)
    agent.record_decision(decision="done", why="done")
    scene.kill(agent)
    assert sorted(scene.spans()) == ["decision done", "invoke_agent mortal"]


@pytest.mark.parametrize(("engine", "names"), [("local", ["unfinished tester"]), ("queue", [])])
def test_a_run_that_workers_go_on_with_is_not_unfinished(scene: OtlpScene, engine: str, names: list[str]) -> None:
    def work(ledger: Ledger) -> None:
        session = ledger.append(open_session()).id
        ledger.append(draft(ExecutionStarted(engine=engine), session=session))
        ledger.append(end_session(session))

    scene.store.write(JOURNAL, work)
    assert list(scene.spans()) == names


def test_an_undo_is_linked_to_what_it_undoes(scene: OtlpScene) -> None:
    start(scene.journal)
    done = do(scene.journal, "book", undo=Undo(tool="cancel"))
    do(scene.journal, "cancel", kind="undo", undoes=done)
    spans = scene.spans()
    undo, booked = spans["execute_tool cancel"], spans["execute_tool book"]
    assert roles(undo) == {"undoes": (booked.trace_id, booked.span_id)}
    assert attributes(undo)["tallystick.undoes"] == done


def test_an_execution_of_a_plan_is_a_workflow_and_its_plan_is_linked(scene: OtlpScene) -> None:
    planned(scene.journal, "a", type="refund")
    do(scene.journal, "pay", step="a")
    scene.journal.record_decision(decision="done", why="done")
    spans = scene.spans()
    root, planning = spans["invoke_workflow refund"], spans["plan agent"]
    assert attributes(root)["gen_ai.workflow.name"] == "refund"
    assert attributes(planning)["gen_ai.operation.name"] == "plan"
    assert roles(root)["plan"] == (planning.trace_id, planning.span_id)
    assert attributes(spans["execute_tool pay"])["tallystick.step.id"] == "a"


def test_an_approval_is_a_span_from_the_question_to_the_answer(scene: OtlpScene) -> None:
    person = scene.person()
    start(scene.journal)
    asked = scene.journal.record_decision(decision="ask_human", why="dear", question="Pay?", tool="pay", arguments={})
    scene.clock.advance(60)
    person.decide_approval(approval_id=asked.approval_id, verdict="approve")
    approval = scene.spans()["approval pay"]
    assert approval.end_time_unix_nano - approval.start_time_unix_nano == 60_000_000_000
    assert attributes(approval)["tallystick.verdict"] == "approve"
    assert attributes(approval)["tallystick.credential"] == "ada"
    assert approval.status.code == UNSET


def test_the_answer_of_a_client_names_its_channel_and_no_credential(scene: OtlpScene) -> None:
    start(scene.journal, "Refund")
    asked = scene.journal.request_approval(question="Pay?", tool="pay", arguments={"a": 1})
    caller = scene.journal.caller
    assert isinstance(caller, Local)
    gateway = caller.context.for_principal(
        Principal(actor=Actor(kind="gateway", name="some-client"), witness="observed")
    )
    record_client_answer(gateway, approval_id=asked.id, verdict="reject", reason="")
    found = attributes(scene.spans()["approval pay"])
    assert found["tallystick.channel"] == "client"
    assert "tallystick.credential" not in found


# ----------------------------------------------------------------------------------------------------------------------
# The caller's trace


def test_a_traceparent_puts_the_execution_below_the_caller(scene: OtlpScene) -> None:
    agent = scene.traced()
    start(agent)
    do(agent, "pay")
    agent.record_decision(decision="done", why="done")
    spans = scene.spans()
    root, pay = spans["invoke_agent agent"], spans["execute_tool pay"]
    assert (root.trace_id.hex(), root.parent_span_id.hex()) == (CALLER_TRACE, CALLER_SPAN)
    assert (pay.trace_id.hex(), pay.parent_span_id) == (CALLER_TRACE, root.span_id)
    assert roles(pay) == {"caller": (bytes.fromhex(CALLER_TRACE), bytes.fromhex(CALLER_SPAN))}


def test_a_conversation_is_named_and_a_shell_is_not(scene: OtlpScene) -> None:
    in_shell = scene.mortal()
    start(in_shell)
    do(in_shell, "pay")
    talking = scene.talking("conversation-7")
    start(talking)
    do(talking, "mail")
    spans = scene.spans()
    assert attributes(spans["execute_tool mail"])["gen_ai.conversation.id"] == "conversation-7"
    assert "gen_ai.conversation.id" not in attributes(spans["execute_tool pay"])


def test_a_call_in_another_trace_joins_that_and_is_linked_to_its_execution(scene: OtlpScene) -> None:
    agent = scene.traced()
    execution = start(agent)
    other = scene.traced(trace="a" * 32, span="b" * 16)
    action = other.record_action(phase="begin", tool="pay", execution_id=execution)
    other.record_action(phase="end", action_id=action.id, outcome="ok")
    agent.record_decision(decision="done", why="done", execution_id=execution)
    spans = scene.spans()
    root, pay = spans["invoke_agent agent"], spans["execute_tool pay"]
    assert (pay.trace_id.hex(), pay.parent_span_id.hex()) == ("a" * 32, "b" * 16)
    assert roles(pay) == {"execution": (root.trace_id, root.span_id)}


@pytest.mark.parametrize("trace", ["0" * 32, "nonsense"])
def test_a_trace_of_zeros_or_nonsense_counts_as_none(scene: OtlpScene, trace: str) -> None:
    agent = scene.traced(trace=trace)
    start(agent)
    agent.record_decision(decision="done", why="done")
    root = scene.spans()["invoke_agent agent"]
    assert root.trace_id.hex() not in (CALLER_TRACE, "0" * 32)
    assert root.parent_span_id == b""


# ----------------------------------------------------------------------------------------------------------------------
# What is sent twice, and what is never sent


def test_what_is_sent_again_is_byte_for_byte_the_same_span(scene: OtlpScene) -> None:
    _work(scene.journal)
    scene.send()
    first = [span.SerializeToString(deterministic=True) for span in scene.collector.spans()]
    scene.clock.advance(3600)
    scene.send(since=0)
    again = [span.SerializeToString(deterministic=True) for span in scene.collector.spans()]
    assert again == first + first
    assert len({span.span_id for span in scene.collector.spans()}) == len(first)


def test_two_stores_with_the_same_journal_have_different_spans(scene: OtlpScene) -> None:
    _work(scene.journal)
    other = OtlpScene(MemoryStore(scene.clock), scene.clock, scene.collector)
    _work(other.journal)
    scene.send()
    other.send()
    spans = scene.collector.spans()
    assert len({(span.trace_id, span.span_id) for span in spans}) == len(spans)


SECRET = "correct horse battery staple"


def test_recorded_text_is_sent_only_if_asked_for(scene: OtlpScene) -> None:
    start(scene.journal, title=f"title {SECRET}")
    action = scene.journal.record_action(
        phase="begin", tool="pay", summary=f"summary {SECRET}", arguments={"note": SECRET}
    )
    scene.journal.record_action(phase="end", action_id=action.id, outcome="failed", error=SECRET, result=[SECRET])
    scene.journal.record_decision(decision="fail", why=SECRET)
    scene.send()
    assert not any(SECRET.encode() in message.SerializeToString() for _, message in scene.collector.taken)
    scene.send(since=0, content=True)
    pay = next(span for span in scene.collector.spans()[::-1] if span.name == "execute_tool pay")
    assert attributes(pay)["gen_ai.tool.call.arguments"] == f'{{"note":"{SECRET}"}}'
    assert attributes(pay)["gen_ai.tool.call.result"] == f'["{SECRET}"]'
    assert (pay.status.message, attributes(pay)["tallystick.title"]) == (SECRET, f"summary {SECRET}")


def test_text_that_was_erased_is_not_sent_and_a_masked_secret_stays_masked(scene: OtlpScene) -> None:
    person = scene.person()
    token = "ghp_" + "a1B2" * 9
    start(scene.journal)
    action = do(scene.journal, "pay", summary=SECRET, result={"token": token})
    person.erase(seqs=(entries(scene.journal, id=action)[0].seq,), reason="asked")
    scene.send(content=True)
    sent = b"".join(message.SerializeToString() for _, message in scene.collector.taken)
    assert SECRET.encode() not in sent
    assert token.encode() not in sent
    assert b"gen_ai.tool.call.result" in sent


def _work(journal: Journal) -> None:
    planned(journal, "one")
    do(journal, "pay", step="one", undo="pay back")
    leave_unknown(journal, "mail")
    journal.record_decision(decision="stop", why="enough")
