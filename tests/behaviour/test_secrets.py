"""Secrets are masked before the first byte is written."""

from typing import Any

import pytest

from tallystick import AlreadyDone, Journal, Step, Undo
from tests.behaviour.scenarios import begin, do, end, entries, start, step
from tests.matrix import Cell
from tests.promises import promise

PASSWORD = "correct-horse-battery-9"
TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0" * 2
KEY = "sk-ant-api03-" + "Zz9" * 20
SECRETS = (PASSWORD, TOKEN, KEY)


def _written(cell: Cell) -> str:
    """The exact bytes that are stored, entries and bodies."""
    stored = cell.store.stored_entries(cell.settings.journal, after=0, limit=10_000)
    return "\n".join(f"{each.line.decode()} {each.body or ''}" for each in stored)


@promise("secrets-are-masked-before-writing")
@pytest.mark.parametrize(
    "arguments",
    [
        {"password": PASSWORD},
        {"config": {"db": {"DB_PASSWORD": PASSWORD}}},
        {"url": f"https://ada:{PASSWORD}@example.org/path"},
        {"url": f"https://example.org/path?access_token={TOKEN}&page=2"},
        {"headers": {"Authorization": f"Bearer {TOKEN}", "X-Api-Key": KEY}},
        {"headers": [f"authorization: Bearer {TOKEN}"]},
        {"headers": [["X-Api-Key", KEY], ["Accept", "*/*"]]},
        {"command": f"curl -H 'Authorization: Bearer {TOKEN}' https://example.org"},
        {"command": ["login", "--password", PASSWORD]},
        {"env": f"API_KEY={KEY}\nHOME=/"},
        {"text": f"use {TOKEN} for it"},
        {TOKEN: "as a name"},
    ],
    ids=[
        "name",
        "nested",
        "url",
        "query",
        "headers",
        "line",
        "pairs",
        "command",
        "flag",
        "assignment",
        "text",
        "as_name",
    ],
)
def test_secrets_in_arguments_are_masked(cell: Cell, arguments: dict[str, Any]) -> None:
    start(cell.journal)
    action = begin(cell.journal, "call", arguments=arguments)
    written = _written(cell)
    assert "[masked:" in str(entries(cell.journal, id=action)[0].body)
    assert [secret for secret in SECRETS if secret in written] == []


