"""PostgreSQL itself isolates journals, by policies on every table."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from tallystick.core.errors import StorageUnavailable, Unsupported
from tallystick.core.formats.search import parse_query
from tallystick.core.state import Execution
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.access import credential_hash
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.settings import Settings
from tallystick.store.interface import Select
from tallystick.store.postgres.roles import ROLE
from tallystick.store.postgres.store import PostgresStore
from tallystick.store.sql import queries
from tests.access.canaries import Planter
from tests.postgres_server import Server
from tests.store.drafts import credential, note
from tests.store.sample_journal import append
from tests.store.test_conformance import verified
from tests.stores import Clock

OURS, THEIRS = "ours", "theirs"
TELLS_NOTHING = {"schema_versions"}
"""Tables that hold nothing of any journal."""
_users, _words = count(1), count(1)
Rows = list[tuple[object, ...]]


@pytest.fixture(scope="module")
def url(postgres: Server) -> Iterator[str]:
    with postgres.database() as address:
        yield address


@pytest.fixture(scope="module")
def filled(url: str) -> Iterator[PostgresStore]:
    """A store with one journal, which has something in every table, and a second one with an entry."""
    store = PostgresStore(url)
    append(store, credential("ann", credential_hash("secret"), "admin"), journal=OURS)
    _work(store)
    store.write(OURS, lambda ledger: ledger.put_document("webhook", "chat", "canary"))
    store.index(OURS)
    append(store, note('"canary"'), journal=THEIRS)
    yield store
    store.close()


def _work(store: PostgresStore) -> None:
    """Enough of all there is that the rows are filed."""
    context = OperationContext(store, Settings(url="", journal=OURS, actor="agent"), Principal())
    root = CATALOGUE["add_credential"](context.for_principal(Principal(credential="secret")), {"name": "root"}).secret
    while store.wait(OURS, after=0, seconds=0) < 200:
        number = next(_words)
        Planter(context, f"word{number}", "T-1", credential=root).plant()
        CATALOGUE["record_context"](context, {"key": "k", "value": number, "idempotency_key": f"key {number}"})


def _ask(url: str, sql: str, *, role: str = "", **settings: str) -> Rows:
    """As some program might, in one transaction: in a role, with settings of its own."""
    with psycopg.connect(url) as connection:
        if role:
            connection.execute(f"set role {role}".encode())
        for name, value in settings.items():
            connection.execute("select set_config(%s, %s, true)", (f"tallystick.{name}", value))
        cursor = connection.execute(sql.encode())
        return cursor.fetchall() if cursor.description else []


def _tables(url: str) -> list[str]:
    found = _ask(
        url, "select relname from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace"
    )
    return sorted(str(name) for (name,) in found)


def _number(url: str, journal: str) -> str:
    ((number,),) = _ask(url, f"select number from journals where name = '{journal}'")
    return str(number)


def test_in_the_working_role_every_table_shows_the_journal_that_was_entered_and_no_other(
    url: str, filled: PostgresStore
) -> None:
    ours, theirs, none = _number(url, OURS), _number(url, THEIRS), "99"
    tables = _tables(url)
    assert len(tables) > 15
    for table in tables:
        whole = _ask(url, f"select * from {table}")
        assert whole, f"nothing is in {table}: whether it is shown to others cannot be seen"
        if table in TELLS_NOTHING:
            continue
        column = "number" if table == "journals" else "journal"
        assert {str(number) for (number,) in _ask(url, f"select distinct {column} from {table}")} >= {ours}
        seen = _ask(url, f"select distinct {column} from {table}", role=ROLE, journal=ours)
        assert [str(number) for (number,) in seen] == [ours]
        assert all(str(row) for row in seen)
        for other in (none, ""):
            assert _ask(url, f"select * from {table}", role=ROLE, journal=other) == [], table
        assert _ask(url, f"select * from {table}", role=ROLE) == [], table
        others = _ask(url, f"select {column} from {table}", role=ROLE, journal=theirs)
        assert {str(number) for (number,) in others} <= {theirs}, table


def test_every_table_is_under_policies_that_hold_its_owner_too(url: str, filled: PostgresStore) -> None:
    found = _ask(
        url,
        """select relname, relrowsecurity, relforcerowsecurity, pg_get_userbyid(relowner),
            (select count(*) from pg_policy where polrelid = c.oid) > 0
        from pg_class c where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace""",
    )
    assert [row for row in found if not (row[1] and row[2] and row[4])] == []
    assert ROLE not in {row[3] for row in found}
    assert _ask(url, f"select rolsuper, rolbypassrls, rolcanlogin from pg_roles where rolname = '{ROLE}'") == [
        (False, False, False)
    ]


@pytest.mark.parametrize(
    "attack",
    [
        "update entries set line = 'forged'",
        "delete from entries",
        "truncate entries",
        "update bodies set body = 'forged'",
        "alter table entries disable row level security",
        "drop policy own on entries",
        "insert into entries values (99::bigint << 40, 99, 'line', 'hash')",
        "insert into credentials (journal, name, hash, scopes, revoked) values (99, 'eve', 'h', 'admin', 0)",
        "insert into journals (name, secret, shape) values ('eve', '', 0)",
        "update plans set journal = 99",
        "insert into schema_versions values (99, 'x', 'x')",
    ],
)
def test_the_working_role_can_neither_change_entries_nor_write_in_another_journal(
    url: str, filled: PostgresStore, attack: str
) -> None:
    before = filled.stored_entries(OURS, after=0, limit=1000)
    with pytest.raises(psycopg.Error) as caught:
        _ask(url, attack, role=ROLE, journal=_number(url, OURS))
    assert caught.value.sqlstate == "42501", caught.value
    assert filled.stored_entries(OURS, after=0, limit=1000) == before


def test_a_lookup_shows_only_the_rows_that_match_it(url: str, filled: PostgresStore) -> None:
    names = "select name from journals order by name"
    assert _ask(url, names, role=ROLE, seek=f"name:{OURS}") == [(OURS,)]
    assert _ask(url, names, role=ROLE, seek="names") == []
    assert sorted(_ask(url, "select journal_names()", role=ROLE)) == [(OURS,), (THEIRS,)]
    assert _ask(url, "select name from credentials", role=ROLE, seek=f"hash:{credential_hash('secret')}") == [("ann",)]
    assert _ask(url, "select name from credentials", role=ROLE, seek="hash:") == []
    for table in set(_tables(url)) - TELLS_NOTHING - {"journals", "credentials"}:
        for sought in ("names", f"name:{OURS}", f"hash:{credential_hash('secret')}"):
            assert _ask(url, f"select * from {table}", role=ROLE, seek=sought) == [], table


def test_no_lookup_shows_the_secret_of_a_journal_that_it_does_not_name(url: str, filled: PostgresStore) -> None:
    secrets = "select secret from journals"
    for sought in ("names", "names:", "name:", "name:%", "", f"hash:{credential_hash('secret')}"):
        assert _ask(url, secrets, role=ROLE, seek=sought) == [], sought
    assert len(_ask(url, secrets, role=ROLE, seek=f"name:{OURS}")) == 1
    for journal in (OURS, THEIRS):
        shown = _ask(url, f"{secrets}, journal_names() as name", role=ROLE, seek="names", journal=_number(url, journal))
        assert {bytes(secret) for (secret,) in shown} == {filled.secret(journal)}  # type: ignore[call-overload]


def test_the_journal_is_looked_up_once_for_a_statement_and_not_for_each_row(filled: PostgresStore) -> None:
    statements = [
        (queries.ENTRIES, (0, 10, 10)),
        (queries.STORED_ENTRIES, (0, 10, 10)),
        (queries.CREDENTIALS, (1,)),
        (queries.FLUSH_STATE, (1,)),
        (queries.find(Execution, Select(where={"status": "running"}))[0], (1, "running")),
    ]
    for sql, values in statements:
        with filled._reading() as connection:
            plan = [line for (line,) in connection.rows(f"explain (verbose) {sql}", values)]
        by_row = [
            line for line in plan if "current_setting" in line and "Output:" not in line and "One-Time" not in line
        ]
        assert any("InitPlan" in line for line in plan), plan
        assert by_row == [], plan


@contextmanager
def _as_user(postgres: Server, rights: str, *, member: bool = False) -> Iterator[str]:
    """The address of an empty database of a user with some rights."""
    user = f"user_{os.getpid()}_{next(_users)}"  # roles are of the whole server
    postgres.execute(f"create role {user} login {rights}")
    with postgres.database("template0") as address:
        name = urlsplit(address).path[1:]
        postgres.execute(f"alter database {name} owner to {user}")
        if member:
            postgres.execute(f"grant {ROLE} to {user}")
        parts = urlsplit(address)
        yield urlunsplit(parts._replace(netloc=parts.netloc.replace("postgres:", f"{user}:", 1)))
    postgres.execute(f"drop role {user}")


@pytest.mark.parametrize("member", [True, False])
def test_a_user_of_no_special_rights_is_held_to_one_journal_with_and_without_the_role(
    postgres: Server, clock: Clock, *, member: bool
) -> None:
    with _as_user(postgres, "", member=member) as url:
        store = PostgresStore(url, clock=clock)
        assert store.has_role == member
        append(store, *[note('"ours"')] * 200, journal=OURS)
        append(store, note('"canary"'), journal=THEIRS)
        store.index(THEIRS)
        assert len(verified(store, OURS)) == 200
        assert store.journals() == [OURS, THEIRS]
        found = store.read(THEIRS, lambda view: view.search(parse_query("canary"), limit=5).seqs)
        assert (found, store.rebuild(OURS), store.scrub(OURS)) == ([1], 200, "done")
        role = ROLE if member else ""
        assert _ask(url, "select body from bodies", role=role, journal="1") != []
        assert '"canary"' not in str(_ask(url, "select * from bodies", role=role, journal="1"))
        assert _ask(url, "select * from bodies", role=role) == []
        store.close()


def test_a_search_uses_its_index_though_the_policies_hold(postgres: Server) -> None:
    with _as_user(postgres, "", member=True) as url:
        store = PostgresStore(url)
        append(store, note('"canary"'), journal=OURS)
        store.index(OURS)
        _ask(
            url,
            """insert into words select (1::bigint << 40) + n, 0, 1, array_to_tsvector(array['filler', 'w' || n])
            from generate_series(2, 20000) n""",
            journal="1",
        )
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("vacuum analyze words")
            connection.execute("select set_config('tallystick.journal', '1', false)")
            connection.execute(f"set role {ROLE}")
            for way in ("seqscan", "indexscan", "indexonlyscan"):  # for so few rows they would do
                connection.execute(f"set enable_{way} = off".encode())
            used = "select idx_scan from pg_stat_user_indexes where indexrelname = 'words_found'"
            before = connection.execute(used).fetchone()
            found = connection.execute(
                "select found_words('''canary''', '''canary''', 0, 1::bigint << 39, 1000)"
            ).fetchall()
            connection.execute("select pg_stat_force_next_flush()")
            assert found == [((1 << 40) + 1,)]
            assert connection.execute(used).fetchone() != before
        store.close()


def test_a_user_who_bypasses_policies_and_cannot_take_the_role_is_refused(postgres: Server) -> None:
    with _as_user(postgres, "bypassrls") as url, pytest.raises(Unsupported, match="does not apply") as caught:
        PostgresStore(url)
    assert f"grant {ROLE} to" in caught.value.hint


def test_a_member_of_the_role_who_owns_nothing_can_record_and_read(postgres: Server, url: str) -> None:
    postgres.execute("drop role if exists visitor")
    postgres.execute("create role visitor login")
    try:
        PostgresStore(url).close()
        parts = urlsplit(url)
        visitor = urlunsplit(parts._replace(netloc=parts.netloc.replace("postgres:", "visitor:", 1)))
        with pytest.raises(StorageUnavailable):
            PostgresStore(visitor)
        postgres.execute(f"grant {ROLE} to visitor")
        store = PostgresStore(visitor)
        append(store, note('"from a visitor"'), journal="visited")
        assert len(verified(store, "visited")) == 1
        assert store.scrub(OURS) == "pending"  # the owner has to
        store.close()
    finally:
        postgres.execute("drop role visitor")
