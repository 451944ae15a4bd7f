"""`tallystick alerts`: what it lists, with the command that deals with each, and how a channel is tried."""

import pytest

from tests.interfaces.cli.conftest import Shell


def test_it_says_that_nothing_needs_anybody(shell: Shell) -> None:
    assert shell.output("alerts") == "No alerts. `tallystick status` shows what is open.\n"


def test_each_alert_is_listed_with_the_command_that_deals_with_it(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    execution = shell.json("record", "execution-start", "--title", "Move the books")["id"]
    asked = shell.json("request", "approval", "--question", "Which shelf?", "--tool", "carry")["id"]
    store = shell.journal.caller.context.store  # type: ignore[attr-defined]
    now = store.clock()
    monkeypatch.setattr(store, "clock", lambda: now + 61_000_000)
    shown = shell.output("alerts").splitlines()
    assert shown[0].startswith("question_waits: ")
    assert 'asks: Which shelf? Call: carry in "Move the books", since ' in shown[0]
    assert shown[1:] == ["  Answer it.", f'  tallystick decide approval {asked} --verdict approve --reason "..."']
    (alert,) = shell.json("alerts")["alerts"]
    assert (alert["about"], alert["execution_id"]) == (asked, execution)
    assert shell.output("alerts", "--quiet") == f"{asked}\n"
    secret = shell.json("add", "credential", "ada")["secret"]
    shell.output("alerts", "silence", "question_waits", "--until", "2h", "--credential", secret)
    assert "(silenced until " in shell.output("alerts", "list")


def test_a_channel_is_tried_and_what_failed_is_said(shell: Shell) -> None:
    away = "mailto://127.0.0.1:1?from=a@example.com&to=b@example.com&mode=insecure"
    done = shell("alerts", "test", "--alert", away)
    assert done.exit_code == 1
    assert done.stdout.startswith("mailto-")
    assert "failed (ConnectionError" in done.stdout
    refused = shell("alerts", "test")
    assert refused.exit_code == 2
    assert "TALLYSTICK_ALERTS" in refused.stderr
