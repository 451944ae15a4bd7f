"""What is known about a plan before its first effect: each mistake is found with its place and a fix."""

import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from tallystick import InvalidArgument, Journal
from tallystick.runner.checks import check_file
from tallystick.runner.tools.http import http_tool
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.runner.tools.shell import shell_tool
from tests.runner.sale_tools import CALLS, PARAMETERS, announce, charge, quote, tools

GOOD: dict[str, Any] = {
    "title": "Sell",
    "parameters": {
        "type": "object",
        "required": ["order"],
        "properties": {"order": {"type": "string"}, "limit": {"type": "integer"}},
    },
    "steps": [
        {"id": "price", "tool": "quote", "arguments": {"order": "${parameters.order}"}, "after": []},
        {
            "id": "charge",
            "tool": "charge",
            "after": ["price"],
            "when": "steps.price.result.total > 0 && steps.price.result.total < parameters.limit",
            "arguments": {"order": "${parameters.order}", "amount": "${steps.price.result.total}", "options": {"a": 1}},
        },
        {
            "id": "tell",
            "tool": "announce",
            "after": ["charge"],
            "arguments": {"text": "${steps.charge.result.id}: ${steps.price.result.lines[0]} at ${context.place}"},
            "retry": {"attempts": 2, "on": ["transient", "failed"]},
        },
        {
            "id": "each",
            "tool": "announce",
            "after": ["price"],
            "for_each": "${steps.price.result.lines}",
            "when": "item.size() < 9 && index >= 0",
            "arguments": {"text": "${item}"},
        },
        {
            "id": "count",
            "tool": "shell",
            "after": ["each", "tell", "charge"],
            "arguments": {"command": "echo ${steps.charge.result.amount} \"x ${steps['tell'].state}\""},
            "cancellable": "irreversible",
        },
        {"id": "thank", "by": "person", "after": ["count"], "when": "has(steps.count.result.json)"},
    ],
}


