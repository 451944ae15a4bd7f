"""Credentials: their scopes, expiry and tasks, and the scopes that exclude each other."""

from typing import Any

import pytest

from tallystick import Actor, Journal
from tallystick.core.errors import InvalidArgument, NotPermitted, UnknownHandle, WrongState
from tallystick.operations.runtime.access import find_access
from tests.behaviour.scenarios import start
from tests.matrix import Cell
from tests.promises import promise


@promise("a-credential-grants-what-it-says")
@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"scopes": ("agent", "approve")}, "scopes"),
        ({"scopes": ("admin", "agent")}, "scopes"),
        ({"scopes": ("agent", "audit")}, "scopes"),
        ({"scopes": ("agent",), "tasks": ("T-1",)}, "tasks"),
        ({"scopes": ("read", "audit"), "tasks": ("T-1",)}, "tasks"),
        ({"tasks": ("T-1",)}, "tasks"),
        ({"scopes": ("read",), "observes": True}, "observes"),
        ({"scopes": ("own",)}, "scopes"),
        ({"scopes": ("read",), "expires": "2001-01-01T00:00:00Z"}, "expires"),
        ({"scopes": ("read",), "expires": "soon"}, "expires"),
        ({"scopes": ("read",), "expires": "0s"}, "expires"),
    ],
)
def test_scopes_that_cannot_be_combined_are_refused_with_the_field(
    cell: Cell, arguments: dict[str, Any], field: str
) -> None:
    person = cell.person()
    with pytest.raises(InvalidArgument) as caught:
        person.add_credential(name="bob", **arguments)
    assert (caught.value.field or "").startswith(field)
    assert [each.name for each in cell.journal.list_credentials().credentials] == ["ada"]


@promise("a-credential-grants-what-it-says")
def test_the_grants_of_a_credential_are_stored_listed_and_found_by_its_secret(cell: Cell) -> None:
    person = cell.person()
    reader = person.add_credential(name="rita", scopes=("read", "approve"), tasks=("T 1", "T-2", "T 1"), expires="2h")
    gateway = person.add_credential(name="gate", scopes=("agent",), observes=True)
    ada, gate, rita = cell.journal.list_credentials().credentials
    assert (ada.scopes, ada.expires, ada.tasks, ada.observes) == (("approve", "admin"), "", (), False)
    assert (gate.scopes, gate.observes) == (("agent",), True)
    assert (rita.scopes, rita.tasks, rita.expired) == (("read", "approve"), ("T 1", "T-2"), False)
    known = find_access(cell.store, reader.secret)
    assert known
    assert (known.name, known.journal, known.secret) == ("rita", cell.settings.journal, reader.secret)
    assert (known.scopes, known.tasks, known.observes) == (frozenset(("read", "approve")), ("T 1", "T-2"), False)
    assert (recognised := find_access(cell.store, gateway.secret))
    assert recognised.observes
    facts = {each.facts["name"]: each.facts for each in cell.journal.read_entries(kind="credential_added").entries}
    assert list(facts["rita"]["tasks"]) == ["T 1", "T-2"]
    assert facts["rita"]["expires"] == cell.clock.now + 7200 * 1_000_000
    assert set(facts["ada"]) == {"name", "scopes", "secret_hash"}


@promise("an-entry-names-the-credential-that-was-checked")
def test_the_checked_credential_is_named_whatever_the_actor_is_called(cell: Cell) -> None:
    secret = cell.journal.add_credential(name="ada").secret
    mallory = cell.another(Actor(kind="person", name="mallory"), credential=secret)
    mallory.add_credential(name="bob", scopes=("read",))
    mallory.revoke_credential(name="bob")
    start(cell.journal)
    noted = cell.journal.record_context(key="k", value="v")
    mallory.erase(seqs=(noted.seq,), reason="asked for")
    mallory.decide_approval(approval_id=cell.journal.request_approval(question="Go on?").id, verdict="approve")
    kinds = ("credential_added", "credential_revoked", "body_erased", "approval_decided")
    entries = [entry for kind in kinds for entry in cell.journal.read_entries(kind=kind).entries]
    assert [entry.facts.get("credential", "") for entry in entries] == ["", "ada", "ada", "ada", "ada"]


MOVES = (("pause", "paused"), ("resume", "running"), ("stop", "cancelled"), ("done", "completed"), ("fail", "failed"))


@promise("an-approver-moves-an-execution-as-that-person")
def test_an_approver_pauses_resumes_stops_and_ends_as_that_person(cell: Cell) -> None:
    secret = cell.person().add_credential(name="bob", scopes=("approve",)).secret
    bob = cell.another(Actor(kind="person", name="bob"), credential=secret)
    for decision, status in MOVES:
        execution = start(cell.journal)
        if decision == "resume":
            cell.journal.record_decision(decision="pause", why="lunch", execution_id=execution)
        receipt = bob.record_decision(decision=decision, why="so it is", execution_id=execution)  # type: ignore[arg-type]
        assert (receipt.execution_id, receipt.status) == (execution, status)
        (entry,) = cell.journal.read_entries(id=receipt.id).entries
        assert (entry.actor_kind, entry.actor, entry.facts["credential"]) == ("person", "bob", "bob")
        assert entry.session != cell.journal.get_execution(execution_id=execution).session


