"""Views of each store, compared with the memory store."""
# ruff: noqa: RUF001 - letters that look like others are the point of some tests

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import pytest

from tallystick.core.formats.search import Query, parse_query
from tallystick.core.state import TABLES, Action, Context, Execution, IdempotencyKey, Plan, Row, Session
from tallystick.store.interface import Ledger, Select, View, WhereValue
from tallystick.store.memory import MemoryStore
from tallystick.store.sql import queries as sql_queries
from tallystick.store.sql.store import SqlStore
from tests.store.drafts import begin, end, note, start
from tests.store.sample_journal import append, record
from tests.stores import AnyStore, Clock, Home

JOURNAL = "j"
WHERES: dict[type[Row], tuple[dict[str, WhereValue], ...]] = {
    Plan: ({}, {"task_id": "task 1"}, {"status": "active", "actor": "tester"}),
    Execution: ({}, {"status": "running"}, {"task_id": ("task 1", "task 3")}, {"status": ("paused", "blocked")}),
    Action: (
        {},
        {"state": "open"},
        {"state": ("open", "doubted", "unknown")},
        {"undo_state": ("not_undone", "undoing", "in_doubt", "failed", "not_possible", "partly")},
        {"undo_state": ("kept",)},
        {"to_put_back": ("yes",)},
        {"tool": "pay", "state": ("ok", "failed")},
        {"effect_key": ("e1:1", "e1:2", "no such key")},
        {"state": ()},
    ),
    Session: ({}, {"status": "open"}),
    Context: ({}, {"scope": "project", "key": "key 3"}, {"scope_id": ""}),
}

TEXTS = (
    "Straße STRASSE straẞe",
    "İstanbul ISTANBUL ıstanbul istanbul",
    "ǆ Ǆ ǅ dž",
    "cafe\u0301 café CAFÉ cafe",
    "日本語 日本 本語 東京都",
    "٣٤٥ ५ 12 12a a12 ½ ² Ⅷ",
    "οδος ΟΔΟΣ οδοσ ὈΔΟΣ",
    "K\u212a ſ s ﬁ fi",
    "snake_case kebab-case dot.ted it's O'Brien \"quoted\" back\\slash",
    "a & b | !c <-> d:* (e)",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 \U0001f600 \u200d zero\u200bwidth soft\u00adhyphen",
    "ᠮᠣᠩᠭᠣᠯ हिन्दी ไทย עברית العربية \ua7ae \U0001e900",
    "x" * 80 + " " + "ß" * 80,
)


@pytest.fixture
def reference(clock: Clock) -> MemoryStore:
    return MemoryStore(clock)


