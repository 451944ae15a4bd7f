"""A file that cannot be read is refused with its name, the line and the fix."""

from pathlib import Path

import pytest

from tallystick import InvalidArgument
from tallystick.runner.plan_files import load_plan
from tallystick.runner.tools import structured_files
from tallystick.runner.tools.registry import ToolRegistry, load_policy

STEP = "{id: a, tool: shell, arguments: {command: 'true'}}"
BOMB = "a: &a [x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 8)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
WRONG = [
    ("p.yaml", "title: x\nsteps:\n  - {id: a, tool: shell\n  - b\n", "p.yaml, line 5: expected ',' or '}'", "Mend"),
    ("p.yaml", "title: x: y\nsteps: []\n", "p.yaml, line 1: mapping values", "quotes"),
    ("p.yaml", "- a\n- b\n", "p.yaml holds a list", "steps: ["),
    ("p.yaml", "just words", "p.yaml holds a text", "steps: ["),
    ("p.yaml", "", "p.yaml is empty", "steps: ["),
    ("p.yaml", "title: x\n", "p.yaml has no list of steps", "steps: ["),
    ("p.yaml", b"title: x\nsteps: caf\xe9\n", "p.yaml, line 2: byte 0xe9", "Save the file as UTF-8"),
    ("p.yaml", "title: x\nsteps:\n\t- id: a\n", "p.yaml, line 3: found character", "Indent with spaces"),
    (
        "p.yaml",
        "title: x\nsteps: []\ntitle: y\n",
        'p.yaml, line 3: "title" is given twice, first in line 1',
        "Keep one",
    ),
    ("p.yaml", "title: x\nsteps:\n- id: a\n  tool: b\n  tool: c\n", "p.yaml, line 5", "Keep one"),
    ("p.yaml", f"title: x\nsteps: []\n---\n{STEP}\n", "p.yaml, line 3", "one document"),
    ("p.yaml", "title: x\nsteps: !!python/tuple [a]\n", "p.yaml, line 2", "Leave the tag out"),
    ("p.yaml", "title: x\nsteps: '\0'\n", "p.yaml, line 2", "Leave that character out"),
    ("p.yaml", f"title: x\n{BOMB}steps: *i\n", "more than 1,000,000 values", "fewer aliases"),
    ("p.yaml", "title: x\nsteps: &s\n  - *s\n", "more than 1,000,000 values", "fewer aliases"),
    ("p.yaml", f"title: x\nsteps: {'[' * 1200}{']' * 1200}\n", "p.yaml is nested too deeply", "less"),
    ("p.yaml", "title: x\nstep: []\nsteps: []\n", 'p.yaml: There is no argument "step"', "steps"),
    ("p.json", '{"title": "x",\n "steps": [}', "p.json, line 2", "Mend"),
    ("p.json", '{"title": "x",\n "steps": [],\n "title": "y"}', 'p.json, line 3: "title" is given twice', "Keep one"),
    ("p.json", '{"steps": [], "title": NaN}', "p.json: NaN is no number", "Give a number"),
    ("p.json", "[" * 200_000, "p.json is nested too deeply", "less"),
    ("p.toml", "title = 'x'\nsteps = [\n", "p.toml, line 3", "Mend"),
    ("p.toml", "title = 'x'\ntitle = 'y'\n", "p.toml, line 2", "Mend"),
]


@pytest.mark.parametrize(("name", "content", "message", "fix"), WRONG, ids=range(len(WRONG)))
def test_a_file_that_is_no_plan_is_refused_with_its_line_and_the_fix(
    tmp_path: Path, name: str, content: str | bytes, message: str, fix: str
) -> None:
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InvalidArgument) as refused:
        load_plan(file, ToolRegistry())
    assert message in refused.value.message
    assert fix in refused.value.hint


def test_a_file_that_cannot_be_read_is_refused_with_the_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = tmp_path / "long.yaml"
    long.write_text("title: x\n")
    monkeypatch.setattr(structured_files, "MAX_FILE_BYTES", 5, raising=False)
    for file, fix in ((tmp_path, "Name a file in it"), (tmp_path / "none.yaml", "that exists"), (long, "Split it")):
        with pytest.raises(InvalidArgument, match=f"{file.name} .*{fix}"):
            load_plan(file, ToolRegistry())


def test_names_and_dates_in_yaml_are_texts(tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(f"title: 2026-11-18\nsteps:\n  - {STEP[:-1]}, retry: {{attempts: 2, on: [failed]}}}}\n")
    plan = load_plan(file, ToolRegistry())
    assert (plan.title, getattr(plan.steps[0].retry, "on", ())) == ("2026-11-18", ("failed",))
    merged = tmp_path / "merged.yaml"
    merged.write_text(f"title: x\nsteps:\n  - &a {STEP}\n  - {{<<: *a, id: b}}\n")
    assert [step.id for step in load_plan(merged, ToolRegistry()).steps] == ["a", "b"]


def test_a_step_that_puts_another_back_is_not_irreversible(tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(f"title: x\nsteps:\n  - {STEP}\n  - {{id: b, tool: shell, undoes: a}}\n")
    assert load_plan(file, ToolRegistry()).steps[1].cancellable == "reversible"


def test_a_policy_is_read_with_the_same_care(tmp_path: Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text("unwind: never\ntools: {}\nunwind: ask\n")
    with pytest.raises(InvalidArgument, match=r"policy\.yaml, line 3"):
        load_policy(file)
