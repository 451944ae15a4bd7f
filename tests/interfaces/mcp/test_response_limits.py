"""The token limits of responses, counted with a real tokenizer, for many kinds of recorded text."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tallystick import Journal
from tallystick.interfaces.mcp.query import VIEWS
from tests import node
from tests.interfaces.mcp.test_responses import Reader
from tests.sample_texts import KINDS, text

TOKENS = {"concise": 4_000, "detailed": 12_000}
BRIEF = 400
ERROR = 80
MANY = 40


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.fixture
def reader(kind: str) -> Iterator[Reader]:
    """A journal in which everything that is free text is of one kind, and there is much of everything."""
    with Journal.open("memory:", journal="bounds") as journal:
        reader = Reader(journal)
        _fill(reader, kind)
        yield reader


def _call(reader: Reader, tool: str, arguments: dict[str, Any], *, failed: bool = False) -> dict[str, Any]:
    result = reader.result("tools/call", name=tool, arguments=arguments)
    assert result["isError"] is failed, result
    return result


def _fill(reader: Reader, kind: str) -> None:
    deep: Any = text(kind, 20)
    for level in range(50):
        deep = {text(kind, 8, level): deep} if level % 2 else [deep, level]
    steps = [
        {"id": f"s{n} {text(kind, 30, n)}", "title": text(kind, 150, n), "cancellable": "reversible", "after": []}
        for n in range(MANY)
    ]
    plan = {"title": text(kind, 150), "goal": text(kind, 400), "steps": steps}
    id = _call(reader, "record_plan", plan)["structuredContent"]["id"]
    started = {"plan_id": id, "title": text(kind, 150)}
    execution = _call(reader, "record_execution_start", started)["structuredContent"]["id"]
    for n in range(MANY):
        arguments = {"text": text(kind, 900, n), "deep": deep}
        begin = {"phase": "begin", "tool": "write", "summary": text(kind, 200, n), "arguments": arguments}
        undo = text(kind, 300, n) if n % 2 else {"tool": "rm", "arguments": {text(kind, 9, m): deep for m in range(9)}}
        begun = _call(reader, "record_action", {**begin, "undo": undo, "execution_id": execution})["structuredContent"]
        if n % 3:
            outcome = "ok" if n % 2 else "unknown"
            end = {"phase": "end", "action_id": begun["id"], "outcome": outcome, "summary": text(kind, 200, -n)}
            _call(reader, "record_action", {**end, "result": {"r": text(kind, 900, -n)}})
        _call(reader, "record_context", {"key": f"k{n} {text(kind, 50, n)}", "value": [text(kind, 300, n), deep]})
        query_arguments = {"decision": "ask_human", "why": text(kind, 100, n), "question": text(kind, 200, n)}
        _call(reader, "record_decision", {**query_arguments, "execution_id": execution})


def _counted(results: dict[str, dict[str, Any]]) -> dict[str, tuple[int, int]]:
    """The tokens of the text and of the structure of each."""
    texts = [result["content"][0]["text"] for result in results.values()]
    contents = [result["structuredContent"] for result in results.values()]
    written = [json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in contents]
    tokens = node.count_tokens([*texts, *written])
    return dict(zip(results, zip(tokens[: len(texts)], tokens[len(texts) :], strict=True), strict=True))


def test_no_answer_is_longer_than_its_bound_for_a_real_tokenizer(reader: Reader, kind: str) -> None:
    arguments: dict[str, dict[str, Any]]
    arguments = {f"{view} {detail}": {"view": view, "detail": detail} for view in VIEWS for detail in TOKENS}
    arguments |= {
        f"{name} 100": {**query, "limit": 100} for name, query in arguments.items() if query["view"] != "brief"
    }
    results = {name: _call(reader, "query_ledger", query) for name, query in arguments.items()}
    execution = reader.journal.list_executions(limit=1).executions[0].id
    unwind = {"execution_id": execution, "decision": "unwind", "why": text(kind, 300)}
    results["unwind"] = _call(reader, "record_decision", unwind)
    arguments["unwind"] = {"view": "", "detail": "concise"}
    over = {
        name: counted
        for name, counted in _counted(results).items()
        if max(counted) > (BRIEF if arguments[name]["view"] == "brief" else TOKENS[arguments[name]["detail"]])
    }
    assert not over


def test_the_brief_still_names_every_part_and_the_doubts(reader: Reader) -> None:
    output = _call(reader, "query_ledger", {"view": "brief"})["structuredContent"]
    for part in ("Waiting for a person", "In doubt", "Approvals:", "Remembered:", "Record:"):
        assert part in output["text"], output["text"]
    assert output["in_doubt"][0] in output["text"]
    assert output["approvals"][0] in output["text"]


def test_an_error_that_quotes_is_short_for_a_real_tokenizer(reader: Reader, kind: str) -> None:
    arguments: dict[str, dict[str, Any]] = {
        "view": {"view": text(kind, 500)},
        "argument": {text(kind, 500): 1},
        "filter": {"view": "journal", "filter": f"'{text(kind, 500)}:1'"},
        "execution": {"view": "status", "execution_id": text(kind, 500)},
    }
    results = {name: _call(reader, "query_ledger", query, failed=True) for name, query in arguments.items()}
    over = {name: counted for name, counted in _counted(results).items() if counted[0] >= ERROR}
    assert not over
