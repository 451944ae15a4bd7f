"""When a delivery is tried, and what each result changes. Pure: a state, results and a time give the state after.

Deliveries of one lane are made in order. A message that is rejected holds its lane; an endpoint that is away pauses the
webhook, and is then tried with one message until that succeeds.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from tallystick.core.formats.times import SECOND
from tallystick.operations.notifications.documents import (
    MAX_DEAD,
    DeadDelivery,
    Replay,
    Waiting,
    WebhookState,
)
from tallystick.outbound.webhooks.sender import SendResult

RETRY_SECONDS = (0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Before each attempt, as the specification proposes: three days in all."""
MAX_PAUSE_SECONDS = 3600.0
"""Between two attempts at an endpoint that is away: one request an hour costs nobody anything, and it may be back."""
MAX_WAITING = 1000
"""Of one webhook: while so many wait, no further entry is taken up."""
MAX_ERROR_CHARACTERS = 300


class Settled(NamedTuple):
    """The state after some attempts, and what was given up."""

    state: WebhookState
    dead: list[DeadDelivery]


def lanes_due(waiting: Iterable[Waiting], now: int) -> set[str]:
    """The lanes whose first delivery may be tried now."""
    first: dict[str, Waiting] = {}
    for each in waiting:
        first.setdefault(each.lane, each)
    return {lane for lane, each in first.items() if each.due <= now}


def next_due(state: WebhookState) -> int | None:
    """The time of the next attempt at what waits; None if nothing does."""
    first: dict[str, int] = {}
    for each in state.waiting:
        first.setdefault(each.lane, each.due)
    return max(state.paused, min(first.values())) if first else None


def settle(
    state: WebhookState,
    deliveries: Sequence[Waiting],
    results: Mapping[int, SendResult],
    now: int,
    jitter: float = 1.0,
) -> Settled:
    """The state after the results of these deliveries, by entry; all that was not delivered waits, in order.

    `deliveries` are those that waited before and the new ones. `jitter` is a factor for the times between attempts.
    """
    waiting: list[Waiting] = []
    dead: list[DeadDelivery] = []
    for each in deliveries:
        result = results.get(each.seq)
        if result is None or result.verdict in ("away", "gone"):
            waiting.append(each)
        elif result.verdict == "rejected":
            attempts = each.attempts + 1
            if attempts >= len(RETRY_SECONDS) and state.dead + len(dead) < MAX_DEAD:
                dead.append(
                    DeadDelivery(seq=each.seq, lane=each.lane, attempts=attempts, at=now, error=_cut(result.error))
                )
            else:
                seconds = RETRY_SECONDS[min(attempts, len(RETRY_SECONDS) - 1)] * jitter
                due = now + int(max(seconds, result.retry_after) * SECOND)
                waiting.append(replace(each, attempts=attempts, due=due))
    after = replace(state, waiting=tuple(waiting), dead=state.dead + len(dead))
    return Settled(_judge_endpoint(after, list(results.values()), now, jitter), dead)


def _judge_endpoint(state: WebhookState, results: Sequence[SendResult], now: int, jitter: float) -> WebhookState:
    """What the results say about the endpoint as a whole."""
    delivered = sum(each.verdict == "delivered" for each in results)
    failed = [each for each in results if each.verdict != "delivered"]
    state = replace(state, delivered=state.delivered + delivered, failed=state.failed + len(failed))
    if delivered:
        state = replace(state, succeeded_at=now)
    if failed:
        state = replace(state, error=_cut(failed[-1].error), error_at=now)
    if any(each.verdict == "gone" for each in failed):
        return replace(state, disabled=failed[-1].error)
    away = [each for each in failed if each.verdict == "away"]
    if not away:
        return replace(state, failures=0, paused=0, refused=False) if results else state
    failures = 1 if delivered else state.failures + 1
    seconds = min(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)], MAX_PAUSE_SECONDS) * jitter
    wait = max(seconds, *(each.retry_after for each in away))
    refused = any(each.refused for each in away)
    return replace(state, failures=failures, paused=now + int(wait * SECOND), refused=refused)


def begin_replay(state: WebhookState, replay: Replay, position: int) -> tuple[WebhookState, int]:
    """The state and the position after a replay was asked for: what waits is due."""
    waiting = [replace(each, due=0) for each in state.waiting if not replay.since or each.seq < replay.since]
    state = replace(
        state,
        waiting=tuple(waiting),
        failures=0,
        paused=0,
        refused=False,
        disabled="",
        replayed=replay.seq,
        reviving=state.reviving or replay.dead,
    )
    return state, min(position, replay.since - 1) if replay.since else position


def revive(state: WebhookState, dead: Sequence[DeadDelivery], position: int) -> WebhookState:
    """The state in which deliveries that were given up wait again; not those behind the position, which come anyway."""
    waiting = {each.seq: each for each in state.waiting}
    waiting |= {each.seq: Waiting(each.seq, each.lane) for each in dead if each.seq <= position}
    in_order = tuple(waiting[seq] for seq in sorted(waiting))
    return replace(state, waiting=in_order, dead=max(0, state.dead - len(dead)))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_ERROR_CHARACTERS else f"{text[: MAX_ERROR_CHARACTERS - 1]}…"
