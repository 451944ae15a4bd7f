"""Webhooks: who may set them, what is shown of them, and what is refused. tests/outbound shows what they deliver."""

from typing import Any

import pytest

from tallystick import InvalidArgument, Journal
from tallystick.core.errors import NotPermitted, UnknownHandle, WrongState
from tests.behaviour.scenarios import entries, kinds, start
from tests.matrix import Cell
from tests.promises import promise

ADDRESS = "https://hooks.example/secret-path?token=secret-token"
CHANGES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("rotate_webhook", {}),
    ("test_webhook", {}),
    ("replay_webhook", {"since": 1}),
    ("replay_webhook", {"dead": True}),
    ("remove_webhook", {}),
)


@promise("webhooks-are-an-admin-s")
def test_an_agent_and_an_approver_can_set_no_address(cell: Cell) -> None:
    ada = cell.person()
    ada.add_webhook(name="ops", address=ADDRESS)
    before = len(entries(cell.journal))
    approver = cell.another("bob", credential=ada.add_credential(name="bob", scopes=("approve",)).secret)
    agent = cell.another("bot", credential=ada.add_credential(name="bot", scopes=("agent",)).secret)
    for journal in (cell.journal, approver, agent):
        with pytest.raises(NotPermitted, match="admin"):
            journal.add_webhook(name="mine", address="https://attacker.example/")
        for name, arguments in CHANGES:
            with pytest.raises(NotPermitted, match="admin"):
                getattr(journal, name)(name="ops", **arguments)
    assert [each.name for each in ada.list_webhooks().webhooks] == ["ops"]
    assert {each.kind for each in entries(cell.journal)[before:]} <= {"credential_added", "session_opened"}


@promise("webhooks-are-an-admin-s")
def test_each_change_is_recorded_with_the_credential_that_was_checked(cell: Cell) -> None:
    ada = cell.person()
    ada.add_webhook(name="ops", address=ADDRESS, kinds=("action_ended",), tool="deploy")
    for name, arguments in CHANGES:
        getattr(ada, name)(name="ops", **arguments)
    made = [each for each in entries(cell.journal) if each.kind.startswith("webhook_")]
    assert [each.kind.removeprefix("webhook_") for each in made] == [
        "added",
        "rotated",
        "tested",
        "replayed",
        "replayed",
        "removed",
    ]
    assert {each.facts["credential"] for each in made} == {"ada"}
    assert {each.facts["name"] for each in made} == {"ops"}
    assert (made[0].facts["host"], list(made[0].facts["kinds"])) == ("hooks.example", ["action_ended"])
    assert (made[3].facts["since"], made[4].facts["dead"]) == (1, True)
    assert ada.list_webhooks().webhooks == ()


@promise("a-webhook-s-secret-is-shown-once")
def test_neither_the_secret_nor_the_address_is_shown_or_recorded(cell: Cell) -> None:
    ada = cell.person()
    added = ada.add_webhook(name="ops", address=ADDRESS, key="once")
    again = ada.add_webhook(name="ops", address=ADDRESS, key="once")
    assert (again.repeated, again.seq, again.secret) == (True, added.seq, "")
    rotated = ada.rotate_webhook(name="ops")
    assert added.secret.startswith("whsec_")
    assert rotated.secret.startswith("whsec_")
    assert len({added.secret, rotated.secret}) == 2
    ada.test_webhook(name="ops")
    shown = f"{ada.list_webhooks()} {entries(cell.journal)} {ada.export()}"
    for secret in (added.secret, rotated.secret, "secret-path", "secret-token"):
        assert secret not in shown
    assert ada.list_webhooks().webhooks[0].host == "hooks.example"


@promise("a-webhook-says-how-far-it-has-come")
def test_a_list_shows_what_each_webhook_is_for_and_how_far_it_is_behind(cell: Cell) -> None:
    ada = cell.person()
    execution = start(cell.journal)
    ada.add_webhook(name="b", address=ADDRESS, kinds=("action_ended", "action_ended"), execution_id=execution)
    ada.add_webhook(name="a", address="http://10.0.0.7:8080/", needs_person=True, tool="rm", actor="bot", task_id="T-1")
    first, second = ada.list_webhooks().webhooks
    assert (first.name, first.host, first.needs_person) == ("a", "10.0.0.7:8080", True)
    assert (first.tool, first.actor, first.task_id, first.behind) == ("rm", "bot", "T-1", 0)
    assert (second.kinds, second.execution_id, second.state) == (("action_ended",), execution, "active")
    assert (second.behind, second.delivering, second.waiting, second.dead) == (1, False, 0, 0)
    page = ada.list_webhooks(limit=1)
    assert ([each.name for each in page.webhooks], page.next_cursor) == (["a"], "a")
    assert [each.name for each in ada.list_webhooks(limit=1, cursor="a").webhooks] == ["b"]
    assert ada.list_dead_deliveries(name="a").deliveries == ()


WRONG: tuple[tuple[str, Any], ...] = (
    ("address", "hooks.example"),
    ("address", "ftp://hooks.example/"),
    ("address", "https://user:password@hooks.example/"),
    ("address", "https://hooks.example/#part"),
    ("address", "https://hooks.example:port/"),
    ("address", "https://"),
    ("address", "https://h\u00f6\u00f6ks.example/"),
    ("name", "Ops"),
    ("name", "a/b"),
    ("kinds", ("action_finished",)),
    ("kinds", ("unreadable",)),
)


@promise("a-wrong-webhook-is-refused-with-the-fix")
def test_a_webhook_that_cannot_work_is_refused_with_the_field(cell: Cell) -> None:
    ada = cell.person()
    for field, value in WRONG:
        with pytest.raises(InvalidArgument) as caught:
            ada.add_webhook(**{"name": "ops", "address": ADDRESS, field: value})
        assert (caught.value.field or "").startswith(field)
        assert "user:password" not in str(caught.value)
    assert "webhook_added" not in kinds(cell.journal)


@promise("a-wrong-webhook-is-refused-with-the-fix")
def test_a_name_in_use_an_unknown_one_and_an_entry_to_come_are_refused(cell: Cell) -> None:
    ada = cell.person()
    assert ada.add_webhook(name="ops", address=ADDRESS).notes == ()
    with pytest.raises(WrongState, match="already"):
        ada.add_webhook(name="ops", address=ADDRESS)
    with pytest.raises(InvalidArgument, match="no entry 1000 yet"):
        ada.replay_webhook(name="ops", since=1000)
    with pytest.raises(InvalidArgument, match="both"):
        ada.replay_webhook(name="ops", since=1, dead=True)
    for name, arguments in CHANGES:
        with pytest.raises(UnknownHandle, match='no webhook "other"') as caught:
            getattr(ada, name)(name="other", **arguments)
        assert "ops" in (caught.value.hint or "")
    with pytest.raises(UnknownHandle):
        ada.list_dead_deliveries(name="other")
    _check_note(ada)


def _check_note(ada: Journal) -> None:
    """An address that needs an operator's word is added with a note that says so."""
    (note,) = ada.add_webhook(name="near", address="http://localhost:8080/hook").notes
    assert note.endswith("--deliver-to localhost:8080")
