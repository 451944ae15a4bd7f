"""The catalogue of operations is complete, and the methods of both journals are exactly its operations."""

import inspect
import pydoc
import re
import subprocess
import sys
from typing import Any

import msgspec
import pytest

from tallystick import AsyncJournal, Journal
from tallystick.operations import CATALOGUE, MODULES, Operation
from tallystick.operations.runtime.receipts import Receipt
from tallystick.sdk.operation_methods import (
    AsyncOperationMethods,
    OperationMethods,
    async_operation_method,
    operation_method,
)

OPERATIONS = sorted(CATALOGUE.values(), key=lambda operation: operation.name)
_PATH = re.compile(r"(GET|POST) /v1(/[a-z-]+|/\{[a-z_]+\})+")
_IN_PATH = re.compile(r"\{([a-z_]+)\}")
each_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)


def _methods(
    holder: type, kind: type[operation_method[..., Any]] | type[async_operation_method[..., Any]]
) -> dict[str, Operation[..., Any]]:
    return {name: each.operation for name, each in vars(holder).items() if isinstance(each, kind)}


def test_both_facades_are_exactly_the_catalogue() -> None:
    assert _methods(OperationMethods, operation_method) == dict(CATALOGUE)
    assert _methods(AsyncOperationMethods, async_operation_method) == dict(CATALOGUE)


def test_both_facades_list_the_operations_in_the_same_order() -> None:
    assert list(_methods(OperationMethods, operation_method)) == list(
        _methods(AsyncOperationMethods, async_operation_method)
    )


def test_no_two_operations_share_a_route_or_a_view() -> None:
    routes = [operation.http for operation in OPERATIONS]
    views = [operation.view for operation in OPERATIONS if operation.view]
    assert len(routes) == len(set(routes))
    assert len(views) == len(set(views))


@each_operation
def test_an_operation_says_what_it_does(operation: Operation[..., Any]) -> None:
    first = operation.doc.splitlines()[0]
    assert first.endswith(".")
    assert first[0].isupper()


@each_operation
def test_the_names_in_the_route_of_an_operation_are_its_arguments(operation: Operation[..., Any]) -> None:
    assert _PATH.fullmatch(operation.http)
    assert operation.http.startswith("POST " if operation.kind == "record" else "GET ")
    assert set(_IN_PATH.findall(operation.http)) <= set(operation.arguments.__struct_fields__)


@each_operation
def test_an_operation_has_an_example_that_validates(operation: Operation[..., Any]) -> None:
    arguments = operation.validate(operation.example)
    assert msgspec.json.decode(msgspec.json.encode(arguments)).items() >= operation.example.items()


@each_operation
def test_an_operation_takes_keyword_arguments_only_and_returns_a_struct(operation: Operation[..., Any]) -> None:
    context, *_ = inspect.signature(operation.function).parameters.values()
    assert context.name == "context"
    assert all(each.kind is inspect.Parameter.KEYWORD_ONLY for each in inspect.signature(operation).parameters.values())
    assert list(inspect.signature(operation).parameters) == list(operation.arguments.__struct_fields__)
    assert issubclass(operation.result, msgspec.Struct)


@each_operation
def test_an_operation_has_schemas_for_its_arguments_and_result(operation: Operation[..., Any]) -> None:
    schema = msgspec.json.schema(operation.arguments)
    answered = msgspec.json.schema(operation.result)
    assert "$defs" in schema or "properties" in schema
    assert "$defs" in answered or "properties" in answered


@each_operation
def test_the_name_of_an_operation_shows_whether_it_records_or_reads(operation: Operation[..., Any]) -> None:
    reads = operation.name.startswith(("get_", "list_", "read_")) or operation.name in (
        "verify",
        "export",
        "compare_executions",
    )
    assert operation.kind == ("read" if reads else "record")
    assert issubclass(operation.result, Receipt) == (operation.kind == "record")


@each_operation
def test_every_record_takes_a_key(operation: Operation[..., Any]) -> None:
    key = "idempotency_key" if operation.name == "record_context" else "key"  # its `key` is what is remembered
    if operation.kind == "record":
        assert key in operation.arguments.__struct_fields__


@each_operation
def test_every_list_is_paged_and_bounded(operation: Operation[..., Any]) -> None:
    if operation.name.startswith("list_") and operation.name != "list_credentials":  # people are few
        assert {"limit", "cursor"} <= set(operation.arguments.__struct_fields__)
        assert "next_cursor" in operation.result.__struct_fields__


def test_only_people_decide_erase_give_credentials_and_take_the_journal_elsewhere() -> None:
    scopes = {operation.name: operation.scope for operation in OPERATIONS if operation.scope not in ("agent", "read")}
    assert scopes == {
        "decide_approval": "approve",
        "silence_alert": "approve",
        "export": "audit",
        "list_credentials": "audit",
        "erase": "admin",
        "add_credential": "admin",
        "revoke_credential": "admin",
        "add_webhook": "admin",
        "rotate_webhook": "admin",
        "test_webhook": "admin",
        "replay_webhook": "admin",
        "remove_webhook": "admin",
        "list_webhooks": "audit",
        "list_dead_deliveries": "audit",
        "run_plan": "run",
        "record_items": "run",
    }


@each_operation
@pytest.mark.parametrize("facade", [Journal, AsyncJournal])
def test_a_method_shows_the_arguments_and_docstring_of_its_operation(
    facade: type[Journal] | type[AsyncJournal], operation: Operation[..., Any]
) -> None:
    on_class = getattr(facade, operation.name)
    on_instance = getattr(facade.open("memory:"), operation.name)
    for method, first in ((on_class, ["self"]), (on_instance, [])):
        signature = inspect.signature(method)
        assert list(signature.parameters) == [*first, *operation.arguments.__struct_fields__]
        assert signature.return_annotation is operation.result
        assert (method.__name__, method.__qualname__) == (operation.name, f"{facade.__name__}.{operation.name}")
        assert inspect.getdoc(method) == operation.doc
        shown = pydoc.plain(pydoc.render_doc(method))
        assert operation.doc.splitlines()[0] in shown
        assert all(name in shown for name in operation.arguments.__struct_fields__)


def test_a_class_lists_its_operations_as_methods() -> None:
    shown = pydoc.plain(pydoc.render_doc(Journal))
    assert "record_plan(self, /, *, title: " in shown
    assert "Save a plan before acting" in shown


def test_an_argument_that_has_a_default_shows_it() -> None:
    parameters = inspect.signature(Journal.list_plans).parameters
    assert (parameters["limit"].default, parameters["status"].default) == (20, None)
    assert inspect.signature(Journal.record_plan).parameters["title"].default is inspect.Parameter.empty


def test_a_method_of_the_class_can_be_called_with_a_journal() -> None:
    with Journal.open("memory:") as journal:
        assert Journal.record_execution_start(journal, title="x").status == "running"


def test_importing_and_opening_load_no_module_of_operations() -> None:
    code = "import sys, tallystick; tallystick.Journal.open('memory:'); print([*sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "tallystick.operations.runtime.operation'" in loaded
    assert not [module for module in MODULES.values() if f"'{module}'" in loaded]
    assert "'inspect'" not in loaded
