"""The SQL views: their names and columns, who may read them, and that they go through the indexes."""

import os
import re
from collections.abc import Iterator
from itertools import count
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from tallystick import Journal, Step
from tallystick.store.postgres.store import PostgresStore
from tallystick.store.sqlite.store import SqliteStore
from tests.conftest import new_home
from tests.docs.test_examples import ROOT
from tests.postgres_server import Server
from tests.sql_views import columns, query
from tests.stores import Clock, Home

VIEWS = {
    "recorded_executions": """journal id title status plan_id revision task_id actor client session started last ended
        step total_steps done_steps skipped_steps undone_steps failed in_doubt owed questions unplanned late engine""",
    "recorded_steps": """journal execution_id id position title tool cancellable status attempts action_id decided
        dropped""",
    "recorded_actions": """journal id execution_id step kind state tool summary arguments result error begun ended
        seconds actor actor_kind witness session attempt effect cancellable undo_state undoes undone_by temporary
        repeats""",
    "recorded_owed": """journal action_id execution_id step tool summary state certain undo deadline undone_by
        to_put_back begun actor execution_status""",
    "recorded_in_doubt": """journal action_id execution_id step tool kind summary arguments since why actor session""",
    "recorded_decisions": """journal id execution_id step decision status why alternatives action_id approval_id at
        actor actor_kind credential session seq place""",
    "recorded_approvals": """journal id execution_id step status question options tool arguments asked expires decided
        decided_by answered_in answer reason used_by""",
    "recorded_context": "journal id scope scope_id key type value metadata at expires actor versions",
    "recorded_entries": """journal seq id at kind actor actor_kind witness session execution_id facts body erased hash
        place""",
    "agent_execution_plans": """id task_id plan_type current_step total_steps status plan_json agent_reasoning title
        execution_id created_at journal""",
    "agent_execution_logs": """id plan_id step_number action_type entity_id description before_state after_state
        agent_confidence entity_type error_message step_id execution_id actor created_at journal""",
    "agent_context_memory": """id task_id plan_id context_type context_key context_value metadata updated_at journal""",
}
"""Programs of users depend on these: a name is never taken away, and a new column comes last."""
TABLES = ("bodies", "credentials", "documents", "journals", "keys", "leases", "sessions", "tasks", "words")
_readers = count(1)


@pytest.fixture(params=["sqlite", "postgres"], name="home")
def _home(request: pytest.FixtureRequest, tmp_path: object) -> Iterator[Home]:
    yield from new_home(request.param, request, tmp_path)  # type: ignore[arg-type]


def _work(url: str, journal: str = "shop") -> str:
    """Some of everything that the views show; returns the execution."""
    with Journal.open(url, journal=journal, actor="agent") as desk:
        steps = [
            Step(id="lock", title="Lock: the shop", tool="lock", undo="unlock"),
            Step(id="pay", title="Pay", undo="x"),
        ]
        plan = desk.record_plan(title=f"Close the {journal}", steps=steps, task_id="T-1")
        execution = desk.record_execution_start(plan_id=plan.id).id
        desk.record_action(phase="done", execution_id=execution, step="lock", outcome="ok", summary=f"of {journal}")
        desk.record_action(
            phase="done", execution_id=execution, tool="mail", outcome="unknown", arguments={"to": journal}
        )
        desk.request_approval(execution_id=execution, question=f"Pay for {journal}?")
        desk.record_context(key="place", value=journal)
        desk.record_decision(execution_id=execution, decision="fail", why=f"{journal} is closed")
    return execution


def test_the_names_and_columns_of_the_views_stay_as_they_are(home: Home, clock: Clock) -> None:
    store = home.open(clock=clock)
    assert isinstance(store, SqliteStore | PostgresStore)
    assert columns(store) == {view: names.split() for view, names in VIEWS.items()}


def test_every_view_shows_its_journal_by_name(home: Home) -> None:
    _work(home.url, "shop")
    _work(home.url, "site")
    store = home.open()
    assert isinstance(store, SqliteStore | PostgresStore)
    for view in VIEWS:
        found = query(store, f"select * from {view} where journal = 'shop'")
        assert found, view
        assert "site" not in str(found), view


