"""Messages about alerts: one for a burst, again after a while, one when it is over; at least once, to each channel."""

import re
import socket
from email import message_from_bytes, policy
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from msgspec import structs

from tallystick import Actor, InvalidArgument, Journal, Undo
from tallystick.interfaces import dashboard
from tallystick.operations.notifications.alerts import RULES
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.outbound.alerts import channels, part
from tallystick.outbound.alerts.channels import AlertChannel, open_channels
from tallystick.outbound.alerts.messages import RULE_NAMES, AlertMessage, sample_message
from tallystick.outbound.alerts.part import AlertPart
from tallystick.sdk.local import Local
from tallystick.settings import Settings
from tests.stores import AnyStore, Clock

JOURNAL = "work"


class Inbox:
    """A notifier that keeps what it gets, or fails."""

    def __init__(self) -> None:
        self.messages: list[AlertMessage] = []
        self.is_away = False

    def send(self, message: AlertMessage) -> None:
        if self.is_away:
            raise ConnectionError("secret text of a server")
        self.messages.append(message)

    def take(self) -> list[AlertMessage]:
        taken, self.messages = self.messages, []
        return taken


class SomeJournals:
    def __init__(self, *found: OperationContext) -> None:
        self.found = list(found)

    def contexts(self) -> list[OperationContext]:
        return self.found


@pytest.fixture
def context(store: AnyStore) -> OperationContext:
    return OperationContext(store, Settings(url="", journal=JOURNAL, actor="agent"), Principal())


@pytest.fixture
def journal(context: OperationContext) -> Journal:
    return Journal(Local(context))


def telling(context: OperationContext, *inboxes: Inbox, base: str = "") -> AlertPart:
    """Another process that tells these inboxes."""
    made = [AlertChannel(f"inbox-{number}", inbox) for number, inbox in enumerate(inboxes)]
    return AlertPart(SomeJournals(context), made, base)


def ask(journal: Journal, *words: str) -> list[str]:
    return [journal.request_approval(question=f"{word}?", tool="t", arguments={"w": word}).id for word in words]


def test_a_burst_is_one_message_and_its_end_is_told(context: OperationContext, journal: Journal, clock: Clock) -> None:
    inbox = Inbox()
    sending = telling(context, inbox)
    execution = journal.record_execution_start(title="Move\x1b[2J the books").id
    ask(journal, *map(str, range(25)))
    sending.look()
    assert inbox.take() == []
    clock.advance(61)
    sending.look()
    (message,) = inbox.take()
    assert message.title == "Tallystick work: A question waits (25)"
    lines = message.text.splitlines()
    assert lines[0].startswith(
        'A question waits: somebody asks: 0? Call: t {"w":"0"} in "Move\\x1b[2J the books", since 20'
    )
    assert lines[20:] == ["And 5 more.", "See: tallystick alerts"]
    sending.look()
    assert inbox.take() == []
    clock.advance(4 * 3600)
    sending.look()
    (again,) = inbox.take()
    assert (again.title, len(again.lasting)) == ("Tallystick work: still open (25)", 25)
    journal.record_decision(decision="stop", execution_id=execution, why="enough")
    sending.look()
    (over,) = inbox.take()
    assert (over.title, len(over.resolved)) == ("Tallystick work: over (25)", 25)
    assert over.text.startswith("Over: A question waits (ap_")
    sending.look()
    assert inbox.take() == []


