"""The cost of the tools in tokens, counted with a real tokenizer, and the text of errors."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tallystick.interfaces.mcp.command import TOOLS
from tallystick.interfaces.problems import ERROR_RESPONSES
from tests import node
from tests.interfaces.mcp.in_process_client import HANDSHAKE, MODERN, lines
from tests.interfaces.mcp.refusals import REFUSALS

ALL_TOKENS = 1_150
MINIMAL_TOKENS = 600
INSTRUCTIONS_TOKENS = 300
ERROR_TOKENS = 80
CLIENTS_CUT_AT = 2_048
"""Bytes of a description, or of instructions, after which Claude Code cuts."""

NO_TOOL_SAYS = {
    "busy": "a server says it before a tool is asked",
    "failure": "what nobody foresaw has no way that leads to it",
    "tampered": "view=verify answers with what it found; that is an answer and no refusal",
    "not_permitted": "of tools, only those asked over HTTP with a token that may not record: tests/server",
    "missing_undo": "only erasing would lose an undo, and no tool erases",
    "unsupported_store": "a store that cannot be used at all is refused when it is opened: tests/store",
}
"""The codes that no call of a tool leads to, and why."""
ALIEN = re.compile(r"https?://|www\.|Traceback|\.py\b|msgspec|pydantic|apsw|sqlite3|psycopg|\w+Error\b", re.IGNORECASE)
WAYS = [(code, way) for code, ways in REFUSALS.items() for way in ways]


def test_the_six_tools_cost_a_model_at_most_1150_tokens() -> None:
    counted = _cost("all")
    assert len(counted) == 6
    assert sum(counted.values()) <= ALL_TOKENS, f"{sum(counted.values())} tokens: {counted}"


def test_the_three_minimal_tools_cost_at_most_600_tokens() -> None:
    counted = _cost("minimal")
    assert list(counted) == ["record_plan", "record_decision", "query_ledger"]
    assert sum(counted.values()) <= MINIMAL_TOKENS, f"{sum(counted.values())} tokens: {counted}"


@pytest.mark.parametrize("era", [HANDSHAKE, MODERN])
def test_the_instructions_are_short_in_every_profile(era: str) -> None:
    result = {}
    for profile in TOOLS:
        with lines(era=era, profile=profile) as client:
            result[profile] = client.hello["instructions"]
    counted = dict(zip(result, node.count_tokens(list(result.values())), strict=True))
    assert max(counted.values()) <= INSTRUCTIONS_TOKENS, counted
    assert max(len(text.encode()) for text in result.values()) < CLIENTS_CUT_AT


def test_no_description_is_cut_by_a_client() -> None:
    for profile in TOOLS:
        lengths = {tool["name"]: len(tool["description"].encode()) for tool in _listed(profile)}
        assert max(lengths.values()) < CLIENTS_CUT_AT, lengths


def test_every_error_code_is_provoked_or_listed_as_impossible() -> None:
    assert not REFUSALS.keys() & NO_TOOL_SAYS.keys()
    assert REFUSALS.keys() | NO_TOOL_SAYS.keys() == ERROR_RESPONSES.keys()


@pytest.mark.parametrize(("code", "way"), WAYS)
def test_an_error_names_the_problem_and_the_fix(code: str, way: str, tmp_path: Path) -> None:
    text, twin = _refused(code, way, tmp_path)
    assert twin["code"] == code
    assert text.startswith(f"{code}: ")
    assert not ALIEN.search(text), text
    assert not ALIEN.search(json.dumps(twin)), twin
    assert twin["hint"], "it does not say what to do"
    assert "next" not in twin or twin["next"]["tool"] in text
    assert len(json.dumps(twin)) < 2_000


def test_a_refusal_costs_less_than_80_tokens(tmp_path: Path) -> None:
    texts = []
    for position, (code, way) in enumerate(WAYS):
        folder = tmp_path / str(position)
        folder.mkdir()
        texts.append(_refused(code, way, folder)[0])
    counted = dict(zip(texts, node.count_tokens(texts), strict=True))
    assert len(counted) == len(WAYS), "two ways led to the same words"
    assert not {text: tokens for text, tokens in counted.items() if tokens >= ERROR_TOKENS}


@pytest.mark.parametrize(("code", "way"), WAYS)
def test_a_refusal_says_the_whole_fix(code: str, way: str, tmp_path: Path) -> None:
    text, twin = _refused(code, way, tmp_path)
    assert twin["hint"] in text


@pytest.mark.parametrize("way", ["an argument with a long name", "a view of a dense script"])
def test_quoting_a_mistake_leaves_room_for_the_allowed_values(way: str, tmp_path: Path) -> None:
    text, _ = _refused("invalid_argument", way, tmp_path)
    assert "record_action takes: phase" in text or "Use one of: brief, status" in text


def _refused(code: str, way: str, folder: Path) -> tuple[str, dict[str, Any]]:
    """The text and the structure of the error of a call."""
    with lines(f"sqlite://{folder / 'journal.db'}") as client:
        result = REFUSALS[code][way](client)
    assert result["isError"], result
    (content,) = result["content"]
    return content["text"], result["structuredContent"]["error"]


def _listed(profile: str) -> list[dict[str, Any]]:
    with lines(profile=profile) as client:
        tools: list[dict[str, Any]] = client.ask("tools/list")["tools"]
    return tools


def _cost(profile: str) -> dict[str, int]:
    """The tokens of each tool as a client sends it to the model."""
    shown = [{name: tool[name] for name in ("name", "description", "inputSchema")} for tool in _listed(profile)]
    texts = [json.dumps(tool, separators=(",", ":"), ensure_ascii=False) for tool in shown]
    return dict(zip((tool["name"] for tool in shown), node.count_tokens(texts), strict=True))
