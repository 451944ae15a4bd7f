"""A follower handles each entry at least once, in order, and one process at a time does so."""

from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.outbound.follower import EntryFollower
from tallystick.settings import Settings
from tallystick.store.interface import StoredDocument
from tests.store.drafts import begin, note, open_session, start
from tests.store.sample_journal import append
from tests.stores import AnyStore, Clock

JOURNAL = "j"


def follower(store: AnyStore, name: str = "chat") -> EntryFollower:
    context = OperationContext(store, Settings(url="", journal=JOURNAL, actor="agent"), Principal())
    return EntryFollower(context, name, lease_seconds=30)


def test_a_follower_goes_on_behind_what_was_handled(store: AnyStore) -> None:
    append(store, note('"a"'), note(), note('"c"'))
    first = follower(store)
    assert first.claim() == 0
    assert [(each.entry.seq, each.body) for each in first.entries(0, 2)] == [(1, '"a"'), (2, None)]
    assert first.advance(2)
    first.release()
    second = follower(store)
    assert second.claim() == 2
    assert [each.body for each in second.entries(2, 9)] == ['"c"']
    assert follower(store, "other").claim(start=3) == 3


def test_one_process_follows_at_a_time_and_another_takes_over_from_a_dead_one(store: AnyStore, clock: Clock) -> None:
    dead, other = follower(store), follower(store)
    assert (dead.claim(), other.claim()) == (0, None)
    clock.advance(20)
    assert dead.advance(1)  # which renews its lease
    clock.advance(20)
    assert other.claim() is None
    clock.advance(11)
    assert other.claim() == 1
    assert dead.claim() is None
    assert not dead.advance(7, [StoredDocument("webhook", "a", "stale")])
    dead.release()
    assert other.claim() == 1
    assert store.read(JOURNAL, lambda view: view.document("webhook", "a")) == ""


def test_a_lease_from_a_clock_that_was_fast_keeps_nobody_away(store: AnyStore, clock: Clock) -> None:
    clock.advance(86_400)
    assert follower(store).claim() == 0
    clock.advance(-86_400)
    assert follower(store).claim() == 0


def test_documents_are_written_with_the_position(store: AnyStore) -> None:
    first = follower(store)
    assert first.claim() == 0
    assert first.advance(5, [StoredDocument("pending", "chat/5", "{}")])
    assert first.claim() == 5
    assert store.read(JOURNAL, lambda view: view.document("pending", "chat/5")) == "{}"


def test_a_death_is_recorded_though_nobody_writes(store: AnyStore, clock: Clock) -> None:
    first = follower(store)
    opened, started = append(store, open_session("handle"), start())
    append(store, begin(started.id, session=opened.id))
    store.write(JOURNAL, lambda ledger: ledger.renew(opened.id, 60))
    first.record_deaths()
    assert len(first.entries(0, 9)) == 3
    clock.advance(61)
    first.record_deaths()
    first.record_deaths()
    assert [each.entry.kind for each in first.entries(3, 9)] == ["session_ended", "action_doubted"]