def test_a_channel_that_is_away_misses_nothing_and_holds_no_other_up(
    context: OperationContext, journal: Journal, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    here, away = Inbox(), Inbox()
    away.is_away = True
    sending = telling(context, away, here)
    journal.record_execution_start(title="x")
    (asked,) = ask(journal, "one")
    clock.advance(61)
    sending.look()
    assert ([len(each.raised) for each in here.take()], away.take()) == ([1], [])
    away.is_away = False
    sending.look()
    assert away.take() == []  # it is tried again after a while
    clock.advance(31)
    ask(journal, "two")
    clock.advance(61)
    sending.look()
    assert [message.raised[0].about for message in away.take()] == [asked]
    assert "secret text" not in caplog.text
    assert "ConnectionError" in str([record.__dict__.get("fields") for record in caplog.records])


def test_a_channel_that_is_away_for_months_is_still_tried_each_hour(
    context: OperationContext, journal: Journal, clock: Clock
) -> None:
    here, away = Inbox(), Inbox()
    away.is_away = True
    sending = telling(context, away, here)
    journal.record_execution_start(title="x")
    ask(journal, "one")
    clock.advance(61)
    sending.look()
    sending._accounts[JOURNAL, "inbox-0"]._failures = 1100  # a month and a half later
    clock.advance(4 * 3600)
    sending.look()
    assert len(here.take()) == 2
    away.is_away = False
    clock.advance(3599)
    sending.look()
    assert away.take() == []
    clock.advance(300)  # a quiet journal is looked at so often
    sending.look()
    assert len(away.take()) == 1


def test_a_fault_in_one_journal_or_account_holds_no_other_up(
    context: OperationContext,
    journal: Journal,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    first, second = Inbox(), Inbox()
    other = context.for_journal("other", Principal())
    for each in (journal, Journal(Local(other))):
        each.record_execution_start(title="x")
        ask(each, "one")
    clock.advance(61)
    sending = AlertPart(
        SomeJournals(context.for_journal("broken", Principal()), context, other),
        [AlertChannel("first", first), AlertChannel("second", second)],
    )
    find, tell = part.verify_if_due, part.ChannelAccount.tell

    def find_or_fail(context: OperationContext) -> None:
        if context.journal == "broken":
            raise OverflowError("secret text of a journal")
        find(context)

    def tell_or_fail(account: part.ChannelAccount, *arguments: Any) -> None:
        if (account._context.journal, account._channel.name) == (JOURNAL, "first"):
            raise OverflowError("secret text of an account")
        tell(account, *arguments)

    monkeypatch.setattr(part, "verify_if_due", find_or_fail)
    monkeypatch.setattr(part.ChannelAccount, "tell", tell_or_fail)
    sending.look()
    assert [each.journal for each in first.take()] == ["other"]
    assert [each.journal for each in second.take()] == [JOURNAL, "other"]
    assert caplog.messages.count("alerts failed") == 2
    assert "secret text" not in caplog.text


def test_what_one_process_told_another_does_not_tell_again(
    context: OperationContext, journal: Journal, clock: Clock
) -> None:
    inbox = Inbox()
    journal.record_execution_start(title="x")
    ask(journal, "one")
    clock.advance(61)
    telling(context, inbox).look()
    telling(context, inbox).look()
    assert len(inbox.take()) == 1


def test_a_process_that_dies_after_sending_tells_it_again(
    context: OperationContext, journal: Journal, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    inbox = Inbox()
    journal.record_execution_start(title="x")
    ask(journal, "one")
    clock.advance(61)

    def die(*_: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("tallystick.outbound.follower.EntryFollower.advance", die)
        with pytest.raises(KeyboardInterrupt):
            telling(context, inbox).look()
    telling(context, inbox).look()
    assert len(inbox.take()) == 1  # its lease still runs
    clock.advance(31)
    telling(context, inbox).look()
    assert len(inbox.take()) == 1


def test_the_undos_that_expire_first_are_in_the_message_whatever_else_there_is(
    context: OperationContext, journal: Journal, clock: Clock
) -> None:
    inbox = Inbox()
    execution = journal.record_execution_start(title="x").id
    ask(journal, *map(str, range(25)))
    for minutes in range(10, 40):
        journal.record_action(
            phase="done",
            tool="book",
            summary=f"room {minutes}",
            undo="cancel it",
            undo_until=f"{minutes}m",
            execution_id=execution,
        )
    clock.advance(61)
    telling(context, inbox).look()
    (message,) = inbox.take()
    assert re.findall(r"^An undo expires: book (room \d+)", message.text, re.MULTILINE) == [
        f"room {minutes}" for minutes in range(10, 20)
    ]
    assert message.text.count("A question waits: ") == 10
    assert "\nAnd 35 more.\n" in message.text


def test_links_lead_to_the_question_or_the_execution(context: OperationContext, journal: Journal, clock: Clock) -> None:
    inbox = Inbox()
    execution = journal.record_execution_start(title="x").id
    (asked,) = ask(journal, "one")
    undo = Undo(words="cancel it")
    journal.record_action(
        phase="done", tool="book", cancellable="reversible", undo=undo, undo_until="30m", execution_id=execution
    )
    clock.advance(61)
    telling(context, inbox, base="https://journal.example/").look()
    (message,) = inbox.take()
    assert f"\n  https://journal.example/approvals/{asked}?journal=work\n" in message.text
    assert message.text.endswith(f"\n  https://journal.example/x/{execution}?journal=work")
    assert message.title == "Tallystick work: Something needs a person (2)"


def test_a_silenced_alert_is_not_told(context: OperationContext, journal: Journal, clock: Clock) -> None:
    inbox = Inbox()
    secret = journal.add_credential(name="ada").secret
    person = Journal(Local(context.for_principal(Principal(credential=secret))))
    journal.record_execution_start(title="x")
    ask(journal, "one")
    person.silence_alert(rule="question_waits", until="1h", why="lunch")
    clock.advance(61)
    sending = telling(context, inbox)
    sending.look()
    assert inbox.take() == []
    clock.advance(3600)
    sending.look()
    assert len(inbox.take()) == 1


@pytest.mark.parametrize("about", [True, False])
def test_the_end_of_a_silenced_alert_is_told_after_the_silence(
    context: OperationContext, journal: Journal, clock: Clock, about: bool
) -> None:
    inbox = Inbox()
    person = Journal(Local(context.for_principal(Principal(credential=journal.add_credential(name="ada").secret))))
    execution = journal.record_execution_start(title="x").id
    (asked,) = ask(journal, "one")
    clock.advance(61)
    sending = telling(context, inbox)
    sending.look()
    assert len(inbox.take()) == 1
    person.silence_alert(rule="question_waits", about=asked if about else None, until="1h", why="lunch")
    journal.record_decision(decision="stop", execution_id=execution, why="enough")
    sending.look()
    assert inbox.take() == []
    clock.advance(3600)
    sending.look()
    assert [each.resolved for each in inbox.take()] == [(f"question_waits/{asked}",)]


def test_silences_that_are_over_take_no_room(context: OperationContext, journal: Journal, clock: Clock) -> None:
    person = Journal(Local(context.for_principal(Principal(credential=journal.add_credential(name="ada").secret))))
    for number in range(5):
        person.silence_alert(rule="in_doubt", about=f"ac_{number}", until="1h", why="known")
    clock.advance(3600)
    person.silence_alert(rule="verify_failed", until="1h", why="known")
    assert [each.id for each in context.read(lambda view: view.documents("silence", limit=10))] == ["verify_failed"]


def test_a_quiet_journal_is_looked_at_less_often(context: OperationContext, journal: Journal, clock: Clock) -> None:
    journal.record_execution_start(title="x")
    sending = telling(context, Inbox())
    due = []
    for _ in range(200):
        due.append(sending._is_due(context))
        clock.advance(15)
    assert due[:40] == [True] * 40
    assert due[40:].count(True) == 8
    journal.record_execution_start(title="y")
    assert sending._is_due(context)


def test_a_journal_that_does_not_verify_is_an_alert(
    context: OperationContext, journal: Journal, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    inbox = Inbox()
    journal.record_execution_start(title="x")
    sending = telling(context, inbox)
    sending.look()
    assert inbox.take() == []
    stored = context.store.stored_entries(JOURNAL, after=0, limit=1)[0]

    def altered(line: bytes) -> Any:
        from tallystick.core.errors import Tampered

        raise Tampered("entry 1 was changed.")

    with monkeypatch.context() as tampered:
        tampered.setattr("tallystick.operations.audit.check", lambda *_: altered(stored.line))
        _tell_of_tampering(sending, inbox, clock)
    sending.look()
    assert inbox.take() == []  # it was checked just now
    clock.advance(5 * 60)
    sending.look()
    (over,) = inbox.take()
    assert over.resolved == ("verify_failed/journal",)


def _tell_of_tampering(sending: AlertPart, inbox: Inbox, clock: Clock) -> None:
    sending.look()
    assert inbox.take() == []  # a day has not passed
    clock.advance(24 * 3600)
    sending.look()
    (message,) = inbox.take()
    assert message.raised[0].rule == "verify_failed"
    assert "entry 1 was changed" in message.text


def test_silent_hooks_failing_tools_and_slow_calls_are_told_and_their_end_too(
    context: OperationContext, journal: Journal, clock: Clock
) -> None:
    def call(tool: str, outcome: Any = "ok", seconds: float = 0) -> None:
        action = journal.record_action(phase="begin", tool=tool, again="next one").id
        clock.advance(seconds)
        journal.record_action(phase="end", action_id=action, outcome=outcome)

    def told() -> tuple[set[str], set[str]]:
        sending.look()
        messages = inbox.take()
        raised = {str(each.rule) for message in messages for each in message.raised}
        return raised, {name.partition("/")[0] for message in messages for name in message.resolved}

    inbox = Inbox()
    sending = telling(context, inbox)
    journal.record_execution_start(title="x")
    for _ in range(20):
        call("import", seconds=70)
        call("mail")
    clock.advance(3600)
    opening = Principal(actor=Actor(kind="hook", name="claude-code"), witness="observed")
    opened = Journal(Local(context.for_principal(opening))).open_session(
        kind="client", name="chat", client="claude-code"
    )
    hook = Journal(Local(context.for_principal(structs.replace(opening, session=opened.id))))
    hook.record_action(phase="begin", tool="Bash", call_id="a")
    hook.record_action(phase="end", call_id="a", outcome="ok")
    assert told() == (set(), set())
    agent = Journal(Local(context.for_principal(Principal(session=journal.open_session(name="chat").id))))
    agent.record_execution_start(title="y")
    clock.advance(60)
    agent.record_action(phase="done", tool="copy", outcome="ok")
    for _ in range(6):
        call("mail", "failed")
    slow = journal.record_action(phase="begin", tool="import", again="next one").id
    clock.advance(80)
    assert told() == ({"hook_silent", "tool_failing", "step_slow"}, set())
    hook.record_action(phase="begin", tool="Bash", call_id="b")
    journal.record_action(phase="end", action_id=slow, outcome="ok")
    for _ in range(20):
        call("mail")
    assert told() == (set(), {"hook_silent", "tool_failing", "step_slow"})


def test_mail_reaches_a_real_server_as_plain_text() -> None:
    received: list[bytes] = []

    class Handler:
        async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
            received.append(envelope.content)
            return "250 OK"

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = Controller(Handler(), hostname="127.0.0.1", port=port)
    server.start()
    try:
        address = f"mailto://127.0.0.1:{port}?from=journal@example.com&to=ada@example.com&mode=insecure"
        (channel,) = open_channels([address])
        channel.notifier.send(sample_message("work", ["in doubt <b>"]))
    finally:
        server.stop()
    mail = message_from_bytes(received[0], policy=policy.default)
    assert mail["subject"] == "Tallystick work: a test"
    body = mail.get_body(("plain",))
    assert body is not None
    assert "Messages about in doubt <b> come here." in body.get_content()
    assert channel.name.startswith("mailto-")
    assert "example" not in channel.name


def test_a_mail_server_that_is_away_is_a_failure() -> None:
    (channel,) = open_channels(["mailto://127.0.0.1:1?from=a@example.com&to=b@example.com&mode=insecure"])
    with pytest.raises(ConnectionError, match=r"127\.0\.0\.1"):  # `alerts test` shows what apprise says
        channel.notifier.send(sample_message("work", ["x"]))


def test_an_address_that_nobody_knows_is_refused_without_showing_it(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(InvalidArgument) as refused:
        open_channels(["nochat://token-of-somebody"])
    assert "token-of-somebody" not in str(refused.value) + caplog.text


class _EntryPoint:
    def __init__(self, name: str, made: Any, package: str = "") -> None:
        self.name = name
        self.dist = SimpleNamespace(name=package)
        self._made = made

    def load(self) -> Any:
        if isinstance(self._made, Exception):
            raise self._made
        return self._made


def test_a_plug_in_takes_the_addresses_of_its_scheme(monkeypatch: pytest.MonkeyPatch) -> None:
    inbox = Inbox()
    monkeypatch.setattr(channels, "entry_points", lambda group: [_EntryPoint("ours", lambda address: inbox)])
    (channel,) = open_channels(["ours://room"])
    channel.notifier.send(sample_message("work", ["x"]))
    assert inbox.take()[0].journal == "work"


def test_of_two_packages_with_one_scheme_neither_gets_the_address(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    given: list[str] = []
    points = [_EntryPoint("ours", given.append, package) for package in ("one-plugin", "two-plugin")]
    monkeypatch.setattr(channels, "entry_points", lambda group: points)
    (channel,) = open_channels(["ours://user:password@room"])
    with pytest.raises(InvalidArgument, match="one-plugin and two-plugin both take ours://"):
        channel.notifier.send(sample_message("work", ["x"]))
    assert given == []
    assert caplog.messages == ["plug-in cannot be loaded"]
    logged = str(caplog.records[0].__dict__["fields"])
    assert "one-plugin and two-plugin" in logged
    assert "password" not in logged


def exits(address: str) -> Any:
    raise SystemExit(3)


class Hanging:
    """A notifier that never returns."""

    def __init__(self) -> None:
        self.calls = 0

    def send(self, message: AlertMessage) -> None:
        self.calls += 1
        Event().wait()


def test_a_plug_in_that_is_broken_or_hangs_stops_neither_the_journal_nor_other_channels(
    context: OperationContext,
    journal: Journal,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    inbox, hanging = Inbox(), Hanging()
    found = {"gone": ImportError("no such module"), "exits": exits, "hangs": lambda _: hanging, "ours": lambda _: inbox}
    monkeypatch.setattr(channels, "entry_points", lambda group: [_EntryPoint(*each) for each in found.items()])
    monkeypatch.setattr(channels, "SEND_SECONDS", 0.1)
    opened = open_channels([f"{scheme}://room" for scheme in found])
    assert caplog.messages.count("plug-in cannot be loaded") == 2
    sending = AlertPart(SomeJournals(context), opened)
    journal.record_execution_start(title="x")
    ask(journal, "one")
    clock.advance(61)
    sending.look()
    assert len(inbox.take()) == 1
    assert caplog.messages.count("message not sent") == 3
    clock.advance(3600)
    sending.look()
    assert hanging.calls == 1  # it is not called again while it hangs


def test_the_part_stops_when_it_is_told_to(context: OperationContext) -> None:
    stop = Event()
    stop.set()
    inbox = Inbox()
    telling(context, inbox).run(stop)
    assert inbox.take() == []


def test_the_page_and_messages_call_the_rules_alike() -> None:
    page = (Path(dashboard.__file__).parent / "static" / "pages" / "alerts.js").read_text()
    names = dict(re.findall(r'^  (\w+): "(.*)",$', page, re.MULTILINE))
    assert names == RULE_NAMES
    assert set(names) == set(RULES)
