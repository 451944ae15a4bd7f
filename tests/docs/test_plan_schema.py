"""The JSON Schema of plan files: the plans of the documents and examples are valid, and those with mistakes are not."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
import yaml

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import json_schema
from tallystick.runner.plan_files import load_plan
from tallystick.runner.tools.registry import ToolRegistry
from tests.docs.blocks import blocks, program
from tests.docs.test_examples import DOCUMENTS, EXAMPLES, ROOT
from tests.runner.wrong_plans import good_plan

FILE = ROOT / "docs" / "reference" / "plan.schema.json"
SCHEMA = json.loads(FILE.read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
PLANS_SHOWN = 12
"""How many plans the documents and examples have at least: a search that finds none would show nothing."""


def plans() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every plan of the documents and examples, with its place."""
    for path in DOCUMENTS:
        for block in blocks(path):
            content = yaml.safe_load(block.text) if block.language.startswith("yaml") else None
            if isinstance(content, dict) and "steps" in content:
                yield f"{path.name}:{block.line}", content
        yield from _plans_of_program(program(path), path)
    for path in EXAMPLES:
        yield from _plans_of_program(path.read_text(), path)
    for path in sorted((ROOT / "examples").rglob("*.yaml")):
        content = yaml.safe_load(path.read_text())
        if "steps" in content:
            yield path.name, content


def _plans_of_program(text: str, path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Dict) and any(
            isinstance(key, ast.Constant) and key.value == "steps" for key in node.keys
        ):
            yield f"{path.name}:{node.lineno}", ast.literal_eval(node)


def test_the_plans_of_the_documents_and_examples_are_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    found = dict(plans())
    assert len(found) >= PLANS_SHOWN
    assert {place: error.message for place, plan in found.items() for error in VALIDATOR.iter_errors(plan)} == {}
    for place, plan in found.items():
        json_schema.check_value(plan, SCHEMA, place)


def test_good_plans_made_at_random_are_valid() -> None:
    for number in range(50):
        VALIDATOR.validate(good_plan(Random(number)))


@pytest.mark.parametrize(
    "step",
    [
        {"tol": "shell"},
        {"tool": "shell", "argument": {}},
        {"tool": "shell", "effect": "reads"},
        {"tool": "shell", "retry": 0},
        {"tool": "shell", "retry": {"tries": 3}},
        {"tool": "shell", "timeout": 0},
        {"tool": "shell", "after": "build"},
        {"tool": "shell", "by": "robot"},
    ],
)
def test_a_step_with_a_mistake_is_not_valid_and_no_plan(step: dict[str, Any]) -> None:
    plan = {"title": "t", "steps": [step]}
    assert not VALIDATOR.is_valid(plan)
    with pytest.raises(InvalidArgument):
        load_plan(plan, ToolRegistry())


def test_a_plan_may_name_its_schema_for_an_editor() -> None:
    plan = {"$schema": "plan.schema.json", "title": "t", "steps": [{"tool": "shell"}]}
    assert VALIDATOR.is_valid(plan)
    assert load_plan(plan, ToolRegistry()).title == "t"


def test_a_field_has_a_meaning_that_editors_show() -> None:
    fields = SCHEMA["$defs"]["Step"]["properties"]
    assert [name for name, field in fields.items() if not field.get("description")] == []


def test_a_command_prints_the_schema(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tallystick", "template", "schema"], cwd=tmp_path, capture_output=True, check=True
    )
    assert json.loads(done.stdout) == SCHEMA
