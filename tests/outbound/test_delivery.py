"""Entries reach a webhook at least once, in order for each execution, whoever dies or is away in between."""

from collections import defaultdict
from itertools import permutations
from random import Random
from typing import Any

import pytest

from tallystick.core.errors import WrongState
from tallystick.operations.notifications.webhooks import MAX_SECRETS
from tallystick.outbound.webhooks.attempts import MAX_WAITING
from tallystick.outbound.webhooks.delivery import LEASE_SECONDS, MESSAGES_PER_PASS
from tallystick.outbound.webhooks.sender import SendResult
from tallystick.store.memory import MemoryStore
from tests.outbound.webhook_scene import (
    AWAY,
    DELIVERED,
    GONE,
    REJECTED,
    Scene,
    deliver,
    is_signed_with,
    run_pass,
    run_pass_and_die,
)
from tests.stores import AnyStore, Clock

DAY = 86_400


@pytest.fixture
def memory(clock: Clock) -> MemoryStore:
    """One store for what no store does differently."""
    return MemoryStore(clock)


def seqs_after(scene: Scene) -> list[int]:
    """The numbers of all entries since the webhook was added."""
    return [entry.seq for entry in scene.agent.read_entries(after=scene.added, limit=1000).entries]


def test_what_is_recorded_after_it_was_added_is_delivered_once_and_signed(store: AnyStore, clock: Clock) -> None:
    scene = Scene(store, clock)
    process = scene.process(public_url="https://page.example")
    execution = scene.execution("Move the site")
    deliver(process)
    scene.note(execution)
    deliver(process)
    assert scene.endpoint.seqs() == seqs_after(scene)
    first = scene.endpoint.received[-2]
    assert (first.type, first.data["id"], first.data["body"]["title"]) == (
        "execution.started",
        execution,
        "Move the site",
    )
    assert first.data["link"] == f"https://page.example/x/{execution}?journal=j"
    assert all(is_signed_with(each, scene.secret) for each in scene.endpoint.received)
    assert {each.id.partition("_")[0] for each in scene.endpoint.received} == {"msg"}
    shown = scene.listed
    assert (shown.state, shown.delivering, shown.delivered) == ("active", True, len(seqs_after(scene)))
    assert (shown.behind, shown.waiting, shown.dead, shown.last_error) == (0, 0, 0, "")


def test_after_a_death_between_delivery_and_commit_the_same_messages_come_again(store: AnyStore, clock: Clock) -> None:
    scene = Scene(store, clock)
    execution = scene.execution()
    dying = scene.process()
    deliver(dying)
    before = len(scene.endpoint.received)
    scene.note(execution)
    scene.note(execution)
    run_pass_and_die(dying)
    clock.advance(LEASE_SECONDS + 1)
    deliver(scene.process())
    again = [(each.id, each.seq) for each in scene.endpoint.received[before:]]
    assert len(again) == 4
    assert again[:2] == again[2:]
    assert sorted(set(scene.endpoint.seqs())) == seqs_after(scene)


def test_an_endpoint_that_is_away_for_a_day_gets_everything_in_order(memory: MemoryStore, clock: Clock) -> None:
    scene = Scene(memory, clock)
    process = scene.process()
    executions = [scene.execution(f"work {number}") for number in range(3)]
    deliver(process)
    scene.endpoint.answer = lambda data: AWAY
    asked = 0
    for hour in range(24):
        for execution in executions:
            scene.note(execution, f"in hour {hour}")
        before = len(scene.endpoint.received)
        deliver(process)
        asked += len(scene.endpoint.received) - before
        clock.advance(3600)
    assert asked <= 24
    assert scene.listed.state in ("paused", "active")
    assert scene.listed.last_error == "status 503"
    scene.endpoint.answer = lambda data: DELIVERED
    clock.advance(3600)
    deliver(process)
    assert sorted(scene.endpoint.seqs()) == seqs_after(scene)
    for execution in executions:
        own = [each.seq for each in scene.endpoint.delivered if each.data.get("execution_id") == execution]
        assert own == sorted(own)
        assert len(own) == 25  # with its start
    assert (scene.listed.state, scene.listed.waiting, scene.listed.behind) == ("active", 0, 0)


