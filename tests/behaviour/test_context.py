"""Context: values by key in a scope; the newest counts, older ones stay as history."""

import pytest

from tallystick import InvalidArgument, Journal, UnknownHandle
from tallystick.core.types import JSON
from tests.behaviour.scenarios import start
from tests.matrix import Cell
from tests.promises import promise


@promise("the-newest-context-wins")
def test_the_newest_value_wins_and_history_stays(cell: Cell) -> None:
    journal = cell.journal
    versions = []
    for value in ("eu-1", {"region": "eu-2"}, None):
        versions.append(journal.record_context(key="deploy.target", value=value).version)
        cell.clock.advance(1)
    assert versions == [1, 2, 3]
    (newest,) = journal.get_context(key="deploy.target").values
    assert (newest.value, newest.versions) == (None, 3)
    history = journal.get_context(key="deploy.target", limit=10).values
    assert [each.value for each in history] == [None, {"region": "eu-2"}, "eu-1"]
    assert [each.versions for each in history] == [3, 2, 1]
    assert history[0].at > history[1].at > history[2].at
    assert [each.value for each in journal.list_context().values] == [None]


@promise("the-newest-context-wins")
def test_the_next_agent_reads_the_context_of_the_last_one(cell: Cell) -> None:
    cell.journal.record_context(key="blocker", value="the licence", type="blocker")
    (found,) = cell.another("heir").get_context(key="blocker").values
    assert (found.value, found.actor) == ("the licence", "agent")


@promise("the-newest-context-wins")
def test_a_key_that_is_not_there_is_answered_with_some_that_are(journal: Journal) -> None:
    journal.record_context(key="deploy.target", value=1)
    with pytest.raises(UnknownHandle) as caught:
        journal.get_context(key="deploy.taget")
    assert caught.value.allowed == ("deploy.target",)


@promise("context-has-scopes")
def test_each_scope_has_its_own_value(journal: Journal) -> None:
    first, second = start(journal, task_id="T-1"), start(journal, task_id="T-2")
    journal.record_context(key="k", value="project")
    journal.record_context(key="k", value="task", scope="task", task_id="T-1")
    journal.record_context(key="k", value="other task", scope="task", execution_id=second)
    journal.record_context(key="k", value="first", scope="execution", execution_id=first)
    journal.record_context(key="k", value="second", scope="execution", execution_id=second)
    assert journal.get_context(key="k").values[0].value == "project"
    assert journal.get_context(key="k", scope="task", task_id="T-1").values[0].value == "task"
    assert journal.get_context(key="k", scope="task", task_id="T-2").values[0].value == "other task"
    assert journal.get_context(key="k", scope="execution", execution_id=first).values[0].value == "first"
    assert journal.get_context(key="k", scope="execution", execution_id=second).values[0].value == "second"
    assert {each.value for each in journal.list_context(scope="task").values} == {"task", "other task"}
    assert [each.value for each in journal.list_context(execution_id=first).values] == ["first"]
    assert [each.value for each in journal.list_context(task_id="T-1").values] == ["task"]


@promise("context-has-scopes")
def test_a_task_scope_needs_a_task(journal: Journal) -> None:
    start(journal)
    with pytest.raises(InvalidArgument) as caught:
        journal.record_context(key="k", value=1, scope="task")
    assert caught.value.field == "task_id"


@promise("context-has-scopes")
def test_the_execution_scope_is_that_of_the_session(journal: Journal) -> None:
    execution = start(journal)
    journal.record_context(key="k", value=1, scope="execution")
    (view,) = journal.get_context(key="k", scope="execution").values
    assert (view.scope, view.scope_id) == ("execution", execution)


@promise("context-keeps-what-was-said")
def test_every_argument_of_a_context_is_stored(journal: Journal) -> None:
    execution = start(journal)
    value = {"list": [1, 2.5, None, True, {"x": "ü"}], "text": "two\nlines"}
    receipt = journal.record_context(
        key="finding",
        value=value,
        type="finding",
        metadata={"confidence": 0.5},
        derived_from=(execution, "https://example.org/x"),
    )
    (view,) = journal.get_context(key="finding").values
    assert (view.key, view.value, view.type, view.metadata) == ("finding", value, "finding", {"confidence": 0.5})
    assert (view.derived_from, view.seq) == ((execution, "https://example.org/x"), receipt.seq)


