"""Durable questions to people: bound to an exact call, answered once, used once."""

from typing import Any

import pytest

from tallystick import Actor, ApprovalPending, InvalidArgument, Journal, NotPermitted, WrongState
from tests.behaviour.scenarios import begin, do, end, entries, kinds, plan, planned, start, status, step
from tests.matrix import Cell
from tests.promises import promise

CALL: dict[str, Any] = {"tool": "pay", "arguments": {"amount": 40, "to": "x"}}


def _request_approval(journal: Journal, **more: Any) -> str:
    return journal.request_approval(**{"question": "Pay 40?", **CALL, **more}).id


@promise("an-approval-is-bound-to-exact-arguments")
def test_a_grant_covers_exactly_the_requested_call(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    start(journal)
    approval = _request_approval(journal)
    person.decide_approval(approval_id=approval, verdict="approve")
    for other in (
        {"tool": "pay", "arguments": {"amount": 41, "to": "x"}},
        {"tool": "pay", "arguments": {"amount": 40, "to": "x", "more": None}},
        {"tool": "pay"},
        {"tool": "bill", "arguments": {"amount": 40, "to": "x"}},
        {},
    ):
        with pytest.raises(WrongState, match="grants another"):
            begin(journal, approval_id=approval, **other)
    action = begin(journal, "pay", arguments={"to": "x", "amount": 40}, approval_id=approval)
    assert entries(journal, id=action)[0].facts["approval_id"] == approval


@promise("an-approval-is-bound-to-exact-arguments")
def test_a_grant_for_one_step_is_none_for_another(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    planned(journal, step("lock", needs_approval=True, after=()), step("wipe", needs_approval=True, after=()))
    approval = journal.request_approval(question="Lock it?", step="lock").id
    person.decide_approval(approval_id=approval, verdict="approve")
    with pytest.raises(WrongState, match="lock"):
        begin(journal, step="wipe", approval_id=approval)
    assert begin(journal, step="lock", approval_id=approval)


@promise("an-approval-is-bound-to-exact-arguments")
def test_a_grant_in_one_execution_is_none_in_another(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    first, second = start(journal), start(journal)
    approval = _request_approval(journal, execution_id=first)
    person.decide_approval(approval_id=approval, verdict="approve")
    with pytest.raises(WrongState, match=first):
        begin(journal, approval_id=approval, execution_id=second, **CALL)
    assert begin(journal, approval_id=approval, execution_id=first, **CALL)


@promise("an-approval-is-bound-to-exact-arguments")
def test_a_question_about_no_call_and_no_step_grants_none(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    planned(journal, step("lock", needs_approval=True, after=()), step("wipe", needs_approval=True, after=()))
    approval = journal.request_approval(question="Is it going well?").id
    person.decide_approval(approval_id=approval, verdict="approve")
    with pytest.raises(WrongState):
        begin(journal, step="wipe", approval_id=approval)


@promise("an-approval-is-bound-to-exact-arguments")
def test_two_secrets_are_two_calls_for_a_grant_too(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    start(journal)
    approval = journal.request_approval(question="Log in?", tool="login", arguments={"password": "correct-horse-1"})
    person.decide_approval(approval_id=approval.id, verdict="approve")
    with pytest.raises(WrongState, match="grants another"):
        begin(journal, "login", arguments={"password": "battery-staple-2"}, approval_id=approval.id)


@promise("an-approval-is-answered-once")
def test_a_second_answer_is_refused(cell: Cell) -> None:
    person = cell.person()
    start(cell.journal)
    approval = _request_approval(cell.journal)
    person.decide_approval(approval_id=approval, verdict="reject", reason="too much")
    with pytest.raises(WrongState, match="answered with reject"):
        person.decide_approval(approval_id=approval, verdict="approve")
    assert person.get_approval(approval_id=approval).status == "reject"


@promise("an-approval-is-used-once")
def test_a_used_grant_is_spent(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    start(journal)
    approval = _request_approval(journal)
    person.decide_approval(approval_id=approval, verdict="approve")
    action = begin(journal, approval_id=approval, **CALL)
    end(journal, action, "failed", without_effect=True)
    with pytest.raises(WrongState, match=f"used by {action}"):
        begin(journal, approval_id=approval, **CALL)
    view = journal.get_approval(approval_id=approval)
    assert (view.status, view.used_by) == ("used", action)


@promise("an-edit-grants-other-arguments")
def test_an_edit_grants_the_edited_call_and_only_that(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    start(journal)
    approval = _request_approval(journal)
    with pytest.raises(InvalidArgument) as caught:
        person.decide_approval(approval_id=approval, verdict="edit")
    assert caught.value.field == "arguments"
    receipt = person.decide_approval(approval_id=approval, verdict="edit", arguments={"amount": 20, "to": "x"})
    assert (receipt.status, receipt.arguments) == ("edit", {"amount": 20, "to": "x"})
    view = journal.get_approval(approval_id=approval)
    assert (view.arguments, view.edited) == ({"amount": 40, "to": "x"}, {"amount": 20, "to": "x"})
    with pytest.raises(WrongState, match="grants another"):
        begin(journal, approval_id=approval, **CALL)
    assert begin(journal, "pay", arguments={"amount": 20, "to": "x"}, approval_id=approval)


@promise("expiry-is-never-a-yes")
def test_an_expired_question_cannot_be_answered_or_used(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    start(journal)
    approval = _request_approval(journal, expires="2h")
    cell.clock.advance(2 * 3600 + 1)
    assert journal.get_approval(approval_id=approval).status == "expired"
    with pytest.raises(WrongState, match="expired"):
        person.decide_approval(approval_id=approval, verdict="approve")
    with pytest.raises(ApprovalPending, match="without an answer"):
        begin(journal, approval_id=approval, **CALL)


@promise("expiry-is-never-a-yes")
def test_a_grant_that_has_expired_is_none(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    start(journal)
    approval = _request_approval(journal, expires="2h")
    person.decide_approval(approval_id=approval, verdict="approve")
    cell.clock.advance(2 * 3600 + 1)
    with pytest.raises(WrongState, match="expired"):
        begin(journal, approval_id=approval, **CALL)


@promise("expiry-is-never-a-yes")
def test_an_expired_question_still_holds_back_the_waiting_step(cell: Cell) -> None:
    journal = cell.journal
    start(journal)
    journal.record_decision(decision="ask_human", why="unsure", question="Pay?", expires="2h", **CALL)
    cell.clock.advance(2 * 3600 + 1)
    with pytest.raises(ApprovalPending, match="without an answer"):
        begin(journal, **CALL)


@promise("only-a-yes-grants")
@pytest.mark.parametrize("verdict", [None, "reject", "respond"])
def test_only_a_yes_grants(cell: Cell, verdict: Any) -> None:
    journal, person = cell.journal, cell.person()
    start(journal)
    approval = _request_approval(journal)
    if verdict:
        more: dict[str, Any] = {"answer": "ask Bob"} if verdict == "respond" else {}
        person.decide_approval(approval_id=approval, verdict=verdict, reason="not mine", **more)
    with pytest.raises(WrongState if verdict else ApprovalPending):
        begin(journal, approval_id=approval, **CALL)
    view = journal.get_approval(approval_id=approval)
    assert view.status == (verdict or "pending")
    assert view.answer == ("ask Bob" if verdict == "respond" else "")


@promise("only-a-yes-grants")
@pytest.mark.parametrize(
    ("verdict", "more", "field"),
    [
        ("approve", {"arguments": {"amount": 1}}, "arguments"),
        ("reject", {"arguments": {"amount": 1}}, "arguments"),
        ("respond", {"arguments": {"amount": 1}, "answer": "no"}, "arguments"),
        ("approve", {"answer": "only once"}, "answer"),
        ("edit", {"arguments": {"amount": 1}, "answer": "less"}, "answer"),
        ("edit", {}, "arguments"),
    ],
)
def test_an_argument_that_a_verdict_would_ignore_is_refused(
    cell: Cell, verdict: Any, more: dict[str, Any], field: str
) -> None:
    person = cell.person()
    start(cell.journal)
    approval = _request_approval(cell.journal)
    with pytest.raises(InvalidArgument) as caught:
        person.decide_approval(approval_id=approval, verdict=verdict, **more)
    assert caught.value.field == field
    assert cell.journal.get_approval(approval_id=approval).status == "pending"


@promise("blocked-refuses-only-what-waits")
def test_asking_blocks_only_steps_that_wait_for_the_answer(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    execution = planned(journal, step("pay", after=()), step("tidy", after=()))
    approval = journal.record_decision(decision="ask_human", why="it is much", question="Pay?", step="pay", **CALL)
    assert (approval.status, status(journal, execution)) == ("blocked", "blocked")
    assert journal.get_status(execution_id=execution).approvals == (approval.approval_id,)
    for waiting in ({"step": "pay"}, CALL, {"step": "pay", **CALL}):
        with pytest.raises(ApprovalPending, match=approval.approval_id):
            begin(journal, **waiting)
    do(journal, step="tidy")
    do(journal, "pay", arguments={"amount": 1})
    person.decide_approval(approval_id=approval.approval_id, verdict="approve")
    assert status(journal, execution) == "running"
    assert begin(journal, step="pay", approval_id=approval.approval_id, **CALL)


@promise("blocked-refuses-only-what-waits")
def test_the_last_answer_frees_the_execution(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    execution = start(journal)
    approvals = [
        journal.record_decision(decision="ask_human", why="?", question=f"Question {number}?").approval_id
        for number in range(2)
    ]
    person.decide_approval(approval_id=approvals[0], verdict="reject")
    assert status(journal, execution) == "blocked"
    person.decide_approval(approval_id=approvals[1], verdict="respond", answer="neither")
    assert status(journal, execution) == "running"


@promise("blocked-refuses-only-what-waits")
def test_a_call_that_a_person_is_asked_about_waits_however_it_was_asked(cell: Cell) -> None:
    journal = cell.journal
    execution = start(journal)
    approval = _request_approval(journal)
    assert status(journal, execution) == "running"
    with pytest.raises(ApprovalPending, match=approval):
        begin(journal, **CALL)
    do(journal, "other")


@promise("blocked-refuses-only-what-waits")
def test_a_question_needs_words(journal: Journal) -> None:
    start(journal)
    with pytest.raises(InvalidArgument) as caught:
        journal.record_decision(decision="ask_human", why="unsure", question=" ")
    assert caught.value.field == "question"


@promise("a-step-that-needs-approval-needs-one")
def test_a_step_that_needs_approval_does_not_begin_without(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    execution = planned(journal, step("pay", needs_approval=True, tool="pay"))
    with pytest.raises(ApprovalPending) as caught:
        begin(journal, step="pay", **CALL)
    assert caught.value.next_call is not None
    assert caught.value.next_call[0] == "request_approval"
    assert caught.value.next_call[1]["execution_id"] == execution
    approval = _request_approval(journal, step="pay")
    person.decide_approval(approval_id=approval, verdict="approve")
    assert do(journal, step="pay", approval_id=approval, **CALL)


@promise("a-step-that-needs-approval-needs-one")
def test_the_call_of_a_step_that_needs_approval_does_not_begin_by_itself(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    planned(journal, step("pay", needs_approval=True, **CALL), step("look", tool="look"))
    with pytest.raises(ApprovalPending, match='step "pay"'):
        begin(journal, **CALL)
    assert begin(journal, tool=CALL["tool"], arguments={"something": "else"})
    approval = _request_approval(journal, step="pay")
    person.decide_approval(approval_id=approval, verdict="approve")
    assert do(journal, step="pay", approval_id=approval, **CALL)


@promise("a-step-that-needs-approval-needs-one")
def test_a_question_about_a_step_that_is_none_is_refused(journal: Journal) -> None:
    planned(journal, step("pay", needs_approval=True))
    with pytest.raises(InvalidArgument) as caught:
        journal.request_approval(question="Pay?", step="pya")
    assert caught.value.allowed == ("pay",)


@promise("deciding-needs-a-credential")
@pytest.mark.parametrize("credential", ["", "ts_guessed"])
def test_an_agent_can_neither_decide_nor_erase(cell: Cell, credential: str) -> None:
    cell.person()
    agent = cell.another("bold")
    start(agent)
    approval = _request_approval(agent)
    length = agent.get_stats().entries
    bold = cell.another("bold", credential=credential) if credential else agent
    with pytest.raises(NotPermitted):
        bold.decide_approval(approval_id=approval, verdict="approve")
    with pytest.raises(NotPermitted):
        bold.erase(seqs=(1,), reason="to hide it")
    with pytest.raises(NotPermitted):
        bold.add_credential(name="myself")
    with pytest.raises(NotPermitted):
        bold.revoke_credential(name="ada")
    assert agent.get_stats().entries == length
    assert agent.get_approval(approval_id=approval).status == "pending"


@promise("deciding-needs-a-credential")
def test_an_approval_cannot_be_decided_without_a_credential(journal: Journal) -> None:
    start(journal)
    with pytest.raises(NotPermitted):
        journal.decide_approval(approval_id=_request_approval(journal), verdict="approve")


@promise("deciding-needs-a-credential")
def test_each_scope_is_its_own(cell: Cell) -> None:
    root = cell.person("root")
    made = root.add_credential(name="bob", scopes=("approve",))
    bob = cell.another(Actor(kind="person", name="bob"), credential=made.secret)
    start(cell.journal)
    approval = _request_approval(cell.journal)
    assert bob.decide_approval(approval_id=approval, verdict="approve").status == "approve"
    with pytest.raises(NotPermitted, match="admin"):
        bob.erase(seqs=(1,), reason="to hide it")
    assert cell.journal.get_approval(approval_id=approval).decided_by == "bob"


@promise("a-credential-is-made-once-and-can-be-revoked")
def test_a_credential_is_kept_by_its_hash_and_can_be_revoked(cell: Cell) -> None:
    first = cell.journal.add_credential(name="ada")
    ada = cell.another(Actor(kind="person", name="ada"), credential=first.secret)
    with pytest.raises(WrongState, match="already"):
        ada.add_credential(name="ada")
    second = ada.add_credential(name="bob", scopes=("admin",))
    bob = cell.another(Actor(kind="person", name="bob"), credential=second.secret)
    bob.revoke_credential(name="ada")
    start(cell.journal)
    with pytest.raises(NotPermitted):
        ada.decide_approval(approval_id=_request_approval(cell.journal), verdict="approve")
    listed = {each.name: (each.scopes, each.revoked) for each in cell.journal.list_credentials().credentials}
    assert listed == {"ada": (("approve", "admin"), True), "bob": (("admin",), False)}
    assert kinds(cell.journal).count("credential_added") == 2
    assert kinds(cell.journal).count("credential_revoked") == 1
    exported = "\n".join(cell.journal.export().lines)
    assert first.secret not in exported
    assert second.secret not in exported


@promise("a-question-is-durable")
def test_a_question_and_its_answer_keep_everything(cell: Cell) -> None:
    person = cell.person()
    execution = planned(cell.journal, "pay")
    approval = cell.journal.request_approval(
        question="Pay 40?", step="pay", options=("yes", "no", "later"), expires="2h", **CALL
    )
    assert (approval.status, approval.execution_id) == ("pending", execution)
    cell.clock.advance(60)
    person.decide_approval(approval_id=approval.id, verdict="respond", answer="later", reason="pay day is Friday")
    view = cell.another("next").get_approval(approval_id=approval.id)
    assert (view.question, view.options, view.step) == ("Pay 40?", ("yes", "no", "later"), "pay")
    assert (view.tool, view.arguments, view.execution_id) == ("pay", {"amount": 40, "to": "x"}, execution)
    assert (view.status, view.answer, view.reason) == ("respond", "later", "pay day is Friday")
    assert view.decided_by == "ada"
    assert view.asked < view.decided < view.expires
    decided = entries(person, kind="approval_decided")[0]
    assert (decided.actor, decided.actor_kind, decided.id) == ("ada", "person", approval.id)


@promise("a-question-is-durable")
def test_a_question_with_options_takes_no_other_answer_and_stays_open(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    start(journal)
    asked = journal.request_approval(question="What now?", options=("retry", "skip it")).id
    for other in (
        {"verdict": "respond", "answer": "maybe"},
        {"verdict": "respond", "answer": "retrying"},
        {"verdict": "approve"},
        {"verdict": "approve", "reason": "fine"},
    ):
        with pytest.raises(InvalidArgument, match='offers retry, "skip it"'):
            person.decide_approval(approval_id=asked, **other)  # type: ignore[arg-type]
        assert journal.get_approval(approval_id=asked).status == "pending"
    person.decide_approval(approval_id=asked, verdict="respond", answer="Retry, the network is back")
    for verdict, answer in (("respond", "skip it"), ("reject", "")):
        asked = journal.request_approval(question="What now?", options=("retry", "skip it")).id
        assert person.decide_approval(approval_id=asked, verdict=verdict, answer=answer).status == verdict  # type: ignore[arg-type]
    asked = _request_approval(journal, options=("yes", "no"))
    assert person.decide_approval(approval_id=asked, verdict="approve").status == "approve"
    free = journal.request_approval(question="Which one?").id
    assert person.decide_approval(approval_id=free, verdict="respond", answer="maybe").status == "respond"


@promise("an-observation-uses-up-no-approval")
@pytest.mark.parametrize("verdict", [None, "reject", "approve"])
def test_an_observed_call_that_is_not_covered_leaves_the_approval(cell: Cell, verdict: Any) -> None:
    person = cell.person()
    execution = start(cell.journal)
    approval = _request_approval(cell.journal)
    if verdict:
        person.decide_approval(approval_id=approval, verdict=verdict)
    hook = cell.another("hook", witness="observed")
    uncovered = [{"tool": "pay", "arguments": {"amount": 4000}}] + ([] if verdict == "approve" else [CALL])
    for call in uncovered:
        seen = begin(hook, approval_id=approval, execution_id=execution, **call)
        assert entries(hook, id=seen)[0].facts["out_of_order"] is True
        assert hook.get_approval(approval_id=approval).status == (verdict or "pending")


@promise("a-step-that-needs-approval-needs-one")
def test_a_plan_can_be_recorded_without_any_approval(journal: Journal) -> None:
    made = plan(journal, step("pay", needs_approval=True))
    assert journal.record_execution_start(plan_id=made.id).next_steps == ("pay",)
