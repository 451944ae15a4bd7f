"""JSON inside a text: masking one value leaves the rest as it was written."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallystick.core.redaction.encoded import mask_embedded_values
from tallystick.core.redaction.masker import DEFAULT_MASKER

leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=12))
trees = st.recursive(leaves, lambda tree: st.lists(tree, max_size=4) | st.dictionaries(st.text(max_size=6), tree))


def test_only_masked_values_change_in_json() -> None:
    text = '{\n  "note": "keep",\n  "n": 1.50,\n  "e": 1E5, "dup": 1,\n  "dup": 2,\n'
    text += '  "password": "hunter2hunter2",\n\t"é": "\\/"}'
    assert DEFAULT_MASKER.mask_text(text) == text.replace("hunter2hunter2", "[masked:password]")
    assert DEFAULT_MASKER.mask_text(f"  {text}\n") == f"  {text}\n".replace("hunter2hunter2", "[masked:password]")


@pytest.mark.parametrize(
    "text",
    [
        '{"token": {"a": "plain"}, "token": {"a": "plain"}}',
        '{"password": "plain", "password": "plain", "a": 1}',
        '{"env": [{"name": "DB_PASSWORD", "value": "plain", "value": "plain"}]}',
    ],
)
def test_both_of_two_equal_keys_are_kept_and_masked(text: str) -> None:
    masked = DEFAULT_MASKER.mask_text(text)
    assert "plain" not in masked
    assert masked.count('"token"') == text.count('"token"')
    assert masked.count('"value"') == text.count('"value"')


def test_a_text_that_is_masked_in_part_keeps_its_own_spelling() -> None:
    text = '{"é": "ü token=abcdefgh12345678 ö", "b": "a\\n\\u00e9 token=abcdefgh12345678"}'
    masked = DEFAULT_MASKER.mask_text(text)
    assert masked == text.replace("abcdefgh12345678", "[masked:token]")


@settings(deadline=None)
@given(trees, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_masked_json_text_parses_to_the_masked_value(tree: object, indent: Any, ascii_only: bool) -> None:
    def change(value: object) -> object:
        if isinstance(value, dict):
            return {key: change(item) for key, item in value.items()}
        if isinstance(value, list):
            return [change(item) for item in value]
        return "é\n[masked]" if isinstance(value, int) and not isinstance(value, bool) else value

    text = json.dumps({"a": [tree, 1]}, indent=indent, ensure_ascii=ascii_only)
    changed = mask_embedded_values(text, change)
    assert json.loads(changed) == change(json.loads(text))
    assert changed.count("\n") == text.count("\n")


def test_a_schema_is_not_masked() -> None:
    for tree in (
        {"PasswordOAuthFlow": {"type": "object", "required": ["tokenUrl"], "patternProperties": {"^x-": {}}}},
        {"styles-for-cookie": {"if": {"properties": {"in": {"const": "cookie"}}}, "then": {"required": ["in"]}}},
        {"securitySchemes": {"api_key": {"type": "apiKey", "name": "api_key", "in": "header"}}},
        {"scripts": {"test:cookies": 'borp -p "test/cookie/*.js"', "build:secret": "tsc && node a.js"}},
    ):
        assert DEFAULT_MASKER.mask(tree) is tree
        assert DEFAULT_MASKER.mask_text(json.dumps(tree, indent=2)) == json.dumps(tree, indent=2)
    assert DEFAULT_MASKER.mask({"db:password": "hunter2"}) == {"db:password": "[masked:password]"}
    assert DEFAULT_MASKER.mask({"api_key": {"type": "apiKey", "value": "plain"}}) != {
        "api_key": {"type": "apiKey", "value": "plain"}
    }
