"""Describes types in words and structs as tables, from the JSON Schema that the interfaces use too."""

import json
from typing import Any

import msgspec

Schema = dict[str, Any]

VALUES_PAGE = "values.md"
MAX_SHOWN_BOUND = 1e9
"""Higher limits are technical and are not shown."""


def components(types: list[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    """Return the schema of each type, and the structs that they refer to by name."""
    schemas, found = msgspec.json.schema_components(types, ref_template="{name}")
    return list(schemas), dict(found)


def words(schema: Schema) -> str:
    """Return a type in words."""
    if "$ref" in schema:
        return f"[{schema['$ref']}]({VALUES_PAGE}#{schema['$ref'].lower()})"
    if "enum" in schema:
        return ", ".join(f"`{word}`" for word in schema["enum"] if word is not None)
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(words(each) for each in schema["anyOf"] if each.get("type") != "null"))
    match schema.get("type"):
        case "string":
            return _text(schema)
        case "integer" | "number":
            return _number(schema)
        case "boolean":
            return "true or false"
        case "array":
            return f"list of {words(schema['items'])}" if schema.get("items") else "list"
        case "object":
            inner = schema.get("additionalProperties")
            return f"object of {words(inner)}" if isinstance(inner, dict) and inner else "object"
    return "any JSON"


def description(schema: Schema) -> str:
    """Return the description of a field, or of one of its alternatives."""
    own = schema.get("description", "")
    alternatives = (each.get("description", "") for each in schema.get("anyOf", ()) if "$ref" not in each)
    return " ".join(str(own or next(filter(None, alternatives), "")).split())


def fields(schema: Schema, *, meaning: bool) -> list[str]:
    """Return the fields of a struct as rows of a table, required ones first."""
    required = set(schema.get("required", ()))
    names = sorted(schema.get("properties", {}), key=lambda name: name not in required)
    if not names:
        return ["Nothing."]
    heads = ["name", "type", "default", *(["meaning"] if meaning else [])]
    rows = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for name in names:
        field = schema["properties"][name]
        default = "required" if name in required else _default(field)
        cells = [f"`{name}`", words(field), default, *([description(field)] if meaning else [])]
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return rows


def _default(schema: Schema) -> str:
    value = schema.get("default")
    return f"`{json.dumps(value)}`" if value or value in (False, 0) else ""


def _text(schema: Schema) -> str:
    longest = schema.get("maxLength")
    return f"text, up to {longest}" if longest else "text"


def _number(schema: Schema) -> str:
    kind = "whole number" if schema["type"] == "integer" else "number"
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None and high < MAX_SHOWN_BOUND:
        return f"{kind}, {low:g} to {_plain(high)}"
    return f"{kind}, {low:g} or more" if low is not None else kind


def _plain(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:g}"