def changed(change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    plan = deepcopy(GOOD)
    change(plan)
    return plan


def step(number: int, **fields: Any) -> dict[str, Any]:
    """The good plan with fields of a step replaced."""
    return changed(lambda plan: plan["steps"][number].update(fields))


def arguments(number: int, **fields: Any) -> dict[str, Any]:
    return changed(lambda plan: plan["steps"][number]["arguments"].update(fields))


def test_a_good_plan_has_no_problems() -> None:
    assert check_file(GOOD, tools(), PARAMETERS) == ()
    assert check_file(GOOD, tools()) == ()


@pytest.mark.parametrize(
    ("plan", "place", "message", "fix"),
    [
        # tools
        (step(0, tool="qoute"), "steps.price.tool", 'no tool "qoute"', "quote"),
        (step(0, tool=""), "steps.price.tool", "No tool is named", "by: agent"),
        (step(1, undo={"tool": "refnd", "arguments": {}}), "steps.charge.undo.tool", 'no tool "refnd"', "refund"),
        (step(1, probe={"tool": "look", "arguments": {}}), "steps.charge.probe.tool", 'no tool "look"', "quote"),
        # the order
        (step(1, after=["prise"]), "steps.charge.after", 'names "prise"', "price"),
        (step(0, after=["tell"]), "steps", "wait for each other", "Remove one"),
        (step(1, id="price"), "steps", "Two steps have the id", "own id"),
        (
            step(2, after=["price"]),
            "steps.tell.arguments.text",
            '"charge" does not come before "tell"',
            'Add "charge" to its `after`',
        ),
        (arguments(0, order="${steps.tell.state}"), "steps.price.arguments.order", "does not come before", "Refer to"),
        (arguments(2, text="${steps.tell.result}"), "steps.tell.arguments.text", "does not come before", "Refer to"),
        # names
        (arguments(1, amount="${steps.prise.result.total}"), "steps.charge.arguments.amount", "not have", "price"),
        (arguments(1, amount="${steps.price.result.totl}"), "steps.charge.arguments.amount", 'no "totl"', "total"),
        (arguments(1, amount="${steps.price.reslt}"), "steps.charge.arguments.amount", 'no "reslt"', "result"),
        (arguments(1, amount="${steps.price.result.total.x}"), "steps.charge.arguments.amount", 'no "x"', "Refer"),
        (arguments(2, text="${steps.price.result.lines.first}"), "steps.tell.arguments.text", 'no "first"', "Refer"),
        (arguments(0, order="${parameters.ordr}"), "steps.price.arguments.order", "ordr", "order"),
        (arguments(0, order="${parametrs.order}"), "steps.price.arguments.order", "parametrs", "docs"),
        (arguments(0, order="${item}"), "steps.price.arguments.order", "for_each", "Give for_each"),
        (arguments(0, order="${context}"), "steps.price.arguments.order", "without a plain name", "context.NAME"),
        (arguments(0, order="${parameters.order"), "steps.price.arguments.order", "no end", "Close it"),
        (step(3, arguments={"text": "${item.name}"}), "steps.each.arguments.text", 'no "name"', "Refer"),
        # types
        (arguments(0, order=3), "steps.price.arguments.order", "whole number, not text", "schema"),
        (arguments(0, express="yes"), "steps.price.arguments.express", "text, not true or false", "schema"),
        (arguments(0, colour="red"), "steps.price.arguments.colour", "not a field", "order"),
        (step(0, arguments={}), "steps.price.arguments.order", "missing", "schema"),
        (arguments(1, amount="${steps.price.result.currency}"), "steps.charge.arguments.amount", "text, not", "schema"),
        (arguments(1, amount="a${steps.price.result.total}"), "steps.charge.arguments.amount", "text, not", "schema"),
        (arguments(1, amount="${size(steps.price.result.lines) > 1}"), "steps.charge.arguments.amount", "true or", "s"),
        (arguments(1, options={"a": "b"}), "steps.charge.arguments.options.a", "text, not", "schema"),
        # conditions
        (step(1, when="steps.price.result.totl > 0"), "steps.charge.when", 'no "totl"', "total"),
        (step(1, when="steps.price.result.currency > 0"), "steps.charge.when", "(column 29)", "Convert"),
        (step(1, when="steps.price.result.total"), "steps.charge.when", "integer, not true", "Compare"),
        (step(1, when="steps.price.result.total >"), "steps.charge.when", "column 27", "docs"),
        (step(1, when="foo(1)"), "steps.charge.when", "'foo'", "docs"),
        (step(1, when="steps.tell.state == 'done'"), "steps.charge.when", "does not come before", "Refer"),
        (step(1, when="steps[parameters.order].result"), "steps.charge.when", "without a plain name", "Name it"),
        (step(5, when="steps.count.result.jsn == 1"), "steps.thank.when", 'no "jsn"', "json"),
        (step(5, when="has(steps.count.result.jsn)"), "steps.thank.when", 'no "jsn"', "json"),
        # lists
        (step(3, for_each="lines"), "steps.each.for_each", "no list", "one reference"),
        (step(3, for_each="${item}"), "steps.each.for_each", "no list", "one reference"),
        (step(3, for_each=["${parameters.order}"]), "steps.each.for_each", "as they are", "${[parameters.a"),
        (step(3, for_each="${steps.price.result.total}"), "steps.each.for_each", "integer, not a list", "list"),
        (step(3, for_each="${steps.price.result.nope}"), "steps.each.for_each", 'no "nope"', "note"),
        (step(3, for_each="${steps.price"), "steps.each.for_each", "no end", "Close it"),
        (step(5, id="each.1"), "steps.each.for_each", "cannot be named each.1", "short id"),
        (
            step(5, by="runner", undoes="each", tool="announce", arguments={"text": ""}),
            "steps.thank.undoes",
            "for_",
            "undo",
        ),
        (step(3, when="item > 3"), "steps.each.when", "column 6", "Convert"),
        # undo, retry, shell, secrets
        (
            step(1, undo={"tool": "refund", "arguments": {"charge": "${result.idd}"}}),
            "steps.charge.undo.arguments.charge",
            'no "idd"',
            "id",
        ),
        (
            step(1, undo={"tool": "refund", "arguments": {"charge": "${arguments.ordr}"}}),
            "steps.charge.undo.arguments.charge",
            'no argument "ordr"',
            "order",
        ),
        (
            step(1, undo={"tool": "refund", "arguments": {}}),
            "steps.charge.undo.arguments.charge",
            "missing",
            "schema",
        ),
        (step(2, retry={"on": ["not_done"]}), "steps.tell.retry.on", "never repeated", "transient"),
        (step(1, retry={"on": ["failed"]}), "steps.charge.retry.on", "never repeated", "transient"),
        (
            step(4, arguments={"command": "echo '${parameters.order}'"}),
            "steps.count.arguments.command",
            "single quotes",
            "list of words",
        ),
        (
            step(4, arguments={"command": "echo `${parameters.order}`"}),
            "steps.count.arguments.command",
            "backtick",
            "list of words",
        ),
        (step(4, arguments={"command": ""}), "steps.count.arguments.command", "at least 1", "schema"),
        (step(4, arguments={"command": "echo \\${context.x}"}), "steps.count.arguments.command", "backslash", "list"),
        (arguments(2, text="secret://NO_SUCH_SECRET"), "steps.tell.arguments.text", "no secret NO_SUCH", "Set the"),
        (arguments(2, text="Bearer secret://HOME"), "steps.tell.arguments.text", "inside a text", "alone"),
        # parameters
        (changed(lambda plan: plan["parameters"].update(type="objekt")), "parameters", "wrong value", "JSON Schema"),
        (changed(lambda plan: plan.update(parameters={"pattern": "x"})), "parameters", "not supported", "Supported"),
        (
            changed(lambda plan: plan["parameters"].update(required=["size"])),
            "parameters.size",
            "missing",
            "parameters",
        ),
        # the file
        (changed(lambda plan: plan.update(stepz=1)), "stepz", "stepz", ""),
        (changed(lambda plan: plan.pop("steps")), "steps", "no list of steps", "Give steps"),
        (step(0, colour="red"), "steps[0].colour", "colour", ""),
        (step(0, priority="high"), "steps[0].priority", "priority", ""),
        (step(0, retry=0), "steps[0].retry", "at least 1", ""),
        (step(0, timeout=0), "steps[0].timeout", "above 0", ""),
        (step(0, retry={"on": ["never"]}), "steps[0].retry.on[0]", "not allowed", "Use one of: cancelled, failed"),
        (step(0, failure_policy={"action": "x"}), "steps[0].failure_policy.action", "not allowed", "cancel_all"),
        (arguments(0, order={8080: "x"}), "steps[0].arguments.order", "8080 is not text", "JSON names"),
    ],
)
def test_a_mistake_is_found_with_its_place_and_a_fix(plan: dict[str, Any], place: str, message: str, fix: str) -> None:
    found = check_file(plan, tools(), PARAMETERS)
    assert [each.place for each in found] == [place], found
    assert message in found[0].message
    assert fix in found[0].fix


def test_all_problems_are_listed_and_a_run_refuses_with_the_first_ones_before_anything_is_recorded() -> None:
    plan = changed(lambda plan: [each.update(tool="nope") for each in plan["steps"]])
    assert len(check_file(plan, tools(), PARAMETERS)) == 5
    with Journal.open("memory:") as journal:
        CALLS.clear()
        with pytest.raises(InvalidArgument, match="5 problems; nothing was done") as caught:
            journal.run(plan, tools=tools(), parameters=PARAMETERS)
        assert caught.value.field == "steps.price.tool"
        assert re.search(r"steps\.charge\.tool: There is no tool .* Did you mean", str(caught.value))
        assert journal.list_plans().plans == ()
        assert CALLS == []


def test_a_recorded_plan_is_checked_too_before_its_execution_starts() -> None:
    with Journal.open("memory:") as journal:
        steps = [{"id": "a", "title": "A", "tool": "announce", "arguments": {"txt": 1}, "cancellable": "irreversible"}]
        recorded = journal.record_plan(title="t", steps=steps)  # type: ignore[arg-type]
        with pytest.raises(InvalidArgument, match=r"steps\.a\.arguments\.text is missing"):
            journal.run(recorded, tools=tools())
        assert journal.list_executions().executions == ()


def test_a_plan_that_holds_a_secret_is_not_started_with_a_masked_argument() -> None:
    with Journal.open("memory:") as journal:
        text = "token ghp_" + "a1B2" * 9
        plan = {"title": "t", "steps": [{"id": "a", "tool": "announce", "arguments": {"text": text}}]}
        with pytest.raises(InvalidArgument, match=r"steps\.a\.arguments: .*masked.* secret://NAME"):
            journal.run(plan, tools=tools())
        assert journal.list_executions().executions == ()


@pytest.mark.parametrize("plan", [step(0, arguments={}), step(0, retry=0), step(0, tool="nope")])
def test_a_problem_names_its_place_once(plan: dict[str, Any]) -> None:
    (found,) = check_file(plan, tools(), PARAMETERS)
    assert str(found).startswith(found.place)
    assert str(found).count(f"{found.place}") == 1 + str(found.fix).count(found.place)


def test_fields_that_a_schema_does_not_list_can_be_named_in_brackets() -> None:
    plan = step(1, when='steps.price.result["other"] == 1', arguments={"order": "x", "amount": 1})
    assert check_file(plan, tools(), PARAMETERS) == ()


@pytest.mark.parametrize(
    ("url", "is_good"),
    [
        ("https://example.org/${parameters.order}", True),
        ("${context.address}/orders", True),
        ("https://${context.host}/orders", True),
        ("secret://BASE_URL", True),
        ("example.org/orders", False),
        ("ftp://example.org/${parameters.order}", False),
        ("https://a:b@example.org/${parameters.order}", False),
    ],
)
def test_the_address_of_a_request_is_checked_as_far_as_it_is_known(
    url: str, is_good: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BASE_URL", "https://example.org")
    found = check_file(step(4, tool="http", arguments={"url": url}), tools(), PARAMETERS)
    assert [each.place for each in found if "arguments" in each.place] == (
        [] if is_good else ["steps.count.arguments.url"]
    )


def test_a_parameter_that_the_plan_does_not_declare_is_found() -> None:
    (found,) = check_file(GOOD, tools(), {**PARAMETERS, "limt": 5})
    assert (found.place, found.fix) == ("parameters.limt", "Use one of: order, limit.")


def test_other_names_for_a_field_are_read() -> None:
    plan = changed(lambda plan: plan["steps"][1].update(depends_on=plan["steps"][1].pop("after")))
    assert check_file(plan, tools(), PARAMETERS) == ()


def test_whole_numbers_compare_with_fractions_as_they_do_when_the_condition_is_computed() -> None:
    plan = step(1, when="steps.price.result.total > 1.5 && steps.price.result.rate < 2")
    assert check_file(plan, tools(), PARAMETERS) == ()


def test_the_undo_of_a_tool_is_checked_with_the_step_that_calls_it() -> None:
    without_refund = ToolRegistry([quote, charge, announce, shell_tool()])
    problems = check_file(GOOD, without_refund)
    assert [(each.place, each.message) for each in problems] == [
        ("steps.charge.undo.tool", 'There is no tool "refund".')
    ]


def test_a_wrong_word_of_a_command_is_named_with_its_place() -> None:
    steps = [
        {"id": "a", "tool": "shell", "undo": "none", "arguments": {"command": "echo a"}},
        {"id": "b", "tool": "shell", "undo": "none", "arguments": {"command": ["echo", "${steps.a.result}"]}},
        {"id": "c", "tool": "shell", "undo": "none", "arguments": {"command": []}},
    ]
    words, empty = check_file({"title": "t", "steps": steps}, ToolRegistry([shell_tool()]))
    assert words.place == "steps.b.arguments.command[1]"
    assert words.message.startswith("steps.b.arguments.command[1] is an object, not text")
    assert "Refer to a part of it" in words.message
    assert "at least 1" in empty.message


@pytest.mark.parametrize(
    ("reference", "given", "wrong"),
    [
        ("${parameters.who}", {"who": "a", "whi": "b"}, ["parameters.whi"]),
        ("a", {"who": "a"}, ["parameters.who"]),
        ("${parameters.who}", {"who": "a"}, []),
        ("${size(parameters)}", {"who": "a"}, []),
    ],
)
def test_a_value_that_no_step_refers_to_is_found(reference: str, given: dict[str, Any], wrong: list[str]) -> None:
    step = {"id": "a", "tool": "shell", "undo": "none", "arguments": {"command": ["echo", reference]}}
    found = check_file({"title": "t", "steps": [step]}, ToolRegistry([shell_tool()]), given)
    assert [each.place for each in found] == wrong


def test_a_host_from_a_reference_is_refused_where_hosts_are_listed() -> None:
    get = {"id": "b", "tool": "http", "undo": "none", "arguments": {"url": "http://${parameters.host}/"}}
    (found,) = check_file({"title": "t", "steps": [get]}, ToolRegistry([http_tool(only=["api.example"])]))
    assert found.message == "The host may not come from a reference here."


def test_references_of_a_step_whose_tool_is_missing_are_checked_too() -> None:
    steps = [
        {"id": "a", "tool": "one", "after": [], "undo": "none"},
        {"id": "b", "tool": "two", "after": [], "undo": "none", "arguments": {"x": "${steps.a.result}"}},
    ]
    messages = [each.message for each in check_file({"title": "t", "steps": steps}, ToolRegistry([]))]
    assert any('"a" does not come before "b"' in each for each in messages)
