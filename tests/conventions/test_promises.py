"""Promises and behaviour tests, held to each other both ways."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.matrix import CELLS
from tests.promises import promises

BEHAVIOUR = Path(__file__).parents[1] / "behaviour"
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def test_each_promise_has_a_test() -> None:
    assert sorted(set(promises()) - {named for _, names in _tests() for named in names}) == []


def test_each_behaviour_test_names_one_promise_that_exists() -> None:
    assert [test for test, names in _tests() if len(names) != 1 or names[0] not in promises()] == []


def test_a_promise_is_one_plain_sentence_with_a_source() -> None:
    for id, promise in promises().items():
        assert _ID.fullmatch(id), id
        assert promise.sentence.endswith("."), id
        assert promise.sentence[0].isupper(), id
        assert promise.source.startswith(("issue", "design", "models")), id


def test_where_a_promise_cannot_hold_is_a_real_cell_with_a_reason() -> None:
    for id, promise in promises().items():
        assert set(promise.not_at) < set(CELLS), id
        assert all(len(reason) > 10 for reason in promise.not_at.values()), id


def test_names_of_behaviour_tests_are_sentences() -> None:
    assert [test for test, _ in _tests() if test.count("_") < 3] == []


def _tests() -> Iterator[tuple[str, list[str]]]:
    for path in sorted(BEHAVIOUR.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield f"{path.name}:{node.name}", [name for each in node.decorator_list for name in _named(each)]


def _named(decorator: ast.expr) -> Iterator[str]:
    if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == "promise":
        yield from (word.value for word in decorator.args if isinstance(word, ast.Constant))  # type: ignore[misc]
