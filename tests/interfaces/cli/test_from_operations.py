"""Every operation is a command, by rule: its name, its options, its help, its JSON."""

import json
import shlex
from typing import Any

import click
import msgspec
import pytest

from tallystick import TallystickError
from tallystick.interfaces import cli
from tallystick.interfaces.cli.app import CURATED, Root
from tallystick.interfaces.cli.from_operations import find_operation, format_example, make_command
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.interfaces.fields import command_words
from tallystick.operations import CATALOGUE, Operation
from tests.interfaces.cli.conftest import PLAN, Shell

OPERATIONS = list(CATALOGUE.values())


class Listener:
    """A caller that notes its calls and returns nothing."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, dict[str, Any]]] = []

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        self.heard.append((operation.name, arguments))
        raise TallystickError("no answer")

    def close(self) -> None:
        """There is nothing to let go of."""


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_the_example_of_an_operation_is_understood_by_its_command(operation: Operation[..., Any]) -> None:
    listener = Listener()
    argv = shlex.split(format_example(operation).replace("\\\n", " "))
    name = {"export": "read_entries"}.get(operation.name, operation.name)  # it first asks how much there is
    cli.run(argv[1:], env={}, caller=listener)
    assert listener.heard[0][0] == name
    if name == operation.name:
        assert listener.heard[0][1] == operation.example


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_the_help_of_every_operation_begins_with_its_example_and_holds_its_docstring(
    operation: Operation[..., Any],
) -> None:
    help = cli.run([*command_words(operation), "--help"], env={"COLUMNS": "80"})
    assert (help.exit_code, help.stderr) == (0, "")
    assert help.stdout.startswith("Example:\n  tallystick ")
    assert " ".join(operation.doc.split()) in " ".join(help.stdout.split())
    for field in operation.arguments.__struct_fields__:
        assert "--" + field.replace("_", "-") in help.stdout


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_an_operation_is_also_found_by_its_whole_name_as_hints_write_it(operation: Operation[..., Any]) -> None:
    words, whole = cli.run([*command_words(operation), "-h"], env={}), cli.run([operation.name, "-h"], env={})
    assert whole.exit_code == 0
    assert words.stdout.partition("Usage")[0] == whole.stdout.partition("Usage")[0]


def test_every_operation_answers_with_json_that_is_its_result(shell: Shell) -> None:
    plan, execution, _ = shell.work()
    approval = shell.json("request", "approval", "--question", "Pay?", "--tool", "pay")["id"]
    shell.json("record", "context", "where", "--value", "eu-1")
    secret = shell.json("add", "credential", "ada")["secret"]
    shell.json("webhook", "add", "ops", "--address", "https://example.org/", "--credential", secret)
    session = shell.json("open", "session", "--name", "other")["id"]
    noted = ["--execution-id", execution, "--tool", "mkdir", "--summary", "make it"]
    to_run = shell.json("record", "plan", "--title", "Run it", "--steps", json.dumps(PLAN))["id"]
    listed = shell.json(*command_words(CATALOGUE["record_execution_start"]), "--plan-id", to_run)["id"]
    action = shell.json("record", "action", "begin", *noted)["id"]
    arguments: dict[str, list[str]] = {
        "record_plan": ["--title", "Again", "--steps", json.dumps(PLAN), "--plan-id", plan, "--reason", "better"],
        "record_execution_start": ["--title", "Other"],
        "record_action": ["note", "--execution-id", execution, "--summary", "hm"],
        "record_decision": ["continue", "--execution-id", execution, "--why", "it goes on"],
        "record_context": ["where", "--value", '{"eu": 2}'],
        "record_note": ["prompt", "--summary", "go on"],
        "record_batch": ["--records", json.dumps(CATALOGUE["record_batch"].example["records"])],
        "request_approval": ["--question", "More?", "--execution-id", execution],
        "decide_approval": [approval, "--verdict", "approve", "--credential", secret],
        "open_session": ["--name", "third"],
        "renew_session": [session],
        "end_session": [session],
        "add_credential": ["bob", "--credential", secret],
        "revoke_credential": ["bob", "--credential", secret],
        "silence_alert": ["interrupted", "--until", "1h", "--credential", secret],
        "add_webhook": ["chat", "--address", "https://example.org/", "--credential", secret],
        **{
            name: ["ops", "--credential", secret]
            for name in ("rotate_webhook", "test_webhook", "replay_webhook", "list_dead_deliveries")
        },
        "remove_webhook": ["chat", "--credential", secret],
        "erase": ["--seqs", "2", "--reason", "asked", "--force", "--credential", secret],
        "run_plan": ["--plan-id", to_run, "--engine", "caller"],
        "get_run": [execution],
        "record_items": [listed, "--items", '{"pay": ["a", "b"]}'],
        "record_task": ["T-17", "--title", "Move it"],
        "get_task": ["T-17"],
        "retire_plan": [plan, "--status", "archived", "--reason", "old"],
        "get_plan": [plan],
        "get_context": ["where"],
        "get_matches": ["--text", "Pay"],
        "get_activity": ["--since", "1h"],
        "get_approval": [approval],
        "get_action": [action],
        "get_execution": [execution],
        "get_status": [execution],
        "get_report": [execution],
        "compare_executions": ["--a", execution, "--b", execution],
    }
    for operation in OPERATIONS:
        structure = shell.json(*command_words(operation), *arguments.get(operation.name, []))
        result = msgspec.convert(structure, operation.result)
        if operation.name != "record_batch":  # its receipts say more than the schema asks for
            assert json.loads(msgspec.json.encode(result)) == structure, operation.name
        if operation.kind == "read" and operation.name not in arguments:
            direct = shell.journal.caller.call(operation, {})
            assert json.loads(msgspec.json.encode(direct)) == structure, operation.name


def test_the_words_of_a_command_name_its_operation() -> None:
    assert command_words(CATALOGUE["list_in_doubt"]) == ("list", "in-doubt")
    assert command_words(CATALOGUE["verify"]) == ("verify",)
    for operation in OPERATIONS:
        assert find_operation(command_words(operation)) is operation


def test_closed_words_are_shown_and_completed() -> None:
    command = make_command(CATALOGUE["record_action"])
    option = next(param for param in command.params if param.name == "outcome")
    assert option.make_metavar(click.Context(command)) == "[failed|ok|skipped|unknown]"
    found = option.type.shell_complete(click.Context(command), option, "s")
    assert [item.value for item in found] == ["skipped"]


def test_a_structure_is_read_from_a_file_or_from_standard_input(shell: Shell, tmp_path: Any) -> None:
    file = tmp_path / "steps.json"
    file.write_text(json.dumps(PLAN))
    from_file = shell.json("record", "plan", "--title", "a", "--steps", f"@{file}")
    from_input = shell.json("record", "plan", "--title", "b", "--steps", "-", stdin=json.dumps(PLAN))
    assert from_file["steps"] == from_input["steps"] == ["copy", "pay"]


def test_only_one_option_can_read_standard_input(shell: Shell) -> None:
    result = shell("record", "action", "begin", "--arguments", "-", "--before", "-", stdin="{}")
    assert result.exit_code == 2
    assert "both ask for standard input" in result.stderr


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("eu-1", "eu-1"),
        ("5", 5),
        ("0123", "0123"),
        ("2026-11-15", "2026-11-15"),
        ('"5"', "5"),
        ("true", True),
        ("null", None),
        ('{"a": [1.5]}', {"a": [1.5]}),
    ],
)
def test_a_value_is_json_when_it_looks_like_json_and_text_otherwise(shell: Shell, typed: str, value: Any) -> None:
    shell.output("record", "context", "k", "--value", typed)
    assert shell.json("get", "context", "k")["values"][0].get("value") == value


def test_an_undo_is_words_or_a_call(shell: Shell) -> None:
    shell.output("record", "execution-start", "--title", "x")
    shell.output("record", "action", "begin", "--tool", "a", "--undo", "5 clicks back")
    shell.output("record", "action", "begin", "--tool", "b", "--undo", '{"tool": "rm", "arguments": {"path": "p"}}')
    undos = [item["undo"] for item in shell.json("undo-list")["items"]]
    assert undos == [{"tool": "rm", "arguments": {"path": "p"}}, {"words": "5 clicks back"}]


def test_a_list_is_an_option_repeated_or_one_json_list(shell: Shell) -> None:
    shell.output("record", "execution-start", "--title", "x")
    one = shell.json("request", "approval", "--question", "?", "--options", "yes", "--options", "no")["id"]
    other = shell.json("request", "approval", "--question", "?", "--options", '["yes", "no"]')["id"]
    assert shell.json("get", "approval", one)["options"] == shell.json("get", "approval", other)["options"]


def test_general_options_stand_before_the_command_or_behind_it(shell: Shell) -> None:
    before = shell("--json", "--actor", "bob", "record", "context", "k", "--value", "1")
    behind = shell("record", "context", "k", "--value", "2", "--actor", "eve", "--json")
    between = shell("record", "--json", "context", "k", "--value", "3")
    assert [json.loads(each.stdout)["version"] for each in (before, behind, between)] == [1, 2, 3]
    values = shell.json("get", "context", "k", "--limit", "3")["values"]
    assert [value["actor"] for value in values] == ["ada", "eve", "bob"]


def test_an_operations_own_option_behind_the_command_is_its_argument(shell: Shell) -> None:
    shell.output("--actor", "bob", "record", "context", "k", "--value", "1")
    assert len(shell.json("list", "context", "--actor", "bob")["values"]) == 1
    assert shell.json("list", "context", "--actor", "eve")["values"] == []


def test_the_tree_lists_every_command_and_makes_each_of_them() -> None:
    root = Root({})
    context = click.Context(root)
    for name in root.list_commands(context):
        command = root.get_command(context, name)
        assert command is not None
        assert command.name == name
    assert set(CURATED) <= set(root.list_commands(context))
    assert isinstance(context.find_object(Invocation), type(None))


def test_options_before_an_external_command_are_passed_on_to_it() -> None:
    got: list[list[str]] = []

    def run(arguments: list[str]) -> int:
        got.append(arguments)
        return 0

    words = ["--url", "sqlite:///x.db", "--json", "--no-color", "--journal", "j", "there", "drain", "--client", "c"]
    assert cli.main(words, external={"there": cli.ExternalCommand("Somewhere else.", run)}) == 0
    assert got == [["drain", "--client", "c", "--url", "sqlite:///x.db", "--json", "--journal", "j"]]