SEARCHES = (
    "recorded_executions where journal = 'shop' and id = 'ex_a'",
    "recorded_executions where journal = 'shop' and status = 'running' order by id desc limit 20",
    "recorded_actions where journal = 'shop' and execution_id = 'ex_a'",
    "recorded_steps where journal = 'shop' and execution_id = 'ex_a'",
    "recorded_owed where journal = 'shop'",
    "recorded_in_doubt where journal = 'shop'",
    "recorded_decisions where journal = 'shop' and execution_id = 'ex_a'",
    "recorded_approvals where journal = 'shop' and status = 'pending'",
    "recorded_context where journal = 'shop' and scope = 'task' and scope_id = 'T-1'",
    "recorded_entries where journal = 'shop' order by place desc limit 20",
    "agent_execution_plans where journal = 'shop' and task_id = 'T-1'",
    "agent_execution_logs where journal = 'shop' and execution_id = 'ex_a'",
)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_filter_in_sqlite_goes_through_an_index(search: str, tmp_path: object) -> None:
    store = SqliteStore(f"{tmp_path}/journal.db")
    steps = [str(row["detail"]) for row in query(store, f"explain query plan select * from {search}")]
    store.close()
    scanned = [step for step in steps if re.match(r"SCAN (?!planned|once|s$|p$|\(|CONSTANT)", step)]
    first = [step for step in scanned if not ("order by place" in search and step.startswith("SCAN e"))]
    assert first == []
    assert not [step for step in steps if "TEMP B-TREE" in step and "order by" in search]


# ----------------------------------------------------------------------------------------------------------------------
# A reader's role of PostgreSQL


@pytest.fixture(name="reader")
def _reader(postgres: Server) -> Iterator[tuple[str, str, str]]:
    """A database with two journals, the address of a reader in it, and the reader's name."""
    name = f"reader_{os.getpid()}_{next(_readers)}"
    postgres.execute(f"create role {name} login")
    with postgres.database() as url:
        _work(url, "shop")
        _work(url, "site")
        parts = urlsplit(url)
        yield url, urlunsplit(parts._replace(netloc=parts.netloc.replace("postgres:", f"{name}:", 1))), name
        _ask(url, f"drop owned by {name}")
        assert _ask(url, "select policyname from pg_policies where policyname ~ '^(shows|restricts)_'") == []
    postgres.execute(f"drop role {name}")