@promise("secrets-are-masked-before-writing")
def test_secrets_are_masked_in_every_argument(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    message = f"it said {TOKEN}"
    steps = [
        Step(
            id="one",
            title=f"Log in with {TOKEN}",
            cancellable="reversible",
            arguments={"password": PASSWORD},
            undo=Undo(tool="logout", arguments={"token": TOKEN}),
            probe=message,
            effect="read",
        ),
        Step(title=f"Then use {TOKEN}", cancellable="reversible", undo=message),
        Step(title="Call", tool=f"curl {TOKEN}", cancellable="reversible", undo=message),
    ]
    made = journal.record_plan(title=message, steps=steps, goal=message, reasoning=message, type=TOKEN, task_id=TOKEN)
    execution = journal.record_execution_start(plan_id=made.id, title=message, notes=message).id
    action = begin(
        journal, TOKEN, step="one", summary=message, before={"t": message}, entity_type="token", entity_id=TOKEN
    )
    end(journal, action, "failed", result={"secret": PASSWORD}, error=f"401 for Bearer {TOKEN}", after=[message])
    end(journal, action, "ok", evidence=message)
    journal.record_action(phase="note", summary=message, execution_id=execution)
    journal.record_decision(
        decision="retry", why=message, alternatives=(message,), rejected=message, execution_id=execution
    )
    journal.record_decision(
        decision="ask_human", why=message, question=message, options=(message,), execution_id=execution
    )
    approval = journal.request_approval(
        question=message, tool="t", arguments={"password": PASSWORD}, execution_id=execution
    )
    person.decide_approval(
        approval_id=approval.id, verdict="edit", reason=message, arguments={"password": PASSWORD, "once": True}
    )
    journal.record_context(key=TOKEN, value=message, metadata={"m": message}, derived_from=(TOKEN,), type=TOKEN)
    journal.record_context(key="k", value=message, scope="task", task_id=TOKEN)
    journal.retire_plan(plan_id=made.id, status="archived", reason=message)
    session = journal.open_session(name=TOKEN, client=TOKEN)
    journal.end_session(session_id=session.id, reason=message)
    seq = journal.record_context(key="gone", value="x").seq
    person.erase(seqs=(seq,), reason=message)
    written = _written(cell).lower()
    assert [secret for secret in SECRETS if secret.lower() in written] == []
    assert "a1b2c3d4e5f6" not in written
    assert journal.read_entries(text=TOKEN).entries == ()


@promise("secrets-are-masked-before-writing")
def test_a_context_with_a_secret_as_its_key_is_still_found(journal: Journal) -> None:
    journal.record_context(key=TOKEN, value="mine")
    assert journal.get_context(key=TOKEN).values[0].value == "mine"


@promise("two-secrets-stay-two-effects")
def test_two_secrets_are_two_effects(cell: Cell) -> None:
    start(cell.journal)
    do(cell.journal, "login", arguments={"password": "first-password-1"})
    do(cell.journal, "login", arguments={"password": "second-password-2"})
    with pytest.raises(AlreadyDone):
        begin(cell.journal, "login", arguments={"password": "first-password-1"})
    first, second = entries(cell.journal, kind="action_begun")
    assert first.body == second.body
    assert first.facts["effect_key"] != second.facts["effect_key"]
    assert "first-password-1" not in _written(cell)


@promise("two-secrets-stay-two-effects")
def test_the_same_effect_has_another_key_in_another_journal(cell: Cell) -> None:
    start(cell.journal)
    other = cell.another("agent two", journal=f"{cell.settings.journal}-other")
    start(other)
    keys = {
        entries(each, id=begin(each, "login", arguments={"pin": "1234"}))[0].facts["effect_key"]
        for each in (cell.journal, other)
    }
    assert len(keys) == 2


@promise("what-is-no-secret-stays-readable")
def test_text_that_is_no_secret_stays_readable(journal: Journal) -> None:
    value = {
        "page_token": "next",
        "tokens": 400,
        "note": f"use {TOKEN} for the upload to s3://bucket/path",
        "url": f"https://ada:{PASSWORD}@example.org/path?page=2",
        "commit": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "author": "the secretary passed the key to the monkey",
    }
    journal.record_context(key="k", value=value)
    found = journal.get_context(key="k").values[0].value
    assert found["tokens"] == 400
    assert found["commit"] == value["commit"]
    assert found["author"] == value["author"]
    assert found["note"].startswith("use [masked:")
    assert found["note"].endswith("for the upload to s3://bucket/path")
    assert found["url"].startswith("https://ada:[masked:")
    assert found["url"].endswith("@example.org/path?page=2")


@promise("more-secrets-can-be-named")
def test_further_names_and_patterns_are_masked(cell: Cell) -> None:
    agent = cell.another("careful", secret_names=("customer_pin",), secret_patterns=(r"CASE-\d+",))
    agent.record_context(key="k", value={"customerPin": "tiger", "note": "see CASE-123 for it", "pin": "board"})
    found = agent.get_context(key="k").values[0].value
    assert found["customerPin"].startswith("[masked:")
    assert found["note"].startswith("see [masked:")
    assert step("x").id == "x"
    assert "tiger" not in _written(cell)
    assert "CASE-123" not in _written(cell)


@promise("a-secret-is-masked-where-it-stands-again")
def test_a_random_value_is_masked_where_it_stands_again_and_a_word_is_not(cell: Cell) -> None:
    journal, random_value = cell.journal, "Zx9dkw02kdlw"
    start(journal)
    arguments = {"password": random_value, "out": f"connected with {random_value}", "db": {"password": "production"}}
    action = begin(journal, "connect", arguments=arguments)
    end(journal, action, result={"text": f"{random_value} was accepted in production"})
    journal.record_decision(decision="continue", why=f"because {random_value} expired")
    journal.record_context(key="connection", value=[f"with {random_value}", {"user_id": random_value}])
    written = _written(cell)
    assert written.count(random_value) == 1
    assert f'"user_id":"{random_value}"' in written
    assert "accepted in production" in written


@promise("a-secret-is-masked-where-it-stands-again")
def test_a_secret_of_one_planned_step_is_masked_in_the_others(cell: Cell) -> None:
    journal, secret = cell.journal, "Wq7rk41xzzb9"
    steps = [
        Step(id="one", title="Log in", tool="login", cancellable="reversible", arguments={"password": secret}),
        Step(id="two", title="Use", tool="use", cancellable="reversible", arguments={"text": f"with {secret}"}),
    ]
    journal.record_plan(title="Log in and use it", steps=steps, start=True)
    assert secret not in _written(cell)
