"""The promises of `store/interface.py` about writing, for memory, SQLite and PostgreSQL alike."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event, Thread
from typing import Any

import pytest

from tallystick.core import chain
from tallystick.core.entries import BodyErased, CredentialRevoked, Entry
from tallystick.core.errors import StorageUnavailable, WrongState
from tallystick.core.formats.search import parse_query
from tallystick.core.state import TABLES, Execution, IdempotencyKey, Session
from tallystick.store.group_commit import PendingWrite
from tallystick.store.interface import Credential, Ledger, Select, View, WouldWait
from tallystick.store.sql.connection import SqlConnection
from tallystick.store.sql.store import SqlStore
from tests.store.drafts import begin, credential, draft, end, end_session, note, open_session, start
from tests.store.sample_journal import append, record
from tests.stores import AnyStore, Clock, Home

JOURNAL = "j"


def verified(store: AnyStore, journal: str = JOURNAL) -> list[Entry]:
    """All entries, each checked against the one before, and each body against what was committed to."""
    head, entries = chain.genesis(journal), []
    while page := store.stored_entries(journal, after=head.seq, limit=500):
        for stored in page:
            entry = chain.check(head, stored.line, stored.hash)
            assert chain.check_body(entry, stored.body, stored.salt) == (stored.body is not None)
            assert (stored.salt is None) == (stored.body is None)
            assert stored.seq == entry.seq
            head = chain.Head(entry.seq, entry.hash, entry.at)
            entries.append(entry)
    assert store.read(journal, lambda view: view.head()) == head
    assert store.read(journal, lambda view: view.entries(limit=10**6)) == entries
    return entries


def test_entries_are_dense_and_each_holds_the_one_before(store: AnyStore) -> None:
    appended = [*append(store, start()), *append(store, note('"a"'), note(), note('"b"')), *append(store, note())]
    assert [entry.seq for entry in appended] == [1, 2, 3, 4, 5]
    assert verified(store) == appended


def test_a_journal_begins_with_its_name(store: AnyStore) -> None:
    assert store.read("new", lambda view: (view.journal, view.head())) == ("new", chain.genesis("new"))
    assert store.write("new", lambda ledger: ledger.head()) == chain.genesis("new")
    append(store, note(), journal="new")
    append(store, note(), journal="newer")
    assert verified(store, "new")[0].hash != verified(store, "newer")[0].hash


def test_stored_bytes_come_in_pages(store: AnyStore) -> None:
    append(store, *(note(f'"{number}"') for number in range(10)))
    assert [stored.seq for stored in store.stored_entries(JOURNAL, after=3, limit=4)] == [4, 5, 6, 7]
    assert [stored.body for stored in store.stored_entries(JOURNAL, after=8, limit=4)] == ['"8"', '"9"']
    assert list(store.stored_entries(JOURNAL, after=10, limit=4)) == []


def test_entries_of_a_failing_write_are_not_stored(store: AnyStore) -> None:
    refused = WrongState("no")

    def work(ledger: Ledger) -> None:
        ledger.append(start(key="k", digest="d"))
        ledger.append(note('"words of a failed work"'))
        ledger.renew("se", 60)
        ledger.append(credential("ann", "h", "decide"))
        raise refused

    append(store, note())
    with pytest.raises(WrongState) as raised:
        store.write(JOURNAL, work)
    assert raised.value is refused

    def seen(view: View) -> list[Any]:
        rows = [view.find(table, Select()) for table in TABLES]
        found = view.search(parse_query("failed"), limit=1).seqs
        return [*rows, view.lease("se"), view.credentials(), view.bodies(range(9)), found]

    assert not any(store.read(JOURNAL, seen))
    assert len(verified(store)) == 1


def test_a_failing_write_stops_no_other_in_its_group(store: AnyStore) -> None:
    def failing(ledger: Ledger) -> None:
        ledger.append(note('"never kept"'))
        raise WrongState("no")

    group = [
        PendingWrite(JOURNAL, lambda ledger: ledger.append(start())),
        PendingWrite(JOURNAL, failing),
        PendingWrite(JOURNAL, lambda ledger: [ledger.head().seq, ledger.append(note()).seq]),
    ]
    store._commit(JOURNAL, group)
    assert [type(ticket.error) for ticket in group] == [type(None), WrongState, type(None)]
    assert group[2].result == [1, 2]
    assert [entry.kind for entry in verified(store)] == ["execution_started", "action_noted"]


def test_a_work_that_runs_again_is_judged_by_its_last_run(store: AnyStore) -> None:
    runs: list[int] = []

    def work(ledger: Ledger) -> int:
        runs.append(ledger.head().seq)
        if len(runs) == 1:
            raise WrongState("only at first")
        return ledger.append(note()).seq

    ticket = PendingWrite(JOURNAL, work)
    with pytest.raises(WrongState):
        store._commit(JOURNAL, [ticket])
    store._commit(JOURNAL, [ticket])
    assert (ticket.error, ticket.result) == (None, 1)


def test_a_work_that_appends_nothing_just_answers(store: AnyStore) -> None:
    append(store, note())
    assert store.write(JOURNAL, lambda ledger: (ledger.journal, ledger.head().seq)) == (JOURNAL, 1)
    assert len(verified(store)) == 1


def test_threads_that_write_at_once_make_one_dense_chain(store: AnyStore) -> None:
    threads, each, journals = 64, 5, (JOURNAL, "k")

    def write(number: int) -> list[int]:
        journal = journals[number % 2]
        seqs = []
        for _ in range(each):
            seqs.append(append(store, note(f'"thread {number}"'), journal=journal)[0].seq)
            assert store.read(journal, lambda view: view.head().seq) >= seqs[-1]
        return seqs

    with ThreadPoolExecutor(threads) as pool:
        written = list(pool.map(write, range(threads)))
    for remainder, journal in enumerate(journals):
        seqs = sorted(seq for number, seqs in enumerate(written) if number % 2 == remainder for seq in seqs)
        assert seqs == list(range(1, threads * each // 2 + 1))
        assert len(verified(store, journal)) == len(seqs)


def test_rows_are_flushed_while_others_write(store: AnyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tallystick.store.sql.tail.ENTRIES_PER_FLUSH", 4)
    monkeypatch.setattr("tallystick.store.sql.queries.MAX_UNINDEXED_ENTRIES", 10)
    monkeypatch.setattr("tallystick.store.sql.queries.ENTRIES_INDEXED_PER_FLUSH", 5)

    def write(number: int) -> None:
        for _ in range(20):
            append(store, note('"needle"'), note('"needle"'), journal=f"j{number % 3}")

    with ThreadPoolExecutor(9) as pool:
        list(pool.map(write, range(9)))
    for journal in ("j0", "j1", "j2"):
        assert len(verified(store, journal)) == 120
        assert store.read(journal, lambda view: view.search(parse_query("needle"), limit=999).seqs) == [
            *range(120, 0, -1)
        ]


def test_a_rebuild_invalidates_the_cached_rows_of_others(shared_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tallystick.store.sql.tail.ENTRIES_PER_FLUSH", 1)
    first, second = shared_home.open(), shared_home.open()
    assert isinstance(first, SqlStore)
    execution = append(first, start("task 1"))[0].id

    def damage(connection: SqlConnection) -> tuple[()]:
        connection.rows("update executions set doc = replace(doc, 'task 1', 'task 2')")
        return ()

    def task(view: View) -> str:
        found = view.get(Execution, execution)
        assert found
        return found.task_id

    first._transact(1, damage)
    assert second.read(JOURNAL, task) == second.write(JOURNAL, task) == "task 2"
    assert first.rebuild(JOURNAL) == 1
    assert second.read(JOURNAL, task) == "task 1"
    append(second, note(), begin(execution))
    assert [each.read(JOURNAL, task) for each in (first, second, shared_home.open())] == ["task 1"] * 3
    assert second.write(JOURNAL, task) == "task 1"


def test_an_entry_repeats_the_time_before_it_or_keeps_its_own(store: AnyStore, clock: Clock) -> None:
    first = append(store, note())[0]
    clock.advance(-300)
    assert store.read(JOURNAL, lambda view: view.now()) == clock.now
    assert store.write(JOURNAL, lambda ledger: ledger.now()) == clock.now
    repeated = append(store, note())[0]
    assert (repeated.at, repeated.behind) == (first.at, 0)
    clock.advance(-1)
    older, next_one = append(store, note(), note())
    assert (older.at, older.behind, next_one.at, next_one.behind) == (clock.now, 301_000_000, clock.now, 0)
    clock.advance(200)
    assert append(store, note())[0].at == clock.now
    clock.advance(-1000)
    append(store, note())
    for read in (store.read, store.write):
        assert read(JOURNAL, lambda view: [entry.seq for entry in view.clock_steps(9)]) == [6, 3]
    assert store.read(JOURNAL, lambda view: [entry.seq for entry in view.clock_steps(1)]) == [6]
    verified(store)
    store.rebuild(JOURNAL)
    assert store.read(JOURNAL, lambda view: [entry.seq for entry in view.clock_steps(9)]) == [6, 3]


def test_a_lease_of_a_clock_that_was_fast_has_run_out(store: AnyStore, clock: Clock) -> None:
    clock.advance(86400)
    opened = append(store, open_session("handle"))[0]
    store.write(JOURNAL, lambda ledger: ledger.renew(opened.id, 2))
    clock.advance(-86400)
    assert store.read(JOURNAL, lambda view: view.is_over(_session(view, opened.id)))


def test_a_second_opening_sees_the_written_entries(home: Home) -> None:
    first, second = home.open(), home.open()
    for number in range(1, 8):
        writer, reader = (first, second) if number % 2 else (second, first)
        entry = append(writer, note())[0]
        assert entry.seq == number
        assert reader.read(JOURNAL, lambda view: view.head().hash) == entry.hash
    assert verified(home.open()) == verified(first)


def test_each_write_sees_entries_that_another_opening_has_just_appended(home: Home) -> None:
    first, second = home.open(), home.open()

    def lengths(store: AnyStore) -> list[int]:
        return [store.write(journal, lambda ledger: ledger.head().seq) for journal in ("a", "b")]

    for number in range(6):
        append(first, note(), journal="a")
        append(second, note(), journal="a")
        append(first, note(), journal="b")  # knows of the other's entry in "a" now, though it is not asked about
        assert lengths(first) == lengths(second) == [2 * number + 2, number + 1]
    verified(first, "a")
    verified(second, "b")


def test_a_refusal_is_decided_on_the_newest_entry(home: Home) -> None:
    first, second = home.open(), home.open()

    def only_after_an_even_one(ledger: Ledger) -> int:
        if ledger.head().seq % 2:
            raise WrongState("odd")
        return ledger.append(note()).seq

    for expected in range(5, 40, 6):
        for _ in range(3):  # by now it may think that it is alone
            append(first, note())
        append(second, note())
        assert first.write(JOURNAL, only_after_an_even_one) == expected
        with pytest.raises(WrongState):
            first.write(JOURNAL, only_after_an_even_one)
        append(second, note())
    verified(first)


def test_an_answer_is_given_on_the_newest_entry(home: Home) -> None:
    first, second = home.open(), home.open()
    for total in range(4, 24, 4):
        for _ in range(3):  # by now it may think that it is alone
            append(first, note())
        append(second, note())
        assert first.write(JOURNAL, lambda ledger: ledger.head().seq) == total


def test_a_key_is_found_by_its_id(store: AnyStore) -> None:
    append(store, note(), note(key="ünïque key", digest="d1"))
    assert store.read(JOURNAL, lambda view: view.get(IdempotencyKey, "ünïque key")) == IdempotencyKey(
        id="ünïque key", seq=2, digest="d1"
    )
    assert store.write(JOURNAL, lambda ledger: ledger.get(IdempotencyKey, "other")) is None
    assert store.read("elsewhere", lambda view: view.get(IdempotencyKey, "ünïque key")) is None


def _session(view: View, session: str) -> Session:
    found = view.get(Session, session)
    assert found is not None
    return found


def test_a_handle_session_is_over_when_its_lease_has_run_out(store: AnyStore, clock: Clock) -> None:
    def over() -> tuple[bool, bool]:
        def ask(view: View) -> bool:
            return view.is_over(_session(view, session))

        return store.read(JOURNAL, ask), store.write(JOURNAL, ask)

    session = append(store, open_session())[0].id
    assert over() == (True, True)  # it never had a lease
    lease = store.write(JOURNAL, lambda ledger: ledger.renew(session, 60))
    assert lease.expires == clock.now + 60_000_000
    assert store.read(JOURNAL, lambda view: view.lease(session)) == lease
    clock.advance(59)
    assert over() == (False, False)
    store.write(JOURNAL, lambda ledger: ledger.renew(session, 2.5))
    clock.advance(2)
    assert over() == (False, False)
    clock.advance(0.5)
    assert over() == (True, True)


def test_a_session_that_was_ended_is_over(store: AnyStore) -> None:
    def work(ledger: Ledger) -> list[bool]:
        session = ledger.append(open_session()).id
        ledger.renew(session, 60)
        before = ledger.is_over(_session(ledger, session))
        ledger.append(end_session(session))
        return [before, ledger.is_over(_session(ledger, session))]

    assert store.write(JOURNAL, work) == [False, True]


def test_a_process_session_lives_as_long_as_its_process(store: AnyStore, clock: Clock) -> None:
    host, lock = store.claim_process_lock()
    assert store.claim_process_lock() != (host, lock)
    session = append(store, open_session("process", host=host, lock=lock))[0].id
    store.write(JOURNAL, lambda ledger: ledger.renew(session, 1))
    store.heartbeat(JOURNAL, session, lock, 3600)
    clock.advance(10_000)
    assert not store.read(JOURNAL, lambda view: view.is_over(_session(view, session)))


def test_credentials_follow_from_entries_and_are_listed_by_name(store: AnyStore) -> None:
    append(store, credential("zoe", "h1", "decide", "erase"))
    append(store, credential("Änn", "h2", expires=2**50, tasks=("T 1", 'T "2"'), observes=True))
    revoked = Credential("zoe", "h3", ("decide",), revoked=True, seq=3)
    ann = Credential("Änn", "h2", (), expires=2**50, tasks=("T 1", 'T "2"'), observes=True, seq=2)

    def change(ledger: Ledger) -> list[Credential]:
        ledger.append(credential("zoe", "h3", "decide"))
        ledger.append(draft(CredentialRevoked(name="zoe")))
        return ledger.credentials()

    assert store.write(JOURNAL, change) == [revoked, ann]
    assert store.read(JOURNAL, lambda view: view.credentials()) == [revoked, ann]
    assert store.read("elsewhere", lambda view: view.credentials()) == []
    store.rebuild(JOURNAL)
    assert store.read(JOURNAL, lambda view: view.credentials()) == [revoked, ann]


def test_a_credential_is_found_by_its_hash_in_any_journal(store: AnyStore) -> None:
    append(store, credential("ann", "h1", "read", tasks=("T-1",)), journal="one")
    append(store, credential("ann", "h2", "agent"), journal="two")
    assert store.credential("h1") == ("one", Credential("ann", "h1", ("read",), tasks=("T-1",), seq=1))
    assert store.credential("h2") == ("two", Credential("ann", "h2", ("agent",), seq=1))
    assert store.credential("h3") is None
    assert store.credential("") is None


def test_waiting_ends_at_once_when_the_journal_is_longer(store: AnyStore) -> None:
    append(store, note(), note())
    assert store.wait(JOURNAL, after=1, seconds=60) == 2


def test_waiting_ends_with_its_time(store: AnyStore) -> None:
    append(store, note())
    assert store.wait(JOURNAL, after=1, seconds=0.01) == 1


def test_waiting_ends_with_news_from_another_opening(home: Home) -> None:
    waiter, writer = home.open(), home.open()
    append(writer, note())
    for after in (1, 2):
        with ThreadPoolExecutor(3) as pool:
            waiting = [pool.submit(waiter.wait, JOURNAL, after=after, seconds=60) for _ in range(3)]
            append(writer, note())
            assert [each.result(30) for each in waiting] == [after + 1] * 3


def test_closing_ends_waiting(home: Home) -> None:
    store = home.open()
    append(store, note())
    done, begun = Event(), Event()

    def wait() -> None:
        begun.set()
        with suppress(StorageUnavailable):  # closed before it began to wait
            store.wait(JOURNAL, after=1, seconds=60)
        done.set()

    thread = Thread(target=wait)
    thread.start()
    assert begun.wait(5)
    store.close()
    assert done.wait(20)
    thread.join()


def test_the_secret_is_a_journal_s_own_and_stays(home: Home) -> None:
    secret = home.open().secret(JOURNAL)
    assert len(secret) == 32
    append(home.open(), note())
    assert home.open().secret(JOURNAL) == secret
    assert home.open().secret("k") != secret


def test_a_rebuild_changes_nothing(store: AnyStore, clock: Clock) -> None:
    record(store, clock=clock, seed=6, works=120)
    append(store, start(), note('"body"'), journal="other")

    def rows(view: View) -> list[Any]:
        return [view.find(table, Select(limit=10**6)) for table in TABLES]

    before = [store.read(journal, rows) for journal in (JOURNAL, "other")]
    length = len(verified(store))
    assert store.rebuild(JOURNAL) == length
    assert [store.read(journal, rows) for journal in (JOURNAL, "other")] == before
    record(store, clock=clock, seed=7, works=5)
    assert len(verified(store)) > length


@pytest.mark.parametrize("indexed", [False, True])
def test_erasing_destroys_a_body_its_salt_and_its_words(store: AnyStore, *, indexed: bool) -> None:
    execution, gone, stays = append(store, start(), note('"gone with the wind"', key="k"), note('"still here"'))
    if indexed and isinstance(store, SqlStore):
        store.index(JOURNAL)

    def erase(ledger: Ledger) -> dict[int, str]:
        ledger.erase([gone.seq, execution.seq, 99, 0])  # one with a body, one without, two that are not there
        ledger.append(draft(BodyErased(seqs=(gone.seq,))))
        return ledger.bodies(range(9))

    assert store.write(JOURNAL, erase) == {stays.seq: '"still here"'}
    assert store.read(JOURNAL, lambda view: view.bodies(range(9))) == {stays.seq: '"still here"'}
    assert [stored.salt is None for stored in store.stored_entries(JOURNAL, after=0, limit=9)] == [
        True,
        True,
        False,
        True,
    ]
    search: Callable[[str], list[int]] = lambda text: store.read(  # noqa: E731
        JOURNAL, lambda view: view.search(parse_query(text), limit=9).seqs
    )
    assert (search("wind"), search("gon*"), search("here"), search("noted")) == ([], [], [3], [3, 2])
    assert len(verified(store)) == 4
    assert store.scrub(JOURNAL) == "done"
    store.write(JOURNAL, lambda ledger: ledger.erase([gone.seq]))  # once more does no harm
    assert len(verified(store)) == 4


def test_a_body_that_is_appended_and_erased_in_one_write_is_not_stored(store: AnyStore) -> None:
    def work(ledger: Ledger) -> None:
        ledger.erase([ledger.append(note('"short lived"')).seq])

    store.write(JOURNAL, work)
    assert store.read(JOURNAL, lambda view: view.bodies([1])) == {}
    assert len(verified(store)) == 1


def test_a_closed_store_refuses_calls_and_closing_twice_is_fine(store: AnyStore) -> None:
    append(store, note())
    store.close()
    store.close()
    calls: list[Callable[[], object]] = [
        lambda: append(store, note()),
        lambda: store.read(JOURNAL, lambda view: view.head()),
        lambda: store.stored_entries(JOURNAL, after=0, limit=1),
        store.journals,
        lambda: store.scrub(JOURNAL),
    ]
    for call in calls:
        with pytest.raises(StorageUnavailable, match="closed"):
            call()


def test_large_bodies_and_many_entries_fit_one_work(store: AnyStore) -> None:
    body = '"' + "x" * (1 << 20) + '"'
    append(store, *(note(body) for _ in range(8)), *(begin("ex", effect_key=str(number)) for number in range(500)))
    actions = [entry.id for entry in verified(store) if entry.kind == "action_begun"]
    append(store, *(end(action, "ex") for action in actions))
    assert len(verified(store)) == 1008
    assert store.read(JOURNAL, lambda view: view.bodies([8])) == {8: body}


def test_a_document_is_replaced_deleted_and_listed_in_order(store: AnyStore) -> None:
    def put(*documents: tuple[str, str, str]) -> None:
        def work(ledger: Ledger) -> None:
            for kind, id, content in documents:
                ledger.put_document(kind, id, content)
                assert ledger.document(kind, id) == content
            listed = [each.id for each in ledger.documents("webhook", limit=9)]
            assert listed == sorted(listed)

        store.write(JOURNAL, work)

    def listed(kind: str, after: str = "", limit: int = 9) -> list[tuple[str, str]]:
        found = store.read(JOURNAL, lambda view: view.documents(kind, after=after, limit=limit))
        assert all(each.kind == kind for each in found)
        return [(each.id, each.content) for each in found]

    put(("webhook", "b", "1"), ("webhook", "a", "2"), ("silence", "a", "3"))
    put(("webhook", "c", "4"), ("webhook", "b", "5"))
    assert listed("webhook") == [("a", "2"), ("b", "5"), ("c", "4")]
    assert listed("webhook", after="a", limit=1) == [("b", "5")]
    put(("webhook", "b", ""), ("webhook", "never", ""))
    assert listed("webhook") == [("a", "2"), ("c", "4")]
    assert listed("silence") == [("a", "3")]
    assert store.read(JOURNAL, lambda view: [view.document("webhook", id) for id in "ab"]) == ["2", ""]
    assert store.read("another", lambda view: view.documents("webhook", limit=9)) == []


def test_a_write_that_does_not_wait_is_not_made_while_another_thread_writes(store: AnyStore) -> None:
    begun, may_end = Event(), Event()

    def slow(ledger: Ledger) -> None:
        ledger.append(note())
        begun.set()
        may_end.wait()

    def write() -> list[tuple[object, BaseException | None]]:
        return store.write_all(JOURNAL, [lambda ledger: ledger.append(note()).seq] * 2, waits=False)

    thread = Thread(target=lambda: store.write(JOURNAL, slow))
    thread.start()
    begun.wait()
    outcomes = write()
    may_end.set()
    thread.join()
    assert [type(error) for _, error in outcomes] == [WouldWait] * 2
    assert write() == [(2, None), (3, None)]


def test_a_document_is_written_with_the_entries_of_its_work_or_not_at_all(store: AnyStore) -> None:
    def work(ledger: Ledger) -> list[str]:
        ledger.append(note('"with it"'))
        ledger.put_document("webhook", "a", "new")
        return [each.content for each in ledger.documents("webhook", limit=9)]

    def failing(ledger: Ledger) -> None:
        work(ledger)
        raise WrongState("no", hint="")

    assert store.write(JOURNAL, work) == ["new"]
    outcomes = store.write_all("other", [failing, lambda ledger: ledger.documents("webhook", limit=9)])
    assert outcomes[1][0] == []
    assert store.read("other", lambda view: (view.head().seq, view.documents("webhook", limit=9))) == (0, [])
    assert store.rebuild(JOURNAL) == 1
    assert [each.content for each in store.read(JOURNAL, lambda view: view.documents("webhook", limit=9))] == ["new"]
