"""The OpenAPI document: valid, complete, and generated from the definitions of the routes."""

import json
import re
from pathlib import Path
from typing import Any

import httpx2
from openapi_spec_validator import OpenAPIV31SpecValidator

from tallystick.interfaces.problems import ERROR_RESPONSES
from tallystick.interfaces.rest.openapi import document
from tallystick.operations import CATALOGUE

ROOT = Path(__file__).parents[3]


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


def test_every_error_status_is_declared_and_documented() -> None:
    shown = described()
    for path, methods in shown["paths"].items():
        for method, operation in methods.items():
            expected = {"405", "429", *(("408", "413", "415") if method == "post" else ())}
            assert expected <= set(operation["responses"]), f"{method} {path}"
    responses = shown["components"]["responses"]
    assert {each for status in ("405", "429") for each in responses[status]["headers"]} == {"Allow", "Retry-After"}
    table = re.findall(r"^\| (4\d\d|5\d\d) \|", (ROOT / "docs" / "rest.md").read_text(), re.MULTILINE)
    assert set(responses) == set(table)


def test_tags_are_the_words_of_the_docs() -> None:
    shown = described()
    tags = [each["name"] for each in shown["tags"]]
    words = re.findall(r"^\| ([a-z ,]+) \|", (ROOT / "docs" / "concepts.md").read_text(), re.MULTILINE)
    known = {word for row in words for word in row.split(", ")}
    assert {re.sub("ies$", "y", tag).removesuffix("s") for tag in tags} <= known
    used = [operation["tags"] for methods in shown["paths"].values() for operation in methods.values()]
    assert {tag for each in used for tag in each} == set(tags)
    assert shown["paths"]["/v1/executions/{execution_id}/report"]["get"]["tags"] == ["executions"]


def test_operations_that_always_need_a_credential_say_so() -> None:
    paths = described()["paths"]
    assert paths["/v1/erasures"]["post"]["security"] == [{"credential": ["admin"]}]
    assert {} in paths["/v1/executions"]["post"]["security"]


def test_the_document_is_served(client: httpx2.Client) -> None:
    answer = client.get("/openapi.json")
    assert answer.json() == described()
    assert client.get("/openapi.json", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