def _ask(url: str, sql: str, **settings: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as connection:
        for name, value in settings.items():
            connection.execute("select set_config(%s, %s, true)", (f"tallystick.{name}", value))
        cursor = connection.execute(sql.encode())
        return cursor.fetchall() if cursor.description else []


def test_a_reader_sees_the_journals_that_were_granted_and_no_other(reader: tuple[str, str, str]) -> None:
    owner, url, name = reader
    for view in VIEWS:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            _ask(url, f"select * from {view}")
    _ask(owner, f"select grant_reading('shop', '{name}')")
    pretended: tuple[dict[str, str], ...] = (
        {},
        {"journal": "1"},
        {"journal": "2"},
        {"seek": "name:site"},
        {"seek": "names"},
    )
    for view in VIEWS:
        for settings in pretended:
            found = _ask(url, f"select * from {view}", **settings)
            assert found, view
            assert "site" not in str(found), (view, settings)
        assert _ask(url, f"select * from {view} where journal = 'site'", journal="2", seek="name:site") == []
    _ask(owner, f"select grant_reading('site', '{name}')")
    assert set(_ask(url, "select distinct journal from recorded_actions")) == {("shop",), ("site",)}
    _ask(owner, f"select revoke_reading('shop', '{name}')")
    assert _ask(url, "select distinct journal from recorded_entries") == [("site",)]
    _ask(owner, f"select revoke_reading('site', '{name}')")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        _ask(url, "select * from recorded_entries")


def test_the_ten_questions_of_the_docs_are_the_same_in_postgresql(reader: tuple[str, str, str]) -> None:
    owner, url, name = reader
    _ask(owner, f"select grant_reading('shop', '{name}')")
    questions = re.findall(r'^\$ python ask.py "(.*)"$', (ROOT / "docs" / "sql.md").read_text(), re.MULTILINE)
    assert len(questions) == 11  # the first is the example above them
    for question in questions:
        _ask(url, question)


def test_a_reader_reaches_nothing_beside_the_views(reader: tuple[str, str, str]) -> None:
    owner, url, name = reader
    _ask(owner, f"select grant_reading('shop', '{name}')")
    refused = [f"select * from {table}" for table in TABLES]
    refused += ["select secret from journals", "select salt from bodies", "select journal_names()", "select orphans()"]
    refused += [f"select grant_reading('site', '{name}')", "select found_words('a', 'a', 0, 9, 9)"]
    refused += ["insert into plans select * from plans", "delete from executions", "update actions set doc = '{}'"]
    refused += ["set role tallystick", "create table mine (n int)", "alter table entries disable row level security"]
    for statement in refused:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            _ask(url, statement, journal="1")
    for table in ("executions", "actions", "steps", "approvals", "context", "plans", "revisions", "trails"):
        assert _ask(url, f"select distinct journal from {table}", journal="2") == [(1,)], table
    assert _ask(url, "select name from journals", journal="2", seek="name:site") == [("shop",)]
    for table in ("entries", "bodies"):
        assert _ask(url, f"select distinct journal from {table}", journal="2") == [(1,)], table


def test_granting_and_revoking_say_nothing(reader: tuple[str, str, str]) -> None:
    owner, _, name = reader
    notices: list[str] = []
    with psycopg.connect(owner) as connection:
        connection.add_notice_handler(lambda notice: notices.append(str(notice.message_primary)))
        for verb in ("grant", "revoke"):
            connection.execute(f"select {verb}_reading('site', '{name}')")
    assert notices == []


def test_a_reader_does_not_disturb_those_who_record(reader: tuple[str, str, str]) -> None:
    owner, _, name = reader
    store = PostgresStore(owner)
    before = store.read("shop", lambda view: view.head().seq)
    _ask(owner, f"select grant_reading('shop', '{name}')")
    with Journal.open(owner, journal="shop") as desk:
        desk.record_execution_start(title="goes on")
        assert desk.verify().ok
    assert store.read("shop", lambda view: view.head().seq) > before
    assert store.journals() == ["shop", "site"]
    store.close()


@pytest.mark.parametrize("rights", ["superuser", "bypassrls"])
def test_a_role_that_row_level_security_does_not_hold_is_no_reader(postgres: Server, rights: str) -> None:
    name = f"reader_{os.getpid()}_{next(_readers)}"
    postgres.execute(f"create role {name} login {rights}")
    with postgres.database() as url:
        _work(url)
        with pytest.raises(psycopg.errors.RaiseException, match="may read every journal already"):
            _ask(url, f"select grant_reading('shop', '{name}')")
        with pytest.raises(psycopg.errors.RaiseException, match='There is no journal "none"'):
            _ask(url, f"select grant_reading('none', '{name}')")
        with pytest.raises(psycopg.errors.RaiseException, match='There is no role "nobody"'):
            _ask(url, "select grant_reading('shop', 'nobody')")
    postgres.execute(f"drop role {name}")


def test_a_role_that_would_be_held_by_the_grants_of_two_is_refused(
    postgres: Server, reader: tuple[str, str, str]
) -> None:
    owner, url, name = reader
    group = f"group_{name}"
    postgres.execute(f"create role {group}")
    _ask(owner, f"select grant_reading('shop', '{group}')")
    postgres.execute(f"grant {group} to {name}")
    assert set(_ask(url, "select distinct journal from recorded_actions")) == {("shop",)}
    with pytest.raises(psycopg.errors.RaiseException, match=f'"{group}" reads journals') as refused:
        _ask(owner, f"select grant_reading('site', '{name}')")
    assert "revoke_reading" in str(refused.value.diag.message_hint)
    assert set(_ask(url, "select distinct journal from recorded_actions")) == {("shop",)}
    _ask(owner, f"select grant_reading('site', '{group}')")
    assert set(_ask(url, "select distinct journal from recorded_actions")) == {("shop",), ("site",)}
    for journal in ("shop", "site"):
        _ask(owner, f"select revoke_reading('{journal}', '{group}')")
    _ask(owner, f"select grant_reading('site', '{name}')")
    with pytest.raises(psycopg.errors.RaiseException, match=f'"{name}" reads journals'):
        _ask(owner, f"select grant_reading('shop', '{group}')")
    postgres.execute(f"revoke {group} from {name}")
    _ask(owner, f"select grant_reading('shop', '{group}')")
    assert set(_ask(url, "select distinct journal from recorded_actions")) == {("site",)}
    _ask(owner, f"drop owned by {group}")
    postgres.execute(f"drop role {group}")


def test_a_revoke_for_a_role_that_reads_nothing_changes_nothing(reader: tuple[str, str, str]) -> None:
    owner, _, name = reader
    with pytest.raises(psycopg.errors.RaiseException, match='There is no role "nobody"'):
        _ask(owner, "select revoke_reading('shop', 'nobody')")
    _ask(owner, f"grant select on executions to {name}")
    _ask(owner, f"select revoke_reading('shop', '{name}')")
    assert _ask(owner, f"select has_table_privilege('{name}', 'executions', 'select')") == [(True,)]


def test_the_filters_of_a_reader_go_through_the_indexes(reader: tuple[str, str, str]) -> None:
    owner, url, name = reader
    _ask(owner, f"select grant_reading('shop', '{name}')")
    for search in SEARCHES:
        with psycopg.connect(url) as connection:
            for way in ("enable_seqscan", "enable_bitmapscan"):  # for so few rows they would do
                connection.execute(f"set {way} = off".encode())
            plan = [str(line) for (line,) in connection.execute(f"explain select * from {search}".encode())]
        read = [
            line for line in plan if re.search(r" Scan .*on (entries|bodies|actions|steps|trails|executions) ", line)
        ]
        assert read
        assert not [line for line in read if "Seq Scan" in line or "Bitmap" in line], (search, plan)