def test_an_endpoint_that_is_away_is_tried_with_one_message(memory: MemoryStore, clock: Clock) -> None:
    scene = Scene(memory, clock)
    process = scene.process()
    for number in range(10):
        scene.execution(f"work {number}")
    scene.endpoint.answer = lambda data: AWAY
    deliver(process)
    tried = len(scene.endpoint.received)
    assert tried <= 8  # of the first pass, some lanes at once
    clock.advance(6)
    deliver(process)
    assert len(scene.endpoint.received) == tried + 1
    assert deliver(process) == pytest.approx(20)  # the pause is longer; the lease is renewed meanwhile


def test_a_rejected_message_holds_its_execution_and_no_other(memory: MemoryStore, clock: Clock) -> None:
    scene = Scene(memory, clock)
    process = scene.process()
    poisoned, fine = scene.execution("poisoned"), scene.execution("fine")
    deliver(process)
    scene.endpoint.answer = lambda data: REJECTED if data.get("body", {}).get("summary") == "poison" else DELIVERED
    scene.note(poisoned, "poison")
    behind = scene.note(poisoned, "behind")
    free = scene.note(fine, "free")
    deliver(process)
    assert free in scene.endpoint.seqs()
    assert behind not in scene.endpoint.seqs()
    assert (scene.listed.state, scene.listed.waiting, scene.listed.last_error) == ("active", 2, "status 400")
    scene.endpoint.answer = lambda data: DELIVERED
    clock.advance(6)
    deliver(process)
    assert [each for each in scene.endpoint.seqs() if each != free][-2:] == [behind - 1, behind]
    assert scene.listed.waiting == 0


def test_what_is_never_taken_is_given_up_shown_and_replayed(store: AnyStore, clock: Clock) -> None:
    scene = Scene(store, clock)
    process = scene.process()
    execution = scene.execution()
    deliver(process)
    scene.endpoint.answer = lambda data: REJECTED if data.get("body", {}).get("summary") == "poison" else DELIVERED
    poison, behind = scene.note(execution, "poison"), scene.note(execution, "behind")
    for _ in range(40):
        deliver(process)
        clock.advance(DAY / 4)
    assert behind in scene.endpoint.seqs()
    assert poison not in scene.endpoint.seqs()
    attempts = [each for each in scene.endpoint.received if each.seq == poison]
    assert (len(attempts), len({each.id for each in attempts})) == (10, 1)
    (dead,) = scene.agent.list_dead_deliveries(name="ops").deliveries
    assert (dead.seq, dead.attempts, dead.error, dead.execution_id) == (poison, 10, "status 400", execution)
    assert scene.listed.dead == 1
    scene.endpoint.answer = lambda data: DELIVERED
    scene.admin.replay_webhook(name="ops", dead=True)
    deliver(process)
    assert poison in scene.endpoint.seqs()
    assert scene.endpoint.delivered[-2].id == attempts[0].id
    assert scene.agent.list_dead_deliveries(name="ops").deliveries == ()
    assert scene.listed.dead == 0


def test_a_replay_from_an_entry_sends_the_same_messages_again(memory: MemoryStore, clock: Clock) -> None:
    scene = Scene(memory, clock)
    process = scene.process()
    execution = scene.execution()
    since = scene.note(execution)
    scene.note(execution)
    deliver(process)
    first = {each.seq: each.id for each in scene.endpoint.received}
    scene.endpoint.received.clear()
    scene.admin.replay_webhook(name="ops", since=since)
    deliver(process)
    assert scene.endpoint.seqs() == [seq for seq in seqs_after(scene) if seq >= since]
    assert all(first[each.seq] == each.id for each in scene.endpoint.received if each.seq in first)
    scene.endpoint.received.clear()
    deliver(process)
    assert scene.endpoint.received == []


