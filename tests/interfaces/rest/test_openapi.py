"""The OpenAPI document: valid, complete, and generated from the definitions of the routes."""

import json
from typing import Any

import httpx2
from openapi_spec_validator import OpenAPIV31SpecValidator

from tallystick.interfaces.problems import ERROR_RESPONSES
from tallystick.interfaces.rest.openapi import document
from tallystick.operations import CATALOGUE


def described() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(document())
    return found


def test_the_document_is_valid_openapi() -> None:
    errors = [error.message for error in OpenAPIV31SpecValidator(described()).iter_errors()]
    assert errors == []


def test_every_operation_is_described_where_it_is_found() -> None:
    paths = described()["paths"]
    for operation in CATALOGUE.values():
        method, _, path = operation.http.partition(" ")
        assert paths[path][method.lower()]["operationId"] == operation.name
    assert {"/events", "/v1/journals"} < set(paths)


def test_every_argument_of_an_operation_is_a_parameter_or_part_of_the_body() -> None:
    paths = described()["paths"]
    for operation in CATALOGUE.values():
        method, _, path = operation.http.partition(" ")
        operation_spec = paths[path][method.lower()]
        names = {each["name"] for each in operation_spec["parameters"] if "name" in each}
        if "requestBody" in operation_spec:
            names |= set(operation_spec["requestBody"]["content"]["application/json"]["schema"]["properties"])
        assert names == set(operation.arguments.__struct_fields__)


def test_problems_have_the_codes_of_every_interface() -> None:
    assert set(described()["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]) == set(ERROR_RESPONSES)


def test_operations_that_always_need_a_credential_say_so() -> None:
    paths = described()["paths"]
    assert paths["/v1/erasures"]["post"]["security"] == [{"credential": ["admin"]}]
    assert {} in paths["/v1/executions"]["post"]["security"]


def test_the_document_is_served(client: httpx2.Client) -> None:
    answer = client.get("/openapi.json")
    assert answer.json() == described()
    assert client.get("/openapi.json", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