@promise("context-can-expire")
def test_an_expired_context_is_not_listed_and_is_marked_as_expired(cell: Cell) -> None:
    journal = cell.journal
    journal.record_context(key="token", value="abc", expires="1h")
    journal.record_context(key="fact", value="stays")
    assert {each.key for each in journal.list_context().values} == {"token", "fact"}
    assert "token" in journal.get_brief().text or not journal.list_executions().executions
    cell.clock.advance(3601)
    assert {each.key for each in journal.list_context().values} == {"fact"}
    assert {each.key for each in journal.list_context(include_expired=True).values} == {"token", "fact"}
    (view,) = journal.get_context(key="token").values
    assert (view.expired, bool(view.expires)) == (True, True)
    start(journal)
    assert "token" not in journal.get_brief().text
    journal.record_context(key="token", value="new", expires="1h")
    assert {each.key for each in journal.list_context().values} == {"token", "fact"}


@promise("context-is-found-by-words")
def test_context_is_found_by_words(journal: Journal) -> None:
    journal.record_context(key="where", value="the server stands in Lisbon")
    journal.record_context(key="who", value={"admin": "Grace Hopper"}, metadata={"source": "intranet"})
    for words, keys in (
        ("lisbon", ["where"]),
        ("LISBON server", ["where"]),
        ("hop*", ["who"]),
        ("intranet", ["who"]),
        ("where", ["where"]),
        ("lisbon grace", []),
    ):
        assert [each.key for each in journal.list_context(text=words).values] == keys
    journal.record_context(key="where", value="it moved to Porto")
    assert journal.list_context(text="lisbon").values == ()
    assert [each.key for each in journal.list_context(text="porto").values] == ["where"]


TYPED: list[tuple[str, JSON, JSON]] = [
    ("int", 3, "three"),
    ("integer", -1, 1.5),
    ("float", 0.5, "0.5"),
    ("bool", True, 1),
    ("str", "text", 7),
    ("list", [1, "a"], {"a": 1}),
    ("dict", {"a": 1}, [1]),
]
"""A declared type, a value of it, and one of another type."""


@promise("a-declared-type-is-checked")
def test_a_value_is_of_the_type_that_it_declares(journal: Journal) -> None:
    for word, right, wrong in TYPED:
        journal.record_context(key=word, value=right, type=word)
        with pytest.raises(InvalidArgument, match=f'type="{word}"') as caught:
            journal.record_context(key=word, value=wrong, type=word)
        assert caught.value.field == "value"
        assert caught.value.hint.startswith("Give ")
        (view,) = journal.get_context(key=word).values
        assert (view.value, view.type, view.versions) == (right, word, 1)
    journal.record_context(key="free", value="any other word is a category", type="finding")


@promise("a-key-may-have-a-schema")
def test_values_of_a_key_are_held_to_its_schema(journal: Journal) -> None:
    schema = {
        "type": "object",
        "properties": {"region": {"enum": ["eu", "us"]}, "count": {"type": "integer", "minimum": 1}},
        "required": ["region"],
        "additionalProperties": False,
    }
    journal.record_context(key="target", value={"region": "eu", "count": 2}, schema=schema)
    journal.record_context(key="target", value={"region": "us"})
    wrong: list[tuple[JSON, str]] = [
        ("eu", "value"),
        ({"count": 2}, "value.region"),
        ({"region": "asia"}, "value.region"),
        ({"region": "eu", "count": 0}, "value.count"),
        ({"region": "eu", "colour": "red"}, "value.colour"),
    ]
    for value, field in wrong:
        with pytest.raises(InvalidArgument) as caught:
            journal.record_context(key="target", value=value)
        assert caught.value.field == field
        assert caught.value.hint
    (view,) = journal.get_context(key="target").values
    assert (view.value, view.versions, view.schema) == ({"region": "us"}, 2, schema)
    with pytest.raises(InvalidArgument):
        journal.record_context(key="target", value="eu", schema={"type": "integer"})
    journal.record_context(key="target", value="anything", schema={})
    journal.record_context(key="target", value=7)
    assert journal.get_context(key="target").values[0].schema is None


@promise("a-key-may-have-a-schema")
def test_a_schema_that_nobody_would_check_is_refused(journal: Journal) -> None:
    for schema in ({"pattern": "^a+$"}, {"type": "text"}, {"items": [1]}, {"$ref": "https://example.org/schema"}):
        with pytest.raises(InvalidArgument) as caught:
            journal.record_context(key="k", value="a", schema=schema)
        assert caught.value.field == "schema"
    assert journal.list_context().values == ()
