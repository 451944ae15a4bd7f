"""`tallystick template`: a plan file is recorded once, listed, shown, revised and run by its name."""

import json
from pathlib import Path

import pytest

from tallystick.interfaces.cli import Result, run

PLAN = {
    "title": "Greet",
    "parameters": {"type": "object", "required": ["who"], "properties": {"who": {"type": "string"}}},
    "steps": [{"id": "say", "tool": "shell", "arguments": {"command": ["echo", "${parameters.who}"]}, "undo": "none"}],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "greet.json"
    path.write_text(json.dumps(PLAN))
    return path


def tallystick(folder: Path, *arguments: str) -> Result:
    return run([*arguments, "--url", f"sqlite://{folder / 'journal.db'}", "--journal", "j"])


def test_a_template_is_recorded_once_and_run_by_its_name(file: Path) -> None:
    folder = file.parent
    assert "There are no templates" in tallystick(folder, "template", "list").stdout
    assert "recorded, revision 1" in tallystick(folder, "template", "add", str(file)).stdout
    assert "is unchanged, revision 1" in tallystick(folder, "template", "add", str(file)).stdout
    file.write_text(json.dumps({**PLAN, "title": "Greet well"}))
    assert "recorded, revision 2" in tallystick(folder, "template", "add", str(file)).stdout
    assert "Greet well" in tallystick(folder, "template", "list").stdout
    shown = json.loads(tallystick(folder, "template", "show", "greet", "--revision", "1").stdout)
    assert shown["title"] == "Greet"
    ran = tallystick(folder, "template", "run", "greet", "--set", "who=Ann", "--json")
    assert (ran.exit_code, json.loads(ran.stdout)["status"]) == (0, "completed")


def test_a_template_that_does_not_exist_is_refused_with_those_that_do(file: Path) -> None:
    tallystick(file.parent, "template", "add", str(file), "--name", "hello")
    refused = tallystick(file.parent, "template", "run", "helo")
    assert refused.exit_code == 5
    assert 'There is no template "helo". There are: hello.' in refused.stderr
    assert tallystick(file.parent, "template", "run", "hello").exit_code == 2


def test_a_new_task_gets_the_plan_of_the_template_for_its_type(file: Path) -> None:
    tallystick(file.parent, "template", "add", str(file), "--for-tasks", "greeting")
    made = json.loads(tallystick(file.parent, "record", "task", "T-1", "--type", "greeting", "--json").stdout)
    plans = json.loads(tallystick(file.parent, "list", "plans", "--task-id", "T-1", "--json").stdout)["plans"]
    assert [plan["id"] for plan in plans] == [made["plan_id"]]