def _give_up_one(scene: Scene) -> int:
    """A delivery that was given up, of an execution with an entry behind it; returns its entry."""
    process, execution = scene.process(), scene.execution()
    scene.endpoint.answer = lambda data: REJECTED if data.get("body", {}).get("summary") == "poison" else DELIVERED
    poison = scene.note(execution, "poison")
    scene.note(execution, "behind")
    for _ in range(40):
        deliver(process)
        scene.clock.advance(DAY / 4)
    assert [each.seq for each in scene.agent.list_dead_deliveries(name="ops").deliveries] == [poison]
    process.release()
    scene.endpoint.answer = lambda data: DELIVERED
    scene.endpoint.received.clear()
    return poison


@pytest.mark.parametrize("order", list(permutations(("since", "dead", "test", "now"))))
def test_all_that_was_asked_for_before_a_process_delivers_is_carried_out(
    memory: MemoryStore, clock: Clock, order: tuple[str, ...]
) -> None:
    scene = Scene(memory, clock)
    poison = _give_up_one(scene)
    asked = {
        "since": lambda: scene.admin.replay_webhook(name="ops", since=poison + 1),
        "dead": lambda: scene.admin.replay_webhook(name="ops", dead=True),
        "test": lambda: scene.admin.test_webhook(name="ops"),
        "now": lambda: scene.admin.replay_webhook(name="ops"),
    }
    for each in order:
        asked[each]()
    deliver(scene.process())
    assert scene.endpoint.seqs() == [seq for seq in seqs_after(scene) if seq >= poison]
    assert "webhook.test" in [each.type for each in scene.endpoint.received]
    assert scene.listed.dead == 0


def test_of_two_replays_from_an_entry_the_earlier_one_counts(memory: MemoryStore, clock: Clock) -> None:
    scene = Scene(memory, clock)
    poison = _give_up_one(scene)
    for since in (poison, poison - 1, poison + 1):
        scene.admin.replay_webhook(name="ops", since=since)
    scene.admin.replay_webhook(name="ops", dead=True)
    deliver(scene.process())
    assert scene.endpoint.seqs() == [seq for seq in seqs_after(scene) if seq >= poison - 1]  # each of them once
    assert scene.listed.dead == 0