@promise("a-person-who-may-approve-may-say-that-something-is-undone")
def test_an_approver_says_that_something_is_undone_as_that_person(cell: Cell) -> None:
    secret = cell.person().add_credential(name="bob", scopes=("approve",)).secret
    bob = cell.another(Actor(kind="person", name="bob"), credential=secret)
    execution = start(cell.journal)
    made = cell.journal.record_action(phase="done", outcome="ok", tool="mkdir", summary="made it", undo="remove it").id
    cell.journal.record_decision(decision="stop", why="enough", execution_id=execution)
    undone = bob.record_action(phase="done", kind="undo", undoes=made, outcome="ok", summary="removed by hand").id
    row = cell.journal.get_action(action_id=undone)
    assert (row.actor, row.actor_kind, row.undoes) == ("bob", "person", made)
    assert cell.journal.list_owed(execution_id=execution).owed == ()


@promise("an-approver-moves-an-execution-as-that-person")
def test_a_decision_names_no_credential_that_may_not_decide(cell: Cell) -> None:
    person = cell.person()
    agent = cell.another(credential=person.add_credential(name="ci", scopes=("agent",)).secret)
    execution = start(cell.journal)
    for each in (cell.journal, agent):
        receipt = each.record_decision(decision="continue", why="so it is", execution_id=execution)
        (entry,) = cell.journal.read_entries(id=receipt.id).entries
        assert "credential" not in entry.facts


@promise("a-credential-is-worth-nothing-when-it-has-ended")
def test_a_credential_that_ended_grants_nothing(cell: Cell) -> None:
    person = cell.person()
    made = person.add_credential(name="bob", scopes=("approve",), expires="1h")
    start(cell.journal)
    approval = cell.journal.request_approval(question="Go on?")
    bob = cell.another(Actor(kind="person", name="bob"), credential=made.secret)
    cell.clock.advance(3599)
    assert find_access(cell.store, made.secret)
    cell.clock.advance(1)
    assert find_access(cell.store, made.secret) is None
    with pytest.raises(NotPermitted, match="expired"):
        bob.decide_approval(approval_id=approval.id, verdict="approve")
    listed = {each.name: each.expired for each in cell.journal.list_credentials().credentials}
    assert listed == {"ada": False, "bob": True}


@promise("a-credential-is-worth-nothing-when-it-has-ended")
def test_neither_a_revoked_nor_an_unknown_secret_grants_access(cell: Cell) -> None:
    person = cell.person()
    made = person.add_credential(name="bob", scopes=("read",))
    assert find_access(cell.store, made.secret)
    person.revoke_credential(name="bob")
    for secret in (made.secret, "", "ts_guessed", made.secret[:-1]):
        assert find_access(cell.store, secret) is None


@promise("a-limited-approver-decides-only-their-tasks")
def test_an_approver_of_some_tasks_decides_those_only(cell: Cell) -> None:
    made = cell.person().add_credential(name="bob", scopes=("approve",), tasks=("T-1",))
    bob = cell.another(Actor(kind="person", name="bob"), credential=made.secret)
    theirs, others, on_unknown_tool = (_request_approval(cell.journal, task) for task in ("T-1", "T-2", None))
    for approval in (others, on_unknown_tool):
        with pytest.raises((NotPermitted, UnknownHandle)):  # a server does not even show that it exists
            bob.decide_approval(approval_id=approval, verdict="approve")
        assert cell.journal.get_approval(approval_id=approval).status == "pending"
    assert bob.decide_approval(approval_id=theirs, verdict="approve").status == "approve"


def _request_approval(journal: Journal, task: str | None) -> str:
    execution = journal.record_execution_start(title="Work", **({"task_id": task} if task else {})).id
    return journal.request_approval(question="Go on?", execution_id=execution).id


@promise("the-last-admin-stays")
def test_an_admin_that_ends_is_not_counted_on(cell: Cell) -> None:
    with pytest.raises(WrongState, match="cannot expire"):
        cell.journal.add_credential(name="ada", expires="1d")
    person = cell.person()
    person.add_credential(name="bob", scopes=("admin",), expires="1d")
    with pytest.raises(WrongState, match="last"):
        person.revoke_credential(name="ada")


@promise("the-last-admin-stays")
def test_the_first_person_s_credential_is_one_that_can_make_and_revoke_others(cell: Cell) -> None:
    with pytest.raises(WrongState, match="needs the scope admin"):
        cell.journal.add_credential(name="ada", scopes=("approve",))
    assert cell.journal.list_credentials().credentials == ()
    person = cell.person()
    person.add_credential(name="bob", scopes=("approve",))
    person.revoke_credential(name="bob")


@promise("a-credential-is-made-once-and-can-be-revoked")
def test_an_agent_s_token_that_was_made_first_does_not_block_a_person_s(cell: Cell) -> None:
    agent = cell.journal.add_credential(name="bot", scopes=("agent",))
    person = cell.person()
    with pytest.raises(NotPermitted):
        cell.another("bot", credential=agent.secret).add_credential(name="myself")
    assert person.add_credential(name="other", scopes=("read",)).secret