def _selects(table: type[Row], ids: list[str], times: list[int]) -> Iterator[Select]:
    sinces = (None, times[len(times) // 3]) if "at" in table.COLUMNS else (None,)
    untils = (None, times[-len(times) // 3]) if "at" in table.COLUMNS else (None,)
    afters = ("", ids[len(ids) // 2], "no such id") if ids else ("",)
    grid = product(WHERES.get(table, ({},)), sinces, untils, (True, False), afters, (1, 7, 1000))
    for where, since, until, newest_first, after, limit in grid:
        yield Select(where=where, since=since, until=until, newest_first=newest_first, after=after, limit=limit)


def test_find_is_that_of_the_reference(store: AnyStore, reference: MemoryStore, clock: Clock) -> None:
    record(store, reference, clock=clock, seed=1, works=80)

    def ids_and_times(view: View, table: type[Row]) -> tuple[list[str], list[int]]:
        rows = view.find(table, Select(limit=1000))
        return [row.id for row in rows], sorted(getattr(row, "at", 0) for row in rows) or [0]

    def found(view: View, table: type[Row], selects: list[Select]) -> list[list[Row]]:
        return [view.find(table, select) for select in selects]

    for table in TABLES:
        selects = list(_selects(table, *reference.read(JOURNAL, lambda view: ids_and_times(view, table))))  # noqa: B023
        expected = reference.read(JOURNAL, lambda view: found(view, table, selects))  # noqa: B023
        assert any(expected) or table not in WHERES
        assert store.read(JOURNAL, lambda view: found(view, table, selects)) == expected  # noqa: B023


def test_a_repeated_search_finds_what_others_have_written_meanwhile(
    shared_home: Home, reference: MemoryStore, clock: Clock
) -> None:
    one, two = (shared_home.open(clock=clock) for _ in range(2))

    def found(view: View) -> list[list[Row]]:
        return [view.find(table, Select(where=where)) for table in WHERES for where in WHERES[table]]

    for seed in range(16):
        record((one, two)[seed // 2 % 2], reference, clock=clock, seed=seed, works=1 + 7 * (seed % 3))
        expected = reference.read(JOURNAL, found)
        for store in (one, two):
            assert store.read(JOURNAL, found) == expected
            if seed % 4:  # each process sees the other's entries first where it reads, then where it writes
                assert store.write(JOURNAL, found) == expected


def test_pages_join_up_to_the_whole(store: AnyStore, clock: Clock) -> None:
    record(store, clock=clock, seed=2, works=60)

    def pages(view: View, newest_first: bool) -> list[str]:
        ids: list[str] = []
        while page := view.find(Action, Select(after=ids[-1] if ids else "", limit=3, newest_first=newest_first)):
            ids += [row.id for row in page]
        return ids

    def whole(view: View, newest_first: bool) -> list[str]:
        return [row.id for row in view.find(Action, Select(limit=1000, newest_first=newest_first))]

    for newest_first in (True, False):
        ids = store.read(JOURNAL, lambda view: whole(view, newest_first))  # noqa: B023
        assert len(ids) > 3
        assert ids == sorted(ids, reverse=newest_first)
        assert store.read(JOURNAL, lambda view: pages(view, newest_first)) == ids  # noqa: B023


def test_count_and_get_match_the_reference(store: AnyStore, reference: MemoryStore, clock: Clock) -> None:
    record(store, reference, clock=clock, seed=3, works=80)

    def seen(view: View) -> list[Any]:
        counts = [
            [view.count(table, where, 5), view.count(table, where, 1000), view.values(table, table.COLUMNS[0], where)]
            for table, wheres in WHERES.items()
            for where in wheres
        ]
        rows = [view.get(table, row.id) for table in TABLES for row in view.find(table, Select(limit=1000))]
        return [*counts, *rows, view.get(IdempotencyKey, "never used"), view.head()]

    expected = reference.read(JOURNAL, seen)
    assert sum(map(bool, expected)) > 100
    assert store.read(JOURNAL, seen) == expected


def test_entries_match_the_reference(store: AnyStore, reference: MemoryStore, clock: Clock) -> None:
    record(store, reference, clock=clock, seed=4, works=60)
    execution = reference.read(JOURNAL, lambda view: view.find(Execution, Select())[-1].id)
    length = reference.read(JOURNAL, lambda view: view.head().seq)
    grid = list(product((0, 1, length // 2, length, length + 5), (0, 1, 10, 1000), ("", execution), (False, True)))

    def seen(view: View) -> list[Any]:
        pages = [
            view.entries(after=after, limit=limit, execution=of, newest_first=newest_first)
            for after, limit, of, newest_first in grid
        ]
        return [*pages, [view.entry(seq) for seq in (-1, 0, 1, length, length + 1)]]

    assert store.read(JOURNAL, seen) == reference.read(JOURNAL, seen)


def test_a_ledger_shows_appended_entries_as_later_views_do(store: AnyStore, clock: Clock) -> None:
    record(store, clock=clock, seed=5, works=30)
    query = parse_query("freshly app*")

    def seen(view: View) -> list[Any]:
        head = view.head().seq
        rows = [view.find(table, Select(where=where, limit=40)) for table in WHERES for where in WHERES[table]]
        counts = [view.count(table, where, 1000) for table in WHERES for where in WHERES[table]]
        entries = [view.entries(after=head - 3, limit=2), view.entries(after=0, limit=9, newest_first=True)]
        return [head, rows, counts, entries, view.entry(head), view.bodies([head, 1]), view.search(query, limit=9).seqs]

    def work(ledger: Ledger) -> list[Any]:
        execution = ledger.append(start("task 1"))
        action = ledger.append(begin(execution.id, body='"freshly appended"'))
        ledger.append(begin(execution.id))
        ledger.append(end(action.id, execution.id, body='"appended freshly"'))
        return seen(ledger)

    inside = store.write(JOURNAL, work)
    assert inside == store.read(JOURNAL, seen)
    assert inside[-1] == [inside[0], inside[0] - 2]


def test_bodies_match_the_reference(store: AnyStore) -> None:
    texts = ['{"a": 1}', '""', '"' + "ä" * 100_000 + '"', '"\\u2028 \U0001f600"']
    append(store, *(note(text) for text in texts), note(None))
    assert store.read(JOURNAL, lambda view: view.bodies(range(20))) == dict(enumerate(texts, start=1))
    assert store.read(JOURNAL, lambda view: view.bodies([])) == {}
    assert len(store.read(JOURNAL, lambda view: view.bodies(range(5000)))) == len(texts)


def _queries() -> list[Query]:
    words = sorted({word for text in TEXTS for word in text.split()})
    whole = [parse_query(word) for word in words if any(map(str.isalnum, word))]
    beginnings = [parse_query(f"{word[:length]}*") for word in words for length in (1, 3) if word[:length].isalnum()]
    return [
        *whole,
        *beginnings,
        parse_query("istanbul ISTANBUL"),
        parse_query("note* tester 日本*"),
        parse_query("x" * 64),
    ]


@pytest.mark.parametrize("indexed", [False, True])
def test_search_matches_the_reference(store: AnyStore, reference: MemoryStore, *, indexed: bool) -> None:
    for each in (store, reference):
        append(each, *(note(f'{{"text": "{number} {text}"}}') for number, text in enumerate(TEXTS)))
    if indexed and isinstance(store, SqlStore):
        store.index(JOURNAL)
        assert _indexed(store) == len(TEXTS)
    queries = _queries()

    def seen(view: View) -> dict[Query, list[int]]:
        return {query: view.search(query, limit=100).seqs for query in queries}

    expected = reference.read(JOURNAL, seen)
    assert sum(map(len, expected.values())) > 100
    assert store.read(JOURNAL, seen) == expected


def test_search_pages_back_from_the_newest_entry_across_the_end_of_the_index(store: AnyStore) -> None:
    append(store, *(note('"needle"' if number % 3 == 0 else '"hay"') for number in range(600)))
    assert len(store.read(JOURNAL, lambda view: view.search(parse_query("needle"), limit=999).seqs)) == 200
    append(store, note('"needle and hay"'))  # behind what that search had indexed
    if isinstance(store, SqlStore):
        assert _indexed(store) == 600
    expected = [601, *range(598, 0, -3)]

    def pages(view: View) -> list[int]:
        found: list[int] = []
        while page := view.search(parse_query("needle"), before=found[-1] if found else 0, limit=7).seqs:
            found += page
        return found

    assert store.read(JOURNAL, pages) == expected
    assert store.read(JOURNAL, lambda view: view.search(parse_query("needle hay"), limit=9).seqs) == [601]


def test_a_search_that_comes_short_says_where_to_continue(
    store: AnyStore, reference: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallystick.store.sqlite.store.MAX_RARE", 10)
    monkeypatch.setattr("tallystick.store.sqlite.store.ENTRIES_INTERSECTED", (8, 32))
    monkeypatch.setattr("tallystick.store.sqlite.store.MAX_WORDS_OF_BEGINNING", 5)
    monkeypatch.setattr("tallystick.store.sql.view.MAX_ENTRIES_LOOKED_THROUGH", 60)
    monkeypatch.setattr("tallystick.store.sql.view.ENTRIES_PER_LOOK", 7)
    monkeypatch.setattr("tallystick.store.postgres.connection.MAX_ENTRIES_READ", 16)
    texts = [f"all {'odd' if number % 2 else 'even'} word{number} {number * number}" for number in range(400)]
    for each in (store, reference):
        append(each, *(note(f'"{text}"') for text in (*texts, "odd even")))
    if isinstance(store, SqlStore):
        store.index(JOURNAL)
    shortest = 400

    def every(view: View, query: Query, after: int) -> list[int]:
        nonlocal shortest
        found: list[int] = []
        before = 0
        while True:
            page = view.search(query, after=after, before=before, limit=7)
            found += page.seqs
            shortest = min(shortest, len(page.seqs)) if page.before else shortest
            if not page.before:
                return found
            before = page.before

    for text in ("all", "odd", "odd even", "odd all", "word*", "word12*", "word399", "word12* odd", "wor* even", "no*"):
        for after in (0, 1, 200, 401):
            query = parse_query(text)
            expected = reference.read(JOURNAL, lambda view: every(view, query, after))  # noqa: B023
            assert store.read(JOURNAL, lambda view: every(view, query, after)) == expected  # noqa: B023
    if "sqlite" in type(store).__module__:
        assert shortest == 0


def test_recording_extends_the_index_without_a_search(store: AnyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tallystick.store.sql.tail.ENTRIES_PER_FLUSH", 8)
    monkeypatch.setattr("tallystick.store.sql.queries.MAX_UNINDEXED_ENTRIES", 40)
    monkeypatch.setattr("tallystick.store.sql.queries.ENTRIES_INDEXED_PER_FLUSH", 16)
    for number in range(200):
        append(store, note(f'"needle {number}"'))
    if isinstance(store, SqlStore):
        assert 150 <= _indexed(store) < 200
    assert store.read(JOURNAL, lambda view: view.search(parse_query("needle"), limit=999).seqs) == [*range(200, 0, -1)]


def _indexed(store: SqlStore) -> int:
    with store._reading() as connection:
        return sql_queries.indexed_seq(connection, store._enter_journal(connection, JOURNAL))


def test_journals_do_not_show_in_each_other(store: AnyStore) -> None:
    append(store, start("task 1"), note('"of the first"'), journal="first")
    append(store, note('"of the second"'), journal="second")
    append(store, note('"of the first again"'), journal="first")

    def seen(view: View) -> tuple[int, int, list[int], dict[int, str]]:
        entries = view.entries(limit=9)
        found = view.search(parse_query("of the"), limit=9).seqs
        return len(entries), len(view.find(Execution, Select())), found, view.bodies(range(9))

    assert store.read("first", seen) == (3, 1, [3, 2], {2: '"of the first"', 3: '"of the first again"'})
    assert store.read("second", seen) == (1, 0, [1], {1: '"of the second"'})
    assert store.journals() == ["first", "second"]


def test_a_view_stays_as_it_is_while_it_is_looked_at(shared_home: Home, clock: Clock) -> None:
    reader, writer = shared_home.open(clock=clock), shared_home.open(clock=clock)
    append(writer, start(), note('"before"'))

    def seen(view: View) -> list[Any]:
        found = view.search(parse_query("before"), limit=9).seqs
        return [view.head(), view.entries(limit=9), view.find(Execution, Select()), view.bodies(range(9)), found]

    def work(view: View) -> None:
        first = seen(view)
        append(writer, start(), note('"not before"'))
        assert seen(view) == first

    reader.read(JOURNAL, work)
    assert reader.read(JOURNAL, lambda view: view.head().seq) == 4


def test_a_view_stays_as_it_is_while_others_write(shared_home: Home) -> None:
    store = shared_home.open()
    execution = append(store, start())[0].id
    append(store, begin(execution, effect_key="e1:1"))

    def found(view: View) -> tuple[Any, ...]:
        actions = [(row.id, row.state) for row in view.find(Action, Select(limit=100))]
        seqs = [entry.seq for entry in view.entries(limit=100, execution=execution)]
        return view.head(), actions, seqs, view.get(Execution, execution), view.may_be_unsettled("e1:2")

    def look(view: View) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        before = found(view)
        with ThreadPoolExecutor(1) as pool:
            for _ in range(3):
                pool.submit(append, store, begin(execution, effect_key="e1:2")).result()
        return before, found(view)

    for count in (1, 4, 7):
        before, after = store.read(JOURNAL, look)
        assert before == after
        assert len(before[1]) == count
