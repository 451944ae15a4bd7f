"""JSON texts are edited at exact positions, and each edit can be undone exactly."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.capture.setup.edit.json import JsonText, WrongKind
from tallystick.capture.setup.edit.json_positions import ConfigSyntaxError, Path, parse
from tests.capture.setup.json_documents import KEYS, VALUES, documents


@given(documents())
def test_a_text_is_parsed_to_its_value(document: tuple[str, dict[str, Any]]) -> None:
    text, value = document
    found = parse(text)
    assert found is not None
    assert found.to_python() == value


@given(documents(), st.lists(KEYS, min_size=1, max_size=3), VALUES)
def test_put_changes_the_value_and_can_be_undone_exactly(
    document: tuple[str, dict[str, Any]], keys: list[str], value: Any
) -> None:
    text, before = document
    path: Path = tuple(keys)
    edited = JsonText(text)
    try:
        edited.put(path, value)
    except WrongKind:
        assert not _objects_on_the_way(before, keys)
        return
    assert edited.get(()) == _put(before, keys, value)
    assert parse(edited.text) is not None
    _take_out(edited, path)
    assert edited.text == text


@given(documents(), st.lists(KEYS, min_size=1, max_size=2), st.lists(VALUES, min_size=1, max_size=3))
def test_append_changes_the_value_and_can_be_undone_exactly(
    document: tuple[str, dict[str, Any]], keys: list[str], values: list[Any]
) -> None:
    text, before = document
    path: Path = tuple(keys)
    edited = JsonText(text)
    length = len(edited.get(path)) if isinstance(edited.get(path), list) else 0
    try:
        for value in values:
            edited.append(path, value)
    except WrongKind:
        return
    assert edited.get(path)[length:] == values
    for number in reversed(range(length, length + len(values))):
        edited.remove((*path, number))
    edited.tidy()
    assert edited.text == text
    assert edited.get(()) == before


@given(documents(), st.lists(KEYS, min_size=1, max_size=2), VALUES, KEYS, VALUES)
def test_members_that_others_add_stay_when_ours_are_removed(
    document: tuple[str, dict[str, Any]], keys: list[str], value: Any, theirs: str, added: Any
) -> None:
    text, before = document
    edited = JsonText(text)
    if not _objects_on_the_way(before, keys) or edited.root.at(tuple(keys)) is not None:
        return
    edited.put(tuple(keys), value)
    if edited.root.at((theirs,)) is not None:
        return
    others = JsonText(edited.text)
    others.put((theirs,), added)
    again = JsonText(others.text, edited.notes)
    _take_out(again, tuple(keys))
    assert again.get(()) == {**before, theirs: added}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n"a": 1\n"b": 2}', 3),
        ("{'a': 1}", 1),
        ('{"a": 1\n', 2),
        ("{}\n{}", 2),
        ('{"a": tru}', 1),
        ('{"a": 01}', 1),
        ('\n{"a": /* no end \n}', 2),
        ('{"a"\n: \n nope}', 3),
        ("[" * 1000, 1),
    ],
)
def test_a_syntax_error_names_its_line(text: str, line: int) -> None:
    with pytest.raises(ConfigSyntaxError) as caught:
        parse(text)
    assert caught.value.line == line


def test_an_entry_gets_the_format_of_its_neighbours() -> None:
    edited = JsonText('{\r\n\t"hooks": {\r\n\t\t"A": [ // theirs\r\n\t\t\t1 // one\r\n\t\t],\r\n\t},\r\n}\r\n')
    edited.append(("hooks", "A"), {"b": 2})
    assert edited.text == (
        '{\r\n\t"hooks": {\r\n\t\t"A": [ // theirs\r\n\t\t\t1, // one\r\n\t\t\t{"b": 2}\r\n\t\t],\r\n\t},\r\n}\r\n'
    )


def test_of_duplicate_names_the_last_counts() -> None:
    edited = JsonText('{"a": {"x": 1}, "a": {"y": 2}}')
    edited.put(("a", "z"), 3)
    assert edited.text == '{"a": {"x": 1}, "a": {"y": 2, "z": 3}}'


@pytest.mark.parametrize("text", ["", "\n", "// only a remark", "/* and\r\nanother */\r\n"])
def test_a_text_without_a_value_becomes_an_object_and_is_blank_again(text: str) -> None:
    edited = JsonText(text)
    edited.put(("a", "b"), [])
    assert edited.text.startswith(text)
    assert edited.get(()) == {"a": {"b": []}}
    _take_out(edited, ("a", "b"))
    assert edited.text == text


def _take_out(edited: JsonText, path: Path) -> None:
    """Undo one `put`: restore the replaced value, or remove the member."""
    was = dict(edited.notes.replaced)
    if path in was:
        edited.restore(path, was[path])
    elif path in edited.notes.added:
        edited.remove(path)
    edited.tidy()


def _objects_on_the_way(value: Any, keys: list[str]) -> bool:
    for key in keys:
        if not isinstance(value, dict):
            return False
        if key not in value:
            return True
        value = value[key]
    return True


def _put(before: dict[str, Any], keys: list[str], value: Any) -> dict[str, Any]:
    after = copy.deepcopy(before)
    box = after
    for key in keys[:-1]:
        if box.get(key) is None:  # null counts as missing
            box[key] = {}
        box = box[key]
    box[keys[-1]] = value
    return after


def test_a_text_that_became_blank_again_can_be_tidied_and_filled_once_more() -> None:
    edited = JsonText("// nothing yet")
    for _ in range(2):
        edited.append(("hooks", "Stop"), {"a": 1})
        assert parse(edited.text) is not None
        edited.remove(("hooks", "Stop", 0))
        edited.tidy()
        edited.tidy()
        assert edited.text == "// nothing yet"
        assert edited.get(()) == {}


def test_unused_containers_are_not_parsed_with_every_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client keeps megabytes of history beside its servers: they are skipped, not parsed."""
    from tallystick.capture.setup.edit import json_positions

    made = []
    node = json_positions.Node

    def counted(*arguments: Any, **more: Any) -> json_positions.Node:
        made.append(arguments)
        return node(*arguments, **more)

    projects = ", ".join(f'"p{each}": {{"history": [1, "]}}", 3]}}' for each in range(500))
    text = f'{{"projects": {{{projects}}}, "last": 1}}'
    monkeypatch.setattr(json_positions, "Node", counted)
    edited = JsonText(text)
    edited.put(("mcpServers", "tallystick"), {"command": "x"})
    assert len(made) < 20
    assert edited.get(("projects", "p499", "history")) == [1, "]}", 3]
    edited.remove(("mcpServers", "tallystick"))
    edited.tidy()
    assert edited.text == text


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a": -Infinity}', '{"a": 1}}', '{"a": "\t"}'])
def test_text_that_only_python_accepts_is_refused(text: str) -> None:
    with pytest.raises(ConfigSyntaxError):
        parse(text)
