"""When a delivery is tried again, what pauses a webhook, and what is given up: a state, results, the state after."""

from random import Random

from tallystick.operations.notifications.documents import DeadDelivery, Replay, Waiting, WebhookState
from tallystick.outbound.webhooks.attempts import RETRY_SECONDS, begin_replay, lanes_due, next_due, revive, settle
from tallystick.outbound.webhooks.sender import SendResult
from tests.outbound.webhook_scene import AWAY, DELIVERED, GONE, REJECTED

SECOND = 1_000_000
NEW = WebhookState()


def test_a_rejected_message_is_tried_ten_times_in_three_days_and_then_given_up() -> None:
    state, now, attempts = NEW, 0, []
    waiting = [Waiting(7, "ex_1")]
    while True:
        attempts.append(now // SECOND)
        state, dead = settle(state, waiting, {7: REJECTED}, now)
        if dead:
            break
        waiting = list(state.waiting)
        now = waiting[0].due
    seconds = [sum(RETRY_SECONDS[: number + 1]) for number in range(10)]
    assert attempts == seconds
    assert seconds[:4] == [0, 5, 305, 2105]
    assert 3 * 86_400 < seconds[-1] < 4 * 86_400
    assert dead == [DeadDelivery(seq=7, lane="ex_1", attempts=10, at=now, error="status 400")]
    assert (state.dead, state.waiting, state.failed, state.failures) == (1, (), 10, 0)


def test_a_message_that_is_rejected_holds_its_lane_and_no_other() -> None:
    deliveries = [Waiting(1, "a"), Waiting(2, "b"), Waiting(3, "a")]
    state, _ = settle(NEW, deliveries, {1: REJECTED, 2: DELIVERED}, 50 * SECOND)
    assert state.waiting == (Waiting(1, "a", 1, 55 * SECOND), Waiting(3, "a"))
    assert lanes_due(state.waiting, 54 * SECOND) == set()
    assert lanes_due(state.waiting, 55 * SECOND) == {"a"}
    assert next_due(state) == 55 * SECOND
    assert (state.failures, state.delivered, state.failed) == (0, 1, 1)


def test_an_endpoint_that_is_away_counts_against_no_message() -> None:
    state, now = NEW, 0
    pauses = []
    for _ in range(12):
        state, dead = settle(state, [Waiting(1, "a"), Waiting(2, "b")], {1: AWAY}, now)
        assert not dead
        assert state.waiting == (Waiting(1, "a"), Waiting(2, "b"))
        pauses.append((state.paused - now) // SECOND)
        assert next_due(state) == state.paused
        now = state.paused
    assert pauses == [5, 300, 1800, *[3600] * 9]
    state, _ = settle(state, state.waiting, {1: DELIVERED}, now)
    assert (state.failures, state.paused, state.waiting) == (0, 0, (Waiting(2, "b"),))


def test_what_an_endpoint_asks_for_is_obeyed_beyond_the_schedule() -> None:
    busy = SendResult("away", "status 429", retry_after=7200)
    assert settle(NEW, [Waiting(1, "a")], {1: busy}, 0).state.paused == 7200 * SECOND
    later = SendResult("rejected", "status 425", retry_after=100)
    assert settle(NEW, [Waiting(1, "a")], {1: later}, 0).state.waiting[0].due == 100 * SECOND


def test_jitter_spreads_the_attempts() -> None:
    chance = Random(1)
    dues = {
        settle(NEW, [Waiting(1, "a", 3)], {1: REJECTED}, 0, chance.uniform(0.9, 1.1)).state.waiting[0].due
        for _ in range(100)
    }
    assert len(dues) > 90
    assert all(0.9 * 7200 <= due / SECOND <= 1.1 * 7200 for due in dues)


def test_an_endpoint_that_is_gone_disables_the_webhook_and_loses_nothing() -> None:
    state, dead = settle(NEW, [Waiting(1, "a"), Waiting(2, "a")], {1: GONE}, 0)
    assert (state.disabled, dead, state.waiting) == ("status 410", [], (Waiting(1, "a"), Waiting(2, "a")))
    resumed, position = begin_replay(state, Replay(seq=9), 2)
    assert (resumed.disabled, position, resumed.waiting) == ("", 2, state.waiting)


def test_nothing_is_given_up_when_the_list_is_full() -> None:
    full = WebhookState(dead=1000)
    state, dead = settle(full, [Waiting(1, "a", 20)], {1: REJECTED}, 0)
    assert dead == []
    assert state.waiting == (Waiting(1, "a", 21, 86_400 * SECOND),)


def test_a_replay_begins_at_an_entry_and_keeps_what_waits_before_it() -> None:
    state = WebhookState(waiting=(Waiting(3, "a", 2, 99), Waiting(8, "a")), failures=2, paused=5, dead=4)
    again, position = begin_replay(state, Replay(seq=20, since=5), 15)
    assert (again.waiting, position, again.paused, again.dead) == ((Waiting(3, "a", 2),), 4, 0, 4)
    assert (again.replayed, again.reviving) == (20, False)


def test_what_was_given_up_waits_again_unless_it_comes_anyway() -> None:
    state = WebhookState(waiting=(Waiting(3, "a", 2),), dead=4)
    dead = [DeadDelivery(seq=seq, lane="b", attempts=10, at=1, error="status 400") for seq in (1, 9)]
    assert revive(state, dead, 8) == WebhookState(waiting=(Waiting(1, "b"), Waiting(3, "a", 2)), dead=2)
    assert begin_replay(state, Replay(seq=20, dead=True), 15)[0].reviving