def test_a_replay_of_more_than_can_wait_leaves_an_endpoint_that_is_away_alone(
    memory: MemoryStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene(memory, clock)
    process, executions = scene.process(), [scene.execution(f"work {number}") for number in range(6)]
    deliver(process)
    scene.endpoint.answer = lambda data: REJECTED
    poisons = [scene.note(each) for each in executions]
    for _ in range(40):
        deliver(process)
        clock.advance(DAY / 4)
    assert scene.listed.dead == len(poisons)
    monkeypatch.setattr("tallystick.outbound.webhooks.delivery.MAX_WAITING", 2)
    scene.endpoint.answer = lambda data: AWAY
    scene.endpoint.received.clear()
    scene.admin.replay_webhook(name="ops", dead=True)
    for _ in range(10):
        run_pass(process)
    assert len(scene.endpoint.received) <= 2
    assert scene.listed.state == "paused"
    scene.endpoint.answer = lambda data: DELIVERED
    clock.advance(3600)
    deliver(process)
    assert sorted(each for each in scene.endpoint.seqs() if each in poisons) == poisons
    assert scene.listed.dead == 0


def test_a_webhook_that_is_gone_can_be_tested_once_it_was_let_go_on(memory: MemoryStore, clock: Clock) -> None:
    scene = Scene(memory, clock)
    scene.execution()
    scene.endpoint.answer = lambda data: GONE
    deliver(scene.process())
    scene.admin.replay_webhook(name="ops")
    tested = scene.admin.test_webhook(name="ops").seq
    scene.endpoint.answer = lambda data: DELIVERED
    clock.advance(LEASE_SECONDS + 1)
    deliver(scene.process())
    assert tested in scene.endpoint.seqs()


def test_an_endpoint_that_is_gone_is_left_alone_until_somebody_says_so(memory: MemoryStore, clock: Clock) -> None:
    scene = Scene(memory, clock)
    process = scene.process()
    execution = scene.execution()
    scene.endpoint.answer = lambda data: GONE
    deliver(process)
    scene.endpoint.received.clear()
    scene.note(execution)
    clock.advance(30 * DAY)
    deliver(process)
    assert scene.endpoint.received == []
    assert (scene.listed.state, scene.listed.last_error) == ("disabled", "status 410")
    with pytest.raises(WrongState, match="disabled: status 410"):
        scene.admin.test_webhook(name="ops")
    scene.endpoint.answer = lambda data: DELIVERED
    scene.admin.replay_webhook(name="ops")
    deliver(process)
    assert scene.endpoint.seqs() == seqs_after(scene)
    assert scene.listed.state == "active"


def test_a_test_reaches_the_tested_webhook_alone_and_wakes_a_paused_one(memory: MemoryStore, clock: Clock) -> None:
    scene = Scene(memory, clock, kinds=("execution_ended",))
    scene.admin.add_webhook(name="other", address="https://other.example/")
    process = scene.process()
    tested = scene.admin.test_webhook(name="ops")
    scene.admin.test_webhook(name="other")
    scene.endpoint.answer = lambda data: AWAY
    deliver(process)
    deliver(process)
    assert scene.listed_named("ops").state == "paused"
    scene.endpoint.answer = lambda data: DELIVERED
    again = scene.admin.test_webhook(name="ops")
    deliver(process)
    assert [(each.type, each.seq) for each in scene.endpoint.delivered] == [
        ("webhook.test", tested.seq),
        ("webhook.test", again.seq),
    ]


def test_for_a_day_after_a_rotation_both_secrets_sign(memory: MemoryStore, clock: Clock) -> None:
    scene = Scene(memory, clock)
    process = scene.process()
    rotated = scene.admin.rotate_webhook(name="ops").secret
    deliver(process)
    clock.advance(DAY)
    scene.execution()
    deliver(process)
    first, last = scene.endpoint.received[0], scene.endpoint.received[-1]
    assert (is_signed_with(first, rotated), is_signed_with(first, scene.secret)) == (True, True)
    assert (is_signed_with(last, rotated), is_signed_with(last, scene.secret)) == (True, False)


def test_each_secret_signs_for_a_day_after_its_own_rotation(memory: MemoryStore, clock: Clock) -> None:
    scene = Scene(memory, clock)
    process, execution = scene.process(), scene.execution()
    secrets = [scene.secret, scene.admin.rotate_webhook(name="ops").secret]
    clock.advance(DAY / 2)
    secrets.append(scene.admin.rotate_webhook(name="ops").secret)

    def signing() -> list[bool]:
        scene.note(execution)
        deliver(process)
        return [is_signed_with(scene.endpoint.received[-1], secret) for secret in secrets]

    assert signing() == [True, True, True]
    clock.advance(DAY / 2)
    assert signing() == [False, True, True]
    clock.advance(DAY / 2)
    assert signing() == [False, False, True]


def test_a_secret_too_many_is_refused_until_the_oldest_has_ended(memory: MemoryStore, clock: Clock) -> None:
    scene = Scene(memory, clock)
    for _ in range(MAX_SECRETS - 1):
        scene.admin.rotate_webhook(name="ops")
        clock.advance(60)
    with pytest.raises(WrongState, match=r"10 secrets, .* Rotate it after "):
        scene.admin.rotate_webhook(name="ops")
    assert len(scene.webhook.secrets) == MAX_SECRETS
    clock.advance(DAY - 60 * (MAX_SECRETS - 1))
    scene.admin.rotate_webhook(name="ops")
    assert len(scene.webhook.secrets) == MAX_SECRETS


def test_one_process_delivers_and_another_takes_over_when_it_is_gone(store: AnyStore, clock: Clock) -> None:
    scene = Scene(store, clock)
    serve, notify = scene.process(), scene.process()
    execution = scene.execution()
    deliver(serve)
    count = len(scene.endpoint.received)
    deliver(notify)
    assert len(scene.endpoint.received) == count
    serve.release()
    scene.note(execution)
    deliver(notify)
    deliver(serve)
    assert scene.endpoint.seqs() == seqs_after(scene)
    clock.advance(LEASE_SECONDS + 1)  # notify is killed
    scene.note(execution)
    deliver(serve)
    assert scene.endpoint.seqs() == seqs_after(scene)


def test_a_process_that_lost_its_lease_writes_nothing(memory: MemoryStore, clock: Clock) -> None:
    scene = Scene(memory, clock)
    slow, other = scene.process(), scene.process()
    execution = scene.execution()
    deliver(slow)
    scene.note(execution)
    batch = slow._prepare()
    clock.advance(LEASE_SECONDS + 1)
    deliver(other)
    scene.note(execution)
    deliver(other)
    delivered = scene.listed.delivered
    assert slow._commit(batch)  # type: ignore[arg-type]
    assert scene.listed.delivered == delivered
    assert scene.endpoint.seqs() == seqs_after(scene)


def test_a_removed_webhook_gets_nothing_more_and_one_of_its_name_begins_anew(store: AnyStore, clock: Clock) -> None:
    scene = Scene(store, clock)
    process = scene.process()
    scene.endpoint.answer = lambda data: AWAY
    scene.execution("before")
    deliver(process)
    scene.admin.remove_webhook(name="ops")
    scene.admin.add_webhook(name="ops", address="https://hooks.example/secret-path?token=secret-token")
    assert run_pass(process) is None
    scene.endpoint.answer = lambda data: DELIVERED
    scene.endpoint.received.clear()
    scene.execution("after")
    deliver(scene.process())
    assert [each.data["body"]["title"] for each in scene.endpoint.received] == ["after"]


def test_text_that_is_erased_while_it_waits_does_not_leave(store: AnyStore, clock: Clock) -> None:
    scene = Scene(store, clock)
    process = scene.process()
    execution = scene.execution()
    deliver(process)
    scene.endpoint.answer = lambda data: AWAY
    noted = scene.note(execution, "the patient's name")
    deliver(process)
    scene.admin.erase(seqs=(noted,), reason="asked for")
    scene.endpoint.answer = lambda data: DELIVERED
    clock.advance(3600)
    deliver(process)
    (sent,) = [each for each in scene.endpoint.delivered if each.seq == noted]
    assert sent.data["erased"] is True
    assert b"patient" not in sent.body
    documents = [
        each.content
        for kind in ("webhook", "webhook_state", "position", "dead_delivery")
        for each in store.read("j", lambda view, kind=kind: view.documents(kind, limit=100))  # type: ignore[misc]
    ]
    assert documents
    assert not any("patient" in each for each in documents)


def test_while_too_many_wait_no_further_entry_is_taken_up(
    memory: MemoryStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallystick.outbound.webhooks.delivery.MAX_WAITING", 5)
    scene = Scene(memory, clock)
    process = scene.process()
    execution = scene.execution()
    deliver(process)
    scene.endpoint.answer = lambda data: REJECTED
    for number in range(20):
        scene.note(execution, f"{number}")
    deliver(process)
    assert (scene.listed.waiting, scene.listed.behind) == (5, 15)
    assert MAX_WAITING == 1000
    scene.endpoint.answer = lambda data: DELIVERED
    clock.advance(6)
    deliver(process)
    assert scene.endpoint.seqs() == seqs_after(scene)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_fails_in_any_order_nothing_is_lost_and_executions_stay_in_order(clock: Clock, seed: int) -> None:
    chance = Random(seed)
    scene = Scene(MemoryStore(clock), clock)
    executions = [scene.execution(f"work {number}") for number in range(4)]
    answers = [DELIVERED, DELIVERED, AWAY, REJECTED, SendResult("away", "status 429", retry_after=600)]
    scene.endpoint.answer = lambda data: chance.choice(answers)
    process = scene.process()
    for _ in range(60):
        for _ in range(chance.randint(0, 2 * MESSAGES_PER_PASS) if chance.random() < 0.1 else chance.randint(0, 3)):
            scene.note(chance.choice(executions))
        if chance.random() < 0.2:
            run_pass_and_die(process)
            clock.advance(LEASE_SECONDS + 1)
            process = scene.process()
        run_pass(process)
        clock.advance(chance.choice((1, 10, 400, 4000)))
    scene.endpoint.answer = lambda data: DELIVERED
    clock.advance(2 * DAY)
    deliver(process)
    assert sorted(set(scene.endpoint.seqs())) == seqs_after(scene)
    ids: dict[int, set[str]] = defaultdict(set)
    firsts: dict[str, list[int]] = defaultdict(list)
    for each in scene.endpoint.delivered:
        ids[each.seq].add(each.id)
        if each.seq not in firsts[each.data.get("execution_id", "")]:
            firsts[each.data.get("execution_id", "")].append(each.seq)
    assert all(len(each) == 1 for each in ids.values())
    for execution in executions:
        assert firsts[execution] == sorted(firsts[execution])


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"kinds": ("action_begun", "execution_ended")}, ["action_begun", "action_begun", "execution_ended"]),
        ({"tool": "deploy"}, ["action_begun", "action_ended"]),
        ({"task_id": "T-1"}, ["execution_started", "action_begun", "action_ended", "approval_requested"]),
        ({"actor": "ada"}, ["webhook_rotated"]),
        ({"needs_person": True}, ["action_ended", "approval_requested", "execution_ended"]),
        ({"needs_person": True, "task_id": "T-1"}, ["approval_requested"]),
        ({"kinds": ("plan_recorded",), "needs_person": True}, []),
    ],
)
def test_a_webhook_gets_what_it_is_for(
    memory: MemoryStore, clock: Clock, filters: dict[str, Any], expected: list[str]
) -> None:
    scene = Scene(memory, clock, **filters)
    scene.admin.rotate_webhook(name="ops")
    first = scene.execution("of a task", task_id="T-1")
    _act(scene, first, "deploy", "ok")
    second = scene.execution("of none")
    _act(scene, second, "rm", "unknown")
    scene.agent.request_approval(question="Go on?", execution_id=first)
    scene.agent.record_decision(decision="fail", why="no use", execution_id=second)
    deliver(scene.process())
    received = sorted(scene.endpoint.received, key=lambda each: each.seq)  # executions are delivered beside each other
    assert [each.data["kind"] for each in received] == expected


def test_a_webhook_for_one_execution_gets_all_of_it(memory: MemoryStore, clock: Clock) -> None:
    scene = Scene(memory, clock)
    mine, other = scene.execution("mine"), scene.execution("other")
    scene.admin.remove_webhook(name="ops")
    scene.admin.add_webhook(
        name="ops", address="https://hooks.example/secret-path?token=secret-token", execution_id=mine
    )
    noted = [scene.note(mine), scene.note(other), scene.note(mine)]
    deliver(scene.process())
    assert scene.endpoint.seqs() == [noted[0], noted[2]]


def _act(scene: Scene, execution: str, tool: str, outcome: Any) -> None:
    action = scene.agent.record_action(phase="begin", tool=tool, execution_id=execution).id
    scene.agent.record_action(phase="end", action_id=action, outcome=outcome)
