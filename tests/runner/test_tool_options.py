"""Options of a tool are checked when they are given, and the error says what fits."""

from collections.abc import Callable
from typing import Any

import pytest

from tallystick import InvalidArgument, Retry, Undo, tool
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.runner.tools.shell import shell_tool


def charge(order: str, amount: int = 1) -> str:
    return order


def _probe(order: str, amount: int = 1) -> None: ...


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"timeout": "5"}, "timeout=30"),
    ({"timeout": 0}, "timeout=30"),
    ({"timeout": float("nan")}, "timeout=30"),
    ({"timeout": True}, "timeout=30"),
    ({"retry": "3"}, "retry=3"),
    ({"retry": 0}, "retry=3"),
    ({"retry": True}, "retry=3"),
    ({"retry": {"attempts": 0}}, "retry=3"),
    ({"at_most": 0}, "at_most=4"),
    ({"at_most": 2.5}, "at_most=4"),
    ({"per_second": -1}, "per_second=2"),
    ({"effect": "reads"}, "idempotent, probeable, read, unsafe"),
    ({"effect": "probeable"}, "Give probe="),
    ({"needs_approval": "yes"}, "True or False"),
    ({"resource": 7}, 'resource="bank"'),
    ({"name": 7}, "Give a text"),
    ({"undo": 7}, "Undo(tool=..., arguments=...)"),
    ({"undo": Undo("refund", arguments={"order": "${arguments.order}"})}, 'Write Undo(tool="...", arguments=...)'),
    ({"undo": Undo(tool="refund", arguments={"order": "${arguments.oder}"})}, "It takes: order, amount."),
    ({"time_out": 5}, "Did you mean timeout?"),
    ({"wrong": 5}, "@tool takes: name, effect"),
    ({"probe": "look"}, "Give a function that takes the same arguments"),
    ({"probe": lambda: None}, "with its defaults: order, amount."),
    ({"probe": lambda order: None}, "order, amount"),
    ({"probe": lambda order, amount: None}, "order, amount"),
    ({"probe": lambda order, bank, amount=1: None}, "order, amount"),
    ({"probe": lambda order, /, amount=1: None}, "A tool gets its arguments by name."),
]


@pytest.mark.parametrize(("options", "fix"), WRONG)
def test_an_option_that_does_not_fit_is_refused_with_the_fix(options: dict[str, Any], fix: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        tool(**options)(charge)
    assert fix in refused.value.hint
    assert "The tool " in refused.value.message or refused.value.field == "tools"


@pytest.mark.parametrize(
    "options",
    [
        {"effect": "probeable", "probe": _probe},
        {"probe": lambda **given: None},
        {"probe": lambda order, amount=2, idempotency_key="": None},
        {"retry": 3, "timeout": 1, "at_most": 1, "per_second": 0.5, "resource": "bank", "needs_approval": True},
        {
            "retry": Retry(2),
            "undo": Undo(tool="refund", arguments={"order": "${arguments.order}", "id": "${result.id}"}),
        },
        {"undo": "call the bank", "effect": "idempotent"},
        {"retry": {"attempts": 2}, "undo": {"tool": "refund"}},
    ],
)
def test_options_that_fit_are_taken(options: dict[str, Any]) -> None:
    assert ToolRegistry([tool(**options)(charge)]).get("charge")


@pytest.mark.parametrize("value", ["charge", getattr, 7])
def test_what_is_no_function_of_python_is_refused_with_the_fix(value: Callable[..., Any]) -> None:
    with pytest.raises(InvalidArgument, match="function"):
        tool(value)


def test_options_of_a_built_in_tool_are_checked_too() -> None:
    with pytest.raises(InvalidArgument, match="timeout=30"):
        shell_tool(timeout="5")
